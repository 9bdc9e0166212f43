"""``sgf-lark explain``, and the messages of ``check`` in Chinese."""

from __future__ import annotations

import re
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import grammar
from sgf_lark.cli import terminal
from sgf_lark.cli.options import known_names
from sgf_lark.syntax import grammars as lark_grammars
from sgf_lark.syntax import grammars as value_grammar
from sgf_lark.teaching.facts import value_examples
from sgf_lark.teaching.productions import productions
from tests.kit.commands import invoke
from tests.kit.tables import for_each

CHINESE = re.compile("[\u4e00-\u9fff]")
RULES = list(grammar.rules().values())
IDENTS = sorted({entry.ident for entry in grammar.properties()})


explain = partial(invoke, "explain")


def test_everything_is_explained_in_both_languages() -> None:
    names = [*(rule.code for rule in RULES), *IDENTS, *grammar.terms()]
    assert set(names) <= set(known_names())
    assert {"go_rectangle", "missing_semicolon", "date", "UCLETTERS"} <= set(known_names())
    english, chinese = explain(*known_names()), explain("--lang", "zh", *known_names())
    assert english.exit_code == chinese.exit_code == 0
    for rule in RULES:
        assert f"{rule.code} {rule.name}\n" in english.stdout
        assert rule.fix in english.stdout and rule.fix_zh in chinese.stdout
    for entry in grammar.properties():
        assert f"{entry.ident} {entry.name}\n" in english.stdout
        assert f"{entry.ident} {entry.name_zh}\n" in chinese.stdout
    for term in grammar.terms().values():
        assert f"{term.name}: {term.title}\n" in english.stdout
        assert f"{term.name}：{term.title_zh}\n" in chinese.stdout


@for_each(grammar.terms().values())
def test_term_is_complete(term: grammar.Term) -> None:
    for text in (term.title_zh, term.text_zh):
        assert CHINESE.search(text)
    assert term.text.endswith(".") and not CHINESE.search(term.text + term.title)


def test_every_type_of_a_value_has_a_term() -> None:
    used = {
        kind
        for entry in grammar.properties()
        for alternative in entry.alternatives
        for kind in (alternative.first, alternative.second)
        if kind
    }
    terms = grammar.terms()
    assert used <= terms.keys()
    rules = {rule.origin.name for rule in lark_grammars.structure_parser().rules}
    productions = {name for name, term in terms.items() if term.kind == "production"}
    assert productions == {str(name) for name in rules if not name.startswith("_")}


def test_examples_are_run() -> None:
    lines = explain("SGF406").stdout.splitlines()
    at = next(i for i, line in enumerate(lines) if "breaks the rule" in line)
    assert lines[at + 1].strip().startswith("1:16 SGF406 SZ[19:19] is square")
    at = next(i for i, line in enumerate(lines) if "keeps the rule" in line)
    assert lines[at + 1].strip() == "says nothing"


def test_property_of_several_games_is_explained_for_each() -> None:
    text = explain("AS").stdout
    assert text.count("AS ") >= 2 and "Lines of Action" in text and "Octi" in text


def test_private_and_unsupported_properties_name_the_program() -> None:
    assert "no standard, but of the program: MultiGo" in explain("MULTIGOGM").stdout
    assert "非标准，专用于软件：MultiGo" in explain("--lang", "zh", "MULTIGOGM").stdout
    for ident in ("KO", "OT", "SL", "ST", "VW"):
        assert "not supported by: MultiGo" in explain(ident).stdout
    assert "MultiGo" not in explain("CR").stdout


def test_productions_of_values_and_damage() -> None:
    shown = explain("octi_move", "missing_semicolon", "date").stdout
    for piece in (
        "octi_play (COMMA octi_play)*",
        "games: Octi",
        "SGF103",
        "properties with it: DT",
    ):
        assert piece in shown


def test_unknown_name_is_refused_with_a_hint() -> None:
    result = explain("gametre")
    assert result.exit_code == 2 and "did you mean gametree" in result.stderr
    assert explain("qwxyz123").exit_code == 2


# --- Messages in Chinese ---------------------------------------------------------------


@for_each(RULES)
def test_messages_are_chinese_throughout(rule: grammar.Rule) -> None:
    for example in rule.bad:
        found = sgf_lark.validate(
            example.data, charset_mode=example.charset_mode, language="zh", select=(rule.code,)
        ).diagnostics
        own = [item for item in found if item.code == rule.code]
        assert own
        for item in own:
            assert CHINESE.search(item.message) and CHINESE.search(item.fix or "")
            # Nothing of an English sentence: identifiers, values and codes alone.
            quoted = re.sub(r"\[[^\]]*\]|“[^”]*”|\"[^\"]*\"", "", item.message)
            assert not re.search(
                r"\b(?:a(?! 至)|an|the|of|is|or|and|to|text|point|number)\b", quoted
            )


def test_check_reports_in_chinese() -> None:
    result = invoke("check", "--lang", "zh", "-", stdin=b"(;FF[4]GM[1]KM[x])")
    assert "错误 SGF415 komi: KM[x]" in result.stdout
    assert "修正：" in result.stdout and "共 1 个文件：1 个有错误" in result.stdout
    assert "help" not in result.stdout and "severity" not in result.stdout


@given(st.text(st.sampled_from("ab 棋手，。；）"), max_size=80), st.integers(8, 40))
def test_no_line_begins_with_a_mark_that_ends_something(text: str, width: int) -> None:
    lines = terminal.wrapped(text, width)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(terminal.cell_width(line) <= width for line in lines)
    for line, before in zip(lines[1:], lines, strict=False):
        assert line[:1] not in {*"，。；）"} or before[-1:] in {*"，。；）"}


@for_each(["PropValue", "propvalue", "PROPVALUE"])
def test_production_is_found_as_the_ebnf_writes_it(name: str) -> None:
    text = explain(name).stdout
    assert 'sgf.ebnf: PropValue = "["' in text and "sgf.lark: propvalue:" in text


def test_everything_in_the_ebnf_is_explained() -> None:
    for name in productions("sgf.ebnf"):
        assert f"sgf.ebnf: {name} " in re.sub(" +", " ", explain(name).stdout)


@for_each(["date", "result", "point", "number", "real", "double", "none"])
def test_type_has_values_that_it_takes_and_others(name: str) -> None:
    taken, others = value_examples(name)
    assert taken and others
    rule = {"point": "go_point"}.get(name, name)
    for items, fits in ((taken, True), (others, False)):
        for item in items:
            raw = item.text[1:-1].encode()
            assert (value_grammar.pattern(rule).fullmatch(raw) is not None) is fits


@for_each([("en", "Properties"), ("zh", "属性")])
def test_all_names_are_listed(language: str, heading: str) -> None:
    text = explain("--lang", language).stdout
    assert f"\n{heading} ({len(IDENTS)})\n" in text
    words = {*re.findall(r"[\w-]+", re.sub(r"\n *", " ", text))}
    assert {rule.code for rule in RULES} | {*IDENTS} | {"date", "PropValue", "go_move"} <= words
