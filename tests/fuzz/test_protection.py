"""Hostile targets and hostile files do no harm."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from click.testing import Result

from tests.kit.commands import invoke
from tests.kit.waiting import LIMIT

# --- Corpus -------------------------------------------------------------------


def fuzz(corpus: Path, *arguments: object) -> Result:
    command = ("fuzz", "--target", "sgf_lark", "--seed", "1", "--examples", "12", "-j", "1")
    return invoke(*command, "--timeout", LIMIT, "--corpus", corpus, *arguments)


def make_hostile(folder: Path) -> None:
    (folder / "binary.sgf").write_bytes(bytes(range(256)) * 40)
    (folder / "program.sgf").write_bytes(b"\x7fELF\x02\x01\x01" + bytes(3000))
    (folder / "empty.sgf").write_bytes(b"")
    (folder / "many.sgf").write_bytes(b"(;N[" + b"a" * 300_000 + b"])")
    os.mkfifo(folder / "pipe.sgf")
    (folder / "circle").mkdir()
    (folder / "circle" / "again").symlink_to(folder, target_is_directory=True)
    (folder / "itself.sgf").symlink_to("itself.sgf")
    (folder / "device.sgf").symlink_to("/dev/zero")
    (folder / os.fsdecode(b"\xff\x1b[2J\n.sgf")).write_bytes(b"(;)")


def test_corpus_of_hostile_files(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    make_hostile(corpus)
    result = fuzz(corpus, "-o", tmp_path / "out")
    assert result.exit_code == 0, result.output
    (line,) = result.stderr.splitlines()  # the others are left out, or can be read
    assert "itself.sgf" in line
    assert "12 inputs" in result.stdout


def test_corpus_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("a")
    archive = tmp_path / "x\x1b[2J\n.zip"
    archive.write_bytes(b"PK\3\4 no archive")
    huge = tmp_path / "huge.sgf"
    with huge.open("wb") as file:
        file.truncate(2**30 + 1)
    for path in (tmp_path / "a", tmp_path / "missing.sgf", archive, huge, Path("/dev/zero")):
        result = fuzz(path)
        assert result.exit_code == 2, path
        assert "\x1b" not in result.output
        assert len(result.stderr.splitlines()) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser can read everything")
def test_unreadable_corpus(tmp_path: Path) -> None:
    path = tmp_path / "secret.sgf"
    path.write_bytes(b"(;)")
    path.chmod(stat.S_IWUSR)
    assert fuzz(path).exit_code == 2
