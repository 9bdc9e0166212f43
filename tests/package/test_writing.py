"""Files are written by a temporary one that takes the place of the old; which attributes stay."""

from __future__ import annotations

import errno
import io
import os
from pathlib import Path
from typing import Any, BinaryIO

import pytest

import sgf_lark
from sgf_lark.atomic_files import TEMPORARY, write_file, write_stream

GAME = b"(;FF[4]C[x])"


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


@pytest.mark.parametrize("kind", [str, Path])
def test_dump_takes_paths_and_streams(kind: type, tmp_path: Path) -> None:
    collection = sgf_lark.loads(GAME)
    collection[0].root["C"] = "y"
    sgf_lark.dump(collection, kind(tmp_path / "new.sgf"))
    stream = io.BytesIO()
    sgf_lark.dump(collection[0], stream)
    assert (tmp_path / "new.sgf").read_bytes() == stream.getvalue() == b"(;FF[4]C[y])"
    sgf_lark.dump(collection, kind(tmp_path / "new.sgf"), charset="UTF-16")
    assert sgf_lark.load(kind(tmp_path / "new.sgf")).equals(collection)
    assert names(tmp_path) == ["new.sgf"]
    for target in (b"new.sgf", None, io.StringIO(), object(), type("Odd", (), {"write": 3})()):
        with pytest.raises(TypeError, match="expected a path or a binary file object, such as"):
            sgf_lark.dump(collection, target)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no reader could find"):
        sgf_lark.dump(collection, tmp_path / "other.sgf", charset="UTF-7")
    assert names(tmp_path) == ["new.sgf"]


def test_temporary_file_is_in_the_same_folder(tmp_path: Path) -> None:
    target = tmp_path / "game.sgf"
    target.write_bytes(b"old")

    def write(stream: BinaryIO) -> None:
        (name,) = (each for each in names(tmp_path) if each != "game.sgf")
        assert name.startswith(TEMPORARY) and len(name) == len(TEMPORARY) + 16
        assert len({*name[len(TEMPORARY) :]} - {*"0123456789abcdef"}) == 0
        assert target.read_bytes() == b"old"
        stream.write(GAME)

    write_stream(target, write)
    assert names(tmp_path) == ["game.sgf"] and target.read_bytes() == GAME


def test_failure_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    target = tmp_path / "game.sgf"
    target.write_bytes(b"old")

    def fail(error: BaseException) -> Any:
        def write(stream: BinaryIO) -> None:
            stream.write(b"half")
            raise error

        return write

    for error in (ValueError("no"), KeyboardInterrupt()):
        with pytest.raises(type(error)):
            write_stream(target, fail(error))
        assert names(tmp_path) == ["game.sgf"] and target.read_bytes() == b"old"
    with pytest.raises(OSError, match="disk") as raised:
        write_stream(target, fail(OSError(errno.ENOSPC, "disk full", "temporary")))
    assert (raised.value.errno, raised.value.filename) == (errno.ENOSPC, str(target))
    with pytest.raises(OSError, match="without number") as raised:
        write_stream(target, fail(OSError("without number")))
    assert raised.value.filename == str(target)
    for place in (tmp_path, tmp_path / "missing" / "game.sgf", target / "game.sgf"):
        with pytest.raises(OSError) as raised:
            write_file(place, GAME)
        assert raised.value.filename == str(place)
    assert names(tmp_path) == ["game.sgf"] and target.read_bytes() == b"old"


def test_attributes(tmp_path: Path) -> None:
    target = tmp_path / "game.sgf"
    target.write_bytes(b"old")
    target.chmod(0o641)
    os.utime(target, ns=(10**18, 2 * 10**18))
    write_file(target, GAME)
    assert target.stat().st_mode & 0o7777 == 0o641 and target.stat().st_mtime_ns != 2 * 10**18
    mask = os.umask(0o027)
    write_file(tmp_path / "plain.sgf", GAME)
    os.umask(mask)
    assert (tmp_path / "plain.sgf").stat().st_mode & 0o7777 == 0o640
    assert (tmp_path / "plain.sgf").read_bytes() == GAME


def test_a_read_only_file_stays(tmp_path: Path) -> None:
    target = tmp_path / "game.sgf"
    target.write_bytes(b"old")
    (tmp_path / "link.sgf").symlink_to("game.sgf")
    target.chmod(0o444)
    for path in (target, tmp_path / "link.sgf"):
        with pytest.raises(PermissionError, match="read-only") as caught:
            write_file(path, GAME)
        assert caught.value.filename == str(path)
    assert target.read_bytes() == b"old" and names(tmp_path) == ["game.sgf", "link.sgf"]


def test_links_and_pipes(tmp_path: Path) -> None:
    target, link = tmp_path / "game.sgf", tmp_path / "link.sgf"
    target.write_bytes(b"old")
    try:
        link.symlink_to(target)
    except OSError:
        pytest.skip("the file system has no symbolic links")
    write_file(link, GAME)
    assert link.is_symlink() and target.read_bytes() == GAME
    loop, way = tmp_path / "loop.sgf", tmp_path / "way.sgf"
    loop.symlink_to(loop)
    way.symlink_to(loop)
    for circular in (loop, way, loop / "game.sgf"):
        with pytest.raises(OSError) as raised:
            write_file(circular, GAME)
        assert (raised.value.errno, raised.value.filename) == (errno.ELOOP, str(circular))
    assert loop.is_symlink() and way.is_symlink()
    if hasattr(os, "mkfifo"):
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        write_file(pipe, GAME)
        assert os.read(reader, 100) == GAME and pipe.is_fifo()
        os.close(reader)
    assert not any(name.startswith(TEMPORARY) for name in names(tmp_path))
