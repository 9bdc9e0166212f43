"""Writes an archive anew with other content of some of its members.

The kind of the archive, the order of its members and what is recorded about them (times, owners,
permissions, comments) stay; members that are no game files are copied.
"""

from __future__ import annotations

import copy
import shutil
import struct
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import ExitStack
from io import BytesIO
from typing import IO, NamedTuple

from sgf_lark.files import packed
from sgf_lark.files.archives import opened_tar, tar_headers, too_large_together
from sgf_lark.files.inputs import ZIP_SUFFIXES, has_suffix


class Replacement(NamedTuple):
    """The new name of a member and its new content, as it is stored there."""

    name: str
    data: bytes


#: Gives the replacement for the game file with a name, in the order of the archive; None: copy it;
#: "drop": leave it out.
Replace = Callable[[str], "Replacement | str | None"]
DROP = "drop"

#: The suffix of the packed stream for those of tar archives with another one.
_PACKED_TAR = {
    ".tgz": ".gz",
    ".tbz": ".bz2",
    ".tbz2": ".bz2",
    ".txz": ".xz",
    ".tzst": ".zst",
}


def repack(
    path: str,
    source: IO[bytes],
    target: IO[bytes],
    suffixes: tuple[str, ...],
    replace: Replace,
    most: int,
) -> None:
    """Write the archive `source`, whose kind the name `path` shows, to `target`.

    `replace` is called for the members that :func:`sgf_lark.files.archives.members` yields for
    these `suffixes`, in this order. Raises one of :data:`sgf_lark.files.archives.ERRORS`, or an
    error that :func:`sgf_lark.files.packed.is_unpacking_error` recognizes, where a member cannot
    be read; ValueError where a new name is that of another member, or where the members have more
    than `most` bytes together.
    """
    is_zip = path.lower().endswith(ZIP_SUFFIXES)
    members = _Members(replace, suffixes, most)
    if is_zip:
        _repack_zip(source, target, members)
    else:
        _repack_tar(path, source, target, members)


class _Members:
    """Counts the game files and the bytes of all, and refuses new names that occur already."""

    def __init__(self, replace: Replace, suffixes: tuple[str, ...], most: int) -> None:
        self._replace = replace
        self._suffixes = suffixes
        self._left = most
        self._new: set[str] = set()
        self._copied: set[str] = set()

    def replacement(self, name: str, is_file: bool, size: int) -> Replacement | str | None:
        """What replaces a member; None where it is copied. Raises ValueError."""
        self._left -= size
        if self._left < 0:
            raise too_large_together()
        found = None
        if is_file and has_suffix(name, self._suffixes):
            found = self._replace(name)
        if isinstance(found, Replacement) and found.name != name:
            if found.name in self._new or found.name in self._copied:
                raise ValueError(f"two members would be written as {found.name}")
            self._new.add(found.name)
        elif found is None and self._new:
            if name in self._new:
                raise ValueError(f"two members would be written as {name}")
            self._copied.add(name)
        return found


# --- Zip ------------------------------------------------------------------------------

_UTF8_NAME = 0x800
_ZIP64_EXTRA = 1


class _ZipMember(zipfile.ZipInfo):
    """A member whose name is written in the bytes that it had: the charset is not known."""

    def _encodeFilenameFlags(self) -> tuple[bytes, int]:
        return self.filename.encode("cp437"), self.flag_bits & ~_UTF8_NAME


def _repack_zip(source: IO[bytes], target: IO[bytes], members: _Members) -> None:
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        new.comment = old.comment
        for info in old.infolist():
            found = members.replacement(info.filename, not info.is_dir(), info.file_size)
            if found is None:
                with old.open(info) as file, new.open(_zip_member(info), "w") as written:
                    shutil.copyfileobj(file, written)
            elif isinstance(found, Replacement):
                with new.open(_zip_member(info, found), "w") as written:
                    written.write(found.data)


def _zip_member(info: zipfile.ZipInfo, found: Replacement | None = None) -> zipfile.ZipInfo:
    """A new header with what is recorded about a member."""
    name = info.filename if found is None else found.name
    made = zipfile.ZipInfo(name, info.date_time)
    if not info.flag_bits & _UTF8_NAME and _is_cp437(name):
        made = _ZipMember(name, info.date_time)
    made.compress_type = info.compress_type
    made.comment = info.comment
    made.create_system = info.create_system
    made.internal_attr = info.internal_attr
    made.external_attr = info.external_attr
    made.extra = _without_zip64(info.extra)
    made.file_size = info.file_size if found is None else len(found.data)
    return made


def _is_cp437(name: str) -> bool:
    try:
        name.encode("cp437")
    except UnicodeEncodeError:
        return False
    return True


def _without_zip64(extra: bytes) -> bytes:
    """The extra fields without that for large sizes, which is written where it is needed."""
    kept = b""
    while len(extra) >= 4:
        identity, size = struct.unpack_from("<HH", extra)
        if identity != _ZIP64_EXTRA:
            kept += extra[: 4 + size]
        extra = extra[4 + size :]
    return kept


# --- Tar ------------------------------------------------------------------------------


def _repack_tar(path: str, source: IO[bytes], target: IO[bytes], members: _Members) -> None:
    with ExitStack() as stack:
        old = stack.enter_context(opened_tar(path, source))
        stream = target
        if (suffix := _suffix_of_tar(path)) is not None:
            stream = stack.enter_context(packed.packing(target, f"archive{suffix}"))
        new = stack.enter_context(tarfile.open(fileobj=stream, mode="w|"))
        new.pax_headers = dict(old.pax_headers)
        for info in tar_headers(old):
            found = members.replacement(info.name, info.isfile(), info.size)
            if found is None:
                new.addfile(_tar_member(info), old.extractfile(info) if info.isfile() else None)
            elif isinstance(found, Replacement):
                new.addfile(_tar_member(info, found), BytesIO(found.data))
            new.members.clear()  # type: ignore[attr-defined]


def _suffix_of_tar(path: str) -> str | None:
    """The suffix that shows how a tar archive is packed; None if it is not."""
    lower = path.lower()
    for suffix, packed_suffix in _PACKED_TAR.items():
        if lower.endswith(suffix):
            return packed_suffix
    return None if lower.endswith(".tar") else lower[lower.rindex(".") :]


def _tar_member(info: tarfile.TarInfo, found: Replacement | None = None) -> tarfile.TarInfo:
    """A new header with what is recorded about a member."""
    made = copy.copy(info)
    # These would override the fields that are written now.
    made.pax_headers = {
        key: value
        for key, value in info.pax_headers.items()
        if key not in ("size", "path") and not key.startswith("GNU.sparse.")
    }
    if info.issparse():
        made.type = tarfile.REGTYPE
    if found is not None:
        made.name, made.size = found.name, len(found.data)
    return made
