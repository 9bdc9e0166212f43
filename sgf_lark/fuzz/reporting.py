"""Reports of a run as text, JSON, JUnit XML or an HTML page."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from html import escape as escape_html
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from sgf_lark.fuzz.findings import describe, file_stem, replay_command, versions
from sgf_lark.fuzz.judging import Kind
from sgf_lark.fuzz.running import Finding, Result
from sgf_lark.text.escaping import escape, escape_lines, to_json

#: At most this many bytes of an input are shown.
_SHOWN_BYTES = 300

#: At most this many other messages of one cause are shown.
_SHOWN_KEYS = 3
#: At most this many names of what was never sent are shown.
_SHOWN_NAMES = 12

#: The meaning of each kind, in one line.
MEANING = {
    Kind.CRASH: "it ended by a signal or with an exception that no parser should raise",
    Kind.HANG: "it gave no answer in time",
    Kind.MEMORY: "it took more memory than allowed",
    Kind.SLOW: "it took far more CPU time for each byte than for other files",
    Kind.REJECTS_VALID: "it refuses a file that conforms",
    Kind.WRONG_TREE: "it reads a file that conforms as something else",
    Kind.ACCEPTS_INVALID: "it accepts a file that breaks a rule",
    Kind.DISAGREEMENT: "the targets do not agree on a file that breaks a rule",
}


def printable(data: bytes) -> str:
    """Return the bytes of an input as readable text, shortened if it is long."""
    if not data:
        return "(nothing)"
    text = repr(data[:_SHOWN_BYTES])[2:-1].replace('\\"', '"').replace("\\'", "'")
    more = len(data) - _SHOWN_BYTES
    return f"{text} … {more} bytes more" if more > 0 else text


def summary(result: Result) -> str:
    """Return one line with the numbers of inputs and findings."""
    rate = (result.examples + result.attempts) / result.seconds if result.seconds else 0.0
    total = len(result.findings)
    new = "new " if result.settings.known else ""
    kinds = [
        f"{count} {kind}"
        for kind in Kind
        if (count := sum(found.key.kind is kind for found in result.findings))
    ]
    parts = [
        f"{result.examples} inputs and {result.attempts} attempts to minimize them"
        f" in {result.seconds:.1f} s ({rate:.0f} a second)",
        f"seed {result.settings.seed}",
        f"{total} {new}finding{'' if total == 1 else 's'}" + _in_parentheses(kinds),
    ]
    if result.settings.known:
        parts.append(f"{len(result.known)} of {len(result.settings.known)} known causes seen again")
    if result.not_minimized:
        parts.append(f"{result.not_minimized} not minimized in time")
    if count := sum(result.unexamined.values()):
        parts.append(f"{count} more input{'' if count == 1 else 's'} with findings not examined")
    if result.interrupted:
        parts.append("interrupted")
    if result.lost_workers:
        parts.append(f"{result.lost_workers} of the worker processes were lost")
    return ", ".join(parts)


def _in_parentheses(kinds: list[str]) -> str:
    return f" ({', '.join(kinds)})" if kinds else ""


def verdict_lines(result: Result) -> Iterator[str]:
    """Yield a line for each target with the number of each verdict."""
    for target in result.settings.targets:
        counts = sorted(_verdict_counts(result, target).items())
        verdicts = ", ".join(f"{count} {verdict}" for verdict, count in counts)
        yield f"{target}: {verdicts or 'no input'}"


def _verdict_counts(result: Result, target: str) -> dict[str, int]:
    return {verdict: n for (name, verdict), n in result.verdicts.items() if name == target}


def coverage_lines(result: Result) -> Iterator[str]:
    """Yield lines on the parts of the format that the run has exercised."""
    settings, sent = result.settings, result.exercised
    if not result.examples:
        return
    missing = sent.never_sent_properties(settings.games, settings.file_formats)
    broken, rules = sent.count_rules()
    yield f"sent: {len(sent.idents)} identifiers; never {_some(missing)}"
    yield f"broken: {broken} of {rules} rules; never {_some(sent.never_broken_rules())}"
    parts = result.alternatives
    if parts is not None:
        never = "" if sent.complete else " in the inputs that were kept"
        yield (
            f"grammar: {parts.productions} of {parts.all_productions} productions, "
            f"{parts.used} of {parts.all} alternatives; never{never} {_some(parts.never)}"
        )


def _some(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN_NAMES
    shown = ", ".join(names[:_SHOWN_NAMES]) or "none"
    return f"{shown} and {more} more" if more > 0 else shown


def as_text(result: Result, folder: Path) -> str:
    """Return the report as plain text; the findings are in `folder`."""
    lines: list[str] = []
    for finding in result.findings:
        key = finding.key
        lines += [
            f"{key.kind} {key.target}{f': {key.place}' if key.place else ''}",
            f"  {MEANING[key.kind]}"
            + ("" if finding.repeatable else "; a fresh process does not show it"),
            *_cause_lines(finding),
            f"  input: {printable(finding.data)}",
            f"  sgf_lark: {finding.rules}",
        ]
        if finding.detail and finding.detail != key.place:
            lines.append(f"  detail: {_one_line(finding.detail)}")
        times = "once" if finding.count == 1 else f"{finding.count} times"
        lines += [f"  seen {times}; {replay_command(folder, finding)}", ""]
    for finding in result.known:
        times = "once" if finding.count == 1 else f"{finding.count} times"
        lines.append(f"known: {finding.key.kind} {finding.key.target}: {title(finding)}, {times}")
    lines += [*verdict_lines(result), *coverage_lines(result), summary(result)]
    return "".join(f"{escape(line)}\n" for line in lines)


def _cause_lines(finding: Finding) -> Iterator[str]:
    """Yield the lines on the cause of a finding."""
    if finding.features:
        names = " ".join(feature.name for feature in finding.features)
        yield f"  cause: {finding.cause.title} ({names})"
    if finding.neighbor is not None:
        yield f"  not with: {printable(finding.neighbor)}"
    if finding.also:
        shown = [f"{key.kind} {key.place}".strip() for key in finding.also[:_SHOWN_KEYS]]
        more = len(finding.also) - len(shown)
        yield f"  also: {', '.join(shown)}" + (f" and {more} more" if more else "")


def title(finding: Finding) -> str:
    """Return the cause of a finding in words, or else its place or input."""
    return finding.cause.title or finding.key.place or printable(finding.data)


def _one_line(text: str) -> str:
    return " ".join(text.split())[:_SHOWN_BYTES]


def as_json(result: Result, folder: Path) -> str:
    """Return the report as JSON: each finding as in its file, with the replay command."""
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
    settings, sent, parts = result.settings, result.exercised, result.alternatives
    missing = sent.never_sent_properties(settings.games, settings.file_formats)
    return {
        "properties": dict(sorted(sent.idents.items())),
        "never_sent_properties": missing,
        "rules": dict(sorted(sent.codes.items())),
        "never_broken_rules": sent.never_broken_rules(),
        "alternatives": None if parts is None else asdict(parts),
        "complete": sent.complete,
    }


#: Characters that XML 1.0 does not allow.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_junit(result: Result, folder: Path) -> str:
    """Return the report as JUnit XML.

    Each target is a test suite, each finding a failed test case, and each kind without
    findings a passed test case.
    """
    root = ElementTree.Element("testsuites", name="sgf-lark fuzz")
    names = dict.fromkeys([*result.settings.targets, *(f.key.target for f in result.findings)])
    for target in names:
        found = [finding for finding in result.findings if finding.key.target == target]
        clean = [kind for kind in _kinds(result) if kind not in {f.key.kind for f in found}]
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=_xml(target),
            tests=str(len(found) + len(clean)),
            failures=str(len(found)),
            errors="0",
            skipped="0",
            time=f"{result.seconds:.3f}",
        )
        for kind in clean:
            ElementTree.SubElement(suite, "testcase", classname=_xml(target), name=str(kind))
        for finding in found:
            _junit_case(suite, finding, folder)
    ElementTree.indent(root)
    return ElementTree.tostring(root, "unicode", xml_declaration=True) + "\n"


def _kinds(result: Result) -> list[Kind]:
    """Return the kinds of findings that the run can find in a single target."""
    judge = result.settings.judge
    left_out = {
        Kind.DISAGREEMENT,
        *(() if judge.trees else (Kind.WRONG_TREE,)),
        *(() if judge.strict else (Kind.ACCEPTS_INVALID,)),
        *(() if result.settings.slow else (Kind.SLOW,)),
    }
    return [kind for kind in Kind if kind not in left_out]


def _junit_case(suite: ElementTree.Element, finding: Finding, folder: Path) -> None:
    key = finding.key
    name = f"{key.kind}: {title(finding)}"
    case = ElementTree.SubElement(suite, "testcase", classname=_xml(key.target), name=_xml(name))
    failure = ElementTree.SubElement(
        case, "failure", type=str(key.kind), message=_xml(_one_line(finding.detail) or name)
    )
    lines = [
        MEANING[key.kind],
        *(line.strip() for line in _cause_lines(finding)),
        f"input: {printable(finding.data)}",
        f"sgf_lark: {finding.rules}",
        replay_command(folder, finding),
    ]
    failure.text = _xml("".join(f"{line}\n" for line in lines))


def _xml(text: str) -> str:
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", escape_lines(text))


_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { font-size: 1rem; margin: 2rem 0 0; }
pre { overflow-x: auto; padding: .5rem; background: #8882; }
table { border-collapse: collapse; } td, th { padding: .1rem 1rem .1rem 0; text-align: left; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: .5rem 0; }
dd { margin: 0; overflow-wrap: anywhere; }
"""


def _html(text: str) -> str:
    return escape_html(escape(text))


def as_html(result: Result, folder: Path) -> str:
    """Return the report as one self-contained page; each input can be saved from it."""
    rows = "".join(
        f"<tr><td>{_html(line)}</td></tr>"
        for line in (*verdict_lines(result), *coverage_lines(result))
    )
    programs = versions(result.settings).items()
    version_list = ", ".join(f"{name} {version}" for name, version in programs)
    parts = "".join(_html_finding(finding, folder) for finding in result.findings)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>sgf-lark fuzz</title><style>{_STYLE}</style></head><body>\n"
        f"<h1>sgf-lark fuzz</h1>\n<p>{_html(summary(result))}</p>\n<p>{_html(version_list)}</p>\n"
        f"<table>{rows}</table>\n{parts}</body></html>\n"
    )


def _html_finding(finding: Finding, folder: Path) -> str:
    key = finding.key
    data = base64.b64encode(finding.data).decode("ascii")
    name = f"{file_stem(finding)}.sgf"
    details = {
        "meaning": MEANING[key.kind],
        **dict(line.strip().split(": ", 1) for line in _cause_lines(finding)),
        "detail": finding.detail,
        "sgf_lark": finding.rules,
        "seen": f"{finding.count}, first in input {finding.number} ({finding.source})",
        "repeatable": "yes" if finding.repeatable else "a fresh process does not show it",
    }
    rows = "".join(
        f"<dt>{term}</dt><dd>{_html(text)}</dd>" for term, text in details.items() if text
    )
    return (
        f"<h2>{_html(f'{key.kind}, {key.target}: {key.place}'.rstrip(': '))}</h2>\n"
        f"<dl>{rows}</dl>\n<pre>{_html(printable(finding.data))}</pre>\n"
        f'<p><a download="{_html(name)}" href="data:application/x-go-sgf;base64,{data}">'
        f"{_html(name)}</a></p>\n<pre>{_html(replay_command(folder, finding))}</pre>\n"
    )


FORMATS = {"text": as_text, "json": as_json, "junit": as_junit, "html": as_html}
