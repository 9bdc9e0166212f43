"""assert_conforms, and the conformance suite in a pytest of its own."""

import re
from pathlib import Path

import pytest

import sgf_lark
from sgf_lark.testing import assert_conforms
from tests.kit.waiting import LIMIT

pytest_plugins = ["pytester"]

_READERS = """
import sgf_lark

def strict(data):
    sgf_lark.loads(data)

def gullible(data):
    return None
"""
_PAGE = (Path(__file__).parents[2] / "docs" / "testing.md").read_text("utf-8")


def test_readers_are_tested_by_the_module_of_the_page(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    module = re.search(r"```py\n(import pytest\n.*?)```", _PAGE, re.DOTALL)
    assert module is not None
    readers = ("strict", "gullible")
    pytester.makepyfile(
        readers=_READERS,
        **{
            f"test_{name}": module[1].replace("my_package.sgf:parse", f"readers:{name}")
            for name in readers
        },
    )
    pytester.syspathinsert()
    result = pytester.runpytest_subprocess("-q", "-k", "structure/reject", timeout=LIMIT)
    outcomes = result.parseoutcomes()
    assert outcomes["passed"] == outcomes["failed"] > 20 and outcomes["deselected"] > 500
    result.stdout.fnmatch_lines(["*'reject: *structure/reject-*"])


def test_conforming_files_are_accepted() -> None:
    assert_conforms(b"(;FF[4]GM[1]SZ[19];B[pd])")
    assert_conforms("(;FF[4]GM[1]CA[UTF-8]C[ä])", profile="strict")


def test_the_message_has_every_error_with_its_place() -> None:
    data = b"(;FF[4]GM[1]SZ[19]\n;B[zz];W[yy])"
    with pytest.raises(AssertionError) as caught:
        assert_conforms(data)
    message = str(caught.value)
    for found in sgf_lark.validate(data, profile="interchange").diagnostics:
        if found.severity == "error":
            assert f"{found.span.line}:{found.span.column} {found.code}" in message
            assert found.message in message
    assert "2 errors" in message


def test_rules_can_be_ignored() -> None:
    assert_conforms(b"(;FF[4]GM[1]SZ[19];B[zz])", ignore=["SGF4"])
    with pytest.raises(ValueError, match="unknown profile"):
        assert_conforms(b"(;)", profile="none")
