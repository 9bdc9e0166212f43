"""Octi, GM[19]: points of two digits, pods with prongs, and what happens to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from sgf_lark.model.values.points import Point, rectangle


def _write_octi_point(point: Point) -> str:
    """Column and row, a digit each, from 1."""
    return f"{point.column + 1}{point.row + 1}"


class OctiStone(NamedTuple):
    """A pod of Octi at a point, with the letters of its prongs in their order."""

    point: Point
    prongs: str = ""

    def __str__(self) -> str:
        return _write_octi_point(self.point) + self.prongs


class OctiStep(NamedTuple):
    """A step of a pod to `point`. `captures` has an entry for each "x" after it:
    the prongs of the pod that is taken, or "" for the whole stack."""

    point: Point
    captures: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"-{_write_octi_point(self.point)}" + "".join(f"x{prongs}" for prongs in self.captures)


@dataclass(frozen=True, slots=True)
class OctiPlay:
    """What happens to one pod: it goes through `steps`, or gets the prong `added`
    (a superprong where `is_super`), or has the prong `turned` put in the direction
    `added`, or, with none of these, is new."""

    stone: OctiStone
    steps: tuple[OctiStep, ...] = ()
    added: str = ""
    turned: str = ""
    is_super: bool = False

    def __str__(self) -> str:
        if self.turned:
            return f"{self.stone}+{self.turned}-{self.added}"
        if self.added:
            return f"{self.stone}+{self.added}" + ("!" if self.is_super else "")
        return str(self.stone) + "".join(map(str, self.steps))


@dataclass(frozen=True, slots=True)
class OctiMove:
    """A move of Octi: one play, or one for each pod of a stack that goes."""

    plays: tuple[OctiPlay, ...]

    @property
    def points(self) -> tuple[Point, ...]:
        """The points of all plays: where each pod is, then where it goes."""
        return tuple(
            point
            for play in self.plays
            for point in (play.stone.point, *(step.point for step in play.steps))
        )

    def __str__(self) -> str:
        return ",".join(map(str, self.plays))


def new_pod(point: Point) -> OctiMove:
    """The move that puts a new pod on a point."""
    return OctiMove((OctiPlay(OctiStone(point)),))


class OctiNotation:
    """The productions of Octi; methods of a Lark Transformer.

    Rows are numbered upwards, from 0, as the notation does from 1.
    """

    def octi_point(self, children: list[str]) -> Point:
        """``octi_point: OCTI_POINT``."""
        (digits,) = children
        return Point(int(digits[0]) - 1, int(digits[1]) - 1)

    octi_rectangle = rectangle

    def octi_stone(self, children: list[Any]) -> OctiStone:
        """``octi_stone: octi_point prong*``."""
        point, *prongs = children
        return OctiStone(point, "".join(prongs))

    def prong(self, children: list[str]) -> str:
        """``prong: PRONG``."""
        (letter,) = children
        return str(letter)

    def octi_move(self, children: list[Any]) -> OctiMove:
        """``octi_move: octi_play (COMMA octi_play)*``."""
        return OctiMove(tuple(child for child in children if isinstance(child, OctiPlay)))

    def octi_play(self, children: list[Any]) -> OctiPlay:
        """``octi_play: octi_point | octi_stone (added_prong | turned_prong | octi_step+)``."""
        stone, *rest = children
        if not isinstance(stone, OctiStone):
            return OctiPlay(OctiStone(stone))
        if isinstance(rest[0], dict):
            return OctiPlay(stone, **rest[0])
        return OctiPlay(stone, tuple(rest))

    def added_prong(self, children: list[Any]) -> dict[str, Any]:
        """``added_prong: PLUS prong SUPER?``; fields of the play."""
        return {"added": children[1], "is_super": len(children) > 2}

    def turned_prong(self, children: list[Any]) -> dict[str, Any]:
        """``turned_prong: PLUS prong MINUS prong``; fields of the play."""
        _, before, _, after = children
        return {"turned": before, "added": after}

    def octi_step(self, children: list[Any]) -> OctiStep:
        """``octi_step: MINUS octi_point octi_capture*``."""
        _, point, *captures = children
        return OctiStep(point, tuple(captures))

    def octi_capture(self, children: list[Any]) -> str:
        """``octi_capture: CAPTURE prong*``."""
        return "".join(children[1:])
