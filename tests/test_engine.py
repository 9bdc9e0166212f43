"""The engine against Lark, and screened against unscreened validation."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark.exceptions import UnexpectedInput
from sgf_lark.engine.computing import STARTS, compute
from sgf_lark.validation.planning import forget

import sgf_lark
from sgf_lark import engine, grammar, stored
from sgf_lark.engine import layout, runner, tables
from sgf_lark.fuzz.strategies import collections, grammatical, mutants
from sgf_lark.syntax import ENGINES
from sgf_lark.syntax.flat_tree import FlatTree
from sgf_lark.syntax.strict import parse_by_lark
from sgf_lark.text.decoding import decodings
from sgf_lark.validation import codes, examine

EXAMPLES = sorted(
    {example.data for rule in grammar.rules().values() for example in (*rule.bad, *rule.good)}
    | {
        b"(;FF[3]VW[aa][bb];VW[aa][bb][cc])",
        b"(;A B",
        b"(;A B C[x])",
        b"(;ab[x]b[y]B1[z])",
        b"(;FF[4];b[aa];zz[aa]A\xff[x])",
        b"(;FF[4]GM[1];B[hc]B[gb]W[hb]B[ib]W[ha]B[ga];B[ia]W[hb])",
        b"(;FF[4]GM[1];B[aa];AE[aa]W[aa])",
        b"(;FF[4]GM[1]AB[Fa:aL];W[qo])",
        b"(;FF[4]GM[1]AB[xx:aa];W[bb];W[cc])",
        b"A",
    }
)
TOKENS = st.lists(
    st.sampled_from(
        [b"(", b")", b";", b"B", b"AB", b"[x]", b"[\\]]", b" ", b"\n", b"[", b"]", b"a"]
    ),
    max_size=30,
).map(b"".join)


def by_lark(data: bytes) -> FlatTree | None:
    try:
        return parse_by_lark(data)
    except UnexpectedInput:
        return None


def test_tables_are_those_of_the_grammar() -> None:
    assert stored.load("engine", grammar.read("sgf.lark")) == stored.frozen(compute())
    found = tables()
    assert found is not None and set(found.starts) == set(STARTS)


def test_a_lark_with_other_tables_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Other:
        ignore_tokens: tuple[str, ...] = ()
        parser = None

    monkeypatch.setattr("lark.Lark", lambda *args, **options: Other())
    with pytest.raises(RuntimeError, match="keeps its tables otherwise"):
        compute()


@pytest.mark.parametrize("data", EXAMPLES, ids=lambda item: str(item)[:50])
def test_engine_reads_examples_as_lark_does(data: bytes) -> None:
    assert engine.parse(data) == by_lark(data)


@given(st.binary(max_size=60) | TOKENS | collections() | mutants())
def test_engine_reads_what_lark_reads(data: bytes) -> None:
    assert engine.parse(data) == by_lark(data)


@given(TOKENS)
def test_engine_stops_where_lark_stops(data: bytes) -> None:
    found = tables()
    assert found is not None
    machine = runner.Machine(found)
    place = machine.run(data, machine.arena_for(data, len(data), 0), "collection", 0, 0)
    try:
        parse_by_lark(data)
    except UnexpectedInput as error:
        stopped = error.pos_in_stream
        # At the end of the input Lark gives the place of the last token.
        assert place == (len(data) if place == len(data) else stopped)
    else:
        assert place == -1


def test_depth_is_no_matter() -> None:
    data = b"(;" * 100_000 + b")" * 100_000
    flat = engine.parse(data)
    assert flat is not None and len(flat.parent) == 100_000 == len(flat.opening)


# --- The same code, not compiled --------------------------------------------------------


def told(data: bytes) -> list[object]:
    """What is read and said of `data`, in values that JSON has."""
    flat = engine.parse(data)
    report = sgf_lark.validate(data)
    said: list[object] = [found.as_dict() for found in report.diagnostics]
    if flat is not None:
        said += [list(getattr(flat, name)) for name in layout.COUNTED]
        said += [repr(dict(node)) for tree in sgf_lark.loads(data) for node in readable(tree)]
    return said


def readable(tree: sgf_lark.GameTree) -> Iterator[sgf_lark.Node]:
    """The nodes all of whose values can be read."""
    for node in tree.nodes():
        with suppress(ValueError):
            dict(node)
            yield node


#: Reads lines of bytes as hexadecimal numbers and writes lines of JSON, with no module of
#: the package compiled.
WITHOUT_COMPILER = """
import json, sys
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, SourceFileLoader

class Sources:
    def find_spec(self, name, path=None, target=None):
        if path is None or not name.startswith("sgf_lark."):
            return None
        for folder in path:
            found = FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(name)
            if found is not None:
                return found

sys.meta_path.insert(0, Sources())
from sgf_lark import engine
from tests.test_engine import told
assert not engine.compiled
for line in sys.stdin:
    print(json.dumps(told(bytes.fromhex(line))))
"""


def test_the_same_is_found_without_a_compiler() -> None:
    child = subprocess.run(
        [sys.executable, "-c", WITHOUT_COMPILER],
        input="\n".join(data.hex() for data in EXAMPLES),
        capture_output=True,
        check=True,
        cwd=Path(__file__).parent.parent,
        text=True,
    )
    found = [json.loads(line) for line in child.stdout.splitlines()]
    assert len(found) == len(EXAMPLES)
    for data, said in zip(EXAMPLES, found, strict=True):
        assert said == json.loads(json.dumps(told(data))), data


def test_what_is_compiled_is_said() -> None:
    assert engine.compiled == (not str(runner.__file__).endswith(".py"))


# --- The screen ----------------------------------------------------------------------------


def screened(data: bytes) -> list[sgf_lark.Diagnostic]:
    return sgf_lark.validate(data).diagnostics


def unscreened(data: bytes) -> list[sgf_lark.Diagnostic]:
    found = examine(decodings(data), "strict", codes(None, None), engine="lark")
    return found.report.diagnostics


@pytest.mark.parametrize("data", EXAMPLES, ids=lambda item: str(item)[:50])
def test_screen_passes_over_nothing_in_examples(data: bytes) -> None:
    assert screened(data) == unscreened(data)


@given(grammatical(game=1, size=st.integers(1, 4)) | collections() | mutants())
def test_screen_passes_over_nothing(data: bytes) -> None:
    assert screened(data) == unscreened(data)


@given(collections() | mutants())
def test_plain_bytes_need_no_reading(data: bytes) -> None:
    report = sgf_lark.validate(data)
    read = examine(decodings(data), "strict", codes(None, None)).report
    assert (report.diagnostics, report.trees) == (read.diagnostics, read.trees)
    assert (report.counts, report.source.data) == (read.counts, read.source.data)


@pytest.mark.parametrize(
    ("before", "data"),
    [
        # What a rule reads in a node, of which it said nothing elsewhere.
        (b"(;FF[4]GM[1]HA[2]AB[aa][bb])", b"(;FF[4]GM[1]HA[2]AB[aa])"),
        (b"(;FF[4]GM[1]HA[2]AB[aa][bb])", b"(;FF[4]GM[1]AB[aa][bb]HA[3])"),
        (b"(;FF[4]GM[1]HA[2]AB[aa][bb])", b"(;FF[4]GM[1]HA[2])"),
        (b"(;FF[4]GM[1]HA[2]AB[aa][bb])", b"(;FF[4]GM[1]SZ[19]HA[2]AB[aa:bb])"),
        (b"(;FF[4]GM[1](;B[aa])(;W[tt]))", b"(;FF[4]GM[1](;W[])(;B[aa];W[]))"),
        # Nodes that nothing was said of elsewhere, in a place where something has to be.
        (b"(;FF[4]GM[11];B[a1];W[a2];B[a3];W[a4])", b"(;FF[4]GM[11];B[a1];B[a3];W[a4])"),
        (b"(;FF[4]GM[11];B[a1];W[a2];B[a1])", b"(;FF[4]GM[11];B[a1];W[a2];W[a3])"),
        (b"(;FF[4]GM[1];B[aa];W[tt];B[bb])", b"(;FF[4]GM[1];B[aa];W[tt])"),
        (b"(;FF[4];C[x])", b"(;FF[4];FF[4];C[x])"),
        (b"(;FF[4];PB[x];C[x])", b"(;FF[4]PB[x];PB[x];C[x])"),
        (b"(;FF[4]GM[1];C[ ])", b"(;FF[4]GM[1]C[ ];)"),
        # What is plain has nothing said of it: as long as it is.
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
        (
            b"(;FF[4]GM[1]SQ[aa][bb]TR[cc][dd])",
            b"(;FF[4]GM[1]AR[aa:bb]SQ[aa][bb]TR[bb][cc])",
        ),
        (b"(;FF[4]GM[1]LB[aa:x][bb:y])", b"(;FF[4]GM[1]LB[aa:x][aa:y])"),
        (b"(;FF[3]GM[1]LB[aa:x][bb:y])", b"(;FF[3]GM[1]LB[aa:x][bb:abcde])"),
        (b"(;FF[3]GM[1]AB[aa][bb])", b"(;FF[3]GM[1]AB[aa:bb])"),
        (b"(;FF[3]GM[1]VW[aa][bb])", b"(;FF[3]GM[1]VW[aa][bb][cc])"),
        (b"(;FF[3]GM[1];B[aa]C[x])", b"(;FF[3]GM[1];B[]C[x])"),
        (b"(;FF[4]GM[1];B[aa]C[x])", b"(;FF[4]GM[1];B[zz]C[x])"),
        (b"(;FF[4]GM[1];B[aa]C[x])", b"(;FF[4]GM[1];B[aa][bb]C[x])"),
    ],
)
def test_what_was_said_before_hides_nothing(before: bytes, data: bytes) -> None:
    forget()
    screened(before)
    found = screened(data)
    assert found == unscreened(data)
    assert found != screened(before)


@pytest.mark.parametrize("count", [1, 3, 10, 60])
def test_boards_that_are_filled_again_and_again(count: int) -> None:
    """More changes than there are values; in the end more than the screen keeps account of."""
    data = b"(;FF[4]GM[1]%s;B[aa];W[aa])" % (b";AB[aa:ss];AE[aa:ss]" * count)
    assert screened(data) == unscreened(data) != []


@pytest.mark.parametrize("largest", [1, 100, 10_000])
@pytest.mark.parametrize("size", [b"19", b"9", b"2:3", b"52"])
def test_boards_are_seen_a_few_at_a_time(
    monkeypatch: pytest.MonkeyPatch, largest: int, size: bytes
) -> None:
    monkeypatch.setattr("sgf_lark.validation.screening._LARGEST_ALBUM", largest)
    moves = b"(;AB[aa];B[ab];W[aa])(;W[bb];B[ba];W[ab];AE[bc][bb];W[bb](;B[bb])(;AW[aa:bb]))" * 4
    data = b"(;FF[4]GM[1]SZ[%s];AB[ab]%s)" % (size, moves)
    assert screened(data) == unscreened(data)
    assert sum(found.code in {"SGF801", "SGF802"} for found in screened(data)) > 5


def test_rules_that_are_left_out_stay_left_out() -> None:
    data = b"(;FF[4]GM[1]HA[0];B[aa];B[aa];W[zz])"
    report = sgf_lark.validate(data, select=["SGF8"])
    assert [found.code for found in report.diagnostics] == ["SGF801"]
    report = sgf_lark.validate(data, ignore=["SGF8", "SGF413"])
    assert [found.code for found in report.diagnostics] == ["SGF603", "SGF401"]


def test_report_counts_what_it_has() -> None:
    report = sgf_lark.validate(b"(;FF[4]GM[1]HA[0];B[aa];B[aa];W[zz]C[])")
    counts = report.counts
    assert counts == {"error": 2, "warning": 1, "style": 2} and not report.ok
    assert len(report.diagnostics) == 5
    assert report.counts == counts


def test_lark_is_asked_when_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []
    monkeypatch.setattr("sgf_lark.lark_parser.parse_by_lark", lambda data: asked.append(data))
    for read in (sgf_lark.validate, sgf_lark.loads):
        read(b"(;FF[4])")
        assert not asked
    sgf_lark.validate(b"(;FF[4])", engine="lark")
    assert asked == [b"(;FF[4])"]


def test_engines_give_the_same_and_others_are_refused() -> None:
    data = b"(;FF[4]GM[1]C[x];B[aa])"
    with pytest.raises(ValueError, match="engine"):
        sgf_lark.validate(data, engine="other")  # type: ignore[arg-type]
    for name in ENGINES:
        assert sgf_lark.loads(data, engine=name)[0].root["C"] == "x"
        assert sgf_lark.validate(data, engine=name).diagnostics == []
    with pytest.raises(ValueError, match="engine"):
        sgf_lark.loads(data, engine="other")  # type: ignore[arg-type]
