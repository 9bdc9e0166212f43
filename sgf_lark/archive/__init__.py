"""Archives: many files at once, on one machine or on a cluster of Dask.

Needs the extra ``archive``. What is slow to import, such as Dask and pyarrow, is imported where it
is used.
"""

from sgf_lark.archive.duplicate_games import duplicates
from sgf_lark.archive.results import ResultError
from sgf_lark.archive.rewriting import Converting, Fixing, rewrite
from sgf_lark.archive.running import RunError, audit

__all__ = [
    "Converting",
    "Fixing",
    "ResultError",
    "RunError",
    "audit",
    "duplicates",
    "rewrite",
]
