"""Which charset a game tree is in: what CA says, weighed with what the bytes say."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import settings

import sgf_lark
from sgf_lark.files.archives import _zip_members
from sgf_lark.text import charsets
from sgf_lark.text.charsets import Reason, TextCharset, decide
from sgf_lark.text.validity import encode
from tests.kit.tables import for_each

#: Names and comments, and the charsets in which such texts are written.
TEXTS: dict[tuple[str, ...], list[str]] = {
    ("ISO-8859-1", "windows-1252", "ISO-8859-15", "UTF-8"): [
        "Müller", "Jörg", "Köhn", "Weiß", "Höß", "Süß", "Ö", "Uwe Günther",
        "Schwarz könnte hier auch größer spielen; für Weiß wäre das übel.",
        "Noël", "René", "Hélène", "Éric", "Zoé", "François Dupré", "Élodie", "Ça va",
        "Très bon coup, mais Noir aurait dû protéger son côté droit.",
        "Muñoz", "José", "Íñigo", "Peña", "Ángel", "Núñez", "¿Qué?", "Güell",
        "Las piedras negras están débiles; ¿por qué no jugó aquí? ¡Qué lástima!",
        "Göran", "Åke", "Åsa", "Öst", "Björn", "Märta", "Håkan Sjöström",
        "Vit måste försvara sig på högra sidan, annars dör hörnet.",
        "Søren", "Bjørn", "Åge", "Daniël", "João", "Conceição", "Perché no?",
    ],
    ("windows-1252", "UTF-8"): ["l’été", "„Weiß“", "Cœur – 5 €"],
    ("windows-1250", "ISO-8859-2", "UTF-8"): [
        "Jiří", "Černý", "Dvořák", "Šíp", "Žák", "Bílý", "Tomáš Růžička",
        "Černý hrál příliš pomalu a bílý získal převahu ve středu desky.",
        "Łukasz", "Źak", "Świąt", "Kołodziej", "Ćma", "Żak", "Michał",
        "Czarny powinien był zagrać wyżej, żeby ochronić swoją grupę.",
        "Győr", "Szőke", "Fehér túl lassan játszott, ezért a sötét megőrizte előnyét.",
    ],
    ("windows-1251", "KOI8-R", "IBM866", "ISO-8859-5", "mac-cyrillic", "UTF-8"): [
        "Шик", "Дин", "Илья", "Петр", "Иван", "Шикшин",  "РД",
        "Белые играют слишком тяжело, черные получают влияние.",
    ],
    ("GB2312", "GBK", "GB18030", "UTF-8"): [
        "古力", "李", "柯洁", "张三", "陈耀烨", "刘星", "常昊", "黑胜", "毛", "白A位好",
        "这手棋是败着，黑棋应当在左下角补一手，否则会被白棋攻击。",
    ],
    ("Big5", "Big5-HKSCS", "GBK", "UTF-8"): [
        "許功", "王立誠", "周俊勳", "林海峰", "黑勝", "張栩", "陳", "許家元", "羅",
        "黑棋這手是敗著，應當在左下角補一手，否則會被白棋攻擊。",
    ],
    ("Shift_JIS", "Windows-31J", "EUC-JP", "ISO-2022-JP", "euc_jis_2004", "UTF-8"): [
        "坂田", "林", "張栩", "表", "ソ", "趙治勲", "井山裕太", "黒番", "能見", "黒が厚い",
        "この手は悪手で、左下に守るべきだった。白の攻めが厳しい。",
    ],
    ("EUC-KR", "KS_C_5601-1987", "johab", "UTF-8"): [
        "이세돌", "박정환", "신진서", "김", "조훈현", "최철", "흑승", "천", "채",
        "이 수는 나쁜 수로, 왼쪽 아래를 지켜야 했다. 백의 공격이 매섭다.",
    ],
    ("windows-1254", "ISO-8859-9", "UTF-8"): ["Güneş", "Işık", "Beyaz çok güçlü oynadı."],
    ("windows-1253", "ISO-8859-7", "UTF-8"): ["Γιώργος", "Νίκος", "Ο μαύρος έπαιξε πολύ αργά."],
}  # fmt: skip
#: Long enough to be found in whatever charset they are, and under whichever CA.
_LONG = 24
#: Charsets that CA names by habit, and those in which a text may be instead.
NAMED = [
    "ISO-8859-1", "windows-1252", "UTF-8", "GBK", "GB2312", "Big5", "Shift_JIS", "EUC-KR",
    "windows-1251", "KOI8-R",
]  # fmt: skip
GUESSED = {
    "UTF-8", "GBK", "GB18030", "Big5", "EUC-KR", "EUC-JP", "Shift_JIS", "windows-1251", "KOI8-R",
}  # fmt: skip


def decided(text: str, charset: str, claim: str | None, ident: str = "PB") -> TextCharset | None:
    """What is decided for a game with that text in a charset; None if the charset lacks it or all
    bytes are ASCII."""
    try:
        raw = encode(text, charsets.named(charset).codec)
    except UnicodeEncodeError:
        return None
    if raw.isascii():
        return None
    part = b"(;FF[4]GM[1]%s[%s];B[aa])" % (ident.encode(), raw)
    if claim is None:
        return decide(part, None, Reason.DEFAULT, guesses=True)
    return decide(part, charsets.named(claim), Reason.DECLARED, guesses=True)


@for_each((name, texts) for names, texts in TEXTS.items() for name in names)
def test_the_right_charset_is_never_doubted(name: str, texts: list[str]) -> None:
    for text in texts:
        for ident in ("PB", "C", "EV"):
            found = decided(text, name, name, ident)
            assert found is None or (found.refuted, found.other) == (None, None), text


@for_each(NAMED)
def test_a_wrong_charset_is_found_where_the_bytes_say_enough(claim: str) -> None:
    codec = charsets.named(claim).codec
    # Each text under every second of the names, or with the profile thorough under all.
    step = 1 if settings().max_examples > 100 else 2
    first = NAMED.index(claim) % step
    for names, texts in TEXTS.items():
        for name in GUESSED.intersection(names):
            for text in texts[first::step]:
                found = decided(text, name, claim)
                raw = text.encode(charsets.named(name).codec, "ignore")
                if found is None or raw.decode(codec, "replace") == text:
                    continue
                if found.reason is Reason.GUESSED:
                    assert raw.decode(found.codec) == text
                if len(text) > _LONG:
                    assert found.refuted is not None, (text, name)


@for_each((name, texts) for names, texts in TEXTS.items() for name in names if name in GUESSED)
def test_without_ca_a_guess_is_right_or_the_default_holds(name: str, texts: list[str]) -> None:
    for text in texts:
        found = decided(text, name, None)
        if found is None:
            continue
        is_right = text.encode(charsets.named(name).codec).decode(found.codec, "replace") == text
        assert is_right or found.reason is Reason.DEFAULT, text
        assert is_right or len(text) <= _LONG, text


# --- Files ----------------------------------------------------------------------------


def root(ca: str, texts: bytes) -> bytes:
    """A game with these properties in its root."""
    declared = f"CA[{ca}]" if ca else ""
    return b"(;FF[4]GM[1]%sSZ[19]%s;B[pd];W[dd])" % (declared.encode(), texts)


def player(text: str, charset: str, ident: str = "PB") -> bytes:
    """The name of a player as it is written without escapes."""
    return f"{ident}[".encode() + text.encode(charset) + b"]"


#: CA, the texts of a game, and the name of Black as it is read. The text is not in that charset.
WRONG: list[tuple[str, bytes, str]] = [
    (ca, player(text, charset), text)
    for ca in ("WINDOWS-1252", "ISO-8859-1")
    for charset, text in [
        ("gbk", "李世石"), ("gbk", "柯洁九段"), ("big5", "周俊勳"), ("big5", "王立誠"),
        ("euc_kr", "이세돌"), ("euc_kr", "박정환 9단"), ("euc_jp", "坂田栄男"),
        ("euc_jp", "小林光一"),
        ("cp932", "坂田栄男"), ("cp932", "藤沢秀行"), ("cp1251", "Шикшин"),
        ("cp1251", "Илья Шикшин"), ("koi8-r", "Шикшин"), ("koi8-r", "Александр Динерштейн"),
    ]
] + [
    (ca, player(text, "utf-8"), text)
    for ca in (
        "ISO-8859-1", "WINDOWS-1252", "Shift_JIS", "GB2312", "GBK", "GB18030", "Big5", "EUC-KR",
        "EUC-JP", "KOI8-R", "windows-1251", "ISO-8859-2", "US-ASCII",
    )
    for text in ("Göran", "Müller", "François Dupré", "李世石", "이세돌 박정환", "Шикшин")
    if not (ca in ("EUC-KR", "EUC-JP") and text == "Шикшин")
]  # fmt: skip


@for_each(WRONG)
def test_text_in_another_charset_than_ca_names(ca: str, texts: bytes, name: str) -> None:
    data = root(ca, texts)
    codes = [found.code for found in sgf_lark.validate(data).diagnostics]
    code = "SGF216" if charsets.decodes(data, charsets.named(ca).codec) else "SGF209"
    assert set(codes) <= {code, "SGF207"} and codes.count(code) == 1
    assert sgf_lark.loads(data, tolerant=True)[0].root["PB"] == name
    assert sgf_lark.fix(data).data == data
    [tree] = sgf_lark.loads(sgf_lark.fix(data, unsafe=True).data)
    assert (tree.root["CA"], tree.root["PB"]) == ("UTF-8", name)
    assert len(list(tree.nodes())) == 3


#: CA, texts of which not all are in one charset, and what is read.
MIXED = [
    (ca, player(one, first) + player(two, second, "PW"), one, two)
    for ca in ("UTF-8", "ISO-8859-1", "")
    for first, one, second, two in [
        ("utf-8", "Göran", "latin-1", "Müller"),
        ("latin-1", "Müller", "utf-8", "Göran"),
        ("utf-8", "Nuñez", "cp1252", "Søren"),
        ("utf-8", "李世石", "latin-1", "Jörg"),
    ]
] + [
    (
        "UTF-8",
        player("古力九段", "utf-8") + player("李世石九段", "gbk", "PW"),
        "古力九段",
        "李世石九段",
    ),
    ("UTF-8", player("이세돌", "utf-8") + player("박정환", "euc_kr", "PW"), "이세돌", "박정환"),
]


@for_each(MIXED)
def test_each_value_is_read_by_itself(ca: str, texts: bytes, black: str, white: str) -> None:
    data = root(ca, texts)
    tree = sgf_lark.loads(data)[0]
    assert (tree.root["PB"], tree.root["PW"]) == (black, white)
    assert sgf_lark.fix(data).data == data
    fixed = sgf_lark.fix(data, unsafe=True)
    assert fixed.data.decode() and not fixed.remaining
    tree = sgf_lark.loads(fixed.data)[0]
    assert (tree.root["CA"], tree.root["PB"], tree.root["PW"]) == ("UTF-8", black, white)


#: CA, and text in a charset that is read, or None where the file has to stay as it is.
NAMES = [
    ("Johab", "이세돌".encode("johab"), "이세돌"),
    ("johab", "박정환".encode("johab"), "박정환"),
    ("euc_jis_2004", "坂田栄男".encode("euc_jis_2004"), "坂田栄男"),
    ("shift_jisx0213", "坂田栄男".encode("shift_jisx0213"), "坂田栄男"),
    ("mac-cyrillic", "Шикшин".encode("mac-cyrillic"), "Шикшин"),
    ("mac-greek", "Γιώργος".encode("mac-greek"), "Γιώργος"),
    ("cp737", "Γιώργος".encode("cp737"), "Γιώργος"),
    ("EUC-TW", b"\xdd\xc2\xc5\xfc\xea\xe4", None),
    ("EUC-TW", b"\xdd\xd5\xc5\xc3\xdf\xf6\xd1\xd2\xda\xf5\xe1\xe1\xa1\xa2\xe3\xa9\xdf\xf6", None),
    ("VISCII", b"Nguy\xaan V\xe5n", None),
    ("x-mac-turkish", b"G\x9fne\xdf", None),
    ("UTF-7", b"M+APw-ller", None),
    ("utf7", b"+Zw4-", None),
    ("UTF-7", b"+bksNtPVg-", None),
    ("no-such", "Müller".encode(), "Müller"),
    ("no-such", "黑方这手棋是败着，应当补一手".encode("gbk"), "黑方这手棋是败着，应当补一手"),
    ("UTF-16LE", "Müller".encode("latin-1"), "Müller"),
    ("UTF-16LE", "Müller".encode(), "Müller"),
    ("UTF-16", "李世石".encode("gbk"), "李世石"),
    ("UTF-32", "이세돌".encode("euc_kr"), "이세돌"),
]  # fmt: skip


@for_each(NAMES)
def test_ca_names_a_charset_that_is_seldom(ca: str, raw: bytes, text: str | None) -> None:
    data = root(ca, b"PB[" + raw + b"]")
    fixed = sgf_lark.fix(data, unsafe=True).data
    if text is None:
        assert fixed == data
        return
    tree = sgf_lark.loads(fixed)[0]
    assert (tree.root["CA"], tree.root["PB"]) == ("UTF-8", text)


#: Values of which a "\\" is the second byte of a character, without CA, as bytes and escaped.
TRAIL = [
    ("big5", "許功"),
    ("big5", "許功蓋"),
    ("big5", "功夫許"),
    ("cp932", "表示"),
    ("cp932", "能見"),
]


@for_each((codec, text, escaped) for codec, text in TRAIL for escaped in (False, True))
def test_backslash_as_second_byte_without_ca(codec: str, text: str, escaped: bool) -> None:
    raw = encode(text, codec) if escaped else text.encode(codec)
    data = root("", b"PB[" + raw + b"]PW[abc]")
    for found in (data, sgf_lark.fix(data, unsafe=True).data):
        tree = sgf_lark.loads(found)[0]
        assert (tree.root["PB"], tree.root["PW"]) == (text, "abc")


@for_each(["(;GM[1]", "(;", "(;SZ[19]"])
def test_text_without_ca_in_files_without_ff(start: str) -> None:
    for text in ("坂田栄男", "表示と能見"):
        data = start.encode() + b"PB[" + text.encode("cp932") + b"];B[pd])"
        assert sgf_lark.fix(data).data == data
        fixed = sgf_lark.fix(data, unsafe=True)
        tree = sgf_lark.loads(fixed.data)[0]
        assert (tree.root["FF"], tree.root["CA"], tree.root["PB"]) == (4, "UTF-8", text)
        assert not {found.code for found in fixed.remaining} & {"SGF205", "SGF430"}


MARK = b"\xef\xbb\xbf"
GAME = "(;FF[4]GM[1]CA[UTF-8]PB[Göran];B[pd])".encode()


@for_each(
    [
        (MARK + GAME + b"\n" + MARK + GAME, GAME + b"\n" + GAME),
        (GAME + MARK + GAME, GAME + GAME),
        (GAME + b"\n" + MARK + b"\n" + GAME, None),
        (MARK * 2 + GAME, GAME),
        (GAME + MARK, GAME),
        (GAME + MARK + GAME + MARK + GAME, GAME * 3),
    ]
)
def test_byte_order_marks_of_joined_files_are_deleted_safely(
    data: bytes, expected: bytes | None
) -> None:
    found = sgf_lark.fix(data)
    assert MARK not in found.data and all(change.safe for change in found.applied)
    assert expected is None or found.data == expected
    assert len(sgf_lark.loads(found.data)) == data.count(b"PB")


@for_each(
    (between.encode() + text.encode(codec))
    for codec in ("utf-16-le", "utf-16-be")
    for between in ("", "\n", "\r\n ")
    for text in (
        "\ufeff(;CA[UTF-16]PB[Müller];B[dd])",
        "(;PB[李世石])",
        "\r\n(\n;PB[古力])(;PB[x])",
    )
)
def test_a_file_in_utf_16_that_was_joined_to_one_in_utf_8(wide: bytes) -> None:
    both = sgf_lark.loads(GAME + wide, tolerant=True)
    names = [tree.root["PB"] for tree in both]
    assert names in (["Göran", "Müller"], ["Göran", "李世石"], ["Göran", "古力", "x"])
    assert sgf_lark.dumps(both) == GAME + wide
    fixed = sgf_lark.fix(GAME + wide, unsafe=True).data
    assert [tree.root["PB"] for tree in sgf_lark.loads(fixed)] == names and fixed.decode()


def test_messages_name_what_is_there() -> None:
    def message(data: bytes, code: str) -> str:
        return sgf_lark.validate(data, select=[code]).diagnostics[0].message

    assert "CA" not in message(MARK + b"(;FF[4]GM[1]PB[x])", "SGF201")
    shift_jis = root("", player("坂田栄男", "cp932"))
    assert "Shift_JIS" in message(shift_jis, "SGF205")
    assert "Shift_JIS" in message(root("UTF-8", player("坂田栄男", "cp932")), "SGF209")
    euc_kr = root("UTF-8", player("이세돌", "euc_kr"))
    [change] = sgf_lark.fix(euc_kr, unsafe=True).applied
    assert (change.before, change.after) == ("CA[UTF-8] (EUC-KR)", "CA[UTF-8]")
    with pytest.raises(ValueError, match="2시간"):
        sgf_lark.loads("(;FF[4]GM[1]CA[UTF-8]TM[2시간])".encode())[0].root["TM"]


# --- Names in archives ----------------------------------------------------------------


def zipped(names: list[bytes]) -> bytes:
    """A zip archive of members whose names are not marked as UTF-8."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for number, name in enumerate(names):
            archive.writestr(f"{number}".rjust(len(name), "x"), b"(;FF[4])")
    data = stream.getvalue()
    for number, name in enumerate(names):
        data = data.replace(f"{number}".rjust(len(name), "x").encode(), name)
    return data


@for_each(
    [
        ("gbk", ["棋谱.sgf"]),
        ("gbk", ["李世石/对局一.sgf", "古力/对局二.sgf"]),
        # One character, or two, say by themselves hardly what they are.
        ("gbk", ["棋.sgf"]),
        ("gbk", ["古谱/1.sgf", "古谱/2.sgf", "古谱/3.sgf"]),
        ("gbk", ["谱.sgf", "a.sgf", "b.sgf"]),
        ("gbk", ["第1局 (李世石).sgf", "春兰杯_1.sgf"]),
        ("cp437", ["Café.sgf", "Größe/ä.sgf"]),
        ("cp1252", ["é.sgf", "Übung.sgf"]),
        ("big5", ["棋譜.sgf"]),
        ("big5", ["許功.sgf"]),
        ("cp932", ["囲碁.sgf"]),
        ("cp932", ["表示.sgf", "坂田栄男.sgf"]),
        ("euc_kr", ["이세돌.sgf"]),
        ("cp1251", ["Партия.sgf"]),
        ("utf-8", ["Göran.sgf", "棋谱.sgf"]),
        ("cp437", ["Müller.sgf", "Åsa.sgf"]),
        ("cp437", ["José.sgf"]),
        ("cp1252", ["José Núñez.sgf"]),
    ]
)
def test_names_in_zip_archives(codec: str, names: list[str]) -> None:
    data = zipped([name.encode(codec) for name in names])
    found = [(member.name, member.open().read()) for member in _zip_members(io.BytesIO(data))]
    assert found == [(name, b"(;FF[4])") for name in names]
