"""The server of the playground, for tests."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sgf_lark.playground import server


@contextmanager
def running_server() -> Iterator[int]:
    """The port of the page, served as the command serves it."""
    listening = server.bind(0)
    serving = server.server(server.application())
    thread = threading.Thread(target=serving.run, kwargs={"sockets": [listening]})
    thread.start()
    yield int(listening.getsockname()[1])
    serving.should_exit = True
    thread.join()
    listening.close()
