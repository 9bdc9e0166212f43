"""The fixer: what it fixes, that it loses nothing, and that it comes to an end."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import Rewriting, fix, grammar
from sgf_lark.fixing.edits import Chosen
from sgf_lark.fixing.points import compressed
from sgf_lark.fixing.rewriting import DELETABLE
from sgf_lark.fuzz.strategies import collections, mutants
from sgf_lark.model.values import Point
from sgf_lark.rules import load_fixes
from sgf_lark.rules.fixes import FIXES, Edit
from sgf_lark.text.edits import Origins, apply
from tests.kit.tables import for_each

# --- What is fixed ----------------------------------------------------------------------

#: Properties in a root with FF[4]GM[1], and what they become without --unsafe.
ROOT = [
    (b"KM[5 1/2 points]", b"KM[5.5]"),
    (b"TM[1:30:00(5x1:00)]", b"TM[5400]OT[5x1:00]"),
    (b"TM[1:30:00(5x1:00)]OT[x]", b"TM[1:30:00(5x1:00)]OT[x]"),
    (b"TM[30 min each]", b"TM[30 min each]"),
    (b"KM[komi: 6,5]", b"KM[6.5]"),
    (b"KM[no komi]", b"KM[0]"),
    (b"V[3 points]", b"V[3 points]"),
    (b"DT[12 and 13 march 1994]", b"DT[1994-03-12,13]"),
    (b"RE[B + 0]", b"RE[B+0]"),
    (b"BR[9p?]", b"BR[9p?]"),
    (b"AP[Editor]", b"AP[Editor:]"),
    (b"AP[Editor:1:2]", b"AP[Editor:1\\:2]"),
    (b"SZ[9.5]", b"SZ[9.5]"),
    (b"SZ[ 19. ]", b"SZ[19]"),
    (b"ST[2.]", b"ST[2]"),
    (b"PL[ white ]", b"PL[W]"),
    (b"CA[nonsense]", b"CA[UTF-8]"),
    (b"CA[UTF-8][UTF-8]", b"CA[UTF-8]"),
    (b"FG[Figure 1]", b"FG[0:Figure 1]"),
    (b"FG[:x]", b"FG[0:x]"),
    (b"FG[x:y]", b"FG[x:y]"),
    (b"AR[][]C[x]", b"C[x]"),
    (b"GB[1][]", b"GB[1]"),
    (b"LB[a a]", b"LB[a a]"),
    (b"GN[]", b""),
    (b"PB[x]PB[y]", b"PB[x]PB[y]"),
    (b"C[x]C[y]", b"C[x\ny]"),
    (b"LB[aa:x]LB[aa:y]", b"LB[aa:x]LB[aa:y]"),
    (b"LB[aa:x]LB[bb:y]", b"LB[aa:x][bb:y]"),
    (b"DD[]DD[aa]", b"DD[]DD[aa]"),
    (b"AB[aa]AB[bb]AB[aa]AB[cc]", b"AB[aa][bb][cc]"),
    (b"AB[aa:aa]", b"AB[aa]"),
    (b"AB[aa:bb][ab]", b"AB[aa:bb]"),
    (b"AB[ab][aa:bb]", b"AB[ab][aa][ba][bb]"),
    (b"AB[ a a ]", b"AB[aa]"),
    (b"AB[aa bb]", b"AB[aa bb]"),
    (b"AB[aa : bb]", b"AB[aa:bb]"),
    (b"LB[a a:a text]", b"LB[aa:a text]"),
    (b"TB[aa][]", b"TB[aa]"),
    (b"GB[02]", b"GB[2]"),
    (b"DD[\\aa]", b"DD[aa]"),
    # Damage
    (b"C[see [1] there]N[x]", b"C[see [1\\] there]N[x]"),
    (b"SiZe[9]", b"SZ[9]"),
    (b"K M[5]", b"K M[5]"),
    (b",KM[5],", b"KM[5]"),
    (b"KM[5]5", b"KM[5]5"),
    (b"\0KM[5]", b"KM[5]"),
    (b"\x01KM[5]", b"KM[5]"),
]


@for_each(ROOT)
def test_root(given_root: bytes, expected: bytes) -> None:
    result = fix(b"(;FF[4]GM[1]" + given_root + b";B[aa])")
    assert result.data == b"(;FF[4]GM[1]" + expected + b";B[aa])"
    assert all(change.safe for change in result.applied)
    assert result.ok == (given_root != expected) or not result.applied


CHARSETS: list[tuple[str, str, str]] = [
    ("UTF-8", "TM[1時間]", "TM[3600]"),
    ("Shift_JIS", "TM[1時間半]", "TM[5400]"),
    ("GBK", "TM[3小时]", "TM[10800]"),
    ("Big5", "BL[30分鐘]", "BL[1800]"),
    ("EUC-KR", "TM[1시간]", "TM[3600]"),
    ("UTF-8", "KM[6.5目]", "KM[6.5]"),
    ("GB18030", "KM[贴6目半]", "KM[6.5]"),
    ("ISO-8859-1", "KM[5½]", "KM[5.5]"),
    ("UTF-8", "HA[５]", "HA[5]"),
    ("UTF-8", "SZ[１９]", "SZ[19]"),
    ("UTF-8", "B[ｐｄ]", "B[pd]"),
    ("UTF-8", "PL[白]", "PL[W]"),
    ("UTF-8", "KM[6.5日]", "KM[6.5日]"),
]


@for_each(CHARSETS)
def test_words_in_each_charset(charset: str, given_root: str, expected: str) -> None:
    data = f"(;FF[4]GM[1]CA[{charset}]C[棋]{{}})".replace("[棋]", "[x]")
    result = fix(data.format(given_root).encode(charset), rewriting=Rewriting(charset=None))
    if "B[" not in expected:
        assert result.data == data.format(expected).encode(charset)
    assert expected.encode(charset) in result.data


#: Values whose meaning in FF[4] is not that of the older formats.
OLDER = [
    (b"TM[1 hour]", b"TM[1 hour]"),
    (b"TM[1800.]", b"TM[1800]"),
    (b"TM[1:30:00(5x1:00)]", b"TM[1:30:00(5x1:00)]"),
    (b"FG[x]", b"FG[x]"),
    (b"RE[White forfeits]", b"RE[B+F]"),
    (b"RE[Black resigns. W 133.5 B 81.0]", b"RE[Black resigns. W 133.5 B 81.0]"),
]


@for_each(OLDER)
def test_older_formats(given_root: bytes, expected: bytes) -> None:
    assert fix(b"(;FF[3]GM[1]" + given_root + b")").data == b"(;FF[3]GM[1]" + expected + b")"


FILES = [
    (b"(;FF[4];B[aa]()(;W[bb]))", b"(;FF[4];B[aa](;W[bb]))"),
    (b"((;FF[4]GM[1])(;FF[4]))", b"(;FF[4]GM[1])(;FF[4])"),
    (b"(;FF[4];B[aa](;W[bb];B[bc])(;W[cc]);W[dd];B[ee])", None),
    (b"(;FF[4](;B[aa](;W[bb]", b"(;FF[4](;B[aa](;W[bb])))"),
    (b"(;FF[4];B[aa]))\n", b"(;FF[4];B[aa])\n"),
    (b"(;FF[4];C[no end", b"(;FF[4];C[no end])"),
    (b"(;FF[4];C[no end\\", b"(;FF[4];C[no end\\\\])"),
    (b"(;FF[4];B[aa]B[bb];W[cc])", b"(;FF[4];B[aa];B[bb];W[cc])"),
    ("(;FF[4];CA[UTF-8]C[李昌鎬棋譜])".encode(), "(;FF[4]CA[UTF-8];C[李昌鎬棋譜])".encode()),
    (b"(;FF[4];B[aa]C[c]AB[bb]N[n])", b"(;FF[4];AB[bb];B[aa]C[c]N[n])"),
    (b"(;FF[4];B[aa]PB[x]RE[B+R])", b"(;FF[4]PB[x]RE[B+R];B[aa])"),
    (b"(;FF[4];B[aa];)", b"(;FF[4];B[aa])"),
    (b"(;FF[4];B[aa]PL[W]C[c];W[bb])", b"(;FF[4];B[aa]C[c];PL[W];W[bb])"),
    (b"(;FF[3]AB[aa:ab])", b"(;FF[3]AB[aa][ab])"),
    (b"(;FF[4]GM[11];B[a1];W[SWAP];W[b2])", b"(;FF[4]GM[11];B[a1];W[swap-sides];W[b2])"),
]  # fmt: skip


@for_each(FILES)
def test_file(data: bytes, expected: bytes | None) -> None:
    result = fix(data)
    if expected is not None:
        assert result.data.replace(b"\n", b"") == expected.replace(b"\n", b"")
    assert result.ok
    assert result.applied and all(change.safe for change in result.applied)


UNSAFE = [
    (b"TM[30 min each]", b"TM[1800]GC[TM: 30 min each]"),
    (b"LB[a a:text]AB[aa bb]", b"LB[aa:text]AB[aa][bb]"),
    (b"GB[no]", b"C[GB: no]"),
    (b"KM[5]5", b"KM[5]"),
    (b"AB[aa]AW[aa]", b"AB[aa]C[AW: aa]"),
    (b"DD[x]", b"C[DD: x]"),
    (b"KO[7.5]", b"KM[7.5]"),
    (b"KM[x]C[here]", b"GC[KM: x]C[here]"),
    (b"RE[B+3][W+4]", b"RE[B+3]GC[RE: W+4]"),
    (b";KO[xxxx]B[aa]", b";KO[]C[KO: xxxx]B[aa]"),
    (b";[orphan]", b";C[orphan]"),
    (b";SZ[9]C[x]", b"SZ[9];C[x]"),
]


@for_each(UNSAFE)
def test_unsafe(given_root: bytes, expected: bytes) -> None:
    data = b"(;FF[4]GM[1]" + given_root + b";B[aa])"
    assert not fix(data).ok or not fix(data).applied
    result = fix(data, unsafe=True)
    assert result.data == b"(;FF[4]GM[1]" + expected + b";B[aa])"
    assert result.ok
    assert not all(change.safe for change in result.applied)


UNSAFE_FILES = [
    (b"(;FF[4];B[aa]C[b]W[bb]C[w])", b"(;FF[4];B[aa]C[b];W[bb]C[w])"),
    (b"(;FF[4];B[aa]W[bb]C[c])", b"(;FF[4];B[aa];W[bb]C[c])"),
    (b"(;FF[4];B[aa]B[bb]W[cc]C[c];B[dd])", b"(;FF[4];B[aa];B[bb];W[cc]C[c];B[dd])"),
    (b"(;FF[4];B[aa][bb] [cc]C[x];W[dd])", b"(;FF[4];B[aa];B[bb] ;B[cc]C[x];W[dd])"),
    (b"From: me\n\n(;FF[4]N[x])", b"(;FF[4]N[x]C[From: me])"),
    (b"(;FF[4]N[x])\n-- \nme", b"(;FF[4]N[x]C[-- \nme])\n"),
    (
        b"(;FF[4];B[aa](;W[bb](;B[cc])(;AE[bb];W[dd]))(;W[ff]))",
        b"(;FF[4];B[aa](;W[bb](;B[cc]))(;W[dd])(;W[ff]))",
    ),
    (
        b"(;FF[4]GM[1];B[aa]((;FF[4]GM[1];B[bb])",
        b"(;FF[4]GM[1];B[aa])(;FF[4]GM[1];B[bb])",
    ),
    (b"(;FF[4]K M[5]C[x])", b"(;FF[4]KM[5]C[x])"),
    (b"(;FF[4]C[a [1]; b: c]x;W[dd])", b"(;FF[4]C[a [1\\]; b: c];W[dd])"),
]


@for_each(UNSAFE_FILES)
def test_unsafe_file(data: bytes, expected: bytes) -> None:
    assert fix(data).data == data
    result = fix(data, unsafe=True)
    assert result.data.replace(b"\n", b"") == expected.replace(b"\n", b"")
    assert not all(change.safe for change in result.applied)


@pytest.mark.parametrize("text", ["(;FF[4]GM[1]C[表示])", "(;FF[4]GM[1]PB[ソ])"])
def test_halves_of_characters_are_no_escapes(text: str) -> None:
    data = text.encode("shift_jis")
    assert fix(data).data == data


#: Files of which another reader than ours gets the same texts only if their bytes stay.
UNCERTAIN = [
    "(;FF[4]GM[1]CA[ISO-8859-1]PB[李世石])".encode(),
    "(;FF[4]GM[1]CA[ISO-8859-1]PB[François])".encode(),
    "(;FF[4]GM[1]CA[GBK]PB[李世石 古力])".encode(),
    "(;FF[4]GM[1]CA[ISO-8859-1]PB[李世石])".encode("utf-8-sig"),
    b"(;FF[4]GM[1]CA[ISO-8859-1]PB[\x93x\x94])",
    b"(;FF[4]GM[1]CA[Big5]C[\xa6\\]])",
    "(;FF[4]GM[1]CA[UTF-7]PB[李世石])".encode("utf-7"),
    "(;FF[4]GM[1]PB[李世石])(;FF[4]GM[1]CA[GB18030]PB[李世石])".encode("gb18030"),
    "header 李世石 (;FF[4]GM[1]CA[GB18030]PB[李世石])".encode("gb18030"),
]


@for_each(UNCERTAIN)
def test_bytes_of_texts_stay_where_programs_may_read_them_differently(data: bytes) -> None:
    assert fix(data).data == data
    with_number = data.replace(b"GM[1]", b"GM[1]KM[5.]")
    assert fix(with_number).data == with_number.replace(b"5.", b"5")


@pytest.mark.parametrize(
    "data",
    [
        b"(;FF[4]CA[GBK]PB[\xca]KM[5.])",
        b"(;FF[4]CA[Shift_JIS]PB[\x95\\\\]PW[\x97\\\\];G\x9aB[yes]KM[5.])",
    ],
    ids=str,
)
def test_nothing_is_fixed_where_brackets_may_be_halves_of_characters(data: bytes) -> None:
    assert fix(data).data == data
    assert not any(change.safe for change in fix(data, unsafe=True).applied if change.code)


def test_halves_of_characters_in_one_charset() -> None:
    data = b"(;FF[4]CA[Shift_JIS]PB[\x95\\]KM[5.])(;FF[4]CA[Shift_JIS]PB[\x83\\])"
    fixed = "(;FF[4]CA[UTF-8]PB[表]KM[5])(;FF[4]CA[UTF-8]PB[ソ])"
    assert fix(data).data == fixed.encode()


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("CA[GBK]PB[Lee]", "CA[GBK]PB[古力]", ("CA[UTF-8]PB[Lee]", "CA[UTF-8]PB[古力]")),
        ("PB[Lee]", "CA[GBK]PB[古力]", ("PB[Lee]", "CA[UTF-8]PB[古力]")),
        ("CA[nonsense]PB[Lee]", "CA[GBK]PB[古力]", ("CA[UTF-8]PB[Lee]", "CA[UTF-8]PB[古力]")),
    ],
)
def test_games_are_written_in_one_charset(
    first: str, second: str, expected: tuple[str, str]
) -> None:
    """So that programs that take the first CA for all games read all names."""
    data = f"(;FF[4]GM[1]{first})(;FF[4]GM[1]{second})".encode("gbk")
    assert fix(data).data == "".join(f"(;FF[4]GM[1]{root})" for root in expected).encode()


def test_games_in_older_formats_keep_the_charset_of_all() -> None:
    data = b"(;FF[4]GM[1]CA[Big5]PB[\xa5j\xa4O])(;FF[3]GM[1]CA[Big5]PW[\xc6\xac])"
    assert fix(data).data == data


@for_each(UNCERTAIN[:3])
def test_text_in_utf_8_becomes_text_in_utf_8_whatever_ca_says(data: bytes) -> None:
    fixed = re.sub(rb"CA\[[^]]+", b"CA[UTF-8", data)
    assert fix(data).data == data and fix(data, unsafe=True).data == fixed


def test_changes_have_their_rule_and_place() -> None:
    data = "(;FF[4]GM[1]CA[UTF-8]PB[棋手]\nKM[6,5]DT[21.2.2003])".encode()
    result = fix(data)
    found = {change.code: change for change in result.applied}
    assert set(found) == {"SGF415", "SGF418"}
    komi = found["SGF415"]
    assert (komi.span.line, komi.span.column) == (2, 4)
    assert data[komi.span.start : komi.span.end] == b"6,5"
    assert (komi.before, komi.after, komi.safe) == ("6,5", "6.5", True)
    assert komi.as_dict()["after"] == "6.5"
    assert komi.message.startswith("KM[6,5]")


def test_findings_are_chosen_by_code() -> None:
    data = b"(;FF[4]GM[1]KM[6,5]HA[0])"
    assert fix(data, select=["SGF415"]).data == b"(;FF[4]GM[1]KM[6.5]HA[0])"
    for kept in (b"(;FF[4]GM[1]HA[0])", b"(;FF[4]GM[1]CA[UTF-8]C[\xc3\xa9]HA[0])"):
        result = fix(kept, select=["SGF415"])
        assert result.data == kept
        assert [each.code for each in result.remaining] == ["SGF413"]
    assert fix(data, ignore=["SGF415"]).data == b"(;FF[4]GM[1]KM[6,5])"


def test_each_of_several_equal_properties_is_fixed() -> None:
    """Also where the findings of one are known from another."""
    tree = b"(;FF[4]GM[1]KM[6,5];B[aa](;W[bb]V[1,5])(;W[cc]V[1,5]))"
    expected = b"(;FF[4]GM[1]KM[6.5];B[aa](;W[bb]V[1.5])(;W[cc]V[1.5]))"
    for count in (1, 2, 3):
        result = fix(tree * count)
        assert result.data == expected * count
        places = [change.span.start for change in result.applied if change.code == "SGF415"]
        assert places == [len(tree) * number + 15 for number in range(count)]


# --- Every example of the catalogue -------------------------------------------------------

EXAMPLES = [example for rule in grammar.rules().values() for example in (*rule.bad, *rule.good)]


def errors(report: sgf_lark.Report) -> dict[str, int]:
    found: dict[str, int] = {}
    for item in report.diagnostics:
        if item.severity == "error":
            found[item.code] = found.get(item.code, 0) + 1
    return found


@for_each(product(EXAMPLES, [False, True]))
def test_no_example_gains_an_error(example: grammar.Example, unsafe: bool) -> None:
    before = sgf_lark.validate(example.data, charset_mode=example.charset_mode)
    result = fix(example.data, unsafe=unsafe, charset_mode=example.charset_mode)
    assert sum(errors(result.report).values()) <= sum(errors(before).values())
    again = fix(result.data, unsafe=unsafe)
    assert again.data == result.data
    if unsafe and before.trees:
        # Bytes that are text in several charsets, such as one byte above 127, stay what they are.
        assert result.ok or set(errors(result.report)) <= {"SGF205", "SGF209"}


def test_every_fix_belongs_to_a_rule() -> None:
    load_fixes()
    assert set(FIXES) <= set(grammar.rules())


# --- Nothing is lost ------------------------------------------------------------------------


@given(mutants())
@example(rb"(;FF[4\\\\]GM[1]SZ[9];B[aa])")
@example(b"\xe9(;FF[4]CA[GB18030]SZ[1])")
@example(b"(;FF[4]CA[ShiftJIS\x99]C[a])")
@example(b"(CA[ShiftJIS\x99]a[")
@example(b"(;FF[4]CA[GBK]R[\xbd\\]a[])")
def test_safe_fixes_end(data: bytes) -> None:
    fixed = fix(data).data
    assert fix(fixed).data == fixed


@given(collections(charset="UTF-8"))
def test_conforming_files_stay_as_they_are(data: bytes) -> None:
    result = fix(data, ignore=["SGF4", "SGF9"])
    assert result.data == data


@given(st.binary(max_size=80) | mutants(), st.booleans())
def test_any_bytes_can_be_fixed(data: bytes, unsafe: bool) -> None:
    result = fix(data, unsafe=unsafe, rewriting=Rewriting(upgrade=True, points="compress"))
    for change in result.applied:
        assert 0 <= change.span.start <= change.span.end <= len(data)


CHARSET_NAMES = st.sampled_from(["GBK", "Big5", "Shift_JIS", "ISO-2022-JP", "UTF-7", "UTF-8"])
#: Pieces of files in several charsets, with bytes that are valid in none of them.
PIECES = st.sampled_from(
    [
        *(b"(", b";", b")", b"(;", b"[", b"]", b"C[", b"\\", b"KM[6,5]", b"B[zz]", b"text", b"\n"),
        *(b"CA[GBK]", b"CA[Shift_JIS]", b"CA[x]", b"RE[\xb0\xd7]", b"\xce\xa7\xc6\xe5"),
        *(b"\x81]", b"\xff", b"\xe9", b"\xc3\xa9", b"\x1b(B", "围棋".encode()),
    ]
)
DAMAGED_TEXT = st.builds(
    lambda mark, pieces: mark + b"".join(pieces),
    st.sampled_from([b"", b"(;", b"\xef\xbb\xbf", b"\xef\xbb\xbf(;", b"\xff\xfe"]),
    st.lists(PIECES, max_size=12),
)


@given(
    DAMAGED_TEXT,
    st.booleans(),
    st.sampled_from(["auto", "file", "text", "none"]),
    st.none() | CHARSET_NAMES,
    st.none() | CHARSET_NAMES,
    st.builds(Rewriting, st.sampled_from([None, "UTF-8", "GBK"])),
)
# A fix would write a character that the charset lacks, and lose the undecodable bytes.
@example(
    b"\x81](;FF[4]PB[+\xe5\x9b\xb4\xe6\xa3\x8b)CA[Big5]", True, "file", None, None, Rewriting()
)
# The byte order mark is not part of the decoded text.
@example(b"\xef\xbb\xbf(;\xff\xfeCA[]", False, "text", "UTF-7", None, Rewriting())
# What was recoded is not UTF-8 any more.
@example(b"(;]CA[Big5]+C[\n\xce\xa7\xc6\xe5", True, "file", None, None, Rewriting("GBK"))
# Text was moved into the middle of a character, where a ";" is missing.
@example(
    b"(;\\\x1b(BCA[Shift_JIS]\xc3\xa9]~}C[a]C[b])\xc3\xa9)FF[4]",
    False,
    "file",
    None,
    "ISO-8859-1",
    Rewriting(),
)
def test_any_bytes_can_be_fixed_in_any_charset(
    data: bytes,
    unsafe: bool,
    mode: Any,
    charset: str | None,
    default: str | None,
    rewriting: Rewriting,
) -> None:
    options: dict[str, Any] = {"charset": charset, "default_charset": default}
    result = fix(data, unsafe=unsafe, charset_mode=mode, rewriting=rewriting, **options)
    assert result.applied or result.data == data
    for change in result.applied:
        assert 0 <= change.span.start <= change.span.end <= len(data)


# --- Rewriting ----------------------------------------------------------------------------------

REWRITES: list[tuple[bytes, dict[str, Any], bytes]] = [
    (
        b"(;FF[3]GaMe[1];Black[tt]L[aa][bb];W[cc]TE[1]BM[1]M[cc][dd])",
        {"upgrade": True},
        b"(;FF[4]GM[1];B[]LB[aa:A][bb:B];W[cc]IT[]TR[cc]MA[dd])",
    ),
    (
        b"(;FF[3]GM[1]L["
        + b"][".join(b"a%c" % (97 + row) for row in range(19))
        + b"]["
        + b"][".join(b"b%c" % (97 + row) for row in range(9))
        + b"])",
        {"upgrade": True},
        b"(;FF[4]GM[1]LB["
        + b"][".join(b"a%c:%c" % (97 + row, 65 + row) for row in range(19))
        + b"]["
        + b"][".join(b"b%c:%c" % (97 + row, 84 + row) for row in range(7))
        + b"][bh:AA][bi:BB])",
    ),
    (b"(;GM[1]KI[11]VW[ba][db])", {"upgrade": True}, b"(;FF[4]GM[1]KM[5.5]VW[ba:db])"),
    (b"(;FF[1]KI[11]KM[5])", {"upgrade": True}, b"(;FF[4]KI[11]KM[5])"),
    (b"(;FF[1]KI[10]KM[5])", {"upgrade": True}, b"(;FF[4]KM[5])"),
    (b"(;FF[1]KI[10]KM[5][6])", {"upgrade": True}, b"(;FF[4]KM[5][6])"),
    (b"(;KI[11]GM[1])", {"upgrade": True}, b"(;FF[4]KM[5.5]GM[1])"),
    (b"(;FF[4]KI[11];L[aa])", {"upgrade": True}, b"(;FF[4]KM[5.5];LB[aa:A])"),
    (b"(;FF[4];M[x]L[aa]LB[aa:x])", {"upgrade": True}, b"(;FF[4];M[x]L[aa]LB[aa:x])"),
    (b"(;FF[4]AB[aa][ab][ba][bb][dd])", {"points": "compress"}, b"(;FF[4]AB[aa:bb][dd])"),
    (b"(;FF[4]AB[aa:bb][dd])", {"points": "expand"}, b"(;FF[4]AB[aa][ba][ab][bb][dd])"),
    (b"(;FF[4]DD[])", {"points": "expand"}, b"(;FF[4]DD[])"),
    (b"(;FF[4]LB[aa:x])", {"points": "compress"}, b"(;FF[4]LB[aa:x])"),
    (b"(;FF[4]C[x];ZZ[1]B[aa]RG[aa])", {"delete": {"unknown"}}, b"(;FF[4]C[x];B[aa]RG[aa])"),
    (b"(;FF[4]C[x];ZZ[1]B[aa]RG[aa])", {"delete": {"obsolete"}}, b"(;FF[4]C[x];ZZ[1]B[aa])"),
    (b"(;FF[4]C[x];B[aa]C[y])", {"delete": {"C"}}, b"(;FF[4];B[aa])"),
    (b"(;FF[4];;B[aa](;)(;;W[bb]))", {"delete": {"empty-nodes"}}, b"(;FF[4];B[aa](;W[bb]))"),
    (b"(;FF[4];B[aa];W[];B[])", {"delete": {"trailing-passes"}}, b"(;FF[4];B[aa])"),
    (b"(;FF[4];B[aa]CR[aa]MA[bb])", {"delete": {"move-markup"}}, b"(;FF[4];B[aa]MA[bb])"),
    (b"(;FF[4]CA[ISO-8859-1]C[\xe9])", {}, b"(;FF[4]CA[UTF-8]C[\xc3\xa9])"),
    (b"(;FF[4]CA[ISO-8859-1]C[\xe9])", {"charset": None}, b"(;FF[4]CA[ISO-8859-1]C[\xe9])"),
    (b"(;FF[4]CA[UTF-8]C[\xc3\xa9])", {"charset": "latin1"}, b"(;FF[4]CA[latin1]C[\xe9])"),
    (b"(;FF[4]C[x])", {}, b"(;FF[4]C[x])"),
    (
        "(;FF[4]CA[UTF-8]C[棋])(;FF[4]CA[UTF-8]C[é])".encode(),
        {"charset": "ISO-8859-1"},
        "(;FF[4]CA[UTF-8]C[棋])".encode() + b"(;FF[4]CA[ISO-8859-1]C[\xe9])",
    ),
    # The text before the game would not be UTF-8.
    (b"\xe9(;FF[4]CA[ISO-8859-1]C[\xe9])", {}, b"\xe9(;FF[4]CA[ISO-8859-1]C[\xe9])"),
    (b"(;FF[4]ZZ[\xe9]C[\xe9])", {}, b"(;FF[4]ZZ[\xe9]C[\xe9])"),
    (
        "(;FF[4]ZZ[李昌鎬]C[曹薰鉉])".encode(),
        {},
        "(;FF[4]ZZ[李昌鎬]C[曹薰鉉]CA[UTF-8])".encode(),
    ),
    (b"From: me(;FF[4]N[x])", {"header": "comment"}, b"(;FF[4]N[x]C[From: me])"),
    (b"From: me(;FF[4]N[x])", {"header": "drop"}, b"(;FF[4]N[x])"),
    (b"From: me\n(;FF[4]N[x])", {}, b"From: me\n(;FF[4]N[x])"),
    (b"(;FF[4]B[bb]C[x])", {}, b"(;FF[4]B[bb]C[x])"),
    # Upgrading
    (
        b"(;FF[4];CR[aa])(;FF[3];B[aa])(;FF[1])",
        {"upgrade": True},
        b"(;FF[4];CR[aa])(;FF[4];B[aa])(;FF[4])",
    ),
    (b"(;FF[4];B[tt]VW[ba][db])", {"upgrade": True}, b"(;FF[4];B[tt]VW[ba][db])"),
    (b"(;GM[1]VW[db][ba])", {"upgrade": True}, b"(;FF[4]GM[1]VW[ba:db])"),
    (b"(;GM[1]VW[zz][ba])", {"upgrade": True}, b"(;FF[4]GM[1]VW[zz:ba])"),
    (b"(;GM[1]AB[aa]M[aa][bb])", {"upgrade": True}, b"(;FF[4]GM[1]AB[aa]TR[aa]MA[bb])"),
    # In FF[4] "tt" is a point of a board of 21 lines.
    (
        b"(;FF[4]GM[1]SZ[21];B[tt];M[tt][bb])",
        {"upgrade": True},
        b"(;FF[4]GM[1]SZ[21];B[tt];TR[tt]MA[bb])",
    ),
    (b"(;GM[1]KI[11])", {"upgrade": True}, b"(;FF[4]GM[1]KM[5.5])"),
    (b"(;GM[1]KI[-12])", {"upgrade": True}, b"(;FF[4]GM[1]KM[-6])"),
    (b"(;GM[1]KI[12345679])", {"upgrade": True}, b"(;FF[4]GM[1]KM[6172839.5])"),
    (
        b"(;GM[1]KI[1234567890123456])",
        {"upgrade": True},
        b"(;FF[4]GM[1]KI[1234567890123456])",
    ),
    # Lists of points
    (b"(;FF[3]AB[aa][ab])", {"points": "compress"}, b"(;FF[3]AB[aa][ab])"),
    (
        b"(;FF[3]AB[aa][ab])(;FF[4]AB[aa][ab])",
        {"points": "compress"},
        b"(;FF[3]AB[aa][ab])(;FF[4]AB[aa:ab])",
    ),
    (
        b"(;FF[4]XX[a]LB[aa:x]AB[aa][ab]N[x]TR[aa][ab])",
        {"points": "compress"},
        b"(;FF[4]XX[a]LB[aa:x]AB[aa:ab]N[x]TR[aa:ab])",
    ),
    (b"(;FF[4]LN[aa:ab]CR[aa][ab])", {"points": "compress"}, b"(;FF[4]LN[aa:ab]CR[aa:ab])"),
    (
        b"(;FF[4]CR[zz][ab]DD[][aa]TR[aa][ab])",
        {"points": "compress"},
        b"(;FF[4]CR[zz][ab]DD[][aa]TR[aa:ab])",
    ),
    (b"(;FF[4]GM[9]AB[a1][a2])", {"points": "compress"}, b"(;FF[4]GM[9]AB[a1][a2])"),
    (b"(;FF[4]GM[2]AB[aa][ab])", {"points": "compress"}, b"(;FF[4]GM[2]AB[aa][ab])"),
    (b"(;FF[4]GM[11]AB[a1][a2])", {"points": "compress"}, b"(;FF[4]GM[11]AB[a1:a2])"),
    # A point of Backgammon in a list is a checker.
    (b"(;FF[4]GM[6]AB[a][a]CR[a][b])", {"points": "compress"}, b"(;FF[4]GM[6]AB[a][a]CR[a:b])"),
    (b"(;FF[4]GM[6]AB[a][a])", {"points": "expand"}, b"(;FF[4]GM[6]AB[a][a])"),
    # Trailing passes
    (b"(;FF[4];B[bb];C[x])", {"delete": {"trailing-passes"}}, b"(;FF[4];B[bb];C[x])"),
    (b"(;FF[4];B[bb];W[]C[x])", {"delete": {"trailing-passes"}}, b"(;FF[4];B[bb];W[]C[x])"),
    (b"(;FF[4]B[])", {"delete": {"trailing-passes"}}, b"(;FF[4]B[])"),
    (
        b"(;FF[4];B[](;W[aa])(;W[bb]))",
        {"delete": {"trailing-passes"}},
        b"(;FF[4];B[](;W[aa])(;W[bb]))",
    ),
    (
        b"(;FF[4](;B[])(;W[cc]C[x]))",
        {"delete": ("trailing-passes", "C")},
        b"(;FF[4](;W[cc]))",
    ),
    # Nodes
    (
        b"(;FF[4];;B[aa](;;W[aa])(;(;W[bb])(;W[cc]))(;))",
        {"delete": {"empty-nodes"}},
        b"(;FF[4];B[aa](;W[aa])(;(;W[bb])(;W[cc])))",
    ),
    (
        b"(;FF[4](;(;B[aa])(;B[bb])(;B[cc]))(;;)(;;B[cc]))",
        {"delete": {"empty-nodes"}},
        b"(;FF[4](;(;B[aa])(;B[bb])(;B[cc]))(;B[cc]))",
    ),
    (
        b"(;FF[4](;(;B[aa]))(;B[dd])(;;W[ee]))",
        {"delete": {"empty-nodes"}},
        b"(;FF[4](;(;B[aa]))(;B[dd])(;W[ee]))",
    ),
    (
        b"(;FF[4];B[aa];(;W[bb])(;W[cc]))",
        {"delete": {"empty-nodes"}},
        b"(;FF[4];B[aa](;W[bb])(;W[cc]))",
    ),
    # Markup of moves
    (b"(;FF[4];B[aa]CR[bb][aa][cc])", {"delete": {"move-markup"}}, b"(;FF[4];B[aa]CR[bb][cc])"),
    (b"(;FF[4];B[aa]CR[aa:ab])", {"delete": {"move-markup"}}, b"(;FF[4];B[aa]CR[aa:ab])"),
    (
        b"(;FF[4];B[aa]XX[aa]AW[aa]MA[aa];W[bb]LB[bb:1]CR[bb][cc];B[]TR[bb])",
        {"delete": {"move-markup"}},
        b"(;FF[4];B[aa]XX[aa]AW[aa];W[bb]LB[bb:1]CR[cc];B[]TR[bb])",
    ),
    (b"(;FF[4];B[aa:bb]CR[aa])", {"delete": {"move-markup"}}, b"(;FF[4];B[aa:bb]CR[aa])"),
    (b"(;FF[4]GM[99];B[aa]CR[aa])", {"delete": {"move-markup"}}, b"(;FF[4]GM[99];B[aa]CR[aa])"),
    (b"(;FF[4];B[zz]CR[zz])", {"delete": {"move-markup"}}, b"(;FF[4];B[zz]CR[zz])"),
]


@for_each(REWRITES)
def test_rewriting(data: bytes, options: dict[str, Any], expected: bytes) -> None:
    if "delete" in options:
        options = {"delete": frozenset(options["delete"])}
    result = fix(data, ignore=["SGF501", "SGF9", "SGF213"], rewriting=Rewriting(**options))
    assert result.data == expected
    of_rewriting = [change for change in result.applied if not change.code]
    assert bool(result.applied) == (result.data != data)
    if deleting := options.get("delete", frozenset()) - {"empty-nodes"}:
        assert not any(change.safe for change in of_rewriting)
        names = {name for kind in deleting for name in (kind, f"delete-{kind}")}
        assert {change.name for change in of_rewriting} <= names
    again = fix(result.data, ignore=["SGF501", "SGF9", "SGF213"], rewriting=Rewriting(**options))
    assert again.data == expected


def test_upgrade_needs_no_other_fixes() -> None:
    result = fix(b"(;GM[1]VW[db][ba])", select=["SGF9"], rewriting=Rewriting(upgrade=True))
    assert result.data == b"(;FF[4]GM[1]VW[ba:db])"


@for_each(
    [
        (b"(;FF[3]GM[1]SZ[19];B[pd];W[tt])", b"(;FF[4]GM[1]SZ[19];B[pd];W[])", True),
        (b"(;FF[3]GM[1]SZ[21];B[pd];W[ss])", b"(;FF[4]GM[1]SZ[21];B[pd];W[ss])", True),
        (b"(;FF[3]GM[1]SZ[21];B[pd];W[tt])", b"(;FF[4]GM[1]SZ[21];B[pd];W[tt])", False),
        (b"(;FF[3]GM[2]SZ[21];B[pd];W[tt])", b"(;FF[4]GM[2]SZ[21];B[pd];W[tt])", True),
    ],
    by=lambda data, expected, safe: data.decode(),
)
def test_upgrade_is_unsafe_if_tt_may_be_a_pass(data: bytes, expected: bytes, safe: bool) -> None:
    result = fix(data, select=["SGF9"], rewriting=Rewriting(upgrade=True))
    assert result.data == expected
    assert all(change.safe for change in result.applied) == safe


@pytest.mark.parametrize("codec", ["utf-16-le", "cp932"])
def test_files_in_other_charsets_become_utf_8(codec: str) -> None:
    text = "(;FF[4]GM[1]CA[Shift_JIS]C[表ソ];B[aa]C[予])"
    mark = "\ufeff" if codec == "utf-16-le" else ""
    result = fix((mark + text).encode(codec))
    assert result.data == text.replace("Shift_JIS", "UTF-8").encode()
    assert result.ok


def test_files_in_other_charsets_may_keep_them() -> None:
    data = "\ufeff(;FF[4]GM[1]KM[6,5]C[棋];B[aa])".encode("utf-16-le")
    result = fix(data, rewriting=Rewriting(charset=None))
    assert result.data == data.replace("6,5".encode("utf-16-le"), "6.5".encode("utf-16-le"))


def test_the_mark_of_another_charset_is_text_in_the_one_that_is_named() -> None:
    data = "\ufeff(;FF[4]GM[1]KM[6,5]C[ä])".encode()
    assert fix(data, charset="UTF-16").data == "(;FF[4]GM[1]KM[6.5]C[ä]CA[UTF-8])".encode()


def test_the_fixed_file_is_reported_on_as_it_is_read_without_options() -> None:
    result = fix(b"(;FF[4]GM[1]C[\xe4])", charset="UTF-8")
    assert result.data == b"(;FF[4]GM[1]C[\xe4])" and not result.remaining


def test_the_first_of_several_charsets_is_the_one_of_the_texts() -> None:
    data = "(;FF[4]GM[1]CA[UTF-8][GBK]C[棋])".encode()
    assert fix(data, unsafe=True, ignore=["SGF301"]).data == data


def test_undecodable_bytes_are_never_lost() -> None:
    bad = b"\x00\xd8"
    start, end = (
        "\ufeff(;FF[4]GM[1]KM[6,5]C[棋譜棋".encode("utf-16-le"),
        "];B[aa])".encode("utf-16-le"),
    )
    result = fix(start + bad + end)
    assert result.data == (start + bad + end).replace(b",", b".")
    assert [found.code for found in result.remaining][:2] == ["SGF214", "SGF206"]
    unsafe = fix(start + bad + end, unsafe=True)
    assert unsafe.ok and "KM[6.5]C[棋譜棋\ufffd" in unsafe.data.decode()


@pytest.mark.parametrize(
    "options", [{"points": "x"}, {"header": "x"}, {"delete": frozenset({"x"})}]
)
def test_unknown_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        Rewriting(**options)
    assert all(Rewriting(delete=frozenset({kind})) for kind in DELETABLE)


def test_rectangles_are_listed_up_to_the_length_of_the_tree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sgf_lark.rules.file_formats._MOST_POINTS", 3)
    few, many = b"(;FF[3]GM[1]AB[aa:ba][ab:bb])", b"(;FF[3]GM[1]AB[aa:jj])"
    assert fix(few).data == b"(;FF[3]GM[1]AB[aa][ba][ab][bb])"
    assert (fix(many).data, fix(many, unsafe=True).data) == (many, many.replace(b"3", b"4"))


@given(st.sets(st.builds(Point, st.integers(0, 9), st.integers(0, 9))))
def test_compressed_points_cover_each_point_once(points: set[Point]) -> None:
    covered = [
        Point(column, row)
        for first, last in compressed(points)
        for column in range(first.column, last.column + 1)
        for row in range(first.row, last.row + 1)
    ]
    assert len(covered) == len(set(covered))
    assert set(covered) == points


@given(st.sets(st.builds(Point, st.integers(0, 5), st.integers(0, 5)), min_size=12))
def test_compressed_points_begin_with_the_largest_rectangle(points: set[Point]) -> None:
    left = set(points)
    for first, last in compressed(points):
        areas = {}
        for corner in left:
            rows = range(first.row, corner.row + 1)
            inside = {Point(x, y) for y in rows for x in range(first.column, corner.column + 1)}
            if inside <= left:
                areas[corner] = len(inside)
        assert areas[last] == max(areas.values())
        left -= {
            Point(x, y)
            for x in range(first.column, last.column + 1)
            for y in range(first.row, last.row + 1)
        }


@given(st.data())
def test_origins_follow_all_edits(draw: st.DataObject) -> None:
    original = bytes(range(40))
    data, origins = original, Origins(len(original))
    for _ in range(draw.draw(st.integers(0, 4))):
        chosen = Chosen(data)
        for _ in range(draw.draw(st.integers(0, 3))):
            start = draw.draw(st.integers(0, len(data)))
            end = draw.draw(st.integers(start, min(len(data), start + 5)))
            chosen.take((Edit(start, end, b"\xff" * draw.draw(st.integers(0, 3))),))
        data = apply(data, chosen.edits)
        origins.follow(chosen.edits)
    for offset, byte in enumerate(data):
        if byte != 0xFF:
            assert origins.was_at(offset) == original.index(byte)
        assert 0 <= origins.was_at(offset) <= len(original)


@pytest.mark.parametrize("charset", ["Big5", "GBK", "UTF-8", "Shift_JIS"])
@pytest.mark.parametrize("junk", [b"\xc3", b"x\xc3", b"\xa4\xa4"])
def test_undecodable_bytes_after_a_tree_are_kept_once(charset: str, junk: bytes) -> None:
    """In Big5 a "]" can be the second half of a character, but not the end of a value."""
    once = sgf_lark.fix(b"(;FF[4]GM[1]CA[" + charset.encode() + b"])" + junk).data
    assert sgf_lark.fix(once).data == once


#: A file, what is requested, and the changed places in it.
PLACES: list[tuple[bytes, dict[str, Any], list[bytes]]] = [
    (b"(;FF[3]GM[1];B[tt];W[aa])", {"upgrade": True}, [b"[tt]", b"FF[3]"]),
    (b"(;GM[1]PB[a];KI[11])", {"upgrade": True}, [b"KI[11]", b""]),
    (b"(;FF[3]GM[1]KI[11]KM[5.5])", {"upgrade": True}, [b"KI[11]", b"FF[3]"]),
    (b"(;FF[3]GM[1];TE[1]BM[1])", {"upgrade": True}, [b"TE[1]", b"FF[3]"]),
    (b"(;FF[3]GM[1];White[aa])", {"upgrade": True}, [b"White[aa]", b"FF[3]"]),
    (b"(;FF[4]GM[1];B[aa]MN[1])", {"delete": {"MN"}}, [b"MN[1]"]),
    (b"(;FF[4]GM[1];B[aa];W[])", {"delete": {"trailing-passes"}}, [b";W[]"]),
    (b"(;FF[4]GM[1];B[aa]CR[aa]N[x])", {"delete": {"move-markup"}}, [b"CR[aa]"]),
    (b"(;FF[4]GM[1];;B[aa])", {"delete": {"empty-nodes"}}, [b";"]),
    (b"(;FF[4]GM[1]CR[aa][ab]N[x])", {"points": "compress"}, [b"CR[aa][ab]"]),
    (b"(;FF[4]GM[1]CR[aa:ab]N[x])", {"points": "expand"}, [b"CR[aa:ab]"]),
]


@for_each(PLACES)
def test_requested_changes_have_their_place(
    data: bytes, options: dict[str, Any], expected: list[bytes]
) -> None:
    changes = fix(data, select=["SGF213"], rewriting=Rewriting(**options)).applied
    assert [data[change.span.start : change.span.end] for change in changes] == expected


def test_changes_after_a_file_is_decoded_anew_have_their_place() -> None:
    """Without its damage the file is decoded before it is parsed, which makes two texts of one."""
    data = b"x(;CA[GBK]GM[1]C[\xb9\xc5\xc1\xa6]C[\x95\\]FF[4];B[aa]AB[bb]"
    changes = {change.name: change.span for change in fix(data, unsafe=True).applied}
    place = changes["move-with-setup"]
    assert data[place.start : place.end] == b"AB[bb]"


def test_white_space_is_shown_where_it_is_the_change() -> None:
    [change] = fix(b"(;FF[4]GM[1]RE[ B+R])").applied
    assert (change.before, change.after) == (" B+R", "B+R")
    [change] = fix(b"hello (;FF[4]GM[1])", unsafe=True).applied
    assert (change.before, change.after) == ("hello", "C[hello]")


#: Two games in charsets of their own, each with a safe and an unsafe fix.
IN_TWO_CHARSETS = (
    "(;FF[4]GM[1]CA[Shift_JIS]KM[6,5]PB[表];B[zz])".encode("cp932")
    + "(;FF[4]GM[1]CA[UTF-8]KM[6,5]PB[古力];B[zz])".encode()
)


def test_games_in_several_charsets_are_fixed_safely_unless_asked() -> None:
    kept = Rewriting(charset=None)
    result = fix(IN_TWO_CHARSETS, rewriting=kept)
    assert result.data == IN_TWO_CHARSETS.replace(b"6,5", b"6.5")
    assert all(change.safe for change in result.applied)
    result = fix(IN_TWO_CHARSETS, unsafe=True, rewriting=kept)
    assert [change.safe for change in result.applied].count(False) == 2


def test_requested_changes_are_shown_in_the_charset_of_their_game() -> None:
    data = "(;FF[4]CA[UTF-8]C[中])".encode() + "(;FF[4]CA[GBK]C[中])".encode("gbk")
    result = fix(data, rewriting=Rewriting(charset=None, delete=frozenset({"C"})))
    assert [change.before for change in result.applied] == ["C[中]", "C[中]"]


#: Nodes with safe fixes and others, and the file after both, which no safe fix may come too late
#: for.
ORDERS = {
    b";B[aa]B[bb]AB[cc]": b";AB[cc];B[aa];B[bb]",
    b";KO[x][ ]": b";C[KO: x]",
    b"HA[ ]HA[2]": b"HA[2]",
    b"HA[2]HA[ ]PL[red]": b"HA[2]C[PL: red]",
    b"RE[black][B+R]": b"RE[B+R]",
    b"KM[6,5]KM[x]": b"KM[6.5]GC[KM: x]",
    b";W[aa]W[bb]AW[cc]LB[dd]": b";AW[cc];W[aa];W[bb]MA[dd]",
    b";C[a]N[]C[b]MN[x]": b";C[a\nb\nMN: x]",
}


@for_each(ORDERS)
def test_unsafe_fixes_give_the_same_after_safe_ones(node: bytes) -> None:
    data = b"(;FF[4]GM[1]" + node + b")"
    at_once = fix(data, unsafe=True).data
    assert at_once == fix(fix(data).data, unsafe=True).data == b"(;FF[4]GM[1]" + ORDERS[node] + b")"
