"""The workers of a run: one in this process, or several processes with targets of their own."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

from sgf_lark.fuzz.causes import Cause
from sgf_lark.fuzz.outcomes import TargetError
from sgf_lark.fuzz.results import Result, Watcher, interruption, stop_condition
from sgf_lark.fuzz.working import Analysis, Finding, Progress, Settings, Worker

#: The longest wait for a message, in seconds, so that Ctrl-C takes effect.
_POLL_INTERVAL = 0.5


class LocalCrew:
    """One worker in this process."""

    def __init__(self, settings: Settings) -> None:
        """Open the targets."""
        self._worker = Worker(settings)

    def collect(
        self, result: Result, last: int | None, deadline: float | None, watch: Watcher
    ) -> list[Finding]:
        """Run inputs and return what is found; see :class:`~sgf_lark.fuzz.running.Crew`."""
        found: list[Finding] = []
        stop = stop_condition(last, deadline)
        with interruption(result):
            for progress in self._worker.work(result.next_number, 1, stop, result.causes):
                result.add(progress)
                result.next_number += progress.examples
                found += progress.findings
                watch(result)
        return found

    def analyze(
        self, findings: Sequence[Finding], causes: Sequence[Cause], deadline: float | None
    ) -> Iterator[tuple[int, Analysis]]:
        """Yield the causes of the findings."""
        for index, finding in enumerate(findings):
            yield index, self._worker.analyze(finding, causes, deadline)

    def explain(
        self, findings: Sequence[tuple[Finding, Sequence[Cause]]], deadline: float | None
    ) -> list[str | None]:
        """Return the identities of causes that explain the findings."""
        return [self._worker.explains(finding, causes, deadline) for finding, causes in findings]

    def close(self) -> int:
        """Close the targets."""
        self._worker.close()
        return 0


class ProcessCrew:
    """Workers in processes; each takes every n-th input, and the next finding when it is idle."""

    def __init__(self, settings: Settings, workers: int) -> None:
        """Start the processes."""
        # With "fork" a worker would inherit the descriptors and threads of this process.
        context = multiprocessing.get_context("spawn")
        self._stop = context.Event()
        self._pool: list[tuple[Any, Connection]] = []
        for _ in range(workers):
            here, there = context.Pipe()
            process = context.Process(
                target=_serve, args=(settings, self._stop, there), daemon=True
            )
            process.start()
            there.close()
            self._pool.append((process, here))

    @property
    def _connections(self) -> list[Connection]:
        return [connection for _, connection in self._pool if not connection.closed]

    def collect(
        self, result: Result, last: int | None, deadline: float | None, watch: Watcher
    ) -> list[Finding]:
        """Run inputs and return what is found; see :class:`~sgf_lark.fuzz.running.Crew`."""
        found: list[Finding] = []
        busy = self._connections
        first, step = result.next_number, len(busy)
        for number, connection in enumerate(list(busy)):
            task = ("work", first + number, step, last, deadline, result.causes)
            if not _send(connection, task):
                busy.remove(connection)
        with interruption(result):
            self._receive_progress(result, busy, found, watch)
        if result.interrupted:
            self._stop.set()
            with interruption(result):
                self._receive_progress(result, busy, found, watch)
        return found

    def _receive_progress(
        self, result: Result, busy: list[Connection], found: list[Finding], watch: Watcher
    ) -> None:
        """Add the progress of all workers until each has sent its last number or has ended.

        A worker is then removed from `busy`.
        """
        while busy:
            for ready in wait(busy, _POLL_INTERVAL):
                assert isinstance(ready, Connection)
                message = _receive(ready)
                if isinstance(message, Progress):
                    result.add(message)
                    found += message.findings
                    watch(result)
                elif isinstance(message, int):
                    result.next_number = max(result.next_number, message)
                    busy.remove(ready)
                elif message is None:
                    busy.remove(ready)
                    ready.close()

    def analyze(
        self, findings: Sequence[Finding], causes: Sequence[Cause], deadline: float | None
    ) -> Iterator[tuple[int, Analysis]]:
        """Yield the causes of the findings."""
        tasks = [("analyze", finding, causes, deadline) for finding in findings]
        yield from self._distribute(tasks)

    def explain(
        self, findings: Sequence[tuple[Finding, Sequence[Cause]]], deadline: float | None
    ) -> list[str | None]:
        """Return the identities of causes that explain the findings."""
        tasks = [("explains", finding, causes, deadline) for finding, causes in findings]
        answers = dict(self._distribute(tasks))
        return [answers.get(index) for index in range(len(tasks))]

    def _distribute(self, tasks: Sequence[tuple[Any, ...]]) -> Iterator[tuple[int, Any]]:
        """Yield the answers of workers with the index of the task; each idle one gets the next."""
        waiting = list(enumerate(tasks))
        busy: dict[Connection, int] = {}
        idle = self._connections
        while waiting or busy:
            while idle and waiting:
                connection = idle.pop()
                index, task = waiting.pop(0)
                if _send(connection, task):
                    busy[connection] = index
            if not busy:
                return
            for ready in wait([*busy], _POLL_INTERVAL):
                assert isinstance(ready, Connection)
                index = busy.pop(ready)
                answer = _receive(ready)
                if isinstance(answer, tuple):
                    idle.append(ready)
                    yield index, answer[0]
                else:
                    ready.close()

    def close(self) -> int:
        """End all processes and return the number of those that were lost."""
        self._stop.set()
        for process, connection in self._pool:
            connection.close()
            process.join()
        return sum(process.exitcode != 0 for process, _ in self._pool)


def _send(connection: Connection, task: tuple[Any, ...]) -> bool:
    """Send a task; return False if the worker has ended."""
    try:
        connection.send(task)
    except OSError:
        connection.close()
        return False
    return True


def _receive(connection: Connection) -> Any:
    """Return the next message, or None if the worker has ended. Raises TargetError."""
    try:
        message = connection.recv()
    except (EOFError, OSError):
        return None
    if isinstance(message, str):
        raise TargetError(message)
    return message


def _serve(settings: Settings, stop: Any, connection: Connection) -> None:
    """Do the tasks that come through the connection until it is closed."""
    # Ctrl-C goes to all processes of a terminal, SIGTERM of a CI server to all of the job; only the
    # main process handles them. When it ends, the connection is closed.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    try:
        with contextlib.closing(Worker(settings, stop.is_set)) as worker:
            while not stop.is_set():
                name, *arguments = connection.recv()
                if name == "work":
                    _work(worker, stop, connection, *arguments)
                else:
                    connection.send((getattr(worker, name)(*arguments),))
    except TargetError as error:
        with contextlib.suppress(OSError):
            connection.send(str(error))
    except (EOFError, OSError):
        # The main process has ended or closed the connection.
        return


def _work(
    worker: Worker,
    stop: Any,
    connection: Connection,
    first: int,
    step: int,
    last: int | None,
    deadline: float | None,
    causes: Sequence[Cause],
) -> None:
    """Run the inputs of one worker; send progress and then the number after the last input."""
    is_over = stop_condition(last, deadline)
    number = first

    def is_done(at: int) -> bool:
        nonlocal number
        number = at
        return stop.is_set() or is_over(at)

    for progress in worker.work(first, step, is_done, causes):
        connection.send(progress)
    connection.send(max(0, number - step + 1))
