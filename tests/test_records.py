"""Records are what frozen dataclasses are."""

from __future__ import annotations

import copy
import inspect
import pickle
import sys
import typing
from collections.abc import Callable
from typing import Any

import pytest

from sgf_lark.records import NamedTuple, Record, replace
from sgf_lark.types import AmazonsMove, GessMove, HexMove, Move, Point


class Pair(Record):
    first: int
    second: tuple[int, ...] = ()


class Thing(Record, eq=False):
    name: str


class Triple(NamedTuple):
    """Three."""

    first: int
    second: int = 2
    third: int = 3

    @property
    def sum(self) -> int:
        return self.first + self.second + self.third


def test_equality_is_that_of_class_and_fields() -> None:
    assert Pair(1) == Pair(1, ()) == Pair(second=(), first=1)
    assert len({Pair(1), Pair(1), Pair(2)}) == 2
    assert Pair(1) != Pair(1, (1,))
    assert Move(Point(1, 2)) != HexMove(Point(1, 2))
    assert Move() == Move(None) != ()


def test_without_equality_each_is_itself() -> None:
    one, other = Thing("a"), Thing("a")
    assert one == one and one != other
    assert len({one, other}) == 2


@pytest.mark.parametrize(
    "record",
    [Pair(1), Pair(1, (2,)), Move(), Move(Point(1, 2)), GessMove(Point(1, 2), Point(3, 4))],
)
@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, replace, lambda record: pickle.loads(pickle.dumps(record))]
)
def test_copies_are_equal(record: Record, copied: Callable[[Record], Record]) -> None:
    assert copied(record) == record
    assert hash(copied(record)) == hash(record)


def test_text_and_pattern() -> None:
    assert repr(Pair(1)) == "Pair(first=1, second=())"
    assert repr(Move(Point(1, 2))) == "Move(point=Point(column=1, row=2))"
    match Pair(1, (2,)):
        case Pair(first, second=second):
            assert (first, second) == (1, (2,))


def test_replace_changes_what_is_named() -> None:
    assert replace(Pair(1), second=(2,)) == Pair(1, (2,))
    with pytest.raises(TypeError):
        replace(Pair(1), third=3)


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ((), {}),
        ((), {"second": ()}),
        ((1, (), 3), {}),
        ((1,), {"third": 3}),
        ((1,), {"first": 1}),
    ],
)
def test_fields_are_given_once_and_no_others(values: Any, named: Any) -> None:
    with pytest.raises(TypeError):
        Pair(*values, **named)


@pytest.mark.parametrize("record", [Pair(1), AmazonsMove(*[Point(1, 1)] * 3), Move()])
def test_records_cannot_be_changed(record: Any) -> None:
    name = record.__match_args__[0]
    with pytest.raises(AttributeError):
        setattr(record, name, None)
    with pytest.raises(AttributeError):
        delattr(record, name)
    with pytest.raises(AttributeError):
        record.another = None


def test_named_tuples_have_what_their_class_adds() -> None:
    triple = Triple(1, third=4)
    assert triple == (1, 2, 4) and triple.sum == 7
    assert repr(triple) == "Triple(first=1, second=2, third=4)"
    assert triple._replace(second=0) == (1, 0, 4)
    assert (Triple.__doc__, Triple.__module__, Triple.__qualname__) == (
        "Three.",
        __name__,
        "Triple",
    )
    assert pickle.loads(pickle.dumps(triple)) == triple
    assert Triple._field_defaults == {"second": 2, "third": 3}


class TypingTriple(typing.NamedTuple):
    """Three."""

    first: int
    second: int = 2
    third: int = 3


def _same(made: Any) -> str:
    return repr(made).replace("TypingTriple", "Triple")


@pytest.mark.parametrize(
    "use",
    [
        lambda triple: triple(1),
        lambda triple: triple(1, third=5),
        lambda triple: triple(),
        lambda triple: triple(1, 2, 3, 4),
        lambda triple: triple(1, fourth=4),
        lambda triple: triple(1, 2, second=2),
        lambda triple: triple(1) == (1, 2, 3),
        lambda triple: triple(1) < triple(2),
        lambda triple: hash(triple(1)),
        lambda triple: triple(1)._replace(second=7),
        lambda triple: triple._make([4, 5, 6]),
        lambda triple: triple._make([4, 5]),
        lambda triple: triple(1)._asdict(),
        lambda triple: triple._fields,
        lambda triple: triple._field_defaults,
        lambda triple: triple.__match_args__,
        lambda triple: triple.__doc__,
        lambda triple: [
            (parameter.name, parameter.kind, parameter.default)
            for parameter in inspect.signature(triple).parameters.values()
        ],
        lambda triple: list(triple.__new__.__annotations__),
        lambda triple: inspect.getdoc(triple.second),
        lambda triple: typing.get_type_hints(triple),
        lambda triple: copy.deepcopy(triple(1)),
        lambda triple: pickle.loads(pickle.dumps(triple(1, 2))),
        lambda triple: triple(1).__dict__,
        lambda triple: setattr(triple(1), "first", 2),
    ],
)
def test_named_tuples_are_those_of_typing(use: Callable[[Any], object]) -> None:
    results = []
    for triple in (Triple, TypingTriple):
        try:
            results.append(_same(use(triple)))
        except (AttributeError, TypeError) as error:
            results.append(type(error).__name__)
    assert results[0] == results[1]


@pytest.mark.skipif(sys.version_info < (3, 13), reason="copy.replace is new in Python 3.13")
def test_named_tuples_can_be_replaced_as_others() -> None:
    assert copy.replace(Triple(1), third=4) == (1, 2, 4)  # type: ignore[attr-defined]
