"""Audits of archives: the tables, resuming, and clusters of processes."""

from __future__ import annotations

import copy
import gzip
import json
import os
import re
import subprocess
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.commands import invoke

pytest.importorskip("distributed")
pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")

import dask
import distributed
import duckdb
import pyarrow
import pyarrow.parquet

from sgf_lark import archive
from sgf_lark.archive import running
from sgf_lark.archive import sources as chunks
from sgf_lark.archive.results import REWRITE_TABLES, TABLES, chunk_name, connect, schema
from sgf_lark.archive.running import Progress
from sgf_lark.archive.sources import Source
from tests.kit.clusters import running_cluster
from tests.kit.packed import tar_of, zip_of

pytestmark = pytest.mark.filterwarnings("ignore")

ROOT = Path(__file__).parents[2]
CLEAN = b"(;FF[4]GM[1]SZ[9]CA[UTF-8]AP[A:1]PB[x]RE[B+3.5]KM[6.5]DT[1999-05];B[aa];W[bb])"
FILES = {
    "clean.sgf": CLEAN,
    "errors.sgf": b"(;FF[4]GM[1]SZ[9]KM[6,5]RE[black]DT[5.6.1999];B[zz];W[bb]C[hm](;B[cc])(;))",
    "several.sgf": CLEAN + b"(;FF[4]GM[11]SZ[5];B[a1])",
    "damaged.sgf": b"junk (;FF[4]B[aa];W[bb]C[no end",
    "empty.sgf": b"",
    "chinese.sgf": "(;GM[1]PB[李昌镐]PW[马晓春]SZ[19];B[pd])".encode("gb18030"),
}


def make_sources(folder: Path) -> Path:
    """Files in a folder, in a zip, in tar archives, packed, damaged, and a broken link."""
    folder.mkdir()
    for name, data in FILES.items():
        (folder / name).write_bytes(data)
    inner = {f"inner/{name}": data for name, data in FILES.items()}
    (folder / "a.zip").write_bytes(zip_of({**inner, "notes.txt": b"no game"}))
    (folder / "b.tar").write_bytes(tar_of(FILES))
    (folder / "c.tgz").write_bytes(tar_of(FILES, "w:gz"))
    (folder / "cut.tgz").write_bytes((folder / "c.tgz").read_bytes()[:200])
    (folder / "broken.sgf").symlink_to(folder / "nowhere")
    return folder


def rows(result: Path, table: str, *, without: tuple[str, ...] = ("seconds",)) -> list[Any]:
    """The rows of a table, sorted."""
    columns = ", ".join(each.name for each in TABLES[table] if each.name not in without)
    found = connect(result).execute(f"SELECT {columns} FROM {table}").fetchall()
    return sorted(found, key=repr)


def all_rows(result: Path) -> dict[str, list[Any]]:
    return {table: rows(result, table) for table in TABLES}


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file is a chunk."""
    monkeypatch.setattr(chunks, "CHUNK_BYTES", 1)


@pytest.fixture(params=[1, 2**24])
def any_chunks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "CHUNK_BYTES", request.param)


# --- The tables -----------------------------------------------------------------------


@pytest.mark.usefixtures("any_chunks")
def test_counts_are_those_of_check(tmp_path: Path, dask_client: Any) -> None:
    sources = make_sources(tmp_path / "in")
    paths = [sources, sources / "a.zip", sources / "b.tar", sources / "c.tgz", sources / "cut.tgz"]
    archive.audit([sources], tmp_path / "out", dask_client)
    database = connect(tmp_path / "out")
    name = "path || coalesce('!' || member, '')"
    files = database.execute(
        f"SELECT {name}, ok, error, warning, style, games FROM files"
    ).fetchall()
    findings = database.execute(
        f"SELECT {name}, code, line, column_number, game_index - 1, node, ident, severity "
        "FROM diagnostics"
    ).fetchall()
    checked = [
        json.loads(line)
        for line in invoke(
            "check", "--config", "none", "--format", "jsonl", *paths
        ).stdout.splitlines()
    ]
    assert sorted(files) == sorted(
        (item["path"], item["ok"], *item["counts"].values(), len(item["trees"])) for item in checked
    )
    keys = ("code", "line", "column", "tree", "node", "ident", "severity")
    assert Counter(findings) == Counter(
        (item["path"], *(found[key] for key in keys))
        for item in checked
        for found in item["diagnostics"]
    )


@pytest.mark.usefixtures("any_chunks")
def test_members_of_an_archive_have_a_limit_together(tmp_path: Path, dask_client: Any) -> None:
    """Of the archive as many members are read as by check, and it is reported once."""
    large = CLEAN.replace(b"AP[A:1]", b"AP[A:1]GC[" + b"x" * 200_000 + b"]")
    members = {"too_large.sgf": b" " * (2**20 + 1)}
    members |= {f"{number}.sgf": large for number in range(20)}
    members["packed.sgf.gz"] = gzip.compress(large)
    (tmp_path / "bomb.zip").write_bytes(zip_of(members))
    result = tmp_path / "out"
    archive.audit([tmp_path / "bomb.zip"], result, dask_client, max_size=2**20)
    done = invoke(
        "check", "--config", "none", "--max-size", 1, "--format", "jsonl", tmp_path / "bomb.zip"
    )
    checked = [json.loads(line) for line in done.stdout.splitlines()]
    found = connect(result).execute("SELECT path || coalesce('!' || member, ''), ok FROM files")
    assert sorted(found.fetchall()) == sorted((item["path"], item["ok"]) for item in checked)
    assert "too large together" in done.stdout and len(checked) < 22


def test_members_that_are_packed_count_by_what_they_have(tmp_path: Path) -> None:
    member = gzip.compress(CLEAN + b" " * 200_000)
    (tmp_path / "bomb.zip").write_bytes(
        zip_of({f"{number}.sgf.gz": member for number in range(20)})
    )
    [source] = chunks.list_sources([str(tmp_path / "bomb.zip")])
    *read, last = chunks.read_piece(chunks.Piece(source), chunks.Selection(max_size=2**20))
    assert len(read) < 20 and "too large together" in last.reason


def test_columns_of_games(tmp_path: Path, dask_client: Any) -> None:
    (tmp_path / "a.sgf").write_bytes(
        "(;FF[4]GM[1]SZ[13:9]CA[UTF-8]AP[Editor:2.1]PB[甲]BR[9段]BT[北京]PW[乙]WR[3d]WT[上海]"
        "DT[1999-05-01,06-01]RE[W+R]KM[5.5]HA[2]RU[Chinese]TM[3600]OT[3x30 byo-yomi]"
        "EV[名人战]PC[东京]AB[aa][bb]"
        "C[这手棋是本局的败着，白棋应该先在右边拆边];W[cc];B[dd](;W[ee])(;W[ff];B[gg];W[hh]))".encode()
    )
    archive.audit([tmp_path / "a.sgf"], tmp_path / "out", dask_client)
    database = connect(tmp_path / "out")
    cursor = database.execute("SELECT * FROM games")
    names = [column[0] for column in cursor.description]
    row = dict(zip(names, map(str, cursor.fetchall()[0]), strict=True))
    expected = """
        gm: 1, ff: 4, width: 13, height: 9, rules: Chinese, komi: 5.5, handicap: 2
        black: 甲, black_rank: 9d, black_team: 北京, white: 乙, white_rank: 3d, white_team: 上海
        date: 1999-05-01,06-01, first_date: 1999-05-01, last_date: 1999-06-01
        event: 名人战, place: 东京
        result: W+R, winner: W, margin: None, time_limit: 3600.0, overtime: 3x30 byo-yomi
        moves: 3, main_line: 4, nodes: 7, variations: 1, depth: 6, language: Simplified Chinese
    """
    fields = dict(re.findall(r"(\w+): (.+?)(?:, |\n)", expected))
    assert {name: row[name] for name in fields} == fields
    assert [row[0] for row in database.execute("SELECT program FROM files").fetchall()] == [
        "Editor:2.1"
    ]


def test_tables_have_descriptions(tmp_path: Path, dask_client: Any) -> None:
    archive.audit([tmp_path / "nothing.sgf"], tmp_path / "out", dask_client)
    for table, columns in TABLES.items():
        assert schema(table).names == [column.name for column in columns]
        assert all(field.metadata[b"description"] for field in schema(table))
        assert all(
            field.nullable == (not column.type.endswith(" not null"))
            for field, column in zip(schema(table), columns, strict=True)
        )
    [row] = stored(tmp_path / "out", "files").to_pylist()
    assert (row["ok"], row["error"], row["size"]) == (False, 1, None)


def stored(result: Path, table: str) -> Any:
    """The table as other programs read it."""
    return pyarrow.parquet.read_table(result / table)


def test_sql_needs_no_quotes_for_any_name() -> None:
    reserved = duckdb.execute(
        "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category = 'reserved'"
    )
    names = {column.name for table in (TABLES | REWRITE_TABLES).values() for column in table}
    assert not names & ({row[0] for row in reserved.fetchall()} | {"columns", "rows", "row"})


def test_words_and_hashes_are_stored_as_such(tmp_path: Path, dask_client: Any) -> None:
    (tmp_path / "a.sgf").write_bytes(b"(;FF[4]GM[1]SZ[9]CA[UTF-8];B[aa];W[bb]XX[])" * 2)
    archive.audit([tmp_path / "a.sgf"], tmp_path / "out", dask_client)
    [file] = stored(tmp_path / "out", "files").to_pylist()
    assert file["sha256"] == sha256((tmp_path / "a.sgf").read_bytes()).digest()
    games = stored(tmp_path / "out", "games")
    assert games["path"].type == pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    assert games["game_index"].to_pylist() == [1, 2]
    assert {type(value) for value in games["moves_hash"].to_pylist()} == {int}
    shown = invoke("query", tmp_path / "out", "SELECT sha256 FROM files", "--format", "jsonl")
    assert json.loads(shown.stdout) == {"sha256": file["sha256"].hex()}


def test_excluded_files_are_left_out(tmp_path: Path, dask_client: Any) -> None:
    """In folders, patterns and archives, as in check."""
    sources, result = make_sources(tmp_path / "in"), tmp_path / "out"
    (sources / "old").mkdir()
    (sources / "old" / "x.sgf").write_bytes(CLEAN)
    patterns = ("clean.sgf", "old", "*.zip/inner/e*.sgf", "b.tar")
    exclude = [each for pattern in patterns for each in ("--exclude", pattern)]
    paths = (sources, sources / "clean.sgf", sources / "old/x.sgf", sources / "c.tgz")
    done = invoke("audit", *paths, "--result", result, "-q", *exclude, "--exclude", "cut.tgz")
    # What could not be read is named, with why.
    assert f"{sources}/broken.sgf: No such file" in done.stderr.replace("\\", "/")
    places = connect(result).execute("SELECT path, coalesce(member, '') FROM files").fetchall()
    found = ["!".join(place) for place in places]
    assert len(found) == len(FILES) - 1 + 1 + (len(FILES) - 3) + (len(FILES) - 1)
    assert not [name for name in found if "clean.sgf" in name or "/old/" in name or "b.tar" in name]
    # The members of archives are other ones with other patterns.
    done = invoke("audit", *paths, "--result", result, "-q", "--exclude", "old")
    assert done.exit_code == 2
    assert "made with other options" in done.stderr


# --- Going on -------------------------------------------------------------------------


@pytest.mark.usefixtures("small_chunks")
def test_only_chunks_with_new_or_changed_files_are_read(tmp_path: Path, dask_client: Any) -> None:
    sources, result = make_sources(tmp_path / "in"), tmp_path / "out"

    def run() -> Progress:
        return archive.audit([sources], result, dask_client)

    count = run().files
    first = all_rows(result)
    assert run().files == 0
    for name, files in {"clean.sgf": 1, "a.zip": len(FILES)}.items():
        os.utime(sources / name, ns=(1, 1))
        assert run().files == files
    assert all_rows(result) == first
    (sources / "new.sgf").write_bytes(CLEAN)
    assert run().files == 1
    (sources / "new.sgf").unlink()
    assert run().files == 0
    assert all_rows(result) == first
    (sources / "clean.sgf").write_bytes(FILES["errors.sgf"])
    run()
    assert len(rows(result, "files")) == count
    assert all_rows(result) != first
    (sources / "clean.sgf").write_bytes(CLEAN)
    run()
    assert all_rows(result) == first


@given(
    st.lists(st.integers(1, 3000), min_size=100, max_size=150),
    st.integers(0, 99),
    st.integers(1000, 20_000),
)
def test_a_new_file_changes_few_chunks(sizes: list[int], place: int, chunk_bytes: int) -> None:
    """All files are in a chunk, in their order, and chunks are not much larger than asked for."""
    pieces = [
        piece
        for number, size in enumerate(sizes)
        for piece in chunks.pieces_of(Source(f"{number}.sgf", size, "1"))
    ]
    new = chunks.Piece(Source("new.sgf", 100, "1"), weight=600)
    with mock.patch.object(chunks, "CHUNK_BYTES", chunk_bytes):
        before = list(chunks.chunks(pieces))
        after = {*map(chunk_name, chunks.chunks([*pieces[:place], new, *pieces[place:]]))}
    assert [piece for chunk in before for piece in chunk] == pieces
    for chunk in before:
        assert len(chunk) == 1 or sum(piece.weight for piece in chunk) <= chunk_bytes
    names = {*map(chunk_name, before)}
    assert len(names) == len(before)
    assert after - names
    # Where chunks are cut at their size, the next end by a hash is soon.
    assert len(after - names) <= 2 + len(before) // 2


def test_other_options_or_fewer_sources_are_refused(tmp_path: Path, dask_client: Any) -> None:
    for name in ("a.sgf", "b.sgf"):
        (tmp_path / name).write_bytes(CLEAN)
    paths, result = [tmp_path / "a.sgf", tmp_path / "b.sgf"], tmp_path / "out"
    archive.audit(paths, result, dask_client)
    with pytest.raises(archive.ResultError, match="other options"):
        archive.audit(paths, result, dask_client, profile="interchange")
    with pytest.raises(archive.ResultError, match="has also the files"):
        archive.audit(paths[:1], result, dask_client)
    with pytest.raises(archive.ResultError, match="not empty"):
        archive.audit(paths, tmp_path, dask_client)


@pytest.mark.usefixtures("small_chunks")
def test_interrupted_run_goes_on(tmp_path: Path, dask_client: Any) -> None:
    """At each point between two chunks, with left-over files of other chunks."""
    sources = make_sources(tmp_path / "in")
    archive.audit([sources], tmp_path / "whole", dask_client)
    for stop_after in (1, 12):
        result = tmp_path / f"stopped {stop_after}"
        done = 0

        def stop(progress: Progress, stop_after: int = stop_after) -> None:
            nonlocal done
            done += 1
            if done == stop_after:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            archive.audit([sources], result, dask_client, watch=stop)
        part = next((result / "files").glob("*.parquet"))
        (result / "files" / "0123.parquet").write_bytes(part.read_bytes())
        (result / "files" / "4567.tmp").write_bytes(b"half of")
        archive.audit([sources], result, dask_client)
        assert all_rows(result) == all_rows(tmp_path / "whole")


def test_workers_of_a_scheduler(
    tmp_path: Path, dask_client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers in another folder read the paths of the command, also to fix and convert."""
    make_sources(tmp_path / "in")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    archive.audit(["in"], "here", dask_client)
    archive.rewrite(["in"], "fixed-here", "new-here", archive.Fixing(), dask_client)
    with running_cluster(tmp_path / "elsewhere") as cluster:
        address = cluster.address
        done = invoke("audit", "in", "--result", "there", "--scheduler", address)
        assert done.exit_code == 2, done.output
        arguments = ("in", "--result", "fixed-there", "-o", "new-there", "--scheduler", address)
        done = invoke("archive", "fix", *arguments)
        assert done.exit_code == 2, done.output  # a damaged archive and a broken link
    assert all_rows(tmp_path / "there") == all_rows(tmp_path / "here")
    here, there = (
        {
            path.relative_to(tmp_path / name): path.read_bytes()
            for path in (tmp_path / name).rglob("*.sgf")
        }
        for name in ("new-here", "new-there")
    )
    assert here == there and len(here) > 15


_RUN_WITH_DEADLY_FILES = """
import json, os, sys
import dask, distributed
from sgf_lark.archive import audit, summarizing

class Poison(distributed.WorkerPlugin):
    def setup(self, worker):
        summarize = summarizing.summarize

        def deadly(file, *arguments, **options):
            if "deadly" in file.path:
                os._exit(9)
            if "raising" in file.path:
                raise RuntimeError("no memory left")
            return summarize(file, *arguments, **options)

        summarizing.summarize = deadly

if __name__ == "__main__":
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        cluster.adapt(minimum=1, maximum=1)
        client.register_plugin(Poison())
        progress = audit(sys.argv[2:], sys.argv[1], client)
        print(json.dumps([progress.files, sorted(why for _, why in progress.failed)]), flush=True)
        os._exit(0)
"""


@pytest.mark.long
def test_file_that_ends_workers_is_reported_once(tmp_path: Path) -> None:
    sources, script = tmp_path / "in", tmp_path / "run.py"
    sources.mkdir()
    (sources / "1.sgf").write_bytes(CLEAN)
    members = dict.fromkeys(("deadly.sgf", "raising.sgf", "z.sgf"), CLEAN)
    (sources / "3.zip").write_bytes(zip_of(members))
    script.write_text(_RUN_WITH_DEADLY_FILES, "utf-8")
    done = subprocess.run(
        [sys.executable, script, tmp_path / "out", sources], cwd=ROOT, capture_output=True
    )
    assert json.loads(done.stdout) == [
        4,
        ["RuntimeError: no memory left", "the process that read it ended"],
    ]
    database = connect(tmp_path / "out")
    bad = database.execute("SELECT member, code FROM diagnostics WHERE code = 'SGF001'").fetchall()
    assert sorted(bad) == [("deadly.sgf", "SGF001"), ("raising.sgf", "SGF001")]
    assert database.execute("SELECT count(*) FROM files WHERE ok").fetchall() == [(2,)]
    problems = database.execute("SELECT problem FROM files WHERE NOT ok ORDER BY member")
    assert problems.fetchall() == [
        ("the process that read it ended",),
        ("RuntimeError: no memory left",),
    ]


@pytest.mark.usefixtures("small_chunks")
def test_two_audits_of_one_result(tmp_path: Path, dask_client: Any) -> None:
    """The one that began later takes over, and the tables are whole."""
    sources = make_sources(tmp_path / "in")
    archive.audit([sources], tmp_path / "whole", dask_client)
    later: list[Progress] = []

    def watch(progress: Progress) -> None:
        if not later:
            later.append(archive.audit([sources], tmp_path / "out", dask_client))

    with pytest.raises(archive.ResultError, match="another run"):
        archive.audit([sources], tmp_path / "out", dask_client, watch=watch)
    assert later[0].files == len(rows(tmp_path / "out", "files")) - 1
    assert all_rows(tmp_path / "out") == all_rows(tmp_path / "whole")


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of processes there")
def test_audit_without_room(
    tmp_path: Path, dask_client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A limit for the size of files stops the run as a full disk does."""
    import resource

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # else compiled modules would be cut
    Path("a.sgf").write_bytes(CLEAN)
    usual, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, most))
    try:
        done = invoke("audit", "a.sgf", "--result", "out", "--config", "none")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (usual, most))
    assert done.exit_code == 2
    assert done.stderr.startswith("sgf-lark: out") and done.stderr.count("\n") == 1


# --- Dask ----------------------------------------------------------------------------------


def test_options_are_checked_before_the_first_file(tmp_path: Path, dask_client: Any) -> None:
    (tmp_path / "a.sgf").write_bytes(b"(;)")
    sources, place = [tmp_path], tmp_path / "r"
    for options in ({"profile": "nonsense"}, {"charset": "nonsense"}, {"file_format": 9}):
        with pytest.raises((ValueError, LookupError)):
            archive.audit(sources, place, dask_client, **options)
    for transform in (
        archive.Fixing({"charset": "nonsense"}),
        archive.Converting("sgf", charsets={"charset": "nonsense"}),
    ):
        with pytest.raises(LookupError):
            archive.rewrite(sources, place, tmp_path / "out", transform, dask_client)
    assert [path.name for path in tmp_path.iterdir()] == ["a.sgf"]


def test_run_stops_where_all_files_of_a_chunk_fail_alike(
    tmp_path: Path, dask_client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        (tmp_path / f"{number}.sgf").write_bytes(b"(;)")
    monkeypatch.setattr(running, "summarize", _fail)
    with pytest.raises(archive.RunError, match=r"each of 5 files fails alike: .* of no file"):
        archive.audit([tmp_path], tmp_path / "r", dask_client)
    monkeypatch.undo()
    assert archive.audit([tmp_path], tmp_path / "r", dask_client).files == 5


def _fail(*arguments: object, **options: object) -> None:
    raise ArithmeticError("the error of no file")


def test_cluster_that_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**options: object) -> None:
        raise OSError("no port is free")

    (tmp_path / "a.sgf").write_bytes(b"(;)")
    monkeypatch.setattr(distributed, "LocalCluster", fail)
    done = invoke("audit", tmp_path, "--result", tmp_path / "r", "-j", 1)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "no port is free" in done.stderr


def test_active_client_is_used_and_ours_is_not_the_default(
    tmp_path: Path, dask_client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.sgf").write_bytes(b"(;)")
    with monkeypatch.context() as patched:
        patched.delattr(running, "_local_client")
        assert archive.audit([tmp_path], tmp_path / "active").files == 1
    before = copy.deepcopy(dask.config.config)
    found: list[object] = []

    def watch(progress: object) -> None:
        found.extend((distributed.Client.current(), dask.config.config))

    archive.audit([tmp_path], tmp_path / "own", jobs=1, watch=watch)
    assert found == [dask_client, before]
