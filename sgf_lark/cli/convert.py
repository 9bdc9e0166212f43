"""``sgf-lark convert``: convert between SGF, JSON and wei7."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

import click

from sgf_lark.cli import CLEAN, COULD_NOT_RUN, VIOLATIONS, inputs, parallel, terminal
from sgf_lark.cli.completion import complete_paths
from sgf_lark.cli.inputs import Input
from sgf_lark.cli.options import ArchiveOptions, archive_options, size_option
from sgf_lark.cli.outputs import (
    Outputs,
    check_collisions,
    check_folder,
    path_in_folder,
    report_failure,
)
from sgf_lark.conversion import (
    ERRORS,
    FORMATS,
    SUFFIXES,
    Converted,
    Format,
    format_by_name,
    new_suffix,
    source_format,
)
from sgf_lark.conversion import (
    convert as convert_data,
)
from sgf_lark.syntax.errors import SGFSyntaxError
from sgf_lark.text.escaping import escape


@click.command()
@click.argument("source", shell_complete=complete_paths)
@click.argument("target", required=False, type=click.Path(path_type=Path))
@click.option(
    "--to",
    "target_format",
    type=click.Choice(FORMATS),
    help="Write this format.  [default: by the name of TARGET; for a folder and without TARGET, "
    "JSON from SGF and SGF from the others]",
)
@click.option(
    "--tolerant",
    is_flag=True,
    help="Fix a wei7 text that breaks rules or is not JSON, and report each violation.",
)
@size_option
@archive_options
@click.pass_context
def convert(
    ctx: click.Context,
    /,
    source: str,
    target: Path | None,
    target_format: Format | None,
    tolerant: bool,
    max_size: int | None,
    archives: ArchiveOptions | None,
) -> None:
    """Convert between SGF, JSON and wei7.

    SOURCE is a file, or - for standard input; without TARGET the result is written to
    standard output. If SOURCE is a folder or an archive, every .sgf, .mgt, .json and
    .wei7 file in it is converted into the folder TARGET, with its path and the suffix of
    the new format.

    In JSON a collection is a list of games, a game is a list of nodes, and a node is an
    object with its properties and its "variations": the data of sgf_lark.grove. wei7
    represents one game of Go. What the target format cannot represent is reported on
    standard error.

    With --changes, SOURCE is as for audit, and the work is done in several processes. A
    folder is written to a folder, an archive to an archive of the same kind; what is not a game in
    an archive is copied, and what cannot be converted is left out. Without TARGET this is a
    dry run: only the table is written. A run that was stopped resumes where it was.

    The exit code is 1 if something could not be represented or was fixed. It is 2 if a
    file could not be read, converted or written; nothing is written for it then.
    """
    terminal.prepare_streams()
    if archives is not None:
        from sgf_lark.cli.archives import convert as convert_archives

        ctx.exit(convert_archives(source, target, archives, target_format, tolerant, max_size))
    is_folder = target is not None and (inputs.holds_files(source) or inputs.is_folder(target))
    if target is not None and target_format is None and not is_folder:
        target_format = _format_of_target(target)
    if target is not None and inputs.holds_files(source):
        check_folder(target, [source], SUFFIXES)
        check_collisions(target, [source], SUFFIXES, partial(new_suffix, target_format))
    outputs = Outputs([source], target)
    codes = []
    work = partial(_convert_file, target=target_format, tolerant=tolerant)
    files = _read(source, target, max_size)
    for file, result in parallel.map_files(files, parallel.processors(), work, _not_converted):
        if isinstance(result, str):
            terminal.print_error(result)
            codes.append(COULD_NOT_RUN)
            continue
        data, notes, name = result
        place = target
        if target is not None and is_folder:
            place = target / path_in_folder(file).with_suffix(f".{name}")
        if not _write(data, place, file, outputs):
            codes.append(COULD_NOT_RUN)
            continue
        for line in notes:
            click.echo(f"{escape(file.path)}:{escape(str(line))}", err=True)
        codes.append(VIOLATIONS if notes else CLEAN)
    ctx.exit(max(codes, default=COULD_NOT_RUN))


def _read(source: str, target: Path | None, max_size: int | None) -> Iterable[Input]:
    """Read the files to convert: all those of a folder or archive, if there is a target."""
    if target is None or not inputs.holds_files(source):
        return [inputs.read_one(source, SUFFIXES, max_size)]
    left_out = inputs.real_path(target)
    return inputs.read_all([source], suffixes=SUFFIXES, left_out=left_out, max_size=max_size)


def _convert_file(file: Input, target: Format | None, tolerant: bool) -> Converted | str:
    """Return the result, or an error message."""
    if file.data is None:
        return f"{escape(file.path)}: {file.reason}"
    source = source_format(file)
    try:
        return convert_data(file.data, source, target, tolerant)
    except RecursionError:
        return f"{escape(file.path)}: the variations are nested too deeply for JSON"
    except ERRORS as error:
        hint = _way_out(file) if source == "sgf" and isinstance(error, SGFSyntaxError) else ""
        return f"{escape(file.path)}: {error}{hint}"


def _not_converted(file: Input) -> str:
    return f"{escape(file.path)}: not converted, because a process of sgf-lark ended"


#: What fixes lead to is not tried for files with more damage, of which each takes its time.
_MOST_DAMAGE = 1000


def _way_out(file: Input) -> str:
    """Return how to fix a file that cannot be parsed, or "" if that is not possible."""
    from sgf_lark import fixing
    from sgf_lark.fixing.rewriting import Rewriting
    from sgf_lark.syntax.parsing import parse_if_strict
    from sgf_lark.syntax.tolerant import parse_tolerant

    parsed = parse_tolerant(file.data or b"")
    if len(parsed.damage) + len(parsed.lowercase) > _MOST_DAMAGE:
        return "\nsgf-lark fix repairs damage"
    ways: dict[str, dict[str, Any]] = {
        "": {},
        " --header comment": {"rewriting": Rewriting(header="comment")},
        " --unsafe": {"unsafe": True},
    }
    for arguments, options in ways.items():
        if parse_if_strict(fixing.fix(file.data or b"", **options).data) is not None:
            return f"\nsgf-lark fix{arguments} makes a file that can be converted"
    return ""


def _write(data: bytes, target: Path | None, file: Input, outputs: Outputs) -> bool:
    """Whether the result was written; if not, the error is printed."""
    if target is None:
        terminal.write_bytes(data)
        return True
    try:
        if file.inner:
            target.parent.mkdir(parents=True, exist_ok=True)
        outputs.write(target, data, file)
    except (OSError, ValueError) as error:
        report_failure(error, file)
        return False
    return True


# --- Formats --------------------------------------------------------------------------


def _format_of_target(target: Path) -> Format:
    found = format_by_name(target)
    if found is None:
        suffixes = ", ".join(f".{name}" for name in FORMATS)
        raise click.UsageError(
            f"no format is known for {target}: its name has to end in {suffixes}, "
            "or say --to with a format"
        )
    return found
