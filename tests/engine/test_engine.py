"""Validation with the compiled engine, and without it, gives what validation with Lark gives."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import engine, grammar
from sgf_lark.fuzz.strategies import collections, grammatical, mutants
from sgf_lark.grammar import CHARSET_MODES
from sgf_lark.validation import active_rules, selected_codes
from tests.contract.test_both_ways import both_ways
from tests.kit.tables import for_each

EXAMPLES = [
    b"(;FF[3]VW[aa][bb];VW[aa][bb][cc])",
    b"(;A B",
    b"(;A B C[x])",
    b"(;ab[x]b[y]B1[z])",
    b"(;FF[4];b[aa];zz[aa]A\xff[x])",
    b"(;FF[4]GM[1];B[hc]B[gb]W[hb]B[ib]W[ha]B[ga];B[ia]W[hb])",
    b"(;FF[4]GM[1];B[aa];AE[aa]W[aa])",
    b"(;FF[4]GM[1];B[aa];B[bb]AE[bb]AW[aa])",
    b"(;FF[4]GM[1];B[aa];W[aa];AB[aa];AW[aa];AE[bb];B[bb]W[cc])",
    b"(;FF[4]GM[1];B[];W[tt](;B[])(;B[];C[x]);W[])",
    b"(;FF[4]GM[1];AB[aa];AW[bb];AB[cc](;;)(;AW[dd]))",
    b"(;FF[4]GM[1];CR[aa]TR[aa];CR[aa][bb]TR[cc]C[x];CR[aa:bb]SQ[ab];LB[aa:x]AR[aa:bb])",
    b"(;FF[4]GM[1]AB[Fa:aL];W[qo])",
    b"(;FF[4]GM[1]AB[xx:aa];W[bb];W[cc])",
    b"(;FF[4]GM[1]SZ[5:2];B[eb];AB[eb]TR[ea])",
    b"(;FF[4]GM[1]SZ[52:2];TR[Za][Zb];AB[Za:Zb];W[Za])",
    b"(;FF[4]GM[1]SZ[2:52];TR[aZ][bZ];AB[aZ:bZ];W[aZ])",
    b"A",
]


@for_each(EXAMPLES)
def test_examples(data: bytes) -> None:
    both_ways(data)


#: Files of each kind, which are generated one kind at a time.
FILES = {
    "conforming, mutated": collections() | mutants(),
    "of the EBNF": grammatical(game=1, size=st.integers(1, 4)) | grammatical(),
    "bytes": st.binary(max_size=100)
    | st.text("()[];:AB1a\\ \n\0\xe9", max_size=40).map(str.encode),
    **{
        kind: files | mutants(files)
        for kind, files in {
            "older": collections(file_format=st.integers(1, 3)),
            "other games": collections(game=st.integers(2, 40)),
        }.items()
    },
}


@pytest.mark.parametrize("kind", FILES)
@given(data=st.data())
def test_generated_files(kind: str, data: st.DataObject) -> None:
    both_ways(data.draw(FILES[kind]))


#: Positions in which stones are captured, points are occupied, and moves are out of turn.
_NODES = st.lists(
    st.tuples(
        st.sampled_from(["", "(", "B", "W", "AB", "AW", "AE", "TR", "C", "PB"]),
        st.text("abc", min_size=2, max_size=2),
        st.booleans(),
    ),
    max_size=25,
)


@given(_NODES, st.sampled_from(["3", "2:3", "3:2", "19"]), st.sampled_from([1, 3, 4]))
def test_small_boards(nodes: list[tuple[str, str, bool]], size: str, file_format: int) -> None:
    text, opened = f"(;FF[{file_format}]GM[1]SZ[{size}]", 1
    for ident, point, in_new_node in nodes:
        if ident == "(":
            text, opened = text + "(;", opened + 1
        elif ident == "":
            text += ";"
        else:
            text += f"{';' * in_new_node}{ident}[{point}]"
    both_ways((text + ")" * opened).encode())


@given(mutants(), st.integers(1, 4), st.sampled_from([1, 6, 9, 11, 18, 19, 20]))
def test_file_format_and_game_given_by_the_caller(data: bytes, file_format: int, game: int) -> None:
    both_ways(data, file_format=file_format, game=game)


@given(
    mutants(collections(charset=st.sampled_from(["Big5", "GBK", "Shift_JIS", "UTF-8", "EUC-KR"]))),
    st.sampled_from(CHARSET_MODES),
    st.none() | st.sampled_from(["latin-1", "Big5"]),
)
def test_charsets(data: bytes, mode: grammar.CharsetMode, charset: str | None) -> None:
    both_ways(data, charset_mode=mode, charset=charset)


@given(
    collections(charset="UTF-8"), st.sampled_from(["utf-16", "utf-16-be", "utf-32", "utf-8-sig"])
)
def test_files_that_are_decoded_as_a_whole(data: bytes, codec: str) -> None:
    both_ways(data.decode("utf-8").encode(codec))


@pytest.mark.parametrize(
    ("before", "data"),
    [
        # Properties on which a rule depends, in which it found nothing before.
        (b"(;FF[4]GM[1]HA[2]AB[aa][bb])", b"(;FF[4]GM[1]HA[2]AB[aa])"),
        (b"(;FF[4]GM[1]HA[2]AB[aa][bb])", b"(;FF[4]GM[1]AB[aa][bb]HA[3])"),
        (b"(;FF[4]GM[1]HA[2]AB[aa][bb])", b"(;FF[4]GM[1]HA[2])"),
        (b"(;FF[4]GM[1]HA[2]AB[aa][bb])", b"(;FF[4]GM[1]SZ[19]HA[2]AB[aa:bb])"),
        (b"(;FF[4]GM[1](;B[aa])(;W[tt]))", b"(;FF[4]GM[1](;W[])(;B[aa];W[]))"),
        # Nodes that were clean elsewhere, in a place where they are not.
        (b"(;FF[4]GM[1](;C[a])(;AB[aa]))", b"(;FF[4]GM[1];AB[aa])"),
        (b"(;FF[4]GM[1](;C[a])(;AB[aa];C[x]))", b"(;FF[4]GM[1];AB[aa];C[x])"),
        (b"(;FF[4]GM[11];B[a1];W[a2];B[a3];W[a4])", b"(;FF[4]GM[11];B[a1];B[a3];W[a4])"),
        (b"(;FF[4]GM[11];B[a1];W[a2];B[a1])", b"(;FF[4]GM[11];B[a1];W[a2];W[a3])"),
        (b"(;FF[4]GM[1];B[aa];W[tt];B[bb])", b"(;FF[4]GM[1];B[aa];W[tt])"),
        (b"(;FF[4];C[x])", b"(;FF[4];FF[4];C[x])"),
        (b"(;FF[4];PB[x];C[x])", b"(;FF[4]PB[x];PB[x];C[x])"),
        (b"(;FF[4]GM[1];C[ ])", b"(;FF[4]GM[1]C[ ];)"),
        # Properties that are clean while they are plain.
        (b"(;FF[4]GM[1]PB[x])", b"(;FF[4]GM[1]PB[ ])"),
        (b"(;FF[4]GM[1]PB[x])", b"(;FF[4]GM[1]PB[\x01y])"),
        (b"(;FF[4]GM[1]CA[UTF-8]PB[x])", b"(;FF[4]GM[1]CA[UTF-8]PB[\xff])"),
        (b"(;FF[4]GM[1]PB[x])", b"(;FF[4]GM[1]PB[x][y])"),
        (b"(;FF[4]GM[1]DT[2001-01-01])", b"(;FF[4]GM[1]DT[2001-13-01])"),
        (b"(;FF[4]GM[1]DT[2001-01-01])", b"(;FF[4]GM[1]DT[2001-01-01][2001-01-02])"),
        (b"(;FF[4]GM[1]AB[aa][bb])", b"(;FF[4]GM[1]AB[aa][aa])"),
        (b"(;FF[4]GM[1]AB[aa][bb])", b"(;FF[4]GM[1]AB[aa][zz])"),
        (b"(;FF[4]GM[1]AB[aa][bb]AW[cc][dd])", b"(;FF[4]GM[1]AB[aa][bb]AW[bb][dd])"),
        (b"(;FF[4]GM[1]AB[aa][bb]AW[cc][dd])", b"(;FF[4]GM[1]AB[bb]AW[bb])"),
        (b"(;FF[4]GM[1]CR[aa][bb]LB[aa:x])", b"(;FF[4]GM[1]CR[aa][bb]TR[bb][cc]LB[aa:x])"),
        (b"(;FF[4]GM[1]SQ[aa][bb]TR[cc][dd])", b"(;FF[4]GM[1]AR[aa:bb]SQ[aa][bb]TR[bb][cc])"),
        (b"(;FF[4]GM[1]LB[aa:x][bb:y])", b"(;FF[4]GM[1]LB[aa:x][aa:y])"),
        (b"(;FF[3]GM[1]LB[aa:x][bb:y])", b"(;FF[3]GM[1]LB[aa:x][bb:abcde])"),
        (b"(;FF[3]GM[1]AB[aa][bb])", b"(;FF[3]GM[1]AB[aa:bb])"),
        (b"(;FF[3]GM[1]VW[aa][bb])", b"(;FF[3]GM[1]VW[aa][bb][cc])"),
        (b"(;FF[3]GM[1];B[aa]C[x])", b"(;FF[3]GM[1];B[]C[x])"),
        (b"(;FF[4]GM[1];B[aa]C[x])", b"(;FF[4]GM[1];B[zz]C[x])"),
        (b"(;FF[4]GM[1];B[aa]C[x])", b"(;FF[4]GM[1];B[aa][bb]C[x])"),
    ],
)
def test_findings_in_one_file_hide_none_in_the_next(before: bytes, data: bytes) -> None:
    active_rules.cache_clear()  # and with it all that is cached for these rules
    earlier = sgf_lark.validate(before).diagnostics
    assert both_ways(data).diagnostics != earlier


@pytest.mark.parametrize("count", [1, 3, 10, 60])
def test_boards_that_are_filled_again_and_again(count: int) -> None:
    """More changes than there are values; in the end more than the filter keeps track of."""
    data = b"(;FF[4]GM[1]%s;B[aa];W[aa])" % (b";AB[aa:ss];AE[aa:ss]" * count)
    assert both_ways(data).diagnostics


@pytest.mark.parametrize(
    ("size", "count"), [(b"19", 4), (b"9", 4), (b"2:3", 4), (b"52", 4), (b"19", 60)]
)
def test_many_nodes_with_occupied_points(count: int, size: bytes) -> None:
    """In the end more than the filter has positions of at a time."""
    moves = b"(;AB[aa];B[ab];W[aa])(;W[bb];B[ba];W[ab];AE[bc][bb];W[bb](;B[bb])(;AW[aa:bb]))"
    data = b"(;FF[4]GM[1]SZ[%s];AB[ab]%s)" % (size, moves * count)
    codes = [found.code for found in both_ways(data).diagnostics]
    assert codes.count("SGF801") + codes.count("SGF802") > count


# --- Without the engine -------------------------------------------------------------------


def outcome(data: bytes) -> list[object]:
    """The diagnostics of `data` and what the fixer makes of it, in values that JSON has."""
    report, fixed = sgf_lark.validate(data), sgf_lark.fix(data, unsafe=True)
    tree = sgf_lark.loads(data, tolerant=True)
    return [
        [found.as_dict() for found in report.diagnostics],
        fixed.data.hex(),
        [[entry.ident for entry in node.properties] for game in tree for node in game.nodes()],
    ]


#: Reads lines of hexadecimal bytes and writes lines of JSON, without the compiled modules.
_WITHOUT_ENGINE = """
import json, sys

for name in ("parser", "columns", "board", "node_filter"):
    sys.modules["sgf_lark.engine." + name] = None
from sgf_lark import engine
from tests.engine.test_engine import outcome
assert not engine.available
for line in sys.stdin:
    print(json.dumps(outcome(bytes.fromhex(line))))
"""


@pytest.mark.skipif(not engine.available, reason="the engine is not compiled")
def test_the_same_is_found_without_the_engine() -> None:
    broken = [rule.bad[0].data for rule in grammar.rules().values() if rule.bad]
    step = 1 if settings().max_examples > 100 else 3
    examples = [*EXAMPLES, *broken[::step]]
    child = subprocess.run(
        [sys.executable, "-c", _WITHOUT_ENGINE],
        input="\n".join(data.hex() for data in examples),
        capture_output=True,
        check=True,
        cwd=Path(__file__).parents[2],
        text=True,
    )
    for data, line in zip(examples, child.stdout.splitlines(), strict=True):
        assert json.loads(line) == json.loads(json.dumps(outcome(data))), data


# --- The choice of an engine ------------------------------------------------------------


def test_lark_parses_only_if_its_engine_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    if not engine.available:
        pytest.skip("the engine is not compiled")
    from sgf_lark.syntax import strict

    parsed: list[bytes] = []
    by_lark = strict.parse_by_lark

    def record(data: bytes) -> object:
        parsed.append(data)
        return by_lark(data)

    monkeypatch.setattr(strict, "parse_by_lark", record)
    for read in (sgf_lark.validate, sgf_lark.loads):
        read(b"(;FF[4])")
        assert not parsed
    sgf_lark.validate(b"(;FF[4])", engine="lark")
    assert parsed == [b"(;FF[4])"]


@pytest.mark.parametrize("file_format", [1, 2, 3, 4])
def test_plain_nodes_of_go_need_no_check(file_format: int) -> None:
    if not engine.available:
        pytest.skip("the engine is not compiled")
    from sgf_lark.engine.columns import columns_of
    from sgf_lark.validation.accelerated import ScanCache

    moves = b";B[dd]BL[1799.5]OB[3]C[joseki];W[pp]N[a b]CR[aa];B[dp];W[pd]"
    tree = sgf_lark.loads(b"(;FF[%d]GM[1]SZ[19]%s)" % (file_format, moves))[0]
    rules = active_rules("strict", selected_codes(None, None))
    node_filter = ScanCache(rules, tree.parsed.context).node_filter
    scan = node_filter.scan(
        columns_of(tree.parsed.flat), tree.parsed.numbers[0], tree.parsed.numbers[-1], True
    )
    assert scan is not None
    expected = [node.number for node in tree.nodes() if node.parent is None or _is_new(node)]
    assert [node for node, *_ in scan.nodes_to_check()] == expected


def _is_new(node: sgf_lark.Node) -> bool:
    """Whether a property of the node is of a later file format."""
    return any(
        entry.definition is not None and node.tree.file_format not in entry.definition.file_formats
        for entry in node.properties
    )


@pytest.mark.skipif(not engine.available, reason="the engine is not compiled")
def test_numbers_that_a_flat_tree_lacks_raise() -> None:
    for data in (b"(;B[aa];W[bb])", b"(;B[aa]x;W[bb]"):
        flat = sgf_lark.loads(data, tolerant=True).flat
        for number in (-1, 2, 1 << 30):
            for method in ("ident", "raw", "only_value", "idents", "children_of"):
                with pytest.raises(IndexError):
                    getattr(flat, method)(number)
