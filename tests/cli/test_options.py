"""Options: settings from files, one name for one thing, and completion by shells."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from sgf_lark.cli.commands import commands, main
from sgf_lark.cli.tree import tree
from sgf_lark.grammar import CHARSET_MODES
from tests.kit.commands import invoke
from tests.kit.tables import for_each

#: A warning, an error and a style note.
GAME = b"(;FF[4]GM[1]C[];B[zz];B[aa])"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "game.sgf").write_bytes(GAME)
    below = tmp_path / "below"
    below.mkdir()
    monkeypatch.chdir(below)
    return tmp_path


check = partial(invoke, "check", "../game.sgf")


def codes(*arguments: str) -> list[str]:
    result = check("--format", "jsonl", *arguments)
    assert result.exit_code in (0, 1), result.output
    return [found["code"] for found in json.loads(result.stdout)["diagnostics"]]


ALL = ["SGF213", "SGF401", "SGF603"]
SETTINGS = [
    ('ignore = ["SGF2", "SGF603"]', ["SGF401"]),
    ('ignore = "SGF2,SGF603"', ["SGF401"]),
    ('select = ["SGF6"]', ["SGF603"]),
    ('profile = "interchange"', ["SGF213", "SGF401"]),
    # The name that it had before.
    ('profile = "default"', ["SGF213", "SGF401"]),
    ('[check]\nignore = ["SGF2"]', ["SGF401", "SGF603"]),
    ('ignore = ["SGF2"]\n[check]\nignore = ["SGF6"]', ["SGF213", "SGF401"]),
    ("", ALL),
]


@for_each(SETTINGS)
def test_own_file_and_table_in_pyproject(text: str, expected: list[str], folder: Path) -> None:
    own, shared = folder / "sgf-lark.toml", folder / "pyproject.toml"
    own.write_text(text)
    assert codes() == expected
    assert codes("--config", "none") == ALL
    own.unlink()
    shared.write_text("[tool.sgf-lark]\n" + text.replace("[check]", "[tool.sgf-lark.check]"))
    assert codes() == expected


def test_the_nearest_file_counts(folder: Path) -> None:
    (folder / "sgf-lark.toml").write_text('select = ["SGF2"]')
    (folder / "below" / "pyproject.toml").write_text("[tool.other]\nselect = 1\n")
    assert codes() == ["SGF213"]
    (folder / "below" / "pyproject.toml").write_text('[tool.sgf-lark]\nselect = ["SGF4"]')
    assert codes() == ["SGF401"]
    assert codes("--config", "../sgf-lark.toml") == ["SGF213"]
    assert codes("--select", "SGF6") == ["SGF603"]
    (folder / "below" / "sgf-lark.toml").write_text('select = ["SGF6"]')
    assert codes() == ["SGF603"]


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("selct = 1", "selct"),
        ("[check]\npaths = ['x']", "paths"),
        ("check = 1", "check"),
        ("[chek]\nselect = ['komi']", "chek"),
        ("[per-file.'old/']\nselect = ['komi']", "per-file"),
        ('profile = ["strict"]', "profile"),
        ('profile = "severe"', "severe"),
        ('select = ["XYZ"]', "XYZ"),
        ("no-style = true", "no-style"),
        ('lang = "x"', "x"),
        ('charset = "no-such"', "no-such"),
        ("= nothing", "sgf-lark.toml"),
        ("\udcff", "sgf-lark.toml"),
    ],
)
def test_wrong_settings_are_refused(folder: Path, text: str, reported: str) -> None:
    (folder / "sgf-lark.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
    result = check()
    assert result.exit_code == 2
    assert reported in result.output
    assert check("--config", "none").exit_code == 1


@pytest.mark.parametrize("text", [b"= nothing", b"[tool.other]\nx = 1\n", b"\xff"])
def test_pyproject_without_the_table_is_ignored(folder: Path, text: bytes) -> None:
    (folder / "pyproject.toml").write_bytes(text)
    assert codes() == ALL


@pytest.mark.parametrize("output_format", ["text", "json", "jsonl", "sarif", "github"])
def test_settings_change_no_format(folder: Path, output_format: str) -> None:
    expected = check("--format", output_format, "--ignore", "SGF2").stdout
    (folder / "sgf-lark.toml").write_text('ignore = ["SGF2"]')
    assert check("--format", output_format).stdout == expected
    (folder / "sgf-lark.toml").write_text(f'ignore = ["SGF2"]\n[check]\nformat = "{output_format}"')
    assert check().stdout == expected


@pytest.mark.skipif(os.name == "nt", reason="a folder in use cannot be removed")
def test_current_folder_may_be_removed(folder: Path) -> None:
    (folder / "below").rmdir()
    result = invoke("check", "-", stdin=GAME)
    assert result.exit_code == 1


def test_config_has_to_be_there() -> None:
    result = check("--config", "no-such.toml")
    assert result.exit_code == 2 and "no-such.toml" in result.output


def test_charset_modes_are_those_of_the_reader() -> None:
    options = {option.name: option for option in tree.params}
    assert options["charset_mode"].type.choices == CHARSET_MODES  # type: ignore[attr-defined]


READING = [
    (b"(;FF[4]GM[1]CA[UTF-8]C[\xe9])", [], ["SGF209"]),
    (b"(;FF[4]GM[1]CA[UTF-8]C[\xe9])", ["--charset", "latin1"], []),
    (b"(;FF[4]GM[1]CA[GBK]C[\x81\\])", [], ["SGF207"]),
    (b"(;GM[1])", [], ["SGF439"]),
]


@pytest.mark.parametrize(("data", "options", "expected"), READING)
def test_reading_options(
    folder: Path, data: bytes, options: list[str], expected: list[str]
) -> None:
    (folder / "game.sgf").write_bytes(data)
    assert codes(*options) == expected


def test_shared_settings_may_be_for_other_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sgf-lark.toml").write_text('profile = "interchange"\nexclude = ["old"]\n')
    Path("a.sgf").write_bytes(b"(;FF[4]GM[1]SZ[9];B[ee])")
    for line in ("check a.sgf", "fix a.sgf", "show a.sgf", "explain SGF415"):
        result = invoke(*line.split())
        assert result.exit_code == 0, result.output
    Path("sgf-lark.toml").write_text('[show]\nprofile = "interchange"\n')
    assert invoke("show", "a.sgf").exit_code == 2


# --- One name for one thing: options mean the same in all commands --------------------


def _options() -> Iterator[tuple[str, str]]:
    """The long name of each option of each command, and its help up to the first colon, period or
    default."""
    for command, _ in commands():
        for option in command.params:
            if isinstance(option, click.Option):
                yield max(option.opts, key=len), re.split(r"[:.]|  \[", option.help or "")[0]


def test_name_means_one_thing_and_a_thing_has_one_name() -> None:
    meanings, names = defaultdict(set), defaultdict(set)
    for name, meaning in _options():
        assert meaning, f"{name} has no help"
        meanings[name].add(meaning)
        names[meaning].add(name)
    assert [found for found in (meanings | names).items() if len(found[1]) > 1] == []


def test_names_and_kinds_do_not_depend_on_the_command() -> None:
    found = defaultdict(set)
    for command, _ in commands():
        for option in command.params:
            if isinstance(option, click.Option):
                kind = (option.is_flag, *sorted(option.opts), *sorted(option.secondary_opts))
                for name in (*option.opts, *option.secondary_opts):
                    found[name].add(kind)
    assert {name: kinds for name, kinds in found.items() if len(kinds) > 1} == {}


def test_help_says_what_the_exit_code_is() -> None:
    """In all commands that read or write something."""
    for command, names in commands():
        reads = any(
            param.name in {"paths", "path", "sources", "result"} for param in command.params
        )
        if reads and names[-1] not in ("known",):
            assert "The exit code is" in (command.help or ""), names


@for_each([("fix", 18), ("check", 20)])
def test_options_are_few_and_listed_in_groups(name: str, most: int) -> None:
    """What people use first is listed first."""
    command = main.get_command(click.Context(main), name)
    assert command is not None
    known = [each for each in command.params if isinstance(each, click.Option)]
    assert len(known) <= most and all(hasattr(each, "group") for each in known)
    shown = invoke(name, "--help").output
    titles = [line for line in shown.splitlines() if line.endswith(":") and line[:1].strip()]
    assert titles[0] == "Options:" and titles[-1] == "Other options:" and len(titles) == 5


# --- Completion for shells ------------------------------------------------------------


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
