"""Whoever follows the help of a rule gets a file without its finding, and with no worse one.

Each row is a part of a help text and what it tells to do. It is done to all bad examples of the
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

#: Code -> parts of its help, and what they tell to do.
HELPS: dict[str, list[tuple[str, Edit]]] = {
    "SGF101": [("delete the text", text)],
    "SGF102": [("delete the text", text)],
    "SGF103": [('write ";" between the "("', sub(rb"\(\s*(?=[A-Z])", b"(;"))],
    "SGF104": [('delete the empty "()"', lambda data, found: data.replace(b"()", b"") or b"(;)")],
    "SGF105": [('delete the surplus "("', sub(rb"\(\((;.*\))\)\)", rb"(\1)"))],
    "SGF106": [("put parentheses around", sub(rb"(;B\[bb\])", rb"(\1)"))],
    "SGF107": [('write the missing ")"', sub(rb"$", b")"))],
    "SGF108": [('delete this ")"', text)],
    "SGF109": [("delete it", delete)],
    "SGF110": [("write the value in brackets", sub(rb"(B|KO)(?=[ )])", rb"\1[]"))],
    "SGF111": [
        ("write the lost identifier", sub(rb";\[aa\]", b";B[aa]")),
        ("delete the value", delete),
    ],
    "SGF112": [("join the two parts", sub(rb"B L", b"BL"))],
    "SGF113": [("delete the character", text)],
    "SGF114": [("in its short form of capital letters", in_capitals)],
    "SGF115": [("choose one or two letters", sub(rb"ABCD?", b"ZZ"))],
    "SGF116": [("choose a shorter identifier", sub(rb"A{3,}", b"ZZ"))],
    "SGF118": [(r'write "\]" for every "]"', sub(rb"(?<=a)\](?= |b)", rb"\\]"))],
    "SGF119": [('write "]" where the value ends', sub(rb"\\?\]?\)?$", b"])"))],
    "SGF120": [("delete the stray characters", text)],
    "SGF121": [("delete the zero bytes", sub(rb"\0", b""))],
    "SGF122": [("delete the control characters", sub(rb"[\x01\x02]", b""))],
    "SGF201": [("without a byte order mark and write CA[UTF-8]", recoded("utf-8-sig"))],
    "SGF202": [("with plain ASCII", in_ascii)],
    "SGF203": [("such as UTF-8", value(b"UTF-8"))],
    "SGF204": [("that the message gives", as_message_says(r"write CA\[(.*)\]"))],
    "SGF205": [("write CA with the charset", sub(rb"(?<=GM\[1\])", b"CA[UTF-8]"))],
    "SGF206": [("make CA name the charset", sub(rb"UTF-8", b"ISO-8859-1"))],
    "SGF207": [("convert the file to UTF-8 and write CA[UTF-8]", recoded("shift_jis", "big5"))],
    "SGF208": [("write CA[UTF-8]", sub(rb"UTF-16", b"UTF-8"))],
    "SGF209": [("correct CA", sub(rb"(?<=CA\[)[^\]]*", b"ISO-8859-1"))],
    "SGF210": [("such as CA[UTF-8]", prop(b"CA[UTF-8]")), ("delete CA", delete)],
    "SGF211": [(r'write "\:"', value(lambda raw: re.sub(rb"(?<!^..)(?<!my):", rb"\\:", raw)))],
    "SGF212": [("delete the control character", sub(rb"\x01", b""))],
    "SGF213": [("delete the property", delete), ("write the text", value(b"x"))],
    "SGF214": [("save the file in UTF-8 and write CA[UTF-8]", recoded(*CODECS))],
    "SGF215": [("delete the backslash", sub(rb"\\", b""))],
    "SGF217": [('write the "]"', sub(rb"(?=(?:PW|\nKM|;W)\[)", b"]"))],
    "SGF216": [("correct CA", charset_as_message_says)],
    "SGF301": [("keep one value", sub(rb"(\[[^\]]*\])\[[^\]]*\]", rb"\1"))],
    "SGF302": [("empty the brackets", value(b"")), ("delete the property", delete)],
    "SGF303": [("write a whole number in digits", value(b"7")), ('"-" before it', value(b"-7"))],
    "SGF304": [('with "." as the decimal point', value(b"1.5"))],
    "SGF305": [("write 1 for normal", value(b"1")), ("or 2 for emphasized", value(b"2"))],
    "SGF306": [("write the capital letter B", value(b"B")), ("or W", value(b"W"))],
    "SGF307": [("delete the property", delete)],
    "SGF308": [('delete the empty "[]"', delete), ("delete the points", sub(rb"\[aa\]", b""))],
    "SGF309": [("delete the value", delete)],
    "SGF310": [("remove the spaces and line breaks", value(lambda raw: re.sub(rb"\s", b"", raw)))],
    "SGF311": [('write one value without ":"', value(lambda raw: raw.partition(b":")[0]))],
    "SGF312": [("use the notation of the game", POINTS)],
    "SGF313": [("delete this value", delete)],
    "SGF314": [("correct the corner", value(b"aa:cc"))],
    "SGF315": [('write the point once, without ":"', value(lambda raw: raw.partition(b":")[0]))],
    "SGF316": [("name the upper left corner first", value(b"aa:cc"))],
    "SGF317": [("delete the repeated point", delete)],
    "SGF318": [('write the text after the ":"', value(b"aa:x")), ("delete the label", delete)],
    "SGF319": [("use the notation of the game", MOVES)],
    "SGF320": [("as in 46CD", value(b"46CD"))],
    "SGF321": [
        ('write the version after ":"', value(lambda raw: raw + b":1")),
        ("nothing after it", value(lambda raw: raw + b":")),
    ],
    "SGF401": [("correct the point", POINTS)],
    "SGF402": [("write FF[4]", prop(b"FF[4]"))],
    "SGF403": [("1 for Go", prop(b"GM[1]"))],
    "SGF404": [("1 is Go", prop(b"GM[1]"))],
    "SGF405": [("such as SZ[19]", prop(b"SZ[19]"))],
    "SGF406": [("such as SZ[19]", prop(b"SZ[19]"))],
    "SGF407": [("at most 52 lines", prop(b"SZ[52]"))],
    "SGF408": [
        ("write one number for a square board", prop(b"SZ[19]")),
        ("columns:rows for any other", prop(b"SZ[19:13]")),
    ],
    "SGF409": [
        *(("write 0, 1, 2 or 3", value(b"%d" % number)) for number in range(4)),
        ("leave ST out", delete),
    ],
    "SGF410": [
        *(("write 0, 1 or 2", value(b"%d" % number)) for number in range(3)),
        ("leave PM out", delete),
    ],
    "SGF411": [
        ("write FG[]", prop(b"FG[]")),
        ("as in FG[257:Figure 1]", prop(b"FG[257:Figure 1]")),
    ],
    "SGF412": [("add up only the flags that FG defines", value(b"257:x"))],
    "SGF413": [
        ("write the number of handicap stones, at least 2", prop(b"HA[2]AB[dp][pd]")),
        ("omit HA", delete),
    ],
    "SGF414": [
        ("set up the handicap stones with AB", with_handicap),
    ],
    "SGF415": [("such as KM[6.5]", prop(b"KM[6.5]"))],
    "SGF416": [("one hour is 3600", value(b"3600"))],
    "SGF417": [("write 0", value(b"0"))],
    "SGF418": [
        ("write YYYY-MM-DD", value(b"1996-05-06")),
        ("YYYY-MM or", value(b"1996-05")),
        ("or YYYY,", value(b"1996")),
    ],
    "SGF419": [("write each date of the list in full", value(in_full))],
    "SGF420": [("correct the month or the day", value(b"1996-05-06"))],
    "SGF421": [("shorten the date as shown", as_message_says(r"shorter: (.*)"))],
    "SGF423": [
        (f"{result}", prop(f"RE[{result}]".encode()))
        for result in ("B+3.5", "W+R", "B+T", "W+F", "B+", "0", "Void", "?")
    ],
    "SGF424": [("write RE[0]", prop(b"RE[0]"))],
    "SGF425": [
        ("as it is spelled here", as_message_says(r"spelled (\w+) in")),
        *((name, prop(f"RU[{name}]".encode())) for name in ("AGA", "GOE", "Japanese", "NZ")),
    ],
    "SGF426": [("such as 5k", value(b"5k")), ("or 3d", value(b"3d"))],
    "SGF427": [('"3"', value(b"3")), ('"2 (final)"', value(b"2 (final)"))],
    "SGF430": [
        ("for CA, AP and others of FF[4] write FF[4]", convert_to_ff4),
        ("in FF[4] write LB for L, MA for M, and delete the others", as_in_ff4),
    ],
    "SGF431": [("write FG[]", prop(b"FG[]")), ("FF[4]", FF4)],
    "SGF432": [("write half the number as KM, unless there is a KM already", to_komi)],
    "SGF433": [
        ("write FF[4], and [] for each pass", with_new_passes),
    ],
    "SGF434": [("write tt for the pass", value(b"tt")), ("or FF[4]", FF4)],
    "SGF435": [("write the two corners", prop(b"VW[aj][am]")), ("or FF[4]", FF4)],
    "SGF436": [("shorten the label", value(b"aa:1234")), ("write FF[4]", FF4)],
    "SGF437": [
        ("list the points one by one", value(lambda raw: raw.replace(b":", b"]["))),
        ("write FF[4]", FF4),
    ],
    "SGF439": [("write into the root node the FF that the file follows", as_its_format)],
    "SGF441": [("such as KM[7.5]", prop(b"KM[7.5]"))],
    "SGF442": [("write it as the message says", as_program_means)],
    "SGF607": [("set up the stones with AB in the root", set_up_first_moves)],
    "SGF501": [("delete the one that is not meant", prop(b""))],
    "SGF502": [("give each move a node of its own", node_before)],
    "SGF503": [("to a node of its own", to_node_after)],
    "SGF504": [("delete KO", delete)],
    "SGF505": [
        ("use GB, GW, DM or UC", prop(b"%b[1]" % name)) for name in (b"GB", b"GW", b"DM", b"UC")
    ],
    "SGF506": [("keep one", delete)],
    "SGF507": [("keep one", delete)],
    "SGF508": [("keep the point in one", delete)],
    "SGF510": [("keep one mark", delete)],
    "SGF511": [("keep one label", delete)],
    "SGF512": [("delete the second entry", delete)],
    "SGF513": [("delete the second entry", delete)],
    "SGF514": [("delete one of the two", delete)],
    "SGF515": [("delete the entry", delete)],
    "SGF516": [("keep the point in TB or TW", delete)],
    "SGF517": [
        (
            "move the property to the root node",
            lambda data, found: (delete if b"FF[4]B" in data else move(rb"GM\[\d+\]"))(data, found),
        )
    ],
    "SGF518": [("put the move into a second node", node_before)],
    "SGF601": [("move the property to the node that holds", move(rb"PB\[x\]|KM\[5\]"))],
    "SGF602": [
        (
            "move the game information of this node to the root node",
            sub(rb"(GM\[\d+\])(.*?)((?:P[BW]\[.\])+)", rb"\1\3\2"),
        )
    ],
    "SGF603": [("add the missing move or pass", sub(rb"(?<=B\[aa\])", b";W[]"))],
    "SGF604": [("record the moves that were played as B and W", sub(rb"AW", b"W"))],
    "SGF605": [
        ("make the variation a sibling", sub(rb";W\[bb\](.*)\(;AE\[bb\];", rb"(;W[bb]\1)(;"))
    ],
    "SGF701": [("into one file for each game", sub(rb"\)\(.*", b")"))],
    "SGF702": [("convert all trees to FF[4]", sub(rb"FF\[\d\]", b"FF[4]"))],
    "SGF703": [("in a file of their own", sub(rb"\)\(.*", b")"))],
    "SGF704": [("convert all trees to UTF-8", sub(rb"ISO-8859-1", b"UTF-8"))],
    "SGF802": [("remove the point", delete)],
    "SGF803": [("delete the property", delete)],
    "SGF805": [("correct one end", MOVES)],
    "SGF811": [("write the letter b, w, c or n", value(b"%c" % letter)) for letter in b"bwcn"],
    "SGF812": [("as in DI[31]", prop(b"DI[31]"))],
    "SGF813": [("a power of two", value(b"4"))],
    "SGF814": [("as in B+6R", value(b"B+6R"))],
    "SGF815": [("write the number in digits", value(b"length:7"))],
    "SGF816": [("leave SZ out", delete)],
    "SGF817": [("keep the one that is right", delete)],
    "SGF820": [(name, value(name.encode())) for name in ("Black", "White", "None")],
    "SGF821": [("write End", value(b"End")), ("leave IP out", delete)],
    "SGF822": [("write true", value(b"true")), ("or false", value(b"false"))],
    "SGF823": [("write Custom", value(b"Custom"))],
    "SGF832": [("keep the first", delete)],
    "SGF833": [("write IP[]", prop(b"IP[]"))],
    "SGF834": [("one of the five keys", value(b"tried:on"))],
    "SGF840": [("name the square in one of them", delete)],
    "SGF850": [
        ("full, fast or kids", value(name + b":edgeless")) for name in (b"full", b"fast", b"kids")
    ],
    "SGF851": [("in BO or in WO", delete)],
    "SGF853": [("keep one mark", delete)],
    "SGF861": [("name the points in the middle", value(b"bb:cc"))],
    "SGF901": [("write the stone as a move", sub(rb"A(?=[BW]\[)", b""))],
    "SGF902": [("leave the passes at the end out", sub(rb"(?:;[BW]\[\])+\)", b")"))],
    "SGF903": [("delete the empty node", sub(rb";+\)", b")"))],
    "SGF904": [("write it into PB, PW, RE", prop(b"PB[A]PW[B]RE[W+R]"))],
    "SGF905": [("shorten the label to one or two characters", value(b"aa:ab"))],
    "SGF906": [("below 2147483648", value(b"2147483647"))],
}  # fmt: skip

ROWS = [
    (code, part, edit, example)
    for code, parts in HELPS.items()
    for part, edit in parts
    for example in grammar.rule(code).bad
]


def findings(data: bytes) -> list[Diagnostic]:
    return list(sgf_lark.validate(data, profile="strict").diagnostics)


@for_each(ROWS, by=lambda code, *_: code[:4])
def test_following_the_help(code: str, part: str, edit: Edit, example: grammar.Example) -> None:
    assert part in grammar.rule(code).fix
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
