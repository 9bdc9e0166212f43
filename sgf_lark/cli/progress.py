"""The progress bar on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress

T = TypeVar("T")

#: A bar is shown for more files than this.
FEW_FILES = 20

_SECONDS_BETWEEN_UPDATES = 0.1


class ProgressBar:
    """A bar, with a text before it, that is cleared before output is printed.

    It has no thread, as :func:`rich.progress.track` has: where this process has threads, the
    processes that check files cannot be forked from it. It is drawn when something is done, at most
    ten times a second.
    """

    def __init__(self, progress: Progress | None = None, total: float | None = None) -> None:
        """Without `progress` no bar is shown."""
        self.progress = progress
        self.total = total
        self.drawn = 0.0

    def watch(self, files: Iterable[T]) -> Iterator[T]:
        """Yield `files`; each counts as done when the next is requested."""
        for number, file in enumerate(files, 1):
            yield file
            self.update(number, f"{number}/{self.total}")

    def update(self, done: float, text: str = "") -> None:
        """Show how much is done."""
        if self.progress is None:
            return
        self.progress.update(self.progress.task_ids[0], completed=done, description=text)
        if monotonic() - self.drawn > _SECONDS_BETWEEN_UPDATES:
            self.drawn = monotonic()
            self.progress.start()
            self.progress.refresh()

    def hide(self) -> None:
        """Clear the line until the next update."""
        if self.progress is not None and self.progress.live.is_started:
            self.progress.stop()


def is_wanted() -> bool:
    """Whether standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def progress_bar(total: float | None) -> Iterator[ProgressBar]:
    """Show a bar for `total` files or bytes, or none where they are few; hide it at the end.

    None is a total that is not known.
    """
    bar = ProgressBar(_rich_progress(total) if total is None or total > FEW_FILES else None, total)
    try:
        yield bar
    finally:
        bar.hide()


def _rich_progress(total: float | None) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    progress.add_task("", total=total)
    return progress
