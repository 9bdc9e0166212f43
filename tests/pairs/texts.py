"""Pairs for the fixes of charsets and texts (2xx)."""

from __future__ import annotations

from tests.pairs import Pair

PAIRS = [
    Pair(
        "SGF203",
        "CA is in the root",
        b"(;FF[4]GM[1]CA[xyz])",
        b"(;FF[4]GM[1]CA[UTF-8])",
        b"(;FF[4]GM[1];CA[xyz])",
        b"(;FF[4]GM[1]CA[UTF-8])",
    ),
    Pair(
        "SGF203",
        "the charset is no guess",
        b"(;FF[4]GM[1]CA[xyz]C[e])",
        b"(;FF[4]GM[1]CA[UTF-8]C[e])",
        b"(;FF[4]GM[1]CA[xyz]C[\xe9\xe8\xe0])",
        "(;FF[4]GM[1]CA[UTF-8]C[éèà])".encode(),
    ),
    Pair(
        "SGF203",
        "the value can be a name: it has at most 40 characters",
        b"(;FF[4]GM[1]CA[" + b"x" * 40 + b"])",
        b"(;FF[4]GM[1]CA[UTF-8])",
        b"(;FF[4]GM[1]CA[" + b"x" * 41 + b"])",
        b"(;FF[4]GM[1]CA[UTF-8])",
    ),
    Pair(
        "SGF203",
        "the value can be a name: it has no brackets",
        b"(;FF[4]GM[1]CA[x y])",
        b"(;FF[4]GM[1]CA[UTF-8])",
        b"(;FF[4]GM[1]CA[x=y])",
        b"(;FF[4]GM[1]CA[UTF-8])",
    ),
    Pair(
        "SGF203",
        "the charset has a registered name",
        b"(;FF[4]GM[1]CA[ cp737]C[x])",
        b"(;FF[4]GM[1]CA[UTF-8]C[x])",
    ),
    Pair(
        "SGF204",
        "the text is in the charset that CA names",
        b"(;FF[4]GM[1]CA[ISO8859_1]C[\xe9])",
        "(;FF[4]GM[1]CA[UTF-8]C[é])".encode(),
        b"(;FF[4]GM[1]CA[utf8]C[\xe9])",
        "(;FF[4]GM[1]CA[UTF-8]C[é])".encode(),
    ),
    Pair(
        "SGF204",
        "the game is in ASCII, the text before it is not",
        b"\xe9\n(;FF[4]GM[1]CA[latin-2];B[aa])",
        b"\xe9\n(;FF[4]GM[1]CA[ISO-8859-2];B[aa])",
    ),
    Pair(
        "SGF203",
        "the game is in ASCII, the text before it is in no charset that is known",
        b"\xe9\n(;FF[4]GM[1]CA[xyz];B[aa])",
        b"\xe9\n(;FF[4]GM[1]CA[UTF-8];B[aa])",
    ),
    Pair(
        "SGF208",
        "bytes of ASCII stand for themselves",
        b"(;FF[4]GM[1]CA[UTF-16]C[x])",
        b"(;FF[4]GM[1]CA[UTF-8]C[x])",
        b"(;FF[4]GM[1]CA[UTF-7]C[+AGE-])",
        b"(;FF[4]GM[1]CA[UTF-7]C[+AGE-])",
    ),
    Pair(
        "SGF210",
        "the text is in ASCII",
        b"(;FF[4]GM[1]CA[]C[x])",
        b"(;FF[4]GM[1]CA[UTF-8]C[x])",
        b"(;FF[4]GM[1]CA[]C[\xe9])",
        "(;FF[4]GM[1]CA[UTF-8]C[é])".encode(),
    ),
    Pair(
        "SGF206",
        "what cannot be decoded is lost",
        None,
        None,
        b"(;FF[4]GM[1]CA[UTF-8]C[\xc3\xa9\xc3\xa9\xff])",
        "(;FF[4]GM[1]CA[UTF-8]C[éé�])".encode(),
    ),
    Pair(
        "SGF211",
        "a colon after the first one is text",
        b"(;FF[4]GM[1]LB[aa:p\\]:q])",
        b"(;FF[4]GM[1]LB[aa:p\\]\\:q])",
    ),
    Pair(
        "SGF206",
        "the text can be decoded after its escapes are resolved",
        None,
        None,
        b"(;FF[4]GM[1]CA[GBK]N[\x95\\\xa5\xa5\x8e])",
        b"(;FF[4]GM[1]CA[GBK]C[N: \x95\\\xa5\xa5\x8e])",
    ),
]
