"""Charsets: their names in CA, Unicode signatures, and which one a game tree is in.

A charset that somebody named, in CA, by the first bytes of the file or as an option, is a claim. It
is weighed with what the bytes say: in the right charset a text is more usual in its language than
the same bytes are in any other charset and language. One measure, in bits, serves for all charsets,
for game trees without a claim, and for game trees of which each value has its own charset.
Everything else asks this module.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from enum import Enum
from functools import cache, lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from sgf_lark import grammar
from sgf_lark.grammar import Charset

if TYPE_CHECKING:
    from sgf_lark.text.languages import DecodedText

#: The charset of a game tree without CA (properties.html, CA).
DEFAULT = "ISO-8859-1"

# --- Names ------------------------------------------------------------------------

#: Python codecs that are no charsets, but ways to write text in ASCII.
_NOT_CHARSETS = {
    "charmap",
    "idna",
    "punycode",
    "raw-unicode-escape",
    "undefined",
    "unicode-escape",
}

#: The characters of SGF's structure.
_STRUCTURE = "()[];:\\AZaz09"

_NAME = re.compile(r"[A-Za-z0-9_ .:()+'\-]{0,40}")


@cache
def _charsets_by_name() -> dict[str, tuple[Charset, bool]]:
    """Lowercase name -> the charset, and whether the name is registered for it."""
    table = {}
    for charset in grammar.charsets():
        for name in (charset.name, *charset.aliases):
            table[name.lower()] = (charset, True)
        for name in charset.near:
            table[name.lower()] = (charset, False)
    return table


@cache
def _charsets_by_codec() -> dict[str, Charset]:
    """Python's name of a codec -> the first charset that has a name of that codec."""
    table: dict[str, Charset] = {}
    for charset in grammar.charsets():
        for name in (charset.codec, charset.name, *charset.aliases, *charset.near):
            codec = _python_codec(name)
            if codec is not None:
                table.setdefault(codec, charset)
    return table


def _python_codec(name: str) -> str | None:
    """Python's own name of the codec that it knows under this name."""
    try:
        return codecs.lookup(name).name
    except (LookupError, ValueError):
        return None


@lru_cache(maxsize=4096)
def lookup(name: str) -> tuple[Charset | None, bool]:
    """The charset with this name, and whether the name is registered.

    Case does not matter. Names that are not registered are looked up among those that Python
    knows; the result for an unknown name is (None, False).
    """
    known = _charsets_by_name().get(name.strip().lower())
    if known is not None:
        return known
    codec = _python_codec(name.strip())
    if codec is None or codec in _NOT_CHARSETS:
        return None, False
    charset = _charsets_by_codec().get(codec)
    if charset is not None:
        return charset, False
    try:
        superset = _STRUCTURE.encode(codec) == _STRUCTURE.encode("ascii")
    except (LookupError, ValueError):
        return None, False
    return Charset(name.strip(), codec, superset=superset, character=_character(codec)), False


def is_registered(charset: Charset) -> bool:
    """Whether the charset has a registered name."""
    return charset in grammar.charsets()


def _character(codec: str) -> str:
    """What ``charsets.toml`` would have as `character` of a charset with this codec."""
    pairs = [
        (lead, trail)
        for lead in range(0x80, 0x100)
        for trail in range(0x31, 0xFF)
        if len(bytes([lead, trail]).decode(codec, "replace")) == 1
    ]
    if all(trail != 0x5C for _, trail in pairs):
        return ""
    leads = "".join(rf"\x{lead:02x}" for lead in dict(pairs))
    return rf"[{leads}][\x31-\x7e\x80-\xfe]"


def named(name: str) -> Charset:
    """The charset with this name; raises LookupError for an unknown name."""
    charset, _ = lookup(name)
    if charset is None:
        raise LookupError(f"unknown charset: {name}")
    return charset


def is_name(text: str) -> bool:
    """Whether `text` has the form of a charset name, registered or not."""
    return _NAME.fullmatch(text) is not None


def name_of(codec: str) -> str:
    """The registered name of the charset that this Python codec decodes."""
    charset, _ = lookup(codec)
    known = (entry.name for entry in grammar.charsets() if entry.codec == codec)
    return next(known, charset.name if charset else codec)


@lru_cache(maxsize=256)
def declared(name: bytes | None) -> Charset | None:
    """The charset that a value of CA names; None if it is unknown or there is no CA."""
    return None if name is None else lookup(name.decode("latin-1"))[0]


def declared_superset(name: bytes | None) -> Charset | None:
    """The same if it is a superset of ASCII: FF[4] wants the structure to be read before the texts
    are decoded."""
    charset = declared(name)
    return charset if charset is not None and charset.superset else None


def codec_of(name: bytes) -> str | None:
    """The Python codec of that charset."""
    charset = declared_superset(name)
    return None if charset is None else charset.codec


@cache
def default() -> Charset:
    """The charset of game trees without CA."""
    return named(DEFAULT)


def decodes(data: bytes, codec: str) -> bool:
    """Whether all of `data` is valid in this codec."""
    try:
        data.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


#: A value of CA. It begins with what is seldom, which is found in a 25th of the time.
_CA = re.compile(rb"CA(?<![A-Z]CA)[ \t\n\r\v\f]*\[([^\]\\]*)\]")


def declared_in(data: bytes) -> bytes | None:
    """The first value in these bytes that looks like that of CA."""
    found = _CA.search(data)
    return found[1] if found else None


def all_declared_in(data: bytes) -> list[bytes]:
    """All values in these bytes that look like the first of CA."""
    return _CA.findall(data)


# --- Unicode signatures -----------------------------------------------------------


class UnicodeSignature(NamedTuple):
    """The start of a file, if it shows that the whole file is in a Unicode charset.

    Either the file starts with a byte order mark of `length` bytes, or `length` is 0 and NUL
    bytes between the first characters show UTF-16 or UTF-32. `charset` is the name of the
    charset in CA. Without a signature `charset` and `codec` are empty.
    """

    length: int
    charset: str
    codec: str


NO_SIGNATURE = UnicodeSignature(0, "", "")

#: Byte order marks. UTF-32 comes first, because the mark of UTF-16LE starts that of UTF-32LE.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32", "utf-32-le"),
    (codecs.BOM_UTF32_BE, "UTF-32", "utf-32-be"),
    (codecs.BOM_UTF8, "UTF-8", "utf-8"),
    (codecs.BOM_UTF16_LE, "UTF-16", "utf-16-le"),
    (codecs.BOM_UTF16_BE, "UTF-16", "utf-16-be"),
)

#: A "(" with only white space before it, in the charsets with two or four bytes a character.
_WIDE_OPENINGS = (
    (re.compile(rb"(?:[ \t-\r]\0\0\0)*\(\0\0\0"), "UTF-32", "utf-32-le"),
    (re.compile(rb"(?:\0\0\0[ \t-\r])*\0\0\0\(\0"), "UTF-32", "utf-32-be"),
    (re.compile(rb"(?:[ \t-\r]\0)*\(\0[^\0]\0"), "UTF-16", "utf-16-le"),
    (re.compile(rb"(?:\0[ \t-\r])*\0\(\0[^\0]"), "UTF-16", "utf-16-be"),
)


def unicode_signature(data: bytes) -> UnicodeSignature:
    """The Unicode signature of a file, or :data:`NO_SIGNATURE`."""
    if data[:2].isascii() and b"\0" not in data[:2]:
        return NO_SIGNATURE
    for mark, name, codec in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return UnicodeSignature(len(mark), name, codec)
    for opening, name, codec in _WIDE_OPENINGS:
        if opening.match(data):
            return UnicodeSignature(0, name, codec)
    return NO_SIGNATURE


# --- The charset of a game tree --------------------------------------------------


class Reason(Enum):
    """What determines the charset of a game tree."""

    USER = "the user named it"
    SIGNATURE = "the first bytes of the file show it"
    DECLARED = "CA names it"
    GUESSED = "its text makes sense in it"
    DEFAULT = "it is the default of FF[4]"


class Guess(NamedTuple):
    """A likely charset: its registered name, its codec, and the confidence (percent)."""

    charset: str
    codec: str
    confidence: int


class TextCharset(NamedTuple):
    """The charset of the texts of a game tree, and why it is that."""

    charset: Charset
    reason: Reason
    #: Whether that is not a guess.
    is_certain: bool = True
    #: What the bytes say, if they decided.
    guess: Guess | None = None
    #: The charset that was named, if the texts are not in it.
    refuted: Charset | None = None
    #: The codec of the values that are not valid in the charset, if they are in another one.
    other: str | None = None

    @property
    def codec(self) -> str:
        """Python's name of the codec in which the texts are read."""
        return self.charset.codec


#: The number of bytes that are weighed: more do not make the result better. The second is for a
#: game tree that is not valid in the charset of the first, as one in two charsets is.
_SAMPLE_SIZE = 1 << 10
_LARGE_SAMPLE_SIZE = 1 << 12
#: The number of bytes that the sample has before the first non-ASCII byte of a value.
_CONTEXT_SIZE = 200

NON_ASCII = re.compile(rb"[\x80-\xff]")
#: In charsets of two bytes hardly any text is without one of these; "\\" can be a second byte.
_CHARACTER_OF_TWO_BYTES = re.compile(rb"[\x80-\xff][\x80-\xff\\]")
_BRACKET = re.compile(rb"[\[\]]")
#: A part of a word with letters of ASCII, as in most languages with few other letters.
_BESIDE_LETTER = re.compile(rb"[A-Za-z][\x80-\xff]|[\x80-\xff][A-Za-z]")
#: What precedes the name of a player.
_PLAYER = (b"PB[", b"PW[")

#: A text in another charset is valid in UTF-8 by chance only if it is short: each double-byte
#: character of it with a probability of about 1 in 6.
_CERTAIN_BYTES = 12
#: The number of bytes from which characters prove by themselves that they are in a charset other
#: than UTF-8; fewer are usual in some language by chance, in whatever charset they are read.
_PROVING_BYTES = 6

#: The highest confidence (percent), that from which a guess is reported,
_MOST_CONFIDENCE = 99
MIN_CONFIDENCE = 30
#: and that from which it is used to decode text.
TRUSTED_CONFIDENCE = 70
#: The share of the non-ASCII characters of the sample up to which they may be invalid,
_MOST_INVALID = 0.5
#: and of those of the whole game tree in a charset that is guessed.
_MOST_INVALID_OF_GUESS = 0.125
#: The bits by which the first charset of a language is better than the next, and so on.
_MORE_USUAL = 2.0
#: The bits by which these charsets are better than others,
_ADVANTAGES = {DEFAULT: 6.0, "windows-1252": 6.0, "UTF-8": 4.0, "GB18030": 2.0}
#: and by which one that is named is better; the second if some bytes are not valid in it, or if
#: they are UTF-8 in words with letters of ASCII: many programs write UTF-8, whatever CA says.
_CLAIM = 16.0
_WEAK_CLAIM = 8.0
#: The bits by which it has to be better than any other charset to be certain.
_CERTAIN_MARGIN = 12.0
#: The bits by which one charset is better than two in one game tree.
_ONE_CHARSET = 16.0
#: The bits for a non-ASCII character in a language that is not listed.
_UNKNOWN_LANGUAGE = {DEFAULT: 7.5, "UTF-8": 12.0}

#: In charsets of two bytes the last character of a value may be cut: the bits by which it costs
#: less than other bytes that are none.
_CUT = re.compile("\N{REPLACEMENT CHARACTER}(?=\n|\\Z)")
_CUT_CHARACTER = 12.0
#: One character in most charsets of two bytes.
_TWO_BYTES = b"\xb0\xa1"

#: The bits of a byte of ASCII, and those up to which any other byte is usual in a language.
_BITS_OF_ASCII = 6.0
_MOST_USUAL_BITS = 5.5
#: and up to which it is more usual than in letters at random, which have 10 and more.
_PROVING_BITS = 6.0

_ASCII = bytes(range(128))
_UTF_8 = Guess("UTF-8", "utf-8", _MOST_CONFIDENCE)
#: By one bit of difference a charset is twice as likely as another, if each character is
#: independent of the one before it. The weight makes up for the fact that it is not.
_WEIGHT = 0.5
#: The bits from which a charset is so unlikely that it does not count.
_NEGLIGIBLE = 30.0
#: Control characters that no text has, but bytes of many characters in ISO-8859-1.
_CONTROLS = re.compile("[\x80-\x84\x86-\x9f]")


def decide(part: bytes, claim: Charset | None, reason: Reason, *, guesses: bool) -> TextCharset:
    """The charset of the game tree with these bytes.

    `claim` is the charset that is named for it, and `reason` says by whom. A claim of CA is
    weighed with what the bytes say; any other one, and any without `guesses`, holds if the bytes
    are valid in it. Without a claim the default of FF[4] holds, unless the bytes say otherwise.
    What is valid in the charset of CA conforms, so that only a proof says otherwise.
    """
    applying = claim or default()
    if part.isascii():
        return TextCharset(applying, reason)
    is_valid = decodes(part, applying.codec)
    is_weighed = (
        guesses and applying.codec != "utf-8" and reason in (Reason.DECLARED, Reason.DEFAULT)
    )
    if is_valid and not is_weighed:
        return TextCharset(applying, reason, reason not in (Reason.DEFAULT, Reason.GUESSED))
    if is_certainly_utf_8(part):
        return TextCharset(named("UTF-8"), Reason.GUESSED, claim is None, _UTF_8, claim)
    # Few texts in another charset are valid in UTF-8, which is known soon.
    is_weak = not is_valid or (decodes(part, "utf-8") and _BESIDE_LETTER.search(part))
    is_weak = is_weak or reason is Reason.DEFAULT
    bits = 0.0 if claim is None else _WEAK_CLAIM if is_weak else _CLAIM
    found = _weigh((*_values(part, _SAMPLE_SIZE),), claim, bits)
    if not decodes(part, found.guess.codec):
        found = _weigh((*_values(part),), claim, bits)
    guess, charset = found.guess, named(found.guess.charset)
    if charset.name == applying.name and found.other is None:
        is_text = is_valid or applying.codec == "utf-8"
        is_certain = claim is not None and is_text and found.margin >= _CERTAIN_MARGIN
        is_certain = is_certain and not has_controls(part, applying)
        return TextCharset(applying, reason, is_certain, None if claim else guess)
    other = found.other and named(found.other).codec
    is_trusted = guess.confidence >= TRUSTED_CONFIDENCE and _is_shown(
        part, charset, found.other, claim if is_valid and reason is Reason.DECLARED else None
    )
    if not is_trusted or (
        other is None and _invalid_share(_decoded(part, charset)) > _MOST_INVALID_OF_GUESS
    ):
        if is_valid or _invalid_share(_decoded(part, applying)) < _MOST_INVALID:
            return TextCharset(applying, reason, False, guess)
        return TextCharset(default(), reason, False, guess, claim)
    if charset.codec == applying.codec:
        return TextCharset(applying, reason, False, None, None, other)
    return TextCharset(charset, Reason.GUESSED, False, guess, claim, other)


def _is_shown(part: bytes, found: Charset, other: str | None, doubted: Charset | None) -> bool:
    """Whether the bytes show by themselves that they are in the charset that was found, and in the
    codec `other` where they are not valid in it. `doubted` is the charset of CA if they are valid
    in that, too.

    What is doubted needs a usual text: in UTF-8, or with enough characters, and not in two charsets
    unless CA names one of them, of one byte. Else only a few letters in a charset of one byte need
    that.
    """
    if doubted is None:
        size = _size_of_non_ascii(part, part.decode(found.codec, "replace"))
        is_enough = found.codec == "utf-8" or _has_two_bytes(found) or size >= _PROVING_BYTES
        return is_enough or is_usual(part, found.codec)
    values = [value for value in _values(part) if decodes(value, found.codec)]
    sample = b"\n".join(values if other else [*_values(part)])
    size = _size_of_non_ascii(sample, sample.decode(found.codec, "replace"))
    is_enough = found.codec == "utf-8" or size >= _PROVING_BYTES
    is_one = other is None or (named(other).codec == doubted.codec and not _has_two_bytes(doubted))
    return is_enough and is_one and is_usual(sample, found.codec, _PROVING_BITS)


def _has_two_bytes(charset: Charset) -> bool:
    """Whether most characters of the charset have two bytes."""
    return charset.trail or len(_TWO_BYTES.decode(charset.codec, "replace")) == 1


def has_controls(part: bytes, charset: Charset) -> bool:
    """Whether the bytes have control characters in that charset, as those of another one may."""
    return _CONTROLS.search(_decoded(part, charset)) is not None


def _decoded(part: bytes, charset: Charset) -> str:
    """The text of the bytes, with U+FFFD for those that are no character."""
    return part.decode(charset.codec, "replace")


def _invalid_share(text: str) -> float:
    """The share of the characters of a decoded text beyond ASCII that are none."""
    non_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return text.count("\N{REPLACEMENT CHARACTER}") / non_ascii if non_ascii else 0.0


def guess(data: bytes) -> Guess | None:
    """Guess the charset of the non-ASCII bytes in `data`.

    The charset is UTF-8 or one of those in ``languages.toml``: the one in which the values with
    non-ASCII bytes are the most usual in one of the languages. The result is None if the text
    is the same in ISO-8859-1, or if no charset fits better than that.
    """
    values = (*_values(data),)
    if is_certainly_utf_8(b"\n".join(values)):
        return _UTF_8
    found = _weigh(values, None, 0.0).guess
    return None if found.charset == DEFAULT or found.confidence < MIN_CONFIDENCE else found


def is_usual(data: bytes, codec: str, bits: float = _MOST_USUAL_BITS) -> bool:
    """Whether the text in that codec is as usual as text of a known language. In a charset that
    nobody can read it is as usual as any bytes are."""
    sample = b"\n".join(_values(data))
    if not sample:
        return True
    text = sample.decode(codec, "replace")
    cost, _ = _costs(sample, None, 0.0).get(text, (_NEGLIGIBLE, ""))
    size = _size_of_non_ascii(sample, text)
    return cost - (len(sample) - size) * _BITS_OF_ASCII <= size * bits


def _size_of_non_ascii(data: bytes, text: str) -> int:
    """The number of the bytes of characters beyond ASCII, of which some may be ASCII."""
    return len(data) - len(text.encode("ascii", "ignore"))


def is_certainly_utf_8(data: bytes) -> bool:
    """Whether `data` is valid UTF-8 and has enough non-ASCII bytes to be nothing else."""
    return decodes(data, "utf-8") and len(data.translate(None, _ASCII)) >= _CERTAIN_BYTES


def codec_of_value(raw: bytes, codec: str, other: str | None) -> str:
    """The codec of the bytes of a value: the first of these in which they are valid."""
    if other is None or decodes(raw, codec) or not decodes(raw, other):
        return codec
    return other


# --- What the bytes say -----------------------------------------------------------


def _values(data: bytes, most: int = _LARGE_SAMPLE_SIZE) -> Iterator[bytes]:
    """The values in `data` that contain non-ASCII bytes, up to that number of bytes.

    Each value is taken from shortly before its first non-ASCII byte to the next bracket; names
    of players have their property identifier before them.
    """
    size = end = 0
    while size < most and (match := NON_ASCII.search(data, end)) is not None:
        first = match.start()
        start = max(first - _CONTEXT_SIZE, end)
        start = max(start, data.rfind(b"[", start, first) + 1, data.rfind(b"]", start, first) + 1)
        if data.endswith(_PLAYER, 0, start):
            start -= len(_PLAYER[0])
        bracket = _BRACKET.search(data, first)
        end = bracket.start() if bracket else len(data)
        value = data[start:end][: most - size]
        yield value
        size += len(value) + 1


class _Weighed(NamedTuple):
    """The most likely charset of some values, and the bits by which it is better than the next;
    and that of the values that are not valid in it, if it is another."""

    guess: Guess
    margin: float
    other: str | None = None


# A game tree in a collection is asked about up to four times, first of all with all others: whether
# it makes sense in single bytes. The samples of so many games take 8 MB.
@lru_cache(maxsize=8192)
def _weigh(values: tuple[bytes, ...], claim: Charset | None, bits: float) -> _Weighed:
    """The charset in which the values cost the fewest bits, with a claim by which that charset
    costs so many bits less."""
    name = claim and claim.name
    readings: list[tuple[float, str, str | None]] = [
        (cost, charset, None) for cost, charset in _costs(b"\n".join(values), name, bits).values()
    ]
    in_utf_8 = [value for value in values if decodes(value, "utf-8")]
    if in_utf_8 and len(in_utf_8) < len(values):
        rest = b"\n".join(value for value in values if not decodes(value, "utf-8"))
        sample = b"\n".join(in_utf_8)
        first, _ = _costs(sample, name, bits)[sample.decode()]
        second, other = min(_costs(rest, name, bits).values())
        # The claim is one, also where both are weighed with it.
        readings.append((first + second + _ONE_CHARSET, "UTF-8", other))
    readings.sort(key=itemgetter(0))
    lowest, best, of_others = readings[0]
    likelihoods = (2 ** (_WEIGHT * (lowest - cost)) for cost, _, _ in readings)
    confidence = min(round(100 / sum(likelihoods)), _MOST_CONFIDENCE)
    margin = readings[1][0] - lowest if len(readings) > 1 else _NEGLIGIBLE
    return _Weighed(Guess(best, named(best).codec, confidence), margin, of_others)


@lru_cache(maxsize=64)
def _costs(sample: bytes, claim: str | None, bits: float) -> dict[str, tuple[float, str]]:
    """Each text that the sample may be: the bits that it costs, and its charset.

    Text in an unknown language counts as text in the default charset or in UTF-8.
    """
    from sgf_lark.text.languages import DecodedText, models  # slow to import

    names = [*_charsets_of_languages(), *([claim] if claim else [])]
    texts = {name: DecodedText(name, sample.decode(named(name).codec, "replace")) for name in names}
    by_text: dict[str, tuple[float, str]] = {}

    def add(cost: float, name: str) -> float:
        text = texts[name].text
        by_text[text] = min((cost, name), by_text.get(text, (cost, name)))
        return cost

    lowest = min(
        add(texts[name].unknown_cost(each) - _ADVANTAGES[name], name)
        for name, each in _UNKNOWN_LANGUAGE.items()
    )
    if claim is not None:
        own = texts[claim]
        cost = min(model.cost(own) for model in models()) - _ADVANTAGES.get(claim, 0)
        charset = named(claim)
        if _has_two_bytes(charset):
            cost -= _CUT_CHARACTER * len(_CUT.findall(own.text))
        cost = min(cost, by_text.get(own.text, (cost, ""))[0]) - bits
        lowest = min(lowest, cost)
    for least, decoded in sorted(_least_costs(sample, texts), key=itemgetter(0)):
        if least > lowest + _NEGLIGIBLE:
            break
        lowest = min(lowest, add(least + decoded.spelling_cost, decoded.charset))
    if claim is not None:
        cost = min(cost, by_text.get(own.text, (cost, ""))[0] - bits)
        by_text[own.text] = cost, claim
    return by_text


@cache
def _charsets_of_languages() -> list[str]:
    """The names of the charsets in which languages are written."""
    names = (name for language in grammar.languages() for name in language.charsets)
    return [*dict.fromkeys(("UTF-8", *names))]


def _least_costs(
    sample: bytes, texts: dict[str, DecodedText]
) -> Iterator[tuple[float, DecodedText]]:
    """Each text as one in each of the languages, with what it costs at the least."""
    from sgf_lark.text.languages import models

    has_two_bytes = _CHARACTER_OF_TWO_BYTES.search(sample) is not None
    shares = {name: _invalid_share(decoded.text) for name, decoded in texts.items()}
    for model in models():
        if model.language.block and not has_two_bytes:
            continue
        for rank, name in enumerate(("UTF-8", *model.language.charsets)):
            if shares[name] <= _MOST_INVALID:
                cost = model.least_cost(texts[name]) + rank * _MORE_USUAL
                yield cost - _ADVANTAGES.get(name, 0), texts[name]
