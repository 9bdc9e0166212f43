"""Checks what depends on several values: points and the size, indices, and the game itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from sgf_lark.model.board import EMPTY, MutableBoard
from sgf_lark.wei7.findings import Finding, Pointer, shown
from sgf_lark.wei7.models import DEFAULT_SIZE, TIME
from sgf_lark.wei7.values import DROPPED

#: The most points of a board on which moves are played: the document sets no limit.
_MAX_POINTS = 1_000_000


class _Move(NamedTuple):
    """A move that was not taken back: the one before it, and the changes of the board by it.

    The changes are those between two marks of the board; `number` is the number of moves.
    """

    previous: _Move | None
    start: int
    end: int
    number: int


@dataclass
class _Path:
    """The state of the game before a tree, or before a step in it."""

    last_move: _Move | None = None
    #: The mark of the board, for the branches.
    mark: int = 0
    #: Whether there was setup or a move.
    has_begun: bool = False
    has_problem: bool = False
    time: float | None = None
    #: Whether a step was dropped, so that the number of moves is unknown.
    has_gap: bool = False

    @property
    def move_count(self) -> int:
        return 0 if self.last_move is None else self.last_move.number


def check_game(document: dict[str, Any]) -> list[Finding]:
    """The rules that values of a document break together; each by itself is right."""
    check = _Check(document)
    check.information(document.get("info", {}))
    check.trees(document.get("tree", {}))
    return check.findings


def _items(holder: dict[str, Any], name: str, pointer: Pointer) -> Iterator[tuple[Any, Pointer]]:
    """The items of an array that were not dropped."""
    for index, item in enumerate(holder.get(name, ())):
        if item is not DROPPED:
            yield item, pointer / name / index


def board_size(document: Mapping[str, Any]) -> tuple[int, int]:
    """The width and height of the board."""
    size = document.get("size", DEFAULT_SIZE)
    return (size["width"], size["height"]) if isinstance(size, dict) else (size, size)


class _Check:
    def __init__(self, document: dict[str, Any]) -> None:
        self.findings: list[Finding] = []
        self.width, self.height = board_size(document)
        self.participants = 0
        self.board = None
        if self.width * self.height <= _MAX_POINTS:
            self.board = MutableBoard(self.width, self.height)

    def _report(self, code: str, pointer: Pointer, **values: object) -> None:
        self.findings.append(Finding(code, pointer, values))

    # Values in several places

    def _point(self, point: dict[str, int], pointer: Pointer) -> tuple[int, int] | None:
        """The point as a column and a row; None, and reported, if it is not on the board."""
        column, row = point["x"], point["y"]
        if column < self.width and row < self.height:
            return column, row
        found = f"({column}, {row})"
        self._report("WEI207", pointer, found=found, width=self.width, height=self.height)
        return None

    def _participant(self, holder: dict[str, Any], name: str, pointer: Pointer) -> None:
        number = holder.get(name, -1)
        if number >= self.participants:
            self._report("WEI208", pointer / name, found=number, count=self.participants)

    def _result(self, result: dict[str, Any], pointer: Pointer) -> None:
        if result["winner"] is None and "margin" in result:
            self._report("WEI309", pointer / "margin")

    def _remarks(self, holder: dict[str, Any], pointer: Pointer) -> None:
        for mark, place in _items(holder, "marks", pointer):
            self._point(mark["point"], place / "point")

    def information(self, info: dict[str, Any]) -> None:
        """Check the information on the game, and count the participants."""
        pointer = Pointer() / "info"
        self.participants = len(info.get("participants", ()))
        for player, place in _items(info, "players", pointer):
            self._participant(player, "participant", place)
        if "time" in info and not is_time(info["time"]):
            self._report("WEI213", pointer / "time", found=shown(info["time"]))
        if "result" in info:
            self._result(info["result"], pointer / "result")

    # Trees

    def trees(self, root: dict[str, Any]) -> None:
        """Check all trees, without recursion."""
        # Each tree with the path to it; the next one is the last.
        stack = [(root, Pointer() / "tree", _Path())]
        while stack:
            tree, pointer, path = stack.pop()
            if self.board is not None:
                self.board.undo_to(path.mark)
            is_problem = "pre" in tree and self._pre(tree["pre"], pointer / "pre", path)
            for index, step in enumerate(tree.get("steps", ())):
                if step is DROPPED:
                    path.has_gap = path.has_begun = True
                else:
                    self._step(step, pointer / "steps" / index, path, is_problem)
            if self.board is not None:
                path.mark = self.board.mark()
            branches = _items(tree, "branches", pointer)
            stack += reversed([(branch, place, replace(path)) for branch, place in branches])

    def _pre(self, pre: dict[str, Any], pointer: Pointer, path: _Path) -> bool:
        """Check `pre`; the result is whether it poses a problem."""
        stones = [*_items(pre, "stones", pointer)]
        if stones:
            if path.has_begun:
                self._report("WEI303", pointer / "stones")
            self._stones(stones)
            path.has_begun = True
        if "problem" in pre:
            if path.has_problem:
                self._report("WEI304", pointer / "problem")
            path.has_problem = True
        self._remarks(pre, pointer)
        return "problem" in pre

    def _stones(self, stones: list[tuple[Any, Pointer]]) -> None:
        """Check setup stones and place them on the board."""
        placed: dict[tuple[int, int], Pointer] = {}
        for stone, pointer in stones:
            point = self._point(stone["point"], pointer / "point")
            if point is None:
                continue
            if point in placed:
                self._report("WEI301", pointer, found=str(point))
                continue
            placed[point] = pointer
            if self.board is not None:
                self.board.place(point, stone["color"])
        for point, pointer in placed.items():
            if self.board is not None and not self.board.has_liberty(point):
                self._report("WEI302", pointer, found=str(point))
                break

    def _step(self, step: dict[str, Any], pointer: Pointer, path: _Path, is_problem: bool) -> None:
        if "time" in step:
            if path.time is not None and step["time"] < path.time:
                self._report("WEI308", pointer / "time", found=step["time"])
            path.time = step["time"]
        self._participant(step, "actor", pointer)
        self._remarks(step, pointer)
        kind, value = step["action"]["type"], step["action"]["value"]
        pointer = pointer / "action" / "value"
        if kind == "move":
            self._move(value, pointer, path, is_problem)
        elif kind == "takeback":
            self._takeback(value, pointer, path)
        elif kind == "mark":
            self._point(value["point"], pointer / "point")
        elif kind == "result":
            self._result(value, pointer)

    def _move(self, move: dict[str, Any], pointer: Pointer, path: _Path, is_problem: bool) -> None:
        if is_problem and "evaluation" not in move:
            self._report("WEI305", pointer)
        path.has_begun = True
        point = None
        if move["point"] is not None:
            point = self._point(move["point"], pointer / "point")
        start = end = 0
        if self.board is not None:
            start = end = self.board.mark()
            if point is not None and self.board[point] != EMPTY:
                self._report("WEI307", pointer, found=str(point))
            elif point is not None:
                self.board.play(point, move["color"])
                end = self.board.mark()
        path.last_move = _Move(path.last_move, start, end, path.move_count + 1)

    def _takeback(self, number: int, pointer: Pointer, path: _Path) -> None:
        if number > path.move_count and not path.has_gap:
            self._report("WEI306", pointer, found=number, count=path.move_count)
        while number and path.last_move is not None:
            if self.board is not None:
                self.board.revert(path.last_move.start, path.last_move.end)
            path.last_move = path.last_move.previous
            number -= 1


def is_time(text: str) -> bool:
    """Whether there is that date and time of day in ISO 8601, with 24:00 and leap seconds."""
    match = re.search(TIME, text)
    if match is None:
        return False
    day, minute, seconds = match[1], match[2], match[3] or "00"
    if minute == "24:00":
        return is_time(f"{day}T00:00Z") and not seconds.strip("0.")
    if seconds.startswith("60"):
        return minute == "23:59" and is_time(f"{day}T{minute}Z")
    # Python has no year 0, which is a leap year like 2000.
    day = re.sub("^0000", "2000", day)
    try:
        datetime.fromisoformat(f"{day}T{minute}:{seconds[:2]}")
    except ValueError:
        return False
    return True
