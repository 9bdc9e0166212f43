"""Standard output that takes every character, colour, width, and the progress bar."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress

T = TypeVar("T")

#: Columns where standard output is no terminal.
DEFAULT_WIDTH = 100

#: A bar is shown for more files than this.
FEW_FILES = 20

_SECONDS_BETWEEN_UPDATES = 0.1

#: In the order of their numbers in ECMA-48.
_COLORS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")


@dataclass(frozen=True)
class Look:
    """How text is to look: in colour or not, columns, encoding of the output, language."""

    color: bool = False
    width: int = DEFAULT_WIDTH
    encoding: str = "utf-8"
    language: str = "en"

    def style(
        self, text: str, *, fg: str | None = None, bold: bool = False, dim: bool = False
    ) -> str:
        """`text` in that colour, bold or dim, where colour is wanted."""
        if not self.color:
            return text
        codes = [str(30 + _COLORS.index(fg))] if fg else []
        codes += ["1"] * bold + ["2"] * dim
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if codes else text


def look(color: bool | None, language: str = "en") -> Look:
    """The look for standard output. `color` None means: on a terminal, unless NO_COLOR is set."""
    terminal = sys.stdout.isatty()
    if color is None:
        color = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Look(
        color, _width() if terminal else DEFAULT_WIDTH, sys.stdout.encoding or "ascii", language
    )


def _width() -> int:
    import shutil

    return shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns


def prepare_streams(encoding: str | None = None) -> None:
    """Makes the standard streams escape what their encoding lacks.

    `encoding` replaces that of standard output. Lone surrogates, which stand for
    odd bytes in file names, come out as ``\\udc80``; in UTF-8 nothing else is
    escaped, so JSON stays JSON. A stream that was closed leads nowhere.
    """
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if encoding and isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")


def _nowhere() -> TextIO:
    from pathlib import Path

    return Path(os.devnull).open("w", encoding="utf-8")


def write(text: str) -> None:
    """Writes to standard output at once. Ends the program where nobody takes it."""
    _write(sys.stdout, text)


def write_all(parts: Iterable[str]) -> None:
    """Writes `parts` as they come: the first at once, then some at a time, for there may
    be millions."""
    waiting: list[str] = []
    written = monotonic() - _SECONDS_BETWEEN_UPDATES
    for part in parts:
        waiting.append(part)
        if monotonic() - written >= _SECONDS_BETWEEN_UPDATES:
            write("".join(waiting))
            waiting, written = [], monotonic()
    write("".join(waiting))


def write_bytes(data: bytes) -> None:
    """Writes bytes to standard output as they are, as :func:`write` does text."""
    _write(sys.stdout.buffer, data)


def _write(stream: Any, content: str | bytes) -> None:
    try:
        stream.write(content)
        stream.flush()
    except OSError as error:
        # What is still in the buffer would fail again when the interpreter closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            print(f"sgf-lark: standard output: {error.strerror}", file=sys.stderr)
        raise SystemExit(2) from None


class ProgressBar:
    """A bar on standard error that makes way for what is printed.

    It has no thread: it is drawn when a file is done, some times a second. It is hidden
    behind a ``with`` block.
    """

    def __init__(self, bar: Progress | None, total: int) -> None:
        self._bar = bar
        self._task = bar.add_task("", total=total) if bar else None
        self._drawn = 0.0

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        self.hide()

    def watch(self, files: Iterable[T]) -> Iterator[T]:
        """Gives `files` on as they come; one is done when the next is asked for."""
        for file in files:
            yield file
            self._advance()

    def _advance(self) -> None:
        if self._bar is None or self._task is None:
            return
        self._bar.advance(self._task)
        if monotonic() - self._drawn > _SECONDS_BETWEEN_UPDATES:
            self._drawn = monotonic()
            self._bar.start()
            self._bar.refresh()

    def hide(self) -> None:
        """Clears the line until the next advance, if the bar is shown."""
        if self._bar is not None and self._bar.live.is_started:
            self._bar.stop()


def bar_is_wanted() -> bool:
    """Whether a person watches standard error."""
    return sys.stderr.isatty()


def progress_bar(total: int) -> ProgressBar:
    """A bar for `total` files, or one that never shows where they are few."""
    return ProgressBar(_rich_bar() if total > FEW_FILES else None, total)


def _rich_bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    return Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
