"""wei7: every item of the document, its JSON Schema, and texts that are not wei7."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sgf_lark import wei7
from sgf_lark.fuzz.strategies import grammatical
from sgf_lark.grammar import Rule
from sgf_lark.wei7.json_text import NotJSONError, parse
from sgf_lark.wei7.rules import Example, examples, rules
from tests.cli.test_check import SCHEMA
from tests.kit.commands import invoke
from tests.kit.tables import for_each

CHINESE = re.compile("[\u4e00-\u9fff]")
RULES = list(rules().values())
VALIDATOR = jsonschema.Draft202012Validator(wei7.schema())

#: Rules that no schema can express: they are about the text and not its value, about
#: the calendar, or about several values in different objects.
BEYOND_A_SCHEMA = {
    *("WEI001", "WEI002", "WEI003", "WEI004", "WEI207", "WEI208", "WEI213"),
    *("WEI301", "WEI302", "WEI303", "WEI304", "WEI306", "WEI307"),
}
#: No errors: what the document only advises.
ADVICE = {"WEI003", "WEI308", "WEI309"}

GOOD = [example for example in examples() if not example.codes]
BAD = [example for example in examples() if example.codes]
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)
_NAMES = (
    "format version size info tree title pre steps branches stones problem marks comment action "
    "type value color point x y participants players participant rules komi result winner margin "
    "time actor symbol"
)
NAMES = st.sampled_from(_NAMES.split())
LIKE_WEI7 = st.recursive(
    st.none()
    | st.integers(-2, 20)
    | st.sampled_from(["wei7", "3.0", "move", "takeback", "result"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=5),
    max_leaves=25,
)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_rule_is_complete(rule: Rule) -> None:
    assert len(rule.fix) <= 110
    for text in (rule.message_zh, rule.summary_zh, rule.explanation_zh, rule.fix_zh):
        assert CHINESE.search(text)
    for text in (rule.message, rule.summary, rule.explanation, rule.fix):
        assert text and not CHINESE.search(text)
    fields = [set(re.findall(r"{\w+}", text)) for text in (rule.message, rule.message_zh)]
    assert fields[0] == fields[1]


MORE = [
    (b'\xef\xbb\xbf{"format":"wei7","version":"3.0","tree":{}}', ["WEI003"]),
    (
        b'{"format":"wei7","version":"3.0","tree":{},"info":{"result":{"winner":null,"margin":1}}}',
        ["WEI309"],
    ),
    # A huge board is no reason to fail, nor are huge numbers.
    (b'{"format":"wei7","version":"3.0","tree":{},"size":1000000000}', []),
    (b'{"format":"wei7","version":"3.0","tree":{},"size":1e999}', ["WEI203"]),
    (b'{"format":"wei7","version":"3.0","tree":{},"size":' + b"9" * 9000 + b"}", ["WEI203"]),
    (b'{"format":"wei7","version":"3.0","tree":{},"size":9.0}', []),
    *(
        (b'{"format":"wei7","version":"3.0","tree":{},"info":{"time":"%s"}}' % time, codes)
        for time, codes in [
            (b"2012-06-30T23:59:60Z", []),
            (b"2012-06-30T23:59:60.5Z", []),
            (b"2012-06-30T22:59:60Z", ["WEI213"]),
            (b"2012-06-30T23:59:61Z", ["WEI213"]),
            (b"2012-06-30T24:00Z", []),
            (b"2012-06-30T24:00:00.000Z", []),
            (b"2012-06-30T24:00:01Z", ["WEI213"]),
            (b"2012-06-30T24:01Z", ["WEI213"]),
            (b"0000-02-29T00:00Z", []),
            (b"0000-02-30T00:00Z", ["WEI213"]),
            (b"1900-02-29T00:00Z", ["WEI213"]),
        ]
    ),
    (b"\x00", ["WEI001"]),
]


@pytest.mark.parametrize(("data", "expected"), MORE)
def test_more_texts(data: bytes, expected: list[str]) -> None:
    assert [found.code for found in wei7.validate(data).diagnostics] == expected


def test_every_rule_is_shown() -> None:
    shown = {code for example in examples() for code in example.codes}
    assert shown | {code for _, expected in MORE for code in expected} == rules().keys()


def test_place_pointer_and_message() -> None:
    text = (
        '{"format":"wei7","version":"3.0",\n "tree":{"title":"棋","steps":[{"action":{"a/b~":1}}]}}'
    )
    found = wei7.validate(text.encode()).diagnostics
    assert [(item.code, item.pointer) for item in found] == [
        ("WEI103", "/tree/steps/0/action/type"),
        ("WEI103", "/tree/steps/0/action/value"),
        ("WEI102", "/tree/steps/0/action/a~1b~0"),
    ]
    unknown = found[2]
    assert text.encode()[unknown.span.start : unknown.span.end] == b'"a/b~"'
    assert (unknown.span.line, unknown.span.column) == (2, 42)
    assert unknown.as_dict()["pointer"] == "/tree/steps/0/action/a~1b~0"
    assert "type, value" in unknown.message


def test_messages_are_in_the_language() -> None:
    (english,), (chinese,) = (
        wei7.validate(b'{"a":1', language=language).diagnostics for language in ("en", "zh")
    )
    assert CHINESE.search(chinese.message) and not CHINESE.search(english.message)


def test_codes_are_chosen() -> None:
    data = b'{"format":"x","version":"3.0","tree":{},"y":1}'
    assert [found.code for found in wei7.validate(data, select=["WEI2"]).diagnostics] == ["WEI201"]
    assert [found.code for found in wei7.validate(data, ignore=["WEI2"]).diagnostics] == ["WEI102"]


@given(JSON, st.sampled_from([None, 1]), st.booleans())
def test_json_is_read_as_the_standard_library_does(
    value: object, indent: int, ascii_only: bool
) -> None:
    assert parse(json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode()).value == value


@given(st.text(max_size=20) | st.text('{}[],:"0123456789.eE+-truefalsn \\', max_size=14))
def test_what_is_json_is_what_the_standard_library_takes(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        expected = ...
    if text.startswith("\ufeff") or re.search("NaN|Infinity", text):
        return
    if expected is not ...:
        assert parse(text.encode()).value == expected
        return
    with pytest.raises(NotJSONError):
        parse(text.encode())


# --- The examples ---------------------------------------------------------------------


@for_each(GOOD)
def test_good_example_is_read_and_written(example: Example) -> None:
    assert wei7.validate(example.text).diagnostics == []
    VALIDATOR.validate(json.loads(example.text))
    document = wei7.loads(example.text)
    assert wei7.loads(wei7.dumps(document)) == document == json.loads(example.text)


@for_each(BAD)
def test_bad_example_is_refused(example: Example) -> None:
    assert tuple(found.code for found in wei7.validate(example.text).diagnostics) == example.codes
    if set(example.codes) <= ADVICE:
        assert wei7.loads(example.text) == json.loads(example.text)
        return
    with pytest.raises(wei7.Wei7Error) as caught:
        wei7.loads(example.text)
    assert caught.value.diagnostic.code in example.codes
    assert tuple(found.code for found in caught.value.diagnostics) == example.codes


# --- The schema -----------------------------------------------------------------------


@for_each(BAD)
def test_schema_refuses_what_it_can_express(example: Example) -> None:
    is_not_covered = set(example.codes) <= BEYOND_A_SCHEMA | ADVICE
    try:
        value = json.loads(example.text)
    except ValueError:
        assert is_not_covered
        return
    assert VALIDATOR.is_valid(value) == is_not_covered


def test_schema_is_one() -> None:
    schema = wei7.schema()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    VALIDATOR.check_schema(schema)
    result = invoke("schema")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == schema


# --- Writing --------------------------------------------------------------------------


def test_wrong_values_are_not_written() -> None:
    with pytest.raises(wei7.Wei7Error, match="WEI101"):
        wei7.to_sgf({"format": "wei7", "version": "3.0", "tree": {"title": 7}})
    with pytest.raises(TypeError):
        wei7.dumps({"tree": object()})


def test_lone_surrogates_are_not_utf_8() -> None:
    head = b'{"format":"wei7","version":"3.0","tree":{"title":"'
    text = head + rb'\\ud800 \udcff \ud83d\ude00 \ude00"}}'
    found = wei7.validate(text).diagnostics
    assert [(item.code, item.span.start - len(head)) for item in found] == [
        ("WEI002", 8),
        ("WEI002", 28),
    ]
    with pytest.raises(ValueError, match="surrogate"):
        wei7.dumps({"tree": {"title": "\udcff"}})


@given(grammatical(game=1, size=st.integers(1, 4)))
def test_the_schema_takes_what_is_converted(data: bytes) -> None:
    try:
        converted = wei7.from_sgf(data)
    except ValueError:
        return
    VALIDATOR.validate(converted.document)
    assert wei7.loads(wei7.dumps(converted.document)) == converted.document


# --- On the command line ----------------------------------------------------------------


def test_check_knows_wei7_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.wei7").write_bytes(b'{"format":"wei7","version":"3.0","tree":[]}')
    (tmp_path / "b.sgf").write_bytes(b"(;FF[4]GM[1]KM[x])")

    def check(*options: str) -> str:
        return invoke("check", tmp_path, *options).stdout

    lines = [json.loads(line) for line in check("--format", "jsonl").splitlines()]
    assert [[found["code"] for found in line["diagnostics"]] for line in lines] == [
        ["WEI101"],
        ["SGF415"],
    ]
    assert "WEI101 wrong-type: /tree is an array, but an object is needed" in check("--no-color")
    assert "SGF415" not in check("--select", "WEI")
    log = json.loads(check("--format", "sarif"))
    SCHEMA.validate(log)
    assert [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]] == [
        "WEI101",
        "SGF415",
    ]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_rules_are_explained(language: str) -> None:
    codes = [rule.code for rule in RULES]
    result = invoke("explain", "--lang", language, *codes)
    assert result.exit_code == 0
    for rule in RULES:
        assert (rule.fix_zh if language == "zh" else rule.fix) in result.stdout


# --- Texts that are not wei7: their diagnostics, and what of them is loaded -----------


SAMPLES = Path(__file__).parents[1] / "samples"
HEAD = '{"format": "wei7", "version": "3.0", '
MESSAGE = '{"type": "message", "value": "x"}'
STEP = f'{{"action": {MESSAGE}}}'


def tree(text: str) -> str:
    return f'{HEAD}"tree": {text}}}'


def steps(*texts: str) -> str:
    return tree(f'{{"steps": [{", ".join(texts)}]}}')


#: Texts that are not JSON, as people write them: the first part that is wrong.
FAULTS = [
    (steps(f'{{"action": {MESSAGE}}}, "marks": []}}', STEP), ":"),
    (steps(STEP, STEP + "}"), "}"),
    (tree('{"branches": [{"branches": [{"title": "a"}}, {"title": "b"}]}'), "}"),
    (tree('{"title": "a\n b"}'), "\n"),
    (tree('{"title": "a\\q"}'), "\\q"),
    (tree('{"title": "a\\u12x4"}'), "\\u"),
    (tree('{"title": "a'), ""),
    (tree('{"title": "a",}'), "}"),
    (steps(STEP, STEP + ","), "]"),
    (tree("{} // done\n"), "/"),
    (tree('{title: "a"}'), "title"),
    (tree("{'title': 'a'}"), "'"),
    (tree('{"title" "a"}'), '"a"'),
    (tree('{"title": "a" "pre": {}}'), '"pre"'),
    (tree('{"steps": [')[:-1], ""),
    (steps(STEP) + "\nthe end", "the"),
    (HEAD + '"size" = 9, "tree": {}}', "="),
    (HEAD + '"size": +9, "tree": {}}', "+9"),
    (HEAD + '"size": 09, "tree": {}}', "09"),
    (HEAD + '"size": NaN, "tree": {}}', "NaN"),
    (HEAD + '"size": tru, "tree": {}}', "tru"),
    ("", ""),
    ("{} {}", "{"),
]


@for_each(FAULTS)
def test_the_first_place_that_is_not_json_is_reported(text: str, wrong: str) -> None:
    data = text.encode()
    [found] = wei7.validate(data).diagnostics
    place = data[found.span.start : found.span.end].decode()
    assert (found.code, place, found.pointer) == ("WEI001", wrong, "")
    for refused in (lambda: wei7.loads(data), lambda: wei7.to_sgf(data)):
        with pytest.raises(wei7.Wei7Error) as caught:
            refused()
        assert caught.value.diagnostics == [caught.value.diagnostic] == [found]


def test_place_in_a_text_of_several_lines() -> None:
    (found,) = wei7.validate(steps(STEP, "\n" + STEP + "}", STEP)).diagnostics
    assert (found.span.line, found.span.column) == (2, 1 + len(STEP))


POINT = {"x": 3, "y": 3}
MOVE = {"action": {"type": "move", "value": {"color": 1, "point": POINT}}}

#: Rules that example 8.4 and others break: a document, and codes.
BROKEN_RULES: list[tuple[Any, list[str]]] = [
    ({"version": "3.0", "tree": {}}, ["WEI103"]),
    ({"format": "wei7", "version": 3, "tree": {}}, ["WEI202"]),
    ({"format": "wei7", "version": "3.0", "x": 1}, ["WEI102", "WEI103"]),
    ([], ["WEI101"]),
    (
        {"tree": {"steps": [{"comment": "x"}, MOVE, {"action": {"type": "pass"}}]}},
        ["WEI103", "WEI103", "WEI211"],
    ),
    # Wrong values keep their place, so that others are checked: there are three participants.
    (
        {
            "info": {
                "participants": [{"name": "a"}, "b", {"name": "c", "rank": 9}],
                "players": [{"participant": 2}, {"participant": 3}],
            }
        },
        ["WEI101", "WEI101", "WEI208"],
    ),
    # Of a dropped step it is unknown whether it is a move.
    (
        {"tree": {"steps": [{"action": 1}, {"action": {"type": "takeback", "value": 2}}]}},
        ["WEI101"],
    ),
    (
        {"info": {"rules": {"komi": 3.75, "type": "Chinese"}, "result": {"margin": 1}}},
        ["WEI103", "WEI210"],
    ),
    ({"tree": {"steps": [MOVE, MOVE]}}, ["WEI307"]),
    ({"tree": {"steps": [{"x": 1, **MOVE}, MOVE]}}, ["WEI102", "WEI307"]),
    ({"size": 3, "tree": {"steps": [MOVE]}}, ["WEI207"]),
]


@pytest.mark.parametrize(("given_document", "codes"), BROKEN_RULES)
def test_each_broken_rule_is_reported_once(given_document: Any, codes: list[str]) -> None:
    head = {"format": "wei7", "version": "3.0", "tree": {}}
    is_whole = not isinstance(given_document, dict) or "version" in given_document
    data = json.dumps(given_document if is_whole else head | given_document)
    assert sorted(found.code for found in wei7.validate(data).diagnostics) == sorted(codes)


@pytest.mark.parametrize(
    "members",
    [
        '"format": "wei", "format": 7, "version": "3.0", "tree": {}',
        '"tree": {"branches": [{"x": 1}]}, "tree": 1',
        '"size": {"width": 5}, "size": 9, "tree": {}',
        '"size": {"width": "x"}, "size": {"width": 5, "height": 6}, "tree": {}',
        '"x": 1, "x": 2, "tree": {"y": 1, "y": [2], "y": {"y": 3}}',
    ],
)
def test_of_members_with_one_name_the_last_one_counts(members: str) -> None:
    text = f"{{{members}}}"
    last_ones = wei7.validate(json.dumps(json.loads(text))).diagnostics
    found = wei7.validate(text).diagnostics
    assert [each.code for each in found if each.code != "WEI004"] == [
        each.code for each in last_ones
    ]


def test_byte_order_mark_is_reported() -> None:
    data = "\ufeff" + HEAD + '"tree": {"title": "棋", "x": 1}}'
    found = wei7.validate(data).diagnostics
    assert [(item.code, item.span.start, item.span.end, item.span.column) for item in found] == [
        ("WEI003", 0, 3, 1),
        ("WEI102", 65, 68, 62),
    ]


def test_bytes_that_are_not_utf_8() -> None:
    data = b'{"format":"wei7","version":"3.0","tree":{"title":"\xff\xfe\xe6\xa3\x8b","x":1}}'
    found = wei7.validate(data).diagnostics
    places = [(item.code, item.span.start, item.span.end) for item in found]
    assert places == [("WEI002", 50, 52), ("WEI102", 57, 60)]


@given(
    st.text("{}[],:\"\\/ \n1a'", max_size=40).map(str.encode)
    | st.binary(max_size=40)
    | LIKE_WEI7.map(lambda value: json.dumps(value).encode())
)
def test_any_bytes_can_be_read(data: bytes) -> None:
    diagnostics = wei7.validate(data).diagnostics
    for found in diagnostics:
        assert 0 <= found.span.start <= found.span.end <= len(data)
    try:
        document = wei7.loads(data)
    except wei7.Wei7Error as error:
        assert error.diagnostics == diagnostics
        return
    assert wei7.loads(wei7.dumps(document)) == document


def test_reading_takes_no_longer_than_the_text_is_long() -> None:
    for unit in ("[", '{"a":', '"', "1", "{} ", "/*", '"\\', "x "):
        assert wei7.validate(unit * 30_000 + "x").diagnostics


def test_depth_is_no_matter() -> None:
    depth = 3000
    text = tree('{"branches": [' * depth + '{"x": 1}' + "]}" * depth)
    assert [found.code for found in wei7.validate(text).diagnostics] == ["WEI102"]
    named = text.replace('"x": 1', '"title": "x"')
    assert wei7.loads(named) and wei7.to_sgf(named).data.count(b"N[x]") == 1
    [found] = wei7.validate(text[:-1]).diagnostics
    assert found.code == "WEI001"


#: The examples in section 8 of the document, in which the brackets were put right, and how many
#: steps, branches, comments and marks they have.
EXAMPLES_OF_THE_DOCUMENT = [
    ("8.1", (9, 1, 5, 2)),
    ("8.2", (2, 2, 3, 0)),
    ("8.3", (38, 0, 0, 0)),
    ("8.4", (164, 0, 43, 14)),
]


@for_each(EXAMPLES_OF_THE_DOCUMENT)
def test_examples_of_the_document_are_read_whole(name: str, counts: tuple[int, ...]) -> None:
    data = (SAMPLES / "wei7" / f"{name}.wei7").read_bytes()
    assert wei7.validate(data).diagnostics == []
    text = wei7.dumps(wei7.loads(data))
    assert json.loads(text) == json.loads(data)
    words = [
        text.count(b'"%s": ' % word) for word in (b"action", b"branches", b"comment", b"marks")
    ]
    assert tuple(words) == counts
    back = wei7.from_sgf(wei7.to_sgf(data).data).document
    assert wei7.validate(wei7.dumps(back)).diagnostics == []
