"""The information about a game: typed reading and writing, and what is left as text."""

from __future__ import annotations

import datetime
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sgf_lark import (
    Color,
    GameInfo,
    GameTree,
    PartialDate,
    Rank,
    Reason,
    Result,
    dumps,
    fix,
    grammar,
    loads,
    validate,
)
from sgf_lark.fuzz.strategies import collections, mutants
from tests.kit.tables import for_each


def game(properties: str = "", number: int = 1) -> GameTree:
    return loads(f"(;FF[4]GM[{number}]CA[UTF-8]{properties})")[0]


# --- Reading ----------------------------------------------------------------------------


def test_everything_typed() -> None:
    info = game(
        "PB[Cho]BR[9p]BT[Korea]PW[Ko]KM[5.5]HA[2]RE[W+0.5]DT[1996]RU[Japanese]TM[28800]OT[60]"
        "EV[Cup]RO[2 (final)]PC[Seoul]GN[name]GC[a\nb]AN[A]US[B]SO[C]CP[D]ON[E]"
    ).info
    assert (info.black.name, info.black.team, info.white.name) == ("Cho", "Korea", "Ko")
    assert (info.komi, info.handicap, info.time, info.rules) == (5.5, 2, 28800, "Japanese")
    assert (info.overtime, info.event, info.round, info.place) == (
        "60",
        "Cup",
        "2 (final)",
        "Seoul",
    )
    assert (info.name, info.comment, info.annotator, info.user) == ("name", "a\nb", "A", "B")
    assert (info.source, info.copyright, info.opening) == ("C", "D", "E")
    assert info.not_understood == {} == info.others
    assert info.players == {Color.BLACK: info.black, Color.WHITE: info.white}
    assert info.black == game("PB[Cho]BR[9p]BT[Korea]").info.black != info.white
    assert repr(info) == "<GameInfo: Cho (B) and Ko (W), 1996, W+0.5>"


def test_nothing_there() -> None:
    info = game().info
    assert {field.read(owner) for owner, field in info._fields()} == {(None, None)}
    assert (info.black.name, info.black.rank, info.white.team, info.text("RE")) == (None,) * 4
    assert info.not_understood == {}


def test_values_that_are_not_understood_are_texts() -> None:
    texts = {"KM": "6?", "TM": "1:30", "DT": "5/6/95", "BR": "strong", "WR": "x"}
    for result in ("+3", "B+3.5 or W+2", "White timeout", "3R"):
        info = game("".join(f"{key}[{text}]" for key, text in texts.items()) + f"RE[{result}]").info
        assert (info.komi, info.time, info.dates, info.black.rank, info.result) == (None,) * 5
        assert info.not_understood == texts | {"RE": result}
        assert info.interpretations == {}
        assert info.black.rank_text == "strong" and info.text("RE") == result
    info = game("HA[two][2]PB[a][b]RE[W+]DT[]XX[1]").info
    assert (info.handicap, info.black.name, info.dates) == (None,) * 3
    assert info.not_understood == {"HA": "two\n2", "PB": "a\nb"}
    assert game("KM[6.5]", 11).info.not_understood == {"KM": "6.5"}


#: A property, an attribute, its value, and whether it is certain: `fix` writes the same.
INFORMAL = [
    ("KM[6,5]", "komi", 6.5, True),
    ("KM[750]", "komi", 7.5, False),
    ("KM[黑贴3又3/4子]", "komi", 7.5, False),
    ("HA[2子]", "handicap", 2, True),
    ("HA[让先]", "handicap", 0, False),
    ("TM[1h30]", "time", 5400, True),
    ("TM[30:00]", "time", 1800, False),
    ("TM[90 min + 5x30s]", "overtime", "5x30s", True),
    ("RE[黑中盘胜]", "result", Result(Color.BLACK, None, Reason.RESIGNATION), True),
    ("RE[白胜2又3/4子]", "result", Result(Color.WHITE, 5.5), False),
    ("RE[jigo]", "result", Result(reason=Reason.DRAW), True),
    ("DT[平成8年5月6日]", "dates", (PartialDate(1996, 5, 6),), True),
    ("DT[c. 1800]", "dates", (PartialDate(1800),), True),
    ("DT[1996-02-30]", "dates", (PartialDate(1996, 2),), True),
    ("RU[jp]", "rules", "Japanese", True),
]


@for_each(INFORMAL)
def test_values_of_people_are_read_as_they_are_fixed(
    written: str, name: str, value: object, certain: bool
) -> None:
    info = game(written).info
    assert getattr(info, name) == value
    ident = "OT" if name == "overtime" else written[:2]
    meant = info.interpretations[ident]
    assert (meant.certain, info.not_understood) == (certain, {})
    fixed = loads(fix(dumps(info.tree), unsafe=True).data)[0].info
    assert getattr(fixed, name) in (value, value or None)
    assert meant.complete or f"{ident}: {info.text(ident)}" in (fixed.comment or "")


@for_each(
    [
        ("9段", Rank(9, "d"), False),
        ("P9段", Rank(9, "p"), True),
        ("5급", Rank(5, "k"), True),
        ("3 Dan?", Rank(3, "d", "?"), True),
        ("業余六段", None, None),
        ("业余六段", Rank(6, "d"), True),
    ]
)
def test_ranks_of_people(written: str, rank: Rank | None, certain: bool | None) -> None:
    info = game(f"WR[{written}]").info
    assert (info.white.rank, info.white.rank_text) == (rank, written)
    meant = info.interpretations.get("WR")
    assert (meant.certain if meant else None) == certain


def test_a_game_and_a_size_in_words() -> None:
    [tree] = loads("(;FF[4]GM[Hex]SZ[l3];B[a1])")
    assert (tree.game, tree.size, str(tree.root.children[0]["B"])) == (11, (13, 13), "a1")
    assert {*tree.info.interpretations} == {"GM", "SZ"}
    assert game("KM[6.5]HA[2]BR[9p]RE[B+R]DT[1996]TM[60]RU[Chinese]").info.interpretations == {}


def test_properties_of_one_game_are_among_the_others() -> None:
    info = game("SU[Standard]IY[true]EV[x]", 9).info
    assert info.others == {"SU": "Standard", "IY": "true"}
    assert game("NP[x]NR[3]", 19).info.others == {"NP": "x", "NR": 3}
    # What is not understood is there as text, whether or not it has an attribute.
    info = game("NP[x]NR[many\\]]", 19).info
    assert info.others == info.not_understood == {"NP": "x", "NR": "many]"}
    assert game("NR[ ]", 19).info.not_understood == {}


def test_which_node_has_the_information() -> None:
    tree = loads("(;FF[4](;B[aa](;PB[x])(;PB[y]))(;PB[z]))")[0]
    assert tree.info.black.name == "x"
    other = tree.root.children[1]
    assert GameInfo(tree, other).black.name == "z"
    tree.info.event = "E"
    assert tree.info.node["EV"] == "E" and "EV" not in tree.root
    assert game().info.node is not None
    # It is that of the main line, and of no other variation.
    [tree] = loads("(;FF[4](;B[aa];W[bb])(;PB[z]EV[E]))")
    assert tree.info.node == tree.root
    assert (tree.info.black.name, tree.info.event) == (None, None)
    tree.info.black.name = "x"
    assert (tree.root["PB"], tree.root.children[1]["PB"]) == ("x", "z")


def test_each_general_property_has_an_attribute() -> None:
    """Those that FF[4] defines for all games, and for Go."""
    expected = {
        entry.ident
        for entry in grammar.properties()
        if entry.type == "game-info" and 4 in entry.file_formats and entry.in_game(1)
    }
    found = {field.ident(owner) for owner, field in game().info._fields()}
    assert found == {ident for ident in expected if not grammar.definitions(ident)[0].private}


@given(mutants() | collections())
def test_reading_never_raises(data: bytes) -> None:
    for tree in loads(data, tolerant=True):
        info = tree.info
        found = [getattr(info, name) for name in dir(GameInfo) if not name.startswith("_")]
        found += [info.black.rank, info.white.name, repr(info), repr(info.black)]
        idents = {entry.ident for entry in info.node.select(type="game-info")}
        idents |= {field.ident(owner) for owner, field in info._fields()}
        assert {*info.not_understood, *info.others} <= idents | {"SZ"}


@for_each(
    [
        ("13", 13, None),
        ("9:8", 9, None),
        ("a", 19, "a"),
        ("", 19, None),
        ("1:2:3", 19, "1:2:3"),
        (" 13 ", 13, None),
        ("9x9", 9, None),
        ("9路", 9, None),
        ("l3", 13, None),
        ("13.", 13, None),
    ]
)
def test_a_size_that_is_none_is_not_understood(size: str, columns: int, text: str | None) -> None:
    (tree,) = loads(f"(;FF[4]GM[1]SZ[{size}])", tolerant=True)
    assert tree.size is not None
    assert tree.size[0] == columns
    assert tree.info.not_understood == ({} if text is None else {"SZ": text})


# --- Writing ----------------------------------------------------------------------------

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=20)
POINTS = st.integers(-1000, 1000).map(lambda number: number / 4)
DAYS = st.dates(min_value=datetime.date(1, 1, 1))
DATES = st.builds(
    lambda day, count: PartialDate(*(day.year, day.month, day.day)[:count]), DAYS, st.integers(1, 3)
)
RESULTS = st.one_of(
    st.sampled_from(["draw", "void", "unknown"]).map(lambda reason: Result(reason=Reason(reason))),
    st.builds(
        lambda color, margin: Result(color, margin, Reason.SCORE),
        st.sampled_from(Color),
        POINTS.map(abs),
    ),
    st.builds(
        lambda color, reason: Result(color, None, Reason(reason)),
        st.sampled_from(Color),
        st.sampled_from(["resignation", "time", "forfeit", "unknown"]),
    ),
)
VALUES = st.fixed_dictionaries(
    {},
    optional={
        "komi": POINTS,
        "time": POINTS.map(abs),
        "handicap": st.integers(2, 99),
        "result": RESULTS,
        "dates": st.lists(DATES, min_size=1, max_size=5, unique=True).map(tuple),
        **dict.fromkeys(
            ["name", "event", "round", "place", "rules", "overtime", "comment", "user"], TEXTS
        ),
    },
)


@given(VALUES, TEXTS, st.builds(Rank, st.integers(0, 30), st.sampled_from("kdp")))
def test_what_is_set_is_written_and_read(values: dict[str, Any], name: str, rank: Rank) -> None:
    collection = loads("(;FF[4]CA[UTF-8];B[aa])")
    info = collection[0].info
    for key, value in values.items():
        setattr(info, key, value)
    info.white.name, info.black.rank = name, rank
    assert validate(dumps(collection)).ok
    for found in (info, loads(dumps(collection))[0].info):
        assert {key: getattr(found, key) for key in values} == values
        assert (found.white.name, found.black.rank) == (name, rank)
    for key in values:
        delattr(info, key)
    info.white.name = info.black.rank = None
    assert dumps(collection) == b"(;FF[4]CA[UTF-8];B[aa])"


def test_forms_in_which_values_are_set() -> None:
    tree = game()
    info = tree.info
    info.dates = [datetime.date(1996, 5, 6), "1996-05-07", PartialDate(1997)]
    assert tree.root["DT"] == "1996-05-06,07,1997"
    info.dates = "1996-05-06,1996-05-07"
    assert tree.root["DT"] == "1996-05-06,07"
    info.dates = datetime.date(2020, 1, 2)
    assert tree.root["DT"] == "2020-01-02"
    info.result = "B+Resign"
    assert tree.root["RE"] == "B+R"
    info.handicap = 0
    assert "HA" not in tree.root
    info.black.rank = "strong"
    assert (info.black.rank, info.black.rank_text) == (None, "strong")
    info.dates = []
    assert "DT" not in tree.root


@for_each(
    [
        ("result", "B+X"),
        ("result", 3),
        ("result", Result(Color.BLACK, 6, Reason.RESIGNATION)),
        ("dates", "May"),
        ("dates", ["1996-13"]),
        ("dates", 1996),
        ("dates", [1996]),
        ("komi", "6.5"),
        ("komi", True),
        ("komi", math.nan),
        ("handicap", 1),
        ("handicap", -2),
        ("handicap", 2.0),
        ("handicap", True),
        ("handicap", "2"),
        ("event", 3),
        ("event", b"x"),
        ("kommi", 3),
    ]
)
def test_wrong_values_change_nothing(name: str, value: object) -> None:
    collection = loads("(;FF[4]CA[UTF-8]KM[0.5]RE[?]DT[1996]HA[2]EV[x])")
    before = dumps(collection)
    with pytest.raises((TypeError, ValueError, AttributeError)) as raised:
        setattr(collection[0].info, name, value)
    assert dumps(collection) == before
    assert "instance" not in str(raised.value)


def test_a_property_of_another_game_is_refused() -> None:
    with pytest.raises(ValueError):
        game("", 11).info.komi = 6.5
