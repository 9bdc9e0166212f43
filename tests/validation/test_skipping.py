"""What the accelerated validation skips and keeps changes no finding.

It asks no rule about nodes with plain values, and of equal properties and values it keeps what was
found: each file here is validated several times, and compared with the validation of every node.
tests/contract/test_both_ways.py does so for the examples of the catalogue, one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pytest

import sgf_lark
from sgf_lark import Diagnostic, engine
from sgf_lark.validation import active_rules, caching
from tests.kit.tables import for_each

pytestmark = pytest.mark.skipif(not engine.available, reason="the engine is not compiled")


@pytest.fixture(autouse=True)
def nothing_is_kept() -> Iterator[None]:
    active_rules.cache_clear()  # so that what may be skipped is derived anew
    caching.clear()
    yield
    caching.clear()


HEAD = b"(;FF[4]GM[1]SZ[19]"
#: What follows the root, and the rules that it breaks.
BROKEN: list[tuple[bytes, set[str]]] = [
    # Nodes with plain values
    (b"", set()),
    (b";B[aa];W[bb];B[cc]", set()),
    (b";B[aa]C[x](;W[bb];B[];W[tt])(;W[cc])", {"SGF902"}),
    (b";B[aa]C[" + b"x" * 999 + b" ];W[bb]PB[x]", {"SGF602"}),
    (b";B[aa]LB[bb:1];W[cc]TR[dd][ee];B[ff]CR[aa]SQ[bb]", set()),
    # Values that are not plain
    (b";B[aa]TR[bb:cc];W[cc]DD[bb]VW[]", set()),
    (b";B[aa]CR[bb]SQ[bb]", {"SGF510"}),
    (b";;", {"SGF903"}),
    (b";B[zz];W[zz];B[zz]", {"SGF401"}),
    (b";B[aa];W[bb]KO[];B[cc]KO[x]", {"SGF302"}),
    (b";B[aa]ZZ[x];W[bb]ZZ[x]", {"SGF804"}),
    # Properties are kept up to 128 bytes.
    (b";B[aa]KO[" + b"x" * 124 + b"]", {"SGF302"}),
    (b";B[aa]KO[" + b"x" * 125 + b"]", {"SGF302"}),
    # Rules about paths, each asked where a tree has what it is about
    (b";B[aa]C[x];AB[bb];C[y]", {"SGF604"}),
    (b";B[aa]PB[x]", {"SGF602"}),
    (b";AB[aa];AB[bb]", {"SGF604"}),
    (b";B[aa];W[aa]", {"SGF801"}),
    # Rules about points in several lists
    (b";AB[aa]AW[bb]CR[cc]LB[dd:1]", {"SGF604"}),
    (b";AB[aa]AW[aa]", {"SGF508", "SGF604"}),
    (b";AB[aa]AW[bb:cc]", {"SGF604"}),
]


def found(data: bytes, engine: Literal["tables", "lark"] = "tables") -> list[Diagnostic]:
    return sgf_lark.validate(data, engine=engine, profile="strict").diagnostics


@for_each(BROKEN)
def test_findings_are_those_of_the_rules(nodes: bytes, codes: set[str]) -> None:
    data = HEAD + nodes + b")"
    first = found(data)
    assert {each.code for each in first} == codes
    assert first == found(data, "lark") == found(data) == found(data)


@for_each(
    [
        b"\xef\xbb\xbf(;FF[4]CA[UTF-8];B[aa];W[bb]C[x])",
        b"(;FF[4]GM[1];B[aa]C[x](;W[bb];B[];W[])(;W[cc]W[cc];;B[dd];B[ee])(;AB[ff]))(;GM[1])",
        b"(;FF[4]GM[1]CA[UTF-8]C[\xc3\xa9];B[aa](;W[bb]CR[cc]SQ[cc])(;AW[cc];AW[dd];AE[ee]))",
    ]
)
def test_what_is_kept_of_a_file_gives_the_findings_of_the_next(data: bytes) -> None:
    """Kept for any context, as all these files are, it must hold in that context only."""
    assert found(data) == found(data, "lark") == found(data)


@for_each([(b";B[aa]KO[]", 0), (b";B[aa]KO[x];W[bb]KO[x]", 2)])
def test_a_file_that_is_decoded_as_a_whole_has_the_findings_of_its_text(
    nodes: bytes, count: int
) -> None:
    text = (HEAD + nodes + b")").decode()
    of_text = [each for each in found(text.encode()) if each.code == "SGF302"]
    of_file = [each for each in found(text.encode("utf-16")) if each.code == "SGF302"]
    assert len(of_text) == len(of_file) == count
    assert [each.span.column for each in of_text] == [each.span.column for each in of_file]


def test_setup_that_changes_too_much_to_keep_track_of() -> None:
    data = b"(;FF[4]GM[1]SZ[19]%s;B[aa]B[aa]C[x](;W[zz])(;KO[x]))" % (b";AB[aa:ss];AE[aa:ss]" * 60)
    diagnostics = found(data)
    assert diagnostics == found(data, "lark")
    assert {each.code for each in diagnostics} >= {"SGF302", "SGF401", "SGF501"}
