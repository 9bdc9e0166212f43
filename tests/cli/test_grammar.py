"""``sgf-lark grammar``: texts, diagrams, the page, the table, and what files use."""

from __future__ import annotations

import json
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any, get_args
from xml.etree import ElementTree

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

from sgf_lark import grammar
from sgf_lark.cli import grammar as command
from sgf_lark.diagnostics import Language
from sgf_lark.syntax import grammars as lark_grammars
from sgf_lark.syntax import grammars as value_grammar
from sgf_lark.teaching import coverage, productions
from sgf_lark.teaching.page import page
from tests.kit.commands import invoke

SVG = "{http://www.w3.org/2000/svg}"
LANGUAGES: tuple[Language, ...] = get_args(Language)


def run(*options: str, data: bytes = b"") -> Result:
    return invoke("grammar", *options, stdin=data)


def used(data: bytes) -> dict[str, dict[str, Any]]:
    """Return the counts of `--coverage` for a file, by grammar and production."""
    result = run("--coverage", "-", "--format", "json", data=data)
    assert result.exit_code == int("tolerant.lark" in json.loads(result.stdout)["grammars"])
    grammars = json.loads(result.stdout)["grammars"]
    return {
        file: {
            item["name"]: {
                "count": item["count"],
                **{part["text"]: part["count"] for part in item["alternatives"]},
            }
            for item in items
        }
        for file, items in grammars.items()
    }


# --- Texts ---------------------------------------------------------------------------


def test_the_names_of_grammars_are_those_of_the_data() -> None:
    assert command.LARK == productions.LARK_FILES


def test_texts_are_those_of_the_files() -> None:
    assert run().stdout == grammar.source("sgf.ebnf")
    for name in productions.LARK_FILES:
        assert run("--lark", name).stdout == grammar.source(f"{name}.lark")


@pytest.mark.parametrize("name", productions.LARK_FILES)
def test_productions_are_those_that_lark_finds(name: str) -> None:
    found = productions.productions(f"{name}.lark")
    rules = [key for key, production in found.items() if not production.is_terminal]
    assert rules == list(lark_grammars.rule_trees(f"{name}.lark"))
    terminals = {key for key, production in found.items() if production.is_terminal}
    assert terminals <= set(lark_grammars.terminal_patterns(f"{name}.lark"))
    for production in found.values():
        assert production.text in grammar.source(f"{name}.lark")
        assert "//" not in production.comment


def test_a_comment_belongs_to_the_production_below_it() -> None:
    found = productions.productions("values.lark")
    assert found["dice"].comment == "DI: the dice of a position without a move."
    assert found["checker_play"].comment == ""


@pytest.mark.parametrize(
    "options",
    [
        ("--format", "html", "--properties"),
        ("--lark", "sgf", "--coverage", "-"),
        ("--coverage",),
        ("x.sgf",),
        ("--gm", "1"),
        ("--format", "svg"),
        ("--gm", "1", "--coverage", "-"),
        ("--format", "json"),
    ],
)
def test_options_without_effect_are_refused(options: tuple[str, ...]) -> None:
    assert run(*options).exit_code == 2


# --- Diagrams ------------------------------------------------------------------------


def test_every_production_has_a_diagram_that_leads_to_others(tmp_path: Path) -> None:
    result = run("--format", "svg", "-o", str(tmp_path / "all"))
    assert result.exit_code == 0
    for name in productions.LARK_FILES:
        rules = lark_grammars.rule_trees(f"{name}.lark")
        files = {file.stem: file for file in (tmp_path / "all" / name).iterdir()}
        assert set(files) == set(rules)
        for file in files.values():
            root = ElementTree.parse(file).getroot()
            assert root.tag == f"{SVG}svg"
            assert float(root.attrib["width"]) > 10 < float(root.attrib["height"])
            for link in root.iter(f"{SVG}a"):
                assert (file.parent / link.attrib["href"]).is_file()
    rank = (tmp_path / "all/values/rank.svg").read_text(encoding="utf-8")
    labels = re.findall(r"<text[^>]*>(.*?)</text>", rank)
    assert labels == ["[0-9]+", "␣", "kyu", "dan", "k", "d", "p", "?", "*"]
    gametree = (tmp_path / "all/sgf/gametree.svg").read_text(encoding="utf-8")
    assert 'href="sequence.svg"' in gametree
    assert "→ empty_tree" in (tmp_path / "all/tolerant/game.svg").read_text(encoding="utf-8")


def test_files_that_cannot_be_written_are_reported(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name in ("svg", "html"):
        result = run("--format", name, "-o", str(tmp_path / "file" / "below"))
        assert result.exit_code == 2
        assert str(tmp_path / "file" / "below") in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("name", ["svg", "html"])
def test_the_extra_is_named(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("sgf_lark.teaching.page", "sgf_lark.teaching.diagrams"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.delattr("sgf_lark.teaching.diagrams", raising=False)
    monkeypatch.setitem(sys.modules, "railroad", None)
    result = run("--format", name, "-o", str(tmp_path / "new"))
    assert result.exit_code == 2
    assert "sgf-lark[teach]" in result.stderr


# --- The page ------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_link_of_the_page_leads_into_it(language: Language, tmp_path: Path) -> None:
    file = tmp_path / "grammar.html"
    assert run("--format", "html", "-o", str(file), "--lang", language).exit_code == 0
    text = file.read_text(encoding="utf-8")
    assert text == page(language)
    identifiers = re.findall(r'\bid="([^"]*)"', text)
    assert len(identifiers) == len(set(identifiers))
    links = re.findall(r'\b(?:href|src)="([^"]*)"', text)
    assert {link for link in links if not link.startswith("#")} == set()
    assert {link[1:] for link in links} <= set(identifiers)
    assert "<script" not in text
    assert "url(" not in text
    assert "@import" not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_every_production_and_property(language: Language) -> None:
    text = page(language)
    # Well-formed as XML but for what HTML writes otherwise.
    root = ElementTree.fromstring(re.sub(r"<!DOCTYPE html>|<meta [^>]*>", "", text))
    articles = {item.attrib["id"]: item for item in root.iter("article")}
    for name in productions.LARK_FILES:
        for rule, production in productions.productions(f"{name}.lark").items():
            if production.is_terminal:
                continue
            article = articles[f"{name}-{rule}"]
            assert article.find(f".//{SVG}svg") is not None
            assert production.text in {"".join(item.itertext()) for item in article.iter("pre")}
    ebnf = root.find(".//section[@id='ebnf']/pre")
    assert ebnf is not None
    assert "".join(ebnf.itertext()) == grammar.source("sgf.ebnf")
    table = root.find(".//section[@id='properties']")
    assert table is not None
    assert len(table.findall(".//tbody/tr")) == len(grammar.properties())
    words = "".join(root.itertext())
    for term in grammar.terms().values():
        if (
            term.name in lark_grammars.rule_trees("sgf.lark")
            or term.name in value_grammar.value_types()
        ):
            assert (term.text_zh if language == "zh" else term.text) in words


def test_the_ebnf_is_next_to_the_equivalent_rule() -> None:
    root = ElementTree.fromstring(re.sub(r"<!DOCTYPE html>|<meta [^>]*>", "", page()))
    for name, rule in [("GameTree", "sgf-gametree"), ("Stone", "values-go_point")]:
        article = root.find(f".//article[@id='{rule}']")
        assert article is not None
        shown = ["".join(item.itertext()) for item in article.findall(".//pre[@class='ebnf']")]
        assert productions.productions("sgf.ebnf")[name].text in shown


# --- Properties ----------------------------------------------------------------------


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_table_has_every_property(form: str) -> None:
    output = run("--properties", "--format", form).stdout
    if form == "json":
        rows = [(row["property"], row["type"], row["games"]) for row in json.loads(output)]
        wanted = [(item.ident, item.type, list(item.games)) for item in grammar.properties()]
        assert sorted(rows) == sorted(wanted)
        return
    for entry in grammar.properties():
        assert re.search(rf"\b{entry.ident}\b.*{re.escape(entry.name)}", output)


@pytest.mark.parametrize("game", [1, 6, 11])
def test_the_table_can_be_of_a_game(game: int) -> None:
    output = run("--properties", "--gm", str(game), "--format", "json").stdout
    idents = sorted(row["property"] for row in json.loads(output))
    wanted = [item for item in grammar.properties() if item.in_game(game)]
    assert idents == sorted(item.ident for item in wanted)


def test_the_table_in_chinese() -> None:
    output = run("--properties", "--lang", "zh").stdout
    assert any(line.split()[:2] == ["AB", "增加黑子"] for line in output.splitlines())


# --- Coverage ------------------------------------------------------------------------


def test_coverage_of_a_file() -> None:
    found = used(b"(;FF[4]GM[1]AB[aa:cc][dd]DT[1996-12-27,28]XX[?];B[];C[a\\]b\\\nc](;W[ee])(;))")
    structure, values = found["sgf.lark"], found["values.lark"]
    assert set(found) == {"sgf.lark", "values.lark"}
    assert structure["collection"] == {"count": 1, "gametree+": 1, "… gametree": 0}
    assert structure["gametree"] == {
        "count": 3,
        '"(" sequence gametree+ ")"': 1,
        '"(" sequence ")"': 2,
        "… gametree": 1,
    }
    assert structure["node"] == {"count": 5, '";" property+': 4, '";"': 1, "… property": 4}
    assert structure["property"]["… propvalue"] == 1
    assert values["go_rectangle"]["count"] == 1
    # Both corners, the stone, and the move.
    assert values["go_point"]["count"] == 4
    assert values["go_move"] == {"count": 2, "go_point": 1, "go_pass": 1}
    assert values["_days"]["NEXT_DAY"] == 1
    assert values["date"]["YEAR_MONTH_DAY _days"] == 1
    # DT is a SimpleText that has a format as well.
    assert values["simpletext"]["count"] == 1
    assert values["_character"] == {
        "count": 6,
        "PLAIN": 4,
        "ESCAPED": 1,
        "SOFT_BREAK": 1,
        "LINE_BREAK": 0,
        "TAB": 0,
        "ESCAPED_TAB": 0,
    }
    assert values["unknown"]["count"] == 1
    assert values["number"]["count"] == 2
    assert values["hex_move"]["count"] == 0


def test_values_are_read_by_the_rules_of_their_game() -> None:
    values = used(b"(;FF[4]GM[6];B[31];W[double]LB[a:x])(;FF[4]GM[11];B[a1])")["values.lark"]
    assert values["backgammon_move"]["CUBE_ACTION"] == 1
    assert values["dice"]["count"] == 0
    assert values["compose"]["count"] == 1
    assert values["backgammon_point"]["count"] == 1
    assert values["hex_move"]["hex_point"] == 1
    assert values["go_move"]["count"] == 0


def test_damaged_files_are_read_by_the_tolerant_grammar() -> None:
    found = used(b"(;FF[4]x;B[aa")
    assert found["sgf.lark"]["collection"]["count"] == 0
    assert found["tolerant.lark"]["unclosed_tree"]["count"] == 1
    assert found["tolerant.lark"]["junk"] == {"count": 1, "JUNK": 1, "JUNK_WORD": 0, "MARKUP": 0}
    assert found["tolerant.lark"]["propvalue"]["UNCLOSED_VALUE"] == 1
    assert found["values.lark"]["go_point"]["count"] == 1


def test_values_that_fit_nothing_are_counted() -> None:
    result = run("--coverage", "-", "--format", "json", data=b"(;FF[4]KM[6,5]LB[zz:a:b][q])")
    document = json.loads(result.stdout)
    assert (document["values"], document["unread"]) == (4, 2)


def test_text_has_the_counts_of_json(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_bytes(b"(;FF[4];B[aa](;W[bb])(;W[cc]))")
    (tmp_path / "b.wei7").write_bytes(b"{}")
    text = run("--coverage", str(tmp_path))
    assert "1 file (0 damaged), 4 values (0 fit no type of their property)" in text.stdout
    assert run("--coverage", str(tmp_path / "b.wei7")).exit_code == 2
    assert re.search(r"^ +3  gametree$", text.stdout, re.MULTILINE)
    assert re.search(r"^ +never  .*\bhex_move\b", text.stdout, re.MULTILINE)


def test_files_that_cannot_be_read_are_reported(tmp_path: Path) -> None:
    result = run("--coverage", str(tmp_path / "none.sgf"), "-", data=b"(;)")
    assert result.exit_code == 2
    assert "none.sgf" in result.stderr
    assert "1 file (" in result.stdout
    result = run("--coverage", str(tmp_path / "none.sgf"))
    assert (result.exit_code, result.stdout) == (2, "")


@cache
def counted() -> coverage.Coverage:
    """The same coverage for all examples: to make one takes time."""
    return coverage.Coverage()


#: Pieces of files, right and wrong.
PIECES = [b"(", b")", b";", b"[", b"]", b"FF[4]", b"GM[11]", b"B[a1]", b"AB[aa:cc]", b"LB[aa:x\\]"]
PIECES += [b"DT[1999-01,02]", b"C[\\", b"VW[]", b"SZ[5:\xff]", b"\xff\xfe", b"b", b"\x00"]


@given(st.one_of(st.lists(st.sampled_from(PIECES)).map(b"".join), st.binary(max_size=80)))
def test_any_bytes_can_be_counted(data: bytes) -> None:
    found = counted()
    before = found.files
    found.add(data)
    assert found.files == before + 1
    assert found.unread <= found.values


def test_each_production_counts_its_alternatives() -> None:
    found = coverage.Coverage()
    for rule in grammar.rules().values():
        for example in rule.bad + rule.good:
            found.add(example.data)
    assert set(found.uses()) == {"sgf.lark", "values.lark", "tolerant.lark"}
    for uses in found.uses().values():
        for use in uses:
            assert use.count == sum(part.count for part in use.alternatives)
