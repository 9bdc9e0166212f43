"""Child processes that may do anything: limited, watched, and ended with all they started."""

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
from typing import IO

from sgf_lark.fuzz.outcomes import TargetError

#: So much of what a target says on standard error is kept, from its end.
_KEPT_ERRORS = 64 * 1024
#: A target may write files up to this size.
_FILE_SIZE = 64 * 2**20
_STACK = 8 * 2**20
_CHUNK = 65536
#: How often a process is looked at where the system does not tell that it ended.
_TICK = 0.01
_MARK = "SGF_LARK_FUZZ_TARGET"


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may take: seconds, bytes of memory, bytes of output."""

    timeout: float = 5.0
    memory: int = 1 << 30
    output: int = 32 << 20


@dataclass
class Answer:
    """What came of waiting: `complete` tells whether the wanted output is there."""

    complete: bool = False
    timed_out: bool = False
    flooded: bool = False
    output: bytearray = field(default_factory=bytearray)


def _limiter(memory: int) -> Callable[[], None]:
    """What sets the limits in the child, before the target's program is there."""
    import resource

    wanted = [
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, _FILE_SIZE),
        (resource.RLIMIT_STACK, _STACK),
        # Not RLIMIT_AS: some runtimes, such as Node's, reserve far more than they use.
        (resource.RLIMIT_DATA, memory),
    ]
    library = ctypes.CDLL(None) if sys.platform == "linux" else None

    def limit() -> None:
        for name, value in wanted:
            hard = resource.getrlimit(name)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(name, (value, value))
        if library is not None:
            library.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: it ends when the run does

    return limit


class Child:
    """A process in a session and a temporary folder of its own."""

    def __init__(self, command: list[str], folder: Path, memory: int, mark: str) -> None:
        if os.name != "posix":
            raise TargetError("targets can be run on POSIX systems only")
        self.errors = bytearray()
        self.mark = mark
        environment = {
            **os.environ,
            "PYTHONHASHSEED": "0",
            "TMPDIR": str(folder),
            _MARK: self.mark,
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
                preexec_fn=_limiter(memory),
                bufsize=0,
            )
        except OSError as error:
            raise TargetError(f"{command[0]} cannot be run: {error.strerror}") from error
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)

    def exchange(
        self,
        given: bytes,
        limits: Limits,
        complete: Callable[[bytearray], bool] | None = None,
    ) -> Answer:
        """Write `given` and collect output until `complete` says that it is all there.

        Without `complete` standard input is closed and the end of the process waited for.
        Nothing is killed here: see :meth:`kill`.
        """
        answer = Answer()
        deadline = time.monotonic() + limits.timeout
        unwritten = memoryview(given)
        with selectors.DefaultSelector() as selector, _watched(self.process) as watch:
            stdin, stdout, stderr = self.process.stdin, self.process.stdout, self.process.stderr
            assert stdin is not None and stdout is not None and stderr is not None
            if not stdin.closed:
                selector.register(stdin, selectors.EVENT_WRITE)
            for pipe in (stdout, stderr):
                selector.register(pipe, selectors.EVENT_READ)
            if watch is not None:
                selector.register(watch, selectors.EVENT_READ)
            while True:
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    answer.timed_out = True
                    return answer
                ended = self.process.poll() is not None
                wait = 0 if ended else remaining if watch is not None else min(_TICK, remaining)
                events = selector.select(wait)
                for key, _ in events:
                    if key.fileobj is stdin:
                        unwritten = self._write(unwritten, selector, complete is None)
                    elif key.fileobj is stdout:
                        self._read(stdout, selector, answer.output)
                    elif key.fileobj is stderr:
                        self._read(stderr, selector, self.errors)
                        del self.errors[:-_KEPT_ERRORS]
                if len(answer.output) > limits.output:
                    answer.flooded = True
                    return answer
                if complete is not None and complete(answer.output):
                    answer.complete = True
                    return answer
                # What it left behind may hold the pipes open: its own end counts.
                if ended and not any(key.fileobj in (stdout, stderr) for key, _ in events):
                    answer.complete = complete is None
                    return answer

    def _write(
        self, unwritten: memoryview, selector: selectors.BaseSelector, close: bool
    ) -> memoryview:
        stdin = self.process.stdin
        assert stdin is not None
        try:
            if unwritten:
                unwritten = unwritten[os.write(stdin.fileno(), unwritten[:_CHUNK]) :]
        except BlockingIOError:
            return unwritten
        except OSError:
            # It does not read its input to the end.
            unwritten, close = unwritten[:0], True
        if not unwritten:
            selector.unregister(stdin)
            if close:
                stdin.close()
        return unwritten

    @staticmethod
    def _read(pipe: IO[bytes], selector: selectors.BaseSelector, into: bytearray) -> None:
        try:
            part = os.read(pipe.fileno(), _CHUNK)
        except BlockingIOError:
            return
        if part:
            into += part
        else:
            selector.unregister(pipe)

    def kill(self) -> None:
        """End the process and all that it started, whatever it does about signals."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


@contextlib.contextmanager
def _watched(process: subprocess.Popen[bytes]) -> Iterator[int | None]:
    """A descriptor that becomes readable when the process ends, where the system has such."""
    descriptor = None
    if hasattr(os, "pidfd_open"):
        with contextlib.suppress(OSError):
            descriptor = os.pidfd_open(process.pid)
    try:
        yield descriptor
    finally:
        if descriptor is not None:
            os.close(descriptor)


def new_mark() -> str:
    """A name that all processes of a target bear in their environment."""
    return token_hex(8)


def kill_marked(mark: str) -> None:
    """End processes that left the session: they still have the mark in their environment."""
    wanted = f"{_MARK}={mark}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if wanted in (folder / "environ").read_bytes():
                os.kill(int(folder.name), signal.SIGKILL)


class Folder:
    """A temporary folder in which targets run, emptied between runs."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="sgf-lark-fuzz-"))

    def empty(self) -> None:
        """Removes all that is in it."""
        for entry in os.scandir(self.path):
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                with contextlib.suppress(OSError):
                    Path(entry.path).unlink()

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
