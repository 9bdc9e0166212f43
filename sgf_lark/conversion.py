"""Conversions between SGF, JSON and wei7: the result, and each loss or fix."""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import Any, Literal, NamedTuple, get_args

from sgf_lark.diagnostics import shorten
from sgf_lark.files.inputs import GAME_SUFFIXES, SGF_SUFFIXES, Input
from sgf_lark.text.escaping import to_json

Format = Literal["sgf", "json", "wei7"]
FORMATS: tuple[Format, ...] = get_args(Format)

#: The suffixes of the files that are converted in folders and archives.
SUFFIXES = (*GAME_SUFFIXES, ".json")

#: The error that a text raises whose variations are nested too deeply for JSON is a
#: RecursionError; the others are these.
ERRORS = (ValueError, TypeError, LookupError, ImportError)


class Note(NamedTuple):
    """What the target format cannot represent, or what was fixed.

    `code` is that of a rule, empty for a loss. The place is that in the input, if it is known.
    """

    line: int | None
    column: int | None
    code: str
    what: str
    reason: str

    def __str__(self) -> str:
        place = "" if self.line is None else f"{self.line}:{self.column}:"
        if self.code:
            return f"{place} {self.code} {self.reason}"
        return f"{place} lost {self.what}: {self.reason}"


class Converted(NamedTuple):
    """The bytes in the new format, what was lost or fixed, and that format."""

    data: bytes
    notes: list[Note]
    format: Format


def convert(data: bytes, source: Format, target: Format | None, tolerant: bool) -> Converted:
    """Convert a file; without `target` to JSON from SGF, and to SGF from the others.

    With `tolerant` a text of wei7 is fixed first, whatever it is. Raises one of :data:`ERRORS`,
    or RecursionError.
    """
    target = target or ("json" if source == "sgf" else "sgf")
    if tolerant and source == "wei7":
        return Converted(*_convert_damaged_wei7(data, target), target)
    return Converted(*_convert(data, source, target), target)


def format_by_name(path: PurePath) -> Format | None:
    """Return the format that the suffix shows."""
    suffix = path.suffix.lower()
    if suffix in SGF_SUFFIXES:
        return "sgf"
    return next((name for name in FORMATS if f".{name}" == suffix), None)


def new_suffix(target: Format | None, path: PurePath) -> str:
    """Return the suffix of the result for a file, as far as its name tells its format."""
    return f".{target or ('json' if format_by_name(path) == 'sgf' else 'sgf')}"


def source_format(file: Input) -> Format:
    """Return the format of a file that could be read: wei7 by its name, else as the first
    characters show."""
    assert file.data is not None
    if file.is_wei7():
        return "wei7"
    start = file.data.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start.startswith(b"{"):
        return "wei7"
    return "json" if start.startswith(b"[") else "sgf"


# --- Formats --------------------------------------------------------------------------


def _convert(data: bytes, source: Format, target: Format) -> tuple[bytes, list[Note]]:
    if source == target == "wei7":
        raise ValueError("this is wei7 already")
    lost: list[Note] = []
    if source == "wei7":
        data, lost = _sgf_from_wei7(data)
    elif source == "json":
        data = _sgf_from_json(data)
    match target:
        case "sgf":
            return data, lost
        case "json":
            return _json_from_sgf(data), lost
        case "wei7":
            return _wei7_from_sgf(data)


def _convert_damaged_wei7(data: bytes, target: Format) -> tuple[bytes, list[Note]]:
    """Fix the text first, whatever it is."""
    from sgf_lark.wei7 import dumps, recover

    recovered = recover(data)
    fixed = [
        Note(found.span.line, found.span.column, found.code, "", found.message)
        for found in recovered.report.diagnostics
    ]
    text = dumps(recovered.document)
    if target == "wei7":
        return text, fixed
    result, lost = _convert(text, "wei7", target)
    return result, fixed + lost


def _sgf_from_wei7(data: bytes) -> tuple[bytes, list[Note]]:
    from sgf_lark.wei7 import to_sgf

    written = to_sgf(data)
    return written.data, [
        Note(None, None, "", item.pointer, item.reason.en) for item in written.lost
    ]


def _wei7_from_sgf(data: bytes) -> tuple[bytes, list[Note]]:
    from sgf_lark.wei7 import dumps, from_sgf

    conversion = from_sgf(data)
    lost = []
    for entry in conversion.lost:
        what = shorten(entry.what, 60) if entry.what != ";" else f"node {entry.node}"
        line = None if entry.span is None else entry.span.line
        column = None if entry.span is None else entry.span.column
        lost.append(Note(line, column, "", what, entry.reason.en))
    return dumps(conversion.document), lost


def _sgf_from_json(data: bytes) -> bytes:
    from sgf_lark.grove import encode_sgf

    games: Any = json.loads(data.decode("utf-8-sig"))
    if not isinstance(games, list) or not all(
        isinstance(game, list) and all(isinstance(node, dict) for node in game) for game in games
    ):
        raise ValueError("no list of games, each a list of nodes")
    return encode_sgf(games)


def _json_from_sgf(data: bytes) -> bytes:
    from sgf_lark.grove import decode_sgf

    text = to_json(decode_sgf(data), indent=1)
    # Lone surrogates, which represent undecodable bytes, are escaped as JSON escapes them.
    return text.encode("utf-8", "backslashreplace") + b"\n"
