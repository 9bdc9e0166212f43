"""``check --watch``: check again whenever a file changes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import chain

import click

from sgf_lark.files import inputs
from sgf_lark.files.inputs import NONE, Patterns


def watch_files(
    ctx: click.Context,
    paths: tuple[str, ...],
    check_once: Callable[[], int],
    excluded: Patterns = NONE,
) -> None:
    """Call `check_once` now and after each change of a game file, until the user interrupts.

    Raises UsageError for standard input and where watchfiles is not installed.
    """
    if inputs.STDIN in paths:
        raise click.UsageError("--watch cannot watch standard input", ctx)
    missing = next((path for path in paths if not inputs.exists(path)), None)
    if missing is not None:
        raise click.UsageError(f"--watch needs an existing path, not {missing}", ctx)
    from watchfiles import watch

    def concerns(_: object, path: str) -> bool:
        is_game = inputs.has_suffix(path, inputs.GAME_SUFFIXES) or inputs.is_archive(path)
        return (is_game or path in paths) and not excluded.match(path)

    for _ in chain([()], watch(*paths, watch_filter=concerns, raise_interrupt=True)):
        if sys.stdout.isatty():
            click.clear()
        check_once()
        click.echo("watching for changes; Ctrl-C ends", err=True)
