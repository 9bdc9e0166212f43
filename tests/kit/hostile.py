"""Targets that do what no target should, for tests of what runs them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.kit.waiting import LIMIT

#: Seconds, more than any test waits.
_SLEEP = 2 * LIMIT


def any_of_them(data: bytes) -> Any:
    """Accepts what begins with "(", rejects other input, unless a word in it requests an action."""
    for word, action in _actions().items():
        if word in data:
            return action()
    if not data.startswith(b"("):
        raise ValueError("no SGF")
    return None


#: The environment variable with the folder in which `begins_to_sleep` says that it has begun.
BEGUN = "SGF_LARK_TEST_BEGUN"


def begins_to_sleep(data: bytes) -> None:
    """Sleeps if the input asks for that, and says before that it has begun."""
    if b"sleep" in data:
        (Path(os.environ[BEGUN]) / str(len(data))).touch()
        time.sleep(_SLEEP)


def _recurse() -> None:
    _recurse()


def _ignore_signals() -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(_SLEEP)


def _eat_memory() -> None:
    eaten = []
    while True:
        eaten.append(bytearray(1 << 24))


def _flood() -> None:
    while True:
        sys.stdout.write("x" * 65536)
        os.write(2, b"x" * 65536)


def _forge() -> None:
    """Writes what is no answer to every descriptor that could be the one for answers."""
    for descriptor in range(3, 20):
        try:
            os.write(descriptor, b"\xff\xff\xff\xffgarbage" * 10_000)
        except OSError:
            continue


def _leave_a_child() -> None:
    subprocess.Popen(
        [sys.executable, "-c", f"import time; time.sleep({_SLEEP})"], start_new_session=True
    )
    time.sleep(_SLEEP)


def _fail() -> None:
    raise KeyError("no such thing")


def _actions() -> dict[bytes, Callable[[], Any]]:
    return {
        b"segfault": lambda: os.kill(os.getpid(), signal.SIGSEGV),
        b"abort": os.abort,
        b"exit": lambda: os._exit(0),
        b"quit": lambda: sys.exit(3),
        b"sleep": lambda: time.sleep(_SLEEP),
        b"ignore": _ignore_signals,
        b"memory": _eat_memory,
        b"flood": _flood,
        b"forge": _forge,
        b"child": _leave_a_child,
        b"recurse": _recurse,
        b"fail": _fail,
        b"tree": lambda: [[{"parent": None, "properties": [["B", ["aa"]]]}]],
        b"nonsense": lambda: [[{"parent": 7}]],
    }


if __name__ == "__main__":
    text = sys.stdin.buffer.read()
    try:
        any_of_them(text)
    except ValueError as error:
        sys.exit(str(error))
