"""The table of exit codes in docs/terminal.md, each cell a run of the command."""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sgf_lark.cli.commands import commands, main
from tests.kit.commands import invoke
from tests.kit.tables import for_each

PAGE = Path(__file__).parents[2] / "docs" / "terminal.md"

CLEAN = b"(;FF[4]GM[1]SZ[9]CA[UTF-8];B[aa];W[bb])"
WEI7 = b'{"format": "wei7", "version": "3.0", "size": 9, "tree": {}}'
#: The input of each column: the name of a file, and its content; None for what there is not.
INPUTS: dict[str, tuple[str, bytes | None]] = {
    "clean": ("clean.sgf", CLEAN),
    "style only": ("style.sgf", b"(;FF[4]GM[1]SZ[9]CA[UTF-8];B[aa];W[aa])"),
    "errors": ("errors.sgf", b"(;FF[4]GM[1]SZ[9]CA[UTF-8];B[zz])"),
    "damaged": ("damaged.sgf", b"(;FF[4]GM[1]SZ[9]CA[UTF-8];B[aa];W[bb"),
    "junk": ("junk.sgf", b"no game at all"),
    "missing": ("missing.sgf", None),
    "unreadable": ("loop.sgf", None),
    "empty folder": ("empty", None),
    "no games in it": ("others", None),
    "`.wei7`": ("game.wei7", WEI7),
}
#: What else a command needs; the input is appended.
ARGUMENTS = {
    "convert": ["--format", "sgf"],
    "convert --tolerant": ["--format", "sgf"],
    "audit": ["--result", "RESULT"],
    "archive fix": ["--result", "RESULT", "-o", "OUT"],
    "archive convert": ["--result", "RESULT", "-o", "OUT", "--format", "sgf"],
}
AFTER = {"diff": ["clean.sgf"], "query": ["SELECT 1"], "explain": ["AB"]}
#: Commands that run until they are interrupted, or that depend on other programs.
OTHERS = {"fuzz", "conformance", "conformance run", "playground", "lsp", "archive"}


def table() -> Iterator[tuple[str, str, str]]:
    """The command, the column and the code of each cell."""
    lines = PAGE.read_text("utf-8").partition("<!-- exit codes -->\n")[2].partition("\n\n")[0]
    heads, _, *rows = (
        [cell.strip() for cell in line.split("|")[1:-1]] for line in lines.split("\n")
    )
    for command, *codes in rows:
        for head, code in zip(heads[1:], codes, strict=True):
            if code != "–":
                yield command.split("`")[1], head, code


def test_table_has_each_command() -> None:
    named = {command.partition(" --")[0] for command, _, _ in table()}
    assert named | OTHERS == {" ".join(names) for _, names in commands()}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, data in INPUTS.values():
        if data is not None:
            (tmp_path / name).write_bytes(data)
    (tmp_path / "loop.sgf").symlink_to("loop.sgf")
    (tmp_path / "empty").mkdir()
    (tmp_path / "others").mkdir()
    (tmp_path / "others" / "notes.txt").write_bytes(CLEAN)
    return tmp_path


def arguments_of(command: str, name: str) -> list[str]:
    name = {"explain": "no-such-name"}.get(command, name)
    return [*command.split(), *ARGUMENTS.get(command, ()), name, *AFTER.get(command, ())]


@pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")
@for_each(
    [cell for cell in table() if cell[1] in INPUTS],
    by=lambda command, head, code: command.split()[0],
)
def test_exit_code(command: str, head: str, code: str, folder: Path, dask_client: object) -> None:
    shutil.rmtree("RESULT", ignore_errors=True)
    done = invoke(*arguments_of(command, INPUTS[head][0]))
    assert isinstance(done.exception, SystemExit | None), done.exception
    assert f"{done.exit_code}" == code, f"{command}, {head}: {done.output}"
    assert code != "2" or done.stderr or "SGF001" in done.stdout


@pytest.fixture
def results(folder: Path, dask_client: object) -> Path:
    """What `audit` writes."""
    pytest.importorskip("duckdb")
    done = invoke("audit", "--result", "RESULT", "clean.sgf", "-q")
    assert done.exit_code == 0, done.output
    return folder


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@for_each([cell[:2] for cell in table() if cell[1] in ("pipe", "disk")])
def test_output_that_cannot_be_written(
    command: str, head: str, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = {"query": "RESULT", "duplicates": "RESULT", "diff": "style.sgf"}
    name = [place.get(command, "clean.sgf")]
    if command in ("explain", "grammar", "schema"):
        name = []
    arguments = [*command.split(), *ARGUMENTS.get(command, ()), *name, *AFTER.get(command, ())]
    if head == "disk":
        raw = os.open("/dev/full", os.O_WRONLY)
    else:
        reading, raw = os.pipe()
        os.close(reading)
    with monkeypatch.context() as patched, os.fdopen(raw, "wb") as stream:
        patched.setattr(sys, "stdout", io.TextIOWrapper(stream, "utf-8"))
        patched.setattr(sys, "stderr", errors := io.StringIO())
        with pytest.raises(SystemExit) as ended:
            main(arguments)
    assert ended.value.code == 2
    assert ("sgf-lark: " in errors.getvalue()) == (head == "disk")
