"""The tolerant parser: any bytes to a flat tree and the damage found on the way."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, AnyStr, NamedTuple

from sgf_lark import engine, grammar
from sgf_lark.diagnostics import Diagnostic, Severity, make
from sgf_lark.flat_tree import COLUMNS, FEW_PROPERTIES, FlatTree, sort_trees
from sgf_lark.syntax import Engine
from sgf_lark.syntax.grammars import LATEST_FILE_FORMAT, file_format, lent, load_lark, tables
from sgf_lark.syntax.lalr import LALRParser, Skip, Token
from sgf_lark.syntax.signatures import kind_of
from sgf_lark.syntax.text_ends import brackets_in_values, markup
from sgf_lark.syntax.unnamed_format import unnamed_format
from sgf_lark.text.edits import Edit, apply
from sgf_lark.text.positions import SourceText

#: Parses a text; what comes of it is in a builder.
Parse = Callable[[str], object]

_SPACE = " \t\n\r\v\f"
#: What ``tolerant.lark`` reads in place of a "]" that belongs to a value, though it is not escaped.
_INNER_BRACKET = "\u0100"
#: Neither words nor structure; no-break spaces are signs.
_SIGNS = re.compile(rb"(?:[^\w\x80-\xff()\[\];]|\xc2?\xa0)*")
#: The identifiers of moves, and of all that changes the board.
_MOVES = ("B", "W")
_BOARD_CHANGES = (*_MOVES, "AB", "AW", "AE")


class TolerantBuilder:
    """Fills a flat tree and a list of damage, as the `transformer` of a parser: one method for
    each production of ``tolerant.lark``, and one for the terminal ``CONTROL_CHARACTERS``, which
    it ignores.

    Properties, and what is in their place, return their offset; nodes return the range of
    their numbers; game trees and variations return their first nodes, more than one where
    their nodes have no common parent.
    """

    def __init__(self) -> None:
        self.begin(b"", [])

    def begin(self, data: bytes, inner: list[int]) -> str:
        """Begin a new flat tree, for `data`, in which each "]" at the offsets `inner` belongs to a
        value. Returns the text to parse."""
        self.result = DamagedTree(FlatTree(data))
        self._inner = inner
        #: A property identifier without value, until it is known what follows.
        self._bare: Token | None = None
        #: First node of a game tree or variation -> offset of its "(".
        self._opening: dict[int, int] = {}
        #: Offsets of the "(" that the end of the file leaves open.
        self._left_open: list[int] = []
        self._regions: IntactRegions | None = None
        return with_inner_brackets(data, inner)

    def _note(self, code: str, start: int, end: int, ident: str | None = None) -> None:
        self.result.damage.append(Damage(code, start, end, ident))

    # Properties, and what is in their place

    def propident(self, children: list[Token]) -> Token:
        """``propident``: one token."""
        return children[0]

    def propvalue(self, children: list[Token]) -> Token:
        """``propvalue``: one token."""
        return children[0]

    def property(self, children: list[Token]) -> int:
        """``property``: adds a property; its identifier and values may be damaged."""
        flat = self.result.flat
        ident, *values = children
        number = len(flat.ident_start)
        start = _start(ident)
        flat.ident_start.append(start)
        flat.ident_end.append(start + len(ident))
        name = self._identify(ident, len(values))
        if name != ident:
            flat.names[number] = name
        for value in values:
            self._add_value(value, name)
        flat.value_end.append(len(flat.value_from))
        return start

    def _identify(self, ident: Token, count: int) -> str:
        """The property that an identifier with that number of values names."""
        start, end = _start(ident), _start(ident) + len(ident)
        name = str(ident)
        if ident.type != "UCLETTERS":
            name = "".join(re.findall("[A-Z]", ident)) or name
        before, self._bare = self._bare, None
        if ident.type == "DAMAGED_IDENTIFIER":
            number, last = len(self.result.flat.ident_start) - 1, name[-1:]
            if ident.endswith(last) and answers_move(self.result.flat, number, last, count):
                name = last
            self._note("SGF113", start, end, name)
        elif ident.type == "LOWERCASE_IDENTIFIER":
            self.result.lowercase.append(Damage("SGF114", start, end, name))
        if before is None:
            return name
        # "B L[30]" is more likely BL than a B without value, followed by L.
        joined = before + name
        flat = self.result.flat
        is_move = answers_move(flat, len(flat.ident_start) - 1, name, count)
        is_near = _only_space(flat.data[_start(before) + len(before) : start])
        if is_near and not is_move and grammar.definitions(joined):
            self._note("SGF112", _start(before), end, joined)
            return joined
        self._note_without_value(before)
        return name

    def _add_value(self, value: Token, ident: str) -> None:
        flat = self.result.flat
        start = _start(value)
        is_closed = value.type != "UNCLOSED_VALUE"
        flat.value_from.append(start + 1)
        flat.value_to.append(start + len(value) - is_closed)
        if not is_closed:
            self._note("SGF119", start, start + 1, ident)

    def property_without_value(self, children: list[Token]) -> int:
        """``property_without_value``: an identifier, perhaps the first part of the next one."""
        self._note_bare()
        self._bare = children[0]
        return _start(children[0])

    def _note_without_value(self, ident: Token) -> None:
        self._note("SGF110", _start(ident), _start(ident) + len(ident), str(ident))

    def _note_bare(self) -> None:
        """Note the identifier without value if there is one: no other identifier follows it."""
        if self._bare is not None:
            self._note_without_value(self._bare)
            self._bare = None

    def value_without_property(self, children: list[Token]) -> int:
        """``value_without_property``: values that are left out, unless only signs are between them
        and a list of values, which goes on."""
        self._note_bare()
        last = children[-1]
        if self._continues_list(_start(children[0])):
            ident = self.result.flat.ident(len(self.result.flat.ident_start) - 1)
            for value in children:
                self._add_value(value, ident)
            self.result.flat.value_end[-1] = len(self.result.flat.value_from)
            return _start(children[0])
        self._note("SGF111", _start(children[0]), _start(last) + len(last))
        if last.type == "UNCLOSED_VALUE":
            self._note("SGF119", _start(last), _start(last) + 1)
        return _start(children[0])

    def _continues_list(self, start: int) -> bool:
        """Whether a value at that offset belongs to the last property of the node."""
        flat = self.result.flat
        if len(flat.ident_start) == (flat.property_end[-1] if flat.property_end else 0):
            return False
        definitions = grammar.definitions(flat.ident(len(flat.ident_start) - 1))
        is_list = any(each.takes_many and not each.is_text for each in definitions)
        return is_list and only_signs(flat.data[flat.value_to[-1] + 1 : start])

    def junk(self, children: list[Token]) -> int:
        """``junk``: characters that are left out; one damage for neighbors."""
        self._note_bare()
        start = _start(children[0])
        end = start + len(children[0])
        data = self.result.flat.data
        code = "SGF118" if children[0] == "]" else "SGF120"
        last = self.result.damage[-1] if self.result.damage else None
        if last is not None and last.code == code and _only_space(data[last.end : start]):
            self.result.damage[-1] = last._replace(end=end)
        else:
            self._note(code, start, end)
        return start

    def CONTROL_CHARACTERS(self, token: Token) -> Token:
        """The terminal ``CONTROL_CHARACTERS``, which the lexer ignores."""
        start = _start(token)
        self._note("SGF121" if "\0" in token else "SGF122", start, start + len(token))
        return token

    # Nodes

    def node(self, children: list[Any]) -> range:
        """``node``: begins with ";"."""
        return self._add_node(_start(children[0]))

    def node_after_variation(self, children: list[Any]) -> range:
        """``node_after_variation``: a node that should be a variation itself."""
        start = _start(children[0])
        nodes = self._add_node(start)
        self._note("SGF106", start, start + 1)
        return nodes

    def missing_semicolon(self, children: list[int]) -> range:
        """``missing_semicolon``: a node that begins with the first thing in it."""
        return self._add_node_of_content(children, "SGF103")

    def property_after_variation(self, children: list[int]) -> range:
        """``property_after_variation``: likewise, and should be a variation itself."""
        return self._add_node_of_content(children, "SGF106")

    def _add_node_of_content(self, content: list[int], code: str) -> range:
        """A node without ";", or an empty range if the content has neither a property nor a
        value: junk and identifiers between parentheses are no node."""
        flat = self.result.flat
        has_property = len(flat.ident_start) > (flat.property_end[-1] if flat.property_end else 0)
        if not has_property and not any(flat.data.startswith(b"[", start) for start in content):
            self._note_bare()
            return range(0)
        self._note(code, content[0], content[0] + 1)
        return self._add_node(content[0])

    def _add_node(self, start: int) -> range:
        self._note_bare()
        flat = self.result.flat
        flat.node_start.append(start)
        flat.property_end.append(len(flat.ident_start))
        flat.parent.append(-1)
        return range(len(flat.node_start) - 1, len(flat.node_start))

    # Game trees and variations

    def gametree(self, children: list[Any]) -> list[int]:
        """``gametree``: nodes and variations in parentheses."""
        return self._add_tree(children[0], children[1:-1], _start(children[-1]))

    def unclosed_tree(self, children: list[Any]) -> list[int]:
        """``unclosed_tree``: the same without ")"."""
        self._left_open.append(_start(children[0]))
        return self._add_tree(children[0], children[1:], len(self.result.flat.data))

    def _add_tree(self, opening: Token, items: list[Any], close: int) -> list[int]:
        """Join nodes, as ranges, and variations, as lists of their first nodes. Returns the
        nodes that have no parent among them."""
        self._note_beside_junk(items)
        parent = self.result.flat.parent
        first_nodes: list[int] = []
        last = -1
        for item in items:
            # Within a range each node but the first has its parent already.
            for node in item if isinstance(item, list) else item[:1]:
                if last < 0:
                    first_nodes.append(node)
                else:
                    parent[node] = last
            if item and not isinstance(item, list):
                last = item[-1]
        # Empty variations and damage, which are left out, may come before the first node.
        first = next(filter(None, items), None)
        if isinstance(first, range):
            self._add_bounds(first[0], _start(opening), close)
        return first_nodes

    def _note_beside_junk(self, items: list[Any]) -> None:
        """Note what the grammar does not see after junk that it takes for a node: a tree without
        a sequence, and a node after a variation."""
        last: range | list[int] | None = None
        is_after_junk = False
        for item in items:
            if item == range(0):
                is_after_junk = True
                continue
            if is_after_junk and last is None and isinstance(item, list):
                self.tree_without_sequence([item])
            elif is_after_junk and isinstance(last, list) and isinstance(item, range):
                start = self.result.flat.node_start[item[0]]
                self._note("SGF106", start, start + 1)
            last, is_after_junk = item, False

    def _add_bounds(self, first: int, start: int, close: int) -> None:
        flat = self.result.flat
        flat.tree_node.append(first)
        flat.tree_open.append(start)
        flat.tree_close.append(close)
        self._opening[first] = start

    def empty_tree(self, children: list[Token]) -> list[int]:
        """``empty_tree``: "()", which is left out."""
        self._note("SGF104", _start(children[0]), _start(children[-1]) + 1)
        return []

    def tree_without_sequence(self, children: list[list[int]]) -> list[int]:
        """``tree_without_sequence``: two "(" without a node between them."""
        if children[0]:
            opening = self._opening[children[0][0]]
            self._note("SGF105", opening, opening + 1)
        return children[0]

    # The file

    def text_outside(self, children: list[Token]) -> Token:
        """``text_outside``: characters that belong to no game tree."""
        [text] = children
        return text

    def collection(self, children: list[Any]) -> None:
        """``collection``: game trees, as lists of their first nodes, and text outside."""
        flat = self.result.flat
        roots = [root for child in children if isinstance(child, list) for root in child]
        for root in roots:
            flat.parent[root] = -1
            if root not in self._opening:
                self._add_bounds(root, flat.node_start[root], len(flat.data))
        seen_tree = False
        for child in children:
            if isinstance(child, list):
                seen_tree = True
            elif not roots:
                self._note("SGF002", _start(child), _end_of_text(child))
            else:
                self._note_outside(child, seen_tree)
        if not roots and not self.result.damage:
            self._note("SGF002", 0, len(flat.data))

    def _note_outside(self, text: Token, seen_tree: bool) -> None:
        """Note text before or after game trees; after them, a ")" may be one too many."""
        first = start = _start(text)
        end = _end_of_text(text)
        if not seen_tree:
            self._note("SGF101", start, end)
            return
        while start < end and text[start - first] in ")" + _SPACE:
            if text[start - first] == ")":
                self._note("SGF108", start, start + 1)
            start += 1
        if start < end:
            is_property = re.match(r"[A-Z]+[ \t\n\r\v\f]*\[", text[start - first :])
            self._note("SGF109" if is_property else "SGF102", start, end)

    # Intact regions, and the end

    def skips(self) -> dict[str, tuple[str, Skip]]:
        """The productions whose intact regions the engine reads."""
        tree = "LPAR", self._read_tree
        return {"game": tree, "gametree": tree, "node": ("SEMICOLON", self._read_nodes)}

    def _read_tree(self, begin: int) -> tuple[list[int], int] | None:
        found = self._intact().tree(begin)
        if found is not None:
            self._opening[found[0][0]] = begin
        return found

    def _read_nodes(self, begin: int) -> tuple[range, int] | None:
        return self._intact().nodes(begin)

    def _intact(self) -> IntactRegions:
        if self._regions is None:
            flat = self.result.flat
            self._regions = IntactRegions(flat, without_inner_brackets(flat.data, self._inner))
        return self._regions

    def finish(self) -> DamagedTree:
        """The flat tree and its damage, both sorted by offset.

        One damage represents all game trees that the end of the file leaves open, unless it
        leaves a value open, which is the cause of the rest.
        """
        result = self.result
        sort_trees(result.flat)
        self._note_inner_brackets()
        is_noted = any(damage.code in ("SGF002", "SGF119") for damage in result.damage)
        if self._left_open and not is_noted:
            start = max(self._left_open)
            self._note("SGF107", start, start + 1)
        result.damage.sort(key=lambda damage: damage.start)
        return result

    def _note_inner_brackets(self) -> None:
        """Note each "]" that is not escaped in a value."""
        flat = self.result.flat
        for place in self._inner:
            value = flat.value_at(place)
            if value >= 0 and place < flat.value_to[value]:
                ident = flat.ident(flat.property_at(place))
                self._note("SGF118", place, place + 1, ident)


def answers_move(flat: FlatTree, number: int, ident: str, count: int) -> bool:
    """Whether a property of that number, identifier and number of values is a move, and the last
    change of the board before it one of the other player: then letters before it are no part of its
    identifier, because that would make a stone or a text of a move."""
    if ident not in _MOVES or count != 1:
        return False
    nearest = map(flat.ident, range(number - 1, max(-1, number - 1 - FEW_PROPERTIES), -1))
    before = next((each for each in nearest if each in _BOARD_CHANGES), ident)
    return before in _MOVES and before != ident


def _start(token: Token) -> int:
    return token.start_pos or 0


def _end_of_text(text: Token) -> int:
    return _start(text) + len(text.rstrip(_SPACE))


def _only_space(data: bytes) -> bool:
    return not data.strip(_SPACE.encode())


def only_signs(data: bytes) -> bool:
    """Whether what is between two values is neither a word nor structure."""
    return _SIGNS.fullmatch(markup().sub(b"", data)) is not None


def with_inner_brackets(data: bytes, inner: Iterable[int]) -> str:
    """What the tolerant grammar reads: a character for each byte, and another one for each "]" at
    these offsets."""
    text = data.decode("latin-1")
    return _replaced(text, inner, _INNER_BRACKET)


def without_inner_brackets(data: bytes, inner: Iterable[int]) -> bytes:
    """What the strict grammar reads where these brackets belong to values."""
    return _replaced(data, inner, b"x")


def _replaced(text: AnyStr, places: Iterable[int], character: AnyStr) -> AnyStr:
    """The text with the character at these offsets."""
    parts: list[AnyStr] = []
    position = 0
    for place in places:
        parts += [text[position:place], character]
        position = place + 1
    parts.append(text[position:])
    return text[:0].join(parts)


def parse_tolerant(
    data: bytes, engine: Engine = "tables", inner: list[int] | None = None
) -> DamagedTree:
    """Whatever can be read of `data`, and its damage. Never raises.

    A file of another kind, such as an image or a program, is not parsed: there is no game tree.
    Each "]" at the offsets `inner` belongs to a value; they are searched if none are given.

    With the `engine` "tables" the compiled engine, if there is one, reads the intact regions
    as the strict grammar does. That is how ``tolerant.lark`` reads them. With "lark" Lark's own
    parser reads all, with the same result.
    """
    is_compiled = engine == "tables" and _is_compiled()
    found = parse_old_identifiers(data) if is_compiled else None
    found = found or _parse(data, engine, inner)
    if is_compiled:
        from sgf_lark.engine.columns import compiled

        found.flat = compiled(found.flat)
    return found


def _parse(data: bytes, engine: Engine, inner: list[int] | None) -> DamagedTree:
    is_sgf = kind_of(data) is None
    if inner is None:
        inner = brackets_in_values(data) if is_sgf else []
    with lent(_AT_REST[engine], partial(_load, engine)) as (parse, builder):
        text = builder.begin(data, inner)
        try:
            parse(text if is_sgf else "")
            return builder.finish()
        finally:
            builder.begin(b"", [])


#: For each engine, functions that parse a text, each with the builder that it fills.
_AT_REST: dict[Engine, list[tuple[Parse, TolerantBuilder]]] = {"lark": [], "tables": []}


def _load(engine: Engine) -> tuple[Parse, TolerantBuilder]:
    builder = TolerantBuilder()
    if engine == "lark":
        callbacks = {"CONTROL_CHARACTERS": builder.CONTROL_CHARACTERS}
        return load_lark("tolerant", transformer=builder, lexer_callbacks=callbacks).parse, builder
    skips = builder.skips() if _is_compiled() else None
    parser = LALRParser(tables("tolerant"), builder, skips)
    return partial(parser.parse, start="collection"), builder


def _is_compiled() -> bool:
    return engine.available


# Damage: the places at which a file leaves the grammar, as the tolerant parser lists them.


class Damage(NamedTuple):
    """A place at which the input leaves the grammar: the bytes from `start` to `end`.

    `code` is the rule of the catalogue that it violates, `ident` the property concerned, or
    None. `values` are those for the placeholders in its message, if it has others than the bytes.
    """

    code: str
    start: int
    end: int
    ident: str | None = None
    values: dict[str, Any] | None = None


#: The rule about a layer over the file, which is undone before it is parsed.
LAYER = "SGF123"

#: A property value, or a parenthesis outside of values.
VALUE_OR_PARENTHESIS = re.compile(rb"(?s)\[(?:[^\]\\]|\\.)*\]|[()]")
#: By how much a token that matches changes the number of open parentheses.
DEPTHS = {b"(": 1, b")": -1}


def depth_of(data: bytes) -> int:
    """How many more "(" than ")" are outside of values."""
    return sum(DEPTHS.get(token, 0) for token in VALUE_OR_PARENTHESIS.findall(data))


def diagnostic(
    damage: Damage,
    flat: FlatTree,
    source: SourceText,
    tree: int | None = None,
    node: int | None = None,
) -> Diagnostic:
    """The damage as a diagnostic; `tree` and `node` are where it is."""
    return make(
        damage.code,
        Severity.ERROR,
        source.span(damage.start, damage.end),
        tree=tree,
        node=node,
        ident=damage.ident,
        **message_values(damage, flat.data),
    )


def message_values(damage: Damage, data: bytes) -> dict[str, Any]:
    """The values for the placeholders in the message about damage in `data`."""
    if damage.values is not None:
        return damage.values
    if damage.code != "SGF002":
        return {"value": data[damage.start : damage.end]}
    from sgf_lark.syntax.signatures import why_no_tree

    return {"reason": why_no_tree(data)}


@dataclass
class DamagedTree:
    """What the tolerant parser could read, and the damage that it found, sorted by offset.

    `lowercase` are identifiers with lowercase letters: whether these are damage depends on
    the FF of their game tree.
    """

    flat: FlatTree
    damage: list[Damage] = field(default_factory=list)
    lowercase: list[Damage] = field(default_factory=list)

    @property
    def is_intact(self) -> bool:
        """Whether there is no damage but, depending on FF, lowercase letters beside others in
        identifiers."""
        return not self.damage and not any((each.ident or "").islower() for each in self.lowercase)

    def found(self, file_format: int | None = None) -> list[Damage]:
        """All damage; `file_format` overrides FF.

        Lowercase letters in identifiers are damage in FF[4], and in an identifier without
        uppercase letters.
        """
        wrong = [each for each in self.lowercase if not self._is_allowed(each, file_format)]
        return self.damage + wrong

    def in_uppercase(self) -> bytes:
        """The data with identifiers in uppercase where lowercase letters in them are allowed."""
        data = self.flat.data
        return apply(
            data,
            (
                Edit(each.start, each.end, data[each.start : each.end].upper())
                for each in self.lowercase
                if self._is_allowed(each, None)
            ),
        )

    def _is_allowed(self, lowercase: Damage, override: int | None) -> bool:
        if (lowercase.ident or "").islower():
            return False
        tree = self.flat.tree_of(self.flat.node_at(lowercase.start))
        return (override or self._file_formats[tree]) < LATEST_FILE_FORMAT

    @cached_property
    def _file_formats(self) -> list[int]:
        """For each game tree the file format that its root names, or that it is in."""
        values = (self.flat.first_values(root, ("FF",)) for root in self.flat.roots)
        return [
            file_format(found.get("FF")) or unnamed_format(self.flat, tree)
            for tree, found in enumerate(values)
        ]


# What is intact in damaged data, read by the compiled parser of the strict grammar.


class IntactRegions:
    """Reads game trees and runs of nodes that the strict grammar accepts somewhere in damaged
    data, and appends them to its flat tree.

    `data` is what the strict grammar reads, which may have other characters in values.
    """

    def __init__(self, flat: FlatTree, data: bytes) -> None:
        self._flat = flat
        self._region = engine.region_parser(data)
        #: The offsets of trees that are known to be damaged; they are not parsed again.
        self._damaged: set[int] = set()

    def tree(self, begin: int) -> tuple[list[int], int] | None:
        """The number of the first node of the tree that begins at that offset, in a list, and
        the offset after the tree; None if it is damaged."""
        region = self._region
        if region is None or begin in self._damaged:
            return None
        damage = region.parse("gametree", begin)
        if damage >= 0:
            # No tree that is open at the damage is intact.
            self._damaged.update(region.trees_open_at(damage))
            return None
        first = self._flat.count
        region.append_to(self._flat)
        return [first], region.tree_end

    def nodes(self, begin: int) -> tuple[range, int] | None:
        """The numbers of the intact nodes from that offset on, and the offset after them; None
        if there are none."""
        region = self._region
        if region is None:
            return None
        region.parse("sequence", begin)
        if not region.nodes:
            return None
        first = self._flat.count
        region.append_to(self._flat)
        return range(first, first + region.nodes), region.end


# Files that follow the grammar but for identifiers with lowercase letters, such as ``CoPyright``,
# which were legal up to FF[3].

#: An identifier that begins with an uppercase letter and has a lowercase one, after values and
#: identifiers of FF[4].
_TO_OLD_IDENTIFIER = re.compile(
    rb"(?:[^\[A-Za-z]++|\[(?:[^\]\\]++|\\.)*+\]|[A-Z]++(?![a-z]))*+([A-Z]++[a-z][A-Za-z]*+)",
    re.DOTALL,
)


def parse_old_identifiers(data: bytes) -> DamagedTree | None:
    """What the tolerant parser gives for such a file; None for any other file, and without the
    compiled engine, which reads it as if all letters of these identifiers were uppercase."""
    places = list(_old_identifiers(data)) if engine.can_parse(data) else []
    if not places:
        return None
    in_uppercase = bytearray(data)
    for start, end in places:
        in_uppercase[start:end] = data[start:end].upper()
    parsed = engine.parse(bytes(in_uppercase))
    if parsed is None:
        return None
    flat = FlatTree(data)
    for column in COLUMNS:
        setattr(flat, column, getattr(parsed, column))
    found = DamagedTree(flat)
    for start, end in places:
        name = re.sub(rb"[a-z]", b"", data[start:end]).decode("ascii")
        flat.names[flat.property_at(start)] = name
        found.lowercase.append(Damage("SGF114", start, end, name))
    return found


def _old_identifiers(data: bytes) -> Iterator[tuple[int, int]]:
    """The start and end of each such identifier that is not in a value."""
    position = 0
    while match := _TO_OLD_IDENTIFIER.match(data, position):
        yield match.span(1)
        position = match.end()
