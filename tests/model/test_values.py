"""Typed values: reading and writing."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import PartialDate, Rank, Result, grammar, loads
from sgf_lark.conformance.suite import load_suite
from sgf_lark.fuzz.generating import Making, RandomChoices, word
from sgf_lark.model.values import (
    AmazonsMove,
    BackgammonMove,
    Color,
    Compose,
    Double,
    GessMove,
    HexMove,
    LinesOfActionMove,
    Move,
    OctiMove,
    OctiPlay,
    OctiStep,
    OctiStone,
    Point,
    Stone,
)
from sgf_lark.model.values.reader import Context, SGFValueError, reader
from sgf_lark.model.values.transformer import LarkReader, ValueTransformer
from sgf_lark.model.values.writer import write_all
from sgf_lark.syntax import ENGINES
from sgf_lark.syntax.grammars import rule_trees, value_types
from tests.kit.tables import for_each


def value(text: bytes, root: bytes = b"FF[4]GM[1]", charset: str | None = None) -> Any:
    """The value of the one property in `text`, in the node after the root."""
    data = b"(;" + root + b";" + text + b")"
    node = sgf_lark.loads(data, charset=charset)[0].root.children[0]
    return node[next(iter(node))]


READ = [
    # Text and SimpleText
    (b"C[plain]", "plain"),
    (b"C[a\\bc \\: \\) \\[]", "abc : ) ["),
    (b"C[o\\\nk o\\\rk o\\\r\nk o\\\n\rk]", "ok ok ok ok"),
    (b"N[o\\\nk]", "ok"),
    (b"C[a\nb\rc\r\nd\n\re]", "a\nb\nc\nd\ne"),
    (b"C[a\r\r\nb]", "a\n\nb"),
    (b"C[\n\r\nx]", "\n\nx"),
    (b"C[a\tb\vc\fd\\\te]", "a b c d e"),
    (b"N[one\ntwo]", "one two"),
    (b"PB[A\r\nB]", "A B"),
    (b"C[a\\\\\nb]", "a\\\nb"),
    (b"C[ x ]", " x "),
    (b"C[C:\\\\temp]", "C:\\temp"),
    (b"C[\xe9]", "é"),
    (b"C[]", ""),
    # Numbers
    (b"MN[+7]", 7),
    (b"MN[-007]", -7),
    (b"MN[99999999999999999999]", 99999999999999999999),
    (b"V[-0.50]", -0.5),
    (b"V[+12]", 12.0),
    (b"GB[2]", Double.EMPHASIZED),
    (b"PL[W]", Color.WHITE),
    (b"KO[]", None),
    # Points and moves
    (b"B[aa]", Move(Point(0, 0))),
    (b"B[sa]", Move(Point(18, 0))),
    (b"B[]", Move(None)),
    (b"B[tt]", Move(None)),
    (b"CR[aa:cb][dd]", [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (3, 3)]),
    (b"AB[cc:cc]", [(2, 2)]),
    (b"AB[ba:ab]", [(0, 0), (1, 0), (0, 1), (1, 1)]),
    (b"DD[]", []),
    (b"VW[aa][bb]", [(0, 0), (1, 1)]),
    # Compose
    (b"LB[aa:x][bb:p\\:q]", [Compose(Point(0, 0), "x"), Compose(Point(1, 1), "p:q")]),
    (b"LB[aa:p:q]", [Compose(Point(0, 0), "p:q")]),
    (b"AR[aa:bb]", [Compose(Point(0, 0), Point(1, 1))]),
    (b"AP[my\\:prog:1.0]", Compose("my:prog", "1.0")),
    (b"FG[]", None),
    (b"FG[257:Figure 1]", Compose(257, "Figure 1")),
    (b"SZ[19]", 19),
    (b"SZ[19:13]", Compose(19, 13)),
    # Unknown
    (b"XX[any \\] thing][more]", [b"any \\] thing", b"more"]),
]


@for_each(READ)
def test_value_is_read(text: bytes, expected: Any) -> None:
    assert value(text) == expected


@for_each(
    [
        (b"FF[4]SZ[9]", b"tt", None),
        (b"FF[4]SZ[13:19]", b"tt", None),
        (b"FF[4]SZ[20]", b"tt", Point(19, 19)),
        (b"FF[4]SZ[19:25]", b"tt", Point(19, 19)),
        (b"FF[4]SZ[52]", b"zA", Point(25, 26)),
        (b"FF[4]SZ[52]", b"ZZ", Point(51, 51)),
    ]
)
def test_move_depends_on_the_board(root: bytes, raw: bytes, expected: Point | None) -> None:
    assert value(b"B[" + raw + b"]", root) == Move(expected)


@for_each(
    [
        (b"FF[4]CA[UTF-8]", None, "é".encode(), "é"),
        (b"FF[4]CA[utf8]", None, "é".encode(), "é"),
        (b"FF[4]CA[GB18030]", None, "围棋".encode("gb18030"), "围棋"),
        (b"FF[4]CA[Shift_JIS]", None, b"\x90\\\\", "申"),
        (b"FF[4]CA[no-such]", None, b"\xe9", "é"),
        (b"FF[4]CA[UTF-8]", "ISO-8859-1", b"\xe9", "é"),
        (b"FF[4]CA[UTF-8]", None, b"\xff", "ÿ"),
        (b"FF[4]CA[UTF-8]", None, "棋譜".encode() + b"\xff", "棋譜\ufffd"),
    ]
)
def test_text_is_decoded_after_its_escapes_are_removed(
    root: bytes, charset: str | None, raw: bytes, expected: str
) -> None:
    assert value(b"C[" + raw + b"]", root, charset) == expected


@for_each(
    [
        (b"1996-05,06", [(1996, 5), (1996, 6)]),
        (b"1996-05-06,07,08", [(1996, 5, 6), (1996, 5, 7), (1996, 5, 8)]),
        (b"1996,1997", [(1996,), (1997,)]),
        (
            b"1996-12-27,28,1997-01-03,04",
            [(1996, 12, 27), (1996, 12, 28), (1997, 1, 3), (1997, 1, 4)],
        ),
        (b"1996-05-06,07-01,02", [(1996, 5, 6), (1996, 7, 1), (1996, 7, 2)]),
        (b"1996-05,06-07,08", [(1996, 5), (1996, 6, 7), (1996, 6, 8)]),
    ]
)
def test_dates_fill_in_their_shortcuts(dates: bytes, expected: list[tuple[int, ...]]) -> None:
    assert reader(Context()).read("date", dates) == expected


# --- Writing ----------------------------------------------------------------------

ANY_TEXT = st.text(st.characters(codec="utf-8"), max_size=20)
POINTS = st.builds(Point, st.integers(0, 18), st.integers(0, 18))
WRITABLE: dict[str, st.SearchStrategy[Any]] = {
    "C": ANY_TEXT,
    "N": ANY_TEXT,
    "MN": st.integers(),
    "V": st.floats(allow_nan=False, allow_infinity=False),
    "GB": st.sampled_from(Double),
    "PL": st.sampled_from(Color),
    "KO": st.none(),
    "B": st.one_of(st.none(), POINTS).map(Move),
    "AB": st.lists(POINTS, min_size=1),
    "DD": st.lists(POINTS),
    "LB": st.lists(st.builds(Compose, POINTS, ANY_TEXT), min_size=1),
    "AR": st.lists(st.builds(Compose, POINTS, POINTS), min_size=1),
    "AP": st.builds(Compose, ANY_TEXT, ANY_TEXT),
    "FG": st.one_of(st.none(), st.builds(Compose, st.integers(0, 40000), ANY_TEXT)),
}


def as_read(value: Any, ident: str) -> Any:
    """Texts as SGF can hold them: white space becomes blanks, line breaks are one."""
    if isinstance(value, str) and not isinstance(value, Color):
        value = value.replace("\r\n", "\n")
        kind = "text" if ident == "C" else "simpletext"
        raw = value.encode().replace(b"\\", b"\\\\").replace(b"]", b"\\]")
        return reader(Context(codec="utf-8")).read(kind, raw)
    if isinstance(value, Compose):
        return Compose(as_read(value.left, ident), as_read(value.right, ident))
    if isinstance(value, list):
        return [as_read(item, ident) for item in value]
    return value


@given(st.sampled_from(sorted(WRITABLE)).flatmap(lambda i: st.tuples(st.just(i), WRITABLE[i])))
def test_what_is_written_reads_back(case: tuple[str, Any]) -> None:
    ident, wanted = case
    context = Context(codec="utf-8")
    definition = grammar.definition(ident, 1, 4)
    raw = write_all(definition, wanted, context)
    values = b"".join(b"[" + each + b"]" for each in raw)
    root = sgf_lark.loads(b"(;FF[4]CA[UTF-8];" + ident.encode() + values + b")")[0].root
    again = root.children[0][ident]
    assert again == as_read(wanted, ident)
    # Writing what was read changes nothing any more.
    assert write_all(definition, again, context) == raw


# --- Other games ---------------------------------------------------------------------


def point(column: int, row: int = 0) -> Point:
    return Point(column, row)


GAME_VALUES = [
    (6, "point", b"y", point(24)),
    (6, "move", b"31hefe", BackgammonMove((3, 1), ((point(7), point(4)), (point(5), point(4))))),
    (6, "move", b"66", BackgammonMove((6, 6))),
    (6, "move", b"double", BackgammonMove(action="double")),
    (9, "point", b"C8", point(2, 7)),
    (9, "move", b"c2:c5++", LinesOfActionMove(point(2, 1), point(2, 4), ":", "++")),
    (9, "move", b"c5c6", LinesOfActionMove(point(2, 4), point(2, 5))),
    (9, "move", b"PASS", LinesOfActionMove(action="pass")),
    (11, "point", b"G5", point(6, 4)),
    (11, "point", b"ad30", point(29, 29)),
    (11, "point", b"aaa1", point(26 * 26 + 26, 0)),
    (11, "move", b"e4", HexMove(point(4, 3))),
    (11, "move", b"Swap-Pieces", HexMove(action="swap-pieces")),
    (18, "move", b"djddgd", AmazonsMove(point(3, 9), point(3, 3), point(6, 3))),
    (19, "point", b"46", point(3, 5)),
    (19, "stone", b"46CD", OctiStone(point(3, 5), "CD")),
    (19, "move", b"73", OctiMove((OctiPlay(OctiStone(point(6, 2))),))),
    (19, "move", b"33+B!", OctiMove((OctiPlay(OctiStone(point(2, 2)), added="B", is_super=True),))),
    (19, "move", b"33+A-B", OctiMove((OctiPlay(OctiStone(point(2, 2)), turned="A", added="B"),))),
    (
        19,
        "move",
        b"84-86x-68xDxAB,84C-85",
        OctiMove(
            (
                OctiPlay(
                    OctiStone(point(7, 3)),
                    (OctiStep(point(7, 5), ("",)), OctiStep(point(5, 7), ("D", "AB"))),
                ),
                OctiPlay(OctiStone(point(7, 3), "C"), (OctiStep(point(7, 4)),)),
            )
        ),
    ),
    (20, "move", b"cc:cf", GessMove(point(2, 2), point(2, 5))),
]


@for_each(GAME_VALUES)
def test_values_of_other_games_are_read_and_written(
    game: int, kind: str, raw: bytes, value: Any
) -> None:
    read = reader(Context(game=game, size=None)).read(kind, raw)
    assert read == value
    if kind == "move":
        definition = grammar.definition("B", game, 4)
        assert str(value).encode() in {raw, raw.lower()}
        [written] = write_all(definition, value, Context(game=game, size=(52, 52)))
        assert reader(Context(game=game, size=None)).read(kind, written) == value


def test_rectangles_of_other_games_are_expanded() -> None:
    points = reader(Context(game=6, size=None)).read_all(grammar.definition("AE", 6, 4), [b"a:c"])
    assert points == [point(0), point(1), point(2)]
    stones = reader(Context(game=11)).read_all(grammar.definition("AB", 11, 4), [b"a1:b2", b"c3"])
    assert stones == [point(0, 0), point(1, 0), point(0, 1), point(1, 1), point(2, 2)]


@for_each([1, 9, 11, 18, 19, 20])
def test_setup_of_every_game_can_be_written(game: int) -> None:
    context = Context(game=game, size=(9, 9))
    definition = grammar.definition("AB", game, 4)
    read = reader(context).read_all(definition, write_all(definition, [(0, 0), (2, 1)], context))
    points = [getattr(stone, "point", stone) for stone in read]
    assert points == [point(0, 0), point(2, 1)]


@for_each([1, 11, 19])
def test_a_point_is_a_move_where_a_move_is_a_point(game: int) -> None:
    context = Context(game=game, size=(9, 9))
    definition = grammar.definition("B", game, 4)
    move = reader(context).read_all(definition, write_all(definition, (1, 2), context))
    assert move.points == (point(1, 2),)


@for_each(["", "SZ[9]", "SZ[99999999]"])
def test_rectangle_larger_than_the_board_is_reported(size: str) -> None:
    data = f"(;FF[4]GM[11]{size}AB[a1:zzz99999])".encode()
    assert "SGF314" in {found.code for found in sgf_lark.validate(data).diagnostics}
    for unsafe in (False, True):
        sgf_lark.fix(data, unsafe=unsafe)
    with pytest.raises(SGFValueError):
        sgf_lark.loads(data)[0].root["AB"]
    whole_board = b"(;FF[4]GM[11]SZ[200]AB[a1:gr200])"
    assert len(sgf_lark.loads(whole_board)[0].root["AB"]) == 200 * 200


# --- The classes --------------------------------------------------------------------

MOVES: list[Any] = [
    Move(), Move(Point(1, 2)), HexMove(Point(1, 2)), GessMove(Point(1, 2), Point(3, 4)),
    AmazonsMove(*[Point(1, 1)] * 3), BackgammonMove((3, 1)), LinesOfActionMove(action="pass"),
    OctiMove((OctiPlay(OctiStone(Point(0, 0)), (OctiStep(Point(1, 1), ("A",)),)),)),
]  # fmt: skip


@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, dataclasses.replace, lambda move: pickle.loads(pickle.dumps(move))],
)
@for_each(MOVES)
def test_copies_of_moves_are_equal(move: Any, copied: Callable[[Any], Any]) -> None:
    assert copied(move) == move
    assert hash(copied(move)) == hash(move)


def test_moves_are_those_of_their_game() -> None:
    move: Any = Move(Point(1, 2))
    assert move != HexMove(Point(1, 2))
    assert move == Move(Point(1, 2))
    assert Move() == Move(None)
    assert repr(move) == "Move(point=Point(column=1, row=2))"
    assert list(inspect.signature(AmazonsMove).parameters) == ["start", "end", "arrow"]
    assert [field.name for field in dataclasses.fields(HexMove)] == ["point", "action"]


VALUES = [
    *MOVES, MOVES[-1].plays[0], Rank(3, "k"), Result(Color.BLACK), PartialDate(1996),
]  # fmt: skip


@for_each(VALUES)
def test_values_cannot_be_changed(value: Any) -> None:
    name = dataclasses.fields(value)[0].name
    with pytest.raises(AttributeError):
        setattr(value, name, None)
    with pytest.raises(AttributeError):
        delattr(value, name)
    assert not hasattr(value, "__dict__")  # which would make each of them larger


def test_stone_is_equal_to_its_point() -> None:
    assert Stone(1, 2) == Point(1, 2) == (1, 2)
    assert repr(Stone(1, 2)) == "Stone(column=1, row=2)"
    assert str(Stone(1, 2)) == "bc"


def test_error_of_a_value_can_be_pickled() -> None:
    error = SGFValueError("B", b"a", "move")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


# --- Held against Lark ----------------------------------------------------------------


def test_methods_of_the_transformer_are_productions() -> None:
    methods = {name for name in dir(ValueTransformer) if not name.startswith("_")}
    productions = set(map(str, rule_trees("values.lark")))
    assert methods - productions == {"transform"}


def _word(value_type: str, seed: int) -> bytes:
    return word("values.lark", value_type, Making(RandomChoices(Random(seed)), fuel=10))


ODD = st.text("0123456789+-.,:ab BWRkd?()[]\\\n\r\tDraw\x80\xff\0", max_size=12)


@given(
    st.sampled_from(sorted(value_types())).flatmap(
        lambda name: st.tuples(
            st.just(name),
            st.integers(0, 2**32).map(lambda seed: _word(name, seed))
            | ODD.map(lambda text: text.encode("latin-1")),
        )
    )
)
def test_values_are_read_as_lark_reads_them(case: tuple[str, bytes]) -> None:
    value_type, raw = case
    fast, plain = reader(Context()), LarkReader(Context())
    matches = plain.matches(value_type, raw)
    assert fast.matches(value_type, raw) == matches
    # Where a damaged file breaks off, the last escape of a text is passed over.
    if matches or (value_type in grammar.TEXT_TYPES and raw.endswith(b"\\")):
        assert fast.read(value_type, raw) == plain.read(value_type, raw)
    else:
        for each in (fast, plain):
            with pytest.raises(ValueError, match=value_type):
                each.read(value_type, raw)


def files() -> Iterator[bytes]:
    """The examples of the catalogue, and a part of the conformance suite; with the profile thorough
    all of it."""
    step = 1 if settings().max_examples > 100 else 12
    for entry in grammar.rules().values():
        yield from (example.data for example in (*entry.bad, *entry.good))
    yield from (case.data for case in load_suite().cases[::step])


@pytest.mark.long
def test_values_of_files_are_read_as_lark_reads_them() -> None:
    for data in files():
        trees = (loads(data, tolerant=True, engine=engine) for engine in ENGINES)
        for fast, plain in zip(*trees, strict=True):
            assert isinstance(plain.parsed.reader, LarkReader)
            for one, two in zip(fast.nodes(), plain.nodes(), strict=True):
                assert dict(one) == dict(two), data
                assert [*map(str, one.invalid.values())] == [*map(str, two.invalid.values())]
