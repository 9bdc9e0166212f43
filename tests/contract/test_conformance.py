"""The conformance suite is current and complete, and sgf_lark passes it; the reports."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import Result as CliResult

import sgf_lark
from sgf_lark import grammar
from sgf_lark.conformance import reporting
from sgf_lark.conformance.reporting import ALL, Cell, make_table
from sgf_lark.conformance.running import (
    ResultsError,
    Status,
    judge,
    merged,
    read_results,
    run_suite,
)
from sgf_lark.conformance.suite import EXPECTED, Case, Suite, SuiteError, load_suite
from sgf_lark.diagnostics import Severity
from sgf_lark.fuzz.canonical import FORMS, canonical, difference
from sgf_lark.fuzz.outcomes import Outcome, Verdict
from sgf_lark.fuzz.violations import UNREACHABLE
from sgf_lark.syntax import Engine
from tests.conformance.build import cases as given
from tests.conformance.build import damage, writing
from tests.kit.commands import invoke
from tests.kit.tables import for_each
from tests.kit.waiting import LIMIT

GROUPS = (*given.GROUPS, damage.GROUP, writing.GROUP)
SUITE = load_suite()
CASES = {case.id: case for case in SUITE.cases}
FOLDER = Path(__file__).parents[1] / "conformance"


def group_of(case: Case) -> str:
    return case.group


# --- The suite itself -------------------------------------------------------------


def test_manifest_follows_its_schema() -> None:
    schema = json.loads((FOLDER / "manifest.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    manifest = json.loads((FOLDER / "manifest.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(manifest)


def test_readme_counts_the_cases() -> None:
    text = (FOLDER / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| ([\w-]+)(?: .*)? \| (\d+) \| (\d+) \| (\d+) \|$", text, re.MULTILINE)
    counted = {group: [*map(int, counts)] for group, *counts in rows}
    of_cases = Counter((case.group, case.verdict) for case in SUITE.cases)
    expected = {group: [of_cases[group, verdict] for verdict in EXPECTED] for group in GROUPS}
    expected["all"] = [sum(column) for column in zip(*expected.values(), strict=True)]
    assert counted == expected
    assert f"| all {len(CASES)} |" in text


def test_cases_are_many_and_different() -> None:
    assert len(CASES) == len(SUITE.cases) >= 1500
    assert SUITE.groups == GROUPS
    same: dict[bytes, str] = {}
    for case in SUITE.cases:
        assert same.setdefault(case.data, case.id) == case.id


def test_nearly_all_rules_have_a_case() -> None:
    broken = {violation.code for case in SUITE.cases for violation in case.violations}
    named = broken | {code for case in SUITE.cases for code in case.rules}
    assert named - {None} <= set(grammar.rules())
    mandatory = {
        rule.code for rule in grammar.rules().values() if rule.severity["strict"] == "error"
    }
    # What no file can violate is not a case.
    assert mandatory - broken <= {*UNREACHABLE, "SGF206", "SGF832"}


@cache
def diagnostics(case: str) -> list[sgf_lark.Diagnostic]:
    """What sgf_lark reports; of a tree without FF what the specification says, for which it is in
    FF[1], while sgf_lark judges it by what is in it (SGF439)."""
    data = CASES[case].data
    found = sgf_lark.validate(data).diagnostics
    if any(entry.code == "SGF439" for entry in found):
        return sgf_lark.validate(data, file_format=1).diagnostics
    return found


# --- sgf_lark on the suite ----------------------------------------------------------


@pytest.mark.parametrize("engine", ["tables", "lark"])
@for_each(SUITE.cases, by=group_of)
def test_strict_parser_gives_verdict_and_tree(case: Case, engine: Engine) -> None:
    try:
        collection = sgf_lark.loads(case.data, engine=engine)
    except sgf_lark.SGFSyntaxError:
        assert case.verdict != "accept"
        return
    assert case.verdict != "reject"
    for form in FORMS:
        expected = case.tree(form)
        if expected is not None:
            assert difference(expected, canonical(collection, form)) is None, form


@for_each([case for case in SUITE.cases if case.value and case.verdict == "accept"], by=group_of)
def test_texts_have_the_required_values(case: Case) -> None:
    assert case.value is not None
    tree = sgf_lark.loads(case.data)[case.value["game"]]
    node = [*tree.nodes()][case.value["node"]]
    entry = node.property(case.value["property"])
    if entry.definition is not None and entry.definition.is_text:
        assert entry.values == case.value["text"]


@for_each(SUITE.cases, by=group_of)
def test_checker_reports_every_violation_at_its_place(case: Case) -> None:
    found = diagnostics(case.id)
    for violation in case.violations:
        place = (violation.start, violation.line, violation.column)
        is_placed = None not in (violation.start, violation.code)
        assert any(
            violation.code in (None, entry.code)
            and (not is_placed or place == (entry.span.start, entry.span.line, entry.span.column))
            for entry in found
        ), (violation, found[:5])


@for_each(SUITE.cases, by=group_of)
def test_checker_reports_no_other_errors(case: Case) -> None:
    illegal = [entry for entry in diagnostics(case.id) if entry.severity is Severity.ERROR]
    if case.verdict == "reject":
        # What follows the first damage depends on how a reader recovers from it.
        assert illegal
        places = [entry.start for entry in case.violations if entry.start is not None]
        assert min(entry.span.start for entry in illegal) >= min(places, default=0)
    else:
        assert {entry.code for entry in illegal} <= {entry.code for entry in case.violations}


# --- The committed report ----------------------------------------------------------

REPORT = json.loads((FOLDER / "report.json").read_text("utf-8"))


@pytest.mark.parametrize("name", ["report", "report-tolerant", "report-write"])
def test_reports_are_rendered_from_their_results(name: str) -> None:
    results = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    text = (FOLDER / f"{name}.md").read_text("utf-8")
    assert reporting.render_text(results) == text
    assert results["suite"]["digest"] == SUITE.digest
    # It contains no path of the machine on which it was made.
    assert "/tmp" not in json.dumps(results) + text


def test_findings_are_among_the_failures_of_the_report() -> None:
    failures = {
        parser["name"]: {failure["case"] for failure in parser["failures"]}
        for parser in REPORT["parsers"]
    }
    sections = (FOLDER / "FINDINGS.md").read_text("utf-8").split("\n## ")[1:]
    for section in sections:
        name, _, text = section.partition("\n")
        named = set(re.findall(r"`([a-z0-9-]+/(?:accept|reject|either)-[a-z0-9-]+)`", text))
        assert named, name
        assert named <= failures[name], name


# --- Judging -------------------------------------------------------------------------

ACCEPT, REJECT = Outcome(Verdict.ACCEPT), Outcome(Verdict.REJECT)
TREE = CASES["escaping/accept-bracket"].tree("text")
WRONG = [[{"parent": None, "properties": [["FF", ["4"]], ["GM", ["1"]], ["C", ["a"]]]}]]


@pytest.mark.parametrize(
    ("case", "outcome", "status"),
    [
        ("escaping/accept-bracket", ACCEPT, Status.PASS),
        ("escaping/accept-bracket", REJECT, Status.REJECTED),
        ("escaping/accept-bracket", Outcome(Verdict.ACCEPT, TREE, "text"), Status.PASS),
        # The same tree, declared to contain raw values.
        ("escaping/accept-bracket", Outcome(Verdict.ACCEPT, TREE, "raw"), Status.WRONG_TREE),
        ("escaping/accept-bracket", Outcome(Verdict.ACCEPT, WRONG), Status.WRONG_TREE),
        ("escaping/accept-bracket", Outcome(Verdict.CRASH), Status.CRASH),
        ("structure/reject-no-node", ACCEPT, Status.ACCEPTED),
        ("structure/reject-no-node", REJECT, Status.PASS),
        ("structure/reject-no-node", Outcome(Verdict.HANG), Status.HANG),
        ("points/either-zero", ACCEPT, Status.PASS),
        ("points/either-zero", REJECT, Status.PASS),
        ("points/either-zero", Outcome(Verdict.ACCEPT, WRONG), Status.WRONG_TREE),
        ("points/either-zero", Outcome(Verdict.MEMORY), Status.MEMORY),
        # The tree of a file with a repeated property is not defined.
        ("uniqueness/either-comment-twice", Outcome(Verdict.ACCEPT, WRONG), Status.PASS),
    ],
)
def test_judging(case: str, outcome: Outcome, status: Status) -> None:
    assert judge(CASES[case], outcome).status is status


# --- Running and reports ---------------------------------------------------------------

#: Python, which starts twice as fast without site-packages.
PYTHON = f"{sys.executable} -I -S"
#: A parser that accepts everything that begins with "(".
NAIVE = f"{PYTHON} -c 'import sys; sys.exit(sys.stdin.buffer.read(1) != b\"(\")'"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Suite:
    """A suite of a few cases of two groups."""
    folder = tmp_path_factory.mktemp("suite")
    selected = [
        "structure/accept-one-empty-node",
        "structure/accept-main-line",
        "structure/reject-no-node",
        "structure/reject-empty-file",
        "junk/either-before-word",
        "junk/reject-words",
        "junk/accept-html-in-text",
    ]
    manifest = json.loads((FOLDER / "manifest.json").read_text("utf-8"))
    manifest["cases"] = [entry for entry in manifest["cases"] if entry["id"] in selected]
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    for entry in manifest["cases"]:
        path = folder / entry["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((FOLDER / entry["file"]).read_bytes())
    return load_suite(folder)


@pytest.fixture(scope="module")
def document(small: Suite) -> dict[str, Any]:
    return run_suite(small, ["sgf_lark", NAIVE], timeout=LIMIT)


def cli(*arguments: object) -> CliResult:
    """Run the command; on a busy machine no parser hangs."""
    limit = ("--timeout", LIMIT) if arguments[0] == "run" else ()
    return invoke("conformance", *arguments, *limit)


def test_table_counts_passed_cases(document: dict[str, Any]) -> None:
    table = make_table(document)
    assert table.groups == ("structure", "junk")
    assert table.rows == ("structure", "junk", "accept", "reject", "either", ALL)
    assert [str(table.cells[verdict, 1]) for verdict in table.rows[2:5]] == ["3/3", "2/3", "1/1"]
    assert table.baselines == (57, 57)
    assert table.cells[ALL, 0] == Cell(7, 7, 0)
    # It wrongly accepts "()", and makes no other mistake.
    assert table.cells["structure", 1] == Cell(3, 4, 0)
    assert [failure["case"] for failure in document["parsers"][1]["failures"]] == [
        "structure/reject-no-node"
    ]
    assert [parser["trees"] for parser in document["parsers"]] == [True, False]
    text = reporting.render_text(document)
    assert re.search(r"^\| structure +\| +4/4 \| +3/4 \|$", text, re.MULTILINE)
    assert "* accepted: `reject-no-node`" in text


def test_two_versions_of_a_parser_have_two_columns(document: dict[str, Any], small: Suite) -> None:
    naive = document["parsers"][1]
    better = {**naive, "version": "2 | 3", "failures": []}
    table = make_table({**document, "parsers": [naive, better]})
    assert [table.cells["structure", number].passed for number in (0, 1)] == [3, 4]
    text = reporting.render_text({**document, "parsers": [naive, better]})
    assert re.search(r"^\| structure +\| +3/4 \| +4/4 \|$", text, re.MULTILINE)
    assert "2 \\| 3 |" in text
    assert targets_of_links(reporting.render_html({**document, "parsers": [naive, better]}, small))


def test_breakdowns_are_counted_separately(small: Suite) -> None:
    abort = f"{PYTHON} -c 'import os; os.abort()'"
    table = make_table(run_suite(small, [abort], groups=["junk"], timeout=LIMIT))
    assert table.cells["junk", 0] == Cell(0, 3, 3)
    assert str(table.cells["junk", 0]) == "0/3 †3"


def test_parser_of_text_skips_cases_about_bytes() -> None:
    pytest.importorskip("sgf")
    parser = run_suite(SUITE, ["sgf"], groups=["charsets"], timeout=LIMIT)["parsers"][0]
    assert parser["skipped"] == [case.id for case in SUITE.cases if case.bytes_only]
    assert not {failure["case"] for failure in parser["failures"]} & {*parser["skipped"]}


def targets_of_links(page: str) -> set[str]:
    """The parts of a page that its links name; each part has a name of its own, and no link leads
    out of the page."""
    ids, targets = (re.findall(rf'\s{name}([^"]*)"', page) for name in ('id="', 'href="#'))
    assert len(ids) == len({*ids}) and {*targets} <= {*ids}
    assert not re.search(r'\s(href|src)="?[^"#]', page)
    return {*targets}


def test_page_links_cells_to_cases(document: dict[str, Any], small: Suite) -> None:
    page = reporting.render_html(document, small)
    assert "case-structure/reject-no-node" in targets_of_links(page)
    assert all(f' id="case-{case.id}"' in page for case in small.cases)
    assert "<script>alert" not in page


def test_run_and_report_on_the_command_line(small: Suite, tmp_path: Path) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    suite = ("--suite", small.folder)
    assert cli("run", "--target", "sgf_lark", *suite, "-o", one).exit_code == 0
    assert cli("run", "--target", NAIVE, *suite, "-o", two).exit_code == 1
    joined = merged([read_results(path) for path in (one, two)])
    assert [parser["name"] for parser in joined["parsers"]] == ["sgf_lark", NAIVE]
    page = tmp_path / "report.html"
    assert cli("report", one, two, *suite, "-o", page).exit_code == 0
    assert targets_of_links(page.read_text("utf-8"))
    shown = cli("report", one, *suite)
    assert re.search(r"^\| \*\*all\*\* +\| +\*\*7/7\*\* \|$", shown.output, re.MULTILINE)
    assert json.loads(cli("report", one, *suite, "--format", "json").output)["parsers"]


def test_tags() -> None:
    tags = {
        "passes/accept-ff3": {"ff-3", "gm-1"},
        "compression/accept-one": {"compressed-list", "ff-4"},
        "size-and-depth/accept-depth-2000": {"depth-1000", "nodes-1000"},
        "charsets/accept-shift-jis": {"charset-shift-jis", "non-ascii"},
    }
    for name, expected in tags.items():
        cases = [case for case in SUITE.cases if case.id.startswith(name)]
        assert cases and all(expected <= {*case.tags} for case in cases), (name, cases)
    assert "depth-100" not in CASES["size-and-depth/accept-text-parentheses-20000"].tags


def test_parser_that_does_not_start_leaves_the_results_of_others(
    small: Suite, tmp_path: Path
) -> None:
    results = tmp_path / "results.json"
    adapters = ("--target", "/no/such/parser", "--target", "sgf_lark")
    run = cli("run", *adapters, "--suite", small.folder, "-o", results)
    assert run.exit_code == 2
    assert "/no/such/parser" in run.output
    (parser,) = json.loads(results.read_text("utf-8"))["parsers"]
    assert (parser["name"], parser["failures"]) == ("sgf_lark", [])


def test_only_changes_of_expected_failures_fail(small: Suite, tmp_path: Path) -> None:
    naive = ("run", "--target", NAIVE, "--suite", small.folder)
    results, listed = tmp_path / "results.json", tmp_path / "listed.txt"
    assert cli(*naive, "-o", results).exit_code == 1
    assert cli(*naive, "--expect", results).exit_code == 0
    listed.write_text("# known\n\nstructure/reject-no-node  # it accepts ()\n")
    assert cli(*naive, "--expect", listed).exit_code == 0
    better = cli("run", "--target", "sgf_lark", "--suite", small.folder, "--expect", listed)
    assert better.exit_code == 1
    assert "sgf_lark: passes now: structure/reject-no-node" in better.output
    # Cases that are not run are not expected.
    assert cli(*naive, "--group", "junk", "--expect", listed).exit_code == 0
    assert cli(*naive, "--skip", "structure/reject-*", "--expect", listed).exit_code == 0
    assert cli(*naive, "--skip", listed).exit_code == 0
    assert cli(*naive, "--skip", "ff-7").exit_code == 2
    listed.write_text("junk/reject-words\n")
    other = cli(*naive, "--expect", listed)
    assert other.exit_code == 1
    assert "fails now: structure/reject-no-node" in other.output
    assert "passes now: junk/reject-words" in other.output
    listed.write_text("junk/no-such-case\n")
    assert cli(*naive, "--expect", listed).exit_code == 2


def test_results_of_another_suite_are_reported(small: Suite, tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    assert cli("run", "--target", "sgf_lark", "--suite", small.folder, "-o", results).exit_code == 0
    result = cli("report", results)
    assert result.exit_code == 0
    assert "is not the suite of these results" in result.output


def test_adapters_are_listed() -> None:
    assert "sgf_lark" in cli("run", "--list-targets").output.split()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "--target", "/no/such/parser"), "cannot be run"),
        (("run", "--target", "sgf_lark", "--group", "shapes"), "no group shapes"),
        (("run", "--suite", "/no/such/folder"), "No such file"),
        (("report", FOLDER / "manifest.json"), "holds no results"),
        (("report", FOLDER / "manifest.json", "--suite", "/no/such/folder"), "holds no results"),
    ],
)
def test_unavailable_runs_are_reported(arguments: tuple[object, ...], message: str) -> None:
    result = cli(*arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_results_of_other_cases_do_not_mix(document: dict[str, Any]) -> None:
    other = {**document, "suite": {**document["suite"], "digest": "0"}}
    with pytest.raises(ResultsError):
        merged([document, other])


def test_folder_without_manifest_is_not_a_suite(tmp_path: Path) -> None:
    with pytest.raises(SuiteError):
        load_suite(tmp_path)
    (tmp_path / "manifest.json").write_text('{"version": 1, "cases": [{}]}')
    with pytest.raises(SuiteError, match="not a manifest"):
        load_suite(tmp_path)
