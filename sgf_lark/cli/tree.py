"""``sgf-lark tree``: show the parse tree of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal

import click

from sgf_lark.cli import VIOLATIONS
from sgf_lark.cli.completion import complete_paths
from sgf_lark.cli.options import color_option, reading_options, size_option
from sgf_lark.cli.settings import settings_options
from sgf_lark.text.escaping import escape, escape_lines

if TYPE_CHECKING:
    from sgf_lark.cli.terminal import OutputStyle
    from sgf_lark.cli.tree_formats import Symbol
    from sgf_lark.diagnostics import Language
    from sgf_lark.flat_tree import FlatTree
    from sgf_lark.text.decoding import Decoding

_Format = Literal["text", "json", "dot"]


@click.command()
@click.argument("path", shell_complete=complete_paths)
@click.option(
    "--tolerant", is_flag=True, help="Parse damaged files too and mark damage with its code."
)
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
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Write one JSON object with the symbols in pre-order, each with the index of its "
    "parent; with --trace, write one object for each step.",
)
@click.option("--dot", is_flag=True, help="Write a graph for Graphviz.")
@color_option
@click.option(
    "--lang",
    "language",
    type=click.Choice(("en", "zh")),
    default="en",
    show_default=True,
    help="Describe values in this language.",
)
@reading_options
@size_option
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
    if as_json and dot:
        raise click.UsageError("--json and --dot exclude each other")
    if trace and (dot or values):
        raise click.UsageError("--trace goes with neither --dot nor --values")
    from sgf_lark.cli import inputs, terminal, tree_formats
    from sgf_lark.syntax.signatures import kind_of
    from sgf_lark.text.decoding import decode

    terminal.prepare_streams("utf-8" if as_json or dot else None)
    data = inputs.read_data(path, max_size)
    found = decode(data, charset=charset, default_charset=default_charset, mode=charset_mode)
    kind = kind_of(data)
    if tolerant and kind is not None:
        terminal.fail(f"{escape(path)}: there is no game tree in it: the file is {kind.en}")
    decoding, flat = _choose_decoding(found, tolerant)
    style = terminal.output_style(color, language)
    output_format: _Format = "json" if as_json else "dot" if dot else "text"
    if trace:
        terminal.write_all(_trace(decoding, tolerant, output_format, style))
        if flat is None:
            _parse(ctx, path, decoding, tolerant)
        return
    root = _parse(ctx, path, decoding, tolerant)
    described = _values(decoding, flat, language, context) if values else {}
    symbols = tree_formats.symbols(root, decoding, described, tolerant=tolerant)
    terminal.write_all(_render(symbols, tolerant, output_format, style))


def _choose_decoding(found: Decoding, tolerant: bool) -> tuple[Decoding, FlatTree | None]:
    """Return the decoding that the other commands choose and its flat tree.

    The flat tree is None where the file does not follow the grammar, unless `tolerant`.
    """
    from sgf_lark.syntax.parsing import parse

    decoding, flat, damaged = parse(found)
    return decoding, flat if damaged is None or tolerant or not damaged.found() else None


def _trace(
    decoding: Decoding, tolerant: bool, output_format: _Format, style: OutputStyle
) -> Iterator[str]:
    from sgf_lark.cli import tree_trace
    from sgf_lark.syntax.parse_trees import in_uppercase
    from sgf_lark.teaching.steps import steps

    taken = steps(decoding.data if tolerant else in_uppercase(decoding.data), tolerant=tolerant)
    source = decoding.source("utf-8")
    if output_format == "json":
        return tree_trace.as_json(taken, decoding.data, source)
    return tree_trace.as_text(taken, decoding.data, source, style)


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


def _values(decoding: Decoding, flat: FlatTree | None, language: Language, context: Any) -> Any:
    from sgf_lark.teaching.described_values import by_place

    return {} if flat is None else by_place(decoding, flat, language, **context)


def _render(
    symbols: Iterator[Symbol], tolerant: bool, output_format: _Format, style: OutputStyle
) -> Iterator[str]:
    from sgf_lark.cli import tree_formats

    match output_format:
        case "text":
            return tree_formats.as_text(symbols, style)
        case "json":
            return tree_formats.as_json(symbols, "tolerant.lark" if tolerant else "sgf.lark")
        case "dot":
            return tree_formats.as_dot(symbols)
