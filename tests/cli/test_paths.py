"""Every command with every kind of input and output: its exit code and its message."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from sgf_lark.atomic_files import write_file
from tests.kit.commands import invoke
from tests.kit.packed import zip_of
from tests.kit.waiting import LIMIT

GAME = b"(;FF[4]GM[1]SZ[9];B[aa];W[bb])"
WRONG = b"(;FF[4]GM[1]SZ[9]KM[6,5];B[aa];W[bb])"


def run(line: str, stdin: bytes = GAME) -> Result:
    """Run a command line; an exception other than SystemExit is raised."""
    arguments = ["" if word == "''" else word for word in line.split()]
    return invoke(*arguments, stdin=stdin)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files, folders and archives of each kind in the current folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("game.sgf", "both/a.sgf", "both/sub/a.sgf", "one/b.sgf"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(GAME)
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "notes.txt").write_text("no game")
    for count in range(3):
        games = {f"x/../{number}.sgf": GAME for number in range(count)}
        (tmp_path / f"{count}.zip").write_bytes(zip_of({"readme.txt": b"no game", **games}))
    (tmp_path / "bad.zip").write_bytes(b"no archive")
    (tmp_path / "link.sgf").symlink_to("link.sgf")
    (tmp_path / "wrong").write_bytes(WRONG)
    return tmp_path


def content(folder: Path) -> dict[str, bytes]:
    """The bytes of each file below the folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


NO_FILE = "No such file or directory"
NO_GAME = "there is no game file in it"
SEVERAL = "there are several files in it; name one"
LOOP = "symbolic links"

#: For each kind of input the exit code and a part of the output: of commands for any number of
#: files, of ``fix`` to standard output, and of commands for one file. A file that is there, that is
#: missing and that cannot be read are in test_exit_codes.py.
INPUTS: dict[str, tuple[tuple[int, str], tuple[int, str], tuple[int, str]]] = {
    "-": ((0, ""), (0, "(;FF[4]"), (0, "")),
    "both": ((0, ""), (2, "for several files say"), (2, f"{SEVERAL}, such as both/a.sgf")),
    "one": ((0, ""), (0, "(;FF[4]"), (0, "")),
    "empty": ((2, NO_GAME), (2, f"empty: {NO_GAME}"), (2, f"empty: {NO_GAME}")),
    "0.zip": ((2, NO_GAME), (2, f"0.zip: {NO_GAME}"), (2, f"0.zip: {NO_GAME}")),
    "1.zip": ((0, ""), (0, "(;FF[4]"), (0, "")),
    "2.zip": ((0, ""), (2, "for several files say"), (2, SEVERAL)),
    "bad.zip": ((2, "not a zip file"), (2, "not a zip file"), (2, "not a zip file")),
    "none.zip": ((2, NO_FILE), (2, NO_FILE), (2, NO_FILE)),
    "none/none.sgf": ((2, NO_FILE), (2, NO_FILE), (2, NO_FILE)),
    "both/*.sgf": ((2, NO_FILE), (2, NO_FILE), (2, NO_FILE)),
    "''": ((2, NO_FILE), (2, NO_FILE), (2, NO_FILE)),
    "game.sgf/": ((2, "Not a directory"), (2, "Not a directory"), (2, "Not a directory")),
}
ANY_NUMBER, TO_STDOUT, ONE = range(3)
COMMANDS = {
    "check": ANY_NUMBER,
    "fix -o new": ANY_NUMBER,
    "fix": TO_STDOUT,
    "convert --format sgf": TO_STDOUT,
    "tree": ONE,
    "show": ONE,
}


@pytest.mark.parametrize("source", INPUTS)
@pytest.mark.parametrize("command", COMMANDS)
def test_inputs(command: str, source: str) -> None:
    code, message = INPUTS[source][COMMANDS[command]]
    result = run(f"{command} {source}")
    assert result.exit_code == code, result.output
    assert message in result.output


#: Command lines, the exit code, a part of the output, and the files that are new.
OUTPUTS: list[tuple[str, int, str, set[str]]] = [
    # A folder or an archive becomes a folder, in which files keep their paths.
    ("convert both -o new", 0, "", {"new/a.json", "new/sub/a.json"}),
    ("convert both -o new --format sgf", 0, "", {"new/a.sgf", "new/sub/a.sgf"}),
    ("convert 2.zip -o new", 0, "", {"new/x/0.json", "new/x/1.json"}),
    ("convert both -o empty", 0, "", {"empty/a.json", "empty/sub/a.json"}),
    ("convert both -o both/new", 0, "", {"both/new/a.json", "both/new/sub/a.json"}),
    ("convert empty -o new", 2, NO_GAME, set()),
    ("convert bad.zip -o new", 2, "not a zip file", set()),
    ("convert none.sgf -o new.json", 2, NO_FILE, set()),
    ("convert both -o game.sgf", 2, "game.sgf is a file", set()),
    ("convert both -o new.json", 2, "new.json would be a folder", set()),
    ("convert both -o both", 2, "both is both the input and the output", set()),
    ("convert one -o link.sgf", 2, "link.sgf would be a folder", set()),
    # A file becomes a file, or one in a folder.
    ("convert game.sgf -o new.json", 0, "", {"new.json"}),
    ("convert game.sgf -o new.MGT", 0, "", {"new.MGT"}),
    ("convert game.sgf -o empty", 0, "", {"empty/game.json"}),
    ("convert - -o empty", 0, "", {"empty/game.json"}),
    ("convert game.sgf -o new.pdf", 2, "its name has to end in .sgf, .mgt, .json, .wei7", set()),
    ("convert game.sgf -o new", 2, "its name has to end in .sgf, .mgt, .json, .wei7", set()),
    ("convert game.sgf -o new.pdf --format json", 0, "", {"new.pdf"}),
    ("convert game.sgf -o game.sgf", 2, "game.sgf is an input", set()),
    ("convert game.sgf -o game.sgf --format json", 2, "game.sgf is an input", set()),
    ("convert game.sgf -o none/new.json", 2, "there is no folder none", set()),
    ("convert game.sgf -o link.sgf", 2, f"link.sgf: Too many levels of {LOOP}", set()),
    ("convert game.sgf -o /dev/null --format json", 0, "", set()),
    ("fix game.sgf -o new.sgf", 0, "", {"new.sgf"}),
    ("fix game.sgf -o empty", 0, "", {"empty/game.sgf"}),
    ("fix game.sgf -o -", 0, "(;", set()),
    ("convert game.sgf -o - --format json", 0, "[[", set()),
    ("grammar --format html -o -", 0, "<html", set()),
    ("fix game.sgf -o - -i", 2, "exclude each other", set()),
    ("fix game.sgf -o - --format jsonl", 2, "standard output itself", set()),
    ("fix game.sgf -o new.sgf.gz", 2, "would not be packed", set()),
    ("fix game.sgf -o new.sgf.ZST", 2, "would not be packed", set()),
    ("convert game.sgf -o new.json.xz --format json", 2, "would not be packed", set()),
    # Nothing is packed, so no name may say so.
    ("fix 2.zip -o new.zip", 2, "no archive is written", set()),
    ("fix game.sgf -o new.TAR.gz", 2, "no archive is written", set()),
    ("convert both -o new.tgz", 2, "no archive is written", set()),
    ("archive fix both --result r -o new.zip", 2, "no archive is written", set()),
    ("grammar --format html -o new.html.gz", 2, "would not be packed", set()),
    ("fix - -o empty", 0, "", {"empty/game.sgf"}),
    ("fix both -o new", 0, "", {"new/a.sgf", "new/sub/a.sgf"}),
    ("fix both -o both/new", 0, "", {"both/new/a.sgf", "both/new/sub/a.sgf"}),
    ("fix 2.zip -o new", 0, "", {"new/x/0.sgf", "new/x/1.sgf"}),
    ("fix both one -o new", 0, "", {"new/a.sgf", "new/sub/a.sgf", "new/b.sgf"}),
    ("fix game.sgf -o game.sgf", 2, "game.sgf is an input", set()),
    ("fix game.sgf -o .", 2, "game.sgf is an input", set()),
    ("fix one -o one", 2, "one is both the input and the output", set()),
    (
        "fix both both/a.sgf -o new",
        2,
        "both/a.sgf: not written, because new/a.sgf was written from both/a.sgf",
        {"new/a.sgf", "new/sub/a.sgf"},
    ),
    ("fix both -o game.sgf", 2, "game.sgf is a file", set()),
    ("fix both -o new.sgf", 2, "new.sgf would be a folder", set()),
    ("fix game.sgf -o none/new.sgf", 2, f"none/new.sgf: {NO_FILE}", set()),
    ("fix 2.zip -i", 2, "2.zip cannot be overwritten", set()),
    ("fix - -i", 2, "- cannot be overwritten", set()),
    ("fix /dev/null -i", 2, "/dev/null cannot be overwritten", set()),
    ("fix game.sgf none.sgf -i", 2, f"none.sgf: {NO_FILE}", set()),
    ("fix game.sgf -i --backup x/y", 2, "not a suffix", set()),
    # A suffix is not optional, and no file is taken for one.
    ("fix game.sgf one/b.sgf -i --backup", 2, "--backup", set()),
    ("fix -i --backup -q game.sgf one/b.sgf", 2, "not a suffix", set()),
    ("fix -i --backup game.sgf one/b.sgf", 2, "not a suffix", set()),
    ("fix -i --backup= game.sgf one/b.sgf", 2, "not a suffix", set()),
    ("fix game.sgf --backup ~", 2, "--in-place", set()),
    ("fix game.sgf --delete nonsense", 2, "nonsense", set()),
    ("fix game.sgf --to-charset nonsense", 2, "nonsense", set()),
    ("fix game.sgf --to-charset UTF-16", 2, "UTF-16", set()),
    ("fix game.sgf --select XYZ", 2, "XYZ", set()),
    ("show game.sgf -o new.svg", 0, "", {"new.svg"}),
    ("show game.sgf -o new.bmp", 2, "ends in .svg, .png", set()),
    ("show game.sgf --format svg -o game.sgf", 2, "game.sgf is an input", set()),
    ("show game.sgf -o none/new.svg", 2, f"none/new.svg: {NO_FILE}", set()),
    ("show game.sgf -o empty", 2, "is a directory", set()),
    ("grammar --format html -o empty", 2, "empty: Is a directory", set()),
    ("grammar --format html -o none/x.html", 2, f"none/x.html: {NO_FILE}", set()),
    ("grammar --format html -o game.sgf/x.html", 2, "game.sgf/x.html: ", set()),
    ("conformance run -o new.pdf", 2, "its name has to end in .txt, .json", set()),
    ("conformance run -o none/new.md", 2, "there is no folder none", set()),
    ("conformance run -o empty", 2, "empty is a folder", set()),
    ("conformance run --suite empty", 2, f"manifest.json: {NO_FILE}", set()),
    ("conformance report none.json", 2, "does not exist", set()),
    ("conformance report game.sgf -o game.sgf --format html", 2, "both a result and", set()),
    ("conformance report game.sgf", 2, "game.sgf: ", set()),
    ("fuzz --target sgfmill --report new.pdf", 2, ".json", set()),
    ("fuzz --target sgfmill --report none/new.html", 2, "there is no folder none", set()),
    ("fuzz --target sgfmill --corpus none.sgf", 2, f"none.sgf: {NO_FILE}", set()),
    ("fuzz", 2, "--target", set()),
    ("fuzz --target no-such-program --examples 1", 2, "no-such-program", set()),
    ("fuzz --target no_such_module:f --examples 3 -j 2", 2, "no_such_module", set()),
    ("fuzz replay none.json", 2, f"none.json: {NO_FILE}", set()),
    ("fuzz replay game.sgf", 2, "describes no finding", set()),
    ("playground -o empty", 2, "not the npm package", set()),
    ("check", 2, "", set()),
    # What only shows something writes nothing, whatever it is combined with.
    ("fix wrong --diff -i", 0, "--- wrong", set()),
    ("fix wrong --diff -i --backup .old", 0, "--- wrong", set()),
    ("fix wrong --diff -i --format jsonl", 0, "wrong", set()),
    ("fix wrong --diff -o new", 2, "--diff", set()),
    ("fuzz --target sgf-lark --list-targets -o new", 0, "sgfmill", set()),
    ("fuzz --target sgf-lark --list-features -o new", 0, "SGF907", set()),
    ("fuzz --target sgf-lark --list-features --report new.html", 0, "SGF907", set()),
    ("conformance run --list-targets -o new.html", 0, "sgfmill", set()),
]


@pytest.mark.parametrize(
    ("line", "code", "message", "new"), OUTPUTS, ids=[line for line, *_ in OUTPUTS]
)
def test_outputs(folder: Path, line: str, code: int, message: str, new: set[str]) -> None:
    """Nothing that existed is changed, and nothing is written but the new files."""
    before = content(folder)
    result = run(line)
    assert result.exit_code == code, result.output
    assert message in result.output
    after = content(folder)
    assert set(after) - set(before) == new
    assert {name: after[name] for name in before} == before


def test_files_written_before_are_no_input(folder: Path) -> None:
    for command in ("fix . -o new", "convert . -o new"):
        assert run(command).exit_code in (0, 2)  # 2: for the link, if it cannot be followed
        first = content(folder / "new")
        run(command)
        assert content(folder / "new") == first


def test_no_file_in_an_input_folder_is_overwritten(folder: Path) -> None:
    (folder / "one" / "sub").mkdir()
    (folder / "one" / "sub" / "a.sgf").write_bytes(WRONG)
    result = run("fix one/sub both/sub -o both/sub")
    assert result.exit_code == 2 and "both the input and the output" in result.stderr
    result = run("fix one both/sub -o both")
    assert result.exit_code == 2 and "both/sub/a.sgf is an input" in result.stderr
    assert (folder / "both" / "sub" / "a.sgf").read_bytes() == GAME


# --- Interrupted writing ----------------------------------------------------------------

WRITERS = [
    "fix game.sgf -i --backup .bak",
    "fix game.sgf -o old.sgf",
    "fix both -o old",
    "convert game.sgf -o old.json",
    "convert both -o old",
    "show game.sgf -o old.svg",
    "grammar --format html -o old.html",
    "conformance run --target sgf_lark --group numbers -o old.json",
]


@pytest.mark.parametrize("line", WRITERS)
@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_interrupted_writing_leaves_the_old_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, line: str, error: Any
) -> None:
    (folder / "game.sgf").write_bytes(WRONG)
    for name in ("old.sgf", "old.json", "old.svg", "old.html", "old.txt"):
        (folder / name).write_bytes(b"old")
    before = content(folder)

    def fail(*arguments: object) -> None:
        raise error

    monkeypatch.setattr(Path, "replace", fail)
    monkeypatch.setattr(os, "link", fail)
    # An interrupted command ends with its processes; those of other tests are not its own.
    monkeypatch.setattr(multiprocessing, "active_children", list)
    result = run(line)
    assert result.exit_code == (130 if error is KeyboardInterrupt else 2)
    if error is not KeyboardInterrupt:
        assert "No space left on device" in result.output
    assert content(folder) == before


# --- The file that is written -------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may")
def test_file_keeps_its_owner(folder: Path) -> None:
    os.chown(folder / "game.sgf", 12345, 54321)
    write_file(folder / "game.sgf", WRONG)
    status = (folder / "game.sgf").stat()
    assert (status.st_uid, status.st_gid) == (12345, 54321)


def test_unreadable_folder_does_not_stop_the_rest(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = os.scandir

    def scandir(path: str) -> Any:
        if Path(path).name == "sub":
            raise PermissionError(13, "Permission denied")
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    for path in ("both/a.sgf", "one/b.sgf"):
        (folder / path).write_bytes(WRONG)
    assert "both/sub: Permission denied" in run("convert both -o converted").stderr
    assert set(content(folder / "converted")) == {"a.json"}
    assert "both/sub" in run("check both one").stdout
    result = run("fix both one -i")
    assert result.exit_code == 2 and "both/sub: Permission denied" in result.stderr
    assert (folder / "both/a.sgf").read_bytes() != WRONG != (folder / "one/b.sgf").read_bytes()


#: Is killed when it is about to put the hundredth file into its place.
_KILLED = """
import os, signal, sys
from sgf_lark.__main__ import main

replace, count = os.replace, 0

def replace_or_die(*arguments, **options):
    global count
    count += 1
    if count == 100:
        os.kill(os.getpid(), signal.SIGKILL)
    replace(*arguments, **options)

os.replace = replace_or_die
sys.argv[1:] = ["fix", "both", "-i", "-q"]
main()
"""


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
def test_second_run_continues_where_the_first_was_killed(folder: Path) -> None:
    """What is there then: files that are fixed, others that are not, and a temporary file."""
    for number in range(400):
        (folder / "both" / f"{number}.sgf").write_bytes(WRONG)
    killed = subprocess.run([sys.executable, "-c", _KILLED], cwd=folder, timeout=LIMIT)
    assert killed.returncode == -signal.SIGKILL
    left = [data for data in content(folder / "both").values() if data == WRONG]
    assert left
    assert run("fix both -i -q").exit_code == 0
    fixed = {name: data for name, data in content(folder / "both").items() if name.endswith(".sgf")}
    assert len(fixed) == 402 and WRONG not in fixed.values()


@pytest.mark.parametrize(
    "line",
    [
        "fix first.zip second.zip -o new",
        "fix both first.zip -o new",
        "fix twice.zip -o new",
        "convert twice.zip -o new",
        "convert equal -o new",
        "convert equal -o new --format json",
        "convert equal.zip -o new --format wei7",
    ],
)
def test_the_second_file_of_a_name_is_not_written(folder: Path, line: str) -> None:
    for archive, names in {
        "first.zip": ("x/0.sgf", "a.sgf"),
        "second.zip": ("y/0.sgf", "x/0.sgf"),
        "twice.zip": ("0.sgf", "x/1.sgf", "../x/1.sgf"),
        "equal.zip": ("0.sgf", "1.sgf", "1.mgt"),
    }.items():
        (folder / archive).write_bytes(zip_of(dict.fromkeys(names, WRONG)))
    (folder / "equal").mkdir()
    for name in ("0.sgf", "1.sgf", "1.mgt"):
        (folder / "equal" / name).write_bytes(WRONG)
    result = run(line)
    assert result.exit_code == 2
    assert "not written, because" in result.output and "was written from" in result.output
