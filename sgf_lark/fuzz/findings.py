"""Findings as files: the input and a description in JSON, which can be replayed."""

from __future__ import annotations

import base64
import contextlib
import json
import re
import shlex
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sgf_lark import __version__
from sgf_lark.atomic_files import write_file
from sgf_lark.fuzz.adapters import adapters
from sgf_lark.fuzz.features import parse
from sgf_lark.fuzz.judging import Judge, Key, Kind
from sgf_lark.fuzz.pace import FACTOR
from sgf_lark.fuzz.running import Finding, Result, Settings, Worker
from sgf_lark.fuzz.targets import Target
from sgf_lark.text.escaping import escape, to_json


def file_stem(finding: Finding) -> str:
    """Return the name of the files of a finding without suffix; equal findings share it."""
    key = finding.key
    target = re.sub(r"[^A-Za-z0-9]+", "-", key.target).strip("-")[:40]
    return f"{target}-{key.kind}-{finding.cause.identity}"


def replay_command(folder: Path, finding: Finding) -> str:
    """Return the shell command that replays a finding whose files are in `folder`."""
    return shlex.join(["sgf-lark", "fuzz", "replay", str(folder / f"{file_stem(finding)}.json")])


def describe(finding: Finding, settings: Settings) -> dict[str, Any]:
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
        "slow": settings.slow,
        "versions": versions(settings),
    }


def _in_base64(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode("ascii")


def versions(settings: Settings) -> dict[str, str]:
    """Return the versions of sgf_lark and of the targets whose version is known."""
    found = {"sgf_lark": __version__}
    for spec in settings.targets:
        adapter = adapters().get(spec)
        if adapter is not None and (version := adapter.installed_version()):
            found[spec] = version
    return found


def write_findings(folder: Path, result: Result) -> None:
    """Write two files for each finding to `folder`, which is created. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for finding in result.findings:
        path = folder / file_stem(finding)
        description = describe(finding, result.settings)
        write_file(path.with_name(f"{path.name}.sgf"), finding.data)
        text = to_json(description, indent=2) + "\n"
        write_file(path.with_name(f"{path.name}.json"), text.encode())


def load_findings(path: Path) -> tuple[Finding, ...]:
    """Return the findings in a folder of findings, in a file made of one, or in a JSON report.

    Raises OSError, and ValueError for a file that describes no findings.
    """
    paths = sorted(path.glob("*.json")) if path.is_dir() else [path]
    return tuple(finding for each in paths for finding in _load_file(each))


def _load_file(path: Path) -> list[Finding]:
    try:
        content = json.loads(path.read_bytes())
        rows = content.get("findings", [content])
        return [_load(row) for row in rows]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(escape(f"{path} describes no findings: {error}")) from error


def _load(row: dict[str, Any]) -> Finding:
    """Return a finding as :func:`describe` gives it."""
    target = row["target"]
    return Finding(
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


#: What a file of known findings keeps of each: enough to recognize the cause, and for readers.
_KEPT = (
    *("target", "kind", "place", "detail", "cause", "feature", "features", "also", "sgf_lark"),
    *("data", "number", "source", "repeatable", "count"),
)


def join_findings(paths: Sequence[Path]) -> str:
    """Return one file of findings in JSON, made of folders and files of findings.

    Raises OSError and ValueError as :func:`load_findings` does.
    """
    found = {finding.cause.identity: finding for path in paths for finding in load_findings(path)}
    rows = [describe(finding, Settings((finding.key.target,))) for finding in found.values()]
    kept = [{key: row[key] for key in _KEPT} for row in rows]
    return to_json({"findings": kept}, indent=2) + "\n"


def replay(path: Path) -> tuple[Key, str | None, list[str]]:
    """Run the finding that a JSON file describes again.

    Returns the key, the detail (None if the finding does not occur again), and a line for each
    target with its outcome. Raises OSError, ValueError for a file that does not describe a
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
            slow=float(description.get("slow", FACTOR)),
        )
        data = (path.parent / Path(description["input"]).name).read_bytes()
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(escape(f"{path} describes no finding: {error}")) from error
    with contextlib.closing(Worker(settings)) as worker:
        detail = worker.observed_detail(key, data)
        return key, detail, [_outcome_line(target, data) for target in worker.targets]


def _outcome_line(target: Target, data: bytes) -> str:
    outcome = target.run(data)
    details = ": ".join(part for part in (outcome.detail, outcome.place) if part)
    return f"{target.name}: {outcome.verdict}" + (f" ({details})" if details else "")
