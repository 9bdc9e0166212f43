"""What takes a while to work out of the files in ``grammar/``, stored beside the code.

    python -m sgf_lark.engine

stores it anew, with the engine's tables: what Lark makes of ``values.lark``, and the
TOML files as JSON, which is read in a fraction of the time. It counts as long as the
file is the same and Lark is the one that made it; else it is worked out when it is
asked for.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from functools import cache
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


@cache
def values(grammar: str) -> dict[str, Any] | None:
    """The stored "patterns" (by value type) and "parser" of that text of ``values.lark``."""
    try:
        text = _VALUES.read_text("ascii")
        found: dict[str, Any] = json.loads(text, object_pairs_hook=_with_numbers)
    except (OSError, ValueError):
        return None
    return found if found.get("made_from") == _made_from(grammar) else None


def _with_numbers(pairs: Iterable[tuple[str, Any]]) -> dict[Any, Any]:
    """JSON has no numbers as keys; Lark does."""
    return {int(key) if key.isdigit() else key: value for key, value in pairs}


def _made_from(grammar: str) -> list[str]:
    import lark

    return [lark.__version__, digest(grammar)]


def parser(found: dict[str, Any]) -> Any:
    """The stored Lark parser; None where this Lark has no way to take it."""
    from lark import Lark

    try:
        made: Any = Lark.__new__(Lark)
        return made._load(found["parser"])
    except Exception:  # what another Lark makes of it cannot be known
        return None


def store(grammar: str, patterns: dict[str, str], made: Any) -> Path:
    """Stores the patterns of the value types, and their Lark parser; the file's path."""
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    data, memo = made.memo_serialize([TerminalDef, Rule])
    content = {
        "made_from": _made_from(grammar),
        "patterns": patterns,
        "parser": {"data": data, "memo": memo},
    }
    _VALUES.write_text(json.dumps(content) + "\n", "ascii")
    return _VALUES
