"""Measures the command with one small file, as a ratio to the start of Python.

python benchmarks/startup.py [FILE] [--rounds N]
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

import games


def seconds(command: list[str], folder: str) -> float:
    """Run the command and return how long it took."""
    start = time.perf_counter()
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL, cwd=folder)
    return time.perf_counter() - start


def installed() -> str:
    """Return the path of the command in the environment of this Python."""
    command = shutil.which("sgf-lark", path=sysconfig.get_path("scripts"))
    if command is None:
        raise SystemExit("sgf-lark is not installed for this Python")
    return command


def main() -> None:
    """Measure both commands in turn and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = options.file.absolute() if options.file else Path(folder) / "game.sgf"
        if options.file is None:
            with file.open("wb") as stream:
                games.write_game(stream, 20, 2000)
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "sgf-lark check": [installed(), "check", str(file)],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(options.rounds):
            for name, command in commands.items():
                times[name].append(seconds(command, folder))
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, median in medians.items():
        print(f"{name:16}{median:8.3f} s{median / medians['python -c pass']:8.2f}")


if __name__ == "__main__":
    main()
