"""Pairs for the fixes of properties of older file formats (4xx)."""

from __future__ import annotations

from tests.pairs import never, pair


def _points(columns: str, rows: str) -> bytes:
    return "".join(f"[{column}{row}]" for row in rows for column in columns).encode()


_BOARD = _points("abcdefghijklmnopqrs", "abcdefghijklmnopqrs")
_PART = _points("abcdefghijklmn", "abcdefghijklm")

PAIRS = {
    "SGF433": [
        never(
            "no property may have another meaning in FF[4]",
            (b"(;FF[3]GM[1]SZ[20])", b"(;FF[4]GM[1]SZ[20])"),
        )
    ],
    "SGF434": [
        pair(
            '"tt" is not on the board, which has at most 19 lines',
            (b"(;FF[3]GM[1]SZ[19];B[])", b"(;FF[3]GM[1]SZ[19];B[tt])"),
            (b"(;FF[3]GM[1]SZ[20];B[])", b"(;FF[4]GM[1]SZ[20];B[])"),
        ),
        pair(
            "the size of the board is known",
            (b"(;FF[3]GM[1];B[])", b"(;FF[3]GM[1];B[tt])"),
            (b"(;FF[3]GM[1]SZ[x];B[])", b"(;FF[3]GM[1]C[SZ: x];B[tt])"),
        ),
        pair(
            "no other node has a size of the board",
            (b"(;FF[3]GM[1];B[];W[aa])", b"(;FF[3]GM[1];B[tt];W[aa])"),
            (b"(;FF[3]GM[1];SZ[21];B[];W[aa])", b"(;FF[4]GM[1]SZ[21];;B[];W[aa])"),
        ),
    ],
    "SGF435": [
        never(
            "FF[4] is declared once for all views of a game",
            (
                b"(;FF[3]GM[1];VW[aa][bb][cc];VW[dd][ee][ff])",
                b"(;FF[4]GM[1];VW[aa][bb][cc];VW[dd][ee][ff])",
            ),
        )
    ],
    "SGF436": [
        never(
            "no property may have another meaning in FF[4]",
            (b"(;FF[3]GM[1]LB[aa:12345])", b"(;FF[4]GM[1]LB[aa:12345])"),
        )
    ],
    "SGF437": [
        pair(
            "both corners are on the board",
            (b"(;FF[3]GM[1]SZ[3]AB[bb:cc])", b"(;FF[3]GM[1]SZ[3]AB[bb][cb][bc][cc])"),
            (b"(;FF[3]GM[1]SZ[2]AB[bb:cc])", b"(;FF[3]GM[1]SZ[2]C[AB: bb:cc])"),
        ),
        pair(
            "the rectangles have at most 50,000 points",
            (
                b"(;FF[3]GM[1]" + b";AB[aa:ss]" * 138 + b";AB[aa:nm])",
                b"(;FF[3]GM[1]" + (b";AB" + _BOARD) * 138 + b";AB" + _PART + b")",
            ),
            (
                b"(;FF[3]GM[1]" + b";AB[aa:ss]" * 137 + b";AB[aa:pq];AB[aa:pq])",
                b"(;FF[4]GM[1]" + b";AB[aa:ss]" * 137 + b";AB[aa:pq];AB[aa:pq])",
            ),
        ),
        pair(
            "the list may have any number of points",
            (b"(;FF[3]GM[1]TR[aj:am])", b"(;FF[3]GM[1]TR[aj][ak][al][am])"),
            (b"(;FF[3]GM[1]VW[aj:am])", b"(;FF[3]GM[1]VW[aj][am])"),
        ),
        never(
            "the two corners are the only values",
            (b"(;FF[3]GM[1]VW[aj:am][bb])", b"(;FF[4]GM[1]VW[aj:am][bb])"),
        ),
    ],
}
