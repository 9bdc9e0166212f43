"""The playground: the answers to the page, its texts, examples and lessons, and the parse tree."""

from __future__ import annotations

import base64
import itertools
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Token

import sgf_lark
from sgf_lark import grammar
from sgf_lark.analysis import Text
from sgf_lark.playground import document, operations
from sgf_lark.playground.document import Document
from sgf_lark.syntax import grammars as lark_grammars
from sgf_lark.syntax.grammars import load_lark
from sgf_lark.syntax.parsing import parse_if_strict
from sgf_lark.syntax.text_ends import brackets_in_values
from sgf_lark.syntax.tolerant import with_inner_brackets
from tests.kit.tables import for_each

FOLDER = Path(operations.__file__).parent
STATIC = FOLDER / "static"
CHINESE = re.compile("[\u4e00-\u9fff]")
BEGIN = operations.begin({})
PARTS = ["summary", "terminals", "selection"]

#: Text that parses, nearly parses, or does not, with characters of all lengths.
TEXTS = st.one_of(
    st.text(max_size=60),
    st.text(st.characters(), max_size=20),
    st.lists(
        st.sampled_from(
            [
                *("(", ";", ")", "[", "]", "\\", "x", ",", "\x00", "\ufeff", "�", "(;", ";;", "\n"),
                *("FF[4]", "GM[1]", "GM[11]", "SZ[9]", "SZ[60]", "CA[GB2312]", "B[aa]", "b[aa]"),
                *("W[tt]", "AB[aa:cc]", "AB[cc:aa]", "LB[dd:围]", "LN[aa:bb]", "C[围棋😀]", "C[é"),
                *("KM[6,5]", "VW[]", "MN[x]", "PB[�]"),
            ]
        ),
        max_size=14,
    ).map("".join),
)


def ask(operation: str, **request: Any) -> dict[str, Any]:
    answer = operations.answer(operation, json.dumps(request))
    assert "error" not in answer, answer
    return answer


def inspect(text: str, place: int = 0, end: int | None = None, **more: Any) -> dict[str, Any]:
    units = len(text.encode("utf-16-le", "surrogatepass")) // 2
    more = {"parts": PARTS, "language": "en", "first": 0, "last": units, **more}
    return ask("inspect", text=text, start=place, end=place if end is None else end, **more)


def part(text: str, span: list[int]) -> str:
    """What JavaScript's slice gives."""
    units = text.encode("utf-16-le", "surrogatepass")
    return units[2 * span[0] : 2 * span[1]].decode("utf-16-le", "surrogatepass")


# --- Places -----------------------------------------------------------------------------


def test_middle_of_a_character_belongs_to_it() -> None:
    offsets = Text("a😀b".encode())
    assert [offsets.units(place) for place in range(7)] == [0, 1, 3, 3, 3, 3, 4]
    assert [offsets.bytes(place) for place in range(5)] == [0, 1, 1, 5, 6]


@given(TEXTS, st.integers(-5, 200), st.integers(0, 20), st.sampled_from(["en", "zh"]))
def test_any_text_has_an_answer_with_places_in_it(
    text: str, place: int, length: int, language: str
) -> None:
    answer = inspect(text, place, place + length, language=language)
    units = len(text.encode("utf-16-le", "surrogatepass")) // 2
    selection, summary, terminals = (answer[name] for name in ("selection", "summary", "terminals"))
    spans = [selection["span"], *(line["span"] for line in selection["tree"])]
    spans += [entry["span"] for entry in selection["values"] + selection["path"]]
    spans += [entry[:2] for entry in terminals]
    spans += [[found["start"], found["end"]] for found in summary["diagnostics"]]
    spans += [[start, start] for start in selection["moves"].values() if start is not None]
    assert all(0 <= start <= end <= units for start, end in spans)
    assert sum(summary["counts"].values()) == len(summary["diagnostics"])
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(terminals))
    punctuation = "".join(part(text, entry[:2]) for entry in terminals if entry[2] == "punctuation")
    assert not set(punctuation) - set("();")
    for line in selection["tree"]:
        if "text" in line and max(line["text"], default="") < "\ud800" and "…" not in line["text"]:
            assert line["text"] == part(text, line["span"])


def test_offsets_after_chinese_text_and_emoji() -> None:
    text = "(;FF[4]GM[1]C[围棋😀😀];B[aa]KM[6,5])"
    answer = inspect(text, text.index("B[aa]") + 2)  # two emoji have two units more
    found = next(entry for entry in answer["summary"]["diagnostics"] if entry["code"] == "SGF415")
    assert part(text, [found["start"], found["end"]]) == "6,5"
    assert part(text, answer["selection"]["span"]) == "B"
    assert part(text, answer["selection"]["nodeSpan"]) == ";B[aa]KM[6,5]"
    kinds = {part(text, entry[:2]): entry[2] for entry in answer["terminals"]}
    assert kinds["[围棋😀😀]"] == "text" and kinds["[aa]"] == "point" and kinds["KM"] == "ident"


# --- Diagnostics ---------------------------------------------------------------------------


@for_each(grammar.rules().values())
def test_edits_of_fixes_are_those_of_fix(rule: grammar.Rule) -> None:
    for example in rule.bad:
        text = example.data.decode("latin-1")
        if not text.isascii():
            continue
        fixed = ask("fix", text=text, language="en")["text"]
        assert fixed.encode() == sgf_lark.fix(text).data
        edits_of_fixes = [found["edits"] for found in inspect(text)["summary"]["diagnostics"]]
        # SGF214 shows bytes of UTF-16, which a text that is typed never is.
        assert any(edits_of_fixes) == (fixed != text) or rule.code == "SGF214"
        for edits in filter(None, edits_of_fixes):
            new = text
            for start, end, replacement in reversed(edits):
                new = new[:start] + replacement + new[end:]
            assert new != text and sorted(edits) == edits


def test_language_is_that_of_messages_and_explanations() -> None:
    answer = inspect("(;FF[4]GM[1]KM[6,5])", 16, language="zh")
    (found,) = answer["summary"]["diagnostics"]
    assert CHINESE.search(found["message"]) and CHINESE.search(found["fix"])
    kinds = [entry["kind"] for entry in answer["selection"]["explanation"]]
    assert kinds == ["rule", "property", "production"]
    for entry in answer["selection"]["explanation"]:
        assert all(CHINESE.search(text) for text in entry["texts"])


# --- Selection -------------------------------------------------------------------------------

GAME = "(;FF[4]GM[1]SZ[9]AB[aa:bb];B[cc]LB[dd:hh](;W[ee];B[ff])(;W[gg]))"


@pytest.mark.parametrize(
    ("place", "names", "node"),
    [
        (0, ["collection", "gametree"], 0),
        (1, ["collection", "gametree", "sequence", "node"], 0),
        (GAME.index("aa"), ["sequence", "node", "property", "propvalue", "BRACKETED_VALUE"], 0),
        (GAME.index(";B[cc]") + 1, ["node", "property", "propident", "UCLETTERS"], 1),
        (GAME.index("gg"), ["sequence", "node", "property", "propvalue", "BRACKETED_VALUE"], 4),
        (GAME.index("(;W[ee]"), ["gametree", "gametree"], 2),
        (GAME.index(")"), ["propvalue", "BRACKETED_VALUE"], 3),
        (GAME.index("(;W[gg]"), ["gametree", "gametree"], 4),
        (len(GAME), ["collection", "gametree"], 4),
    ],
)
def test_path_to_a_place(place: int, names: list[str], node: int) -> None:
    selection = inspect(GAME, place)["selection"]
    path = [entry["name"] for entry in selection["path"]]
    assert path[-len(names) :] == names
    assert selection["node"] == node


def test_every_item_of_the_tree_can_be_chosen() -> None:
    tree = inspect(GAME)["selection"]["tree"]
    assert not {"LPAR", "RPAR", "SEMICOLON"} & {line["name"] for line in tree}
    for line in tree:
        selection = inspect(GAME, item=line["item"])["selection"]
        assert (selection["item"], selection["span"]) == (line["item"], line["span"])


def test_long_tree_shows_the_way_to_the_selection() -> None:
    text = "(;FF[4]GM[1]" + ";B[aa];W[bb]" * 400 + ")"
    selection = inspect(text, text.rindex("B["))["selection"]
    tree = selection["tree"]
    assert len(tree) < 400
    assert any(line.get("left") for line in tree)
    shown = [line["item"] for line in tree if "name" in line]
    assert shown == sorted(shown) and {entry["item"] for entry in selection["path"]} <= {*shown}


def test_only_what_is_shown_of_a_long_text_is_in_the_answer() -> None:
    text = "(;FF[4]GM[1]" + "(;B[aa]KM[6,5];W[bb])" * 3_001 + ")"
    answer = inspect(text, len(text) // 2, first=1000, last=2000)
    assert sum(answer["summary"]["counts"].values()) >= 3_001
    assert len(answer["summary"]["diagnostics"]) == 200
    assert len(json.dumps(answer)) < 150_000


@pytest.mark.parametrize(
    ("place", "goals"),
    [
        ("(;FF", {"next": ";B[cc]", "last": ";B[ff]", "sibling": ";GM[2]"}),
        (";B[cc]", {"first": ";FF", "previous": ";FF", "next": ";W[ee]", "last": ";B[ff]"}),
        (
            ";W[ee]",
            {
                "first": ";FF",
                "previous": ";B[cc]",
                "next": ";B[ff]",
                "last": ";B[ff]",
                "sibling": ";W[gg]",
            },
        ),
        (";W[gg]", {"first": ";FF", "previous": ";B[cc]", "sibling": ";W[ee]"}),
        (";GM[2]", {"next": ";B[zz]", "last": ";B[zz]", "sibling": ";FF"}),
        (";B[zz]", {"first": ";GM[2]", "previous": ";GM[2]"}),
    ],
)
def test_steps_lead_through_the_game_tree(place: str, goals: dict[str, str]) -> None:
    text = GAME + "(;GM[2];B[zz])"
    moves = inspect(text, text.index(place))["selection"]["moves"]
    found = {name: text[start:] for name, start in moves.items() if start is not None}
    assert found.keys() == goals.keys()
    assert all(found[name].startswith(start) for name, start in goals.items())


GRAPH = "(;GM[1];B[aa](;W[bb];C[x](;B[cc])(;B[dd]))(;W[ee]))(;GM[1];B[aa])"


@pytest.mark.parametrize(
    ("node", "branches"),
    [(0, [[0, 0, 0, 0, "-BW-B"], [5, 4, 1, 0, "B"], [6, 2, 2, 0, "W"]]), (8, [[7, 0, 0, 0, "-B"]])],
)
def test_graph_has_a_row_for_each_branch(node: int, branches: list[list[Any]]) -> None:
    assert document.document(GRAPH, "en", "strict").graph(node) == branches


def test_graph_of_too_many_branches_is_left_out() -> None:
    text = "(;GM[1]" + "(;)" * 3001 + ")"
    assert inspect(text)["selection"]["graph"] is None


def test_node_of_the_graph_leads_to_its_text() -> None:
    found = ask("node", text=GRAPH, node=6)
    assert part(GRAPH, found["span"]) == ";W[ee]"
    assert "error" in operations.answer("node", json.dumps({"text": GRAPH, "node": 9}))


def test_step_of_the_parser_is_that_of_the_selection() -> None:
    text = "(;FF[4];B[aa])"
    first, found = ask("trace", text=text, step=0), ask("trace", text=text, start=5)
    assert (first["state"], first["action"], first["count"]) == (0, "shift", found["count"])
    assert part(text, found["span"]) == "[4]" and found["production"] == "propident: UCLETTERS"
    assert [item["is_reason"] for item in found["items"]] == [True]
    assert ask("trace", text=text, step=10**6)["action"] == "accept"
    assert ask("trace", text="", step=0)["action"] == "reduce"  # by tolerant.lark


@pytest.mark.parametrize("unsafe", [False, True])
@pytest.mark.parametrize("profile", ["strict", "interchange"])
def test_fixes_are_those_of_the_profile(unsafe: bool, profile: str) -> None:
    text = "(;FF[4]GM[1]AP[x]HA[1]KM[6,5];B[aa]AW[zz])"
    found = ask("fix", text=text, unsafe=unsafe, profile=profile)
    codes = {each.code for each in sgf_lark.validate(text, profile=profile).diagnostics}
    expected = sgf_lark.fix(text, unsafe=unsafe, select=codes)
    assert (found["text"], found["count"]) == (expected.data.decode(), len(expected.applied))


def test_profile_chooses_the_diagnostics() -> None:
    text = "(;FF[4]GM[1]AP[x]HA[0];B[aa])"
    for profile in ("strict", "interchange", "archive"):
        found = ask("inspect", text=text, parts=["summary"], profile=profile)["summary"]
        assert found["counts"] == sgf_lark.validate(text, profile=profile).counts
    request = {"text": text, "parts": [], "profile": "x"}
    assert "error" in operations.answer("inspect", json.dumps(request))


@pytest.mark.parametrize(
    ("node", "point", "found"),
    [
        (3, "ff", "[ff]"),
        (3, "ee", "[ee]"),
        (3, "ab", "[aa:bb]"),
        (1, "dd", "[dd:hh]"),
        (1, "ee", None),
        (4, "ff", None),
    ],
)
def test_point_leads_to_the_value_that_names_it(node: int, point: str, found: str | None) -> None:
    span = ask("point", text=GAME, language="en", node=node, point=point)["span"]
    assert (span and part(GAME, span)) == found


@pytest.mark.parametrize(
    ("text", "at", "points"),
    [
        ("(;GM[1]SZ[9];B[cc])", "[cc", {"cc"}),
        ("(;GM[1]SZ[9];B[cc])", "B[", set()),
        ("(;GM[1]SZ[9]AB[aa:bb][ee])", "[aa:bb]", {"aa", "ab", "ba", "bb"}),
        ("(;GM[1]SZ[9]LB[aa:bb])", "[aa:", {"aa"}),
        ("(;GM[1]SZ[9]AR[aa:cc])", "[aa:", {"aa", "cc"}),
        ("(;GM[1]SZ[9];B[])", "[]", set()),
        ("(;GM[1]SZ[9]MN[x])", "[x", set()),
        ("(;GM[11]SZ[9];B[c3])", "[c3", {"c3"}),
        ("(;GM[11]SZ[9]AB[zz999999])", "[zz9", set()),
        ("(;GM[1]SZ[9]XY[aa]AB[bb", "bb", {"bb"}),
    ],
)
def test_value_leads_to_the_points_that_it_names(text: str, at: str, points: set[str]) -> None:
    assert {*inspect(text, text.index(at))["selection"]["points"]} == points


def test_production_leads_to_the_nearest_of_that_name() -> None:
    here = inspect(GAME, GAME.index("ee"))["selection"]
    around = ask("production", text=GAME, language="en", item=here["item"], name="node")
    assert part(GAME, around["span"]) == ";W[ee]"
    below = ask("production", text=GAME, language="en", item=0, name="propvalue")
    assert part(GAME, below["span"]) == "[4]"
    assert ask("production", text=GAME, language="en", item=0, name="junk")["item"] is None


@pytest.mark.parametrize(
    ("value", "english", "chinese", "rules"),
    [
        ("B[cd]", "C16 (column 3, row 4)", "C16（第 3 列，第 4 行）", ["go_move"]),
        ("B[id]", "J16 (column 9, row 4)", "J16（第 9 列，第 4 行）", ["go_move"]),
        ("B[]", "pass", "停一手", ["go_move"]),
        ("KO[]", "nothing", "空", ["none"]),
        ("DD[]", "nothing", "空", ["none"]),
        ("PL[W]", "White", "白", ["color"]),
        ("TE[2]", "2 (emphasized)", "2 (强调)", ["double"]),
        ("V[1.50]", "1.5", "1.5", ["real"]),
        ("KM[6.5]", "6.5", "6.5", ["komi"]),
        ("SZ[9:7]", "9 : 7", "9 : 7", ["size"]),
        ("C[a\\] b]", "a] b", "a] b", ["text"]),
        (
            "LB[aa:x]",
            "A19 (column 1, row 1) : x",
            "A19（第 1 列，第 1 行） : x",
            ["compose", "go_point", "simpletext"],
        ),
        ("TB[aa:bc]", "6 points: from A19 to B17", "6 个点：从 A19 到 B17", ["go_rectangle"]),
        ("DT[1994-03-12,13]", "1994-03-12, 1994-03-13", "1994-03-12, 1994-03-13", ["date"]),
        ("BR[九段]", "九段", "九段", ["rank"]),
        ("MN[x]", "does not follow the type", "不符合类型", ["number"]),
        (
            "XY[x]",
            "kept as it is: no property of this name is known",
            "按原样保留：没有这个名称的属性",
            ["unknown"],
        ),
    ],
)
def test_value_in_words(value: str, english: str, chinese: str, rules: list[str]) -> None:
    for language, words in (("en", english), ("zh", chinese)):
        (found,) = inspect(f"(;FF[4]GM[1];{value})", 13, language=language)["selection"]["values"]
        assert (found["result"], list(found["rules"])) == (words, rules)
        assert found["ident"] + f"[{found['raw']}]" == value
        assert found["fits"] is (value != "MN[x]")
        assert set(rules) <= BEGIN["values"].keys()


@pytest.mark.parametrize("file", ["sgf.lark", "values.lark"])
def test_diagram_shows_every_symbol_of_its_rule(file: str) -> None:
    drawn = BEGIN["structure" if file == "sgf.lark" else "values"]
    rules = lark_grammars.rule_trees(file)
    assert list(drawn) == [name for name in rules if not name.startswith("_")]
    for name, svg in drawn.items():
        root = ElementTree.fromstring(svg)
        shown = {
            element.get("data-symbol") for element in root.iter() if element.get("data-symbol")
        }
        assert shown == set(symbols(name, rules))
        assert float(root.get("width", "")) > 20 and not re.search(
            r"\sstyle=|<style|<script|\shref", svg
        )


def symbols(name: str, rules: dict[str, Any]) -> Iterator[str]:
    """The rules and terminals in a rule, those of the parts it is written in included."""
    for token in rules[name].scan_values(lambda item: True):
        if getattr(token, "type", "") == "STRING":
            yield token[1:-1]
        elif not lark_grammars.is_operator(token):
            symbol = str(getattr(token, "name", token))
            yield from symbols(symbol, rules) if symbol.startswith("_") else [symbol]


def test_board_follows_the_node_and_the_theme() -> None:
    light, dark = (inspect(GAME, len(GAME) - 3, dark=dark)["selection"] for dark in (False, True))
    assert light["board"].startswith("<svg") and light["board"] != dark["board"]
    assert 'data-point="gg"' in light["board"] and "style" not in light["board"]
    assert (light["move"], light["toMove"]) == (2, "B")
    assert inspect("(;GM[6]FF[4])")["selection"]["noBoard"] == "noBoard"
    assert inspect("")["selection"]["noBoard"] == "noNode"


# --- Requests --------------------------------------------------------------------------------


def test_long_text_is_refused_with_the_limit() -> None:
    for text in ("x" * (document.LIMIT + 1), "围" * (document.LIMIT // 3 + 1)):
        answer = operations.answer("inspect", json.dumps({"text": text, "parts": PARTS}))
        assert answer == {"error": "too-large", "limit": document.LIMIT}
    body = json.dumps({"base64": base64.b64encode(b"x" * (document.LIMIT + 1)).decode()})
    assert operations.answer("load", body)["error"] == "too-large"


@pytest.mark.parametrize(
    ("operation", "body"),
    [
        ("inspect", "{"),
        ("inspect", "[]"),
        ("inspect", '{"text": ' + "1" * 9999 + "}"),
        ("inspect", "[" * 100_000),
        ("inspect", "{}"),
        ("inspect", '{"text": 1, "parts": []}'),
        ("inspect", '{"text": "", "parts": [], "language": "de"}'),
        ("inspect", '{"text": "", "parts": ["selection"], "start": "x"}'),
        ("inspect", '{"text": "", "parts": ["selection"], "start": true}'),
        ("point", '{"text": "(;)", "node": 7, "point": "aa"}'),
        ("point", '{"text": "(;)", "node": 0, "point": "?"}'),
        ("point", '{"text": "(;)", "node": 0, "point": "围"}'),
        ("production", '{"text": "(;)", "item": -1, "name": "node"}'),
        ("load", '{"base64": "?"}'),
        ("load", '{"base64": "é"}'),
        ("delete", "{}"),
    ],
)
def test_nonsense_is_refused_with_a_reason(operation: str, body: str) -> None:
    answer = operations.answer(operation, body)
    assert answer["error"] == "bad-request" and answer["reason"]


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "gb18030", "utf-16", "shift_jis"])
def test_file_is_read_in_its_charset(codec: str) -> None:
    charset = codec.removesuffix("-sig")
    text = f"(;FF[4]GM[1]CA[{charset}]PB[表示]C[囲碁])"
    encoded = base64.b64encode(text.encode(codec)).decode()
    assert ask("load", base64=encoded)["text"].removeprefix("\ufeff") == text


@given(st.binary(max_size=40))
def test_any_file_can_be_opened(data: bytes) -> None:
    text = ask("load", base64=base64.b64encode(data).decode())["text"]
    assert {*PARTS} <= inspect(text).keys()


# --- Words, examples, lessons -------------------------------------------------------------------


def sources() -> str:
    files = [*STATIC.rglob("*.js"), STATIC / "index.html", FOLDER / "selection.py"]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def test_page_says_everything_in_both_languages() -> None:
    words = BEGIN["words"]
    text = sources()
    used = set(re.findall(r'data-(?:word|label)="(\w+)"|\bword\("(\w+)"', text))
    assert {name for pair in used for name in pair if name} <= words.keys()
    for key, entry in words.items():
        assert entry.keys() == {"en", "zh"} and entry["en"] and not CHINESE.search(entry["en"])
        assert CHINESE.search(entry["zh"]) or entry["zh"] == entry["en"] == "SGF"
        assert set(re.findall(r"\{\w+\}", entry["en"])) == set(re.findall(r"\{\w+\}", entry["zh"]))
        name = re.sub("^(theme|profile)_", "", key)
        name = "step_" if key.startswith("step_") else name
        assert re.search(rf"""["'`\s{{]{name}""", text), f"{key} is not used"


@pytest.mark.parametrize("example", BEGIN["examples"], ids=lambda example: example["title"])
def test_example(example: dict[str, str]) -> None:
    assert CHINESE.search(example["title_zh"]) and not CHINESE.search(example["title"])
    assert example["at"] in example["sgf"]
    report = sgf_lark.validate(example["sgf"])
    assert report.ok is (example["title"] != "A damaged file")
    assert not report.counts["warning"]


def test_tour_goes_through_the_groups_of_rules() -> None:
    lessons = BEGIN["lessons"]
    assert len(lessons) == 12
    groups = {code[:4] for lesson in lessons for code in lesson["codes"]}
    assert {"SGF1", "SGF2", "SGF3", "SGF4", "SGF5", "SGF6", "SGF8"} <= groups


@pytest.mark.parametrize("lesson", BEGIN["lessons"], ids=lambda lesson: lesson["title"])
def test_lesson_can_be_done(lesson: dict[str, Any]) -> None:
    broken = [found.code for found in sgf_lark.validate(lesson["start"]).diagnostics]
    assert {*lesson["codes"]} <= {*broken}
    report = sgf_lark.validate(lesson["solution"])
    assert report.counts["error"] == report.counts["warning"] == 0
    assert not {*lesson["codes"]} & {found.code for found in report.diagnostics}
    assert lesson["keep"] and all(part in lesson["solution"] for part in lesson["keep"])
    for key in ("title", "text", "hint"):
        assert CHINESE.search(lesson[f"{key}_zh"]) and not CHINESE.search(lesson[key])


def test_page_has_nothing_inline() -> None:
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"\sstyle=|\son\w+=|<style|<script(?![^>]*src)|https?:", page)
    assert tomllib.loads((FOLDER / "words.toml").read_text(encoding="utf-8")) == BEGIN["words"]


# --- The parse tree: the same as that of Lark's own parser ----------------------------


PUNCTUATION = {"LPAR", "RPAR", "SEMICOLON"}
Item = tuple[str, int, int, int]

#: Parts of texts, so that intact regions and damage of all kinds are next to each other.
PARTS_OF_TEXTS = ["(", ";", ")", "[", "]", "\\", "x", "X", ",", "\x00", "\n", "é", "9", "(;", ")("]
INTACT = [
    "b[aa]",
    "(;FF[4]GM[1])",
    "(;B[aa](;W[bb];B[cc][dd])(;W[ee]))",
    ";B[aa]W[bb];",
    "C[a\\]b]",
    "GM[1]",
]
REGIONS_OF_TEXTS = st.lists(st.sampled_from(PARTS_OF_TEXTS + INTACT), max_size=14).map("".join)
EXAMPLES = [
    example.data for rule in grammar.rules().values() for example in rule.bad[:2] + rule.good[:1]
]


def by_lark(data: bytes) -> list[Item]:
    """The items, each with the number of its parent."""
    is_strict = parse_if_strict(data) is not None
    inner = [] if is_strict else brackets_in_values(data)
    text = with_inner_brackets(data, inner)
    root = load_lark("strict" if is_strict else "tolerant").parse(text)
    items: list[tuple[str, int]] = []
    covered: list[list[int]] = []
    stack: list[tuple[Any, int]] = [(root, -1)]
    while stack:
        item, parent = stack.pop()
        if isinstance(item, Token):
            start = item.start_pos or 0
            if item.type not in PUNCTUATION:
                items.append((item.type, parent))
                covered.append([])
                parent = len(items) - 1
            while parent >= 0:
                covered[parent] += [start, start + len(item)]
                parent = items[parent][1]
        else:
            items.append((item.data, parent))
            covered.append([])
            stack += [(child, len(items) - 1) for child in reversed(item.children)]
    return [
        (str(name), min(places, default=0), max(places, default=0), parent)
        for (name, parent), places in zip(items, covered, strict=True)
    ]


def assert_tree_of_lark(data: bytes) -> None:
    found = Document(data.decode("utf-8", "replace"), "en", "strict")
    tree = found.syntax
    items = by_lark(found.collection.file.decoding.data)
    assert [item[:4] for item in tree] == items
    for number, item in enumerate(tree):
        below = [other for other in range(len(items)) if number in tree.path(other)]
        assert item.last == below[-1] and below == list(range(number, item.last + 1))
        assert item.depth == len(tree.path(number)) - 1


@given(REGIONS_OF_TEXTS)
def test_parse_tree_is_that_of_lark(text: str) -> None:
    assert_tree_of_lark(text.encode())


@for_each(EXAMPLES)
def test_parse_tree_of_examples_is_that_of_lark(data: bytes) -> None:
    assert_tree_of_lark(data)
