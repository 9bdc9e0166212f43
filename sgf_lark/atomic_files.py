"""Writes files as a whole or not at all: to a temporary file that is renamed at the end."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

#: The names of temporary files begin with this; 16 hexadecimal digits follow.
TEMPORARY = ".sgf-lark-"


def write_file(target: Path, data: bytes, *, can_be_repeated: bool = False) -> None:
    """Write `data` to a file, as :func:`write_stream` does."""
    write_stream(target, lambda stream: stream.write(data), can_be_repeated=can_be_repeated)


def write_stream(
    target: Path, write: Callable[[BinaryIO], object], *, can_be_repeated: bool = False
) -> None:
    """Write to a temporary file in the folder of `target`, then rename it to `target`.

    `write` is called with the temporary file, open for writing; where it raises, `target` stays as
    it was. So `target` never has half of the data, even if the program is interrupted. The new
    file has the owner and permissions of the old one. Symbolic links are followed; devices and
    pipes are written directly, and so is what is open under a number, such as /dev/stdout, whatever
    it leads to.
    A new file that `can_be_repeated` may be empty after a power cut: what overwrites no file is not
    waited for until it is on the disk. Raises OSError with the name of `target`, also where that is
    read-only, and what `write` raises.
    """
    try:
        descriptor = _descriptor(target)
        if descriptor is not None:
            # The place in a file to which it leads belongs to whoever opened it, so the name is
            # not opened anew: that would empty the file.
            with os.fdopen(os.dup(descriptor), "wb") as stream:
                write(stream)
            return
        if _is_device_or_pipe(target):
            with target.open("wb") as stream:
                write(stream)
            return
        _replace(Path(os.path.realpath(target)), write, can_be_repeated)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(target)) from error


def _descriptor(target: Path) -> int | None:
    """The number under which this program has a file open, if the name is that of the number, as
    /dev/stdout and /dev/fd/3 are, or of a link to one; else None."""
    path = str(target)
    for _ in range(_MOST_LINKS):
        folder, name = os.path.split(path)
        folder = os.path.realpath(folder)
        if folder in ("/dev/fd", f"/proc/{os.getpid()}/fd") and name.isdecimal():
            return int(name)
        path = os.path.join(folder, name)  # noqa: PTH118
        if not os.path.islink(path):  # noqa: PTH114
            return None
        path = os.path.join(folder, os.readlink(path))  # noqa: PTH115, PTH118
    return None


def _is_device_or_pipe(target: Path) -> bool:
    """Whether there is something other than a file or a folder, which a link may lead to.

    Raises OSError for a link that leads to itself: `Path.exists` and `Path.resolve` do so or not,
    as the version of Python is.
    """
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _replace(target: Path, write: Callable[[BinaryIO], object], can_be_repeated: bool) -> None:
    """Write a new file and rename it to `target`."""
    before = target.stat() if target.exists() else None
    # To rename, only the folder has to be writable. Who took the permission from a file wants it to
    # stay, as editors know, and root, who may write all files, has to hear of it, too.
    if before and not before.st_mode & _WRITABLE:
        raise PermissionError(errno.EACCES, "it is read-only")
    temporary = target.with_name(TEMPORARY + os.urandom(8).hex())
    try:
        with temporary.open("xb") as stream:
            write(stream)
            if before is not None or not can_be_repeated:
                # The content has to be on the disk before the name leads to it.
                stream.flush()
                os.fsync(stream.fileno())
        if before is not None:
            _copy_attributes(temporary, before)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


#: As many links are followed as Linux does.
_MOST_LINKS = 40
#: The permissions of owner, group and others to write.
_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


def _copy_attributes(file: Path, before: os.stat_result) -> None:
    if hasattr(os, "chown"):
        # Only root may give a file to another owner.
        with contextlib.suppress(PermissionError):
            os.chown(file, before.st_uid, before.st_gid)
    file.chmod(before.st_mode & 0o7777)
