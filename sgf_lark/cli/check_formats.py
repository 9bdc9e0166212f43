"""The results of ``check`` as JSON, and as what GitHub and GitLab read."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path, PurePath

from sgf_lark.cli.results import Result, Tally
from sgf_lark.diagnostics import Severity
from sgf_lark.text.escaping import escape, escape_lines, to_json

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


def file_objects(results: Iterable[Result]) -> Iterator[dict[str, object]]:
    """Yield the object of each file."""
    for result in results:
        yield result.report.as_dict(result.path)


def statistics_objects(results: Iterable[Result], tally: Tally) -> Iterator[dict[str, object]]:
    """Yield an object for each code, once all results are in `tally`."""
    for _ in results:
        pass
    for row in tally.codes:
        yield {
            "code": row.code,
            "name": row.name,
            "severity": str(row.severity),
            "count": row.count,
            "files": row.files,
        }


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
                f"{key}={_escape(str(value), ':,')}" for key, value in place.items()
            )
            message = found.message + (f"\nhelp: {found.fix}" if found.fix else "")
            yield f"::{_COMMANDS[found.severity]} {properties}::{_escape(escape_lines(message))}\n"


def _escape(text: str, reserved: str = "") -> str:
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
                "fingerprint": hashlib.sha256(unique).hexdigest(),
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
