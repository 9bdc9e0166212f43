"""``sgf-lark fuzz``: test other parsers with files that follow and break the rules."""

from __future__ import annotations

import signal
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

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


class NumberOrAll(click.ParamType["int | None"]):
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
    type=NumberOrAll("game"),
    metavar="NUMBER|all",
    multiple=True,
    default=("1",),
    show_default=True,
)
@options.ff_option(
    "for the files that are sent, except damaged ones without FF. Repeat for several.",
    "file_formats",
    type=NumberOrAll("file format"),
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
    list_features: bool,
    output_format: str,
    output: Path,
    reports: tuple[Path, ...],
    jobs: int | None,
    seconds: float | None,
    examples: int | None,
    language: Language,
    **options: Any,
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
    from sgf_lark.fuzz.reporting import FORMATS, write_findings

    terminal.prepare_streams("utf-8" if output_format != "text" else None)
    if list_targets:
        terminal.write(list_adapters())
        return
    if list_features:
        terminal.write(all_features())
        return
    if not targets:
        raise click.UsageError("a --target is needed; --list-targets shows which there are", ctx)
    formats = {path: outputs.format_of(path, _SUFFIXES) for path in reports}
    if "html" in (*formats.values(), output_format):
        extras.require("fuzz")
    settings = make_settings(targets, **options)
    result = _run(settings, seconds, examples, jobs)
    if result.findings:
        write_findings(output, result)
    for path, name in formats.items():
        outputs.write_text([FORMATS[name](result, output, language)], path)
    terminal.write(FORMATS[output_format](result, output, language))
    ctx.exit(INTERRUPTED if result.interrupted else exit_code(result.lost_worker, result.findings))


def _run(
    settings: Settings, seconds: float | None, examples: int | None, jobs: int | None
) -> RunResult:
    from sgf_lark.cli import parallel
    from sgf_lark.fuzz.outcomes import TargetError
    from sgf_lark.fuzz.running import run

    if seconds is None and examples is None:
        seconds = _SECONDS
    # SIGTERM, which CI servers send, ends the run as Ctrl-C does: the report is still written.
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    total = None if progress.is_wanted() else 0
    try:
        with terminal.failing_on(TargetError), progress.progress_bar(total) as bar:
            return run(
                settings,
                seconds=seconds,
                examples=examples,
                workers=jobs or parallel.processors(),
                watch=lambda result: bar.update(result.examples, _counts(result)),
            )
    finally:
        signal.signal(signal.SIGTERM, before)


#: The formats of reports by the suffixes of their names.
_SUFFIXES = {".txt": "text", ".json": "json", ".html": "html"}


def _counts(result: RunResult) -> str:
    """Return the counts so far, in one line."""
    verdicts: Counter[str] = Counter()
    for (_, verdict), count in result.verdicts.items():
        verdicts[verdict] += count
    small = sum(finding.original is not None for finding in result.findings)
    counts = [f"{count} {verdict}" for verdict, count in sorted(verdicts.items())]
    line = f"{result.examples} inputs: {', '.join(counts)}; {len(result.findings)} findings"
    return line + (f", {small} minimized" if small else "")


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


@fuzz.command()
@click.argument("paths", type=click.Path(path_type=Path, exists=True), nargs=-1, required=True)
@options.output_option(
    "the findings.  [default: standard output]",
    type=click.Path(path_type=Path, dir_okay=False),
)
def known(paths: tuple[Path, ...], output: Path | None) -> None:
    """Make one file for --known of folders and files of findings."""
    from sgf_lark.fuzz.reporting import join_findings

    terminal.prepare_streams("utf-8")
    with terminal.failing_on(ValueError):
        outputs.write_text([join_findings(paths)], output)


# --- Settings and lists -------------------------------------------------------------------------


def make_settings(
    targets: tuple[str, ...],
    *,
    compare: str,
    strict: Level | None,
    seed: int | None,
    corpora: tuple[str, ...],
    games: tuple[int | None, ...],
    file_formats: tuple[int | None, ...],
    known: tuple[Path, ...],
    without: tuple[str, ...],
    timeout: float,
    memory: int,
) -> Settings:
    """Return the settings of a run; end the command if no file of the corpora can be read."""
    from secrets import randbits

    from sgf_lark.files.contents import read_all
    from sgf_lark.fuzz.features import parse
    from sgf_lark.fuzz.judging import Judge
    from sgf_lark.fuzz.reporting import load_findings
    from sgf_lark.fuzz.working import Settings

    files = list(read_all(corpora))
    unreadable = [f"{escape(file.path)}: {file.reason}" for file in files if file.data is None]
    if unreadable and len(unreadable) == len(files):
        terminal.fail("\n".join(unreadable))
    for reason in unreadable:
        terminal.print_error(reason)
    try:
        features = tuple(map(parse, without))
    except ValueError as error:
        raise click.BadParameter(f"{error}; --list-features shows them all") from error
    with terminal.failing_on(ValueError):
        findings = tuple(finding for path in known for finding in load_findings(path))
    return Settings(
        tuple(dict.fromkeys(targets)),
        randbits(32) if seed is None else seed,
        tuple(file.data for file in files if file.data is not None),
        _numbers(games),
        _numbers(file_formats),
        timeout,
        memory * MEGABYTE,
        Judge(compare == "tree", strict),
        features,
        findings,
    )


def _numbers(given: tuple[int | None, ...]) -> tuple[int, ...]:
    """Return the numbers without repetition, or none if "all" is among them."""
    return () if None in given else tuple(dict.fromkeys(filter(None, given)))


def all_features() -> str:
    """Return a line for each feature of the grammar and the property table."""
    from sgf_lark.fuzz.features import listed

    return "".join(f"{feature.name:44} {feature.title}\n" for feature in listed())


def list_adapters() -> str:
    """Return lines on each adapter: whether it is installed, or how to install it."""
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
