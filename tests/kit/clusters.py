"""A cluster as in life: a scheduler and workers in processes of their own, reached over TCP."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
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
        yield Cluster(wait_until(partial(_address, place)), scheduler, nanny)


def _address(place: Path) -> str:
    """The address in the file of a scheduler; "" while it is not there, or not complete."""
    try:
        return str(json.loads(place.read_bytes())["address"])
    except (FileNotFoundError, ValueError):
        return ""
