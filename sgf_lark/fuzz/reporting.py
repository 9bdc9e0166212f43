"""Reports of a run as text, JSON or an HTML page."""

from __future__ import annotations

import base64
import contextlib
import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sgf_lark import __version__
from sgf_lark.atomic_files import write_file
from sgf_lark.diagnostics import Language
from sgf_lark.fuzz.adapters import adapters
from sgf_lark.fuzz.features import parse
from sgf_lark.fuzz.judging import Judge, Key, Kind, Observation
from sgf_lark.fuzz.running import RunResult
from sgf_lark.fuzz.targets import Target, split_name
from sgf_lark.fuzz.working import FuzzFinding, Settings, Worker
from sgf_lark.pages import render, words
from sgf_lark.text.escaping import escape, to_json

#: At most this many bytes of an input are shown.
_SHOWN_BYTES = 300
#: At most this many other messages of one cause are shown.
_SHOWN_KEYS = 3


def printable(data: bytes, limit: int = _SHOWN_BYTES) -> str:
    """Return the bytes of an input as readable text, shortened if it is long."""
    if not data:
        return "(nothing)"
    text = repr(data[:limit])[2:-1].replace('\\"', '"').replace("\\'", "'")
    more = len(data) - limit
    return f"{text} … {more} bytes more" if more > 0 else text


def summary(result: RunResult, language: Language = "en") -> str:
    """Return one line with the numbers of inputs and findings."""
    known, settings = words("fuzz", language), result.settings
    kinds = [
        f"{count} {kind}"
        for kind in Kind
        if (count := sum(found.key.kind is kind for found in result.findings))
    ]
    total, unexamined = len(result.findings), sum(result.unexamined.values())
    rate = (result.examples + result.attempts) / result.seconds if result.seconds else 0.0
    parts = [
        known["inputs"].format(
            examples=result.examples,
            attempts=result.attempts,
            seconds=f"{result.seconds:.1f}",
            rate=f"{rate:.0f}",
        ),
        known["seed"].format(seed=settings.seed),
        known["findings"].format(
            count=total,
            new=known["new"] if settings.known else "",
            s="s" * (total != 1),
            kinds=f" ({', '.join(kinds)})" if kinds else "",
        ),
    ]
    if settings.known:
        seen, count = len(result.known), len(settings.known)
        parts.append(known["known_causes"].format(seen=seen, count=count))
    if result.not_minimized:
        parts.append(known["not_minimized"].format(count=result.not_minimized))
    if unexamined:
        parts.append(known["unexamined"].format(count=unexamined, s="s" * (unexamined != 1)))
    parts += [known[key] for key in ("interrupted", "lost_worker") if getattr(result, key)]
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
        for name, text in _facts(finding, folder, language).items():
            if text:
                lines.append(f"  {text}" if name == "meaning" else f"  {known[name]}: {text}")
        lines.append("")
    for finding in result.known:
        times, key = _times(finding, known), finding.key
        lines.append(f"{known['known']}: {key.kind} {key.target}: {title(finding)}, {times}")
    lines += [*verdict_lines(result, language), summary(result, language)]
    return "".join(f"{escape(line)}\n" for line in lines)


def _facts(finding: FuzzFinding, folder: Path, language: Language) -> dict[str, str]:
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
        "replay": replay_command(folder, finding),
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
        "attempts": result.attempts,
        "seconds": round(result.seconds, 3),
        "interrupted": result.interrupted,
        "lost_worker": result.lost_worker,
        "verdicts": {target: _verdict_counts(result, target) for target in settings.names},
        "findings": [
            {**describe(finding, settings), "replay": replay_command(folder, finding)}
            for finding in result.findings
        ],
        "known": [
            {"cause": finding.cause.identity, "feature": title(finding), "count": finding.count}
            for finding in result.known
        ],
        "not_minimized": result.not_minimized,
        "unexamined": sum(result.unexamined.values()),
    }
    return to_json(value, indent=2) + "\n"


def as_html(result: RunResult, folder: Path, language: Language = "en") -> str:
    """Return the report as one self-contained page; each input can be saved from it."""
    findings = [
        {
            "title": f"{found.key.kind}, {found.key.target}: {found.key.place}".rstrip(": "),
            "facts": _facts(found, folder, language),
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


def replay_command(folder: Path, finding: FuzzFinding) -> str:
    """Return the shell command that replays a finding whose files are in `folder`."""
    return shlex.join(["sgf-lark", "fuzz", "replay", str(folder / f"{file_stem(finding)}.json")])


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
        "judge": asdict(settings.judge),
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


def replay(path: Path) -> tuple[Key, Observation | None, list[str]]:
    """Run the finding that a JSON file describes again.

    Returns the key of the finding, what the input shows now (None if the target judges it
    right: where it fails and with which words may have changed), and a line for each target with
    its outcome. Raises OSError, ValueError for a file that does not describe a
    finding, TargetError if a target is not available.
    """
    try:
        description = json.loads(path.read_text("utf-8"))
        key = Key(description["target"], Kind(description["kind"]), description["place"])
        settings = Settings(
            tuple(description["targets"]),
            timeout=float(description["timeout"]),
            memory=int(description["memory"]),
            judge=Judge(**description["judge"]),
        )
        # Only the name counts: a file from elsewhere may name a path, which nobody expects to be
        # read.
        data = (path.parent / Path(description["input"]).name).read_bytes()
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(escape(f"{path} describes no finding: {error}")) from error
    with contextlib.closing(Worker(settings)) as worker:
        found = worker.compare(data)[1]
        if key.kind is Kind.SLOW:
            targets = [each for each in worker.targets if each.name == key.target]
            found += worker.grow(targets[0], key.place)[1]
        found = [
            item for item in found if item.key.target == key.target or key.kind is Kind.DISAGREEMENT
        ]
        lines = [_outcome_line(target, data) for target in worker.targets]
        return key, found[0] if found else None, lines


def _outcome_line(target: Target, data: bytes) -> str:
    outcome = target.run(data)
    details = ": ".join(part for part in (outcome.detail, outcome.place) if part)
    return f"{target.name}: {outcome.verdict}" + (f" ({details})" if details else "")
