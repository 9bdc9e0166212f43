"""Bounds: files that are no SGF, large and packed files, devices, and the number of diagnostics."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import signal
import subprocess
import sys
import tarfile
from pathlib import Path
from threading import Thread

import pytest
from click.testing import Result

import sgf_lark
from sgf_lark.files.archives import ERRORS, members
from sgf_lark.files.inputs import NONE
from tests.kit.commands import invoke
from tests.kit.packed import PACKED, PACKERS, zip_of
from tests.kit.tables import for_each
from tests.kit.waiting import LIMIT

#: Files that are no SGF, and a part of the message; test_signatures.py has all kinds.
OTHER_KINDS = [
    (b"\x7fELF" + random.Random(1).randbytes(20_000), "a program (ELF)"),
    (b"(\xb5/\xfd(;B[aa])", "compressed with zstd"),
    (b"<!doctype html>\n<p>[x]</p>" * 9, "a web page"),
    (random.Random(3).randbytes(20_000), "binary data"),
]


@for_each(OTHER_KINDS)
def test_other_kind_of_file_is_one_diagnostic(data: bytes, message: str) -> None:
    for engine in ("tables", "lark"):
        [found] = sgf_lark.validate(data, engine=engine).diagnostics
        assert found.code == "SGF002" and message in found.message
    [again] = sgf_lark.loads(data, tolerant=True).damage
    assert again.message == found.message
    with pytest.raises(sgf_lark.SGFSyntaxError) as caught:
        sgf_lark.loads(data)
    assert message in str(caught.value)
    for unsafe in (False, True):
        assert sgf_lark.fix(data, unsafe=unsafe).data == data


# --- Large and packed files, devices ------------------------------------------------------

GAME = b"(;FF[4]GM[1]SZ[9];B[aa];W[bb])"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(line: str, stdin: bytes = b"") -> Result:
    return invoke(*line.split(), stdin=stdin)


@pytest.mark.parametrize("suffix", PACKED)
def test_packed_file_is_read_by_every_command(folder: Path, suffix: str) -> None:
    name = f"game.sgf{suffix}"
    (folder / name).write_bytes(PACKERS[suffix](GAME))
    for command in ("check", "fix", "convert", "show", "tree", "check --format json"):
        result = run(f"{command} {name}")
        assert result.exit_code == 0, result.output
    assert run(f"fix {name}").stdout_bytes == GAME
    assert run(f"fix {name} -o new -q").exit_code == 0 and Path("new").read_bytes() == GAME
    # Also in a folder, and in an archive.
    (folder / "in").mkdir()
    (folder / name).rename(folder / "in" / name)
    (folder / "in.zip").write_bytes(zip_of({name: PACKERS[suffix](GAME)}))
    for place in ("in", "in.zip"):
        assert run(f"check {place}").stdout == "1 file, 1 clean\n"
        assert run(f"fix {place} -o {place}-out").exit_code == 0
        assert (folder / f"{place}-out" / "game.sgf").read_bytes() == GAME


@pytest.mark.parametrize("suffix", PACKED)
def test_damaged_packed_file_is_reported(folder: Path, suffix: str) -> None:
    packed = PACKERS[suffix](GAME * 100)
    for data in (b"no such thing", packed[:-9], packed[:4]):
        (folder / f"x.sgf{suffix}").write_bytes(data)
        result = run(f"check x.sgf{suffix}")
        assert result.exit_code == 2 and "SGF001" in result.stdout


@pytest.mark.parametrize("suffix", PACKED)
def test_packed_file_is_not_overwritten(folder: Path, suffix: str) -> None:
    data = PACKERS[suffix](b"(;FF[4]GM[1]KM[6,5])")
    (folder / f"x.sgf{suffix}").write_bytes(data)
    result = run(f"fix -i x.sgf{suffix}")
    assert result.exit_code == 2 and "cannot be overwritten" in result.stderr
    result = run("fix -i .")
    assert result.exit_code == 2 and "because it is packed" in result.stderr
    assert [path.read_bytes() for path in folder.iterdir()] == [data]


@pytest.mark.parametrize("command", ["check", "convert", "show", "tree"])
def test_larger_files_are_not_read(folder: Path, command: str) -> None:
    large = b"(;C[" + b"x" * (1 << 20) + b"])"
    (folder / "large.sgf").write_bytes(large)
    (folder / "bomb.sgf.gz").write_bytes(gzip.compress(large))
    (folder / "bomb.zip").write_bytes(zip_of({"bomb.sgf": large}))
    for name in ("large.sgf", "bomb.sgf.gz", "bomb.zip", "-"):
        result = run(f"{command} --max-size 1 {name}", large)
        assert result.exit_code == 2 and "larger than 1048576 bytes" in result.output
        assert run(f"{command} --max-size 2 {name}", large).exit_code in (0, 1)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
def test_device_is_not_read() -> None:
    for command in ("check", "fix", "convert", "show", "tree"):
        result = run(f"{command} /dev/zero")
        assert result.exit_code == 2 and "it is a device" in result.output
    with Path("/dev/zero").open("rb") as zero:
        line = [sys.executable, "-m", "sgf_lark", "check", "-"]
        done = subprocess.run(line, stdin=zero, capture_output=True, timeout=LIMIT, check=False)
    assert done.returncode == 2 and b"it is a device" in done.stdout + done.stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_named_pipe_is_read_if_named_and_not_in_a_folder(folder: Path) -> None:
    os.mkfifo(folder / "pipe.sgf")
    (folder / "game.sgf").write_bytes(GAME)
    assert run("check .").stdout == "1 file, 1 clean\n"
    writer = Thread(target=(folder / "pipe.sgf").write_bytes, args=(GAME,))
    writer.start()
    assert run("check pipe.sgf").stdout == "1 file, 1 clean\n"
    writer.join()


# --- The number of diagnostics -------------------------------------------------------------

#: 1000 diagnostics: empty nodes are style, the values errors.
MANY = b"(;FF[4]GM[1]SZ[9]" + b";KO[x]B[aa]" * 500 + b")"


def test_diagnostics_in_text_are_limited_and_all_are_counted(folder: Path) -> None:
    (folder / "many.sgf").write_bytes(MANY)
    (folder / "few.sgf").write_bytes(b"(;FF[4]GM[1]KM[x])")
    total = len(sgf_lark.validate(MANY).diagnostics)
    assert total > 400
    listed = run("check --style many.sgf").stdout.splitlines()
    lines = [line for line in listed if "many.sgf:" in line]
    assert len(lines) == 301
    assert f"{total - 300} more diagnostics (--max-diagnostics 0" in lines[-1]
    table = run("check --max-diagnostics 0 --statistics .").stdout
    for options in ("--statistics", "--statistics --max-diagnostics 1", "-j 2 --statistics"):
        assert run(f"check {options} .").stdout == table
    assert "more diag" not in run("check few.sgf").stdout
    assert "还有" in run("check --style --lang zh many.sgf").stdout
    everything = run("check --style --max-diagnostics 0 many.sgf").stdout
    assert len([line for line in everything.splitlines() if "many.sgf:" in line]) == total


#: For each format, what is there once for each diagnostic.
ONCE = {"jsonl": '"severity":"', "sarif": '"ruleId":"', "github": "::error file="}


@pytest.mark.parametrize("output_format", ONCE)
def test_machine_formats_have_all_diagnostics_by_default(folder: Path, output_format: str) -> None:
    (folder / "many.sgf").write_bytes(MANY)
    report = sgf_lark.validate(MANY, select=["SGF3"])

    def count(options: str) -> int:
        line = f"check --select SGF3 --format {output_format} {options} many.sgf"
        return run(line).stdout.count(ONCE[output_format])

    assert (count(""), count("--max-diagnostics 7")) == (len(report.diagnostics), 7)


def test_json_counts_what_it_omits(folder: Path) -> None:
    (folder / "many.sgf").write_bytes(MANY)
    report = sgf_lark.validate(MANY)
    [item] = json.loads(run("check --format json --max-diagnostics 7 many.sgf").stdout)
    assert len(item["diagnostics"]) == 7
    assert (item["counts"], item["omitted"]) == (report.counts, len(report.diagnostics) - 7)


# --- Closed pipes, full disks and Ctrl-C ---------------------------------------------------

PROGRAM = [sys.executable, "-m", "sgf_lark"]
#: What click prints, and what a command prints. Tests of exit codes call the others in their own
#: process.
PRINTING = ["--version", "check ."]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("line", PRINTING)
def test_full_disk_and_closed_pipe_end_without_a_traceback(folder: Path, line: str) -> None:
    (folder / "game.sgf").write_bytes(b"(;FF[4]GM[1]SZ[9]KM[6,5];B[aa])")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PROGRAM, *line.split()], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr.endswith(b"sgf-lark: standard output: No space left on device\n")
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*PROGRAM, *line.split()], stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr and b"Exception" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="needs process groups")
@pytest.mark.parametrize("line", ["check -j 3 .", "check -j 1 .", "fix --format jsonl ."])
def test_interrupted_run_ends_at_once(folder: Path, line: str) -> None:
    # The first 64 files, which a process checks at once, fill the buffer of the output.
    for number in range(300):
        count = 5 if number < 64 else 500
        game = b"(;GM[1]" + b";B[aa]KO[q]" * count + b")"
        (folder / f"{number:03}.sgf").write_bytes(game)
    process = subprocess.Popen(
        [*PROGRAM, *line.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    process.stdout.read(1)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=LIMIT)
    assert process.returncode in (130, -signal.SIGINT)  # shells show 130 for both
    assert b"Traceback" not in errors


def test_members_of_an_archive_have_a_limit_together(folder: Path) -> None:
    """Each member is smaller than the limit, and the archive is much smaller still; of members that
    are packed themselves the archive records less than they have."""
    game = b"(;FF[4]GM[1]SZ[19]C[" + b"x" * 200_000 + b"])"
    for count, code in ((1, 0), (20, 2)):
        for suffix, content in ((".sgf", game), (".sgf.gz", gzip.compress(game))):
            members = {f"{number}{suffix}": content for number in range(count)}
            (folder / "bomb.zip").write_bytes(zip_of(members))
            result = run("check --max-size 1 bomb.zip")
            assert result.exit_code == code
            assert ("its files are too large together" in result.output) == (count == 20)


class _CountsReads(io.BytesIO):
    """A file that fails when it is read again and again."""

    reads = 0

    def read(self, size: int | None = -1) -> bytes:
        self.reads += 1
        assert self.reads < 1000
        return super().read(size)


@pytest.mark.parametrize("kind", [tarfile.REGTYPE, tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME, b"Z"])
@pytest.mark.parametrize("is_packed", [False, True])
@pytest.mark.parametrize("size", [2**20 + 1, 2**35, 2**60])
def test_sizes_that_a_tar_header_claims_cost_nothing(
    kind: bytes, is_packed: bool, size: int
) -> None:
    first, claims = tarfile.TarInfo("first.sgf"), tarfile.TarInfo("large.sgf")
    first.size, claims.size, claims.type = 512, size, kind
    data = first.tobuf() + b"x" * 512 + claims.tobuf(tarfile.GNU_FORMAT) + b"x" * 512
    file = _CountsReads(gzip.compress(data) if is_packed else data)
    names = []
    with pytest.raises(ERRORS):
        name = "a.tar.gz" if is_packed else "a.tar"
        for member in members(name, file, len(data), (".sgf",), None, NONE):
            names.append(member.name)
    assert names == ["first.sgf", "large.sgf"][: 1 + (kind == tarfile.REGTYPE)]
