# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# cython: annotation_typing=False
"""The columns of a flat tree, for what reads many of its nodes or values one by one.

Plain Python, and with the types of ``columns.pxd`` compiled to C.
"""

from __future__ import annotations

from sgf_lark.engine.layout import zeros
from sgf_lark.flat import FlatTree


class Columns:
    """What :class:`FlatTree` tells of nodes and properties, by their numbers."""

    def __init__(self, flat: FlatTree) -> None:
        self.flat = flat
        self.data = flat.data
        self.text = self.data  # where it is compiled, the bytes themselves
        self.parent = flat.parent
        self.property_end = flat.property_end
        self.ident_start = flat.ident_start
        self.ident_end = flat.ident_end
        self.value_end = flat.value_end
        self.value_from = flat.value_from
        self.value_to = flat.value_to
        self.idents: dict[bytes, str] = {}
        self.count = len(flat.parent)
        self.linked = False

    def first_property(self, node: int) -> int:
        """The first property of a node, if it has one."""
        return self.property_end[node - 1] if node > 0 else 0

    def behind_properties(self, node: int) -> int:
        """The number behind the last property of a node."""
        return self.property_end[node]

    def ident(self, prop: int) -> str:
        """The identifier of a property."""
        written = self.text[self.ident_start[prop] : self.ident_end[prop]]
        found = self.idents.get(written)
        if found is None or self.flat.names:
            found = self.idents[written] = self.flat.ident(prop)
        return found

    def only_value(self, prop: int) -> bytes | None:
        """The value of a property that has one, as it stands between the brackets."""
        first = self.value_end[prop - 1] if prop > 0 else 0
        if self.value_end[prop] - first != 1:
            return None
        return self.text[self.value_from[first] : self.value_to[first]]

    def first_child(self, node: int) -> int:
        """The first child of a node; -1 where it has none."""
        if node + 1 < self.count and self.parent[node + 1] == node:
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
        self.following = zeros(self.count)
        leading = zeros(self.count + 1)
        for node in range(self.count - 1, -1, -1):
            above = self.parent[node]
            self.following[node] = leading[above + 1] - 1
            leading[above + 1] = node + 1
        self.linked = True


# --- Parts of an arena ----------------------------------------------------------------
#
# `place` is where the columns of properties and values begin, which have room for
# `value_room` of them; `names` are the identifiers that damage makes differ from what is
# written.


def look_up(  # type: ignore[no-untyped-def]  # C types are in columns.pxd
    data, arena, place, value_room, names, first, last, longest, said, found, node
):
    """What is known of the properties from `first` up to `last`, which are in `node`.

    `said` has, by the bytes of a property from its identifier to behind its last value, the
    codes and findings in it, with offsets from where it begins; they are added to `found`.
    Gives the identifiers, as a tuple, and the properties of which nothing is known, each
    with its bytes, or None where these are more than `longest` or it is in `names`.
    """
    ident_end = place + value_room
    value_end = ident_end + value_room
    value_to = value_end + 2 * value_room
    idents = []
    unknown: list[tuple[int, bytes | None]] = []
    for prop in range(first, last):
        start = arena[place + prop]
        end = arena[value_to + arena[value_end + prop] - 1] + 1
        if names and prop in names:
            idents.append(names[prop].encode("latin-1"))
            unknown.append((prop, None))
            continue
        idents.append(data[start : arena[ident_end + prop]])
        if end - start > longest:
            unknown.append((prop, None))
            continue
        word = data[start:end]
        known = said.get(word)
        if known is None:
            unknown.append((prop, word))
        elif known:
            for code, finding in known:
                found.append((start + finding[0], code, start + finding[1], finding, node))
    return tuple(idents), unknown


def first_values(  # type: ignore[no-untyped-def]
    data, arena, place, value_room, names, first, last
):
    """The first value of each property from `first` up to `last`, by identifier; of a
    repeated property, the first."""
    ident_end = place + value_room
    value_end = ident_end + value_room
    value_from = value_end + value_room
    value_to = value_from + value_room
    found: dict[str, bytes] = {}
    for prop in range(first, last):
        if names and prop in names:
            ident = names[prop]
        else:
            ident = data[arena[place + prop] : arena[ident_end + prop]].decode("latin-1")
        if ident not in found:
            value = arena[value_end + prop - 1] if prop > 0 else 0
            found[ident] = data[arena[value_from + value] : arena[value_to + value]]
    return found


def plain_points(  # type: ignore[no-untyped-def]
    data, arena, place, value_room, prop, letters, columns, rows, labels
):
    """The points that a property names, as numbers, where its values are different points
    of the board, one by one, or with `labels` each with a short label; else None."""
    value_end = place + 2 * value_room
    value_from = value_end + value_room
    value_to = value_from + value_room
    first = arena[value_end + prop - 1] if prop > 0 else 0
    last = arena[value_end + prop]
    found = set()
    for value in range(first, last):
        start = arena[value_from + value]
        end = arena[value_to + value]
        if labels:
            if end - start < 4 or end - start > 5 or data[start + 2] != 58:
                return None
            for index in range(start + 3, end):
                byte = data[index]
                if not (48 <= byte <= 57 or 65 <= byte <= 90 or 97 <= byte <= 122):
                    return None
        elif end - start != 2:
            return None
        column = letters[data[start]]
        row = letters[data[start + 1]]
        if column >= columns or row >= rows:
            return None
        found.add(256 * row + column)
    return found if len(found) == last - first else None
