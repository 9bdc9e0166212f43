"""Time in line with size: steps are counted on inputs of doubled size, not seconds."""

from __future__ import annotations

import copy
import cProfile
import gc
import pickle
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

import pytest
from click.testing import CliRunner
from lsprotocol import types

import sgf_lark
from sgf_lark.analysis import Settings
from sgf_lark.cli.commands import main
from sgf_lark.fixing.rewriting import Rewriting
from sgf_lark.flat_tree import FlatTree
from sgf_lark.lsp import explaining, findings, navigation
from sgf_lark.lsp.analysis import Analysis, Text
from sgf_lark.lsp.findings import diagnostics, format_text
from sgf_lark.model.node import Node
from sgf_lark.model.tree import GameTree
from sgf_lark.model.values.points import Point
from sgf_lark.model.values.reader import ValueReader
from sgf_lark.text.matching import differences
from sgf_lark.validation import caching
from tests.kit.tables import for_each

HEAD = b"(;FF[4]GM[1]SZ[52];"

#: Files by the number of pieces.
SHAPES: dict[str, Callable[[int], bytes]] = {
    "one identifier": lambda n: HEAD + b"N[a]" * n + b")",
    "one setup": lambda n: HEAD + b"AB[aa]" * n + b")",
    "two setups": lambda n: HEAD + b"AB[aa]AW[aa]" * n + b")",
    "identifiers": lambda n: HEAD + b"".join(_identifier(i) + b"[a]" for i in range(n)) + b")",
    "moves": lambda n: HEAD + b"B[aa]W[bb]" * n + b")",
    "repeated points": lambda n: HEAD + b"AB" + b"[aa]" * n + b")",
    "shared points": lambda n: HEAD + b"AB" + _points(n) + b"AE" + _points(n) + b")",
    "rectangles": lambda n: HEAD + b"AB" + b"[aa:ZZ]" * n + b")",
    "rectangles of markup": lambda n: HEAD + b"TR" + b"[aa:ZZ]" * n + b")",
    "properties of rectangles": lambda n: HEAD + b"TR[aa:ZZ]CR[aa:ZZ]" * n + b")",
    "nodes of rectangles": lambda n: HEAD + b";AB[aa:ZZ]" * n + b")",
    "labels": lambda n: HEAD + b"LB" + b"[aa:x]" * n + b")",
    "lines": lambda n: HEAD + b"LN" + b"[aa:bb]" * n + b")",
    "dates": lambda n: HEAD + b"DT[1996-05-06" + b",07" * n + b"])",
    "Octi": lambda n: b"(;FF[4]GM[19];B[11A" + b"-12" * n + b"])",
    "nested": lambda n: HEAD + b"(;B[zz]N[a]N[b]" * n + b")" * (n + 1),
    "siblings": lambda n: HEAD + b"(;B[zz]N[a]N[b])" * n + b")",
    "games": lambda n: b"(;FF[4]GM[1];B[zz])" * n,
    "open": lambda n: b"(" * n,
    "closed": lambda n: HEAD + b")" * n,
    "brackets": lambda n: HEAD + b"C[" + b"[k3] " * n + b"])",
    "stray ]": lambda n: HEAD + b"B[aa]" + b"]" * n + b")",
    "unclosed": lambda n: HEAD + b"C[abc\n;" * n,
    "identifiers twice": lambda n: (
        HEAD + b"".join(2 * (_identifier(i) + b"[a]") for i in range(n)) + b")"
    ),
    "identifiers twice, in turns": lambda n: (
        HEAD + 2 * b"".join(_identifier(i) + b"[a]" for i in range(n)) + b")"
    ),
    "handicaps": lambda n: HEAD + b"HA[x]AB[aa]HA[]" * n + b")",
    "texts and values": lambda n: HEAD + b"C[a] [b] x[b] x" * n + b")",
    "moves, then variations": lambda n: HEAD + b"B[aa]W[bb]" * n + b"(;W[cc])" * n + b")",
    "setup, then variations": lambda n: HEAD + b"AB" + b"[aa][bb]" * n + b"(;W[cc])" * n + b")",
    "no board": lambda n: b"(;FF[4]GM[5]" + b";C[a]" * n + b")",
    "game information": lambda n: HEAD + b"(;PB[a]DT[1996]RE[B+R])" * n + b")",
    "escaped points": lambda n: HEAD + b"AB" + b"[\\a\\a]" * n + b")",
    "soft line breaks": lambda n: HEAD + b"AB" + b"[a\\\na]" * n + b")",
    "takebacks": lambda n: HEAD + b";B[aa];AE[aa]" * n + b")",
    "passes": lambda n: HEAD + b";B[];W[]" * n + b")",
    "spiral": lambda n: HEAD + b"(;B[aa](;W[bb])" * n + b")" * (n + 1),
    "invalid UTF-8": lambda n: HEAD + b"CA[UTF-8];" + b"C[\xff];" * n + b")",
    "strays in and before moves": lambda n: b"(;FF[4]GM[1]" + b">;B[a>a]" * n + b")",
    "strays in moves of a node": lambda n: HEAD + b"B[a>a]" * n + b")",
    "strays in place of [": lambda n: HEAD + b";B>aa]" * n + b")",
    "strays between points": lambda n: HEAD + b"AB" + b"[aa]>" * n + b")",
    "[ between points lost": lambda n: HEAD + b"AB" + b"[aa]bb]" * n + b")",
    "] twice": lambda n: HEAD + b";B[aa]]" * n + b")",
    "empty values and nodes": lambda n: HEAD + b"[](;)" * n + b")",
    "alternating [ and ]": lambda n: HEAD + b"[]" * n + b")",
    "alternating ] and [": lambda n: HEAD + b"C[a" + b"][" * n + b")",
    "brackets and parentheses": lambda n: HEAD + b"([)]" * n + b")",
    "\\ before ]": lambda n: HEAD + b"C[a\\];B[aa]" * n + b")",
    "identifiers in pieces": lambda n: HEAD + b";B L[30]A B C[30]" * n + b")",
    "identifiers with lowercase letters": lambda n: b"(;FF[4]GM[1]" + b"Bl[aa]" * n + b")",
    "annotations": lambda n: HEAD + b"BM[1]TE[1]" * n + b")",
    "charsets": lambda n: b"(;FF[4]" + b"".join(b"CA[x-%d]" % each for each in range(n)) + b")",
    "games of charsets": lambda n: b"(;CA[Latin-1]C[\xe4])(;CA[GBK]C[\x95\\])" * n,
    "captures in variations": lambda n: (
        b"(;FF[4]GM[1]SZ[19];AB[aa:sr][as:rs]" + b"(;W[ss])" * n + b")"
    ),
    "AE in variations": lambda n: HEAD + b"AB[aa:ss]" + b"(;AE[aa:ss])" * n + b")",
}


def _points(number: int) -> bytes:
    return b"".join(b"[%c%c]" % (97 + place // 26, 97 + place % 26) for place in range(number))


def _identifier(number: int) -> bytes:
    letters = [65 + number // 26**place % 26 for place in range(4)]
    return bytes([*letters, 65])


def read(data: bytes) -> None:
    """Load the file and read all values, by identifier too."""
    for tree in sgf_lark.loads(data, tolerant=True):
        for node in tree.nodes():
            for entry in node.properties:
                try:
                    assert entry.values is not None
                except ValueError:
                    continue
            for ident in node:
                assert ident in node


def steps(function: Callable[[bytes], object], data: bytes) -> int:
    """The number of functions that are called."""
    profiler = cProfile.Profile(subcalls=False)
    gc.disable()  # it may call functions for what other tests have left
    try:
        profiler.runcall(function, data)
    finally:
        gc.enable()
    return sum(entry.callcount for entry in profiler.getstats())


#: Safe fixes are the first rounds of unsafe ones.
COMMANDS: dict[str, Callable[[bytes], object]] = {
    "validate": sgf_lark.validate,
    "read": read,
    "fix --unsafe": lambda data: sgf_lark.fix(data, unsafe=True),
}


#: For up to a hundred strays, unsafe fixes take steps for each pair of them; for more they do not.
#: Each game that is read in a charset of its own takes long.
_PIECES = {"strays between points": 50, "games of charsets": 10}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("command", COMMANDS)
def test_steps_grow_in_line_with_size(command: str, shape: str) -> None:
    assert failures(COMMANDS[command], [shape], _PIECES.get(shape, 30)) == []


#: The size of a file for which a search from each byte to the end takes many minutes.
_LONG = 100_000
#: Pieces, repeated without anything around them, after an open text and after an open list.
_PIECES_OF_BRACKETS = (
    *(b"[", b"]", b"(", b")", b"[]", b"([", b"x[", b"C[", b"(;C[", b"[\\]", b"][", b"B[aa"),
    *(b" ", b"\n", b"[ ", b"[a b", b"%2B"),
)


@pytest.mark.parametrize("piece", _PIECES_OF_BRACKETS)
@pytest.mark.parametrize("head", [b"", HEAD + b"C[", HEAD + b"AB["])
def test_open_brackets_are_read_in_one_pass(head: bytes, piece: bytes) -> None:
    """A search by a regular expression takes no step, so steps do not show that it begins anew at
    each bracket; but then this test would not end."""
    data = head + piece * (_LONG // len(piece)) + b"\n["
    for tree in sgf_lark.loads(data, tolerant=True):
        assert tree.root is not None


def test_a_wrong_list_of_dates_is_read_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each reading takes time in line with its length, and no step."""
    lengths: list[int] = []
    matches = ValueReader.matches

    def count(reader: ValueReader, value_type: str, raw: bytes) -> bool:
        lengths.append(len(raw))
        return matches(reader, value_type, raw)

    monkeypatch.setattr(ValueReader, "matches", count)
    data = b"(;FF[4]DT[" + b"1996-05-06," * 1000 + b"])"
    [found] = [each for each in sgf_lark.validate(data).diagnostics if each.code == "SGF419"]
    assert '""' in found.message
    assert sum(lengths) < 20 * len(data)


def test_empty_values_are_counted_without_a_list_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """The list is made in one step, however long it is."""
    lengths: list[int] = []
    raw = FlatTree.raw

    def count(flat: FlatTree, prop: int) -> list[bytes]:
        lengths.append(len(found := raw(flat, prop)))
        return found

    monkeypatch.setattr(FlatTree, "raw", count)
    sgf_lark.fix(HEAD + b"C[x]" + b"[]" * 300 + b")")
    assert sum(lengths) < 20 * 300


# --- The model, the language server, the command line ----------------------------------


def trees(data: bytes) -> list[GameTree]:
    return list(sgf_lark.loads(data, tolerant=True))


def nodes(data: bytes) -> Iterator[Node]:
    return (node for tree in trees(data) for node in tree.nodes())


def for_each_node(ask: Callable[[Node], object]) -> Callable[[bytes], None]:
    def ask_all(data: bytes) -> None:
        for node in nodes(data):
            with suppress(ValueError):
                ask(node)

    return ask_all


def for_last_node(ask: Callable[[Node], object]) -> Callable[[bytes], None]:
    def ask_last(data: bytes) -> None:
        with suppress(ValueError, TypeError, IndexError):
            ask([*nodes(data)][-1])

    return ask_last


def read_edited(data: bytes) -> None:
    """Edit each tree, then read all nodes by identifier."""
    for tree in trees(data):
        tree.root["GN"] = "edited"
        for node in tree.nodes():
            for ident in node:
                assert node.property(ident) == node.select(ident)[0]


def write_edited(data: bytes) -> None:
    collection = sgf_lark.loads(data, tolerant=True)
    for tree in collection:
        for node in tree.nodes():
            node["N"] = "edited"
    sgf_lark.dumps(collection)


def of_server(ask: Callable[[Analysis, types.Position], object]) -> Callable[[bytes], None]:
    """A request to the language server about the middle of a text."""

    def ask_server(data: bytes) -> None:
        text = Text(data.decode("latin-1").encode())
        ask(Analysis(text, Settings()), text.position(len(text.data) // 2))

    return ask_server


def act_everywhere(analysis: Analysis, position: types.Position) -> None:
    area = analysis.text.range(0, len(analysis.text.data))
    findings.code_actions(analysis, "file:///a.sgf", area)
    findings.fix_all(analysis)


OPERATIONS: dict[str, Callable[[bytes], object]] = {
    "links": for_each_node(lambda node: (node.parent, node.children)),
    "moves": for_each_node(lambda node: (node.color, node.move)),
    "boards": for_each_node(lambda node: node.board()),
    "paths": for_last_node(
        lambda node: (node.depth, node.path(), node.move_number, node.inherited("VW"))
    ),
    "play": for_last_node(lambda node: node.play("")),
    "lines": lambda data: [
        ([*tree.main_line()], [*tree.leaves()], str(tree)) for tree in trees(data)
    ],
    "equals": lambda data: [tree.equals(tree) for tree in trees(data)],
    "info": lambda data: [(tree.info.black.name, tree.info.result) for tree in trees(data)],
    "copies": lambda data: [(copy.deepcopy(tree), tree.root.copy()) for tree in trees(data)],
    "pickle": lambda data: pickle.loads(pickle.dumps(trees(data))),
    "read edited": read_edited,
    "write edited": write_edited,
    "diagnostics": of_server(lambda analysis, _: diagnostics(analysis, "file:///a.sgf", 10**6)),
    "hover": of_server(lambda *place: explaining.hover(*place, pictures=True)),
    "completion": of_server(lambda *place: explaining.completion(*place, snippets=True)),
    "outline": of_server(lambda analysis, _: navigation.outline(analysis)),
    "folding": of_server(lambda analysis, _: navigation.folding_ranges(analysis)),
    "tokens": of_server(
        lambda analysis, _: navigation.semantic_tokens(analysis, 0, len(analysis.text.data))
    ),
    "actions": of_server(act_everywhere),
    "format": of_server(lambda analysis, _: format_text(analysis)),
    "board": of_server(navigation.board),
}


def first_steps(operation: Callable[[bytes], object], data: bytes) -> int:
    """The steps where nothing is cached: of a file only short values and properties are."""
    caching.clear()
    return steps(operation, data)


def failures(operation: Callable[[bytes], object], shapes: Sequence[str], pieces: int) -> list[str]:
    """The shapes of which the third part takes more steps than the second.

    The margin is small, so that few pieces are enough: a step for each pair of pieces makes the
    third part of n pieces larger than the second by n * n.
    """
    found = []
    re.purge()  # other tests may have filled it, so that patterns are compiled again and again
    for shape in shapes:
        files = [SHAPES[shape](number * pieces) for number in (1, 2, 3)]
        for data in (files[0], files[-1]):  # modules are imported, tables made
            operation(data)
        first, second, third = (first_steps(operation, data) for data in files)
        if third - second > 1.1 * (second - first) + 60:
            found.append(f"{shape}: {first}, {second}, {third}")
    return found


#: Shapes in which one thing is repeated in each place that is walked.
REPEATED = ("identifiers twice", "texts and values", "nested", "siblings", "games", "invalid UTF-8")
#: Shapes that the model and the language server walk in ways of their own.
WALKED = (*REPEATED, "no board", "moves, then variations", "setup, then variations", "unclosed")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_operations_grow_in_line_with_size(operation: str) -> None:
    assert failures(OPERATIONS[operation], WALKED, 20) == []


@pytest.mark.parametrize(
    "words",
    [
        "check -",
        *(f"check --format {name} -" for name in ("jsonl", "sarif")),
        "fix --format jsonl -",
        "fix --unsafe --to-ff4 --points compress --delete empty-nodes -",
        "tree --tolerant --values -",
        "tree --tolerant --trace -",
        "show -",
        "show --format svg -",
        "convert --format wei7 -",
    ],
)
def test_commands_grow_in_line_with_size(words: str) -> None:
    def run(data: bytes) -> None:
        result = CliRunner().invoke(main, words.split(), input=data)
        assert result.exception is None or isinstance(result.exception, SystemExit)

    assert failures(run, REPEATED, 20) == []


def test_differences_grow_in_line_with_size() -> None:
    def compare(data: bytes) -> None:
        """Each line of the old file is there twice."""
        old, new = [line for line in data.decode() for _ in "12"], list(data.decode())
        changes = [*differences(old, new)]
        assert sum(change.end - change.start for change in changes) == len(new)
        assert all(change.new_start == change.new_end for change in changes)

    files = ["".join(map(chr, range(0x4E00, 0x4E00 + n))).encode() for n in (800, 1600, 2400)]
    first, second, third = (steps(compare, data) for data in files)
    assert third - second < 1.2 * (second - first)


@pytest.mark.parametrize(("command", "validations"), [("validate", 1), ("fix --unsafe", 3)])
@pytest.mark.parametrize(
    "node", [b";AB[aa:ZZ]", b";AB[aa:ZZ]AW[aa:ZZ]", b";AB[aa:ZZ];AE[aa:ZZ]", b";TR[aa:ZZ][aa:ZZ]"]
)
def test_a_rectangle_is_not_read_point_by_point(
    node: bytes, command: str, validations: int
) -> None:
    """It has 2,704 points, but only 52 rows."""
    data = HEAD + node * 50 + b")"
    COMMANDS[command](data)
    assert steps(COMMANDS[command], data) < 2704 * data.count(b":") * validations


def test_whole_boards_are_listed_once() -> None:
    data = HEAD + b"AB" + b"[aa:ZZ][bb:YY]" * 100 + b"[aa])"
    stones = sgf_lark.loads(data)[0].root.children[0]["AB"]
    assert {*stones} == {Point(x, y) for x in range(52) for y in range(52)}
    assert len(stones) < 15_000


@for_each(["GM", "FF", "SZ", "HA", "KM", "TM", "MN", "PM", "DT", "RE"])
def test_huge_numbers_are_validated(ident: str) -> None:
    """They are not converted, which Python refuses for more than 4,300 digits."""
    digits = (b"9" * 5000, b"0" * 5000 + b"1", b"-" + b"9" * 5000)
    pairs = [b"%b:%b" % (first, second) for first in digits for second in digits]
    for raw in (*digits, *(pairs if ident == "SZ" else pairs[:1])):
        data = b"(;FF[4]GM[1]" + ident.encode() + b"[" + raw + b"];B[aa])"
        report = sgf_lark.validate(data)
        assert report.diagnostics == sgf_lark.validate(data, engine="lark").diagnostics


@pytest.mark.parametrize(
    "text",
    [
        "(;FF[4]GM[6]CV[#])",
        "(;FF[4]GM[11];B[a#])",
        "(;FF[4]GM[11]AB[a#:b2][a1:zz#]CR[%s1]LB[a#:x]AR[a1:a#])" % ("z" * 5000),
        "(;FF[4]GM[9];B[a1-a#])",
        "(;FF[4]GM[9]AB[a#:b2]LB[a#:x])",
        "(;FF[3]GM[1]KI[#]KM[#])",
        "(;FF[3]GM[1]KI[1]KM[#])",
        "(;FF[4]GM[1]MN[#];B[aa]MN[#];W[bb])",
    ],
)
def test_files_with_huge_numbers_are_read_and_fixed(text: str) -> None:
    data = text.replace("#", "9" * 5000).encode()
    sgf_lark.validate(data)
    sgf_lark.fix(data, unsafe=True, rewriting=Rewriting(upgrade=True, points="expand"))
    (game,) = sgf_lark.loads(data)
    assert repr([[*node.items()] for node in game.nodes()]) and game.root.move_number <= 2**63
