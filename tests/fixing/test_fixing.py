"""The fixer: what it fixes, that it loses nothing, and that it comes to an end."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import Rewriting, fix, grammar
from sgf_lark.fixing.edits import Chosen
from sgf_lark.fuzz.strategies import collections, mutants
from sgf_lark.rules.fixes import Edit
from sgf_lark.text.edits import Origins, apply
from tests.kit.tables import for_each

# --- What is fixed ----------------------------------------------------------------------

#: Properties in the root of a game of Go in FF[4], and what they become.
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
    (b"GN[]", b""),
    (b"PB[x]PB[y]", b"PB[x]PB[y]"),
    (b"C[x]C[y]", b"C[x\ny]"),
    (b"LB[aa:x]LB[aa:y]", b"LB[aa:x]LB[aa:y]"),
    (b"AB[aa]AB[bb]AB[aa]AB[cc]", b"AB[aa][bb][cc]"),
    (b"AB[aa:aa]", b"AB[aa]"),
    (b"AB[aa:bb][ab]", b"AB[aa:bb]"),
    (b"AB[ab][aa:bb]", b"AB[ab][aa][ba][bb]"),
    (b"AB[ a a ]", b"AB[aa]"),
    (b"AB[aa bb]", b"AB[aa bb]"),
    (b"AB[aa : bb]", b"AB[aa:bb]"),
    (b"LB[a a]", b"LB[a a]"),
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

#: The same in FF[3], for values whose meaning in FF[4] is not that of the older formats.
OLDER = [
    (b"TM[1 hour]", b"TM[1 hour]"),
    (b"TM[1800.]", b"TM[1800]"),
    (b"TM[1:30:00(5x1:00)]", b"TM[1:30:00(5x1:00)]"),
    (b"FG[x]", b"FG[x]"),
    (b"RE[White forfeits]", b"RE[B+F]"),
    (b"RE[Black resigns. W 133.5 B 81.0]", b"RE[Black resigns. W 133.5 B 81.0]"),
]

FILES = [
    (b"(;FF[4];B[aa]()(;W[bb]))", b"(;FF[4];B[aa](;W[bb]))"),
    (b"((;FF[4]GM[1])(;FF[4]))", b"(;FF[4]GM[1])(;FF[4])"),
    (b"(;FF[4];B[aa](;W[bb];B[bc])(;W[cc]);W[dd];B[ee])",
     b"(;FF[4];B[aa](;W[bb];B[bc])(;W[cc])(;W[dd];B[ee]))"),
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


@for_each(
    [
        *(
            (b"(;FF[4]GM[1]%s;B[aa])" % given, b"(;FF[4]GM[1]%s;B[aa])" % root)
            for given, root in ROOT
        ),
        *((b"(;FF[3]GM[1]%s)" % given, b"(;FF[3]GM[1]%s)" % root) for given, root in OLDER),
        *FILES,
    ]
)
def test_what_is_fixed_safely(data: bytes, expected: bytes) -> None:
    result = fix(data)
    assert result.data == expected
    assert all(change.safe for change in result.applied)
    assert bool(result.applied) == (data != expected)
    assert result.ok or not result.applied


#: Words, signs and digits, in a charset that has them.
IN_CHARSETS = [
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


@for_each(IN_CHARSETS)
def test_words_in_each_charset(charset: str, given_root: str, expected: str) -> None:
    data, fixed = (
        f"(;FF[4]GM[1]CA[{charset}]{root})".encode(charset) for root in (given_root, expected)
    )
    assert fix(data, rewriting=Rewriting(charset=None)).data == fixed


#: Files that only --unsafe changes.
UNSAFE = [
    *(
        (b"(;FF[4]GM[1]%s;B[aa])" % given, b"(;FF[4]GM[1]%s;B[aa])" % root)
        for given, root in [
            (b"TM[30 min each]", b"TM[1800]GC[TM: 30 min each]"),
            (b"AB[aa bb]", b"AB[aa][bb]"),
            (b"GB[no]", b"C[GB: no]"),
            (b"KM[5]5", b"KM[5]"),
            (b"AB[aa]AW[aa]", b"AB[aa]C[AW: aa]"),
            (b"DD[x]", b"C[DD: x]"),
            # Of a rectangle that leaves the board some programs read nothing.
            (b"AB[aa:zz][bb]", b"AB[bb]C[AB: aa:zz]"),
            (b"AB[aa:zz]AW[cc]", b"C[AB: aa:zz]AW[cc]"),
            (b"TR[aa:zz]CR[bb]", b"C[TR: aa:zz]CR[bb]"),
            (b"LN[aa:bb][bb:zz]", b"LN[aa:bb]C[LN: bb:zz]"),
            (b"AR[zz:bb]", b"C[AR: zz:bb]"),
            (b"KO[7.5]", b"KM[7.5]"),
            (b"KM[x]C[here]", b"GC[KM: x]C[here]"),
            (b"RE[B+3][W+4]", b"RE[B+3]GC[RE: W+4]"),
            (b";KO[xxxx]B[aa]", b";KO[]C[KO: xxxx]B[aa]"),
            (b";[orphan]", b";C[orphan]"),
            (b";SZ[9]C[x]", b"SZ[9];C[x]"),
        ]
    ),
    (b"(;FF[4];B[aa]C[b]W[bb]C[w])", b"(;FF[4];B[aa]C[b];W[bb]C[w])"),
    (b"(;FF[4];B[aa]W[bb]C[c])", b"(;FF[4];B[aa];W[bb]C[c])"),
    (b"(;FF[4];B[aa]B[bb]W[cc]C[c];B[dd])", b"(;FF[4];B[aa];B[bb];W[cc]C[c];B[dd])"),
    (b"(;FF[4];B[aa][bb] [cc]C[x];W[dd])", b"(;FF[4];B[aa];B[bb] ;B[cc]C[x];W[dd])"),
    (b"From: me\n\n(;FF[4]N[x])", b"\n\n(;FF[4]N[x]C[From: me])"),
    (b"(;FF[4]N[x])\n-- \nme", b"(;FF[4]N[x]C[-- \nme])\n"),
    (b"(;FF[4];B[aa](;W[bb](;B[cc])(;AE[bb];W[dd]))(;W[ff]))",
     b"(;FF[4];B[aa](;W[bb](;B[cc]))(;W[dd])(;W[ff]))"),
    (b"(;FF[4]GM[1];B[aa]((;FF[4]GM[1];B[bb])", b"(;FF[4]GM[1];B[aa])(;FF[4]GM[1];B[bb])"),
    (b"(;FF[4]K M[5]C[x])", b"(;FF[4]KM[5]C[x])"),
    (b"(;FF[4]C[a [1]; b: c]x;W[dd])", b"(;FF[4]C[a [1\\]; b: c];W[dd])"),
]  # fmt: skip


@for_each(UNSAFE)
def test_what_is_fixed_unsafely(data: bytes, expected: bytes) -> None:
    assert fix(data).data == data
    result = fix(data, unsafe=True)
    assert result.data == expected and result.ok
    assert not all(change.safe for change in result.applied)


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


def errors(report: sgf_lark.Report) -> Counter[str]:
    return Counter(each.code for each in report.diagnostics if each.severity == "error")


@for_each(product(EXAMPLES, [False, True]))
def test_no_example_gains_an_error(example: grammar.Example, unsafe: bool) -> None:
    result = fix(example.data, unsafe=unsafe, charset_mode=example.charset_mode)
    if result.data != example.data:  # otherwise the file and its errors are the same
        before = sgf_lark.validate(example.data, charset_mode=example.charset_mode)
        assert errors(result.report).total() <= errors(before).total()
        assert fix(result.data, unsafe=unsafe).data == result.data
    if unsafe and result.report.trees:
        # Bytes that are text in several charsets, such as one byte above 127, stay what they are.
        assert result.ok or {*errors(result.report)} <= {"SGF205", "SGF209"}


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
    DAMAGED_TEXT | st.binary(max_size=80) | mutants(),
    st.booleans(),
    st.sampled_from(["auto", "file", "text", "none"]),
    st.none() | CHARSET_NAMES,
    st.none() | CHARSET_NAMES,
    st.builds(
        Rewriting,
        st.sampled_from([None, "UTF-8", "GBK"]),
        upgrade=st.booleans(),
        points=st.sampled_from(["keep", "compress"]),
    ),
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


def test_rectangles_are_listed_up_to_the_length_of_the_tree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sgf_lark.rules.file_formats._MOST_POINTS", 3)
    few, many = b"(;FF[3]GM[1]AB[aa:ba][ab:bb])", b"(;FF[3]GM[1]AB[aa:jj])"
    assert fix(few).data == b"(;FF[3]GM[1]AB[aa][ba][ab][bb])"
    assert (fix(many).data, fix(many, unsafe=True).data) == (many, many.replace(b"3", b"4"))


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
