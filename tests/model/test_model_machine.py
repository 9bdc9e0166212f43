"""Random edits through the public interface: what is written is grammatical and the same model.

Whatever is done to collections, games and nodes,

- ``dumps`` gives a file that the strict parser reads as the same model;
- a call that raises has changed nothing;
- nodes that nothing was done to keep their bytes, in their order;
- each node is its parent's child, and in the tree that it is reached from.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import sgf_lark
from sgf_lark import Collection, GameTree, Move, Node, Point
from sgf_lark.fuzz.strategies import collections

CHARSETS = ["UTF-8", "GBK", "Shift_JIS", "ISO-8859-1"]
PICKS = st.integers(0, 999)
INDICES = st.none() | st.integers(-3, 4)
TEXTS = st.text(st.sampled_from("ab]\\: \n\té棋能ソ表😀"), max_size=6)
POINTS = st.builds(Point, st.integers(0, 12), st.integers(0, 12))
VALUES: list[tuple[str, st.SearchStrategy[Any]]] = [
    ("C", TEXTS),
    ("N", TEXTS),
    ("PB", TEXTS),
    ("LB", st.lists(st.tuples(POINTS, TEXTS), max_size=2)),
    ("AB", st.lists(POINTS, max_size=3)),
    ("AW", st.sampled_from([["aa"], ["aa:cc"], ["bb", "ca:ab"], ["zz"], "aa", 7])),
    ("B", st.one_of(POINTS, st.builds(Move, POINTS), st.sampled_from(["ab", "", "tt", None, 3]))),
    ("KM", st.floats() | st.integers()),
    ("MN", st.integers(0, 300)),
    ("XX", st.lists(st.sampled_from([b"x", b"\\]", b"]", b"\xff", "é".encode(), b"\\"]))),
    ("x", st.just("no identifier")),
]
PROPERTIES = st.sampled_from(VALUES).flatmap(lambda each: st.tuples(st.just(each[0]), each[1]))


class Edits(RuleBasedStateMachine):
    @initialize(
        data=st.sampled_from(CHARSETS[:3]).flatmap(lambda name: collections(game=1, charset=name)),
        other=st.sampled_from(["UTF-16", "UTF-8 with a mark", *CHARSETS]),
        old=st.booleans(),
    )
    def start(self, data: bytes, other: str, old: bool) -> None:
        texts = {"UTF-16": "é棋", "ISO-8859-1": "é"}.get(other, "表")
        ff, game = (3 if old else 4), sgf_lark.new_game(9, C=texts, AB=["aa"])
        game.root["FF"] = ff
        game.root.add_child(B="").add_child(W="ab", C=texts)
        name, _, is_marked = other.partition(" ")
        mark = b"\xef\xbb\xbf" if is_marked else b""
        self.files = [
            sgf_lark.loads(data),
            sgf_lark.loads(mark + sgf_lark.dumps(game, charset=name)),
            Collection([sgf_lark.new_game(13)]),
        ]
        self.loose: list[Node] = []
        self.touched: set[Node] = set()

    def node(self, pick: int) -> Node:
        """Any node, of a game or detached."""
        nodes = [node for file in self.files for game in file for node in game.nodes()]
        nodes += [node for top in self.loose for node in top.nodes()]
        return nodes[pick % len(nodes)]

    def state(self) -> list[Any]:
        written = [sgf_lark.dumps(file) if len(file) else b"" for file in self.files]
        return [*written, *(repr(list(top.nodes())) for top in self.loose)]

    def attempt(self, edit: Callable[[], Any], *touched: Node) -> Any:
        """Do it; if it raises, check that nothing has changed."""
        before = self.state()
        self.touched.update(touched)
        contexts = {game: game.parsed.context for file in self.files for game in file}
        try:
            return edit()
        except (TypeError, ValueError) as error:
            assert self.state() == before, error
            assert str(error)
            return None
        finally:
            for game, context in contexts.items():
                if game.parsed.context != context:
                    self.touched.update(game.nodes())

    @rule(pick=PICKS, entry=PROPERTIES)
    def set_value(self, pick: int, entry: tuple[str, Any]) -> None:
        node = self.node(pick)
        self.attempt(lambda: node.__setitem__(*entry), node, node.tree.root)

    @rule(
        pick=PICKS, raw=st.lists(st.sampled_from([b"aa", b"", b"a]", b"\\", b"\xe9"]), max_size=2)
    )
    def set_raw(self, pick: int, raw: list[bytes]) -> None:
        node = self.node(pick)
        if len(node):
            ident = list(node)[pick % len(node)]
            if ident not in ("FF", "GM", "CA", "SZ"):
                entry = node.property(ident)
                self.attempt(lambda: setattr(entry, "raw", raw), node)
                assert entry in node.properties

    @rule(pick=PICKS, ident=st.sampled_from(["CA", "SZ", "FF"]), choice=PICKS)
    def set_root(self, pick: int, ident: str, choice: int) -> None:
        choices: dict[str, list[Any]] = {
            "CA": [*CHARSETS],
            "SZ": [9, (9, 9), (13, 19), 19],
            "FF": [3, 4],
        }
        value = choices[ident][choice % len(choices[ident])]
        node = self.node(pick).tree.root
        self.attempt(lambda: node.__setitem__(ident, value), node)

    @rule(pick=PICKS)
    def delete(self, pick: int) -> None:
        node = self.node(pick)
        idents = [ident for ident in node if ident not in ("GM", "FF", "CA", "SZ")]
        if idents:
            self.attempt(lambda: node.__delitem__(idents[pick % len(idents)]), node)
            assert idents[pick % len(idents)] not in node

    @rule(pick=PICKS, entries=st.lists(PROPERTIES, max_size=3), index=INDICES)
    def add_child(self, pick: int, entries: list[tuple[str, Any]], index: int | None) -> None:
        node = self.node(pick)
        expected = [*node.children]
        child = self.attempt(lambda: node.add_child(dict(entries), index=index), node.tree.root)
        if child is not None:
            expected.insert(len(expected) if index is None else index, child)
            assert [*child] == [*dict.fromkeys(ident for ident, _ in entries)]
        assert [*node.children] == expected

    @rule(
        pick=PICKS, move=POINTS | st.sampled_from([None, "cc", "zz"]), color=st.sampled_from("BW")
    )
    def play(self, pick: int, move: Any, color: str) -> None:
        node = self.node(pick)
        child = self.attempt(lambda: node.play(move, color=color))
        if child is not None:
            assert child.color == color and node.play(move, color=color) is child

    @rule(pick=PICKS)
    def detach(self, pick: int) -> None:
        node = self.node(pick)
        if self.attempt(node.detach) is not None and node not in self.loose:
            self.loose.append(node)

    @rule(pick=PICKS)
    def copy(self, pick: int) -> None:
        node = self.node(pick)
        copied = node.copy()
        assert node is node.tree.root or copied.equals(node)
        self.loose.append(copied)

    @rule(pick=PICKS, place=PICKS, index=INDICES)
    def move(self, pick: int, place: int, index: int | None) -> None:
        node, parent = self.node(pick), self.node(place)
        expected = [child for child in parent.children if child is not node]
        if self.attempt(lambda: node.move_to(parent, index), parent.tree.root) is not None:
            expected.insert(len(expected) if index is None else index, node)
            assert [*parent.children] == expected
            self.loose = [top for top in self.loose if top is not node]

    @rule(pick=PICKS)
    def reorder(self, pick: int) -> None:
        node = self.node(pick)
        for child in node.children[::-1]:
            child.move_to(node)

    @rule(pick=PICKS, place=PICKS)
    def put_game(self, pick: int, place: int) -> None:
        """A game in several files, or copied, or a new one."""
        file, source = self.files[place % 3], self.files[pick % 3]
        if len(source) and len(file) < 4:
            game = source[pick % len(source)]
            if place % 2:
                game, original = copy.deepcopy(game), game
                self.note_copy(original, game)
            file.insert(place, game)
        else:
            file[:1] = [sgf_lark.new_game(9, charset=CHARSETS[pick % 4])]

    @rule(pick=PICKS)
    def remove_game(self, pick: int) -> None:
        file = self.files[pick % 3]
        if len(file) > 1:
            del file[pick % len(file)]

    @rule(pick=PICKS)
    def replace_by_copy(self, pick: int) -> None:
        number = pick % 3
        file = self.files[number]
        again = pickle.loads(pickle.dumps(file)) if pick % 2 else copy.deepcopy(file)
        assert again.equals(file)
        if len(file):
            assert sgf_lark.dumps(again) == sgf_lark.dumps(file)
        for original, game in zip(file, again, strict=True):
            self.note_copy(original, game)
        self.files[number] = again

    def note_copy(self, game: GameTree, copied: GameTree) -> None:
        pairs = zip(game.nodes(), copied.nodes(), strict=True)
        self.touched.update(new for old, new in pairs if old in self.touched)

    @invariant()
    def what_is_written_is_the_same_model(self) -> None:
        for file in getattr(self, "files", []):
            if len(file):
                again = sgf_lark.loads(sgf_lark.dumps(file))
                assert again.equals(file)

    @invariant()
    def untouched_nodes_keep_their_bytes(self) -> None:
        for file in getattr(self, "files", []):
            for game in file:
                if game.parsed.section.offset_map is not None:
                    continue
                written, place = sgf_lark.dumps(game), 0
                for node in game.nodes():
                    flat = game.parsed.flat
                    if node not in self.touched and node.number < flat.count:
                        data = flat.data[slice(*flat.node_span(node.number))]
                        place = written.index(data, place) + len(data)

    @invariant()
    def nodes_are_where_they_seem_to_be(self) -> None:
        for file in getattr(self, "files", []):
            for game in file:
                for node in game.nodes():
                    assert node.tree is game
                    assert all(child.parent is node for child in node.children)
                    above = [] if node.parent is None else node.parent.path()
                    assert node.path() == [*above, node] and node.depth == len(above)
                    line = [] if not node.children else [*node.children[0].main_line()]
                    assert [*node.main_line()] == [node, *line]
                tree, again = pickle.loads(pickle.dumps((game, node)))
                assert again.tree is tree and again.equals(node)
                assert len(again.path()) == len(node.path())
        for top in getattr(self, "loose", []):
            assert top.parent is None
            assert all(node.tree is top.tree for node in top.nodes())


TestEdits = Edits.TestCase
TestEdits.settings = settings(stateful_step_count=20)
