"""Files that follow the grammar but for identifiers with lowercase letters, such as ``CoPyright``,
which were legal up to FF[3]."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sgf_lark import engine
from sgf_lark.flat_tree import COLUMNS, FlatTree
from sgf_lark.syntax.damage import Damage, DamagedTree

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
