"""``sgf-lark fix``: mend files, or show how."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sgf_lark.cli.options import code_options, reading_options
from sgf_lark.cli.settings import settings_options

if TYPE_CHECKING:
    from sgf_lark.cli.inputs import Input
    from sgf_lark.fixing import FixResult
    from sgf_lark.fixing.rewriting import Rewriting


@click.command()
@click.argument("paths", nargs=-1, required=True)
@click.option("--unsafe", is_flag=True, help="Also what drops something or rests on a guess.")
@click.option("--diff", is_flag=True, help="Show what would change, property by property.")
@click.option("-i", "--in-place", is_flag=True, help="Write over the files.")
@click.option("--backup", metavar="SUFFIX", help="Keep the old file under this added suffix.")
@click.option("--keep-times", is_flag=True, help="A file written over keeps its times.")
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
    help='What text is written in; "keep" leaves it as it is.',
)
@click.option("--to-ff4", is_flag=True, help="Make older trees FF[4].")
@click.option(
    "--header",
    type=click.Choice(("keep", "comment", "drop")),
    default="comment",
    show_default=True,
    help="What becomes of text outside the games.",
)
@click.option(
    "--points",
    type=click.Choice(("keep", "expand", "compress")),
    default="keep",
    show_default=True,
    help="Write point lists point by point, or as few rectangles.",
)
@click.option(
    "--passes",
    type=click.Choice(("keep", "empty", "tt")),
    default="keep",
    show_default=True,
    help="Write passes as [] or as [tt].",
)
@click.option(
    "--delete",
    metavar="WHAT",
    multiple=True,
    help="Properties by name, or: empty-nodes, unknown, obsolete, move-markup, trailing-passes.",
)
@click.option(
    "--wrap", type=click.IntRange(1), metavar="N", help="Break long lines of text softly."
)
@click.option("--split-root", is_flag=True, help="A move in the root gets a node of its own.")
@click.option("--reverse-variations", is_flag=True, help="Turn the order of variations round.")
@click.option("--split", is_flag=True, help="One file for each game tree, named by GN or number.")
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
    """Mend SGF files.

    PATHS are as for check. Without --in-place, --output, --diff or --json the one
    file that is given is written to standard output. What was changed, and what
    is left, is told on standard error.

    Only safe changes are made: none drops anything, or rests on a guess, unless
    --unsafe allows it.

    The exit code is 0 where no error is left, 1 where one is, 2 where something
    could not be read or written.
    """
    from sgf_lark.cli import inputs, terminal

    terminal.prepare_streams("utf-8" if as_json else None)
    rewriting = _rewriting(ctx, options)
    files = [
        path
        for path in inputs.expand(paths)
        if path in paths or not path.lower().endswith(inputs.WEI7_SUFFIXES)
    ]
    writer = _Writer(in_place, backup, keep_times, output, split, several=len(files) > 1)
    writer.check(ctx, only_shown=diff or as_json, files=files)
    worst = 0
    for path in files:
        for file in inputs.read_all([path]):
            worst = max(worst, _one(file, rewriting, options, writer, diff, as_json, quiet))
    ctx.exit(worst)


def _rewriting(ctx: click.Context, options: dict[str, Any]) -> Rewriting:
    from sgf_lark.fixing.rewriting import Rewriting

    charset = options.pop("to_charset")
    wanted = {part.strip() for value in options.pop("delete") for part in value.split(",")}
    try:
        return Rewriting(
            charset=None if charset == "keep" else charset,
            header=options.pop("header"),
            upgrade=options.pop("to_ff4"),
            points=options.pop("points"),
            passes=options.pop("passes"),
            delete=frozenset(wanted),
            wrap=options.pop("wrap"),
            split_root=options.pop("split_root"),
            reverse=options.pop("reverse_variations"),
        )
    except (ValueError, LookupError) as error:
        raise click.UsageError(str(error), ctx) from None


def _one(
    file: Input,
    rewriting: Rewriting,
    options: dict[str, Any],
    writer: _Writer,
    diff: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Mends one file; its exit code."""
    from sgf_lark.cli import terminal
    from sgf_lark.fixing import fix as mend

    if file.data is None:
        click.echo(f"sgf-lark: {file.path}: {file.reason}", err=True)
        return 2
    result = mend(file.data, rewriting=rewriting, **options)
    if as_json:
        terminal.write(json.dumps(_as_dict(file.path, result), ensure_ascii=False) + "\n")
    elif not quiet:
        for line in _told(file.path, result):
            click.echo(line, err=True)
    if diff:
        terminal.write("".join(_diff(file.path, file.data, result.data)))
    try:
        writer.write(file, result.data, only_shown=diff or as_json)
    except (OSError, ValueError) as error:
        click.echo(f"sgf-lark: {file.path}: {error}", err=True)
        return 2
    return 0 if result.ok else 1


def _as_dict(path: str, result: FixResult) -> dict[str, object]:
    return {
        "path": path,
        "ok": result.ok,
        "applied": [change.as_dict() for change in result.applied],
        "remaining": [found.as_dict() for found in result.remaining],
    }


def _told(path: str, result: FixResult) -> Iterator[str]:
    from sgf_lark.cli.tally import plural
    from sgf_lark.cli.text import one_line

    for change in result.applied:
        place = f"{one_line(path)}:{change.span.line}:{change.span.column}:"
        how = "" if change.safe else " (unsafe)"
        label = f"{change.code} {change.name}".strip()
        yield f"{place} {label}{how}: {_short(change.before)} -> {_short(change.after)}"
    counts = result.report.counts
    left = ", ".join(
        plural(count, severity)
        for severity, count in counts.items()
        if count and severity != "style"
    )
    made = plural(len(result.applied), "change")
    yield f"{one_line(path)}: {made}; {left + ' left' if left else 'no error left'}"


def _short(text: str) -> str:
    from sgf_lark.cli.text import one_line

    text = one_line(text)
    return (text if len(text) <= 60 else text[:59] + "…") or "nothing"


# --- Differences ----------------------------------------------------------------------

_PIECES = re.compile(
    rb"[A-Za-z]*(?:[ \t\r\n\v\f]*\[(?:[^\]\\]|\\.)*\])+|[();]|[^()\[\];A-Za-z]+|.", re.DOTALL
)


def _diff(path: str, before: bytes, after: bytes) -> Iterator[str]:
    """A unified diff in which each property, and each sign between, is a line."""
    import difflib

    lines = difflib.unified_diff(
        _lines(before), _lines(after), path, f"{path} (fixed)", lineterm="\n"
    )
    yield from lines


def _lines(data: bytes) -> list[str]:
    from sgf_lark.cli.text import one_line

    text = data.decode("utf-8", "backslashreplace").encode()
    pieces = (piece.strip() for piece in _PIECES.findall(text))
    return [one_line(piece.decode()) + "\n" for piece in pieces if piece]


# --- Writing ---------------------------------------------------------------------------


class _Writer:
    """Where the mended files go."""

    def __init__(
        self,
        in_place: bool,
        backup: str | None,
        keep_times: bool,
        output: Path | None,
        split: bool,
        *,
        several: bool,
    ) -> None:
        self.in_place = in_place
        self.backup = backup
        self.keep_times = keep_times
        self.output = output
        self.split = split
        self.several = several

    def check(self, ctx: click.Context, *, only_shown: bool, files: list[str]) -> None:
        """Raises UsageError where the options leave open what to do."""
        if self.in_place and self.output is not None:
            raise click.UsageError("--in-place and --output exclude each other", ctx)
        if self.backup is not None and not self.in_place:
            raise click.UsageError("--backup needs --in-place", ctx)
        if self.split and self.output is None:
            raise click.UsageError("--split needs --output with a folder", ctx)
        if self.several and not (self.in_place or self.output or only_shown):
            raise click.UsageError(
                "for several files say --in-place, --output, --diff or --json", ctx
            )
        if self.in_place:
            for path in files:
                if not Path(path).is_file() or path.lower().endswith((".zip", ".tar", "gz")):
                    raise click.UsageError(f"{path} cannot be written over", ctx)

    def write(self, file: Input, data: bytes, *, only_shown: bool) -> None:
        """Raises OSError and ValueError."""
        from sgf_lark.cli import terminal
        from sgf_lark.model.writing import write_file

        if self.in_place:
            target = Path(file.path)
            if data == file.data:
                return
            if self.backup is not None:
                write_file(target.with_name(target.name + self.backup), file.data or b"")
            write_file(target, data, keep_times=self.keep_times)
        elif self.output is not None:
            self._to_output(file.path, data, self.output)
        elif not only_shown:
            terminal.write_bytes(data)

    def _to_output(self, path: str, data: bytes, output: Path) -> None:
        from sgf_lark.model.writing import write_file

        if not (self.several or self.split or output.is_dir()):
            write_file(output, data)
            return
        output.mkdir(parents=True, exist_ok=True)
        name = _file_name(path.rpartition("!")[2] or path)
        if not self.split:
            write_file(output / name, data)
            return
        for part_name, part in _parts(data, Path(name).stem):
            write_file(output / part_name, part)


def _file_name(path: str) -> str:
    """The last part of a path, as a name that every system takes."""
    return re.sub(r'[\x00-\x1f<>:"|?*\\]', "_", Path(path).name) or "game.sgf"


def _parts(data: bytes, stem: str) -> Iterator[tuple[str, bytes]]:
    """Each game tree with the name of its file; raises ValueError for damaged text."""
    from sgf_lark.model.loading import loads

    collection = loads(data)
    taken: set[str] = set()
    for number, tree in enumerate(collection, 1):
        root = tree.root.number or 0
        start, end = collection.flat.opening[root], collection.flat.closing[root] + 1
        named = tree.root.get("GN")
        name = _file_name(str(named).replace("/", "_"))[:80].strip(" .") if named else ""
        if not name or name.lower() in taken:
            name = f"{name or stem}-{number}"
        taken.add(name.lower())
        yield f"{name}.sgf", collection.decoding.original_bytes(start, end) + b"\n"
