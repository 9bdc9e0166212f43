"""Random edits, made in a game tree and in plain lists: both are the same after each edit."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import sgf_lark
from sgf_lark import GameTree, Node
from tests.kit.readers import Properties, read_classically


@dataclass(eq=False)
class Plain:
    """A node as lists: its properties as written, and its children."""

    properties: Properties = field(default_factory=list)
    children: list[Plain] = field(default_factory=list)
    parent: Plain | None = None

    def nodes(self) -> Iterator[Plain]:
        yield self
        for child in self.children:
            yield from child.nodes()

    def insert(self, child: Plain, index: int | None) -> None:
        self.children.insert(len(self.children) if index is None else index, child)
        child.parent = self

    def unlink(self) -> None:
        if self.parent is not None:
            self.parent.children.remove(self)
            self.parent = None

    def path(self) -> list[Plain]:
        return [*(self.parent.path() if self.parent is not None else []), self]

    def main_line(self) -> list[Plain]:
        return [self, *(self.children[0].main_line() if self.children else [])]

    def copy(self) -> Plain:
        found = Plain([(ident, [*raws]) for ident, raws in self.properties])
        for child in self.children:
            found.insert(child.copy(), None)
        return found


def plain_game(data: bytes) -> Plain:
    """The first game in the data, by a small reader."""
    (game, *_) = read_classically(data) or []
    nodes = [Plain([*each.properties]) for each in game.nodes]
    for node, each in zip(nodes, game.nodes, strict=True):
        if each.parent >= 0:
            nodes[each.parent].insert(node, None)
    return nodes[0]


PICKS = st.integers(0, 999)
INDICES = st.none() | st.integers(-3, 4)
IDENTS = st.sampled_from(["C", "N", "AB", "XX"])
RAWS = st.lists(st.sampled_from([b"aa", b"bb:cc", b"", b"x\\]"]), min_size=1, max_size=2)
SPACE = st.sampled_from(["", "", " ", "\n"])
NODES = st.builds(
    "{}".format,
    st.lists(
        st.sampled_from([";", "C[x]", "N[a\nb]", "AB[aa][bb:cc]", "XX[y]", "W[]"]).flatmap(
            lambda part: SPACE.map(part.__add__)
        ),
        max_size=6,
    ).map(lambda parts: ";" + "".join(parts)),
)
TREES = st.recursive(
    NODES, lambda below: st.builds("{}({})({})".format, NODES, below, below), max_leaves=5
)


class Lists(RuleBasedStateMachine):
    """Two games; the nodes of the model and those in lists, pair by pair."""

    @initialize(texts=st.tuples(TREES, TREES))
    def start(self, texts: tuple[str, str]) -> None:
        data = [f"(;FF[4]{text})".encode() for text in texts]
        self.games = [sgf_lark.loads(each)[0] for each in data]
        self.roots = [plain_game(each) for each in data]
        self.loose: list[tuple[Node, Plain]] = []

    def pairs(self) -> list[tuple[Node, Plain]]:
        tops = [(game.root, root) for game, root in zip(self.games, self.roots, strict=True)]
        return [
            pair
            for top, plain in [*tops, *self.loose]
            for pair in zip(top.nodes(), plain.nodes(), strict=True)
        ]

    def tops(self) -> list[Node]:
        return [game.root for game in self.games]

    def pick(self, number: int) -> tuple[Node, Plain]:
        found = self.pairs()
        return found[number % len(found)]

    @rule(pick=PICKS, ident=IDENTS, raws=RAWS)
    def set_raw(self, pick: int, ident: str, raws: list[bytes]) -> None:
        """Of a repeated identifier, the first stays; an unknown property is new."""
        node, plain = self.pick(pick)
        if ident == "XX":
            node[ident] = raws
            places = [i for i, each in enumerate(plain.properties) if each[0] == ident]
            for place in places[:0:-1]:
                del plain.properties[place]
            if places:
                plain.properties[places[0]] = ident, raws
            else:
                plain.properties.append((ident, raws))
        elif ident in node:
            entries = node.select(ident)
            number = pick % len(entries)
            entry = entries[number]
            entry.raw = raws
            places = [i for i, each in enumerate(plain.properties) if each[0] == ident]
            plain.properties[places[number]] = ident, raws
            assert entry.raw == raws and entry.number is None

    @rule(pick=PICKS, ident=IDENTS)
    def delete(self, pick: int, ident: str) -> None:
        node, plain = self.pick(pick)
        if ident not in node:
            with pytest.raises(KeyError, match=ident):
                del node[ident]
            return
        del node[ident]
        plain.properties = [each for each in plain.properties if each[0] != ident]

    @rule(pick=PICKS, raws=RAWS, index=INDICES)
    def add_child(self, pick: int, raws: list[bytes], index: int | None) -> None:
        node, plain = self.pick(pick)
        child = node.add_child({"XX": raws}, index=index, C="x")
        assert child.number not in {each.number for each in child.path()[:-1]}
        plain.insert(Plain([("XX", raws), ("C", [b"x"])]), index)

    @rule(pick=PICKS)
    def detach(self, pick: int) -> None:
        node, plain = self.pick(pick)
        if node in self.tops():
            with pytest.raises(ValueError, match="root"):
                node.detach()
            return
        is_loose = plain.parent is None
        assert node.detach() is node and node.tree.root is node
        plain.unlink()
        if not is_loose:
            self.loose.append((node, plain))

    @rule(pick=PICKS, place=PICKS, index=INDICES)
    def move(self, pick: int, place: int, index: int | None) -> None:
        (node, plain), (parent, above) = self.pick(pick), self.pick(place)
        if node in self.tops() or plain in above.path():
            with pytest.raises(ValueError, match="moved"):
                node.move_to(parent, index)
            return
        assert node.move_to(parent, index) is node
        plain.unlink()
        above.insert(plain, index)
        self.loose = [each for each in self.loose if each[0] is not node]

    @rule(pick=PICKS)
    def copy_node(self, pick: int) -> None:
        node, plain = self.pick(pick)
        found, copied = node.copy(), plain.copy()
        if node in self.tops():
            copied.properties = [each for each in copied.properties if each[0] != "FF"]
        else:
            assert found.equals(node)
        assert found.tree is not node.tree and found.parent is None
        self.loose.append((found, copied))

    @rule(pick=PICKS, by=st.integers(1, 3))
    def order(self, pick: int, by: int) -> None:
        node, plain = self.pick(pick)
        children = node.children
        place = by % len(children) if children else 0
        for child in children[:place]:
            child.move_to(node)
        plain.children = [*plain.children[place:], *plain.children[:place]]

    @rule(number=st.integers(0, 1), pickled=st.booleans())
    def replace_by_copy(self, number: int, pickled: bool) -> None:
        game = self.games[number]
        again = pickle.loads(pickle.dumps(game)) if pickled else copy.deepcopy(game)
        assert again.edited == game.edited
        self.games[number] = again

    @rule(pick=PICKS)
    def pickle_node(self, pick: int) -> None:
        """It is the node at the same place in its tree."""
        node, plain = self.pick(pick)
        tree, again = pickle.loads(pickle.dumps((node.tree, node)))
        assert again.tree is tree
        top = plain.path()[0]
        place = [*top.nodes()].index(plain)
        assert [*tree.nodes()][place] is again and again.equals(node)

    @invariant()
    def both_are_the_same(self) -> None:
        if not hasattr(self, "games"):
            return
        partner = {plain: node for node, plain in self.pairs()}
        for plain, node in partner.items():
            assert [(each.ident, each.raw) for each in node.properties] == plain.properties
            assert [*node] == [*dict.fromkeys(ident for ident, _ in plain.properties)]
            assert node.children == tuple(partner[each] for each in plain.children)
            assert node.parent is (None if plain.parent is None else partner[plain.parent])
            path = plain.path()
            assert node.path() == [partner[each] for each in path]
            assert node.depth == len(path) - 1 and node.tree.root is partner[path[0]]
            assert [*node.main_line()] == [partner[each] for each in plain.main_line()]

    @invariant()
    def what_is_written_has_the_lists(self) -> None:
        for game, root in zip(getattr(self, "games", []), getattr(self, "roots", []), strict=True):
            self.compare(game, root)

    def compare(self, game: GameTree, root: Plain) -> None:
        assert [*game.nodes()] == [*game.root.nodes()]
        written = plain_game(sgf_lark.dumps(game))
        pairs = [*zip(written.nodes(), root.nodes(), strict=True)]
        assert [one.properties for one, _ in pairs] == [two.properties for _, two in pairs]
        assert [len(one.children) for one, _ in pairs] == [len(two.children) for _, two in pairs]


TestLists = Lists.TestCase
TestLists.settings = settings(stateful_step_count=15)
