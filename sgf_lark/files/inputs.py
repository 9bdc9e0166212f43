"""Files of users: their paths, those of folders, archives and standard input; the patterns that
leave some out, and the names under which others are written."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path, PurePath, PurePosixPath
from stat import S_ISDIR, S_ISREG
from typing import NamedTuple

from sgf_lark.files.packed import is_packed, unpacked_name


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
ARCHIVE_SUFFIXES = ZIP_SUFFIXES + TAR_SUFFIXES


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
    # Not Path.resolve(), which raises an error for links in a circle.
    return Path(os.path.realpath(path))


def exists(path: str | Path) -> bool:
    """Whether there is a file, folder or device of that path; nothing raises."""
    return _mode(path) != 0


def is_file(path: str | Path) -> bool:
    """Whether the path is that of a regular file; nothing raises."""
    return S_ISREG(_mode(path))


def is_archive(path: str) -> bool:
    """Whether the path is that of an archive, by its name."""
    return path.lower().endswith(ARCHIVE_SUFFIXES) and not is_folder(path)


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
