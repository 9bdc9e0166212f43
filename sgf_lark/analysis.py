"""What is known of a text in an editor or on a page: its model, its findings and their fixes."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

from sgf_lark.diagnostics import Diagnostic, Language
from sgf_lark.fixing.choices import Choice, applicable
from sgf_lark.model.loading import DEFAULT_OPTIONS
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property
from sgf_lark.rules import load_fixes
from sgf_lark.syntax.parsing import parse_decoded
from sgf_lark.text.decoding import as_utf_8, decode
from sgf_lark.validation import validate_parsed

#: How many code units a character has, by its first byte in UTF-8; its other bytes have none.
UTF_16 = bytes(0 if 0x80 <= byte < 0xC0 else 2 if byte >= 0xF0 else 1 for byte in range(256))
UTF_32 = bytes(0 if 0x80 <= byte < 0xC0 else 1 for byte in range(256))


class CodeUnits:
    """Byte offsets of a text in UTF-8, and offsets in the code units that a client counts.

    `table` is UTF_16 or UTF_32; None where the client counts bytes.
    """

    def __init__(self, data: bytes, table: bytes | None = UTF_16) -> None:
        self._size = len(data)
        # The number of units before each byte, and before the end; None where bytes are units.
        self._before = (
            None
            if table is None or data.isascii()
            else array("I", accumulate(data.translate(table), initial=0))
        )

    def units(self, offset: int) -> int:
        """The offset in code units of the character at byte `offset`, or of its end if `offset`
        is inside a character. Offsets outside of the text are moved into it."""
        offset = min(max(offset, 0), self._size)
        return offset if self._before is None else self._before[offset]

    def bytes(self, units: int) -> int:
        """The byte offset of the character that starts at `units` or contains it."""
        if self._before is None:
            return min(max(units, 0), self._size)
        return max(bisect_right(self._before, units) - 1, 0)


class Analysis:
    """A text in UTF-8, validated as a whole; `codes` are those of the rules, by default all.

    Offsets are in bytes, 0-based. The model is for reading only.
    """

    def __init__(
        self,
        data: bytes,
        profile: str = "strict",
        codes: frozenset[str] | None = None,
        language: Language = "en",
    ) -> None:
        load_fixes()
        decoding = decode(data, charset="UTF-8")
        if decoding.whole is not None:
            # NUL characters made the text resemble UTF-16.
            decoding = as_utf_8(data)
        self.data = data
        self.language = language
        self.validated = validate_parsed(
            parse_decoded(decoding), DEFAULT_OPTIONS, profile, codes, language
        )
        self.collection = self.validated.collection
        self.flat = self.collection.flat

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """All diagnostics, in the order of their places."""
        return self.validated.report.diagnostics

    @property
    def is_damaged(self) -> bool:
        """Whether the text does not follow the grammar."""
        return bool(self.validated.damage)

    @cached_property
    def safe_fixes(self) -> dict[int, Choice]:
        """The fixes that change no meaning, by the numbers of the diagnostics."""
        return {each.number: each for each in applicable(self.validated, unsafe=False)}

    @cached_property
    def unsafe_fixes(self) -> dict[int, Choice]:
        """The fixes that drop or guess something, by the numbers of the diagnostics."""
        return {
            each.number: each
            for each in applicable(self.validated, unsafe=True)
            if not each.fix.safe and each.number not in self.safe_fixes
        }

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
        return Property(node, self.flat.ident(number), None, number)

    def value_at(self, offset: int) -> tuple[Property, int, int] | None:
        """The property whose value is at a byte offset, its brackets included, and where that value
        begins and ends, without them."""
        entry = self.property_at(offset)
        if entry is not None and entry.number is not None:
            for start, end in self.flat.value_spans(entry.number):
                if start - 1 <= offset <= end:
                    return entry, start, end
        return None

    def between(self, start: int, end: int) -> dict[int, Diagnostic]:
        """The diagnostics that touch the bytes from `start` to `end`, by their numbers."""
        return {
            number: each
            for number, each in enumerate(self.diagnostics)
            if each.span.start <= end and start <= each.span.end
        }
