"""Measures the throughput of parsing and validation, and of other SGF libraries, in one run.

python benchmarks/throughput.py [FOLDER] [--rounds N]

The input is all .sgf files of FOLDER, or generated games, in memory; one core is used. The rounds
of all contestants are interleaved, and the result is the median. Files that a library cannot read
are counted as unread, and their bytes are not counted.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import games

Contestant = Callable[[bytes], object]


#: Measured with the files without diagnostics.
CLEAN = "sgf_lark validate, clean"
#: Validation as it is without compiled code. It takes long, so one file of that many is measured.
PLAIN = "sgf_lark validate, plain"
ONE_OF = 20
#: Measured with empty caches at the start of each round: the lower limit of the throughput.
FIRST = {
    "sgf_lark loads + walk, first": "sgf_lark loads + walk",
    "sgf_lark validate, first": "sgf_lark validate",
}


def loads_and_walk(data: bytes) -> None:
    """Load the model and convert every value."""
    import sgf_lark

    for tree in sgf_lark.loads(data):
        for node in tree.nodes():
            for entry in node.properties:
                try:
                    entry.value  # noqa: B018
                except ValueError:
                    continue


def contestants() -> dict[str, Contestant]:
    """Return what can be measured here; print which libraries are not installed."""
    import sgf_lark
    from sgf_lark.syntax.parsing import parse_strictly

    def validate(data: bytes) -> object:
        return sgf_lark.validate(data).diagnostics

    found: dict[str, Contestant] = {
        "sgf_lark parse": parse_strictly,
        "sgf_lark loads": sgf_lark.loads,
        "sgf_lark loads + walk": loads_and_walk,
        "sgf_lark validate": validate,
        CLEAN: validate,
        PLAIN: lambda data: sgf_lark.validate(data, engine="lark").diagnostics,
    }
    try:
        from sgfmill import sgf_grammar

        found["sgfmill parse"] = sgf_grammar.parse_sgf_collection
    except ImportError:
        print("sgfmill is not installed: left out")
    try:
        import sgf

        found["sgf parse"] = lambda data: sgf.parse(data.decode("latin-1"))
    except ImportError:
        print("sgf is not installed: left out")
    try:
        from pysgf import GoGame

        found["pysgf parse"] = lambda data: GoGame.parse_sgf(data.decode("latin-1"))
    except ImportError:
        print("pysgf is not installed: left out")
    return found


def measure(files: list[bytes], rounds: int) -> dict[str, tuple[float, int]]:
    """Return MB/s (the median of the rounds) and the number of unread files by contestant."""
    from sgf_lark.validation.caching import clear

    found = contestants()
    readable = {
        name: _readable(contestant, files) for name, contestant in found.items() if name != PLAIN
    }
    readable[PLAIN] = readable["sgf_lark validate"][::ONE_OF]
    readable[CLEAN] = [data for data in files if not found[CLEAN](data)]
    times: dict[str, list[float]] = {name: [] for name in (*found, *FIRST)}
    for _ in range(rounds):
        for name, contestant in found.items():
            times[name].append(_seconds(contestant, readable[name]))
    for name, repeated in FIRST.items():
        readable[name] = readable[repeated]
        for _ in range(rounds):
            clear()
            times[name].append(_seconds(found[repeated], readable[name]))
    return {
        name: (
            sum(map(len, readable[name])) / 1e6 / statistics.median(seconds),
            0 if name in (CLEAN, PLAIN) else len(files) - len(readable[name]),
        )
        for name, seconds in times.items()
        if readable[name]
    }


def _readable(contestant: Contestant, files: list[bytes]) -> list[bytes]:
    """Return the files that the contestant can read."""
    found = []
    for data in files:
        try:
            contestant(data)
        except Exception:  # each library has exceptions of its own
            continue
        found.append(data)
    return found


def _seconds(contestant: Contestant, files: list[bytes]) -> float:
    gc.collect()  # so that the garbage of another contestant is not collected now
    start = time.perf_counter()
    for data in files:
        contestant(data)
    return time.perf_counter() - start


_SABAKI = """
const {parseBuffer} = require("@sabaki/sgf"), fs = require("fs");
const [rounds, ...paths] = process.argv.slice(1);
const files = paths.map(path => fs.readFileSync(path));
const reads = data => { try { parseBuffer(data); return true } catch { return false } };
const readable = files.filter(reads);
const times = [];
for (let round = 0; round < +rounds; round++) {
  const start = process.hrtime.bigint();
  for (const data of readable) parseBuffer(data);
  times.push(Number(process.hrtime.bigint() - start) / 1e9);
}
times.sort((a, b) => a - b);
console.log(JSON.stringify({
  bytes: readable.reduce((sum, data) => sum + data.length, 0),
  unread: files.length - readable.length,
  seconds: times[times.length >> 1],
}));
"""


def sabaki(files: list[bytes], rounds: int) -> tuple[float, int] | None:
    """Return MB/s and unread files of @sabaki/sgf, or None if node does not find it."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number}.sgf" for number in range(len(files))]
        for path, data in zip(paths, files, strict=True):
            path.write_bytes(data)
        try:
            done = subprocess.run(
                ["node", "-e", _SABAKI, str(rounds), *map(str, paths)],
                capture_output=True,
                text=True,
                check=True,
            )
        except (OSError, subprocess.CalledProcessError):
            print("@sabaki/sgf is not installed: left out")
            return None
    found = json.loads(done.stdout)
    return found["bytes"] / 1e6 / found["seconds"], found["unread"]


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if options.folder is None:
        files = games.files(20)
    else:
        files = [path.read_bytes() for path in sorted(options.folder.rglob("*.sgf"))]
    results = measure(files, options.rounds)
    by_sabaki = sabaki(files, options.rounds)
    if by_sabaki is not None:
        results["@sabaki/sgf parse"] = by_sabaki
    base = results.get("sgfmill parse", next(iter(results.values())))[0]
    print(f"{len(files)} files, {sum(map(len, files)) / 1e6:.2f} MB, {options.rounds} rounds")
    print(f"{'':30}{'MB/s':>8}{'ratio':>8}{'unread':>8}")
    for name, (speed, unread) in results.items():
        print(f"{name:30}{speed:8.2f}{speed / base:8.2f}{unread:8}")
    if "sgfmill parse" in results:
        print("ratio: to sgfmill parse")


if __name__ == "__main__":
    main()
