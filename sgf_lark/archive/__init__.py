"""Archives: many files at once, on one machine or on a cluster of Dask.

Needs the extra ``archive``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

#: Public names and the modules they come from, imported at first use.
_EXPORTS = {
    "ResultError": "results",
    "RunError": "running",
    "Converting": "rewriting",
    "Fixing": "rewriting",
    "audit": "running",
    "duplicates": "duplicate_games",
    "games": "dask_games",
    "rewrite": "rewriting",
    "tables": "result_tables",
}

__all__ = [
    "Converting",
    "Fixing",
    "ResultError",
    "RunError",
    "audit",
    "duplicates",
    "games",
    "rewrite",
    "tables",
]

if TYPE_CHECKING:
    from sgf_lark.archive.dask_games import games
    from sgf_lark.archive.duplicate_games import duplicates
    from sgf_lark.archive.result_tables import tables
    from sgf_lark.archive.results import ResultError
    from sgf_lark.archive.rewriting import Converting, Fixing, rewrite
    from sgf_lark.archive.running import RunError, audit


def __getattr__(name: str) -> Any:
    if name not in _EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"sgf_lark.archive.{_EXPORTS[name]}"), name)
