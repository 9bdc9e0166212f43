"""Code that knows nothing of SGF works on real files: one bad value stops nothing, and what is
assigned is written or refused."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import sgf_lark
from sgf_lark import SGFValueError, grammar
from tests.kit.tables import for_each

#: A root with three values that cannot be read, and a node with one.
DATA = b"(;FF[4]GM[1]AP[x]SZ[9]KM[some]HA[2]VW[z];B[z]C[hello];W[aa]N[n])"


def nodes() -> list[sgf_lark.Node]:
    return [*sgf_lark.loads(DATA)[0].nodes()]


# --- Values that cannot be read -----------------------------------------------------------


def test_one_rule_for_what_cannot_be_read() -> None:
    for node in nodes():
        for ident in node:
            default = object()
            is_invalid = ident in node.invalid
            assert (node.get(ident, default) is default) is is_invalid
            assert (ident in set(node.keys())) is not is_invalid
            assert ident in node
            if is_invalid:
                with pytest.raises(SGFValueError) as raised:
                    node[ident]
                assert str(node.invalid[ident]) == str(raised.value)
            else:
                assert node.get(ident) == node[ident]
        assert dict(node) == dict(node.items())
        assert [*node.values()] == [*dict(node).values()]
        assert len(node) == len(node.items()) + len(node.invalid)


def test_what_can_be_read_of_a_bad_root() -> None:
    root, first, second = nodes()
    assert dict(root) == {"FF": 4, "GM": 1, "SZ": 9, "HA": 2}
    assert root.invalid.keys() == {"AP", "KM", "VW"}
    assert first.get("B") is None and root.get("AP", "none") == "none"
    assert [first.inherited(ident, "none") for ident in ("AP", "KM", "VW", "HA")] == [
        *["none"] * 3, 2,
    ]  # fmt: skip
    info = root.tree.info
    assert info.komi is None and info.handicap == 2 and info.not_understood == {"KM": "some"}
    assert second.invalid == {}


def test_pop_gives_what_get_gives() -> None:
    root, first, _ = nodes()
    assert first.pop("C") == "hello" and "C" not in first and first.pop("C", 1) == 1
    with pytest.raises(KeyError):
        first.pop("C")
    with pytest.raises(SGFValueError):
        root.pop("KM")
    assert root.pop("KM", None) is None
    assert sgf_lark.dumps(root.tree).startswith(b"(;FF[4]GM[1]AP[x]SZ[9]HA[2]VW[z];B[z];W")


def test_nothing_is_lost_where_it_cannot_be_read() -> None:
    root, first, _ = nodes()
    with pytest.raises(SGFValueError):
        root.add_child(first)  # which copies all properties
    first.clear()
    assert not [*first] and len(root.children) == 1


# --- Attributes that do not exist ---------------------------------------------------------


def objects() -> list[Any]:
    """A collection, a game and a node, and the same as copies, pickles and detached nodes."""
    collection = sgf_lark.loads(DATA)
    made = sgf_lark.new_game(9)
    found = [collection, collection[:1], collection[0], collection[0].root.children[0], made]
    found += [made.root.add_child(B="aa"), collection[0].root.children[0].copy()]
    return [
        *found,
        *[copy.copy(each) for each in found],
        *[copy.deepcopy(each) for each in found],
        *[pickle.loads(pickle.dumps(each)) for each in found],
    ]


NAMES = ["comment", "C", "komi", "foo", "PB", "black_player", "players", "sz", "__", "é", "_x"]


@for_each(NAMES)
def test_attribute_is_refused(name: str) -> None:
    for each in objects():
        if name[:1] == "_":
            setattr(each, name, 1)  # private names are nobody's business
            continue
        with pytest.raises(AttributeError, match=f"has no attribute {name!r} to set"):
            setattr(each, name, 1)
        assert not hasattr(each, name)


@pytest.mark.parametrize(
    ("place", "name", "meant"),
    [
        (2, "comment", 'node["C"] = …'),
        (2, "C", 'node["C"] = …'),
        (2, "black_rank", 'node["BR"] = …'),
        (1, "komi", "game.info.komi = …"),
        (1, "black", "game.info.black = …"),
        (1, "SZ", 'game.root["SZ"] = …'),
        (0, "komi", "collection[0].info.komi = …"),
        (0, "foo", ""),
    ],
)
def test_message_names_what_is_meant(place: int, name: str, meant: str) -> None:
    game = sgf_lark.loads(DATA)[0]
    owner: Any = [sgf_lark.Collection([game]), game, game.root][place]
    with pytest.raises(AttributeError) as raised:
        setattr(owner, name, 1)
    message = str(raised.value)
    assert message.endswith(f"; write {meant}" if meant else f"attribute {name!r} to set")
    assert raised.value.name == name and raised.value.obj is owner


def test_all_properties_are_known_by_their_identifiers() -> None:
    root = sgf_lark.new_game().root
    for definition in grammar.properties():
        with pytest.raises(AttributeError, match=rf'write node\["{definition.ident}"\]'):
            setattr(root, definition.ident, 1)


# --- Moves as people write them -----------------------------------------------------------


def test_moves_of_the_go_text_protocol() -> None:
    node = sgf_lark.new_game(9).root.play(gtp="e5").play(gtp="PASS").play(gtp="A9", color="W")
    moves = [each.move for each in node.path() if each.move]
    assert [str(move) for move in moves] == ["ee", "", "aa"]
    assert [move.gtp(9) for move in moves] == ["E5", "pass", "A9"]
    assert [sgf_lark.Move.from_gtp(move.gtp(9), 9) for move in moves] == moves
    assert node.color == "W"


@pytest.mark.parametrize(
    ("game", "arguments", "options", "error", "message"),
    [
        (1, ["Q16"], {}, ValueError, r"play\(gtp='Q16'\)"),
        (1, ["pass"], {}, ValueError, r"play\(gtp='pass'\)"),
        (1, [], {}, TypeError, 'takes a move, such as "pd", or gtp'),
        (1, ["aa"], {"gtp": "A1"}, TypeError, 'takes a move, such as "pd", or gtp'),
        (1, [], {"gtp": "T20"}, ValueError, "not a point of the board"),
        (11, [], {"gtp": "A1"}, ValueError, "gtp names moves of Go, not of Hex"),
        (4, [None], {}, ValueError, "SGF has no pass in"),
    ],
)
def test_move_is_refused(
    game: int, arguments: list[Any], options: dict[str, Any], error: type, message: str
) -> None:
    root = sgf_lark.loads(b"(;FF[4]GM[%d])" % game)[0].root
    with pytest.raises(error, match=message):
        root.play(*arguments, **options)
    assert not root.children


# --- Rounds -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "number", "kind"),
    [
        ("2", 2, None),
        ("03 (final)", 3, "final"),
        ("1 (決勝)", 1, "決勝"),
        ("final", None, None),
        ("2(final)", None, None),
        ("", None, None),
        ("9" * 5000, None, None),
    ],
)
def test_round(text: str, number: int | None, kind: str | None) -> None:
    game = sgf_lark.new_game()
    game.info.round = text
    found = game.info.round
    assert found is not None and found == text
    assert (found.number, found.kind) == (number, kind)


def test_attributes_that_follow_from_properties_name_them() -> None:
    game = sgf_lark.new_game(9)
    for thing in (game, game.root):
        for name, ident in type(thing)._comes_from.items():
            with pytest.raises(AttributeError, match=rf'{name}.* cannot be set.*"{ident}"'):
                setattr(thing, name, "x")
