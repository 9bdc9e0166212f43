"""Several worker processes, each with targets of its own."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from typing import Any

from sgf_lark.fuzz.outcomes import TargetError
from sgf_lark.fuzz.running import Finding, News, Result, Settings, Watcher, Worker, stopper

#: How often an interrupted wait looks up, in seconds.
_TICK = 0.5


def run_in_parallel(
    result: Result, workers: int, seconds: float | None, examples: int | None, watch: Watcher
) -> None:
    """Like a run in one process: the inputs are dealt out in turn."""
    # Not "fork": a copy of this process would hold its descriptors and threads.
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
            _gather(result, busy, watch)
        except KeyboardInterrupt:
            result.interrupted = True
            stop.set()
            _gather(result, busy, watch)
        if not result.interrupted:
            _minimise(result, connections, watch)
    except KeyboardInterrupt:
        result.interrupted = True
    finally:
        stop.set()
        for process, connection in pool:
            connection.close()
            process.join()
    result.lost_workers = workers - sum(process.exitcode == 0 for process, _ in pool)


def _gather(result: Result, busy: list[Connection], watch: Watcher) -> None:
    """Take news until every worker has told its last number or is gone; each leaves `busy`."""
    while busy:
        for ready in wait(busy, _TICK):
            assert isinstance(ready, Connection)
            message = _receive(ready)
            if isinstance(message, News):
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
    try:
        return connection.recv()
    except (EOFError, OSError):
        return None


def _minimise(result: Result, connections: list[Connection], watch: Watcher) -> None:
    """Deal out the findings; a worker that has done one gets the next."""
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
        for ready in wait([*busy], _TICK):
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
    """A worker process: looks at its inputs, then minimises what it is sent."""
    # Ctrl-C goes to all processes of a terminal; the first one decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    over: Callable[[int], bool] = stopper(seconds, examples)
    try:
        with contextlib.closing(Worker(settings, stop.is_set)) as worker:
            number = first

            def is_over(at: int) -> bool:
                nonlocal number
                number = at
                return stop.is_set() or over(at)

            for news in worker.work(first, step, is_over):
                connection.send(news)
            connection.send(max(0, number - step + 1))
            while not stop.is_set():
                connection.send(worker.minimise(connection.recv()))
    except TargetError as error:
        with contextlib.suppress(OSError):
            connection.send(str(error))
    except (EOFError, OSError):
        # The first process has gone, or needs nothing more.
        return
