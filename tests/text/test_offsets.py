"""What the parser reads in place of the bytes of a file: offsets in both, and bytes that are no
character."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from functools import cache
from itertools import accumulate, pairwise, product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sgf_lark import grammar
from sgf_lark.text import charsets, decoding
from sgf_lark.text.decoding import AddedEscapes, OffsetMap
from sgf_lark.text.validity import unescaped
from tests.kit.tables import for_each

#: Codecs with the longest characters, and with bytes of ASCII in other characters;
#: for each, bytes that are no character, whatever follows.
UNDECODABLE = [
    ("utf-8", [b"\xff", b"\xc0", b"\xe6", b"\xf0\x9f\x98"]),
    ("utf-16-le", [b"\x00\xd8", b"\xff\xdb"]),
    ("utf-16-le", [b"\x00\xdc", b"\xff\xdf"]),
    ("utf-16-be", [b"\xd8\x00", b"\xdb\xff"]),
    ("utf-16-be", [b"\xdc\x00", b"\xdf\xff"]),
    ("utf-32-le", [b"\x00\xd8\x00\x00", b"\x00\x00\x11\x00"]),
    ("utf-32-be", [b"\x00\x00\xd8\x00", b"\x7f\xff\xff\xff"]),
    ("shift_jis", [b"\xff", b"\xa0"]),
    ("gb18030", [b"\xff"]),
    ("big5", [b"\xff"]),
    ("euc_jp", [b"\xff"]),
]
CHARACTERS = "a[]\\;\n棋表ソ"
MORE_CHARACTERS = {"utf-8": "é😀", "utf-16-le": "é😀", "utf-16-be": "é😀", "gb18030": "é😀"}

#: Of characters and of first bytes each is tried with the profile thorough, else so many apart.
STEP = 1 if settings().max_examples > 100 else 5

#: A part of a file: a character, or bytes that are none.
Part = str | bytes


def parts_of(codec: str, undecodable: list[bytes]) -> st.SearchStrategy[tuple[str, list[Part]]]:
    """A codec, and the parts of a file in it; characters lie across each 512th byte."""
    characters = st.sampled_from(CHARACTERS + MORE_CHARACTERS.get(codec, ""))
    part = st.one_of(characters, characters, st.sampled_from(undecodable))
    before = st.sampled_from([0, 0, 1, 500, 508, 509, 510, 511, 512, 1021, 2558])
    return st.builds(
        lambda ascii_count, some, count: (codec, [*"x" * ascii_count, *some * count]),
        before,
        st.lists(part, max_size=12),
        st.sampled_from([1, 1, 20]),
    )


FILES = st.sampled_from(UNDECODABLE).flatmap(lambda each: parts_of(*each))


def characters_of(codec: str, parts: list[Part]) -> Iterator[tuple[bytes, bytes]]:
    """For each character its bytes in the file and in the text."""
    for part in parts:
        if isinstance(part, str):
            yield part.encode(codec), part.encode()
            continue
        for byte in part:
            yield bytes([byte]), chr(0xDC00 + byte).encode("utf-8", "surrogatepass")


def check(codec: str, parts: list[Part], mark: bytes = b"") -> None:
    """The map of a file with these parts after a byte order mark has their offsets."""
    characters = list(characters_of(codec, parts))
    data = mark + b"".join(in_file for in_file, _ in characters)
    found = OffsetMap(data, codec, len(mark))
    assert found.text == b"".join(in_text for _, in_text in characters)
    file_offsets = [*accumulate((len(each) for each, _ in characters), initial=len(mark))]
    text_offsets = [*accumulate((len(each) for _, each in characters), initial=0)]
    places = list(zip(file_offsets, text_offsets, strict=True))
    assert [found.to_file(in_text) for _, in_text in places[:-1]] == file_offsets[:-1]
    assert [found.to_text(in_file) for in_file, _ in places[:-1]] == text_offsets[:-1]
    for (in_file, in_text), (file_end, text_end) in pairwise(places):
        assert {found.to_text(offset) for offset in range(in_file, file_end)} == {in_text}
        assert {found.to_file(offset) for offset in range(in_text, text_end)} == {in_file}
    assert found.to_file(len(found.text)) == len(data)
    # What is before the text or after it has the nearest offset.
    assert found.to_text(len(data)) == found.to_text(len(data) + 9) == len(found.text)
    assert {found.to_text(offset) for offset in range(len(mark))} <= {0}
    again = pickle.loads(pickle.dumps(found))
    for in_file, in_text in reversed(places[:-1:7]):
        assert (again.to_text(in_file), again.to_file(in_text)) == (in_text, in_file)


@given(FILES, st.sampled_from([b"", b"\xff\xfe", b"\xef\xbb\xbf"]))
@example(("utf-16-be", [*"x" * 255, "😀", b"\xdc\x00", "😀"] * 3), b"")
@example(("gb18030", [*"x" * 510, "😀", b"\xff", "😀"] * 3), b"\xef\xbb\xbf")
@example(("utf-8", []), b"\xef\xbb\xbf")
def test_offsets_are_those_of_the_characters(file: tuple[str, list[Part]], mark: bytes) -> None:
    check(*file, mark)


@given(FILES)
@example(("utf-8", [b"\xff", b"\xfe", "é", b"\xff"]))
def test_what_is_encoded_is_what_was_decoded(file: tuple[str, list[Part]]) -> None:
    codec, parts = file
    text = b"".join(in_text for _, in_text in characters_of(codec, parts))
    first = next((number for number, part in enumerate(parts) if isinstance(part, str)), None)
    leading = b"".join(part for part in parts[:first] if isinstance(part, bytes))
    assert decoding.leading_undecodable_bytes(text) == leading
    assert decoding.has_undecodable_bytes(text) == any(isinstance(part, bytes) for part in parts)
    expected = b""
    for part in parts:
        expected += part if isinstance(part, bytes) else part.encode(codec)
    assert decoding.encode(text, codec).decode(codec, "replace") == expected.decode(
        codec, "replace"
    )


def test_characters_that_a_codec_lacks_are_refused() -> None:
    for text in ("棋", "a\udcffé", "\udcff棋\udcff"):
        with pytest.raises(UnicodeEncodeError):
            decoding.encode(text.encode("utf-8", "surrogatepass"), "ascii")


#: Characters that are cut, at the end of a file and before others.
CUT: list[tuple[str, list[Part]]] = [
    ("utf-16-le", ["a", b"b"]),
    ("utf-16-le", ["a", b"\x3d\xd8"]),
    ("utf-16-be", ["a", b"\xd8\x3d\xde"]),
    ("utf-32-le", ["a", b"b\0\0"]),
    ("utf-8", ["a", b"\xe6\xa3"]),
    ("gb18030", ["a", b"\x81"]),
    ("gb18030", ["a", b"\x81", "0", b"\x81"]),
    ("gb18030", [b"\x81", "0", "棋", "a"]),
    ("shift_jis", ["a", b"\x95"]),
    ("utf-16-le", [b"\x3d\xd8", "]"]),
]


@for_each(CUT)
def test_characters_may_be_cut(codec: str, parts: list[Part]) -> None:
    for count in (0, 1, 127, 128, 254, 255, 256, *range(507, 514)):
        check(codec, [*"x" * count, *parts])


#: Characters that have other bytes by themselves, and runs of characters in UTF-7: where these
#: begin and end. The first is written in two ways, and the second with one code for two characters.
STEPWISE: list[tuple[str, list[bytes]]] = [
    ("euc_jp", [b"a", b"\x8f\xa2\xb7", b"~", b"\xb4\xfd", b"\xff", b"a"]),
    ("shift_jis_2004", [b"a", b"\x82\xf5", b"]", b"\x8a\xfb", b"\xff", b"a"]),
    ("utf-7", [b"a", b"+", b"(", b"+aMs-", b"]", b"+aMtojA-", b"]", b"+-", b"+2D3eAA-", b"+AGE"]),
]


@for_each(STEPWISE)
def test_offsets_are_those_that_the_decoder_finds(codec: str, parts: list[bytes]) -> None:
    data = b"".join(parts)
    found = OffsetMap(data, codec, 0)
    in_file = [*accumulate(map(len, parts), initial=0)]
    in_text = [found.to_text(offset) for offset in in_file]
    assert [found.to_file(offset) for offset in in_text] == in_file
    pieces = [found.text[start:end] for start, end in pairwise(in_text)]
    undecodable = decoding.has_undecodable_bytes
    assert [piece.decode("utf-8", "replace") for piece in pieces if not undecodable(piece)] == [
        text for text in (each.decode(codec, "ignore") for each in parts) if text and text != "+("
    ]


def decoded_codecs() -> Iterator[str]:
    """The codecs in which files are decoded as a whole, named by the user or guessed."""
    yield from (each.codec for each in grammar.charsets() if not each.superset)
    for language in grammar.languages():
        yield from (charsets.named(name).codec for name in language.charsets)


@for_each([(each,) for each in sorted({*decoded_codecs()} - decoding._STEPWISE)])
def test_a_character_has_bytes_of_its_own(codec: str) -> None:
    for data in map(bytes, product(range(0x80, 0x100, STEP), range(0x30, 0x100))):
        text = data.decode(codec, "replace")
        if len(text) == 1 and text != "\N{REPLACEMENT CHARACTER}":
            assert len(text.encode(codec)) == 2


#: The charsets in which a byte of a character can be a bracket or an escape, registered or not.
ESCAPED = [each for each in grammar.charsets() if each.trail]
ESCAPED += map(charsets.named, ("johab", "shift_jis_2004", "shift_jisx0213"))


@for_each([(each,) for each in ESCAPED])
def test_bytes_within_characters_are_those_that_the_codec_takes_for_them(
    charset: grammar.Charset,
) -> None:
    for lead in range(0x80, 0x100):
        for trail in b"[\\]:();A":
            pair = bytes([lead, trail])
            is_character = len(pair.decode(charset.codec, "replace")) == 1
            added = is_character and trail in b"[\\]:"
            assert AddedEscapes(pair, charset).text == (b"%c\\%c" if added else b"%c%c") % (*pair,)


@cache
def characters_in(codec: str) -> tuple[str, str]:
    """A part of the characters in that codec, and those with a byte of a bracket or an escape."""
    of_codec = {chr(each): chr(each).encode(codec, "ignore") for each in range(0x80, 0xD800, STEP)}
    # The Yen sign of ISO-2022-JP is the byte of "\\" in a set that has the brackets of ASCII.
    found = [each for each, raw in of_codec.items() if len(raw) > 1 and each != "\u00a5"]
    return "".join(found), "".join(each for each in found if {*b"[\\]:"} & {*of_codec[each][1:]})


@given(st.data())
def test_escapes_are_added_as_the_specification_wants_them(data: st.DataObject) -> None:
    charset = data.draw(st.sampled_from(ESCAPED))
    alphabet = st.one_of(*map(st.sampled_from, ("ab([;x\n", *characters_in(charset.codec))))
    text = data.draw(st.text(alphabet, max_size=20))
    raw = text.encode(charset.codec)
    found = pickle.loads(pickle.dumps(AddedEscapes(raw, charset)))
    # FF[4] resolves the escapes byte by byte, and decodes what is left.
    assert unescaped(found.text).decode(charset.codec) == raw.decode(charset.codec)
    assert found.encode(found.text) == raw
    places = [found.to_text(offset) for offset in range(len(raw) + 1)]
    assert [found.to_file(offset) for offset in places] == [*range(len(raw) + 1)]
