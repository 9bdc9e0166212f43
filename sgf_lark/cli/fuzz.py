"""``sgf-lark fuzz``: test other parsers with files that follow and break the rules."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sgf_lark.cli.options import MEGABYTE, limit_options
from sgf_lark.text.escaping import escape

if TYPE_CHECKING:
    from sgf_lark.fuzz.features import Feature
    from sgf_lark.fuzz.running import Alternatives, Finding, Result, Settings

_SECONDS = 60.0


class _NumberOrAll(click.ParamType["int | None"]):
    """A number of the grammar, or "all", which gives None."""

    name = "number"

    def __init__(self, what: str) -> None:
        self._what = what

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | None:
        """Return the number; fail for one that the grammar does not have."""
        from sgf_lark import grammar
        from sgf_lark.fuzz.generating_files import FILE_FORMATS

        if value == "all":
            return None
        known = grammar.games() if self._what == "game" else FILE_FORMATS
        numbers = [str(number) for number in known]
        if value not in numbers:
            self.fail(f"no such {self._what}: {value}; all, or one of {', '.join(numbers)}")
        return int(value)


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
    type=_NumberOrAll("game"),
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
    type=_NumberOrAll("file format"),
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

    Findings are crashes, hangs, too much memory, valid files that are rejected or
    parsed wrong, and with --strict files that break a rule and are accepted. Each
    finding is one cause: the features of a file without which it disappears. Its input
    is minimized and written to the output folder, with a description and the command
    that replays it.

    The exit code is 0 if nothing was found that --known does not list, 1 if something
    was found, and 2 if a target could not be run.
    """
    if ctx.invoked_subcommand is not None:
        return
    from sgf_lark.cli import terminal
    from sgf_lark.fuzz.reporting import FORMATS

    terminal.prepare_streams("utf-8" if output_format != "text" else None)
    if list_targets:
        terminal.write(_list_adapters())
        return
    if list_features:
        terminal.write(_list_features())
        return
    if not targets:
        raise click.UsageError("a --target is needed; --list-targets shows which there are", ctx)
    endings = {path: _ending(path) for path in reports}
    settings = _settings(targets, **options)
    result = _run(settings, seconds, examples, jobs)
    result.alternatives = _alternatives(result)
    _write(result, output, endings)
    terminal.write(FORMATS[output_format](result, output))
    ctx.exit(1 if result.findings else 0)


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
        raise _CannotRun(str(error)) from error
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


class _CannotRun(click.ClickException):
    exit_code = 2


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
        raise _CannotRun(f"{escape(error.filename)}: {error.strerror}") from error


def _settings(
    targets: tuple[str, ...],
    *,
    compare: str,
    strict: bool,
    seed: int | None,
    corpora: tuple[str, ...],
    games: tuple[int | None, ...],
    file_formats: tuple[int | None, ...],
    known: tuple[Path, ...],
    without: tuple[str, ...],
    timeout: float,
    memory: int,
) -> Settings:
    from secrets import randbits

    from sgf_lark.cli.inputs import read_all
    from sgf_lark.fuzz.judging import Judge
    from sgf_lark.fuzz.running import Settings

    files = list(read_all(corpora))
    for file in files:
        if file.data is None:
            raise _CannotRun(f"{escape(file.path)}: {file.reason}")
    return Settings(
        tuple(dict.fromkeys(targets)),
        randbits(32) if seed is None else seed,
        tuple(file.data for file in files if file.data is not None),
        _numbers(games),
        _numbers(file_formats),
        timeout,
        memory * MEGABYTE,
        Judge(trees=compare == "tree", strict=strict),
        _features(without),
        _known(known),
    )


def _numbers(given: tuple[int | None, ...]) -> tuple[int, ...]:
    """Return the numbers without repetition, or none if "all" is among them."""
    numbers = tuple(number for number in dict.fromkeys(given) if number is not None)
    return numbers if None not in given else ()


def _features(names: tuple[str, ...]) -> tuple[Feature, ...]:
    from sgf_lark.fuzz.features import parse

    try:
        return tuple(parse(name) for name in names)
    except ValueError as error:
        raise click.BadParameter(f"{error}; --list-features shows them all") from error


def _known(paths: tuple[Path, ...]) -> tuple[Finding, ...]:
    from sgf_lark.fuzz.findings import load_findings

    try:
        return tuple(finding for path in paths for finding in load_findings(path))
    except OSError as error:
        raise _CannotRun(f"{escape(error.filename)}: {error.strerror}") from error
    except ValueError as error:
        raise _CannotRun(str(error)) from error


def _list_features() -> str:
    from sgf_lark.fuzz.features import listed

    return "".join(f"{feature.name:44} {feature.title}\n" for feature in listed())


def _list_adapters() -> str:
    from sgf_lark.fuzz.adapters import adapters

    lines = []
    for adapter in adapters().values():
        version = adapter.installed_version()
        if version is not None:
            state = f"available {version}".rstrip()
        else:
            state = "cannot be used" if adapter.kind == "none" else "not installed"
        lines.append(f"{adapter.name:14} {state:18} {adapter.title}\n")
        if adapter.note:
            lines.append(f"{'':14} {adapter.note}\n")
        if version is None and adapter.install:
            lines.append(f"{'':14} {adapter.install}\n")
    return "".join(lines)


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
        raise _CannotRun(f"{escape(error.filename)}: {error.strerror}") from error
    except (ValueError, TargetError) as error:
        raise _CannotRun(str(error)) from error
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
        raise _CannotRun(f"{escape(error.filename)}: {error.strerror}") from error
    except ValueError as error:
        raise _CannotRun(str(error)) from error


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
    `npx jazzer DIR/parse.fuzz DIR/corpus -- -dict=DIR/sgf.dict`. For Atheris there is
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
            raise _CannotRun(f"{escape(error.filename)}: {error.strerror}") from error
        terminal.write(f"{count} seeds and a dictionary in {escape(folder)}\n")
