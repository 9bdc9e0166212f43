"""Names of files: of any bytes, in archives within archives, and those that are made up."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sgf_lark.files.inputs import file_name, path_below
from tests.kit.commands import invoke
from tests.kit.packed import tar_of, zip_of
from tests.kit.tables import for_each

GAME = b"(;FF[4]GM[1]SZ[9]KM[6,5];B[aa];W[bb])"


# --- Names that are made up -----------------------------------------------------------

_DEVICES = ("CON", "prn", "Aux", "NUL", "COM1", "LPT9", "COM¹", "CONIN$", "CONOUT$")


@pytest.mark.parametrize("suffix", ["", ".sgf", ".tar.gz", " .sgf"])
@for_each(_DEVICES)
def test_devices_of_windows(device: str, suffix: str) -> None:
    assert file_name(device + suffix) == f"{device}_{suffix}"
    assert path_below(f"{device}/x{device}{suffix}").parts == (f"{device}_", f"x{device}{suffix}")


@given(st.text())
def test_names_are_allowed_everywhere(name: str) -> None:
    found = file_name(name)
    assert not {*found} & {*'<>:"|?*\\/', *map(chr, range(32))}
    assert not found.endswith((".", " "))
    assert found.partition(".")[0].rstrip(" ").upper() not in _DEVICES
    assert file_name(found) == found


# --- Archives within archives ---------------------------------------------------------


_ARCHIVES: dict[str, Callable[[dict[str, bytes]], bytes]] = {
    "zip": zip_of,
    "tar.gz": partial(tar_of, mode="w:gz"),
}
_CONVERTED = b"(;FF[4]GM[1]SZ[9];B[aa])"


_INNER = ("zip", "tar.gz", "TAR", "tgz", "tar.zst", "zip.gz")
#: These read members in the same way.
_OTHERS = (
    "fix IN -o OUT",
    "convert IN -o OUT",
    "audit IN --result RESULT",
    "archive fix IN --result RESULT -o OUT",
    "archive convert IN --result RESULT -o OUT",
)


@pytest.mark.parametrize(
    ("outer", "inner", "command"),
    [
        *((outer, inner, "check IN") for outer in _ARCHIVES for inner in _INNER),
        *(("zip", "tar.gz", line) for line in _OTHERS),
    ],
)
def test_archive_in_an_archive_is_reported(
    tmp_path: Path, dask_client: object, outer: str, inner: str, command: str
) -> None:
    source = tmp_path / f"a.{outer}"
    files = {"game.sgf": _CONVERTED, f"sub/more.{inner}": zip_of({"lost.sgf": _CONVERTED})}
    source.write_bytes(_ARCHIVES[outer](files))
    places = {"IN": source, "OUT": tmp_path / "out", "RESULT": tmp_path / "result"}
    result = invoke(*(places.get(word, word) for word in command.split()))
    assert result.exit_code == 2, result.output
    if command.startswith("audit"):
        sql = "SELECT member, problem FROM files ORDER BY member"
        shown = invoke("query", places["RESULT"], sql, "--format", "jsonl").stdout
        rows = [*map(json.loads, shown.splitlines())]
        assert [row["member"] for row in rows] == ["game.sgf", f"sub/more.{inner}"]
        assert rows[0]["problem"] is None and "archive in an archive" in rows[1]["problem"]
    else:
        assert f"more.{inner}" in result.output and "archive in an archive" in result.output


# --- Names of any bytes ---------------------------------------------------------------

_NAME = os.fsdecode(b"a\xc6\xe5.sgf")
_FOLDER = os.fsdecode(b"d\xff\xc6")
#: What it is in output.
_SHOWN = r"a\udcc6\udce5.sgf"


@pytest.fixture
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files and archives whose names are not UTF-8, as the current folder."""
    if sys.platform in ("win32", "darwin"):
        pytest.skip("the file system allows no such names")
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "in"
    (folder / _FOLDER).mkdir(parents=True)
    for path in (folder / _NAME, folder / _FOLDER / _NAME):
        path.write_bytes(GAME)
    packed = tar_of({f"{_FOLDER}/{_NAME}": GAME})
    (folder / os.fsdecode(b"t\xc6.tar")).write_bytes(packed)
    return tmp_path


def _is_printable(text: str) -> bool:
    text.encode("utf-8")
    # The tables have this text, whose backslashes JSON doubles.
    return any(each in text.replace("\\\\", "\\") for each in (_SHOWN, "a%C6%E5.sgf"))


@pytest.mark.parametrize(
    "command",
    [
        ("fix", "in", "-o", "out"),
        ("fix", "in", "--in-place", "--backup=.old"),
        ("fix", "in", "--diff"),
        ("convert", "in", "-o", "out"),
        ("check", "in", "--baseline", "b.json", "--write-baseline"),
        ("show", f"in/{_NAME}"),
        ("tree", f"in/{_NAME}"),
        ("diff", f"in/{_NAME}", f"in/{_FOLDER}/{_NAME}"),
    ],
    ids=lambda command: "-".join(command[:1]),
)
def test_commands_read_names_of_any_bytes(odd: Path, command: tuple[str, ...]) -> None:
    assert invoke(*command).exit_code in (0, 1)
    if "out" in command:
        found = {path.relative_to(odd / "out").with_suffix("") for path in odd.rglob("out/**/*.*")}
        stem = Path(_NAME).with_suffix("")
        assert found == {stem, Path(_FOLDER, stem)}


@pytest.mark.filterwarnings("ignore")
def test_archives_of_names_of_any_bytes(odd: Path, dask_client: object) -> None:
    """The tables have escapes for these bytes, and what is written has the names themselves."""
    for command in (
        ("audit", "in", "--result", "r"),
        ("archive", "fix", "in", "--result", "f", "-o", "out"),
    ):
        result = invoke(*command)
        assert result.exit_code in (0, 1), result.output
        result.output.encode("utf-8")
    paths = {path.relative_to("out") for path in Path("out").rglob("*.sgf")}
    tar = os.fsdecode(b"t\xc6.tar")
    assert paths == {Path(_NAME), Path(_FOLDER, _NAME), Path(tar, _FOLDER, _NAME)}
    sql = "SELECT path, member FROM files ORDER BY ALL"
    for output_format in ("table", "jsonl"):
        assert _is_printable(invoke("query", "r", sql, "--format", output_format).stdout)
    assert invoke("query", "r", sql, "--format", "parquet", "-o", "rows").exit_code == 0
    assert _SHOWN in invoke("duplicates", "r", "--min-moves", "1").stdout
    pytest.importorskip("resvg_py")
    assert invoke("report", "r").exit_code == 0
    again = invoke("audit", "in", "--result", "r")
    assert "3 files known before" in again.stderr
