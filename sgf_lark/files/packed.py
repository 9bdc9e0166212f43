"""Reading files up to a size: as they are, or packed with gzip, bzip2, xz or zstd."""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from importlib import import_module
from os.path import splitext
from stat import S_ISBLK, S_ISCHR
from typing import IO, Any

#: Larger files are refused; a device may have no end.
FILE_LIMIT = 2**30
#: Larger members of archives and packed files are refused, by their size when they are unpacked:
#: a few kilobytes may expand to more than the memory.
UNPACKED_LIMIT = 2**28
#: Most files have fewer bytes.
_SMALL = 2**16


#: The modules that open packed files, by suffix; the first of those for zstd is in Python 3.14.
_MODULES = {
    ".gz": ("gzip",),
    ".bz2": ("bz2",),
    ".xz": ("lzma",),
    ".zst": ("compression.zstd", "backports.zstd"),
}


def is_packed(name: str) -> bool:
    """Whether the file is packed, by its name."""
    return _suffix(name) in _MODULES


def _suffix(name: str) -> str:
    """The suffix of a name in lower case, with its dot."""
    # Several times as fast as pathlib, which normalizes the path.
    return splitext(name)[1].lower()  # noqa: PTH122


def unpacked_name(name: str) -> str:
    """The name without the suffix of a packed file."""
    return splitext(name)[0] if is_packed(name) else name  # noqa: PTH122


def read_bounded(stream: IO[bytes], name: str, limit: int | None) -> bytes:
    """Read a stream, unpacked if `name` is that of a packed file.

    Raises ValueError if the result would be larger than `limit` bytes, by default those above;
    OSError and ValueError if it cannot be read or unpacked.
    """
    if not is_packed(name):
        return _read(stream, FILE_LIMIT if limit is None else limit)
    try:
        with open_packed(stream, name) as unpacked:
            return _read(unpacked, UNPACKED_LIMIT if limit is None else limit)
    except Exception as error:
        if not is_unpacking_error(error):
            raise
        raise ValueError(f"it cannot be unpacked: {error}") from error


def open_packed(stream: IO[bytes], name: str) -> Any:
    """Return a stream of the unpacked bytes of `stream`, packed as its `name` shows.

    Raises ValueError if the package for that is not installed.
    """
    for module in _MODULES[_suffix(name)]:
        with suppress(ImportError):
            return import_module(module).open(stream)
    raise ValueError('.zst needs backports.zstd: pip install "sgf-lark[zst]"')


def is_unpacking_error(error: Exception) -> bool:
    """Whether a module that unpacks raises it for damage, and not an OSError as for any file."""
    # By name, since the modules of xz and zstd are imported only when needed.
    return isinstance(error, (EOFError, zlib.error)) or (
        type(error).__name__ in ("LZMAError", "ZstdError")
    )


def _read(stream: IO[bytes], limit: int) -> bytes:
    try:
        # Memory for as much as the limit is asked for only if a file is not small.
        data = stream.read(min(_SMALL, limit + 1))
        if len(data) == _SMALL:
            data += stream.read(limit + 1 - _SMALL)
    except MemoryError:
        raise ValueError("larger than the memory") from None
    if len(data) > limit:
        raise too_large(limit)
    return data


def too_large(limit: int) -> ValueError:
    """The error for a file that is larger than the limit."""
    return ValueError(f"larger than {limit} bytes; --max-size allows more")


def check_stream(stream: IO[bytes], name: str, limit: int | None) -> None:
    """Raise ValueError for a device other than a terminal and the null device, which may have no
    end, and for a file that is too large."""
    status = os.fstat(stream.fileno())
    is_endless = S_ISCHR(status.st_mode) and not stream.isatty()
    is_endless = is_endless and status.st_rdev != os.stat(os.devnull).st_rdev  # noqa: PTH116
    if S_ISBLK(status.st_mode) or is_endless:
        raise ValueError("it is a device")
    limit = FILE_LIMIT if limit is None else limit
    if not is_packed(name) and status.st_size > limit:
        raise too_large(limit)
