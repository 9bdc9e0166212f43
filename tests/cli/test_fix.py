"""``sgf-lark fix``, and ``sgf-lark diff``, which shows what was changed."""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO

import pytest

from tests.kit.commands import invoke
from tests.kit.tables import for_each

GAME = b"(;FF[4]GM[1]KM[6,5];B[aa])"
FIXED = b"(;FF[4]GM[1]KM[6.5];B[aa])"
UNSAFE = b"(;FF[4]GM[1]KM[lots];B[aa])"


fix = partial(invoke, "fix")


def test_one_file_goes_to_standard_output() -> None:
    result = fix("-", stdin=GAME)
    assert result.exit_code == 0
    assert result.stdout_bytes == FIXED
    assert "-:1:16: SGF415 komi: 6,5 -> 6.5" in result.stderr
    assert "1 finding fixed by 1 change, all safe; no error left" in result.stderr


def test_errors_that_are_left_set_the_exit_code() -> None:
    result = fix("-", stdin=UNSAFE)
    assert (result.exit_code, result.stdout_bytes) == (1, UNSAFE)
    assert "0 changes; 1 error left; --unsafe would fix 1 more finding" in result.stderr
    result = fix("-", "--unsafe", stdin=UNSAFE)
    assert (result.exit_code, result.stdout_bytes) == (0, UNSAFE.replace(b"KM[", b"GC[KM: "))
    assert "SGF415 komi (unsafe): " in result.stderr
    assert "1 change, 1 of them unsafe; no error left" in result.stderr


def test_diff_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(GAME)
    result = fix(path, "--diff")
    assert path.read_bytes() == GAME
    lines = result.stdout.splitlines()
    assert "-KM[6,5]" in lines and "+KM[6.5]" in lines and " ;B[aa]" in lines


def test_json_lists_changes() -> None:
    found = json.loads(fix("-", "--format", "jsonl", stdin=GAME).stdout)
    assert found["path"] == "-" and found["ok"]
    assert [change["after"] for change in found["applied"]] == ["6.5"]
    assert found["remaining"] == []


def test_in_place(tmp_path: Path) -> None:
    path, clean = tmp_path / "game.sgf", tmp_path / "clean.sgf"
    path.write_bytes(GAME)
    clean.write_bytes(FIXED)
    for file in (path, clean):
        os.utime(file, ns=(10**18, 10**18))
    assert fix(tmp_path, "--in-place", "--backup", ".old").exit_code == 0
    assert path.read_bytes() == FIXED
    assert path.stat().st_mtime_ns != 10**18 == clean.stat().st_mtime_ns
    assert (tmp_path / "game.sgf.old").read_bytes() == GAME
    assert sorted(item.name for item in tmp_path.iterdir()) == [
        "clean.sgf",
        "game.sgf",
        "game.sgf.old",
    ]


def test_what_is_not_written_is_not_reported_as_fixed(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(GAME)
    path.chmod(0o444)
    for options in (["-i", path], ["-", "-o", path]):
        done = fix(*options, stdin=GAME)
        assert done.exit_code == 2
        assert "read-only" in done.stderr and "fixed" not in done.stderr
    assert path.read_bytes() == GAME


def test_suffix_of_backups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = ("a.sgf", "b.sgf")
    for options, suffix in ((["--backup=.old"], ".old"), (["--backup", "~"], "~")):
        for name in names:
            Path(name).write_bytes(GAME)
        assert fix("-i", *options, *names).exit_code == 0
        assert {Path(name).read_bytes() for name in names} == {FIXED}
        assert {Path(name + suffix).read_bytes() for name in names} == {GAME}
    assert len([*tmp_path.iterdir()]) == 6


@pytest.mark.parametrize("has_links", [True, False])
def test_no_backup_is_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_links: bool
) -> None:
    path, backup = tmp_path / "game.sgf", tmp_path / "game.sgf.bak"

    def no_links(source: Path, target: Path) -> None:
        raise OSError(errno.EPERM, "no links here")

    if not has_links:
        monkeypatch.setattr(os, "link", no_links)
    changed = GAME + b"(;GM[1]SZ[9]KM[1,5])"
    for data in (GAME, changed, changed):
        path.write_bytes(data)
        path.chmod(0o641)
        os.utime(path, ns=(10**18, 10**18))
        assert fix(path, "-i", "--backup", ".bak").exit_code == 0
    for kept, data in ((backup, GAME), (tmp_path / "game.sgf.bak.1", changed)):
        assert kept.read_bytes() == data
        assert (kept.stat().st_mode & 0o7777, kept.stat().st_mtime_ns) == (0o641, 10**18)
    assert len([*tmp_path.iterdir()]) == 3


OPTIONS = [
    (["--to-ff4"], b"(;GM[1];B[tt])", b"(;FF[4]GM[1];B[])"),
    (["--points", "compress"], b"(;FF[4]AB[aa][ab])", b"(;FF[4]AB[aa:ab])"),
    (["--delete", "C,unknown"], b"(;FF[4]C[x]ZZ[y]N[z])", b"(;FF[4]N[z])"),
    (["--header", "drop"], b"x(;FF[4])", b"(;FF[4])"),
    (["--header", "keep"], b"x(;FF[4])", b"x(;FF[4])"),
    (["--to-charset", "keep"], b"(;FF[4]CA[latin1]C[\xe9])", b"(;FF[4]CA[latin1]C[\xe9])"),
    ([], b"(;FF[4]CA[latin1]C[\xe9])", b"(;FF[4]CA[UTF-8]C[\xc3\xa9])"),
]


@for_each(OPTIONS)
def test_options(options: list[str], data: bytes, expected: bytes) -> None:
    assert fix("-", "-q", *options, stdin=data).stdout_bytes == expected


# --- Totals ---------------------------------------------------------------------------


def test_totals_of_several_files(tmp_path: Path) -> None:
    for name, data in {"a": GAME, "b": UNSAFE, "clean": FIXED}.items():
        (tmp_path / f"{name}.sgf").write_bytes(data)
    result = fix(tmp_path, "-i", tmp_path / "missing.sgf")
    assert result.exit_code == 2
    last = result.stderr.splitlines()[-1]
    assert last == (
        "4 files, 1 changed: 1 finding fixed by 1 change, all safe; "
        "errors left in 1; 1 could not be read or written"
    )
    assert "clean.sgf" not in result.stderr
    assert "files" not in fix("-", stdin=GAME).stderr


# --- Languages ------------------------------------------------------------------------

#: English words other than names of rules, options and identifiers.
ENGLISH = re.compile(r"(?<![-\w\[])[a-z]{2,} [a-z]{2,}|\b(?:left|unsafe|nothing|before|after)\b")


def test_all_that_is_said_is_chinese_on_request(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_bytes(b"(;FF[4]GM[1]KM[6,5]HA[1]RE[x])")
    (tmp_path / "b.sgf").write_bytes(b"(;FF[4]GM[1];B[aa]KO[1])")
    for options in ([], ["--unsafe"]):
        result = fix(tmp_path, "--diff", "--lang", "zh", *options)
        lines = [line.replace("--unsafe", "") for line in result.stderr.splitlines()]
        assert not [line for line in lines if ENGLISH.search(line)]
        assert lines[-1].startswith("共 2 个文件，2 个有改动：")
    found = fix(tmp_path / "a.sgf", "--lang", "zh", "--format", "jsonl").stdout
    (item,) = map(json.loads, found.splitlines())
    for each in (*item["applied"], *item["remaining"]):
        assert re.search("[\u4e00-\u9fff]", each["message"]) and not ENGLISH.search(each["message"])


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="needs /dev/stdout")
@for_each(["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"])
def test_what_is_open_is_written_where_it_is(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file to which standard output leads is no file to replace: what others write stays."""
    if name.startswith("/proc") and not Path("/proc/self/fd").exists():
        return
    monkeypatch.chdir(tmp_path)
    Path("a.sgf").write_bytes(FIXED)
    Path("link").unlink(missing_ok=True)
    Path("link").symlink_to("/dev/stdout")
    log = Path("log")
    for mode in ("ab", "wb"):
        log.write_bytes(b"zero\n")
        with log.open(mode, buffering=0) as stream, standard_output(stream):
            stream.write(b"one\n")
            assert fix("-q", "a.sgf", "-o", name).exit_code == 0
            stream.write(b"\ntwo\n")
        before = b"zero\none\n" if mode == "ab" else b"one\n"
        assert log.read_bytes() == before + FIXED + b"\ntwo\n"


@contextmanager
def standard_output(stream: BinaryIO) -> Iterator[None]:
    """Write to that file what is written to the standard output of this process."""
    kept = os.dup(1)
    os.dup2(stream.fileno(), 1)
    yield
    os.dup2(kept, 1)
    os.close(kept)


# --- sgf-lark diff --------------------------------------------------------------------


TREE = b"(;FF[4]GM[1]SZ[9]KM[6.5];B[aa](;W[bb]C[\xe9])(;W[cc]))"


diff = partial(invoke, "diff")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.sgf"
    path.write_bytes(TREE)
    return path


@pytest.mark.parametrize(
    ("other", "lines"),
    [
        (TREE, []),
        (TREE.replace(b";B", b"\n;B"), []),
        (TREE.replace(b"6.5", b"7"), ["root: KM[6.5] -> [7]"]),
        (
            TREE.replace(b"(;W[cc])", b""),
            ["move 2 (W[cc]) in variation 2 after move 1: removed"],
        ),
        (TREE[:-1].replace(b"6.5", b"7"), ["root: KM[6.5] -> [7]"]),  # damaged
        (TREE + TREE, ["game 2, root and 3 after it: added"]),
    ],
)
def test_diff_of_texts(file: Path, other: bytes, lines: list[str]) -> None:
    found = diff(file, "-", stdin=other)
    assert found.stdout.splitlines() == lines
    assert found.exit_code == (1 if lines else 0)
    quiet = diff(file, "-", "-q", stdin=other)
    assert quiet.stdout == "" and quiet.exit_code == found.exit_code


def test_diff_of_charsets(file: Path) -> None:
    other = TREE.decode("latin-1").encode()
    assert diff(file, "-", stdin=other).exit_code == 0
    assert diff(file, "-", "--charset", "ISO-8859-1", stdin=other).exit_code == 1
