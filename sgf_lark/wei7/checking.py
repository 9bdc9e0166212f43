"""Checks the values of a document by themselves, and what depends on several of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple

from sgf_lark.diagnostics import shorten
from sgf_lark.model.board import Board, Mark
from sgf_lark.model.cells import EMPTY
from sgf_lark.wei7.json_text import Finding, Place
from sgf_lark.wei7.schema import KINDS, Shape, fits, kind_of, shape_of

#: The size of the board if the text has none (5.9).
DEFAULT_SIZE = 19


def check_values(root: Place) -> list[Finding]:
    """The rules that single values break.

    These values are taken out of the places that contain them, as are objects in which a member is
    missing or wrong that they require: :func:`check_game` cannot read them.
    """
    check = _ValueCheck()
    check.value(root, shape_of("Document"))
    # Grows while it is walked, without recursion: branches can have any depth.
    for place, shape in check.containers:
        if isinstance(place.value, dict):
            check.members(place, shape)
        elif shape.item is not None:
            for item in [*place.inner.values()]:
                check.value(item, shape.item)
    # Inner containers come later in the list, so they are complete before the outer ones.
    for place, shape in reversed(check.containers[1:]):
        if isinstance(place.value, dict) and not place.inner.keys() >= {*shape.required}:
            place.drop()
    return check.findings


class _ValueCheck:
    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.containers: list[tuple[Place, Shape]] = []

    def value(self, place: Place, shape: Shape) -> None:
        """Check a value by itself."""
        codes = [*shape.broken(place.value)]
        for code in codes:
            self.findings.append(place.finding(code, **_values(code, place.value, shape)))
        if codes:
            place.drop()
        elif isinstance(place.value, dict | list):
            self.containers.append((place, shape.of(place.value)))

    def members(self, place: Place, shape: Shape) -> None:
        """Check the names of the members of an object, and each member by itself."""
        for required in shape.required:
            if required not in place.inner:
                missing = place.finding("WEI103", "bracket")
                self.findings.append(missing._replace(pointer=place.pointer(required)))
        for member in place.repeated:
            name = quoted_value(member.key)
            self.findings.append(member.finding("WEI004", "name", name=name))
        for key, member in [*place.inner.items()]:
            if key not in shape.members:
                words: dict[str, Any] = {
                    "name": quoted_value(key),
                    "expected": ", ".join(shape.members),
                }
                self.findings.append(member.finding("WEI102", "name", **words))
                member.drop()
            elif (known := shape.members[str(key)]) is not None:
                self.value(member, known)


def quoted_value(value: Any) -> str:
    """A value in a message."""
    if isinstance(value, str):
        return f'"{shorten(value)}"'
    kind = kind_of(value)
    return str(value) if kind == "number" else kind


def _values(code: str, value: Any, shape: Shape) -> dict[str, Any]:
    """The values in the message of a rule that a value breaks."""
    if code == "WEI101":
        kind = kind_of(value)
        found: object = str(value) if kind == "number" and kind in shape.kinds else KINDS[kind]
        return {"found": found, "expected": shape.expected}
    if code == "WEI204":
        return {"found": len(value)}
    if code == "WEI205":
        control = next(character for character in value if not fits(character, "ShortString"))
        return {"found": f"U+{ord(control):04X}"}
    return {
        "found": quoted_value(value),
        "expected": ", ".join(f'"{word}"' for word in shape.choices),
    }


#: The most points of a board on which trees are checked: the document sets no limit, but a size of
#: two digits more would take the memory of the machine.
_MAX_POINTS = 1_000_000


class _Move(NamedTuple):
    """A move that was not taken back: the one before it, and the changes of the board by it.

    The changes are those between two marks of the board; `number` is the number of moves.
    """

    previous: _Move | None
    start: Mark
    end: Mark
    number: int


@dataclass
class _Path:
    """The state of the game before a tree, or before a step in it."""

    last_move: _Move | None = None
    #: The mark of the board, for the branches.
    mark: Mark | None = None
    #: Whether there was setup or a move.
    has_begun: bool = False
    has_problem: bool = False
    time: float | None = None
    #: Whether a step was dropped, so that the number of moves is unknown.
    has_gap: bool = False

    @property
    def move_count(self) -> int:
        return 0 if self.last_move is None else self.last_move.number


def check_game(root: Place) -> list[Finding]:
    """The rules that values of a document break together; each by itself is right."""
    check = _Check(root)
    check.information(root.inner.get("info"))
    if "tree" in root.inner and check.width * check.height <= _MAX_POINTS:
        check.trees(root.inner["tree"])
    return check.findings


def board_size(root: Place) -> tuple[int, int]:
    """The width and height of the board of a document."""
    size = root.inner["size"].value if "size" in root.inner else DEFAULT_SIZE
    return (size["width"], size["height"]) if isinstance(size, dict) else (size, size)


class _Check:
    def __init__(self, root: Place) -> None:
        self.findings: list[Finding] = []
        self.width, self.height = board_size(root)
        self.participants = 0

    def _report(self, code: str, place: Place, **values: Any) -> None:
        self.findings.append(place.finding(code, **values))

    # Values in several places

    def _point(self, place: Place) -> tuple[int, int] | None:
        """The point as a column and a row; None, and reported, if it is not on the board."""
        column, row = place.value["x"], place.value["y"]
        if column < self.width and row < self.height:
            return column, row
        found = f"({column}, {row})"
        self._report("WEI207", place, found=found, width=self.width, height=self.height)
        return None

    def _participant(self, place: Place | None) -> None:
        if place is not None and place.value >= self.participants:
            self._report("WEI208", place, found=place.value, count=self.participants)

    def _result(self, result: Place) -> None:
        if result.value["winner"] is None and "margin" in result.inner:
            self._report("WEI309", result.inner["margin"])

    def _marks(self, holder: Place) -> None:
        for mark in holder.items("marks"):
            self._point(mark.inner["point"])

    def information(self, info: Place | None) -> None:
        """Check the information on the game, and count the participants."""
        if info is None:
            return
        if "participants" in info.inner:
            # Also the wrong ones: players refer to participants by their index.
            self.participants = len(info.inner["participants"].value)
        for player in info.items("players"):
            self._participant(player.inner["participant"])
        time = info.inner.get("time")
        if time is not None and not is_time(time.value):
            self._report("WEI213", time, found=quoted_value(time.value))
        if "result" in info.inner:
            self._result(info.inner["result"])

    # Trees

    def trees(self, root: Place) -> None:
        """Check all trees, without recursion."""
        self.board = Board(self.width, self.height)
        # Each tree with the path to it; the next one is the last.
        stack = [(root, _Path())]
        while stack:
            tree, path = stack.pop()
            if path.mark is not None:
                self.board.undo_to(path.mark)
            pre = tree.inner.get("pre")
            if pre is not None:
                self._pre(pre, path)
            is_problem = pre is not None and "problem" in pre.inner
            for step in tree.all_items("steps"):
                if step is None:
                    path.has_gap = path.has_begun = True
                else:
                    self._step(step, path, is_problem)
            path.mark = self.board.mark()
            # Each branch goes on from a copy of the path; the first one is checked next, so that
            # findings come in the order of the text.
            stack += [(branch, replace(path)) for branch in reversed(tree.items("branches"))]

    def _pre(self, pre: Place, path: _Path) -> None:
        stones = pre.items("stones")
        if stones:
            if path.has_begun:
                self._report("WEI303", pre.inner["stones"])
            self._stones(stones)
            path.has_begun = True
        if "problem" in pre.inner:
            if path.has_problem:
                self._report("WEI304", pre.inner["problem"])
            path.has_problem = True
        self._marks(pre)

    def _stones(self, stones: list[Place]) -> None:
        """Check setup stones and place them on the board."""
        placed: dict[tuple[int, int], Place] = {}
        for stone in stones:
            point = self._point(stone.inner["point"])
            if point is None:
                continue
            if point in placed:
                self._report("WEI301", stone, found=str(point))
                continue
            placed[point] = stone
            self.board.put(point, stone.value["color"])
        for point in islice(self.board.without_liberty(placed), 1):
            self._report("WEI302", placed[point], found=str(point))

    def _step(self, step: Place, path: _Path, is_problem: bool) -> None:
        time = step.inner.get("time")
        if time is not None:
            if path.time is not None and time.value < path.time:
                self._report("WEI308", time, found=time.value)
            path.time = time.value
        self._participant(step.inner.get("actor"))
        self._marks(step)
        action = step.inner["action"]
        value = action.inner["value"]
        match action.value["type"]:
            case "move":
                self._move(value, path, is_problem)
            case "takeback":
                self._takeback(value, path)
            case "mark":
                self._point(value.inner["point"])
            case "result":
                self._result(value)

    def _move(self, move: Place, path: _Path, is_problem: bool) -> None:
        if is_problem and "evaluation" not in move.inner:
            self._report("WEI305", move)
        path.has_begun = True
        place = move.inner["point"]
        point = self._point(place) if place.value is not None else None
        start = self.board.mark()
        if point is not None and self.board.cell(point) != EMPTY:
            self._report("WEI307", move, found=str(point))
        elif point is not None:
            self.board.add_stone(point, move.value["color"])
        path.last_move = _Move(path.last_move, start, self.board.mark(), path.move_count + 1)

    def _takeback(self, takeback: Place, path: _Path) -> None:
        left = takeback.value
        if left > path.move_count and not path.has_gap:
            self._report("WEI306", takeback, found=left, count=path.move_count)
        while left and (move := path.last_move) is not None:
            self.board.revert(move.start, move.end)
            path.last_move = move.previous
            left -= 1


def is_time(text: str) -> bool:
    """Whether there is that date and time of day in ISO 8601, with 24:00 and leap seconds."""
    match = re.search(shape_of("Time").definition["pattern"], text)
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
