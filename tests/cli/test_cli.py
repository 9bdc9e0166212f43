"""The command line: where files come from, what is printed, exit codes."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from sgf_lark.__main__ import main as program
from sgf_lark.cli import parallel
from sgf_lark.cli.check import FORMATS
from sgf_lark.cli.commands import main
from sgf_lark.files import archives, contents, inputs, packed
from tests.kit.commands import invoke
from tests.kit.packed import PACKED, PACKERS, tar_of, zip_of
from tests.kit.tables import for_each
from tests.kit.waiting import LIMIT

CLEAN = b"(;FF[4]GM[1]SZ[19];B[pd];W[dp])"
STYLE = b"(;FF[4]GM[1]SZ[19];B[pd];B[dp])"
WARNING = b"(;FF[4]GM[1]SZ[19]C[];B[pd];W[dp])"
ERROR = b"(;FF[4]GM[1]SZ[19];B[zz])"
BROKEN = Path(__file__).parents[1] / "samples" / "broken.sgf"


check = partial(invoke, "check")


def objects(*arguments: str | Path, stdin: bytes | None = None) -> list[dict[str, Any]]:
    """What `check --format jsonl` prints."""
    result = check("--format", "jsonl", *arguments, stdin=stdin)
    return [json.loads(line) for line in result.stdout.splitlines()]


def codes(item: dict[str, Any]) -> list[str]:
    return [found["code"] for found in item["diagnostics"]]


def run(*arguments: str | bytes | Path, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """The real program in a process of its own."""
    command = [sys.executable, "-m", "sgf_lark", *arguments]
    return subprocess.run(command, capture_output=True, check=False, timeout=LIMIT, **options)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files with each severity, in sub-folders, and files that are not SGF."""
    content = {
        "b.sgf": ERROR,
        "a.SGF": CLEAN,
        "old.mgt": CLEAN,
        "notes.txt": b"no game",
        "sub/c.Sgf": WARNING,
        "sub/deep.sgf/d.sgf": STYLE,
    }
    for name, data in content.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return tmp_path


# --- Exit codes ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "options", "expected"),
    [
        (WARNING, [], 1),
        (b"", [], 1),
        (ERROR, ["-qq"], 1),
        (ERROR, ["--ignore", "SGF401"], 0),
        (ERROR, ["--ignore", "SGF9,sgf4"], 0),
        (ERROR, ["--ignore", "SGF9", "--ignore", "SGF4"], 0),
        (ERROR, ["--select", "SGF5"], 0),
        (ERROR, ["--select", "SGF5,SGF4"], 1),
        (WARNING, ["--profile", "archive"], 0),
        (ERROR, ["--profile", "archive"], 1),
        (ERROR, ["--profile", "none"], 2),
        (ERROR, ["--select", "XYZ"], 2),
        (ERROR, ["--select", ""], 2),
        (ERROR, ["--format", "xml"], 2),
        (ERROR, ["--no-such-option"], 2),
    ],
)
def test_exit_code(tmp_path: Path, data: bytes, options: list[str], expected: int) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(data)
    assert check(*options, path).exit_code == expected


def test_order_and_output_do_not_depend_on_the_number_of_processes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel, "_BATCH_FILES", 1)
    paths = [folder, folder / "none.sgf"]
    one, two = (check(*paths, "--jobs", jobs) for jobs in ("1", "2"))
    assert one.exit_code == two.exit_code == 2
    assert one.stdout == two.stdout
    assert "^^" in one.stdout


class EndsProcess(bytes):
    """Ends the process that receives it, as the system does where memory is short."""

    def __reduce__(self) -> tuple[object, ...]:
        return signal.raise_signal, (signal.SIGKILL,)


@pytest.mark.parametrize("count", [2, 60])
def test_process_that_ends_is_reported(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """Of many files most are not submitted yet."""
    monkeypatch.setattr(parallel, "_BATCH_FILES", 1)
    files = [inputs.Input(f"{number}.sgf", EndsProcess(CLEAN)) for number in range(count)]
    monkeypatch.setattr(contents, "read_all", lambda paths, **options: iter(files))
    result = check("-j", "2", "--format", "jsonl", "folder")
    assert result.exit_code == 2
    found = [json.loads(line)["diagnostics"] for line in result.stdout.splitlines()]
    assert [item["code"] for [item] in found] == ["SGF001"] * count
    assert all("not checked" in item["message"] for [item] in found)


_HELD = threading.Lock()


def is_free(file: inputs.Input) -> bool:
    """Whether the lock is free in the process that gets the file."""
    is_acquired = _HELD.acquire(blocking=False)
    if is_acquired:
        _HELD.release()
    return is_acquired


def test_processes_do_not_have_the_locks_of_threads() -> None:
    """A fork would have them forever, and wait for them forever."""
    files = [inputs.Input(f"{number}.sgf", CLEAN) for number in range(4)]
    is_held, is_done = threading.Event(), threading.Event()

    def hold() -> None:
        with _HELD:
            is_held.set()
            is_done.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    is_held.wait()
    try:
        assert not is_free(files[0])
        in_processes: Any = parallel._in_processes
        found = [*in_processes(([file] for file in files), 2, is_free)]
    finally:
        is_done.set()
        thread.join()
    assert found == [True] * 4


# --- Where files come from ----------------------------------------------------


def test_folder_is_walked_in_order(folder: Path) -> None:
    names = ["a.SGF", "b.sgf", "old.mgt", "sub/c.Sgf", "sub/deep.sgf/d.sgf"]
    assert [item["path"] for item in objects(folder)] == [str(folder / name) for name in names]


def test_named_file_needs_no_suffix(folder: Path) -> None:
    assert codes(objects(folder / "notes.txt")[0]) == ["SGF002"]


def test_link_in_a_circle_ends_and_broken_link_is_reported(folder: Path) -> None:
    (folder / "circle").symlink_to(folder)
    (folder / "broken.sgf").symlink_to(folder / "nowhere")
    found = {Path(item["path"]).name: codes(item) for item in objects(folder)}
    assert len(found) == 6
    assert found["broken.sgf"] == ["SGF001"]


def archive_of(name: str, members: dict[str, bytes]) -> bytes:
    """The archive whose format its name tells, with a folder in it."""
    if name.lower().endswith("zip"):
        return zip_of({"folder/": b"", **members})
    packed: bytes = PACKERS[_SUFFIXES[name]](tar_of(members))
    return packed


_SUFFIXES = {"a.tar": "", "a.tgz": ".gz", **{f"a.tar{suffix}": suffix for suffix in PACKED}}
_SUFFIXES["a.tzst"] = ".zst"
ARCHIVES = ["a.zip", "a.ZIP", *(name for name in _SUFFIXES if _SUFFIXES[name] in PACKERS)]


@pytest.mark.parametrize("name", ARCHIVES)
def test_archive(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    members = {"x/b.sgf": ERROR, "readme": b"no", "a.SGF": CLEAN, "empty.sgf": b""}
    path.write_bytes(archive_of(name, members))
    found = {item["path"]: codes(item) for item in objects(path)}
    assert found == {
        f"{path}!x/b.sgf": ["SGF401"],
        f"{path}!a.SGF": [],
        f"{path}!empty.sgf": ["SGF002"],
    }


@pytest.mark.parametrize("name", ARCHIVES)
def test_too_large_member_is_refused_and_the_rest_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(packed, "UNPACKED_LIMIT", 1000)
    path = tmp_path / name
    members = {"fits.sgf": CLEAN, "bomb.sgf": b" " * 1001, "last.sgf": CLEAN.ljust(1000)}
    path.write_bytes(archive_of(name, members))
    assert [codes(item)[:1] for item in objects(path)] == [[], ["SGF001"], []]
    assert check(path).exit_code == 2


def test_size_that_a_member_claims_is_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "UNPACKED_LIMIT", 1000)
    member = archives.Member("a.sgf", 1, lambda: io.BytesIO(b" " * 1001))
    read = archives.read_member("a.zip", member, None)
    assert (read.data, read.reason) == (None, "larger than 1000 bytes; --max-size allows more")


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tgz", "a.tar.xz", "a.tar.zst"])
@pytest.mark.parametrize(
    "damage",
    [
        *(b"", b"no archive", b"\x1f\x8b\x08\x00 cut", b"PK\x03\x04"),
        b"\x1f\x8b\x08\xff\xcd\x00\x5d\x00",
    ],
)
def test_damaged_archive(tmp_path: Path, name: str, damage: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(damage)
    assert [codes(item) for item in objects(path)] == [["SGF001"]]


@pytest.mark.parametrize("name", ["a.zip", "a.tgz"])
def test_cut_archive_never_fails(tmp_path: Path, name: str) -> None:
    whole = tmp_path / name
    data = archive_of(name, {"a.sgf": CLEAN, "b.sgf": ERROR})
    for length in range(0, len(data), 51):
        whole.write_bytes(data[:length])
        assert check("--format", "jsonl", whole).exit_code in (0, 1, 2)
    for place in range(0, len(data), 21):
        whole.write_bytes(data[:place] + b"\xff" + data[place + 1 :])
        assert check("--format", "jsonl", whole).exit_code in (0, 1, 2)


@pytest.mark.parametrize("suffix", PACKERS)
def test_tar_archive_that_is_cut_or_damaged_is_reported(tmp_path: Path, suffix: str) -> None:
    """Also where it is cut between two members, and where a header is damaged."""
    data = tar_of({"1.sgf": CLEAN, "2.sgf": CLEAN, "3.txt": b"x"})
    end = data.rindex(b"x") // 512 * 512 + 512
    path = tmp_path / f"b.tar{suffix}"
    for size in range(0, end + 1, 256):
        path.write_bytes(PACKERS[suffix](data[:size]))
        found = objects(path)
        assert [codes(item) for item in found[-1:]] == [["SGF001"]], size
        assert found[-1]["path"] == str(path)
    path.write_bytes(PACKERS[suffix](data[: end + 512]))
    assert [codes(item) for item in objects(path)] == [[], []]
    path.write_bytes(PACKERS[suffix](data.replace(b"2.sgf", b"?.sgf")))
    assert [codes(item) for item in objects(path)] == [[], ["SGF001"]]


@pytest.mark.parametrize("name", ["none.sgf", "none.zip", "none/none.sgf", "x" * 5000, "a\0b"])
def test_unreadable_among_others(folder: Path, name: str) -> None:
    arguments = [str(folder / name), str(folder / "a.SGF")]
    first, second = objects(*arguments)
    assert codes(first) == ["SGF001"]
    assert (first["ok"], first["trees"], second["ok"]) == (False, [], True)
    assert check("-q", *arguments).exit_code == 2
    assert check("--ignore", "SGF0", *arguments).exit_code == 2


# --- JSON ---------------------------------------------------------------------


def test_json_lines_object() -> None:
    [item] = objects(BROKEN)
    assert list(item) == ["path", "ok", "counts", "trees", "diagnostics"]
    assert item["trees"] == [{"gm": 1, "ff": 4, "sz": [19, 19], "ca": None}]
    assert set(item["counts"]) == {"error", "warning", "style"}
    keys = "code name severity message line column start end tree node ident sgfc fix"
    assert {" ".join(found) for found in item["diagnostics"]} == {keys}
    date = next(found for found in item["diagnostics"] if found["code"] == "SGF418")
    data = BROKEN.read_bytes()
    assert (date["line"], date["column"], date["ident"]) == (3, 4, "DT")
    assert data[date["start"] : date["end"]] == b"5.3.2024"


def test_json_array(folder: Path) -> None:
    assert json.loads(check("--format", "json", folder).stdout) == objects(folder)
    (folder / "nothing").mkdir()
    [nothing] = json.loads(check("--format", "json", folder / "nothing").stdout)
    assert [found["code"] for found in nothing["diagnostics"]] == ["SGF001"]
    assert json.loads(check("--format", "json", "a.sgf", "--exclude", "*.sgf").stdout) == []


def test_statistics_count_diagnostics_and_files(folder: Path) -> None:
    (folder / "e.sgf").write_bytes(b"(;FF[4]GM[1]SZ[19];B[zz];W[zz])")
    table = check("--statistics", "--select", "SGF401", folder).stdout.splitlines()
    assert table[1].split() == ["SGF401", "point-off-board", "error", "3", "2"]
    assert check("--statistics", "--format", "json", folder).exit_code == 2


# --- Text ---------------------------------------------------------------------


def test_text_places_the_caret(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes("(;FF[4]GM[1]CA[UTF-8]\n\tC[白石]KM[6,5])".encode())
    lines = check(path).stdout.splitlines()
    assert lines[0].startswith(f"{path}:2:10: error SGF415 komi: ")
    assert lines[1] == "     C[白石]KM[6,5])"
    assert lines[2] == "               ^^^"  # two columns for each of the two characters


def test_long_line_is_cut_around_the_place(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    comment = "白" * 500
    path.write_bytes(f"(;FF[4]GM[1]CA[UTF-8]C[{comment}]KM[6,5]GC[{comment}])".encode())
    _, shown, carets, *_ = check(path).stdout.splitlines()
    head = shown[: shown.index("6,5")]
    assert head.strip().startswith("…白")
    assert shown.endswith("白…")
    assert carets == " " * (len(head) + head.count("白")) + "^^^"
    assert len(shown) + shown.count("白") <= 100


@pytest.mark.parametrize(
    ("options", "present", "absent"),
    [
        ([], ["SGF401 point-off-board", "^^", "5 files, 2 clean"], ["\x1b"]),
        (["--statistics"], ["SGF401  point-off-board", "5 files"], [":1:"]),
        (["-q"], ["b.sgf: 1 error\n", "d.sgf: 1 style note\n"], ["SGF", "5 files", "a.SGF"]),
        (["--color"], ["\x1b[31m"], []),
        (["--color", "--statistics"], ["\x1b["], []),
        (["--no-color"], ["SGF401"], ["\x1b"]),
    ],
)
def test_text(folder: Path, options: list[str], present: list[str], absent: list[str]) -> None:
    output = check(*options, folder).stdout
    assert [text for text in present if text not in output] == []
    assert [text for text in absent if text in output] == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_table_has_straight_columns(folder: Path, language: str) -> None:
    lines = check("--statistics", "--lang", language, folder).stdout.splitlines()
    rows = lines[: lines.index("")]
    assert len(rows) == 4
    assert len({cell_len(row) for row in rows}) == 1


@pytest.mark.parametrize("output_format", FORMATS)
def test_twice_quiet_prints_nothing(folder: Path, output_format: str) -> None:
    assert check("-qq", "--format", output_format, folder).output == ""


# --- Output of any bytes to any stream --------------------------------------------


@pytest.fixture
def odd_file(tmp_path: Path) -> bytes:
    """A file with control characters and undecodable bytes in its name and content."""
    name = os.fsencode(tmp_path) + b"/odd\xff\x1b\n\xe7\x99\xbd.sgf"
    text = b"\x1b\x00\xff\xfe\xe7\x99\xbd" + bytes(range(128, 256))
    try:
        with open(name, "wb") as file:  # noqa: PTH123 (a Path cannot be made of bytes)
            file.write(b"(;FF[4]GM[1]KM[" + text + b"])")
    except OSError:
        pytest.skip("the file system does not allow such a name")
    return name


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1", "gbk"])
@pytest.mark.parametrize("output_format", ["text", "json", "jsonl"])
def test_odd_bytes_and_names_in_any_encoding(
    odd_file: bytes, tmp_path: Path, encoding: str, output_format: str
) -> None:
    arguments = ["check", "--format", output_format, str(tmp_path)]
    done = CliRunner(charset=encoding).invoke(main, arguments, catch_exceptions=False)
    assert (done.exit_code, done.stderr_bytes) == (1, b"")
    assert b"\x1b" not in done.stdout_bytes
    if output_format != "text":
        decoded = json.loads(done.stdout_bytes.decode("utf-8"))
        item = decoded[0] if output_format == "json" else decoded
        assert os.fsencode(item["path"]) == odd_file


def test_odd_bytes_and_names_in_the_locale_of_the_program(odd_file: bytes, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "gbk", "PYTHONUTF8": "0"}
    done = run("check", tmp_path, env=environment)
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"\x1b" not in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
@for_each([("check %s >&-", 1), ("check %s 2>&-", 1), ("check - <&-", 2)])
def test_closed_stream(command: str, expected: int) -> None:
    command = command.replace("%s", '"$1"')
    shell = ["sh", "-c", f'"$0" -m sgf_lark {command}', sys.executable, str(BROKEN)]
    done = subprocess.run(shell, capture_output=True, check=False, timeout=LIMIT)
    assert (done.returncode, done.stderr) == (expected, b"")


def test_progress_bar_leaves_nothing_on_a_terminal(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    for number in range(30):
        (tmp_path / f"{number}.sgf").write_bytes(CLEAN)
    reading, writing = pty.openpty()
    command = [sys.executable, "-m", "sgf_lark", "check", str(tmp_path)]
    environment = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=writing, env=environment
    ) as running:
        os.close(writing)
        drawn = b""
        with suppress(OSError):  # the program has ended
            while part := os.read(reading, 4096):
                drawn += part
        os.close(reading)
        assert running.communicate(timeout=LIMIT)[0] == b"30 files, 30 clean\n"
    assert b"/30" in drawn
    assert drawn.endswith(b"\x1b[2K")


# --- The program ----------------------------------------------------------------


def test_version_and_help(monkeypatch: pytest.MonkeyPatch) -> None:
    from sgf_lark import __version__

    assert invoke("--version").output.split()[-1] == __version__
    # On a terminal of the usual width no command is described by half a sentence.
    monkeypatch.setenv("COLUMNS", "80")
    listed = invoke("-h").output
    assert "check" in listed and not re.search(r"(?m)\w\.\.\.$", listed)
    assert invoke("no-such-command").exit_code == 2


def test_module_and_installed_command_are_the_same_program() -> None:
    done = run("check", "-", input=ERROR)
    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout.startswith(b"-:1:22: error SGF401")
    [entry] = metadata.entry_points(group="console_scripts", name="sgf-lark")
    assert entry.load() is program


#: Imported only for some output, options or files, because it is slow to import.
NOT_FOR_ONE_FILE = {
    "concurrent.futures",
    "hashlib",
    "json",
    "multiprocessing",
    "rich",
    "sgf_lark.wei7",
    "tarfile",
    "tomllib",
    "zipfile",
}


@pytest.mark.parametrize("data", [CLEAN, ERROR])
def test_check_of_one_file_imports_only_what_it_needs(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "game.sgf").write_bytes(data)
    imported = modules_after("check", "game.sgf", folder=tmp_path)
    assert "sgf_lark.validation" in imported
    assert imported & NOT_FOR_ONE_FILE == set()


def test_help_imports_neither_lark_nor_rich_nor_the_grammar(tmp_path: Path) -> None:
    imported = modules_after("check", "--help", folder=tmp_path)
    assert imported & {"lark", "rich", "sgf_lark.grammar"} == set()


def modules_after(*arguments: str, folder: Path) -> set[str]:
    """Return the modules that the program has imported at its end."""
    code = (
        "import sys; from sgf_lark.__main__ import main\n"
        "try: main()\n"
        "except SystemExit: print(*sys.modules)"
    )
    # Without "site", which may import more.
    command = [sys.executable, "-S", "-c", code, *arguments]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, capture_output=True, check=True, cwd=folder, env=environment)
    return set(done.stdout.decode().splitlines()[-1].split())
