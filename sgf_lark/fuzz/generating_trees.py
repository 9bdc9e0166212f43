"""Random game trees that conform, as nodes with raw values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Literal

from sgf_lark import grammar
from sgf_lark.fuzz.generating_values import Values
from sgf_lark.grammar import PropertyDefinition, Role
from sgf_lark.model.board import Board, Mark
from sgf_lark.model.cells import EMPTY, PLAYED, SET_UP
from sgf_lark.model.values import Context, Point
from sgf_lark.model.values.notations import has_empty_step, has_short_pass
from sgf_lark.model.values.points import expand
from sgf_lark.model.values.reader import reader

Property = tuple[str, list[bytes]]
Shape = Literal["line", "bushy", "mixed"]
SHAPES: tuple[Shape, ...] = ("mixed", "line", "bushy")


@dataclass(slots=True)
class NewNode:
    """A node to be written: its properties, as identifiers with raw values, and its children."""

    properties: list[Property] = field(default_factory=list)
    children: list[NewNode] = field(default_factory=list)

    def nodes(self) -> Iterator[NewNode]:
        """Yield this node and all nodes below it in the order in which they are written."""
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            pending.extend(reversed(node.children))

    def last_of_main_line(self) -> NewNode:
        """Return the node at the end of the main line that begins with this node."""
        last = self
        while last.children:
            last = last.children[0]
        return last

    def get(self, ident: str) -> list[bytes] | None:
        """Return the values of the property, or None if the node does not have it."""
        return next((raws for name, raws in self.properties if name == ident), None)


#: Formats of root properties that :func:`~sgf_lark.fuzz.generating_files.root_properties`
#: writes, and of one that depends on another property.
_GENERATED_ELSEWHERE = {"handicap", "file_format", "game", "size", "charset"}
#: The format of a property that occurs once in a tree, in any node.
ONCE_IN_TREE = "hex_initial_position"


@cache
def defined(game: int, file_format: int, role: Role) -> tuple[PropertyDefinition, ...]:
    """Return the properties of type `role` that a tree of that GM and FF may contain.

    Moves and properties private to one program are left out.
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
    """A node on the path to the node that is generated next.

    `turn` counts moves (even: Black moves next), `mark` is the state of the board, `sets_up`
    whether the node has setup properties, `main` whether it is in the main line.
    """

    node: NewNode
    turn: int
    mark: Mark | None
    sets_up: bool
    main: bool


_PLAYERS = tuple(PLAYED.items())


class Trees:
    """Generates game trees of one context."""

    def __init__(self, values: Values, leave_out: frozenset[str] = frozenset()) -> None:
        """Generate trees with `values`, without properties of the types to `leave_out`."""
        self.values = values
        self.leave_out = leave_out
        self.choices = values.choices
        self.context: Context = values.context
        self.game = values.game
        self.board = (
            Board(*self.context.size) if self.context.size and self.context.game == 1 else None
        )

    def tree(self, count: int, shape: Shape) -> NewNode:
        """Return the root of a tree of `count` nodes after the root."""
        root = NewNode()
        self._root_properties(root)
        self._grow(_Place(root, 0, self._mark(), False, True), count, shape)
        once = [entry for entry in self._defined("game-info") if entry.format == ONCE_IN_TREE]
        if once and self.choices.chance(4):
            nodes = [root] if self._has_info(root) else list(root.nodes())[:20]
            self.choices.choice(nodes).properties.append((once[0].ident, [b""]))
        elif not self._has_info(root):
            self._info_of_branches(root)
        self._finish(root)
        return root

    def _defined(self, role: Role) -> tuple[PropertyDefinition, ...]:
        if role in self.leave_out:
            return ()
        return defined(self.context.game, self.context.file_format, role)

    # --- The shape ---

    def _mark(self) -> Mark | None:
        return self.board.mark() if self.board is not None else None

    def _grow(self, first: _Place, count: int, shape: Shape) -> None:
        """Add `count` nodes below the first; each follows the one before it, or a node above."""
        branch_out_of = {"bushy": 2, "mixed": 5}.get(shape, 0)
        path = [first]
        for _ in range(count):
            self.choices.part(partial(self._grow_by_one, path, branch_out_of))

    def _grow_by_one(self, path: list[_Place], branch_out_of: int) -> None:
        """Add a node at the end of the path, of which the last nodes may be left before."""
        if branch_out_of and len(path) > 1 and self.choices.chance(branch_out_of):
            del path[-self.choices.integer(1, min(len(path) - 1, 20)) :]
            if self.board is not None and (mark := path[-1].mark) is not None:
                self.board.undo_to(mark)
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

    # --- Properties ---

    def _annotations(self, node: NewNode, role: Role, limit: int) -> None:
        """Add at most `limit` properties of a type to those that the node has."""
        if not limit:
            return
        left_out = {*_GENERATED_ELSEWHERE, ONCE_IN_TREE}
        entries = [entry for entry in self._defined(role) if entry.format not in left_out]
        taken: dict[str, set[bytes]] = {}
        # Which property it is belongs to its part: without the part, the others stay as they are.
        for _ in range(self.choices.count(0, min(limit, len(entries)))):
            self.choices.part(lambda: self._annotate(node, self.choices.choice(entries), taken))

    def _annotate(
        self, node: NewNode, entry: PropertyDefinition, taken: dict[str, set[bytes]]
    ) -> None:
        """Add a property to the node unless those that it has forbid it."""
        groups = {each.exclusive for each in self._definitions(node)}
        if (entry.needs_move and "move" not in groups) or node.get(entry.ident) is not None:
            return
        if entry.exclusive and entry.exclusive in groups:
            return
        raws = self.values_of(entry, taken)
        if raws:
            node.properties.append((entry.ident, raws))

    def _definitions(self, node: NewNode) -> Iterator[PropertyDefinition]:
        for ident, _ in node.properties:
            entry = grammar.definition(ident, self.context.game, self.context.file_format)
            if entry is not None:
                yield entry

    def values_of(self, entry: PropertyDefinition, taken: dict[str, set[bytes]]) -> list[bytes]:
        """Return values for the property, or an empty list where no point is left.

        `taken` has the points that are in use, for each group of properties that may not
        name the same point.
        """
        kind = self.values.alternatives(entry)[0]
        if kind.first == "move":
            move = self.any_move()
            return [move] if move is not None else []
        if kind.first not in {"point", "stone"}:
            if kind.many and entry.format:
                # Each first half once.
                words = [self.values.word(entry.format) for _ in range(self.choices.integer(1, 3))]
                return list({raw.split(b":")[0].lower(): raw for raw in words}.values())
            return [self.values.single_value(entry)]
        group = taken.setdefault(_unique_point_group(entry), set())
        if kind.composed:
            return self._pairs(entry, group)
        if kind.empty and entry.unique == "own" and self.choices.chance(6):
            return [b""]
        if entry.ident == "VW" and self.context.file_format < 4:
            return self._points(entry, group, 2, 2)
        return self._points(entry, group, 1, 6 if kind.many else 1)

    def _points(
        self, entry: PropertyDefinition, group: set[bytes], least: int, limit: int
    ) -> list[bytes]:
        raws: list[bytes] = []
        is_stone = entry.alternatives[0].first == "stone"
        is_point = not is_stone or self.game.stone == self.game.point
        may_compress = is_point and self.context.file_format >= 4 and bool(self.game.point)
        for _ in range(self.choices.integer(least, limit)):
            raw = None
            if least < limit and may_compress and self.choices.chance(4):
                raw = self.values.rectangle(group)
            if raw is None:
                raw = self.values.stone(group) if is_stone else self.values.free_point(group)
            if raw is not None:
                raws.append(raw)
        return raws if len(raws) >= least else []

    def _pairs(self, entry: PropertyDefinition, group: set[bytes]) -> list[bytes]:
        """Return labels, arrows or lines, each once."""
        kind = self.values.alternatives(entry)[0]
        raws: list[bytes] = []
        seen: set[frozenset[bytes]] = set()
        for _ in range(self.choices.integer(1, 3)):
            if kind.second in grammar.TEXT_TYPES:
                point = self.values.free_point(group)
                raws += [point + b":" + self.values.label()] if point is not None else []
                continue
            both: set[bytes] = set()
            left, right = self.values.free_point(both), self.values.free_point(both)
            if left is None or right is None or both in seen:
                continue
            seen.add(frozenset(both))
            left = self.values.stone_at(left) if kind.first == "stone" else left
            raws.append(left + b":" + right)
        return raws

    def any_move(self) -> bytes | None:
        """Return a move of either color, or None where the board is too small for one."""
        if self.board is not None:
            return self.values.write(self.values.point())
        if not self.game.move:
            return self.values.plain_word()
        for _ in range(10):
            is_gess = self.game.move == "gess_move"
            raw = self._gess_move() if is_gess else self.values.word(self.game.move)
            if raw is None or not has_empty_step(reader(self.context).read("move", raw)):
                return raw
        return None

    # --- Moves and setup ---

    def _move(self, node: NewNode, turn: int) -> bool:
        """Add a move of the color to play; return False where there is none."""
        ident, color = _PLAYERS[turn % 2]
        raw: bytes | None = None
        if self.board is not None:
            point = None if self.choices.chance(20) else self._empty_point()
            if point is None:
                raw = self._pass()
            else:
                self.board.add_stone(point, color)
                raw = self.values.write(point)
        else:
            raw = self.any_move()
        if raw is not None:
            node.properties.append((ident, [raw]))
        return raw is not None

    def _empty_point(self) -> Point | None:
        for _ in range(10):
            point = self.values.point()
            if self.board is not None and self.board.cell(point) == EMPTY:
                return point
        return None

    def _pass(self) -> bytes:
        """Return an empty value, or "tt" where that is not a point of the board."""
        is_known = has_short_pass(self.context.size or (0, 0))
        if self.context.file_format < 4 or (is_known and self.choices.chance(3)):
            return b"tt"
        return b""

    def _gess_move(self) -> bytes | None:
        """Return a move whose ends are not on the edge: they are centers of footprints."""
        size = self.context.size
        if size is None or min(size) < 3:
            return None
        ends = [
            Point(self.choices.integer(1, size[0] - 2), self.choices.integer(1, size[1] - 2))
            for _ in range(2)
        ]
        return b":".join(map(self.values.write, ends))

    def _setup(self, node: NewNode) -> None:
        """Add setup properties."""
        taken: dict[str, set[bytes]] = {}
        for entry in self.choices.some(self._defined("setup"), 3):
            if not self.board:
                raws = self.values_of(entry, taken)
            elif entry.ident in SET_UP:
                raws = self._points(entry, set(), 1, 8)
            else:
                raws = [self.values.single_value(entry)]
            if raws:
                node.properties.append((entry.ident, raws))
        if self.board is not None:
            self._remove_ineffective(node, self.board)

    def _remove_ineffective(self, node: NewNode, board: Board) -> None:
        """Remove values with a point that the node names twice or that changes nothing.

        The other values are applied to the board.
        """
        kept: list[Property] = []
        changes: dict[Point, int] = {}
        for ident, raws in node.properties:
            color = SET_UP.get(ident)
            if color is None:
                kept.append((ident, raws))
                continue
            effective = []
            for raw in raws:
                points = dict.fromkeys(self._covered_points(raw), color)
                if not changes.keys() & points and color not in map(board.cell, points):
                    changes |= points
                    effective.append(raw)
            if effective:
                kept.append((ident, effective))
        for point, color in changes.items():
            board.put(point, color)
        node.properties = kept

    def _covered_points(self, raw: bytes) -> Iterator[Point]:
        """Yield the points of a value of a point list of Go, which may be a rectangle."""
        ends = [reader(self.context).read("go_point", half) for half in raw.split(b":")]
        return iter(expand(ends[0], ends[-1]))

    # --- Root and game information ---

    def _root_properties(self, root: NewNode) -> None:
        """Add the properties of the root, other than FF, GM, CA and SZ."""
        choices = self.choices
        if choices.chance(4):
            choices.part(lambda: self._setup(root))
            black = root.get("AB")
            may_have_handicap = bool(self._defined("game-info"))
            if self.board is not None and black and may_have_handicap and choices.chance(2):
                count = sum(1 for raw in black for _ in self._covered_points(raw))
                if count > 1:
                    root.properties.append(("HA", [b"%d" % count]))
        self._annotations(root, "root", 2 if choices.chance(2) else 0)
        self._annotations(root, "game-info", choices.choice((0, 3, 10)))
        self._annotations(root, "none", 2 if choices.chance(3) else 0)

    def _has_info(self, root: NewNode) -> bool:
        return any(entry.type == "game-info" for entry in self._definitions(root))

    def _info_of_branches(self, root: NewNode) -> None:
        """Add game information to each variation: several games that begin alike."""
        if len(root.children) < 2 or not self.choices.chance(3):
            return
        for child in root.children if self._defined("game-info") else ():
            child.properties.append(("PB", [self.values.text()]))
            self._annotations(child, "game-info", 2)

    def _finish(self, root: NewNode) -> None:
        """Add a comment to empty leaves, and to a last move that is a pass."""
        last = root.last_of_main_line()
        for node in root.nodes():
            if node.children or node is root:
                continue
            only_pass = node is last and len(node.properties) == 1
            if not node.properties or (only_pass and node.properties[0][1] in ([b""], [b"tt"])):
                node.properties.append(("C", [self.values.text()]))


def _unique_point_group(entry: PropertyDefinition) -> str:
    """Return the name of the group of properties that may not name the same point in a node."""
    if entry.type in {"setup", "game-info"}:
        return entry.type
    return entry.ident if entry.unique in {"own", ""} else entry.unique
