"""``sgf-lark tree``: show the parse tree of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, get_args

import click

from sgf_lark.cli import VIOLATIONS, exit_code, options
from sgf_lark.cli.settings import settings_options
from sgf_lark.text.escaping import escape, escape_lines

if TYPE_CHECKING:
    from sgf_lark.cli.terminal import OutputStyle
    from sgf_lark.diagnostics import Language
    from sgf_lark.text.decoding import Decoding

_Format = Literal["text", "json", "dot"]


@click.command()
@options.path_argument
@options.tolerant_option
@click.option(
    "--values",
    is_flag=True,
    help="Show the type, the result and the rules of values.lark for each value.",
)
@click.option(
    "--trace",
    is_flag=True,
    help="Show the steps of the LALR(1) parser: state, stack, lookahead and action.",
)
@options.format_option(
    get_args(_Format),
    "text, JSON (one object with the symbols in pre-order, each with the index of its parent; with "
    "--trace one object for each step), or a graph for Graphviz.",
)
@options.color_option
@options.language_option
@options.reading_options
@options.size_option
@settings_options
@click.pass_context
def tree(
    ctx: click.Context,
    /,
    path: str,
    tolerant: bool,
    values: bool,
    trace: bool,
    output_format: _Format,
    color: bool | None,
    language: Language,
    charset: str | None,
    default_charset: str | None,
    charset_mode: Any,
    max_size: int | None,
    **context: Any,
) -> None:
    """Show the parse tree of an SGF file, with the rules of grammar/sgf.lark.

    PATH is a file, - for standard input, or a folder or an archive with one file. Each
    line has a rule or a terminal, the line and column where it begins, and for a terminal
    its text. With --tolerant the rules are those of grammar/tolerant.lark.

    With --trace each line is a step of the parser: the place of the lookahead, the
    state, the top of the stack, the lookahead, and the action (shift, or reduce by a
    production) with the state after it.

    The exit code is 1 if the file does not match the grammar, and 2 if it could not be
    read.
    """
    if trace and (output_format == "dot" or values):
        raise click.UsageError("--trace goes with neither --format dot nor --values")
    from sgf_lark.cli import terminal, tree_formats
    from sgf_lark.cli.inputs import read_one
    from sgf_lark.syntax.game_trees import parse
    from sgf_lark.syntax.signatures import kind_of
    from sgf_lark.text.decoding import decode

    terminal.prepare_streams("utf-8" if output_format != "text" else None)
    file = read_one(path, max_size=max_size)
    if file.is_wei7():
        terminal.fail(f"{escape(path)}: it is wei7, which has no tree of SGF")
    data = file.data or b""
    found = decode(data, charset=charset, default_charset=default_charset, mode=charset_mode)
    kind = kind_of(data)
    if tolerant and kind is not None:
        terminal.print_error(f"{escape(path)}: there is no game tree in it: the file is {kind.en}")
        ctx.exit(VIOLATIONS)
    parsed = parse(found)
    decoding, is_damaged = parsed.decoding, bool(parsed.places_of_damage)
    style = terminal.output_style(color, language)
    if trace:
        terminal.write_all(_trace(decoding, tolerant, output_format, style))
        if is_damaged and not tolerant:
            _parse(ctx, path, decoding, tolerant)
        ctx.exit(exit_code(None, is_damaged))
    root = _parse(ctx, path, decoding, tolerant)
    described = {}
    if values:
        from sgf_lark.teaching.described_values import by_place

        described = by_place(parsed.overriding(**context), language)
    symbols = tree_formats.symbols(root, decoding, described, tolerant=tolerant)
    if output_format == "text":
        pieces = tree_formats.as_text(symbols, style)
    elif output_format == "json":
        pieces = tree_formats.as_json(symbols, "tolerant.lark" if tolerant else "sgf.lark")
    else:
        pieces = tree_formats.as_dot(symbols)
    terminal.write_all(pieces)
    ctx.exit(exit_code(None, is_damaged))


def _trace(
    decoding: Decoding, tolerant: bool, output_format: _Format, style: OutputStyle
) -> Iterator[str]:
    from sgf_lark.cli import tree_formats
    from sgf_lark.syntax.parse_trees import in_uppercase
    from sgf_lark.teaching.steps import steps

    taken = steps(decoding.data if tolerant else in_uppercase(decoding.data), tolerant=tolerant)
    source = decoding.source("utf-8")
    if output_format == "json":
        return tree_formats.trace_as_json(taken, decoding.data, source)
    return tree_formats.trace_as_text(taken, decoding.data, source, style)


def _parse(ctx: click.Context, path: str, decoding: Decoding, tolerant: bool) -> Any:
    """Return Lark's tree; where there is none, print the syntax error and exit."""
    from sgf_lark.syntax.errors import SGFSyntaxError
    from sgf_lark.syntax.parse_trees import structure_of

    try:
        source = decoding.source("utf-8")
        return structure_of(decoding.data, tolerant=tolerant, source=source)
    except SGFSyntaxError as error:
        click.echo(
            f"{escape(path)}: {escape_lines(str(error))}\n(--tolerant shows a tree of any file)",
            err=True,
        )
        ctx.exit(VIOLATIONS)
