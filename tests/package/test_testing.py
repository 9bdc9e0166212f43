"""The pytest plugin, run in a pytest of its own, and assert_conforms."""

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

def broken(data):
    raise KeyError("no such thing")
"""

#: The plugin without those of others, which take seconds to import.
_OF_PLUGIN = ("-p", "sgf_lark.testing.plugin", "-p", "no:cacheprovider", "-q")


@pytest.fixture(autouse=True)
def only_this_plugin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


def _run(pytester: pytest.Pytester, reader: str, *selected: str) -> pytest.RunResult:
    """The suite against a reader, in this process; the reader has one of its own."""
    pytester.makepyfile(readers=_READERS)
    pytester.syspathinsert()
    options = ("--sgf-timeout", str(LIMIT), "--sgf-conformance", reader)
    return pytester.runpytest_inprocess(*_OF_PLUGIN, *options, *selected)


def test_a_reader_is_tested_by_each_case_of_a_group(pytester: pytest.Pytester) -> None:
    found = _run(pytester, "readers:strict", "-m", "sgf_group_structure").parseoutcomes()
    assert found["passed"] > 50 and "failed" not in found and found["deselected"] > 500


def test_a_failure_shows_what_was_expected(pytester: pytest.Pytester) -> None:
    marks = ("-m", "sgf_group_structure and sgf_reject", "--strict-markers")
    result = _run(pytester, "readers:gullible", *marks)
    found = result.parseoutcomes()
    assert found["failed"] > 20 and "passed" not in found
    result.stdout.fnmatch_lines(["*accepted*", "*expected: reject*", "*about:*", "*data:*"])


def test_a_crash_is_a_failure(pytester: pytest.Pytester) -> None:
    result = _run(pytester, "readers:broken", "-k", "accept-one-empty-node-spread")
    assert result.parseoutcomes()["failed"] == 1
    result.stdout.fnmatch_lines(["*crash*", "*KeyError*"])


def test_a_reader_that_does_not_exist_is_an_error(pytester: pytest.Pytester) -> None:
    assert _run(pytester, "nowhere:nothing", "-k", "accept-one-empty-node").ret != 0


def test_fixtures_give_files(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sgf_lark

        def test_files(sgf_files):
            files = sgf_files(5, game=1)
            assert len(files) == 5 and files == sgf_files(5, game=1) != sgf_files(5, seed=1)
            for data in files:
                assert sgf_lark.validate(data).ok

        def test_violations(sgf_violations):
            for data, code in sgf_violations(3, code="SGF401"):
                assert code == "SGF401"
                assert "SGF401" in [found.code for found in sgf_lark.validate(data).diagnostics]
        """
    )
    pytester.runpytest_inprocess(*_OF_PLUGIN).assert_outcomes(passed=2)


def test_without_the_option_nothing_is_added(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plugin is loaded as that of an installed package, with all others."""
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    pytester.makepyfile("def test_it(sgf_files): assert sgf_files(1)")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", timeout=LIMIT)
    result.assert_outcomes(passed=1)


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
