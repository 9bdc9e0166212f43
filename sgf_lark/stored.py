"""What takes a while to work out of the files in ``grammar/``, stored beside the code.

    python -m sgf_lark.engine

stores it anew, with the engine's tables: what Lark makes of ``values.lark``, and the
TOML files as JSON, which is read in a fraction of the time. It counts as long as the
file is the same; else it is worked out when it is asked for.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_VALUES = Path(__file__).with_name("values.json")
_TABLES = Path(__file__).with_name("_stored")


def digest(text: str) -> str:
    """What tells one text of a file from another."""
    data = text.encode("utf-8")
    return f"{len(data)} bytes, CRC-32 {zlib.crc32(data):08x}"


def table(name: str, text: str) -> dict[str, Any]:
    """The content of the TOML file of that name, with that text."""
    try:
        found = json.loads((_TABLES / f"{name}.json").read_bytes())
        if found["made_from"] == digest(text):
            content: dict[str, Any] = found["content"]
            return content
    except (OSError, ValueError, KeyError, TypeError):
        pass
    import tomllib

    return tomllib.loads(text)


def store_tables(sources: Iterable[tuple[str, str]]) -> Path:
    """Stores TOML files, given by name and text, as JSON; the folder's path."""
    import tomllib

    _TABLES.mkdir(exist_ok=True)
    for name, text in sources:
        content = {"made_from": digest(text), "content": tomllib.loads(text)}
        written = json.dumps(content, separators=(",", ":"))
        (_TABLES / f"{name}.json").write_text(written + "\n", "ascii")
    return _TABLES


def values(grammar: str) -> dict[str, Any] | None:
    """The stored "patterns" (by value type) and "tables" of that text of ``values.lark``."""
    try:
        found: dict[str, Any] = json.loads(_VALUES.read_bytes())
    except (OSError, ValueError):
        return None
    return found if found.get("made_from") == digest(grammar) else None


def store_values(grammar: str, made: dict[str, Any]) -> Path:
    """Stores what Lark makes of that text of ``values.lark``; the file's path."""
    written = json.dumps({"made_from": digest(grammar), **made}, separators=(",", ":"))
    _VALUES.write_text(written + "\n", "ascii")
    return _VALUES
