"""A game tree as rules and tools see it: its place in the parsed file, and how its values are
read."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from functools import cached_property

from sgf_lark.flat_tree import FlatTree
from sgf_lark.grammar import Charset, definition
from sgf_lark.model.context import DEFAULT_GAME, root_context
from sgf_lark.model.values import Context
from sgf_lark.model.values.reader import ValueReader, reader
from sgf_lark.syntax.parsing import ParsedFile
from sgf_lark.syntax.programs import program_of_root
from sgf_lark.text import charsets
from sgf_lark.text.charsets import TextCharset
from sgf_lark.text.decoding import Section

#: Properties with which a game begins: no other node has them.
_OF_ROOTS = frozenset({"FF", "GM"})
_MOVES = frozenset({"B", "W"})
#: The last letter of an identifier, and the bracket of its value.
_OPENING = re.compile(rb"[A-Z][\x00-\x20\x7f]*+\[")
#: The beginning of another game, perhaps after a ")"; the last group is its first identifier.
_NEXT_GAME = re.compile(
    rb"((?<!\\)\)[\x00-\x20\x7f]*)?(\([\x00-\x20\x7f]*;[\x00-\x20\x7f]*)([A-Z]{2})[\x00-\x20\x7f]*\["
)
#: The types of the properties of which the header of a game consists.
_HEADER = frozenset({"root", "game-info"})
_NUMBER = re.compile(rb"\s*[0-9]{1,2}\s*")


class ParsedTree:
    """What was parsed of a game tree: `file` is the parsed file, `flat` its structure as columns
    of numbers, `number` the index of the game in it, 0-based, and `numbers` those of its nodes,
    in pre-order. Byte offsets and numbers of nodes count in the whole file.

    `context` is what the reading of a value depends on, and `reader` reads values in it;
    `root_values` has the first value as written of each root property that the context comes
    from. An edit of one of these gives the game tree another object with another context; all
    else stays what was parsed.
    """

    def __init__(self, file: ParsedFile, number: int, context: Context | None = None) -> None:
        """`context` overrides the one that the root determines."""
        self.file = file
        self.flat: FlatTree = file.flat
        self.number = number
        self.numbers = self.flat.nodes_of(number)
        self.root_values = file.root_values[number]
        self.context = self._context() if context is None else context
        self.reader = reader(self.context) if file.engine != "lark" else self._lark_reader()
        #: Nodes -> who moved last up to and including them, as far as that was asked for.
        self.last_movers: dict[int, str] = {}

    def _lark_reader(self) -> ValueReader:
        """The reader that lets Lark parse each value."""
        from sgf_lark.model.values.transformer import LarkReader

        return LarkReader(self.context)

    def _context(self) -> Context:
        file, number, texts = self.file, self.number, self.text_charset
        file_format = file.file_format_of(number)
        context = root_context(self.root_values, texts.codec, file_format, file.game)
        if context.game == DEFAULT_GAME:
            program = program_of_root(self.flat, self.flat.roots[number])
            context = context._replace(program=program) if program else context
        return context if texts.other is None else context._replace(other=texts.other)

    # Its place in the file

    @property
    def bounds(self) -> tuple[int, int]:
        """The byte offsets of its "(" and of its ")", in the data that the grammar reads."""
        return self.flat.bounds(self.numbers[0])

    @cached_property
    def main_line_numbers(self) -> range:
        """The numbers of the nodes of the main line."""
        variations = self.flat.variations_of(self.numbers)
        return range(self.numbers.start, variations[0] if variations else self.numbers.stop)

    def nodes_with(self, wanted: Container[str]) -> list[int]:
        """The numbers of the nodes that have a property with one of these identifiers."""
        return [number for number in self.numbers if self.flat.of_idents(number, wanted)]

    @cached_property
    def nested_roots(self) -> list[int]:
        """The numbers of the nodes after the root that have FF or GM.

        In a damaged file a game may begin at each of them.
        """
        return [each for each in self.nodes_with(_OF_ROOTS) if each != self.numbers[0]]

    @cached_property
    def nested_games(self) -> list[int]:
        """The numbers of the nodes after the root at which another game begins.

        Such a node has FF and GM, or one of them and no move. The second node may have them in
        place of the root.
        """
        flat = self.flat
        found = []
        for number in self.nested_roots:
            idents = {flat.ident(prop) for prop in range(*flat.properties_of(number))}
            is_second = flat.parent[number] == self.numbers[0]
            is_root = is_second and self.root_values.keys().isdisjoint(idents & _OF_ROOTS)
            if (idents >= _OF_ROOTS or idents.isdisjoint(_MOVES)) and not is_root:
                found.append(number)
        return found

    @cached_property
    def games_in_values(self) -> list[int]:
        """The offset of each "(" in a value that begins another game, because the "]" before it is
        lost: the value goes on up to the first "]" of that game.

        What follows has to look like a header, more so where the ")" is lost too.
        """
        flat, context = self.flat, self.context
        found = []
        for game in self.in_values_with_brackets(_NEXT_GAME):
            end = game.endpos
            if flat.data.find(b"[", game.end(), end) >= 0:
                continue
            number = flat.property_at(end)
            following = number + 1
            if flat.property_span(number)[1] != end + 1:
                continue
            has_following = following < flat.properties_of(flat.node_of_property(number))[1]
            ident = game[3].decode()
            idents = [ident, flat.ident(following)] if has_following else [ident]
            if game[1] is None:
                if {*idents} != _OF_ROOTS or not _NUMBER.fullmatch(flat.raw(following)[0]):
                    continue
            elif ident not in _OF_ROOTS:
                kinds = [definition(each, context.game, context.file_format) for each in idents]
                if len(kinds) < 2 or not _HEADER.issuperset(kind and kind.type for kind in kinds):
                    continue
            found.append(game.start(2))
        return found

    def values_with_brackets(self) -> list[int]:
        """The numbers of the values with a "[" in them after a capital letter, as after an
        identifier. Chats have many others, with ranks in brackets."""
        # Not kept: each file is asked once, and few have such values.
        flat = self.flat
        search, data, starts, ends = _OPENING.search, flat.data, flat.value_from, flat.value_to
        found = flat.values_with(b"[", flat.values_in(self.numbers))
        return [each for each in found if search(data, starts[each], ends[each])]

    def in_values_with_brackets(self, pattern: re.Pattern[bytes]) -> Iterator[re.Match[bytes]]:
        """The matches of a pattern in these values; `endpos` of each is the end of its value."""
        for number in self.values_with_brackets():
            yield from pattern.finditer(self.flat.data, *self.flat.value_span(number))

    # Its charset

    @property
    def section(self) -> Section:
        """The section of the file that the tree is in."""
        return self.file.decoding.sections.at(self.bounds[0])

    @property
    def text_charset(self) -> TextCharset:
        """The charset in which the texts of the file were decoded, and why it is that."""
        return self.file.charsets[self.number]

    @cached_property
    def declared_charset(self) -> Charset | None:
        """The charset that CA names, or None where it names none that is known."""
        return charsets.declared(self.root_values.get("CA"))

    @cached_property
    def has_certain_charset(self) -> bool:
        """See :attr:`GameTree.has_certain_charset`."""
        if self.flat.data[slice(*self.bounds)].isascii():
            return True
        return self.text_charset.is_certain and self.context.codec == self.text_charset.codec

    @property
    def decodes_everywhere(self) -> bool:
        """Whether each byte above 127 of the tree is part of a character, wherever it is, and no
        other byte is."""
        charset, _ = charsets.lookup(self.context.codec)
        if charset is None or not charset.superset or charset.trail:
            return False
        if self.file.decoding.is_ascii:
            return True
        return charsets.decodes(self.flat.data[slice(*self.bounds)], self.context.codec)
