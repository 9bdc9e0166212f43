"""A cluster as in life: a scheduler and workers in processes of their own, reached over TCP."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.kit.waiting import wait_until


class Cluster(NamedTuple):
    """The address and the process of a scheduler, and the process that starts the workers."""

    address: str
    scheduler: subprocess.Popen[bytes]
    nanny: subprocess.Popen[bytes]


@contextmanager
def running_cluster(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    """A scheduler and workers of one thread, which run in `folder` and write their logs there."""
    place = folder / "scheduler.json"
    environment = os.environ | {
        "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0",
        "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    }
    with ExitStack() as stack:

        def start(*arguments: str) -> subprocess.Popen[bytes]:
            command = [sys.executable, "-m", "dask", *arguments, "--scheduler-file", str(place)]
            log = stack.enter_context((folder / f"{arguments[0]}.log").open("wb"))
            running = stack.enter_context(
                subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
            )
            stack.callback(running.terminate)
            return running

        where = ("--host", "127.0.0.1", "--no-dashboard")
        scheduler = start("scheduler", *where, "--port", "0")
        nanny = start("worker", *where, "--nworkers", str(workers), "--nthreads", "1")
        yield Cluster(_address(place), scheduler, nanny)


def _address(place: Path) -> str:
    found = ""

    def is_there() -> bool:
        nonlocal found
        try:
            found = json.loads(place.read_bytes())["address"]
        except (FileNotFoundError, ValueError):  # it is not there, or not complete
            return False
        return True

    wait_until(is_there)
    return found
