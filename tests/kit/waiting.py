"""Waiting in tests: for an event, never for a time. A machine that tests may be busy."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

#: Seconds that only what hangs takes.
LIMIT = 900.0
#: Seconds between two checks.
_INTERVAL = 0.01


def wait_until(condition: Callable[[], T]) -> T:
    """Return the value of `condition` when it is true; raise TimeoutError where it never is."""
    end = time.monotonic() + LIMIT
    while not (found := condition()):
        if time.monotonic() > end:
            raise TimeoutError(f"nothing happened in {LIMIT:g} s")
        time.sleep(_INTERVAL)
    return found
