"""Completion for shells, and the man page."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner
from setuptools import Distribution

from sgf_lark._build import BuildPy
from sgf_lark.cli import completion, manual
from sgf_lark.cli.commands import main

ROOT = Path(__file__).parents[2]


def completed(*words: str) -> list[str]:
    """The values that complete the last of these words."""
    complete = ShellComplete(main, {}, "sgf-lark", "_SGF_LARK_COMPLETE")
    return [item.value for item in complete.get_completions(list(words[:-1]), words[-1])]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["ch"], ["check"]),
        (["check", "--exit"], ["--exit-zero"]),
        (["check", "--group-by", "f"], ["file", "folder"]),
        (["check", "--select", "SGF41"], [f"SGF41{digit}" for digit in "0123456789"]),
        (["check", "--select", "SGF1,handicap-"], ["SGF1,handicap-without-setup"]),
        (["check", "--charset", "big5-h"], ["Big5-HKSCS"]),
        (["fix", "--to-charset", "utf-8"], ["UTF-8"]),
        (["explain", "hand"], ["handicap", "handicap-without-setup", "HANDICAP"]),
    ],
)
def test_completions(words: list[str], expected: list[str]) -> None:
    assert completed(*words) == expected


def test_paths_are_completed_by_the_shell() -> None:
    for command in ("check", "fix", "convert", "show", "tree", "audit", "grammar"):
        complete = ShellComplete(main, {}, "sgf-lark", "_SGF_LARK_COMPLETE")
        assert [item.type for item in complete.get_completions([command], "ga")] == ["file"]


@pytest.mark.parametrize("shell", completion.PLACES)
def test_scripts_are_those_of_the_shell(shell: str) -> None:
    result = CliRunner().invoke(main, ["completion", shell], catch_exceptions=False)
    assert result.stdout == completion.script(shell)
    assert f"_SGF_LARK_COMPLETE={shell}_complete" in result.stdout
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=result.stdout.encode(), check=True)


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_asks_the_program(tmp_path: Path) -> None:
    program = tmp_path / "sgf-lark"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m sgf_lark "$@"\n')
    program.chmod(0o755)
    script = completion.script("bash") + (
        "COMP_WORDS=(sgf-lark check --for); COMP_CWORD=2\n"
        f'_sgf_lark_completion "{program}" && echo "${{COMPREPLY[@]}}"\n'
    )
    result = subprocess.run(
        ["bash", "-c", script], capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert result.stdout.split() == [b"--format"]


def test_man_page_names_all_commands_and_options() -> None:
    page = manual.page().replace("\\-", "-")
    for command, _ in manual.commands(main):
        assert f" {command.name} " in page
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.opts[-1] in page


def test_lines_of_the_man_page_are_requests_or_text() -> None:
    known = ["TH", "SH", "SS", "TP", "PP", "B", "I", "nf", "fi", "UR", "UE"]
    requests = {line.split()[0] for line in manual.page().splitlines() if line.startswith(".")}
    assert requests <= {f".{name}" for name in known}
    assert not any(line.startswith("'") for line in manual.page().splitlines())


@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff")
def test_man_page_is_typeset_without_warnings() -> None:
    result = subprocess.run(
        ["groff", "-k", "-man", "-Tutf8", "-ww"], input=manual.page().encode(), capture_output=True
    )
    assert result.stderr == b""


def test_wheel_has_them_where_systems_expect_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    distribution = Distribution({"packages": ["sgf_lark"], "script_name": "pyproject.toml"})
    command = BuildPy(distribution)
    command.build_lib = str(tmp_path / "lib")
    distribution.get_command_obj("build").build_temp = str(tmp_path / "temp")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        command.ensure_finalized()
        command.run()
    files = {folder: Path(path) for folder, (path,) in distribution.data_files or []}
    # In a process of its own: click keeps the help options of commands as they were first made,
    # which may have been for the pages of the site.
    page = "import sys; from sgf_lark.cli import manual; sys.stdout.write(manual.page())"
    written = subprocess.run([sys.executable, "-c", page], capture_output=True, check=True)
    assert files["share/man/man1"].read_bytes() == written.stdout
    assert {f"{folder}/{path.name}" for folder, path in files.items()} == {
        manual.PLACE,
        *completion.PLACES.values(),
    }
