"""The strict grammar's own tables, run over bytes: the same trees as Lark's, sooner."""

from __future__ import annotations

from array import array
from typing import Any

from sgf_lark.engine import runner
from sgf_lark.engine.layout import Output, output_for
from sgf_lark.engine.tables import tables
from sgf_lark.flat import FlatTree

#: Whether the engine runs as compiled code.
compiled: bool = not runner.__file__.endswith((".py", ".pyc"))

#: Offsets are numbers of four bytes.
LARGEST = 2**31 - 1

#: "(", a sequence, the trees behind it, and what is under way in one of them.
_SYMBOLS_A_LEVEL = 8


def can_run(data: bytes) -> bool:
    """Whether :func:`parse` tells that `data` is not in the grammar by giving None."""
    return tables() is not None and len(data) <= LARGEST


def parse(data: bytes) -> FlatTree | None:
    """The flat tree of `data`; None where the strict grammar refuses it, or where the
    engine cannot run."""
    found = tables()
    if found is None or not can_run(data):
        return None
    output = output_for(data.count(b";"), data.count(b"["), data.count(b"("), _SYMBOLS_A_LEVEL)
    if runner.run(data, found, output) >= 0:
        return None
    nodes, properties, values, trees = output.counts
    return FlatTree(
        data,
        parent=_cut(output.parent, nodes),
        node_start=_cut(output.node_start, nodes),
        property_end=_cut(output.property_end, nodes),
        ident_start=_cut(output.name_start, properties),
        ident_end=_cut(output.name_end, properties),
        value_end=_cut(output.value_end, properties),
        value_from=_cut(output.value_from, values),
        value_to=_cut(output.value_to, values),
        **_trees(output, trees),
    )


def _cut(items: array[int], count: int) -> array[int]:
    del items[count:]
    return items


def _trees(output: Output, count: int) -> dict[str, Any]:
    firsts = output.tree_node[:count]
    return {
        "roots": [node for node in firsts if output.parent[node] < 0],
        "opening": dict(zip(firsts, output.tree_from, strict=False)),
        "closing": dict(zip(firsts, output.tree_to, strict=False)),
    }
