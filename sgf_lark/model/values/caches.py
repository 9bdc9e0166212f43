"""Caches of values: which values are kept, and how many."""

from __future__ import annotations

from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")

#: Longer values are not kept: they are seldom the same.
LONGEST_KEPT = 48
#: A cache is emptied when it has this many entries.
MOST_ENTRIES = 50_000


class BoundedDict(dict[Key, Value]):
    """A dict that is emptied before it has more than :data:`MOST_ENTRIES`."""

    __slots__ = ()

    def keep(self, key: Key, value: Value) -> Value:
        """Add an entry, and return its value."""
        if len(self) >= MOST_ENTRIES:
            self.clear()
        self[key] = value
        return value
