"""``sgf-lark tree``: show the parse tree of a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import click

from sgf_lark.cli import VIOLATIONS, exit_code, options
from sgf_lark.cli.completion import complete_paths
from sgf_lark.cli.settings import settings_options
from sgf_lark.text.escaping import escape, escape_lines

if TYPE_CHECKING:
    from lark import Lark

    from sgf_lark.cli.terminal import OutputStyle
    from sgf_lark.diagnostics import Language
    from sgf_lark.teaching.automaton import Grammar
    from sgf_lark.teaching.described_values import DescribedValue
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
@click.option(
    "--states",
    is_flag=True,
    help="Show states of the LALR(1) parser: with --trace the items before each step, and what may "
    "follow them.",
)
@click.option(
    "--step",
    is_flag=True,
    help="Show one step at a time, forwards and backwards with the arrow keys, with --trace.",
)
@click.option(
    "--lark",
    "changed",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Use this Lark grammar: parse with it, such as a changed copy of sgf.lark.",
    shell_complete=complete_paths,
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
    states: bool,
    step: bool,
    changed: Path | None,
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
    production) with the state after it. With --states the items of the state follow, with
    the terminals that may come after their productions; an arrow marks the reason for the
    action.

    The exit code is 1 if the file does not match the grammar, and 2 if it could not be
    read.
    """
    _check_options(ctx.params)
    from sgf_lark.cli import terminal
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
    if changed is not None:
        ctx.exit(_show_by(changed, ctx.params, decoding, style))
    if trace:
        from sgf_lark.syntax.grammars import structure_parser
        from sgf_lark.syntax.parse_trees import in_uppercase
        from sgf_lark.teaching.automaton import structure

        text = decoding.data
        _show_trace(
            structure_parser(tolerant),
            structure(tolerant),
            text if tolerant else in_uppercase(text),
            ctx.params,
            decoding,
            style,
        )
    if not trace or (is_damaged and not tolerant):
        root = _parse(ctx, path, decoding, tolerant)
    if not trace:
        described = {}
        if values:
            from sgf_lark.teaching.described_values import by_place

            described = by_place(parsed.overriding(**context), language)
        name = "tolerant.lark" if tolerant else "sgf.lark"
        _show_tree(root, decoding, described, name, output_format, style)
    ctx.exit(exit_code(None, is_damaged))


def _check_options(params: dict[str, Any]) -> None:
    """Raise UsageError for options that exclude each other or would have no effect."""
    if params["trace"] and (params["output_format"] == "dot" or params["values"]):
        raise click.UsageError("--trace goes with neither --format dot nor --values")
    if (params["states"] or params["step"]) and not params["trace"]:
        raise click.UsageError("--states and --step need --trace")
    if params["step"] and params["output_format"] != "text":
        raise click.UsageError("--step shows text")
    if params["changed"] is not None and (params["tolerant"] or params["values"]):
        raise click.UsageError("--lark goes with neither --tolerant nor --values")


def _show_tree(
    root: Any,
    decoding: Decoding,
    described: Mapping[int, DescribedValue],
    grammar: str,
    output_format: _Format,
    style: OutputStyle,
) -> None:
    from sgf_lark.cli import terminal, tree_formats

    tolerant = grammar == "tolerant.lark"
    symbols = tree_formats.symbols(root, decoding, described, tolerant=tolerant)
    if output_format == "text":
        pieces = tree_formats.as_text(symbols, style)
    elif output_format == "json":
        pieces = tree_formats.as_json(symbols, grammar)
    else:
        pieces = tree_formats.as_dot(symbols)
    terminal.write_all(pieces)


def _show_trace(
    lark: Lark,
    grammar: Grammar,
    data: bytes,
    params: dict[str, Any],
    decoding: Decoding,
    style: OutputStyle,
) -> bool:
    """Show the steps of parsing `data`; return whether the last one is an error."""
    from sgf_lark.cli import terminal
    from sgf_lark.cli.traces import Trace
    from sgf_lark.teaching.automaton import steps_by

    steps = steps_by(lark, grammar, data)
    shown = Trace(steps, grammar, decoding.data, decoding.source("utf-8"), style)
    if params["step"]:
        try:
            shown.show(click.getchar, _show_screen)
        except OSError:
            terminal.fail("--step needs a terminal to read keys from")
    elif params["output_format"] == "json":
        terminal.write_all(shown.as_json(with_items=params["states"]))
    else:
        terminal.write_all(shown.as_text(with_items=params["states"]))
    return shown.is_refused


def _show_screen(text: str) -> None:
    click.clear()
    click.echo(text, nl=False)


def _show_by(path: Path, params: dict[str, Any], decoding: Decoding, style: OutputStyle) -> int:
    """Show the tree or the steps by the grammar in a file, after its conflicts; return the exit
    code."""
    from lark.exceptions import UnexpectedInput

    from sgf_lark.cli import terminal, traces

    grammar, lark = traces.read_grammar(path)
    if grammar.automaton.conflicts:
        for line in traces.conflict_lines(grammar, style):
            terminal.print_error(line)
    if lark is None:
        return VIOLATIONS
    if params["trace"]:
        is_refused = _show_trace(lark, grammar, decoding.data, params, decoding, style)
        return exit_code(None, is_refused)
    try:
        root = lark.parse(decoding.data.decode("latin-1"))
    except UnexpectedInput:
        # The steps know what may come there in place of it.
        from sgf_lark.teaching.automaton import steps_by

        *_, last = steps_by(lark, grammar, decoding.data)
        span = decoding.source("utf-8").span(last.start, last.end)
        place = f"{escape(params['path'])}:{span.line}:{span.column}"
        terminal.print_error(f"{place}: {traces.action(last)}")
        return VIOLATIONS
    _show_tree(root, decoding, {}, path.name, params["output_format"], style)
    return exit_code(None, None)


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
