"""What is said about a Python value that a property cannot hold: the value, what the property
takes, and an example that it takes."""

from __future__ import annotations

import io
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

import sgf_lark
from sgf_lark import Color, Compose, Double, Move, Point, grammar
from sgf_lark.model import values
from sgf_lark.model.values import notations
from tests.kit.tables import for_each


class Array:
    """An array as those of NumPy."""

    def __len__(self) -> int:
        return 3

    def __getitem__(self, index: int) -> int:
        return (1, 2, 3)[index]

    def __index__(self) -> int:
        raise TypeError("only integer scalar arrays can be converted to a scalar index")

    def __float__(self) -> float:
        raise TypeError("only length-1 arrays can be converted to Python scalars")


class WithoutRepr:
    def __repr__(self) -> str:
        raise RuntimeError


anything: Any = type("anything", (), {})


def wrong_values() -> list[Any]:
    """New ones each time, because an iterator can be used once."""
    return [
        *(None, object(), object, len, True, False, WithoutRepr(), [WithoutRepr()]),
        *(0, -1, 3, 10**400, -(10**5000), 1.5, 1e300, 1 + 2j, float("nan"), float("inf")),
        *(Decimal("1.5"), Decimal("nan"), Fraction(1, 3), Double.NORMAL, Array(), [Array()]),
        *("", "zz", "é", "棋", "\0", "[]", "pd", "pp:qq", ":", "x" * 10**5, "\ud800"),
        *(b"x", bytearray(b"x"), [], [[]], [None], {}, {"a": 1}, set(), {1}, range(3), iter([1])),
        *((), (1,), (1, 2), (1, 2, 3), (None, None), ("a", 1), (1.5, 2), (True, True)),
        *([(1, 2, 3)], [("aa",)], (each for each in "ab"), (each for each in [Point(99, 99)])),
        *(Point(60, 60), Point(-1, 0), Point(10**400, 1), Point(anything, anything)),
        *(Color.BLACK, Compose(1, 2), Compose(None, None)),
        *(Move(), Move(Point(3, 3)), Move(Point(19, 0)), Move(anything), Move(anything())),
        sgf_lark.BackgammonMove(*[anything] * 3),
        sgf_lark.HexMove(anything, anything),
        sgf_lark.LinesOfActionMove(*[anything] * 5),
        sgf_lark.AmazonsMove(*[anything] * 3),
        sgf_lark.GessMove(anything, anything),
        sgf_lark.OctiMove(anything),
        sgf_lark.OctiStone(anything, anything),
    ]


#: Words of messages that Python raises from inside.
PYTHON = re.compile(
    "instances of|unpack|not iterable|has no attribute|NoneType|object of type|subscript|"
    "positional argument|codec|is not a valid|integer string|must be|convert|__|object at|"
    "unsupported|concatenate|is not defined|out of range|base 10"
)

GAMES = [number for number, game in grammar.games().items() if game.point] + [2]


def root_of(game: int, file_format: int = 4) -> sgf_lark.Node:
    return sgf_lark.loads(b"(;FF[%d]GM[%d];)" % (file_format, game))[0].root


def definitions(game: int, file_format: int) -> list[grammar.PropertyDefinition]:
    idents = dict.fromkeys(each.ident for each in grammar.properties())
    found = (grammar.definition(ident, game, file_format) for ident in idents)
    return [each for each in found if each is not None]


def one_of_each_kind(game: int, file_format: int) -> list[grammar.PropertyDefinition]:
    """Properties whose values are of one type, format and range take the same."""
    found = definitions(game, file_format)
    kinds = {(each.alternatives, each.format, each.minimum, each.maximum): each for each in found}
    return [*kinds.values()]


@pytest.mark.parametrize("file_format", [1, 4])
@for_each(GAMES)
def test_messages(game: int, file_format: int) -> None:
    for definition in one_of_each_kind(game, file_format):
        is_of_go = not definition.kinds & {"point", "stone", "move"} and (
            definition == grammar.definition(definition.ident, 1, 4)
        )
        if is_of_go and (game, file_format) != (1, 4):
            continue  # it takes the same values
        node = root_of(game, file_format).children[0]
        for value in wrong_values():
            try:
                node[definition.ident] = value
            except (TypeError, ValueError) as error:
                message = str(error)
                assert not PYTHON.search(message), message
                assert message.isprintable() and len(message) < 600
                if not isinstance(value, str) or value.isascii():
                    start = f"{definition.ident} cannot hold "
                    assert message.startswith(start), message
                    assert "; it takes " in message and "such as node[" in message
                assert definition.ident not in node
            else:
                # What is taken is read back, and is a file.
                assert node[definition.ident] is not ...
                assert sgf_lark.loads(b"(" + b";" + bytes(node.property(definition.ident)) + b")")
                del node[definition.ident]


@for_each(GAMES)
def test_examples_are_taken(game: int) -> None:
    for definition in definitions(game, 4):
        node = root_of(game).children[0]
        with pytest.raises(TypeError) as raised:
            node[definition.ident] = object()
        example = "node[" + str(raised.value).partition("such as node[")[2]
        names = {**vars(values), **vars(notations), "node": node}
        exec(example, names)
        assert definition.ident in node


def test_numbers_of_other_types() -> None:
    class Index:
        def __index__(self) -> int:
            return 3

    node = root_of(1)
    node["HA"] = Index()
    node["KM"] = Decimal("6.5")
    node["AB"] = ((Index(), row) for row in range(2))
    assert (node["HA"], node["KM"], node["AB"]) == (3, 6.5, [Point(3, 0), Point(3, 1)])


def test_unknown_properties() -> None:
    node = root_of(1)
    wrong: list[Any] = [None, 5, [], [b"x", None], {}]
    for value in wrong:
        with pytest.raises(TypeError):
            node["XX"] = value
    with pytest.raises(TypeError):
        root_of(11)["KM"] = 6.5
    node["XX"] = [b"x", "]"]
    assert node["XX"] == [b"x", b"\\]"]


@pytest.mark.parametrize("source", [None, 5, object(), ["(;)"], Point(1, 2)])
@for_each(
    [
        sgf_lark.loads,
        sgf_lark.load,
        sgf_lark.iter_games,
        sgf_lark.validate,
        sgf_lark.fix,
        sgf_lark.parse_tree,
    ]
)
def test_sources(function: Any, source: object) -> None:
    with pytest.raises(TypeError) as raised:
        function(source)
    assert not PYTHON.search(str(raised.value))


@for_each([None, 5, io.StringIO(), ["x.sgf"]])
def test_targets(target: Any) -> None:
    with pytest.raises(TypeError):
        sgf_lark.dump(sgf_lark.new_game(), target)


@pytest.mark.parametrize("value", [None, 5.5, b"x", [], object()])
@for_each(
    [
        sgf_lark.Result.parse,
        sgf_lark.PartialDate,
        sgf_lark.PartialDate.parse,
        sgf_lark.Rank.parse,
        Point(3, 3).gtp,
        lambda value: Point.from_gtp(value, 19),
        lambda value: Point.from_gtp("Q16", value),
    ]
)
def test_values_that_are_made_from_others(function: Any, value: object) -> None:
    with pytest.raises(TypeError) as raised:
        function(value)
    assert not PYTHON.search(str(raised.value))


@for_each(["game", "file_format", "size", "charset"])
def test_what_the_root_determines_is_set_in_the_root(name: str) -> None:
    tree: Any = sgf_lark.new_game()
    with pytest.raises(AttributeError):
        setattr(tree, name, 9)


def test_nothing_equals_what_is_of_another_type() -> None:
    tree = sgf_lark.new_game()
    others: list[Any] = [None, 5, Point(1, 2)]
    for each in (tree, tree.root, sgf_lark.Collection([tree])):
        assert not any(each.equals(other) for other in others)
