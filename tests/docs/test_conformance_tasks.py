"""The second witnesses of the suite, its versions, and the tasks other than parsing."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import lark
import pytest

from sgf_lark.conformance.running import (
    TASKS,
    Task,
    cases_of_task,
    input_of,
    run_suite,
)
from sgf_lark.conformance.suite import Suite
from sgf_lark.fuzz.adapters import adapters
from sgf_lark.fuzz.outcomes import TargetError
from sgf_lark.fuzz.targets import split_name
from tests.conformance.build import damage, reference, writing
from tests.conformance.build.__main__ import contents
from tests.conformance.build.history import History, changes, digest_of
from tests.contract.test_conformance import SUITE
from tests.kit.commands import invoke
from tests.kit.waiting import LIMIT

FOLDER = Path(__file__).parents[1] / "conformance"

#: What the build writes beside the cases.
GENERATED = ("manifest.json", "history.json", "CHANGES.md", "cases.tsv")

# --- Second witnesses ----------------------------------------------------------------


def test_plain_lark_grammar_gives_every_verdict() -> None:
    """The documented grammar, without any code of sgf_lark, accepts and rejects as the cases do."""
    grammar = (FOLDER.parent.parent / "grammar" / "sgf.lark").read_text("utf-8")
    parser = lark.Lark(grammar, parser="lalr", start="collection")
    for case in SUITE.cases:
        try:
            parser.parse(case.data.decode("latin-1"))
            verdict = "accept"
        except lark.exceptions.UnexpectedInput:
            verdict = "reject"
        assert case.verdict in (verdict, "either"), case.id


def test_cases_argue_where_sgfc_disagrees() -> None:
    cases = {case.id: case for case in SUITE.cases}
    report = json.loads((FOLDER / "report.json").read_text("utf-8"))
    sgfc = next(parser for parser in report["parsers"] if parser["name"] == "sgfc")
    disagreed = {failure["case"] for failure in sgfc["failures"]} & cases.keys()
    assert disagreed
    for name in disagreed:
        assert "SGFC" in cases[name].about, name


def test_damaged_files_are_outside_the_grammar() -> None:
    for case in damage.cases():
        with pytest.raises(reference.OutsideGrammar):
            reference.read(case.data)


def test_files_of_writing_hold_the_texts_that_were_to_be_written() -> None:
    for text, _ in {**writing.TEXTS, **writing.LINES}.values():
        assert reference.text(writing.escaped(text).encode()) == text.encode()


@pytest.mark.long
def test_files_and_manifest_are_current() -> None:
    made = contents()
    there = {
        path.relative_to(FOLDER).as_posix(): path.read_bytes()
        for path in [*(FOLDER / "files").rglob("*.*"), *map(FOLDER.joinpath, GENERATED)]
        if path.is_file()
    }
    assert there.keys() == made.keys()
    assert [name for name in made if made[name] != there[name]] == []


# --- Versions ------------------------------------------------------------------------


def test_history_records_new_changed_and_removed_cases() -> None:
    entry: dict[str, Any] = {"id": "a/accept-one", "sha256": "1", "verdict": "accept", "about": "x"}
    history = History("1.1", {"1.0": "d"}, {"a/accept-old": ["1.0", "1.0", "h"]}, {})
    history.cases["a/accept-one"] = ["1.0", "1.0", digest_of(entry)]
    assert history.since({**entry, "about": "y"}) == "1.0"
    assert history.since({**entry, "sha256": "2"}) == "1.1"
    assert history.since({**entry, "id": "a/accept-new"}) == "1.1"
    history.keep(["a/accept-one", "a/accept-new"])
    text = changes(history)
    assert "* Added, of the present cases: 1 (a 1)" in text
    assert "* Changed: `a/accept-one`" in text
    assert "* Removed: `a/accept-old`" in text


# --- Tasks ---------------------------------------------------------------------------


def some(task: Task, which: slice) -> Suite:
    """The suite with some of the cases of a task."""
    chosen = {case.id for case in cases_of_task(SUITE, task)[which]}
    return replace(SUITE, cases=tuple(case for case in SUITE.cases if case.id in chosen))


def few(task: Task) -> Suite:
    """The suite with the first five cases of a task."""
    return some(task, slice(5))


#: Where a program starts for each case, or other tests have all of them, not all are tried.
_SOME = slice(0, None, 12)


@pytest.mark.parametrize("task", TASKS)
def test_sgf_lark_passes_every_task(task: Task) -> None:
    """In tests/contract all files are parsed."""
    suite = some(task, _SOME) if task == "parse" else SUITE
    parser = run_suite(suite, ["sgf_lark"], task=task, timeout=LIMIT)["parsers"][0]
    assert parser["failures"] == []
    assert parser["trees"]


#: Python, which starts twice as fast without site-packages.
PYTHON = f"{sys.executable} -I -S"
#: A fixer that changes nothing, and a writer that writes the same file for each tree.
UNCHANGED = f"{PYTHON} -c 'import sys; sys.stdout.write(sys.stdin.read())'"
SAME = f"{PYTHON} -c 'print(\"(;FF[4]GM[1];B[aa]C[a b])\")'"


def test_a_fixer_that_changes_nothing_fails_every_case() -> None:
    suite = some("fix", _SOME)
    parser = run_suite(suite, ["cat {file}"], task="fix", timeout=LIMIT)["parsers"][0]
    assert {failure["case"] for failure in parser["failures"]} == {
        case.id for case in cases_of_task(suite, "fix")
    }


#: Writes the first game without escapes.
CARELESS = """
import json, sys
model = json.load(sys.stdin)
for game in model["games"]:
    nodes = ("".join(i + "".join(f"[{v}]" for v in vs) for i, vs in n["properties"]) for n in game)
    sys.stdout.buffer.write(f"(;{';'.join(nodes)})".encode(model["charset"]))
"""


def test_a_writer_without_escapes_fails_where_they_are_needed(tmp_path: Path) -> None:
    (tmp_path / "write.py").write_text(CARELESS)
    command = f"{PYTHON} {tmp_path / 'write.py'}"
    suite = some("write", _SOME)
    parser = run_suite(suite, [command], task="write", timeout=LIMIT)["parsers"][0]
    failed = {failure["case"] for failure in parser["failures"]}
    assert failed
    for case in cases_of_task(suite, "write"):
        games = case.tree("raw") or []
        parents = [[node["parent"] for node in game] for game in games]
        if all(found == [None, *range(len(found) - 1)] for found in parents):
            assert (case.id in failed) == (b"\\" in case.data), case.id


def test_commands_that_print_files_are_judged_by_their_trees() -> None:
    fixes = run_suite(few("fix"), [f"unchanged={UNCHANGED}"], task="fix", timeout=LIMIT)
    assert [failure["status"] for failure in fixes["parsers"][0]["failures"]] == ["rejected"] * 5
    assert fixes["parsers"][0]["name"] == "unchanged"
    writes = run_suite(few("write"), [SAME], task="write", timeout=LIMIT)
    assert [failure["status"] for failure in writes["parsers"][0]["failures"]] == ["wrong tree"] * 4


def test_writers_get_the_tree_as_json() -> None:
    case = next(case for case in SUITE.cases if case.id == "writing/accept-comment-close")
    given = json.loads(input_of(case, "write"))
    assert given["form"] == "text" and given["charset"] == "ISO-8859-1"
    assert given["games"][0][1]["properties"] == [["B", ["aa"]], ["C", ["a]b"]]]


@pytest.mark.parametrize(
    ("spec", "task"), [("sgfmill", "fix"), ("json:loads", "write"), ("persistent:cat", "write")]
)
def test_tasks_that_a_parser_does_not_have_are_reported(spec: str, task: Task) -> None:
    with pytest.raises(TargetError, match=task):
        run_suite(SUITE, [spec], task=task, timeout=LIMIT)


@pytest.mark.parametrize("library", ["sgfmill", "pysgf", "sabaki"])
def test_writers_of_other_libraries_run(library: str) -> None:
    if adapters()[library].installed_version() is None:
        pytest.skip(f"{library} is not installed")
    parser = run_suite(few("write"), [library], task="write", timeout=LIMIT)["parsers"][0]
    assert parser["failures"] == []


@pytest.mark.parametrize(
    ("given", "name", "spec"),
    [
        ("mine=./parser {file}", "mine", "./parser {file}"),
        ("SGFC 2.0=sgfc -o=x {file}", "SGFC 2.0", "sgfc -o=x {file}"),
        ("./a=b {file}", "./a=b {file}", "./a=b {file}"),
        ("sgf_lark", "sgf_lark", "sgf_lark"),
        ("=x", "=x", "=x"),
        ("x=", "x=", "x="),
    ],
)
def test_names_precede_commands(given: str, name: str, spec: str) -> None:
    assert split_name(given) == (name, spec)


def test_task_and_name_on_the_command_line(tmp_path: Path) -> None:
    results = tmp_path / "r.json"
    arguments = ["run", "--task", "fix", "--group", "junk", "--target", f"same={UNCHANGED}"]
    arguments += ["--timeout", str(LIMIT)]
    done = invoke("conformance", *arguments, "-o", results)
    assert done.exit_code == 1
    document = json.loads(results.read_text("utf-8"))
    assert document["suite"]["task"] == "fix"
    assert document["parsers"][0]["name"] == "same"
    refused = invoke("conformance", "run", "--task", "fix")
    assert refused.exit_code == 2 and "--target" in refused.output
