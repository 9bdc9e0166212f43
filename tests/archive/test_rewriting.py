"""Fixing and converting archives: what is written, the table of changes, and going on."""

from __future__ import annotations

import gzip
import io
import os
import signal
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sgf_lark.atomic_files import TEMPORARY
from sgf_lark.files.contents import read_all
from sgf_lark.files.inputs import Input
from sgf_lark.fixing import fix
from tests.kit.commands import invoke

pytest.importorskip("distributed")
pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

from sgf_lark import archive
from sgf_lark.archive import sources as chunks
from sgf_lark.archive.results import REWRITE_TABLES, TABLES, connect
from sgf_lark.archive.rewriting import Rewritten
from tests.archive.test_archive import FILES, any_chunks, small_chunks  # noqa: F401
from tests.kit.packed import zip_of
from tests.kit.tables import for_each
from tests.kit.waiting import wait_until

pytestmark = pytest.mark.filterwarnings("ignore")

ROOT = Path(__file__).parents[2]
PLAIN = b"(;GM[1]FF[4]SZ[9];B[aa];W[bb])"
#: The games, with other files before, between and after them.
MEMBERS = {"a.txt": b"text", **FILES, "b.sgf.gz": gzip.compress(FILES["errors.sgf"]), "c": b""}


def make_zip(path: Path, members: dict[str, bytes]) -> None:
    path.write_bytes(zip_of({"inner/": b""} | {f"inner/{name}": members[name] for name in members}))


def make_tar(path: Path, members: dict[str, bytes], mode: str = "w") -> None:
    """With a link, which is no file, and a name that needs a header of its own."""
    with tarfile.open(path, mode) as packed:  # type: ignore[call-overload]
        named = {f"inner/{name}": data for name, data in members.items()}
        for name, data in {**named, "棋谱" * 20 + ".sgf": FILES["errors.sgf"]}.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            packed.addfile(info, io.BytesIO(data))
        link = tarfile.TarInfo("link.sgf")
        link.type, link.linkname = tarfile.SYMTYPE, "inner/clean.sgf"
        packed.addfile(link)


def make_sources(folder: Path) -> Path:
    (folder / "deep").mkdir(parents=True)
    for name, data in MEMBERS.items():
        (folder / "deep" / name).write_bytes(data)
    make_zip(folder / "a.zip", MEMBERS)
    make_tar(folder / "b.tar", MEMBERS)
    for suffix in ("gz", "xz", "bz2"):
        make_tar(folder / f"c.tar.{suffix}", MEMBERS, f"w:{suffix}")
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """The unpacked bytes of all games in a folder and its archives, by the path in a new folder."""
    archives = sorted(str(path) for path in folder.iterdir() if path.is_file())
    return {
        each.path.removeprefix(f"{folder}/").replace("!", "/").removesuffix(".gz"): each.data
        for each in read_all([str(folder), *archives])
        if each.data is not None
    }


def fixed(sources: Path) -> dict[str, bytes]:
    return {path: fix(data).data for path, data in contents(sources).items()}


def written(folder: Path) -> dict[str, bytes]:
    """All files in a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def changes(result: Path) -> list[Any]:
    return sorted(connect(result).execute("SELECT * FROM changes").fetchall(), key=repr)


# --- What is written ------------------------------------------------------------------


@pytest.mark.usefixtures("any_chunks")
def test_files_are_those_that_fix_writes(tmp_path: Path, dask_client: Any) -> None:
    sources, output = make_sources(tmp_path / "in"), tmp_path / "out"
    progress = archive.rewrite(
        [sources], tmp_path / "result", output, archive.Fixing(), dask_client
    )
    assert not progress.failed
    assert written(output) == fixed(sources) != contents(sources)
    expected = [
        (change.code, change.safe, change.span.line, change.span.column, change.before)
        for data in contents(sources).values()
        for change in fix(data).applied
    ]
    found = connect(tmp_path / "result").execute(
        "SELECT code, safe, line, column_number, before FROM changes"
    )
    assert sorted(found.fetchall()) == sorted(expected)


def test_convert(tmp_path: Path, dask_client: Any) -> None:
    members = {"x.txt": b"text", "a.sgf": PLAIN, "b.mgt.gz": gzip.compress(PLAIN), "bad.sgf": b"x"}
    make_zip(tmp_path / "a.zip", members)
    output, result = tmp_path / "new", tmp_path / "r"
    done = invoke("archive", "convert", tmp_path / "a.zip", "-o", output, "--result", result)
    assert done.exit_code == 1
    assert "a.zip!inner/bad.sgf:" in done.stderr
    one = invoke("convert", "--format", "json", make_file(tmp_path, PLAIN))
    names = ("a.zip/inner/a.json", "a.zip/inner/b.json")
    assert written(output) == dict.fromkeys(names, one.stdout_bytes)


def test_convert_json(tmp_path: Path, dask_client: Any) -> None:
    """JSON becomes SGF, as convert of one file makes it, in folders and archives."""
    sources, output = tmp_path / "in", tmp_path / "out"
    sources.mkdir()
    data = invoke("convert", "--format", "json", make_file(tmp_path, PLAIN)).stdout_bytes
    (sources / "alone.json").write_bytes(data)
    make_zip(sources / "a.zip", {"x.json": data, "y.sgf": PLAIN, "other.json": b"{}"})
    expected = invoke("convert", sources / "alone.json").stdout_bytes
    archive.rewrite([sources], tmp_path / "r", output, archive.Converting(), dask_client)
    found = written(output)
    assert {*found} == {"alone.sgf", "a.zip/inner/x.sgf", "a.zip/inner/y.json"}
    assert found["alone.sgf"] == found["a.zip/inner/x.sgf"] == expected
    problems = connect(tmp_path / "r").execute(
        "SELECT member FROM rewritten WHERE problem IS NOT NULL"
    )
    assert problems.fetchall() == [("inner/other.json",)]


def make_file(folder: Path, data: bytes) -> Path:
    (folder / "game.sgf").write_bytes(data)
    return folder / "game.sgf"


def test_members_that_would_have_the_same_name(tmp_path: Path, dask_client: Any) -> None:
    """The first is written, the second reported; a later run tries again."""
    make_zip(tmp_path / "a.zip", {"a.sgf": PLAIN, "a.mgt": PLAIN})
    output = tmp_path / "out"
    command = ("archive", "convert", tmp_path / "a.zip", "--result", tmp_path / "r", "-o", output)
    for _ in range(2):
        done = invoke(*command)
        assert done.exit_code == 2
        assert "a.mgt: not written" in done.stderr and "a.sgf" in done.stderr
        assert {*written(output)} == {"a.zip/inner/a.json"}


# --- Refusals ------------------------------------------------------------


def test_query_of_changes_only_reads(tmp_path: Path, dask_client: Any) -> None:
    sources, result = make_sources(tmp_path / "in"), tmp_path / "r"
    done = invoke("archive", "fix", sources, "--result", result, "-o", tmp_path / "out")
    assert done.exit_code == 1 and "files changed" in done.stderr
    for statement in (
        f"COPY changes TO '{tmp_path / 'x'}'",
        f"SELECT 1; COPY changes TO '{tmp_path / 'x'}'",
        f"EXPLAIN ANALYZE COPY changes TO '{tmp_path / 'x'}'",
        f"ATTACH '{tmp_path / 'x'}'",
        f"EXPORT DATABASE '{tmp_path / 'x'}'",
    ):
        assert invoke("query", result, statement).exit_code == 2
    assert not (tmp_path / "x").exists()
    for statement in (
        "SELECT count(*) AS n FROM changes JOIN rewritten USING (path)",
        "PIVOT changes ON code USING count(*)",
        "EXPLAIN FROM changes",
        "SHOW TABLES",
    ):
        assert invoke("query", result, statement).exit_code == 0, statement


@pytest.fixture
def rewritten(tmp_path: Path, dask_client: Any, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The changes of an archive in the folder IN, of which RESULT has the tables."""
    monkeypatch.chdir(tmp_path)
    make_sources(Path("IN"))
    Path("OTHER").mkdir()
    make_zip(Path("OTHER/a.zip"), FILES)
    archive.rewrite(["IN/a.zip"], "RESULT", "NEW", archive.Fixing(), dask_client)
    return changes(Path("RESULT"))


@for_each(
    [
        "archive fix IN --result R",
        "archive fix IN --result R -o OUT -i",
        "fix IN -o OUT -j 2",
        "archive fix IN --result R -o IN",
        "archive fix IN --result R -o OUT.zip",
        "archive fix IN/a.zip --result R -o IN/b.tar",
        "archive fix IN/a.zip OTHER/a.zip --result R -o OUT",
        "archive fix - --result R -o OUT",
        "archive convert IN -o OUT",
        "report RESULT",
        "duplicates RESULT",
        "audit IN --result RESULT",
    ]
)
def test_wrong_use(line: str, rewritten: list[Any]) -> None:
    done = invoke(*line.split())
    assert done.exit_code == 2, done.output
    assert isinstance(done.exception, SystemExit)
    assert not list(Path().glob("OUT*"))
    assert changes(Path("RESULT")) == rewritten


def test_of_a_damaged_archive_the_rest_is_written(tmp_path: Path, dask_client: Any) -> None:
    sources, output = make_sources(tmp_path / "in"), tmp_path / "out"
    data = (sources / "c.tar.gz").read_bytes()
    (sources / "cut.tar.gz").write_bytes(data[: len(data) * 2 // 3])
    archive.rewrite([sources], tmp_path / "r", output, archive.Fixing(), dask_client)
    assert written(output) == fixed(sources)
    found = connect(tmp_path / "r").execute("SELECT path FROM rewritten WHERE size IS NULL")
    assert [Path(path).name for (path,) in found.fetchall()] == ["cut.tar.gz"]


@dataclass(frozen=True)
class _Raising(archive.Fixing):
    def __call__(self, file: Input) -> Rewritten:
        if "clean" in file.path:
            raise RuntimeError("no memory left")
        return super().__call__(file)


def test_file_that_raises_is_reported(tmp_path: Path, dask_client: Any) -> None:
    sources, output = make_sources(tmp_path / "in"), tmp_path / "out"
    progress = archive.rewrite([sources], tmp_path / "r", output, _Raising(), dask_client)
    assert len(progress.failed) == 6
    expected = fixed(sources)
    assert written(output) == {path: expected[path] for path in expected if "clean" not in path}
    found = connect(tmp_path / "r").execute("SELECT count(*) FROM rewritten WHERE problem != ''")
    assert found.fetchall() == [(6,)]


def test_wei7_is_reported(tmp_path: Path, dask_client: Any) -> None:
    (tmp_path / "a.wei7").write_bytes(b"{}")
    command = ("archive", "fix", tmp_path / "a.wei7", "--result", tmp_path / "r")
    done = invoke(*command, "-o", tmp_path / "out")
    assert done.exit_code == 2 and "not SGF" in done.stderr
    assert not (tmp_path / "out").exists()


# --- Going on -------------------------------------------------------------------------


@pytest.mark.usefixtures("small_chunks")
def test_only_what_is_new_or_changed_is_written(tmp_path: Path, dask_client: Any) -> None:
    sources, output = make_sources(tmp_path / "in"), tmp_path / "out"

    def run() -> int:
        return archive.rewrite(
            [sources], tmp_path / "r", output, archive.Fixing(), dask_client
        ).files

    assert run() > 0
    assert written(output) == fixed(sources)
    assert run() == 0
    make_tar(sources / "b.tar", {**MEMBERS, "clean.sgf": FILES["errors.sgf"]})
    assert run() == sum(path.startswith("b.tar/") for path in fixed(sources))
    assert written(output) == fixed(sources)
    assert run() == 0


def test_another_output_is_refused(tmp_path: Path, dask_client: Any) -> None:
    sources = make_sources(tmp_path / "in")
    archive.rewrite([sources], tmp_path / "r", tmp_path / "out", archive.Fixing(), dask_client)
    with pytest.raises(archive.ResultError, match="other options"):
        archive.rewrite(
            [sources], tmp_path / "r", tmp_path / "other", archive.Fixing(), dask_client
        )


_RUN = """
import sys
from sgf_lark.archive import Fixing, rewrite, sources
if __name__ == "__main__":
    sources.CHUNK_BYTES = 3000
    rewrite(sys.argv[3:], sys.argv[1], sys.argv[2], Fixing(), jobs=2)
"""


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
def test_killed_run_leaves_no_half_output(
    tmp_path: Path, dask_client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks, "CHUNK_BYTES", 3000)
    sources, output = tmp_path / "in", tmp_path / "out"
    sources.mkdir()
    for number in range(6):
        members = {f"{number}-{name}": data for name, data in FILES.items()}
        make_tar(sources / f"{number}.tar.gz", members, "w:gz")
    script = tmp_path / "run.py"
    script.write_text(_RUN, "utf-8")
    command = [sys.executable, *map(str, (script, tmp_path / "r", output, sources))]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as first:
        wait_until(lambda: output.exists() or first.poll() is not None)
        first.send_signal(signal.SIGKILL)
    whole = fixed(sources)
    found = {path: data for path, data in written(output).items() if TEMPORARY not in path}
    assert {path: whole[path] for path in found} == found
    archive.rewrite([sources], tmp_path / "r", output, archive.Fixing(), dask_client)
    after = {path: data for path, data in written(output).items() if TEMPORARY not in path}
    assert after == whole


def test_documentation_lists_the_columns() -> None:
    page = (ROOT / "docs/archives.md").read_text("utf-8")
    for columns in (TABLES | REWRITE_TABLES).values():
        for column in columns:
            assert f"| `{column.name}` | {column.type} | {column.description} |" in page
