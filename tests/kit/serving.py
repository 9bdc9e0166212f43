"""The server of the playground, for tests."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sgf_lark.playground import server
from sgf_lark.playground.worker import Worker
from tests.kit.waiting import LIMIT


@contextmanager
def running_server(worker: Worker | None = None) -> Iterator[int]:
    """The port of the page, served as the command serves it, though without limit of time."""
    listening = server.bind(0)
    serving = server.server(server.application(worker or Worker(LIMIT)))
    thread = threading.Thread(target=serving.run, kwargs={"sockets": [listening]})
    thread.start()
    yield int(listening.getsockname()[1])
    serving.should_exit = True
    thread.join()
    listening.close()
