"""Waiting in tests: for an event, never for a time. A machine that tests may be busy."""

from __future__ import annotations

import time
from collections.abc import Callable

#: Seconds that only what hangs takes.
LIMIT = 900.0
#: Seconds between two checks.
_INTERVAL = 0.01


def wait_until(condition: Callable[[], object]) -> None:
    """Return when `condition` is true; raise TimeoutError where it never becomes so."""
    end = time.monotonic() + LIMIT
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"nothing happened in {LIMIT:g} s")
        time.sleep(_INTERVAL)
