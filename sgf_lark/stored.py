"""What takes Lark a while to work out of ``values.lark``, stored beside the code.

    python -m sgf_lark.engine

stores it anew, with the engine's tables. It counts as long as the grammar is the
same and Lark is the one that made it; else it is worked out when it is asked for.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

_FILE = "values.json"


@cache
def values(grammar: str) -> dict[str, Any] | None:
    """The stored "patterns" (by value type) and "parser" of that text of ``values.lark``."""
    try:
        text = files("sgf_lark").joinpath(_FILE).read_text("ascii")
        found: dict[str, Any] = json.loads(text, object_pairs_hook=_with_numbers)
    except (OSError, ValueError):
        return None
    return found if found.get("made_from") == _made_from(grammar) else None


def _with_numbers(pairs: Iterable[tuple[str, Any]]) -> dict[Any, Any]:
    """JSON has no numbers as keys; Lark does."""
    return {int(key) if key.isdigit() else key: value for key, value in pairs}


def _made_from(grammar: str) -> list[str]:
    import lark

    return [lark.__version__, hashlib.sha256(grammar.encode()).hexdigest()]


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
    path = Path(__file__).with_name(_FILE)
    path.write_text(json.dumps(content) + "\n", "ascii")
    return path
