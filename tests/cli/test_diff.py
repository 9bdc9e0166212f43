"""``sgf-lark diff``."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.kit.commands import invoke

GAME = b"(;FF[4]GM[1]SZ[9]KM[6.5];B[aa](;W[bb]C[\xe9])(;W[cc]))"


diff = partial(invoke, "diff")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.sgf"
    path.write_bytes(GAME)
    return path


@pytest.mark.parametrize(
    ("other", "lines"),
    [
        (GAME, []),
        (GAME.replace(b";B", b"\n;B"), []),
        (GAME.replace(b"6.5", b"7"), ["root: KM[6.5] -> [7]"]),
        (GAME.replace(b"(;W[cc])", b""), ["move 2 (W[cc]) in variation 2 after move 1: removed"]),
        (GAME[:-1].replace(b"6.5", b"7"), ["root: KM[6.5] -> [7]"]),  # damaged
        (GAME + GAME, ["game 2, root and 3 after it: added"]),
    ],
)
def test_text(file: Path, other: bytes, lines: list[str]) -> None:
    found = diff(file, "-", stdin=other)
    assert found.stdout.splitlines() == lines
    assert found.exit_code == (1 if lines else 0)
    quiet = diff(file, "-", "-q", stdin=other)
    assert quiet.stdout == "" and quiet.exit_code == found.exit_code


def test_charset(file: Path) -> None:
    other = GAME.decode("latin-1").encode()
    assert diff(file, "-", stdin=other).exit_code == 0
    assert diff(file, "-", "--charset", "ISO-8859-1", stdin=other).exit_code == 1


@pytest.mark.parametrize("data", [b"", b"junk", b"\0\1\2"])
def test_no_game(file: Path, data: bytes) -> None:
    found = diff(file, "-", stdin=data)
    assert found.exit_code == 2 and "there is no game in it" in found.stderr
