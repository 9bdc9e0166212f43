"""Where ``fix`` writes the fixed files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import click

from sgf_lark.cli import terminal
from sgf_lark.cli.inputs import Input

#: Writes the new content of a file; raises OSError and ValueError.
Destination = Callable[[Input, bytes], None]

_ARCHIVES = (".zip", ".tar", "gz")


def choose(
    ctx: click.Context,
    files: list[str],
    *,
    in_place: bool,
    backup: str | None,
    keep_times: bool,
    output: Path | None,
    split: bool,
    only_show: bool,
) -> Destination:
    """Return the destination for these options of the command.

    With `only_show` nothing is written to standard output. Raises UsageError where the
    options contradict each other or one is missing.
    """
    if in_place and output is not None:
        raise click.UsageError("--in-place and --output exclude each other", ctx)
    if backup is not None and not in_place:
        raise click.UsageError("--backup needs --in-place", ctx)
    if split and output is None:
        raise click.UsageError("--split needs --output with a folder", ctx)
    if len(files) > 1 and not (in_place or output or only_show):
        raise click.UsageError("for several files say --in-place, --output, --diff or --json", ctx)
    if in_place:
        _check_writable(ctx, files)
        return partial(_overwrite, backup=backup, keep_times=keep_times)
    if output is None:
        return _discard if only_show else _to_stdout
    if split:
        return partial(_to_folder_split, output)
    if len(files) > 1 or output.is_dir():
        return partial(_to_folder, output)
    return partial(_to_file, output)


def _check_writable(ctx: click.Context, files: list[str]) -> None:
    for path in files:
        if not Path(path).is_file() or path.lower().endswith(_ARCHIVES):
            raise click.UsageError(f"{path} cannot be written over", ctx)


def _discard(file: Input, data: bytes) -> None:
    """Write nothing: the changes are only shown."""


def _to_stdout(file: Input, data: bytes) -> None:
    terminal.write_bytes(data)


def _overwrite(file: Input, data: bytes, *, backup: str | None, keep_times: bool) -> None:
    from sgf_lark.model.writing import write_file

    if data == file.data:
        return
    target = Path(file.path)
    if backup is not None:
        write_file(target.with_name(target.name + backup), file.data or b"")
    write_file(target, data, keep_times=keep_times)


def _to_file(output: Path, file: Input, data: bytes) -> None:
    from sgf_lark.model.writing import write_file

    write_file(output, data)


def _to_folder(output: Path, file: Input, data: bytes) -> None:
    from sgf_lark.model.writing import write_file

    output.mkdir(parents=True, exist_ok=True)
    write_file(output / _file_name(_inner_path(file)), data)


def _to_folder_split(output: Path, file: Input, data: bytes) -> None:
    """Write each game tree to a file of its own."""
    from sgf_lark.model.writing import write_file

    output.mkdir(parents=True, exist_ok=True)
    stem = Path(_file_name(_inner_path(file))).stem
    for name, part in _split(data, stem):
        write_file(output / name, part)


# --- Names of files -------------------------------------------------------------------


def _inner_path(file: Input) -> str:
    """Return the path inside the archive for a file in an archive."""
    return file.path.rpartition("!")[2] or file.path


def _file_name(path: str) -> str:
    """Return the last part of a path with characters that every system allows in names."""
    return re.sub(r'[\x00-\x1f<>:"|?*\\]', "_", Path(path).name) or "game.sgf"


def _split(data: bytes, stem: str) -> Iterator[tuple[str, bytes]]:
    """Yield each game tree and the name of its file; raises ValueError for damaged text."""
    from sgf_lark.model.loading import loads

    collection = loads(data)
    taken: set[str] = set()
    for number, tree in enumerate(collection, 1):
        root = tree.root.number or 0
        start, end = collection.flat.opening[root], collection.flat.closing[root] + 1
        game_name = tree.root.get("GN")
        name = _file_name(str(game_name).replace("/", "_"))[:80].strip(" .") if game_name else ""
        if not name or name.lower() in taken:
            name = f"{name or stem}-{number}"
        taken.add(name.lower())
        yield f"{name}.sgf", collection.decoding.original_bytes(start, end) + b"\n"
