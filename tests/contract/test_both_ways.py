"""The accelerated validation reports what the plain one reports, which asks every rule about every
node and value: rule by rule, for violations and for the examples of the catalogue.

``tests/engine/test_engine.py`` compares them for generated files, board after board and one file
after another.
"""

from __future__ import annotations

import random

import pytest

import sgf_lark
from sgf_lark import grammar
from sgf_lark.fuzz import violations
from sgf_lark.syntax import ENGINES
from tests.kit.tables import for_each


def both_ways(data: bytes, **options: object) -> sgf_lark.Report:
    """What the accelerated validation reports, which is what the plain one reports."""
    compiled, plain = (
        sgf_lark.validate(data, engine=name, **options)  # type: ignore[arg-type]
        for name in ENGINES
    )
    assert compiled.diagnostics == plain.diagnostics
    assert (compiled.trees, compiled.counts) == (plain.trees, plain.counts)
    assert compiled.source.data == plain.source.data
    return compiled


def codes_of(report: sgf_lark.Report) -> set[str]:
    return {found.code for found in report.diagnostics}


@for_each(
    {example.data for rule in grammar.rules().values() for example in (*rule.bad, *rule.good)}
)
def test_examples(data: bytes) -> None:
    both_ways(data)


@pytest.mark.parametrize("code", sorted(grammar.on_request()))
def test_rules_on_request(code: str) -> None:
    for bad in grammar.rule(code).bad:
        assert code in codes_of(both_ways(bad.data, select=[code]))
        for game in (1, 6, 40):
            both_ways(bad.data, game=game, select=[code])


#: File formats and games that files are validated in besides their own.
OTHERS = {"file_format": (1, 2, 3, 4), "game": (1, 6, 9, 11, 18, 19, 20, 40)}


@pytest.mark.parametrize("code", violations.codes())
def test_generated_violations(code: str) -> None:
    source = random.Random(code)
    data, _ = violations.violate(source, code)
    assert code in codes_of(both_ways(data))
    both_ways(data, select=[code])
    for option, numbers in OTHERS.items():
        both_ways(data, **{option: source.choice(numbers)})
