"""The strict grammar's own tables, run over bytes: the same trees as Lark's, sooner."""

from __future__ import annotations

from functools import cache

from sgf_lark.engine import runner
from sgf_lark.engine.arena_tree import ArenaTree
from sgf_lark.engine.layout import Numbers
from sgf_lark.engine.tables import tables
from sgf_lark.flat import FlatTree

#: Whether the engine runs as compiled code.
compiled: bool = runner.COMPILED

#: Offsets are numbers of four bytes, and numbers of nodes times two have to be.
LARGEST = 2**30 - 1


def can_run(data: bytes) -> bool:
    """Whether :func:`parse` tells that `data` is not in the grammar by giving None."""
    return tables() is not None and len(data) <= LARGEST


def parse(data: bytes) -> FlatTree | None:
    """The flat tree of `data`; None where the strict grammar refuses it, or where the
    engine cannot run."""
    arena = read(data)
    return None if arena is None else ArenaTree(data, arena)


def read(data: bytes) -> Numbers | None:
    """What :func:`parse` gives, as the numbers that the engine leaves behind."""
    machine = machine_of_grammar()
    if machine is None or len(data) > LARGEST:
        return None
    return machine.read(data, "collection")


@cache
def machine_of_grammar() -> runner.Machine | None:
    """What runs the grammar's tables; None where there are none."""
    found = tables()
    return None if found is None else runner.Machine(found)
