"""wei7: every item of the document, and texts that are no JSON at all."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sgf_lark import wei7
from sgf_lark.grammar import Rule
from sgf_lark.wei7.json_text import NotJSONError, parse
from sgf_lark.wei7.rules import examples, rules
from tests.cli.test_formats import SCHEMA
from tests.kit.commands import invoke

CHINESE = re.compile("[\u4e00-\u9fff]")
RULES = list(rules().values())
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
    assert parse(json.dumps(value, indent=indent, ensure_ascii=ascii_only)).value == value


@given(st.text(max_size=20) | st.text('{}[],:"0123456789.eE+-truefalsn \\', max_size=14))
def test_what_is_json_is_what_the_standard_library_takes(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        expected = ...
    if text.startswith("\ufeff") or re.search("NaN|Infinity", text):
        return
    if expected is not ...:
        assert parse(text).value == expected
        return
    with pytest.raises(NotJSONError):
        parse(text)


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
    jsonschema.validate(log, SCHEMA)
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
