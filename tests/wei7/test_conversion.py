"""SGF to wei7 and back: what is kept, and that the rest is reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import wei7
from sgf_lark.diagnostics import Words
from sgf_lark.fuzz.strategies import collections, grammatical
from sgf_lark.model import property
from sgf_lark.wei7.from_sgf import REASONS
from tests.kit.commands import invoke
from tests.kit.tables import for_each

convert = partial(invoke, "convert")
HEAD = b"FF[4]GM[1]CA[UTF-8]"

#: Comes back as it was, and nothing is lost.
SAME = [
    b"(;SZ[19])",
    b"(;SZ[9:13]GN[a]PC[b]PB[c]BR[1d]PW[d]WR[2k]KM[6.5]RU[Japanese]RE[B+3.5])",
    b"(;SZ[9]RE[W+R];B[ee];W[];B[ii])",
    b"(;SZ[9]RE[0];B[ee]TE[1]C[a \\] \\\\ :\nb]LB[aa:A][ab:?])",
    b"(;SZ[9]AB[aa][bb]AW[cc]N[title]C[text];W[ee])",
    b"(;SZ[9];B[ee](;W[aa];B[bb])(;W[cc](;B[dd])(;B[ff])))",
    b"(;SZ[9](;AB[aa];B[bb])(;AW[aa];B[bb]))",
    b"(;SZ[9];B[ee];C[between];W[ff]N[name];B[gg])",
    b"(;SZ[52];B[ZZ])",
    b"(;SZ[2];B[ab];W[aa];B[ba];W[aa])",
    b"(;SZ[9]PW[\xe4\xb8\xad])",
    b"(;SZ[9]AB[aa][bb][cc]HA[3];W[ee])",
    # Empty texts are kept.
    b"(;SZ[9]GN[]PB[]BR[]N[]C[];B[ee]C[])",
]

#: The information of a document, and why each item is lost that has no place or another one.
INFORMATION: list[tuple[str, dict[str, Any], list[Words]]] = [
    ("DT[2011-09-05]", {"time": "2011-09-05T00:00Z"}, [REASONS["time"]]),
    ("DT[2011-09]", {}, [REASONS["one_day"]]),
    # Quarters count stones under Chinese rules, and are doubled (5.10.9).
    (
        "RU[Chinese]KM[3.75]RE[B+1.75]",
        {
            "rules": {"komi": 7.5, "type": "Chinese", "scoring": "area"},
            "result": {"winner": 1, "margin": 3.5},
        },
        [],
    ),
    ("RE[B+1.75]", {}, [REASONS["margin"]]),
    ("KM[3.75]", {}, [REASONS["komi"]]),
    ("RU[Korean]", {"rules": {"type": "Korean", "scoring": "territory"}}, []),
    ("RE[draw]", {"result": {"winner": None}}, []),
    ("RE[B]", {"result": {"winner": 1}}, [REASONS["how_won"]]),
    ("RE[W+T]", {"result": {"winner": 2}}, [REASONS["how_won"]]),
    ("RE[B+0]", {}, [REASONS["margin"]]),
    ("RE[B+512]", {}, [REASONS["margin"]]),
    ("RE[Void]", {}, [REASONS["no_result"]]),
    ("HA[2]AB[aa][bb]", {}, [REASONS["handicap"]]),
    ("HA[0]", {}, []),
    ("HA[4]", {}, [REASONS["handicap"]]),
]


@for_each(INFORMATION)
def test_information_has_its_place_or_a_reason(
    properties: str, information: dict[str, Any], reasons: list[Words]
) -> None:
    converted = wei7.from_sgf(f"(;SZ[9]{properties};B[ee])".encode())
    assert converted.document.get("info", {}) == information
    assert [item.reason for item in converted.lost] == reasons


def test_setup_is_executed_in_order() -> None:
    converted = wei7.from_sgf(b"(;SZ[9]AB[aa:bb]AE[bb])")
    points = [stone["point"] for stone in converted.document["tree"]["pre"]["stones"]]
    assert points == [{"x": 0, "y": 0}, {"x": 1, "y": 0}, {"x": 0, "y": 1}]
    assert [item.what for item in converted.lost] == ["AE[bb]", "AB[aa:bb]"]


#: What is lost, in the order of the file.
LOST = [
    (b"(;SZ[9]AP[x]ST[1];B[ee]BL[9])", ["AP", "ST", "BL"]),
    (b"(;SZ[9]KM[-3]RE[B+T]RU[AGA]DT[1994]HA[2])", ["KM", "RU", "RE", "DT", "HA"]),
    (b"(;SZ[9]KM[10])", ["KM"]),
    (b"(;SZ[9]GN[" + b"x" * 129 + b"])", ["GN"]),
    (b"(;SZ[9];B[ee]TE[2];W[ff]DO[])", ["TE", "DO"]),
    (b"(;SZ[9];B[ee]LB[aa:long][ab:1]SQ[cc])", ["LB", "SQ"]),
    (b"(;SZ[9];B[ee];AB[aa];W[bb])", ["AB", ";"]),
    (b"(;SZ[9];B[ee];W[]AE[aa]C[x];W[bb])", ["AE", "W", "C", ";"]),
    (b"(;SZ[9];B[ee];W[ee];B[aa])", ["W", ";"]),
    (b"(;SZ[9]AB[aa]AW[ab][ba];B[ee])", ["AB", "AW", ";"]),
    (b"(;SZ[9]AE[aa];B[ee])", ["AE"]),
    (b"(;SZ[2]AB[aa][cc])", ["AB"]),
    (b"(;SZ[2]AB[aa][ca];W[bb])", ["AB"]),
    (b"(;SZ[2];B[aa]AB[aa][cc])", ["AB", "B"]),
    (b"(;SZ[9]AB[aa]AW[aa])", ["AB"]),
    # A node all of whose properties are lost makes no branch.
    (b"(;SZ[9];B[ee];LB[aa:long];W[ff])", ["LB", ";"]),
    (b"(;SZ[9];B[ee](;W[ff])(;CR[aa]))", ["CR", ";"]),
    (b"(;SZ[9];B[ee];;W[ff])", [";"]),
    (b"(;SZ[9];B[ee]PB[x])", ["PB"]),
    (b"(;SZ[9];B[zz])", ["B"]),
    (b"(;SZ[9];B[ee])(;SZ[9];B[ee])", [";"]),
]


@pytest.mark.parametrize("data", SAME)
def test_what_fits_comes_back(data: bytes) -> None:
    converted = wei7.from_sgf(data.replace(b";", b";" + HEAD, 1))
    assert converted.lost == ()
    text = wei7.dumps(converted.document)
    assert wei7.validate(text).diagnostics == []
    back = wei7.to_sgf(text)
    assert back.lost == ()
    assert values(back.data) == values(data.replace(b";", b";" + HEAD, 1))


def values(data: bytes) -> list[list[tuple[str, str]]]:
    """Of each node, in order, the properties in alphabetical order."""
    (game,) = sgf_lark.loads(data)
    return [sorted((ident, str(value)) for ident, value in node.items()) for node in game.nodes()]


@pytest.mark.parametrize(("data", "idents"), LOST)
def test_lost_properties_are_reported(data: bytes, idents: list[str]) -> None:
    converted = wei7.from_sgf(data)
    assert [item.ident for item in converted.lost] == idents
    assert all(item.reason.en and item.reason.zh for item in converted.lost)
    assert wei7.validate(wei7.dumps(converted.document)).diagnostics == []


def test_the_place_of_what_is_lost() -> None:
    (item,) = wei7.from_sgf(b"(;SZ[9]\n;B[ee]CR[aa])").lost
    assert item.span is not None
    assert (item.what, item.node, item.span.line, item.span.column) == ("CR[aa]", 1, 2, 7)


def test_repeated_setup_is_one() -> None:
    converted = wei7.from_sgf(b"(;SZ[9]AB[aa]AB[cc]HA[2];W[ee])")
    assert converted.lost == ()
    assert len(converted.document["tree"]["pre"]["stones"]) == 2


def test_another_game_is_refused() -> None:
    with pytest.raises(ValueError, match=r"GM\[11\]"):
        wei7.from_sgf(b"(;FF[4]GM[11])")


def unreported(game: sgf_lark.GameTree, lost: Iterable[wei7.Lost]) -> Counter[tuple[str, str]]:
    """The properties of a game that are not among the lost items, with their values."""
    idents = {(item.node, item.ident) for item in lost}
    found: Counter[tuple[str, str]] = Counter()
    for node in game.nodes():
        for ident, value in node.items():
            if idents.isdisjoint({(node.number, ident), (node.number, ";")}):
                shown = sorted({*map(str, value)}) if isinstance(value, list) else value
                found[ident, str(shown)] += 1
    return found


#: Properties that follow from the format or from others.
IMPLIED = {"FF", "GM", "CA", "SZ", "HA"}
#: Other ways to write the value.
SAME_VALUE = {("RE", "0"), ("RE", "Draw"), ("RE", "draw")}

#: Properties that meet on a small board, with values beside it and values that wei7 cannot hold.
MEETING = (
    "B[aa] B[ba] B[] B[cc] W[ab] W[bb] W[cc] AB[aa][cc] AB[aa:bb] AB[bb] AW[ab] AW[bb] AE[aa] "
    "AE[cc] LB[aa:A] LB[aa:long] LB[cc:A] C[x] C[] N[n] N[] TE[1] BM[2] CR[aa] PB[x] KM[6.5] "
    "HA[2] RE[B+R] DT[20110905]"
)
_nodes = st.lists(
    st.sampled_from(MEETING.split()), max_size=3, unique_by=lambda text: text.partition("[")[0]
)
_sequences = st.lists(_nodes.map("".join).map(";{}".format), min_size=1, max_size=3).map("".join)
_trees = st.recursive(
    _sequences,
    lambda trees: st.builds(
        "{}{}".format, _sequences, st.lists(trees.map("({})".format), max_size=3).map("".join)
    ),
    max_leaves=8,
)
small_games = st.builds(
    lambda size, tree: f"(;FF[4]CA[UTF-8]SZ[{size}]{tree[1:]})".encode(), st.integers(2, 3), _trees
)


@given(small_games | grammatical(game=1, size=st.integers(2, 4)) | collections())
def test_nothing_is_lost_in_silence(data: bytes) -> None:
    try:
        game = sgf_lark.loads(data)[0]
        converted = wei7.from_sgf(game)
    except ValueError:
        return
    text = wei7.dumps(converted.document)
    assert wei7.validate(text).ok
    back = wei7.to_sgf(text)
    missing = unreported(game, converted.lost) - unreported(sgf_lark.loads(back.data)[0], ())
    assert {key for key in missing if key[0] not in IMPLIED} <= SAME_VALUE
    again = wei7.from_sgf(back.data)
    # An empty branch becomes an empty node, and that one an empty branch.
    unkept = {item.reason for item in again.lost} - {REASONS["time"], REASONS["empty"]}
    assert again.document == converted.document or back.lost or unkept


def document(tree: object, **more: object) -> dict[str, Any]:
    return {"format": "wei7", "version": "3.0", "size": 9, **more, "tree": tree}


def move(color: int, x: int, **more: object) -> dict[str, Any]:
    return {**action("move", {"color": color, "point": {"x": x, "y": 0}}), **more}


def action(kind: str, value: object) -> dict[str, Any]:
    return {"action": {"type": kind, "value": value}}


def of_players(participants: list[dict[str, str]], *players: tuple[int, int]) -> dict[str, Any]:
    """A document with these participants, and the player and the color of each place."""
    places = [{"participant": number, "color": color} for number, color in players]
    return document({}, info={"participants": participants, "players": places})


MARK = {"point": {"x": 1, "y": 1}, "symbol": "a"}

TO_SGF: list[tuple[dict[str, Any], bytes, list[str]]] = [
    (document({}), b"SZ[9]", []),
    (document({"steps": [move(1, 0, time=3)]}), b"SZ[9];B[aa]", ["/tree/steps/0/time"]),
    (
        document({"steps": [move(1, 0), move(2, 1), action("takeback", 1), move(2, 2)]}),
        b"SZ[9];B[aa](;W[ca])(;W[ba])",
        ["/tree/steps/2/action"],
    ),
    (
        document({"steps": [move(1, 0), {**action("message", "x"), "comment": "y"}]}),
        b"SZ[9];B[aa]C[y]",
        ["/tree/steps/1/action"],
    ),
    (
        document({"pre": {"marks": [MARK, {**MARK, "symbol": "b"}], "problem": {"color": 2}}}),
        b"SZ[9]PL[W]LB[bb:a]",
        ["/tree/pre/problem", "/tree/pre/marks/1"],
    ),
    (document({"title": "a\nb\0"}), b"SZ[9]N[a b ]", ["/tree/title"]),
    (document({"branches": [{}]}), b"SZ[9];", []),
    (document({"pre": {"comment": "a\tb"}}), b"SZ[9]C[a b]", ["/tree/pre/comment"]),
    (document({"pre": {"comment": "a\r\nb"}}), b"SZ[9]C[a\nb]", ["/tree/pre/comment"]),
    (document({}, info={"time": "1994-03-12T00:00Z"}), b"SZ[9]DT[1994-03-12]", ["/info/time"]),
    (of_players([{}], (0, 1)), b"SZ[9]", ["/info/participants/0"]),
    (of_players([{"name": "a"}], (0, 1), (0, 2)), b"SZ[9]PB[a]PW[a]", ["/info/participants/0"]),
    (
        document({}, info={"time": "1994-03-12T10:30Z", "id": "d", "rules": {"scoring": "area"}}),
        b"SZ[9]DT[1994-03-12]",
        ["/info/id", "/info/rules/scoring", "/info/time"],
    ),
    (
        of_players(
            [*({"name": name} for name in "abc"), {"title": "judge"}], (0, 1), (1, 1), (2, 2)
        ),
        b"SZ[9]PB[a, b]PW[c]",
        ["/info/participants/3", "/info/participants/0", "/info/participants/1"],
    ),
]


@pytest.mark.parametrize(("given_document", "expected", "pointers"), TO_SGF)
def test_to_sgf(given_document: dict[str, Any], expected: bytes, pointers: list[str]) -> None:
    written = wei7.to_sgf(given_document)
    assert written.data == b"(;" + HEAD + expected + b")"
    assert [item.pointer for item in written.lost] == pointers


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[", "WEI001"),
        (b'{"format": "wei7"}', "WEI"),
        (wei7.dumps({"format": "wei7", "version": "3.0", "size": 53, "tree": {}}), "52"),
    ],
)
def test_what_sgf_cannot_be_made_of_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        wei7.to_sgf(data)


def test_depth_is_no_matter() -> None:
    start = b"(;SZ[9]" + b"(;C[x](;C[y]))" * 2
    converted = wei7.from_sgf(start + b"(;C[z]" * 200 + b")" * 201)
    assert converted.lost == ()
    text = wei7.dumps(converted.document)
    assert wei7.validate(text).diagnostics == []
    assert wei7.to_sgf(text).data.count(b"C[z]") == 200
    deeper = wei7.from_sgf(start + b"(;C[z]" * 50_000 + b")" * 50_001)
    with pytest.raises(ValueError, match="nested too deeply"):
        wei7.dumps(deeper.document)


def test_convert(tmp_path: Path) -> None:
    source, target, back = tmp_path / "a.sgf", tmp_path / "b.wei7", tmp_path / "c.sgf"
    source.write_bytes(b"(;" + HEAD + b"SZ[9]\n;B[ee]CR[aa])")

    there = convert(source, "-o", target)
    assert there.exit_code == 1
    assert there.stderr == f"{source}:2:7: lost CR[aa]: wei7 has no place for it\n"
    assert convert(target, "-o", back).exit_code == 0
    assert back.read_bytes() == b"(;" + HEAD + b"SZ[9];B[ee])"
    again = convert(target, "--format", "wei7")
    assert (again.exit_code, again.stdout_bytes) == (0, target.read_bytes())


def test_convert_refuses_what_breaks_a_rule(tmp_path: Path) -> None:
    source = tmp_path / "a.wei7"
    source.write_text('{"format": "wei7", "version": "3.0",\n "tree": {"title": "x", "y": 1}}')

    for options in [], ["--tolerant"], ["--format", "wei7"]:
        refused = convert(source, *options)
        assert (refused.exit_code, refused.stdout) == (1, "")
        assert "line 2, column 25: WEI102" in refused.stderr
    # So is what no SGF can hold, and what is not JSON.
    for text in (
        '{"format": "wei7", "version": "3.0", "size": 60, "tree": {}}',
        '{"format": "wei7", "version": "3.0", "tree": {},}',
    ):
        source.write_text(text)
        result = convert(source, "--tolerant")
        assert (result.exit_code, result.stdout) == (1, "")


def test_points_of_a_file_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten bytes in each of many nodes stand for a whole board."""
    monkeypatch.setattr(property, "_USUAL_POINTS", 10_000)
    with pytest.raises(ValueError, match="more than 10,000 points"):
        wei7.from_sgf(b"(;FF[4]GM[1]SZ[52]" + b"(;AB[aa:ZZ])" * 4 + b")")
