"""Findings that repeat one cause: the first of each rule are listed, and all are counted."""

from __future__ import annotations

import json
import tracemalloc
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark.cli.commands import main
from sgf_lark.syntax import Engine
from sgf_lark.validation import MAX_PER_RULE, validate_file

#: Files that break several rules often: in properties, nodes, paths, trees and by damage.
OFTEN = (
    b"(;FF[4]GM[1]SZ[9]" + b";KO[x]B[aa]" * 40 + b")",
    b"(;FF[4]GM[1]SZ[9]" + b";B[aa]B[bb]PB[a]xy;W[zz]C]" * 30 + b")",
    b"(;FF[4]GM[1];PB[a])" * 40,
    b"(;FF[3]GM[1]" + b"(;XX[1]B[aa](;DT[x])" * 30,
)


def check(*arguments: str | Path) -> Any:
    return CliRunner().invoke(main, ["check", *map(str, arguments)])


@cache
def with_all_findings(data: bytes) -> sgf_lark.Report:
    return sgf_lark.validate(data, max_per_rule=None)


@pytest.mark.parametrize("engine", ["tables", "lark"])
@given(st.sampled_from(OFTEN), st.integers(1, 50))
def test_first_places_of_each_rule_are_listed(engine: Engine, data: bytes, most: int) -> None:
    whole = with_all_findings(data)
    bounded = sgf_lark.validate(data, max_per_rule=most, engine=engine)
    seen: Counter[str] = Counter()
    first = []
    for each in whole.diagnostics:
        seen[each.code] += 1
        if seen[each.code] <= most:
            first.append(each)
    assert bounded.diagnostics == first
    assert (bounded.counts, bounded.kinds) == (whole.counts, whole.kinds)
    listed = Counter(each.kind for each in first)
    assert bounded.omitted == whole.kinds - listed and not whole.omitted


def test_memory_does_not_grow_with_what_is_not_listed() -> None:
    def peak(most: int | None) -> int:
        tracemalloc.start()
        try:
            validate_file(data, max_per_rule=most)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    data = b"(;FF[4]GM[1]SZ[9]" + b";B[aa]W[aa]" * 2_000 + b")"
    validate_file(data)
    assert peak(10) < peak(None) / 2


#: Breaks SGF603 and others more often than is listed.
LONG = b"(;FF[4]GM[1]SZ[9]" + b";B[aa]" * (MAX_PER_RULE + 100) + b")"


@pytest.fixture
def long(tmp_path: Path) -> Path:
    path = tmp_path / "long.sgf"
    path.write_bytes(LONG)
    return path


def test_json_says_how_many_of_which_rule(long: Path) -> None:
    result = check("--format", "jsonl", long)
    item, report = json.loads(result.stdout), sgf_lark.validate(LONG)
    by_code = {code: count for (code, _, _), count in report.omitted.items()}
    assert by_code and item["omitted_by_code"] == by_code
    assert item["omitted"] == sum(by_code.values())
    assert Counter(each["code"] for each in item["diagnostics"]).most_common(1)[0][1] == 1000


@pytest.mark.parametrize("output_format", ["concise", "sarif", "github", "gitlab"])
def test_other_formats_say_how_many_there_are(long: Path, output_format: str) -> None:
    omitted = sgf_lark.validate(LONG).omitted.total()
    limited = check("--format", output_format, long)
    assert str(omitted) in limited.stderr
    everything = check("--format", output_format, "--max-diagnostics", "0", long)
    assert everything.stderr == "" and len(everything.stdout) > len(limited.stdout)


def test_text_counts_all_and_says_so(long: Path) -> None:
    omitted = sgf_lark.validate(LONG).omitted.total()
    output = check("--style", long).stdout
    assert f"{omitted} findings" in output and "1099 SGF603" not in output
    rows = {line.split()[0]: line.split()[3] for line in output.splitlines() if line[:3] == "SGF"}
    kinds = sgf_lark.validate(LONG).kinds
    assert rows == {code: str(count) for (code, _, _), count in kinds.items()}


def test_baseline_has_all_findings(long: Path, tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    assert check("--baseline", file, "--write-baseline", long).exit_code in (0, 1)
    long.write_bytes(LONG[:-1] + b";B[aa])")
    result = check("--style", "--baseline", file, "--format", "jsonl", long)
    assert 0 < len(json.loads(result.stdout)["diagnostics"]) < 10


def test_fixes_are_marked_as_if_all_were_listed(tmp_path: Path) -> None:
    """Damage that is not listed does not make what is listed unsafe."""
    path = tmp_path / "lower.sgf"
    path.write_bytes(b"(;FF[4]GM[1]SZ[9]" + b";Black[aa];White[bb]" * MAX_PER_RULE + b"KM[6,5])")
    output = check("--max-diagnostics", str(2 * MAX_PER_RULE), path).stdout
    every = check("--max-diagnostics", "0", path).stdout
    unsafe = "[fixable with --unsafe]"
    assert "[fixable]" in output and (unsafe in output) == (unsafe in every)


@pytest.mark.filterwarnings("ignore")
def test_audit_counts_all(long: Path, tmp_path: Path, dask_client: Any) -> None:
    for needed in ("duckdb", "pyarrow"):
        pytest.importorskip(needed)
    result = tmp_path / "result"
    query = "SELECT code, sum(times), count(*) FROM diagnostics GROUP BY 1"
    runner = CliRunner()
    runner.invoke(main, ["audit", str(long), "--result", str(result)])
    found = runner.invoke(main, ["query", str(result), query, "--format", "jsonl"]).stdout
    rows = {code: tuple(counts) for code, *counts in (_values(line) for line in found.splitlines())}
    kinds = sgf_lark.validate(LONG).kinds
    assert rows == {
        code: (count, min(count, MAX_PER_RULE)) for (code, _, _), count in kinds.items()
    }


def _values(line: str) -> list[Any]:
    return [*json.loads(line).values()]
