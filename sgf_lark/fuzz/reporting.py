"""Reports of a run as text, JSON or an HTML page."""

from __future__ import annotations

import base64
import json
import re
import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sgf_lark import __version__
from sgf_lark.atomic_files import write_file
from sgf_lark.diagnostics import Language
from sgf_lark.fuzz.adapters import adapters
from sgf_lark.fuzz.features import parse
from sgf_lark.fuzz.judging import Key, Kind
from sgf_lark.fuzz.running import RunResult
from sgf_lark.fuzz.targets import split_name
from sgf_lark.fuzz.working import FuzzFinding, Settings
from sgf_lark.pages import render, words
from sgf_lark.text.escaping import escape, to_json

#: At most this many bytes of an input are shown.
_SHOWN_BYTES = 300

#: At most this many other messages of one cause are shown.
_SHOWN_KEYS = 3


def printable(data: bytes) -> str:
    """Return the bytes of an input as readable text, shortened if it is long."""
    if not data:
        return "(nothing)"
    text = repr(data[:_SHOWN_BYTES])[2:-1].replace('\\"', '"').replace("\\'", "'")
    more = len(data) - _SHOWN_BYTES
    return f"{text} … {more} bytes more" if more > 0 else text


def summary(result: RunResult, language: Language = "en") -> str:
    """Return one line with the numbers of inputs and findings."""
    known, settings = words("fuzz", language), result.settings
    counts = Counter(found.key.kind for found in result.findings)
    kinds = ", ".join(f"{counts[kind]} {kind}" for kind in Kind if counts[kind])
    rate = result.examples / result.seconds if result.seconds else 0.0
    parts = [
        known["inputs"].format(
            examples=result.examples,
            seconds=f"{result.seconds:.1f}",
            rate=f"{rate:.0f}",
        ),
        known["seed"].format(seed=settings.seed),
        known["findings"].format(
            count=counts.total(),
            new=known["new"] if settings.known else "",
            s="" if counts.total() == 1 else "s",
            kinds=f" ({kinds})" if kinds else "",
        ),
    ]
    if settings.known:
        parts.append(
            known["known_causes"].format(seen=len(result.known), count=len(settings.known))
        )
    remarks = {
        "not_minimized": result.not_minimized,
        "unexamined": result.unexamined.total(),
        "interrupted": result.interrupted,
        "lost_worker": result.lost_worker,
    }
    parts += [known[key].format(count=count) for key, count in remarks.items() if count]
    return known["separator"].join(parts)


def verdict_lines(result: RunResult, language: Language = "en") -> Iterator[str]:
    """Yield a line for each target with the number of each verdict."""
    nothing = words("fuzz", language)["no_input"]
    for target in result.settings.names:
        counts = sorted(_verdict_counts(result, target).items())
        verdicts = ", ".join(f"{count} {verdict}" for verdict, count in counts)
        yield f"{target}: {verdicts or nothing}"


def _verdict_counts(result: RunResult, target: str) -> dict[str, int]:
    return {verdict: n for (name, verdict), n in result.verdicts.items() if name == target}


def as_text(result: RunResult, folder: Path, language: Language = "en") -> str:
    """Return the report as plain text; the findings are in `folder`."""
    known = words("fuzz", language)
    lines: list[str] = []
    for finding in result.findings:
        lines.append(f"{finding.key.kind} {finding.key.target}: {finding.key.place}".rstrip(": "))
        for name, text in _facts(finding, result, folder, language).items():
            if text:
                lines.append(f"  {text}" if name == "meaning" else f"  {known[name]}: {text}")
        lines.append("")
    for finding in result.known:
        times, key = _times(finding, known), finding.key
        lines.append(f"{known['known']}: {key.kind} {key.target}: {title(finding)}, {times}")
    lines += [*verdict_lines(result, language), summary(result, language)]
    return "".join(f"{escape(line)}\n" for line in lines)


def _facts(
    finding: FuzzFinding, result: RunResult, folder: Path, language: Language
) -> dict[str, str]:
    """Return what there is to say about a finding, by the keys of words."""
    known, key = words("fuzz", language), finding.key
    also = ", ".join(f"{each.kind} {each.place}".strip() for each in finding.also[:_SHOWN_KEYS])
    more = len(finding.also) - _SHOWN_KEYS
    names = " ".join(feature.name for feature in finding.features)
    return {
        "meaning": known[key.kind.replace("-", "_")],
        "repeatable": "" if finding.repeatable else known["not_repeatable"],
        "cause": f"{finding.cause.title} ({names})" if names else "",
        "not_with": "" if finding.neighbor is None else printable(finding.neighbor),
        "also": known["and_more"].format(names=also, count=more) if more > 0 else also,
        "input": printable(finding.data),
        "sgf_lark": finding.rules,
        "detail": ""
        if finding.detail == key.place
        else " ".join(finding.detail.split())[:_SHOWN_BYTES],
        "seen": known["first_seen"].format(
            times=_times(finding, known), number=finding.number, source=finding.source
        ),
        "replay": replay_command(folder, finding, result.settings),
    }


def _times(finding: FuzzFinding, known: dict[str, str]) -> str:
    return known["once" if finding.count == 1 else "times"].format(count=finding.count)


def title(finding: FuzzFinding) -> str:
    """Return the cause of a finding in words, or else its place or input."""
    return finding.cause.title or finding.key.place or printable(finding.data)


def as_json(result: RunResult, folder: Path, language: Language = "en") -> str:
    """Return the report as JSON: each finding as in its file, with the replay command.

    Its keys and texts are English.
    """
    settings = result.settings
    value = {
        "targets": settings.names,
        "versions": versions(settings),
        "seed": settings.seed,
        "examples": result.examples,
        "next_number": result.next_number,
        "seconds": round(result.seconds, 3),
        "interrupted": result.interrupted,
        "lost_worker": result.lost_worker,
        "verdicts": {target: _verdict_counts(result, target) for target in settings.names},
        "findings": [
            {**describe(finding, settings), "replay": replay_command(folder, finding, settings)}
            for finding in result.findings
        ],
        "known": [
            {"cause": finding.cause.identity, "feature": title(finding), "count": finding.count}
            for finding in result.known
        ],
        "not_minimized": result.not_minimized,
        "unexamined": result.unexamined.total(),
    }
    return to_json(value, indent=2) + "\n"


def as_html(result: RunResult, folder: Path, language: Language = "en") -> str:
    """Return the report as one self-contained page; each input can be saved from it."""
    findings = [
        {
            "title": f"{found.key.kind}, {found.key.target}: {found.key.place}".rstrip(": "),
            "facts": _facts(found, result, folder, language),
            "name": f"{file_stem(found)}.sgf",
            "data": _in_base64(found.data),
        }
        for found in result.findings
    ]
    return render(
        "fuzz.html",
        language,
        summary=summary(result, language),
        versions=versions(result.settings),
        lines=[*verdict_lines(result, language)],
        findings=findings,
    )


FORMATS = {"text": as_text, "json": as_json, "html": as_html}


# --- Findings as files --------------------------------------------------------------------------


def file_stem(finding: FuzzFinding) -> str:
    """Return the name of the files of a finding without suffix; equal findings share it."""
    key = finding.key
    target = re.sub(r"[^A-Za-z0-9]+", "-", key.target).strip("-")[:40]
    return f"{target}-{key.kind}-{finding.cause.identity}"


def replay_command(folder: Path, finding: FuzzFinding, settings: Settings) -> str:
    """Return the shell command that runs the file of a finding, which is in `folder`, again."""
    words = ["sgf-lark", "fuzz", "--gm", "all", "--ff", "all", "--examples", "1"]
    for target in settings.targets:
        words += ["--target", target]
    if settings.strict:
        words += ["--strict", settings.strict]
    if settings.timeout != Settings.timeout:
        words += ["--timeout", f"{settings.timeout:g}"]
    return shlex.join([*words, "--corpus", str(folder / f"{file_stem(finding)}.sgf")])


def describe(finding: FuzzFinding, settings: Settings) -> dict[str, Any]:
    """Return the content of the JSON file of a finding."""
    return {
        "target": finding.key.target,
        "kind": str(finding.key.kind),
        "place": finding.key.place,
        "detail": finding.detail,
        "cause": finding.cause.identity,
        "feature": finding.cause.title,
        "features": [feature.name for feature in finding.features],
        "neighbor": _in_base64(finding.neighbor),
        "also": [{"kind": str(key.kind), "place": key.place} for key in finding.also],
        "sgf_lark": finding.rules,
        "input": f"{file_stem(finding)}.sgf",
        "size": len(finding.data),
        "repeatable": finding.repeatable,
        "count": finding.count,
        "number": finding.number,
        "source": finding.source,
        "seed": settings.seed,
        "data": _in_base64(finding.data),
        "original": _in_base64(finding.original),
        "targets": list(settings.targets),
        "timeout": settings.timeout,
        "memory": settings.memory,
        "strict": settings.strict,
        "versions": versions(settings),
    }


def _in_base64(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode("ascii")


def versions(settings: Settings) -> dict[str, str]:
    """Return the versions of sgf_lark and of the targets whose version is known."""
    found = {"sgf_lark": __version__}
    for name, spec in map(split_name, settings.targets):
        adapter = adapters().get(spec)
        if adapter is not None and (version := adapter.installed_version()):
            found[name] = version
    return found


def write_findings(folder: Path, result: RunResult) -> None:
    """Write two files for each finding to `folder`, which is created. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for finding in result.findings:
        path = folder / file_stem(finding)
        description = describe(finding, result.settings)
        write_file(path.with_name(f"{path.name}.sgf"), finding.data)
        text = to_json(description, indent=2) + "\n"
        write_file(path.with_name(f"{path.name}.json"), text.encode())


def load_findings(path: Path) -> tuple[FuzzFinding, ...]:
    """Return the findings in a folder of findings, or in a report in JSON.

    Raises OSError, and ValueError for a file that describes no findings.
    """
    found: list[FuzzFinding] = []
    for each in sorted(path.glob("*.json")) if path.is_dir() else [path]:
        try:
            content = json.loads(each.read_bytes())
            found += map(_load, content.get("findings", [content]))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(escape(f"{each} describes no findings: {error}")) from error
    return tuple(found)


def _load(row: dict[str, Any]) -> FuzzFinding:
    """Return a finding as :func:`describe` gives it."""
    target = row["target"]
    return FuzzFinding(
        Key(target, Kind(row["kind"]), row["place"]),
        int(row["number"]),
        str(row["source"]),
        base64.b64decode(row["data"]),
        str(row["detail"]),
        str(row["sgf_lark"]),
        bool(row["repeatable"]),
        int(row["count"]),
        features=tuple(parse(name) for name in row["features"]),
        also=tuple(Key(target, Kind(each["kind"]), each["place"]) for each in row.get("also", ())),
        known=True,
    )
