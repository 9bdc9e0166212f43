"""How much the accelerated validation asks about: what it skips, and what it caches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

import sgf_lark
from sgf_lark import engine, grammar
from sgf_lark.rules.registry import Finding, Needs, Rule, Scope
from sgf_lark.validation import active_rules, caching, validate_file
from sgf_lark.validation.accelerated import AcceleratedRunner
from tests import conditions
from tests.tables import for_each

pytestmark = pytest.mark.skipif(not engine.available, reason="the engine is not compiled")

Count = Callable[[bytes], tuple[int, int, int]]


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Iterator[Count]:
    """Validates a file; how many nodes, properties and values are checked."""
    calls: Counter[str] = Counter()
    names = ("check_node_in", "check_property", "check_value")

    def counting(name: str) -> Callable[..., Any]:
        call: Callable[..., Any] = getattr(AcceleratedRunner, name)

        def counted(*arguments: Any) -> Any:
            calls[name] += 1
            return call(*arguments)

        return counted

    for name in names:
        monkeypatch.setattr(AcceleratedRunner, name, counting(name))

    def validate(data: bytes) -> tuple[int, int, int]:
        calls.clear()
        sgf_lark.validate(data)
        nodes, properties, values = (calls[name] for name in names)
        return nodes, properties, values

    active_rules.cache_clear()  # so that what may be skipped is derived anew
    caching.clear()
    yield validate
    caching.clear()


HEAD = b"(;FF[4]GM[1]SZ[19]"
#: What follows the root, and how many nodes, properties and values are checked the first time
#: and when the same file is validated again. The root itself is one node with 3 properties.
CHECKED = [
    # Nothing is asked about nodes with plain values.
    (b"", (1, 3, 3), (1, 0, 0)),
    (b";B[aa];W[bb];B[cc]", (1, 3, 3), (1, 0, 0)),
    (b";B[aa]C[x];W[bb]", (1, 3, 3), (1, 0, 0)),
    (b";B[aa]C[" + b"x" * 999 + b" ];W[bb]PB[x]", (1, 3, 3), (1, 0, 0)),
    (b";B[aa](;W[bb])(;W[cc])", (1, 3, 3), (1, 0, 0)),
    (b";B[aa];W[tt];B[];W[bb]", (1, 3, 3), (1, 0, 0)),
    (b";B[aa]TR[bb];W[cc]TR[dd][ee]", (1, 3, 3), (1, 0, 0)),
    (b";B[aa]LB[bb:1]", (1, 3, 3), (1, 0, 0)),
    (b";B[aa]CR[bb]SQ[cc]", (1, 3, 3), (1, 0, 0)),
    # Values that are not plain are checked once; only their node is checked again.
    (b";B[aa]TR[bb:cc]", (2, 4, 4), (2, 0, 0)),
    (b";B[aa]DD[bb]VW[]", (2, 4, 3), (2, 0, 0)),
    (b";C[x]", (2, 3, 3), (2, 0, 0)),
    (b";B[aa]CR[bb]SQ[bb]", (2, 3, 3), (2, 0, 0)),
    (b";B[aa];B[bb]", (2, 3, 3), (2, 0, 0)),
    (b";B[];W[tt]", (2, 4, 4), (2, 0, 0)),
    (b";;", (3, 3, 3), (3, 0, 0)),
    (b";B[zz];W[zz];B[zz]", (4, 5, 5), (4, 0, 0)),
    (b";B[aa];W[bb]KO[];B[cc]KO[x]", (3, 5, 5), (3, 0, 0)),
    (b";B[aa]ZZ[x];W[bb]ZZ[x]", (3, 4, 3), (3, 0, 0)),
    (b";B[aa]BL[1.5]OB[3];W[bb]WL[-1]", (2, 4, 4), (2, 0, 0)),
    (b";AB[aa][bb]", (2, 3, 3), (2, 0, 0)),
    # Properties are cached up to 128 bytes.
    (b";B[aa]KO[" + b"x" * 124 + b"]", (2, 4, 4), (2, 0, 0)),
    (b";B[aa]KO[" + b"x" * 125 + b"]", (2, 4, 4), (2, 1, 1)),
]


@pytest.mark.parametrize(("data", "first", "second"), CHECKED)
def test_what_is_checked(
    data: bytes, first: tuple[int, ...], second: tuple[int, ...], count: Count
) -> None:
    data = HEAD + data + b")"
    assert count(data) == first
    assert count(data) == second
    assert count(data) == second
    caching.clear()
    assert count(data) == first


def test_findings_in_a_file_that_is_decoded_as_a_whole_are_not_cached(count: Count) -> None:
    """Those about bytes that are no text depend on how the file is stored."""
    plain, reported = (
        (HEAD + part + b")").decode().encode("utf-16") for part in (b";B[aa]KO[]", b";B[aa]KO[x]")
    )
    assert (count(plain), count(plain)) == ((2, 4, 4), (2, 0, 0))
    assert (count(reported), count(reported)) == ((2, 1, 1), (2, 1, 1))


# --- Which rules are asked --------------------------------------------------------------

FILES = [
    *(example.data for entry in grammar.rules().values() for example in entry.bad),
    b"\xef\xbb\xbf(;FF[4]CA[UTF-8];B[aa];W[bb]C[x])",
    b"(;FF[4]GM[1];B[aa]C[x](;W[bb];B[];W[])(;W[cc]W[cc];;B[dd];B[ee])(;AB[ff]))(;GM[1])",
    b"(;FF[4]GM[1]CA[UTF-8]C[\xc3\xa9];B[aa](;W[bb]CR[cc]SQ[cc])(;AW[cc];AW[dd];AE[ee]))",
]


#: Conditions for which the accelerated validation takes some nodes more.
COARSE = Needs.SHARED_POINT | Needs.ONLY_PASS


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Rule, int | None]]:
    """The rules that are asked, each with the number of a node, if it is asked about one."""
    found: list[tuple[Rule, int | None]] = []
    report_all = AcceleratedRunner.report_all

    def noted(
        self: AcceleratedRunner, rule: Rule, findings: Iterable[Finding], node: int | None
    ) -> None:
        found.append((rule, node))
        report_all(self, rule, findings, node)

    monkeypatch.setattr(AcceleratedRunner, "report_all", noted)
    caching.clear()
    return found


@for_each(FILES)
def test_rules_are_asked_only_where_their_conditions_hold(
    data: bytes, asked: list[tuple[Rule, int | None]]
) -> None:
    caching.clear()
    asked.clear()
    collection = validate_file(data).collection
    numbers = {node.number: node for tree in collection for node in tree.nodes()}
    for rule, number in asked:
        needs = rule.needs
        if rule.scope is Scope.COLLECTION:
            assert conditions.hold_for_collection(needs, collection)
        elif rule.scope is Scope.TREE:
            assert any(conditions.hold_for_tree(needs, tree) for tree in collection)
        elif rule.scope is Scope.PATH:
            assert number is not None
            assert conditions.hold_for_tree(needs, numbers[number].tree)
        elif rule.scope is Scope.NODE:
            assert number is not None
            node = numbers[number]
            assert conditions.hold_for_node(needs & ~COARSE, node)
            assert Needs.ONLY_PASS not in needs or len(node.properties) == 1


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        (b";B[aa]C[x];AB[bb];C[y]", Needs.NOTHING),
        (b";B[aa]PB[x]", Needs.INFO_BELOW_ROOT),
        (b";AB[aa];AB[bb]", Needs.SINGLE_STONE_SETUPS),
        (b";B[aa];W[aa]", Needs.OCCUPIED),
    ],
)
def test_rules_of_paths_are_asked_for_what_is_in_the_tree(
    nodes: bytes, expected: Needs, asked: list[tuple[Rule, int | None]]
) -> None:
    active_rules.cache_clear()
    sgf_lark.validate(HEAD + nodes + b")")
    of_paths = {rule.needs for rule, _ in asked if rule.scope is Scope.PATH}
    assert of_paths == ({expected} if expected else set())


@for_each(
    [
        (b";AB[aa]AW[bb]CR[cc]LB[dd:1]", False),
        (b";AB[aa]AW[aa]", True),
        (b";AB[aa]AW[bb:cc]", True),
    ]
)
def test_rules_about_shared_points_are_asked_where_a_point_may_be_shared(
    node: bytes, expected: bool, asked: list[tuple[Rule, int | None]]
) -> None:
    asked.clear()
    sgf_lark.validate(HEAD + node + b")")
    assert any(Needs.SHARED_POINT in rule.needs for rule, _ in asked) == expected


def test_setup_that_changes_too_much_to_keep_track_of() -> None:
    data = b"(;FF[4]GM[1]SZ[19]%s;B[aa]B[aa]C[x](;W[zz])(;KO[x]))" % (b";AB[aa:ss];AE[aa:ss]" * 60)
    found, plain = (sgf_lark.validate(data, engine=way).diagnostics for way in ("tables", "lark"))
    assert found == plain
    assert {each.code for each in found} >= {"SGF302", "SGF401", "SGF501"}
