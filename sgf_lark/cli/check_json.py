"""The results of ``check`` as JSON and JSON Lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sgf_lark.cli.results import Result, Tally
from sgf_lark.text.escaping import to_json


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
