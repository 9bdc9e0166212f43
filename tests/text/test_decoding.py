"""Which charset each game tree has, by the options, and which of several decodings applies."""

from __future__ import annotations

from typing import get_args

import sgf_lark
from sgf_lark.grammar import CharsetMode
from sgf_lark.model.collection import Collection
from sgf_lark.model.loading import ReadingOptions
from sgf_lark.syntax.parsing import parse
from sgf_lark.text.charsets import NO_SIGNATURE, Reason, unicode_signature
from sgf_lark.text.decoding import decode
from tests.kit.tables import for_each

MODES = get_args(CharsetMode)
ZH = "黑方这手棋是败着，应当在左下角补一手。"
GB = ZH.encode("gb18030")
QI = "棋".encode()

#: A file, and the Python codecs of its game trees in the modes auto, text, file and none.
CODECS = [
    (b"(;C[x])", "latin-1", "latin-1", "latin-1", "latin-1"),
    # A guess is used from a confidence of 70 percent: that of the first is 70, of the next 69.
    (b"(;C[\x92\xe9])", "cp1252", "latin-1", "cp1252", "latin-1"),
    (b"(;C[\xc6\xe5\xc6\xe5])", "latin-1", "latin-1", "latin-1", "latin-1"),
    (b"(;C[%s])" % GB, "gb18030", "latin-1", "gb18030", "latin-1"),
    # CA names no charset.
    (b"(;CA[nobody]C[%s])" % GB, "gb18030", "latin-1", "gb18030", "latin-1"),
    (b"(;CA[nobody]C[x])(;C[%s])" % GB, "latin-1 gb18030", "latin-1 latin-1", "gb18030 gb18030",
     "latin-1 latin-1"),
    (b"(;CA[nobody]C[\xe9])", "latin-1", "latin-1", "latin-1", "latin-1"),
    (b"(;CA[UTF-16]C[\xe9])", "latin-1", "latin-1", "latin-1", "latin-1"),
    # CA is wrong, or wrong for some characters.
    (b"(;CA[UTF-8]C[%s])" % GB, "gb18030", "gb18030", "gb18030", "latin-1"),
    (b"(;CA[UTF-8]C[%s\xff])" % (QI * 2), "utf-8", "utf-8", "utf-8", "latin-1"),
    (b"(;CA[UTF-8]C[%s\xff])" % QI, "utf-8", "utf-8", "utf-8", "latin-1"),
    (b"(;CA[UTF-8]C[%s\\%s\xff])" % (QI, QI), "utf-8", "utf-8", "utf-8", "latin-1"),
    (b"(;CA[GBK]C[%s])" % ZH.encode(), "utf-8", "utf-8", "gbk", "latin-1"),
    (b"(;CA[UTF-8][GBK]C[\xc6\xe5])", "latin-1", "latin-1", "latin-1", "latin-1"),
    # Each tree has its own.
    (b"(;CA[UTF-8]C[%s])(;C[%s])" % (QI, GB), "utf-8 gb18030", "utf-8 latin-1", "utf-8 gb18030",
     "latin-1 latin-1"),
    (b"(;C[\xc3\xa9])(;CA[GBK]C[\xc6\xe5])", "utf-8 gbk", "latin-1 gbk", "gbk gbk",
     "latin-1 latin-1"),
    # Byte order marks.
    (b"\xef\xbb\xbf(;CA[GBK]C[%s])" % QI, "utf-8", "utf-8", "utf-8", "latin-1"),
    (b"\xef\xbb\xbf(;C[\xe9])", "latin-1", "latin-1", "latin-1", "latin-1"),
    ("(;C[é])".encode("utf-16"), "utf-8", "utf-8", "utf-8", "utf-8"),
    ("(;C[é])".encode("utf-16-be"), "utf-8", "utf-8", "utf-8", "utf-8"),
    # Characters with bytes of ASCII.
    (b"(;CA[Shift_JIS]C[\x95\\\x83\\])", "shift_jis", "shift_jis", "shift_jis", "latin-1"),
    (b"(;CA[Shift_JIS]C[\x95\\\\])", "shift_jis", "shift_jis", "shift_jis", "latin-1"),
    (b"(;CA[KOI8-R]C[\xc1])", "koi8-r", "koi8-r", "koi8-r", "latin-1"),
    (b"(;CA[ISO-2022-JP]C[\x1b$B$\"\x1b(B])", "iso2022_jp", "iso2022_jp", "iso2022_jp", "latin-1"),
    # White space between CA and its value.
    (b"(;CA \t\n\r\v\f[GBK]C[\xc6\xe5])", "gbk", "gbk", "gbk", "latin-1"),
]  # fmt: skip


@for_each(CODECS)
def test_codecs_of_game_trees(data: bytes, auto: str, text: str, file: str, none: str) -> None:
    found = [
        " ".join(tree.charset for tree in sgf_lark.loads(data, charset_mode=mode, tolerant=True))
        for mode in MODES
    ]
    assert dict(zip(MODES, found, strict=True)) == {
        "auto": auto, "text": text, "file": file, "none": none
    }  # fmt: skip


#: A file, whether its last game tree is decoded before it is parsed, and whether
#: the strict grammar accepts it then.
CHOSEN = [
    ("(;CA[Shift_JIS]C[表ソ能])".encode("cp932"), 1, True),
    ("(;)(;CA[Shift_JIS]C[表ソ能])".encode("cp932"), 1, True),
    ("(;CA[Shift_JIS]C[表ソ能]N[表)".encode("cp932"), 1, False),
    # A "\\" before what nobody escapes is the second byte of a character.
    (b"(;CA[Shift_JIS]C[\x95\\x])", 1, True),
    (b"(;C[\x95\\x]CA[Shift_JIS])", 1, True),
    (b"(;)(;CA[Shift_JIS]C[\x95\\x])", 1, True),
    (b"(;CA[Shift_JIS]C[\x95\\\\x\x95\\x])", 1, True),
    (b"(;CA[Shift_JIS]C[\x95\\]N[x])", 1, True),
    (b"(;CA[GBK]PB[\x95\\x\xe6]PW[x])", 1, True),
    (b"(;CA[Shift_JIS]C[x];C[x];C[\x95\\x])", 1, True),
    (b"(;CA[Shift_JIS]C[\x95\\x];C[x])", 1, True),
    (b"(;CA[Shift_JIS][x]C[\x95\\x])", 1, True),
    # Others may be escapes.
    (b"(;CA[Shift_JIS]C[\x82\\a])", 0, True),
    (b"(;CA[Shift_JIS]C[\x95\\\\x])", 0, True),
    (b"(;CA[Shift_JIS]C[\x95\\:])", 1, True),
    (b"(;CA[Shift_JIS]C[\x95\\]])", 0, True),
    (b"(;CA[Shift_JIS]C[\x95\\] a])", 0, True),
    (b"(;CA[Shift_JIS]C[\\x\xb1])", 0, True),
    (b"(;CA[Shift_JIS]C[\xb1\\x])", 0, True),
    # As a whole it would follow the grammar, but each "\\" escapes what needs it.
    (b"(;CA[Shift_JIS]C[\x95\\\\])", 0, True),
    # A CA out of place is in no value.
    (b"(;CA[Shift_JIS](;CA[GBK];C[\x95\\\\])(;B[]))", 0, True),
    (b"(;CA[Shift_JIS];B[]CA[GBK]C[\x95\\\\];W[];CA[Big5](;B[])(;W[]))", 0, True),
    # The first byte of a character, then the end of its value.
    (b"(;CA[GBK]PB[\xe6]PW[x])", 0, True),
    (b"(;CA[GBK]PB[\xba\xda\xe6]PW[x])", 0, True),
    (b"(;CA[GBK]PB[\xe6])", 0, True),
    (b"(;CA[GBK]PB[a\xe6]PW[x])", 0, True),
    # Neither has a meaning.
    (b"(;CA[GBK]PB[\xff\xe6]PW[x])", 0, True),
    (b"(;CA[Shift_JIS]C[\xff\xff\x95\\ x])", 0, True),
    (b"(;CA[Shift_JIS]C[\xff\xff\x95\\ x]", 0, False),
    # Only as a whole it follows the grammar, whatever its texts mean.
    (b"(;CA[Shift_JIS]C[\xff\x95\\])", 1, True),
]


#: What follows the "]" after the first byte of a character, and whether that "]" is the end of
#: the value, so that the byte is one that was cut, or the second byte of the character.
FOLLOWING = [
    (";B[aa])", True),
    (" \n;B[aa])", True),
    ("[x])", True),
    ("(;B[aa]))", True),
    ("( ;B[aa]))", True),
    ("PW[x])", True),
    ("PW [x])", True),
    (")", True),
    (")(;)", True),
    (") (;)", True),
    (", a])", False),
    ("a[x])", False),
    ("(a])", False),
    (") a])", False),
]


@for_each(FOLLOWING)
def test_end_of_a_value_after_the_first_byte_of_a_character(following: str, is_end: bool) -> None:
    data = b"(;CA[GBK]PB[\xba\xda\xe6]" + following.encode()
    [section] = parse(decode(data)).decoding.sections
    assert (section.charset is None) == is_end


@for_each(CHOSEN)
def test_decoding_that_applies(data: bytes, number: int, is_strict: bool) -> None:
    parsed = parse(decode(data))
    assert (parsed.damaged is None) == is_strict
    assert (parsed.decoding.sections[-1].charset is not None) == number
    # Parse trees have the bytes of the file.
    if is_strict and number == 0:
        tokens = sgf_lark.parse_tree(data).scan_values(lambda token: True)
        assert all(str(token).encode("latin-1") in data for token in tokens)


@for_each([
        (b"(;C[x])", b"\xed\xb2\x81", True),
        ("\ufeff(;C[x])".encode("utf-16-le"), "棋".encode(), True),
        # In UTF-16 two lone bytes are one unit, and no other character follows one of them.
        ("\ufeff(;C[x])".encode("utf-16-le"), b"\xed\xb0\x80\xed\xb3\x98", True),
        ("\ufeff(;C[x])".encode("utf-16-le"), b"\xed\xb0\x80\xed\xb3\x98a", True),
        ("\ufeff(;C[x])".encode("utf-16-le"), b"\xed\xb0\x80a", False),
        ("\ufeff(;C[x])".encode("utf-16-le"), b"\xed\xb0\xbd\xed\xb3\x98\xed\xb0\x80\xed\xb3\x9e",
         False),
    ])  # fmt: skip
def test_what_can_be_stored(data: bytes, text: bytes, stored: bool) -> None:
    assert decode(data).sections[0].can_be_stored(text) == stored


# --- Why it is that charset -----------------------------------------------------------

UTF_8 = "(;FF[4]GM[1]CA[UTF-8]C[棋])".encode()
WITHOUT_CA = "(;FF[4]GM[1]C[棋])".encode()
SHIFT_JIS = "(;FF[4]GM[1]CA[Shift_JIS]C[表])".encode("cp932")

#: A file, the charset of the user, the default of the user, and what determines the charset of the
#: texts, in the modes auto, file, text and none.
REASONS: list[tuple[bytes, str | None, str | None, str]] = [
    (UTF_8, None, None, "DECLARED DECLARED DECLARED DEFAULT"),
    (UTF_8, "UTF-8", None, "USER USER USER DEFAULT"),
    (UTF_8, None, "UTF-8", "DECLARED DECLARED DECLARED DEFAULT"),
    (SHIFT_JIS, None, None, "DECLARED DECLARED DECLARED DEFAULT"),
    (SHIFT_JIS, "UTF-8", None, "USER USER USER DEFAULT"),
    (SHIFT_JIS, None, "UTF-8", "DECLARED DECLARED DECLARED DEFAULT"),
    (WITHOUT_CA, None, None, "GUESSED GUESSED DEFAULT DEFAULT"),
    (WITHOUT_CA, "UTF-8", None, "USER USER USER DEFAULT"),
    (WITHOUT_CA, None, "UTF-8", "USER USER USER DEFAULT"),
    (b"(;C[x])", None, None, "DEFAULT DEFAULT DEFAULT DEFAULT"),
    (b"\xef\xbb\xbf" + UTF_8, None, None, "SIGNATURE SIGNATURE SIGNATURE DEFAULT"),
    (b"\xef\xbb\xbf" + UTF_8, "UTF-8", None, "USER USER USER DEFAULT"),
    (b"\xef\xbb\xbf" + WITHOUT_CA, None, None, "SIGNATURE SIGNATURE SIGNATURE DEFAULT"),
    (b"\xef\xbb\xbf" + WITHOUT_CA, None, "HZ-GB-2312", "SIGNATURE SIGNATURE SIGNATURE DEFAULT"),
    ("(;C[棋])".encode("utf-16"), None, None, "SIGNATURE SIGNATURE SIGNATURE SIGNATURE"),
]


@for_each(REASONS)
def test_reason(data: bytes, charset: str | None, default: str | None, reasons: str) -> None:
    options = [ReadingOptions(charset, default, mode) for mode in MODES]
    trees = [Collection.of_file(each.parse(data))[0] for each in options]
    assert [tree.parsed.text_charset.reason.name for tree in trees] == reasons.split()


#: Characters whose second byte is "\\" or "]", the charset of the user, and the text that they are.
TRAIL_BYTES = [
    (b"\x95\\", "Shift_JIS", "表"),
    (b"\x95\\", "GBK", "昞"),
    (b"\xb3\\", "Big5", "許"),
    (b"\x83]", "Shift_JIS", "ゾ"),
    (b"\x81]", "GBK", "乚"),
]


@for_each(TRAIL_BYTES)
def test_bytes_of_characters_are_no_brackets(data: bytes, charset: str, text: str) -> None:
    """Whether the user names the charset, or the game tree does; with another they are brackets."""
    game = b"(;FF[4]GM[1]PB[" + data + b"]PW[x];B[aa])"
    declared = game.replace(b"GM[1]", b"GM[1]CA[" + charset.encode() + b"]")
    for file, named in ((game, charset), (declared, None), (declared, charset)):
        root = sgf_lark.loads(file, charset=named)[0].root
        assert (root["PB"], root["PW"]) == (text, "x")
    for other in ("ISO-8859-1", "UTF-8"):
        [tree] = sgf_lark.loads(declared, charset=other, tolerant=True)
        assert tree.root.get("PB") != text and len(tree.root.children) <= 1


def test_text_is_in_utf_8_unless_a_charset_is_named() -> None:
    for charset, text in ((None, "é"), ("UTF-8", "é"), ("ISO-8859-1", "Ã©")):
        [tree] = Collection.of_file(ReadingOptions(charset).parse("(;CA[Big5]C[é])"))
        assert tree.root["C"] == text
        assert tree.parsed.text_charset.reason is Reason.USER


# --- The first bytes of a file --------------------------------------------------------

#: The first bytes of a file, and its Unicode signature: length, charset and codec.
SIGNATURES = [
    (b"\xef\xbb\xbf(;", (3, "UTF-8", "utf-8")),
    (b"\xef\xbb(;", (0, "", "")),
    (b"\xff\xfe(\0", (2, "UTF-16", "utf-16-le")),
    (b"\xfe\xff\0(", (2, "UTF-16", "utf-16-be")),
    (b"\xff\xfe\0\0(\0\0\0", (4, "UTF-32", "utf-32-le")),
    (b"\0\0\xfe\xff\0\0\0(", (4, "UTF-32", "utf-32-be")),
    (b"(\0;\0", (0, "UTF-16", "utf-16-le")),
    (b"\0(\0;", (0, "UTF-16", "utf-16-be")),
    (b"(\0\0\0;\0\0\0", (0, "UTF-32", "utf-32-le")),
    (b"\0\0\0(\0;", (0, "UTF-32", "utf-32-be")),
    (b"".join(bytes([each, 0]) for each in b" \t\n\v\f\r(;"), (0, "UTF-16", "utf-16-le")),
    (b"".join(bytes([0, each]) for each in b" \t\n\v\f\r(;"), (0, "UTF-16", "utf-16-be")),
    (" \t\n\v\f\r(".encode("utf-32-le"), (0, "UTF-32", "utf-32-le")),
    (" \t\n\v\f\r(\0".encode("utf-32-be"), (0, "UTF-32", "utf-32-be")),
    (b"(\0;", (0, "", "")),
    (b"\0(;", (0, "", "")),
    (b"x\0(\0;\0", (0, "", "")),
    (b"(;\0\0", (0, "", "")),
    (b"", (0, "", "")),
]


@for_each(SIGNATURES)
def test_unicode_signatures(data: bytes, expected: tuple[int, str, str]) -> None:
    assert unicode_signature(data) == expected
    if not expected[1]:
        assert unicode_signature(data) is NO_SIGNATURE
