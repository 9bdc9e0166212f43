"""``sgf-lark grammar``: show the grammar and its automaton."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sgf_lark.cli import extras, options, outputs, terminal
from sgf_lark.cli.options import complete_paths
from sgf_lark.cli.settings import settings_options

if TYPE_CHECKING:
    from sgf_lark.diagnostics import Language

LARK = ("sgf", "values", "tolerant")


@click.command()
@click.option(
    "--lark",
    "source",
    metavar=f"[{'|'.join(LARK)}|FILE]",
    help="Use this Lark grammar: show one of the package, or a changed copy.",
    shell_complete=complete_paths,
)
@click.option(
    "--states",
    is_flag=True,
    help="Show states of the LALR(1) parser: their items, what may follow them, and conflicts.",
)
@click.option("--words", type=click.IntRange(1), metavar="N", help="List the N shortest words.")
@options.format_option(
    ("text", "html"),
    "the text of the grammar, or one HTML page with diagrams and properties.",
)
@options.output_option("the text or the page.  [default: standard output]")
@options.language_option
@settings_options
@click.pass_context
def grammar(
    ctx: click.Context,
    /,
    source: str | None,
    states: bool,
    words: int | None,
    output_format: str,
    output: Path | None,
    language: Language,
) -> None:
    """Show the grammar: without options the documented EBNF.

    The diagrams of HTML need the extra teach.

    With --states and --words the grammar is sgf.lark, or that of --lark. A state with a
    conflict has two actions for a token; then it is shown how the parser gets there.

    The exit code is 2 if something could not be written.
    """
    _check_options(ctx)
    terminal.prepare_streams("utf-8" if output_format == "html" else None)
    if states or words:
        outputs.write_text(_of_automaton(source, words, language), output)
    elif output_format == "html":
        extras.require("teach")
        from sgf_lark.teaching.page import page

        outputs.write_text([page(language)], output)
    else:
        from sgf_lark import grammar as data

        if source and source not in LARK:
            text = Path(source).read_text("utf-8")
        else:
            text = data.source(f"{source}.lark" if source else "sgf.ebnf")
        outputs.write_text([text], output)


def _check_options(ctx: click.Context) -> None:
    """Raise UsageError for options that exclude each other or would have no effect."""
    params = ctx.params
    source, is_text = params["source"], params["output_format"] == "text"
    if source and not is_text:
        raise click.UsageError("--lark is for the text of a grammar")
    if params["states"] and params["words"]:
        raise click.UsageError("--states and --words exclude each other")
    if (params["states"] or params["words"]) and not is_text:
        raise click.UsageError("--states and --words show a grammar as text")
    if source and source not in LARK and not Path(source).is_file():
        raise click.UsageError(f"--lark takes {', '.join(LARK)} or a file, not {source}")


def _of_automaton(source: str | None, words: int | None, language: Language) -> Iterator[str]:
    """Yield the lines of the states, or of the shortest words, of a grammar."""
    from sgf_lark.cli import tree

    if source in (None, *LARK):
        from sgf_lark.syntax.grammars import load_lark
        from sgf_lark.teaching.automaton import grammar_of

        found = grammar_of(load_lark({"sgf": "strict"}.get(source or "sgf", str(source))))
    else:
        found, _ = tree.read_grammar(Path(str(source)))
    lines: Iterator[str] = (
        map(found.names, found.automaton.words(words))
        if words
        else tree.state_lines(found, terminal.output_style(None, language))
    )
    yield from (f"{line}\n" for line in lines)
