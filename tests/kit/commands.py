"""The command line in the process of the test: a process of its own would take a quarter second."""

from __future__ import annotations

from click.testing import CliRunner, Result

from sgf_lark.cli.commands import main


def invoke(*words: object, stdin: bytes | str | None = None) -> Result:
    """Run ``sgf-lark`` with these words; an exception other than SystemExit is raised."""
    return CliRunner().invoke(main, [*map(str, words)], input=stdin, catch_exceptions=False)
