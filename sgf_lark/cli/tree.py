"""``sgf-lark tree``: show the parse tree of a file, and the steps of the parser."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sgf_lark.cli import VIOLATIONS, exit_code, options, terminal
from sgf_lark.cli.settings import settings_options
from sgf_lark.cli.terminal import OutputStyle
from sgf_lark.cli.words import message
from sgf_lark.text.escaping import escape, escape_lines

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

    from sgf_lark.diagnostics import Language
    from sgf_lark.teaching.automaton import Grammar, Step
    from sgf_lark.teaching.described_values import DescribedValue
    from sgf_lark.text.decoding import Decoding


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
    "--lark",
    "changed",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Use this Lark grammar: parse with it, such as a changed copy of sgf.lark.",
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
    changed: Path | None,
    color: bool | None,
    language: Language,
    charset: str | None,
    default_charset: str | None,
    charset_mode: Any,
    max_size: int | None,
    **context: Any,
) -> None:
    """Show the parse tree of a file, or the steps of the parser.

    PATH is a file, - for standard input, or a folder or an archive with one file. Each
    line has a rule of grammar/sgf.lark or a terminal, the line and column where it begins,
    and for a terminal its text. With --tolerant the rules are those of
    grammar/tolerant.lark.

    With --trace each line is a step of the parser: the place of the lookahead, the
    state, the top of the stack, the lookahead, and the action (shift, or reduce by a
    production) with the state after it. With --states the items of the state follow, with
    the terminals that may come after their productions; an arrow marks the reason for the
    action.

    The exit code is 1 if the file does not match the grammar, and 2 if it could not be
    read.
    """
    _check_options(ctx.params)
    from sgf_lark.cli.outputs import read_one
    from sgf_lark.syntax.parsing import parse
    from sgf_lark.syntax.signatures import kind_of
    from sgf_lark.text.decoding import decode

    terminal.prepare_streams()
    file = read_one(path, max_size=max_size)
    if file.is_wei7():
        terminal.fail(f"{escape(path)}: it is wei7, which has no tree of SGF")
    data = file.data or b""
    found = decode(data, charset=charset, default_charset=default_charset, mode=charset_mode)
    kind = kind_of(data)
    if tolerant and kind is not None:
        terminal.print_error(f"{escape(path)}: there is no game tree in it: the file is {kind.en}")
        ctx.exit(VIOLATIONS)
    parsed = parse(found).as_written
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
        terminal.write_all(tree_lines(root, decoding, described, style, tolerant=tolerant))
    ctx.exit(exit_code(None, is_damaged))


def _check_options(params: dict[str, Any]) -> None:
    """Raise UsageError for options that exclude each other or would have no effect."""
    if params["trace"] and params["values"]:
        raise click.UsageError("--trace and --values exclude each other")
    if params["states"] and not params["trace"]:
        raise click.UsageError("--states needs --trace")
    if params["changed"] is not None and (params["tolerant"] or params["values"]):
        raise click.UsageError("--lark goes with neither --tolerant nor --values")


def _show_trace(
    lark: Lark,
    grammar: Grammar,
    data: bytes,
    params: dict[str, Any],
    decoding: Decoding,
    style: OutputStyle,
) -> bool:
    """Show the steps of parsing `data`; return whether the last one is an error."""
    from sgf_lark.teaching.automaton import steps_by

    actions: list[str] = []

    def taken() -> Iterator[Step]:
        for step in steps_by(lark, grammar, data):
            actions[:] = [step.action]
            yield step

    with_items = params["states"]
    terminal.write_all(trace_lines(taken(), grammar, decoding, style, with_items=with_items))
    return actions == ["error"]


def _show_by(path: Path, params: dict[str, Any], decoding: Decoding, style: OutputStyle) -> int:
    """Show the tree or the steps by the grammar in a file, after its conflicts; return the exit
    code."""
    from lark.exceptions import UnexpectedInput

    grammar, lark = read_grammar(path)
    if grammar.automaton.conflicts:
        for line in conflict_lines(grammar, style):
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
        where = f"{escape(params['path'])}:{span.line}:{span.column}"
        terminal.print_error(f"{where}: {action(last, style)}")
        return VIOLATIONS
    terminal.write_all(tree_lines(root, decoding, {}, style, tolerant=False))
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


# --- Trees as text --------------------------------------------------------------------


#: Longer tokens and values are cut.
_MAX_LENGTH = 60
#: Without this limit the size of the indentation grows with the square of the depth.
_MAX_INDENT = 60


def tree_lines(
    root: Tree[Token],
    decoding: Decoding,
    values: Mapping[int, DescribedValue],
    style: OutputStyle,
    *,
    tolerant: bool,
) -> Iterator[str]:
    """Yield a line for each production, terminal and value below `root`, indented by its depth.

    `values` has the descriptions of property values by the byte offset of their "[".
    """
    from sgf_lark.syntax import grammars as lark_grammars
    from sgf_lark.syntax.parse_trees import in_preorder

    source = decoding.source("utf-8")
    # What only tolerant.lark has is damage, and shown in red.
    regular = lark_grammars.regular_symbols()
    damage = _damage_by_offset(decoding) if tolerant else {}
    for symbol in in_preorder(root):
        start, end, is_terminal = symbol.start, symbol.end, symbol.is_terminal
        span = source.span(start, end)
        indent = "  " * min(symbol.depth, _MAX_INDENT)
        is_damage = symbol.name not in regular
        color = "red" if is_damage else "green" if is_terminal else "cyan"
        line = indent + style.paint(symbol.name, fg=color, bold=is_damage)
        line += style.paint(f"  {span.line}:{span.column}", dim=True)
        if is_terminal:
            line += "  " + _short(source_text(decoding, start, end))
        # A terminal may be damaged in its middle. Each code is taken out, to be shown once.
        places = range(start, end if is_terminal else start + 1) if is_damage else ()
        if codes := [code for place in places for code in damage.pop(place, ())]:
            line += "  " + style.paint(" ".join(codes), fg="red", bold=True)
        yield line + "\n"
        if is_terminal and start in values:
            yield f"{indent}  {_value_line(values[start], style)}\n"


def source_text(decoding: Decoding, start: int, end: int) -> str:
    """Decode a part of the source: in the charset in which it is parsed, if that is known, or else
    as UTF-8 where that is possible, otherwise byte by byte."""
    from sgf_lark.text.charsets import decodes

    section = decoding.sections.at(start)
    part = section.shown(decoding.data[start:end])
    if section.texts is not None and not section.is_decoded:
        return part.decode(section.texts.codec, "replace")
    return part.decode("utf-8" if decodes(part, "utf-8") else "latin-1")


def _damage_by_offset(decoding: Decoding) -> dict[int, list[str]]:
    from sgf_lark.syntax.tolerant import parse_tolerant

    codes: dict[int, list[str]] = {}
    result = parse_tolerant(decoding.data)
    for damage in result.damage + result.lowercase:
        codes.setdefault(damage.start, []).append(damage.code)
    return codes


def _value_line(value: DescribedValue, style: OutputStyle) -> str:
    result = style.paint(_short(value.result), **({"bold": True} if value.fits else {"fg": "red"}))
    first, *halves = value.rules
    how = f"by {first}" + (f": {', '.join(halves)}" if halves else "")
    how = f"{value.type}, {how}" if value.type else how
    return f"= {result}  " + style.paint(f"({how})", dim=True)


def _short(text: str) -> str:
    text = escape(text[: _MAX_LENGTH + 1])
    return text if len(text) <= _MAX_LENGTH else text[: _MAX_LENGTH - 1] + "…"


# --- The steps of the parser, its states and conflicts --------------------------------


#: The widths of the columns. The action comes last and is never cut.
_PLACE, _STATE, _STACK, _TOKEN = 8, 5, 34, 24
#: The longest item that is followed by its lookaheads in the same column.
_MAX_ITEM = 56

_ACTION_COLORS = {"shift": "green", "reduce": "cyan", "accept": "green", "error": "red"}


def _word(key: str, style: OutputStyle) -> str:
    return message(f"parser.{key}", style.language)


def trace_lines(
    steps: Iterable[Step],
    grammar: Grammar,
    decoding: Decoding,
    style: OutputStyle,
    *,
    with_items: bool,
) -> Iterator[str]:
    """Yield a line of headings, then a line for each step, and the items of its state."""
    from rich.cells import set_cell_size

    source = decoding.source("utf-8")
    widths = _PLACE, _STATE + 2, _STACK + 2, _TOKEN + 2
    heads = zip(_word("heads", style).split(), (*widths, 0), strict=True)
    line = "".join(head + " " * (width - terminal.cell_width(head)) for head, width in heads)
    yield style.paint(line, bold=True) + "\n"
    for step in steps:
        span = source.span(step.start, step.end)
        where = style.paint(f"{span.line}:{span.column}".ljust(_PLACE), dim=True)
        stack = ("… " if step.stack_size > len(step.stack) else "") + " ".join(step.stack)
        # The top of the stack is what matters; symbols are ASCII, so each fills one column.
        stack = stack.ljust(_STACK) if len(stack) <= _STACK else "…" + stack[1 - _STACK :]
        text = escape(source_text(decoding, step.start, step.end)[:_TOKEN])
        token = set_cell_size(f"{step.terminal} {text}".strip(), _TOKEN)
        done = style.paint(action(step, style), fg=_ACTION_COLORS[step.action])
        yield f"{where}{step.state:{_STATE}}  {stack}  {token}  {done}\n"
        if with_items:
            indent = " " * (_PLACE + _STATE + 2)
            lines = item_lines(grammar, step.state, style, step.terminal)
            yield from (f"{indent}{line}\n" for line in lines)


def action(step: Step, style: OutputStyle) -> str:
    """What a step does."""
    from sgf_lark.syntax.errors import words_for

    words = words_for(step.expected) if style.language == "en" else ""
    expected = words or " ".join(step.expected)
    return message(
        f"parser.does_{step.action}",
        style.language,
        target=step.target,
        production=step.production,
        expected=expected,
    )


# --- Grammars: states and conflicts ---------------------------------------------------


def read_grammar(path: Path) -> tuple[Grammar, Lark | None]:
    """Return the grammar in a file, and its parser if there is one; exit if it is no grammar."""
    from sgf_lark.teaching import automaton

    try:
        return automaton.changed(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        terminal.fail(f"{escape(path)}: {escape_lines(str(error))}")


def item_lines(
    grammar: Grammar, state: int, style: OutputStyle, lookahead: str | None = None
) -> Iterator[str]:
    """Yield a line for each item of a state; "→" marks the reason for the next action."""
    for item in grammar.items(state, lookahead):
        is_reason = lookahead is not None and item.is_reason
        text = ("→ " if is_reason else "  ") + item.text.ljust(_MAX_ITEM)
        text = style.paint(text, bold=is_reason) if is_reason or item.is_kernel else text
        follow = f"{_word('then', style)} {item.lookaheads}".rstrip()
        yield text + "  " + style.paint(follow, dim=True)


def state_lines(grammar: Grammar, style: OutputStyle) -> Iterator[str]:
    """Yield the states of a grammar, each with its items and its targets, then the conflicts."""
    for state in grammar.automaton.states:
        path = f"  {_word('after', style)} {grammar.names(state.path)}" if state.path else ""
        yield style.paint(f"{_word('State', style)} {state.number}", bold=True) + path
        yield from (f"  {line}" for line in item_lines(grammar, state.number, style))
        for symbol, target in state.targets.items():
            yield style.paint(f"      {grammar.symbols[symbol]} → {target}", fg="green")
        yield ""
    yield from conflict_lines(grammar, style)


def conflict_lines(grammar: Grammar, style: OutputStyle) -> Iterator[str]:
    """Yield each conflict: where it is, and what the parser could do there."""
    if not grammar.automaton.conflicts:
        yield _word("no_conflicts", style)
    for conflict in grammar.automaton.conflicts:
        lookahead = grammar.symbols[conflict.lookahead]
        head = f"{_word('conflict', style)}: {_word('state', style)} {conflict.state.number}"
        head += f", {_word('after', style)} {grammar.names(conflict.state.path)}"
        yield style.paint(f"{head}, {_word('next', style)} {lookahead}", fg="red", bold=True)
        if conflict.is_shift:
            goal = conflict.state.targets[conflict.lookahead]
            yield f"  {_word('shift', style)} {lookahead}, {_word('state', style)} {goal}"
        for number in conflict.productions:
            yield f"  {_word('reduce', style)} {grammar.productions[number]}"
