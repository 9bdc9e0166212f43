"""Pairs for which fixes are applied where damage makes it uncertain how a file is read."""

from __future__ import annotations

from tests.pairs import Pair

PAIRS = [
    Pair(
        "SGF415",
        "the tree has no damage, or damage that is fixed safely",
        b"(;FF[4]GM[1]KM[6,5],)",
        b"(;FF[4]GM[1]KM[6.5])",
        b"(;FF[4]GM[1]KM[6,5]5)",
        b"(;FF[4]GM[1]KM[6.5])",
    ),
    Pair(
        "SGF415",
        "damage without a fix is in another tree",
        b"(;FF[4]GM[1]c1[x])(;FF[4]GM[1]KM[6,5])",
        b"(;FF[4]GM[1]c1[x])(;FF[4]GM[1]KM[6.5])",
        b"(;FF[4]GM[1])(;FF[4]GM[1]c1[x]KM[6,5])",
        b"(;FF[4]GM[1])(;FF[4]GM[1]c1[x]KM[6.5])",
    ),
    Pair(
        "SGF108",
        "all damage that may change where trees begin and end is fixed safely",
        b"(;FF[4]GM[1],)(;FF[4]GM[1]))",
        b"(;FF[4]GM[1])(;FF[4]GM[1])",
        b"(;FF[4]GM[1]c1[x])(;FF[4]GM[1]))",
        b"(;FF[4]GM[1]c1[x])(;FF[4]GM[1])",
    ),
    Pair(
        "SGF415",
        "the text before the games has no bracket",
        b"x(;FF[4]GM[1]KM[6,5])",
        b"x(;FF[4]GM[1]KM[6.5])",
        b"[(;FF[4]GM[1]KM[6,5])",
        b"(;FF[4]GM[1]KM[6.5]C[[])",
    ),
    Pair(
        "SGF415",
        "the text before the games closes no value",
        b"x(;FF[4]GM[1]KM[6,5])",
        b"x(;FF[4]GM[1]KM[6.5])",
        b"](;FF[4]GM[1]KM[6,5])",
        b"(;FF[4]GM[1]KM[6.5]C[\\]])",
    ),
    Pair(
        "SGF415",
        "the text between the games has no bracket",
        b"(;FF[4]GM[1])x(;FF[4]GM[1]KM[6,5])",
        b"(;FF[4]GM[1])x(;FF[4]GM[1]KM[6.5])",
        b"(;FF[4]GM[1])[(;FF[4]GM[1]KM[6,5])",
        b"(;FF[4]GM[1]C[[])(;FF[4]GM[1]KM[6.5])",
    ),
    Pair(
        "SGF501",
        "no value is open at the end of the file",
        b"(;FF[4]GM[1]C[a]C[b])",
        b"(;FF[4]GM[1]C[a\nb])",
        b"(;FF[4]GM[1]c1[x]C[a]C[b",
        b"(;FF[4]GM[1]c1[x]C[a\nb])",
    ),
    Pair(
        "SGF119",
        "never: the open value has no identifier",
        None,
        None,
        b"(;FF[4]GM[1];[",
        b"(;FF[4]GM[1])",
    ),
    Pair(
        "SGF107",
        "the later node that has the properties of a root begins no variation",
        None,
        None,
        b"(;FF[4]GM[1]KM[6,5];B[aa];FF[4]GM[1];B[bb]",
        b"(;FF[4]GM[1]KM[6.5];B[aa];C[FF: 4\nGM: 1];B[bb])",
    ),
    Pair(
        "SGF501",
        "several findings share one fix",
        b"(;FF[4]GM[1]AB[aa]AB[bb]AB[cc])",
        b"(;FF[4]GM[1]AB[aa][bb][cc])",
    ),
    Pair(
        "SGF312",
        "never: an error without a fix of its own becomes a comment",
        None,
        None,
        b"(;FF[4]GM[1]AB[x])",
        b"(;FF[4]GM[1]C[AB: x])",
    ),
]
