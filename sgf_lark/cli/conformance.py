"""``sgf-lark conformance``: run parsers on the conformance suite."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import click

from sgf_lark.cli import exit_code, extras, fuzz, options, progress, terminal
from sgf_lark.cli.options import MEGABYTE
from sgf_lark.cli.outputs import Outputs, format_of, write_text
from sgf_lark.text.escaping import escape, to_json

if TYPE_CHECKING:
    from sgf_lark.conformance.running import Task
    from sgf_lark.conformance.suite import Suite
    from sgf_lark.diagnostics import Language

Format = Literal["text", "json", "html"]


_output_options = options.option_group(
    click.option(
        "--suite",
        "suite_folder",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="Read the suite from this folder.  [default: the suite of this package]",
    ),
    options.format_option(
        get_args(Format), "for the report.  [default: by the name of OUTPUT, or text]", default=None
    ),
    options.output_option("the report.  [default: standard output]"),
    options.language_option,
)


@click.group()
def conformance() -> None:
    """Run SGF parsers on the conformance suite.

    The suite is a folder of files for parsers in any language, with the expected result
    for each file.
    """


@conformance.command()
@options.target_option(
    "; or all adapters that are installed. NAME= names its results.",
    metavar="[NAME=]TARGET",
    default=("all",),
    show_default=True,
)
@click.option(
    "--task",
    # Not TASKS of running.py: the help of all commands would wait for its import.
    type=click.Choice(("parse", "tolerant", "fix", "write")),
    default="parse",
    show_default=True,
    help="Test this: parsing, parsing of damaged files, safe fixes, or writing.",
)
@click.option(
    "--group",
    "groups",
    metavar="NAME",
    multiple=True,
    help="Run only the cases of this group. Repeat for several.",
)
@click.option(
    "--skip",
    "skip",
    metavar="NAME|FILE",
    multiple=True,
    help="Leave out this case, those of this tag or pattern (ff-3, dates/*), or all that FILE "
    "lists, one on a line.",
)
@click.option(
    "--expect",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Expect the failures of FILE, one case on a line or results as JSON: only changes fail.",
)
@options.limit_options
@options.list_targets_option
@_output_options
@click.pass_context
def run(
    ctx: click.Context,
    /,
    targets: tuple[str, ...],
    task: Task,
    groups: tuple[str, ...],
    skip: tuple[str, ...],
    expect: Path | None,
    timeout: float,
    memory: int,
    list_targets: bool,
    suite_folder: Path | None,
    output_format: Format | None,
    output: Path | None,
    language: Language,
) -> None:
    """Run parsers on all cases.

    A command reads the file named {file} or standard input. It accepts the file with
    exit code 0, rejects it with 1 to 125, and may print the tree as JSON. --target can
    be given several times; "all" means the adapters with parsers that are installed.

    With --task tolerant, the command gets damaged files and prints the recovered trees.
    With --task fix it prints the fixed file. With --task write it gets a tree as JSON,
    {"form": "text", "charset": …, "games": […]}, and prints the file.

    The exit code is 0 if every case passed, 1 if one failed, and 2 if a parser or the
    suite is missing; the results of the other parsers are written all the same. With
    --expect, the exit code is 0 if exactly the cases of FILE failed.
    """
    from sgf_lark.conformance.running import run_suite, selected_cases
    from sgf_lark.fuzz.outcomes import TargetError

    terminal.prepare_streams()
    if list_targets:
        terminal.write(fuzz.list_adapters())
        return
    chosen = _format(output, output_format)
    suite = _load_suite(suite_folder)
    unknown = sorted({*groups} - {*suite.groups})
    if unknown:
        terminal.fail(f"no group {', '.join(unknown)}; there are {', '.join(suite.groups)}")
    adapters = _expand_all(targets)
    if task != "parse" and targets == ("all",):
        terminal.fail(f"--task {task} needs --target with a command or an adapter that has it")
    expected = None if expect is None else _expected_failures(expect, suite)
    unavailable: list[TargetError] = []
    left_out = _names_to_skip(skip, suite)
    cases = {case.id for case in selected_cases(suite, task, groups, left_out)}
    with progress.progress_bar(len(adapters) * len(cases)) as bar:
        document = run_suite(
            suite,
            adapters,
            task=task,
            groups=groups,
            skip=left_out,
            timeout=timeout,
            memory=memory * MEGABYTE,
            watch=bar.watch,
            unavailable=unavailable.append,
        )
    for error in unavailable:
        terminal.print_error(str(error))
    if not document["parsers"]:
        ctx.exit(exit_code(unavailable, None))
    write_text([_render(document, suite, chosen, language)], output)
    if expected is None:
        failed = any(parser["failures"] for parser in document["parsers"])
    else:
        failed = _print_changes(document, expected & cases)
    ctx.exit(exit_code(unavailable, failed))


def _names_to_skip(given: tuple[str, ...], suite: Suite) -> list[str]:
    """Return names of cases, tags and patterns, in place of files those that they list."""
    names: list[str] = []
    for each in given:
        names += sorted(_lines(Path(each).read_text("utf-8"))) if Path(each).is_file() else [each]
    for name in names:
        if not any(case.matches(name) for case in suite.cases):
            terminal.fail(f"no case and no tag {escape(name)}")
    return names


def _lines(text: str) -> set[str]:
    """Return the names in a file: one on a line, "#" begins a remark."""
    return {line.partition("#")[0].strip() for line in text.splitlines()} - {""}


def _expected_failures(path: Path, suite: Suite) -> set[str]:
    """Return the cases in a file: one on a line, "#" begins a remark; or results as JSON."""
    text = path.read_text("utf-8", "replace")
    if text.lstrip().startswith("{"):
        from sgf_lark.conformance.running import ResultsError, read_results

        with terminal.failing_on(ResultsError):
            document = read_results(path)
        found = {entry["case"] for parser in document["parsers"] for entry in parser["failures"]}
        return found & {case.id for case in suite.cases}
    found = _lines(text)
    unknown = sorted(found - {case.id for case in suite.cases})
    if unknown:
        terminal.fail(f"{escape(path)} names no case of the suite: {escape(unknown[0])}")
    return found


def _print_changes(document: dict[str, Any], expected: set[str]) -> bool:
    """Print the cases whose result is not the expected one; return whether there are any."""
    changed = False
    for parser in document["parsers"]:
        failed = {entry["case"] for entry in parser["failures"]}
        passed = expected - failed - {*parser["skipped"]}
        for what, cases in (("fails now", failed - expected), ("passes now", passed)):
            for case in sorted(cases):
                changed = True
                terminal.print_error(f"{escape(parser['name'])}: {what}: {case}")
    return changed


@conformance.command()
@click.argument(
    "results", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
@_output_options
def report(
    results: tuple[Path, ...],
    suite_folder: Path | None,
    output_format: Format | None,
    output: Path | None,
    language: Language,
) -> None:
    """Make one report of RESULTS, JSON files that run wrote for the same cases."""
    from sgf_lark.conformance.running import ResultsError, merged, read_results

    terminal.prepare_streams()
    chosen = _format(output, output_format)
    if output is not None and not Outputs(map(str, results)).is_free(output):
        raise click.UsageError(f"{escape(output)} is both a result and the report")
    with terminal.failing_on(ResultsError):
        document = merged([read_results(path) for path in results])
    suite = _load_suite(suite_folder)
    if document["suite"]["digest"] != suite.digest:
        terminal.print_error(f"{escape(suite.folder)} is not the suite of these results")
    write_text([_render(document, suite, chosen, language)], output)


# --- Adapters, suites and results -----------------------------------------------------


def _expand_all(targets: tuple[str, ...]) -> list[str]:
    """Replace "all" by the adapters that are installed; report the others."""
    from sgf_lark.fuzz.adapters import adapters

    wanted = [*dict.fromkeys(targets)]
    if "all" not in wanted:
        return wanted
    at = wanted.index("all")
    installed = []
    for name, adapter in adapters().items():
        if adapter.installed_version() is None:
            line = f"left out, because it is not installed: {name}: {adapter.install}"
            terminal.print_error(line)
        # The other adapter of sgf_lark gives the same results.
        elif name not in (*wanted, "sgf_lark-lark"):
            installed.append(name)
    return [*wanted[:at], *installed, *wanted[at + 1 :]]


def _load_suite(folder: Path | None) -> Suite:
    from sgf_lark.conformance.suite import SuiteError, load_suite

    with terminal.failing_on(SuiteError):
        return load_suite(folder)


# --- Reports --------------------------------------------------------------------------

_SUFFIXES = {".txt": "text", ".json": "json", ".md": "text", ".html": "html", ".htm": "html"}


def _format(output: Path | None, given: str | None) -> str:
    """The format of the report; raises ModuleNotFoundError if it needs what is not installed."""
    found = (given or "text") if output is None else format_of(output, _SUFFIXES, given)
    if found == "html":
        extras.require("fuzz")
    return found


def _render(document: dict[str, Any], suite: Suite, chosen: str, language: Language) -> str:
    from sgf_lark.conformance import reporting

    if chosen == "json":
        return to_json(document, indent=1) + "\n"
    if chosen == "html":
        return reporting.render_html(document, suite, language)
    return reporting.render_text(document, language)
