"""An archive of different generated games, in packed shards, for the benchmarks of archives.

python benchmarks/archive_games.py FOLDER [--games N] [--shard N] [--seed N]

writes FOLDER/000.tar.zst and so on. A game has about 1.5 KB: players, ranks, dates, results and
komi of its time, moves, now and then comments and variations. One in about six has a defect that
real archives have. The same seed always gives the same games.
"""

from __future__ import annotations

import argparse
import io
import tarfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from games import WORDS

_LETTERS = "abcdefghijklmnopqrs"
_POINTS = {
    side: [column + row for column in _LETTERS[:side] for row in _LETTERS[:side]]
    for side in (9, 13, 19)
}
_SURNAMES = ("Aoki", "Baker", "Chen", "Dubois", "Endo", "Fischer", "Garcia", "Han", "Ito", "Jung")
_NAMES = ("Akira", "Bo", "Claire", "Dan", "Emi", "Felix", "Gao", "Hana", "Ivan", "Jin", "Kei")
_PROGRAMS = ("Editor:1.2", "Editor:2.0", "Server:1", "Server:2", "Bot:0.9", "Club Viewer:3.1")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def game(source: Random) -> bytes:
    """Return one game."""
    side = source.choices((19, 13, 9), (90, 4, 6))[0]
    year = source.randint(1950, 2024)
    komi = "4.5" if year < 1970 else "5.5" if year < 2000 else "6.5"
    if year > 2000 and source.random() < 0.4:
        komi = "7.5"
    winner = source.choice("BW")
    how = source.choices(("R", "T", f"{source.randint(0, 40)}.5"), (55, 5, 40))[0]
    count = max(10, min(int(source.gauss(0.58, 0.2) * side * side), side * side - 40))
    root = {
        "FF": "4",
        "GM": "1",
        "CA": "UTF-8",
        "AP": source.choice(_PROGRAMS),
        "SZ": str(side),
        "PB": f"{source.choice(_NAMES)} {source.choice(_SURNAMES)}",
        "BR": f"{source.randint(1, 9)}d",
        "PW": f"{source.choice(_NAMES)} {source.choice(_SURNAMES)}",
        "WR": f"{source.randint(1, 9)}d",
        "DT": f"{year}-{source.randint(1, 12):02}-{source.randint(1, 28):02}",
        "EV": f"{source.choice(('Cup', 'League', 'Open', 'Title match'))} {year}",
        "RU": source.choice(("Japanese", "Chinese", "AGA")),
        "KM": komi,
        "RE": f"{winner}+{how}",
    }
    moves = source.sample(_POINTS[side], count)
    parts = [f";{'BW'[index % 2]}[{point}]" for index, point in enumerate(moves)]
    for _ in range(source.choices((0, 2, 8), (70, 20, 10))[0]):
        remark = " ".join(source.choices(WORDS, k=source.randint(3, 15)))
        parts[source.randrange(count)] += f"C[the {remark}]"
    if source.random() < 0.1:
        parts[-1] = f"({parts[-1]})(;{'BW'[count % 2]}[])"
    return _with_defect(source, root, "".join(parts), year)


def _with_defect(source: Random, root: dict[str, str], moves: str, year: int) -> bytes:
    """Return the game, one in about six with a defect."""
    codec, end = "utf-8", ")\n"
    match source.randrange(60):
        case 0 | 1:
            root["DT"] = f"{source.randint(1, 28)} {source.choice(_MONTHS)} {year}"
        case 2:
            root["KM"] = root["KM"].replace(".", ",")
        case 3 | 4:
            root["RE"] = source.choice(("Black wins", "White wins by resignation", "B+Resignation"))
        case 5:
            del root["FF"], root["CA"]
        case 6:
            root |= {"PB": "李昌镐", "PW": "马晓春"}
            del root["CA"]
            codec = "gb18030"
        case 7:
            end = ""
        case 8:
            root["MULTIGOGM"] = "1"
        case 9:
            moves += ";B[zz]"
    start = "".join(f"{ident}[{value}]" for ident, value in root.items())
    return f"(;{start}\n{moves}{end}".encode(codec)


def games(seed: int, first: int, count: int) -> Iterator[tuple[str, bytes]]:
    """Yield the names and the bytes of `count` games from number `first` on."""
    source = Random(f"{seed}:{first}")
    for number in range(first, first + count):
        yield f"{number // 1000:04}/{number:07}.sgf", game(source)


def write_shard(path: Path, members: Iterator[tuple[str, bytes]]) -> None:
    """Write a tar archive packed with zstd."""
    try:
        from compression import zstd
    except ImportError:
        from backports import zstd
    with zstd.open(path, "wb") as packed, tarfile.open(fileobj=packed, mode="w|") as archive:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))


def write_archive(folder: Path, count: int, shard: int, seed: int) -> None:
    """Write `count` games in shards."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, first in enumerate(range(0, count, shard)):
        members = games(seed, first, min(shard, count - first))
        write_shard(folder / f"{number:03}.tar.zst", members)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--shard", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=22)
    options = parser.parse_args()
    write_archive(options.folder, options.games, options.shard, options.seed)


if __name__ == "__main__":
    main()
