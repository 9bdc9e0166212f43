"""What is made of the tables of an audit: duplicates, answers to SQL, reports."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.archive.test_archive import CLEAN, ROOT, make_sources, rows
from tests.kit.commands import invoke
from tests.kit.tables import for_each

pytest.importorskip("jinja2")

from sgf_lark import archive
from sgf_lark.archive import running
from sgf_lark.archive.results import FILE, TABLES, connect

pytestmark = pytest.mark.filterwarnings("ignore")

POINTS = [column + row for column in "abcdefghijklmnopqrs" for row in "abcdefghijklmnopqrs"]


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


def test_duplicates(result: Path) -> None:
    found = [
        (group.kind, [Path(copy.path).stem for copy in group.copies], group.reason)
        for group in archive.duplicates(result)
        if Path(group.copies[0].path).parent.name == "duplicates"
    ]
    assert found == [
        ("bytes", ["a", "longer_name_of_a"], "shortest path, or the first of these"),
        ("game", ["commented", "a"], "most characters in comments"),
        ("symmetry", ["commented", "swapped", "turned"], "most characters in comments"),
        ("beginning", ["commented", "short"], "most moves"),
    ]
    assert "few" in str(list(archive.duplicates(result, least_moves=5)))


def test_duplicates_command(tmp_path: Path, result: Path) -> None:
    output = tmp_path / "found.jsonl"
    for output_format in ("text", "jsonl"):
        done = invoke("duplicates", result, "--format", output_format, "-o", output)
        assert (done.exit_code, done.output) == (0, "")
        assert "commented.sgf" in output.read_text("utf-8")
    done = invoke("query", result, f"SELECT count(*) AS n FROM '{output}' WHERE NOT keep")
    assert done.exit_code == 0 and "│" in done.stdout


def documented_queries() -> list[str]:
    page = (ROOT / "docs/archives.md").read_text("utf-8")
    return re.findall(r"```sql\n(.*?)```", page, re.DOTALL)


@for_each(documented_queries())
def test_documented_query(sql: str, result: Path) -> None:
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


def test_options_that_are_none_or_of_another_version(tmp_path: Path, result: Path) -> None:
    folder = Path(shutil.copytree(result, tmp_path / "broken"))
    recorded = json.loads((folder / FILE).read_bytes())
    recorded["options"]["version"] = 2
    other = (json.dumps(recorded).encode(), "another version")
    texts = (b"SGF" * 1000, b"[]", b"{}", b'{"options": 1}', b"\xff")
    for content, message in (other, *((text, FILE) for text in texts)):
        (folder / FILE).write_bytes(content)
        for line in (("query", folder), ("audit", tmp_path, "--result", folder)):
            done = invoke(*line)
            assert done.exit_code == 2 and message in done.stderr


@for_each(
    [
        "query RESULT SELEC",
        "query RESULT 'SELECT 1' --format parquet",
        "query NOTHING 'SELECT 1'",
        "report NOTHING",
        "duplicates NOTHING",
        "audit --result NOTHING",
        "audit x.sgf",
        "audit x.sgf --result RESULT --profile archive",
        "audit x.sgf --result NOTHING --scheduler tcp://127.0.0.1:1",
        "audit x.sgf --result NOTHING --scheduler nonsense://x",
    ]
)
def test_wrong_use(
    line: str, tmp_path: Path, result: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "TIME_LIMIT", "1s")
    places = {"RESULT": result, "NOTHING": tmp_path / "nothing"}
    done = invoke(*(places.get(each, each) for each in shlex.split(line)))
    assert done.exit_code == 2 and done.stderr
    assert isinstance(done.exception, SystemExit)


@for_each([("en", "en"), ("zh", "zh-Hans")])
def test_report(language: str, tag: str, tmp_path: Path, result: Path) -> None:
    output = tmp_path / "page.html"
    done = invoke("report", result, "-o", output, "--lang", language)
    assert done.exit_code == 0
    page = output.read_text("utf-8")
    assert f'<html lang="{tag}">' in page
    assert not re.search(r'(?:src|href)="(?!#)|url\((?!#)|@import', page)
    for code in {row[4] for row in rows(result, "diagnostics")}:
        assert f'id="{code}"' in page
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(re.findall(r'id="([^"]+)"', page))
    assert '<td class="number">1999</td>' in page
    assert page.count("<figure>") >= 10 and f"{page.count('<figure>')} charts" in done.stderr


def make_report(tmp_path: Path, dask_client: Any, *games: bytes, profile: str = "strict") -> str:
    (tmp_path / "in").mkdir(parents=True)
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


@for_each(
    [
        ("strict", "interchange 0 0 1 0 0 100 strict 0 1 0 0 0 0 archive 0 0 0 0 1 100"),
        ("interchange", "interchange 0 0 1 0 0 100 archive 0 0 0 0 1 100"),
    ]
)
def test_report_leads_with_the_default_profile(
    profile: str, expected: str, tmp_path: Path, dask_client: Any
) -> None:
    """Of an audit with less than the strict profile, what it did not look for is not shown."""
    habits = b"(;FF[4]GM[1]SZ[9]CA[UTF-8]AP[x]HA[0];B[aa])"
    page = make_report(tmp_path / profile, dask_client, habits, profile=profile)
    assert text_of(page, "severity").partition("% without error")[2].strip() == expected
    assert "those of the profile interchange" in page
    assert ("The audit was made with the profile" in page) == (profile != "strict")


def test_report_of_nothing(tmp_path: Path, dask_client: Any) -> None:
    (tmp_path / "in").mkdir()
    archive.audit([tmp_path / "in"], tmp_path / "out", dask_client)
    assert invoke("report", tmp_path / "out").exit_code == 0
    assert list(archive.duplicates(tmp_path / "out")) == []


def test_duplicates_number_games_from_1(tmp_path: Path, dask_client: Any) -> None:
    (tmp_path / "a.sgf").write_bytes(CLEAN + game(POINTS[:30]))
    (tmp_path / "b.sgf").write_bytes(game(POINTS[:30]))
    archive.audit([tmp_path / "a.sgf", tmp_path / "b.sgf"], tmp_path / "out", dask_client)
    assert "game 2" in invoke("duplicates", tmp_path / "out").stdout
