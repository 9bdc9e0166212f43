"""Random files that violate a rule, where no small change of an example gives enough values."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from sgf_lark import grammar
from sgf_lark.fuzz.generating import Choices, word_of_pattern
from sgf_lark.fuzz.generating_files import generate
from sgf_lark.fuzz.generating_values import non_ascii_letters
from sgf_lark.text import charsets


def _with_text(text: bytes, charset: str | None = None) -> bytes:
    """Return a file with a comment."""
    name = b"" if charset is None else b"CA[%s]" % charset.encode()
    return b"(;FF[4]GM[1]%s;C[%s])" % (name, text)


def _letters(choices: Choices, codec: str, most: int) -> bytes:
    """Return 3 to `most` non-ASCII letters, none of which needs an escape."""
    plain = [letter for letter in non_ascii_letters(codec) if not set(letter) & set(b"\\]:[")]
    return b"".join(choices.choice(plain) for _ in range(choices.integer(3, most)))


def no_game_tree(choices: Choices) -> bytes:
    """Return text without a game tree."""
    return word_of_pattern(r"[a-z ,;\[\]A-Z0-9)]{0,30}", choices)


def long_identifier(choices: Choices, least: int, most: int) -> bytes:
    """Return a file with an identifier of `least` to `most` letters."""
    ident = word_of_pattern(f"[A-Z]{{{choices.integer(least, most)}}}", choices)
    return b"(;FF[4]GM[1]%s[x])" % ident


def charset_name(choices: Choices, is_near: bool) -> bytes:
    """Name a charset by an unregistered name, or one that does not contain ASCII."""
    names = [
        name
        for entry in grammar.charsets()
        for name in (*entry.near, entry.codec, entry.name, *entry.aliases)
        if entry.superset == is_near and charsets.lookup(name)[1] != is_near
    ]
    return _with_text(b"x", choices.choice(names))


def missing_charset(choices: Choices) -> bytes:
    """Write UTF-8 text without naming the charset."""
    return _with_text(_letters(choices, "utf-8", 12))


def undecodable_text(choices: Choices) -> bytes:
    """Add an undecodable byte to text that is otherwise UTF-8."""
    bad = choices.choice((b"\xff", b"\xe6\xa3", b"\xc3", b"\xfe", b"\xff a"))
    return _with_text(_letters(choices, "utf-8", 9) + bad, "UTF-8")


def unescaped_trail_byte(choices: Choices) -> bytes:
    """Write a character with an unescaped delimiter as its second byte."""
    name = choices.choice(("Shift_JIS", "Big5", "GBK", "GB18030"))
    codec = charsets.named(name).codec
    ambiguous = [letter for letter in non_ascii_letters(codec) if letter[1:] in (b"\\", b"]")]
    return _with_text(_letters(choices, codec, 6) + choices.choice(ambiguous), name)


def wrong_charset(choices: Choices) -> bytes:
    """Write text in another charset than the one that CA names."""
    if choices.chance(2):
        return _with_text(_letters(choices, "utf-8", 9), "US-ASCII")
    latin = word_of_pattern("([\xe9\xe4\xdf\xf1][a-z]){1,5}", choices)
    return _with_text(latin, choices.choice(("UTF-8", "US-ASCII")))


def file_without_ascii(choices: Choices) -> bytes:
    """Encode a conforming file in UTF-16 or UTF-32."""
    source = random.Random(choices.integer(0, 10_000))
    text = generate(source, charset=None, trees=1, file_format=4).decode("latin-1")
    codec = choices.choice(("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"))
    return (choices.choice(("\ufeff", "")) + text).encode(codec)


#: The functions by the code of the rule that their files violate, not always only that rule.
CORES: Mapping[str, Callable[[Choices], bytes]] = {
    "SGF002": no_game_tree,
    "SGF115": lambda choices: long_identifier(choices, 3, 100),
    "SGF116": lambda choices: long_identifier(choices, 101, 300),
    "SGF204": lambda choices: charset_name(choices, True),
    "SGF205": missing_charset,
    "SGF206": undecodable_text,
    "SGF207": unescaped_trail_byte,
    "SGF208": lambda choices: charset_name(choices, False),
    "SGF209": wrong_charset,
    "SGF214": file_without_ascii,
}
