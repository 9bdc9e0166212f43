"""What is derived from the declarations of the rules: plain values that no rule reports."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import pytest

from sgf_lark import grammar
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.model.node import Node
from sgf_lark.model.values import Context
from sgf_lark.rules.registry import CleanForm, Finding, Needs, Rule, Scope, Selector, where
from sgf_lark.validation import active_rules, derivation, selected_codes
from sgf_lark.validation.derivation import (
    clean_in_nodes,
    clean_kinds,
    numbered,
    sample_context,
    selectors_of,
)
from sgf_lark.validation.runner import ActiveRules
from tests.kit.tables import for_each

#: The properties of Go in FF[4] that no rule reports if they have plain values of a kind.
OF_GO = {
    CleanForm.MOVE: "B W",
    CleanForm.NUMBER: "MN OB OW",
    CleanForm.REAL: "BL TM V WL",
    CleanForm.POINTS: "AB AE AW CR DD MA SL SQ TB TR TW",
    CleanForm.TEXT: "AN BT C CP EV GC GN N ON OT PB PC PW SO US WT",
    CleanForm.DATE: "DT",
    CleanForm.LABELS: "LB",
}


def without(*kinds: CleanForm) -> dict[CleanForm, str]:
    return {kind: idents for kind, idents in OF_GO.items() if kind not in kinds}


#: Rules that may report an SGF file, game and file format, and the properties that none reports.
CLEAN: list[tuple[list[str] | None, int, int, dict[CleanForm, str]]] = [
    (None, 1, 4, OF_GO),
    (None, 1, 1, without(CleanForm.LABELS) | {
        CleanForm.NUMBER: "BS EL WS",
        CleanForm.POINTS: "AB AE AW L M RG SC SL TB TW",
        CleanForm.TEXT: "C EV GC GN N PB PC PW SO US",
    }),
    # Moves and points of chess are not known; those of game 20 are letters, its moves are not.
    (None, 2, 4, without(CleanForm.MOVE, CleanForm.POINTS, CleanForm.LABELS)),
    (None, 20, 4, without(CleanForm.MOVE) | {CleanForm.POINTS: "AB AE AW CR DD MA SL SQ TR"}),
    (None, 99, 4, without(CleanForm.MOVE, CleanForm.POINTS, CleanForm.LABELS)),
    # MULTIGOGM is private, and known to those who do not ask about private properties.
    (["SGF4"], 1, 4, OF_GO | {CleanForm.NUMBER: "MN MULTIGOGM OB OW"}),
]  # fmt: skip


@pytest.mark.parametrize(("select", "game", "file_format", "expected"), CLEAN)
def test_properties_that_no_rule_reports(
    select: list[str] | None, game: int, file_format: int, expected: dict[CleanForm, str]
) -> None:
    rules = active_rules("strict", selected_codes(select, None))
    found: dict[CleanForm, list[str]] = {}
    for ident, kind in clean_kinds(rules, sample_context(game, file_format)).items():
        found.setdefault(kind, []).append(ident)
    assert {kind: " ".join(sorted(names)) for kind, names in found.items()} == expected


def test_contexts_that_stand_for_others() -> None:
    assert sample_context(1, 4) == Context(1, 4, (19, 19))
    assert sample_context(2, 1) == Context(2, 1, None)
    assert sample_context(41, 4) == sample_context(99, 4) == Context(0, 4, None)


def report(node: Node) -> Iterator[Finding]:
    yield from ()


def rule_of_nodes(*having: object, needs: Needs = Needs.NOTHING) -> Rule:
    """A rule of nodes that have these properties."""
    return Rule("SGF001", Scope.NODE, report, None, having, needs, CleanForm.NONE)  # type: ignore[arg-type]


KINDS = {
    "B": CleanForm.MOVE,
    "W": CleanForm.MOVE,
    "C": CleanForm.TEXT,
    "N": CleanForm.TEXT,
    "TR": CleanForm.POINTS,
}

MOVE, ONE_MOVE = where(type="move"), where(exclusive="move")
COMMENT, NAME, MARKS = where(ident="C"), where(ident="N"), where(ident="TR")
TEXTS = where(ident=("C", "N"))

#: Rules of nodes, and the properties in a plain node that none of them may report.
IN_NODES = [
    ([], "B W C N TR"),
    # A rule that needs no property, or only the move, may report any node.
    ([rule_of_nodes()], ""),
    ([rule_of_nodes(MOVE)], ""),
    # Of the properties that a rule needs the fewest are withheld.
    ([rule_of_nodes(COMMENT)], "B W N TR"),
    ([rule_of_nodes(TEXTS, MARKS)], "B W C N"),
    ([rule_of_nodes(MARKS, TEXTS)], "B W C N"),
    ([rule_of_nodes(MOVE, COMMENT)], "B W N TR"),
    ([rule_of_nodes(COMMENT), rule_of_nodes(NAME)], "B W TR"),
    ([rule_of_nodes(COMMENT), rule_of_nodes(COMMENT, NAME)], "B W N TR"),
    # No plain node has two moves, what is not plain, or what is needed.
    ([rule_of_nodes(ONE_MOVE, ONE_MOVE)], "B W C N TR"),
    ([rule_of_nodes(where(ident="GM"))], "B W C N TR"),
    ([rule_of_nodes(ONE_MOVE, ONE_MOVE), rule_of_nodes(COMMENT)], "B W N TR"),
    *(
        ([rule_of_nodes(needs=needs), rule_of_nodes(COMMENT)], "B W N TR")
        for needs in (
            Needs.ROOT,
            Needs.NO_MOVE,
            Needs.OUT_OF_TURN,
            Needs.EMPTY,
            Needs.REPEATED_IDENTIFIER,
            Needs.SHARED_POINT,
            Needs.LEAF | Needs.ONLY_PASS,
        )
    ),
    ([rule_of_nodes(needs=Needs.LEAF)], ""),
    ([rule_of_nodes(needs=Needs.NOT_ROOT)], ""),
    ([rule_of_nodes(needs=Needs.ONLY_PASS)], ""),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "left"), IN_NODES)
def test_properties_that_no_rule_of_nodes_reports(rules: list[Rule], left: str) -> None:
    context = sample_context(1, 4)
    assert " ".join(clean_in_nodes(rules, KINDS, context)) == left


def test_nodes_that_may_have_what_a_rule_needs() -> None:
    black, white, comment = (grammar.definition(ident, 1, 4) for ident in ("B", "W", "C"))
    move, text = where(type="move"), where(ident="C")
    rules = ActiveRules("strict", frozenset())
    rules.by_scope = {Scope.NODE: [rule_of_nodes(move, text)]}

    def has_all(selectors: list[Selector], definitions: list[PropertyDefinition | None]) -> bool:
        of_each = [selectors_of(rules, each) for each in definitions if each is not None]
        return numbered(tuple(selectors)) <= numbered(tuple(chain(*of_each)))

    assert has_all([], [])
    assert has_all([move], [black, None]) and not has_all([move], [comment, None])
    assert has_all([move, text], [black, comment]) and not has_all([move, text], [black, white])
    assert has_all([move, move], [black, white]) and not has_all([move, move], [black, comment])
    assert not has_all([move], [None])


# --- Tables that are built --------------------------------------------------------------

STRICT = active_rules("strict", selected_codes(None, None))


@for_each([(["SGF1"],), (["SGF4"],), (["SGF501"],)])
def test_tables_of_some_rules_are_not_the_built_ones(select: list[str]) -> None:
    some = active_rules("strict", selected_codes(select, None))
    assert derivation._checksum(some) != derivation._checksum(STRICT)
    for rules in (some, STRICT):
        assert derivation.clean_tables(rules, 1, 4) == derivation._derived(rules, 1, 4)
