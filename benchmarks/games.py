"""Generated Go games for the benchmarks; the same seed always gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import BinaryIO

_LETTERS = "abcdefghijklmnopqrs"
_POINTS = [column + row for column in _LETTERS for row in _LETTERS]
WORDS = (
    *("black", "white", "moves", "the", "corner", "side", "ladder", "ko", "seki", "liberty"),
    *("moyo", "sente", "gote", "joseki", "atari", "hane", "tesuji", "shape", "thick", "thin"),
    *("lives", "dies", "captures", "answers", "maybe", "[k3\\]", "back\\\\slash", "1:5"),
)


def files(seed: int) -> list[bytes]:
    """Return about 2 MB of games in four sizes, most of them small."""
    source = Random(seed)
    sizes = [1_000] * 200 + [5_000] * 60 + [50_000] * 12 + [300_000] * 3
    return [b"".join(game(source, size)) for size in sizes]


def text(folder: Path | None, size: int) -> str:
    """Return games of at most `size` characters: the .sgf files of a folder, or generated ones."""
    if folder is None:
        source = Random(20)
        found = (b"".join(game(source, 5_000)).decode() for _ in range(size // 1000))
    else:
        paths = sorted(folder.rglob("*.sgf"))
        found = (path.read_bytes().decode("utf-8", "replace") for path in paths)
    joined = ""
    for each in found:
        if len(joined) + len(each) <= size:
            joined += each
    return joined


def game(source: Random, size: int) -> Iterator[bytes]:
    """Yield one game of about `size` bytes in pieces: the root, then variations."""
    root = (
        "(;FF[4]GM[1]CA[UTF-8]AP[benchmark:1]SZ[19]PB[Black]PW[White]BR[3d]WR[4d]"
        f"KM[6.5]RE[B+{source.randrange(1, 60)}.5]DT[2020-0{source.randrange(1, 10)}-11]\n"
    ).encode()
    yield root
    written = len(root) + 2
    while written < size:
        piece = variation(source, size - written).encode()
        yield piece
        written += len(piece)
    yield b")\n"


def variation(source: Random, room: int) -> str:
    """Return a variation of at most about `room` characters that branches at its end."""
    points = source.sample(_POINTS, 200)
    parts = [f"(;AB{_list(points[:3])}AW{_list(points[3:5])}PL[B]C[{_remark(source)}]\n"]
    length = len(parts[0])
    for index, point in enumerate(points[5:185]):
        if length > room - 40:
            break
        parts.append(_move(source, index, point))
        length += len(parts[-1])
    fork = points[185:]
    parts.append(f"(;N[main];B[{fork[0]}];W[{fork[1]}])(;N[other];B[{fork[2]}];W[{fork[3]}]))\n")
    return "".join(parts)


def nested(depth: int) -> bytes:
    """Return `depth` nested variations: ``(;B[aa](;W[bb](;B[aa]…)))``."""
    pair = b"(;B[aa](;W[bb]"
    return pair * (depth // 2) + pair[:7] * (depth % 2) + b")" * depth


def write_game(file: BinaryIO, seed: int, size: int) -> None:
    """Write one game, piece by piece to keep the memory of the process small."""
    file.writelines(game(Random(seed), size))


def _move(source: Random, index: int, point: str) -> str:
    text = f";{'BW'[index % 2]}[{point}]"
    chance = source.random()
    if chance < 0.12:
        text += f"C[{_remark(source)}]"
    if chance < 0.05:
        marked = source.sample(_POINTS, 6)
        text += f"TR{_list(marked[:2])}CR{_list(marked[2:4])}LB[{marked[4]}:A][{marked[5]}:1]"
    elif chance > 0.97:
        text += "DD[aa:cc]"
    return text + ("\n" if index % 10 == 9 else "")


def _list(points: list[str]) -> str:
    return "".join(f"[{point}]" for point in points)


def _remark(source: Random) -> str:
    return " ".join(source.choices(WORDS, k=source.randrange(4, 30))).replace("[", "\\[")
