"""``sgf-lark tree``: how the grammar reads a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sgf_lark.cli.options import reading_options
from sgf_lark.cli.settings import settings_options

if TYPE_CHECKING:
    from sgf_lark.syntax.flat_tree import FlatTree
    from sgf_lark.text.decoding import Decoding


@click.command()
@click.argument("path")
@click.option(
    "--tolerant", is_flag=True, help="Read damaged files too; the damage is marked with its code."
)
@click.option(
    "--values",
    is_flag=True,
    help="Show how each value was read: its type, as what, and by which rule of values.lark.",
)
@click.option(
    "--trace",
    is_flag=True,
    help="Show the steps of the LALR(1) parse: state, stack, next token, and what is done.",
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="One JSON object with the symbols in pre-order, each with the index of its parent; "
    "with --trace an object a line.",
)
@click.option("--dot", is_flag=True, help="A graph for Graphviz.")
@click.option("--color/--no-color", default=None, help="Colour or none.")
@click.option(
    "--lang",
    "language",
    type=click.Choice(("en", "zh")),
    default="en",
    show_default=True,
    help="The language in which values are told.",
)
@reading_options
@settings_options
@click.pass_context
def tree(
    ctx: click.Context,
    /,
    path: str,
    tolerant: bool,
    values: bool,
    trace: bool,
    as_json: bool,
    dot: bool,
    color: bool | None,
    language: Any,
    charset: str | None,
    default_charset: str | None,
    charset_mode: Any,
    **context: Any,
) -> None:
    """Show the parse tree of an SGF file, by the rules of grammar/sgf.lark.

    PATH is a file, or - for standard input. Each line has a rule or a terminal,
    the line and column where it begins, and the text it stands for. With
    --tolerant the rules are those of grammar/tolerant.lark.

    With --trace each line is a step of the parser: where the next token stands,
    the state, the top of the stack, the token, and whether it is shifted, or the
    stack reduced by a production, and the state that follows.

    The exit code is 1 where the file leaves the grammar, 2 where it could not be
    read.
    """
    if as_json and dot:
        raise click.UsageError("--json and --dot exclude each other")
    if trace and (dot or values):
        raise click.UsageError("--trace goes with neither --dot nor --values")
    from sgf_lark.cli import inputs, terminal, tracing
    from sgf_lark.cli.trees import Shown
    from sgf_lark.syntax.errors import SGFSyntaxError

    terminal.prepare_streams("utf-8" if as_json or dot else None)
    file = next(iter(inputs.read_all([path])))
    if file.data is None:
        click.echo(f"sgf-lark: {path}: {file.reason}", err=True)
        ctx.exit(2)
    reading, flat = _read(file.data, tolerant, charset, default_charset, charset_mode)
    look = terminal.look(color, language)
    if trace:
        source = reading.source("utf-8")
        form = tracing.as_json if as_json else tracing.as_text
        terminal.write_all(form(reading.data, source, look, tolerant=tolerant))
    try:
        root = None if trace and flat is not None else _parse(reading, tolerant)
    except SGFSyntaxError as error:
        click.echo(f"{path}: {error}\n(--tolerant shows a tree of any file)", err=True)
        ctx.exit(1)
    if root is None:
        return
    shown = Shown(reading, tolerant, _values(reading, flat, language, context) if values else {})
    draw = shown.as_json if as_json else shown.as_dot if dot else shown.as_text
    terminal.write_all(draw(root, look))


def _read(
    data: bytes, tolerant: bool, charset: str | None, default_charset: str | None, mode: Any
) -> tuple[Decoding, FlatTree | None]:
    """The file under the reading that makes sense; no flat tree where the grammar has none."""
    from sgf_lark.syntax.parsing import parse_best
    from sgf_lark.syntax.tolerant import parse_tolerant
    from sgf_lark.text.decoding import decodings

    found = decodings(data, charset=charset, default_charset=default_charset, mode=mode)
    reading, flat = parse_best(found) or (found[0], None)
    return reading, parse_tolerant(reading.data).flat if tolerant else flat


def _parse(reading: Decoding, tolerant: bool) -> Any:
    """Lark's tree. Raises SGFSyntaxError, with the place in the columns that are shown."""
    from lark.exceptions import UnexpectedInput

    from sgf_lark.syntax import grammars as lark_grammars
    from sgf_lark.syntax.errors import explain

    try:
        return lark_grammars.structure_parser(tolerant).parse(reading.data.decode("latin-1"))
    except UnexpectedInput as error:
        raise explain(reading.data, error, reading.source("utf-8")) from None


def _values(reading: Decoding, flat: FlatTree | None, language: Any, context: Any) -> Any:
    from sgf_lark.teaching.readings import by_place

    return {} if flat is None else by_place(reading, flat, language, **context)
