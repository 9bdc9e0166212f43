"""The command line, ``sgf-lark``: one module for each command, imported when it is called.

A module that serves one command alone has the name of that command as a prefix.
"""

from __future__ import annotations

#: Exit codes: no error and no warning; errors or warnings; could not run, or not to the end.
CLEAN = 0
VIOLATIONS = 1
COULD_NOT_RUN = 2
#: The program was interrupted with Ctrl-C.
INTERRUPTED = 130
