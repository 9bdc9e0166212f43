"""Clusters of Dask: processes on this machine, or one that runs elsewhere."""

from __future__ import annotations

import logging
from contextlib import ExitStack
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from distributed import Client

#: The task of a worker that ended fails at once: the run decides whether it is tried again.
_SETTINGS = {
    "distributed.scheduler.allowed-failures": 0,
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.worker.multiprocessing-method": "spawn",
    # The profile of a worker, with the call stacks of an hour, grows to 50 MB.
    "distributed.worker.profile.enabled": False,
    # Ctrl-C goes to all processes of a terminal: the first one ends the others.
    "distributed.worker.preload": ["import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"],
    "distributed.admin.large-graph-warning-threshold": "1GiB",
}


def local_client(stack: ExitStack, jobs: int | None) -> Client:
    """A client of a new cluster of `jobs` processes on this machine, which `stack` closes."""
    import dask
    from dask.system import CPU_COUNT
    from distributed import Client, LocalCluster

    stack.enter_context(dask.config.set(_SETTINGS))
    workers = jobs or CPU_COUNT
    cluster = stack.enter_context(
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        )
    )
    # A worker that ends while it starts is not started again otherwise.
    cluster.adapt(minimum=workers, maximum=workers)
    return stack.enter_context(Client(cluster))


#: The longest wait for a scheduler.
TIME_LIMIT = "10s"


def connected_client(address: str) -> Client:
    """A client of the scheduler at that address; raises OSError."""
    from distributed import Client

    return Client(address, timeout=TIME_LIMIT)
