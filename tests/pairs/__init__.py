"""Pairs of small files that hold the conditions of safe fixes.

The two files of a pair differ in one condition of a fix: in the first the fix is safe, in the
second it is not, or there is none. :mod:`tests.contract.test_pairs` runs them, and drops
each condition of each fix to see that a pair notices.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import NamedTuple


class Files(NamedTuple):
    """Two files for one condition of a fix, and what becomes of them."""

    #: What holds in the first file and not in the second.
    condition: str
    #: A file in which the fix is safe, and the file after safe fixes.
    safe: bytes | None
    fixed: bytes | None
    #: The file in which the condition does not hold, and that file after unsafe fixes.
    other: bytes | None = None
    becomes: bytes | None = None


class Pair(NamedTuple):
    """The code of a rule, and two files for one condition of its fix: see :class:`Files`."""

    code: str
    condition: str
    safe: bytes | None
    fixed: bytes | None
    other: bytes | None
    becomes: bytes | None


#: A file and what becomes of it, each as :func:`_whole` reads it.
Fixed = tuple[bytes | str, bytes | str]


def pair(condition: str, safe: Fixed, other: Fixed | None = None) -> Files:
    """The file in which the fix is safe, with what safe fixes make of it, and the other one, with
    what unsafe fixes do.

    A fix that is safe wherever it applies has no second file; one that never is safe has no first,
    and is written as :func:`never`.
    """
    return Files(condition, *map(_whole, safe), *map(_whole, other or ()))


def never(condition: str, other: Fixed) -> Files:
    """A file of which the fix is not safe, whatever else holds."""
    return Files(condition, None, None, *map(_whole, other))


#: What is around most examples: a game of Go in the latest file format.
HEAD, TAIL = "(;FF[4]GM[1]", ")"


def _whole(file: bytes | str) -> bytes:
    """A file; of a text, the game that continues the usual root node with it."""
    return (HEAD + file + TAIL).encode() if isinstance(file, str) else file


def all_pairs() -> dict[str, list[Pair]]:
    """The names of the modules of this package, and their pairs, which they have by rule."""
    names = [module.name for module in pkgutil.iter_modules(__path__) if module.name != "__main__"]
    modules = {name: import_module(f"{__name__}.{name}") for name in names}
    return {
        name: [Pair(code, *files) for code, rows in module.PAIRS.items() for files in rows]
        for name, module in modules.items()
    }
