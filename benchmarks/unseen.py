"""Measures how fast files are read that were not read before, and how fast findings are printed.

python benchmarks/unseen.py [FOLDER] [--rounds N] [--collection MB]

The files are those of FOLDER (.sgf and .mgt), or 5,000 different generated ones with many kinds of
findings, and then 5,000 records of games as archives have them, one in six with a defect. In each
round the caches are empty at the start, and each file is read once; the rounds of
all contestants are interleaved, and the results are medians of CPU time, on one core. The ratio is
to the parser of sgfmill for the same files, if it can read them. One collection of many generated
games is measured with `sgf-lark check`.
"""

from __future__ import annotations

import argparse
import gc
import io
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from random import Random

import archive_games
import games
from sgfmill import sgf_grammar

import sgf_lark
from sgf_lark.validation.caching import clear

#: The contestant that the others are compared with.
PARSE: dict[str, Callable[[bytes], object]] = {"sgfmill parse": sgf_grammar.parse_sgf_collection}
SUFFIXES = (".sgf", ".mgt")
FILES = 5_000
SIZE = 1_100
#: What people and programs write into a generated game instead of a correct property.
_FAULTS = (
    *("KM[6,5]", "RE[Black wins]", "RE[w+r]", "DT[11.9.2020]", "HA[1]", "TM[1 hour]", "GM[one]"),
    *("PL[black]", "WR[]", "XY[private]", "SO[a][b]", "SZ[19:19]", "KM[]", "AB[aa][aa]", "TR[zz]"),
)
_FAULTS_OF_NODES = (
    *("TE[3]", "BM[1]DO[]", "LB[aa:]", "TR[aa][aa]", "CR[ab:cd][ac]", "C[]", "L[aa]", "BL[1:30]"),
    *(
        "KO[]KO[]",
        "AB[cc]",
        "N[ ]",
        "FG[x]",
        "V[much]",
        "SQ[tt]",
        "MN[0]",
        "TR[ss:aa]",
    ),
)


def faulty_games(seed: int, count: int, size: int) -> Iterator[bytes]:
    """Yield different games of about that size, with some faults each."""
    source = Random(seed)
    for _ in range(count):
        text = b"".join(games.game(source, size)).decode()
        root, nodes = text.split("\n", 1)
        parts = nodes.split(";")
        for fault in source.choices(_FAULTS_OF_NODES, k=1 + len(parts) // 25):
            place = source.randrange(1, len(parts))
            variation = source.choice(("", f"C[{source.random()}]"))
            if parts[place].endswith("]"):
                parts[place] += fault + variation
        root += "".join(source.sample(_FAULTS, 2)) + f"GN[{source.random()}]"
        yield (root + "\n" + ";".join(parts)).encode()


def _readable(files: list[bytes]) -> list[bytes]:
    """Return the files that sgfmill can read."""
    found = []
    for data in files:
        try:
            sgf_grammar.parse_sgf_collection(data)
        except ValueError:
            continue
        found.append(data)
    return found


def _seconds(function: Callable[[bytes], object], files: list[bytes]) -> float:
    clear()
    gc.collect()
    start = time.process_time()
    for data in files:
        function(data)
    return time.process_time() - start


def _walk(data: bytes) -> None:
    for tree in sgf_lark.loads(data, tolerant=True):
        for node in tree.nodes():
            for entry in node.properties:
                try:
                    entry.value  # noqa: B018
                except ValueError:
                    continue


def _counts(data: bytes) -> object:
    report = sgf_lark.validate(data)
    return report.ok, report.counts


def _check(output_format: str, path: Path) -> Callable[[bytes], object]:
    """Run the command `check` in this process."""
    from sgf_lark.cli.commands import main

    def run(_: bytes) -> None:
        with redirect_stdout(io.TextIOWrapper(io.BytesIO(), encoding="utf-8")):
            main.main(
                ["check", "--format", output_format, "-j", "1", str(path)], standalone_mode=False
            )

    return run


def measure(
    contestants: dict[str, Callable[[bytes], object]], files: list[bytes], rounds: int
) -> None:
    """Print a table: microseconds for each file, and the ratio to the first contestant."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, function in contestants.items():
            times[name].append(_seconds(function, files))
    base = statistics.median(next(iter(times.values())))
    for name, seconds in times.items():
        median = statistics.median(seconds)
        print(f"{name:34}{median / len(files) * 1e6:12.0f} µs{base / median:8.2f}", flush=True)


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--collection", type=float, default=11, metavar="MB")
    options = parser.parse_args()
    if options.folder is None:
        measure_files([*faulty_games(1, FILES, SIZE)], options.rounds)
        records = [data for _, data in archive_games.games(1, 0, FILES)]
        measure_files(records, options.rounds)
    else:
        paths = sorted(path for path in options.folder.rglob("*") if path.suffix in SUFFIXES)
        measure_files([path.read_bytes() for path in paths], options.rounds)
    if options.collection:
        measure_collection(int(options.collection * 1e6 / 5_000), options.rounds)


def measure_files(files: list[bytes], rounds: int) -> None:
    """Print the tables for files that are each read once, and for those without findings."""
    files = _readable(files)
    found = [len(sgf_lark.validate(data).diagnostics) for data in files]
    size = sum(map(len, files))
    print(f"{len(files)} files, {size / 1e6:.2f} MB, {sum(found)} findings")
    measure(
        {
            **PARSE,
            "loads": lambda data: sgf_lark.loads(data, tolerant=True),
            "loads + walk": _walk,
            "validate, counts": _counts,
            "validate, diagnostics": lambda data: sgf_lark.validate(data).diagnostics,
        },
        files,
        rounds,
    )
    clean = [data for data, count in zip(files, found, strict=True) if not count]
    if clean:
        print(f"{len(clean)} of them without findings")
        measure({**PARSE, "validate": lambda data: sgf_lark.validate(data).ok}, clean, rounds)


def measure_collection(count: int, rounds: int) -> None:
    """Print the table for one collection of that many games."""
    data = b"".join(faulty_games(2, count, 5_000))
    count = sum(sgf_lark.validate(data).counts.values())
    print(f"a collection: {len(data) / 1e6:.2f} MB, {count} findings")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "collection.sgf")
        path.write_bytes(data)
        measure(
            {
                **PARSE,
                "validate, counts": _counts,
                "check, text": _check("text", path),
                "check, JSON lines": _check("jsonl", path),
            },
            [data],
            rounds,
        )


if __name__ == "__main__":
    main()
