"""What several caches keep together is limited, so that memory does not grow from file to file."""

from __future__ import annotations

from threading import Lock
from typing import Protocol
from weakref import WeakSet


class Cache(Protocol):
    """Something that keeps entries, and can forget them."""

    def clear(self) -> None:
        """Forget all entries."""


class SharedLimit:
    """The number of entries that several caches may have together.

    When it is reached, all of them are emptied: what is used often is soon there again.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._entries = 0
        self._caches: WeakSet[Cache] = WeakSet()
        self._lock = Lock()

    def register(self, cache: Cache) -> None:
        """Count a cache in, as long as it is used elsewhere."""
        with self._lock:
            self._caches.add(cache)

    def make_room(self) -> None:
        """Count one entry; to be called before a cache adds it."""
        self._entries += 1
        if self._entries > self.most:
            with self._lock:
                for cache in self._caches:
                    cache.clear()
            self._entries = 1
