"""The command line, ``sgf-lark``: a module for each command, imported when it is called.

A module that serves one command alone has the name of that command as a prefix.
"""

from __future__ import annotations

#: Exit codes, the same in all commands: nothing worse than style; something worse was found in a
#: file, or lost; something could not be read, run or written.
CLEAN = 0
VIOLATIONS = 1
COULD_NOT_RUN = 2
#: The program was interrupted with Ctrl-C.
INTERRUPTED = 130


def exit_code(failed: object, found: object) -> int:
    """Return the exit code of a command: `failed` is what could not be read, run or written, and
    `found` what is worse than style."""
    return COULD_NOT_RUN if failed else VIOLATIONS if found else CLEAN
