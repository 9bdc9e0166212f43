"""Validation as a whole: profiles, codes, places, and paths through the tree."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import SGFSyntaxError, grammar
from sgf_lark.fuzz.strategies import mutants
from sgf_lark.grammar import PROFILES


@given(mutants())
def test_mutated_collection_never_raises(data: bytes) -> None:
    report = sgf_lark.validate(data)
    places = [found.span.start for found in report.diagnostics]
    assert places == sorted(places)
    for found in report.diagnostics:
        assert found.message
        assert report.source.excerpt(found.span, 20, 20)
    try:
        collection = sgf_lark.loads(data)
    except SGFSyntaxError as error:
        # Lowercase letters in identifiers are outside the grammar, but legal up to FF[3].
        assert not report.ok or error.diagnostic.code == "SGF114"
        return
    assert len(report.trees) == len(collection)
    for tree in collection:
        for node in tree.nodes():
            for entry in node.properties:
                definition = entry.definition
                if definition is None or tree.file_format not in definition.file_formats:
                    continue
                try:
                    entry.value  # noqa: B018
                except ValueError:
                    # What the model cannot read, the validator objects to: as a note of style
                    # where only FF[4] requires the form.
                    found_codes = {found.code for found in report.diagnostics}
                    assert not report.ok or "SGF438" in found_codes


@given(st.binary(max_size=200) | mutants())
@example(b"(;FF[4]GM[1]KM[6,5]N[]ST[9];B[aa]W[bb];ZZ[x])")
def test_any_bytes_give_a_report(data: bytes) -> None:
    """In each profile, of the findings that it has, with the severities of the catalogue."""
    for profile in PROFILES:
        report = sgf_lark.validate(data, profile=profile)
        for found in report.diagnostics:
            assert 0 <= found.span.start <= found.span.end <= len(data)
            assert str(found.severity) == grammar.rule(found.code).severity[profile]
        assert report.ok == (report.counts["error"] == 0)


PATHS = [
    # Variations: what one does has no effect in the next.
    (b"(;FF[4]GM[1];B[aa](;W[bb]PB[x])(;W[cc]PB[y]))", set()),
    (b"(;FF[4]GM[1](;B[aa];W[bb])(;W[aa];B[bb]))", set()),
    (b"(;FF[4]GM[1];B[aa](;W[bb];B[cc])(;B[dd];W[aa]))", {"SGF603", "SGF801"}),
    (b"(;FF[4]GM[1];B[aa](;W[bb];B[cc](;W[dd])(;W[ee]))(;W[cc];B[dd];W[bb]))", set()),
    # A captured stone is gone, also in the next variation of the same length.
    (b"(;FF[4]GM[1]SZ[3]AW[ba]AB[aa];W[ab];B[aa])", set()),
    (b"(;FF[4]GM[1]SZ[3]AW[ba]AB[aa](;W[ab];B[cc])(;W[cc];B[aa]))", {"SGF801"}),
]


@pytest.mark.parametrize(("data", "expected"), PATHS)
def test_rules_follow_the_path(data: bytes, expected: set[str]) -> None:
    assert {found.code for found in sgf_lark.validate(data).diagnostics} == expected


def test_findings_lie_within_the_file_where_an_equal_value_is_not_closed() -> None:
    for _ in range(2):
        for data in (b"(;FF[4]C[])", b"(;FF[4]C["):
            found = sgf_lark.validate(data).diagnostics
            assert all(item.span.end <= len(data) for item in found)


def test_severities_keep_what_the_profiles_promise() -> None:
    for rule in grammar.rules().values():
        strict, interchange, archive = (rule.severity[profile] for profile in PROFILES)
        # Only what the specification forbids is an error in any profile.
        assert strict == "error" or "error" not in (interchange, archive)
        # What is bad style or a hint there is no more than that under interchange, unless content
        # may be lost; interchange is nowhere milder than archive.
        ranks = ["off", "style", "warning", "error"]
        assert ranks.index(archive) <= ranks.index(interchange)
        assert ranks.index(interchange) <= max(ranks.index(strict), ranks.index(archive))


HARMLESS = b"(;FF[4]GM[1]AP[prog]HA[0]SZ[9:9]RU[japanese]N[];B[aa]LN[aa:bb][aa:bb];W[])"


def test_archive_does_not_report_what_loses_nothing() -> None:
    assert sgf_lark.validate(HARMLESS).counts["error"] == 5
    assert not sgf_lark.validate(HARMLESS, profile="archive").diagnostics
