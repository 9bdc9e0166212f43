# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: annotation_typing=False, binding=False
"""The columns of a flat tree, for what reads many of its nodes or values one by one.

Plain Python, and with the types of ``columns.pxd`` compiled to C.
"""

from __future__ import annotations

from typing import Any

from sgf_lark.engine import layout
from sgf_lark.engine.layout import Numbers, arena_of, roots_of, zeros
from sgf_lark.flat import IDENTS, FlatTree

_TEXT = layout.TEXT
_LABELS = layout.LABELS
_LIST = layout.LIST
_POINT = layout.POINT
_HEAD = layout.HEAD
_NODES = layout.NODES
_NODE_ROOM = layout.NODE_ROOM
_VALUE_ROOM = layout.VALUE_ROOM
_NO_NAMES: dict[int, str] = {}
_GOVERNING = ("FF", "GM", "SZ", "CA")
_FF, _GM, _SZ, _CA = (ord(ident[0]) << 8 | ord(ident[1]) for ident in _GOVERNING)
#: The identifiers of one and two letters that were met.
_WORDS: list[bytes | None] = [None] * (26 * 27)


class Known:
    """What rules said of properties, which holds for the same elsewhere.

    `said` has, by the bytes of a property from its identifier to behind its last value,
    with the bracket that damage may lack, the codes and findings in it, with offsets from
    where it begins; of properties of up to `longest` bytes. `kinds` has identifiers of
    properties of which nothing is said while they are plain, see :meth:`Columns.look_up`.

    A point is plain where two `letters` name one of a board of so many `columns` and
    `rows`: for each byte, the column or row that it stands for, 255 for none. A list is
    plain where it names different such points one by one, with labels of one or two
    letters or digits if it is one of those. A text is where something can be seen in it,
    and nothing is in it that cannot be, as NUL.
    """

    def __init__(self, longest: int, letters: bytes, columns: int, rows: int) -> None:
        self.said: dict[bytes, Any] = {}
        self.kinds: dict[bytes, int] = {}
        self.longest = longest
        self.letters = letters
        self.columns = columns
        self.rows = rows


class Columns:
    """What :class:`FlatTree` tells of nodes and properties, by their numbers: those in an
    arena that the engine left, or in that of a `flat` tree."""

    def __init__(self, data: bytes, numbers: Numbers, flat: FlatTree | None = None) -> None:
        self._flat = flat
        self.data = data
        # Where it is compiled, the bytes themselves: to cut from, and to look at.
        self.text = self.bytes = self.data
        self.names = _NO_NAMES if flat is None else flat.names
        #: All numbers, and where in them each column begins.
        self.numbers = numbers
        self.arena = self.numbers.data.as_ints
        nodes, values = self.arena[_NODE_ROOM], self.arena[_VALUE_ROOM]
        self.parent = _HEAD
        self.node_start = self.parent + nodes
        self.property_end = self.node_start + nodes
        self.ident_start = self.property_end + nodes
        self.ident_end = self.ident_start + values
        self.value_end = self.ident_end + values
        self.value_from = self.value_end + values
        self.value_to = self.value_from + values
        self.idents = IDENTS
        self.count = self.arena[_NODES]
        self.linked = False

    @property
    def flat(self) -> FlatTree:
        """The flat tree that they are of."""
        if self._flat is None:
            # Of a file of which nothing is said nobody asks for it.
            from sgf_lark.engine import ArenaTree

            self._flat = ArenaTree(self.data, self.numbers)
        return self._flat

    def roots(self) -> list[int]:
        """The first node of each game tree."""
        return roots_of(self.numbers) if self._flat is None else self._flat.roots

    def first_property(self, node: int) -> int:
        """The first property of a node, if it has one."""
        return self.arena[self.property_end + node - 1] if node > 0 else 0

    def behind_properties(self, node: int) -> int:
        """The number behind the last property of a node."""
        return self.arena[self.property_end + node]

    def count_values(self, first: int, last: int) -> int:
        """How many values the nodes from `first` to `last` have."""
        low, high = self.first_property(first), self.behind_properties(last)
        return self.behind_values(high - 1) - self.first_value(low) if high > low else 0

    def first_value(self, prop: int) -> int:
        """The first value of a property."""
        return self.arena[self.value_end + prop - 1] if prop > 0 else 0

    def behind_values(self, prop: int) -> int:
        """The number behind the last value of a property."""
        return self.arena[self.value_end + prop]

    def value(self, number: int) -> bytes:
        """A value as it stands between the brackets."""
        return self.text[self.arena[self.value_from + number] : self.arena[self.value_to + number]]

    def span(self, prop: int) -> tuple[int, int]:
        """From the identifier of a property to behind its last bracket."""
        return self.arena[self.ident_start + prop], min(self.end(prop), len(self.data))

    def end(self, prop: int) -> int:
        """The offset behind the last value of a property and its bracket, where it has one."""
        return self.arena[self.value_to + self.behind_values(prop) - 1] + 1

    def node_bytes(self, node: int, longest: int) -> bytes | None:
        """The bytes of a node with a property; None for more than `longest`, and where they
        do not tell what it holds."""
        behind = self.arena[self.property_end + node]
        if behind == 0 or self.names:
            return None
        start, end = self.arena[self.node_start + node], self.end(behind - 1)
        return self.text[start:end] if start < end <= start + longest else None

    def ident(self, prop: int) -> str:
        """The identifier of a property."""
        found = self.idents.get(self._word(prop))
        return self.flat.ident(prop) if found is None or self.names else found

    def only_value(self, prop: int) -> bytes | None:
        """The value of a property that has one, as it stands between the brackets."""
        first = self.first_value(prop)
        if self.behind_values(prop) - first != 1:
            return None
        return self.value(first)

    def raw(self, prop: int) -> list[bytes]:
        """The values of a property as they stand between the brackets."""
        found = []
        for value in range(self.first_value(prop), self.behind_values(prop)):
            found.append(self.value(value))
        return found

    def first_child(self, node: int) -> int:
        """The first child of a node; -1 where it has none."""
        if node + 1 < self.count and self.arena[self.parent + node + 1] == node:
            return node + 1
        return -1

    def next_sibling(self, node: int) -> int:
        """The next child of the same node; -1 behind the last."""
        if not self.linked:
            self._link()
        return self.following[node]

    def _link(self) -> None:
        """Works out the siblings of all nodes: from the last node back to the first,
        each is put in front of those that its parent has so far."""
        self.links, heads = zeros(self.count), zeros(self.count + 1)
        self.following, leading = self.links.data.as_ints, heads.data.as_ints
        for node in range(self.count - 1, -1, -1):
            above = self.arena[self.parent + node]
            self.following[node] = leading[above + 1] - 1
            leading[above + 1] = node + 1
        self.linked = True

    # What the validator asks

    def governing(self, node: int) -> dict[str, bytes]:
        """What governs the reading of a tree with that root: the first values of FF, GM, SZ
        and CA in it."""
        found: dict[str, bytes] = {}
        for prop in range(self.first_property(node), self.behind_properties(node)):
            ident = self._governs(prop)
            if ident is not None and ident not in found:
                found[ident] = self.value(self.first_value(prop))
        return found

    def _governs(self, prop: int) -> str | None:
        """The identifier of a property where it is one of those that govern."""
        if self.names:
            ident = self.ident(prop)
            return ident if ident in _GOVERNING else None
        start = self.arena[self.ident_start + prop]
        if self.arena[self.ident_end + prop] - start != 2:
            return None
        letters = self.bytes[start] << 8 | self.bytes[start + 1]
        if letters == _FF:
            return "FF"
        if letters == _GM:
            return "GM"
        if letters == _SZ:
            return "SZ"
        return "CA" if letters == _CA else None

    def look_up(
        self, node: int, known: Known, high_bytes: bool, found: list[Any]
    ) -> tuple[tuple[bytes, ...], int, list[tuple[int, bytes | None]]]:
        """What is known of the properties of a node; findings that are known are added to
        `found`: start, code, end, finding and node. `high_bytes` tells whether bytes above
        127 mean something wherever they stand.

        Gives the identifiers; how many properties are plain lists, -1 where there are others
        or a point is named in two of them; and the properties of which nothing is known, each with
        its bytes. None stands for bytes that are too many, and for those of a property
        whose identifier damage makes differ from what is written.
        """
        idents = []
        unknown: list[tuple[int, bytes | None]] = []
        named = None
        lists = 0
        prop, behind = self.first_property(node), self.behind_properties(node)
        while prop < behind:
            if self.names and prop in self.names:
                idents.append(self.names[prop].encode("latin-1"))
                unknown.append((prop, None))
            else:
                ident = self._word(prop)
                idents.append(ident)
                kind, plain = known.kinds.get(ident, 0), 0
                if kind == _TEXT:
                    plain = self._is_plain_text(prop, high_bytes)
                elif kind:
                    if named is None:
                        named = bytearray(known.columns * known.rows)
                    plain = self._is_plain(
                        prop, kind, known.letters, known.columns, known.rows, named
                    )
                    if kind != _POINT:
                        lists = lists + 1 if plain == 1 and lists >= 0 else -1
                if not plain:
                    self._look_up(prop, node, known, found, unknown)
            prop += 1
        return tuple(idents), lists, unknown

    def words(self, node: int, idents: tuple[bytes, ...], longest: int) -> tuple[bytes, ...] | None:
        """The bytes of all properties of a node with these identifiers, each of up to `longest`;
        None where one is longer, and where damage makes identifiers differ from what is written."""
        if self.names:
            return None
        found = []
        for prop in range(self.first_property(node), self.behind_properties(node)):
            if self._word(prop) in idents:
                start, end = self.arena[self.ident_start + prop], self.end(prop)
                if end - start > longest:
                    return None
                found.append(self.text[start:end])
        return tuple(found)

    def _word(self, prop: int) -> bytes:
        """The identifier of a property as it is written: where it is one or two uppercase
        letters always the same object, of which the hash is known."""
        start, end = self.arena[self.ident_start + prop], self.arena[self.ident_end + prop]
        length = end - start
        if length != 1 and length != 2:
            return self.text[start:end]
        first, last = self.bytes[start] - 65, self.bytes[end - 1] - 65
        if not (0 <= first < 26 and 0 <= last < 26):
            return self.text[start:end]
        place = 27 * first + (last + 1 if length == 2 else 0)
        found = _WORDS[place]
        if found is None:
            found = _WORDS[place] = self.text[start:end]
        return found

    def _look_up(
        self,
        prop: int,
        node: int,
        known: Known,
        found: list[Any],
        unknown: list[tuple[int, bytes | None]],
    ) -> None:
        """The same of one property, by its bytes."""
        # Behind the last value stands its bracket or, where the file breaks off, the
        # NUL by which C ends all bytes.
        start, end = self.arena[self.ident_start + prop], self.end(prop)
        word = self.text[start:end] if end - start <= known.longest else None
        said = None if word is None else known.said.get(word)
        if said is None:
            unknown.append((prop, word))
            return
        for code, finding in said:
            begin, until = start + finding[0], start + finding[1]
            found.append((begin, code, until, finding, node))

    def are_plain(
        self, props: list[int], labels: bool, letters: bytes, columns: int, rows: int
    ) -> bool:
        """Whether the values of these properties are different points of a board of that
        size, one by one; with `labels` each with a label of one or two letters or digits.

        `letters` tells the column or row for each byte that stands for one, 255 for others.
        """
        named, plain = bytearray(columns * rows), 1
        kind = _LABELS if labels else _LIST
        for prop in props:
            if plain == 1:
                plain = self._is_plain(prop, kind, letters, columns, rows, named)
        return plain == 1

    def _is_plain_text(self, prop: int, high_bytes: bool) -> bool:
        """Whether it has one value, with something to be seen and without bytes that
        cannot be, as NUL. `high_bytes` tells whether those above 127 can."""
        value = self.first_value(prop)
        if self.behind_values(prop) - value != 1:
            return False
        blank = True
        for index in range(self.arena[self.value_from + value], self.arena[self.value_to + value]):
            byte = self.bytes[index]
            if byte > 32:
                if byte > 126 and (byte == 127 or not high_bytes):
                    return False
                blank = False
            elif byte != 32 and not 9 <= byte <= 13:
                return False
        return not blank

    def _is_plain(
        self, prop: int, kind: int, letters: bytes, columns: int, rows: int, named: bytearray
    ) -> int:
        """1 where the values of a property are plain, see :class:`Known`; 2 where they are,
        and one names a point that is in `named`; else 0.

        `named` has, row by row, 0 for points that nobody named, else a number for the list
        that did. Of more than 128 lists in a node some share a number: then 0 may be given
        for what is plain.
        """
        value, own = self.first_value(prop), (prop & 127) + 1
        if kind == _POINT and self.behind_values(prop) - value != 1:
            return 0
        plain = 1
        while value < self.behind_values(prop):
            start, end = self.arena[self.value_from + value], self.arena[self.value_to + value]
            if kind == _LABELS:
                if end - start < 4 or end - start > 5 or self.bytes[start + 2] != 58:
                    return 0
                for index in range(start + 3, end):
                    byte = self.bytes[index]
                    if not (48 <= byte <= 57 or 65 <= byte <= 90 or 97 <= byte <= 122):
                        return 0
            elif end - start != 2:
                return 0
            column, row = letters[self.bytes[start]], letters[self.bytes[start + 1]]
            if column >= columns or row >= rows or named[columns * row + column] == own:
                return 0
            if kind != _POINT:
                plain = 2 if named[columns * row + column] else plain
                named[columns * row + column] = own
            value += 1
        return plain


def columns_of(flat: FlatTree) -> Columns:
    """The columns of a flat tree."""
    return Columns(flat.data, arena_of(flat), flat)
