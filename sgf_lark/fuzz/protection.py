"""Keeps targets from changing files outside of their temporary folder: Landlock, on Linux.

A process that is restricted, and all that it starts, can read and run everything, but cannot
create, write, rename or remove anything except in the given folders; from Linux 6.12 on, it
cannot send signals to other processes either. Owner, mode and times of files are not protected,
nor is the network. HOME is not changed: interpreters find their packages there.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

#: Numbers of system calls, the same on all architectures since Linux 5.13.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION = 1
_PATH_BENEATH = 1
_SET_NO_NEW_PRIVILEGES = 38

#: Rights by the version of Landlock that brought them.
_WRITE_FILE, _TRUNCATE = 1 << 1, 1 << 14
_REMOVE = 1 << 4 | 1 << 5
_MAKE = sum(1 << bit for bit in range(6, 13))
_REFER = 1 << 13
_RIGHTS = {1: _WRITE_FILE | _REMOVE | _MAKE, 2: _REFER, 3: _TRUNCATE}
_SCOPE_SIGNAL, _SCOPE_VERSION = 1 << 1, 6

#: Devices that may be written to; in the folder are the semaphores of the C library.
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty")
_SHARED_MEMORY = "/dev/shm"


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _Rule(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("rights", ctypes.c_uint64), ("descriptor", ctypes.c_int32))


@cache
def _library() -> ctypes.CDLL | None:
    return ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


@cache
def version() -> int:
    """Return the version of Landlock of this system, 0 if there is none."""
    library = _library()
    if library is None:
        return 0
    return max(0, int(library.syscall(_CREATE_RULESET, None, 0, _ASK_VERSION)))


@contextlib.contextmanager
def write_protection(writable: Iterable[Path]) -> Iterator[Callable[[], None]]:
    """Give the function that protects the process that calls it, between fork and exec.

    `writable` are the folders in which it may write; what does not exist is left out. The
    function does nothing on systems without Landlock.
    """
    library = _library()
    if library is None or not version():
        yield lambda: None
        return
    rights = sum(right for since, right in _RIGHTS.items() if since <= version())
    scoped = _SCOPE_SIGNAL if version() >= _SCOPE_VERSION else 0
    attributes = _Ruleset(rights, 0, scoped)
    ruleset = library.syscall(
        _CREATE_RULESET, ctypes.byref(attributes), ctypes.sizeof(attributes), 0
    )
    if ruleset < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    try:
        for folder in (*writable, Path(_SHARED_MEMORY)):
            _allow(library, ruleset, folder, rights)
        for device in _DEVICES:
            _allow(library, ruleset, Path(device), rights & (_WRITE_FILE | _TRUNCATE))

        def protect() -> None:
            library.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
            if library.syscall(_RESTRICT_SELF, ruleset, 0):
                raise OSError(ctypes.get_errno(), "writing cannot be restricted")

        yield protect
    finally:
        os.close(ruleset)


def _allow(library: ctypes.CDLL, ruleset: int, path: Path, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        rule = _Rule(rights, descriptor)
        if library.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(path))
    finally:
        os.close(descriptor)
