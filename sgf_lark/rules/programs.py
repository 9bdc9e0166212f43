"""Rules about the habits of programs (``programs.toml``)."""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark.diagnostics import Words
from sgf_lark.model.node import Node
from sgf_lark.model.programs import Meaning, handicap_moves, meanings
from sgf_lark.model.tree import GameTree
from sgf_lark.rules.fixes import Edit, Fix, FixContext, fix_for
from sgf_lark.rules.registry import Finding, Needs, Scope, at, plays, rule
from sgf_lark.syntax.programs import program_named


@rule("SGF442", Scope.TREE, needs=Needs.PROGRAM)
def habit_of_program(tree: GameTree) -> Iterator[Finding]:
    """Reports properties and values that mean something else than the specification says."""
    for found in meanings(tree):
        program = program_named(tree.parsed.context.program)
        title = Words(program.title, program.title_zh)
        meant = f"{found.ident}[{found.raw.decode(tree.charset, 'replace')}]"
        entry, number = found.entry, found.entry.node.number
        yield at(entry, node=number, value=entry.raw[0], program=title, meant=meant)


@fix_for("SGF442")
def write_meaning(site: FixContext) -> Fix | None:
    """Write what the program means; this is not safe, since it rests on what is known of it."""
    known: dict[int, Meaning] = site.cached(
        ("meanings", site.tree.number),
        lambda: {each.entry.offsets[0]: each for each in meanings(site.tree)},
    )
    found = known[site.start]
    written = found.ident.encode() + b"[" + found.raw + b"]"
    deleted = (Edit(*each.offsets) for each in found.others)
    return Fix((Edit(*found.entry.offsets, written), *deleted), safe=False)


@rule("SGF607", Scope.NODE, having=(plays,), needs=Needs.NOT_ROOT | Needs.OUT_OF_TURN)
def handicap_as_moves(node: Node) -> Iterator[Finding]:
    """Reports handicap stones that are written as the first moves, at the second of them: few
    games have two moves of a color there."""
    if node.number == node.tree.parsed.numbers[0] + 2:
        nodes = handicap_moves(node.tree)
        if nodes:
            yield at(nodes[0].moves()[0], node=nodes[0].number, count=len(nodes))


@fix_for("SGF607")
def set_up_handicap(site: FixContext) -> Fix | None:
    """Set up the stones in the root; this is not safe.

    The nodes may have nothing but the moves: what else is in them is about a position that the
    game would no longer have.
    """
    nodes = handicap_moves(site.tree)
    if any(len(node.properties) > 1 for node in nodes):
        return None
    root = site.tree.root
    count = b"HA[%d]" % len(nodes)
    points = b"".join(b"[" + node.moves()[0].raw[0] + b"]" for node in nodes)
    named = root.property("HA", None)
    edits = [Edit(*site.flat.node_span(node.number)) for node in nodes]
    end = site.flat.node_span(root.number)[1]
    if named is None:
        points = points + count
    else:
        edits.append(Edit(*named.offsets, count))
    return Fix((Edit(end, end, b"AB" + points), *edits), safe=False)
