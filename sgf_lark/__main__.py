"""The program ``sgf-lark``, also started by ``python -m sgf_lark``."""

from __future__ import annotations

from sgf_lark.cli import commands


def main() -> None:
    """Run the command line; raises SystemExit with the exit code."""
    commands.main(prog_name="sgf-lark")


if __name__ == "__main__":
    main()
