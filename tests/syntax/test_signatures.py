"""Files that are no SGF: each signature, and the bounds of binary data."""

from __future__ import annotations

from typing import Any

from sgf_lark import grammar
from sgf_lark.syntax.signatures import file_kinds, kind_of
from tests.kit.tables import for_each

#: NUL, and the control characters that text has, are not counted.
CONTROLS = bytes(set(range(1, 32)) - set(b"\t\n\v\f\r"))
HEAD = 4096


#: The entries of ``signatures.toml``.
ENTRIES = list(enumerate(grammar.table("signatures")["signature"]))
#: Those that are known by their first bytes.
ROWS = [each for each in ENTRIES if "start" in each[1]]


def start_of(row: dict[str, Any]) -> bytes:
    """The first bytes of a file of that kind, up to the end of what is compared."""
    start: str = row["start"]
    return b"x" * int(row.get("at", 0)) + start.encode("latin-1")


@for_each(ROWS)
def test_signature(number: int, row: dict[str, Any]) -> None:
    kind = file_kinds()[number].kind
    assert kind == (row["name"], row["name_zh"])
    start, is_text = start_of(row), "text" in row
    data = start + b"\0" if "binary" in row else start
    assert kind_of(data) == kind
    assert kind_of(data + b"x" * 9000) == kind
    assert kind_of(b"\n" + data) != kind or row["name"] == "a JSON document"
    last = len(start) - 1
    assert kind_of(data[:last] + b"\xf0" + data[last + 1 :]) != kind
    assert kind_of(data[:last]) != kind
    assert kind_of(data + b" (\n;)") == (None if is_text else kind)
    if is_text:
        assert kind_of(data.upper()) == kind_of(data.lower()) == kind


@for_each([each for each in ROWS if "binary" in each[1]])
def test_nul_near_the_start_shows_that_a_file_is_binary(number: int, row: dict[str, Any]) -> None:
    text = start_of(row).ljust(HEAD - 1, b"x")
    assert kind_of(text + b"\0") == file_kinds()[number].kind
    assert kind_of(text + b"x\0") is None


def head(controls: int, size: int = HEAD) -> bytes:
    """A file with that number of different control characters, each of them twice."""
    return (CONTROLS[:controls] * 2).rjust(size, b"\0")


#: A file, and whether it is binary data of no known kind.
BINARY = [
    (head(12), True),
    (head(11), False),
    (head(26), True),
    (CONTROLS[-12:].ljust(HEAD, b"x"), True),
    (head(12, 4095), False),
    (head(12, 4097), True),
    (b"x" * 12 + head(12), True),
    (b"x" * 50 + head(12), False),
    (head(11) + CONTROLS, False),
    ((CONTROLS[:11] + b"\t\n\v\f\r\0").ljust(HEAD, b"x"), False),
    (b"(;)" + head(12), False),
    (head(12)[:-3] + b"( ;", False),
    (head(12) + b"(;", True),
    (b"(" + head(12), False),
    (b"(\xb5" + head(12), True),
]


@for_each(BINARY)
def test_binary_data_has_many_control_characters(data: bytes, is_binary: bool) -> None:
    kind = kind_of(data)
    assert (kind and kind.en) == ("binary data" if is_binary else None)


#: Other formats in which games of Go are kept, by a word of their names.
RECORDS = {
    "GIB": (
        b"\\HS\r\n\\[GAMEBLACKNAME=a\\]\r\n\\HE\r\n\\GS\r\n2 1 0\r\nSTO 0 2 1 15 3\r\n",
        b"\\HS\n\\[GAMEWHITENAME=\xb1\xe8(2\xb4\xdc)\\]\n",
        b"INI 0 1 0 &4\nSTO 0 2 1 3 3\nSTO 0 3 2 15 15\n",
        b" \\HS\n",
    ),
    "NGF": (
        b"Rating game\r\n19\r\na 3D*\r\nb 3D*\r\nsite\r\n0\r\n0\r\n6\r\nx\r\nPMABBQDQD\r\n",
        b"x\n9\nPMACWEEEE\nPMADBDDDD\n",
    ),
    "UGF": (
        b"[Header]\r\nVer=2.0\r\nLang=English\r\n[Remote]\r\n",
        b"\xef\xbb\xbf[Header]\nVer=1.1\n",
        b"Title=x\n[Data]\nQD,B1,1,12\nDD,W1,2,30\n",
    ),
    "Ishi": (b"INT IN IH 14\nCOM\n  text\nENDCOM\n", b"INT IN IP 3\n"),
    "PGN": (b'[Event "x"]\n[Site "y"]\n\n1. e4 e5 *\n', b'\n[White "a"]\n'),
    "GTP": (b"boardsize 19\nclear_board\nplay B Q16\n", b"1 play black D4\n2 genmove w\n"),
    "JSON": (b'{\n  "moves": []\n}\n', b'\n\t{ "size": 19 }'),
}


@for_each([(word, data) for word in RECORDS for data in RECORDS[word]])
def test_other_records_are_named_by_their_content(word: str, data: bytes) -> None:
    kind = kind_of(data)
    assert kind is not None
    assert word in kind.en and word in kind.zh
    # A game between the lines is read, whatever surrounds it.
    assert kind_of(data + b"\n(;FF[4];B[aa])") is None


@for_each(
    [
        b"PB[a]PW[b];B[aa];W[bb])",
        b";FF[4]GM[1]C[play B Q16];B[aa]",
        b"[Header of the file] ;FF[4]GM[1];B[aa]",
        b"PMABBQDQ",
        b"Event: x, Date: y",
    ]
)
def test_damaged_games_are_no_other_records(data: bytes) -> None:
    assert kind_of(data) is None
