"""The names of charsets: registered ones, those that only Python knows, and what is none."""

from __future__ import annotations

import pytest

from sgf_lark import grammar
from sgf_lark.text import charsets
from sgf_lark.text.charsets import is_name


@pytest.mark.parametrize(
    ("name", "superset", "trail"),
    [
        ("cp950", True, True),
        ("johab", True, True),
        ("macroman", True, False),
        ("cp737", True, False),
        ("mac_cyrillic", True, False),
        ("UTF-16LE", False, False),
        ("cp500", False, False),
    ],
)
def test_charsets_that_only_python_knows(name: str, superset: bool, trail: bool) -> None:
    charsets.lookup.cache_clear()
    charset, is_registered = charsets.lookup(name)
    assert charset is not None
    assert is_registered == (name in ("UTF-16LE", "cp500"))
    assert (charset.superset, charset.trail) == (superset, trail)


@pytest.mark.parametrize(
    ("codec", "name"),
    [
        ("utf-8", "UTF-8"),
        ("cp1252", "windows-1252"),
        ("gb18030", "GB18030"),
        ("mac-cyrillic", "mac-cyrillic"),
        ("mac_cyrillic", "mac_cyrillic"),
        ("latin-1", "ISO-8859-1"),
        ("no-such", "no-such"),
    ],
)
def test_charsets_are_named_as_they_are_registered(codec: str, name: str) -> None:
    assert charsets.name_of(codec) == name


@pytest.mark.parametrize(
    "name",
    [
        "idna",
        "unicode_escape",
        "raw_unicode_escape",
        "punycode",
        "charmap",
        "rot13",
        "hex",
        "undefined",
        "",
        "\0",
    ],
)
def test_names_of_no_charset(name: str) -> None:
    assert charsets.lookup(name) == (None, False)


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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", True),
        ("UTF-8", True),
        ("ISO_8859-1:1987 (x) +'.", True),
        ("x" * 40, True),
        ("x" * 41, False),
        ("a,b", False),
        ("é", False),
        ("a\n", False),
    ],
)
def test_form_of_the_name_of_a_charset(text: str, expected: bool) -> None:
    assert is_name(text) == expected
