"""Settings from files, and the options for how a file is read."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path

import pytest

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
