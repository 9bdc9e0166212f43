"""``sgf-lark check`` starts fast: the way without click, and what is not imported."""

from __future__ import annotations

import gc
import inspect
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import sgf_lark
from sgf_lark.__main__ import main as program
from sgf_lark.cli import checking, parallel, quick
from sgf_lark.cli.check import check as command
from sgf_lark.cli.commands import main
from sgf_lark.cli.inputs import Input

CLEAN = b"(;FF[4]GM[1]SZ[19];B[pd];W[dp])"
WRONG = b"(;FF[4]GM[1]SZ[19]KM[6,5]XY[1];B[zz])"
ERROR = b"(;FF[4]GM[1]SZ[19]CA[UTF-8]PB[\xe7\x99\xbd];B[zz])"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Some files in a folder below, in which the program is run."""
    below = tmp_path / "below"
    below.mkdir()
    (below / "clean.sgf").write_bytes(CLEAN)
    (below / "wrong.sgf").write_bytes(WRONG)
    (below / "error.sgf").write_bytes(ERROR)
    monkeypatch.chdir(below)
    return tmp_path


# --- How it ends ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("check clean.sgf", 0),
        ("check wrong.sgf", 1),
        ("check --color clean.sgf", 0),
        ("check nothing.sgf", 2),
        ("--version", 0),
        ("no-command", 2),
    ],
)
def test_the_installed_command_says_and_ends_as_the_module_does(line: str, code: int) -> None:
    programs = (
        "from sgf_lark.__main__ import command; command()",
        "from sgf_lark.__main__ import main; main()",
    )
    installed, module = (
        subprocess.run([sys.executable, "-c", program, *line.split()], capture_output=True)
        for program in programs
    )
    assert installed.returncode == module.returncode == code
    assert (installed.stdout, installed.stderr) == (module.stdout, module.stderr)
    assert installed.stdout or installed.stderr


# --- The way without click ------------------------------------------------------

PLAIN = [
    "clean.sgf",
    "error.sgf",
    "clean.sgf error.sgf",
    ".",
    "-",
    "no-such.sgf",
    "-q error.sgf",
    "error.sgf -q",
    "-qq error.sgf",
    "-q -q error.sgf",
    *(f"--format {output_format} error.sgf clean.sgf" for output_format in checking.FORMATS),
    "--format json --format text error.sgf",
    "-qq --format json error.sgf",
]

#: For click: it prints help, tells what is wrong, or knows the option.
NOT_PLAIN = [
    "",
    "-q",
    "-h",
    "-x error.sgf",
    "-qx error.sgf",
    "-qj1 error.sgf",
    "--format xml error.sgf",
    "--format",
    "--format=json error.sgf",
    "--statistics error.sgf",
    "--no-config error.sgf",
    "-- error.sgf",
]


@pytest.mark.parametrize("line", PLAIN)
def test_same_output_and_exit_code_as_with_click(
    line: str, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["check", *line.split()]
    expected = CliRunner().invoke(main, arguments, input=ERROR, catch_exceptions=False)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(ERROR)))
    assert quick.check(arguments) == expected.exit_code
    assert capsysbinary.readouterr().out == expected.stdout_bytes


@pytest.mark.parametrize("line", NOT_PLAIN)
def test_what_is_not_plain_is_left_to_click(line: str) -> None:
    assert quick.check(["check", *line.split()]) is None


@pytest.mark.parametrize("arguments", [[], ["fix", "clean.sgf"], ["--version"]])
def test_other_commands_are_left_to_click(arguments: list[str]) -> None:
    assert quick.check(arguments) is None


@pytest.mark.parametrize("place", ["", "below"])
@pytest.mark.parametrize(
    ("name", "text", "is_plain"),
    [
        ("sgf-lark.toml", "", False),
        ("pyproject.toml", "[tool.sgf-lark]\n", False),
        ("pyproject.toml", "[tool.other]\n", True),
        ("other.toml", "[tool.sgf-lark]\n", True),
    ],
)
def test_settings_are_left_to_click(
    folder: Path, place: str, name: str, text: str, is_plain: bool
) -> None:
    (folder / place / name).write_text(text)
    assert quick.check(["check", "-qq", "clean.sgf"]) == (0 if is_plain else None)


def test_the_command_has_the_defaults_of_what_it_runs() -> None:
    functions = (sgf_lark.validate, checking.run)
    known = {
        name: parameter.default
        for function in functions
        for name, parameter in inspect.signature(function).parameters.items()
    }
    context = command.make_context("check", ["--no-config", "x"])
    given = {name: value for name, value in context.params.items() if name != "paths"}
    assert given == {name: known[name] for name in given}


# --- What is imported -------------------------------------------------------------

#: Takes a good part of the time, or more, that the whole check of a file takes.
HEAVY = {
    "calendar",
    "charset_normalizer",
    "click",
    "concurrent.futures",
    "dataclasses",
    "datetime",
    "fractions",
    "inspect",
    "lark",
    "logging",
    "msgspec",
    "multiprocessing",
    "pathlib",
    "rich",
    "shutil",
    "tarfile",
    "tempfile",
    "tomllib",
    "typing",
    "zipfile",
}


@pytest.mark.parametrize(
    "line", ["clean.sgf", "wrong.sgf", "-qq error.sgf", "--format json error.sgf"]
)
def test_one_file_waits_for_no_heavy_module(line: str) -> None:
    program = (
        "import sys; from sgf_lark.__main__ import main\n"
        "try: main()\n"
        "except SystemExit: print(*sys.modules)"
    )
    # Without "site", which may import more for its own ends.
    done = subprocess.run(
        [sys.executable, "-S", "-c", program, "check", *line.split()],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(Path(sgf_lark.__file__).parent.parent)},
    )
    imported = set(done.stdout.decode().splitlines()[-1].split())
    assert "sgf_lark.validation" in imported
    assert imported & HEAVY == set()
    assert ("json" in imported) == ("json" in line)
    assert "sgf_lark.model" not in imported


def test_annotations_can_be_evaluated_without_what_they_are_made_of() -> None:
    program = (
        "import sys, sgf_lark; sgf_lark.validate\n"
        "assert 'typing' not in sys.modules\n"
        "from typing import get_type_hints\n"
        "for public in (sgf_lark.validate, sgf_lark.loads): print(*get_type_hints(public))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(Path(sgf_lark.__file__).parent.parent)},
    )
    validate, loads = done.stdout.decode().splitlines()
    assert validate.split()[0] == loads.split()[0] == "data"


@pytest.mark.parametrize("jobs", [1, 2])
def test_garbage_is_looked_for_from_the_second_file_on(
    monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    monkeypatch.setattr(parallel, "_FILES", 1)
    gc.disable()
    try:
        for _ in parallel.validated([Input("a", CLEAN), Input("b", CLEAN)], jobs, False):
            pass
        assert gc.isenabled()
    finally:
        gc.enable()
        gc.unfreeze()


def test_garbage_is_looked_for_by_all_other_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["sgf-lark", "check", "--statistics", "clean.sgf"])
    seen: list[bool] = []
    monkeypatch.setattr("sgf_lark.cli.commands.main", lambda **options: seen.append(gc.isenabled()))
    with pytest.raises(SystemExit):
        program()
    assert seen == [True]
