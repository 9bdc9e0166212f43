"""What ``sgf-lark check`` does, once its options are known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

if TYPE_CHECKING:
    from sgf_lark.cli.tally import Result, Tally
    from sgf_lark.cli.terminal import Look

Format = Literal["text", "json", "jsonl", "sarif", "github"]
FORMATS: tuple[Format, ...] = get_args(Format)


def run(
    paths: Sequence[str],
    *,
    output_format: Format = "text",
    profile: str = "strict",
    select: tuple[str, ...] | None = None,
    ignore: tuple[str, ...] | None = None,
    language: str = "en",
    color: bool | None = None,
    excerpt: bool = True,
    statistics: bool = False,
    quiet: int = 0,
    jobs: int | None = None,
    **reading: Any,
) -> int:
    """Checks what `paths` name, prints what is found, and gives the exit code.

    These are the options of the command and their defaults; `reading` tells how
    the bytes of a file are read, as :func:`sgf_lark.validate` takes it.
    """
    from sgf_lark.cli import inputs, parallel, terminal
    from sgf_lark.cli.tally import Tally

    terminal.prepare_streams("utf-8" if output_format != "text" else None)
    tally = Tally()
    total = inputs.count(paths) if terminal.bar_is_wanted() else 0
    with terminal.progress_bar(total) as bar:
        files = bar.watch(inputs.read_all(paths))
        results = tally.watch(
            parallel.validated(
                files,
                jobs or parallel.processors(),
                output_format in ("text", "sarif"),
                profile=profile,
                select=select,
                ignore=ignore,
                language=language,
                **reading,
            )
        )
        if output_format == "text":
            look = terminal.look(color, language)
            pieces = _text(results, tally, look, excerpt, statistics, quiet)
        else:
            pieces = _data(results, tally, output_format, profile, statistics, quiet)
        for piece in pieces:
            bar.hide()
            terminal.write(piece)
    return tally.exit_code


def _text(
    results: Iterator[Result],
    tally: Tally,
    look: Look,
    excerpt: bool,
    statistics: bool,
    quiet: int,
) -> Iterator[str]:
    from sgf_lark.cli import formats

    if quiet > 1:
        return formats.nothing(results)
    if statistics:
        return formats.statistics_text(results, tally, look)
    if quiet:
        return formats.brief_text(results)
    return formats.full_text(results, tally, look, excerpt=excerpt)


def _data(
    results: Iterator[Result],
    tally: Tally,
    output_format: Format,
    profile: str,
    statistics: bool,
    quiet: int,
) -> Iterator[str]:
    from sgf_lark.cli import formats

    if quiet > 1:
        return formats.nothing(results)
    if output_format == "sarif":
        from sgf_lark.cli import sarif

        return sarif.log(results, profile)
    if output_format == "github":
        return formats.github(results)
    objects = (
        formats.statistics_objects(results, tally) if statistics else formats.file_objects(results)
    )
    return formats.json_lines(objects) if output_format == "jsonl" else formats.json_array(objects)
