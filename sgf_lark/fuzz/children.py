"""Child processes with limits, which are ended together with all processes they started."""

from __future__ import annotations

import contextlib
import ctypes
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex

from sgf_lark.fuzz.outcomes import TargetError

#: The last bytes of standard error that are kept.
_KEPT_ERRORS = 64 * 1024
#: The largest file that a target may write.
_FILE_SIZE = 64 * 2**20
_STACK = 8 * 2**20
_CHUNK = 65536
#: Seconds between checks for the end of a process, on systems that do not signal it.
_POLL_INTERVAL = 0.01
#: The environment variable with the mark of a target.
_MARK = "SGF_LARK_FUZZ_TARGET"
#: What Linux adds to the number of a process in the number of the clock of its CPU time.
_CPU_CLOCK = 2


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one run: seconds, bytes of memory, bytes of output."""

    timeout: float = 5.0
    memory: int = 1 << 30
    output: int = 32 << 20


@dataclass
class Exchange:
    """The output of a child process, and why the exchange ended.

    `complete`: the expected output is there; if none of the three is set, the process ended
    without it.
    """

    complete: bool = False
    timed_out: bool = False
    output_exceeded: bool = False
    output: bytearray = field(default_factory=bytearray)


def _limiter(memory: int) -> Callable[[], None]:
    """Return the function that sets the limits in the child before it runs the program."""
    import resource

    maxima = [
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, _FILE_SIZE),
        (resource.RLIMIT_STACK, _STACK),
        # RLIMIT_AS is too strict: some runtimes, such as Node's, reserve far more than they use.
        (resource.RLIMIT_DATA, memory),
    ]
    library = ctypes.CDLL(None) if sys.platform == "linux" else None

    def limit() -> None:
        for name, value in maxima:
            hard = resource.getrlimit(name)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(name, (value, value))
        if library is not None:
            library.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: the child ends with the run

    return limit


class Child:
    """A process with its own session."""

    def __init__(self, command: list[str], folder: Path, limits: Limits, mark: str) -> None:
        """Start the command in `folder`; raise TargetError if that fails.

        The mark is in the environment of the process and of all that it starts.
        """
        if os.name != "posix":
            raise TargetError("targets can be run on POSIX systems only")
        self.errors = bytearray()
        self._unwritten = memoryview(b"")
        environment = {
            **os.environ,
            "PYTHONHASHSEED": "0",
            "TMPDIR": str(folder),
            _MARK: mark,
        }
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env=environment,
                start_new_session=True,
                preexec_fn=_limiter(limits.memory),
                bufsize=0,
            )
        except OSError as error:
            raise TargetError(f"{command[0]} cannot be run: {error.strerror}") from error
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)

    @property
    def messages(self) -> str:
        """The end of its standard error output."""
        return self.errors.decode("utf-8", "replace")

    def seconds(self) -> float | None:
        """Return the CPU seconds of the process so far, None where they cannot be read."""
        if sys.platform != "linux":
            return None
        try:
            return time.clock_gettime(~self.process.pid << 3 | _CPU_CLOCK)
        except OSError:
            return None

    def exchange(
        self,
        given: bytes,
        limits: Limits,
        is_complete: Callable[[bytearray], bool] | None = None,
    ) -> Exchange:
        """Write `given` and collect output until `is_complete` is true of it.

        Without `is_complete`, close standard input and wait for the end of the process. The
        process is never killed here: see :meth:`kill`.
        """
        exchange = Exchange()
        deadline = time.monotonic() + limits.timeout
        self._unwritten = memoryview(given)
        with selectors.DefaultSelector() as selector, _end_descriptor(self.process) as end:
            self._register(selector, end, exchange.output)
            while True:
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    exchange.timed_out = True
                    return exchange
                longest_wait = remaining if end is not None else min(_POLL_INTERVAL, remaining)
                ended = self.process.poll() is not None
                events = selector.select(0 if ended else longest_wait)
                has_output = self._transfer(events, selector, is_complete is None)
                if len(exchange.output) > limits.output:
                    exchange.output_exceeded = True
                    return exchange
                if is_complete is not None and is_complete(exchange.output):
                    exchange.complete = True
                    return exchange
                # Processes that it started may hold the pipes open: they do not count.
                if ended and not has_output:
                    exchange.complete = is_complete is None
                    return exchange

    def _register(
        self, selector: selectors.BaseSelector, end: int | None, output: bytearray
    ) -> None:
        """Watch the pipes, with what is read from each as its data, and the end of the process."""
        stdin, stdout, stderr = self.process.stdin, self.process.stdout, self.process.stderr
        assert stdin is not None and stdout is not None and stderr is not None
        if not stdin.closed:
            selector.register(stdin, selectors.EVENT_WRITE)
        selector.register(stdout, selectors.EVENT_READ, output)
        selector.register(stderr, selectors.EVENT_READ, self.errors)
        if end is not None:
            selector.register(end, selectors.EVENT_READ)

    def _transfer(
        self,
        events: list[tuple[selectors.SelectorKey, int]],
        selector: selectors.BaseSelector,
        close: bool,
    ) -> bool:
        """Write to and read from the pipes that are ready; return whether any had output."""
        has_output = False
        for key, _ in events:
            if key.fileobj is self.process.stdin:
                self._write(selector, close)
            elif key.data is not None:
                self._read(key, selector)
                has_output = True
        del self.errors[:-_KEPT_ERRORS]
        return has_output

    def _write(self, selector: selectors.BaseSelector, close: bool) -> None:
        stdin = self.process.stdin
        assert stdin is not None
        try:
            if self._unwritten:
                written = os.write(stdin.fileno(), self._unwritten[:_CHUNK])
                self._unwritten = self._unwritten[written:]
        except BlockingIOError:
            return
        except OSError:
            # The process has closed its standard input.
            self._unwritten, close = self._unwritten[:0], True
        if not self._unwritten:
            selector.unregister(stdin)
            if close:
                stdin.close()

    @staticmethod
    def _read(key: selectors.SelectorKey, selector: selectors.BaseSelector) -> None:
        try:
            part = os.read(key.fd, _CHUNK)
        except BlockingIOError:
            return
        if part:
            key.data.extend(part)
        else:
            selector.unregister(key.fileobj)

    def kill(self) -> None:
        """Kill the process and its process group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


@contextlib.contextmanager
def _end_descriptor(process: subprocess.Popen[bytes]) -> Iterator[int | None]:
    """Open a descriptor that becomes readable when the process ends, if the system has any."""
    descriptor = None
    if hasattr(os, "pidfd_open"):
        with contextlib.suppress(OSError):
            descriptor = os.pidfd_open(process.pid)
    try:
        yield descriptor
    finally:
        if descriptor is not None:
            os.close(descriptor)


def seconds_of_children() -> float:
    """Return the CPU seconds of all child processes that have ended and were waited for."""
    used = os.times()
    return used.children_user + used.children_system


def new_mark() -> str:
    """Return a new mark, which identifies the processes of one target."""
    return token_hex(8)


def kill_marked(mark: str) -> None:
    """Kill the processes with that mark in their environment, also those in another session."""
    entry = f"{_MARK}={mark}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if entry in (folder / "environ").read_bytes():
                os.kill(int(folder.name), signal.SIGKILL)


class Folder:
    """A temporary folder in which targets run, emptied between runs."""

    def __init__(self) -> None:
        """Create the folder."""
        self.path = Path(tempfile.mkdtemp(prefix="sgf-lark-fuzz-"))

    def empty(self) -> None:
        """Remove the content of the folder, which a target may have removed itself."""
        with contextlib.suppress(FileExistsError):
            self.path.mkdir()
        for entry in os.scandir(self.path):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                with contextlib.suppress(OSError):
                    Path(entry.path).unlink()

    def remove(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.path, ignore_errors=True)
