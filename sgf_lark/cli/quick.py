"""``sgf-lark check`` of some files, without click: to import it and to set up the command
takes longer than to check most files.

Only the plainest command lines are understood here, and only where no file of settings
is near; the command itself takes all others.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from sgf_lark.cli import INTERRUPTED
from sgf_lark.cli.checking import FORMATS, run
from sgf_lark.cli.settings_files import candidates


def check(arguments: Sequence[str]) -> int | None:
    """The exit code, or None where nothing was done and click has to read the arguments."""
    options = _options(arguments)
    if options is None or _has_settings():
        return None
    try:
        return run(**options)
    except KeyboardInterrupt:
        return INTERRUPTED


def _options(arguments: Sequence[str]) -> dict[str, Any] | None:
    """What :func:`run` is to be given; None where an argument is anything but a path,
    ``-q`` (also ``-qq``) or ``--format`` and a format."""
    words = iter(arguments)
    # On Windows click expands "*" and the like in arguments.
    if next(words, "") != "check" or os.name == "nt":
        return None
    options: dict[str, Any] = {"paths": [], "quiet": 0}
    for word in words:
        if word == "-" or not word.startswith("-"):
            options["paths"].append(word)
        elif word.strip("q") == "-":
            options["quiet"] += len(word) - 1
        elif word == "--format":
            options["output_format"] = next(words, "")
        else:
            return None
    is_plain = options["paths"] and options.get("output_format", FORMATS[0]) in FORMATS
    return options if is_plain else None


def _has_settings() -> bool:
    """Whether there is a file in which settings could be."""
    try:
        return next(candidates(os.getcwd()), None) is not None
    except OSError:  # the folder is gone
        return True
