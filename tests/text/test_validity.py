"""Whether bytes are text in a charset."""

from __future__ import annotations

import pytest

from sgf_lark.text import validity
from sgf_lark.text.validity import recode
from tests.kit.tables import for_each

#: A value as written, a codec, and whether the value is text in it, and the same text if its
#: escapes are resolved after it is decoded.
VALUES = [
    (b"", "utf-8", True, True),
    (rb"a\]b\\c", "shift_jis", True, True),
    ("é\\]".encode(), "utf-8", True, True),
    (b"\xe9", "utf-8", False, False),
    (b"\xe9", "latin-1", True, True),
    # The second byte of the character is a "\\".
    ("表".encode("shift_jis"), "shift_jis", True, True),
    ("表a".encode("shift_jis"), "shift_jis", True, False),
    ("表".encode("shift_jis") + b"\\", "shift_jis", True, False),
    ("表".encode("shift_jis") + b"\xff", "shift_jis", False, False),
    ("古\\表".encode("shift_jis"), "shift_jis", True, True),
]


@for_each(VALUES)
def test_value_is_text(raw: bytes, codec: str, is_text: bool, is_one_text: bool) -> None:
    assert validity.is_text(raw, codec) == is_text
    assert validity.is_one_text(raw, codec) == is_one_text


def test_ascii_is_the_same_in_nearly_all_charsets() -> None:
    kept = ["utf-8", "latin-1", "cp1252", "shift_jis", "big5", "gb18030", "euc_kr"]
    assert all(map(validity.keeps_ascii, kept))
    assert not any(map(validity.keeps_ascii, ["iso2022_jp", "hz", "utf-7", "cp864", "utf-16-le"]))


@for_each(
    [
        # The second byte of each character has an escape in front, as FF[4] wants, or none.
        (b"\x95\\\\\x83\\\\x", "cp932", "表ソx"),
        (b"\\\x95\\\\\\]", "cp932", "\\表\\]"),
        # Without it the escape is lost, and with it a part of the character.
        (b"\x95\\\n", "cp932", None),
        (b"\xfc\\\na\xfc\\a", "gbk", None),
        (b"\x1b$B\\[N\x1b(B", "iso2022_jp", "枸"),
    ]
)
def test_escapes_in_characters_are_no_text(raw: bytes, codec: str, text: str | None) -> None:
    if text is None:
        with pytest.raises(UnicodeError):
            recode(raw, codec, "utf-8")
    else:
        assert recode(raw, codec, "utf-8").decode() == text
