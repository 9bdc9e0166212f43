"""The progress bar on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress

T = TypeVar("T")

#: A bar is shown for more files than this.
FEW_FILES = 20

_SECONDS_BETWEEN_UPDATES = 0.1


@dataclass
class ProgressBar:
    """A bar that is cleared before output is printed.

    It has no thread: it is drawn when a file is done, at most ten times a second.
    """

    #: None where no bar is shown.
    progress: Progress | None = None
    drawn: float = 0.0

    def watch(self, files: Iterable[T]) -> Iterator[T]:
        """Yield `files`; each counts as done when the next is requested."""
        for file in files:
            yield file
            self._advance()

    def _advance(self) -> None:
        if self.progress is None:
            return
        self.progress.advance(self.progress.task_ids[0])
        if monotonic() - self.drawn > _SECONDS_BETWEEN_UPDATES:
            self.drawn = monotonic()
            self.progress.start()
            self.progress.refresh()

    def hide(self) -> None:
        """Clear the line until the next advance."""
        if self.progress is not None and self.progress.live.is_started:
            self.progress.stop()


def is_wanted() -> bool:
    """Whether standard error is a terminal."""
    return sys.stderr.isatty()


@contextmanager
def progress_bar(total: int) -> Iterator[ProgressBar]:
    """Show a bar for `total` files, or none where they are few; hide it at the end."""
    bar = ProgressBar(_rich_progress(total) if total > FEW_FILES else None)
    try:
        yield bar
    finally:
        bar.hide()


def _rich_progress(total: int) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    progress = Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    progress.add_task("", total=total)
    return progress
