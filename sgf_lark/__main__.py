"""The program ``sgf-lark``, which is ``python -m sgf_lark`` too."""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """Does what the arguments say; raises SystemExit with the exit code."""
    sys.exit(_exit_code())


def command() -> None:
    """The installed command: :func:`main` in a process of its own, which ends with it.

    All is written by then. To take down one by one what was imported, as the interpreter
    does at its end, takes as long as to check a file.
    """
    exit_code = _exit_code()
    sys.stdout.flush()
    os._exit(exit_code)


def _exit_code() -> int:
    # All that is imported stays: to look for garbage in it is in vain.
    gc.disable()
    from sgf_lark.cli import quick

    exit_code = quick.check(sys.argv[1:])
    gc.enable()
    if exit_code is None:
        from sgf_lark.cli.commands import main as commands

        commands(prog_name="sgf-lark")  # raises SystemExit
    return exit_code or 0


if __name__ == "__main__":
    main()
