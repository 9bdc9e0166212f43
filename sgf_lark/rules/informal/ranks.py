"""Informal ranks: ``9 Dan``, ``5 KYU``, ``3級``."""

from __future__ import annotations

import re

from sgf_lark.rules.informal.words import Interpretation, narrow

_KYU = ("k", "kyu", "gup", "级", "級", "급")
_DAN = ("d", "dan")
_RANK = re.compile(
    rf"([0-9]{{1,2}})\s*[-.]?\s*({'|'.join(_KYU)}|{'|'.join(_DAN)})\.?\s*([?*]?)",
    re.IGNORECASE,
)


def rank(text: str) -> Interpretation | None:
    """A rank in the recommended form; other words and marks are not understood.

    Neither is ``9段``, which may be the rank of a professional.
    """
    match = _RANK.fullmatch(" ".join(narrow(text).split()))
    if match is None:
        return None
    grade = "k" if match[2].lower() in _KYU else "d"
    return Interpretation(f"{int(match[1])}{grade}{match[3]}")
