"""Completion for shells."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from sgf_lark.cli.commands import main
from tests.kit.tables import for_each

ROOT = Path(__file__).parents[2]


def completed(*words: str) -> list[str]:
    """The values that complete the last of these words."""
    complete = ShellComplete(main, {}, "sgf-lark", "_SGF_LARK_COMPLETE")
    return [item.value for item in complete.get_completions(list(words[:-1]), words[-1])]


@for_each(
    [
        (["ch"], ["check"]),
        (["check", "--exit"], ["--exit-zero"]),
        (["check", "--profile", "i"], ["interchange"]),
        (["check", "--select", "SGF41"], [f"SGF41{digit}" for digit in "0123456789"]),
        (
            ["check", "--select", "SGF1,handicap-"],
            ["SGF1,handicap-without-setup", "SGF1,handicap-as-moves"],
        ),
        (["check", "--charset", "big5-h"], ["Big5-HKSCS"]),
        (["fix", "--to-charset", "utf-8"], ["UTF-8"]),
        (
            ["explain", "hand"],
            ["handicap", "handicap-without-setup", "handicap-as-moves", "HANDICAP"],
        ),
    ]
)
def test_completions(words: list[str], expected: list[str]) -> None:
    assert completed(*words) == expected


def test_paths_are_completed_by_the_shell() -> None:
    for command in ("check", "fix", "convert", "show", "tree", "audit"):
        complete = ShellComplete(main, {}, "sgf-lark", "_SGF_LARK_COMPLETE")
        assert [item.type for item in complete.get_completions([command], "ga")] == ["file"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_asks_the_program(tmp_path: Path) -> None:
    program = tmp_path / "sgf-lark"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m sgf_lark "$@"\n')
    program.chmod(0o755)
    script = (
        f'eval "$(_SGF_LARK_COMPLETE=bash_source "{program}")"\n'
        "COMP_WORDS=(sgf-lark check --for); COMP_CWORD=2\n"
        f'_sgf_lark_completion "{program}" && echo "${{COMPREPLY[@]}}"\n'
    )
    result = subprocess.run(
        ["bash", "-c", script], capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert result.stdout.split() == [b"--format"]
