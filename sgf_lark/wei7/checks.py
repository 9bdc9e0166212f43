"""Checks each value: its type, its range, and whether it fits the other values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple, get_args

from sgf_lark.diagnostics import Words, shorten
from sgf_lark.model.board import EMPTY, MutableBoard
from sgf_lark.wei7 import limits
from sgf_lark.wei7.json import Member, Value
from sgf_lark.wei7.pointers import Pointer
from sgf_lark.wei7.rules import actions, objects

#: The most points of a board on which moves are played: the document sets no limit.
_MAX_POINTS = 1_000_000


class Finding(NamedTuple):
    """A broken rule from `start` to `end` (characters), at the JSON pointer."""

    code: str
    start: int
    end: int
    pointer: str = ""
    values: dict[str, object] = {}  # noqa: RUF012
    #: The wrong value; None if a member is missing.
    value: Value | None = None


class Place(NamedTuple):
    """A value and its JSON pointer."""

    value: Value
    pointer: Pointer


_KINDS = {
    "object": Words("an object", "对象"),
    "array": Words("an array", "数组"),
    "string": Words("a string", "字符串"),
    "number": Words("a number", "数"),
    "true": Words("true", "true"),
    "false": Words("false", "false"),
    "null": Words("null", "null"),
    "count": Words("a whole number from 0 on", "不小于 0 的整数"),
    "size": Words(
        "a whole number, or an object with width and height", "整数，或含 width 和 height 的对象"
    ),
    "point": Words("a point, or null for a pass", "点，或表示停一手的 null"),
}


@dataclass
class _Path:
    """The state of the game before a tree, or before a step in it."""

    #: The last move that was not taken back: (the moves before it, the position before it,
    #: the number of moves with it).
    moves: tuple[Any, bytes, int] | None = None
    position: bytes = b""
    #: Whether there was setup or a move.
    has_begun: bool = False
    has_problem: bool = False
    time: float | None = None

    @property
    def move_count(self) -> int:
        return self.moves[2] if self.moves is not None else 0


@dataclass
class Checker:
    """Checks a text and collects the findings."""

    findings: list[Finding] = field(default_factory=list)
    width: int = limits.DEFAULT_SIZE
    height: int = limits.DEFAULT_SIZE
    participants: int = 0
    board: MutableBoard | None = None

    # Findings

    def _report(self, code: str, place: Place, **values: object) -> None:
        value = place.value
        self.findings.append(
            Finding(code, value.start, value.end, str(place.pointer), values, value)
        )

    def _report_name(self, code: str, member: Member, pointer: Pointer, **values: object) -> None:
        values["name"] = '"' + shorten(member.name) + '"'
        found = Finding(code, member.start, member.end, str(pointer), values, member.value)
        self.findings.append(found)

    def _is(self, place: Place, *kinds: str) -> bool:
        """Whether the value is of one of these kinds; reports it otherwise."""
        if place.value.kind in kinds:
            return True
        self._report("WEI101", place, found=_KINDS[place.value.kind], expected=_either(kinds))
        return False

    def _members(self, place: Place, name: str) -> dict[str, Place]:
        """The known members of the object `name`; reports unknown and missing ones."""
        if not self._is(place, "object"):
            return {}
        required, known = objects()[name].required, objects()[name].members
        found: dict[str, Place] = {}
        for member in place.value.content:
            pointer = place.pointer / member.name
            if member.name in found:
                self._report_name("WEI004", member, pointer)
            if member.name not in known:
                self._report_name("WEI102", member, pointer, expected=", ".join(known))
            found[member.name] = Place(member.value, pointer)
        for name in required:
            if name not in found:
                value = place.value
                self.findings.append(
                    Finding("WEI103", value.start, value.start + 1, str(place.pointer / name))
                )
        return {name: found[name] for name in known if name in found}

    def _items(self, place: Place | None) -> Iterator[Place]:
        """The items of an array; reports any other value."""
        if place is not None and self._is(place, "array"):
            for number, value in enumerate(place.value.content):
                yield Place(value, place.pointer / number)

    # Values

    def _count(self, place: Place) -> int | None:
        """A whole number that is not negative; None, and reported, otherwise."""
        if not self._is(place, "number"):
            return None
        number = place.value.content
        if number < 0 or not _is_whole(number):
            self._report("WEI101", place, found=str(number), expected=_KINDS["count"])
            return None
        return int(number)

    def _string(self, place: Place | None) -> None:
        if place is not None:
            self._is(place, "string")

    def _short_string(self, place: Place) -> None:
        if not self._is(place, "string"):
            return
        text = place.value.content
        if len(text) > limits.SHORT_STRING_LENGTH:
            self._report("WEI204", place, found=len(text))
        if control := re.search(limits.CONTROL_CHARACTER, text):
            self._report("WEI205", place, found=f"U+{ord(control[0]):04X}")

    def _color(self, place: Place) -> int | None:
        if place.value.kind == "number" and place.value.content in get_args(limits.Color):
            return int(place.value.content)
        self._report("WEI206", place, found=_shown(place.value))
        return None

    def _point(self, place: Place) -> tuple[int, int] | None:
        members = self._members(place, "point")
        numbers = {name: self._count(member) for name, member in members.items()}
        column, row = numbers.get("x"), numbers.get("y")
        if column is None or row is None:
            return None
        if column < self.width and row < self.height:
            return column, row
        found = f"({column}, {row})"
        self._report("WEI207", place, found=found, width=self.width, height=self.height)
        return None

    def _participant(self, place: Place) -> None:
        number = self._count(place)
        if number is not None and number >= self.participants:
            self._report("WEI208", place, found=number, count=self.participants)

    def _word(self, place: Place, *known: str) -> None:
        """Report a value that is none of the known strings."""
        if place.value.kind != "string" or place.value.content not in known:
            expected = ", ".join(f'"{word}"' for word in known)
            self._report("WEI211", place, found=_shown(place.value), expected=expected)

    def _result(self, place: Place) -> None:
        members = self._members(place, "result")
        winner, margin = members.get("winner"), members.get("margin")
        is_draw = winner is not None and winner.value.kind == "null"
        if winner is not None and not is_draw:
            self._color(winner)
        if margin is None:
            return
        number = margin.value.content
        if margin.value.kind != "number" or not (
            0 < number < limits.MARGIN_END and number % limits.HALF_POINT == 0
        ):
            self._report("WEI209", margin, found=_shown(margin.value))
        elif is_draw:
            self._report("WEI309", margin)

    # The text as a whole

    def root(self, value: Value) -> None:
        """Check the whole text."""
        members = self._members(Place(value, Pointer()), "document")
        for name, meant, code in (
            ("format", limits.Format, "WEI201"),
            ("version", limits.Version, "WEI202"),
        ):
            place = members.get(name)
            if place is not None and place.value.content not in get_args(meant):
                self._report(code, place, found=_shown(place.value))
        if "size" in members:
            self._size(members["size"])
        if self.width * self.height <= _MAX_POINTS:
            self.board = MutableBoard(self.width, self.height)
            self.board.keep_history = False
        if "info" in members:
            self._info(members["info"])
        if "tree" in members:
            self._trees(members["tree"])

    def _size(self, place: Place) -> None:
        if place.value.kind == "object":
            members = self._members(place, "size")
            sides = [self._side(member) for member in members.values()]
            if len(sides) == 2 and all(sides):
                self.width, self.height = sides[0] or 1, sides[1] or 1
        elif place.value.kind == "number":
            side = self._side(place)
            if side is not None:
                self.width = self.height = side
        else:
            self._report("WEI101", place, found=_KINDS[place.value.kind], expected=_KINDS["size"])

    def _side(self, place: Place) -> int | None:
        number = place.value.content
        if place.value.kind == "number" and number >= 1 and _is_whole(number):
            return int(number)
        self._report("WEI203", place, found=_shown(place.value))
        return None

    def _info(self, place: Place) -> None:
        members = self._members(place, "info")
        for name, member in members.items():
            if objects()["info"].members[name] == "short string":
                self._short_string(member)
        if "rules" in members:
            self._rules(members["rules"])
        if "time" in members:
            self._time(members["time"])
        self._participants(members)
        if "result" in members:
            self._result(members["result"])

    def _participants(self, info: dict[str, Place]) -> None:
        """Check the participants, and the players, who refer to them."""
        for participant in self._items(info.get("participants")):
            self.participants += 1
            for member in self._members(participant, "participant").values():
                self._short_string(member)
        for player in self._items(info.get("players")):
            known = self._members(player, "player")
            if "participant" in known:
                self._participant(known["participant"])
            if "color" in known:
                self._color(known["color"])

    def _rules(self, place: Place) -> None:
        members = self._members(place, "rules")
        if "scoring" in members:
            self._word(members["scoring"], *get_args(limits.Scoring))
        if "type" in members:
            self._word(members["type"], *get_args(limits.RulesType))
        komi = members.get("komi")
        if komi is not None:
            number = komi.value.content
            if komi.value.kind != "number" or not (
                0 <= number < limits.KOMI_END and number % limits.HALF_POINT == 0
            ):
                self._report("WEI210", komi, found=_shown(komi.value))

    def _time(self, place: Place) -> None:
        if not self._is(place, "string"):
            return
        match = re.fullmatch(limits.TIME, place.value.content)
        if match is None:
            self._report("WEI212", place, found=_shown(place.value))
            return
        try:
            datetime.fromisoformat(f"{match[1]}:{match[2] or '00'}")
        except ValueError:
            self._report("WEI213", place, found=_shown(place.value))

    # Trees

    def _trees(self, place: Place) -> None:
        """Check all trees, without recursion."""
        start = self.board.snapshot() if self.board is not None else b""
        # Each tree with the path to it; the next one is the last.
        stack = [(place, _Path(position=start))]
        while stack:
            tree, path = stack.pop()
            branches = self._items(self._tree(tree, path))
            stack += reversed([(branch, replace(path)) for branch in branches])

    def _tree(self, place: Place, path: _Path) -> Place | None:
        """Check a tree without its branches, and return these; `path` advances to its end."""
        members = self._members(place, "tree")
        self._string(members.get("title"))
        is_problem = False
        if "pre" in members:
            is_problem = self._pre(members["pre"], path)
        for step in self._items(members.get("steps")):
            self._step(step, path, is_problem)
        return members.get("branches")

    def _pre(self, place: Place, path: _Path) -> bool:
        """Check `pre`; the result is whether it poses a problem."""
        members = self._members(place, "pre")
        stones = list(self._items(members.get("stones")))
        if stones and path.has_begun:
            self._report("WEI303", members["stones"])
        if stones:
            self._stones(stones, path)
        problem = members.get("problem")
        if problem is not None:
            if path.has_problem:
                self._report("WEI304", problem)
            color = self._members(problem, "problem").get("color")
            if color is not None:
                self._color(color)
            path.has_problem = True
        self._remarks(members)
        return problem is not None

    def _stones(self, stones: list[Place], path: _Path) -> None:
        """Check setup stones and place them on the board."""
        placed: list[tuple[Place, tuple[int, int]]] = []
        taken: set[tuple[int, int]] = set()
        if self.board is not None:
            self.board.restore(path.position)
        for stone in stones:
            members = self._members(stone, "stone")
            color = self._color(members["color"]) if "color" in members else None
            point = self._point(members["point"]) if "point" in members else None
            if point is None or color is None:
                continue
            if point in taken:
                self._report("WEI301", stone, found=str(point))
                continue
            taken.add(point)
            placed.append((stone, point))
            if self.board is not None:
                self.board.place(point, color)
        if self.board is not None:
            for stone, point in placed:
                if not self.board.has_liberty(point):
                    self._report("WEI302", stone, found=str(point))
                    break
            path.position = self.board.snapshot()
        path.has_begun = True

    def _remarks(self, members: dict[str, Place]) -> None:
        """Check marks and comment."""
        for mark in self._items(members.get("marks")):
            self._mark(mark)
        self._string(members.get("comment"))

    def _mark(self, place: Place) -> None:
        members = self._members(place, "mark")
        if "point" in members:
            self._point(members["point"])
        symbol = members.get("symbol")
        if symbol is not None and (
            symbol.value.kind != "string" or not re.fullmatch(limits.SYMBOL, symbol.value.content)
        ):
            self._report("WEI214", symbol, found=_shown(symbol.value))

    # Steps

    def _step(self, place: Place, path: _Path, is_problem: bool) -> None:
        members = self._members(place, "step")
        if "time" in members:
            self._step_time(members["time"], path)
        if "actor" in members:
            self._participant(members["actor"])
        self._remarks(members)
        if "action" not in members:
            return
        action = self._members(members["action"], "action")
        kind = action.get("type")
        if kind is None:
            return
        self._word(kind, *actions())
        check = _ACTIONS.get(str(kind.value.content))
        if check is not None and "value" in action:
            check(self, action["value"], path, is_problem)

    def _step_time(self, place: Place, path: _Path) -> None:
        number = place.value.content
        if place.value.kind != "number" or not 0 <= number < limits.STEP_TIME_END:
            self._report("WEI215", place, found=_shown(place.value))
            return
        if path.time is not None and number < path.time:
            self._report("WEI308", place, found=number)
        path.time = number

    def _move(self, place: Place, path: _Path, is_problem: bool) -> None:
        members = self._members(place, "move")
        path.has_begun = True
        if "evaluation" in members:
            self._word(members["evaluation"], *get_args(limits.Evaluation))
        elif is_problem:
            self._report("WEI305", place)
        color = self._color(members["color"]) if "color" in members else None
        point = None
        where = members.get("point")
        if where is not None and where.value.kind not in ("object", "null"):
            self._report("WEI101", where, found=_KINDS[where.value.kind], expected=_KINDS["point"])
        elif where is not None and where.value.kind == "object":
            point = self._point(where)
        before = path.position
        path.moves = (path.moves, before, path.move_count + 1)
        if point is None or color is None or self.board is None:
            return
        self.board.restore(before)
        if self.board[point] != EMPTY:
            self._report("WEI307", place, found=str(point))
            return
        self.board.play(point, color)
        path.position = self.board.snapshot()

    def _takeback(self, place: Place, path: _Path, is_problem: bool) -> None:
        number = place.value.content
        if place.value.kind != "number" or number < 1 or not _is_whole(number):
            self._report("WEI216", place, found=_shown(place.value))
            return
        if number > path.move_count:
            self._report("WEI306", place, found=int(number), count=path.move_count)
        for _ in range(min(int(number), path.move_count)):
            assert path.moves is not None
            path.moves, path.position, _ = path.moves

    def _marked(self, place: Place, path: _Path, is_problem: bool) -> None:
        self._mark(place)

    def _message(self, place: Place, path: _Path, is_problem: bool) -> None:
        self._string(place)

    def _claim(self, place: Place, path: _Path, is_problem: bool) -> None:
        self._result(place)


#: Type of an action -> the check of its value.
_ACTIONS: dict[str, Callable[[Checker, Place, _Path, bool], None]] = {
    "move": Checker._move,
    "takeback": Checker._takeback,
    "mark": Checker._marked,
    "message": Checker._message,
    "result": Checker._claim,
}


def _is_whole(number: float) -> bool:
    """Whether a number is whole, as 1.0 is; an infinite float is not."""
    return isinstance(number, int) or number.is_integer()


def _either(kinds: tuple[str, ...]) -> Words:
    words = [_KINDS[kind] for kind in kinds]
    return Words(" or ".join(word.en for word in words), "或".join(word.zh for word in words))


def _shown(value: Value) -> str:
    """The value in a message."""
    if value.kind == "string":
        return '"' + shorten(value.content) + '"'
    return str(value.content) if value.kind == "number" else value.kind
