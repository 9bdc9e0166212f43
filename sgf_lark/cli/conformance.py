"""``sgf-lark conformance``: what parsers make of the conformance suite."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import click

if TYPE_CHECKING:
    from sgf_lark.conformance.suite import Suite

Format = Literal["text", "json", "markdown", "html"]

_MEGABYTE = 1 << 20


def _output_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option(
            "--suite",
            "suite_folder",
            type=click.Path(path_type=Path),
            metavar="DIR",
            help="The folder of the suite, instead of the one that comes along.",
        ),
        click.option(
            "--format",
            "output_format",
            type=click.Choice(("text", "json", "markdown", "html")),
            help="How to write the report.  [default: by the name of the output, or text]",
        ),
        click.option(
            "-o",
            "--output",
            "outputs",
            type=click.Path(path_type=Path),
            multiple=True,
            help="Write to this file; several times for several formats.",
        ),
    ):
        command = option(command)
    return command


@click.group()
def conformance() -> None:
    """Run SGF parsers on the conformance suite.

    The suite is a folder of files for parsers in any language; each says what a
    parser must make of it.
    """


@conformance.command()
@click.option(
    "--adapter",
    "specs",
    multiple=True,
    metavar="NAME|CMD",
    default=("all",),
    show_default=True,
    help="An adapter, module:function, a command, or all.",
)
@click.option("--group", "groups", multiple=True, help="Only the cases of this group.")
@click.option("--timeout", type=click.FloatRange(0.1), default=5.0, show_default=True)
@click.option(
    "--memory", type=click.IntRange(16), default=1024, show_default=True, help="In megabytes."
)
@click.option("--list", "list_adapters", is_flag=True, help="List the adapters and exit.")
@_output_options
@click.pass_context
def run(
    ctx: click.Context,
    /,
    specs: tuple[str, ...],
    groups: tuple[str, ...],
    timeout: float,
    memory: int,
    list_adapters: bool,
    suite_folder: Path | None,
    output_format: Format | None,
    outputs: tuple[Path, ...],
) -> None:
    """Run parsers on all cases.

    A command gets a file as {file} or on standard input: exit code 0 accepts it, 1 to
    125 rejects it, and it may print the tree as JSON. --adapter can be given
    several times; all stands for the adapters whose parsers are installed.

    The exit code is 0 where every case was passed, 1 where one was not, 2 where a
    parser or the suite is not there.
    """
    from sgf_lark.cli import terminal
    from sgf_lark.conformance.running import available_adapters, missing_adapters, run_suite
    from sgf_lark.fuzz.outcomes import TargetError

    terminal.prepare_streams()
    if list_adapters:
        for name in available_adapters():
            click.echo(name)
        for line in missing_adapters():
            click.echo(f"not installed: {line}", err=True)
        return
    suite = _suite(ctx, suite_folder)
    unknown = sorted({*groups} - {*suite.groups})
    if unknown:
        _fail(ctx, f"no group {', '.join(unknown)}; there are {', '.join(suite.groups)}")
    wanted = [*dict.fromkeys(specs)]
    if "all" in wanted:
        for line in missing_adapters():
            click.echo(f"sgf-lark: left out, because it is not installed: {line}", err=True)
        at = wanted.index("all")
        wanted[at : at + 1] = [name for name in available_adapters() if name not in wanted]
    try:
        cases = sum(not groups or case.group in groups for case in suite.cases)
        with terminal.progress_bar(len(wanted) * cases) as bar:
            document = run_suite(
                suite,
                wanted,
                groups=groups,
                timeout=timeout,
                memory=memory * _MEGABYTE,
                watch=bar.watch,
            )
    except TargetError as error:
        _fail(ctx, str(error))
    _write(ctx, document, suite, output_format, outputs)
    ctx.exit(any(parser["failures"] for parser in document["parsers"]))


@conformance.command()
@click.argument(
    "results", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
@_output_options
@click.pass_context
def report(
    ctx: click.Context,
    /,
    results: tuple[Path, ...],
    suite_folder: Path | None,
    output_format: Format | None,
    outputs: tuple[Path, ...],
) -> None:
    """Make one report of RESULTS, files that run wrote as JSON.

    They have to be of the same cases.
    """
    from sgf_lark.cli import terminal
    from sgf_lark.conformance.running import ResultsError, merged

    terminal.prepare_streams()
    try:
        document = merged((str(path), _json(ctx, path)) for path in results)
    except ResultsError as error:
        _fail(ctx, str(error))
    suite = _suite(ctx, suite_folder)
    if document["suite"]["digest"] != suite.digest:
        click.echo(f"sgf-lark: {suite.folder} is not the suite of these results", err=True)
    _write(ctx, document, suite, output_format, outputs)


def _fail(ctx: click.Context, message: str) -> NoReturn:
    click.echo(f"sgf-lark: {message}", err=True)
    ctx.exit(2)


def _suite(ctx: click.Context, folder: Path | None) -> Suite:
    from sgf_lark.conformance.suite import SuiteError, load_suite

    try:
        return load_suite(folder)
    except SuiteError as error:
        _fail(ctx, str(error))


def _json(ctx: click.Context, path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        _fail(ctx, f"{path}: {error}")


_SUFFIXES: dict[str, Format] = {
    ".json": "json",
    ".md": "markdown",
    ".html": "html",
    ".htm": "html",
}


def _write(
    ctx: click.Context,
    document: dict[str, Any],
    suite: Suite,
    output_format: Format | None,
    outputs: tuple[Path, ...],
) -> None:
    from sgf_lark.cli import terminal
    from sgf_lark.model.writing import write_file

    if not outputs:
        terminal.write(_rendered(document, suite, output_format or "text"))
    for output in outputs:
        chosen = output_format or _SUFFIXES.get(output.suffix, "text")
        text = _rendered(document, suite, chosen)
        try:
            write_file(output, text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            _fail(ctx, f"{output}: {error.strerror}")


def _rendered(document: dict[str, Any], suite: Suite, chosen: Format) -> str:
    from sgf_lark.conformance import html, markdown

    match chosen:
        case "json":
            return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
        case "markdown":
            return markdown.render_markdown(document)
        case "html":
            return html.render_html(document, suite)
        case "text":
            return markdown.render_text(document)
