"""``sgf-lark grammar``: show the grammar, and which parts of it files use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sgf_lark.cli import exit_code, extras, options, outputs, terminal
from sgf_lark.cli.options import complete_paths
from sgf_lark.cli.results import plural
from sgf_lark.cli.settings import settings_options
from sgf_lark.text.escaping import escape, to_json

if TYPE_CHECKING:
    from sgf_lark.cli.terminal import OutputStyle
    from sgf_lark.diagnostics import Language
    from sgf_lark.teaching.coverage import Coverage, ProductionUse

LARK = ("sgf", "values", "tolerant")

#: What can be shown, and the formats of each; the first is the default.
_FORMATS = {
    "grammar": ("text", "html", "svg"),
    "properties": ("text", "json"),
    "coverage": ("text", "json"),
}


@click.command()
@click.argument("paths", nargs=-1, shell_complete=complete_paths)
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
@click.option("--properties", is_flag=True, help="List the properties by type and game.")
@options.gm_option("list only its properties, with --properties.")
@click.option("--coverage", is_flag=True, help="Count how often PATHS use each production.")
@options.format_option(
    dict.fromkeys(name for names in _FORMATS.values() for name in names),
    "the text of the grammar, one HTML page with diagrams and properties, or a folder with a "
    "diagram of each production as SVG; with --properties or --coverage text or JSON.",
)
@options.output_option("the text, the page or the folder.  [default: standard output]")
@options.language_option
@settings_options
@click.pass_context
def grammar(
    ctx: click.Context,
    /,
    paths: tuple[str, ...],
    source: str | None,
    states: bool,
    words: int | None,
    properties: bool,
    game: int | None,
    coverage: bool,
    output_format: str,
    output: Path | None,
    language: Language,
) -> None:
    """Show the grammar: without options the documented EBNF.

    The diagrams of HTML and SVG need the extra teach. With --coverage, PATHS are files,
    folders, archives or - for standard input: for each production of sgf.lark and
    values.lark, its uses and those of each alternative are counted. Damaged files are
    parsed with tolerant.lark. A value is counted for the production that it matches.

    With --states and --words the grammar is sgf.lark, or that of --lark. A state with a
    conflict has two actions for a token; then it is shown how the parser gets there.

    The exit code is 1 if a file of PATHS is damaged, and 2 if one could not be read, or if
    something could not be written.
    """
    _check_options(ctx)
    terminal.prepare_streams("utf-8" if output_format in ("json", "html") else None)
    if output_format == "svg" and output is not None:
        _write_diagrams(output)
        return
    found = None
    if coverage:
        found, is_complete = _measure_coverage(paths)
        if not found.files and not is_complete:
            ctx.exit(exit_code(True, None))
        style = terminal.output_style(None)
        is_json = output_format == "json"
        pieces = _lines(_coverage_as_json(found) if is_json else _coverage_as_text(found, style))
    elif properties:
        pieces = _lines(_properties(game, language, as_json=output_format == "json"))
    elif states or words:
        pieces = _lines(_of_automaton(source, words, language))
    elif output_format == "html":
        extras.require("teach")
        from sgf_lark.teaching.page import page

        pieces = iter([page(language)])
    else:
        from sgf_lark import grammar as data

        if source and source not in LARK:
            text = Path(source).read_text("utf-8")
        else:
            text = data.source(f"{source}.lark" if source else "sgf.ebnf")
        pieces = iter([text])
    outputs.write_text(pieces, output)
    if found is not None:
        ctx.exit(exit_code(not is_complete, found.damaged))


def _check_options(ctx: click.Context) -> None:
    """Raise UsageError for options that exclude each other or would have no effect."""
    params = ctx.params
    chosen = [name for name in ("properties", "coverage") if params[name]]
    if len(chosen) > 1:
        raise click.UsageError("--properties and --coverage exclude each other")
    what = chosen[0] if chosen else "grammar"
    if params["output_format"] not in _FORMATS[what]:
        raise click.UsageError(f"the formats are {', '.join(_FORMATS[what])} here")
    if params["source"] and (chosen or params["output_format"] != "text"):
        raise click.UsageError("--lark is for the text of a grammar")
    if params["states"] and params["words"]:
        raise click.UsageError("--states and --words exclude each other")
    if (params["states"] or params["words"]) and (chosen or params["output_format"] != "text"):
        raise click.UsageError("--states and --words show a grammar as text")
    if params["source"] and params["source"] not in LARK and not Path(params["source"]).is_file():
        raise click.UsageError(f"--lark takes {', '.join(LARK)} or a file, not {params['source']}")
    if bool(params["paths"]) != (what == "coverage"):
        raise click.UsageError("paths are read with --coverage, which needs some")
    if what != "properties" and params["game"]:
        raise click.UsageError("--gm needs --properties")
    if params["output_format"] == "svg" and params["output"] is None:
        raise click.UsageError("the diagrams are written to a folder; give an --output")


def _of_automaton(source: str | None, words: int | None, language: Language) -> Iterator[str]:
    """Yield the states, or the shortest words, of a grammar."""
    from sgf_lark.cli import tree

    if source in (None, *LARK):
        from sgf_lark.syntax.grammars import load_lark
        from sgf_lark.teaching.automaton import grammar_of

        found = grammar_of(load_lark({"sgf": "strict"}.get(source or "sgf", str(source))))
    else:
        found, _ = tree.read_grammar(Path(str(source)))
    if words:
        yield from (found.names(word) for word in found.automaton.words(words))
    else:
        yield from tree.state_lines(found, terminal.output_style(None, language))


def _lines(lines: Iterable[str]) -> Iterator[str]:
    return (f"{line}\n" for line in lines)


def _write_diagrams(folder: Path) -> None:
    from sgf_lark.atomic_files import write_file
    from sgf_lark.syntax import grammars as lark_grammars
    from sgf_lark.teaching import diagrams

    count = 0
    for name in LARK:
        rules = {str(rule) for rule in lark_grammars.rule_trees(f"{name}.lark")}
        addresses = {rule: f"{rule}.svg" for rule in rules}
        pictures = diagrams.standalone(f"{name}.lark", addresses.get)
        (folder / name).mkdir(parents=True, exist_ok=True)
        for rule, picture in pictures.items():
            write_file(folder / name / f"{rule}.svg", picture.encode())
        count += len(pictures)
    click.echo(f"{escape(folder)}: {count} diagrams")


def _properties(game: int | None, language: Language, *, as_json: bool) -> Iterator[str]:
    """Yield a table with aligned columns for each property type, or a JSON array with an object
    for each property."""
    from sgf_lark.teaching.facts import HEADS, as_dict, by_type, row

    found = by_type(game)
    if as_json:
        every = [as_dict(entry, language) for entries in found.values() for entry in entries]
        yield to_json(every, indent=2)
        return
    for number, (each, entries) in enumerate(found.items()):
        rows = [HEADS[language], *(row(entry, language) for entry in entries)]
        yield from [""] if number else []
        yield f"{each}:"
        yield from (f"  {line}" for line in terminal.aligned(rows))


# --- Coverage ---------------------------------------------------------------------------


def _measure_coverage(paths: tuple[str, ...]) -> tuple[Coverage, bool]:
    """Return the coverage of the files, and whether all of them could be read."""
    from sgf_lark.files.contents import read_all
    from sgf_lark.files.inputs import SGF_SUFFIXES
    from sgf_lark.teaching.coverage import Coverage

    found, is_complete = Coverage(), True
    for file in read_all(paths, suffixes=SGF_SUFFIXES):
        if file.data is None:
            terminal.print_error(f"{escape(file.path)}: {file.reason}")
            is_complete = False
        elif file.is_wei7():
            terminal.print_error(f"{escape(file.path)}: it is wei7, which has no tree of SGF")
            is_complete = False
        else:
            found.add(file.data)
    return found, is_complete


def _coverage_as_text(found: Coverage, style: OutputStyle) -> Iterator[str]:
    """Yield the counts of productions and their alternatives."""
    yield (
        f"{plural(found.files, 'file')} ({found.damaged} damaged), "
        f"{plural(found.values, 'value')} ({found.unread} fit no type of their property)"
    )
    for file, uses in found.uses().items():
        yield from ("", style.paint(_headline(file, uses), bold=True))
        for use in uses:
            if not use.count:
                continue
            yield f"{use.count:10}  {style.paint(use.text, fg='cyan')}"
            parts = use.all_alternatives
            for part in parts if len(parts) > 1 else ():
                line = f"{part.count:10}      {part.text}"
                yield line if part.count else style.paint(line, dim=True)
        never = [use.text for use in uses if not use.count]
        yield from [f"     never  {', '.join(never)}"] if never else []


def _coverage_as_json(found: Coverage) -> Iterator[str]:
    """Yield one JSON object."""
    document = {
        "files": found.files,
        "damaged": found.damaged,
        "values": found.values,
        "unread": found.unread,
        "grammars": {
            file: [_production_object(use) for use in uses] for file, uses in found.uses().items()
        },
    }
    yield to_json(document, indent=2)


def _headline(file: str, uses: tuple[ProductionUse, ...]) -> str:
    from sgf_lark.teaching.coverage import totals

    used, all_of_them, alternatives, all_alternatives = totals(uses)
    return (
        f"{file}: {used} of {all_of_them} productions, "
        f"{alternatives} of {all_alternatives} alternatives"
    )


def _production_object(use: ProductionUse) -> dict[str, object]:
    alternatives = [{"text": part.text, "count": part.count} for part in use.all_alternatives]
    return {"name": use.text, "count": use.count, "alternatives": alternatives}
