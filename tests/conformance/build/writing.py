"""Makes the cases of writing: trees whose texts need escapes, in every type of text.

The tree comes first: the file of a case is one way to write it, with a backslash before every
bracket that closes and every backslash.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.conformance.build.cases import Case

GROUP = "writing"
#: The texts, with a name and what is difficult about them.
TEXTS = {
    "plain": ("a b", "a text without escapes"),
    "empty": ("", "an empty text"),
    "close": ("a]b", "a closing bracket"),
    "close-alone": ("]", "only a closing bracket"),
    "close-last": ("a]", "a closing bracket at the end"),
    "close-many": ("]]]", "closing brackets"),
    "open": ("a[b", "an opening bracket"),
    "open-close": ("[1] and [2]", "brackets in pairs"),
    "backslash": ("a\\b", "a backslash"),
    "backslash-alone": ("\\", "only a backslash"),
    "backslash-last": ("a\\", "a backslash at the end"),
    "backslash-many": ("\\\\\\", "three backslashes"),
    "backslash-close": ("\\]", "a backslash before a closing bracket"),
    "close-backslash": ("]\\", "a closing bracket before a backslash"),
    "backslash-letter": ("C:\\new", "a path with a backslash"),
    "colon": ("12:30", "a colon"),
    "colon-first": (":a", "a colon at the beginning"),
    "structure": ("(;B[aa])", "a text that reads like a tree"),
    "semicolon": ("a; b (c)", "a semicolon and parentheses"),
    "quotes": ("\"a\" & 'b' <c>", "quotes and signs of HTML"),
    "identifier": ("B[aa", "the beginning of a property"),
    "inner-spaces": ("a  b", "two spaces inside"),
}
#: Texts with linebreaks, for Text only.
LINES = {
    "line": ("a\nb", "a linebreak"),
    "line-first": ("\na", "a linebreak at the beginning"),
    "line-last": ("a\n", "a linebreak at the end"),
    "lines-empty": ("a\n\n\nb", "empty lines"),
    "line-alone": ("\n", "only a linebreak"),
    "backslash-line": ("a\\\nb", "a backslash before a linebreak"),
    "close-line": ("a]\nb", "a closing bracket before a linebreak"),
    "paragraph": ("one [1]\n\n  two \\ three:\n(;)", "a text of several lines"),
}
#: Texts outside ASCII, for trees in UTF-8 and, without a charset, in ISO-8859-1.
FOREIGN = {
    "german": ("Grüße, ß]", "ISO-8859-1"),
    "chinese": ("李昌镐 [九段]", "UTF-8"),
    "japanese": ("本因坊\\秀策", "UTF-8"),
    "korean": ("이세돌: 9단", "UTF-8"),
    "emoji": ("a😀]b", "UTF-8"),
    "combined": ("e\u0301\\", "UTF-8"),
    "right-to-left": ("שלום]", "UTF-8"),
}
#: The properties: identifier, type, the file around the value.
PLACES = {
    "comment": ("C", "Text", "(;FF[4]GM[1]{ca};B[aa]C[{value}])"),
    "name": ("N", "SimpleText", "(;FF[4]GM[1]{ca};B[aa]N[{value}])"),
    "unknown": ("XYZ", "Text of an unknown property", "(;FF[4]GM[1]{ca}XYZ[{value}];B[aa])"),
    "two-trees": (
        "C",
        "Text in two trees",
        "(;FF[4]GM[1]{ca}C[{value}])(;FF[4]GM[1]{ca}C[{value}])",
    ),
    "variation": (
        "C",
        "Text in a variation",
        "(;FF[4]GM[1]{ca}(;B[aa]C[{value}])(;B[bb]C[{value}]))",
    ),
}
#: Trees without texts.
SHAPES = {
    "main-line": "(;FF[4]GM[1]SZ[9];B[ee];W[cc];B[gc];W[])",
    "variations": "(;FF[4]GM[1];B[aa](;W[bb];B[cc])(;W[dd](;B[ee])(;B[ff])))",
    "three-trees": "(;FF[4]GM[1])(;FF[4]GM[11];B[a1])(;FF[4]GM[1];B[aa])",
    "lists": "(;FF[4]GM[1]AB[aa][bb:cc]AW[dd];LB[aa:1][bb:a b];DD[])",
    "nodes-without-properties": "(;FF[4]GM[1];;B[aa];(;)(;;W[bb]))",
    "unknown": "(;FF[4]GM[1]KGSDE[1][2]ABCDEFGHIJKL[x])",
}


def cases() -> Iterator[Case]:
    """Yield the cases."""
    for place, (_, kind, wrap) in PLACES.items():
        texts = TEXTS if kind == "SimpleText" else {**TEXTS, **LINES}
        for name, (text, what) in texts.items():
            given = wrap.format(ca="", value=escaped(text))
            yield _case(f"{place}-{name}", f"{kind} with {what}.", given)
        for name, (text, charset) in FOREIGN.items():
            given = wrap.format(ca=f"CA[{charset}]", value=escaped(text))
            about = f"{kind} outside ASCII, in {charset}."
            yield _case(
                f"{place}-{name}", about, given, "latin-1" if charset[0] == "I" else "utf-8"
            )
    for name, given in SHAPES.items():
        yield _case(f"shape-{name}", f"A tree to write: {name.replace('-', ' ')}.", given)


def escaped(text: str) -> str:
    """Return a text as a value: with a backslash before each backslash and closing bracket."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _case(name: str, about: str, given: str, encode: str = "") -> Case:
    return Case(
        group=GROUP,
        name=name,
        verdict="accept",
        about=about,
        source="sgf4, Text",
        given=given,
        encode="" if encode == "latin-1" else encode,
        rules=["SGF118"],
        write=True,
    )
