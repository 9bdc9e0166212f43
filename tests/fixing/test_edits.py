"""Edits of fixes: which overlap, what is deleted with a last value, and where text comes from."""

from __future__ import annotations

from sgf_lark.fixing import edits as of_fixes
from sgf_lark.fixing.edits import Chosen
from sgf_lark.rules.fixes import Edit, Fix
from sgf_lark.syntax.parsing import parse_strictly
from sgf_lark.text.edits import Origins, apply

#: Edits taken, those of another fix, and whether there is room for them.
OVERLAPS = [
    # Replaced text
    ([], [Edit(2, 5)], True),
    ([Edit(2, 5)], [Edit(5, 8)], True),
    ([Edit(2, 5)], [Edit(4, 8)], False),
    ([Edit(5, 8)], [Edit(2, 5)], True),
    ([Edit(5, 8)], [Edit(2, 6)], False),
    ([Edit(5, 8)], [Edit(5, 8)], False),
    ([Edit(2, 3), Edit(7, 8)], [Edit(3, 7)], True),
    ([Edit(2, 3), Edit(7, 8)], [Edit(3, 7), Edit(7, 8)], False),
    # The edits of one fix
    ([], [Edit(2, 5), Edit(5, 8)], True),
    ([], [Edit(2, 5), Edit(4, 8)], False),
    # Inserted text
    ([Edit(2, 5)], [Edit(5, 5, b"x")], True),
    ([Edit(2, 5)], [Edit(4, 4, b"x")], False),
    ([Edit(5, 5, b"x")], [Edit(2, 5)], True),
    ([Edit(5, 5, b"x")], [Edit(5, 8)], False),
    ([Edit(5, 5, b"x")], [Edit(5, 5, b"x")], False),
    ([Edit(5, 5, b"x")], [Edit(5, 8, b"5x7")], False),
    ([Edit(5, 5, b"x")], [Edit(1, 5, b"1234x")], False),
    # Inserted properties
    ([Edit(5, 5, b"KM[6]")], [Edit(5, 5, b"PB[x]")], True),
    ([Edit(5, 5, b"KM[6]")], [Edit(5, 5, b"KM[6]")], False),
    ([Edit(5, 5, b"KM[6]")], [Edit(5, 5, b"x")], False),
    ([Edit(5, 5, b"x")], [Edit(5, 5, b"KM[6]")], False),
    ([Edit(5, 5, b"KM[6]")], [Edit(5, 8, b"PB[x]")], False),
    ([Edit(2, 8)], [Edit(5, 5, b"KM[6]")], False),
    ([Edit(5, 5, b"C[a]")], [Edit(5, 5, b"C[b]")], True),
    ([Edit(5, 5, b"GC[a]")], [Edit(5, 5, b"GC[b]")], True),
    # Inserted parentheses
    ([Edit(5, 5, b")")], [Edit(5, 5, b"))")], True),
    ([Edit(5, 5, b")")], [Edit(5, 5, b")]")], False),
    ([Edit(5, 5, b"C[a]")], [Edit(5, 5, b")")], True),
    # Kept text: one may keep what another keeps, but not what it changes
    ([Edit(1, 5, b"1x34")], [Edit(3, 8, b"345x7")], True),
    ([Edit(3, 8, b"345x7")], [Edit(1, 5, b"1x34")], True),
    ([Edit(1, 5, b"1x34")], [Edit(2, 8, b"234x67")], False),
    ([Edit(2, 8, b"234x67")], [Edit(1, 5, b"1x34")], False),
    ([Edit(1, 5, b"1x34")], [Edit(2, 3)], False),
    ([Edit(1, 5, b"1x34")], [Edit(4, 4, b"x")], False),
    ([Edit(4, 4, b"x")], [Edit(1, 5, b"1x34")], False),
    ([Edit(1, 5, b"1x34")], [Edit(5, 5, b"x")], True),
    ([Edit(1, 5, b"1234x")], [Edit(5, 5, b"x")], False),
    ([Edit(1, 5, b"1x34"), Edit(6, 9, b"67x")], [Edit(3, 8, b"34x67")], True),
    ([Edit(1, 5, b"1x34"), Edit(6, 9, b"67x")], [Edit(3, 9, b"34x678")], False),
]  # fmt: skip


def test_fixes_that_overlap() -> None:
    data = b"0123456789"
    for taken, others, has_room in OVERLAPS:
        chosen = Chosen(data)
        assert chosen.take(taken)
        assert chosen.take(others) == has_room, (taken, others)
        for fix in [taken, others] if has_room else [taken]:
            alone = Chosen(data)
            assert alone.take(fix)
            assert apply(data, alone.edits) == apply(data, fix)
            assert {*alone.edits} <= {*chosen.edits}
        assert chosen.edits == sorted(chosen.edits, key=lambda edit: edit.start)


#: Edits of "(;C [a]AB[aa][bb])", and the file after them.
DELETIONS = [
    ([Edit(9, 13)], b"(;C [a]AB[bb])"),
    ([Edit(9, 13), Edit(13, 17)], b"(;C [a])"),
    ([Edit(9, 13), Edit(13, 17, b"[cc]")], b"(;C [a]AB[cc])"),
    ([Edit(4, 7)], b"(;AB[aa][bb])"),
    ([Edit(4, 6)], b"(;C ]AB[aa][bb])"),
    ([Edit(4, 7, b"[]")], b"(;C []AB[aa][bb])"),
    ([Edit(3, 7)], b"(;CAB[aa][bb])"),
    ([Edit(2, 7)], b"(;AB[aa][bb])"),
    ([Edit(5, 7)], b"(;C [AB[aa][bb])"),
    ([Edit(17, 18)], b"(;C [a]AB[aa][bb]"),
]


def test_a_property_is_deleted_with_its_last_value() -> None:
    data = b"(;C [a]AB[aa][bb])"
    flat = parse_strictly(data)
    for edits, expected in DELETIONS:
        assert apply(data, of_fixes.with_identifiers(edits, flat)) == expected
        assert apply(data, of_fixes.edits_of(Fix(tuple(reversed(edits))), flat)) == expected


def test_edits_do_not_overlap_where_a_property_is_deleted() -> None:
    edits = of_fixes.with_identifiers(
        [Edit(9, 13), Edit(13, 17)], parse_strictly(b"(;C [a]AB[aa][bb])")
    )
    assert edits == [Edit(7, 9), Edit(9, 13), Edit(13, 17)]


def test_a_fix_that_overlaps_itself_has_no_edits() -> None:
    fix = Fix((Edit(2, 6), Edit(3, 6)))
    assert of_fixes.edits_of(fix, parse_strictly(b"(;C[a])")) == []


#: Edits of ten bytes, one round after the other, and for each offset afterwards the original one.
ORIGINS: list[tuple[list[list[Edit]], list[int]]] = [
    ([[Edit(5, 5, b"xyz")]], [0, 1, 2, 3, 4, 5, 5, 5, 5, 6, 7, 8, 9, 10]),
    ([[Edit(5, 7)]], [0, 1, 2, 3, 4, 7, 8, 9, 10]),
    ([[Edit(5, 7, b"x")]], [0, 1, 2, 3, 4, 5, 7, 8, 9, 10]),
    ([[Edit(0, 2), Edit(2, 3, b"x"), Edit(9, 10)]], [2, 3, 4, 5, 6, 7, 8, 10]),
    ([[Edit(5, 5, b"xyz")], [Edit(6, 7), Edit(9, 9, b"x")]], [0, 1, 2, 3, 4, 5, 5, 5, 6, 6, 7, 8]),
    ([[Edit(2, 4)], [Edit(1, 3)]], [0, 5, 6, 7, 8, 9, 10]),
    # Nothing is beyond the end.
    ([[]], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10]),
    ([[Edit(8, 10)]], [0, 1, 2, 3, 4, 5, 6, 7, 10, 10, 10]),
]  # fmt: skip


def test_origins() -> None:
    for rounds, expected in ORIGINS:
        origins = Origins(10)
        for edits in rounds:
            origins.follow(edits)
        assert [origins.was_at(offset) for offset in range(len(expected))] == expected
