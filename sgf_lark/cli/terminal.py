"""Standard output and standard error: encodings, colors, columns and errors of the program."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TextIO

import click

from sgf_lark.cli import COULD_NOT_RUN
from sgf_lark.text.escaping import escape, escape_lines

if TYPE_CHECKING:
    from sgf_lark.diagnostics import Language

#: Columns where standard output is not a terminal.
DEFAULT_WIDTH = 100

_SECONDS_BETWEEN_WRITES = 0.1


class OutputStyle(NamedTuple):
    """Whether text is colored, how wide it may be, its encoding and its language."""

    color: bool = False
    width: int = DEFAULT_WIDTH
    encoding: str = "utf-8"
    language: Language = "en"

    def paint(
        self, text: str, *, fg: str | None = None, bold: bool = False, dim: bool = False
    ) -> str:
        """Return `text` in that color, bold or dim; unchanged in output without color."""
        return click.style(text, fg, bold=bold or None, dim=dim or None) if self.color else text


def output_style(color: bool | None, language: Language = "en") -> OutputStyle:
    """Return the style of standard output.

    `color` None means: colored on a terminal, unless NO_COLOR is set.
    """
    is_terminal = sys.stdout.isatty()
    if color is None:
        color = is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    width = DEFAULT_WIDTH
    if is_terminal:
        import shutil

        width = shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns
    return OutputStyle(color, width, sys.stdout.encoding or "ascii", language)


def prepare_streams(encoding: str | None = None) -> None:
    """Make the standard streams escape what their encoding lacks.

    `encoding` replaces that of standard output. Lone surrogates, which represent
    undecodable bytes in file names, are written as ``\\udc80``; UTF-8 encodes
    everything else, so that JSON stays JSON. What is written to a closed stream is
    discarded.
    """
    sys.stdout = sys.stdout or _null_stream()
    sys.stderr = sys.stderr or _null_stream()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if encoding and isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")


def _null_stream() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


# --- Writing --------------------------------------------------------------------------


def write(text: str) -> None:
    """Write to standard output at once; where that fails, end the program with exit code 2."""
    _write(sys.stdout, text)


def write_all(parts: Iterable[str]) -> None:
    """Write `parts` as they come: the first at once, then several at a time.

    There may be millions of them, and each write is flushed.
    """
    waiting: list[str] = []
    written = monotonic() - _SECONDS_BETWEEN_WRITES
    for part in parts:
        waiting.append(part)
        if monotonic() - written >= _SECONDS_BETWEEN_WRITES:
            write("".join(waiting))
            waiting, written = [], monotonic()
    write("".join(waiting))


def write_bytes(data: bytes) -> None:
    """Write bytes to standard output as :func:`write` does text."""
    _write(sys.stdout.buffer, data)


def _write(stream: Any, content: str | bytes) -> None:
    try:
        # Flushed at once, so that whoever reads a pipe sees each file when it is done.
        stream.write(content)
        stream.flush()
    except OSError as error:
        end_after(error)


def end_after(error: OSError) -> NoReturn:
    """End the program with exit code 2 after an error of standard output or standard error, or of
    the file that it names. A closed pipe needs no message."""
    if not isinstance(error, BrokenPipeError):
        place = "standard output" if error.filename is None else escape(str(error.filename))
        with suppress(OSError):
            print(f"sgf-lark: {place}: {error.strerror}", file=sys.stderr, flush=True)
    # The interpreter flushes what is left in the buffers at exit, which would fail again.
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    raise SystemExit(COULD_NOT_RUN) from None


def print_error(message: str) -> None:
    """Print a message with the name of the program to standard error."""
    click.echo(escape_lines(f"sgf-lark: {message}"), err=True)


def fail(message: str) -> NoReturn:
    """Print an error and end the command with exit code 2."""
    print_error(message)
    raise click.exceptions.Exit(COULD_NOT_RUN)


@contextmanager
def failing_on(*errors: type[Exception]) -> Iterator[None]:
    """End the command with exit code 2, and the message in one line, after one of these errors."""
    try:
        yield
    except errors as error:
        fail(escape(str(error)))


# --- Columns -------------------------------------------------------------------------


def cell_width(text: str) -> int:
    """Return how many columns of a terminal `text` fills."""
    if is_narrow(text):
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def aligned(rows: Sequence[Sequence[str]], numbers: int = 0) -> list[str]:
    """Return the rows as lines with straight columns; the last `numbers` are aligned right."""
    widths = [max(map(cell_width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = []
        for index, (text, width) in enumerate(zip(row, widths, strict=True)):
            blank = " " * (width - cell_width(text))
            cells.append(blank + text if index >= len(row) - numbers else text + blank)
        lines.append("  ".join(cells).rstrip())
    return lines


#: A blank, and what no line is broken in: a word, or one Chinese character, with the marks that
#: open something before it and the first of those that end something after it. It takes long to
#: compile, and most commands break no lines: re keeps it once it was used.
_UNIT = (
    r"(\s*)([“（《「『]*(?:[^\s“”，。；：、！？）》」』⺀-￯]+|[⺀-￯“”])"
    r"(?:\s*[，。；：、！？）》」』”])?)"
)


def wrapped(text: str, width: int) -> list[str]:
    """Break a text into lines of at most `width` columns, between words and Chinese characters.

    A word longer than a line is cut; the room of a mark is left, so that none begins a line.
    """
    found: list[str] = []
    for paragraph in text.split("\n"):
        found.append("")
        for blank, unit in re.findall(_UNIT, paragraph):
            if found[-1] and cell_width(found[-1] + blank + unit) > width:
                found.append(unit)
            else:
                found[-1] += blank + unit
            while cell_width(found[-1]) > width:
                line = found[-1]
                end = next(at for at in range(len(line)) if cell_width(line[: at + 1]) > width - 2)
                found[-1:] = [line[:end], line[end:]]
    return found


def is_narrow(text: str) -> bool:
    """Whether each character is known to fill one column: ASCII and the ellipsis."""
    return text.isascii() or text.replace("…", "").isascii()
