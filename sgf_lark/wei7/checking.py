"""Checks the values of a document by themselves, and what depends on several of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any, Literal, NamedTuple

from sgf_lark.diagnostics import shorten
from sgf_lark.model.board import Board, Mark
from sgf_lark.model.cells import EMPTY
from sgf_lark.wei7.models import CONTROL_CHARACTER, DEFAULT_SIZE, TIME, Document
from sgf_lark.wei7.shapes import KINDS, Shape, kind_of, shape_of


class Pointer(NamedTuple):
    """A JSON pointer (RFC 6901): its parent, None for the root, and a name or index.

    The texts of all pointers in a deep tree would take quadratic memory.
    """

    parent: Pointer | None = None
    token: str | int = ""

    def __truediv__(self, token: str | int) -> Pointer:
        """The pointer to a member or an item of this value."""
        return Pointer(self, token)

    def tokens(self) -> list[str | int]:
        """The names and indices from the root to the value."""
        tokens: list[str | int] = []
        pointer = self
        while pointer.parent is not None:
            tokens.append(pointer.token)
            pointer = pointer.parent
        return tokens[::-1]

    def __str__(self) -> str:
        """The pointer as text, with its tokens escaped."""
        tokens = (str(token).replace("~", "~0").replace("/", "~1") for token in self.tokens())
        return "".join(f"/{token}" for token in tokens)


class Finding(NamedTuple):
    """A broken rule, and the part of the text that is shown for it.

    The part is a value, the name of a member, or the bracket that opens the object in which the
    member is missing to which the pointer leads.
    """

    code: str
    pointer: Pointer
    values: dict[str, object]
    part: Literal["value", "name", "bracket"] = "value"


class FindingInText(NamedTuple):
    """A broken rule from `start` to `end` (characters), and its JSON pointer as text."""

    code: str
    start: int
    end: int
    values: dict[str, object]
    pointer: str = ""


def quoted_value(value: Any) -> str:
    """A value in a message."""
    if isinstance(value, str):
        return f'"{shorten(value)}"'
    kind = kind_of(value)
    return str(value) if kind == "number" else kind


#: Stands for a dropped item of an array, so that the others keep their index.
DROPPED: Any = object()
#: Floats below this represent all integers exactly.
_EXACT_FLOATS = 2**53


class _Container(NamedTuple):
    """An object or array, and the one that contains it."""

    value: Any
    shape: Shape
    pointer: Pointer
    parent: Any


class ValueCheck:
    """Checks the values of a document and drops the wrong ones, which `check_game` cannot read.

    `findings` are the broken rules. An object is dropped if a member that it requires is missing
    or dropped; in an array it stays, empty, if it requires none: participants are counted.
    """

    def __init__(self, document: Any) -> None:
        """Check the document and change it: wrong values are dropped, 7.0 becomes 7."""
        self.findings: list[Finding] = []
        root = shape_of(Document)
        containers = []
        if self._is_right(document, root, Pointer()):
            containers.append(_Container(document, root, Pointer(), None))
        # Grows while it is walked, without recursion: branches can have any depth.
        for container in containers:
            if isinstance(container.value, dict):
                self._check_members(container, containers)
            else:
                self._check_items(container, containers)
        # Inner containers come later in the list, so they are complete before the outer ones.
        for container in reversed(containers[1:]):
            is_object = isinstance(container.value, dict)
            if is_object and not container.value.keys() >= {*container.shape.required}:
                _drop(container.parent, container.pointer)
        self.document: dict[str, Any] = document if containers else {}

    def _is_right(self, value: Any, shape: Shape, holder: Pointer, token: Any = None) -> bool:
        """Whether a value is right by itself; reports the rules that it breaks."""
        codes = [*shape.broken(value)]
        for code in codes:
            # Made only here: nearly all values are right, and each needs a pointer then.
            pointer = holder if token is None else holder / token
            self.findings.append(Finding(code, pointer, _values(code, value, shape)))
        return not codes

    def _check_entry(self, container: _Container, token: Any, shape: Shape) -> bool:
        """Whether a member or an item is right by itself; drops it otherwise."""
        value = container.value[token]
        if not self._is_right(value, shape, container.pointer, token):
            _drop(container.value, container.pointer / token)
            return False
        if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT_FLOATS:
            container.value[token] = int(value)
        return True

    def _check_members(self, container: _Container, containers: list[_Container]) -> None:
        members, pointer = container.value, container.pointer
        whole = container.shape.of(members)
        shapes = whole.members
        for name in whole.required:
            if name not in members:
                self.findings.append(Finding("WEI103", pointer / name, {}, "bracket"))
        for name, value in [*members.items()]:
            shape = shapes.get(name)
            if shape is None:
                names: dict[str, object] = {
                    "name": f'"{shorten(name)}"',
                    "expected": ", ".join(shapes),
                }
                self.findings.append(Finding("WEI102", pointer / name, names, "name"))
                _drop(members, pointer / name)
            elif len(whole.models) > 1 and name != "type":
                continue  # Without a valid type it is unknown what the action needs.
            elif self._check_entry(container, name, shape) and isinstance(value, dict | list):
                containers.append(_Container(value, shape, pointer / name, members))

    def _check_items(self, container: _Container, containers: list[_Container]) -> None:
        shape = container.shape.item
        assert shape is not None
        for index, value in enumerate(container.value):
            if self._check_entry(container, index, shape):
                if isinstance(value, dict | list):
                    pointer = container.pointer / index
                    containers.append(_Container(value, shape, pointer, container.value))
            elif shape.models and not shape.required:
                # It stays as an empty object: steps and players refer to participants by their
                # index.
                container.value[index] = {}


def _drop(container: Any, pointer: Pointer) -> None:
    if isinstance(container, dict):
        del container[pointer.token]
    else:
        container[pointer.token] = DROPPED


def _values(code: str, value: Any, shape: Shape) -> dict[str, object]:
    """The values in the message of a rule that a value breaks."""
    if code == "WEI101":
        kind = kind_of(value)
        found: object = str(value) if kind == "number" and kind in shape.kinds else KINDS[kind]
        return {"found": found, "expected": shape.expected}
    if code == "WEI204":
        return {"found": len(value)}
    if code == "WEI205":
        control = re.search(CONTROL_CHARACTER, value)
        return {"found": f"U+{ord(control[0]):04X}" if control else ""}
    return {"found": quoted_value(value), "expected": _quoted(shape.choices)}


def _quoted(words: Iterable[Any]) -> str:
    return ", ".join(f'"{word}"' for word in words)


#: The most points of a board on which moves are played: the document sets no limit.
_MAX_POINTS = 1_000_000


class _Move(NamedTuple):
    """A move that was not taken back: the one before it, and the changes of the board by it.

    The changes are those between two marks of the board; `number` is the number of moves.
    """

    previous: _Move | None
    start: Mark | None
    end: Mark | None
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
        # On a larger board moves are checked only for their points: a size of two digits more would
        # take the memory of the machine.
        if self.width * self.height <= _MAX_POINTS:
            self.board = Board(self.width, self.height)

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
            self._report("WEI213", pointer / "time", found=quoted_value(info["time"]))
        if "result" in info:
            self._result(info["result"], pointer / "result")

    # Trees

    def trees(self, root: dict[str, Any]) -> None:
        """Check all trees, without recursion."""
        # Each tree with the path to it; the next one is the last.
        stack = [(root, Pointer() / "tree", _Path())]
        while stack:
            tree, pointer, path = stack.pop()
            if self.board is not None and path.mark is not None:
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
            # Each branch goes on from a copy of the path; the first one is checked next, so that
            # findings come in the order of the text.
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
                self.board.put(point, stone["color"])
        if self.board is not None:
            for point in islice(self.board.without_liberty(placed), 1):
                self._report("WEI302", placed[point], found=str(point))

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
        start = end = None
        if self.board is not None:
            start = end = self.board.mark()
            if point is not None and self.board.cell(point) != EMPTY:
                self._report("WEI307", pointer, found=str(point))
            elif point is not None:
                self.board.add_stone(point, move["color"])
                end = self.board.mark()
        path.last_move = _Move(path.last_move, start, end, path.move_count + 1)

    def _takeback(self, number: int, pointer: Pointer, path: _Path) -> None:
        if number > path.move_count and not path.has_gap:
            self._report("WEI306", pointer, found=number, count=path.move_count)
        while number and (move := path.last_move) is not None:
            if self.board is not None and move.start is not None and move.end is not None:
                self.board.revert(move.start, move.end)
            path.last_move = move.previous
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
