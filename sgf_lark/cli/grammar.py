"""``sgf-lark grammar``: the grammar as text, diagrams, page and table, and what files use of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sgf_lark.cli.options import language_option

if TYPE_CHECKING:
    from sgf_lark.cli.terminal import Look
    from sgf_lark.diagnostics import Language
    from sgf_lark.grammar import Role
    from sgf_lark.teaching.coverage import Coverage, ProductionUse

LARK = ("sgf", "values", "tolerant", "json")
TYPES = ("move", "setup", "root", "game-info", "none")

_Files = click.Path(path_type=Path)


@click.command()
@click.argument("files", nargs=-1, metavar="[FILES]...")
@click.option("--lark", "source", type=click.Choice(LARK), help="A grammar as Lark reads it.")
@click.option("--diagrams", type=_Files, metavar="DIR", help="Write each production as SVG file.")
@click.option("--html", type=_Files, metavar="FILE", help="Write one page with all of this.")
@click.option("--properties", is_flag=True, help="The properties by property type and game.")
@click.option("--game", type=click.IntRange(1), help="With --properties: those of this GM.")
@click.option(
    "--type", "role", type=click.Choice(TYPES), help="With --properties: those of this type."
)
@click.option("--coverage", is_flag=True, help="What FILES use of the grammar.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "markdown", "json")),
    default="text",
    show_default=True,
    help="With --properties or --coverage.",
)
@language_option
@click.pass_context
def grammar(
    ctx: click.Context,
    /,
    files: tuple[str, ...],
    source: str | None,
    diagrams: Path | None,
    html: Path | None,
    properties: bool,
    game: int | None,
    role: Role | None,
    coverage: bool,
    form: str,
    language: Language,
) -> None:
    """Show the grammar: without options the documented EBNF.

    --diagrams and --html need the extra teach. With --coverage, FILES are files,
    folders, archives or - for standard input: each production of sgf.lark and
    values.lark is told with how often they use it and each of its alternatives; what is
    damaged is read by tolerant.lark. A value counts for the rule that reads it.

    The exit code is 2 where a file could not be read or written.
    """
    from sgf_lark.cli import terminal

    _check(ctx, files, game, role)
    terminal.prepare_streams("utf-8" if form == "json" else None)
    if coverage:
        look = terminal.look(None)
        found, complete = _covered(files)
        if found.files or complete:
            terminal.write(_joined(_COVERAGE[form](found, look)))
        ctx.exit(0 if complete else 2)
    if properties:
        terminal.write(_joined(_PROPERTIES[form](game, role, language)))
        return
    for path, write in ((diagrams, _write_diagrams), (html, partial(_write_page, language))):
        try:
            if path is not None:
                write(path)
        except (OSError, ModuleNotFoundError) as error:
            reason = f"{path}: {error.strerror}" if isinstance(error, OSError) else error
            click.echo(f"sgf-lark: {reason}", err=True)
            ctx.exit(2)
    if diagrams is None and html is None:
        from sgf_lark import grammar as data

        terminal.write(data.source(f"{source}.lark" if source else "sgf.ebnf"))


def _check(ctx: click.Context, files: tuple[str, ...], game: int | None, role: str | None) -> None:
    """Refuses options that would have no effect."""
    chosen = [
        name
        for name in ("source", "diagrams", "html", "properties", "coverage")
        if ctx.params[name]
    ]
    if len(chosen) > 1 and chosen != ["diagrams", "html"]:
        names = {"source": "lark"}
        raise click.UsageError(
            " and ".join(f"--{names.get(name, name)}" for name in chosen) + " exclude each other"
        )
    if files and chosen != ["coverage"]:
        raise click.UsageError("files are only read with --coverage")
    if not files and chosen == ["coverage"]:
        raise click.UsageError("--coverage needs files")
    if chosen != ["properties"] and (game is not None or role is not None):
        raise click.UsageError("--game and --type need --properties")
    given = ctx.get_parameter_source("form") is not click.core.ParameterSource.DEFAULT
    if given and chosen not in (["properties"], ["coverage"]):
        raise click.UsageError("--format needs --properties or --coverage")


def _joined(lines: Iterator[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


# --- Files that are written -----------------------------------------------------


def _needs_extra(error: ModuleNotFoundError) -> ModuleNotFoundError:
    return ModuleNotFoundError(
        f'diagrams need {error.name}: pip install "sgf-lark[teach]"', name=error.name
    )


def _write_diagrams(folder: Path) -> None:
    from sgf_lark.model.writing import write_file

    try:
        from sgf_lark.teaching import diagrams
    except ModuleNotFoundError as error:
        raise _needs_extra(error) from None
    from sgf_lark.syntax import grammars as lark_grammars

    number = 0
    for name in LARK:
        rules = {str(rule) for rule in lark_grammars.rule_trees(f"{name}.lark")}
        addresses = {rule: f"{rule}.svg" for rule in rules}
        pictures = diagrams.standalone(f"{name}.lark", addresses.get)
        (folder / name).mkdir(parents=True, exist_ok=True)
        for rule, picture in pictures.items():
            write_file(folder / name / f"{rule}.svg", picture.encode())
        number += len(pictures)
    click.echo(f"{folder}: {number} diagrams")


def _write_page(language: Language, file: Path) -> None:
    from sgf_lark.model.writing import write_file

    try:
        from sgf_lark.teaching.page import page
    except ModuleNotFoundError as error:
        raise _needs_extra(error) from None
    write_file(file, page(language).encode())
    click.echo(str(file))


# --- Properties -------------------------------------------------------------------


def _properties_text(game: int | None, role: Role | None, language: Language) -> Iterator[str]:
    from rich.cells import cell_len

    from sgf_lark.teaching.properties import HEADS, by_type, row

    for number, (each, entries) in enumerate(by_type(game, role).items()):
        rows = [HEADS[language], *(row(entry, language) for entry in entries)]
        widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
        yield from [""] if number else []
        yield f"{each}:"
        for cells in rows:
            padded = (
                cell + " " * (width - cell_len(cell))
                for cell, width in zip(cells, widths, strict=True)
            )
            yield ("  " + "  ".join(padded)).rstrip()


def _properties_markdown(game: int | None, role: Role | None, language: Language) -> Iterator[str]:
    from sgf_lark.teaching.properties import HEADS, by_type, row

    for number, (each, entries) in enumerate(by_type(game, role).items()):
        yield from [""] if number else []
        yield from (f"### {each}", "")
        yield from _markdown(HEADS[language], (row(entry, language) for entry in entries))


def _properties_json(game: int | None, role: Role | None, language: Language) -> Iterator[str]:
    from sgf_lark.teaching.properties import as_dict, by_type

    entries = [
        as_dict(entry, language) for entries in by_type(game, role).values() for entry in entries
    ]
    yield json.dumps(entries, ensure_ascii=False, indent=2)


_PROPERTIES = {
    "text": _properties_text,
    "markdown": _properties_markdown,
    "json": _properties_json,
}


def _markdown(heads: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    yield "| " + " | ".join(heads) + " |"
    yield "| " + " | ".join("---" for _ in heads) + " |"
    for cells in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


# --- Coverage ---------------------------------------------------------------------


def _covered(files: tuple[str, ...]) -> tuple[Coverage, bool]:
    """What the files use, and whether all of them could be read."""
    from sgf_lark.cli import inputs
    from sgf_lark.teaching.coverage import Coverage

    found, complete = Coverage(), True
    for file in inputs.read_all(files):
        if file.data is None:
            click.echo(f"sgf-lark: {file.path}: {file.reason}", err=True)
            complete = False
        elif file.path.lower().endswith(inputs.WEI7_SUFFIXES):
            click.echo(f"sgf-lark: {file.path}: left out, it is no SGF", err=True)
        else:
            found.add(file.data)
    return found, complete


def _summary(found: Coverage) -> str:
    return (
        f"{_number(found.files, 'file')} ({found.damaged} damaged), "
        f"{_number(found.values, 'value')} ({found.unread} fit no type of their property)"
    )


def _number(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _headline(file: str, uses: tuple[ProductionUse, ...]) -> str:
    from sgf_lark.teaching.coverage import totals

    used, all_of_them, alternatives, all_alternatives = totals(uses)
    return (
        f"{file}: {used} of {all_of_them} productions, "
        f"{alternatives} of {all_alternatives} alternatives"
    )


def _coverage_text(found: Coverage, look: Look) -> Iterator[str]:
    yield _summary(found)
    for file, uses in found.uses().items():
        yield from ("", look.style(_headline(file, uses), bold=True))
        for use in uses:
            if not use.count:
                continue
            yield f"{use.count:10}  {look.style(use.text, fg='cyan')}"
            parts = use.all_alternatives
            for part in parts if len(parts) > 1 else ():
                line = f"{part.count:10}      {part.text}"
                yield line if part.count else look.style(line, dim=True)
        never = [use.text for use in uses if not use.count]
        yield from [f"     never  {', '.join(never)}"] if never else []


def _coverage_markdown(found: Coverage, look: Look) -> Iterator[str]:
    yield _summary(found)
    for file, uses in found.uses().items():
        yield from ("", f"### {_headline(file, uses)}", "")
        rows = (
            (f"`{use.text}`" if not number else "", f"`{part.text}`", str(part.count))
            for use in uses
            for number, part in enumerate(use.all_alternatives)
        )
        yield from _markdown(("production", "alternative", "count"), rows)


def _coverage_json(found: Coverage, look: Look) -> Iterator[str]:
    def production(use: ProductionUse) -> dict[str, Any]:
        alternatives = [{"text": part.text, "count": part.count} for part in use.all_alternatives]
        return {"name": use.text, "count": use.count, "alternatives": alternatives}

    document = {
        "files": found.files,
        "damaged": found.damaged,
        "values": found.values,
        "unread": found.unread,
        "grammars": {
            file: [production(use) for use in uses] for file, uses in found.uses().items()
        },
    }
    yield json.dumps(document, ensure_ascii=False, indent=2)


_COVERAGE = {
    "text": _coverage_text,
    "markdown": _coverage_markdown,
    "json": _coverage_json,
}
