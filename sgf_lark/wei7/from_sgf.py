"""Converts SGF to wei7, and reports each item that wei7 cannot hold."""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from sgf_lark.diagnostics import Span, Words
from sgf_lark.model.board import Board
from sgf_lark.model.cells import BLACK, EMPTY, SET_UP, WHITE
from sgf_lark.model.info import GameInfo
from sgf_lark.model.loading import loads
from sgf_lark.model.node import Node
from sgf_lark.model.property import Expansion, Property
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values.reader import SGFValueError
from sgf_lark.wei7.checking import DEFAULT_SIZE
from sgf_lark.wei7.schema import fits

_TEXT = Path(__file__).with_name("losses.toml").read_text("utf-8")
#: The reasons for which something is lost, by the keys of losses.toml.
REASONS = {key: Words(*texts) for key, texts in tomllib.loads(_TEXT).items()}


@dataclass(frozen=True, slots=True)
class Lost:
    """An item of an SGF file without a counterpart in wei7.

    `what` is a property as written, or ";" for a node; `node` is the number of the node,
    0-based, in the order of the file; `span` is None for an item that is not in a file.
    """

    what: str
    reason: Words
    node: int | None
    span: Span | None = None

    @property
    def ident(self) -> str:
        """The identifier of the property, or ";" for a node."""
        return self.what.partition("[")[0]


def handicap(tree: dict[str, Any]) -> int | None:
    """The handicap that the tree of a document shows, which HA is in SGF.

    It is the number of stones if there are several before the first move, all of them are Black,
    and White begins.
    """
    stones = tree.get("pre", {}).get("stones", ())
    while not tree.get("steps") and tree.get("branches"):
        tree = tree["branches"][0]
    first = tree.get("steps", [{}])[:1]
    if len(stones) < 2 or not first or any(stone["color"] == 2 for stone in stones):
        return None
    action = first[0].get("action", {})
    return len(stones) if action.get("type") == "move" and action["value"]["color"] == 2 else None


_GO = 1
#: The scoring that the rules imply.
SCORING = {"Chinese": "area", "Japanese": "territory", "Korean": "territory"}
_COLORS = {"B": BLACK, "W": WHITE}
_SETUP_IDENTS = ("AB", "AW", "AE")
_EVALUATIONS = {"TE": "good", "BM": "bad"}
#: The root properties that follow from the format or are converted elsewhere.
_CONVERTED_ELSEWHERE = {"FF", "GM", "CA", "SZ", "HA"}


@dataclass(frozen=True, slots=True)
class Conversion:
    """A wei7 document, and the items that it lacks."""

    document: dict[str, Any]
    lost: tuple[Lost, ...]


def from_sgf(game: GameTree | bytes) -> Conversion:
    """Convert a game of Go to a wei7 document (wei7 3.0), and list what it cannot hold.

    If `game` is the bytes of a collection, its first game is converted and the others are
    lost. Moves, setup, players, result, date, komi, rules, place, comments, names of nodes
    and labels of one character are kept. A variation ends before a position that wei7
    cannot express. Raises SGFSyntaxError for bytes that are not SGF, and ValueError for
    games other than Go, and if the rectangles have many times more points than the file bytes.
    """
    others: list[GameTree] = []
    if isinstance(game, bytes):
        game, *others = loads(game)
    if game.game != _GO or game.size is None:
        raise ValueError(f"wei7 is for Go, and this is a game with GM[{game.game}]")
    converter = _Converter(game)
    document = converter.document()
    lost = [Lost(";", REASONS["second_game"], other.root.number) for other in others]
    return Conversion(document, (*converter.lost, *lost))


class _Start(NamedTuple):
    """The start of a variation: the wei7 tree for it, its first node, the board before that, and
    whether the path to it has setup or moves."""

    tree: dict[str, Any]
    node: Node
    board: Board
    has_begun: bool


class _Converter:
    """Converts one game tree."""

    def __init__(self, game: GameTree) -> None:
        self.game = game
        assert game.size is not None
        self.size = game.size
        self.board = Board(*self.size)
        self.expansion = Expansion(len(game.parsed.flat.data))
        self.lost: list[Lost] = []
        #: The properties in `lost`, as they are written.
        self._reported: dict[Property, str] = {}

    def document(self) -> Any:
        columns, rows = self.size
        document: dict[str, Any] = {"format": "wei7", "version": "3.0"}
        if columns != rows:
            document["size"] = {"width": columns, "height": rows}
        elif columns != DEFAULT_SIZE:
            document["size"] = columns
        root = self.game.root
        information = self._information(root)
        if information:
            document["info"] = information
        tree = document["tree"] = {}
        stack = [_Start(tree, root, self.board, has_begun=False)]
        while stack:
            stack.extend(reversed(self._variation(stack.pop())))
        _prune(tree)
        if "HA" in root:
            # What follows from the stones is not lost; 0 means that there are none.
            entry = root.property("HA")
            value = self._value(entry)
            if entry not in self._reported and (value or None) != handicap(tree):
                self._lose(entry, "handicap")
        return document

    def _lose(self, entry: Property, reason: str) -> None:
        # A property of which many values are lost is decoded only once.
        if entry not in self._reported:
            written = bytes(entry).decode(self.game.charset, "backslashreplace")
            self._reported[entry] = written
        what = self._reported[entry]
        self.lost.append(Lost(what, REASONS[reason], entry.node.number, entry.span))

    def _value(self, entry: Property) -> Any:
        """The value; None, and reported, if it is invalid."""
        try:
            value = entry.value
        except SGFValueError:
            self._lose(entry, "invalid")
            return None
        if isinstance(value, list):
            # A rectangle of five bytes can have thousands of points.
            self.expansion.add(len(value) - len(entry.raw))
        return value

    def _of_the_game(self, entry: Property) -> bool:
        """Whether this is a root or game-info property of the root, converted elsewhere."""
        known = entry.ident in _INFORMATION or entry.ident in _CONVERTED_ELSEWHERE
        return known and entry.node is self.game.root

    # The tree

    def _variation(self, start: _Start) -> list[_Start]:
        """Convert the nodes of a variation up to where it branches, and return the branches."""
        tree, node, board, has_begun = start
        self.board = board.copy()
        while True:
            entries = self._by_ident(node)
            moves = [entry for ident, entry in entries.items() if ident in ("B", "W")]
            stones = [entry for entry in node.properties if entry.ident in _SETUP_IDENTS]
            #: What precedes the move: the title, and `pre`.
            head: dict[str, Any] = {}
            if stones and not self._set_up(head, node, stones, has_begun):
                return []
            has_begun = has_begun or bool(stones or moves)
            step = self._step(node, moves) if moves else None
            if moves and step is None:
                return []
            self._annotate(head, node, entries, step)
            if head and node != start.node:
                tree["branches"] = [{}]
                (tree,) = tree["branches"]
            tree.update(head)
            if step is not None:
                tree.setdefault("steps", []).append(step)
            children = node.children
            if len(children) != 1:
                break
            node = children[0]
        if not children:
            return []
        tree["branches"] = [{} for _ in children]
        return [
            _Start(branch, child, self.board, has_begun)
            for branch, child in zip(tree["branches"], children, strict=True)
        ]

    def _by_ident(self, node: Node) -> dict[str, Property]:
        """The properties by identifier; reports repeated ones, except for setup."""
        entries: dict[str, Property] = {}
        for entry in node.properties:
            if entry.ident not in entries:
                entries[entry.ident] = entry
            elif entry.ident not in _SETUP_IDENTS:
                self._lose(entry, "twice")
        return entries

    def _end(self, node: Node, reason: str) -> None:
        """Report the rest of this node, and all nodes below it."""
        for entry in node.properties:
            if entry not in self._reported and not self._of_the_game(entry):
                self._lose(entry, reason)
        stack = [*reversed(node.children)]
        while stack:
            below = stack.pop()
            self.lost.append(Lost(";", REASONS[reason], below.number))
            stack.extend(reversed(below.children))

    def _set_up(
        self, head: dict[str, Any], node: Node, entries: list[Property], has_begun: bool
    ) -> bool:
        """Convert the setup stones to `pre`; False if wei7 cannot express the position."""
        stones = self._stones(entries, has_begun)
        if stones is None:
            self._end(node, "setup")
            return False
        for at, stone in stones.items():
            self.board.put(at, stone)
        if has_begun or any(self.board.without_liberty(stones)):
            for entry in entries:
                self._lose(entry, "setup")
            self._end(node, "setup")
            return False
        if stones:
            placed = sorted(stones.items(), key=lambda stone: stone[1])
            head["pre"] = {
                "stones": [{"color": color, "point": _point(at)} for at, color in placed]
            }
        return True

    def _stones(
        self, entries: list[Property], has_begun: bool
    ) -> dict[tuple[int, int], int] | None:
        """Point -> color of its stone; None if a property ends the variation.

        Before any move AE only takes stones away that the same node sets up.
        """
        stones: dict[tuple[int, int], tuple[int, Property]] = {}
        for entry in entries:
            points = self._value(entry)
            if points is None:
                return None
            color = SET_UP[entry.ident]
            if color == EMPTY:
                self._lose(entry, "setup" if has_begun else "no_place")
                if has_begun:
                    return None
            for point in points:
                if not self.game.has_point(point):
                    self._lose(entry, "off_board")
                    continue
                at = point.column, point.row
                before, overridden = stones.get(at, (color, entry))
                if before not in (color, EMPTY):
                    self._lose(overridden, "overridden")
                stones[at] = color, entry
        return {at: color for at, (color, _) in stones.items() if color != EMPTY}

    def _step(self, node: Node, moves: list[Property]) -> dict[str, Any] | None:
        """The move as a step; None if wei7 forbids it."""
        entry, *others = moves
        for other in others:
            self._lose(other, "twice")
        move = self._value(entry)
        if move is None:
            self._end(node, "invalid")
            return None
        color = _COLORS[entry.ident]
        point = None
        if move.point is not None:
            at = (move.point.column, move.point.row)
            reason = "occupied" if self.game.has_point(move.point) else "off_board"
            if reason == "off_board" or self.board.cell(at):
                self._lose(entry, reason)
                self._end(node, reason)
                return None
            self.board.add_stone(at, color)
            point = _point(at)
        return {"action": {"type": "move", "value": {"color": color, "point": point}}}

    def _annotate(
        self,
        head: dict[str, Any],
        node: Node,
        entries: dict[str, Property],
        step: dict[str, Any] | None,
    ) -> None:
        """Convert comment, labels, name and evaluation of a node, and report the rest."""
        for ident, entry in entries.items():
            if ident in ("B", "W", *_SETUP_IDENTS) or self._of_the_game(entry):
                continue
            if ident in _INFORMATION or ident == "HA":
                self._lose(entry, "not_here")
            elif ident not in ("C", "LB", "N", "TE", "BM"):
                self._lose(entry, "no_place")
            else:
                self._annotation(head, entry, step)
        if step is None and not head and node is not self.game.root:
            self.lost.append(Lost(";", REASONS["empty"], node.number))

    def _annotation(
        self, head: dict[str, Any], entry: Property, step: dict[str, Any] | None
    ) -> None:
        """Convert comment, labels, name or evaluation."""
        value = self._value(entry)
        if value is None:
            return
        if entry.ident == "N":
            head["title"] = value
        elif entry.ident in _EVALUATIONS:
            self._evaluate(entry, value, step)
        elif entry.ident == "C":
            holder = step if step is not None else head.setdefault("pre", {})
            holder["comment"] = value
        elif marks := self._labels(entry, value):
            holder = step if step is not None else head.setdefault("pre", {})
            holder["marks"] = marks

    def _evaluate(self, entry: Property, value: Any, step: dict[str, Any] | None) -> None:
        move = step["action"]["value"] if step is not None else None
        if move is None:
            self._lose(entry, "no_place")
        elif "evaluation" in move:
            self._lose(entry, "twice")
        else:
            move["evaluation"] = _EVALUATIONS[entry.ident]
            if int(value) > 1:
                self._lose(entry, "emphasis")

    def _labels(self, entry: Property, labels: Any) -> list[dict[str, Any]]:
        fitting = [
            label
            for label in labels
            if fits(label.right, "Symbol") and self.game.has_point(label.left)
        ]
        if len(fitting) < len(labels):
            self._lose(entry, "label")
        return [
            {"point": _point((label.left.column, label.left.row)), "symbol": label.right}
            for label in fitting
        ]

    def _information(self, root: Node) -> dict[str, Any]:
        parts: dict[str, dict[str, Any]] = {name: {} for name in ("info", "rules", "B", "W")}
        meant = GameInfo(self.game, root).interpretations
        for ident, (part, name, convert) in _INFORMATION.items():
            entry = root.property(ident) if ident in root else None
            if entry is not None and ident in meant:
                value = self.game.parsed.reader.read_single(ident, meant[ident].value.encode())
                if not meant[ident].complete:
                    self._lose(entry, "interpreted")
            else:
                value = self._value(entry) if entry is not None else None
            if entry is None or value is None:
                continue
            # A value may be kept and something of it lost, such as the time of a day without one.
            found, reason = convert(value, self.game)
            if found is not None:
                parts[part][name] = found
            if reason is not None:
                self._lose(entry, reason)
        info, rules = parts["info"], parts["rules"]
        if "type" in rules:
            rules["scoring"] = SCORING[rules["type"]]
        if rules:
            info["rules"] = rules
        present = [letter for letter in _COLORS if parts[letter]]
        if present:
            info["participants"] = [parts[letter] for letter in present]
            info["players"] = [
                {"participant": index, "color": _COLORS[letter]}
                for index, letter in enumerate(present)
            ]
        return info


# --- Game information -----------------------------------------------------------------

#: A value for wei7, or None, and the key of the reason for which something is lost.
_Kept = tuple[Any, str | None]


def _if_fits(definition: str, reason: str, value: Any, game: GameTree) -> _Kept:
    value = _in_points(value, game) if isinstance(value, int | float) else value
    return (value, None) if fits(value, definition) else (None, reason)


_short = partial(_if_fits, "ShortString", "too_long")
_komi = partial(_if_fits, "Komi", "komi")
_rules = partial(_if_fits, "RulesType", "rules")


def _result(value: str, game: GameTree) -> _Kept:
    if value.lower() in ("0", "draw"):
        return {"winner": None}, None
    match = re.fullmatch(r"([BW])(?:\+(?:(\d{1,9}(?:\.\d{1,9})?)|([A-Za-z]*)))?", value)
    if match is None:
        return None, "no_result"
    winner, margin, manner = match.groups()
    result = {"winner": _COLORS[winner]}
    if margin is None:
        return result, None if manner in ("R", "Resign") else "how_won"
    points, reason = _if_fits("Margin", "margin", float(margin), game)
    return (result | {"margin": points} if reason is None else None), reason


def _in_points(number: float, game: GameTree) -> float:
    """The points for a number: under Chinese rules quarters count stones (5.10.9)."""
    if number % 0.5 == 0.25 and game.root.get("RU") == "Chinese":
        number *= 2
    return int(number) if number == int(number) else number


def _date(value: str, game: GameTree) -> _Kept:
    try:
        day = datetime.date.fromisoformat(value)
    except ValueError:
        return None, "one_day"
    return f"{day.isoformat()}T00:00Z", "time"


#: The game-info properties that wei7 can hold but HA -> the object and the member for it, and the
#: function that converts the value.
_INFORMATION: dict[str, tuple[str, str, Callable[[Any, GameTree], _Kept]]] = {
    "GN": ("info", "name", _short),
    "PC": ("info", "place", _short),
    "PB": ("B", "name", _short),
    "PW": ("W", "name", _short),
    "BR": ("B", "rank", _short),
    "WR": ("W", "rank", _short),
    "KM": ("rules", "komi", _komi),
    "RU": ("rules", "type", _rules),
    "RE": ("info", "result", _result),
    "DT": ("info", "time", _date),
}

# --- The tree of wei7 -----------------------------------------------------------------


def _point(at: tuple[int, int]) -> dict[str, int]:
    return {"x": at[0], "y": at[1]}


def _prune(root: dict[str, Any]) -> None:
    """Remove empty branches from the end, so that the first branch stays the first.

    A branch that is then the only one, and has neither title nor `pre`, continues its tree.
    """
    trees = [root]
    for tree in trees:
        trees.extend(tree.get("branches", ()))
    for tree in reversed(trees):
        branches = tree.get("branches", [])
        while branches and not branches[-1]:
            branches.pop()
        if not branches:
            tree.pop("branches", None)
    trees = [root]
    for tree in trees:
        while len(tree.get("branches", ())) == 1:
            (only,) = tree["branches"]
            if not only.keys().isdisjoint(("title", "pre")):
                break
            del tree["branches"]
            if "steps" in only:
                tree.setdefault("steps", []).extend(only["steps"])
            if "branches" in only:
                tree["branches"] = only["branches"]
        trees.extend(tree.get("branches", ()))
