"""Rule by rule: the accelerated validation reports what the plain one reports."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache, partial
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import grammar, validation
from sgf_lark.fuzz import violations
from sgf_lark.fuzz.strategies import collections, grammatical, mutants
from sgf_lark.model.board import Board
from sgf_lark.model.collection import Collection
from sgf_lark.model.loading import ReadingOptions
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property, PropValue
from sgf_lark.model.tree import GameTree
from sgf_lark.rules import load_rules
from sgf_lark.rules.registry import (
    RULES,
    CleanForm,
    Finding,
    Needs,
    PathVisitor,
    Scope,
    at,
    rule,
    where,
)
from sgf_lark.syntax import Engine
from sgf_lark.syntax.parsing import ParsedFile
from sgf_lark.validation import active_rules, validate_parsed
from sgf_lark.validation.caching import CachingRunner
from tests.kit import conditions

#: The code of a rule of the catalogue that has no function: the rules of these tests use it.
CODE = "SGF001"

EXAMPLES = [entry.bad[0].data for entry in grammar.rules().values() if entry.bad] + [
    b"(;FF[4]GM[1];B[aa];W[aa];AB[aa];AW[aa];AE[bb];B[bb]W[cc])",
    b"(;FF[4]GM[1];B[];W[tt](;B[])(;B[];C[x]);W[])",
    b"(;FF[4]GM[1];AB[aa];AW[bb];AB[cc](;;)(;AW[dd]))",
    b"(;FF[4]GM[1]AP[CGoban:3];B[aa])",
    b"(;FF[4]GM[1];B[aa]C[x];W[bb]N[x];B[cc]TR[aa])",
    b"(;FF[4]GM[1];CR[aa]TR[aa];CR[aa][bb]TR[cc]C[x];CR[aa:bb]SQ[ab];LB[aa:x]AR[aa:bb])",
]


def both_ways(data: bytes, **options: object) -> list[sgf_lark.Diagnostic]:
    return agreed(lambda engine: sgf_lark.validate(data, engine=engine, **options))  # type: ignore[arg-type]


def agreed(validated: Callable[[Engine], sgf_lark.Report]) -> list[sgf_lark.Diagnostic]:
    """What the accelerated validation reports, which is what the plain one reports, and what the
    one reports that needs no compiler."""
    found, plain = validated("tables").diagnostics, validated("lark").diagnostics
    assert found == plain
    with patch.object(validation, "_runner", lambda engine: CachingRunner):
        assert validated("tables").diagnostics == plain
    return found


# --- The rules of the catalogue -----------------------------------------------------------


def test_every_rule_that_files_can_break_is_tested() -> None:
    excused = {*violations.UNREACHABLE, *grammar.on_request()}
    assert set(grammar.codes()) == {*violations.codes(), *excused}


@pytest.mark.parametrize("code", sorted(grammar.on_request()))
def test_rules_on_request(code: str) -> None:
    for bad in grammar.rule(code).bad:
        assert code in {found.code for found in both_ways(bad.data, select=[code])}
        for game in (1, 6, 40):
            both_ways(bad.data, game=game, select=[code])


#: File formats and games that files are validated in besides their own.
OTHERS = {"file_format": (1, 2, 3, 4), "game": (1, 6, 9, 11, 18, 19, 20, 40)}


@pytest.mark.parametrize("code", violations.codes())
def test_generated_violations(code: str) -> None:
    for option, numbers in OTHERS.items():
        source = random.Random(f"{code} {option}")
        data, _ = violations.violate(source, code)
        assert code in {found.code for found in both_ways(data)}
        both_ways(data, **{option: source.choice(numbers)})
    both_ways(data, select=[code])


# --- Rules that declare what they need ----------------------------------------------------


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., object]]:
    """Registers a function as a rule, as `rule` does, until the end of the test."""
    load_rules()
    _generated()  # before it is registered: examples of one rule are those that break no other
    for scope, rules in list(RULES.items()):
        monkeypatch.setitem(RULES, scope, list(rules))
    active_rules.cache_clear()
    yield lambda *arguments, **declarations: rule(CODE, *arguments, **declarations)
    active_rules.cache_clear()


def is_found_everywhere() -> bool:
    """Whether the registered rule reports anything in the examples; in these and in generated
    files both ways agree."""
    found = [agreed(partial(_asked, data)) for data in (*_generated(), *EXAMPLES)]
    return any(found[-len(EXAMPLES) :])


def _asked(data: bytes, engine: Engine) -> sgf_lark.Report:
    """The report of the registered rule. The file is parsed once for all rules that are tried: that
    takes longer than to ask one."""
    options = ReadingOptions(engine=engine)
    return validate_parsed(_parsed(data, engine), options, codes=frozenset({CODE})).report


@cache
def _parsed(data: bytes, engine: Engine) -> ParsedFile:
    return ReadingOptions(engine=engine).parse(data)


@cache
def _generated() -> list[bytes]:
    """Random files, the same for all rules: to generate them takes longer than to validate them."""
    found: list[bytes] = []

    @given(grammatical(game=1, size=st.integers(2, 5)) | mutants() | collections())
    @example(b"(;FF[4]GM[1]SZ[5:2];B[eb];AB[eb]TR[ea])")
    def add(data: bytes) -> None:
        found.append(data)

    add()
    return found


def report_value(value: PropValue) -> Finding:
    return at(value, reason="value")


def report_property(entry: Property) -> Iterator[Finding]:
    yield at(entry, reason="property")


def report_node(node: Node) -> Iterator[Finding]:
    yield Finding(*node.tree.parsed.flat.node_span(node.number), {"reason": "node"})


def report_path(tree: GameTree) -> PathVisitor:
    return lambda node, board: report_node(node)


def report_tree(tree: GameTree) -> Iterator[Finding]:
    yield from report_node(tree.root)


def report_collection(collection: Collection) -> Iterator[Finding]:
    yield from report_node(collection[0].root)


@pytest.mark.parametrize(
    ("scope", "function"),
    [
        (Scope.VALUE, report_value),
        (Scope.CONTENT, report_value),
        (Scope.PROPERTY, report_property),
        (Scope.NODE, report_node),
        (Scope.PATH, report_path),
        (Scope.TREE, report_tree),
        (Scope.COLLECTION, report_collection),
    ],
    ids=lambda item: getattr(item, "name", None),
)
def test_rule_that_declares_nothing_is_asked_everywhere(
    register: Callable[..., Callable[[object], object]], scope: Scope, function: object
) -> None:
    register(scope)(function)
    assert is_found_everywhere()


ABOUT_NODES = [
    Needs.ROOT,
    Needs.NOT_ROOT,
    Needs.LEAF,
    Needs.EMPTY,
    Needs.NO_MOVE,
    Needs.OUT_OF_TURN,
    Needs.LEAF | Needs.ONLY_PASS,
    Needs.LEAF | Needs.EMPTY,
    Needs.REPEATED_IDENTIFIER,
    Needs.SHARED_POINT,
]
ABOUT_TREES = [
    Needs.NON_ASCII,
    Needs.NO_FILE_FORMAT,
    Needs.PROGRAM,
    Needs.BRACKET_IN_VALUE,
    Needs.INFO_BELOW_ROOT,
    Needs.SINGLE_STONE_SETUPS,
]


@pytest.mark.parametrize("needs", ABOUT_NODES, ids=str)
def test_rule_of_nodes_is_asked_wherever_its_conditions_hold(
    register: Callable[..., Callable[[object], object]], needs: Needs
) -> None:
    @register(Scope.NODE, needs=needs)
    def report(node: Node) -> Iterator[Finding]:
        if conditions.hold_for_node(needs, node):
            yield from report_node(node)

    assert is_found_everywhere()


@pytest.mark.parametrize("needs", ABOUT_TREES, ids=str)
def test_rule_of_paths_is_asked_wherever_its_conditions_hold(
    register: Callable[..., Callable[[object], object]], needs: Needs
) -> None:
    of_trees = Needs.NON_ASCII | Needs.NO_FILE_FORMAT | Needs.PROGRAM | Needs.BRACKET_IN_VALUE
    scope = Scope.TREE if needs in of_trees else Scope.PATH

    @register(scope, needs=needs)
    def report(tree: GameTree) -> object:
        holds = conditions.hold_for_tree(needs, tree)
        if scope is Scope.TREE:
            return report_tree(tree) if holds else ()
        return lambda node, board: report_node(node) if holds else ()

    assert is_found_everywhere()


def test_rule_of_paths_sees_the_board_of_all_nodes_with_occupied_points(
    register: Callable[..., Callable[[object], object]],
) -> None:
    @register(Scope.PATH, needs=Needs.OCCUPIED)
    def report(tree: GameTree) -> PathVisitor:
        columns, rows = tree.size or (0, 0)

        def visit(node: Node, board: Board | None) -> Iterator[Finding]:
            if board is None or not conditions.is_occupied(node, board):
                return
            stones = [board.cell((column, row)) for row in range(rows) for column in range(columns)]
            yield Finding(
                *node.tree.parsed.flat.node_span(node.number), {"reason": "".join(map(str, stones))}
            )

        return visit

    assert is_found_everywhere()


@pytest.mark.parametrize(
    "having",
    [
        (where(type="move"),),
        (where(type="setup"),),
        (where(type="move"), where(type="setup")),
        (where(exclusive="move"), where(exclusive="move")),
        (where(ident="C"),),
        (where(ident="C"), where(ident="N")),
        (where(ident=("C", "N", "TR")), where(type="move")),
    ],
)
def test_rule_of_nodes_is_asked_about_all_nodes_that_have_its_properties(
    register: Callable[..., Callable[[object], object]], having: conditions.Having
) -> None:
    @register(Scope.NODE, having=having)
    def report(node: Node) -> Iterator[Finding]:
        if conditions.has(having, node):
            yield from report_node(node)

    assert is_found_everywhere()


def test_rule_is_asked_about_all_properties_that_it_accepts(
    register: Callable[..., Callable[[object], object]],
) -> None:
    """As it declares, it makes no difference between the plain values of a property."""

    @register(Scope.PROPERTY, where(type="none"), ignores=CleanForm.ANY)
    def report(entry: Property) -> Iterator[Finding]:
        if entry.ident in ("C", "TR", "LB", "V") or b"" in entry.raw:
            yield from report_property(entry)

    assert is_found_everywhere()
