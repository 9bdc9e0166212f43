"""Measures the CPU time of commands, with all their processes, and the memory of `validate`.

python benchmarks/commands.py [--rounds N] [--files N] [--memory MB]

The commands are `check` of a clean and of a damaged file, as a ratio to the start of Python; `show`
with an animation of a game of some 200 moves; and `convert` of a folder of games to JSON. Then the
peak memory of `validate` for one collection with many findings, as a multiple of its size.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import archive_games
import unseen
from startup import installed

CLEAN = (
    b"(;FF[4]GM[1]CA[UTF-8]SZ[19]PB[Black]PW[White]KM[6.5]RE[B+3.5]DT[2001-02-03];B[pd];W[dp])\n"
)
DAMAGED = "(;FF[4]GM[1]SZ[19]PB[\u674e\u660c]KM[6,5]RE[B wins];B[pd];W[dp".encode("gb18030")
_MEMORY = """
import resource, sys
import sgf_lark
data = open(sys.argv[1], "rb").read()
report = sgf_lark.validate(data)
print(sum(report.counts.values()), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


def cpu_seconds(command: list[str], folder: Path) -> float:
    """Run a command and return the CPU time of all its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--files", type=int, default=7_259, help="Files in the folder.")
    parser.add_argument("--memory", type=float, default=98, metavar="MB")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        measure_commands(folder, options.files, options.rounds)
        if options.memory:
            measure_memory(folder, int(options.memory * 1e6 / 5_000))


def measure_commands(folder: Path, files: int, rounds: int) -> None:
    """Print the median CPU time of each command, and its ratio to that of `python -c pass`."""
    (folder / "clean.sgf").write_bytes(CLEAN)
    (folder / "damaged.sgf").write_bytes(DAMAGED)
    (folder / "games").mkdir()
    for number, (_, data) in enumerate(archive_games.games(1, 0, files)):
        (folder / "games" / f"{number}.sgf").write_bytes(data)
        if data.count(b";") > 200 and not (folder / "game.sgf").exists():
            (folder / "game.sgf").write_bytes(data)
    lark = installed()
    times: dict[str, list[float]] = {}
    for number in range(rounds):
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "check clean.sgf": [lark, "check", "clean.sgf"],
            "check damaged.sgf": [lark, "check", "damaged.sgf"],
            "show game.sgf -o game.gif": [lark, "show", "game.sgf", "-o", "game.gif"],
            f"convert {files} games": [lark, "convert", "games", "-o", f"json-{number}"],
        }
        for each, command in commands.items():
            times.setdefault(each, []).append(cpu_seconds(command, folder))
    medians = {name: statistics.median(seconds) for name, seconds in times.items()}
    for name, median in medians.items():
        print(f"{name:30}{median:8.3f} s{median / medians['python -c pass']:8.2f}", flush=True)


def measure_memory(folder: Path, games: int) -> None:
    """Print the peak memory of `validate`, and less that of an empty file."""
    peaks = []
    path = folder / "collection.sgf"
    for data in (b"(;)", b"".join(unseen.faulty_games(2, games, 5_000))):
        path.write_bytes(data)
        found = subprocess.run(
            [sys.executable, "-c", _MEMORY, str(path)], capture_output=True, check=True, text=True
        )
        findings, peak = map(int, found.stdout.split())
        peaks.append(peak)
    size = len(data)
    print(f"validate, {size / 1e6:.1f} MB, {findings} findings: peak {peaks[1] / size:.2f} x")
    print(f"without that of an empty file: {(peaks[1] - peaks[0]) / size:.2f} x")


if __name__ == "__main__":
    main()
