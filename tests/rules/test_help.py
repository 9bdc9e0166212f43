"""Whoever follows the help of a rule gets a file without its finding, and with no worse one.

Each row is what a help text tells to do. It is done to all bad examples of the
rule, one finding after the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count

import sgf_lark
from sgf_lark import grammar
from sgf_lark.diagnostics import Diagnostic
from tests.kit.tables import for_each

#: Changes a file because of a finding.
Edit = Callable[[bytes, Diagnostic], bytes]

ORDER = ["style", "warning", "error"]

#: Helps that are advice: they tell to look, to take a fresh copy, or that no action is needed.
ADVICE = {
    "SGF001", "SGF002", "SGF438", "SGF440", "SGF519", "SGF520", "SGF606", "SGF801", "SGF804",
    "SGF123", "SGF806", "SGF807", "SGF831", "SGF907",
}  # fmt: skip

# --- Edits --------------------------------------------------------------------------------

PROPERTY = re.compile(rb"[A-Za-z]+\s*(?:\[(?:[^\]\\]|\\.)*\]\s*)+", re.DOTALL)
VALUE = re.compile(rb"\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)


def around(pattern: re.Pattern[bytes], data: bytes, found: Diagnostic) -> tuple[int, int]:
    """Where the property or value is in which the finding is."""
    at = max(found.span.start - (found.span.start == len(data)), 0)
    spans = [each.span() for each in pattern.finditer(data)]
    return next((span for span in spans if span[0] <= at < span[1]), (at, found.span.end))


def sub(pattern: bytes, new: bytes) -> Edit:
    """Replace a pattern wherever it occurs."""
    return lambda data, found: re.sub(pattern, new, data, flags=re.DOTALL)


def value(new: bytes | Callable[[bytes], bytes]) -> Edit:
    """Write another value."""

    def edit(data: bytes, found: Diagnostic) -> bytes:
        start, end = around(VALUE, data, found)
        if data[start : start + 1] != b"[":  # the finding is at the whole property
            start, end = next(each.span() for each in VALUE.finditer(data) if each.start() > start)
        written = new if isinstance(new, bytes) else new(data[start + 1 : end - 1])
        return data[: start + 1] + written + data[end - 1 :]

    return edit


def prop(new: bytes) -> Edit:
    """Write another property."""

    def edit(data: bytes, found: Diagnostic) -> bytes:
        start, end = around(PROPERTY, data, found)
        return data[:start] + new + data[end:]

    return edit


def value_by_game(**values: bytes) -> Edit:
    """Write a value in the notation of the game."""

    def edit(data: bytes, found: Diagnostic) -> bytes:
        game = re.search(rb"GM\[(\d+)\]", data)
        assert game is not None
        return value(values[f"gm{int(game[1])}"])(data, found)

    return edit


def text(data: bytes, found: Diagnostic) -> bytes:
    """Delete what is reported."""
    return data[: found.span.start] + data[found.span.end :]


def delete(data: bytes, found: Diagnostic) -> bytes:
    """Delete the value, with its property if it is the only one."""
    start, end = around(VALUE, data, found)
    first, last = around(PROPERTY, data, found)
    if len(VALUE.findall(data[first:last])) == 1 or not data[start:end].startswith(b"["):
        return data[:first] + data[last:]
    return data[:start] + data[end:]


def move(place: bytes) -> Edit:
    """Move the property to the end of what the pattern matches first."""

    def edit(data: bytes, found: Diagnostic) -> bytes:
        start, end = around(PROPERTY, data, found)
        target = re.search(place, data)
        assert target is not None
        at = target.end()
        taken = data[start:end]
        if at > start:
            return data[:start] + data[end:at] + taken + data[at:]
        return data[:at] + taken + data[at:start] + data[end:]

    return edit


def to_node_after(data: bytes, found: Diagnostic) -> bytes:
    """Move the property to a new node after its node."""
    start, end = around(PROPERTY, data, found)
    node = re.compile(rb"[^;()\[]*(?:\[[^\]]*\][^;()\[]*)*").match(data, end)
    assert node is not None
    at = node.end()
    return data[:start] + data[end:at] + b";" + data[start:end] + data[at:]


def node_before(data: bytes, found: Diagnostic) -> bytes:
    """Begin a node before the property."""
    start, _ = around(PROPERTY, data, found)
    return data[:start] + b";" + data[start:]


def as_message_says(pattern: str) -> Edit:
    """Write the value that the message names."""

    def edit(data: bytes, found: Diagnostic) -> bytes:
        named = re.search(pattern, found.message)
        assert named is not None
        return value(named[1].encode())(data, found)

    return edit


def charset_as_message_says(data: bytes, found: Diagnostic) -> bytes:
    """Write CA with the charset that the message names."""
    named = re.search(r"looks like (.*);", found.message)
    assert named is not None
    return re.sub(rb"(?<=CA\[)[^\]]*", named[1].encode(), data)


def as_its_format(data: bytes, found: Diagnostic) -> bytes:
    """Write the file format that the message names."""
    named = re.search(r"FF\[\d\]", found.message)
    assert named is not None
    return data.replace(b"(;", b"(;" + named[0].encode(), 1)


def as_program_means(data: bytes, found: Diagnostic) -> bytes:
    """Write the property that the message names."""
    start, end = around(PROPERTY, data, found)
    return data[:start] + found.message.rpartition(" means ")[2].encode() + data[end:]


def set_up_first_moves(data: bytes, found: Diagnostic) -> bytes:
    """Set up the first moves with AB, and give their number in HA."""
    moves = re.findall(rb";B(\[..\])", data)
    rest = re.sub(rb";B\[..\]|HA\[.\]", b"", data)
    stones = b"HA[%d]AB" % len(moves) + b"".join(moves)
    return rest.replace(b";W", stones + b";W")


def recoded(*codecs: str) -> Edit:
    """Save the file in UTF-8 with CA[UTF-8]."""

    def edit(data: bytes, found: Diagnostic) -> bytes:
        for codec in codecs:
            try:
                written = data.decode(codec).removeprefix("\ufeff")
            except UnicodeDecodeError:
                continue
            if written.startswith("(;FF[4]"):
                written = re.sub(r"CA\[[^\]]*\]", "", written)
                return written.replace("GM[1]", "GM[1]CA[UTF-8]", 1).encode()
        raise AssertionError(data)

    return edit


def in_ascii(data: bytes, found: Diagnostic) -> bytes:
    """Write letters without accents, and a half as a decimal."""
    return data.replace(b"\xe9", b"e").replace(b"\xbd", b"0.5")


def with_handicap(data: bytes, found: Diagnostic) -> bytes:
    """Set up two stones in the node of HA, and none elsewhere."""
    without = re.sub(rb";?AB[\[\]a-z]+", b"", data)
    return re.sub(rb"HA\[\d\]", b"HA[2]AB[dp][pd]", without)


def with_new_passes(data: bytes, found: Diagnostic) -> bytes:
    """Make the file one of FF[4], with its passes as they are written there."""
    return FF4(data, found).replace(b"[tt]", b"[]")


def to_komi(data: bytes, found: Diagnostic) -> bytes:
    """Write half of 11 as KM, or delete KI beside KM."""
    return prop(b"" if b"KM[" in data else b"KM[5.5]")(data, found)


def in_full(raw: bytes) -> bytes:
    """A list of dates in full; what cannot be completed becomes a date."""
    return b",".join([b"1996-05-%02d" % day for day, _ in zip(count(6), raw.split(b","))])


def in_capitals(data: bytes, found: Diagnostic) -> bytes:
    """Write identifiers with capital letters only."""
    return re.sub(rb"([A-Z])[a-z]+", rb"\1", data.replace(b"comment", b"C"))


def as_in_ff4(data: bytes, found: Diagnostic) -> bytes:
    """Write a property that FF[4] has in its place, or delete it."""
    start, end = around(PROPERTY, data, found)
    points = re.findall(rb"\[(..)\]", data[start:end])
    letters = b"ABC"
    if data[start:end].startswith(b"L["):
        labels = [b"[%b:%c]" % pair for pair in zip(points, letters, strict=False)]
        return data[:start] + b"LB" + b"".join(labels) + data[end:]
    if data[start:end].startswith(b"M["):
        return data[:start] + b"MA" + data[start + 1 :]
    return delete(data, found)


def convert_to_ff4(data: bytes, found: Diagnostic) -> bytes:
    """Make an older file one of FF[4]; there a property may still be unknown."""
    converted = FF4(data, found)
    return converted if converted != data else as_in_ff4(data, found)


FF4 = sub(rb"\(;(?:FF\[\d\])?", b"(;FF[4]")
POINTS = value_by_game(gm1=b"aa", gm6=b"a", gm9=b"a1", gm11=b"a1", gm18=b"aa", gm19=b"33")
MOVES = value_by_game(
    gm1=b"pd", gm6=b"31hefe", gm9=b"e1-e3", gm11=b"c3", gm18=b"djddgd", gm19=b"73", gm20=b"cc:cf"
)
CODECS = ("utf-32", "utf-16", "utf-16-le", "utf-16-be")

#: Codes whose help is to delete the value, with its property if it is the only one.
TO_DELETE = [f"SGF{number}" for number in (
    109, 307, 309, 313, 317, 504, 506, 507, 508, 510, 511, 512, 513, 514, 515, 516, 802,
    803, 816, 817, 832, 840, 851, 853,
)]  # fmt: skip

#: Code -> what its help tells to do, in one or several ways.
HELPS: dict[str, list[Edit]] = {
    **{code: [text] for code in ("SGF101", "SGF102", "SGF108", "SGF113", "SGF120")},
    "SGF103": [sub(rb"\(\s*(?=[A-Z])", b"(;")],
    "SGF104": [lambda data, found: data.replace(b"()", b"") or b"(;)"],
    "SGF105": [sub(rb"\(\((;.*\))\)\)", rb"(\1)")],
    "SGF106": [sub(rb"(;B\[bb\])", rb"(\1)")],
    "SGF107": [sub(rb"$", b")")],
    **{code: [delete] for code in TO_DELETE},
    "SGF110": [sub(rb"(B|KO)(?=[ )])", rb"\1[]")],
    "SGF111": [sub(rb";\[aa\]", b";B[aa]"), delete],
    "SGF112": [sub(rb"B L", b"BL")],
    "SGF114": [in_capitals],
    "SGF115": [sub(rb"ABCD?", b"ZZ")],
    "SGF116": [sub(rb"A{3,}", b"ZZ")],
    "SGF118": [sub(rb"(?<=a)\](?= |b)", rb"\\]")],
    "SGF119": [sub(rb"\\?\]?\)?$", b"])")],
    "SGF121": [sub(rb"\0", b"")],
    "SGF122": [sub(rb"[\x01\x02]", b"")],
    "SGF201": [recoded("utf-8-sig")],
    "SGF202": [in_ascii],
    "SGF203": [value(b"UTF-8")],
    "SGF204": [as_message_says(r"write CA\[(.*)\]")],
    "SGF205": [sub(rb"(?<=GM\[1\])", b"CA[UTF-8]")],
    "SGF206": [sub(rb"UTF-8", b"ISO-8859-1")],
    "SGF207": [recoded("shift_jis", "big5")],
    "SGF208": [sub(rb"UTF-16", b"UTF-8")],
    "SGF209": [sub(rb"(?<=CA\[)[^\]]*", b"ISO-8859-1")],
    "SGF210": [prop(b"CA[UTF-8]"), delete],
    "SGF211": [value(lambda raw: re.sub(rb"(?<!^..)(?<!my):", rb"\\:", raw))],
    "SGF212": [sub(rb"\x01", b"")],
    "SGF213": [delete, value(b"x")],
    "SGF214": [recoded(*CODECS)],
    "SGF215": [sub(rb"\\", b"")],
    "SGF217": [sub(rb"(?=(?:PW|\nKM|;W)\[)", b"]")],
    "SGF216": [charset_as_message_says],
    "SGF301": [sub(rb"(\[[^\]]*\])\[[^\]]*\]", rb"\1")],
    "SGF302": [value(b""), delete],
    "SGF303": [value(b"7"), value(b"-7")],
    "SGF304": [value(b"1.5")],
    "SGF305": [value(b"1"), value(b"2")],
    "SGF306": [value(b"B"), value(b"W")],
    "SGF308": [delete, sub(rb"\[aa\]", b"")],
    "SGF310": [value(lambda raw: re.sub(rb"\s", b"", raw))],
    "SGF311": [value(lambda raw: raw.partition(b":")[0])],
    "SGF315": [value(lambda raw: raw.partition(b":")[0])],
    "SGF312": [POINTS],
    "SGF401": [POINTS],
    "SGF314": [value(b"aa:cc")],
    "SGF316": [value(b"aa:cc")],
    "SGF318": [value(b"aa:x"), delete],
    "SGF319": [MOVES],
    "SGF805": [MOVES],
    "SGF320": [value(b"46CD")],
    "SGF321": [value(lambda raw: raw + b":1"), value(lambda raw: raw + b":")],
    "SGF402": [prop(b"FF[4]")],
    "SGF403": [prop(b"GM[1]")],
    "SGF404": [prop(b"GM[1]")],
    "SGF405": [prop(b"SZ[19]")],
    "SGF406": [prop(b"SZ[19]")],
    "SGF407": [prop(b"SZ[52]")],
    "SGF408": [prop(b"SZ[19]"), prop(b"SZ[19:13]")],
    "SGF409": [*(value(b"%d" % number) for number in range(4)), delete],
    "SGF410": [*(value(b"%d" % number) for number in range(3)), delete],
    "SGF411": [prop(b"FG[]"), prop(b"FG[257:Figure 1]")],
    "SGF412": [value(b"257:x")],
    "SGF413": [prop(b"HA[2]AB[dp][pd]"), delete],
    "SGF414": [with_handicap],
    "SGF415": [prop(b"KM[6.5]")],
    "SGF416": [value(b"3600")],
    "SGF417": [value(b"0")],
    "SGF418": [value(b"1996-05-06"), value(b"1996-05"), value(b"1996")],
    "SGF419": [value(in_full)],
    "SGF420": [value(b"1996-05-06")],
    "SGF421": [as_message_says(r"shorter: (.*)")],
    "SGF423": [
        *(
            prop(f"RE[{result}]".encode())
            for result in ("B+3.5", "W+R", "B+T", "W+F", "B+", "0", "Void", "?")
        )
    ],
    "SGF424": [prop(b"RE[0]")],
    "SGF425": [
        as_message_says(r"spelled (\w+) in"),
        *(prop(f"RU[{name}]".encode()) for name in ("AGA", "GOE", "Japanese", "NZ")),
    ],
    "SGF426": [value(b"5k"), value(b"3d")],
    "SGF427": [value(b"3"), value(b"2 (final)")],
    "SGF430": [convert_to_ff4, as_in_ff4],
    "SGF431": [prop(b"FG[]"), FF4],
    "SGF432": [to_komi],
    "SGF433": [with_new_passes],
    "SGF434": [value(b"tt"), FF4],
    "SGF435": [prop(b"VW[aj][am]"), FF4],
    "SGF436": [value(b"aa:1234"), FF4],
    "SGF437": [value(lambda raw: raw.replace(b":", b"][")), FF4],
    "SGF439": [as_its_format],
    "SGF441": [prop(b"KM[7.5]")],
    "SGF442": [as_program_means],
    "SGF607": [set_up_first_moves],
    "SGF501": [prop(b"")],
    "SGF502": [node_before],
    "SGF518": [node_before],
    "SGF503": [to_node_after],
    "SGF505": [*(prop(b"%b[1]" % name) for name in (b"GB", b"GW", b"DM", b"UC"))],
    "SGF517": [
        lambda data, found: (delete if b"FF[4]B" in data else move(rb"GM\[\d+\]"))(data, found)
    ],
    "SGF601": [move(rb"PB\[x\]|KM\[5\]")],
    "SGF602": [sub(rb"(GM\[\d+\])(.*?)((?:P[BW]\[.\])+)", rb"\1\3\2")],
    "SGF603": [sub(rb"(?<=B\[aa\])", b";W[]")],
    "SGF604": [sub(rb"AW", b"W")],
    "SGF605": [sub(rb";W\[bb\](.*)\(;AE\[bb\];", rb"(;W[bb]\1)(;")],
    "SGF701": [sub(rb"\)\(.*", b")")],
    "SGF703": [sub(rb"\)\(.*", b")")],
    "SGF702": [sub(rb"FF\[\d\]", b"FF[4]")],
    "SGF704": [sub(rb"ISO-8859-1", b"UTF-8")],
    "SGF811": [*(value(b"%c" % letter) for letter in b"bwcn")],
    "SGF812": [prop(b"DI[31]")],
    "SGF813": [value(b"4")],
    "SGF814": [value(b"B+6R")],
    "SGF815": [value(b"length:7")],
    "SGF820": [*(value(name.encode()) for name in ("Black", "White", "None"))],
    "SGF821": [value(b"End"), delete],
    "SGF822": [value(b"true"), value(b"false")],
    "SGF823": [value(b"Custom")],
    "SGF833": [prop(b"IP[]")],
    "SGF834": [value(b"tried:on")],
    "SGF850": [*(value(name + b":edgeless") for name in (b"full", b"fast", b"kids"))],
    "SGF861": [value(b"bb:cc")],
    "SGF901": [sub(rb"A(?=[BW]\[)", b"")],
    "SGF902": [sub(rb"(?:;[BW]\[\])+\)", b")")],
    "SGF903": [sub(rb";+\)", b")")],
    "SGF904": [prop(b"PB[A]PW[B]RE[W+R]")],
    "SGF905": [value(b"aa:ab")],
    "SGF906": [value(b"2147483647")],
}

ROWS = [
    (code, edit, example)
    for code, edits in HELPS.items()
    for edit in edits
    for example in grammar.rule(code).bad
]


def findings(data: bytes) -> list[Diagnostic]:
    return list(sgf_lark.validate(data, profile="strict").diagnostics)


@for_each(ROWS, by=lambda code, *_: code[:4])
def test_following_the_help(code: str, edit: Edit, example: grammar.Example) -> None:
    data = example.data
    before = {found.code for found in findings(data)}
    for _ in range(20):
        found = next((each for each in findings(data) if each.code == code), None)
        if found is None:
            break
        changed = edit(data, found)
        assert changed != data
        data = changed
    after = findings(data)
    allowed = ORDER.index(grammar.rule(code).severity["strict"])
    new = [each for each in after if each.code not in before]
    worse = [each for each in new if ORDER.index(each.severity) > allowed]
    assert code not in {each.code for each in after}, data
    assert not worse, data


def test_each_help_is_followed_or_is_advice() -> None:
    codes = {rule.code for rule in grammar.rules().values()}
    assert codes == {*HELPS, *ADVICE}
    assert not {*HELPS} & ADVICE
