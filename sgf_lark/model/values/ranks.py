"""The format of BR and WR: ``5k``, ``3 dan?``, ``9p``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import total_ordering
from typing import TYPE_CHECKING

from sgf_lark.model.values.formats import read_format

if TYPE_CHECKING:
    from sgf_lark.syntax.lalr import Token

#: From the weakest.
_GRADES = ("k", "d", "p")
_CERTAINTIES = ("?", "", "*")


@total_ordering
@dataclass(frozen=True, slots=True)
class Rank:
    """A rank in the form that is recommended for Go (properties.html, BR).

    `grade` is "k" for kyu, "d" for dan or "p" for the dan of professionals; `certainty` is "?"
    for an uncertain rank, "*" for an established one, or nothing. The weaker rank is the
    smaller: ``Rank(5, "k") < Rank(1, "k") < Rank(1, "d") < Rank(1, "p")``. Raises ValueError
    for another grade, certainty or number.
    """

    number: int
    grade: str
    certainty: str = ""

    def __post_init__(self) -> None:
        if self.grade not in _GRADES or self.certainty not in _CERTAINTIES or self.number < 0:
            raise ValueError(
                f"a rank is a number with k, d or p, and perhaps ? or *, not {self.number!r}, "
                f"{self.grade!r}, {self.certainty!r}"
            )

    @classmethod
    def parse(cls, text: str) -> Rank:
        """The rank that a value of BR or WR means; raises ValueError for another text."""
        found: Rank = read_format("BR", text, RankFormat)
        return found

    @property
    def _strength(self) -> tuple[int, int, int]:
        number = -self.number if self.grade == "k" else self.number
        return _GRADES.index(self.grade), number, _CERTAINTIES.index(self.certainty)

    def __lt__(self, other: object) -> bool:
        return self._strength < other._strength if isinstance(other, Rank) else NotImplemented

    def __str__(self) -> str:
        return f"{self.number}{self.grade}{self.certainty}"


class RankFormat:
    """The production of ranks; a method of a Lark Transformer."""

    def rank(self, children: list[Token]) -> Rank:
        """``rank: DIGITS BLANK? GRADE CERTAINTY?``."""
        parts = {token.type: str(token) for token in children}
        return Rank(int(parts["DIGITS"]), parts["GRADE"][0], parts.get("CERTAINTY", ""))
