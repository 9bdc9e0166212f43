"""Where ``fix`` writes the fixed files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path

import click

from sgf_lark.cli.outputs import (
    Destination,
    Outputs,
    check_folder,
    destination,
    replace,
    writing,
)
from sgf_lark.files import inputs
from sgf_lark.files.inputs import Input, cut_name, file_name, path_in_folder, same_everywhere
from sgf_lark.files.packed import is_packed
from sgf_lark.text.escaping import escape

#: Why nothing is done with both options.
DIFF_WITH_OUTPUT = "--diff only shows the changes; leave it out to write to --output"


def choose(
    ctx: click.Context,
    paths: Sequence[str],
    *,
    in_place: bool,
    backup: str | None,
    keep_times: bool,
    output: Path | None,
    split: bool,
    diff: bool,
    only_report: bool,
) -> Destination:
    """Return the destination for these options of the command.

    With `diff` nothing is written anywhere, with `only_report` nothing to standard output. Raises
    UsageError where the options contradict each other or one is missing.
    """
    for is_contradiction, message in (
        (diff and output is not None, DIFF_WITH_OUTPUT),
        (in_place and output is not None, "--in-place and --output exclude each other"),
        (backup is not None and not in_place, "--backup needs --in-place"),
        (split and output is None, "--split needs --output with a folder"),
    ):
        if is_contradiction:
            raise click.UsageError(message, ctx)
    if backup is not None:
        _check_suffix(ctx, backup)
    if in_place:
        for path in paths:
            if not inputs.may_be_overwritten(path):
                raise click.UsageError(
                    f"{escape(path)} cannot be overwritten; give an --output", ctx
                )
        if diff:
            return _discard
        return partial(_overwrite, backup=backup, keep_times=keep_times)
    if output is None and (diff or only_report):
        return _discard
    if split and output is not None:
        check_folder(output, paths)
        return partial(_to_folder_split, output, Outputs(paths, output), set())
    return destination(paths, output, inputs.SGF_SUFFIXES)


def _check_suffix(ctx: click.Context, suffix: str) -> None:
    """Raise UsageError for a suffix of backups that is meant as something else, as a file to fix
    is after an option without a suffix."""
    is_suffix = suffix and file_name(suffix) == suffix and not suffix.startswith("-")
    known = inputs.GAME_SUFFIXES + inputs.ZIP_SUFFIXES + inputs.TAR_SUFFIXES
    if not is_suffix or inputs.exists(suffix) or suffix.lower().endswith(known):
        raise click.UsageError(
            f"{suffix!r} is not a suffix for backups; write --backup=.bak, or --backup at the end",
            ctx,
        )


def _discard(file: Input, data: bytes, suffix: str = "") -> None:
    """Write nothing: the changes are only shown."""


def _to_folder_split(
    output: Path, outputs: Outputs, used: set[str], file: Input, data: bytes, suffix: str = ""
) -> None:
    """Write each game tree to a file of its own, whose name is not among those `used` before, also
    where the file is copied to a system that ignores case."""
    path = path_in_folder(file)
    folder = output / path.parent
    folder.mkdir(parents=True, exist_ok=True)
    for number, name, part in _split(data):
        targets = (folder / f"{stem}.sgf" for stem in _stems(name, path.stem, number))
        target = next(
            each for each in targets if same_everywhere(each) not in used and outputs.is_free(each)
        )
        outputs.write(target, part, file)
        used.add(same_everywhere(target))


# --- In place -------------------------------------------------------------------------


def _overwrite(
    file: Input, data: bytes, suffix: str = "", *, backup: str | None, keep_times: bool
) -> None:
    if data == file.data:
        return
    if is_packed(file.path):
        raise ValueError("not overwritten, because it is packed; give an --output")
    target = Path(file.path)
    if backup is not None:
        _back_up(target, file.data or b"", backup)
    replace(target, writing(data), keep_times=keep_times)


def _back_up(target: Path, data: bytes, suffix: str) -> None:
    """Write `data`, the content of `target`, to a file that did not exist before.

    Its name is that of `target` with the suffix, then with ".1", ".2" and so on. Nothing is
    written where one of these files has this content already.
    """
    from sgf_lark.atomic_files import write_file

    first = target.with_name(target.name + suffix)
    for number in count(1):
        backup = first if number == 1 else first.with_name(f"{first.name}.{number - 1}")
        if inputs.is_file(backup) and backup.read_bytes() == data:
            return
        if os.path.lexists(backup):
            continue
        with suppress(FileExistsError):
            write_file(backup, data, keep_times=True, like=target, is_new=True)
            return


# --- Splitting ------------------------------------------------------------------------


def _split(data: bytes) -> Iterator[tuple[int, str, bytes]]:
    """Yield the number, the name and the bytes of each game tree.

    Raises ValueError for damaged text.
    """
    from sgf_lark.model.loading import loads

    collection = loads(data)
    for number, tree in enumerate(collection, 1):
        root = tree.root.number or 0
        start, end = collection.flat.opening[root], collection.flat.closing[root] + 1
        name = tree.root.get("GN")
        part = collection.file.decoding.original_bytes(start, end) + b"\n"
        yield number, str(name) if name else "", part


def _stems(name: str, stem: str, number: int) -> Iterator[str]:
    """Yield names for the file of a game tree: its GN, or else a number."""
    name, stem = file_name(cut_name(name)), file_name(cut_name(stem))
    if name:
        yield name
    yield f"{name or stem}-{number}"
    yield from (f"{name or stem}-{number}-{again}" for again in count(2))
