"""What a file means to its readers: the moves, the positions, the game information, the texts.

:mod:`tests.kit.comparing` compares the meanings of a file before and after safe fixes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, TypeGuard

from sgf_lark import grammar
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.board import Board
from sgf_lark.model.cells import BLACK, EMPTY, WHITE
from sgf_lark.model.values import Context, Point
from sgf_lark.model.values.reader import reader
from tests.kit.meaning_of_values import (
    SPACE,
    UNKNOWN,
    ends_or_label,
    narrow,
    number_in,
    of_format,
    point_of_letters,
    rectangle,
    sides,
)
from tests.kit.readers import UNREAD, RawGame, RawNode, codec_of_texts, short_name, unescaped

# --- Meaning ------------------------------------------------------------------------


class Text(NamedTuple):
    """What a property without a part in the game means, and the state that it is shown at, 0 for
    root properties: programs execute all of a node before they show its texts and marks."""

    ident: str
    content: object
    state: int


#: A move, or the points that are set up and how often.
Step = tuple[object, object]


class Leaf(NamedTuple):
    """The state after the moves and setup on the way to a leaf, the position, the game
    information."""

    state: int
    position: int
    info: frozenset[tuple[str, object]]


@dataclass
class Game:
    """What a game means: its properties in the root, its leaves and its texts."""

    game: int
    size: object
    leaves: list[Leaf]
    texts: list[Text]
    #: A state -> the state before it, and the step between them.
    steps: dict[int, tuple[int, Step]]

    def steps_to(self, state: int) -> list[Step]:
        """The moves and setup on the way to a state."""
        found = []
        while state in self.steps:
            state, step = self.steps[state]
            found.append(step)
        return found[::-1]


#: Properties of the root that say how a file is written.
_NOT_COMPARED = {"FF", "CA", "AP", "ST"}
_PLAYED = {"B": BLACK, "W": WHITE}
_SET_UP = {"AB": BLACK, "AW": WHITE, "AE": EMPTY}
#: Ways to write the same value of a type.
_SAME = {
    "none": dict.fromkeys(("1", "true", "yes"), ""),
    "color": dict.fromkeys(("1", "b", "black", "黑"), "B")
    | dict.fromkeys(("2", "w", "white", "白"), "W"),
}
_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE_END = re.compile(r"\r\n|\n\r|\r|\n")


class _Reading:
    """One game while its meaning is worked out."""

    def __init__(self, raw: RawGame) -> None:
        self.raw = raw
        root = [(ident, raws) for ident, raws in raw.nodes[0].properties if raws]
        self.root = dict(reversed(root))
        values = raw.root
        number = values.get("GM", b"1").strip()
        self.game = int(number) if re.fullmatch(rb"\+?0*[1-9]\d*", number) else 1
        form = values.get("FF", b"1").strip()
        self.file_format = int(form) if form in (b"1", b"2", b"3", b"4") else 1
        self.codec = codec_of_texts(raw)
        self.size = sides(self._text(values.get("SZ", b"19"))) or (19, 19)
        is_board = self.game == 1 and min(self.size) >= 1 and max(self.size) <= 52
        self.board = Board(*self.size) if is_board else None
        context = Context(self.game, self.file_format, self.size if is_board else None)
        self.reader = reader(context)
        #: Whether several stones on a point are several stones, as in Backgammon.
        self.counts_stones = grammar.game(self.game).shared_points
        self.steps: dict[int, tuple[int, Step]] = {}
        #: Files that name all points of the board in each node have few different values.
        self._points = cache(self._read_points)

    def meaning(self) -> Game:
        states: list[int] = []
        boards: list[Board] = []
        infos: list[frozenset[tuple[str, object]]] = []
        texts: list[Text] = []
        for node in self.raw.nodes:
            state = states[node.parent] if node.parent >= 0 else 0
            if self.board is not None:
                self.board = boards[node.parent].copy() if node.parent >= 0 else Board(*self.size)
            info = infos[node.parent] if node.parent >= 0 else frozenset()
            state = self._execute(node, state)
            states.append(state)
            if self.board is not None:
                boards.append(self.board)
            own = list(self._texts(node, is_root=node.parent < 0))
            of_game = {item for item in own if self._is_of_type(item[0], "game-info")}
            infos.append(info | of_game)
            texts += [
                Text(*item, 0 if self._is_of_type(item[0], "root") else state)
                for item in own
                if item not in of_game
            ]
        parents = {node.parent for node in self.raw.nodes}
        positions = self.raw.positions or {
            number: hash(each.cells) for number, each in enumerate(boards)
        }
        leaves = [
            Leaf(states[number], positions.get(number, 0), infos[number])
            for number in range(len(states))
            if number not in parents
        ]
        return Game(self.game, self.size, leaves, texts, self.steps)

    def _execute(self, node: RawNode, state: int) -> int:
        """The state after the node."""
        placed = Counter(
            (ident, point)
            for ident, raws in node.properties
            for raw in raws
            if ident in _SET_UP
            for point in self._points(raw)
        )
        played: list[Step] = []
        before: object = None
        for ident, raws in node.properties:
            for raw in raws if ident in _PLAYED else ():
                move = ident, self._point(raw)
                if move != before:
                    played.append(move)
                # One after the other, a stone on the same point is one move, unlike two passes.
                before = move if self._is_stone(move[1]) else None
            if ident not in _PLAYED:
                before = None
        self._change_board(node)
        # A node can be split: setup first, then one node for each move.
        once = Counter(placed.keys())
        setup = frozenset((placed if self.counts_stones else once).items())
        for step in ([("setup", setup)] if placed else []) + played:
            before_step, state = state, hash((state, step))
            self.steps[state] = before_step, step
        return state

    def _change_board(self, node: RawNode) -> None:
        """Execute the properties of the node in the order of the reader."""
        if self.board is None:
            return
        ordered = [each for each in node.properties if each[0] in {*_SET_UP, *_PLAYED}]
        if self.raw.setup_first:
            ordered.sort(key=lambda each: each[0] in _PLAYED)
        for ident, raws in ordered:
            for raw in raws:
                if ident in _SET_UP:
                    for point in self._points(raw):
                        if self._is_on_board(point):
                            self.board.put(point, _SET_UP[ident])
                elif self._is_on_board(point := self._point(raw)):
                    self.board.add_stone(point, _PLAYED[ident])

    def _is_stone(self, point: object) -> bool:
        """Whether a move puts a stone on the board, as far as that is known of the game."""
        is_of_large_board = self.game == 1 and max(self.size) > 52 and point != ""
        return is_of_large_board or self._is_on_board(point)

    def _is_on_board(self, point: object) -> TypeGuard[tuple[int, int]]:
        return isinstance(point, tuple) and point[0] < self.size[0] and point[1] < self.size[1]

    def _point(self, raw: bytes) -> object:
        """The point that a move names, None for a pass, the text if it is neither."""
        written = self._without_space(raw)
        if self.board is None:
            return "swap" if written.lower().startswith("swap") else written.lower()
        if not written or (written == "tt" and max(self.size) <= 19):
            return None
        points = self._points(raw)
        return points[0] if len(points) == 1 else written

    def _without_space(self, raw: bytes) -> str:
        """The text of a value that is no text, where escapes and white space mean nothing, and
        full-width characters are ordinary ones."""
        return re.sub(r"[\s\\]", "", narrow(self._text(raw)))

    def _read_points(self, raw: bytes) -> tuple[object, ...]:
        """The points of a value of a list; its text if it is no point."""
        written = self._without_space(raw)
        if not written:
            return ()
        corners = self._corners(written)
        return (written.lower(),) if corners is None else tuple(rectangle(*corners))

    def _corners(self, written: str) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """The corners of a rectangle, or the same point twice; None if it is no point."""
        if self.board is not None:
            found = [point_of_letters(corner) for corner in written.split(":")]
            points = [point for point in found if point is not None]
            is_valid = len(points) == len(found) <= 2
            return (points[0], points[-1]) if is_valid else None
        try:
            data = written.encode()
            corners = self.reader.rectangle("point", data)
            point = corners or (self.reader.read("point", data),) * 2
        except (ValueError, IndexError):
            return None
        is_point = all(isinstance(corner, Point) for corner in point)
        return (tuple(point[0]), tuple(point[1])) if is_point else None

    def _is_of_type(self, ident: str, kind: str) -> bool:
        definition = self._define(ident)
        return definition is not None and definition.type == kind

    def _define(self, ident: str) -> PropertyDefinition | None:
        return self.reader.definitions[ident]

    def _texts(self, node: RawNode, is_root: bool) -> Iterator[tuple[str, object]]:
        """The identifiers and contents of the properties without a part in the game."""
        joined: dict[str, list[str]] = {}
        lists: dict[tuple[str, object], None] = {}
        done: list[tuple[str, list[object]]] = []
        for ident, raws in node.properties:
            if raws is UNREAD:
                yield ident, UNKNOWN
                continue
            contents = self._contents(ident, raws)
            if (ident, contents) in done or self._is_of_game(ident, raws, is_root):
                continue
            done.append((ident, contents))
            if short_name(ident.encode()) in (b"C", b"GC"):  # as Comment is, before FF[4]
                joined.setdefault(ident, []).extend(map(self._text, raws))
                continue
            items = [(ident, content) for content in contents]
            definition = self._define(ident)
            if definition is not None and definition.takes_many:
                lists.update(dict.fromkeys(items))
            else:
                yield from items
        yield from lists
        for ident, parts in joined.items():
            text = "\n".join(part for part in dict.fromkeys(parts) if part.strip())
            if text:
                yield ident, UNKNOWN if UNKNOWN in parts else re.sub(r" *\n[ \n]*", "\n", text)

    def _is_of_game(self, ident: str, raws: list[bytes], is_root: bool) -> bool:
        """Whether the property is a move, setup or a root property; or repeats the root, which
        has no meaning."""
        if ident in {*_PLAYED, *_SET_UP}:
            return True
        if is_root:
            return ident in {*_NOT_COMPARED, "GM", "SZ"}
        definition = self._define(ident)
        is_root_type = definition is not None and definition.type == "root"
        if ident in ("FF", "GM") or not is_root_type:
            return False
        if ident == "CA":
            return True
        in_root = self.root.get(ident)
        return in_root is not None and self._contents(ident, in_root) == self._contents(ident, raws)

    def _contents(self, ident: str, raws: list[bytes]) -> list[object]:
        """What the values of a property mean, each by itself."""
        definition = self._define(ident)
        if definition is None:
            return [self._text(raw) for raw in raws]
        first = definition.alternatives[0]
        if definition.takes_many and not first.composed and first.first in ("point", "stone"):
            if not any(raws):
                return ["none"] if first.empty else []
            return [point for raw in raws for point in self._points(raw)]
        contents = [content for raw in raws if (content := self._content(definition, raw)) != ""]
        return contents[:1] if len(set(contents)) == 1 else contents

    def _content(self, definition: PropertyDefinition, raw: bytes) -> object:
        """What a value means that is no point; an empty text if it means nothing."""
        text = SPACE.sub(" ", self._text(raw)).strip(" ")
        if (content := of_format(definition.format, text)) is not None:
            return content
        if not definition.is_text:
            text = narrow(text)
        if definition.value in ("number", "real", "double"):
            number = number_in(text or "1" * (definition.value == "double"))
            return text if number is None else number
        if definition.unique in ("arrow", "line", "label") and text:
            is_of_points = self.board is None and definition.unique != "label"
            return ends_or_label(definition.unique, text.lower() if is_of_points else text)
        if definition.kinds <= {"point", "move", "stone"}:
            text = text.replace(" ", "")
        if "move" in definition.kinds and text == "tt":
            return ""
        same = _SAME.get(definition.value, {})
        if text.lower() in same:
            return same[text.lower()]
        if "simpletext" in definition.kinds and ":" in text:
            return text.replace(":", "").strip(" ")
        return text

    def _text(self, raw: bytes) -> str:
        """The text, with escapes resolved before it is decoded (sgf4, Text)."""
        data = unescaped(raw)
        try:
            text = data.decode(self.codec or "ascii", "surrogateescape")
        except UnicodeDecodeError:  # of a codec that switches between character sets
            text = data.decode("latin-1")
        if self.codec and not self.raw.setup_first and _SURROGATE.search(text):
            return UNKNOWN  # a byte of a character was taken for an escape or a bracket
        return re.sub(r"[ \t\v\f\0]", " ", _LINE_END.sub("\n", text)).strip(" \n")


def meanings(games: Iterable[RawGame]) -> list[Game]:
    """What each of the games means; games without nodes are left out."""
    return [_Reading(game).meaning() for game in games if game.nodes]
