"""Hostile files: each shape is a function of the size in bytes.

They are also the input of `tests/test_steps.py`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import count, product

Shape = Callable[[int], bytes]

_HEAD = b"(;FF[4]GM[1]SZ[19]CA[UTF-8]"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_CAPITALS = _LETTERS.upper()


def repeated(piece: bytes, head: bytes = _HEAD, tail: bytes = b")") -> Shape:
    """A file of `head`, `piece` again and again, and `tail`."""
    return lambda size: head + piece * ((size - len(head) - len(tail)) // len(piece)) + tail


def numbered(piece: Callable[[int], bytes], head: bytes = _HEAD, tail: bytes = b")") -> Shape:
    """A file of `head`, pieces that depend on their number, and `tail`."""

    def shape(size: int) -> bytes:
        parts, length = [head], len(head) + len(tail)
        for number in count():
            parts.append(piece(number))
            length += len(parts[-1])
            if length >= size:
                return b"".join([*parts, tail])
        raise AssertionError

    return shape


def nested(piece: bytes, end: bytes, head: bytes = b"") -> Shape:
    """A file of `head`, many `piece`, and an `end` for each of them."""

    def shape(size: int) -> bytes:
        number = (size - len(head)) // (len(piece) + len(end))
        return head + piece * number + end * number

    return shape


def _identifiers(size: int) -> bytes:
    def names() -> Iterator[str]:
        for length in count(3):
            yield from map("".join, product(_CAPITALS, repeat=length))

    parts, length = [_HEAD + b";"], len(_HEAD)
    for name in names():
        parts.append(f"{name}[a]".encode())
        length += len(parts[-1])
        if length >= size:
            break
    return b"".join([*parts, b")"])


def _point(number: int, side: int = 19) -> str:
    return _LETTERS[number % side] + _LETTERS[number // side % side]


def _move(number: int) -> bytes:
    return f";{'BW'[number % 2]}[{_point(number * 7)}]".encode()


def _move_of_one_color(number: int) -> bytes:
    return f";B[{_point(number)}]".encode()


def _captures(size: int) -> bytes:
    """In each variation White captures Black's stones, which fill the board but one point."""
    return repeated(b"(;W[ss])", _HEAD + b";AB[aa:sr][as:rs]")(size)


def _random(alphabet: bytes) -> Shape:
    """A file of characters of an alphabet in no order."""
    return lambda size: bytes(random.Random(1).choices(alphabet, k=size))


def _random_pieces(size: int) -> bytes:
    """A file of tokens in no order."""
    pieces = b"( ) ; [ ] \\ : B W AB C LB N GM FF aa bb cc dd 1 x > (;".split(b" ")
    chosen = random.Random(1).choices([*pieces, b" "], k=size)
    return b"".join(chosen)[:size]


SHAPES: dict[str, Shape] = {
    # Properties of a node
    "one identifier": repeated(b"N[a]"),
    "one identifier in one text": repeated(b"C[a]"),
    "one setup": repeated(b"AB[aa]", _HEAD + b";"),
    "two setups": repeated(b"AB[aa]AW[aa]", _HEAD + b";"),
    "many moves in a node": repeated(b"B[aa]W[bb]", _HEAD + b";"),
    "moves and setup in a node": repeated(b"B[aa]AB[bb]", _HEAD + b";"),
    "annotations": repeated(b"BM[1]TE[1]GB[1]GW[1]KO[]", _HEAD + b";"),
    "identifiers": _identifiers,
    "lowercase identifiers": repeated(b"Black[a]white[b]", _HEAD + b";"),
    "huge identifier": repeated(b"A", _HEAD + b";", b"[a])"),
    "huge lowercase identifier": repeated(b"a", _HEAD + b";", b"[a])"),
    "huge identifiers": repeated(b"A" * 1000 + b"[a]", _HEAD + b";"),
    "root properties below": repeated(b";SZ[19]FF[4]GM[1]CA[UTF-8]"),
    "game information in variations": repeated(b"(;PB[x]PW[y])", _HEAD + b"PB[a]PW[b]"),
    "game information below": repeated(b";PB[x]DT[1996]", _HEAD + b"DT[1997]"),
    # Values
    "repeated point": repeated(b"[aa]", _HEAD + b";AB"),
    "repeated markup": repeated(b"[aa]", _HEAD + b";TR"),
    "point off board": repeated(b"[zz]", _HEAD + b";AB"),
    "escaped points": repeated(b"[\\a\\a]", _HEAD + b";AB"),
    "soft line breaks in points": repeated(b"[a\\\na]", _HEAD + b";AB"),
    "malformed points": repeated(b"[a 1]", _HEAD + b";AB"),
    "board again and again": repeated(b"[aa:ZZ]", b"(;FF[4]GM[1]SZ[52];AB"),
    "board in markup": repeated(b"[aa:ZZ]", b"(;FF[4]GM[1]SZ[52];TR"),
    "board in properties": repeated(b"AB[aa:ZZ]", b"(;FF[4]GM[1]SZ[52];"),
    "board in markups": repeated(b"TR[aa:ZZ]CR[aa:ZZ]", b"(;FF[4]GM[1]SZ[52];"),
    "board in nodes": repeated(b";AB[aa:ZZ]", b"(;FF[4]GM[1]SZ[52]"),
    "board in setups of nodes": repeated(b";AB[aa:ZZ]AW[aa:ZZ]", b"(;FF[4]GM[1]SZ[52]"),
    "board in a setup before FF[4]": repeated(b"[aa:ss]", b"(;FF[3]GM[1]SZ[19];AB"),
    "board in territories": repeated(b"TB[aa:ZZ]TW[aa:ZZ]", b"(;FF[4]GM[1]SZ[52];"),
    "board in views": repeated(b";VW[aa:ZZ]DD[aa:ZZ]", b"(;FF[4]GM[1]SZ[52]"),
    "board backwards": repeated(b"[ZZ:aa]", b"(;FF[4]GM[1]SZ[52];AB"),
    "board in variations": repeated(b"(;AB[aa:ZZ])", b"(;FF[4]GM[1]SZ[52]"),
    "labels of a point": repeated(b"[aa:x]", _HEAD + b";LB"),
    "different labels of a point": numbered(lambda n: b"[aa:%d]" % n, _HEAD + b";LB"),
    "lines": repeated(b"[aa:bb]", _HEAD + b";LN"),
    "arrows": repeated(b"[aa:bb]", _HEAD + b";AR"),
    "lines both ways": repeated(b"[aa:bb][bb:aa]", _HEAD + b";LN"),
    "arrows and lines": repeated(b"AR[aa:bb]LN[aa:bb]", _HEAD + b";"),
    "labels and markup": repeated(b"LB[aa:x]TR[aa]", _HEAD + b";"),
    "values of one number": repeated(b"[1]", _HEAD + b"PM"),
    "values of a move": repeated(b"[aa]", _HEAD + b";B"),
    "values of a text": repeated(b"[a]", _HEAD + b";C"),
    "empty values": repeated(b"[]", _HEAD + b";AB"),
    "size": repeated(b"9", b"(;FF[4]GM[1]SZ[", b"];B[aa])"),
    "size of two numbers": lambda size: (
        b"(;FF[4]GM[1]SZ[" + b"9" * (size // 2) + b":" + b"9" * (size // 2) + b"];B[aa])"
    ),
    "game": repeated(b"9", b"(;FF[4]GM[", b"];B[aa])"),
    "file format": repeated(b"9", b"(;FF[", b"]GM[1];B[aa])"),
    "number": repeated(b"9", _HEAD + b";MN[", b"])"),
    "numbers": repeated(b";MN[" + b"9" * 5000 + b"]"),
    "real": repeated(b"9", _HEAD + b"KM[", b"])"),
    "fraction": repeated(b"9", _HEAD + b"KM[0.", b"])"),
    "handicap": repeated(b"9", _HEAD + b"HA[", b"])"),
    "result of digits": repeated(b"9", _HEAD + b"RE[B+", b"])"),
    "time": repeated(b"9", _HEAD + b"TM[", b"])"),
    "time left": repeated(b"9", _HEAD + b";B[aa]BL[", b"]OB[1])"),
    "figure": repeated(b"9", _HEAD + b";FG[", b":x])"),
    "zeros": repeated(b"0", _HEAD + b"KM[", b"1])"),
    "signs": repeated(b"-", _HEAD + b"KM[", b"])"),
    "blanks in number": repeated(b" ", _HEAD + b"KM[1", b"1])"),
    "blanks in date": repeated(b" ", _HEAD + b"DT[1996", b"x])"),
    "blanks in result": repeated(b" ", _HEAD + b"RE[B", b"+])"),
    "blanks in time": repeated(b" ", _HEAD + b"TM[1", b"h])"),
    "blanks in point": repeated(b" ", _HEAD + b";B[a", b"a])"),
    "dates": repeated(b",07", _HEAD + b"DT[1996-05-06", b"])"),
    "dates in order": numbered(
        lambda n: b",%04d-%02d-%02d" % (1000 + n // 360, n // 30 % 12 + 1, n % 30 + 1),
        _HEAD + b"DT[1000-01-01",
        b"])",
    ),
    "dates in words": repeated(b"6th of May 1996, ", _HEAD + b"DT[", b"])"),
    "dates of digits": repeated(b"1996 05 06 ", _HEAD + b"DT[", b"])"),
    "long number in date": repeated(b"1", _HEAD + b"DT[", b"])"),
    "letters in date": repeated(b"may", _HEAD + b"DT[", b"])"),
    "result in words": repeated(b"Black wins by ", _HEAD + b"RE[", b"])"),
    "result of letters": repeated(b"b", _HEAD + b"RE[", b"])"),
    "time in words": repeated(b"1 hour 30 minutes ", _HEAD + b"TM[", b"])"),
    "time with colons": repeated(b"1:", _HEAD + b"TM[", b"1])"),
    "komi in words": repeated(b"6 and a half points ", _HEAD + b"KM[", b"])"),
    "rank in words": repeated(b"9 dan ", _HEAD + b"BR[", b"])"),
    "rules in words": repeated(b"Japanese ", _HEAD + b"RU[", b"])"),
    "overtime in words": repeated(b"5x30 byo-yomi ", _HEAD + b"OT[", b"])"),
    "player in words": repeated(b"Lee Sedol 9p ", _HEAD + b"PB[", b"])"),
    "round in words": repeated(b"1 (final) ", _HEAD + b"RO[", b"])"),
    "Octi": repeated(b"-11", b"(;FF[4]GM[19];B[11A", b"])"),
    "Octi, captures": repeated(b"x", b"(;FF[4]GM[19];B[11A-12", b"])"),
    "Octi, wrong at the end": repeated(b"-11", b"(;FF[4]GM[19];B[11A", b"?])"),
    "Octi, plays": repeated(b"11A-12,", b"(;FF[4]GM[19];B[", b"11A-12])"),
    "Hex rectangle": repeated(b"[a1:zz99]", b"(;FF[4]GM[11];AB"),
    "Hex numbers": repeated(b"9", b"(;FF[4]GM[11];B[a", b"])"),
    "Hex letters": repeated(b"a", b"(;FF[4]GM[11];B[", b"1])"),
    # Texts
    "escapes": repeated(b"\\]\\\\\\:", _HEAD + b";C[", b"])"),
    "escapes only": repeated(b"\\", _HEAD + b";C[", b"\\])"),
    "soft line breaks": repeated(b"a\\\n", _HEAD + b";C[", b"])"),
    "colons": repeated(b":", _HEAD + b";C[", b"])"),
    "colons in a point": repeated(b":", _HEAD + b";AB[aa", b"])"),
    "colons in a label": repeated(b":", _HEAD + b";LB[aa", b"])"),
    "colons in AP": repeated(b":", _HEAD + b"AP[aa", b"])"),
    "brackets in a text": repeated(b"[", _HEAD + b";C[", b"])"),
    "words in brackets": repeated(b"[k3] ", _HEAD + b";C[", b"])"),
    "long text": repeated(b"words and words ", _HEAD + b";C[", b"])"),
    "long line": repeated(b";B[aa]C[\xe5\x9b\xb4\xe6\xa3\x8b];W[zz]"),
    "lines of text": repeated(b"\n", _HEAD + b";C[", b"])"),
    "white space in a SimpleText": repeated(b" \n", _HEAD + b";N[", b"])"),
    "white space between": repeated(b" \n", _HEAD + b";N[a]", b"C[b])"),
    # Structure
    "variations": nested(b"(;", b")"),
    "variations with moves": nested(b"(;B[aa](;W[bb]", b"))"),
    "variations with findings": nested(b"(;B[zz]N[a]N[b](;AB[aa]B[aa]", b"))"),
    "unclosed variations": repeated(b"(;", b"", b""),
    "opening": repeated(b"(", b"", b""),
    "opening in a game": repeated(b"(", _HEAD, b""),
    "closing": repeated(b")", _HEAD + b")", b""),
    "empty trees": repeated(b"()", b"", b""),
    "empty variations": repeated(b"()", _HEAD),
    "semicolons": repeated(b";"),
    "games": repeated(b"(;FF[4]GM[1]SZ[19];B[aa])", b"", b""),
    "games of different formats": repeated(b"(;FF[4];B[aa])(;FF[3]GM[6];B[12])", b"", b""),
    "siblings": repeated(b"(;B[aa])"),
    "siblings with a finding": repeated(b"(;B[zz]N[a]N[b])"),
    "moves": numbered(_move),
    "moves on a point": repeated(b";B[aa];W[aa]"),
    "moves without nodes": repeated(b"B[aa]W[bb]"),
    "ko": repeated(b";B[ba];W[ca];B[ab];W[bb]"),
    "large board": numbered(_move, b"(;FF[4]GM[1]SZ[52]"),
    "setup in each node": repeated(b";AB[aa];AE[aa]"),
    "passes": repeated(b";B[];W[]"),
    "unclosed value": repeated(b";B[aa", b"(;", b""),
    "unclosed text": repeated(b"x", _HEAD + b";C[", b""),
    "unclosed texts": repeated(b";C[abc\n"),
    "stray ]": repeated(b"]", _HEAD + b";B[aa]"),
    "lost ]": repeated(b";W[pi;B[cc]"),
    "lost [": repeated(b";Wpi];Bcc]"),
    "stray characters in moves": repeated(b";W[p#i];B ## x ## [cc]"),
    "game closed again and again": repeated(b");B[aa](;B[bb])"),
    "games without (": repeated(b";FF[4];B[aa])\n", b"", b""),
    "games with characters after (": repeated(b"(x;FF[4];B[aa])", b"", b""),
    "games in games": repeated(b"(;FF[4]GM[1];B[aa]", b"", b""),
    "moves taken back": repeated(b"(;AE[aa];B[bb])", _HEAD + b";B[aa]"),
    "stray ] in points": repeated(b"[cc]]", _HEAD + b";TW[aa]"),
    "stray ] and text in points": repeated(b"[cc]x]", _HEAD + b";TW[aa]"),
    "stray ] and text": repeated(b"x]", _HEAD + b";B[aa]"),
    "stray text": repeated(b"?!", _HEAD),
    "stray [": repeated(b"[", _HEAD),
    "values without identifier": repeated(b"[a];", _HEAD),
    "brackets in texts": repeated(b";C[see [k3] and] N[x]"),
    "many CAs": repeated(b"(;FF[4]CA[GB18030]C[\xce\xa7\xc6\xe5])(;CA[Shift_JIS])", b"", b""),
    "many CAs in a node": repeated(b"CA[UTF-8]CA[Big5]", b"(;FF[4]"),
    "different CAs": numbered(lambda n: b"(;FF[4]CA[x-%d]C[\xe4])" % n, b"", b""),
    # Bytes
    "NULs": repeated(b"\0", _HEAD + b";C[", b"])"),
    "NULs between": repeated(b"\0", _HEAD),
    "control characters": repeated(b"\1\2\x1b", _HEAD + b";C[", b"])"),
    "control characters in nodes": repeated(b";N[\1\x7f]"),
    "invalid UTF-8": repeated(b"\xff\xc3\xe4", _HEAD + b";C[", b"])"),
    "invalid UTF-8 in nodes": repeated(b";C[\xff]"),
    "mixed charsets": repeated(b";C[\xce\xa7\xc6\xe5];C[\xe5\x9b\xb4\xe6\xa3\x8b]"),
    "Latin-1 without CA": repeated(b";C[K\xf6nig]", b"(;FF[4]GM[1]"),
    "GB18030 without CA": repeated(b";C[\xce\xa7\xc6\xe5]", b"(;FF[4]GM[1]"),
    "UTF-8 byte order marks": repeated(b"\xef\xbb\xbf", b"", _HEAD + b")"),
    "byte order marks in nodes": repeated(b"\xef\xbb\xbf;B[aa]"),
    "UTF-16": lambda size: repeated(b";B[aa]C[x]N[a]N[b]")(size // 2).decode().encode("utf-16"),
    "UTF-16, brackets": lambda size: repeated(b"[")(size // 2).decode().encode("utf-16"),
    "Shift_JIS": repeated(b";C[\x83\\\x83]\x95\\]", b"(;FF[4]CA[Shift_JIS]"),
    "Shift_JIS, one text": repeated(b"\x83\\\x95\\", b"(;FF[4]CA[Shift_JIS]C[", b"])"),
    "Big5": repeated(b";C[\xb3\\\xa5\\]", b"(;FF[4]CA[Big5]"),
    "ISO-2022-JP": repeated(b";C[\x1b$B0O8k\x1b(B]", b"(;FF[4]CA[ISO-2022-JP]"),
    "HZ": repeated(b";C[~{N'Fe~}]", b"(;FF[4]CA[HZ-GB-2312]"),
    # Places of damage next to each other, each slip again and again
    "strays in and before moves": repeated(b">;B[a>a]", b"(;FF[4]GM[1]"),
    "strays in moves of variations": repeated(b"(;B[a>a])"),
    "strays in moves of a node": repeated(b"B[a>a]", _HEAD + b";"),
    "strays in moves of games": repeated(b"(;FF[4]GM[1];B[a>a])", b"", b""),
    "strays before values": repeated(b";B>[aa]"),
    "strays after values": repeated(b";B[aa]>"),
    "strays in place of ]": repeated(b";B[aa>"),
    "strays in place of [": repeated(b";B>aa]"),
    "strays between points": repeated(b"[aa]>", _HEAD + b";AB"),
    "strays in points": repeated(b"[a>a]", _HEAD + b";AB"),
    "strays in numbers": repeated(b";B[aa]BL[1;2]"),
    "[ twice": repeated(b";B[[aa]"),
    "[ before nodes": repeated(b"[;B[aa]"),
    "[ in points": repeated(b"[aa[bb]", _HEAD + b";AB"),
    "] twice": repeated(b";B[aa]]"),
    "] between points lost": repeated(b"[aa[bb", _HEAD + b";AB", b"])"),
    "[ between points lost": repeated(b"[aa]bb]", _HEAD + b";AB"),
    "words in points": repeated(b"[aa some words bb]", _HEAD + b";AB"),
    "] lost before variations": repeated(b"(;B[aa(;W[bb])", _HEAD),
    "( lost before variations": repeated(b";B[aa];W[bb])"),
    "[] and letters": repeated(b"[]a"),
    "alternating [ and ]": repeated(b"[]", b"", b""),
    "alternating [ and ] in a game": repeated(b"[]", _HEAD),
    "alternating ] and [": repeated(b"][", _HEAD + b";C[a]"),
    "alternating ] and [ in a text": repeated(b"][", _HEAD + b";C[a"),
    "[ and (": repeated(b"[(", _HEAD),
    "] and )": repeated(b"])", _HEAD),
    "brackets across parentheses": repeated(b"([)]", b"", b""),
    "brackets across parentheses in a game": repeated(b"([)]", _HEAD),
    "brackets and parentheses": repeated(b"[](;)", _HEAD),
    "brackets, parentheses and moves": repeated(b"([;B[aa)]", _HEAD),
    "\\ at ends of values": repeated(b";B[aa\\]", _HEAD, b"])"),
    "\\ at ends of texts": repeated(b";C[a\\]", _HEAD, b"])"),
    "\\ at ends of texts before moves": repeated(b"C[a\\];B[aa]"),
    "\\ at ends of points": repeated(b"[aa\\]", _HEAD + b";AB"),
    "\\ between": repeated(b"\\;B[aa]"),
    "identifiers broken by blanks": repeated(b";B L[30]"),
    "identifiers of three parts": repeated(b";A B C[30]"),
    "identifiers without values": repeated(b"B ", _HEAD + b";", b"[aa])"),
    "identifiers without values in nodes": repeated(b";B"),
    "identifiers broken by line ends": repeated(b"A\n", _HEAD + b";", b"[aa])"),
    "broken identifiers of setup": repeated(b"A B[aa]", _HEAD + b";"),
    "identifiers with digits": repeated(b"B1[aa]", _HEAD + b";"),
    "identifiers with a lowercase letter": repeated(b"Bl[aa]", _HEAD + b";"),
    "identifiers with a lowercase letter in nodes": repeated(b";Bl[aa]"),
    "identifiers with a lowercase letter before damage": repeated(b"Bl[aa]", _HEAD + b";", b"])"),
    "identifiers with a lowercase letter in FF[3]": repeated(b"Bl[aa]", b"(;FF[3]GM[1];"),
    "identifiers with a lowercase letter in a root": repeated(b"Bl[aa]", b"(;", b"FF[3])"),
    "games with a lowercase letter": repeated(b"(;FF[3]GaMe[1];Black[aa])", b"", b""),
    "random characters of SGF": _random(b"()[];\\:ABCWFG abcde0123>\n"),
    "random characters of brackets": _random(b"()[];"),
    "random pieces": _random_pieces,
    "random bytes": lambda size: random.Random(1).randbytes(size),
    "random bytes in a game": lambda size: _HEAD + random.Random(1).randbytes(size - 30) + b")",
    # Charsets, one after the other
    "CAs": repeated(b"CA[UTF-8]", b"(;FF[4]"),
    "CAs in nodes": repeated(b";CA[UTF-8]"),
    "different CAs in a node": numbered(lambda n: b"CA[x-%d]" % n, b"(;FF[4]"),
    "games of alternating CA": repeated(
        b"(;FF[4]CA[UTF-8]C[\xe5\x9b\xb4])(;FF[4]CA[Latin-1]C[\xe4])", b"", b""
    ),
    "games of alternating CA, double bytes": repeated(
        b"(;FF[4]CA[GBK]C[\xce\xa7\x95\\])(;FF[4]CA[Shift_JIS]C[\x95\\])", b"", b""
    ),
    "games of alternating CA, a ] lost": repeated(
        b"(;FF[4]CA[GBK]C[\xce\xa7\x95\\])(;FF[4]CA[Shift_JIS]C[\x95\\)", b"", b""
    ),
    "games of alternating CA, ASCII": repeated(b"(;FF[4]CA[Big5])(;FF[4]CA[UTF-8])", b"", b""),
    "small games": repeated(b"(;)", b"", b""),
    "games with a finding": repeated(b"(;FF[4]GM[1];B[zz]N[a]N[b])", b"", b""),
    "games with damage": repeated(b"(;FF[4]GM[1];B[aa])x", b"", b""),
    # Boards
    "captures in variations": _captures,
    "AE in variations": repeated(b"(;AE[aa:ss])", _HEAD + b";AB[aa:ss]"),
    "AE of points in variations": repeated(b"(;AE[ab][cd][ef])", _HEAD + b";AB[aa:ss]"),
    "AE in nodes": repeated(b";AE[aa:ss]", _HEAD + b";AB[aa:ss]"),
    "setup and capture in nodes": repeated(b";AB[aa:ss]AE[ss];W[ss]"),
    "moves on a point in variations": repeated(b"(;W[aa])", _HEAD + b";AB[aa:ss]"),
    "large board filled in variations": repeated(
        b"(;AB[aa:ZZ]AE[aa];W[aa])", b"(;FF[4]GM[1]SZ[52]"
    ),
    "one group grows": numbered(_move_of_one_color),
    "deep variations with setup": nested(b"(;AB[aa:ss]", b")", _HEAD),
    "nested setup and AE": nested(b"(;AB[aa:ss](;AE[aa:ss]", b"))", _HEAD),
    "header": repeated(b"From: somebody (x) [y]\n", b"", _HEAD + b")"),
    "header of variations": repeated(b"( ; ", b"a ", _HEAD + b")"),
    "text after the game": repeated(b"text ", _HEAD + b")", b""),
    "no SGF": repeated(b"x", b"", b""),
    "blanks": repeated(b" ", b"", b""),
}
