"""What is printed of the results: each function takes them and gives pieces of text.

A piece is given as soon as its file is done, and nothing is kept of it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from sgf_lark.cli import text
from sgf_lark.cli.tally import Result, Tally, plural
from sgf_lark.cli.terminal import Look
from sgf_lark.diagnostics import Severity


def json_lines(objects: Iterable[dict[str, object]]) -> Iterator[str]:
    """JSON Lines: one object a line."""
    for item in objects:
        yield _json(item) + "\n"


def json_array(objects: Iterable[dict[str, object]]) -> Iterator[str]:
    """One JSON array, an object a line."""
    opening = "[\n"
    for item in objects:
        yield opening + _json(item)
        opening = ",\n"
    yield "\n]\n" if opening == ",\n" else "[]\n"


def _json(item: dict[str, object]) -> str:
    # Imported here, as only these two formats need it: it takes as long as a small file.
    import json

    return json.dumps(item, ensure_ascii=False)


def file_objects(results: Iterable[Result]) -> Iterator[dict[str, object]]:
    """The object of each file."""
    for result in results:
        yield result.report.as_dict(result.path)


_GITHUB = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.STYLE: "notice"}


def github(results: Iterable[Result]) -> Iterator[str]:
    """Workflow commands of GitHub Actions, which show each diagnostic in the changed file."""
    for result in results:
        for found in result.report.diagnostics:
            place = {
                "file": result.path,
                "line": found.span.line,
                "col": found.span.column,
                "title": f"{found.code} {found.name}",
            }
            properties = ",".join(
                f"{key}={_for_github(str(value), ':,')}" for key, value in place.items()
            )
            message = found.message + (f"\nhelp: {found.fix}" if found.fix else "")
            yield f"::{_GITHUB[found.severity]} {properties}::{_for_github(message)}\n"


def _for_github(text: str, reserved: str = "") -> str:
    """`text` with the signs escaped that would end a command or a property of it."""
    return "".join(
        f"%{ord(character):02X}" if character in f"%\r\n{reserved}" else character
        for character in text
    )


def statistics_objects(results: Iterable[Result], tally: Tally) -> Iterator[dict[str, object]]:
    """An object for each code, once all results are in."""
    _exhaust(results)
    for row in tally.codes:
        yield {
            "code": row.code,
            "name": row.name,
            "severity": str(row.severity),
            "count": row.count,
            "files": row.files,
        }


def full_text(
    results: Iterable[Result], tally: Tally, look: Look, *, excerpt: bool
) -> Iterator[str]:
    """Every diagnostic with its place, then the counts."""
    for result in results:
        lines = text.diagnostics(result.path, result.report, look, excerpt=excerpt)
        if piece := "".join(f"{line}\n" for line in lines):
            yield piece
    yield from _closing(tally, look, before="\n")


def brief_text(results: Iterable[Result]) -> Iterator[str]:
    """One line for each file with diagnostics: how many of each severity."""
    for result in results:
        counts = [
            f"{count} style" if severity == "style" else plural(count, severity)
            for severity, count in result.report.counts.items()
            if count
        ]
        if counts:
            yield f"{text.one_line(result.path)}: {', '.join(counts)}\n"


def statistics_text(results: Iterable[Result], tally: Tally, look: Look) -> Iterator[str]:
    """Only the counts."""
    _exhaust(results)
    yield from _closing(tally, look)


def nothing(results: Iterable[Result]) -> Iterator[str]:
    """No output at all; the exit code tells."""
    _exhaust(results)
    return iter(())


def _closing(tally: Tally, look: Look, before: str = "") -> Iterator[str]:
    if tally.codes:
        yield before + text.table(tally.codes, look) + "\n"
    yield f"{tally.summary(look.language)}\n"


def _exhaust(results: Iterable[Result]) -> None:
    deque(results, maxlen=0)
