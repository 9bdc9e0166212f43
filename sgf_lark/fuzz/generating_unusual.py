"""Unusual parts of conforming files, which random files have too seldom."""

from __future__ import annotations

import random
import re

from sgf_lark.fuzz.tokens import PARENTHESES, mark, unmark

#: Numbers that do not fit into 16, 32 or 64 bits, with and without a sign.
_LARGE_NUMBERS = tuple(1 << bits for bits in (15, 16, 31, 32, 63, 64))
#: Depths that are too much for parsers which call themselves for each variation.
_DEPTHS = (64, 210, 520)
#: Nodes in marked text, to be the last ones of a main line.
_NODES = (
    *(f"；Ｂ［］{ident}［{number}］" for ident in ("ＭＮ", "ＯＢ") for number in _LARGE_NUMBERS),
    *(f"；ＬＢ［{label}］" for label in ("aa:＼:", "aa:a＼:b", "aa:＼]") * 2),
    *("；ＴＲ［aa:ac］", "；ＴＲ［aa:ca］", "；ＣＲ［aa:bb］", "；ＤＤ［］", "；ＶＷ［］") * 2,
    *(
        "；ＤＭ［2］",
        "；Ｂ［］ＴＥ［2］",
        "；Ｃ［a＼\nb］",
        "；Ｃ［a＼␤b␤c␥d］",
        "；ＦＧ［257:a＼:b］",
    )
    * 2,
    *("(；Ｃ［a］" * depth + ")" * depth for depth in _DEPTHS for _ in range(2)),
)
_OLDER = re.compile("ＦＦ[␉-␍␠]*［[123]］")
_IDENT = re.compile("[Ａ-Ｚ]+(?=[␉-␍␠]*［)")
_CLOSE = re.compile(f"[{PARENTHESES[1::2]}]")


def add_unusual(data: bytes, source: random.Random) -> bytes:
    """Return a conforming file with something unusual, with which it may conform too.

    It is a node at the end of the main line, or before FF[4] lowercase letters in an identifier.
    """
    text = mark(data)
    end = _CLOSE.search(text)
    if end is None:
        return data
    if _OLDER.search(text) and source.randrange(2):
        at = source.choice(list(_IDENT.finditer(text))).end()
        return unmark(f"{text[:at]}{source.choice(('a', 'ame', 'xyz'))}{text[at:]}")
    return unmark(text[: end.start()] + source.choice(_NODES) + text[end.start() :])
