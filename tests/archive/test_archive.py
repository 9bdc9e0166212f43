"""Audits of archives: the tables, resuming, damage, and what is made of the tables."""

from __future__ import annotations

import copy
import gzip
import json
import os
import re
import shutil
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

from sgf_lark.archive.results import REWRITE_TABLES, TABLES
from tests.kit.commands import invoke

dask: Any = pytest.importorskip("dask")
distributed: Any = pytest.importorskip("distributed")
duckdb: Any = pytest.importorskip("duckdb")
pyarrow: Any = pytest.importorskip("pyarrow")

from sgf_lark import archive  # noqa: E402
from sgf_lark.archive import running  # noqa: E402
from sgf_lark.archive import sources as chunks  # noqa: E402
from sgf_lark.archive.results import (  # noqa: E402
    FILE,
    chunk_name,
    connect,
    schema,
)
from sgf_lark.archive.running import Progress  # noqa: E402
from sgf_lark.archive.sources import Source  # noqa: E402
from tests.kit.clusters import running_cluster  # noqa: E402
from tests.kit.packed import tar_of, zip_of  # noqa: E402
from tests.kit.waiting import LIMIT  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")

ROOT = Path(__file__).parents[2]
POINTS = [column + row for column in "abcdefghijklmnopqrs" for row in "abcdefghijklmnopqrs"]
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
    expected = {
        "gm": "1",
        "ff": "4",
        "width": "13",
        "height": "9",
        "black": "甲",
        "white": "乙",
        "black_rank": "9d",
        "white_rank": "3d",
        "black_team": "北京",
        "white_team": "上海",
        "date": "1999-05-01,06-01",
        "first_date": "1999-05-01",
        "last_date": "1999-06-01",
        "result": "W+R",
        "winner": "W",
        "komi": "5.5",
        "handicap": "2",
        "rules": "Chinese",
        "time_limit": "3600.0",
        "overtime": "3x30 byo-yomi",
        "margin": "None",
        "event": "名人战",
        "place": "东京",
        "moves": "3",
        "main_line": "4",
        "nodes": "7",
        "variations": "1",
        "depth": "6",
        "language": "Simplified Chinese",
    }
    assert {name: row[name] for name in expected} == expected
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
    import pyarrow.parquet

    return pyarrow.parquet.read_table(result / table)


def test_sql_needs_no_quotes_for_any_name() -> None:
    reserved = duckdb.sql(
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


def test_results_of_another_version_are_refused(tmp_path: Path, dask_client: Any) -> None:
    (tmp_path / "a.sgf").write_bytes(b"(;FF[4]GM[1])")
    result = tmp_path / "out"
    archive.audit([tmp_path / "a.sgf"], result, dask_client)
    recorded = json.loads((result / FILE).read_bytes())
    recorded["options"]["version"] = 2
    (result / FILE).write_text(json.dumps(recorded), "utf-8")
    for use in (
        lambda: connect(result),
        lambda: archive.audit([tmp_path / "a.sgf"], result, dask_client),
    ):
        with pytest.raises(archive.ResultError, match="another version"):
            use()


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


# --- What is made of the tables -------------------------------------------------------


def game(points: list[str], first: int = 0, root: str = "") -> bytes:
    moves = "".join(f";{'BW'[(i + first) % 2]}[{point}]" for i, point in enumerate(points))
    return f"(;FF[4]GM[1]SZ[19]{root}{moves})".encode()


def make_duplicates(folder: Path) -> Path:
    points = [POINTS[(37 * n) % len(POINTS)] for n in range(60)]
    turned = [point[::-1] for point in points]
    folder.mkdir()
    for name, data in {
        "a": game(points),
        "longer_name_of_a": game(points),
        "commented": game(points, root="C[a nice game]"),
        "turned": game(turned),
        "swapped": game(turned, first=1),
        "short": game(points[:30]),
        "other": game(points[:29] + points[30:]),
        "few": game(points[:5]),
    }.items():
        (folder / f"{name}.sgf").write_bytes(data)
    return folder


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory, dask_client: Any) -> Path:
    folder = tmp_path_factory.mktemp("archive")
    sources = [make_sources(folder / "in"), make_duplicates(folder / "duplicates")]
    archive.audit(sources, folder / "out", dask_client)
    return folder / "out"


def test_duplicates(tmp_path: Path, dask_client: Any) -> None:
    archive.audit([make_duplicates(tmp_path / "in")], tmp_path / "out", dask_client)
    found = [
        (group.kind, [Path(copy.path).stem for copy in group.copies], group.reason)
        for group in archive.duplicates(tmp_path / "out")
    ]
    assert found == [
        ("bytes", ["a", "longer_name_of_a"], "shortest path, or the first of these"),
        ("game", ["commented", "a"], "most characters in comments"),
        ("symmetry", ["commented", "swapped", "turned"], "most characters in comments"),
        ("beginning", ["commented", "short"], "most moves"),
    ]
    assert "few" in str(list(archive.duplicates(tmp_path / "out", least_moves=5)))


@pytest.mark.parametrize("output_format", ["text", "jsonl"])
def test_duplicates_command(tmp_path: Path, result: Path, output_format: str) -> None:
    output = tmp_path / "found.jsonl"
    done = invoke("duplicates", result, "--format", output_format, "-o", output)
    assert (done.exit_code, done.output) == (0, "")
    assert "commented.sgf" in output.read_text("utf-8")
    if output_format == "jsonl":
        done = invoke("query", result, f"SELECT count(*) AS n FROM '{output}' WHERE NOT keep")
        assert done.exit_code == 0 and "│" in done.stdout


def documented_queries() -> list[str]:
    page = (ROOT / "docs/archives.md").read_text("utf-8")
    return re.findall(r"```sql\n(.*?)```", page, re.DOTALL)


@pytest.mark.parametrize("sql", documented_queries())
def test_documented_query(result: Path, sql: str) -> None:
    found = connect(result).execute(sql)
    assert found.fetchall() or "ILIKE" in sql or "position_hash" in sql


def test_query_as_json_lines(tmp_path: Path, result: Path) -> None:
    sql = "SELECT * FROM (VALUES (1, 'a,' || chr(10) || '“'), (2, NULL)) AS _(n, t)"
    done = invoke("query", result, sql, "--format", "jsonl")
    assert done.stdout == '{"n":1,"t":"a,\\n“"}\n{"n":2,"t":null}\n'
    assert invoke("query", result, sql, "--format", "jsonl", "-o", tmp_path / "x").exit_code == 0
    assert (tmp_path / "x").read_text("utf-8") == done.stdout


def test_query_without_sql_lists_tables_and_columns(result: Path) -> None:
    shown = invoke("query", result).stdout
    for table, columns in TABLES.items():
        assert f"\n{table}: {len(rows(result, table))} rows\n" in f"\n{shown}"
        for column in columns:
            assert re.search(rf"  {column.name} .* {column.description.split()[0]}", shown)
    assert invoke("query", result, "--format", "jsonl").exit_code == 2
    columns_of_games = invoke("query", result, "DESCRIBE games", "--format", "jsonl").stdout
    assert columns_of_games.count("\n") == len(TABLES["games"])


def test_query_prints_a_table(result: Path) -> None:
    sql = "SELECT n, 'a,' || chr(10) || chr(27) || '“' AS t FROM range(200) AS _(n)"
    shown = invoke("query", result, sql).stdout
    assert "│ a,\\n\\e“ │" in shown and "\x1b" not in shown
    assert shown.count("“") < 200 == invoke("query", result, sql, "--max-rows", 0).stdout.count("“")


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
def test_audit_without_room(tmp_path: Path) -> None:
    """A limit for the size of files stops the run as a full disk does.

    It would also cut compiled modules, which other processes could not import any more.
    """
    (tmp_path / "a.sgf").write_bytes(CLEAN)
    limited = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)); "
        "from sgf_lark.__main__ import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", limited, "audit", "a.sgf", "--result", "out", "--config", "none"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("sgf-lark: out") and done.stderr.count("\n") == 1


@pytest.mark.parametrize("content", [b"SGF" * 1000, b"[]", b"{}", b'{"options": 1}', b"\xff"])
def test_options_that_are_none(tmp_path: Path, result: Path, content: bytes) -> None:
    folder = Path(shutil.copytree(result, tmp_path / "broken"))
    (folder / FILE).write_bytes(content)
    for line in (("query", folder), ("audit", tmp_path, "--result", folder)):
        done = invoke(*line)
        assert done.exit_code == 2 and FILE in done.stderr
        assert "Traceback" not in done.output


@pytest.mark.parametrize(
    "arguments",
    [
        ("query", "RESULT", "SELEC"),
        ("query", "RESULT", "SELECT 1", "--format", "parquet"),
        ("query", "NOTHING", "SELECT 1"),
        ("report", "NOTHING"),
        ("duplicates", "NOTHING"),
        ("audit", "--result", "NOTHING"),
        ("audit", "x.sgf"),
        ("audit", "x.sgf", "--result", "RESULT", "--profile", "archive"),
        ("audit", "x.sgf", "--result", "NOTHING", "--scheduler", "tcp://127.0.0.1:1"),
    ],
)
def test_wrong_use(
    tmp_path: Path, result: Path, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "TIME_LIMIT", "1s")
    places = {"RESULT": result, "NOTHING": tmp_path / "nothing"}
    done = invoke(*(places.get(each, each) for each in arguments))
    assert done.exit_code == 2
    assert "Traceback" not in done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_report(tmp_path: Path, result: Path, language: str) -> None:
    pytest.importorskip("jinja2")
    output = tmp_path / "page.html"
    done = invoke("report", result, "-o", output, "--lang", language)
    assert done.exit_code == 0
    page = output.read_text("utf-8")
    assert f'<html lang="{"en" if language == "en" else "zh-Hans"}">' in page
    assert not re.search(r'(?:src|href)="(?!#)|url\((?!#)|@import', page)
    codes = {row[4] for row in rows(result, "diagnostics")}
    for code in codes:
        assert f'id="{code}"' in page
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(re.findall(r'id="([^"]+)"', page))
    assert '<td class="number">1999</td>' in page
    assert page.count("<figure>") >= 10 and f"{page.count('<figure>')} charts" in done.stderr


def make_report(tmp_path: Path, dask_client: Any, *games: bytes, profile: str = "strict") -> str:
    (tmp_path / "in").mkdir()
    for number, data in enumerate(games):
        (tmp_path / "in" / f"{number}.sgf").write_bytes(data)
    archive.audit([tmp_path / "in"], tmp_path / "out", dask_client, profile=profile)
    assert invoke("report", tmp_path / "out").exit_code == 0
    return (tmp_path / "out" / "report.html").read_text("utf-8")


def text_of(page: str, key: str) -> str:
    """The words of a section."""
    section = page.partition(f'<h2 id="{key}">')[2].partition("</section>")[0]
    return " ".join(re.sub(r"<[^>]*>", " ", section).split())


def test_report_counts_what_its_charts_leave_out(tmp_path: Path, dask_client: Any) -> None:
    pytest.importorskip("jinja2")
    dated = b"(;FF[4]GM[1]SZ[19]CA[UTF-8]PB[Ann]PW[Bea]DT[%04d]KM[%s];B[aa])"
    page = make_report(
        tmp_path,
        dask_client,
        *(dated % (year, b"6.5") for year in (196, 2000, 2001)),
        dated % (2003, b"5000"),
        b"(;FF[4]GM[1]SZ[9]CA[UTF-8]DT[long ago];B[aa])",
        b"(;FF[4]GM[11]SZ[5];B[a1])",
    )
    assert "Not shown, of 6 games: 2 without names." in text_of(page, "players")
    assert "Not shown, of 6 files: 2 without an understood date, 1 outside the range" in text_of(
        page, "years"
    )
    komi = text_of(page, "komi")
    assert (
        "1 of other games than Go, 1 on other boards, 1 with an implausible komi, 1 outside" in komi
    )
    assert "5,000" not in komi and "5,000 – 1" in text_of(page, "implausible")


def test_report_of_ranks_times_openings_and_winners(tmp_path: Path, dask_client: Any) -> None:
    pytest.importorskip("jinja2")
    head = b"(;FF[4]GM[1]SZ[19]DT[2001]KM[6.5]TM[%d]OT[%s]BR[%s]WR[3k]RE[%s]"
    page = make_report(
        tmp_path,
        dask_client,
        # The same opening, as it is played in each corner, and mirrored.
        head % (3600, b"5x30", b"9p", b"B+R") + b";B[pd];W[dp];B[qp];W[dd])",
        head % (3600, b"5x30", b"9p", b"W+R") + b";B[dd];W[pp];B[cp];W[pd])",
        head % (3600, b"5x30", b"10k", b"B+2") + b";B[pp];W[dd];B[qd];W[dp])",
        head % (60, b"", b"?", b"W+T") + b";B[pd];W[dp];B[dc];W[pp])",
        # Ranks in other forms that the specification has, and a komi of quarters.
        b"(;FF[4]GM[1]SZ[19]DT[2002]KM[3.75]BR[10 kyu]WR[2dan?]RE[W+R];B[cc])",
        # A board that is not turned, and a set-up position.
        b"(;FF[4]GM[1]SZ[19]HA[3]AB[aa][bb][cc];W[dd];B[ee];W[ff];B[gg])",
    )
    assert "Q16 D4 R4 D16 4" in text_of(page, "openings")
    assert "9p 2 2d 1 3k 4 10k 2" in text_of(page, "ranks")
    assert "1:00:00 + 5x30 3 0:01:00 1" in text_of(page, "times")
    assert "0 5 3 1" in text_of(page, "handicaps")
    assert "3.75 1 0 1 0" in text_of(page, "winning_by_komi")
    assert "6.5 4 2 2 50" in text_of(page, "winning_by_komi")
    assert "2001 4 2 2 50 2002 1 0 1 0" in text_of(page, "winning_by_year")
    assert "There are none." in text_of(page, "unread")


HABITS = b"(;FF[4]GM[1]SZ[9]CA[UTF-8]AP[x]HA[0];B[aa])"


@pytest.mark.parametrize(
    ("profile", "expected"),
    [
        (
            "strict",
            [
                ("interchange", "0 0 1 0 0 100"),
                ("strict", "0 1 0 0 0 0"),
                ("archive", "0 0 0 0 1 100"),
            ],
        ),
        ("interchange", [("interchange", "0 0 1 0 0 100"), ("archive", "0 0 0 0 1 100")]),
    ],
)
def test_report_leads_with_the_default_profile(
    tmp_path: Path, dask_client: Any, profile: str, expected: list[tuple[str, str]]
) -> None:
    """Of an audit with less than the strict profile, what it did not look for is not shown."""
    pytest.importorskip("jinja2")
    page = make_report(tmp_path, dask_client, HABITS, profile=profile)
    table = text_of(page, "severity").partition("% without error")[2]
    assert table.strip() == " ".join(f"{name} {figures}" for name, figures in expected)
    assert f"those of the profile {expected[0][0]}" in page
    assert ("The audit was made with the profile" in page) == (profile != "strict")


def test_report_of_nothing(tmp_path: Path, dask_client: Any) -> None:
    pytest.importorskip("jinja2")
    (tmp_path / "in").mkdir()
    archive.audit([tmp_path / "in"], tmp_path / "out", dask_client)
    assert invoke("report", tmp_path / "out").exit_code == 0
    assert list(archive.duplicates(tmp_path / "out")) == []


def test_duplicates_number_games_from_1(tmp_path: Path, dask_client: Any) -> None:
    (tmp_path / "a.sgf").write_bytes(CLEAN + game(POINTS[:30]))
    (tmp_path / "b.sgf").write_bytes(game(POINTS[:30]))
    archive.audit([tmp_path / "a.sgf", tmp_path / "b.sgf"], tmp_path / "out", dask_client)
    assert "game 2" in invoke("duplicates", tmp_path / "out").stdout


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
    done = invoke("audit", tmp_path, "--result", tmp_path / "r", "--scheduler", "nonsense://x")
    assert done.exit_code == 2 and "nonsense://x" in done.stderr


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
