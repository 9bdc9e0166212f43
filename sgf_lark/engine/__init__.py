"""The strict grammar's own tables, run over bytes: the same trees as Lark's, sooner."""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any, Literal, get_args

from sgf_lark import built
from sgf_lark.engine import layout, runner
from sgf_lark.engine.layout import NODES, Numbers, Tables, bounds_of_first, roots_of, trees_of
from sgf_lark.flat import FlatTree

GRAMMAR = "sgf.lark"

#: Who reads the structure: the engine, which runs the tables of the grammar, or Lark.
Engine = Literal["tables", "lark"]
ENGINES = get_args(Engine)

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


@cache
def tables() -> Tables | None:
    """The tables of the grammar; None where they are not built and interegular is missing."""
    try:
        return _from_stored(_content())
    except ImportError:
        return None


def _content() -> dict[str, Any]:
    return built.content("engine", (GRAMMAR, "engine/computing.py"), _compute)


def _compute() -> dict[str, Any]:
    from sgf_lark.engine.computing import compute

    return compute()


def build_content() -> None:
    """Ask for all content that :mod:`sgf_lark.built` keeps for this package."""
    _content()


def _from_stored(known: dict[str, Any]) -> Tables:
    classes = known["classes"]
    scanner = [row[number] for row in known["scanner"] for number in classes]
    return Tables(
        numbers=Numbers("h", [*scanner, *known["numbers"]]),
        accepts=known["accepts"],
        shift_operations=known["shift_operations"],
        starts={name: (first, final) for name, (first, final) in known["starts"].items()},
        terminals=known["terminals"],
    )


class ArenaTree(FlatTree):
    """The flat tree that a run of the engine left in an arena."""

    def __init__(self, data: bytes, arena: Numbers) -> None:
        self.data = data
        self.names = {}
        self.arena = arena

    def bounds(self, root: int) -> tuple[int, int]:
        if root > 0 or self.arena is None:
            return super().bounds(root)
        return self._first_bounds

    @cached_property
    def _first_bounds(self) -> tuple[int, int]:
        assert self.arena is not None
        return bounds_of_first(self.arena)

    @property
    def count(self) -> int:
        return 0 if self.arena is None else self.arena[NODES]


def _part(name: str) -> cached_property[Any]:
    """A column, or what is said of trees, cut out when it is first asked for."""

    def cut_out(tree: ArenaTree) -> Any:
        arena = tree.arena
        assert arena is not None
        if name == "roots":
            return roots_of(arena)
        if name in ("opening", "closing"):
            nodes, starts, ends = trees_of(arena)
            return dict(zip(nodes, starts if name == "opening" else ends, strict=True))
        # A part of an array that takes no memory of its own; it is read as arrays are.
        start, count = layout.column(arena, name), arena[layout.COUNTED[name]]
        return memoryview(arena)[start : start + count]

    found = cached_property(cut_out)
    found.__set_name__(ArenaTree, name)
    return found


# Not by __getattr__, for the sake of which Python would read all other attributes slower.
for _name in FlatTree.__annotations__:
    setattr(ArenaTree, _name, _part(_name))
