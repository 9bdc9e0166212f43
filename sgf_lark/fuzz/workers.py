"""Runs with several worker processes, each of which has its own targets."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from typing import Any

from sgf_lark.fuzz.outcomes import TargetError
from sgf_lark.fuzz.running import (
    Finding,
    Progress,
    Result,
    Settings,
    Watcher,
    Worker,
    stop_condition,
)

#: The longest wait for a message, in seconds, so that Ctrl-C takes effect.
_POLL_INTERVAL = 0.5


def run_in_parallel(
    result: Result, workers: int, seconds: float | None, examples: int | None, watch: Watcher
) -> None:
    """Run as in one process; each worker takes every n-th input."""
    # With "fork" a worker would inherit the descriptors and threads of this process.
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    pool: list[tuple[Any, Connection]] = []
    try:
        for number in range(workers):
            here, there = context.Pipe()
            arguments = (result.settings, number, workers, seconds, examples, stop, there)
            process = context.Process(target=_serve, args=arguments, daemon=True)
            process.start()
            there.close()
            pool.append((process, here))
        connections = [connection for _, connection in pool]
        busy = list(connections)
        try:
            _collect(result, busy, watch)
        except KeyboardInterrupt:
            result.interrupted = True
            stop.set()
            _collect(result, busy, watch)
        if not result.interrupted:
            _minimize(result, connections, watch)
    except KeyboardInterrupt:
        result.interrupted = True
    finally:
        stop.set()
        for process, connection in pool:
            connection.close()
            process.join()
    result.lost_workers = workers - sum(process.exitcode == 0 for process, _ in pool)


def _collect(result: Result, busy: list[Connection], watch: Watcher) -> None:
    """Add the progress of all workers until each has sent its last number or has ended.

    A worker is then removed from `busy`.
    """
    while busy:
        for ready in wait(busy, _POLL_INTERVAL):
            assert isinstance(ready, Connection)
            message = _receive(ready)
            if isinstance(message, Progress):
                result.add(message)
                watch(result)
            elif isinstance(message, int):
                result.next_number = max(result.next_number, message)
                busy.remove(ready)
            elif isinstance(message, str):
                raise TargetError(message)
            elif message is None:
                busy.remove(ready)


def _receive(connection: Connection) -> Any:
    """Return the next message, or None if the worker has ended."""
    try:
        return connection.recv()
    except (EOFError, OSError):
        return None


def _minimize(result: Result, connections: list[Connection], watch: Watcher) -> None:
    """Have the findings minimized; each idle worker gets the next one."""
    waiting = list(enumerate(result.findings))
    busy: dict[Connection, int] = {}
    idle = list(connections)
    while waiting or busy:
        while idle and waiting:
            connection = idle.pop()
            index, finding = waiting.pop(0)
            with contextlib.suppress(OSError):
                connection.send(finding)
                busy[connection] = index
        if not busy:
            return
        for ready in wait([*busy], _POLL_INTERVAL):
            assert isinstance(ready, Connection)
            index = busy.pop(ready)
            found = _receive(ready)
            if isinstance(found, Finding):
                count = result.findings[index].count
                result.findings[index] = replace(found, count=count)
                idle.append(ready)
            watch(result)


def _serve(
    settings: Settings,
    first: int,
    step: int,
    seconds: float | None,
    examples: int | None,
    stop: Any,
    connection: Connection,
) -> None:
    """Run the inputs of one worker process, then minimize the findings that it receives."""
    # Ctrl-C goes to all processes of a terminal; only the main process handles it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    over: Callable[[int], bool] = stop_condition(seconds, examples)
    try:
        with contextlib.closing(Worker(settings, stop.is_set)) as worker:
            number = first

            def is_over(at: int) -> bool:
                nonlocal number
                number = at
                return stop.is_set() or over(at)

            for progress in worker.work(first, step, is_over):
                connection.send(progress)
            connection.send(max(0, number - step + 1))
            while not stop.is_set():
                connection.send(worker.minimize(connection.recv()))
    except TargetError as error:
        with contextlib.suppress(OSError):
            connection.send(str(error))
    except (EOFError, OSError):
        # The main process has ended or closed the connection.
        return
