"""``sgf-lark fuzz``: test other parsers with files that follow and break the rules."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sgf_lark.cli.fuzz_settings import (
    CannotRun,
    NumberOrAll,
    all_features,
    list_adapters,
    make_settings,
)
from sgf_lark.cli.options import limit_options
from sgf_lark.text.escaping import escape

if TYPE_CHECKING:
    from sgf_lark.fuzz.running import Alternatives, Result, Settings

_SECONDS = 60.0


@click.group(invoke_without_command=True)
@click.option(
    "--target",
    "targets",
    metavar="TARGET",
    multiple=True,
    help="Test this parser: an adapter by name, a Python callable module:function, or a "
    "command, which reads {file} or else standard input. Several are also compared with each "
    "other.",
)
@click.option("--list-targets", is_flag=True, help="List the adapters and which are installed.")
@click.option(
    "--compare",
    type=click.Choice(("verdict", "tree")),
    default="tree",
    show_default=True,
    help="Compare only whether a file is accepted, or also the parse tree.",
)
@click.option(
    "--strict/--lenient",
    default=False,
    help="Report files that break a rule and are accepted, or do not.",
)
@click.option(
    "--level",
    type=click.Choice(("grammar", "rules")),
    help="Like --strict, for a parser that checks only the grammar, or all rules.",
)
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help="Stop after this many seconds, in which findings are minimized too.  "
    f"[default: {_SECONDS:g}, without --examples]",
)
@click.option(
    "--examples", type=click.IntRange(1), metavar="N", help="Stop after this many inputs."
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    metavar="N",
    help="Generate inputs from this seed: with --examples, runs are the same.  [default: random]",
)
@click.option(
    "--corpus",
    "corpora",
    metavar="PATH",
    multiple=True,
    help="Mutate these files as well: a folder, an archive or a file.",
)
@click.option(
    "--gm",
    "games",
    type=NumberOrAll("game"),
    metavar="NUMBER|all",
    multiple=True,
    default=("1",),
    show_default=True,
    help="Send files of this game only: generated ones, examples of rules, mutants and those of "
    "--corpus. Repeat for several.",
)
@click.option(
    "--ff",
    "file_formats",
    type=NumberOrAll("file format"),
    metavar="NUMBER|all",
    multiple=True,
    default=("4",),
    show_default=True,
    help="Send files of this file format only, and damaged ones without FF. Repeat for several.",
)
@click.option(
    "--known",
    "known",
    type=click.Path(path_type=Path, exists=True),
    metavar="PATH",
    multiple=True,
    help="Report only new causes: this is the folder of findings of an earlier run, or a file "
    "that `fuzz known` makes of one.",
)
@click.option(
    "--without",
    "without",
    metavar="FEATURE",
    multiple=True,
    help="Send no file with this feature.",
)
@click.option("--list-features", is_flag=True, help="List the features for --without.")
@limit_options
@click.option(
    "--slow",
    type=click.FloatRange(0),
    default=20.0,
    show_default=True,
    metavar="TIMES",
    help="Report inputs that take this many times the usual CPU time for their size, if the time "
    "grows faster than the size; or five times as much, if it does not. 0 reports none.",
)
@click.option(
    "--writable",
    type=click.Path(exists=True, file_okay=False, resolve_path=True),
    metavar="DIRECTORY",
    multiple=True,
    help="Let parsers write to this folder. They run in a temporary folder, and on Linux with "
    "Landlock (5.13 and later) they cannot change files anywhere else.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="Run N worker processes.  [default: one for each processor]",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("fuzz-findings"),
    show_default=True,
    help="Write findings to this folder.",
)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(("text", "json", "junit", "html")),
    default="text",
    show_default=True,
    help="Write the report on standard output in this format.",
)
@click.option(
    "--report",
    "reports",
    type=click.Path(path_type=Path, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="Also write a report to this file: .txt, .json, .xml (JUnit) or .html.",
)
@click.pass_context
def fuzz(
    ctx: click.Context,
    /,
    targets: tuple[str, ...],
    list_targets: bool,
    list_features: bool,
    output_format: str,
    output: Path,
    reports: tuple[Path, ...],
    jobs: int | None,
    seconds: float | None,
    examples: int | None,
    **options: Any,
) -> None:
    """Test other SGF parsers with valid files, files that break a rule, and damaged files.

    Findings are crashes, hangs, too much memory, far more time for each byte than for
    other files, valid files that are rejected or parsed wrong, and with --strict files
    that break a rule and are accepted. Each finding is one cause: the features of a file
    without which it disappears. Its input is minimized and written to the output folder,
    with a description and the command that replays it.

    The exit code is 0 if nothing was found that --known does not list, 1 if something
    was found, and 2 if a target could not be run. After Ctrl-C and SIGTERM the report is
    still written, and the exit code is 130.
    """
    if ctx.invoked_subcommand is not None:
        return
    from sgf_lark.cli import CLEAN, INTERRUPTED, VIOLATIONS, terminal
    from sgf_lark.fuzz.reporting import FORMATS

    terminal.prepare_streams("utf-8" if output_format != "text" else None)
    if list_targets:
        terminal.write(list_adapters())
        return
    if list_features:
        terminal.write(all_features())
        return
    if not targets:
        raise click.UsageError("a --target is needed; --list-targets shows which there are", ctx)
    endings = {path: _ending(path) for path in reports}
    settings = make_settings(targets, **options)
    result = _run(settings, seconds, examples, jobs)
    result.alternatives = _alternatives(result)
    _write(result, output, endings)
    terminal.write(FORMATS[output_format](result, output))
    ctx.exit(INTERRUPTED if result.interrupted else VIOLATIONS if result.findings else CLEAN)


def _run(
    settings: Settings, seconds: float | None, examples: int | None, jobs: int | None
) -> Result:
    from sgf_lark.cli import parallel
    from sgf_lark.fuzz.outcomes import TargetError
    from sgf_lark.fuzz.running import run

    if seconds is None and examples is None:
        seconds = _SECONDS
    progress = _Progress()
    # SIGTERM, which CI servers send, ends the run as Ctrl-C does: the report is still written.
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return run(
            settings,
            seconds=seconds,
            examples=examples,
            workers=jobs or parallel.processors(),
            watch=progress.show,
        )
    except TargetError as error:
        raise CannotRun(str(error)) from error
    finally:
        signal.signal(signal.SIGTERM, before)
        progress.hide()


def _alternatives(result: Result) -> Alternatives:
    """Count the productions and alternatives of the grammar in what the run has sent."""
    from sgf_lark.fuzz.running import Alternatives
    from sgf_lark.teaching.coverage import Coverage, totals

    coverage = Coverage()
    for data in result.exercised.examples:
        coverage.add(data)
    uses = [use for file in coverage.uses().values() for use in file]
    never = tuple(
        f"{production.text}: {use.text}"
        for production in uses
        for use in production.all_alternatives
        if not use.count
    )
    productions, all_productions, used, alternatives = totals(uses)
    return Alternatives(productions, all_productions, used, alternatives, never)


_ENDINGS = {".txt": "text", ".json": "json", ".xml": "junit", ".html": "html"}


def _ending(path: Path) -> str:
    from sgf_lark.cli.outputs import check_file

    if path.suffix not in _ENDINGS:
        raise click.BadParameter(f"{escape(path)}: a report ends with {', '.join(_ENDINGS)}")
    check_file(path)
    return _ENDINGS[path.suffix]


def _write(result: Result, output: Path, reports: dict[Path, str]) -> None:
    from sgf_lark.fuzz.findings import write_findings
    from sgf_lark.fuzz.reporting import FORMATS
    from sgf_lark.model.writing import write_file

    try:
        if result.findings:
            write_findings(output, result)
        for path, name in reports.items():
            write_file(path, FORMATS[name](result, output).encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise CannotRun(f"{escape(error.filename)}: {error.strerror}") from error


class _Progress:
    """One line on standard error with the counts so far, if that is a terminal."""

    def __init__(self) -> None:
        self._wanted = sys.stderr is not None and sys.stderr.isatty()
        self._shown = False

    def show(self, result: Result) -> None:
        if not self._wanted:
            return
        verdicts: dict[str, int] = {}
        for (_, verdict), count in result.verdicts.items():
            verdicts[verdict] = verdicts.get(verdict, 0) + count
        small = sum(finding.original is not None for finding in result.findings)
        counts = [f"{count} {verdict}" for verdict, count in sorted(verdicts.items())]
        line = f"{result.examples} inputs: {', '.join(counts)}; {len(result.findings)} findings"
        if small:
            line += f", {small} minimized"
        click.echo(f"\r\x1b[K{line}", nl=False, err=True)
        self._shown = True

    def hide(self) -> None:
        if self._shown:
            click.echo("\r\x1b[K", nl=False, err=True)


@fuzz.command()
@click.argument("path", type=click.Path(path_type=Path, dir_okay=False))
@click.pass_context
def replay(ctx: click.Context, /, path: Path) -> None:
    """Run a finding again; PATH is its .json file, next to its .sgf file.

    The exit code is 1 if it still occurs, 0 if it does not, and 2 if it could not be
    run.
    """
    from sgf_lark.cli import terminal
    from sgf_lark.fuzz import findings
    from sgf_lark.fuzz.outcomes import TargetError

    terminal.prepare_streams()
    try:
        key, detail, lines = findings.replay(path)
    except OSError as error:
        raise CannotRun(f"{escape(error.filename)}: {error.strerror}") from error
    except (ValueError, TargetError) as error:
        raise CannotRun(str(error)) from error
    for line in lines:
        terminal.write(f"{escape(line)}\n")
    what = escape(f"{key.kind} {key.place}".strip())
    terminal.write(f"{what}: {'it is not there any more' if detail is None else 'still there'}\n")
    ctx.exit(0 if detail is None else 1)


@fuzz.command()
@click.argument("paths", type=click.Path(path_type=Path, exists=True), nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write to this file.  [default: standard output]",
)
def known(paths: tuple[Path, ...], output: Path | None) -> None:
    """Make one file for --known of folders and files of findings."""
    from sgf_lark.cli import terminal
    from sgf_lark.fuzz.findings import join_findings
    from sgf_lark.model.writing import write_file

    terminal.prepare_streams("utf-8")
    try:
        text = join_findings(paths)
        if output is None:
            terminal.write(text)
        else:
            write_file(output, text.encode())
    except OSError as error:
        raise CannotRun(f"{escape(error.filename)}: {error.strerror}") from error
    except ValueError as error:
        raise CannotRun(str(error)) from error


@fuzz.command()
@click.option(
    "--afl",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write seeds/ and sgf.dict for AFL++ to this folder.",
)
@click.option(
    "--libfuzzer",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write corpus/, sgf.dict and a mutator in C for libFuzzer to this folder.",
)
@click.option(
    "--cargo-fuzz",
    "cargo_fuzz",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write a crate with corpus/, sgf.dict and a mutator for cargo-fuzz to this folder.",
)
@click.option(
    "--jazzer-js",
    "jazzer_js",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write corpus/, sgf.dict and a fuzz target for Jazzer.js to this folder.",
)
@click.option(
    "--examples",
    type=click.IntRange(0),
    default=500,
    show_default=True,
    metavar="N",
    help="Generate N seeds, in addition to the examples of the rules.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    metavar="N",
    help="Generate seeds from this number.",
)
def export(examples: int, seed: int, **folders: Path | None) -> None:
    """Write seeds, a dictionary and a mutator for coverage-guided fuzzers.

    Use them like this, with AFL_PYTHON_MODULE=sgf_lark.fuzz.afl_mutator for AFL++:
    `afl-fuzz -i DIR/seeds -o out -x DIR/sgf.dict -- ./parser @@`;
    `clang -fsanitize=fuzzer target.c DIR/sgf_mutator.c` and `./a.out -dict=DIR/sgf.dict
    DIR/corpus`; `cargo fuzz run parse fuzz/corpus -- -dict=fuzz/sgf.dict`;
    `npx jazzer DIR/parse.fuzz.cjs DIR/corpus -- -dict=DIR/sgf.dict`. For Atheris there is
    sgf_lark.fuzz.atheris_mutator.custom_mutator.
    """
    from sgf_lark.cli import terminal
    from sgf_lark.fuzz.exporting import export as write

    wanted = {name.replace("_", "-"): folder for name, folder in folders.items() if folder}
    if not wanted:
        raise click.UsageError("where to? --afl, --libfuzzer, --cargo-fuzz or --jazzer-js DIR")
    for style, folder in wanted.items():
        try:
            count = write(folder, style, seed, examples)
        except OSError as error:
            raise CannotRun(f"{escape(error.filename)}: {error.strerror}") from error
        terminal.write(f"{count} seeds and a dictionary in {escape(folder)}\n")
