"""``python -m sgf_lark`` is ``sgf-lark``."""

from sgf_lark.cli import main

main(prog_name="sgf-lark")
