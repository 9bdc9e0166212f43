"""Texts that are not wei7: their diagnostics, and what is recovered."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sgf_lark import wei7
from sgf_lark.wei7.rules import examples
from tests.tables import for_each
from tests.test_wei7 import LIKE_WEI7

SAMPLES = Path(__file__).parent / "samples"
HEAD = '{"format": "wei7", "version": "3.0", '
MESSAGE = '{"type": "message", "value": "x"}'
STEP = f'{{"action": {MESSAGE}}}'


def tree(text: str) -> str:
    return f'{HEAD}"tree": {text}}}'


def steps(*texts: str) -> str:
    return tree(f'{{"steps": [{", ".join(texts)}]}}')


#: Faults of the examples in section 8 of the document, shortened: a text, the repaired text,
#: and the wrong parts in the order of the text.
FAULTS_OF_THE_DOCUMENT = [
    # 8.1: info is closed after its rules; two redundant brackets at the page break.
    (
        HEAD
        + '"info": {"rules": {"type": "Chinese"}, }, "participants": [{"name": "me"}],'
        + ' "result": {"winner": 1}}\n} }, "tree": {}}',
        HEAD
        + '"info": {"rules": {"type": "Chinese"}, "participants": [{"name": "me"}],'
        + ' "result": {"winner": 1}}, "tree": {}}',
        ["},", "} }"],
    ),
    # 8.1, 8.4: the step is closed after its action, before marks and comment.
    (
        steps(f'{{"action": {MESSAGE}}}, "marks": []}}', STEP),
        steps(f'{{"action": {MESSAGE}, "marks": []}}', STEP),
        ["}"],
    ),
    # 8.1: a redundant bracket after the last step.
    (steps(STEP, STEP + "}"), steps(STEP, STEP), ["}"]),
    # 8.2: the inner branches are not closed.
    (
        tree('{"branches": [{"branches": [{"title": "a"}}, {"title": "b"}]}'),
        tree('{"branches": [{"branches": [{"title": "a"}]}, {"title": "b"}]}'),
        ["}"],
    ),
    # 8.3: the action is not closed before the actor.
    (
        HEAD
        + '"info": {"participants": [{}]}, "tree": {"steps": [{"time": 42.88, "action":'
        + ' {"type": "message", "value": ":(", "actor": 0}, {"time": 43, "action": '
        + MESSAGE
        + "}]}}",
        HEAD
        + '"info": {"participants": [{}]}, "tree": {"steps": [{"time": 42.88, "action":'
        + ' {"type": "message", "value": ":("}, "actor": 0}, {"time": 43, "action": '
        + MESSAGE
        + "}]}}",
        [","],
    ),
    # 8.4: a redundant bracket before the comment and after it.
    (
        steps(f'{{"action": {MESSAGE}}}, "comment": "c"}}}}', STEP),
        steps(f'{{"action": {MESSAGE}, "comment": "c"}}', STEP),
        ["}", "}"],
    ),
    # 8.4: a line break in a string.
    (tree('{"title": "a\n b"}'), tree('{"title": "a\\n b"}'), ["\n"]),
]

#: Others, as people write them.
OTHER_FAULTS = [
    (tree('{"title": "a",}'), tree('{"title": "a"}'), [","]),
    (steps(STEP, STEP + ","), steps(STEP, STEP), [","]),
    (tree("{} // done\n"), tree("{}"), ["// done"]),
    (tree('{/* a */"title": "b"}'), tree('{"title": "b"}'), ["/* a */"]),
    (tree('{title: "a"}'), tree('{"title": "a"}'), ["title"]),
    (tree("{'title': 'a \"b\"'}"), tree('{"title": "a \\"b\\""}'), ["'title'", "'a \"b\"'"]),
    (tree('{"title": "a\\q"}'), tree('{"title": "a\\\\q"}'), ["\\q"]),
    (tree('{"title": "a\n}'), tree('{"title": "a"}'), [""]),
    (tree('{"title" "a"}'), tree('{"title": "a"}'), ['"a"']),
    (tree('{"title": "a" "pre": {}}'), tree('{"title": "a", "pre": {}}'), ['"pre"']),
    (tree('{"steps": [')[:-1], tree('{"steps": []}'), [""]),
    (steps(STEP) + "\nthe end", steps(STEP), ["the end"]),
    (HEAD + '"size": 9; "tree": {}}', HEAD + '"size": 9, "tree": {}}', [";"]),
    (HEAD + '"size" = 9, "tree": {}}', HEAD + '"size": 9, "tree": {}}', ["="]),
    (tree("{“title”：“a”}"), tree('{"title": "a"}'), ["“title”", "：", "“a”"]),
    (tree('{"title": "a "b" c"}'), tree('{"title": "a \\"b\\" c"}'), ['"']),
    (steps(STEP[:-1], STEP), steps(STEP, STEP), [","]),
    (HEAD + '"size": +9, "tree": {}}', HEAD + '"size": 9, "tree": {}}', ["+9"]),
    (HEAD + '"size": 09, "tree": {}}', HEAD + '"size": 9, "tree": {}}', ["09"]),
]


@pytest.mark.parametrize(("text", "meant", "faulty"), FAULTS_OF_THE_DOCUMENT + OTHER_FAULTS)
def test_syntax_errors_are_reported_and_repaired(text: str, meant: str, faulty: list[str]) -> None:
    data = text.encode()
    found = wei7.validate(data).diagnostics
    assert [(item.code, data[item.span.start : item.span.end].decode()) for item in found] == [
        ("WEI001", part) for part in faulty
    ]
    recovered = wei7.recover(data)
    assert recovered.document == json.loads(meant)
    assert recovered.dropped == ()
    assert recovered.report.diagnostics == found
    assert wei7.loads(data, tolerant=True) == wei7.loads(meant)
    with pytest.raises(wei7.Wei7Error) as caught:
        wei7.loads(data)
    assert caught.value.diagnostics == found
    assert caught.value.diagnostic == found[0]


def test_place_in_a_text_of_several_lines() -> None:
    (found,) = wei7.validate(steps(STEP, "\n" + STEP + "}", STEP)).diagnostics
    assert (found.span.line, found.span.column) == (2, 1 + len(STEP))


POINT = {"x": 3, "y": 3}
MOVE = {"action": {"type": "move", "value": {"color": 1, "point": POINT}}}

#: Rules that example 8.4 and others break: a document, codes, what goes, what stays.
BROKEN_RULES: list[tuple[Any, list[str], list[str], Any]] = [
    ({"version": "3.0", "tree": {}}, ["WEI103"], [], {}),
    ({"format": "wei7", "version": 3, "tree": {}}, ["WEI202"], ["/version"], {}),
    ({"format": "wei7", "version": "3.0", "x": 1}, ["WEI102", "WEI103"], ["/x"], {}),
    ([], ["WEI101"], [], {}),
    (
        {"tree": {"steps": [{"comment": "x"}, MOVE, {"action": {"type": "pass"}}]}},
        ["WEI103", "WEI103", "WEI211"],
        [
            "/tree/steps/0",
            "/tree/steps/2",
            "/tree/steps/2/action",
            "/tree/steps/2/action/type",
        ],
        {"tree": {"steps": [MOVE]}},
    ),
    (
        {"info": {"participants": [{"name": "a"}, "b", {"name": "c", "rank": 9}]}},
        ["WEI101", "WEI101"],
        ["/info/participants/1", "/info/participants/2/rank"],
        {"info": {"participants": [{"name": "a"}, {}, {"name": "c"}]}},
    ),
    (
        {"info": {"rules": {"komi": 3.75, "type": "Chinese"}, "result": {"margin": 1}}},
        ["WEI103", "WEI210"],
        ["/info/result", "/info/rules/komi"],
        {"info": {"rules": {"type": "Chinese"}}},
    ),
    # What its type allows is kept: a move onto a stone, points beside the board.
    ({"tree": {"steps": [MOVE, MOVE]}}, ["WEI307"], [], {"tree": {"steps": [MOVE, MOVE]}}),
    (
        {"size": 3, "tree": {"steps": [MOVE]}},
        ["WEI207"],
        [],
        {"size": 3, "tree": {"steps": [MOVE]}},
    ),
]


@pytest.mark.parametrize(("given_document", "codes", "dropped", "kept"), BROKEN_RULES)
def test_values_of_no_type_are_dropped(
    given_document: Any, codes: list[str], dropped: list[str], kept: Any
) -> None:
    head = {"format": "wei7", "version": "3.0", "tree": {}}
    is_whole = not isinstance(given_document, dict) or "version" in given_document
    data = json.dumps(given_document if is_whole else head | given_document)
    recovered = wei7.recover(data)
    assert sorted(found.code for found in recovered.report.diagnostics) == sorted(codes)
    assert sorted(recovered.dropped) == sorted(dropped)
    assert recovered.document == head | kept


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
    last_ones = json.dumps(json.loads(text))
    assert wei7.recover(text).document == wei7.recover(last_ones).document
    assert wei7.loads(text, tolerant=True) == wei7.loads(last_ones, tolerant=True)


@for_each(examples())
def test_any_example_can_be_read(example: Any) -> None:
    recovered = wei7.recover(example.text)
    assert tuple(found.code for found in recovered.report.diagnostics) == example.codes
    model = wei7.loads(example.text, tolerant=True)
    assert json.loads(wei7.dumps(model)) == recovered.document
    if not example.codes:
        assert recovered.document == json.loads(example.text)


def test_byte_order_mark_is_reported() -> None:
    data = "\ufeff" + HEAD + '"tree": {"title": "棋", "x": 1}}'
    found = wei7.validate(data).diagnostics
    assert [(item.code, item.span.start, item.span.end, item.span.column) for item in found] == [
        ("WEI003", 0, 3, 1),
        ("WEI102", 65, 68, 62),
    ]


def test_bytes_that_are_not_utf_8() -> None:
    data = b'{"format":"wei7","version":"3.0","tree":{"title":"\xff\xfe\xe6\xa3\x8b","x":1}}'
    recovered = wei7.recover(data)
    places = [
        (found.code, found.span.start, found.span.end) for found in recovered.report.diagnostics
    ]
    assert places == [("WEI002", 50, 52), ("WEI102", 57, 60)]
    assert recovered.document["tree"] == {"title": "\ufffd\ufffd棋"}


@given(
    st.text("{}[],:\"\\/ \n1a'", max_size=40).map(str.encode)
    | st.binary(max_size=40)
    | LIKE_WEI7.map(lambda value: json.dumps(value).encode())
)
def test_any_bytes_can_be_read(data: bytes) -> None:
    recovered = wei7.recover(data)
    model = wei7.loads(data, tolerant=True)
    written = wei7.dumps(model)
    assert json.loads(written) == recovered.document
    assert recovered.report.diagnostics == wei7.validate(data).diagnostics
    for found in recovered.report.diagnostics:
        assert 0 <= found.span.start <= found.span.end <= len(data)


@given(st.integers(0, 300), st.sampled_from(["", *'{}[],:"', "x"]), st.integers(0, 1))
def test_one_slip_loses_little(place: int, inserted: str, deleted: int) -> None:
    text = json.dumps(json.loads(steps(*[STEP] * 6)))
    place %= len(text)
    broken = text[:place] + inserted + text[place + deleted :]
    recovered = wei7.recover(broken)
    try:
        json.loads(broken)
    except ValueError:
        assert "WEI001" in {found.code for found in recovered.report.diagnostics}
    found = recovered.document.get("tree", {}).get("steps", [])
    assert len(found) >= 4 or place < text.index("[")


def test_many_faults_take_no_longer_than_the_text_is_long() -> None:
    chance = random.Random(1)
    text = "".join(chance.choice('{}[],:"a1 \n') for _ in range(10_000))
    assert wei7.recover(text).report.diagnostics
    for unit in ("[", '{"a":', '"', "1", "{} ", "/*", '"\n', "x "):
        assert wei7.recover(unit * 3_000 + "x").report.diagnostics


def test_depth_is_no_matter() -> None:
    depth = 3000
    text = tree('{"branches": [' * depth + "{}," + "]}" * (depth - 1))
    recovered = wei7.recover(text)
    assert {found.code for found in recovered.report.diagnostics} == {"WEI001"}
    assert wei7.dumps(recovered.document).count(b"branches") == depth


#: The examples in section 8 of the document as they stand, none of which is JSON: the codes of
#: other rules that they break, the syntax errors, and what the repaired texts have.
EXAMPLES_OF_THE_DOCUMENT = [
    # The number of: syntax errors, steps, branches, comments, marks.
    ("8.1", [], (4, 9, 1, 5, 2)),
    ("8.2", [], (1, 2, 2, 3, 0)),
    ("8.3", [], (1, 38, 0, 0, 0)),
    ("8.4", ["WEI103"], (59, 164, 0, 43, 14)),
]


@for_each(EXAMPLES_OF_THE_DOCUMENT)
def test_examples_of_the_document_are_repaired_whole(
    name: str, codes: list[str], counts: tuple[int, ...]
) -> None:
    recovered = wei7.recover((SAMPLES / "wei7" / f"{name}.txt").read_bytes())
    found = [item.code for item in recovered.report.diagnostics]
    assert [code for code in found if code != "WEI001"] == codes
    assert recovered.dropped == ()
    text = wei7.dumps(recovered.document)
    assert wei7.validate(text).diagnostics == []
    words = [
        text.count(b'"%s": ' % word) for word in (b"action", b"branches", b"comment", b"marks")
    ]
    assert (found.count("WEI001"), *words) == counts
