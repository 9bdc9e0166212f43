"""Rules about style (9xx): advice of the user guide, and what other programs refuse."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sgf_lark.rules.fixes import Correction, Edit, Site, correction
from sgf_lark.rules.registry import Finding, PathRule, rule, uniques
from sgf_lark.validation.trees import TreeView
from sgf_lark.validation.views import NodeView, PropertyView, ValueView

#: What adds a stone, and what would play it.
_AS_MOVE = {"AB": "B", "AW": "W"}


@rule("SGF901", "path", when="single")
def setup_instead_of_move(tree: TreeView) -> PathRule:
    """Nodes in a row that each add one stone, in turns: a game in disguise."""
    single: dict[int, PropertyView] = {}
    reported: set[int] = set()

    def visit(node: NodeView, board: object) -> Iterator[Finding]:
        entry = None if node.is_root else _single_stone(node)
        if entry is None:
            return
        single[node.number] = entry
        above = single.get(tree.flat.parent[node.number])
        if above is None or above.ident == entry.ident:
            return
        for found in (above, entry):
            if found.node not in reported:
                reported.add(found.node)
                meant = f"{_AS_MOVE[found.ident]}[{found.raw[0].decode('latin-1')}]"
                yield found.finding(meant=meant)._replace(node=found.node)

    return visit


def _single_stone(node: NodeView) -> PropertyView | None:
    setup = node.of_type("setup")
    if len(setup) != 1 or setup[0].ident not in _AS_MOVE:
        return None
    return setup[0] if len(list(setup[0].points())) == 1 == len(setup[0].raw) else None


def _may_end_with_pass(node: NodeView) -> bool:
    """Whether it is a leaf with a move and nothing else, of a game in which one can pass."""
    if not node.is_leaf or len(node.shape.kinds) != 1 or not node.moves():
        return False
    return node.tree.reader.rule("move").startswith("go_")


@rule("SGF902", "node", shape=_may_end_with_pass)
def trailing_pass(node: NodeView) -> Iterator[Finding]:
    """The last node of the game is a pass and says nothing else."""
    [move] = node.moves()
    value = next(move.values())
    if value.names_pass(value.raw) and node.number in node.tree.in_main_line:
        yield move.finding()


@rule("SGF903", "node", shape=lambda node: node.is_leaf and not node.properties)
def trailing_empty_node(node: NodeView) -> Iterator[Finding]:
    if node.is_leaf and not node.is_root and not node.properties:
        yield Finding(*node.span, {})


@correction("SGF903")
def without_empty_node(site: Site) -> Correction | None:
    """Unless damage stands in the node, which would then belong to another."""
    if site.data[site.end :].lstrip()[:1] not in (b";", b"(", b")"):
        return None
    return Correction((Edit(site.start, site.end),))


#: Words that introduce in a comment what has a property of its own.
_TELLS = {"PB": b"Black", "PW": b"White", "RE": b"Result", "DT": b"Date", "KM": b"Komi"}
_TOLD = re.compile(rb"\b(%s)\s*:\s*\S" % b"|".join(_TELLS.values()))


def _may_tell_in_comment(node: NodeView) -> bool:
    is_missing = any(node.get(ident) is None for ident in _TELLS)
    return is_missing and node.is_root and node.get("C") is not None


@rule("SGF904", "node", shape=_may_tell_in_comment)
def game_info_in_comment(node: NodeView) -> Iterator[Finding]:
    comment = node.get("C") if node.is_root else None
    if comment is None:
        return
    text = comment.raw[0]
    if text.find(b":") < 0:
        return
    told = {match[1] for match in _TOLD.finditer(text)}
    for ident, word in _TELLS.items():
        if word in told and node.get(ident) is None:
            yield comment.finding()._replace(ident=ident)
            return


@rule("SGF905", "content", uniques("label"))
def long_label(value: ValueView) -> Finding | None:
    if not value.halves:
        return None
    label = value.tree.reader.read("simpletext", value.halves[1])
    return value.finding(value=label) if len(label) > 2 else None


@rule("SGF907", "property", uniques("territory"))
def empty_territory(entry: PropertyView) -> Iterator[Finding]:
    if entry.raw == [b""]:
        yield entry.finding()
