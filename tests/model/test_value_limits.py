"""Limits of values: long numbers, large rectangles, boards that end inside a rectangle, and what of
a long property is shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sgf_lark import Color, GameTree, Move, Node, Point, SGFValueError, Stone, grammar, loads
from sgf_lark.model.property import first_value, values_of
from sgf_lark.model.values.basic import LARGEST
from sgf_lark.model.values.points import PointSet, Rectangle, expand
from tests.kit.tables import for_each


def game(text: str) -> GameTree:
    return loads(text, tolerant=True)[0]


# --- Numbers ------------------------------------------------------------------------------


@for_each(["9" * 4301, "-" + "1" * 5000])
def test_numbers_that_python_does_not_convert_are_value_errors(digits: str) -> None:
    root = game(f"(;FF[4]GM[1]SZ[{digits.strip('-')}:9]MN[{digits}]B[aa];W[bb])").root
    for ident in ("MN", "SZ"):
        with pytest.raises(SGFValueError):
            root[ident]
    assert root.get("MN") is None and root.children[0].move_number == 2
    with pytest.raises(ValueError):
        root["MN"] = 10**4300
    root["MN"] = 10**4300 - 1
    assert root["MN"] == 10**4300 - 1
    assert root.children[0].move_number == LARGEST + 1


# --- Rectangles ---------------------------------------------------------------------------


#: A property, its first value if that follows the type, and those of its values that do.
FOLLOWING = [
    ("B[aa]", Move(Point(0, 0)), [Move(Point(0, 0))]),
    ("B[x][bb]", None, [Move(Point(1, 1))]),
    ("PL[W]", Color.WHITE, [Color.WHITE]),
    ("AB[cc]", Stone(2, 2), [Stone(2, 2)]),
    ("AB[aa][bb:cc][x][aa]", Stone(0, 0), [Stone(0, 0)]),
    ("LB[x][aa:XG]", None, [(Point(0, 0), "XG")]),
    ("SZ[9:13]", (9, 13), [(9, 13)]),
    ("XX[aa]", None, []),
]


@for_each(FOLLOWING)
def test_values_that_follow_the_type(text: str, first: object, values: list[object]) -> None:
    (entry,) = game(f"(;{text})").root.properties
    assert first_value(entry) == first and [*values_of(entry)] == values


def test_lists_of_points_have_one_form() -> None:
    """The code relies on it: only SZ and FG have several forms, and no list has."""
    several = {each.ident for each in grammar.properties() if len(each.alternatives) > 1}
    assert several == {"SZ", "FG"}
    assert not any(each.takes_many for each in grammar.properties() if len(each.alternatives) > 1)


# --- Typed values -------------------------------------------------------------------------


@for_each(["(;FF[4]GM[1]AB[aa])", "(;FF[4]GM[1]AB[aa:bb])", "(;FF[4]GM[1]XX[aa])"])
def test_lists_that_are_read_are_new_ones(text: str) -> None:
    def value_of(root: Node) -> list[object]:
        (found,) = (root[ident] for ident in root if ident not in ("FF", "GM"))
        return found  # type: ignore[no-any-return]

    first = value_of(game(text).root)
    expected = [*first]
    first.clear()
    assert value_of(game(text).root) == expected


def test_the_charset_of_the_caller_is_that_of_the_tree_until_CA_changes() -> None:
    tree = loads(b"(;FF[4]GM[1]CA[UTF-8]C[\xe9])", charset="ISO-8859-1")[0]
    tree.root["SZ"] = 9
    assert (tree.root["C"], tree.charset) == ("é", "latin-1")
    tree.root["CA"] = "UTF-8"
    assert (tree.root["C"], tree.root.property("C").raw) == ("é", ["é".encode()])


# --- Sets of points -----------------------------------------------------------------------

#: Around the sides of the blocks in which sets keep points. The areas are narrow in one direction:
#: the points are also listed one by one.
NARROW = st.lists(st.integers(60, 66), min_size=2, max_size=2).map(sorted)
WIDE = st.lists(
    st.integers(0, 2) | st.integers(62, 65) | st.integers(127, 129), min_size=2, max_size=2
).map(sorted)


def area(columns: list[int], rows: list[int]) -> Rectangle:
    return Point(columns[0], rows[0]), Point(columns[1], rows[1])


AREAS = st.builds(area, NARROW, WIDE) | st.builds(area, WIDE, NARROW)


@given(st.lists(AREAS, max_size=4), AREAS, AREAS)
def test_point_set_is_a_set_of_points(
    added: list[Rectangle], left_out: Rectangle, asked: Rectangle
) -> None:
    others, found = PointSet(), PointSet()
    others.add(left_out)
    for each in added:
        found.add(each, unless=others)
    points = {point for each in added for point in expand(*each)} - {*expand(*left_out)}
    inside = expand(*asked)
    assert len(found) == len(points)
    assert found.missing_in(asked) == [point for point in inside if point not in points]
    assert found.first_in(asked) == next((point for point in inside if point in points), None)
