"""The files that the strategies generate, checked with the validator."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings

import sgf_lark
from sgf_lark import Severity, grammar
from sgf_lark.fuzz.generating_files import generate
from sgf_lark.fuzz.strategies import (
    Document,
    collections,
    documents_with_verdict,
    grammatical,
    violations,
)
from sgf_lark.fuzz.violations import COMPANIONS, UNREACHABLE, codes, violate

#: The diagnostics for files of several trees.
SEVERAL_TREES = {"SGF701", "SGF702", "SGF703", "SGF704"}


def codes_of(data: bytes) -> set[str]:
    return {found.code for found in sgf_lark.validate(data).diagnostics}


# --- Files that conform ------------------------------------------------------------------


@given(collections())
def test_conforming_files_have_no_diagnostics(data: bytes) -> None:
    several = len(sgf_lark.loads(data)) > 1
    assert codes_of(data) <= (SEVERAL_TREES if several else set())


def test_many_conforming_files_have_no_diagnostics() -> None:
    source = random.Random(20)
    for _ in range(4 * settings().max_examples):
        data = generate(source, trees=1)
        # Random letters without CA may look like text in another charset or like a property.
        assert codes_of(data) <= {"SGF205", "SGF217"}, data


@given(grammatical() | grammatical(size=52, game=1) | grammatical(size=9, game=19))
def test_grammatical_files_follow_the_grammar(data: bytes) -> None:
    assert len(sgf_lark.loads(data, engine="lark")) > 0


# --- Violations -------------------------------------------------------------------------


def worse_than_style(data: bytes) -> set[str]:
    found = sgf_lark.validate(data).diagnostics
    return {item.code for item in found if item.severity is not Severity.STYLE}


@pytest.mark.parametrize("code", codes())
def test_violation_violates_only_its_rule(code: str) -> None:
    made = {violate(random.Random(seed), code)[0] for seed in range(settings().max_examples // 7)}
    for data in made:
        assert codes_of(data) | {"SGF701"} == {code, "SGF701", *COMPANIONS.get(code, ())}, data
    assert len(made) > 1


def test_every_rule_can_be_violated_or_has_a_reason() -> None:
    assert {*codes(), *UNREACHABLE, *grammar.on_request()} == grammar.rules().keys()
    assert not UNREACHABLE.keys() & {*codes()}


@pytest.mark.parametrize("code", ["SGF106", "SGF503"])
def test_violations_are_drawn_by_hypothesis_too(code: str) -> None:
    @given(violations(code))
    def check(data: bytes) -> None:
        assert code in codes_of(data)

    check()


@given(documents_with_verdict())
def test_verdicts_are_those_of_the_strict_parser(document: Document) -> None:
    try:
        sgf_lark.loads(document.data)
    except sgf_lark.SGFSyntaxError:
        assert document.verdict in ("reject", "either")
    else:
        assert document.verdict in ("accept", "either")
    assert document.codes <= codes_of(document.data)
    if document.verdict == "accept":
        assert worse_than_style(document.data) == set()
