"""The format of RE: ``B+3.5``, ``W+R``, ``0``, ``Void``, ``?``."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from sgf_lark.model.values.basic import Color
from sgf_lark.model.values.formats import read_format

if TYPE_CHECKING:
    from sgf_lark.syntax.lalr import Token


class Reason(StrEnum):
    """How a game ended."""

    SCORE = "score"
    RESIGNATION = "resignation"
    TIME = "time"
    FORFEIT = "forfeit"
    DRAW = "draw"
    #: No result, or suspended play.
    VOID = "void"
    #: Nothing is known but, perhaps, the winner.
    UNKNOWN = "unknown"


_LETTERS = {"R": Reason.RESIGNATION, "T": Reason.TIME, "F": Reason.FORFEIT}
_WITHOUT_WINNER = {Reason.DRAW: "0", Reason.VOID: "Void", Reason.UNKNOWN: "?"}


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game: `winner`, `margin` in points, and `reason`.

    `winner` is None after a draw, in a void game and where the result is unknown. `margin` is
    None unless it is known; it is at least 0. With a margin the reason is the score, if none is
    given: ``Result("B", 3.5)``. Backgammon has resignations with a margin.
    ``str(result)`` is its form in RE (properties.html, RE), which :meth:`parse` reads. Results
    are equal if winner, margin and reason are. Raises ValueError for what no RE can say, such as
    a draw with a winner.
    """

    winner: Color | None = None
    margin: float | None = None
    reason: Reason = Reason.UNKNOWN

    def __post_init__(self) -> None:
        reason = Reason(self.reason)
        if self.margin is not None and reason is Reason.UNKNOWN:
            reason = Reason.SCORE
        object.__setattr__(self, "reason", reason)
        if self.winner is not None:
            object.__setattr__(self, "winner", Color(self.winner))
        if self.margin is not None and not (math.isfinite(self.margin) and self.margin >= 0):
            raise ValueError(f"a margin is a number of at least 0, not {self.margin!r}")
        if self.winner is None and self.reason not in _WITHOUT_WINNER:
            raise ValueError(f"a result by {self.reason} has a winner")
        if self.winner is not None and self.reason in (Reason.DRAW, Reason.VOID):
            raise ValueError(f"a {self.reason} has no winner, not {self.winner!r}")
        if self.margin is None and self.reason is Reason.SCORE:
            raise ValueError("a result by score has a margin")
        if self.margin is not None and self.reason not in (Reason.SCORE, Reason.RESIGNATION):
            raise ValueError(f"a result by {self.reason} has no margin, not {self.margin!r}")

    @classmethod
    def parse(cls, text: str, *, game: int = 1) -> Result:
        """The result that a value of RE means in a game, by its GM number.

        Raises ValueError for text that does not follow the format.
        """
        found: Result = read_format("RE", text, ResultFormat, game)
        return found

    def __str__(self) -> str:
        if self.winner is None:
            return _WITHOUT_WINNER[self.reason]
        margin = "" if self.margin is None else _decimal(self.margin)
        letters = {reason: letter for letter, reason in _LETTERS.items()}
        return f"{self.winner}+{margin}{letters.get(self.reason, '')}"


def _decimal(number: float) -> str:
    """The shortest decimal form, without an exponent."""
    from decimal import Decimal  # slow to import

    return format(Decimal(repr(float(number))).normalize(), "f")


class ResultFormat:
    """The productions of results; methods of a Lark Transformer."""

    def result(self, children: list[Token]) -> Result:
        """``result: DRAW | WINNER (SCORE | REASON)? | VOID | UNKNOWN_RESULT``."""
        parts = {token.type: str(token) for token in children}
        if "WINNER" not in parts:
            kinds = {"DRAW": Reason.DRAW, "VOID": Reason.VOID, "UNKNOWN_RESULT": Reason.UNKNOWN}
            (token,) = children
            return Result(reason=kinds[token.type])
        margin = float(parts["SCORE"]) if "SCORE" in parts else None
        named = parts.get("REASON") or parts.get("RESIGNATION")
        reason = Reason.SCORE if margin is not None else Reason.UNKNOWN
        if named:
            reason = _LETTERS[named[0]]
        return Result(Color(parts["WINNER"][0]), margin, reason)

    #: ``backgammon_result: … WINNER (SCORE RESIGNATION? | REASON)? …``
    backgammon_result = result
