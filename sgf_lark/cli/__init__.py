"""The command line, ``sgf-lark``. Each command is a module here, imported when it is called."""

from __future__ import annotations

#: The exit code of a program that Ctrl-C ended.
INTERRUPTED = 130
