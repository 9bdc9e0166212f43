"""Whether it matters in which order setup and moves of one node are executed.

Some programs execute setup first, others follow the order of the file.
"""

from __future__ import annotations

from functools import partial

from sgf_lark.model.position import (
    PLAYED,
    SET_UP,
    Positions,
    execute,
    execute_in_order,
    execute_property,
)
from sgf_lark.model.property import Property
from sgf_lark.rules.fixes import Site


def has_no_order(entries: list[Property]) -> bool:
    """Whether properties with one identifier mean the same in any place in their node.

    Moves do if no other property changes the board, setup if there is no move and no other
    property sets up one of its points.
    """
    node, ident = entries[0].node, entries[0].ident
    if ident in PLAYED:
        return not node.of_type("setup") and {each.ident for each in node.moves()} == {ident}
    if ident not in SET_UP:
        return True
    points = {point for entry in entries for _, point in entry.points()}
    others = (each for each in node.of_group("setup") if each.ident != ident)
    return not node.moves() and points.isdisjoint(
        point for each in others for _, point in each.points()
    )


def commutes(site: Site, setup: list[Property], moves: list[Property]) -> bool:
    """Whether the setup and moves of the node of the site give the same position in any order.

    The position before is what programs get that execute setup first in all nodes, and what
    those get that follow the order of the file. Only the board of Go is known.
    """
    if not setup:
        return True
    if not all(map(_is_certain, (*setup, *moves))):
        return False
    number = site.flat.node_at(site.start)
    in_order = [entry for entry in site.node.properties if entry.ident in (*SET_UP, *PLAYED)]
    for how in (execute, execute_in_order):
        positions = site.cached(
            ("positions", site.tree.number, how), partial(Positions, site.tree, how)
        )
        results = set()
        for entries in ((*setup, *moves), (*moves, *setup), in_order):
            board = positions.before(number)
            if board is None:
                return False
            for entry in entries:
                execute_property(entry, board)
            results.add(board.snapshot())
        if len(results) > 1:
            return False
    return True


def _is_certain(entry: Property) -> bool:
    """Whether the property is one move, or setup of stones, all of whose points are known."""
    values = list(entry.prop_values())
    if entry.ident in SET_UP:
        return all(value.named_points() for value in values)
    return entry.ident in PLAYED and len(values) == 1 and values[0].matches("move")
