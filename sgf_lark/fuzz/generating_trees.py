"""Game trees that conform, as nodes with raw values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from sgf_lark import grammar
from sgf_lark.fuzz.generating_values import Values
from sgf_lark.grammar import PropertyDefinition, Role
from sgf_lark.model.board import BLACK, EMPTY, WHITE, Board
from sgf_lark.model.values import Context, Point
from sgf_lark.model.values.points import expand
from sgf_lark.model.values.reader import reader

Property = tuple[str, list[bytes]]
Shape = Literal["line", "bushy", "mixed"]
SHAPES: tuple[Shape, ...] = ("mixed", "line", "bushy")


@dataclass(slots=True)
class NewNode:
    """A node to be written: identifiers with their raw values, and what follows it."""

    properties: list[Property] = field(default_factory=list)
    children: list[NewNode] = field(default_factory=list)

    def nodes(self) -> Iterator[NewNode]:
        """This node and all below, in the order in which they are written."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))

    def get(self, ident: str) -> list[bytes] | None:
        return next((raws for name, raws in self.properties if name == ident), None)


#: What the tree says of itself, and properties that depend on another.
_WRITTEN_APART = {"handicap", "file_format", "game", "size", "charset"}
#: The format of a property that stands once in a tree, in whatever node.
MARKS_NODE = "hex_initial_position"


@cache
def defined(game: int, file_format: int, role: Role) -> tuple[PropertyDefinition, ...]:
    """The properties of that type that a tree of that GM and FF may hold.

    Without the moves, and those that are no more than private to a program.
    """
    idents = dict.fromkeys(entry.ident for entry in grammar.properties())
    found = (grammar.definition(ident, game, file_format) for ident in idents)
    return tuple(
        entry
        for entry in found
        if entry is not None
        and entry.type == role
        and file_format in entry.file_formats
        and not entry.private
        and entry.exclusive != "move"
    )


@dataclass(slots=True)
class _Place:
    """A node on the path to the one that is made next. `turn` counts moves: even, Black."""

    node: NewNode
    turn: int
    mark: int
    sets_up: bool
    main: bool


_COLOR = {"AB": BLACK, "AW": WHITE, "AE": EMPTY}
_PLAYERS = (("B", BLACK), ("W", WHITE))


class Trees:
    """Makes the game trees of one context, without the properties of types to `leave_out`."""

    def __init__(self, values: Values, leave_out: frozenset[str] = frozenset()) -> None:
        self.values = values
        self.leave_out = leave_out
        self.choices = values.choices
        self.context: Context = values.context
        self.game = values.game
        size = self.context.size
        self.board = Board(*size) if size is not None and self.context.game == 1 else None

    def tree(self, count: int, shape: Shape) -> NewNode:
        """A tree of `count` nodes behind the root."""
        root = NewNode()
        self._root_properties(root)
        self._grow(_Place(root, 0, self._mark(), False, True), count, shape)
        marks = [entry for entry in self._defined("game-info") if entry.format == MARKS_NODE]
        if marks and self.choices.chance(4):
            nodes = [root] if self._has_info(root) else list(root.nodes())[:20]
            self.choices.choice(nodes).properties.append((marks[0].ident, [b""]))
        elif not self._has_info(root):
            self._info_of_branches(root)
        self._finish(root)
        return root

    def _defined(self, role: Role) -> tuple[PropertyDefinition, ...]:
        if role in self.leave_out:
            return ()
        return defined(self.context.game, self.context.file_format, role)

    # --- The shape ---

    def _mark(self) -> int:
        return self.board.mark() if self.board is not None else 0

    def _grow(self, first: _Place, count: int, shape: Shape) -> None:
        """Nodes below the first, each behind the one before or branching off its path."""
        rarely = {"bushy": 2, "mixed": 5}.get(shape, 0)
        path = [first]
        for _ in range(count):
            if rarely and len(path) > 1 and self.choices.chance(rarely):
                del path[-self.choices.integer(1, min(len(path) - 1, 20)) :]
                if self.board is not None:
                    self.board.undo_to(path[-1].mark)
            path.append(self._node(path[-1]))

    def _node(self, above: _Place) -> _Place:
        node = NewNode()
        main = above.main and not above.node.children
        above.node.children.append(node)
        turn, sets_up = above.turn, False
        kind = self.choices.integer(0, 9)
        if kind == 9 and not main and not above.sets_up:
            sets_up = True
            self._setup(node)
        elif kind < 8 and self._move(node, turn):
            turn += 1
            self._annotations(node, "move", 2 if self.choices.chance(4) else 0)
        self._annotations(node, "none", 3 if self.choices.chance(3) else 0)
        return _Place(node, turn, self._mark(), sets_up, main)

    # --- What nodes hold ---

    def _annotations(self, node: NewNode, role: Role, most: int) -> None:
        """Properties of a type beside those that a node has."""
        if not most:
            return
        groups = {self._group(ident) for ident, _ in node.properties}
        has_move = "move" in groups
        taken: dict[str, set[bytes]] = {}
        apart = {*_WRITTEN_APART, MARKS_NODE}
        entries = [entry for entry in self._defined(role) if entry.format not in apart]
        for entry in self.choices.some(entries, most):
            if (entry.needs_move and not has_move) or node.get(entry.ident) is not None:
                continue
            if entry.exclusive and entry.exclusive in groups:
                continue
            raws = self.values_of(entry, taken)
            if raws:
                groups.add(entry.exclusive)
                node.properties.append((entry.ident, raws))

    def _group(self, ident: str) -> str:
        entry = grammar.definition(ident, self.context.game, self.context.file_format)
        return entry.exclusive if entry is not None else ""

    def values_of(self, entry: PropertyDefinition, taken: dict[str, set[bytes]]) -> list[bytes]:
        """Values for the property; `taken` are the points that others of its group name.

        None at all where there is no point left.
        """
        kind = self.values.alternatives(entry)[0]
        if kind.first == "move":
            move = self.any_move()
            return [move] if move is not None else []
        if kind.first not in {"point", "stone"}:
            if kind.many and entry.format:
                return self._tagged(entry)
            return [self.values.single(entry)]
        group = taken.setdefault(_points_are_shared_by(entry), set())
        if kind.composed:
            return self._pairs(entry, group)
        if kind.empty and entry.unique == "own" and self.choices.chance(6):
            return [b""]
        if entry.ident == "VW" and self.context.file_format < 4:
            return self._points(entry, group, 2, 2)
        return self._points(entry, group, 1, 6 if kind.many else 1)

    def _points(
        self, entry: PropertyDefinition, group: set[bytes], least: int, most: int
    ) -> list[bytes]:
        raws: list[bytes] = []
        is_stone = entry.alternatives[0].first == "stone"
        plain = not is_stone or self.game.stone == self.game.point
        for _ in range(self.choices.integer(least, most)):
            raw = None
            if least < most and plain and self._may_compress() and self.choices.chance(4):
                raw = self.values.rectangle(group)
            if raw is None:
                raw = self.values.stone(group) if is_stone else self.values.fresh(group)
            if raw is not None:
                raws.append(raw)
        return raws if len(raws) >= least else []

    def _may_compress(self) -> bool:
        return self.context.file_format >= 4 and bool(self.game.point)

    def _pairs(self, entry: PropertyDefinition, group: set[bytes]) -> list[bytes]:
        """Labels, arrows and lines, each once."""
        kind = self.values.alternatives(entry)[0]
        raws: list[bytes] = []
        seen: set[frozenset[bytes]] = set()
        for _ in range(self.choices.integer(1, 3)):
            if kind.second in grammar.TEXT_TYPES:
                point = self.values.fresh(group)
                raws += [point + b":" + self.values.label()] if point is not None else []
                continue
            both: set[bytes] = set()
            left, right = self.values.fresh(both), self.values.fresh(both)
            if left is None or right is None or both in seen:
                continue
            seen.add(frozenset(both))
            raws.append(self._with_prongs(left, kind.first) + b":" + right)
        return raws

    def _with_prongs(self, point: bytes, kind: str) -> bytes:
        return self.values.stone_at(point) if kind == "stone" else point

    def _tagged(self, entry: PropertyDefinition) -> list[bytes]:
        """Composed values of a format, each first half once."""
        words = [self.values.word(entry.format) for _ in range(self.choices.integer(1, 3))]
        return list({raw.split(b":")[0].lower(): raw for raw in words}.values())

    def any_move(self) -> bytes | None:
        """A move, whoever makes it; None where there is none."""
        if self.board is not None:
            return self.values.written(self.values.point())
        if self.game.move == "gess_move":
            return self._gess_move()
        return self.values.word(self.game.move) if self.game.move else self.values.plain_word()

    # --- Moves and setup ---

    def _move(self, node: NewNode, turn: int) -> bool:
        """A move for whose turn it is; False where there is none."""
        ident, color = _PLAYERS[turn % 2]
        raw: bytes | None = None
        if self.board is not None:
            point = None if self.choices.chance(20) else self._empty_point()
            if point is None:
                raw = self._pass()
            else:
                self.board.play(point, color)
                raw = self.values.written(point)
        else:
            raw = self.any_move()
        if raw is not None:
            node.properties.append((ident, [raw]))
        return raw is not None

    def _empty_point(self) -> Point | None:
        for _ in range(10):
            point = self.values.point()
            if self.board is not None and self.board[point] == EMPTY:
                return point
        return None

    def _pass(self) -> bytes:
        """Nothing, or "tt" where that is no point of the board."""
        size = self.context.size or (0, 0)
        if self.context.file_format < 4 or (max(size) <= 19 and self.choices.chance(3)):
            return b"tt"
        return b""

    def _gess_move(self) -> bytes | None:
        """The centre of a footprint has a point on every side."""
        size = self.context.size
        if size is None or min(size) < 3:
            return None
        ends = [
            Point(self.choices.integer(1, size[0] - 2), self.choices.integer(1, size[1] - 2))
            for _ in range(2)
        ]
        return b":".join(map(self.values.written, ends))

    def _setup(self, node: NewNode) -> None:
        """Stones and whatever else sets a position up."""
        taken: dict[str, set[bytes]] = {}
        for entry in self.choices.some(self._defined("setup"), 3):
            raws = self._stones(entry) if self.board else self.values_of(entry, taken)
            if raws:
                node.properties.append((entry.ident, raws))
        if self.board is not None:
            self._remove_repeated(node)

    def _stones(self, entry: PropertyDefinition) -> list[bytes]:
        """Setup for Go that changes something."""
        if entry.ident not in _COLOR:
            return [self.values.single(entry)]
        return self._points(entry, set(), 1, 8)

    def _remove_repeated(self, node: NewNode) -> None:
        """Points that change nothing or are named already go; rectangles as a whole."""
        board, taken = self.board, set[Point]()
        kept: list[Property] = []
        changes: list[tuple[Point, int]] = []
        for ident, raws in node.properties:
            color = _COLOR.get(ident)
            useful = []
            for raw in raws if color is not None else ():
                points = set(self.covered(raw))
                if color is None or board is None or taken & points:
                    continue
                if all(board[point] != color for point in points):
                    taken |= points
                    changes += [(point, color) for point in points]
                    useful.append(raw)
            if color is None:
                kept.append((ident, raws))
            elif useful:
                kept.append((ident, useful))
        for point, color in changes:
            if board is not None:
                board.place(point, color)
        node.properties = kept

    def covered(self, raw: bytes) -> Iterator[Point]:
        ends = [reader(self.context).read("go_point", half) for half in raw.split(b":")]
        return expand(ends[0], ends[-1])

    # --- Root and game information ---

    def _root_properties(self, root: NewNode) -> None:
        """All but what the tree says of itself: FF, GM, CA and SZ are written first."""
        choices = self.choices
        if choices.chance(4):
            self._setup(root)
            black = root.get("AB")
            may_tell = bool(self._defined("game-info"))
            if self.board is not None and black and may_tell and choices.chance(2):
                count = sum(1 for raw in black for _ in self.covered(raw))
                if count > 1:
                    root.properties.append(("HA", [b"%d" % count]))
        self._annotations(root, "root", 2 if choices.chance(2) else 0)
        self._annotations(root, "game-info", choices.choice((0, 3, 10)))
        self._annotations(root, "none", 2 if choices.chance(3) else 0)

    def _has_info(self, root: NewNode) -> bool:
        return any(
            entry is not None and entry.type == "game-info"
            for entry in (
                grammar.definition(ident, self.context.game, self.context.file_format)
                for ident, _ in root.properties
            )
        )

    def _info_of_branches(self, root: NewNode) -> None:
        """Several games that begin alike: each variation has its own game information."""
        if len(root.children) < 2 or not self.choices.chance(3):
            return
        for child in root.children if self._defined("game-info") else ():
            child.properties.append(("PB", [self.values.text("simpletext")]))
            self._annotations(child, "game-info", 2)

    def _finish(self, root: NewNode) -> None:
        """No variation ends in an empty node, nor the game in a pass that says nothing."""
        last = root
        while last.children:
            last = last.children[0]
        for node in root.nodes():
            if node.children or node is root:
                continue
            only_pass = node is last and len(node.properties) == 1
            if not node.properties or (only_pass and node.properties[0][1] in ([b""], [b"tt"])):
                node.properties.append(("C", [self.values.text("text")]))


def _points_are_shared_by(entry: PropertyDefinition) -> str:
    """What properties have in common that may not name the same point in a node."""
    if entry.type in {"setup", "game-info"}:
        return entry.type
    return entry.ident if entry.unique in {"own", ""} else entry.unique
