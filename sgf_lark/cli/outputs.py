"""The files that commands write: their names, and what is not overwritten."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path, PurePosixPath
from stat import S_ISREG
from typing import BinaryIO

import click

from sgf_lark.cli import inputs
from sgf_lark.cli.inputs import Input
from sgf_lark.cli.terminal import print_error
from sgf_lark.files.packed import unpacked_name
from sgf_lark.text.escaping import escape

#: The device and the number of a file: equal for all names of the same file.
_Identity = tuple[int, int]


class Outputs:
    """Files to write. None of them is an input, and each is written once.

    `sources` are the paths of the inputs; those in the folder `output`, if that is in one of
    them, are not read and may be written.
    """

    def __init__(self, sources: Iterable[str], output: Path | None = None) -> None:
        paths = list(sources)
        self._sources = {_identity(path) for path in paths} - {None}
        folders = [inputs.real_path(path) for path in paths if inputs.is_folder(path)]
        place = inputs.real_path(output or "")
        self._folders = [
            folder for folder in folders if output is None or not place.is_relative_to(folder)
        ]
        self._written: dict[_Identity | None, str] = {}

    def is_free(self, target: Path) -> bool:
        """Whether the file is neither an input itself nor one that was written before."""
        identity = _identity(target)
        return identity not in self._sources and identity not in self._written

    def _is_input(self, target: Path) -> bool:
        place = inputs.real_path(target)
        return _identity(target) in self._sources or any(map(place.is_relative_to, self._folders))

    def write(self, target: Path, data: bytes, file: Input) -> None:
        """Write what was made from `file`. Raises OSError, and ValueError if it is not free."""

        def write(stream: BinaryIO) -> None:
            stream.write(data)

        self.write_stream(target, write, file.path)

    def write_stream(
        self, target: Path, write: Callable[[BinaryIO], None], path: str, token: str = ""
    ) -> None:
        """Write what `write` makes from the file or archive at `path`; the name of the temporary
        file has the hexadecimal digits of `token`.

        Raises OSError, ValueError if the target is not free, and what `write` raises.
        """
        from sgf_lark.model.writing import write_stream

        if self._is_input(target):
            raise ValueError(f"not written, because {escape(target)} is an input")
        before = self._written.get(_identity(target))
        if before is not None:
            raise ValueError(f"not written, because {escape(target)} was written from {before}")
        links = count_links(target)
        remove_strays(inputs.real_path(target.parent))
        write_stream(target, write, token=token)
        report_links(target, links)
        if inputs.is_file(target):
            self._written[_identity(target)] = path


#: A temporary file that is older than this, in seconds, is not being written any more.
_STRAY_AGE = 3600


@cache
def remove_strays(folder: Path) -> None:
    """Delete the temporary files that ended programs left in a folder; nothing raises.

    This is done once for a folder.
    """
    from sgf_lark.model.writing import TEMPORARY

    stray = re.compile(re.escape(TEMPORARY) + "[0-9a-f]{16}")
    with suppress(OSError, ValueError):
        for path in folder.iterdir():
            if not stray.fullmatch(path.name):
                continue
            status = path.lstat()
            if S_ISREG(status.st_mode) and time.time() - status.st_mtime > _STRAY_AGE:
                path.unlink(missing_ok=True)


def report_failure(error: OSError | ValueError, file: Input) -> None:
    """Print why what was made from `file` was not written."""
    name = error.filename if isinstance(error, OSError) else None
    print_error(f"{escape(name or file.path)}: {inputs.reason(error)}")


def count_links(target: Path) -> int:
    """Count the other names of a file, its hard links; nothing raises."""
    try:
        status = target.stat()
    except (OSError, ValueError, RuntimeError):
        return 0
    return status.st_nlink - 1 if S_ISREG(status.st_mode) else 0


def report_links(target: Path, links: int) -> None:
    """Print that other names of a file that was replaced still have the old content."""
    if links:
        names = "1 other name" if links == 1 else f"{links} other names"
        print_error(f"{escape(target)}: its old content stays under {names} (hard links)")


def _identity(path: str | Path) -> _Identity | None:
    try:
        status = os.stat(path)  # noqa: PTH116
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


def check_folder(output: Path, paths: Iterable[str], suffixes: tuple[str, ...]) -> None:
    """Raise UsageError if the files made from `paths` cannot be written to the folder `output`.

    `suffixes` are those of files: a new folder does not get a name like theirs.
    """
    if inputs.exists(output) and not inputs.is_folder(output):
        raise click.UsageError(
            f"{escape(output)} is a file; for several files it has to be a folder"
        )
    if not inputs.exists(output) and output.name.lower().endswith(suffixes):
        raise click.UsageError(
            f"for several files {escape(output)} would be a folder; drop the suffix"
        )
    for path in paths:
        if inputs.is_folder(path) and inputs.real_path(path) == inputs.real_path(output):
            raise click.UsageError(f"{escape(path)} is both the input and the output")


def check_collisions(
    output: Path,
    paths: Iterable[str],
    suffixes: tuple[str, ...],
    suffix_of: Callable[[Path], str] | None = None,
) -> None:
    """Raise UsageError if two files would be written to the same file in the folder `output`.

    `suffix_of` gives the new suffix of a path, if that changes.
    """
    sources: dict[Path, str] = {}
    for path, inner in inputs.list_files(paths, suffixes, left_out=inputs.real_path(output)):
        target = output / path_in_folder(Input(path, None, inner=inner))
        if suffix_of is not None:
            target = target.with_suffix(suffix_of(target))
        if target in sources:
            raise click.UsageError(
                f"{escape(sources[target])} and {escape(path)} would both be written to "
                f"{escape(target)}; nothing was written"
            )
        sources[target] = path


def check_file(output: Path) -> None:
    """Raise UsageError if no file can be written to `output`, before time is spent on it."""
    if inputs.is_folder(output):
        raise click.UsageError(f"{escape(output)} is a folder")
    if not inputs.is_folder(output.parent):
        raise click.UsageError(f"{escape(output)}: there is no folder {escape(output.parent)}")


# --- Names ----------------------------------------------------------------------------

#: The longest name that is made up, in bytes; file systems allow 255, and more may be appended.
_LONGEST_NAME = 200


def cut_name(name: str) -> str:
    """Return the beginning of a name that is short enough for any file system."""
    return os.fsencode(name)[:_LONGEST_NAME].decode("utf-8", "ignore").strip(" .")


def file_name(name: str) -> str:
    """Return `name` with characters that every system allows in names of files."""
    return re.sub(r'[\x00-\x1f<>:"|?*\\/]', "_", name)


def path_in_folder(file: Input) -> Path:
    """Return where a file is written in an output folder: as it is in the folder or archive."""
    if file.path == inputs.STDIN:
        return Path("game.sgf")
    parts = PurePosixPath(unpacked_name(file.inner or Path(file.path).name)).parts
    names = [file_name(part) for part in parts if part not in ("..", "/")]
    return Path(*names) if names else Path("game.sgf")
