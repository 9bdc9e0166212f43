"""Examples of all rules: documents, and the JSON Schema."""

from __future__ import annotations

import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sgf_lark import wei7
from sgf_lark.fuzz.strategies import grammatical
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
    assert wei7.dumps({"time": 7.0}) == b'{"time": 7}\n'


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
