"""Speed, memory and size of an audit, and whether killed processes change its tables.

python benchmarks/archives.py FOLDER [--workers N ...] [--cluster] [--kills WORKERS RUNS]

FOLDER has shards of benchmarks/archive_games.py. For each number of workers one row in Markdown:
the CPU time of all processes and of the command, the games and megabytes a second, the peak memory
of the command, of the scheduler and of a worker, the size of the tables as a share of the unpacked
input, and the seconds for the report, for duplicates and for all the queries of docs/archives.md;
for each query a row in a second table. The scheduler is in the process of the command; with
`--cluster` it and the workers are processes that are started before and reached over loopback, as
those of other machines.
With `--kills` the audit is then repeated while that many workers and whole runs are killed, and its
tables are compared.
"""

from __future__ import annotations

import argparse
import contextlib
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil
from pathlib import Path

import duckdb
import psutil
from distributed import Client

from sgf_lark.archive.results import TABLES, ResultError, connect, count_files

sys.path.append(str(Path(__file__).parent.parent))
from tests.kit.clusters import Cluster, running_cluster

_COMMAND = [sys.executable, "-m", "sgf_lark"]
#: What a query is for, and its SQL.
_QUERIES = re.findall(
    r"^([^\n]+):\n\n```sql\n(.*?)```",
    (Path(__file__).parent.parent / "docs/archives.md").read_text("utf-8"),
    re.DOTALL | re.MULTILINE,
)


@dataclass
class Usage:
    """Peak memory in bytes, and CPU time in seconds by process."""

    command: int = 0
    scheduler: int = 0
    worker: int = 0
    seconds: float = 0.0
    command_seconds: float = 0.0


@contextlib.contextmanager
def cluster(workers: int) -> Iterator[Cluster]:
    """A scheduler and workers that are ready, in processes of their own."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running_cluster(Path(folder), workers) as found,
        Client(found.address) as client,
    ):
        client.wait_for_workers(workers)
        yield found


def audit_command(folder: Path, result: Path, *where: str) -> list[str]:
    return [
        *_COMMAND,
        "audit",
        str(folder),
        "--result",
        str(result),
        "-q",
        "--config",
        "none",
        *where,
    ]


def workers_of(process: psutil.Process) -> list[psutil.Process]:
    with contextlib.suppress(psutil.Error):
        return [
            each
            for each in process.children(recursive=True)
            if "spawn_main" in " ".join(each.cmdline())
        ]
    return []


def watch(running: subprocess.Popen[bytes], used: Cluster | None) -> Usage:
    """Wait for the command and measure its processes."""
    usage = Usage()
    process = psutil.Process(running.pid)
    cpu: dict[int, float] = {}
    before = {each.pid: cpu_seconds(each) for each in processes(process, used)}
    while running.poll() is None:
        with contextlib.suppress(psutil.Error):
            usage.command = max(usage.command, process.memory_info().rss)
            if used is not None:
                scheduler = psutil.Process(used.scheduler.pid)
                usage.scheduler = max(usage.scheduler, scheduler.memory_info().rss)
            for each in workers_of(process if used is None else psutil.Process(used.nanny.pid)):
                usage.worker = max(usage.worker, each.memory_info().rss)
            cpu |= {each.pid: cpu_seconds(each) for each in processes(process, used)}
        time.sleep(0.2)
    usage.seconds = sum(cpu.values()) - sum(before.values())
    usage.command_seconds = cpu.get(running.pid, 0.0)
    return usage


def processes(command: psutil.Process, used: Cluster | None) -> list[psutil.Process]:
    """The processes of the command, of the scheduler and of the workers."""
    if used is None:
        return [command, *workers_of(command)]
    nanny = psutil.Process(used.nanny.pid)
    return [command, psutil.Process(used.scheduler.pid), nanny, *workers_of(nanny)]


def cpu_seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def measure(
    folder: Path, result: Path, workers: int, used: Cluster | None, queries: list[float]
) -> Iterator[str]:
    """Yield the cells of a row; add the seconds of each query to `queries`."""
    where = ("-j", str(workers)) if used is None else ("--scheduler", used.address)
    start = time.perf_counter()
    usage = watch(subprocess.Popen(audit_command(folder, result, *where)), used)
    seconds = time.perf_counter() - start
    database = connect(result)
    [(files, size)] = database.execute("SELECT count(*), sum(size) FROM files").fetchall()
    stored = sum(path.stat().st_size for table in TABLES for path in (result / table).iterdir())
    report, duplicates = (
        seconds_of(
            subprocess.run,
            [*_COMMAND, name, str(result), "--config", "none"],
            check=True,
            capture_output=True,
        )
        for name in ("report", "duplicates")
    )
    queries += [seconds_of(run_query, result, sql) for _, sql in _QUERIES]
    scheduler = f"{usage.scheduler / 1e6:.0f}" if used is not None else "in the command"
    yield from (f"{files:,}", f"{workers}", f"{seconds:.0f}", f"{usage.seconds:.0f}")
    yield f"{usage.command_seconds:.1f}"
    yield from (f"{files / seconds:.0f}", f"{size / seconds / 1e6:.2f}")
    yield from (f"{usage.command / 1e6:.0f}", scheduler, f"{usage.worker / 1e6:.0f}")
    yield from (f"{100 * stored / size:.1f} %", f"{report:.1f}", f"{duplicates:.1f}")
    yield f"{sum(queries):.2f}"


HEADS = (
    *("games", "workers", "seconds", "CPU s", "CPU s command", "games/s", "MB/s", "MB command"),
    *("MB scheduler", "MB worker", "tables", "report s", "duplicates s", "queries s"),
)


def seconds_of(function: Callable[..., object], *arguments: object, **options: object) -> float:
    start = time.perf_counter()
    function(*arguments, **options)
    return time.perf_counter() - start


def run_query(result: Path, sql: str) -> None:
    with connect(result) as database:
        rows = database.execute(sql)
        while rows.fetchmany(10_000):
            pass


def run_with_kills(folder: Path, result: Path, files: int, workers: int, runs: int) -> None:
    """Audit `files` files while workers and whole runs are killed, about evenly over all of the
    work."""
    kills = workers + runs
    # A run is killed after an equal number of workers each time.
    ends = {ceil((workers + 1) / (runs + 1) * (run + 1)) + run for run in range(runs)}
    command = audit_command(folder, result, "-j", "2")
    running = subprocess.Popen(command)
    for kill in range(1, kills + 1):
        while running.poll() is None and finished_share(result, files) < kill / (kills + 1):
            time.sleep(0.05)
        share = f"after {100 * finished_share(result, files):.0f} % of the files"
        if kill in ends:
            running.kill()
            print(f"killed the run {share}", flush=True)
            running.wait()
            running = subprocess.Popen(command)
            continue
        with contextlib.suppress(psutil.Error):  # the run may have ended
            for each in workers_of(psutil.Process(running.pid))[:1]:
                each.kill()
                print(f"killed a worker {share}", flush=True)
    running.wait()


def finished_share(result: Path, files: int) -> float:
    """The share of the files of an audit of `files` files that a run has finished."""
    with contextlib.suppress(ResultError, duckdb.Error):  # there may be no table yet
        [(finished,)] = connect(result).execute("SELECT count(*) FROM files").fetchall()
        return float(finished) / files
    return 0.0


def differing_tables(left: Path, right: Path) -> list[str]:
    """Return the tables in which two results differ in more than the order of their rows and the
    time taken."""
    found = []
    for table in TABLES:
        columns = "* EXCLUDE seconds" if table == "files" else "*"
        query = (
            "SELECT count(*), sum(hash(row)::HUGEINT), bit_xor(md5_number(row::VARCHAR)) "
            f"FROM (SELECT row FROM (SELECT {columns} FROM {table}) AS row)"
        )
        sums = [connect(each).execute(query).fetchall() for each in (left, right)]
        if sums[0] != sums[1]:
            found.append(table)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--cluster", action="store_true")
    parser.add_argument("--kills", type=int, nargs=2, metavar=("WORKERS", "RUNS"))
    options = parser.parse_args()
    print(f"| {' | '.join(HEADS)} |\n|{'---|' * len(HEADS)}")
    with tempfile.TemporaryDirectory() as temporary:
        result = Path(temporary)
        for workers in options.workers:
            queries: list[float] = []
            with cluster(workers) if options.cluster else contextlib.nullcontext() as used:
                row = list(measure(options.folder, result / str(workers), workers, used, queries))
            print(f"| {' | '.join(row)} |", flush=True)
        print("\n| query | seconds |\n|---|---|")
        for (purpose, _), seconds in zip(_QUERIES, queries, strict=True):
            print(f"| {purpose} | {seconds:.2f} |", flush=True)
        if options.kills:
            whole = result / str(options.workers[0])
            run_with_kills(
                options.folder, result / "killed", count_files(whole).files, *options.kills
            )
            found = differing_tables(whole, result / "killed")
            print(f"the tables differ: {', '.join(found)}" if found else "the tables are equal")


if __name__ == "__main__":
    main()
