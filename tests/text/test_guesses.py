"""Guesses of charsets: exactly which, how certain, and from how much of a file."""

from __future__ import annotations

import pytest

from sgf_lark.text import charsets, validity
from sgf_lark.text.charsets import Guess

#: Short texts: the charset that they are written in, the value, and the guess: its charset and
#: confidence. All weights, and the frequencies in ``languages.toml``, have a part in these
#: numbers. Whoever changes one of them on purpose writes the new numbers here.
EXACTLY: list[tuple[str, str, str | None, int]] = [
    ("GB18030", "PB[古力]PW[李世石]", "GB18030", 99),
    ("EUC-JP", "C[黒が厚い]", "EUC-JP", 97),
    ("windows-1253", "PB[Γιώργος Παπαδόπουλος]", "windows-1253", 88),
    ("UTF-8", "PB[Noël]", "UTF-8", 96),
    ("KOI8-R", "C[мат]", "windows-1253", 30),
    ("Big5", "C[’’]", "Big5", 30),
    ("GB18030", "C[棋棋]", "GB18030", 69),
    ("GB18030", "C[黑李]", "GB18030", 71),
    ("ISO-8859-1", "C[ÄÖÜ]", None, 0),
    ("windows-1251", "C[я]", None, 0),
    ("GB18030", "PB[张]", "GB18030", 51),
    ("GB18030", "C[马不]", "GB18030", 66),
    ("GB18030", "PW[是王]", "GB18030", 85),
    ("GB18030", "PB[高有]", "GB18030", 93),
    ("UTF-8", "PW[而a]", "UTF-8", 97),
    ("Windows-31J", "C[トーナメント]", "Windows-31J", 55),
    ("Windows-31J", "PW[Ab予選]", "windows-1252", 67),
    ("Windows-31J", "PW[たい]", "Windows-31J", 92),
    ("EUC-JP", "PW[さる]", "EUC-JP", 57),
    ("EUC-JP", "C[しも]", "EUC-JP", 79),
    ("EUC-JP", "PB[もう]", "EUC-JP", 80),
    ("EUC-JP", "PW[名人]", "EUC-JP", 97),
    ("Big5", "PB[李]", "Big5", 49),
    ("Big5", "C[不王]", "Big5", 77),
    ("Big5", "PW[羅就]", "Big5", 88),
    ("Big5", "PB[要是高]", "Big5", 95),
    ("GB18030", "PB[陳]", "GB18030", 49),
    ("GB18030", "PB[人國]", "GB18030", 76),
    ("GB18030", "PW[中不]", "GB18030", 84),
    ("GB18030", "PB[我吳張]", "GB18030", 95),
    ("UTF-8", "C[人]", "UTF-8", 97),
    ("EUC-KR", "PB[도]", "EUC-KR", 44),
    ("EUC-KR", "PB[리박]", "EUC-KR", 74),
    ("EUC-KR", "PB[전강]", "EUC-KR", 86),
    ("EUC-KR", "C[아들]", "EUC-KR", 90),
    ("KS_C_5601-1987", "PB[고]", "EUC-KR", 44),
    ("KS_C_5601-1987", "PB[。서]", "EUC-KR", 74),
    ("KS_C_5601-1987", "PB[한조]", "EUC-KR", 88),
    ("KS_C_5601-1987", "PB[제다]", "EUC-KR", 91),
    ("windows-1251", "PW[ход]", "windows-1251", 75),
    ("windows-1251", "PB[РДАН]", "windows-1251", 83),
    ("windows-1251", "PB[илья“]", "windows-1251", 96),
    ("KOI8-R", "C[оокю]", "KOI8-R", 51),
    ("KOI8-R", "PB[ДАНдан]", "KOI8-R", 84),
    ("KOI8-R", "PB[ильяКЮ]", "KOI8-R", 95),
    ("UTF-8", "PB[ф]", "UTF-8", 75),
    ("UTF-8", "PW[и]", "UTF-8", 94),
    ("windows-1251", "C[“в]", "windows-1252", 45),
    ("windows-1251", "PB[КИЇВх]", "windows-1251", 71),
    ("windows-1251", "C[КИЇВя]", "windows-1251", 82),
    ("windows-1251", "PW[кІ·]", "UTF-8", 95),
    ("UTF-8", "PB[ж]", "UTF-8", 84),
    ("windows-1252", "PB[“€£]", "windows-1252", 73),
    ("windows-1252", "C[’—‘]", "windows-1252", 92),
    ("UTF-8", "C[。Ab]", "UTF-8", 97),
    ("windows-1252", "PB[„Ä]", "windows-1252", 55),
    ("windows-1252", "PW[ö”a]", "windows-1252", 74),
    ("windows-1252", "C[“é–]", "windows-1252", 91),
    ("ISO-8859-15", "C[ßÉÉ]", "windows-1256", 49),
    ("UTF-8", "PW[AbÜa]", "UTF-8", 73),
    ("UTF-8", "PB[Ö]", "UTF-8", 90),
    ("windows-1252", "PB[·–ï]", "windows-1252", 53),
    ("windows-1252", "C[’ü]", "windows-1252", 70),
    ("windows-1252", "C[é”â]", "windows-1252", 82),
    ("windows-1252", "PB[cœuræ]", "windows-1252", 97),
    ("ISO-8859-15", "C[sœurÀ]", "ISO-8859-15", 67),
    ("ISO-8859-15", "C[cœur«]", "ISO-8859-15", 80),
    ("ISO-8859-15", "PB[ÉTÉsœurï]", "ISO-8859-15", 94),
    ("UTF-8", "PB[«]", "UTF-8", 86),
    ("windows-1252", "C[é’]", "windows-1252", 70),
    ("UTF-8", "PB[Ó]", "UTF-8", 87),
    ("ISO-8859-1", "PB[ãÍá]", "windows-1256", 47),
    ("windows-1252", "PW[“ÚÂ]", "windows-1252", 49),
    ("windows-1252", "C[“ó]", "windows-1252", 65),
    ("windows-1252", "PW[NÃO’]", "windows-1252", 94),
    ("ISO-8859-15", "PB[ãàÃ]", "TIS-620", 53),
    ("ISO-8859-15", "PB[íôó]", "windows-1253", 64),
    ("UTF-8", "C[ôAb]", "UTF-8", 59),
    ("UTF-8", "PB[Bê]", "UTF-8", 85),
    ("ISO-8859-1", "PW[àÒ·]", "TIS-620", 54),
    ("windows-1252", "PW[”È“]", "windows-1252", 56),
    ("windows-1252", "PW[„éù]", "windows-1252", 79),
    ("windows-1252", "C[–’più]", "windows-1252", 94),
    ("UTF-8", "PB[ÌAb]", "UTF-8", 68),
    ("UTF-8", "PW[à]", "UTF-8", 97),
    ("windows-1252", "PW[’Ö]", "windows-1252", 54),
    ("windows-1252", "PW[ëa’]", "windows-1252", 76),
    ("windows-1252", "C[éë„]", "windows-1252", 94),
    ("UTF-8", "PW[BaÜ]", "UTF-8", 73),
    ("windows-1252", "PW[åå’]", "windows-1252", 91),
    ("UTF-8", "PW[AbÄ]", "UTF-8", 72),
    ("UTF-8", "PB[Ä]", "UTF-8", 90),
    ("windows-1252", "PB[’ö]", "windows-1252", 73),
    ("windows-1252", "C[üö“]", "windows-1252", 94),
    ("UTF-8", "PB[üAb]", "UTF-8", 81),
    ("ISO-8859-1", "C[ÉÉÞ]", "windows-1256", 46),
    ("windows-1252", "PB[’áú]", "windows-1252", 89),
    ("UTF-8", "PB[Þ]", "UTF-8", 87),
    ("windows-1252", "C[öž]", "windows-1252", 68),
    ("windows-1252", "PW[’Ää]", "windows-1252", 90),
    ("UTF-8", "C[öB]", "UTF-8", 83),
    ("windows-1250", "C[Šš]", "windows-1250", 56),
    ("windows-1250", "PB[BÍLÁěť]", "windows-1250", 60),
    ("windows-1250", "PB[šiltÁ]", "windows-1250", 83),
    ("windows-1250", "PB[–ČESKOň]", "windows-1250", 92),
    ("ISO-8859-2", "PB[šůB]", "GB18030", 48),
    ("ISO-8859-2", "PW[ťČESKÝ]", "windows-1250", 79),
    ("ISO-8859-2", "C[BÍLÝň]", "windows-1250", 86),
    ("ISO-8859-2", "PW[děčín]", "windows-1250", 96),
    ("UTF-8", "PB[Ů]", "UTF-8", 83),
    ("windows-1250", "C[ňáka“]", "windows-1250", 72),
    ("windows-1250", "PW[čováŽ]", "windows-1250", 88),
    ("windows-1250", "PB[šekž]", "windows-1250", 95),
    ("ISO-8859-2", "PW[čák]", "windows-1250", 59),
    ("ISO-8859-2", "C[ČOVÁó]", "windows-1250", 65),
    ("ISO-8859-2", "PB[čováú]", "windows-1250", 94),
    ("UTF-8", "C[ŠAb]", "UTF-8", 71),
    ("UTF-8", "PW[É]", "UTF-8", 95),
    ("windows-1250", "PB[’”ó]", "windows-1252", 79),
    ("windows-1250", "PB[Źński]", "windows-1250", 94),
    ("ISO-8859-2", "PW[Ńław]", "windows-1250", 47),
    ("ISO-8859-2", "C[ław]", "windows-1250", 70),
    ("ISO-8859-2", "C[BIAŁYCHźPAWEŁ]", "windows-1250", 85),
    ("ISO-8859-2", "C[ćński]", "windows-1250", 94),
    ("UTF-8", "PW[ęt]", "UTF-8", 97),
    ("windows-1250", "C[ó„]", "windows-1252", 65),
    ("windows-1250", "C[őszi]", "windows-1250", 85),
    ("windows-1250", "PW[péterŰ]", "windows-1250", 95),
    ("ISO-8859-2", "PB[ősziÍÍ]", "windows-1250", 71),
    ("ISO-8859-2", "PB[Abőszi]", "windows-1250", 85),
    ("ISO-8859-2", "C[óBőszi]", "windows-1250", 94),
    ("UTF-8", "PB[ű]", "UTF-8", 93),
    ("windows-1250", "PB[šićŠ]", "windows-1250", 64),
    ("windows-1250", "PB[’ašić]", "windows-1250", 86),
    ("windows-1250", "PB[šićž]", "windows-1250", 97),
    ("ISO-8859-2", "C[ĐŠ]", "UTF-8", 56),
    ("ISO-8859-2", "PW[žić]", "ISO-8859-2", 66),
    ("ISO-8859-2", "PB[črni]", "windows-1250", 85),
    ("ISO-8859-2", "PW[šekšek]", "ISO-8859-2", 94),
    ("UTF-8", "PB[aČ]", "UTF-8", 75),
    ("UTF-8", "PB[č]", "UTF-8", 97),
    ("windows-1250", "PB[â„]", "windows-1252", 45),
    ("windows-1250", "PW[–ÎŞ]", "windows-1250", 60),
    ("windows-1250", "PW[·ionuţ]", "windows-1250", 95),
    ("ISO-8859-2", "PW[şă]", "windows-1250", 49),
    ("ISO-8859-2", "PB[şţ]", "windows-1250", 62),
    ("ISO-8859-2", "C[Îş]", "UTF-8", 82),
    ("ISO-8859-2", "C[IONUŢÂă]", "windows-1250", 95),
    ("UTF-8", "C[ŢAb]", "UTF-8", 66),
    ("UTF-8", "C[Ş]", "UTF-8", 94),
    ("ISO-8859-1", "C[àáÁ]", "TIS-620", 53),
    ("ISO-8859-1", "PW[Å¡Â]", "TIS-620", 64),
    ("windows-1252", "PB[„È]", "windows-1252", 45),
    ("windows-1252", "PW[à”]", "windows-1252", 68),
    ("windows-1252", "C[AbÆ¡]", "UTF-8", 94),
    ("UTF-8", "PB[ãB]", "UTF-8", 77),
    ("windows-1250", "PW[’ń]", "windows-1252", 60),
    ("windows-1250", "PB[Ö’é]", "windows-1252", 80),
    ("windows-1250", "PW[’řć]", "windows-1252", 93),
    ("ISO-8859-2", "PB[óěí]", "windows-1253", 42),
]


#: The same for bytes: some are no characters, or lie at the edge of the tables of a charset.
EXACTLY_IN_BYTES: list[tuple[bytes, str | None, int]] = [
    (b"\xe5\x8c\xc3\xa9", "UTF-8", 81),
    (b"\xe5\x8c\xd1\x8f", "UTF-8", 54),
    (b"\xe6\x9d\x8e\xe5\x8c\xe9", "Windows-31J", 52),
    (b"\xe5\x8c\xe5\x8c\xe5\x8cabcdef\xc3\xa9\xc3\xa9", None, 0),
    (b"a\xe6\x9d\x8e\xe5\x8c\xe9", "Windows-31J", 52),
    (b"\xe9\xe6\xa3\x8b\xd1\x8f\xff\xe6\xa3\x8b\xe6\xa3\x8b", "UTF-8", 88),
    (b"\xe6\xa3\x8b\xff\xe6\xa3\x8b\xd1\x8f", "UTF-8", 93),
    (b"\xc5_\xb1\xb1\x7f", "GB18030", 98),
    (b"\xe1\xe5\xeb\xfb\xf5\x7f", "windows-1251", 99),
    (b"\xb5\xc4\xc8\xa1", "GB18030", 86),
    (b"\xbb\xfe\xb1\xdb\x7f", "EUC-JP", 97),
    (b"\xc8\xfd\xc9\xfe\xc8\xfd", "GB18030", 84),
    (b"\xc5\xc4\xc3\xe6\x7f", "EUC-JP", 96),
    (b"\xa4\xfd\xc6@\xa4\xfd", "Big5", 57),
    (b"\xa3\xa1\xc6\xa1\xa3\xa1", "GB18030", 47),
    (b"\xa3\xa1\xa3\xa1\xa3\xa1", "GB18030", 91),
    (b"\x9c\xe6\x7f", None, 0),
    (b"\xbeek \xedk", "ISO-8859-2", 72),
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


@pytest.mark.parametrize(
    ("before", "expected"), [(4094, "windows-1252"), (4095, "windows-1252"), (4096, None)]
)
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


@pytest.mark.parametrize(("data", "like"), ALIKE)
def test_only_values_with_non_ascii_bytes_count(data: str, like: str) -> None:
    guess = charsets.guess(data.encode("gb18030"))
    assert guess is not None and 40 < guess.confidence < 99
    assert charsets.guess(like.encode("gb18030")) == guess


def test_the_name_of_a_player_begins_with_a_surname() -> None:
    name, other = (charsets.guess(f"(;{key}[陳])".encode("gb18030")) for key in ("PB", "BR"))
    assert name != other


# --- UTF-8 by chance ------------------------------------------------------------------

E_ACUTE = "é".encode()


@pytest.mark.parametrize(
    ("data", "certain", "probable"),
    [
        # Whether it is UTF-8 for certain; whether it probably is, if its codec is Latin-1, and
        # if its codec is GB18030.
        (b"", False, (False, False)),
        (b"x" * 30, False, (False, False)),
        (E_ACUTE, False, (True, False)),
        (E_ACUTE * 5 + b"x" * 30, False, (True, False)),
        (E_ACUTE * 4 + "棋".encode(), False, (True, False)),
        (E_ACUTE * 6, True, (True, True)),
        (E_ACUTE * 3 + b"x" * 30 + E_ACUTE * 3, True, (True, True)),
        ("棋".encode() * 4, True, (True, True)),
        (E_ACUTE * 6 + b"\xc3", False, (False, False)),
        (b"\xe9" * 30, False, (False, False)),
    ],
)
def test_utf_8_is_certain_from_12_bytes(
    data: bytes, certain: bool, probable: tuple[bool, bool]
) -> None:
    assert charsets.is_certainly_utf_8(data) == certain
    found = [validity.is_probably_utf_8(data, codec) for codec in ("iso8859-1", "gb18030")]
    assert tuple(found) == probable


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
    monkeypatch.setattr(validity, "is_certainly_utf_8", lambda data: False)
    assert guess_of(f"C[{value}]", "UTF-8") == at_once == Guess("UTF-8", "utf-8", 99)
