"""``sgf-lark fix``: fix files, or show the changes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sgf_lark.cli import CLEAN, COULD_NOT_RUN, VIOLATIONS, fix_destinations, inputs, terminal
from sgf_lark.cli.options import code_options, reading_options
from sgf_lark.cli.settings import settings_options

if TYPE_CHECKING:
    from sgf_lark.cli.fix_destinations import Destination
    from sgf_lark.cli.inputs import Input
    from sgf_lark.fixing import FixResult
    from sgf_lark.fixing.rewriting import Rewriting

#: Prints what was changed in a file, or would be.
_Reporter = Callable[["Input", "FixResult"], None]


@click.command()
@click.argument("paths", nargs=-1, required=True)
@click.option("--unsafe", is_flag=True, help="Also make changes that drop something or guess.")
@click.option("--diff", is_flag=True, help="Show the changes property by property.")
@click.option("-i", "--in-place", is_flag=True, help="Overwrite the files.")
@click.option("--backup", metavar="SUFFIX", help="Keep the old file with this suffix appended.")
@click.option("--keep-times", is_flag=True, help="Keep the times of overwritten files.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Write to this file; for several files, and with --split, to this folder.",
)
@click.option("--json", "as_json", is_flag=True, help="List the changes as JSON Lines.")
@click.option("-q", "--quiet", is_flag=True, help="Do not list the changes.")
@code_options
@reading_options
@click.option(
    "--to-charset",
    metavar="NAME",
    default="UTF-8",
    show_default=True,
    help='Write text in this charset; "keep" leaves it unchanged.',
)
@click.option("--to-ff4", is_flag=True, help="Convert older trees to FF[4].")
@click.option(
    "--header",
    type=click.Choice(("keep", "comment", "drop")),
    help="Keep text outside the games, move it into a comment, or drop it. By default it is kept, "
    "and moved into a comment with --unsafe.",
)
@click.option(
    "--points",
    type=click.Choice(("keep", "expand", "compress")),
    default="keep",
    show_default=True,
    help="Write point lists unchanged, point by point, or as few rectangles.",
)
@click.option(
    "--passes",
    type=click.Choice(("keep", "empty", "tt")),
    default="keep",
    show_default=True,
    help="Write passes unchanged, as [], or as [tt].",
)
@click.option(
    "--delete",
    metavar="WHAT",
    multiple=True,
    help="Delete properties by name, or: empty-nodes, unknown, obsolete, move-markup, "
    "trailing-passes.",
)
@click.option(
    "--wrap",
    type=click.IntRange(1),
    metavar="N",
    help="Break lines of text after N characters with soft line breaks.",
)
@click.option("--split-root", is_flag=True, help="Move moves in the root to a node of their own.")
@click.option("--reverse-variations", is_flag=True, help="Reverse the order of variations.")
@click.option(
    "--split", is_flag=True, help="Write one file for each game tree, named by GN or number."
)
@settings_options
@click.pass_context
def fix(
    ctx: click.Context,
    /,
    paths: tuple[str, ...],
    diff: bool,
    in_place: bool,
    backup: str | None,
    keep_times: bool,
    output: Path | None,
    as_json: bool,
    quiet: bool,
    split: bool,
    **options: Any,
) -> None:
    """Fix SGF files.

    PATHS are as for check. Without --in-place, --output, --diff or --json, the fixed
    file is written to standard output; then only one file may be given. What was changed
    and what is left is reported on standard error.

    Only safe changes are made, which neither drop anything nor guess, unless --unsafe
    is given.

    The exit code is 0 if no error is left, 1 if one is, and 2 if something could not be
    read or written.
    """
    terminal.prepare_streams("utf-8" if as_json else None)
    rewriting = _rewriting(ctx, options)
    files = [
        path
        for path in inputs.expand_folders(paths)
        if path in paths or not path.lower().endswith(inputs.WEI7_SUFFIXES)
    ]
    write = fix_destinations.choose(
        ctx,
        files,
        in_place=in_place,
        backup=backup,
        keep_times=keep_times,
        output=output,
        split=split,
        only_show=diff or as_json,
    )
    reporters: list[_Reporter] = [_print_json] if as_json else [] if quiet else [_print_changes]
    reporters += [_print_diff] if diff else []
    worst = CLEAN
    for path in files:
        for file in inputs.read_all([path]):
            worst = max(worst, _fix_one(file, rewriting, options, reporters, write))
    ctx.exit(worst)


def _rewriting(ctx: click.Context, options: dict[str, Any]) -> Rewriting:
    """Take the options of the rewriting out of `options`."""
    from sgf_lark.fixing.rewriting import Rewriting

    charset = options.pop("to_charset")
    deleted = {part.strip() for value in options.pop("delete") for part in value.split(",")}
    try:
        return Rewriting(
            charset=None if charset == "keep" else charset,
            header=options.pop("header"),
            upgrade=options.pop("to_ff4"),
            points=options.pop("points"),
            passes=options.pop("passes"),
            delete=frozenset(deleted),
            wrap=options.pop("wrap"),
            split_root=options.pop("split_root"),
            reverse=options.pop("reverse_variations"),
        )
    except (ValueError, LookupError) as error:
        raise click.UsageError(str(error), ctx) from None


def _fix_one(
    file: Input,
    rewriting: Rewriting,
    options: dict[str, Any],
    reporters: list[_Reporter],
    write: Destination,
) -> int:
    """Fix one file and return its exit code."""
    from sgf_lark import fixing

    if file.data is None:
        terminal.print_error(f"{file.path}: {file.reason}")
        return COULD_NOT_RUN
    result = fixing.fix(file.data, rewriting=rewriting, **options)
    for report in reporters:
        report(file, result)
    try:
        write(file, result.data)
    except (OSError, ValueError) as error:
        terminal.print_error(f"{file.path}: {error}")
        return COULD_NOT_RUN
    return CLEAN if result.ok else VIOLATIONS


# --- Reports --------------------------------------------------------------------------


def _print_json(file: Input, result: FixResult) -> None:
    item = {
        "path": file.path,
        "ok": result.ok,
        "applied": [change.as_dict() for change in result.applied],
        "remaining": [found.as_dict() for found in result.remaining],
    }
    terminal.write(json.dumps(item, ensure_ascii=False) + "\n")


def _print_changes(file: Input, result: FixResult) -> None:
    from sgf_lark.cli.results import plural

    path = terminal.escape(file.path)
    for change in result.applied:
        place = f"{path}:{change.span.line}:{change.span.column}:"
        how = "" if change.safe else " (unsafe)"
        label = f"{change.code} {change.name}".strip()
        before, after = _shorten(change.before), _shorten(change.after)
        click.echo(f"{place} {label}{how}: {before} -> {after}", err=True)
    left = ", ".join(
        plural(count, severity)
        for severity, count in result.report.counts.items()
        if count and severity != "style"
    )
    changes = plural(len(result.applied), "change")
    click.echo(f"{path}: {changes}; {left + ' left' if left else 'no error left'}", err=True)


def _shorten(text: str) -> str:
    text = terminal.escape(text)
    return (text if len(text) <= 60 else text[:59] + "…") or "nothing"


def _print_diff(file: Input, result: FixResult) -> None:
    import difflib

    before, after = _diff_lines(file.data or b""), _diff_lines(result.data)
    path = file.path
    diff = difflib.unified_diff(before, after, path, f"{path} (fixed)", lineterm="\n")
    terminal.write("".join(diff))


#: A property, a character of the structure, or what is between them.
_PIECES = re.compile(
    rb"[A-Za-z]*(?:[ \t\r\n\v\f]*\[(?:[^\]\\]|\\.)*\])+|[();]|[^()\[\];A-Za-z]+|.", re.DOTALL
)


def _diff_lines(data: bytes) -> list[str]:
    """Return a line for each property and each character of the structure."""
    text = data.decode("utf-8", "backslashreplace").encode()
    pieces: Iterator[bytes] = (piece.strip() for piece in _PIECES.findall(text))
    return [terminal.escape(piece.decode()) + "\n" for piece in pieces if piece]
