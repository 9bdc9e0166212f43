"""Files that Hypothesis draws choice by choice, so that what it finds becomes small."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

import pytest
from hypothesis import Phase, find, given, settings

from sgf_lark.fuzz.generating_files import MANY_NODES
from sgf_lark.fuzz.strategies import DrawnChoices, collections, grammatical
from tests.kit.tables import for_each


@pytest.fixture
def without_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    def bulk(self: DrawnChoices) -> DrawnChoices:
        raise AssertionError("all choices of this file are determined by one number")

    monkeypatch.setattr(DrawnChoices, "bulk", bulk)


@pytest.mark.usefixtures("without_seeds")
def test_files_of_many_nodes_are_drawn_choice_by_choice() -> None:
    """None of them has more choices than Hypothesis allows."""

    @settings(phases=[Phase.generate], max_examples=settings().max_examples // 3)
    @given(collections(nodes=MANY_NODES, trees=1) | grammatical(nodes=MANY_NODES // 2))
    def check(data: bytes) -> None:
        assert data.count(b";") > MANY_NODES // 2

    check()


@for_each(
    [
        (lambda data: b"\\]" in data, 3, 40),
        (lambda data: re.search(rb"CA\[UTF-8\].*\xf0", data) is not None, 1, 40),
        # Nothing is left of a deep file but its depth.
        (lambda data: data.count(b";") > 140, 1, 480),
    ]
)
def test_examples_shrink(is_found: Callable[[bytes], bool], seed: int, size: int) -> None:
    """Different predicates end at different small files."""
    options = settings(max_examples=1_000, database=None, deadline=None)
    found = find(collections(trees=1), is_found, settings=options, random=random.Random(seed))
    assert len(found) <= size, found
