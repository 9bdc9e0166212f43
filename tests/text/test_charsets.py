"""Charsets: how a file is decoded, and that every span is one of the file itself."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import grammar
from sgf_lark.grammar import CharsetMode
from sgf_lark.syntax.errors import SGFSyntaxError
from sgf_lark.syntax.parsing import parse
from sgf_lark.text import charsets
from sgf_lark.text.charsets import is_name
from sgf_lark.text.decoding import decode
from sgf_lark.validation import caching
from tests.kit.tables import for_each

GAME = "(;FF[4]GM[1]SZ[9]CA[{ca}]\nC[黑棋先行、白棋]\n;B[ee]N[好]\n;W[zz]C[末])\n"
MODES = get_args(CharsetMode)
#: Shift_JIS: the second byte of each of these is a backslash or a bracket.
TRAIL = "(;FF[4]GM[1]CA[Shift_JIS]C[表ソー能];B[aa]C[予申]MN[x])"
WIDE = ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]


def codes(data: bytes, **options: Any) -> list[str]:
    return [found.code for found in sgf_lark.validate(data, **options).diagnostics]


# --- Names ------------------------------------------------------------------------

#: What is reported, and the names in CA of which it is.
NAMES_IN_CA = {
    "": ["UTF-8", "utf-8", "csKOI8U", "ISO-8859-8-I", "korean", "850"],
    "SGF204": ["utf8", "ISO8859_1", "cp65001", "646", "euc_cn", "iso8859_11"],
    "SGF203": [
        "cp737", "mac_cyrillic", "charmap", "rot13", "idna", "unicode_escape", "punycode",
        "undefined",
    ],
    "SGF208": ["UTF-16LE", "utf_16_le", "cp500"],
}  # fmt: skip


@for_each((name, code) for code, names in NAMES_IN_CA.items() for name in names)
def test_only_registered_names_are_accepted(name: str, code: str) -> None:
    assert " ".join(codes(f"(;FF[4]GM[1]CA[{name}]C[x])".encode())) == code


def test_text_in_an_unregistered_charset_of_python_is_read() -> None:
    data = b"(;FF[4]GM[1]CA[cp737]C[\x80])"
    assert sgf_lark.loads(data)[0].root["C"] == "\u0391"
    assert sgf_lark.loads(sgf_lark.fix(data).data)[0].root["C"] == "\u0391"


def test_names_are_looked_up_in_one_table() -> None:
    for cached in (charsets.lookup, charsets._charsets_by_name, charsets._charsets_by_codec):
        cached.cache_clear()
    for charset in grammar.charsets():
        for name in (charset.name, *charset.aliases):
            assert charsets.lookup(f" {name.swapcase()}\n") == (charset, True)
        for name in charset.near:
            assert charsets.lookup(name) == (charset, False)
    for name, expected in (
        ("utf_8", "UTF-8"),
        ("cp1252", "windows-1252"),
        ("ms932", "Windows-31J"),
    ):
        assert charsets.named(name).name == expected and not charsets.lookup(name)[1]


@for_each(
    [
        ("", True),
        ("UTF-8", True),
        ("ISO_8859-1:1987 (x) +'.", True),
        ("x" * 40, True),
        ("x" * 41, False),
        ("a,b", False),
        ("é", False),
        ("a\n", False),
    ]
)
def test_form_of_the_name_of_a_charset(text: str, expected: bool) -> None:
    assert is_name(text) == expected


def test_table_agrees_with_the_codecs() -> None:
    names = [name.lower() for one in grammar.charsets() for name in (one.name, *one.aliases)]
    assert len(names) == len(set(names))
    for charset in grammar.charsets():
        structure = "()[];:AZaz09\\"
        assert charset.superset == (structure.encode(charset.codec) == structure.encode())
        for near in charset.near:
            assert near.lower() not in names


@for_each(["UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"])
def test_byte_order_of_a_charset_that_the_user_names(name: str) -> None:
    data = "(;FF[4]GM[1]C[\u56f2\u7881])".encode(name)
    assert sgf_lark.loads(data, charset=name)[0].root["C"] == "\u56f2\u7881"


# --- Files in UTF-16 and UTF-32 ---------------------------------------------------


@pytest.mark.parametrize("marked", [True, False])
@for_each(WIDE)
def test_wide_characters(codec: str, marked: bool) -> None:
    text = ("\ufeff" if marked else "") + GAME.format(ca="UTF-8")
    data = text.encode(codec)
    report = sgf_lark.validate(data)
    assert [found.code for found in report.diagnostics] == ["SGF214", "SGF401"]
    first, found = report.diagnostics
    assert data[first.span.start : first.span.end] == "(".encode(codec)
    assert data[found.span.start : found.span.end] == "zz".encode(codec)
    assert (found.span.line, found.span.column) == (4, 4)
    assert report.source.line(found.span) == ";W[zz]C[末])"
    assert report.source.text(found.span) == "zz"

    collection = sgf_lark.loads(data)
    assert sgf_lark.dumps(collection) == data
    assert collection[0].root["C"] == "黑棋先行、白棋"
    span = collection[0].root.children[0].property("N").span
    assert span is not None and data[span.start : span.end] == "N[好]".encode(codec)
    collection[0].root["C"] = "新😀"
    changed = text.replace("黑棋先行、白棋", "新😀").encode(codec)
    assert sgf_lark.dumps(collection) == changed


@for_each(WIDE)
def test_undecodable_wide_characters_are_kept(codec: str) -> None:
    bad = "\ud800".encode(codec, "surrogatepass")
    data = b"".join(["\ufeff(;FF[4]C[棋譜棋譜".encode(codec), bad, "x];B[aa])".encode(codec)])
    collection = sgf_lark.loads(data)
    assert collection[0].root["C"].startswith("棋譜棋譜\ufffd")
    collection[0].root["N"] = "n"
    assert sgf_lark.dumps(collection) == data.replace("x]".encode(codec), "x]N[n]".encode(codec))
    found = [found for found in sgf_lark.validate(data).diagnostics if found.code == "SGF206"]
    assert len(found) == 1
    assert " ".join(f"{byte:02X}" for byte in bad) in found[0].message


@for_each(WIDE)
def test_syntax_error_in_wide_characters_has_its_span(codec: str) -> None:
    data = "\ufeff(;FF[4]C[棋]\n;B aa])".encode(codec)
    with pytest.raises(SGFSyntaxError) as caught:
        sgf_lark.loads(data)
    span = caught.value.diagnostic.span
    assert (span.line, span.column) == (2, 2)
    assert data[span.start :].startswith("B".encode(codec))


# --- Whole file first, or structure first ---------------------------------------------


def test_unescaped_trail_bytes_are_reported_and_the_file_is_read() -> None:
    data = TRAIL.encode("cp932")
    report = sgf_lark.validate(data)
    found = [item for item in report.diagnostics if item.code == "SGF207"]
    places = [data[item.span.start : item.span.end] for item in found]
    encoded = [character.encode("cp932") for character in TRAIL]
    assert places == [one for one in encoded if len(one) > 1 and one.endswith((b"\\", b"]"))]
    assert len(places) > 2
    # What follows is still checked.
    assert report.diagnostics[-1].code == "SGF303"
    assert data[report.diagnostics[-1].span.start :] == b"x])"


#: What is quoted, and where: a wrong value, and text between properties and after the tree.
QUOTED = [
    ("shift_jis", "KM[表ソ]", ";KM[表ソ])"),
    ("gbk", "B[誠]", ";B[誠])"),
    ("big5", "x功", ";B[aa]x功 W[bb])"),
    ("shift_jis", "予", ";C[表])予"),
]


@for_each(QUOTED)
def test_messages_quote_values_as_they_are_in_the_file(codec: str, quoted: str, text: str) -> None:
    report = sgf_lark.validate(f"(;FF[4]GM[1]CA[{codec}]{text}".encode(codec))
    assert any(quoted in item.message for item in report.diagnostics if item.code != "SGF207")


def test_messages_do_not_depend_on_files_before() -> None:
    """A value without escapes is parsed from the bytes that one with escapes has in the file."""
    game = b"(;FF[4]GM[1]CA[Shift_JIS]C[\x95\\\\]KM[%s])"
    bare = (game.replace(b"\\\\", b"\\") % b"\x95\\\x83\\", "KM[表ソ]")
    escaped = (game % b"\x95\\\\\x83\\\\", r"KM[表\ソ\]")
    for files in ([bare, escaped], [escaped, bare]):
        caching.clear()
        for data, quoted in files:
            found = sgf_lark.validate(data).diagnostics
            assert [quoted in item.message for item in found if item.code == "SGF215"] == [True]


@for_each(MODES)
def test_modes_agree_without_trail_bytes(mode: CharsetMode) -> None:
    data = GAME.format(ca="EUC-JP").replace("黑", "黒").encode("euc_jp")
    text = "黒棋先行、白棋"
    if mode == "none":
        text = text.encode("euc_jp").decode("latin-1")
    assert sgf_lark.loads(data, charset_mode=mode)[0].root["C"] == text


def test_escaped_trail_bytes_follow_the_specification() -> None:
    data = b"(;FF[4]GM[1]CA[Shift_JIS]C[\x90\\\\])"
    assert codes(data) == [] == codes(data, charset_mode="text")
    assert codes(data, charset_mode="file") != []
    assert sgf_lark.loads(data)[0].root["C"] == "申"


def test_unescaped_trail_bytes_are_read_as_meant_unless_asked_otherwise() -> None:
    data = TRAIL.encode("cp932")
    assert sgf_lark.loads(data)[0].root["C"] == "表ソー能"
    as_specified = sgf_lark.loads(data, charset_mode="text")
    assert as_specified[0].root["C"] != "表ソー能"
    with pytest.raises(SGFSyntaxError):
        sgf_lark.loads(data.replace(b"MN[x]", "N[表]".encode("cp932")), charset_mode="text")
    modes: list[CharsetMode] = ["auto", "file"]
    for mode in modes:
        collection = sgf_lark.loads(data, charset_mode=mode)
        assert collection[0].root["C"] == "表ソー能"
        collection[0].root["N"] = "名"
        assert sgf_lark.dumps(collection).decode("cp932") == TRAIL.replace("能]", "能]N[名]")
    with pytest.raises(ValueError):
        collection[0].root["N"] = "😀"


@for_each(
    [
        b"((CA[csGBK]W[\xe6]",  # would swallow the bracket, once the tree is closed
        b"(CA[big5]C[\xe8\\)",  # an escape, or one half of a character
        b"\xb9\x94][(;",  # an escape becomes one half of a character
        b"(CA[UTF]a]WR[9\xe6\xae\xb5",  # only seems to name a charset
        b"(;CA[GBK]a]C[\xba\xda\xb0\xd7\xc6\xe5\xcf\xc8\xd0\xd0])",
    ]
)
def test_fixing_does_not_change_how_a_file_is_decoded(data: bytes) -> None:
    result = sgf_lark.fix(data)
    assert sgf_lark.fix(result.data).data == result.data
    assert all(0 <= change.span.start <= change.span.end <= len(data) for change in result.applied)


def test_a_string_is_encoded_as_the_specification_says() -> None:
    collection = sgf_lark.loads("(;FF[4]CA[Shift_JIS]C[表ソ])")
    assert sgf_lark.dumps(collection) == b"(;FF[4]CA[Shift_JIS]C[\x95\\\\\x83\\\\])"
    assert collection[0].root["C"] == "表ソ"


# --- CA is missing or wrong -----------------------------------------------------------

LOOKS_LIKE = [
    ("UTF-8", "棋譜"),
    ("GB18030", "黑方这手棋是败着，应当在左下角补一手。白棋征子有利。"),
    ("Big5", "黑棋這一手很好，白棋必須應。如果白棋不應，黑棋可以在左下角打入。"),
    ("Windows-31J", "黒の好手。ここで白は手を抜けない。"),
    ("windows-1251", "Хорошо сыграно, чёрные выигрывают"),
    ("windows-1252", "It’s a good move – really"),
]


@for_each(LOOKS_LIKE)
def test_text_without_ca_is_guessed_and_the_guess_is_reported(charset: str, text: str) -> None:
    data = b"(;FF[4]GM[1]C[" + text.encode(charsets.named(charset).codec) + b"];B[aa])"
    report = sgf_lark.validate(data)
    (found,) = (item for item in report.diagnostics if item.code == "SGF205")
    assert f"{charsets.named(charset).shown} (" in found.message and "%" in found.message
    assert sgf_lark.loads(data)[0].root["C"] == text
    as_specified = text.encode(charsets.named(charset).codec).decode("latin-1")
    assert sgf_lark.loads(data, charset_mode="text")[0].root["C"] == as_specified
    assert sgf_lark.loads(data, default_charset=charset)[0].root["C"] == text
    assert "SGF205" not in codes(data, default_charset=charset)


def test_names_that_are_cut_do_not_prevent_a_guess() -> None:
    names = "PB[星宿老仙]BR[9段]PW[", "]WR[9段]"
    data = b"(;FF[4]GM[1]" + b"\xe5\x8c".join(name.encode() for name in names) + b")"
    guess = charsets.guess(data)
    assert guess is not None and guess.charset == "UTF-8"
    # A guess is no reason for errors: the file is valid in ISO-8859-1.
    assert "SGF205" in codes(data) and "SGF206" not in codes(data)


@given(st.binary(max_size=300))
def test_any_bytes_can_be_guessed(data: bytes) -> None:
    guess = charsets.guess(data)
    if guess is not None:
        assert 30 <= guess.confidence <= 99
        assert charsets.named(guess.charset).codec == guess.codec


WORDS = [
    (name, language.words)
    for language in grammar.languages()
    for name in language.charsets
    if len(language.words) > 100
]


@given(st.data(), st.sampled_from(WORDS))
def test_words_of_a_language_are_guessed(
    data: st.DataObject, charset_and_words: tuple[str, tuple[str, ...]]
) -> None:
    name, words = charset_and_words
    codec = charsets.named(name).codec
    possible = [word for word in words if _encodes(word, codec)]
    text = " ".join(data.draw(st.lists(st.sampled_from(possible), min_size=6, max_size=20)))
    guess = charsets.guess(f"(;C[{text}])".encode(codec))
    assert guess is not None and text.encode(codec).decode(guess.codec) == text


def _encodes(text: str, codec: str) -> bool:
    try:
        text.encode(codec)
    except UnicodeEncodeError:
        return False
    return True


@for_each(grammar.languages())
def test_languages(language: grammar.Language) -> None:
    for name in language.charsets:
        assert charsets.lookup(name)[1] and charsets.named(name).superset
    characters = "".join(group for _, group in language.characters)
    assert len(set(characters)) == len(characters) and characters == characters.lower()
    assert len(set(language.surnames)) == len(language.surnames)
    assert len(set(language.words)) == len(language.words)
    for text in (*characters, *language.surnames, *language.words):
        assert not text.isascii() and text == text.lower()
        assert not language.charsets or any(
            _encodes(text, charsets.named(name).codec) for name in language.charsets
        )


def test_wrong_charset_is_reported_once_and_a_fitting_one_is_used() -> None:
    text = "黑方这手棋是败着，应当在左下角补一手。白棋征子有利。"
    data = b"(;FF[4]GM[1]CA[UTF-8]C[" + text.encode("gb18030") + b"];B[aa]C[\xba\xda];W[x])"
    report = sgf_lark.validate(data)
    assert [found.code for found in report.diagnostics] == ["SGF209", "SGF319"]
    assert report.diagnostics[0].span.start == data.index(b"\xba\xda")
    assert "UTF-8" in report.diagnostics[0].message
    assert "GB18030" in report.diagnostics[0].message
    assert sgf_lark.loads(data)[0].root["C"] == text


def test_charsets_that_the_user_names() -> None:
    data = b"(;FF[4]GM[1]CA[UTF-8]C[\xe9])(;FF[4]GM[1]C[\xb1\xb1])"
    assert [tree.root["C"] for tree in sgf_lark.loads(data, charset="latin1")] == ["é", "±±"]
    trees = sgf_lark.loads(data, default_charset="ISO-8859-2")
    assert [tree.root["C"] for tree in trees] == ["é", "ąą"]
    with pytest.raises(ValueError):
        codes(data, charset_mode="E1")


# --- Every codec, any bytes --------------------------------------------------------------


@for_each(grammar.charsets())
def test_every_charset_has_a_codec(charset: grammar.Charset) -> None:
    text = b"(;C[x])".decode("ascii").encode(charset.codec)
    if charset.superset:
        assert text == b"(;C[x])"
    assert sgf_lark.loads(text, charset=charset.name, charset_mode="file")[0].root["C"] == "x"


@given(
    st.binary(max_size=200).map(lambda data: b"(;FF[4]CA[GBK]C[" + data + b"];B[aa])")
    | st.binary(max_size=60),
    st.sampled_from(MODES),
    st.sampled_from([None, "UTF-16", "Shift_JIS", "GB18030", "UTF-8", "ISO-2022-JP", "UTF-7"]),
)
def test_any_bytes_are_decoded_in_any_mode(
    data: bytes, mode: CharsetMode, charset: str | None
) -> None:
    report = sgf_lark.validate(data, charset_mode=mode, charset=charset)
    for found in report.diagnostics:
        assert 0 <= found.span.start <= found.span.end <= len(data)
    decoded = parse(decode(data, charset=charset, mode=mode)).decoding
    assert decoded.original_bytes(None, len(decoded.data)) == data


@for_each(charset.name for charset in grammar.charsets())
def test_any_byte_before_an_escape_is_taken_in_any_charset(charset: str) -> None:
    """After ESC the codecs of ISO-2022 decode bytes to characters that they do not encode."""
    for byte in range(0x80, 0x100, 30):
        data = b"(;FF[4]CA[%s]C[\x1b%c\\x])" % (charset.encode(), byte)
        report = sgf_lark.validate(data)
        assert not any(found.code.startswith("SGF0") for found in report.diagnostics)
