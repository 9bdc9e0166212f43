"""The program ``sgf-lark``, which is ``python -m sgf_lark`` too."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    # All that is imported stays: to look for garbage in it is in vain.
    gc.disable()
    from sgf_lark.cli import quick

    exit_code = quick.check(sys.argv[1:])
    gc.enable()
    if exit_code is None:
        from sgf_lark.cli.commands import main as commands

        commands(prog_name="sgf-lark")
    sys.exit(exit_code)


if __name__ == "__main__":
    main()
