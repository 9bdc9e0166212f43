"""Speed, memory and size of an audit, and whether killed processes change its tables.

python benchmarks/archives.py FOLDER [--workers N ...] [--kills WORKERS RUNS]

FOLDER has shards of benchmarks/archive_games.py. For each number of workers one row in Markdown:
the games and megabytes a second, the CPU time of all processes, the peak memory of the command
(with the scheduler) and of a worker, the size of the tables as a share of the unpacked input, and
the seconds for the report, and for all the queries of docs/archives.md. With `--kills` the audit is
then repeated while that many workers and whole runs are killed, and its tables are compared.
"""

from __future__ import annotations

import argparse
import contextlib
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from sgf_lark.archive.columns import TABLES
from sgf_lark.archive.database import connect

_COMMAND = [sys.executable, "-m", "sgf_lark"]
_QUERIES = re.findall(
    r"```sql\n(.*?)```",
    (Path(__file__).parent.parent / "docs/archives.md").read_text("utf-8"),
    re.DOTALL,
)


@dataclass
class Usage:
    """Peak memory in bytes, and CPU time in seconds by process."""

    command: int = 0
    worker: int = 0
    seconds: float = 0.0


def audit_command(folder: Path, result: Path, workers: int) -> list[str]:
    return [
        *_COMMAND,
        *("audit", str(folder), "-o", str(result), "-q", "--no-config", "-j", str(workers)),
    ]


def workers_of(process: psutil.Process) -> list[psutil.Process]:
    with contextlib.suppress(psutil.Error):
        return [
            each
            for each in process.children(recursive=True)
            if "spawn_main" in " ".join(each.cmdline())
        ]
    return []


def watch(running: subprocess.Popen[bytes]) -> Usage:
    """Wait for the command and measure its processes."""
    usage = Usage()
    process = psutil.Process(running.pid)
    cpu: dict[int, float] = {}
    while running.poll() is None:
        with contextlib.suppress(psutil.Error):
            usage.command = max(usage.command, process.memory_info().rss)
            for each in [process, *workers_of(process)]:
                times = each.cpu_times()
                cpu[each.pid] = times.user + times.system
                if each.pid != running.pid:
                    usage.worker = max(usage.worker, each.memory_info().rss)
        time.sleep(0.2)
    usage.seconds = sum(cpu.values())
    return usage


def measure(folder: Path, result: Path, workers: int) -> Iterator[str]:
    """Yield the cells of a row."""
    start = time.perf_counter()
    usage = watch(subprocess.Popen(audit_command(folder, result, workers)))
    seconds = time.perf_counter() - start
    database = connect(result)
    [(files, size)] = database.execute("SELECT count(*), sum(size) FROM files").fetchall()
    stored = sum(path.stat().st_size for table in TABLES for path in (result / table).iterdir())
    start = time.perf_counter()
    subprocess.run(
        [*_COMMAND, "report", str(result), "--no-config"], check=True, capture_output=True
    )
    report = time.perf_counter() - start
    start = time.perf_counter()
    for sql in _QUERIES:
        connect(result).execute(sql).fetchall()
    queries = time.perf_counter() - start
    yield from (f"{files:,}", f"{workers}", f"{seconds:.0f}", f"{usage.seconds:.0f}")
    yield from (f"{files / seconds:.0f}", f"{size / seconds / 1e6:.2f}")
    yield from (f"{usage.command / 1e6:.0f}", f"{usage.worker / 1e6:.0f}")
    yield from (f"{100 * stored / size:.1f} %", f"{report:.1f}", f"{queries:.2f}")


HEADS = (
    *("games", "workers", "seconds", "CPU seconds", "games/s", "MB/s", "MB command"),
    *("MB worker", "tables", "report s", "queries s"),
)


def run_with_kills(folder: Path, result: Path, workers: int, runs: int) -> None:
    """Audit while workers and whole runs are killed, about evenly."""
    parts = result / "files"

    def finished() -> int:
        return len(list(parts.glob("*.parquet"))) if parts.exists() else 0

    for run in range(runs + 1):
        running = subprocess.Popen([*audit_command(folder, result, 2), "--chunk-size", "1"])
        share = workers // (runs + 1) + (run < workers % (runs + 1))
        for _ in range(share):
            before = finished()
            while running.poll() is None and finished() == before:
                time.sleep(0.05)
            with contextlib.suppress(psutil.Error):  # the run may have ended
                for each in workers_of(psutil.Process(running.pid))[:1]:
                    each.kill()
                    print(f"killed a worker after {finished()} chunks", flush=True)
        if run < runs:
            before = finished()
            while running.poll() is None and finished() == before:
                time.sleep(0.05)
            print(f"killed the run after {finished()} chunks", flush=True)
            running.kill()
        running.wait()


def differing_tables(left: Path, right: Path) -> list[str]:
    """Return the tables in which two results differ, but for the time taken."""
    found = []
    for table in TABLES:
        query = f"SELECT * EXCLUDE seconds FROM {table}" if table == "files" else f"FROM {table}"
        rows = [sorted(connect(each).execute(query).fetchall(), key=repr) for each in (left, right)]
        if rows[0] != rows[1]:
            found.append(table)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--kills", type=int, nargs=2, metavar=("WORKERS", "RUNS"))
    options = parser.parse_args()
    print(f"| {' | '.join(HEADS)} |\n|{'---|' * len(HEADS)}")
    with tempfile.TemporaryDirectory() as temporary:
        result = Path(temporary)
        for workers in options.workers:
            row = list(measure(options.folder, result / str(workers), workers))
            print(f"| {' | '.join(row)} |", flush=True)
        if options.kills:
            run_with_kills(options.folder, result / "killed", *options.kills)
            found = differing_tables(result / str(options.workers[0]), result / "killed")
            print(f"the tables differ: {', '.join(found)}" if found else "the tables are equal")


if __name__ == "__main__":
    main()
