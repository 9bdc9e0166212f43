"""``sgf-lark fuzz``: what other parsers make of files that keep and break the rules."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from sgf_lark.fuzz.running import Result, Settings

_SECONDS = 60.0
_MEGABYTE = 2**20


@click.group(invoke_without_command=True)
@click.option(
    "--target",
    "targets",
    metavar="TARGET",
    multiple=True,
    help="A parser: an adapter by name, a Python callable module:function, or a command, "
    "which reads {file} or else standard input. Several are compared with each other too.",
)
@click.option("--list-targets", is_flag=True, help="Show the adapters, and what is installed.")
@click.option(
    "--compare",
    type=click.Choice(("verdict", "tree")),
    default="tree",
    show_default=True,
    help="Compare only whether a file is accepted, or also what was read.",
)
@click.option(
    "--strict/--lenient", default=False, help="To accept what breaks a rule is a finding, or not."
)
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help=f"Run so long. Without --time and --examples: {_SECONDS:g} seconds.",
)
@click.option("--examples", type=click.IntRange(1), metavar="N", help="Run so many inputs.")
@click.option(
    "--seed",
    type=click.IntRange(0),
    metavar="N",
    help="The same seed and number of examples give the same run. Without it: a new one.",
)
@click.option(
    "--corpus",
    "corpora",
    metavar="PATH",
    multiple=True,
    help="Start from these files as well: a folder, an archive or a file.",
)
@click.option(
    "--gm",
    "game",
    type=click.IntRange(1),
    metavar="NUMBER",
    default=1,
    show_default=True,
    help="Make files of this game.",
)
@click.option(
    "--ff",
    "file_format",
    type=click.IntRange(1, 4),
    default=4,
    show_default=True,
    help="Make files of this file format.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=5.0,
    show_default=True,
    metavar="SECONDS",
    help="No answer for so long is a hang.",
)
@click.option(
    "--memory",
    type=click.IntRange(16),
    default=1024,
    show_default=True,
    metavar="MB",
    help="A target gets no more memory than this.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="Worker processes. Without it: one for each processor.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("fuzz-findings"),
    show_default=True,
    help="Where findings are written.",
)
@click.option(
    "--format",
    "output_format",
    type=click.Choice(("text", "json", "junit", "html")),
    default="text",
    show_default=True,
    help="The report on standard output.",
)
@click.option(
    "--report",
    "reports",
    type=click.Path(path_type=Path, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="Write a report as well: .txt, .json, .xml (JUnit) or .html.",
)
@click.pass_context
def fuzz(
    ctx: click.Context,
    /,
    targets: tuple[str, ...],
    list_targets: bool,
    output_format: str,
    output: Path,
    reports: tuple[Path, ...],
    jobs: int | None,
    seconds: float | None,
    examples: int | None,
    **options: Any,
) -> None:
    """Test other SGF parsers with files that conform, that break a rule, and damaged ones.

    Findings are crashes, hangs, too much memory, files that conform and are refused or
    read as something else, and with --strict files that break a rule and are accepted.
    Each is made small and written to the output folder, with a description and
    the command that replays it.

    The exit code is 0 where nothing was found, 1 where something was, 2 where a target
    could not be run.
    """
    if ctx.invoked_subcommand is not None:
        return
    from sgf_lark.cli import terminal
    from sgf_lark.fuzz.reporting import FORMATS

    terminal.prepare_streams("utf-8" if output_format != "text" else None)
    if list_targets:
        terminal.write(_listed())
        return
    if not targets:
        raise click.UsageError("a --target is needed; --list-targets shows which there are", ctx)
    endings = {path: _ending(path) for path in reports}
    settings = _settings(targets, **options)
    result = _run(settings, seconds, examples, jobs)
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
    # What ends a job of a server is as good as Ctrl-C: the report comes all the same.
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


class _CannotRun(click.ClickException):
    exit_code = 2


_ENDINGS = {".txt": "text", ".json": "json", ".xml": "junit", ".html": "html"}


def _ending(path: Path) -> str:
    if path.suffix not in _ENDINGS:
        raise click.BadParameter(f"{path}: a report ends with {', '.join(_ENDINGS)}")
    return _ENDINGS[path.suffix]


def _write(result: Result, output: Path, reports: dict[Path, str]) -> None:
    from sgf_lark.fuzz.findings import write_file, write_findings
    from sgf_lark.fuzz.reporting import FORMATS

    try:
        if result.findings:
            write_findings(output, result)
        for path, name in reports.items():
            write_file(path, FORMATS[name](result, output).encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise _CannotRun(f"{error.filename}: {error.strerror}") from error


def _settings(
    targets: tuple[str, ...],
    *,
    compare: str,
    strict: bool,
    seed: int | None,
    corpora: tuple[str, ...],
    game: int,
    file_format: int,
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
            raise _CannotRun(f"{file.path}: {file.reason}")
    return Settings(
        tuple(dict.fromkeys(targets)),
        randbits(32) if seed is None else seed,
        tuple(file.data for file in files if file.data is not None),
        {"game": game, "file_format": file_format},
        timeout,
        memory * _MEGABYTE,
        Judge(trees=compare == "tree", strict=strict),
    )


def _listed() -> str:
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
    """One line on standard error with what was done so far, where a person sees it."""

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
        said = [f"{count} {verdict}" for verdict, count in sorted(verdicts.items())]
        line = f"{result.examples} inputs: {', '.join(said)}; {len(result.findings)} findings"
        if small:
            line += f", {small} minimised"
        click.echo(f"\r\x1b[K{line}", nl=False, err=True)
        self._shown = True

    def hide(self) -> None:
        if self._shown:
            click.echo("\r\x1b[K", nl=False, err=True)


@fuzz.command()
@click.argument("path", type=click.Path(path_type=Path, dir_okay=False))
@click.pass_context
def replay(ctx: click.Context, /, path: Path) -> None:
    """Run a finding again; PATH is its .json file, with the .sgf file beside it.

    The exit code is 1 where it still shows, 0 where it does not, 2 where it could not
    be run.
    """
    from sgf_lark.cli import terminal
    from sgf_lark.fuzz import findings
    from sgf_lark.fuzz.outcomes import TargetError

    terminal.prepare_streams()
    try:
        key, detail, lines = findings.replay(path)
    except OSError as error:
        raise _CannotRun(f"{error.filename}: {error.strerror}") from error
    except (ValueError, TargetError) as error:
        raise _CannotRun(str(error)) from error
    for line in lines:
        terminal.write(f"{line}\n")
    what = f"{key.kind} {key.place}".strip()
    terminal.write(f"{what}: {'it is not there any more' if detail is None else 'still there'}\n")
    ctx.exit(0 if detail is None else 1)


@fuzz.command()
@click.option(
    "--afl",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write seeds/ and sgf.dict for AFL++ there.",
)
@click.option(
    "--libfuzzer",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write corpus/ and sgf.dict for libFuzzer there.",
)
@click.option(
    "--examples",
    type=click.IntRange(0),
    default=500,
    show_default=True,
    metavar="N",
    help="So many generated seeds, besides the examples of the rules.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, metavar="N")
def export(afl: Path | None, libfuzzer: Path | None, examples: int, seed: int) -> None:
    """Write seeds and a dictionary for coverage-guided fuzzers.

    Use them as in `afl-fuzz -i DIR/seeds -o out -x DIR/sgf.dict -- ./parser @@` and
    `./fuzz_target -dict=DIR/sgf.dict DIR/corpus`. For Atheris there is
    sgf_lark.fuzz.atheris_mutator.custom_mutator.
    """
    from sgf_lark.cli import terminal
    from sgf_lark.fuzz.exporting import export as write

    if afl is None and libfuzzer is None:
        raise click.UsageError("where to? --afl DIR or --libfuzzer DIR")
    for style, folder in (("afl", afl), ("libfuzzer", libfuzzer)):
        if folder is None:
            continue
        try:
            count = write(folder, style, seed, examples)
        except OSError as error:
            raise _CannotRun(f"{error.filename}: {error.strerror}") from error
        terminal.write(f"{count} seeds and a dictionary in {folder}\n")
