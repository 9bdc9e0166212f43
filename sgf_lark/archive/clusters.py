"""Clusters of Dask: processes on this machine, or one that runs elsewhere."""

from __future__ import annotations

import logging
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from distributed import Client

#: Settings of Dask while a cluster of this machine starts.
_SETTINGS = {
    # The task of a worker that ended fails at once: the run decides whether it is tried again.
    "distributed.scheduler.allowed-failures": 0,
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.worker.multiprocessing-method": "spawn",
}
#: Those in its workers, also in those that start later.
_SETTINGS_OF_WORKERS = {
    # The profile of a worker, with the call stacks of an hour, grows to 50 MB.
    "distributed.worker.profile.enabled": False,
}
#: Ctrl-C goes to all processes of a terminal: the first one ends the others.
_PRELOAD = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"


class RunError(RuntimeError):
    """Why a run cannot be started, or goes on to no purpose."""


def client_for(stack: ExitStack, client: Client | None, jobs: int | None) -> Client:
    """The client to use: `client`; without `jobs` the one that is active, as Dask's own functions
    take it; or that of a new cluster of `jobs` processes on this machine, which `stack` closes.

    Raises RunError where that cluster does not start.
    """
    from distributed import Client

    if client is not None:
        return client
    if jobs is None:
        with suppress(ValueError):  # there is none
            return Client.current()
    return _local_client(stack, jobs)


def _local_client(stack: ExitStack, jobs: int | None) -> Client:
    import dask
    from dask.system import CPU_COUNT
    from distributed import Client, LocalCluster

    workers = jobs or CPU_COUNT
    try:
        # These are settings of the process: they stay only as long as something starts.
        with dask.config.set(_SETTINGS):
            cluster = stack.enter_context(
                LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address="127.0.0.1:0",
                    # To look for the packages of the dashboard changes the configuration of Dask.
                    scheduler_kwargs={"dashboard": False},
                    silence_logs=logging.CRITICAL,
                    config=_SETTINGS_OF_WORKERS,
                    preload=[_PRELOAD],
                )
            )
            # A worker that ends while it starts is not started again otherwise.
            cluster.adapt(minimum=workers, maximum=workers)
            return stack.enter_context(Client(cluster, set_as_default=False))
    except (OSError, RuntimeError) as error:
        raise RunError(f"the cluster of this machine does not start: {error}") from error


#: The longest wait for a scheduler.
TIME_LIMIT = "10s"


def connected_client(address: str) -> Client:
    """A client of the scheduler at that address, which is not the default of this process.

    Raises RunError.
    """
    from distributed import Client

    try:
        return Client(address, timeout=TIME_LIMIT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise RunError(f"no scheduler answers at {address}: {error}") from error
