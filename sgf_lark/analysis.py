"""What is known of a file or a text: its model, its findings and their fixes, with the places in
the columns of whoever shows them.

The commands ``check`` and ``fix``, the language server and the playground all ask one
:class:`Analysis`. It is made of a validated file; a :class:`Text` is what people type, in UTF-8.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

from sgf_lark.diagnostics import Diagnostic, Language
from sgf_lark.fixing import FixResult, fix
from sgf_lark.fixing.choices import Choice, applicable, fixability
from sgf_lark.fixing.edits import edits_of
from sgf_lark.model.loading import DEFAULT_OPTIONS
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property
from sgf_lark.model.values import Compose, Point
from sgf_lark.model.values.points import Rectangle, ordered
from sgf_lark.rules import load_fixes
from sgf_lark.rules.fixes import Edit, Fix, FixContext
from sgf_lark.syntax.parsing import ParsedFile, parse
from sgf_lark.syntax.tolerant import LAYER
from sgf_lark.text.charsets import decodes
from sgf_lark.text.decoding import as_utf_8, decode
from sgf_lark.validation import ValidatedFile, selected_codes, validate_parsed

if TYPE_CHECKING:
    from sgf_lark.fixing.rewriting import Rewriting

#: How many code units a character has, by its first byte in UTF-8; its other bytes have none.
UTF_16 = bytes(0 if 0x80 <= byte < 0xC0 else 2 if byte >= 0xF0 else 1 for byte in range(256))
UTF_32 = bytes(0 if 0x80 <= byte < 0xC0 else 1 for byte in range(256))

#: Lines end as the Language Server Protocol says: at a line feed, a carriage return, or both.
_LINE_END = re.compile(rb"\r\n|\r|\n")


class Text:
    """A text in UTF-8: byte offsets, the code units that a client counts, and 0-based lines.

    `table` is UTF_16 or UTF_32; None where the client counts bytes.
    """

    def __init__(self, data: bytes, table: bytes | None = UTF_16) -> None:
        self.data = data
        self._table = table

    @cached_property
    def _before(self) -> array[int] | None:
        """The number of units before each byte, and before the end; None where bytes are units."""
        if self._table is None or self.data.isascii():
            return None
        return array("I", accumulate(self.data.translate(self._table), initial=0))

    @cached_property
    def line_starts(self) -> list[int]:
        """The byte offsets at which lines begin."""
        return [0, *(match.end() for match in _LINE_END.finditer(self.data))]

    def units(self, offset: int) -> int:
        """The offset in code units of the character at byte `offset`, or of its end if `offset`
        is inside a character. Offsets outside of the text are moved into it."""
        offset = min(max(offset, 0), len(self.data))
        return offset if self._before is None else self._before[offset]

    def bytes(self, units: int) -> int:
        """The byte offset of the character that starts at `units` or contains it."""
        if self._before is None:
            return min(max(units, 0), len(self.data))
        return max(bisect_right(self._before, units) - 1, 0)

    def place(self, offset: int) -> tuple[int, int]:
        """The line of a byte offset, and its column in code units."""
        offset = min(max(offset, 0), len(self.data))
        line = bisect_right(self.line_starts, offset) - 1
        return line, self.units(offset) - self.units(self.line_starts[line])

    def offset_at(self, line: int, column: int) -> int:
        """The byte offset of a place; a column after the line's end is its end."""
        if line >= len(self.line_starts):
            return len(self.data)
        start, end = self.line_starts[line], self.line_end(line)
        return min(max(start, self.bytes(self.units(start) + column)), end)

    def line_end(self, line: int) -> int:
        """The byte offset after the last character of a line, before its line break."""
        if line + 1 == len(self.line_starts):
            return len(self.data)
        end = self.line_starts[line + 1]
        return end - (2 if self.data[end - 2 : end] == b"\r\n" else 1)


class Analysis:
    """A validated file. Offsets are in bytes, 0-based. The model is for reading only."""

    def __init__(self, validated: ValidatedFile) -> None:
        self.validated = validated
        self.collection = validated.collection
        self.flat = self.collection.flat
        self.data = self.flat.data

    @property
    def codes(self) -> dict[str, int]:
        """How many diagnostics each rule has, by code."""
        kinds = self.validated.report.kinds
        return {code: count for (code, _, _), count in kinds.items()}

    def most_severe(self, limit: int) -> tuple[dict[int, Diagnostic], int]:
        """The `limit` most severe diagnostics, by their numbers, and how many others there are."""
        shown = self._numbered(self.validated.report.indexes(limit))
        return shown, len(self.validated.findings) - len(shown)

    def between(self, start: int, end: int) -> dict[int, Diagnostic]:
        """The diagnostics that touch the bytes from `start` to `end`, by their numbers."""
        return self._numbered(
            [
                number
                for number, each in enumerate(self.validated.findings)
                if each.start <= end and start <= each.end
            ]
        )

    def _numbered(self, numbers: list[int]) -> dict[int, Diagnostic]:
        """These diagnostics only: to build all those of a long text takes most of the time."""
        return dict(zip(numbers, self.validated.report.part(numbers).diagnostics, strict=True))

    def over(self, start: int, end: int) -> list[Diagnostic]:
        """The diagnostics that are about a character from `start` to `end`, or the one at `start`;
        an empty place counts as the character there."""
        return [
            each
            for each in self.between(start, end).values()
            if each.span.start <= max(end - 1, start)
            and start < max(each.span.end, each.span.start + 1)
        ]

    @cached_property
    def fixability(self) -> dict[int, bool]:
        """The numbers of the diagnostics that :func:`sgf_lark.fix` can fix, and whether safely."""
        return fixability(self.validated)

    @property
    def is_damaged(self) -> bool:
        """Whether the text does not follow the grammar."""
        return bool(self.validated.damage)

    # Nodes, properties and values

    def node(self, number: int) -> Node:
        """The node of that number in the flat tree."""
        return self.collection[self.flat.tree_of(number)].node(number)

    def node_at(self, offset: int) -> Node | None:
        """The last node that begins at a byte offset or before it, or else the first node; None
        without nodes."""
        return self.node(self.flat.node_at(offset)) if self.flat.roots else None

    def property_at(self, offset: int) -> Property | None:
        """The property around a byte offset, the one after its last "]" included."""
        number = self.flat.property_at(offset)
        if number < 0 or offset > self.flat.property_span(number)[1]:
            return None
        node = self.node(self.flat.node_of_property(number))
        return Property(node, self.flat.ident(number), self.flat, number)

    def value_at(self, offset: int) -> tuple[Property, int] | None:
        """The property whose value is at a byte offset, its brackets included, and the number of
        that value in the file."""
        entry, value = self.property_at(offset), self.flat.value_at(offset)
        if entry is None or entry.number is None:
            return None
        # A value that is not closed may end after the next property begins.
        return (entry, value) if value in range(*self.flat.values_of(entry.number)) else None

    # Points

    def areas(self, entry: Property, value: int) -> Iterator[Rectangle]:
        """The upper left and the lower right point of each rectangle in a value of a property,
        which is given by its number, and each single point as both."""
        definition, raw = entry.definition, self.flat.value(value)
        if definition is None:
            return
        reader, first = entry.tree.parsed.reader, definition.alternatives[0]
        corners = None if first.composed else reader.rectangle(first.first, raw)
        if corners is not None:
            yield ordered(*corners)
            return
        try:
            read = reader.read_one(definition, raw)
        except ValueError:
            return
        for part in read if isinstance(read, Compose) else getattr(read, "points", [read]):
            if isinstance(part, Point):
                yield part, part

    def values_with(
        self, node: Node, point: Point, idents: Container[str] | None = None
    ) -> Iterator[tuple[int, int]]:
        """Where the values of a node with a point begin and end, the last one first; only those of
        these properties."""
        for entry in reversed(node.properties):
            if entry.number is None or not (idents is None or entry.ident in idents):
                continue
            for value in reversed(range(*self.flat.values_of(entry.number))):
                if any(
                    first.column <= point.column <= last.column
                    and first.row <= point.row <= last.row
                    for first, last in self.areas(entry, value)
                ):
                    yield self.flat.value_span(value)

    def origin(
        self, node: Node | None, point: Point, idents: Container[str] | None = None
    ) -> tuple[int, int] | None:
        """Where the last value with a point begins and ends, in a node or on the path to it: it put
        the stone or the mark there. None without one; only values of these properties."""
        while node is not None:
            for place in self.values_with(node, point, idents):
                return place
            node = node.parent
        return None


@dataclass(frozen=True)
class Settings:
    """What whoever types a text chooses: the rules, and the language of the messages."""

    profile: str = "strict"
    language: Language = "en"
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()

    @property
    def codes(self) -> frozenset[str]:
        """The codes of the selected rules."""
        return selected_codes(self.select, self.ignore)


class TextAnalysis(Analysis):
    """A text, validated as a whole: 100 kilobytes take some milliseconds."""

    def __init__(self, text: Text, settings: Settings) -> None:
        self.text = text
        self.settings = settings
        self.language = settings.language
        self._fixed: dict[object, FixResult] = {}
        super().__init__(self._validate())
        # As it is typed: the byte order mark of a text is not in the flat tree.
        self.data = text.data

    def _validate(self) -> ValidatedFile:
        decoding = decode(self.text.data, charset="UTF-8")
        if decoding.whole is not None:
            # NUL characters made the text resemble UTF-16.
            decoding = as_utf_8(self.text.data)
        given = self.settings
        found, codes = parse(decoding), given.codes
        if (layers := found.layers) is not None:
            # One cause is one finding: what else is in the text shows when the layer is gone.
            found = ParsedFile(layers.before.decoding, layers.before.flat, layers.as_damage())
            codes &= {LAYER}
        return validate_parsed(found, DEFAULT_OPTIONS, given.profile, codes, given.language)

    # Fixes

    @cached_property
    def safe_fixes(self) -> dict[int, Choice]:
        """The fixes that change no meaning, by the numbers of the diagnostics."""
        return self._choices(unsafe=False)

    def safe_fixes_of(self, numbers: Container[int]) -> dict[int, Choice]:
        """Those of the diagnostics with these numbers, and of damage: to work out all those of a
        long text takes longer than to validate it."""
        return self._choices(unsafe=False, numbers=numbers)

    @cached_property
    def unsafe_fixes(self) -> dict[int, Choice]:
        """The fixes that drop or guess something, by the numbers of the diagnostics."""
        return {
            number: each
            for number, each in self._choices(unsafe=True).items()
            if not each.fix.safe and number not in self.safe_fixes
        }

    def _choices(self, *, unsafe: bool, numbers: Container[int] | None = None) -> dict[int, Choice]:
        load_fixes()
        if self._is_layered:
            return self._without_layers() if unsafe else {}
        found = applicable(self.validated, unsafe=unsafe, numbers=numbers)
        return {each.number: each for each in found}

    @property
    def _is_layered(self) -> bool:
        """Whether a layer lies over the text, such as an encoding, which is all that is found."""
        return any(each.code == LAYER for each in self.validated.damage)

    def _without_layers(self) -> dict[int, Choice]:
        """The fix that takes all layers away, for the first of them; none if what is left is not in
        UTF-8, as the text is."""
        without = self.fixed(select=(LAYER,), unsafe=True).data
        if not decodes(without, "utf-8"):
            return {}
        found = self.validated.findings[0]
        site = FixContext(self.collection, LAYER, found.placed(), found.node, {})
        fix = Fix((Edit(0, len(self.data), without),), safe=False)
        return {0: Choice(0, found, site, fix, 0)}

    def edits(self, choice: Choice) -> list[Edit]:
        """The edits of one fix, in order; none if they overlap."""
        return edits_of(choice.fix, choice.site.flat)

    def fixed(
        self,
        *,
        select: tuple[str, ...] | None = None,
        unsafe: bool = False,
        rewriting: Rewriting | None = None,
    ) -> FixResult:
        """The text after :func:`sgf_lark.fix`, with the fixes of the selected rules."""
        key = select, unsafe, rewriting
        if key not in self._fixed:
            self._fixed[key] = fix(
                self.data,
                unsafe=unsafe,
                select=self.settings.select if select is None else select,
                ignore=self.settings.ignore,
                charset="UTF-8",
                rewriting=rewriting,
            )
        return self._fixed[key]
