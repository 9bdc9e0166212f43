"""Game files in zip and tar archives."""

from __future__ import annotations

import lzma
import os
import re
import struct
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from tarfile import (  # type: ignore[attr-defined]
    EOFHeaderError,
    HeaderError,
    InvalidHeaderError,
    ReadError,
)
from typing import IO, Literal, NamedTuple, cast

from sgf_lark.files import packed
from sgf_lark.files.inputs import (
    ARCHIVE_SUFFIXES,
    NONE,
    ZIP_SUFFIXES,
    Input,
    Patterns,
    has_suffix,
    reason,
)
from sgf_lark.grammar import Charset
from sgf_lark.text.charsets import Reason, decide, named


class Member(NamedTuple):
    """A file in an archive: its name, its size as recorded there, and what opens it.

    It can be opened until the next member is asked for.
    """

    name: str
    size: int
    open: Callable[[], IO[bytes]]


#: The number of bytes that are read at a time to skip a member of a tar archive.
_BLOCK = 1 << 16

#: The types of headers whose content is metadata of the next member, and how long it may be.
_EXTENDED = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)
_LARGEST_EXTENDED = 1 << 20

#: Why an archive in an archive is not read: it could hold another one, and so on.
_NESTED = "it is an archive in an archive, which is not read; unpack the outer one"

#: Why the rest of an archive is not read.
_TOO_LARGE = "its files are too large together; --max-size allows more"

#: The charset of names in zip archives, and the flag of those that are in UTF-8 (APPNOTE, 4.4.4).
_ZIP_CHARSET = "cp437"
_UTF_8_NAME = 0x800
#: Names whose only bytes beyond ASCII are signs and characters of GB 2312, in no word with letters
#: of ASCII.
_CHINESE = re.compile(
    rb"(?:[\0-\x7f]|(?<![A-Za-z])(?:[\xa1-\xa3\xb0-\xf7][\xa1-\xfe])+(?![A-Za-z\x80-\xff]))+"
)
_CHINESE_WORD = re.compile(rb"[\x80-\xff]+")

#: Games, and even files of equal games, are packed less than this.
_LARGEST_RATIO = 200

#: Raised for damaged archives; RuntimeError for an encrypted zip member, IndexError for a member
#: without a name, OverflowError and struct.error for impossible numbers.
ERRORS = (
    OSError,
    EOFError,
    IndexError,
    OverflowError,
    RuntimeError,
    ValueError,
    lzma.LZMAError,
    struct.error,
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
)


class ArchiveError(ValueError):
    """An archive cannot be read, or not to its end; the message is the reason."""


@contextmanager
def as_archive_error() -> Iterator[None]:
    """Raise ArchiveError for what is raised where an archive is damaged."""
    try:
        yield
    except Exception as error:
        if not (isinstance(error, ERRORS) or packed.is_unpacking_error(error)):
            raise
        raise ArchiveError(reason(error)) from error


def read_archive(
    path: str,
    suffixes: tuple[str, ...],
    max_size: int | None = None,
    excluded: Patterns = NONE,
) -> Iterator[Input]:
    """Yield the files with these suffixes in the archive at `path`, as far as :func:`members` and
    :func:`read_members` give them.

    Where :func:`members` raises, the last Input is the archive itself, with the reason.
    """
    try:
        with as_archive_error(), open(path, "rb") as file:  # noqa: PTH123
            size = os.fstat(file.fileno()).st_size
            found = members(path, file, size, suffixes, max_size, excluded)
            yield from read_members(path, found, size, max_size)
    except ArchiveError as error:
        yield Input(path, None, str(error))


def read_members(
    path: str, found: Iterator[Member], size: int, max_size: int | None
) -> Iterator[Input]:
    """Yield these members of an archive of `size` bytes with their content, or the reason.

    A member that is an archive, or larger than `max_size` bytes, has no data. Members that are
    packed themselves have more bytes than recorded: where all have too many together, as for
    :func:`members`, the last Input is the archive itself, with the reason.
    """
    left = _most_unpacked(size, max_size)
    for member in found:
        read = read_member(path, member, max_size)
        left -= len(read.data or b"")
        if left < 0:
            yield Input(path, None, _TOO_LARGE)
            return
        yield read


def members(
    path: str,
    file: IO[bytes],
    size: int,
    suffixes: tuple[str, ...],
    max_size: int | None,
    excluded: Patterns,
) -> Iterator[Member]:
    """Yield the members with these suffixes of an archive of `size` bytes, and the archives in it,
    without those `excluded`.

    Those that :func:`read_members` will read may have more than `max_size` bytes together, by
    default the limit of :mod:`sgf_lark.files.packed`, only if that is at most `_LARGEST_RATIO`
    times the size of the archive. Raises ValueError for more, and where the archive is damaged an
    error that :func:`as_archive_error` knows. `file` must be seekable for a zip archive.
    """
    left = _most_unpacked(size, max_size)
    is_zip = path.lower().endswith(ZIP_SUFFIXES)
    for member in _zip_members(file) if is_zip else _tar_members(path, file):
        is_nested = _is_nested(member.name)
        if not (is_nested or has_suffix(member.name, suffixes)):
            continue
        if excluded.match(f"{path}!{member.name}"):
            continue
        # What read_members() refuses takes no memory.
        if member.size <= _member_limit(max_size) and not is_nested:
            left -= member.size
        if left < 0:
            raise ValueError(_TOO_LARGE)
        yield member


def _most_unpacked(size: int, max_size: int | None) -> int:
    """Return the number of bytes that all members of an archive of `size` bytes may have
    together."""
    limit = packed.FILE_LIMIT if max_size is None else max_size
    return max(limit, size * _LARGEST_RATIO)


def _member_limit(max_size: int | None) -> int:
    """Return the number of bytes that a member may have."""
    return packed.UNPACKED_LIMIT if max_size is None else max_size


def _is_nested(name: str) -> bool:
    """Whether a member is an archive, by its name."""
    return has_suffix(name, ARCHIVE_SUFFIXES)


def read_member(path: str, member: Member, max_size: int | None) -> Input:
    """Return a member of the archive at `path` with its content, or None and the reason.

    The recorded size may be wrong, so at most the limit is unpacked.
    """
    limit = _member_limit(max_size)
    name = member.name
    if _is_nested(name):
        return Input(f"{path}!{name}", None, _NESTED, name)
    try:
        if member.size > limit:
            raise packed.too_large(limit)
        with member.open() as file:
            return Input(f"{path}!{name}", packed.read_bounded(file, name, limit), "", name)
    except ERRORS as error:
        return Input(f"{path}!{name}", None, reason(error), name)


def _zip_members(file: IO[bytes]) -> Iterator[Member]:
    with zipfile.ZipFile(file) as archive:
        charset = _charset_of_names(archive.infolist())
        for info in archive.infolist():
            if not info.is_dir():
                name = info.filename
                if not info.flag_bits & _UTF_8_NAME:
                    name = name.encode(_ZIP_CHARSET, "replace").decode(charset, "replace")
                yield Member(name, info.file_size, partial(archive.open, info))


def _charset_of_names(members: list[zipfile.ZipInfo]) -> str:
    """The codec of the names of members that are not marked as UTF-8.

    The format says IBM437, but many programs write the charset of the computer. One or two
    characters are too few for the bytes to say which: then it is one in which they are letters.
    """
    names = "\n".join(each.filename for each in members if not each.flag_bits & _UTF_8_NAME)
    raw = names.encode(_ZIP_CHARSET, "replace")
    usual: Charset | None = None
    if _CHINESE.fullmatch(raw):
        usual = named("GB18030")
        # A folder with one such name is there once, however many files it has.
        raw = b"\n".join(dict.fromkeys(_CHINESE_WORD.findall(raw)))
    elif all(each.isascii() or unicodedata.name(each).startswith("LATIN") for each in names):
        usual = named("IBM437")
    return decide(raw, usual, Reason.DEFAULT, guesses=True).codec


def _tar_members(path: str, file: IO[bytes]) -> Iterator[Member]:
    with _opened_tar(path, file) as archive:
        for info in _tar_headers(archive):
            if info.isfile():
                # extractfile() gives None only for members that are not files.
                opener = cast(Callable[[], IO[bytes]], partial(archive.extractfile, info))
                yield Member(info.name, info.size, opener)


def _opened_tar(path: str, file: IO[bytes]) -> tarfile.TarFile:
    """Open a tar archive to read its members in their order; raises one of :data:`ERRORS`."""
    # tarfile knows zstd from Python 3.14 on.
    is_zstd = path.lower().endswith((".zst", ".tzst"))
    stream = packed.open_packed(file, "archive.zst") if is_zstd else file
    mode: Literal["r|", "r|*"] = "r|" if is_zstd else "r|*"
    try:
        return tarfile.open(fileobj=stream, mode=mode, tarinfo=_Header)
    except TypeError as error:  # tarfile takes the end of the file for a byte of a gzip header
        raise tarfile.ReadError("the header of the packed archive is cut") from error


class _Header(tarfile.TarInfo):
    """A header of a tar archive, which ends with a block of zeros and nothing else.

    For tarfile an archive also ends where it is cut between two members, and where a header is
    damaged: the rest would be lost without notice.
    """

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _Header:
        """Read a block; raises InvalidHeaderError for a header that tarfile would read whole, if
        it claims to be larger than a long name or other metadata can be."""
        header = super().frombuf(buf, encoding, errors)
        if header.type in _EXTENDED and header.size > _LARGEST_EXTENDED:
            raise InvalidHeaderError(f"a header of {header.size} bytes is too large")
        return header

    @classmethod
    def fromtarfile(cls, tarfile: tarfile.TarFile) -> _Header:
        """Read the next header; raises ReadError where there is none before the end."""
        try:
            return super().fromtarfile(tarfile)
        except EOFHeaderError:
            raise
        except HeaderError as error:
            raise ReadError(f"a header is damaged or missing: {error}") from error


def _tar_headers(archive: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """Yield the headers of all members, in bounded memory; raises ReadError where the archive ends
    before the end of a member."""
    for info in archive:
        # The list of members read so far is not needed, and would grow with the archive.
        archive.members.clear()  # type: ignore[attr-defined]
        yield info
        # tarfile reads the rest of a member, too, but block by block up to the size that the header
        # claims, also where nothing is left to read.
        stream = archive.fileobj
        assert stream is not None
        while (left := archive.offset - stream.tell()) > 0:
            if not stream.read(min(left, _BLOCK)):
                raise ReadError("unexpected end of data")
