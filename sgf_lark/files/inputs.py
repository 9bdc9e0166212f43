"""Files of users: their paths, those of folders, archives and standard input, and their content,
one at a time; the patterns that leave some out, and the names under which others are written."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from io import UnsupportedOperation
from pathlib import Path, PurePath, PurePosixPath
from stat import S_ISDIR, S_ISREG
from typing import NamedTuple

from sgf_lark.files.packed import check_stream, is_packed, read_bounded, unpacked_name


@dataclass(frozen=True)
class Patterns:
    """Patterns with ``*``, ``?`` and ``[…]``, and the folder that they are relative to.

    A pattern without a slash matches files and folders of that name at any depth; one with a slash
    matches paths below the folder `base`, where ``*`` matches slashes as well. What matches a
    folder matches everything in it.
    """

    patterns: tuple[str, ...] = ()
    base: str = field(default_factory=os.getcwd)

    def match(self, path: str) -> bool:
        """Whether a pattern matches the path, also that of a file in an archive."""
        return any(map(self._matches, self._relative_paths(path)) if self.patterns else ())

    def _relative_paths(self, path: str) -> Iterator[tuple[str, ...]]:
        try:
            relative = os.path.relpath(path, self.base)
        except ValueError:  # it is on another drive, or has a zero byte
            relative = path
        yield PurePath(relative).parts
        if "!" in relative:
            yield PurePath(relative.replace("!", "/")).parts

    def _matches(self, parts: tuple[str, ...]) -> bool:
        parents = ["/".join(parts[: number + 1]) for number in range(len(parts))]
        for pattern in self.patterns:
            pattern = pattern.rstrip("/")
            names = parents if "/" in pattern else parts
            anywhere = pattern.removeprefix("**/")
            pattern = pattern.lstrip("/")
            if any(fnmatchcase(name, each) for name in names for each in (pattern, anywhere)):
                return True
        return False


#: Matches no path.
NONE = Patterns((), "")


#: Standard input, as a path.
STDIN = "-"

#: Suffixes of game files in folders and archives; MGT is the older name of SGF.
SGF_SUFFIXES = (".sgf", ".mgt")
WEI7_SUFFIXES = (".wei7",)
GAME_SUFFIXES = SGF_SUFFIXES + WEI7_SUFFIXES
ZIP_SUFFIXES = (".zip",)
TAR_SUFFIXES = (
    *(".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tbz", ".tar.xz", ".txz"),
    *(".tar.zst", ".tzst"),
)


class Input(NamedTuple):
    """One file: the path to print and its bytes, or None and the reason why not.

    `inner` is its path inside the folder or archive that was given, empty for a file that was
    given itself.
    """

    path: str
    data: bytes | None
    reason: str = ""
    inner: str = ""

    def is_wei7(self) -> bool:
        """Whether it is a file of wei7, by its name."""
        return has_suffix(self.path, WEI7_SUFFIXES)


def has_suffix(path: str, suffixes: tuple[str, ...]) -> bool:
    """Whether the name of the file, without the suffix of a packed one, has one of `suffixes`."""
    return path.lower().endswith(suffixes) or unpacked_name(path).lower().endswith(suffixes)


def is_folder(path: str | Path) -> bool:
    """Whether the path is that of a folder; nothing raises."""
    return path != STDIN and S_ISDIR(_mode(path))


def real_path(path: str | Path) -> Path:
    """Return the path without symbolic links, as far as they can be followed; nothing raises."""
    return Path(os.path.realpath(path))


def exists(path: str | Path) -> bool:
    """Whether there is a file, folder or device of that path; nothing raises."""
    return _mode(path) != 0


def is_file(path: str | Path) -> bool:
    """Whether the path is that of a regular file; nothing raises."""
    return S_ISREG(_mode(path))


def is_archive(path: str) -> bool:
    """Whether the path is that of an archive, by its name."""
    return path.lower().endswith(ZIP_SUFFIXES + TAR_SUFFIXES) and not is_folder(path)


def may_be_overwritten(path: str) -> bool:
    """Whether that is a file, a folder of files, or nothing, which is reported later."""
    if path == STDIN or is_archive(path) or is_packed(path):
        return False
    return is_file(path) or is_folder(path) or not exists(path)


def holds_files(path: str) -> bool:
    """Whether the path is that of a folder or of an archive."""
    return is_folder(path) or is_archive(path)


def count_files(
    paths: Iterable[str], suffixes: tuple[str, ...] = GAME_SUFFIXES, excluded: Patterns = NONE
) -> int:
    """Count the files that :mod:`sgf_lark.files.inputs` will read; an archive counts as one."""
    return sum(
        sum(1 for _ in walk(path, suffixes, excluded=excluded)) if is_folder(path) else 1
        for path in paths
    )


def _mode(path: str | Path) -> int:
    """Return the mode of the file that `path` leads to, or 0 where it cannot be read."""
    try:
        return os.stat(path).st_mode  # noqa: PTH116
    except (OSError, ValueError):
        return 0


def reason(error: Exception) -> str:
    """Return the message of `error` without the path."""
    strerror = error.strerror if isinstance(error, OSError) else None
    return strerror or str(error) or type(error).__name__


class Found(NamedTuple):
    """A file in a folder: its path, and the one inside the folder, with slashes; or a folder that
    cannot be listed, with the error."""

    path: str
    inner: str
    error: OSError | None = None


def walk(
    folder: str,
    suffixes: tuple[str, ...],
    left_out: Path | None = None,
    excluded: Patterns = NONE,
) -> Iterator[Found]:
    """Yield the files in `folder`, sorted, and folders that cannot be listed.

    What matches `excluded` is left out, as are the files in such folders. Links to folders are
    not followed, since they may lead in a circle. Devices and pipes are left out, since reading
    them may never end; a broken link is kept, to be reported.
    """
    # Not Path.walk() or rglob(): scandir() knows what is a folder without asking for each entry,
    # and an error of one folder is reported with its name.
    waiting: list[tuple[os.DirEntry[str] | None, str, str]] = [(None, str(Path(folder)), "")]
    while waiting:
        entry, path, inner = waiting.pop()
        if entry is not None and excluded.match(path):
            continue
        if entry is None or entry.is_dir(follow_symlinks=False):
            if left_out is not None and real_path(path) == left_out:
                continue
            try:
                with os.scandir(path) as entries:
                    found = sorted(entries, key=_name, reverse=True)
            except OSError as error:
                yield Found(path, inner or ".", error)
                continue
            # The path as pathlib gives it, which does not begin with "./".
            before = "" if path == "." else os.path.join(path, "")  # noqa: PTH118
            within = f"{inner}/" if inner else ""
            waiting += [(each, before + each.name, within + each.name) for each in found]
        elif has_suffix(entry.name, suffixes) and (
            entry.is_file(follow_symlinks=False) or is_file(path) or not exists(path)
        ):
            yield Found(path, inner)


def _name(entry: os.DirEntry[str]) -> str:
    return os.path.normcase(entry.name)


#: Names of devices on Windows, also with a suffix.
_DEVICE = re.compile(
    r"(CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(COM|LPT)[0-9¹²³])(?= *(\.|$))", re.IGNORECASE
)


def file_name(name: str) -> str:
    """Return `name` as every system allows it as the name of a file: without the characters, the
    names of devices and the dots and blanks at the end that Windows takes for something else."""
    name = re.sub(r'[\x00-\x1f<>:"|?*\\/]|[. ](?=[. ]*$)', "_", name)
    return _DEVICE.sub(r"\1_", name, count=1) if _DEVICE.match(name) else name


def path_below(name: str) -> Path:
    """Return the path of that name as one below a folder, with such characters."""
    return Path(*(file_name(part) for part in PurePosixPath(name).parts if part not in ("..", "/")))


def path_in_folder(file: Input) -> Path:
    """Return where a file is written in an output folder: as it is in the folder or archive."""
    found = path_below(unpacked_name(file.inner or Path(file.path).name))
    return Path("game.sgf") if file.path == STDIN or not found.name else found


# --- Reading, one file at a time ---------------------------------------------------------

#: The reason for a folder or an archive that has no file to read.
NO_GAMES = "there is no game file in it"


def read_all(
    paths: Iterable[str],
    *,
    suffixes: tuple[str, ...] = GAME_SUFFIXES,
    left_out: Path | None = None,
    max_size: int | None = None,
    excluded: Patterns = NONE,
) -> Iterator[Input]:
    """Read the files of `paths` one at a time, in the order given.

    A folder is replaced by its files with these `suffixes` and those of its sub-folders, sorted,
    without the folder `left_out`; an archive by its files, in its own order, as
    ``archive.zip!member.sgf``. Packed files, such as ``game.sgf.gz``, are unpacked. What is larger
    than `max_size` bytes, by default the limits of :mod:`sgf_lark.files.packed`, is not read, nor
    is what matches `excluded`. What cannot be read, and a folder or an archive without such
    files, becomes an Input without data; nothing raises.
    """
    for path in paths:
        if path == STDIN:
            yield _read_stdin(max_size)
        elif excluded.match(path):
            continue
        elif is_folder(path):
            files = _read_folder(path, suffixes, left_out, max_size, excluded)
            yield from _or_nothing(path, files)
        elif is_archive(path):
            from sgf_lark.files.archives import read_archive  # which is slow to import

            members = read_archive(path, suffixes, max_size, excluded)
            yield from _or_nothing(path, members)
        else:
            yield _read_file(path, max_size)


def _or_nothing(path: str, files: Iterator[Input]) -> Iterator[Input]:
    """Yield `files`, or that there are none."""
    first = next(files, None)
    if first is None:
        yield Input(path, None, NO_GAMES)
        return
    yield first
    yield from files


def list_files(
    paths: Iterable[str],
    suffixes: tuple[str, ...],
    left_out: Path | None = None,
) -> Iterator[tuple[str, str]]:
    """Yield the path and the inner path of each file that :func:`read_all` will read."""
    for path in paths:
        if is_folder(path):
            for found in walk(path, suffixes, left_out):
                yield found.path, found.inner
        elif is_archive(path):
            from sgf_lark.files.archives import list_archive

            for name in list_archive(path, suffixes):
                yield f"{path}!{name}", name
        elif path != STDIN:
            yield path, ""


def _read_stdin(max_size: int | None) -> Input:
    if sys.stdin is None:
        return Input(STDIN, None, "standard input is closed")
    try:
        with suppress(UnsupportedOperation):  # where standard input is an object of Python
            check_stream(sys.stdin.buffer, STDIN, max_size)
        return Input(STDIN, read_bounded(sys.stdin.buffer, STDIN, max_size))
    except (OSError, ValueError) as error:
        return Input(STDIN, None, reason(error))


# Path would open "" as the current folder and "game.sgf/" as the file, so paths of users are
# opened as they are.


def _read_file(path: str, max_size: int | None, inner: str = "") -> Input:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            check_stream(file, path, max_size)
            return Input(path, read_bounded(file, path, max_size), "", inner)
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        return Input(path, None, reason(error), inner)


def _read_folder(
    folder: str,
    suffixes: tuple[str, ...],
    left_out: Path | None,
    max_size: int | None,
    excluded: Patterns,
) -> Iterator[Input]:
    for path, inner, error in walk(folder, suffixes, left_out, excluded):
        if error is None:
            yield _read_file(path, max_size, inner)
        else:
            yield Input(path, None, reason(error), inner)
