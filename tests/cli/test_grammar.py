"""``sgf-lark grammar``: texts, diagrams and the page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree

import pytest
from click.testing import Result

from sgf_lark import grammar
from sgf_lark.cli import grammar as command
from sgf_lark.diagnostics import Language
from sgf_lark.syntax import grammars as lark_grammars
from sgf_lark.syntax import grammars as value_grammar
from sgf_lark.teaching import diagrams, productions
from sgf_lark.teaching.page import page
from tests.kit.commands import invoke
from tests.kit.tables import for_each

SVG = "{http://www.w3.org/2000/svg}"
LANGUAGES: tuple[Language, ...] = get_args(Language)


def run(*options: str, data: bytes = b"") -> Result:
    return invoke("grammar", *options, stdin=data)


# --- Texts ---------------------------------------------------------------------------


def test_the_names_of_grammars_are_those_of_the_data() -> None:
    assert command.LARK == productions.LARK_FILES


def test_texts_are_those_of_the_files() -> None:
    assert run().stdout == grammar.source("sgf.ebnf")
    for name in productions.LARK_FILES:
        assert run("--lark", name).stdout == grammar.source(f"{name}.lark")


@for_each(productions.LARK_FILES)
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
        ("--lark", "sgf", "--format", "html"),
        ("x.sgf",),
        ("--states", "--words", "3"),
        ("--states", "--format", "html"),
        ("--format", "json"),
    ],
)
def test_options_without_effect_are_refused(options: tuple[str, ...]) -> None:
    assert run(*options).exit_code == 2


# --- Diagrams ------------------------------------------------------------------------


def test_every_production_has_a_diagram_that_leads_to_others() -> None:
    found: dict[str, dict[str, str]] = {}
    for name in productions.LARK_FILES:
        rules = set(map(str, lark_grammars.rule_trees(f"{name}.lark")))
        found[name] = diagrams.productions(f"{name}.lark", {rule: rule for rule in rules}.get)
        assert set(found[name]) == rules
        for picture in found[name].values():
            root = ElementTree.fromstring(picture)
            assert root.tag == f"{SVG}svg"
            assert float(root.attrib["width"]) > 10 < float(root.attrib["height"])
            assert all(link.attrib["href"] in rules for link in root.iter(f"{SVG}a"))
    labels = re.findall(r"<text[^>]*>(.*?)</text>", found["values"]["rank"])
    assert labels == ["[0-9]+", "␣", "kyu", "dan", "k", "d", "p", "?", "*"]
    assert 'href="sequence"' in found["sgf"]["gametree"]
    assert "→ empty_tree" in found["tolerant"]["game"]


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


@for_each(LANGUAGES)
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
