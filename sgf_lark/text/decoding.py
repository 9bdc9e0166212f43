"""From the bytes of a file to the bytes that the grammar reads.

The grammar reads bytes in which ASCII is ASCII. Where a file is stored so, they
are its own; else, as in UTF-16, the file is decoded as a whole and encoded in
UTF-8, and every place in that leads back to its place in the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from sgf_lark.flat import FlatTree
from sgf_lark.grammar import CHARSET_MODES, Charset, CharsetMode
from sgf_lark.text import charsets
from sgf_lark.text.charsets import NO_MARK, Guess, Mark, is_plain
from sgf_lark.text.positions import SourceText

if TYPE_CHECKING:
    from sgf_lark.text.offsets import Places

_CA = re.compile(rb"CA[ \t\n\r\v\f]*\[([^\]\\]*)\]")


@dataclass(frozen=True, eq=False)
class Reading:
    """One way to read the bytes of a file.

    `given` are the bytes of the file, `data` those that the grammar reads. `codec`
    is the codec of all texts in `data`, None where each tree has its own;
    `fallback` that of trees that name none.
    """

    given: bytes
    data: bytes
    codec: str | None
    fallback: str
    mark: Mark = NO_MARK
    #: What text without CA looks like, where nothing else says what it is.
    guess: Guess | None = None
    #: Whether the user said what text without CA is written in.
    named_by_user: bool = False
    #: Whether trees without CA are read in what their text looks like.
    guessing: bool = False
    #: Where `data` is not the bytes of the file: its charset and its places.
    stored: Charset | None = None
    places: Places | None = None

    @cached_property
    def is_ascii(self) -> bool:
        """Whether all bytes of :attr:`data` are ASCII."""
        return self.data.isascii()

    def tree_codec(self, root: dict[str, bytes], flat: FlatTree, first: int) -> str:
        """Python's codec for the texts of a tree with these root values.

        `first` is the number of its root in `flat`, read from :attr:`data`: where its
        bytes have no meaning in the charset that is named, the next that fits
        is taken: UTF-8, what the bytes look like, ISO-8859-1.
        """
        named = self.codec or self.declared_codec(root)
        if self.is_ascii:
            return named
        start, end = flat.bounds(first)
        part = self.data[start:end]
        if self.guessing and self.codec is None and "CA" not in root and not part.isascii():
            named = self._guessed(part) or named
        if self.stored is not None or part.isascii():
            return named
        if self.decodes(start, end, named) or _mostly_decodes(part, named):
            return named
        guess = charsets.guess(part)
        chain = ["utf-8", *([guess.codec] if guess else []), charsets.default_codec()]
        return next((codec for codec in chain if charsets.decodes(part, codec)), named)

    def decodes(self, start: int, end: int, codec: str) -> bool:
        """Whether all bytes of :attr:`data` from `start` to `end` have a meaning in that codec."""
        asked = start, end, codec
        known: tuple[object, bool] = self.__dict__.get("_decodes", (None, False))
        if known[0] != asked:
            known = asked, charsets.decodes(self.data[start:end], codec)
            self.__dict__["_decodes"] = known
        return known[1]

    def _guessed(self, part: bytes) -> str | None:
        guess = self.guess or charsets.guess(part)
        if guess is None or guess.confidence < charsets.SURE:
            return None
        return guess.codec if charsets.decodes(part, guess.codec) else None

    def declared_codec(self, root: dict[str, bytes]) -> str:
        """The codec that CA names, or else that of trees without CA."""
        name = root.get("CA")
        return self.fallback if name is None else charsets.codec_of(name) or self._fallback_by_looks

    @cached_property
    def _fallback_by_looks(self) -> str:
        """The codec of trees whose CA names no charset: by what all of the text looks
        like, which need not have been asked where something looks like a known name."""
        guess = charsets.guess(self.data) if self.guessing and not self.guess else None
        charset = _charset_of(guess)
        return charset.codec if charset else self.fallback

    def source(self, codec: str | Callable[[int], str]) -> SourceText:
        """Lines and columns of the file; `codec` as in SourceText."""
        if self.places is None:
            return SourceText(self.given, codec)
        return SourceText(self.data, "utf-8", self.places)

    def given_bytes(self, start: int | None, end: int) -> bytes:
        """The bytes of the file that :attr:`data` from `start` to `end` stands for.

        Where `start` is None, those before it too: the byte order mark.
        """
        if self.places is None:
            return self.given[start or 0 : end]
        first = 0 if start is None else self.places.given(start)
        return self.given[first : self.places.given(end)]

    def without_meaning(self, text: bytes) -> bytes:
        """The bytes without meaning in the file that `text`, a part of `data`, begins with."""
        if self.places is None:
            return b""
        from sgf_lark.text.offsets import kept_at_start

        return kept_at_start(text)

    def has_kept_bytes(self, data: bytes) -> bool:
        """Whether `data`, text in the way of :attr:`data`, has bytes without meaning."""
        if self.places is None:
            return False
        from sgf_lark.text.offsets import has_kept_bytes

        return has_kept_bytes(data)

    def encode(self, data: bytes) -> bytes:
        """The bytes to store for `data`, text in the way of :attr:`data`.

        Raises UnicodeEncodeError where it has characters that the file's charset lacks.
        """
        if self.stored is None:
            return data
        from sgf_lark.text.offsets import encoded

        return encoded(data, self.mark.codec or self.stored.codec)

    @cached_property
    def unescaped_trail_bytes(self) -> list[tuple[int, int]]:
        """The characters (start and end in `data`) whose last byte in the file is
        "\\\\" or "]" and would have to be escaped there."""
        if self.places is None or self.stored is None or not self.stored.trail:
            return []
        return [
            (read, read_end)
            for start, end, read, read_end in self.places.characters()
            if end - start > 1 and self.given[end - 1 : end] in (b"\\", b"]")
        ]


def readings(
    data: bytes,
    *,
    charset: str | None = None,
    default_charset: str | None = None,
    mode: CharsetMode = "auto",
) -> list[Reading]:
    """The ways to read a file, best first: the first under which it makes sense counts.

    `charset` goes before what the file says of itself, `default_charset` stands
    in for what it does not say. Raises LookupError for charsets nobody knows,
    ValueError for an unknown mode.
    """
    if charsets.mark_of(data) is NO_MARK:
        plain = is_plain(data)
        name = None
        # What is said of plain bytes as a whole is the same whatever CA says of them.
        if not (plain and mode == "auto"):
            declared = _CA.search(data, place) if (place := data.find(b"CA")) >= 0 else None
            name = declared[1] if declared else None
        if name is None or len(name) <= _LONGEST_NAME:
            of_plain, of_all = _by_name(name, charset, default_charset, mode)
            told = of_plain if plain else of_all
            if told is not None:
                # One for each file: to fill in a copy takes a fraction of the time.
                state = told.copy()
                state["given"] = state["data"] = data
                state["is_ascii"] = plain or data.isascii()
                reading = Reading.__new__(Reading)
                object.__setattr__(reading, "__dict__", state)
                return [reading]
    return _readings(data, charset, default_charset, mode)


_LONGEST_NAME = 40


@lru_cache(maxsize=256)
def _by_name(
    declared: bytes | None, charset: str | None, default_charset: str | None, mode: CharsetMode
) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """What is in a :class:`Reading` of plain bytes in which CA says that, and of all bytes
    in which it does, where it is the same but for the bytes; None where these have to be
    looked at."""
    sample = b"" if declared is None else b"CA[%s]" % declared
    of_plain = _fields(_readings(sample, charset, default_charset, mode))
    is_named = charset or default_charset or _named_in(sample, NO_MARK)
    if not is_named:
        return of_plain, None
    return of_plain, _fields(_readings(sample + b"\xff", charset, default_charset, mode))


def _fields(found: list[Reading]) -> dict[str, Any] | None:
    """What is in the only reading; None where it had to be decoded."""
    first = found[0]
    if len(found) > 1 or first.stored is not None:
        return None
    return {**first.__dict__, "guess": None, "is_ascii": None}


def _readings(
    data: bytes, charset: str | None, default_charset: str | None, mode: CharsetMode
) -> list[Reading]:
    if mode not in CHARSET_MODES:
        raise ValueError(f"unknown charset mode: {mode!r}; one of {', '.join(CHARSET_MODES)}")
    override = None if charset is None else charsets.named(charset)
    default = None if default_charset is None else charsets.named(default_charset)
    mark = charsets.mark_of(data)
    if mark.charset not in ("", "UTF-8"):
        return [_recoded(data, charsets.named(mark.charset), mark)]
    if mode == "none":
        return [Reading(data, _without_mark(data, mark), "latin-1", charsets.default_codec(), mark)]
    named = override or _named_in(data, mark) or default
    guess = None
    if named is None and mode != "text" and not data.isascii():
        guess = charsets.guess(data)
    letter = _by_letter(data, override, default, mark, guess, mode)
    whole = named or _charset_of(guess)
    if whole is not None and not whole.superset:
        return [_recoded(data, whole, mark)]
    if whole is None or mode == "text":
        return [letter]
    if whole.trail and not is_plain(data):
        recoded = _recoded(data, whole, mark, guess)
        return [recoded] if mode == "file" else [letter, recoded]
    return [replace(letter, codec=whole.codec)] if mode == "file" else [letter]


def _by_letter(
    data: bytes,
    override: Charset | None,
    default: Charset | None,
    mark: Mark,
    guess: Guess | None,
    mode: CharsetMode,
) -> Reading:
    is_named = override is not None or default is not None
    fallback = (default or _charset_of(guess) or charsets.named(charsets.DEFAULT)).codec
    return Reading(
        data,
        _without_mark(data, mark),
        override.codec if override else mark.codec or None,
        fallback,
        mark,
        guess,
        named_by_user=is_named,
        guessing=not is_named and mode != "text",
    )


def _recoded(data: bytes, charset: Charset, mark: Mark, guess: Guess | None = None) -> Reading:
    from sgf_lark.text.offsets import Places

    places = Places(data, mark.codec or charset.codec, mark.length)
    return Reading(data, places.utf_8, "utf-8", "utf-8", mark, guess, stored=charset, places=places)


def _without_mark(data: bytes, mark: Mark) -> bytes:
    """Blanks stand for the mark, so that offsets stay."""
    return b" " * mark.length + data[mark.length :] if mark.length else data


def _named_in(data: bytes, mark: Mark) -> Charset | None:
    """What the file says of itself. A CA that can be read shows that it has ASCII."""
    if mark.charset:
        return charsets.named(mark.charset)
    declared = _CA.search(data)
    charset = charsets.lookup(declared[1].decode("latin-1"))[0] if declared else None
    return charset if charset and charset.superset else None


def _charset_of(guess: Guess | None) -> Charset | None:
    return charsets.named(guess.charset) if guess and guess.confidence >= charsets.SURE else None


_ESCAPE = rb"(?s)\\(.)"


def _mostly_decodes(data: bytes, codec: str) -> bool:
    """Whether more of the characters beyond ASCII have a meaning than have none."""
    text = re.compile(_ESCAPE).sub(rb"\1", data).decode(codec, "replace")
    lost = text.count("\N{REPLACEMENT CHARACTER}")
    beyond = len(text) - len(text.encode("ascii", "ignore"))
    return beyond - lost > lost
