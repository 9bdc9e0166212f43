"""``sgf-lark duplicates``: games that an archive has more than once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sgf_lark.cli import options, outputs
from sgf_lark.cli.query import check_output, ending_on_errors, write_rows
from sgf_lark.cli.results import plural
from sgf_lark.cli.settings import settings_options
from sgf_lark.text.escaping import escape

if TYPE_CHECKING:
    from sgf_lark.archive.duplicate_games import Group

FORMATS = ("text", "csv", "json", "jsonl", "parquet")


@click.command()
@options.result_argument
@click.option(
    "--kind",
    "kinds",
    type=click.Choice(("bytes", "game", "symmetry", "beginning")),
    multiple=True,
    help="List only groups of this kind: the same bytes, the same moves otherwise written, the "
    "same moves with the board turned or the colors swapped, or games of which one is the "
    "beginning of another.",
)
@click.option(
    "--min-moves",
    "least_moves",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    metavar="N",
    help="Leave out games with fewer than N moves, unless their bytes are the same.",
)
@options.format_option(
    FORMATS, "text, or one row for each copy as CSV, one JSON array, JSON Lines or Parquet."
)
@options.output_option("the list.  [default: standard output; Parquet needs a file]")
@settings_options
def duplicates(
    result: Path,
    kinds: tuple[str, ...],
    least_moves: int,
    output_format: str,
    output: Path | None,
) -> None:
    """List the games that an archive has more than once.

    RESULT is the folder that audit wrote. Each group shows which copy to keep, and why: that with
    the longest comments, then with the most complete game information, the most nodes, the fewest
    errors.

    The exit code is 2 if RESULT cannot be read or the list cannot be written.
    """
    check_output(output_format, output)
    with ending_on_errors():
        import duckdb

        from sgf_lark.archive.duplicate_games import as_rows
        from sgf_lark.archive.duplicate_games import duplicates as find

        groups = (
            group
            for group in find(result, least_moves=least_moves)
            if not kinds or group.kind in kinds
        )
        if output_format == "text":
            outputs.write_text(_text(groups), output)
        else:
            database = duckdb.connect()
            write_rows(database.from_arrow(as_rows(groups)), output_format, output)


def _text(groups: Iterator[Group]) -> Iterator[str]:
    from sgf_lark.archive.duplicate_games import KINDS

    count = surplus = 0
    for count, group in enumerate(groups, 1):
        surplus += len(group.copies) - 1
        yield f"{count}. {KINDS[group.kind]}\n"
        for index, copy in enumerate(group.copies):
            game = f", game {copy.later_game}" if copy.later_game else ""
            why = f"  ({group.reason})" if index == 0 else ""
            yield f"   {'drop' if index else 'keep'} {escape(copy.place)}{game}{why}\n"
    copies = "1 copy" if surplus == 1 else f"{surplus} copies"
    yield f"{plural(count, 'group')}, {copies} to drop\n"
