"""The report of a validation: each diagnostic as a whole, counts, limits, summaries, options."""

from __future__ import annotations

import pickle
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import Report, Severity, validation
from sgf_lark.diagnostics import most_severe, shorten
from sgf_lark.grammar import PROFILES
from sgf_lark.syntax.grammars import FILE_FORMATS
from sgf_lark.validation import report as report_module

#: Two game trees in different charsets, the second one with variations.
FILE = b"\n".join(
    [
        "(;FF[4]GM[1]CA[UTF-8]KM[é];B[aa]B[ab]C[x]C[x])".encode(),
        "(;GM[1]FF[4]SZ[9]CA[GBK]C[a];W[zz](;B[aa]PB[x];;B[aa])(;AB[棋]AW[aa]AB[bb]))".encode(
            "gbk"
        ),
    ]
)
#: Code, tree, node, property, span, related places, and the value in the message.
FOUND: list[tuple[Any, ...]] = [
    ("SGF202", 0, 0, "KM", (24, 26, 1, 25), [], "KM[é]"),
    ("SGF501", 0, 1, "B", (33, 38, 1, 33), [(28, 33, 1, 28)], "B"),
    ("SGF501", 0, 1, "C", (42, 46, 1, 42), [(38, 42, 1, 38)], "C"),
    ("SGF701", 1, 0, None, (48, 49, 2, 1), [], "2"),
    ("SGF704", 1, 0, None, (48, 49, 2, 1), [], "gbk"),
    ("SGF401", 1, 1, "W", (79, 81, 2, 32), [], "W[zz]"),
    ("SGF602", 1, 2, "PB", (89, 94, 2, 42), [], "PB"),
    ("SGF603", 1, 4, "B", (96, 101, 2, 49), [], "B"),
    ("SGF801", 1, 4, "B", (96, 101, 2, 49), [], "B[aa]"),
    ("SGF202", 1, 5, "AB", (107, 109, 2, 60), [], "AB[棋]"),
    ("SGF501", 1, 5, "AB", (116, 122, 2, 68), [(104, 110, 2, 57)], "AB"),
]


@pytest.mark.parametrize("way", ["tables", "lark"])
def test_diagnostics_of_a_file(way: Any) -> None:
    for _ in range(2):  # the second time what was found is cached
        report = sgf_lark.validate(FILE, engine=way)
        found = [
            (each.code, each.tree, each.node, each.ident, each.span, [*each.related])
            for each in report.diagnostics
        ]
        assert found == [row[:-1] for row in FOUND]
        for each, row in zip(report.diagnostics, FOUND, strict=True):
            assert row[-1] in each.message.split(" ") or f" {row[-1]}" in each.message
    assert report.counts == {"error": 6, "warning": 0, "style": 5} and not report.ok


def test_cached_findings_have_the_offsets_of_their_places() -> None:
    data = b"(;FF[4]GM[1];B[zz];KO[x]B[zz])"
    for _ in range(2):
        validated = validation.validate_file(data)
        places = [(each.placed().start, each.placed().end) for each in validated.findings]
        assert places == [each.span[:2] for each in validated.report.diagnostics]
        assert len({*places}) > 3
        assert all(each.placed().values == each.finding.values for each in validated.findings)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", [("SGF002", None, None)]),
        (b"x", [("SGF002", None, None)]),
        (b"x(;FF[4]GM[1])", [("SGF101", 0, 0)]),
        (b"(;FF[4]GM[1])x", [("SGF102", 0, 0)]),
        (b"(;FF[4]GM[1];;)x(;FF[4]GM[1];KO[x])", [("SGF102", 0, 2), ("SGF302", 1, 1)]),
    ],
)
def test_tree_and_node_of_damage(data: bytes, expected: list[tuple[Any, ...]]) -> None:
    found = sgf_lark.validate(data, profile="interchange", ignore=["SGF5", "SGF7"]).diagnostics
    assert [(each.code, each.tree, each.node) for each in found] == expected


SUMMARIES = [
    (b"(;)", (1, 4, (19, 19), None)),
    (b"(;L[aa])", (1, 1, (19, 19), None)),
    (b"(;FF[3]GM[2]SZ[9:7])", (2, 3, (9, 7), None)),
    (b"(;GM[20]CA[\xe9])", (20, 4, (20, 20), "é")),
    (b"(;GM[6]SZ[5])", (6, 4, None, None)),
]


@pytest.mark.parametrize(("data", "expected"), SUMMARIES)
def test_summaries(data: bytes, expected: tuple[Any, ...]) -> None:
    [tree] = sgf_lark.validate(data).trees
    assert tree == expected
    size = None if expected[2] is None else [*expected[2]]
    game, file_format, _, charset = expected
    assert tree.as_dict() == {"gm": game, "ff": file_format, "sz": size, "ca": charset}


@given(st.lists(st.sampled_from([*Severity])), st.none() | st.integers(0, 9))
def test_the_most_severe_are_listed(severities: list[Severity], number: int | None) -> None:
    found = most_severe(severities, number)
    assert (found == sorted({*found}) and len(found) == min(len(severities), number or 0)) or (
        number is None and found == [*range(len(severities))]
    )
    ranks = [[*Severity].index(each) for each in severities]
    left = {*range(len(severities))} - {*found}
    # Nothing that is left out is worse, or as bad and before, than what is listed.
    assert all((ranks[a], a) < (ranks[b], b) for a in found for b in left)


@pytest.mark.parametrize("number", [0, 1, 4, 10, 11, 12])
def test_limited_reports_count_everything(number: int) -> None:
    report = sgf_lark.validate(FILE)
    limited = report.limited(number)
    assert (limited is report) == (number >= 11)
    worst = sorted(report.diagnostics, key=lambda each: [*Severity].index(each.severity))[:number]
    assert limited.diagnostics == [each for each in report.diagnostics if each in worst]
    assert (limited.counts, limited.ok) == (report.counts, report.ok)
    assert (limited.trees, limited.source) == (report.trees, report.source)
    rest = [each for each in report.diagnostics if each not in worst]
    assert limited.omitted == Counter((each.code, each.name, each.severity) for each in rest)
    assert limited.as_dict("").get("omitted") == (len(rest) or None)
    again = limited.limited(2)
    assert len(again.diagnostics) == min(number, 2)
    assert again.counts == report.counts
    assert again.omitted.total() == 11 - min(number, 2)


def test_diagnostics_are_rendered_when_they_are_read() -> None:
    report, whole = sgf_lark.validate(FILE), sgf_lark.validate(FILE).diagnostics
    assert (report.ok, report.counts["style"], report.kinds.total()) == (False, 5, len(whole))
    assert "diagnostics" not in vars(report)
    again = pickle.loads(pickle.dumps(report))
    assert again.diagnostics == whole and again.trees == report.trees
    assert again.counts == report.counts and again.source.data == FILE
    assert again.part([3, 5]).diagnostics == [whole[3], whole[5]]


def test_parts_of_a_report_count_everything() -> None:
    report = sgf_lark.validate(FILE)
    for each in (report, pickle.loads(pickle.dumps(report))):
        indexes = each.indexes(None, hides_style=True)
        assert indexes == [
            index for index, found in enumerate(report.diagnostics) if found.severity != "style"
        ]
        assert each.indexes(2, hides_style=True) == indexes[:2] and each.indexes(3) == [0, 1, 2]
        part = each.part(indexes[1:3])
        assert part.diagnostics == [report.diagnostics[index] for index in indexes[1:3]]
        assert part.kinds == report.kinds and part.counts == report.counts
        assert part.omitted.total() == len(report.diagnostics) - 2


def test_report_without_anything() -> None:
    report = Report([])
    assert report.ok and report.counts == {"error": 0, "warning": 0, "style": 0}
    assert (report.trees, report.source.data, report.omitted) == ([], b"", Counter())
    assert repr(report) == "<Report {'error': 0, 'warning': 0, 'style': 0}>"
    omitted = Counter({("SGF302", "none-with-content", Severity.ERROR): 2})
    assert not Report([], omitted=omitted).ok


def test_shorten_keeps_one_printable_line() -> None:
    assert shorten(b"a\nb\x00") == "a\\nb\\x00"
    assert len(shorten("x" * 100)) == 40


# --- Options --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        *({"file_format": 0}, {"file_format": 5}, {"game": 0}, {"game": -1}),
        *({name: "x"} for name in ("profile", "language", "engine", "charset_mode")),
    ],
)
def test_options_that_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        sgf_lark.validate(b"(;)", **options)


def test_a_profile_has_the_name_that_it_had_before() -> None:
    data = b"(;FF[4]GM[1]SZ[19:19]C[a\\:b];B[zz];)"
    before, now = (
        [str(found) for found in sgf_lark.validate(data, profile=profile).diagnostics]
        for profile in ("default", "interchange")
    )
    assert before == now != [str(found) for found in sgf_lark.validate(data).diagnostics]


def test_options_that_are_taken() -> None:
    for profile in PROFILES:
        assert sgf_lark.validate(b"(;)", profile=profile).trees
    for file_format in FILE_FORMATS:
        assert sgf_lark.validate(b"(;)", file_format=file_format).trees[0].ff == file_format
    for game in (1, 2, 40, 41):
        assert sgf_lark.validate(b"(;)", game=game).trees[0].gm == game
    data = "(;FF[4]GM[1]KO[x]C[棋])"
    english, chinese = (
        sgf_lark.validate(data, language=each).diagnostics[0] for each in ("en", "zh")
    )
    assert english.message.isascii() and not chinese.message.isascii()
    assert english.span == chinese.span
    # A string counts as UTF-8, unless the charset is named.
    in_latin_1 = sgf_lark.validate(data, charset="ISO-8859-1")
    assert in_latin_1.source.data == data.encode()
    assert sgf_lark.validate("(;C[\ud800])").source.data == b"(;C[\xed\xa0\x80])"


SELECTIONS: list[tuple[list[str] | None, list[str] | None, set[str]]] = [
    (None, None, {"SGF202", "SGF401", "SGF501", "SGF602", "SGF603", "SGF701", "SGF704", "SGF801"}),
    (["SGF5", "SGF401"], None, {"SGF401", "SGF501"}),
    (["SGF5", "SGF401"], ["SGF50"], {"SGF401"}),
    (["SGF"], ["SGF2", "SGF6", "SGF7"], {"SGF401", "SGF501", "SGF801"}),
    (None, ["SGF"], set()),
    ([], None, set()),
    (["SGF202"], [], {"SGF202"}),
]


@pytest.mark.parametrize(("select", "ignore", "expected"), SELECTIONS)
def test_selections(select: list[str] | None, ignore: list[str] | None, expected: set[str]) -> None:
    for way in ("tables", "lark"):
        found = sgf_lark.validate(FILE, select=select, ignore=ignore, engine=way)
        assert {each.code for each in found.diagnostics} == expected


def test_findings_are_put_in_order_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many of them are asked for, one by one: to fix a file asks for each."""
    asked: Counter[int] = Counter()

    def place(finding: Any) -> Any:
        asked[id(finding)] += 1
        return finding[:3]

    monkeypatch.setattr(report_module, "by_place", place)
    fixed = sgf_lark.fix(b"(;FF[4]GM[1]SZ[9]" + b";B[aa]C[x]C[y]" * 60 + b")")
    assert len(fixed.applied) == 60
    assert max(asked.values()) == 1
