"""The program ``sgf-lark``, also started by ``python -m sgf_lark``."""

from __future__ import annotations

import gc

#: The number of new objects after which Python looks for garbage, 700 by default. Nearly as many
#: are in the modules and tables of the program, where there is none.
_NEW_OBJECTS = 100_000


def main() -> None:
    """Run the command line; raises SystemExit with the exit code."""
    gc.set_threshold(_NEW_OBJECTS)
    from sgf_lark.cli import commands

    commands.main(prog_name="sgf-lark")


if __name__ == "__main__":
    main()
