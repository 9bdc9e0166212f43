"""Reports of a run as text, JSON or an HTML page."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sgf_lark import grammar
from sgf_lark.diagnostics import Language
from sgf_lark.fuzz.findings import describe, file_stem, replay_command, versions
from sgf_lark.fuzz.judging import Kind
from sgf_lark.fuzz.running import Finding, Result
from sgf_lark.fuzz.violations import UNREACHABLE
from sgf_lark.pages import render, words
from sgf_lark.text.escaping import escape, to_json

#: At most this many bytes of an input are shown.
_SHOWN_BYTES = 300

#: At most this many other messages of one cause are shown.
_SHOWN_KEYS = 3
#: At most this many names of what was never sent are shown.
_SHOWN_NAMES = 12


def meaning(kind: Kind, language: Language = "en") -> str:
    """Return what a kind of findings means, in one line."""
    return words("fuzz", language)[kind.replace(" ", "_").replace("-", "_")]


def printable(data: bytes) -> str:
    """Return the bytes of an input as readable text, shortened if it is long."""
    if not data:
        return "(nothing)"
    text = repr(data[:_SHOWN_BYTES])[2:-1].replace('\\"', '"').replace("\\'", "'")
    more = len(data) - _SHOWN_BYTES
    return f"{text} … {more} bytes more" if more > 0 else text


def summary(result: Result, language: Language = "en") -> str:
    """Return one line with the numbers of inputs and findings."""
    known, settings = words("fuzz", language), result.settings
    kinds = [
        f"{count} {kind}"
        for kind in Kind
        if (count := sum(found.key.kind is kind for found in result.findings))
    ]
    total, unexamined = len(result.findings), sum(result.unexamined.values())
    rate = (result.examples + result.attempts) / result.seconds if result.seconds else 0.0
    inputs = {
        "examples": result.examples,
        "attempts": result.attempts,
        "seconds": f"{result.seconds:.1f}",
        "rate": f"{rate:.0f}",
    }
    findings = {
        "count": total,
        "new": known["new"] if settings.known else "",
        "s": _s(total),
        "kinds": f" ({', '.join(kinds)})" if kinds else "",
    }
    causes = {"seen": len(result.known), "count": len(settings.known)}
    parts: list[tuple[object, str, dict[str, Any]]] = [
        (True, "inputs", inputs),
        (True, "seed", {"seed": settings.seed}),
        (True, "findings", findings),
        (settings.known, "known_causes", causes),
        (result.not_minimized, "not_minimized", {"count": result.not_minimized}),
        (unexamined, "unexamined", {"count": unexamined, "s": _s(unexamined)}),
        (result.interrupted, "interrupted", {}),
        (result.lost_workers, "lost_workers", {"count": result.lost_workers}),
    ]
    return known["separator"].join(
        known[key].format(**values) for shown, key, values in parts if shown
    )


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def verdict_lines(result: Result, language: Language = "en") -> Iterator[str]:
    """Yield a line for each target with the number of each verdict."""
    nothing = words("fuzz", language)["no_input"]
    for target in result.settings.targets:
        counts = sorted(_verdict_counts(result, target).items())
        verdicts = ", ".join(f"{count} {verdict}" for verdict, count in counts)
        yield f"{target}: {verdicts or nothing}"


def _verdict_counts(result: Result, target: str) -> dict[str, int]:
    return {verdict: n for (name, verdict), n in result.verdicts.items() if name == target}


def coverage_lines(result: Result, language: Language = "en") -> Iterator[str]:
    """Yield lines on the properties and rules that the run has exercised."""
    known = words("fuzz", language)

    def some(names: Sequence[str]) -> str:
        shown = ", ".join(names[:_SHOWN_NAMES]) or known["nothing"]
        more = len(names) - _SHOWN_NAMES
        return known["and_more"].format(names=shown, count=more) if more > 0 else shown

    if not result.examples:
        return
    yield known["sent"].format(count=len(result.idents), never=some(_never_sent(result)))
    rules, never = _rules(), _never_broken(result)
    broken = len(rules) - len(never)
    yield known["broken"].format(count=broken, rules=len(rules), never=some(never))


def _never_sent(result: Result) -> list[str]:
    """Return the properties of the games and file formats of the run that no input had."""
    games, formats = result.settings.games, result.settings.file_formats
    wanted = {
        entry.ident
        for entry in grammar.properties()
        if not entry.private
        and (not games or not entry.games or not set(games).isdisjoint(entry.games))
        and (not formats or not set(formats).isdisjoint(entry.file_formats))
    }
    return sorted(wanted - result.idents.keys())


def _rules() -> list[str]:
    """Return the rules that a file can break."""
    return [
        rule.code
        for rule in grammar.rules().values()
        if rule.severity["strict"] == "error" and rule.code not in UNREACHABLE
    ]


def _never_broken(result: Result) -> list[str]:
    return [code for code in _rules() if code not in result.codes]


def as_text(result: Result, folder: Path, language: Language = "en") -> str:
    """Return the report as plain text; the findings are in `folder`."""
    known = words("fuzz", language)
    lines: list[str] = []
    for finding in result.findings:
        key = finding.key
        lines += [
            f"{key.kind} {key.target}{f': {key.place}' if key.place else ''}",
            f"  {meaning(key.kind, language)}"
            + ("" if finding.repeatable else f"; {known['not_repeatable']}"),
            *(f"  {known[name]}: {text}" for name, text in _cause(finding, language).items()),
            f"  {known['input']}: {printable(finding.data)}",
            f"  sgf_lark: {finding.rules}",
        ]
        if finding.detail and finding.detail != key.place:
            lines.append(f"  {known['detail']}: {_one_line(finding.detail)}")
        times = _times(finding, known)
        lines += [f"  {known['seen']} {times}; {replay_command(folder, finding)}", ""]
    for finding in result.known:
        times, key = _times(finding, known), finding.key
        lines.append(f"{known['known']}: {key.kind} {key.target}: {title(finding)}, {times}")
    lines += [
        *verdict_lines(result, language),
        *coverage_lines(result, language),
        summary(result, language),
    ]
    return "".join(f"{escape(line)}\n" for line in lines)


def _times(finding: Finding, known: dict[str, str]) -> str:
    return known["once" if finding.count == 1 else "times"].format(count=finding.count)


def _cause(finding: Finding, language: Language = "en") -> dict[str, str]:
    """Return what there is to say about the cause of a finding, by the keys of its words."""
    found = {}
    if finding.features:
        names = " ".join(feature.name for feature in finding.features)
        found["cause"] = f"{finding.cause.title} ({names})"
    if finding.neighbor is not None:
        found["not_with"] = printable(finding.neighbor)
    if finding.also:
        shown = ", ".join(f"{key.kind} {key.place}".strip() for key in finding.also[:_SHOWN_KEYS])
        more = len(finding.also) - _SHOWN_KEYS
        pattern = words("fuzz", language)["and_more"]
        found["also"] = pattern.format(names=shown, count=more) if more > 0 else shown
    return found


def title(finding: Finding) -> str:
    """Return the cause of a finding in words, or else its place or input."""
    return finding.cause.title or finding.key.place or printable(finding.data)


def _one_line(text: str) -> str:
    return " ".join(text.split())[:_SHOWN_BYTES]


def as_json(result: Result, folder: Path, language: Language = "en") -> str:
    """Return the report as JSON: each finding as in its file, with the replay command.

    Its keys and texts are English.
    """
    settings = result.settings
    value = {
        "targets": list(settings.targets),
        "versions": versions(settings),
        "seed": settings.seed,
        "examples": result.examples,
        "next_number": result.next_number,
        "attempts": result.attempts,
        "seconds": round(result.seconds, 3),
        "interrupted": result.interrupted,
        "lost_workers": result.lost_workers,
        "verdicts": {target: _verdict_counts(result, target) for target in settings.targets},
        "findings": [
            {**describe(finding, settings), "replay": replay_command(folder, finding)}
            for finding in result.findings
        ],
        "known": [
            {"cause": finding.cause.identity, "feature": title(finding), "count": finding.count}
            for finding in result.known
        ],
        "coverage": _coverage(result),
        "not_minimized": result.not_minimized,
        "unexamined": sum(result.unexamined.values()),
    }
    return to_json(value, indent=2) + "\n"


def _coverage(result: Result) -> dict[str, Any]:
    return {
        "properties": dict(sorted(result.idents.items())),
        "never_sent_properties": _never_sent(result),
        "rules": dict(sorted(result.codes.items())),
        "never_broken_rules": _never_broken(result),
    }


def as_html(result: Result, folder: Path, language: Language = "en") -> str:
    """Return the report as one self-contained page; each input can be saved from it."""
    return render(
        "fuzz.html",
        language,
        summary=summary(result, language),
        versions=versions(result.settings),
        lines=[*verdict_lines(result, language), *coverage_lines(result, language)],
        findings=[_finding(finding, folder, language) for finding in result.findings],
    )


def _finding(finding: Finding, folder: Path, language: Language) -> dict[str, Any]:
    """Return what the page shows of a finding; `facts` are by the keys of words."""
    key, known = finding.key, words("fuzz", language)
    seen = known["first_seen"].format(
        times=_times(finding, known), number=finding.number, source=finding.source
    )
    return {
        "title": f"{key.kind}, {key.target}: {key.place}".rstrip(": "),
        "facts": {
            "meaning": meaning(key.kind, language),
            **_cause(finding, language),
            "detail": finding.detail,
            "sgf_lark": finding.rules,
            "seen": seen,
            "repeatable": known["yes" if finding.repeatable else "not_repeatable"],
        },
        "input": printable(finding.data),
        "name": f"{file_stem(finding)}.sgf",
        "data": base64.b64encode(finding.data).decode("ascii"),
        "replay": replay_command(folder, finding),
    }


FORMATS = {"text": as_text, "json": as_json, "html": as_html}
