"""Texts that are not wei7: their diagnostics, and what of them is loaded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sgf_lark import wei7
from tests.kit.tables import for_each
from tests.wei7.test_wei7 import LIKE_WEI7

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
