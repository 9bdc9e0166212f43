"""Targets: the parsers under test.

Each runs in child processes with limits, so that any behavior results in an
:class:`~sgf_lark.fuzz.outcomes.Outcome` and the run continues.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import re
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from secrets import token_hex
from typing import IO, Any, Self

from sgf_lark.fuzz.adapters import Adapter, adapters, available, node_command
from sgf_lark.fuzz.canonical import decoded, parse_document
from sgf_lark.fuzz.outcomes import (
    MOST_DETAIL,
    Outcome,
    TargetError,
    Verdict,
    find_crash,
    last_lines,
)

#: The placeholder for the path of the input in a command.
FILE = "{file}"
#: What precedes the command of a :class:`PersistentTarget`.
PERSISTENT = "persistent:"
_INPUT = "input.sgf"
_CALLABLE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_PYTHON = [sys.executable, str(Path(__file__).parent / "python_target.py")]
#: The seconds that a persistent process may take to start, and to print where it hangs.
_STARTUP_TIMEOUT = 60.0
_TRACEBACK_TIMEOUT = 5.0
#: Exit codes of the shell: the program cannot be run, and the first above which it reports
#: a signal.
_NOT_EXECUTABLE, _NOT_FOUND, _SIGNALLED = 126, 127, 128


@dataclass(frozen=True)
class Limits:
    """The limits of one run: seconds, bytes of memory, bytes of output."""

    timeout: float = 5.0
    memory: int = 1 << 30
    output: int = 32 << 20


def open_target(
    spec: str,
    *,
    timeout: float = Limits.timeout,
    memory: int = Limits.memory,
    output: int = Limits.output,
) -> Target:
    """Return the target that `spec` names: an adapter, ``module:function`` or a command.

    A command reads the input from the file ``{file}``, or else from standard input. Exit code
    0 means that it accepts; it may print the canonical tree. Exit codes 1 to 125 mean that it
    rejects. A signal, a traceback or another exit code is a crash. A command after
    "persistent:" is a :class:`PersistentTarget`.

    A function takes bytes. It accepts if it returns, and may return the canonical tree; it
    rejects if it returns False or raises ValueError. Other exceptions are crashes. An
    attribute ``rejects`` of the function replaces ValueError by a tuple of exception types.

    `timeout` is in seconds, `memory` and `output` are in bytes, for one input. The target runs in
    a temporary folder. Raises TargetError if the target is not available.
    """
    limits = Limits(timeout, memory, output)
    if spec in adapters():
        return _open_adapter(available(spec), limits)
    if is_callable(spec):
        settings = _python_settings(spec, ("ValueError",), spec.split(".")[0].split(":")[0])
        return PersistentTarget(spec, limits, _PYTHON, settings)
    words = command_words(spec.removeprefix(PERSISTENT))
    if spec.startswith(PERSISTENT):
        return PersistentTarget(spec, limits, words)
    return CommandTarget(spec, limits, words)


#: NAME=COMMAND. A name is not a path, so that paths may contain "=".
_NAMED = re.compile(r"(?P<name>[^\s/\\=][^/\\=]*)=(?P<spec>.*\S.*)", re.DOTALL)


def split_name(given: str) -> tuple[str, str]:
    """Return the name and the specification of a parser: of "a=./b" these are "a" and "./b"."""
    found = _NAMED.fullmatch(given)
    return (found["name"].strip(), found["spec"]) if found else (given, given)


def is_callable(spec: str) -> bool:
    """Return whether `spec` is of the form ``module:function``."""
    return _CALLABLE.fullmatch(spec) is not None


def command_words(spec: str) -> list[str]:
    """Return the words of a command, with absolute paths. Raises TargetError if it has none."""
    # No shell runs the command: it would end in the place of the target, and hide its signals.
    words = shlex.split(spec)
    if not words:
        raise TargetError("a target is an adapter, module:function or a command")
    # It runs in another folder. The name of a program without "/" is found through PATH.
    program = words[:1] if "/" not in words[0] else []
    others = words[len(program) :]
    return program + [str(Path.cwd() / word) if Path(word).is_file() else word for word in others]


def _open_adapter(adapter: Adapter, limits: Limits) -> Target:
    if adapter.kind == "command":
        words = [adapter.executable() or "", *shlex.split(adapter.command)[1:]]
        return CommandTarget(adapter.name, limits, words, adapter.reject_codes)
    if adapter.kind == "node":
        words = [*node_command(adapter.function), *adapter.rejects]
        target = PersistentTarget(adapter.name, limits, words)
    else:
        settings = _python_settings(adapter.function, adapter.rejects, adapter.module)
        settings["path"] = adapter.search_path() + settings["path"]
        settings["text"] = adapter.takes == "text"
        target = PersistentTarget(adapter.name, limits, _PYTHON, settings)
    target.takes_text = adapter.takes == "text"
    target.ordered = adapter.ordered
    return target


def _python_settings(function: str, rejects: tuple[str, ...], package: str) -> dict[str, Any]:
    """Return the settings for ``python_target.py``; modules are found as by ``python -m``."""
    path = [str(Path.cwd()), *(entry for entry in sys.path if entry)]
    given = {"target": function, "rejects": rejects, "package": package}
    return {"path": path, "text": False, **given}


class Target(ABC):
    """One parser; use it in a ``with`` statement, which ends its processes.

    A target that `takes_text` is given the decoded text instead of the bytes. A target that is
    `ordered` keeps the order of the values of a property.
    """

    takes_text = False
    ordered = True
    elapsed = 0.0

    def __init__(self, name: str, limits: Limits) -> None:
        """Create the temporary folder in which the processes run."""
        self.name = name
        self.limits = limits
        self.mark = token_hex(8)
        self.folder = Path(tempfile.mkdtemp(prefix="sgf-lark-fuzz-"))

    def run(self, data: bytes) -> Outcome:
        """Run the target on `data`, which takes `elapsed` seconds.

        Raises TargetError if it cannot be run.
        """
        start = time.monotonic()
        outcome = self._run(data)
        self.elapsed = time.monotonic() - start
        return outcome

    @abstractmethod
    def _run(self, data: bytes) -> Outcome:
        """Return the outcome of the target on `data`."""

    def close(self) -> None:
        """End all processes; :meth:`run` starts new ones."""
        kill_marked(self.mark)
        self.empty_folder()

    def empty_folder(self) -> None:
        """Remove the content of the folder, which the target may have removed itself."""
        self.folder.mkdir(0o700, exist_ok=True)
        for entry in self.folder.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry, ignore_errors=True)
            else:
                with contextlib.suppress(OSError):
                    entry.unlink()

    def __enter__(self) -> Self:
        """Return the target."""
        return self

    def __exit__(self, *failure: object) -> None:
        """End all processes and remove the temporary folder."""
        self.close()
        shutil.rmtree(self.folder, ignore_errors=True)


# --- Commands -----------------------------------------------------------------


class CommandTarget(Target):
    """A program that is started for each input."""

    def __init__(
        self, name: str, limits: Limits, words: list[str], reject_codes: tuple[int, ...] = ()
    ) -> None:
        """Run the command `words`; `reject_codes` are by default all exit codes to 125."""
        super().__init__(name, limits)
        self._words = words
        self._reject_codes = reject_codes or tuple(range(1, _NOT_EXECUTABLE))

    def _run(self, data: bytes) -> Outcome:
        """Start the program and wait for its end."""
        given = data
        words = self._words
        path = self.folder / _INPUT
        if any(FILE in word for word in words):
            path.write_bytes(data)
            words = [word.replace(FILE, str(path)) for word in words]
            given = b""
        child = Child(words, self.folder, self.limits, self.mark)
        try:
            exchange = child.exchange(given, self.limits)
        finally:
            child.kill()
            self.empty_folder()
        # The name of the folder is different in each run.
        errors = child.messages.replace(str(path), FILE)
        return self._outcome(exchange, child.process.returncode, errors)

    def _outcome(self, exchange: Exchange, code: int, errors: str) -> Outcome:
        limit = _limit_outcome(exchange, self.limits)
        if limit is not None:
            kill_marked(self.mark)
            return limit
        crash = find_crash(errors) if code else None
        if crash is not None:
            return crash
        if code < 0 or code > _SIGNALLED:
            return Outcome(Verdict.CRASH, detail=last_lines(errors), place=_signal_name(code))
        if code in (_NOT_EXECUTABLE, _NOT_FOUND):
            raise TargetError(f"{self.name} cannot be run: {last_lines(errors)}")
        if code == 0:
            return self.accepted(bytes(exchange.output))
        if code in self._reject_codes:
            return Outcome(Verdict.REJECT, detail=last_lines(errors))
        # The adapter defines other exit codes that mean "rejected".
        return Outcome(Verdict.ACCEPT, detail=f"exit code {code}")

    def accepted(self, output: bytes) -> Outcome:
        """Return the outcome if the program ends with 0 and has printed `output`."""
        return _accept_outcome(_json(output))


def _limit_outcome(exchange: Exchange, limits: Limits) -> Outcome | None:
    if exchange.timed_out:
        return Outcome(Verdict.HANG, detail=f"no answer within {limits.timeout:g} s")
    if exchange.output_exceeded:
        detail = f"more than {limits.output} bytes of output"
        return Outcome(Verdict.CRASH, detail=detail, place="output")
    return None


def _signal_name(code: int) -> str:
    number = -code if code < 0 else code - _SIGNALLED
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"exit code {code}"


def _json(output: bytes) -> Any:
    """Return the list or object that a program printed as JSON, or None."""
    if not output.lstrip().startswith((b"[", b"{")):
        return None
    try:
        return json.loads(output)
    except (ValueError, RecursionError):
        return None


def _accept_outcome(printed: Any) -> Outcome:
    if not isinstance(printed, (list, dict)):
        return Outcome(Verdict.ACCEPT)
    try:
        form, games = parse_document(printed)
    except ValueError as error:
        return Outcome(Verdict.ACCEPT, detail=f"no canonical tree: {error}")
    return Outcome(Verdict.ACCEPT, games, form)


# --- Persistent processes -------------------------------------------------------


class PersistentTarget(Target):
    """A process that replies to one input after the other, and is replaced when it fails.

    It prints the line "ready". A request is a line with the number of bytes, and these bytes. A
    reply is a line: "accept", or "accept" and a canonical tree as JSON; "reject" and a message; or
    a JSON object with ``verdict``, and if known ``tree``, ``detail`` and ``place``.
    """

    def __init__(
        self,
        name: str,
        limits: Limits,
        command: list[str],
        settings: dict[str, Any] | None = None,
    ) -> None:
        """Run `command`; `settings` are for ``python_target.py``, None for another program."""
        super().__init__(name, limits)
        self._command = command
        self._settings = settings
        self._child: Child | None = None

    def _run(self, data: bytes) -> Outcome:
        """Send the input to the process, which is started if necessary."""
        if self.takes_text:
            data = decoded(data).encode()
        child = self._child or self._start()
        exchange = child.exchange(b"%d\n%s" % (len(data), data), self.limits, _is_line)
        outcome = _outcome_of_reply(bytes(exchange.output)) if exchange.complete else None
        if outcome is not None:
            if outcome.verdict is Verdict.MEMORY:
                self.close()
            return outcome
        where = self._hang_location(child) if exchange.timed_out else ""
        self.close()
        if exchange.complete:
            return Outcome(Verdict.CRASH, place="it answered with what is not an answer")
        limit = _limit_outcome(exchange, self.limits)
        if limit is not None:
            return replace(limit, detail=limit.detail + where)
        code = child.process.returncode
        ending = _signal_name(code) if code < 0 else f"the process ended with exit code {code}"
        crash = find_crash(child.messages)
        if crash is None:
            return Outcome(Verdict.CRASH, detail=last_lines(child.messages), place=ending)
        return replace(crash, place=f"{ending} {crash.place}".strip())

    def _start(self) -> Child:
        child = Child(self._command, self.folder, self.limits, self.mark)
        start = b"" if self._settings is None else json.dumps(self._settings).encode() + b"\n"
        exchange = child.exchange(start, replace(self.limits, timeout=_STARTUP_TIMEOUT), _is_line)
        line = exchange.output.decode("utf-8", "replace").strip()
        if not exchange.complete or line != "ready":
            child.kill()
            why = last_lines(child.messages) or "it does not start"
            if exchange.complete:
                why = f'its first line is not "ready": {line[:MOST_DETAIL]!r}'
            raise TargetError(f"{self.name} cannot be run: {why}")
        self._child = child
        return child

    def _hang_location(self, child: Child) -> str:
        """Return where a hanging Python target is; faulthandler prints it on SIGABRT."""
        if self._settings is None:
            return ""
        with contextlib.suppress(ProcessLookupError):
            child.process.send_signal(signal.SIGABRT)
        child.exchange(b"", replace(self.limits, timeout=_TRACEBACK_TIMEOUT))
        crash = find_crash(child.messages)
        return f", then at {crash.place}" if crash is not None and crash.place else ""

    def close(self) -> None:
        """End all processes; :meth:`run` starts new ones."""
        if self._child is not None:
            self._child.kill()
            self._child = None
        super().close()


def _is_line(output: bytearray) -> bool:
    return output.endswith(b"\n")


def _outcome_of_reply(output: bytes) -> Outcome | None:
    """Return the outcome in a reply, or None if it is not a reply."""
    word, _, rest = output.strip().partition(b" ")
    if output.count(b"\n") != 1:
        return None
    if word == b"accept":
        return _accept_outcome(_json(rest))
    if word == b"reject":
        return Outcome(Verdict.REJECT, detail=rest.decode("utf-8", "replace")[:MOST_DETAIL])
    reply = _json(output)
    if not isinstance(reply, dict) or reply.get("verdict") not in [*Verdict]:
        return None
    verdict = Verdict(reply["verdict"])
    if verdict is Verdict.ACCEPT:
        return _accept_outcome(reply.get("tree"))
    detail, place = (str(reply.get(key, ""))[:MOST_DETAIL] for key in ("detail", "place"))
    return Outcome(verdict, detail=detail, place=place)


# --- Child processes ----------------------------------------------------------------------------

#: The last bytes of standard error that are kept.
_KEPT_ERRORS = 64 * 1024
#: The largest file that a target may write.
_FILE_SIZE = 64 * 2**20
_STACK = 8 * 2**20
_CHUNK = 65536
#: Seconds between checks for the end of a process whose pipes are open.
_POLL_INTERVAL = 0.01
#: The environment variable with the mark of a target.
_MARK = "SGF_LARK_FUZZ_TARGET"


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


class Child:
    """A process with its own session."""

    def __init__(self, command: list[str], folder: Path, limits: Limits, mark: str) -> None:
        """Start the command in `folder`; raise TargetError if that fails.

        The mark is in the environment of the process and of all that it starts.
        """
        if os.name != "posix":
            raise TargetError("targets can be run on POSIX systems only")
        self.errors = bytearray()
        # Sets have the same order in each run, so that a finding occurs again.
        environment = {"PYTHONHASHSEED": "0", "TMPDIR": str(folder), _MARK: mark}
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env={**os.environ, **environment},
                start_new_session=True,
                preexec_fn=_limiter(limits.memory),
                bufsize=0,
            )
        except OSError as error:
            raise TargetError(f"{command[0]} cannot be run: {error.strerror}") from error
        pipes = (self.process.stdin, self.process.stdout, self.process.stderr)
        self._pipes = [pipe for pipe in pipes if pipe is not None]
        for pipe in self._pipes:
            # A target that does not read its input, or prints without end, must not block the run.
            os.set_blocking(pipe.fileno(), False)

    @property
    def messages(self) -> str:
        """The end of its standard error output."""
        return self.errors.decode("utf-8", "replace")

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
        # Popen.communicate() reads all that a target prints, and only to its end.
        exchange = Exchange()
        stdin, stdout, stderr = self._pipes
        # Not CPU time: a target that waits for something hangs, too.
        deadline = time.monotonic() + limits.timeout
        # Each pipe has an iterator that transfers a part at each step, until nothing is left.
        with selectors.DefaultSelector() as selector:
            selector.register(stdout, selectors.EVENT_READ, _read(stdout, exchange.output))
            selector.register(stderr, selectors.EVENT_READ, _read(stderr, self.errors))
            if not stdin.closed:
                writing = _write(stdin, given, close=is_complete is None)
                selector.register(stdin, selectors.EVENT_WRITE, writing)
            while (remaining := deadline - time.monotonic()) > 0:
                if not selector.get_map():
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        self.process.wait(remaining)
                ended = self.process.poll() is not None
                events = selector.select(0 if ended else min(_POLL_INTERVAL, remaining))
                for key, _ in events:
                    if next(key.data, None) is None:
                        selector.unregister(key.fileobj)
                del self.errors[:-_KEPT_ERRORS]
                exchange.output_exceeded = len(exchange.output) > limits.output
                exchange.complete = is_complete is not None and is_complete(exchange.output)
                if exchange.output_exceeded or exchange.complete:
                    return exchange
                # Processes that it started may hold the pipes open: they do not count.
                if ended and not events:
                    exchange.complete = is_complete is None
                    return exchange
        exchange.timed_out = True
        return exchange

    def kill(self) -> None:
        """Kill the process and its process group."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        for pipe in self._pipes:
            with contextlib.suppress(OSError):
                pipe.close()


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


def _read(pipe: IO[bytes], output: bytearray) -> Iterator[bool]:
    """Add what can be read to `output`, until the other end is closed."""
    while True:
        with contextlib.suppress(BlockingIOError):
            part = os.read(pipe.fileno(), _CHUNK)
            if not part:
                return
            output.extend(part)
        yield True


def _write(pipe: IO[bytes], given: bytes, *, close: bool) -> Iterator[bool]:
    """Write what the pipe takes of `given`, until nothing is left or the other end is closed."""
    left = memoryview(given)
    try:
        while left:
            with contextlib.suppress(BlockingIOError):
                left = left[os.write(pipe.fileno(), left[:_CHUNK]) :]
            if left:
                yield True
    except OSError:
        close = True
    if close:
        pipe.close()


def kill_marked(mark: str) -> None:
    """Kill the processes with that mark in their environment, also those in another session."""
    entry = f"{_MARK}={mark}".encode()
    # A daemon leaves the session and the process group of its parent; what it cannot leave is the
    # environment.
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if entry in (folder / "environ").read_bytes():
                os.kill(int(folder.name), signal.SIGKILL)
