"""The rule catalogue: every example is run, every rule is complete."""

from __future__ import annotations

import re
import string
import tomllib
from pathlib import Path
from typing import Any

import sgf_lark
from sgf_lark import grammar
from sgf_lark.diagnostics import Severity
from sgf_lark.fuzz.violations import UNREACHABLE
from sgf_lark.grammar import Example
from sgf_lark.rules import load_rules
from sgf_lark.rules.registry import RULES
from tests.kit.tables import for_each

ROOT = Path(__file__).parents[2]

#: The keys that every rule has, those in Chinese with a Chinese character.
TEXTS = ("message", "summary", "source", "explanation", "fix")
CHINESE_TEXTS = ("message_zh", "summary_zh", "explanation_zh", "fix_zh")
HAN = re.compile("[\u4e00-\u9fff]")

RULE_LIST = list(grammar.rules().values())
BAD = [(rule.code, example) for rule in RULE_LIST for example in rule.bad]
GOOD = [(rule.code, example) for rule in RULE_LIST for example in rule.good] + [
    (permission.name, example)
    for permission in grammar.permissions()
    for example in permission.good
]


def code_of(name: str, example: Example) -> str:
    """The code of the rule, or the name of the permission, that has the example."""
    return name


def report(example: Example, code: str = "") -> sgf_lark.Report:
    """The report of an example; a rule that is off in every profile has to be selected."""
    select = sorted(grammar.codes()) if code in grammar.on_request() else None
    return sgf_lark.validate(example.data, charset_mode=example.charset_mode, select=select)


@for_each(BAD, by=code_of)
def test_bad_example_yields_exactly_its_code(code: str, example: Example) -> None:
    assert {found.code for found in report(example, code).diagnostics} == {code, *example.also}


@for_each(GOOD, by=code_of)
def test_good_example_yields_nothing_but_the_notes_it_lists(name: str, example: Example) -> None:
    found = report(example, name)
    assert found.ok and {each.code for each in found.diagnostics} == set(example.also)


def test_every_rule_has_an_example_that_violates_it() -> None:
    without = {rule.code for rule in RULE_LIST if not rule.bad}
    # Hints on conforming files show theirs among the good examples.
    shown = {code for rule in RULE_LIST for example in rule.good for code in example.also}
    shown |= {code for entry in grammar.permissions() for ex in entry.good for code in ex.also}
    missing = without - shown - UNREACHABLE.keys()
    assert not missing, f"rules.toml has no example in `bad` for {', '.join(sorted(missing))}"


def test_every_rule_function_has_its_own_code_of_the_catalogue() -> None:
    load_rules()
    registered = [entry.code for scope in RULES.values() for entry in scope]
    assert set(registered) <= set(grammar.rules())
    assert len(registered) == len(set(registered))


def test_rules_are_called_in_one_order_whatever_module_is_imported_first() -> None:
    load_rules()
    orders = {scope: list(rules) for scope, rules in RULES.items()}
    for rules in RULES.values():
        rules.sort(key=lambda rule: rule.function.__module__)
    assert orders != RULES
    load_rules.__wrapped__()
    assert orders == RULES


@for_each(RULE_LIST)
def test_rule_is_complete(rule: grammar.Rule) -> None:
    assert set(rule.severity) == {"strict", "interchange", "archive"}
    assert set(rule.severity.values()) <= {*map(str, Severity), "off"}
    incomplete = [
        *(key for key in TEXTS if not getattr(rule, key).strip()),
        *(key for key in CHINESE_TEXTS if not HAN.search(getattr(rule, key))),
    ]
    assert not incomplete, f"{rule.code} in rules.toml needs a text for: {', '.join(incomplete)}"
    assert len(rule.fix) <= 110, f"the `fix` of {rule.code} has more than 110 characters"
    fields = [
        {name for _, name, _, _ in string.Formatter().parse(text) if name}
        for text in (rule.message, rule.message_zh)
    ]
    assert fields[0] == fields[1]


def test_codes_are_in_order_and_names_unique() -> None:
    listed = [rule.code for rule in RULE_LIST]
    assert listed == sorted(listed)
    names = [rule.name for rule in RULE_LIST] + [entry.name for entry in grammar.permissions()]
    assert len(names) == len(set(names))


# --- Sources ----------------------------------------------------------------------------------

DOCUMENTS = {row["name"]: row for row in tomllib.loads(grammar.source("sources.toml"))["document"]}
SOURCES = [(rule.code, rule.source) for rule in RULE_LIST] + [
    (permission.name, permission.source) for permission in grammar.permissions()
]


def headings(document: dict[str, Any]) -> set[str]:
    """The headings of a document: the listed ones, and the properties of its games."""
    found = set(document.get("headings", ()))
    if "games" in document:
        found |= {
            definition.ident
            for definition in grammar.properties()
            if list(definition.games) == document["games"]
        }
    return found


@for_each(SOURCES)
def test_each_source_is_a_heading_of_a_document(name: str, source: str) -> None:
    for cited in source.split("; "):
        document, *cited_headings = cited.split(", ")
        assert document in DOCUMENTS, f"sources.toml has no document {document!r}"
        assert set(cited_headings) <= headings(DOCUMENTS[document]), cited


def test_what_only_a_program_or_guide_asks_for_is_a_style_note() -> None:
    more = {}
    for rule in RULE_LIST:
        # A document that is not listed is the matter of the test above.
        documents = {cited.split(", ")[0] for cited in rule.source.split("; ")} & DOCUMENTS.keys()
        if documents and not any(DOCUMENTS[name].get("mandatory", True) for name in documents):
            reasons = {code for name in documents for code in DOCUMENTS[name].get("exceptions", ())}
            if (rule.severity["strict"] != "style") != (rule.code in reasons):
                more[rule.code] = rule.severity["strict"]
    assert not more


def test_messages_have_all_their_values() -> None:
    """No message shows the name of a placeholder, or None in place of a value."""
    for _, example in BAD:
        for found in report(example).diagnostics:
            template = grammar.rule(found.code).message
            fields = {name for _, name, _, _ in string.Formatter().parse(template) if name}
            for word in (f"{{{name}}}" for name in fields):
                assert word not in found.message
            if "None" not in template and b"None" not in example.data:
                assert "None" not in found.message


# --- Chinese ----------------------------------------------------------------------------------

#: Terms with a wrong or second meaning -> the term that is used everywhere.
CHINESE_TERMS = {
    "集合|棋谱集|合集": "对局集",
    "弃权": "停一手",
    "简单文本|简短文本": "单文本",
    "复合值": "组合值",
    "双值": "程度值",
    "势力范围|地盘": "地域",
    "主分支": "主线",
    "拿掉": "提走, 撤掉",
    "X ?形记号": "X 形标记",
    "倍增骰": "加倍骰",
    "变虚": "变暗",
    "缺省": "默认",
    "声音": "音频",
    "阅读程序|读取程序": "阅读器",
    "可靠的修正": "安全的修正",
    "智能棋谱格式": "智能游戏格式",
    "铁路图": "语法图",
    "附加项": "可选依赖",
    "严重程度": "级别",
    "一步走子|步走子": "一手棋",
    "让子棋.{0,6}(摆放|写成)": "让子",
    "登记": "注册",
    "圆形": "圆圈",
    "受损": "损坏",
    "(?<!西洋)双陆棋": "西洋双陆棋",
    "写入程序": "生成文件的程序",
    "该游戏的": "该棋类的",
    "标记之间|标记（token）": "语法单位",
}
CHINESE_FILES = [
    *(ROOT / "grammar").glob("*.toml"),
    *(ROOT / "sgf_lark").glob("*/*.toml"),
    *(ROOT / "docs").rglob("*.zh.md"),
    *(ROOT / "docs" / "site").glob("*.py"),
    ROOT / "docs" / "site" / "mkdocs.yml",
    *(ROOT / "sgf_lark").rglob("*.py"),
]


def test_one_chinese_term_for_one_thing() -> None:
    """Texts of files that list what people write, in informal.toml, are not ours."""
    wrong = re.compile("|".join(CHINESE_TERMS))
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in CHINESE_FILES
        if path.name not in ("informal.toml", "languages.toml")
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if wrong.search(line)
    ]
    assert not found, CHINESE_TERMS


def test_chinese_messages_have_the_blanks_and_marks_of_chinese_text() -> None:
    """No blank between Chinese words, one before and after Latin ones, no half-width marks."""
    han = "[\u4e00-\u9fff]"
    wrong = re.compile(f"{han} {han}|{han}[A-Za-z0-9]|[A-Za-z0-9]{han}|{han}[,:;\"']")
    quoted = re.compile("“[^”]*”|\\[.*?\\]")
    found = {}
    for _, example in BAD:
        made = sgf_lark.validate(example.data, charset_mode=example.charset_mode, language="zh")
        for diagnostic in made.diagnostics:
            if wrong.search(quoted.sub("", diagnostic.message)):
                found[diagnostic.code] = diagnostic.message
    for rule in RULE_LIST:
        for text in (rule.summary_zh, rule.explanation_zh, rule.fix_zh):
            if wrong.search(quoted.sub("", text)):
                found[rule.code] = text
    assert not found


# --- English ----------------------------------------------------------------------------------

#: Phrases that are not idiomatic or not American -> what to write.
ENGLISH_PHRASES = {
    r"\bif need be\b": "optionally",
    r"\bstands?\b(?! for)": "is, appears",
    r"\bbehind\b": "after",
    r"\balone\b": "only",
    r"from \d on\b": "of at least",
    r"\bbelongs? into\b": "belongs in",
    r"nothing has to be done": "no action needed",
    r"emphasised|[Jj]udgement": "emphasized, judgment",
    r"\bbest (?:have|are|count)\b|\bis best a\b": "should preferably",
    r"\bnought\b": "zero",
    r"(?<!here )is no (?!action)": "is not a valid",
}


def english_texts() -> list[tuple[str, str]]:
    """The English texts of the grammar files and of the playground, and the lines of the pages,
    each with its place."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    lines = [
        (f"{path.relative_to(ROOT)}:{number}", row)
        for path in pages
        if not path.name.endswith(".zh.md")
        for number, row in enumerate(path.read_text("utf-8").splitlines(), 1)
    ]
    folders = ROOT / "grammar", ROOT / "sgf_lark" / "playground"
    line = re.compile(r'(?:name|title|message|summary|explanation|fix|text|hint|range) = "(.*)"')
    return lines + [
        (f"{path.name}:{number}", match[1])
        for folder in folders
        for path in folder.glob("*.toml")
        for number, row in enumerate(path.read_text("utf-8").splitlines(), 1)
        if (match := line.fullmatch(row))
    ]


def test_english_texts_are_idiomatic() -> None:
    found = {
        place: (match[0], meant)
        for place, text in english_texts()
        for phrase, meant in ENGLISH_PHRASES.items()
        if (match := re.search(phrase, text))
    }
    assert not found
