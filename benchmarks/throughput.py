"""Throughput of parsing and validating, against other SGF libraries, in one run.

python benchmarks/throughput.py [FOLDER] [--rounds N]

Measures over all .sgf files of FOLDER, or over games that it generates, on one
core and in memory. The rounds of all contestants are interleaved; the median
counts. A file that a library cannot read is left out of its bytes, and counted.
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


#: Over the files in which nothing is found.
CLEAN = "sgf_lark validate, clean"
#: Short values and properties are remembered, and what was said of them. In a round of
#: these none of the files was seen before: the least that is reached where all are new.
FIRST = {
    "sgf_lark loads + walk, first": "sgf_lark loads + walk",
    "sgf_lark validate, first": "sgf_lark validate",
}


def loads_and_walk(data: bytes) -> None:
    """Ours: the model, with every typed value read."""
    import sgf_lark

    for tree in sgf_lark.loads(data):
        for node in tree.nodes():
            for entry in node.properties:
                try:
                    entry.value  # noqa: B018
                except ValueError:
                    continue


def contestants() -> dict[str, Contestant]:
    """What can be measured here; a library that is not installed is said to be left out."""
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
    """For each contestant MB/s (median of the rounds) and the number of unread files."""
    from sgf_lark.validation.planning import forget

    found = contestants()
    readable: dict[str, list[bytes]] = {}
    for name, contestant in found.items():
        readable[name] = []
        for data in files:
            try:
                contestant(data)
            except Exception:  # how a peer refuses a file is its own affair
                continue
            readable[name].append(data)
    readable[CLEAN] = [data for data in files if not found[CLEAN](data)]
    times: dict[str, list[float]] = {name: [] for name in (*found, *FIRST)}
    for _ in range(rounds):
        for name, contestant in found.items():
            times[name].append(_seconds(contestant, readable[name]))
    for name, again in FIRST.items():
        readable[name] = readable[again]
        for _ in range(rounds):
            forget()
            times[name].append(_seconds(found[again], readable[name]))
    return {
        name: (
            sum(map(len, readable[name])) / 1e6 / statistics.median(seconds),
            0 if name == CLEAN else len(files) - len(readable[name]),
        )
        for name, seconds in times.items()
    }


def _seconds(contestant: Contestant, files: list[bytes]) -> float:
    gc.collect()  # the garbage of others is not looked for while this one runs
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
    """@sabaki/sgf under node, which has to find the package; MB/s and unread files."""
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
    """Measures and prints the table."""
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
