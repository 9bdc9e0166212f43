"""The workers of a run: one in this process, or several processes with targets of their own."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.util import Finalize
from typing import Any

from sgf_lark.fuzz.working import Settings, Worker

#: The longest wait for a result, in seconds, so that Ctrl-C takes effect.
_POLL_INTERVAL = 0.5

Task = tuple[Any, ...]


class Crew:
    """Runs methods of :class:`Worker`; `lost` counts pools of processes of which one has ended."""

    def __init__(self, settings: Settings, count: int) -> None:
        """Use a worker in this process, or `count` processes, which start when they are needed."""
        self._settings = settings
        self._count = count
        self._local = Worker(settings) if count == 1 else None
        # With "fork" a worker would inherit the descriptors and threads of this process.
        self._context = multiprocessing.get_context("spawn")
        self._stop = self._context.Event()
        self._pool = self._new_pool()
        self._running: dict[Future[Any], int] = {}
        self.lost = 0

    def _new_pool(self) -> ProcessPoolExecutor:
        # A process that was killed can hold a lock that the others wait for. They end when the
        # other end of this pipe is closed: SIGTERM, which the pool sends them, is ignored.
        in_use, self._in_use = self._context.Pipe(duplex=False)
        return ProcessPoolExecutor(
            self._count, self._context, _prepare_process, (self._settings, self._stop, in_use)
        )

    def results(self, method: str, tasks: Iterable[Task]) -> Iterator[tuple[int, Any]]:
        """Yield the index of each task, which is the arguments of the method, and its result.

        The order is that in which they are done; a task is taken when a worker is idle. What ran
        when the last iteration was interrupted comes first. Raises TargetError.
        """
        waiting = enumerate(tasks)
        if self._local is not None:
            yield from ((at, getattr(self._local, method)(*task)) for at, task in waiting)
            return
        try:
            while True:
                for at, task in islice(waiting, self._count - len(self._running)):
                    self._running[self._pool.submit(_call, method, task)] = at
                if not self._running:
                    return
                done, _ = wait(self._running, _POLL_INTERVAL, FIRST_COMPLETED)
                for future in done:
                    yield self._running.pop(future), future.result()
        except BrokenProcessPool:
            self.lost += 1
            self._running.clear()
            self._in_use.close()
            self._pool = self._new_pool()

    def stop(self) -> None:
        """Let all processes end what they do as soon as possible."""
        self._stop.set()

    def close(self) -> None:
        """End all processes."""
        self.stop()
        if self._local is not None:
            self._local.close()
        self._pool.shutdown(cancel_futures=True)


# --- In the processes -------------------------------------------------------------

#: The settings of this process and its worker, which is made when it is first needed.
_process: dict[str, Any] = {}


def _prepare_process(settings: Settings, stop: Any, in_use: Connection) -> None:
    # Ctrl-C goes to all processes of a terminal, SIGTERM of a CI server to all of the job; only the
    # main process handles them.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    _process.update(settings=settings, stop=stop)
    threading.Thread(target=_end_with_pool, args=(in_use,), daemon=True).start()


def _end_with_pool(in_use: Connection) -> None:
    """End this process when its parent has ended or has a new pool."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    multiprocessing.connection.wait([parent.sentinel, in_use])
    os._exit(1)


def _call(method: str, task: Task) -> Any:
    if "worker" not in _process:
        worker = Worker(_process["settings"], _process["stop"].is_set)
        _process["worker"] = worker
        # Functions of atexit are not called in these processes.
        Finalize(worker, worker.close, exitpriority=1)
    return getattr(_process["worker"], method)(*task)
