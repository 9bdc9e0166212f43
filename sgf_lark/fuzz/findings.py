"""Findings as files: the input, a description in JSON, and how to replay it."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import shlex
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sgf_lark import __version__
from sgf_lark.fuzz.adapters import adapters
from sgf_lark.fuzz.judging import Judge, Key, Kind
from sgf_lark.fuzz.running import Finding, Result, Settings, Worker


def name_of(finding: Finding) -> str:
    """The name of its files without the end: the same finding always has the same."""
    key = finding.key
    digest = hashlib.sha256(f"{key.target}\n{key.kind}\n{key.place}".encode()).hexdigest()[:8]
    target = re.sub(r"[^A-Za-z0-9]+", "-", key.target).strip("-")[:40]
    return f"{target}-{key.kind}-{digest}"


def replay_command(folder: Path, finding: Finding) -> str:
    return shlex.join(["sgf-lark", "fuzz", "replay", str(folder / f"{name_of(finding)}.json")])


def describe(finding: Finding, settings: Settings) -> dict[str, Any]:
    """What the JSON file of a finding says."""
    original = finding.original
    return {
        "target": finding.key.target,
        "kind": str(finding.key.kind),
        "place": finding.key.place,
        "detail": finding.detail,
        "sgf_lark": finding.rules,
        "input": f"{name_of(finding)}.sgf",
        "size": len(finding.data),
        "repeatable": finding.repeatable,
        "count": finding.count,
        "number": finding.number,
        "source": finding.source,
        "seed": settings.seed,
        "original": None if original is None else base64.b64encode(original).decode("ascii"),
        "targets": list(settings.targets),
        "timeout": settings.timeout,
        "memory": settings.memory,
        "judge": asdict(settings.judge),
        "versions": versions(settings),
    }


def versions(settings: Settings) -> dict[str, str]:
    """The versions of sgf_lark and of the targets that tell theirs."""
    found = {"sgf_lark": __version__}
    for spec in settings.targets:
        adapter = adapters().get(spec)
        if adapter is not None and (version := adapter.installed_version()):
            found[spec] = version
    return found


def write_findings(folder: Path, result: Result) -> None:
    """Two files for each finding in `folder`, which is made. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for finding in result.findings:
        path = folder / name_of(finding)
        description = describe(finding, result.settings)
        write_file(path.with_name(f"{path.name}.sgf"), finding.data)
        text = json.dumps(description, indent=2, ensure_ascii=False) + "\n"
        write_file(path.with_name(f"{path.name}.json"), text.encode())


def write_file(path: Path, data: bytes) -> None:
    """Write a file in one step: whoever looks sees the old one or the new one."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".sgf-lark-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def replay(path: Path) -> tuple[Key, str | None, list[str]]:
    """Run the finding that a JSON file describes again.

    Its key, the detail if it shows again or None, and a line for each target with what it
    makes of the input. Raises OSError, ValueError for a file that is no description,
    TargetError where a target is not there.
    """
    try:
        said = json.loads(path.read_text("utf-8"))
        key = Key(said["target"], Kind(said["kind"]), said["place"])
        settings = Settings(
            tuple(said["targets"]),
            timeout=float(said["timeout"]),
            memory=int(said["memory"]),
            judge=Judge(**said["judge"]),
        )
        data = (path.parent / Path(said["input"]).name).read_bytes()
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} describes no finding: {error}") from error
    worker = Worker(settings)
    try:
        detail = worker.shows(key, data)
        lines = []
        for target in worker.targets:
            outcome = target.run(data)
            what = ": ".join(part for part in (outcome.detail, outcome.place) if part)
            lines.append(f"{target.name}: {outcome.verdict}" + (f" ({what})" if what else ""))
        return key, detail, lines
    finally:
        worker.close()
