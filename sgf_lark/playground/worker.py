"""The process that answers requests: it is ended and replaced if an answer takes too long."""

from __future__ import annotations

import multiprocessing
import signal
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Lock

from sgf_lark.playground.operations import Answer, answer

#: Seconds for one request. The longest text of ordinary games takes about one.
TIME_LIMIT = 30.0


_ENDED: Answer = {"error": "failed", "reason": "the process that answers has ended"}


class Worker:
    """A process that answers one request after the other; it starts with the first one."""

    def __init__(self, time_limit: float = TIME_LIMIT) -> None:
        self._time_limit = time_limit
        self._lock = Lock()
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self._is_stopped = False

    def answer(self, operation: str, body: bytes) -> Answer:
        """The answer of :func:`sgf_lark.playground.operations.answer`.

        Where there is none in time, or the process ends, it has the key "error": "too-slow" (with
        "limit" in seconds) or "failed" (with "reason").
        """
        with self._lock:
            if self._is_stopped:
                return _ENDED
            connection = self._connection or self._start()
            with suppress(OSError, EOFError):
                connection.send((operation, body))
                if connection.poll(self._time_limit):
                    found: Answer = connection.recv()
                    return found
                self.close()
                return {"error": "too-slow", "limit": self._time_limit}
            self.close()
            return _ENDED

    def _start(self) -> Connection:
        # With "fork" it would inherit the threads and sockets of the server.
        context = multiprocessing.get_context("spawn")
        self._connection, there = context.Pipe()
        self._process = context.Process(target=_serve, args=(there,), daemon=True)
        self._process.start()
        there.close()
        return self._connection

    def stop(self) -> None:
        """End the process in the middle of a request, and answer no further ones."""
        self._is_stopped = True
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """End the process, whatever it does; the next request starts another."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None


def _serve(connection: Connection) -> None:
    """Answer requests until the connection is closed."""
    # Ctrl-C goes to all processes of a terminal; the server ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError, EOFError):
        while True:
            connection.send(answer(*connection.recv()))
