"""``sgf-lark duplicates``: games that an archive has more than once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sgf_lark.cli.options import table_output_option
from sgf_lark.cli.settings import settings_options

if TYPE_CHECKING:
    from sgf_lark.archive.copies import Group

FORMATS = ("text", "csv", "jsonl", "parquet")
COLUMNS = (
    *("group", "kind", "keep", "reason", "path", "member", "game_index", "moves"),
    *("comment_length", "information", "nodes", "errors", "orientation"),
)


@click.command()
@click.argument("result", type=click.Path(path_type=Path))
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
@click.option(
    "--format",
    "output_format",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="Print text for people, CSV or JSON Lines (one line for each copy), or write Parquet.",
)
@table_output_option
@settings_options
@click.pass_context
def duplicates(
    ctx: click.Context,
    /,
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
    """
    from sgf_lark.cli import terminal
    from sgf_lark.cli.outputs import check_file
    from sgf_lark.cli.query import csv_lines, ending_on_errors, json_lines, write_pieces

    terminal.prepare_streams("utf-8" if output_format != "text" else None)
    if output_format == "parquet" and output is None:
        raise click.UsageError("Parquet is written to a file; give an --output", ctx)
    if output is not None:
        check_file(output)
    with ending_on_errors():
        from sgf_lark.archive.copies import duplicates as find
        from sgf_lark.archive.copies import write_parquet

        groups = (
            group
            for group in find(result, least_moves=least_moves)
            if not kinds or group.kind in kinds
        )
        if output_format == "text":
            write_pieces(_text(groups), output)
        elif output_format == "csv":
            write_pieces(csv_lines([COLUMNS], _rows(groups)), output)
        elif output_format == "jsonl":
            write_pieces(json_lines(list(COLUMNS), _rows(groups)), output)
        else:
            write_parquet(COLUMNS, _rows(groups), output or Path())


def _rows(groups: Iterator[Group]) -> Iterator[tuple[Any, ...]]:
    """Yield a row for each copy."""
    for number, group in enumerate(groups, 1):
        for index, copy in enumerate(group.copies):
            yield number, group.kind, index == 0, None if index else group.reason, *copy


def _text(groups: Iterator[Group]) -> Iterator[str]:
    from sgf_lark.archive.copies import KINDS
    from sgf_lark.text.escaping import escape

    count = surplus = 0
    for count, group in enumerate(groups, 1):
        surplus += len(group.copies) - 1
        yield f"{count}. {KINDS[group.kind]}\n"
        for index, copy in enumerate(group.copies):
            place = copy.path if copy.member is None else f"{copy.path}!{copy.member}"
            game = f", game {copy.game_index}" if (copy.game_index or 1) > 1 else ""
            why = f"  ({group.reason})" if index == 0 else ""
            yield f"   {'drop' if index else 'keep'} {escape(place)}{game}{why}\n"
    groups_found = "1 group" if count == 1 else f"{count} groups"
    copies_found = "1 copy" if surplus == 1 else f"{surplus} copies"
    yield f"{groups_found}, {copies_found} to drop\n"
