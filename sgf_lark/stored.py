"""What takes a while to work out of the files in ``grammar/``, stored beside the code.

    python -m sgf_lark.engine

stores it anew, with the engine's tables: what Lark makes of ``values.lark``, and the
TOML files as JSON, which is read in a fraction of the time. It counts as long as the
file is the same; else it is worked out when it is asked for.
"""

from __future__ import annotations

import json
import os.path
import zlib
from collections.abc import Iterable

from sgf_lark.annotations import Any

_VALUES = os.path.join(os.path.dirname(__file__), "values.json")
_TABLES = os.path.join(os.path.dirname(__file__), "_stored")

#: What a report needs of a rule; all else, most of the catalogue, is for readers.
_IN_REPORTS = (
    "code",
    "name",
    "severity",
    "message",
    "message_zh",
    "sgfc",
    "fix",
    "fix_zh",
    "data",
)


def digest(data: bytes) -> str:
    """What tells one content of a file from another."""
    return f"{len(data)} bytes, CRC-32 {zlib.crc32(data):08x}"


def table(name: str, data: bytes) -> dict[str, Any]:
    """The content of the TOML file of that name, with those bytes."""
    found = _read(os.path.join(_TABLES, f"{name}.toml.json"), data)
    return _parsed(data) if found is None else found["content"]


def rules(data: bytes) -> list[dict[str, Any]]:
    """What a report needs of each rule in ``rules.toml``, with those bytes."""
    found = _read(os.path.join(_TABLES, "rules.json"), data)
    return _in_reports(_parsed(data)) if found is None else found["content"]


def _parsed(data: bytes) -> dict[str, Any]:
    import tomllib

    return tomllib.loads(data.decode("utf-8"))


def _in_reports(catalogue: dict[str, Any]) -> list[dict[str, Any]]:
    return [{key: row[key] for key in _IN_REPORTS if key in row} for row in catalogue["rule"]]


def store_tables(sources: Iterable[tuple[str, bytes]]) -> str:
    """Stores TOML files, given by name and bytes, as JSON; the folder's path."""
    os.makedirs(_TABLES, exist_ok=True)
    for name, data in sources:
        content = _parsed(data)
        _write(os.path.join(_TABLES, f"{name}.toml.json"), data, {"content": content})
        if name == "rules":
            _write(os.path.join(_TABLES, "rules.json"), data, {"content": _in_reports(content)})
    return _TABLES


def values(data: bytes) -> dict[str, Any] | None:
    """The stored "patterns" (by value type) and "tables" of those bytes of ``values.lark``."""
    return _read(_VALUES, data)


def store_values(data: bytes, made: dict[str, Any]) -> str:
    """Stores what Lark makes of those bytes of ``values.lark``; the file's path."""
    _write(_VALUES, data, made)
    return _VALUES


def _read(path: str, source: bytes) -> dict[str, Any] | None:
    """What is stored at `path`, where it was made from these bytes."""
    try:
        with open(path, "rb") as file:
            found: dict[str, Any] = json.loads(file.read())
        return found if found["made_from"] == digest(source) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(path: str, source: bytes, content: dict[str, Any]) -> None:
    written = json.dumps({"made_from": digest(source), **content}, separators=(",", ":"))
    with open(path, "w", encoding="ascii", newline="\n") as file:
        file.write(written + "\n")
