"""Informal ranks: ``9 Dan``, ``9段``, ``初段``, ``5 KYU``."""

from __future__ import annotations

import re

from sgf_lark.rules.informal.words import Interpretation, narrow

_KYU = ("k", "kyu", "gup", "级", "級", "급")
_DAN = ("d", "dan", "段", "단")
#: The first dan has a name of its own.
_NUMERALS = "初一二三四五六七八九"
_RANK = re.compile(
    rf"([0-9]{{1,2}}|[{_NUMERALS}](?=[级級段]))\s*[-.]?\s*({'|'.join(_KYU)}|{'|'.join(_DAN)})\.?\s*([?*]?)",
    re.IGNORECASE,
)


def rank(text: str) -> Interpretation | None:
    """A rank in the recommended form; other words and marks are not understood."""
    match = _RANK.fullmatch(" ".join(narrow(text).split()))
    if match is None:
        return None
    grade = "k" if match[2].lower() in _KYU else "d"
    number = int(match[1]) if match[1].isascii() else max(1, _NUMERALS.index(match[1]))
    return Interpretation(f"{number}{grade}{match[3]}")
