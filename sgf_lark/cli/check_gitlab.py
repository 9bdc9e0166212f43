"""The results of ``check`` as a code quality report of GitLab."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path, PurePath

from sgf_lark.cli.results import Result
from sgf_lark.diagnostics import Severity
from sgf_lark.text.escaping import to_json

SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.STYLE: "info"}


def issues(results: Iterable[Result]) -> Iterator[str]:
    """Yield one JSON array, an issue a line.

    The fingerprint of an issue does not depend on its line, so that GitLab knows an issue again
    that only moved.
    """
    opening = "[\n"
    for result in results:
        seen: Counter[str] = Counter()
        path = _from_here(result.path)
        for found in result.report.diagnostics:
            key = "\0".join((path, found.code, found.message))
            seen[key] += 1
            unique = f"{key}\0{seen[key]}".encode("utf-8", "backslashreplace")
            item = {
                "description": f"{found.code} {found.name}: {found.message}",
                "check_name": found.code,
                "fingerprint": hashlib.sha256(unique).hexdigest(),
                "severity": SEVERITIES[found.severity],
                "location": {"path": path, "lines": {"begin": found.span.line}},
            }
            yield opening + to_json(item)
            opening = ",\n"
    yield "\n]\n" if opening == ",\n" else "[]\n"


def _from_here(path: str) -> str:
    """Return the path relative to the current folder, where it is in it: GitLab knows files by
    their paths in the repository."""
    found = PurePath(path)
    # The current folder can have been removed; a path outside it stays as it is.
    with suppress(OSError, ValueError):
        found = found.relative_to(Path.cwd())
    return found.as_posix()
