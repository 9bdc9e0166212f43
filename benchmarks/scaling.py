"""Time and peak memory as the input grows in size and in depth.

python benchmarks/scaling.py [--sizes MB ...] [--rounds N] [--svg FILE]

Each measurement is one process with one generated game: a game of each size, and one of 100,000
nested variations. The result is the median of the rounds.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import games

SEED = 20
DEPTH = 100_000
FUNCTIONS = ("loads", "validate")
SIZES = [0.001, 0.01, 0.1, 1, 10, 100]


def peak() -> float:
    """Return the peak memory of this process in MB."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def measure_here(function: str, path: Path) -> None:
    """Process one file and print time and memory."""
    import sgf_lark

    process = getattr(sgf_lark, function)
    # The first call loads the grammar, which is not measured.
    process(b"(;FF[4]GM[1]SZ[19];B[aa];W[bb])")
    data = path.read_bytes()
    before = peak()
    start = time.perf_counter()
    outcome = process(data)
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "memory": peak() - before}))
    del outcome


def measure(function: str, path: Path, rounds: int) -> dict[str, float]:
    """Return the medians of the seconds and of the MB in addition to the input."""
    command = [sys.executable, __file__, "--child", function, str(path)]
    runs: list[dict[str, float]] = []
    for _ in range(rounds):
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        runs.append(json.loads(done.stdout))
    return {key: statistics.median(run[key] for run in runs) for key in runs[0]}


def inputs(folder: Path, sizes: list[float]) -> Iterator[tuple[str, Path]]:
    """Write the files piece by piece: the peak of a child process includes its parent's."""
    for size in sizes:
        path = folder / f"{size:g}.sgf"
        with path.open("wb") as file:
            games.write_game(file, SEED, int(size * 1_000_000))
        yield f"one game, {size:g} MB", path
    path = folder / "nested.sgf"
    path.write_bytes(games.nested(DEPTH))
    yield f"{DEPTH:,} nested variations", path


def plot(rows: list[dict[str, Any]], path: Path) -> None:
    """Plot seconds over megabytes on logarithmic axes; needs matplotlib."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
    for function in FUNCTIONS:
        found = [row for row in rows if row["function"] == function]
        for kind, style in (("game", "o-"), ("nested", "s")):
            points = [row for row in found if kind in row["input"]]
            axes.loglog(
                [row["mb"] for row in points],
                [row["seconds"] for row in points],
                style,
                label=f"{function}, {'one game' if kind == 'game' else f'depth {DEPTH:,}'}",
            )
    axes.set(xlabel="MB", ylabel="seconds", title="Time over size")
    axes.grid(True, which="both", alpha=0.3)
    axes.legend()
    figure.savefig(path)


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=float, nargs="*", default=SIZES, metavar="MB")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--svg", type=Path, help="Write a plot to this file.")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        measure_here(options.child[0], Path(options.child[1]))
        return
    rows: list[dict[str, Any]] = []
    print(f"{'':28}{'':9}{'MB':>9}{'seconds':>9}{'MB/s':>8}{'memory MB':>11}{'/ input':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for name, path in inputs(Path(folder), options.sizes):
            size = path.stat().st_size / 1e6
            for function in FUNCTIONS:
                row = measure(function, path, options.rounds)
                rows.append({"input": name, "function": function, "mb": size, **row})
                print(
                    f"{name:28}{function:>9}{size:9.3f}{row['seconds']:9.3f}"
                    f"{size / row['seconds']:8.2f}{row['memory']:11.1f}{row['memory'] / size:9.1f}",
                    flush=True,
                )
    if options.svg:
        plot(rows, options.svg)


if __name__ == "__main__":
    main()
