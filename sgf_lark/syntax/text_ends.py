"""Where values end in which brackets are not escaped.

A text ends where the grammar goes on. What follows one "]" seldom shows that, because a text may
have "W[dd]" or ";B[cc]" in it, so a damaged part of a file is read in all ways at once: each "]"
ends a value or belongs to it, and each "[" opens a value or belongs to one. What a reading assumes
costs something: a bracket in a text little, a word between two values more. What a reading costs is
known only at the end of the damaged part, and then the cheapest one is taken. Readings that are in
the same state there are continued alike, so only the cheapest of them is kept (the Viterbi
algorithm), and the time is in line with the number of brackets.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator
from functools import cache, cached_property
from operator import attrgetter
from typing import Any, NamedTuple

from sgf_lark import grammar
from sgf_lark.syntax.grammars import pattern, tables

#: What a bracket costs that belongs to a text: a "]" after a "[" in the same text, any other "]".
_CLOSES_IN_TEXT, _IN_TEXT = 2, 6
#: A property in a text: one that begins a node or follows a value directly; one after a blank, with
#: an identifier of two letters and of one.
_GRAMMAR_IN_TEXT, _AFTER_BLANK, _LETTER_AFTER_BLANK = 5, 3, 1
#: A value in a text that begins a node, of which the identifier is lost.
_VALUE_IN_TEXT = 4
#: A bracket in a value that is no text: a "[", a "]", and a "]" after which the grammar goes on.
_OPENS_IN_VALUE, _CLOSES_IN_VALUE, _ENDS_VALUE = 4, 7, 12
#: A "]" or a "[" that is missing, where all around it fits.
_MISSING_CLOSE, _MISSING_OPEN = 7, 5
#: A "]" outside of values; after words; directly after a text, to which it may belong.
_STRAY, _STRAY_AFTER_WORDS, _STRAY_AFTER_TEXT = 5, 9, 7
#: What is outside of values: markup or a number, signs, the first word, each further one, all at
#: most.
_MARKUP, _SIGNS, _WORD, _NEXT_WORD, _WORDS = 1, 3, 5, 1, 8
#: A value that its property does not have; a property that its node has, or cannot have; one that
#: no game and one that only this file has; lowercase letters; a blank before the value.
_INVALID, _REPEATED, _UNKNOWN, _PRIVATE, _LOWERCASE, _BLANK_BEFORE_VALUE = 5, 5, 4, 2, 2, 1
#: A value without an identifier; a second one of a property that takes one.
_NO_PROPERTY, _SECOND_VALUE = 8, 4
#: A move of the player who moved before; a property of a root or about the game after a move.
_OUT_OF_TURN, _AFTER_MOVE = 3, 4
#: A line end in a text of one line.
_LINE_END = 1
#: A "]" in a text after which ")" close the game, and other lines follow.
_ENDS_GAME = 28
#: A "(" that opens no tree; what is outside of game trees; a value that is not closed; a tree.
_NO_TREE, _OUTSIDE, _UNCLOSED, _OPEN_TREE = 8, 8, 8, 2
#: How much more than the cheapest a reading may cost, and how many are kept.
_MOST, _READINGS = 20, 4
_cost = attrgetter("cost")
#: The number of nodes before the damage in which its cause may be.
_NODES_BEFORE = 3
#: The number of brackets that are read in all ways, for each file, and as many bytes for each more.
#: Those after them are read by what follows them.
_STEPS, _BYTES_PER_STEP = 3000, 128

#: The first node of a file, with its parenthesis.
_GAME = re.compile(rb"\([\s\x00]*;")
#: A node that follows the grammar, and has no "[" in a value; the group is what is before it.
_NODE = re.compile(
    rb"([()\s]*+);\s*+(?:[A-Z]++\s*+(?:\[(?:[^\[\]\\]++|\\.)*+\]\s*+)++)*+", re.DOTALL
)
#: A file in which all brackets enclose the values of identifiers, the last of which may be cut. No
#: value has a "[" if signs are between them, such as a comma in the place of each ";".
_REGULAR = re.compile(
    rb"(?:(?:[()\s;]*+(?:[A-Za-z]++\s*+(?:\[(?:[^\]\\]++|\\.)*+\]\s*+)++)?+)*+"
    rb"|(?:[^\w\x80-\xff\[\]]*+(?:[A-Za-z]++\s*+(?:\[(?:[^\[\]\\]++|\\.)*+\]\s*+)++)?+)*+)"
    rb"(?:[A-Za-z]*+\[[^\[\]]*+)?",
    re.DOTALL,
)
_LAST_IDENT = re.compile(rb"[A-Z]{1,20}\s*\Z")
#: The name of a variation, in place of a value.
_NAME_OF_VARIATION = re.compile(rb"\[[^\[\]();]{1,40}\]\s*\(\s*;")
_NEXT_NODE = re.compile(rb"[()\s]*;")
#: What begins a node, or ends a tree before one.
_TREE_OR_NODE = re.compile(rb"\s*(?:[()]\s*)*;\s*[A-Z]+\s*\[")
#: A variation, or a node with a property, which may have a number, or letters of another alphabet.
_NODE_AFTER_VALUE = re.compile(
    rb"[\s)]*\(\s*;|\s*;[\s#]*[0-9]*[\s.:)]*[A-Z]{1,2}(?![A-Za-z])|\s*;[\x80-\xff]{1,6}\Z"
)
#: The end of a game tree after its last value, with another after it; the same with words between,
#: or at the end of the file, where no other node is.
_GAME_AFTER_VALUE = re.compile(rb"\s*\)[\s)]*\(\s*;")
_ENDS_TREE = re.compile(rb"\s*\)[^;\[]{0,200}?(?:\(\s*;|\Z)")
#: What may follow a value.
_GOES_ON = re.compile(
    rb"[\x00-\x20\x7f]*(?:[\[;]|\(\s*;|\)[\s)]*(?:\(\s*;|;|\Z)|[A-Z][A-Za-z]*[\x00-\x20\x7f]*\[|\Z)"
)
#: A ")" in a line of its own, or several, and no node in the line after them.
_CLOSING_LINES = re.compile(rb"(?:[ \t]*\r?\n[\s)]*|[ \t]*\)[\s)]*)\)[ \t]*\r?\n(?=\s*[^\s();])")
#: A move in a node.
_MOVE = re.compile(rb"[;\]\s]([BW])\s*\[")
_BRACKET = re.compile(rb"(?s)\\.|[\[\]]")
#: Outside of values: what is in parentheses in place of brackets, or names a variation; parentheses
#: and ";"; words and other characters, but for control characters.
_TOKENS = (
    rb"(?<=[A-Z])\([^()\[\];]{1,60}\)|\([A-Za-z0-9.]{1,4}\)(?=\s*\(\s*;)|[;()]|[A-Za-z0-9_\x80-\xff]+"
    rb"|[^\x00-\x20\x7f;()A-Za-z0-9_\x80-\xff<&\\]+|[<&\\]"
)
_CONTROL_CHARACTERS = bytes(set(range(0x20)) - set(b"\t\n\v\f\r")) + b"\x7f"
_STRUCTURE = (b";", b"(", b")")
#: No-break spaces.
_AS_MARKUP = (b"\xa0", b"\xc2\xa0")
_WORDS_IN_VALUE = re.compile(rb"\s[a-z]{2}")
_LETTER = re.compile(rb"\A[A-Za-z]|[A-Z]")
#: The identifier of values that have none.
_NO_IDENT = b"?"
#: The beginning of a property after ";", after a value, or after a blank.
_PROPERTY = re.compile(rb"(?:[;()]\s*|(\A)|(\s))([A-Z]{1,2}|(?<!\s)[A-Z]+)[\x00-\x20\x7f]*\Z")
#: The beginning of a property in a value that should have ended before it.
_PROPERTY_AT_END = re.compile(rb"(?<!\s)\s*+(;?)\s*+([A-Z]{1,2})\s*+\Z")
#: A property of which the "[", or what is in its place, is missing.
_WITHOUT_OPENING = re.compile(rb"[;()\s]*([A-Z]{1,2})(.*)\Z", re.DOTALL)
#: Identifiers after a value or at the beginning of a node.
_IDENT = re.compile(rb"[;\]]\s*([A-Z][A-Za-z]*)\[")
_GM = re.compile(rb"GM\s*\[\s*([0-9]{1,3})\s*\]")


class _Reading(NamedTuple):
    """What is read of a damaged part so far, and what that costs."""

    cost: int = 0
    #: The offset of the "[" of the value that is open; -1 if none is.
    start: int = -1
    #: The identifier of that value, or of the last one.
    ident: bytes = b""
    #: The number of "[" in the value that no "]" closes.
    opened: int = 0
    #: The identifiers in the node.
    node: tuple[bytes, ...] = ()
    #: Who moved last, as an identifier.
    mover: bytes = b""
    #: The number of open parentheses.
    depth: int = 0
    #: The last "]" that belongs to a value, and those before it.
    inner: tuple[Any, ...] = ()


class _Kind(NamedTuple):
    """What a property is and takes: texts, also after a point; a move; setup; information about the
    game; several values; what a value that is no text looks like; whether a text may have several
    lines."""

    is_text: bool
    is_move: bool
    is_setup: bool
    is_of_game: bool
    takes_many: bool
    form: re.Pattern[bytes]
    has_lines: bool


@cache
def markup() -> re.Pattern[bytes]:
    """What the tolerant grammar takes for a tag, an entity or a control word."""
    return re.compile(tables("tolerant").terminals["MARKUP"].encode("latin-1"))


def _tokens(between: bytes) -> list[bytes]:
    """The tokens between two values; control characters do not end one."""
    text = between.translate(None, _CONTROL_CHARACTERS)
    return re.findall(rb"%b|%b" % (markup().pattern, _TOKENS), text, re.DOTALL)


def brackets_in_values(data: bytes) -> list[int]:
    """The offsets of each "]" that belongs to a value, though it is not escaped."""
    return _Reader(data).read()


class _Reader:
    """Reads a file: what follows the grammar quickly, the rest in all ways."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.steps = _STEPS + len(data) // _BYTES_PER_STEP
        self.kinds: dict[bytes, _Kind | None] = {}

    @cached_property
    def game(self) -> grammar.Game:
        """The game that is played."""
        found = _GM.search(self.data)
        return grammar.game(int(found[1]) if found else 1)

    @cached_property
    def own_idents(self) -> set[bytes]:
        """The identifiers that the file uses at least twice."""
        return {ident for ident, n in Counter(_IDENT.findall(self.data)).items() if n > 1}

    def read(self) -> list[int]:
        """The offsets of each "]" that belongs to a value."""
        found: list[int] = []
        if _REGULAR.fullmatch(self.data):
            return found
        first = _GAME.search(self.data)
        position = floor = first.start() if first else 0
        depth, mover = 0, b""
        while self.steps > 0:
            recent = deque([(position, depth, mover)], _NODES_BEFORE + 1)
            while (node := _NODE.match(self.data, position)) is not None:
                depth += node[1].count(b"(") - node[1].count(b")")
                for move in _MOVE.finditer(self.data, node.start(), node.end()):
                    mover = move[1]
                position = node.end()
                recent.append((position, depth, mover))
            if _BRACKET.search(self.data, position) is None:
                break
            place, depth, mover = recent[0]
            begin = _Reading(mover=mover, depth=depth)
            reading, position = self._read_damage(max(place, floor), position, begin)
            floor, depth, mover = position, reading.depth, reading.mover
            inner = reading.inner
            while inner:
                found.append(inner[0])
                inner = inner[1]
            if self.steps <= 0:
                found += self._read_locally(position, reading)
        return sorted(found)

    def _read_locally(self, start: int, reading: _Reading) -> Iterator[int]:
        """The offsets of each "]" from offset `start` on, after that reading, that belongs to a
        text because the grammar does not go on after it."""
        is_open, ident, last = reading.start >= 0, reading.ident, start
        for bracket in _BRACKET.finditer(self.data, start):
            if bracket[0] == b"[" and not is_open:
                found = _LAST_IDENT.search(self.data, last, bracket.start())
                is_open, ident = True, found[0].strip() if found else ident
            elif bracket[0] == b"]" and is_open:
                kind = self._kind(ident)
                is_text = kind is not None and kind.is_text
                is_open = is_text and _GOES_ON.match(self.data, bracket.end()) is None
                if is_open:
                    yield bracket.start()
            last = bracket.end()

    def _read_damage(self, start: int, least: int, begin: _Reading) -> tuple[_Reading, int]:
        """The best reading of what is from offset `start` on, up to the first node after `least`
        before which no other reading is left; and the offset at which it begins."""
        readings = [begin]
        last, opens_before = start, False
        for bracket in _BRACKET.finditer(self.data, start):
            if len(bracket[0]) > 1:
                if bracket[0] == b"\\]":
                    readings = [each._replace(opened=max(0, each.opened - 1)) for each in readings]
                continue
            self.steps -= 1
            if self.steps <= 0:
                return readings[0], last
            place = bracket.start()
            between = self.data[last:place]
            if bracket[0] == b"[":
                after_value = last > start and not opens_before
                readings = [*self._open(readings, between, place, after_value)]
            else:
                readings = [*self._close(readings, between, place)]
            readings = _cheapest(readings)
            last, opens_before = bracket.end(), bracket[0] == b"["
            if (
                len(readings) == 1
                and readings[0].start < 0
                and place > least
                and _NEXT_NODE.match(self.data, last)
            ):
                return readings[0], last
        rest = self.data[last:]
        return min((self._end(each, rest) for each in readings), key=_cost), len(self.data)

    # One bracket

    def _open(
        self, readings: list[_Reading], between: bytes, place: int, after_value: bool
    ) -> Iterator[_Reading]:
        """The readings after a "[" at that offset; `between` is what is between it and the bracket
        before, which is a "]" if it is `after_value`."""
        for each in readings:
            if each.start < 0:
                yield self._begin_value(each, between, place)
                if not between.strip() and _TREE_OR_NODE.match(self.data, place + 1):
                    yield each._replace(cost=each.cost + _STRAY)
                elif between.rstrip().endswith(b")"):
                    outside = self._between_values(each, _tokens(between))
                    if outside.depth < 1:
                        yield outside._replace(cost=outside.cost + _STRAY)
                continue
            kind = self._kind(each.ident)
            is_text = kind is None or kind.is_text
            cost = each.cost + (0 if is_text else _OPENS_IN_VALUE)
            if is_text and after_value:
                is_node = _NODE_AFTER_VALUE.match(between)
                cost += _GRAMMAR_IN_TEXT if is_node else self._cost_of_grammar(between)
            yield each._replace(cost=cost, opened=each.opened + 1)
            ends = _PROPERTY_AT_END.search(between)
            if ends and (ends[1] or not is_text) and self._kind(ends[2]) is not None:
                closed = self._end_value(each, place - len(ends[0])) if not after_value else each
                closed = closed._replace(cost=closed.cost + _MISSING_CLOSE, start=-1)
                yield self._begin_value(closed, ends[0], place)

    def _close(self, readings: list[_Reading], between: bytes, place: int) -> Iterator[_Reading]:
        """The readings after a "]" at that offset."""
        for each in readings:
            if each.start < 0:
                yield self._without_opening(each, between, place) or self._stray(each, between)
                continue
            ended = self._end_value(each, place)
            yield ended
            kind = self._kind(each.ident)
            cost = _CLOSES_IN_TEXT if each.opened else _IN_TEXT
            if place == each.start + 1 and _GAME_AFTER_VALUE.match(self.data, place + 1):
                continue  # no text begins with the end of a game and another game
            if kind is not None and not kind.is_text:
                goes_on = _GOES_ON.match(self.data, place + 1)
                ends_tree = kind.is_move and _ENDS_TREE.match(self.data, place + 1)
                is_move = kind.is_move and place > each.start + 1
                if (goes_on or ends_tree or is_move) and ended.cost == each.cost:
                    continue  # a value of its type, which nothing later makes a part of another
                cost = _ENDS_VALUE if goes_on else _CLOSES_IN_VALUE
            elif not each.opened and self._ends_game(each.depth, place + 1):
                cost = _ENDS_GAME
            inner = (place, each.inner)
            opened = max(0, each.opened - 1)
            yield each._replace(cost=each.cost + cost, opened=opened, inner=inner)

    def _ends_game(self, depth: int, place: int) -> bool:
        """Whether as many ")" follow as trees are open, and then other lines."""
        found = _CLOSING_LINES.match(self.data, place)
        return found is not None and found[0].count(b")") == depth

    def _end_value(self, reading: _Reading, end: int) -> _Reading:
        """The reading in which the open value ends at that offset."""
        kind = self._kind(reading.ident)
        cost = reading.cost
        value = slice(reading.start + 1, end)
        if kind is not None and (not kind.is_text or kind.has_lines is False):
            if kind.is_text:
                cost += _LINE_END if b"\n" in self.data[value].strip() else 0
            elif not kind.form.fullmatch(self.data[value]):
                cost += _SIGNS if kind.form.fullmatch(self.data[value][:-1]) else _INVALID
                cost += _WORD if _WORDS_IN_VALUE.search(self.data, reading.start, end) else 0
        return reading._replace(cost=cost, start=-1, opened=0)

    def _without_opening(self, reading: _Reading, between: bytes, place: int) -> _Reading | None:
        """The reading in which a "[" is missing after an identifier; None if what follows that
        is not its value."""
        last = self._kind(reading.ident)
        is_list = last and last.takes_many and not last.is_text
        if last and is_list and (last.form.fullmatch(between) or last.form.fullmatch(between, 1)):
            # One value, up to a repair.
            inner = (place - len(between) - 1, reading.inner)
            return reading._replace(cost=reading.cost + _MISSING_OPEN, inner=inner)
        found = _WITHOUT_OPENING.match(between)
        if found is None:
            return None
        ident, value = found.groups()
        kind = self._kind(ident)
        if kind is None:
            return None
        value = value.strip()
        if kind.is_text:
            is_valid = len(ident) > 1 and value[:1] not in b":;," and between[:1] != b" "
        else:
            is_valid = any(kind.form.fullmatch(each) for each in (value, value[1:]))
        if not is_valid:
            return None
        begun = self._begin_value(reading, between[: found.end(1)], -1)
        return begun._replace(cost=begun.cost + _MISSING_OPEN)

    def _stray(self, reading: _Reading, between: bytes) -> _Reading:
        """The reading in which a "]" belongs to nothing."""
        tokens = _tokens(between)
        kind = self._kind(reading.ident)
        cost = _STRAY_AFTER_TEXT if not tokens and kind and kind.is_text else _STRAY
        found = self._between_values(reading, tokens)
        has_words = any(each.isalpha() or each[0] > 127 for each in tokens)
        return found._replace(cost=found.cost + (_STRAY_AFTER_WORDS if has_words else cost))

    def _begin_value(self, reading: _Reading, between: bytes, place: int) -> _Reading:
        """The reading in which a value of the identifier at the end of `between` begins."""
        tokens = _tokens(between)
        ident, tokens = self._identifier(tokens)
        is_name = not ident and place >= 0 and _NAME_OF_VARIATION.match(self.data, place)
        reading = self._between_values(reading, tokens, before_value=not ident and not is_name)
        if not ident:
            kind = self._kind(reading.ident)
            is_next = not is_name and reading.ident and (kind is None or kind.takes_many)
            no_property = _NO_PROPERTY if tokens or not reading.ident else _SECOND_VALUE
            no_property = _WORD if is_name else no_property
            cost = reading.cost + (0 if is_next else no_property)
            ident = reading.ident if is_next else _NO_IDENT
            return reading._replace(cost=cost, start=place, ident=ident, opened=0)
        name = ident
        cost = reading.cost
        if ident.isupper():
            cost += 0 if between[-1:] > b" " else _BLANK_BEFORE_VALUE
        else:
            name = bytes(filter(range(65, 91).__contains__, ident)) or ident
            cost += _LOWERCASE if len(name) > 1 else _UNKNOWN
        kind = self._kind(name)
        if kind is None:
            is_private = between == ident or ident in self.own_idents
            cost += _PRIVATE if ident == name and is_private else _UNKNOWN
        elif kind.is_move:
            # Signs before the move of the other player are in the place of its ";".
            is_own_node = tokens and name != reading.mover
            is_repeated = not is_own_node and not {b"B", b"W"}.isdisjoint(reading.node)
            cost += _REPEATED if is_repeated else 0
            cost += _OUT_OF_TURN if name == reading.mover else 0
        elif name in reading.node:
            cost += _REPEATED
        elif kind.is_of_game and reading.mover:
            cost += _AFTER_MOVE
        mover = reading.mover
        if kind is not None and (kind.is_move or kind.is_setup):
            mover = name if kind.is_move else b""
        return _Reading(
            cost, place, name, 0, (*reading.node, name), mover, reading.depth, reading.inner
        )

    def _identifier(self, tokens: list[bytes]) -> tuple[bytes, list[bytes]]:
        """The identifier of a value that follows tokens, and the other ones: the last one, unless
        only the first one after all parentheses and ";" is known."""
        if len(tokens) > 1 and tokens[-1] in _STRUCTURE and self._is_known(tokens[-2]):
            return tokens[-2], [*tokens[:-2], b"*"]
        first = len(tokens)
        while first and tokens[first - 1] not in _STRUCTURE:
            first -= 1
        if first == len(tokens):
            return b"", tokens
        last = tokens[-1]
        if not self._is_known(last) and self._is_known(tokens[first]):
            return tokens[first], tokens[:first] + tokens[first + 1 :]
        is_word = _LETTER.search(last) or (first == len(tokens) - 1 and last[0] > 127)
        return (last, tokens[:-1]) if is_word else (b"", tokens)

    def _between_values(
        self, reading: _Reading, tokens: list[bytes], *, before_value: bool = False
    ) -> _Reading:
        """The reading after tokens between two values, or `before_value` that has no identifier."""
        if not tokens:
            return reading
        cost, depth, node, mover = reading.cost, reading.depth, reading.node, reading.mover
        words = 0
        last = b""
        for token in tokens:
            if token not in _STRUCTURE:
                is_word = token[:1].isalnum() or token[0] > 127
                is_markup = token in _AS_MARKUP or (len(token) > 1 and token[:1] in b"<&\\")
                if is_markup or (last == b";" and token.isdigit()):
                    words += _MARKUP
                elif is_word:
                    words += _NEXT_WORD if words else _WORD
                else:
                    words += _SIGNS
                continue
            if token == b";":
                node = ()
                cost += _OUTSIDE if last == b")" and depth < 1 else 0
            else:
                cost += _NO_TREE if last == b"(" else 0
                depth += 1 if token == b"(" else -1
                mover = mover if token == b"(" else b""
            last = token
        cost += min(words, _WORDS)
        if before_value and last in (b"(", b")"):
            cost += _NO_TREE
        ident = reading.ident if set(tokens).isdisjoint(_STRUCTURE) else b""
        return reading._replace(cost=cost, depth=depth, node=node, ident=ident, mover=mover)

    def _end(self, reading: _Reading, rest: bytes) -> _Reading:
        """The reading at the end of the file."""
        if reading.start >= 0:
            return reading._replace(cost=reading.cost + _UNCLOSED)
        reading = self._between_values(reading, _tokens(rest))
        return reading._replace(cost=reading.cost + _OPEN_TREE * min(3, abs(reading.depth)))

    # What is known

    def _cost_of_grammar(self, between: bytes) -> int:
        """What it costs that a text has what is between two values."""
        found = _PROPERTY.search(between)
        if found is None:
            return _VALUE_IN_TEXT if between.rstrip().endswith(b";") else 0
        if not self._is_known(found[3]):
            return _PRIVATE if found[1] is not None else 0
        if not found[2]:
            return _GRAMMAR_IN_TEXT
        return _AFTER_BLANK if len(found[3]) > 1 else _LETTER_AFTER_BLANK

    def _is_known(self, ident: bytes) -> bool:
        return self._kind(ident) is not None or ident in self.own_idents

    def _kind(self, ident: bytes) -> _Kind | None:
        """What a property takes; None if it is unknown."""
        if ident not in self.kinds:
            definition = grammar.definition(ident.decode("latin-1"), self.game.number, 4)
            self.kinds[ident] = None if definition is None else self._kind_of(definition)
        return self.kinds[ident]

    def _kind_of(self, definition: grammar.PropertyDefinition) -> _Kind:
        texts = grammar.TEXT_TYPES | {"unknown"}
        parts = {part for each in definition.alternatives for part in (each.first, each.second)}
        forms = {form for each in definition.alternatives for form in self._forms(each)}
        return _Kind(
            not parts.isdisjoint(texts),
            definition.is_move,
            definition.type == "setup",
            definition.type in ("root", "game-info"),
            definition.takes_many,
            re.compile(b"|".join(sorted(forms)), re.DOTALL),
            definition.is_long_text or not definition.is_text,
        )

    def _forms(self, value: grammar.ValueType) -> Iterator[bytes]:
        """What values of a type that is no text look like."""
        first = self._form(value.first)
        if value.empty or value.first in ("none", "move"):
            yield rb"\s*"
        if value.composed:
            yield first + b":" + self._form(value.second)
        else:
            yield first
        if value.many and value.first in ("point", "stone"):
            yield first + b":" + first

    def _form(self, kind: str) -> bytes:
        of_game = {"point": self.game.point, "move": self.game.move, "stone": self.game.stone}
        name = of_game.get(kind, kind)
        try:
            return rb"\s*(?:%b)\s*" % pattern(name).pattern.removeprefix(b"(?s)")
        except KeyError:
            return b".*"


def _cheapest(readings: list[_Reading]) -> list[_Reading]:
    """The cheapest reading of each state, as far as they do not cost much more than the cheapest
    of all; the best first.

    The state is what the rest of the file is read by: the value that is open, or who moved last.
    """
    if len(readings) == 1:
        return readings
    readings.sort(key=_cost)
    most = readings[0].cost + _MOST
    states: dict[object, _Reading] = {}
    for each in readings:
        if each.cost > most or len(states) == _READINGS:
            break
        states.setdefault(each.start if each.start >= 0 else each.mover, each)
    return [*states.values()]
