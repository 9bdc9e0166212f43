"""Options that only show something, together with options that write: nothing is written."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from sgf_lark.cli.commands import commands, main

#: How the help of an option begins that shows something instead of doing it.
_SHOWS = re.compile(r"Only list|List the (adapters|features)|Show the changes")
#: How the help of an option begins that writes files, or changes how they are written.
_WRITES = re.compile(r"Write |Also write|Overwrite|Keep the (old|times)")
#: Options with such a help that are about what is printed, or name what a command has to write.
_OTHERS = {"--format", "--points", "--passes", "--to-charset", "--result"}

#: What is read, by command.
_READ = {
    "fix": ["IN"],
    "fuzz": ["--target", "sgf-lark"],
    "conformance run": ["--target", "sgf-lark"],
    "archive fix": ["IN", "--result", "RESULT"],
}
#: How files are written, by command.
_WRITTEN: dict[str, list[tuple[str, ...]]] = {
    "fix": [
        ("--in-place",),
        ("--in-place", "--backup=.old"),
        ("--in-place", "--format", "jsonl"),
        ("--output", "OUT"),
    ],
    "fuzz": [("--output", "OUT"), ("--report", "OUT.html")],
    "conformance run": [("--output", "OUT.html")],
    "archive fix": [("--output", "OUT")],
}


def _options(pattern: re.Pattern[str]) -> list[tuple[str, str]]:
    return [
        (" ".join(names), max(option.opts, key=len))
        for command, names in commands()
        for option in command.params
        if isinstance(option, click.Option) and pattern.match(option.help or "")
    ]


_SHOWING = _options(_SHOWS)


def test_table_has_all_options() -> None:
    commands = {command for command, _ in _SHOWING}
    written = {
        (command, option)
        for command, option in _options(_WRITES)
        if command in commands and option not in _OTHERS
    }
    listed = {
        (command, part.partition("=")[0])
        for command, ways in _WRITTEN.items()
        for way in ways
        for part in way
        if part.startswith("--") and (command, part.partition("=")[0]) in written
    }
    assert commands == {*_READ} and listed == written


@pytest.mark.parametrize(
    ("command", "option", "written"),
    [(command, option, way) for command, option in _SHOWING for way in _WRITTEN[command]],
)
def test_nothing_is_written(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    option: str,
    written: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("IN").mkdir()
    Path("IN/game.sgf").write_bytes(b"(;FF[4]GM[1]KM[6,5];B[aa])(;FF[4]GM[1])")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    arguments = [*command.split(), *_READ[command], option, *written]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    after = {
        path: path.read_bytes()
        for path in tmp_path.rglob("*")
        if path.is_file() and path.relative_to(tmp_path).parts[0] != "RESULT"
    }
    assert after == before
    assert {path.name for path in tmp_path.iterdir()} <= {"IN", "RESULT"}
    # Either it is shown, or the combination is refused in one line that names the option.
    if result.exit_code == 2:
        assert option in result.stderr and result.stdout == ""
    else:
        assert result.exit_code in (0, 1) and result.stdout
