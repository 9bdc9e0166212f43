"""The results of ``check`` as workflow commands of GitHub Actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sgf_lark.cli.results import Result
from sgf_lark.diagnostics import Severity
from sgf_lark.text.escaping import escape, escape_lines

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.STYLE: "notice"}


def commands(results: Iterable[Result]) -> Iterator[str]:
    """Yield commands that annotate the changed files with the diagnostics."""
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
