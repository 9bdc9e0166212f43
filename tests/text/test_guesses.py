"""Guesses of charsets: exactly which, how certain, and from how much of a file."""

from __future__ import annotations

import pytest

from sgf_lark.text import charsets
from sgf_lark.text.charsets import Guess
from tests.kit.tables import for_each

#: Short texts: the charset that they are written in, the value, and the guess: its charset and
#: confidence. All weights, and the frequencies in ``languages.toml``, have a part in these
#: numbers. Whoever changes one of them on purpose writes the new numbers here.
EXACTLY: list[tuple[str, str, str | None, int]] = [
    ("GB18030", "PB[古力]PW[李世石]", "GB18030", 99),
    ("EUC-JP", "C[黒が厚い]", "EUC-JP", 99),
    ("windows-1253", "PB[Γιώργος Παπαδόπουλος]", "windows-1253", 88),
    ("UTF-8", "PB[Noël]", "UTF-8", 99),
    ("KOI8-R", "C[мат]", "windows-1253", 31),
    ("Big5", "C[’’]", "Big5", 35),
    ("GB18030", "C[棋棋]", "GB18030", 69),
    ("GB18030", "C[黑李]", "GB18030", 82),
    ("ISO-8859-1", "C[ÄÖÜ]", None, 0),
    ("windows-1251", "C[я]", "windows-1251", 58),
    ("GB18030", "PB[张]", "GB18030", 67),
    ("GB18030", "C[马不]", "GB18030", 73),
    ("GB18030", "PW[是王]", "GB18030", 95),
    ("Windows-31J", "PW[Ab予選]", "Windows-31J", 99),
    ("EUC-JP", "PB[もう]", "EUC-JP", 93),
    ("Big5", "PW[羅就]", "Big5", 96),
    ("GB18030", "PW[中不]", "GB18030", 95),
    ("EUC-KR", "PB[리박]", "EUC-KR", 88),
    ("KS_C_5601-1987", "PB[。서]", "EUC-KR", 87),
    ("windows-1251", "PB[РДАН]", "windows-1251", 88),
    ("KOI8-R", "PB[ильяКЮ]", "KOI8-R", 99),
    ("windows-1251", "PB[КИЇВх]", "windows-1251", 97),
    ("windows-1252", "PB[“€£]", "windows-1252", 92),
    ("windows-1252", "PW[ö”a]", "windows-1252", 74),
    ("UTF-8", "PB[Ö]", "UTF-8", 87),
    ("windows-1252", "PB[cœuræ]", "windows-1252", 97),
    ("UTF-8", "PB[«]", "UTF-8", 95),
    ("windows-1252", "PW[“ÚÂ]", "windows-1252", 66),
    ("ISO-8859-15", "PB[íôó]", "windows-1253", 65),
    ("windows-1252", "PW[”È“]", "windows-1252", 67),
    ("UTF-8", "PW[à]", "UTF-8", 92),
    ("UTF-8", "PW[BaÜ]", "UTF-8", 98),
    ("windows-1252", "PB[’ö]", "windows-1252", 73),
    ("windows-1252", "PB[’áú]", "windows-1252", 89),
    ("UTF-8", "C[öB]", "UTF-8", 93),
    ("windows-1250", "PB[–ČESKOň]", "windows-1250", 96),
    ("ISO-8859-2", "PW[děčín]", "windows-1250", 98),
    ("windows-1250", "PB[šekž]", "windows-1250", 95),
    ("UTF-8", "C[ŠAb]", "UTF-8", 77),
    ("ISO-8859-2", "PW[Ńław]", "windows-1250", 87),
    ("UTF-8", "PW[ęt]", "UTF-8", 99),
    ("ISO-8859-2", "PB[ősziÍÍ]", "windows-1250", 71),
    ("windows-1250", "PB[šićŠ]", "windows-1250", 64),
    ("ISO-8859-2", "PW[žić]", "ISO-8859-2", 93),
    ("UTF-8", "PB[č]", "UTF-8", 86),
    ("ISO-8859-2", "PW[şă]", "GB18030", 47),
    ("UTF-8", "C[ŢAb]", "UTF-8", 88),
    ("windows-1252", "PB[„È]", "windows-1252", 56),
    ("windows-1250", "PW[’ń]", "windows-1252", 60),
]


#: The same for bytes: some are no characters, or lie at the edge of the tables of a charset.
EXACTLY_IN_BYTES: list[tuple[bytes, str | None, int]] = [
    (b"\xe5\x8c\xc3\xa9", "UTF-8", 99),
    (b"\xe5\x8c\xd1\x8f", "UTF-8", 73),
    (b"\xe6\x9d\x8e\xe5\x8c\xe9", "Windows-31J", 52),
    (b"\xe5\x8c\xe5\x8c\xe5\x8cabcdef\xc3\xa9\xc3\xa9", "GB18030", 55),
    (b"a\xe6\x9d\x8e\xe5\x8c\xe9", "Windows-31J", 52),
    (b"\xe9\xe6\xa3\x8b\xd1\x8f\xff\xe6\xa3\x8b\xe6\xa3\x8b", "UTF-8", 99),
    (b"\xe6\xa3\x8b\xff\xe6\xa3\x8b\xd1\x8f", "UTF-8", 99),
    (b"\xc5_\xb1\xb1\x7f", "GB18030", 99),
    (b"\xe1\xe5\xeb\xfb\xf5\x7f", "windows-1251", 99),
    (b"\xb5\xc4\xc8\xa1", "GB18030", 99),
    (b"\xbb\xfe\xb1\xdb\x7f", "EUC-JP", 99),
    (b"\xc8\xfd\xc9\xfe\xc8\xfd", "GB18030", 99),
    (b"\xc5\xc4\xc3\xe6\x7f", "EUC-JP", 98),
    (b"\xa4\xfd\xc6@\xa4\xfd", "Big5", 99),
    (b"\xa3\xa1\xc6\xa1\xa3\xa1", "GB18030", 56),
    (b"\xa3\xa1\xa3\xa1\xa3\xa1", "GB18030", 95),
    (b"\x9c\xe6\x7f", None, 0),
    (b"\xbeek \xedk", "ISO-8859-2", 82),
    (b"zupan\xe8i\xe8\x7f", "windows-1250", 99),
    (b"ond\xf8ej\x7f", "windows-1250", 99),
]


def guess_of(values: str, charset: str) -> Guess | None:
    """The guess for a game with these values in its root."""
    return charsets.guess(f"(;FF[4]GM[1]{values};B[aa])".encode(charsets.named(charset).codec))


def test_guesses_are_exact() -> None:
    found = []
    for charset, values, _, _ in EXACTLY:
        guess = guess_of(values, charset)
        found.append((charset, values, *((None, 0) if guess is None else guess[::2])))
    assert found == EXACTLY
    in_bytes = []
    for data, _, _ in EXACTLY_IN_BYTES:
        guess = charsets.guess(b"(;C[" + data + b"])")
        in_bytes.append((data, *((None, 0) if guess is None else guess[::2])))
    assert in_bytes == EXACTLY_IN_BYTES


# --- What a guess is made from --------------------------------------------------------

#: Text that is the same in windows-1252 and ISO-8859-1; 0x92 is a quotation mark in the former.
PLAIN = b"tr\xe8s caf\xe9 " * 600
QUOTE = b"\x92"


def guessed(data: bytes) -> str | None:
    """The name of the guessed charset."""
    guess = charsets.guess(data)
    return guess and guess.charset


@for_each([(4094, "windows-1252"), (4095, "windows-1252"), (4096, None)])
def test_a_guess_is_made_from_4096_bytes(before: int, expected: str | None) -> None:
    text = PLAIN[:before] + QUOTE
    assert guessed(b"(;C[" + text + b"])") == expected
    # Values without non-ASCII bytes do not count, nor do brackets; values are separated.
    parts = PLAIN[:1000], PLAIN[:20], PLAIN[: before - 1022] + QUOTE
    divided = b"]N[plain;]AB[aa]C[".join(parts)
    assert guessed(b"(;C[" + divided + b"])") == expected
    # Nor does what precedes the first non-ASCII byte of a value by more than 200 bytes.
    late = b"x" * 9000 + PLAIN[2 : before - 198] + QUOTE
    assert guessed(b"(;C[" + late + b"])") == expected


#: Files of which the same is guessed: only their values with non-ASCII bytes count.
ALIKE = [
    ("(;C[棋棋])", "(;FF[4]GN[x]C[棋棋]N[x])"),
    ("(;C[棋棋])", "(;C[棋棋"),
    ("(;C[棋棋])", "棋棋"),
    ("(;C[棋棋])", "[x]棋棋[x]"),
    ("(;C[棋棋])", "(;C[see [x]棋棋])"),
    ("(;C[棋棋]N[黑])", "(;C[see [x[y]棋棋];B[aa]C[[]黑"),
    ("(;C[棋棋]N[黑])", "(;C[棋棋][黑])"),
    ("(;PB[陳])", "PB[陳]"),
    ("(;PB[陳])", "(;C[PB[陳])"),
    ("(;PB[陳])", "(;PW[陳"),
    ("(;C[棋陳])", "(;PW[x]C[棋陳])"),
    ("(;C[棋棋])", "(;C[" + ". " * 150 + "棋棋])"),
    ("(;C[棋棋])", "(;B[" + ". " * 150 + "棋棋])"),
]


@for_each(ALIKE)
def test_only_values_with_non_ascii_bytes_count(data: str, like: str) -> None:
    guess = charsets.guess(data.encode("gb18030"))
    assert guess is not None and guess.confidence > 40
    assert charsets.guess(like.encode("gb18030")) == guess


def test_the_name_of_a_player_begins_with_a_surname() -> None:
    name, other = (charsets.guess(f"(;{key}[陳])".encode("gb18030")) for key in ("PB", "BR"))
    assert name != other


# --- UTF-8 by chance ------------------------------------------------------------------

E_ACUTE = "é".encode()


@for_each(
    [
        (b"", False),
        (b"x" * 30, False),
        (E_ACUTE, False),
        (E_ACUTE * 5 + b"x" * 30, False),
        (E_ACUTE * 4 + "棋".encode(), False),
        (E_ACUTE * 6, True),
        (E_ACUTE * 3 + b"x" * 30 + E_ACUTE * 3, True),
        ("棋".encode() * 4, True),
        (E_ACUTE * 6 + b"\xc3", False),
        (b"\xe9" * 30, False),
    ]
)
def test_utf_8_is_certain_from_12_bytes(data: bytes, certain: bool) -> None:
    assert charsets.is_certainly_utf_8(data) == certain


@pytest.mark.parametrize(
    "value",
    [
        "éèüßñø",
        "ОбаМацу",
        "古力李世",
        "イ・セドル",
        "이세돌박정",
        "αβγδεζ",
        "שלוםעולם",
        "ห้ามเดิน",
        "＋－０１",
    ],
)
def test_certain_utf_8_is_most_usual_by_the_languages_too(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert charsets.is_certainly_utf_8(value.encode())
    at_once = guess_of(f"C[{value}]", "UTF-8")
    monkeypatch.setattr(charsets, "is_certainly_utf_8", lambda data: False)
    assert guess_of(f"C[{value}]", "UTF-8") == at_once == Guess("UTF-8", "utf-8", 99)
