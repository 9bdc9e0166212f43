"""The results of ``check``: as text, in groups and counts, and in the formats of other programs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path, PurePath
from urllib.parse import quote

from sgf_lark import __version__, grammar
from sgf_lark.cli.results import CodeCount, Result, Tally, counts_in_words
from sgf_lark.cli.terminal import OutputStyle, aligned, cell_width, is_narrow
from sgf_lark.cli.words import message
from sgf_lark.diagnostics import Diagnostic, Language, Severity, Span
from sgf_lark.documentation import rule_page
from sgf_lark.text.escaping import escape, escape_lines, is_visible, to_json
from sgf_lark.text.positions import SourceText
from sgf_lark.validation.report import Report

_COLORS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.STYLE: "cyan"}

#: The codes of diagnostics that are not listed are named up to this number of codes.
_MOST_CODES = 5


def full(results: Iterable[Result], tally: Tally, style: OutputStyle) -> Iterator[str]:
    """Yield every diagnostic with its place, its source line and advice, then the counts."""
    for result in results:
        source = result.report.source
        lines: list[str] = []
        for number, found in enumerate(result.report.diagnostics):
            lines.append(headline(result, number, found, style))
            if source.data:
                lines += excerpt_lines(source, found.span, style)
            if found.fix:
                label = style.paint(message("check.help", style.language), bold=True)
                lines.append(f"  {label}{escape(found.fix)}")
        if result.omitted:
            lines.append(_omitted(result, style))
        if lines:
            yield "\n".join(lines) + "\n"
    if tally.codes:
        yield "\n"
    yield from counts(tally, style)


def concise(results: Iterable[Result]) -> Iterator[str]:
    """Yield one line for each diagnostic, as editors and scripts expect it."""
    plain = OutputStyle()
    for result in results:
        for number, found in enumerate(result.report.diagnostics):
            yield headline(result, number, found, plain) + "\n"
        if result.omitted:
            yield _omitted(result, plain) + "\n"


def brief(results: Iterable[Result], style: OutputStyle) -> Iterator[str]:
    """Yield one line for each file with diagnostics: the number of each severity."""
    for result in results:
        if counts := counts_in_words(result.report.counts, style.language):
            yield f"{escape(result.path)}: {counts}\n"


def statistics(results: Iterable[Result], tally: Tally, style: OutputStyle) -> Iterator[str]:
    """Yield only the counts, once all results are in `tally`."""
    for _ in results:
        pass
    yield from counts(tally, style)


# --- Diagnostics ----------------------------------------------------------------------


def headline(result: Result, number: int, found: Diagnostic, style: OutputStyle) -> str:
    """Return the place, the severity, the rule and the message, and a mark if it can be fixed."""
    place = f"{escape(result.path)}:{found.span.line}:{found.span.column}:"
    severity = severity_name(found.severity, style.language)
    severity = style.paint(severity, fg=_COLORS[found.severity], bold=True)
    code = style.paint(found.code, bold=True)
    text = f"{style.paint(place, bold=True)} {severity} {code} {found.name}: "
    text += escape(found.message)
    if number in result.fixes:
        key, color = ("safe", "green") if result.fixes[number] else ("unsafe", "magenta")
        text += f" {style.paint(message(f'check.{key}_mark', style.language), fg=color)}"
    return text


def _omitted(result: Result, style: OutputStyle) -> str:
    most = result.omitted_by_code.most_common(_MOST_CODES + 1)
    codes = [f"{count} {code}" for code, count in most[:_MOST_CODES]]
    listed = message("shared.comma", style.language).join(codes + ["…"] * (len(most) > _MOST_CODES))
    more = message("check.omitted", style.language, n=result.omitted, codes=listed)
    return f"{style.paint(f'{escape(result.path)}:', bold=True)} {more}"


def severity_name(severity: Severity, language: Language) -> str:
    """Return the name of the severity in that language."""
    return message(f"shared.{severity}", language)


# --- The source line, with carets below the place --------------------------------------

_INDENT = "    "
#: The indent of a line that GitHub would take for a command in a log.
_BAR = "  | "
_MINIMUM_WIDTH = 20


def excerpt_lines(source: SourceText, span: Span, style: OutputStyle) -> Iterator[str]:
    """Yield the source line, cut to the width around the span, and the line with the carets."""
    width = max(style.width - len(_INDENT), _MINIMUM_WIDTH)
    line, column = source.excerpt(span, width, width)
    head, tail = _make_visible(line[:column], style), _make_visible(line[column:], style)
    shown_tail = _cut(tail, max(width - cell_width(head), width // 2))
    shown_head = _cut(head[::-1], width - cell_width(shown_tail))[::-1]
    # The part of the span that is on its first line, at least one character.
    first_line = next(iter(source.text(span).splitlines()), "")
    marked = tail[: len(first_line) or 1]
    carets = "^" * max(1, min(cell_width(marked), cell_width(shown_tail)))
    shown = shown_head + shown_tail
    yield (_BAR if shown.lstrip().startswith("::") else _INDENT) + shown
    yield _INDENT + " " * cell_width(shown_head) + style.paint(carets, fg="green", bold=True)


def _make_visible(text: str, style: OutputStyle) -> str:
    """Replace each character that has no shape by a visible one.

    Characters that the encoding of the output lacks are escaped here already, so that
    the carets are placed right.
    """
    shown = text if text.isprintable() else "".join(map(_visible_character, text))
    if shown.isascii():
        return shown
    return shown.encode(style.encoding, "backslashreplace").decode(style.encoding)


def _visible_character(character: str) -> str:
    if is_visible(character):
        return character
    if character == "\t":
        return " "
    if character < " ":
        return chr(0x2400 + ord(character))
    return "\N{REPLACEMENT CHARACTER}"


def _cut(text: str, width: int) -> str:
    """Return the beginning of `text` that fills at most `width` columns, "…" for the rest."""
    if cell_width(text) <= width:
        return text
    if is_narrow(text):
        return text[: width - 1] + "…"
    kept, used = [], 1
    for character in text:
        used += cell_width(character)
        if used > width:
            break
        kept.append(character)
    return "".join(kept) + "…"


# --- Counts ---------------------------------------------------------------------------


def counts(tally: Tally, style: OutputStyle) -> Iterator[str]:
    """Yield the table of the codes, the summary, and what to do next."""
    if tally.codes:
        yield _table(tally.codes, style) + "\n"
    language = style.language
    yield f"{tally.summary(language)}\n"
    if tally.known or tally.fixed:
        yield of_baseline(tally, language) + "\n"
    if tally.hidden:
        yield message("check.hidden", language, n=tally.hidden) + "\n"
    safe, unsafe = tally.fixes[True], tally.fixes[False]
    if safe:
        yield message("check.safe", language, n=safe) + "\n"
    if unsafe:
        yield message(f"check.{'more_' if safe else ''}unsafe", language, n=unsafe) + "\n"
    if tally.repeated:
        yield of_repeated(tally, language) + "\n"
    if tally.codes:
        order = list(Severity)
        worst = min(tally.codes, key=lambda row: (order.index(row.severity), -row.count))
        yield message("check.explain", language, code=worst.code) + "\n"


def of_baseline(tally: Tally, language: Language) -> str:
    """Return how many findings are in the baseline, and how many of it were fixed."""
    key = "baseline_fixed" if tally.fixed else "baseline"
    return message(f"check.{key}", language, n=tally.known, fixed=tally.fixed)


def of_repeated(tally: Tally, language: Language) -> str:
    """Return how many findings are only counted, also where it is counted what can be fixed."""
    return message("check.repeated", language, n=tally.repeated)


def _table(rows: list[CodeCount], style: OutputStyle) -> str:
    heads = message("check.heads", style.language).split()
    cells = [
        (
            row.code,
            row.name,
            severity_name(row.severity, style.language),
            str(row.count),
            str(row.files),
        )
        for row in rows
    ]
    head, *lines = aligned([heads, *cells], numbers=2)
    painted = [style.paint(head, bold=True)]
    painted += [
        style.paint(line, fg=_COLORS[row.severity]) for line, row in zip(lines, rows, strict=True)
    ]
    return "".join(f"{line}\n" for line in painted)


# --- JSON -----------------------------------------------------------------------------


def json_lines(objects: Iterable[dict[str, object]]) -> Iterator[str]:
    """Yield one object a line."""
    for item in objects:
        yield to_json(item) + "\n"


def json_array(objects: Iterable[dict[str, object]]) -> Iterator[str]:
    """Yield one JSON array, an object a line."""
    opening = "[\n"
    for item in objects:
        yield opening + to_json(item)
        opening = ",\n"
    yield "\n]\n" if opening == ",\n" else "[]\n"


# --- GitHub ---------------------------------------------------------------------------

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.STYLE: "notice"}


def github_commands(results: Iterable[Result]) -> Iterator[str]:
    """Yield workflow commands that annotate the changed files with the diagnostics."""
    for result in results:
        for found in result.report.diagnostics:
            place = {
                "file": escape(result.path),
                "line": found.span.line,
                "col": found.span.column,
                "title": f"{found.code} {found.name}",
            }
            properties = ",".join(
                f"{key}={_escaped(str(value), ':,')}" for key, value in place.items()
            )
            text = found.message + (f"\nhelp: {found.fix}" if found.fix else "")
            yield f"::{_COMMANDS[found.severity]} {properties}::{_escaped(escape_lines(text))}\n"


def _escaped(text: str, reserved: str = "") -> str:
    """Escape the characters that would end a command or, with `reserved`, a property of it."""
    return "".join(
        f"%{ord(character):02X}" if character in f"%\r\n{reserved}" else character
        for character in text
    )


# --- GitLab ---------------------------------------------------------------------------

GITLAB_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.STYLE: "info"}


def gitlab_issues(results: Iterable[Result]) -> Iterator[dict[str, object]]:
    """Yield the issues of a code quality report.

    The fingerprint of an issue does not depend on its line, so that GitLab knows an issue again
    that only moved.
    """
    from hashlib import sha256

    for result in results:
        seen: Counter[str] = Counter()
        path = _from_here(result.path)
        for found in result.report.diagnostics:
            key = "\0".join((path, found.code, found.message))
            seen[key] += 1
            unique = f"{key}\0{seen[key]}".encode("utf-8", "backslashreplace")
            yield {
                "description": f"{found.code} {found.name}: {found.message}",
                "check_name": found.code,
                "fingerprint": sha256(unique).hexdigest(),
                "severity": GITLAB_SEVERITIES[found.severity],
                "location": {"path": path, "lines": {"begin": found.span.line}},
            }


def _from_here(path: str) -> str:
    """Return the path relative to the current folder, where it is in it: GitLab knows files by
    their paths in the repository."""
    found = PurePath(path)
    # The current folder can have been removed; a path outside it stays as it is.
    with suppress(OSError, ValueError):
        found = found.relative_to(Path.cwd())
    return found.as_posix()


# --- SARIF 2.1.0, which code hosts and editors read -----------------------------------
#
# One log with one run, in pieces: results as they come, then the rules they refer to.

_SARIF_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.STYLE: "note"}

_LINE_BREAK = re.compile("\r\n|\n|\r")


def sarif_log(results: Iterable[Result], profile: str) -> Iterator[str]:
    """Yield the log of all results."""
    head = {"$schema": _SARIF_SCHEMA, "version": "2.1.0"}
    yield to_json(head)[:-1] + ',"runs":[{"columnKind":"unicodeCodePoints","results":['
    indexes: dict[str, int] = {}
    separator = "\n"
    for result in results:
        for found in result.report.diagnostics:
            index = indexes.setdefault(found.code, len(indexes))
            item = _sarif_result(result.path, result.report, found, index)
            yield separator + to_json(item)
            separator = ",\n"
    driver = {
        "name": "sgf-lark",
        "version": __version__,
        "rules": [_sarif_rule(code, profile) for code in indexes],
    }
    tool = to_json({"driver": driver})
    yield f'\n], "tool":{tool}}}]}}\n'


def _sarif_result(path: str, report: Report, found: Diagnostic, index: int) -> dict[str, object]:
    item: dict[str, object] = {
        "ruleId": found.code,
        "ruleIndex": index,
        "level": _LEVELS[found.severity],
        "message": {"text": found.message},
        "locations": [_location(path, report, found.span)],
    }
    if found.related:
        item["relatedLocations"] = [_location(path, report, span) for span in found.related]
    properties = {
        "tree": found.tree,
        "node": found.node,
        "ident": found.ident,
        "sgfc": found.sgfc,
        "fix": found.fix,
    }
    item["properties"] = {key: value for key, value in properties.items() if value is not None}
    return item


def _location(path: str, report: Report, span: Span) -> dict[str, object]:
    lines = _LINE_BREAK.split(report.source.text(span))
    region = {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.line + len(lines) - 1,
        "endColumn": len(lines[-1]) + (span.column if len(lines) == 1 else 1),
        "byteOffset": span.start,
        "byteLength": span.end - span.start,
    }
    # A relative path stays relative, as RFC 3986 allows.
    place = Path(path)
    relative = quote(place.as_posix().encode("utf-8", "surrogateescape"))
    uri = place.as_uri() if place.is_absolute() else relative
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}


def _sarif_rule(code: str, profile: str) -> dict[str, object]:
    from sgf_lark.wei7.rules import rules as wei7_rules

    rule = wei7_rules().get(code) or grammar.rule(code)
    severity = rule.severity[profile]
    tags = {"reference": list(rule.reference), "sgfc": rule.sgfc}
    level = "none" if severity == "off" else _LEVELS[Severity(severity)]
    page = rule_page(rule.code)
    more = "" if page else f" (more: sgf-lark explain {rule.code})"
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.explanation},
        "help": {"text": f"{rule.fix}{more}"},
        **({"helpUri": page} if page else {}),
        "defaultConfiguration": {"level": level},
        "properties": {
            "source": rule.source,
            **{name: value for name, value in tags.items() if value},
        },
    }
