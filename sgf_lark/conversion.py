"""Conversions between SGF, JSON and wei7: the result, and each loss or fix."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, Literal, NamedTuple, get_args

from sgf_lark.diagnostics import shorten
from sgf_lark.files.inputs import GAME_SUFFIXES, SGF_SUFFIXES, Input
from sgf_lark.model.loading import loads
from sgf_lark.model.writing import dumps
from sgf_lark.text.escaping import escape_json

Format = Literal["sgf", "json", "wei7"]
FORMATS: tuple[Format, ...] = get_args(Format)

#: The formats that suffixes show.
FORMATS_BY_SUFFIX: Mapping[str, Format] = {
    **dict.fromkeys(SGF_SUFFIXES, "sgf"),
    ".json": "json",
    ".wei7": "wei7",
}
#: The suffixes of the files that are converted in folders and archives.
SUFFIXES = (*GAME_SUFFIXES, ".json")

#: The options of :func:`sgf_lark.loads` for charsets, where none is chosen.
NO_CHARSETS: Mapping[str, Any] = {
    "charset": None,
    "default_charset": None,
    "charset_mode": "auto",
}

#: What converting raises.
ERRORS = (ValueError, TypeError, LookupError)


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


def convert(
    data: bytes,
    source: Format,
    target: Format | None,
    tolerant: bool,
    charsets: Mapping[str, Any] = NO_CHARSETS,
) -> Converted:
    """Convert a file; without `target` to JSON from SGF, and to SGF from the others.

    With `tolerant` damaged SGF is read as far as it can be. `charsets` are options of
    :func:`sgf_lark.loads` for SGF; what is not empty there makes the text UTF-8. Raises one of
    :data:`ERRORS`.
    """
    target = target or ("json" if source == "sgf" else "sgf")
    found: list[Note] = []
    if source == "sgf" and (target == "sgf" or tolerant or dict(charsets) != NO_CHARSETS):
        data, found = _read_sgf(data, tolerant, charsets)
    elif source == target == "wei7":
        from sgf_lark import wei7

        wei7.loads(data)
    result, lost = _convert(data, source, target)
    return Converted(result, found + lost, target)


def new_suffix(target: Format | None, path: PurePath) -> str:
    """Return the suffix of the result for a file, as far as its name tells its format."""
    is_sgf = FORMATS_BY_SUFFIX.get(path.suffix.lower()) == "sgf"
    return f".{target or ('json' if is_sgf else 'sgf')}"


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
    """Convert a file that was read, if it is in another format."""
    lost: list[Note] = []
    if source == target != "json":
        return data, lost
    if source == "wei7":
        data, lost = _sgf_from_wei7(data)
    elif source == "json":
        data, lost = _sgf_from_json(data)
    match target:
        case "sgf":
            return data, lost
        case "json":
            return _json_from_sgf(data), lost
        case "wei7":
            written, more = _wei7_from_sgf(data)
            return written, lost + more


def _read_sgf(data: bytes, tolerant: bool, charsets: Mapping[str, Any]) -> tuple[bytes, list[Note]]:
    """Return a file that the grammar allows, and the damage. It is as it was where that is
    allowed and no charset is chosen, and else in UTF-8."""
    collection = loads(data, tolerant=tolerant, **charsets)
    if not len(collection):
        raise ValueError(collection.damage[0].message)
    if dict(charsets) != NO_CHARSETS or collection.damage:
        data = dumps(collection, charset="UTF-8")
    return data, [
        Note(found.span.line, found.span.column, found.code, "", found.message)
        for found in collection.damage
    ]


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


def _sgf_from_json(data: bytes) -> tuple[bytes, list[Note]]:
    from sgf_lark.grove import encode_sgf, keys_left_out

    lost: list[Note] = []

    def with_last_values(entries: list[tuple[str, Any]]) -> dict[str, Any]:
        """An object; of a key that is there twice the last value, as other readers of JSON have."""
        found = dict(entries)
        if len(found) < len(entries):
            counts = Counter(key for key, _ in entries)
            lost.extend(
                Note(None, None, "", f"{shorten(key, 60)!r}", f"it is {n} times in one object")
                for key, n in counts.items()
                if n > 1
            )
        return found

    try:
        games: Any = json.loads(
            data.decode("utf-8-sig"), parse_int=_integer, object_pairs_hook=with_last_values
        )
    except RecursionError:
        raise ValueError("the lists are nested too deeply") from None
    if not isinstance(games, list):
        raise TypeError("a collection is a list of games")
    encoded = encode_sgf(games)
    reason = "an identifier has capital letters alone"
    lost += [
        Note(None, None, "", f"{shorten(key, 60)!r} of {place}", reason)
        for place, key in keys_left_out(games)
    ]
    return encoded, lost


def _integer(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise ValueError(f"a number has {len(digits):,} digits, more than can be read") from None


def _json_from_sgf(data: bytes) -> bytes:
    from sgf_lark.grove import decode_sgf

    try:
        text = escape_json(json.dumps(decode_sgf(data), ensure_ascii=False))
    except RecursionError:
        raise ValueError("the variations are nested too deeply for JSON") from None
    # Lone surrogates, which represent undecodable bytes, are escaped as JSON escapes them.
    return text.encode("utf-8", "backslashreplace") + b"\n"
