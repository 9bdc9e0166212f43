"""Bugs that are planted in a small parser: each is generated, and has its cause."""

from __future__ import annotations

import re
from functools import cache, partial
from typing import Any

import pytest
from hypothesis import settings

from sgf_lark.fuzz.causes import Cause, Probe, Search
from sgf_lark.fuzz.inputs import Inputs
from sgf_lark.fuzz.judging import Kind, assess
from tests.kit.planted_bugs import BUGS, VARIANTS, parse

ALL = BUGS | VARIANTS
#: About so many inputs with one bug are searched for its cause, 5 unless more is asked for.
_SEARCHED = settings().max_examples // 6


def shown(data: bytes, bug: str) -> Kind | None:
    """Return what a bug makes of a file, as the parser without bugs accepts or rejects it."""
    expected, found = right(data), result(data, bug)
    if found == expected:
        return None
    if isinstance(found, dict):
        return Kind.WRONG_TREE
    return Kind.REJECTS_VALID if found is ValueError else Kind.CRASH


@cache
def right(data: bytes) -> Any:
    return result(data)


def result(data: bytes, *bugs: str) -> Any:
    """Return the tree, or the type of the exception: ValueError for what is rejected."""
    try:
        return parse(data, frozenset(bugs))
    except ValueError:
        return ValueError
    except Exception as error:
        return type(error)


@cache
def inputs() -> list[bytes]:
    generated = Inputs(1, games=(1,))
    return sorted((generated[number].data for number in range(800)), key=len)


@cache
def conforms(data: bytes) -> bool:
    return assess(data).valid


def first_input(bug: str) -> tuple[bytes, Kind]:
    """Return the first input that shows the bug: conforming, unless the bug is a crash."""
    for data in inputs():
        kind = shown(data, bug)
        if kind is not None and (kind is Kind.CRASH or conforms(data)):
            return data, kind
    raise AssertionError(f"no input shows {bug}")


def probe(bug: str, kind: Kind, data: bytes) -> Probe:
    found = shown(data, bug)
    return Probe("place" if found is kind else None, found is None, conforms(data))


@pytest.mark.parametrize("bug", ALL)
def test_a_planted_bug_is_generated_and_has_its_cause(bug: str) -> None:
    data, kind = first_input(bug)
    (cause,) = Search("t", kind, (), partial(probe, bug, kind), 250).run(data)[1]
    assert any(re.search(pattern, cause.title) for pattern in ALL[bug].causes), cause.title
    assert cause.neighbor is not None


@pytest.mark.parametrize("bug", [bug for bug in ALL if bug.startswith("charset")])
def test_ignored_charsets_are_one_cause(bug: str) -> None:
    """All inputs of a run show one cause, in whatever charset."""
    found = [(data, shown(data, bug)) for data in inputs()]
    found = [(data, kind) for data, kind in found if kind is not None and conforms(data)]
    causes: list[Cause] = []
    # Those of some lengths only: each takes a search.
    for data, kind in found[:: 1 + len(found) // _SEARCHED]:
        assert kind is not None
        causes += Search("t", kind, causes, partial(probe, bug, kind), 250).run(data)[1]
    assert len(causes) == 1, [cause.title for cause in causes]
