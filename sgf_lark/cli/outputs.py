"""The files that commands write: their names, and what is not overwritten; and the one file of a
command that takes one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

import click

from sgf_lark.cli import terminal
from sgf_lark.cli.terminal import print_error
from sgf_lark.conversion import SUFFIXES
from sgf_lark.files import contents, inputs
from sgf_lark.files.inputs import Input, path_in_folder
from sgf_lark.text.escaping import escape

#: The name of standard output, as that of standard input is.
STDOUT = Path(inputs.STDIN)

#: The device and the number of a file: equal for all names of the same file.
_Identity = tuple[int, int]

#: Writes what was made from a file, in a folder with a suffix instead of that of the file if one
#: is given; raises OSError and ValueError.
Destination = Callable[[Input, bytes, str], None]


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

    def write(self, target: Path, data: bytes, path: str, *, can_be_repeated: bool = False) -> None:
        """Write what was made from the file or archive at `path`.

        Raises OSError, and ValueError if the target is not free.
        """
        from sgf_lark.atomic_files import write_file

        identity = _identity(target)
        in_folder = map(inputs.real_path(target).is_relative_to, self._folders)
        if identity in self._sources or any(in_folder):
            raise ValueError(f"not written, because {escape(target)} is an input")
        before = self._written.get(identity)
        if before is not None:
            raise ValueError(f"not written, because {escape(target)} was written from {before}")
        write_file(target, data, can_be_repeated=can_be_repeated)
        if inputs.is_file(target):
            self._written[_identity(target)] = path


def report_failure(error: OSError | ValueError, file: Input) -> None:
    """Print why what was made from `file` was not written."""
    name = error.filename if isinstance(error, OSError) else None
    print_error(f"{escape(name or file.path)}: {inputs.reason(error)}")


def _identity(path: str | Path) -> _Identity | None:
    try:
        # Not the path: one file has several with links, and on file systems that ignore case.
        status = os.stat(path)  # noqa: PTH116
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino


# --- Destinations ---------------------------------------------------------------------


def destination(paths: Sequence[str], output: Path | None) -> Destination:
    """Return where the results for files are written: standard output, a file or a folder.

    Raises UsageError where a result cannot be written.
    """
    if output is None or output == STDOUT:
        return to_stdout
    if is_folder_of_results(paths, output):
        check_folder(output, paths)
        return partial(_to_folder, output, Outputs(paths, output))
    return partial(_to_file, output, Outputs(paths))


def is_folder_of_results(paths: Sequence[str], output: Path) -> bool:
    """Whether `output` is a folder, or has to be one for the results of several files."""
    return len(paths) > 1 or inputs.is_folder(output) or any(map(inputs.holds_files, paths))


def to_stdout(file: Input, data: bytes, suffix: str = "") -> None:
    """Write to standard output."""
    terminal.write_bytes(data)


def _to_file(output: Path, outputs: Outputs, file: Input, data: bytes, suffix: str = "") -> None:
    outputs.write(output, data, file.path)


def _to_folder(output: Path, outputs: Outputs, file: Input, data: bytes, suffix: str = "") -> None:
    target = output / path_in_folder(file)
    target.parent.mkdir(parents=True, exist_ok=True)
    target = target.with_suffix(suffix) if suffix else target
    outputs.write(target, data, file.path, can_be_repeated=True)


def only_file(files: Iterator[Input], hint: str) -> Iterator[Input]:
    """Return the only file; raises UsageError with `hint` if there are several."""
    first = list(islice(files, 2))
    if len(first) > 1:
        raise click.UsageError(f"for several files say {hint}")
    return iter(first)


def check_folder(output: Path, paths: Iterable[str]) -> None:
    """Raise UsageError if the files made from `paths` cannot be written to the folder `output`."""
    if inputs.exists(output) and not inputs.is_folder(output):
        raise click.UsageError(
            f"{escape(output)} is a file; for several files it has to be a folder"
        )
    if not inputs.exists(output) and output.name.lower().endswith(SUFFIXES):
        raise click.UsageError(
            f"for several files {escape(output)} would be a folder; drop the suffix"
        )
    for path in paths:
        if inputs.is_folder(path) and inputs.real_path(path) == inputs.real_path(output):
            raise click.UsageError(f"{escape(path)} is both the input and the output")


def write_text(pieces: Iterable[str], output: Path | None) -> None:
    """Write text to the file `output`, or to standard output; where that fails, end the program
    with exit code 2."""
    if output is None or output == STDOUT:
        terminal.write_all(pieces)
        return
    from sgf_lark.atomic_files import write_file

    write_file(output, "".join(pieces).encode("utf-8", "backslashreplace"))


def format_of(output: Path, suffixes: Mapping[str, str], given: str | None = None) -> str:
    """Return the format that was given, or else that of the suffix of a file to write.

    Raises UsageError where there is none, or no file can be written.
    """
    check_file(output)
    chosen = given or suffixes.get(output.suffix.lower())
    if chosen is None:
        raise click.UsageError(
            f"no format is known for {output}: its name has to end in {', '.join(suffixes)}"
        )
    return chosen


def check_file(output: Path) -> None:
    """Raise UsageError if no file can be written to `output`, before time is spent on it."""
    if inputs.is_folder(output):
        raise click.UsageError(f"{escape(output)} is a folder")
    if not inputs.is_folder(output.parent):
        raise click.UsageError(f"{escape(output)}: there is no folder {escape(output.parent)}")


def read_one(path: str, max_size: int | None) -> Input:
    """Read the only file of `path`.

    Where that cannot be read, or where `path` is a folder or an archive with several files, end
    with exit code 2.
    """
    first = list(islice(contents.read_all([path], max_size=max_size), 2))
    if len(first) > 1:
        hint = f", such as {escape(first[0].path)}" if inputs.is_folder(path) else ""
        terminal.fail(f"{escape(path)}: there are several files in it; name one{hint}")
    if first[0].data is None:
        terminal.fail(f"{escape(first[0].path)}: {first[0].reason}")
    return first[0]
