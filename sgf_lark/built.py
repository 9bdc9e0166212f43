"""Temporary: keeps what was made in memory. The real module stores it when the package is built."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

_made: dict[str, Any] = {}


def content(name: str, sources: tuple[str, ...], make: Callable[[], T]) -> T:
    """What `make` gives, made once in a process."""
    if name not in _made:
        _made[name] = make()
    made: T = _made[name]
    return made
