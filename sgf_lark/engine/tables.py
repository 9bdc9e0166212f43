"""The tables of the grammar, as the engine runs them: stored by :mod:`sgf_lark.stored`."""

from __future__ import annotations

from functools import cache

from sgf_lark import grammar, stored
from sgf_lark.annotations import Any
from sgf_lark.engine.layout import Numbers, Tables

GRAMMAR = "sgf.lark"


@cache
def tables() -> Tables | None:
    """The stored tables, or new ones where the grammar has changed since.

    None where that would take what is not installed.
    """
    known = stored.load("engine", grammar.read(GRAMMAR))
    if known is None:
        from sgf_lark.engine.computing import compute

        try:
            known = compute()
        except ImportError:
            return None
    return _from_stored(known)


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


def made() -> stored.Made:
    """What is to be stored for :func:`tables`."""
    from sgf_lark.engine.computing import compute

    return "engine", grammar.read(GRAMMAR), compute()
