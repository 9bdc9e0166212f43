"""What a file means to its readers: to compare a file before and after safe fixes.

A safe fix keeps what both readers of :mod:`tests.readers` read.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import NamedTuple, TypeGuard

from sgf_lark import grammar, loads
from sgf_lark.fixing import FixResult
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.board import BLACK, EMPTY, WHITE, MutableBoard
from sgf_lark.model.values import Context, Point
from sgf_lark.model.values.reader import reader
from sgf_lark.text import charsets
from tests.readers import RawGame, RawNode, read_by_model, read_classically

# --- Meaning ------------------------------------------------------------------------


class Text(NamedTuple):
    """What a property without a part in the game means, and the states that it is shown at."""

    ident: str
    content: object
    states: frozenset[int]


#: For each leaf: the moves and setup on the way, the position, the game information.
Leaves = Counter[tuple[int, int, frozenset[tuple[str, object]]]]


@dataclass
class Game:
    """What a game means: its properties in the root, its leaves and its texts."""

    game: int
    size: object
    leaves: Leaves
    texts: list[Text]


#: Formats of which informal values are understood by fixes: what those values mean is tested with
#: values of known meaning.
_INFORMAL = {"result", "backgammon_result", "date", "seconds", "komi", "handicap", "rank"}
#: The content of an informal value.
UNKNOWN = "(informal)"
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
_SIZE = re.compile(r"\s*\+?(\d{1,9})(?:\.0*)?(?:\s*(?:[:x*×, ]|by)\s*\+?(\d{1,9}))?\.?\s*")
_LETTERS = string.ascii_letters
#: The full-width form of each visible ASCII character, and the character.
_FULL_WIDTH = {0xFF00 + number: 0x20 + number for number in range(1, 0x5F)}
_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACE = re.compile(r"[ \t\v\f\r\n\0]+")
_LINE_END = re.compile(r"\r\n|\n\r|\r|\n")
_ESCAPE = re.compile(rb"(?s)\\(?:\r\n|\n\r|[\r\n]|(.))")


class _Reading:
    """One game while its meaning is worked out."""

    def __init__(self, raw: RawGame) -> None:
        self.raw = raw
        root = dict(reversed([(ident, raws) for ident, raws in raw.nodes[0].properties if raws]))
        self.root = root
        values = {ident: raws[0] for ident, raws in root.items()}
        number = values.get("GM", b"1").strip()
        self.game = int(number) if re.fullmatch(rb"\+?0*[1-9]\d*", number) else 1
        form = values.get("FF", b"1").strip()
        self.file_format = int(form) if form in (b"1", b"2", b"3", b"4") else 1
        self.codec = raw.codec or _codec(values, raw)
        self.size = _sides(self._text(values.get("SZ", b"19"))) or (19, 19)
        is_board = self.game == 1 and min(self.size) >= 1 and max(self.size) <= 52
        self.board = MutableBoard(*self.size) if is_board else None
        context = Context(self.game, self.file_format, self.size if is_board else None)
        self.reader = reader(context)

    def meaning(self) -> Game:
        states: list[int] = []
        boards: list[bytes] = []
        infos: list[frozenset[tuple[str, object]]] = []
        texts: list[Text] = []
        for node in self.raw.nodes:
            state = states[node.parent] if node.parent >= 0 else 0
            if self.board is not None:
                empty = MutableBoard(*self.size).snapshot()
                self.board.restore(boards[node.parent] if node.parent >= 0 else empty)
            info = infos[node.parent] if node.parent >= 0 else frozenset()
            state, on_the_way = self._execute(node, state)
            states.append(state)
            if self.board is not None:
                boards.append(self.board.snapshot())
            own = list(self._texts(node, is_root=node.parent < 0))
            of_game = {item for item in own if self._is_info(item[0])}
            infos.append(info | of_game)
            texts += [Text(*item, frozenset(on_the_way)) for item in own if item not in of_game]
        parents = {node.parent for node in self.raw.nodes}
        leaves = Counter(
            (states[number], hash(boards[number]) if boards else 0, infos[number])
            for number in range(len(states))
            if number not in parents
        )
        return Game(self.game, self.size, leaves, texts)

    def _execute(self, node: RawNode, state: int) -> tuple[int, set[int]]:
        """The state after the node, and the states at which a program may show its texts."""
        placed = {
            (ident, point)
            for ident, raws in node.properties
            for raw in raws
            if ident in _SET_UP
            for point in self._points(raw)
        }
        played: list[tuple[str, object]] = []
        before: tuple[str, list[bytes]] | None = None  # the same move twice is one move
        for ident, raws in node.properties:
            if ident in _PLAYED:
                if (ident, raws) != before:
                    played += [(ident, self._point(raw)) for raw in raws]
                before = ident, raws
        self._change_board(node)
        # A node can be split: setup first, then one node for each move.
        steps = [frozenset(placed)] if placed else []
        states = set()
        for step in (*steps, *played):
            state = hash((state, step))
            states.add(state)
        return state, states or {state}

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
                            self.board.place(point, _SET_UP[ident])
                elif self._is_on_board(point := self._point(raw)):
                    self.board.play(point, _PLAYED[ident])

    def _is_on_board(self, point: object) -> TypeGuard[tuple[int, int]]:
        return isinstance(point, tuple) and point[0] < self.size[0] and point[1] < self.size[1]

    def _point(self, raw: bytes) -> object:
        """The point that a move names, None for a pass, the text if it is neither."""
        written = self._without_space(raw)
        if self.board is None:
            return "swap" if written.lower().startswith("swap") else written.lower()
        if not written or (written == "tt" and max(self.size) <= 19):
            return None
        points = list(self._points(raw))
        return points[0] if len(points) == 1 else written

    def _without_space(self, raw: bytes) -> str:
        """The text of a value that is no text, where escapes and white space mean nothing, and
        full-width characters are ordinary ones."""
        return re.sub(r"[\s\\]", "", _narrow(self._text(raw)))

    def _points(self, raw: bytes) -> Iterator[object]:
        """The points of a value of a list; its text if it is no point."""
        written = self._without_space(raw)
        if not written:
            return
        corners = self._corners(written)
        if corners is None:
            yield written.lower()
        else:
            yield from rectangle(*corners)

    def _corners(self, written: str) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """The corners of a rectangle, or the same point twice; None if it is no point."""
        if self.board is not None:
            found = [_letters(corner) for corner in written.split(":")]
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

    def _is_info(self, ident: str) -> bool:
        definition = self._define(ident)
        return definition is not None and definition.type == "game-info"

    def _define(self, ident: str) -> PropertyDefinition | None:
        return self.reader.definition(ident)

    def _texts(self, node: RawNode, is_root: bool) -> Iterator[tuple[str, object]]:
        """The identifiers and contents of the properties without a part in the game."""
        joined: dict[str, list[str]] = {}
        lists: dict[tuple[str, object], None] = {}
        done: list[tuple[str, list[object]]] = []
        for ident, raws in node.properties:
            contents = self._contents(ident, raws)
            if (ident, contents) in done or self._is_of_game(ident, raws, is_root):
                continue
            done.append((ident, contents))
            if ident in ("C", "GC"):
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
                yield ident, UNKNOWN if UNKNOWN in parts else re.sub(r"\s*\n\s*", "\n", text)

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
            if raws == [b""]:
                return ["none"] if first.empty else []
            return [point for raw in raws for point in self._points(raw)]
        contents = [content for raw in raws if (content := self._content(definition, raw)) != ""]
        return contents[:1] if len(set(contents)) == 1 else contents

    def _content(self, definition: PropertyDefinition, raw: bytes) -> object:
        """What a value means that is no point; an empty text if it means nothing."""
        text = _SPACE.sub(" ", self._text(raw)).strip(" ")
        if (content := _of_format(definition.format, text)) is not None:
            return content
        if not definition.is_text:
            text = _narrow(text)
        if definition.value in ("number", "real", "double"):
            number = _number(text or "1" * (definition.value == "double"))
            return text if number is None else number
        if definition.unique in ("arrow", "line", "label") and text:
            return _ends_or_label(definition.unique, text)
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
        unescaped = _ESCAPE.sub(lambda escape: escape[1] or b"", raw)
        try:
            text = unescaped.decode(self.codec or "ascii", "surrogateescape")
        except UnicodeDecodeError:  # of a codec that switches between character sets
            text = unescaped.decode("latin-1")
        if self.codec and not self.raw.setup_first and _SURROGATE.search(text):
            return UNKNOWN  # a byte of a character was taken for an escape or a bracket
        return re.sub(r"[ \t\v\f\0]", " ", _LINE_END.sub("\n", text)).strip(" \n")


def _of_format(form: str, text: str) -> object:
    """What a value of that format means; None for other formats."""
    if form in _INFORMAL:
        return _informal(form, text)
    if form == "size":
        return _sides(text) or text
    if form == "rules":
        synonyms: dict[str, str] = grammar.rule("SGF425").data
        return synonyms.get(text.lower(), text)
    return _figure(text) if form == "figure" and text else None


def _sides(text: str) -> tuple[int, int] | None:
    """Columns and rows of the board, also in full-width characters; None if the value of SZ is
    none of the usual forms."""
    written = _SIZE.fullmatch(_narrow(text))
    return (int(written[1]), int(written[2] or written[1])) if written else None


def _narrow(text: str) -> str:
    """The text with full-width characters as ordinary ones."""
    return text.translate(_FULL_WIDTH)


def _ends_or_label(unique: str, text: str) -> object:
    """The ends of an arrow or line, or the point and the text of a label."""
    first, _, second = text.partition(":")
    if unique == "label":
        return re.sub(r"\s", "", first), second
    ends = [re.sub(r"\s", "", end) for end in (first, second)]
    return tuple(ends) if unique == "arrow" else frozenset(ends)


def _figure(text: str) -> object:
    """The flags and the name of FG, of which one may be missing."""
    flags, _, name = text.partition(":") if ":" in text else ("", "", text)
    if text.isdigit():
        flags, name = text, ""
    number = _number(flags or "0")
    return (Fraction(0), text) if number is None else (number, name.strip(" "))


def _codec(root: dict[str, bytes], raw: RawGame) -> str | None:
    """The codec of the texts: that of CA, or UTF-8 if the bytes are in it; None if unknown."""
    declared = charsets.codec_of(root["CA"]) if "CA" in root else None
    everything = b" ".join(
        value for node in raw.nodes for _, raws in node.properties for value in raws
    )
    if declared is not None:
        return declared
    return "utf-8" if charsets.decodes(everything, "utf-8") else None


def _letters(written: str) -> tuple[int, int] | None:
    """The point that two letters name."""
    if re.fullmatch("[A-Za-z]{2}", written) is None:
        return None
    column, row = (_LETTERS.index(letter) for letter in written)
    return column, row


def rectangle(first: tuple[int, int], last: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The points of the rectangle between two corners."""
    columns, rows = zip(first, last, strict=True)
    return product(range(min(columns), max(columns) + 1), range(min(rows), max(rows) + 1))


def _number(text: str) -> Fraction | None:
    """The number that the text is; digits may be missing on one side of the point."""
    if re.fullmatch(r"-?\d+/\d*[1-9]\d*", text):
        return Fraction(text)
    if mixed := re.fullmatch(r"(\d+) (\d+/\d*[1-9]\d*)", text):
        return int(mixed[1]) + Fraction(mixed[2])
    text = re.sub(r"\s", "", text).replace("½", ".5")
    match = re.fullmatch(r"([+-]?)(\d*)[.,]?(\d*)", text)
    if match is None or not (match[2] or match[3]):
        return None
    value = Fraction(f"{match[2] or 0}.{match[3] or 0}")
    return -value if match[1] == "-" else value


def _informal(form: str, text: str) -> object:
    """What a value of that format means; :data:`UNKNOWN` for other forms than the usual ones."""
    if form in ("komi", "handicap", "seconds"):
        number = _number(text)
        if form == "handicap" and number == 0:
            return ""
        return UNKNOWN if number is None else number
    if form == "date":
        is_date = re.fullmatch(r"\d{4}(-\d\d)*(,[\d-]+)*", text)
        return text[:4] if is_date else UNKNOWN
    if form == "rank":
        match = re.fullmatch(r"(\d+)([kd])(.?)", re.sub(r"(?<=[kd])(an|yu)|[ -]", "", text.lower()))
        return match[0] if match else UNKNOWN
    match = re.fullmatch(r"([BW])\+(.*)", text)
    if match is None:
        return {"draw": "0", "0": "0", "void": "void", "?": "?"}.get(text.lower(), UNKNOWN)
    margin = _number(match[2].strip(" :!"))
    reason = match[2].strip(" .:!")[:1].upper()
    return match[1], reason if margin is None else margin


def meanings(games: list[RawGame]) -> list[Game]:
    """What each of the games means; games without nodes are left out."""
    return [_Reading(game).meaning() for game in games if game.nodes]


# --- Comparison -----------------------------------------------------------------------


def differences(before: list[Game], after: list[Game]) -> list[str]:
    """What of the meaning was changed, in words; empty if nothing was."""
    if len(before) != len(after):
        return [f"games: {len(before)} -> {len(after)}"]
    found = []
    for old, new in zip(before, after, strict=True):
        if (old.game, old.size) != (new.game, new.size):
            found.append(f"game or board: {old.game}, {old.size} -> {new.game}, {new.size}")
        found += _leaf_differences(old.leaves, new.leaves)
        found += _text_differences(old.texts, new.texts)
    return found


def _leaf_differences(before: Leaves, after: Leaves) -> list[str]:
    """Leaves with other moves, another position or other game information."""
    found = []
    for name, part in (("moves", 0), ("position", 1)):
        counts = [Counter(leaf[part] for leaf in leaves.elements()) for leaves in (before, after)]
        if counts[0] != counts[1]:
            found.append(f"{name} at the leaves")
    informal = {ident for leaf in before for ident, content in leaf[2] if content == UNKNOWN}
    informal |= {"OT"} if "TM" in informal else set()
    old_infos, new_infos = (
        {
            (leaf[0], frozenset(item for item in leaf[2] if item[0] not in informal))
            for leaf in leaves.elements()
        }
        for leaves in (before, after)
    )
    if not found and old_infos != new_infos:
        lost = {item for leaf in old_infos for item in leaf[1]}
        new = {item for leaf in new_infos for item in leaf[1]}
        found.append(f"game information: {lost - new} -> {new - lost}")
    return found


def _text_differences(before: list[Text], after: list[Text]) -> list[str]:
    """Texts that were lost, are new, or are at another node."""
    informal = {text.ident for text in before if text.content == UNKNOWN}
    before, after = (
        [text for text in texts if text.ident not in informal] for texts in (before, after)
    )
    left = Counter((text.ident, text.content) for text in before)
    left.subtract((text.ident, text.content) for text in after)
    found = [f"text {key}: {-count:+}" for key, count in left.items() if count]
    if found:
        return found
    places: dict[tuple[str, object], list[frozenset[int]]] = {}
    for text in before:
        places.setdefault((text.ident, text.content), []).append(text.states)
    for text in after:
        candidates = places[text.ident, text.content]
        match = next((states for states in candidates if states & text.states), None)
        if match is None:
            found.append(f"text {text.ident, text.content}: at another node")
        else:
            candidates.remove(match)
    return found


#: Small readers stop at a "]" that is not escaped, and do not find games without ";".
_NOT_READ = {"SGF103", "SGF118"}


def changes_by_fix(before: bytes, result: FixResult) -> list[str]:
    """What was changed of the meaning of a file by fixing it."""
    if result.data == before:
        return []
    classically = _NOT_READ.isdisjoint(change.code for change in result.applied)
    return changes_of_meaning(before, result.data, classically=classically)


def changes_of_meaning(before: bytes, after: bytes, *, classically: bool = True) -> list[str]:
    """What either reader reads otherwise in `after` than in `before`; empty for a safe fix.

    The second reader is asked only if `classically`: it takes less for a text than there is
    where brackets are not escaped. It is not asked about files that are decoded as a whole.
    """
    found = differences(meanings(read_by_model(before)), meanings(read_by_model(after)))
    decoding = loads(before, charset_mode="auto", tolerant=True)._decoding
    classically = classically and decoding.whole_file_charset is None
    classical = read_classically(before) if classically else None
    if classical:
        after_classical = read_classically(after)
        if after_classical is None:
            return [*found, "cannot be read any more"]
        found += [
            f"classical reader: {difference}"
            for difference in differences(meanings(classical), meanings(after_classical))
        ]
    return found
