"""``sgf-lark fuzz``: test other parsers with files that follow and break the rules."""

from __future__ import annotations

import signal
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sgf_lark.cli import INTERRUPTED, exit_code, extras, options, outputs, progress, terminal
from sgf_lark.cli.options import MEGABYTE
from sgf_lark.text.escaping import escape

if TYPE_CHECKING:
    from sgf_lark.diagnostics import Language
    from sgf_lark.fuzz.judging import Level
    from sgf_lark.fuzz.running import RunResult
    from sgf_lark.fuzz.working import Settings

_SECONDS = 60.0


@click.group(invoke_without_command=True)
@options.target_option(
    ", which reads {file} or else standard input. Several are also compared with each other. NAME= "
    "names its findings, for --known.",
    metavar="[NAME=]TARGET",
)
@options.list_targets_option
@click.option(
    "--compare",
    type=click.Choice(("verdict", "tree")),
    default="tree",
    show_default=True,
    help="Compare only whether a file is accepted, or also the parse tree.",
)
@click.option(
    "--strict",
    type=click.Choice(("grammar", "rules")),
    is_flag=False,
    flag_value="rules",
    help="Report files that are accepted and break a rule, or, for a parser that checks only the "
    "grammar, are outside of it.  [without a value: rules]",
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
    "--examples",
    type=click.IntRange(1),
    metavar="N",
    help="Generate this many inputs: the run ends after them.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    metavar="N",
    help="Generate inputs from this seed: runs with the same --examples are the same.  "
    "[default: random]",
)
@click.option(
    "--corpus",
    "corpora",
    metavar="PATH",
    multiple=True,
    help="Mutate these files as well: a folder, an archive or a file.",
)
@options.gm_option(
    "for the files that are sent: generated ones, examples of rules, mutants and those of "
    "--corpus. Repeat for several.",
    "games",
    type=str,
    metavar="NUMBER|all",
    multiple=True,
    default=("1",),
    show_default=True,
)
@options.ff_option(
    "for the files that are sent, except damaged ones without FF. Repeat for several.",
    "file_formats",
    type=str,
    metavar="NUMBER|all",
    multiple=True,
    default=("4",),
    show_default=True,
)
@click.option(
    "--known",
    "known",
    type=click.Path(path_type=Path, exists=True),
    metavar="PATH",
    multiple=True,
    help="Report only new causes: this is the folder of findings of an earlier run, or its report "
    "in JSON.",
)
@click.option(
    "--without",
    "without",
    metavar="FEATURE",
    multiple=True,
    help="Send no file with this feature.",
)
@click.option("--list-features", is_flag=True, help="List the features for --without.")
@options.limit_options
@options.jobs_option
@options.output_option(
    "the findings, to a folder.",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("fuzz-findings"),
    show_default=True,
)
@options.format_option(("text", "json", "html"), "for the report on standard output.")
@options.language_option
@click.option(
    "--report",
    "reports",
    type=click.Path(path_type=Path, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="Also write a report to this file: .txt, .json or .html.",
)
@click.pass_context
def fuzz(
    ctx: click.Context,
    /,
    targets: tuple[str, ...],
    list_targets: bool,
    compare: str,
    strict: Level | None,
    seconds: float | None,
    examples: int | None,
    seed: int | None,
    corpora: tuple[str, ...],
    games: tuple[str, ...],
    file_formats: tuple[str, ...],
    known: tuple[Path, ...],
    without: tuple[str, ...],
    list_features: bool,
    timeout: float,
    memory: int,
    jobs: int | None,
    output: Path,
    output_format: str,
    language: Language,
    reports: tuple[Path, ...],
) -> None:
    """Test other SGF parsers with valid, wrong and damaged files.

    Findings are crashes, hangs, too much memory, valid files that are rejected or parsed
    wrong, and with --strict files that break a rule and are accepted. Each finding is one
    cause: the features of a file without which it disappears. Its input is minimized and
    written to the output folder, with a description and the command that replays it.

    The exit code is 0 if nothing was found that --known does not list, 1 if something
    was found, and 2 if a target could not be run, or a worker process was lost. After
    Ctrl-C and SIGTERM the report is still written, and the exit code is 130.
    """
    if ctx.invoked_subcommand is not None:
        return
    from secrets import randbits

    from sgf_lark import grammar
    from sgf_lark.fuzz import reporting
    from sgf_lark.fuzz.features import listed, parse
    from sgf_lark.fuzz.generating_files import FILE_FORMATS
    from sgf_lark.fuzz.judging import Judge
    from sgf_lark.fuzz.working import Settings

    terminal.prepare_streams("utf-8" if output_format != "text" else None)
    if list_targets:
        terminal.write(list_adapters())
        return
    if list_features:
        terminal.write("".join(f"{feature.name:44} {feature.title}\n" for feature in listed()))
        return
    if not targets:
        raise click.UsageError("a --target is needed; --list-targets shows which there are", ctx)
    formats = {path: outputs.format_of(path, _SUFFIXES) for path in reports}
    if "html" in (*formats.values(), output_format):
        extras.require("fuzz")
    try:
        features = tuple(map(parse, without))
    except ValueError as error:
        raise click.BadParameter(f"{error}; --list-features shows them all") from error
    with terminal.failing_on(ValueError):
        findings = tuple(found for path in known for found in reporting.load_findings(path))
    settings = Settings(
        tuple(dict.fromkeys(targets)),
        seed=randbits(32) if seed is None else seed,
        corpus=_read_corpora(corpora),
        games=_numbers("--gm", games, grammar.games()),
        file_formats=_numbers("--ff", file_formats, FILE_FORMATS),
        timeout=timeout,
        memory=memory * MEGABYTE,
        judge=Judge(compare == "tree", strict),
        without=features,
        known=findings,
    )
    result = _run(settings, seconds, examples, jobs)
    if result.findings:
        reporting.write_findings(output, result)
    for path, name in formats.items():
        outputs.write_text([reporting.FORMATS[name](result, output, language)], path)
    terminal.write(reporting.FORMATS[output_format](result, output, language))
    ctx.exit(INTERRUPTED if result.interrupted else exit_code(result.lost_worker, result.findings))


def _read_corpora(corpora: tuple[str, ...]) -> tuple[bytes, ...]:
    """Return the files of the corpora; end the command if none can be read."""
    from sgf_lark.files.contents import read_all

    files = list(read_all(corpora))
    unreadable = [f"{escape(file.path)}: {file.reason}" for file in files if file.data is None]
    if unreadable and len(unreadable) == len(files):
        terminal.fail("\n".join(unreadable))
    for reason in unreadable:
        terminal.print_error(reason)
    return tuple(file.data for file in files if file.data is not None)


def _numbers(option: str, given: tuple[str, ...], known: Iterable[int]) -> tuple[int, ...]:
    """Return the numbers that are given, each once, or none if "all" is among them."""
    if "all" in given:
        return ()
    numbers = {str(number): number for number in known}
    for value in given:
        if value not in numbers:
            choices = ", ".join(numbers)
            raise click.BadParameter(f"{value} is not all, or one of {choices}", param_hint=option)
    return tuple(numbers[value] for value in dict.fromkeys(given))


def _run(
    settings: Settings, seconds: float | None, examples: int | None, jobs: int | None
) -> RunResult:
    from sgf_lark.cli import parallel
    from sgf_lark.fuzz.outcomes import TargetError
    from sgf_lark.fuzz.running import run

    def watch(result: RunResult) -> None:
        bar.update(result.examples, f"{result.examples} inputs, {len(result.findings)} findings")

    if seconds is None and examples is None:
        seconds = _SECONDS
    # SIGTERM, which CI servers send, ends the run as Ctrl-C does: the report is still written.
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    total = None if progress.is_wanted() else 0
    workers = jobs or parallel.processors()
    try:
        with terminal.failing_on(TargetError), progress.progress_bar(total) as bar:
            return run(settings, seconds=seconds, examples=examples, workers=workers, watch=watch)
    finally:
        signal.signal(signal.SIGTERM, before)


#: The formats of reports by the suffixes of their names.
_SUFFIXES = {".txt": "text", ".json": "json", ".html": "html"}


@fuzz.command()
@click.argument("path", type=click.Path(path_type=Path, dir_okay=False))
@click.pass_context
def replay(ctx: click.Context, /, path: Path) -> None:
    """Run a finding again; PATH is its .json file, next to its .sgf file.

    The exit code is 1 if it still occurs, 0 if it does not, and 2 if it could not be
    run.
    """
    from sgf_lark.fuzz import reporting
    from sgf_lark.fuzz.outcomes import TargetError

    terminal.prepare_streams()
    with terminal.failing_on(ValueError, TargetError):
        key, found, lines = reporting.replay(path)
    for line in lines:
        terminal.write(f"{escape(line)}\n")
    what = escape(f"{key.kind} {key.place}".strip())
    if found is not None and found.key != key:
        what += escape(f", now {found.key.kind} {found.key.place}".rstrip())
    terminal.write(f"{what}: {'it is not there any more' if found is None else 'still there'}\n")
    ctx.exit(exit_code(None, found is not None))


def list_adapters() -> str:
    """Return lines on each adapter: whether it is installed, or how to install it."""
    from sgf_lark.fuzz.adapters import adapters

    lines = []
    for adapter in adapters().values():
        version = adapter.installed_version()
        state = "not installed" if version is None else f"available {version}".rstrip()
        lines.append(f"{adapter.name:14} {state:18} {adapter.title}\n")
        if version is None:
            lines.append(f"{'':14} {adapter.install}\n")
    return "".join(lines)
