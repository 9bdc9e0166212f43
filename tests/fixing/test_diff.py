"""``sgf-lark fix --diff``: a diff that the owner of the file can read."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from sgf_lark.cli.commands import main
from sgf_lark.fixing.edits import _pieces, diff_lines, shortened
from sgf_lark.fuzz.strategies import mutants
from sgf_lark.model.loading import DEFAULT_OPTIONS
from sgf_lark.syntax.parsing import parse
from sgf_lark.text.decoding import decode

LONG = "word " * 60

#: The files before and after, and the lines of the diff after the two with the names.
DIFFS: dict[str, tuple[bytes, bytes, str]] = {
    "a property a line, with what is before it": (
        b"(;FF[4]GM[1]KM[6,5]\n\n; B[aa]W [bb] (;B[cc]))",
        b"(;FF[4]GM[1]KM[6.5]\n\n;B[aa]W[bb](;B[cc]))",
        """@@ line 1, column 13 @@
 (;FF[4]
 GM[1]
-KM[6,5]
+KM[6.5]
 ;B[aa]
-W·[bb]
+W[bb]
 (;B[cc]
 )
""",
    ),
    "text outside the games, line by line": (
        b"From: me (see below)\r\nTo: you; [1]\r\r(;FF[4])\0rest",
        b"(;FF[4])",
        """@@ line 1, column 1 @@
-From: me (see below)
-To: you; [1]
 (;FF[4]
 )
-\\x00rest
""",
    ),
    "text in lines": (
        "(;CA[UTF-8]C[first\r\n  second\rthird 棋])".encode(),
        "(;CA[UTF-8]C[first\r\n  2nd\rthird 棋])".encode(),
        """@@ line 1, column 12 @@
 (;CA[UTF-8]
 C[first
-  second
+  2nd
 third 棋]
 )
""",
    ),
    "other charsets are decoded": (
        "(;CA[GBK]PB[围棋]PW[手])".encode("gbk"),
        "(;CA[UTF-8]PB[围棋]PW[手])".encode(),
        """@@ line 1, column 1 @@
-(;CA[GBK]
+(;CA[UTF-8]
 PB[围棋]
 PW[手]
""",
    ),
    "each game in its charset": (
        "(;CA[GBK]PB[围棋])".encode("gbk") + "(;CA[UTF-8]PB[围棋];B[aa])".encode(),
        "(;CA[GBK]PB[围棋])".encode("gbk") + "(;CA[UTF-8]PB[围棋];B[bb])".encode(),
        """@@ line 1, column 34 @@
 (;CA[UTF-8]
 PB[围棋]
-;B[aa]
+;B[bb]
 )
""",
    ),
    "what is added at the end of the file": (
        b"(;FF[4]\nGM[1]\nSZ[9])",
        b"(;FF[4]\nGM[1]\nSZ[9])(;)",
        """@@ line 3, column 6 @@
 SZ[9]
 )
+(;
+)
""",
    ),
    "undecodable bytes are visible": (
        "(;CA[UTF-8]PB[围棋手]PW[手".encode() + b"\xff])",
        "(;CA[UTF-8]PB[围棋手]PW[手?])".encode(),
        """@@ line 1, column 19 @@
 (;CA[UTF-8]
 PB[围棋手]
-PW[手\\xff]
+PW[手?]
 )
""",
    ),
    "nothing that can be seen": (
        b"(;FF[4]\r\nGM[1])",
        b"\xef\xbb\xbf(;FF[4]\nGM[1])",
        "(only the charset, or white space and line breaks, differ)\n",
    ),
    "white space that is the change is visible": (
        "(;CA[UTF-8]KM[ 6.5\t]PB[a  b]DT[1999\u3000])".encode(),
        b"(;CA[UTF-8]KM[6.5]PB[a c]DT[1999])",
        """@@ line 1, column 12 @@
 (;CA[UTF-8]
-KM[·6.5\\t]
-PB[a  b]
-DT[1999\\u3000]
+KM[6.5]
+PB[a c]
+DT[1999]
 )
""",
    ),
    "an empty file": (b"", b"(;)", "@@ line 1, column 1 @@\n+(;\n+)\n"),
    "what is before the first game, in its charset": (
        "围棋 (;CA[GBK]PB[围棋])".encode("gbk") + b"(;CA[UTF-8]KM[6,5])",
        "(;CA[GBK]PB[围棋])".encode("gbk") + b"(;CA[UTF-8]KM[6,5])",
        """@@ line 1, column 1 @@
-围棋
 (;CA[GBK]
 PB[围棋]
""",
    ),
    "changes of which few equal lines are between": (
        b"(;KM[6,5];B[aa]B[bb]W[cc]W[dd];HA[x];A[];B[];C[];D[];F[x];A[];B[];C[];D[];E[];F[x])",
        b"(;KM[6.5];B[aa]B[bb]W[cc]W[dd];HA[2];A[];B[];C[];D[];F[y];A[];B[];C[];D[];E[];F[y])",
        """@@ line 1, column 1 @@
-(;KM[6,5]
+(;KM[6.5]
 ;B[aa]
 B[bb]
 W[cc]
 W[dd]
-;HA[x]
+;HA[2]
 ;A[]
 ;B[]
 ;C[]
 ;D[]
-;F[x]
+;F[y]
 ;A[]
 ;B[]
@@ line 1, column 78 @@
 ;D[]
 ;E[]
-;F[x]
+;F[y]
 )
""",
    ),
    "equal files": (b"(;FF[4])", b"(;FF[4])", ""),
    "changes that are far from each other": (
        b"(;KM[6,5];B[aa];B[bb];B[cc];B[dd];B[ee];B[ff];HA[x])",
        b"(;KM[6.5];B[aa];B[bb];B[cc];B[dd];B[ee];B[ff];HA[2])",
        """@@ line 1, column 1 @@
-(;KM[6,5]
+(;KM[6.5]
 ;B[aa]
 ;B[bb]
@@ line 1, column 46 @@
 ;B[ee]
 ;B[ff]
-;HA[x]
+;HA[2]
 )
""",
    ),
}


@pytest.mark.parametrize(("before", "after", "expected"), DIFFS.values(), ids=DIFFS)
def test_diff(before: bytes, after: bytes, expected: str) -> None:
    names = "--- game.sgf\n+++ game.sgf (fixed)\n" if expected else ""
    assert (
        "".join(diff_lines("game.sgf", before, after, DEFAULT_OPTIONS, DEFAULT_OPTIONS))
        == names + expected
    )


def test_what_is_equal_is_shortened_if_that_makes_it_shorter() -> None:
    text = "abcdefghij" * 20
    head, tail = text[:63], text[:64]
    end = f"{tail[:30]} … {tail[-30:]}"
    assert shortened(f"{head}1{tail}", f"{head}2{tail}", 120) == (f"{head}1{end}", f"{head}2{end}")


@pytest.mark.parametrize("length", [120, 121])
def test_lines_of_more_than_120_characters_are_shortened(length: int) -> None:
    changed = "a" * (length - 1) + "1", "a" * (length - 1) + "2"
    assert (shortened(*changed, 120) == changed) == (length == 120)
    line = f"(;C[{'a' * (length - 5)}]"
    before, after = (f"{line}KM[{komi}])".encode() for komi in ("6,5", "6.5"))
    lines = list(diff_lines("game.sgf", before, after, DEFAULT_OPTIONS, DEFAULT_OPTIONS))
    assert (f" {line}\n" in lines) == (length == 120)


#: Damaged and intact files in pieces.
PIECES = {
    b"(;;B[aa];;;W[bb];)": [b"(;", b";B[aa]", b";", b";", b";W[bb]", b";", b")"],
    b"((;B[aa])(;W[bb]) (;))": [b"(", b"(;B[aa]", b")", b"(;W[bb]", b")", b" ", b"(;", b")", b")"],
    b"(;B[aa]x;W[bb]y(;B[cc])z)": [b"(;B[aa]", b"x", b";W[bb]", b"y", b"(;B[cc]", b")", b"z", b")"],
    b"x(;(;B[aa]))": [b"x", b"(;", b"(;B[aa]", b")", b")"],
}


@pytest.mark.parametrize("data", PIECES)
def test_pieces(data: bytes) -> None:
    flat = parse(decode(data)).flat
    pieces = [flat.data[start:end] for start, end in _pieces(flat)]
    assert list(filter(None, pieces)) == PIECES[data]


def test_what_is_removed_or_added_is_never_shortened() -> None:
    before = f"(;FF[4]C[{LONG}]N[{LONG}])".encode()
    lines = list(diff_lines("game.sgf", before, b"(;FF[4])", DEFAULT_OPTIONS, DEFAULT_OPTIONS))
    assert f"-C[{LONG}]\n" in lines


@given(st.binary(max_size=60) | mutants())
def test_pieces_are_the_whole_file(data: bytes) -> None:
    flat = parse(decode(data)).flat
    assert b"".join(flat.data[start:end] for start, end in _pieces(flat)) == flat.data


@given(st.binary(max_size=60) | mutants(), st.binary(max_size=60) | mutants())
def test_any_two_files_have_a_diff(before: bytes, after: bytes) -> None:
    lines = list(diff_lines("game.sgf", before, after, DEFAULT_OPTIONS, DEFAULT_OPTIONS))
    assert bool(lines) == (before != after)
    assert all(line.endswith("\n") for line in lines)


def test_diff_takes_the_options_for_reading() -> None:
    data = "(;PB[围棋]KM[6,5])".encode("gbk")
    for options in (["--charset", "GBK"], ["--charset", "GBK", "--to-charset", "keep"]):
        result = CliRunner().invoke(main, ["fix", "-q", "--diff", *options, "-"], input=data)
        assert "PB[围棋]" in result.stdout and "-KM[6,5]\n" in result.stdout
