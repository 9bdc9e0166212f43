"""wei7 as typed objects, and its JSON Schema."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sgf_lark import wei7
from sgf_lark.fuzz.strategies import grammatical
from sgf_lark.wei7 import models
from sgf_lark.wei7.rules import Example, examples
from tests.kit.commands import invoke
from tests.kit.tables import for_each

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


@for_each(GOOD)
def test_good_example_is_read_and_written(example: Example) -> None:
    assert wei7.validate(example.text).diagnostics == []
    VALIDATOR.validate(json.loads(example.text))
    model = wei7.loads(example.text)
    assert wei7.loads(wei7.dumps(model)) == model
    assert json.loads(wei7.dumps(model)) == json.loads(example.text)
    assert models.build(json.loads(example.text)) == model


@for_each(BAD)
def test_bad_example_is_refused(example: Example) -> None:
    assert tuple(found.code for found in wei7.validate(example.text).diagnostics) == example.codes
    if set(example.codes) <= ADVICE:
        model = wei7.loads(example.text)
        assert json.loads(wei7.dumps(model)) == json.loads(example.text)
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


# --- The models -----------------------------------------------------------------------


def test_what_is_left_out_is_not_null_and_not_the_default() -> None:
    plain: dict[str, Any] = {"format": "wei7", "version": "3.0", "tree": {}}
    left_out = wei7.loads(json.dumps(plain))
    given = wei7.loads(json.dumps(plain | {"size": 19}))
    assert (left_out.size, given.size) == (models.UNSET, 19)
    assert left_out != given
    assert left_out.lines == given.lines == (19, 19)
    assert wei7.loads(json.dumps(plain | {"size": {"width": 9, "height": 5}})).lines == (9, 5)
    assert json.loads(wei7.dumps(left_out)) == plain
    draw = wei7.loads(json.dumps(plain | {"info": {"result": {"winner": None}}}))
    assert draw.info == models.Info(result=models.Result(None))
    assert b'"winner": null}' in wei7.dumps(draw)


def test_document_is_made_from_models() -> None:
    point = models.Point(2, 3)
    steps = [
        models.Step(models.MoveAction(models.Move(1, point)), comment="c"),
        models.Step(models.TakebackAction(1), time=7.0),
        models.Step(models.MarkAction(models.Mark(point, "a"))),
        models.Step(models.MessageAction("hello")),
        models.Step(models.ResultAction(models.Result(2, 0.5))),
    ]
    document = models.Document(
        size=9, tree=models.Tree(title="t", steps=steps, branches=[models.Tree()])
    )
    data = wei7.dumps(document)
    assert wei7.validate(data).diagnostics == []
    assert wei7.loads(data) == document
    assert b'"time": 7}' in data
    assert json.loads(data)["tree"]["steps"][0]["action"]["type"] == steps[0].action.type == "move"
    assert wei7.to_sgf(document) == wei7.to_sgf(data)
    assert repr(document.tree) == "<Tree: 't', 5 steps, 1 branches>"
    document.tree.steps = steps[:1]
    assert wei7.loads(wei7.dumps(document)) == document != wei7.loads(data)


def test_trees_are_compared_to_their_ends() -> None:
    def nested(*titles: str) -> models.Tree:
        tree = models.Tree()
        for title in titles:
            tree = models.Tree(branches=[models.Tree(title=title), tree])
        return tree

    assert nested("a", "b") == nested("a", "b")
    assert nested("a", "b") != nested("a", "c")
    assert nested("a") != nested("a", "b")
    assert models.Tree() != models.Tree(branches=[])
    assert models.Tree() != 1


def test_wrong_values_are_not_written() -> None:
    document = models.Document(tree=models.Tree(title=7))  # type: ignore[arg-type]
    with pytest.raises(wei7.Wei7Error, match="WEI101"):
        wei7.to_sgf(document)
    with pytest.raises(TypeError):
        wei7.dumps(models.Document(tree=object()))  # type: ignore[arg-type]


def test_lone_surrogates_are_not_utf_8() -> None:
    head = b'{"format":"wei7","version":"3.0","tree":{"title":"'
    text = head + rb'\\ud800 \udcff \ud83d\ude00 \ude00"}}'
    found = wei7.validate(text).diagnostics
    assert [(item.code, item.span.start - len(head)) for item in found] == [
        ("WEI002", 8),
        ("WEI002", 28),
    ]
    with pytest.raises(ValueError, match="surrogate"):
        wei7.dumps(models.Document(tree=models.Tree(title="\udcff")))


@pytest.mark.parametrize(
    "members",
    [{"size": 0}, {"tree": 1}, {"tree": {"steps": [{}]}}, {"x": 1}, {"tree": {"branches": [7]}}],
)
def test_no_model_is_made_of_wrong_values(members: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="wei7"):
        models.build({"format": "wei7", "version": "3.0", "tree": {}} | members)


@given(grammatical(game=1, size=st.integers(1, 4)))
def test_conversion_has_a_model_that_the_schema_takes(data: bytes) -> None:
    try:
        converted = wei7.from_sgf(data)
    except ValueError:
        return
    VALIDATOR.validate(converted.document)
    assert json.loads(wei7.dumps(converted.model)) == converted.document
    assert wei7.loads(wei7.dumps(converted.document)) == converted.model
