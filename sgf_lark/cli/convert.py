"""``sgf-lark convert``: convert between SGF, JSON and wei7; ``sgf-lark schema``: that of wei7."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import click

from sgf_lark.cli import exit_code, options, outputs, terminal
from sgf_lark.cli.settings import settings_options
from sgf_lark.conversion import (
    ERRORS,
    FORMATS,
    FORMATS_BY_SUFFIX,
    SUFFIXES,
    Format,
    source_format,
)
from sgf_lark.conversion import (
    convert as convert_data,
)
from sgf_lark.files import contents, inputs
from sgf_lark.files.inputs import Patterns
from sgf_lark.syntax.errors import SGFSyntaxError
from sgf_lark.text.escaping import escape

#: What is converted, and into what.
converting_options = options.option_group(
    options.format_option(
        FORMATS,
        "SGF, JSON or wei7.  [default: by the name of OUTPUT if that is a file of one of them, or "
        "else JSON from SGF, and SGF from the others]",
        default=None,
    ),
    options.tolerant_option,
    options.charset_options,
    options.size_option,
)


_HINT = "\n--tolerant reads what is damaged, and sgf-lark fix repairs it"


@click.command()
@options.paths_argument
@options.output_option(
    "a folder for several files, with the paths that they have in their own folder or archive.  "
    "[default: standard output, for one file]"
)
@converting_options
@options.quiet_option("do not list what was lost or fixed.")
@options.exclude_option
@settings_options
@click.pass_context
def convert(
    ctx: click.Context,
    /,
    paths: tuple[str, ...],
    output: Path | None,
    output_format: Format | None,
    tolerant: bool,
    max_size: int | None,
    quiet: int,
    exclude: Patterns,
    **charsets: Any,
) -> None:
    """Convert between SGF, JSON and wei7.

    PATHS are files, folders (every .sgf, .mgt, .json and .wei7 file in them), zip and tar
    archives, or - for standard input.

    In JSON a collection is a list of games, a game is a list of nodes, and a node is an
    object with its properties and its "variations": the data of sgf_lark.grove. wei7
    represents one game of Go. What the new format cannot represent is reported on
    standard error. For archives that are too large for this command there is sgf-lark archive
    convert.

    The exit code is 0 if all was converted, 1 if something could not be represented, was fixed, or
    is so damaged that nothing was written for it, and 2 if something could not be read or written.
    """
    terminal.prepare_streams()
    output = None if output == outputs.STDOUT else output
    is_folder = output is not None and outputs.is_folder_of_results(paths, output)
    if output is not None and output_format is None and not is_folder:
        output_format = cast(Format, outputs.format_of(output, FORMATS_BY_SUFFIX))
    write = outputs.destination(paths, output)
    left_out = None if output is None else inputs.real_path(output)
    files = contents.read_all(
        paths, suffixes=SUFFIXES, left_out=left_out, max_size=max_size, excluded=exclude
    )
    if output is None:
        files = outputs.only_file(files, "--output")
    failed = found = 0
    for file in files:
        if file.data is None:
            terminal.print_error(f"{escape(file.path)}: {file.reason}")
            failed += 1
            continue
        source = source_format(file)
        try:
            result = convert_data(file.data, source, output_format, tolerant, charsets)
        except ERRORS as error:
            hint = _HINT if source == "sgf" and isinstance(error, SGFSyntaxError) else ""
            terminal.print_error(f"{escape(file.path)}: {error}{hint}")
            found += 1
            continue
        try:
            write(file, result.data, f".{result.format}")
        except (OSError, ValueError) as error:
            outputs.report_failure(error, file)
            failed += 1
            continue
        found += len(result.notes)
        for note in () if quiet else result.notes:
            click.echo(f"{escape(file.path)}:{escape(str(note))}", err=True)
    ctx.exit(exit_code(failed, found))


@click.command()
@click.argument("name", type=click.Choice(["wei7"]), default="wei7")
def schema(name: str) -> None:
    """Print the JSON Schema (2020-12) of wei7.

    It constrains single values of this JSON format for games of Go; `sgf-lark check` also finds
    what depends on several of them, such as moves onto stones.
    """
    import json

    from sgf_lark import wei7

    terminal.prepare_streams()
    terminal.write(json.dumps(wei7.schema(), indent=2) + "\n")
