"""Targets: the parsers under test.

Each runs in child processes with limits, so that any behavior results in an
:class:`~sgf_lark.fuzz.outcomes.Outcome` and the run continues.
"""

from __future__ import annotations

import contextlib
import json
import re
import shlex
import signal
import sys
from abc import ABC, abstractmethod
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sgf_lark.fuzz.adapters import Adapter, adapters, available, peers_folder
from sgf_lark.fuzz.canonical import decoded, parse_document
from sgf_lark.fuzz.children import (
    Child,
    Exchange,
    Folder,
    Limits,
    kill_marked,
    new_mark,
    seconds_of_children,
)
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
#: The seconds that a persistent process may take to start, and to print where it hangs.
_STARTUP_TIMEOUT = 60.0
_TRACEBACK_TIMEOUT = 5.0
#: Exit codes of the shell: the program cannot be run, and the first above which it reports
#: a signal.
_NOT_EXECUTABLE, _NOT_FOUND, _SIGNALLED = 126, 127, 128


class Target(ABC):
    """One parser; use it in a ``with`` statement, which ends its processes.

    A target that `takes_text` is given the decoded text instead of the bytes. A target that is
    `ordered` keeps the order of the values of a property.
    """

    takes_text = False
    ordered = True

    def __init__(self, name: str, limits: Limits) -> None:
        """Create the temporary folder in which the processes run."""
        self.name = name
        self.limits = limits
        self._mark = new_mark()
        self._folder = Folder()

    @abstractmethod
    def run(self, data: bytes) -> Outcome:
        """Run the target on `data`. Raises TargetError if it cannot be run."""

    def close(self) -> None:
        """End all processes; :meth:`run` starts new ones."""
        kill_marked(self._mark)
        self._folder.empty()

    def __enter__(self) -> Self:
        """Return the target."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End all processes and remove the temporary folder."""
        self.close()
        self._folder.remove()


def open_target(
    spec: str,
    *,
    timeout: float = 5.0,
    memory: int = 1 << 30,
    output: int = 32 << 20,
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
        adapter = available(spec)
        if adapter.kind == "command":
            return CommandTarget(spec, limits, _adapter_command(adapter), adapter.reject_codes)
        return PersistentTarget(spec, limits, *_adapter_process(adapter), adapter)
    if is_callable(spec):
        settings = _python_settings(spec, ("ValueError",), spec.split(".")[0].split(":")[0])
        return PersistentTarget(spec, limits, _PYTHON, settings)
    words = command_words(spec.removeprefix(PERSISTENT))
    if spec.startswith(PERSISTENT):
        return PersistentTarget(spec, limits, words, None)
    return CommandTarget(spec, limits, words)


def command_words(spec: str) -> list[str]:
    """Return the words of a command, with absolute paths. Raises TargetError if it has none."""
    words = shlex.split(spec)
    if not words:
        raise TargetError("a target is an adapter, module:function or a command")
    return [_absolute(word, first=not at) for at, word in enumerate(words)]


def is_callable(spec: str) -> bool:
    """Return whether `spec` is of the form ``module:function``."""
    return _CALLABLE.fullmatch(spec) is not None


def _absolute(word: str, *, first: bool) -> str:
    """Make the path of a file absolute; the name of a program is found through PATH."""
    if first and "/" not in word:
        return word
    return str(Path.cwd() / word) if Path(word).is_file() else word


def _adapter_command(adapter: Adapter) -> list[str]:
    program = adapter.executable()
    assert program is not None
    return [program, *shlex.split(adapter.command)[1:]]


_PYTHON = [sys.executable, str(Path(__file__).parent / "host.py")]


def _adapter_process(adapter: Adapter) -> tuple[list[str], dict[str, Any] | None]:
    if adapter.kind == "node":
        script = Path(__file__).parent / "adapters" / adapter.function
        return ["node", str(script), str(peers_folder()), *adapter.rejects], None
    settings = _python_settings(adapter.function, adapter.rejects, adapter.module)
    settings["path"] = adapter.search_path() + settings["path"]
    settings["text"] = adapter.takes == "text"
    return _PYTHON, settings


def _python_settings(function: str, rejects: tuple[str, ...], package: str) -> dict[str, Any]:
    """Return the settings for ``host.py``; modules are found as by ``python -m``."""
    path = [str(Path.cwd()), *(entry for entry in sys.path if entry)]
    return {
        "path": path,
        "target": function,
        "rejects": rejects,
        "package": package,
        "text": False,
    }


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

    def run(self, data: bytes) -> Outcome:
        """Start the program and wait for its end."""
        given = data
        words = self._words
        if any(FILE in word for word in words):
            path = self._folder.path / _INPUT
            path.write_bytes(data)
            words = [word.replace(FILE, str(path)) for word in words]
            given = b""
        before = seconds_of_children()
        child = Child(words, self._folder.path, self.limits, self._mark)
        try:
            exchange = child.exchange(given, self.limits)
        finally:
            child.kill()
            self._folder.empty()
        seconds = seconds_of_children() - before
        # The name of the folder is different in each run.
        errors = child.messages.replace(str(self._folder.path / _INPUT), FILE)
        outcome = self._outcome(exchange, child.process.returncode, errors)
        return replace(outcome, seconds=seconds)

    def _outcome(self, exchange: Exchange, code: int, errors: str) -> Outcome:
        limit = _limit_outcome(exchange, self.limits)
        if limit is not None:
            kill_marked(self._mark)
            return limit
        crash = find_crash(errors) if code else None
        if crash is not None:
            return crash
        if code < 0 or code > _SIGNALLED:
            return Outcome(Verdict.CRASH, detail=last_lines(errors), place=_signal_name(code))
        if code in (_NOT_EXECUTABLE, _NOT_FOUND):
            raise TargetError(f"{self.name} cannot be run: {last_lines(errors)}")
        if code == 0:
            return _accept_outcome(_json(exchange.output))
        if code in self._reject_codes:
            return Outcome(Verdict.REJECT, detail=last_lines(errors))
        # The adapter defines other exit codes that mean "rejected".
        return Outcome(Verdict.ACCEPT, detail=f"exit code {code}")


def _json(output: bytearray) -> Any:
    """Return the list or object that a program printed as JSON, or None."""
    if not output.lstrip().startswith((b"[", b"{")):
        return None
    try:
        return json.loads(output)
    except (ValueError, RecursionError):
        return None


def _signal_name(code: int) -> str:
    number = -code if code < 0 else code - _SIGNALLED
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"exit code {code}"


def _limit_outcome(exchange: Exchange, limits: Limits) -> Outcome | None:
    if exchange.timed_out:
        return Outcome(Verdict.HANG, detail=f"no answer within {limits.timeout:g} s")
    if exchange.output_exceeded:
        return Outcome(
            Verdict.CRASH, detail=f"more than {limits.output} bytes of output", place="output"
        )
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
    a JSON object with ``verdict``, and if known ``tree``, ``detail``, ``place`` and ``seconds``.
    """

    def __init__(
        self,
        name: str,
        limits: Limits,
        command: list[str],
        settings: dict[str, Any] | None,
        adapter: Adapter | None = None,
    ) -> None:
        """Run `command`; `settings` are those of ``host.py``, or None for another program."""
        super().__init__(name, limits)
        self._command = command
        self._settings = settings
        self._child: Child | None = None
        if adapter is not None:
            self.takes_text = adapter.takes == "text"
            self.ordered = adapter.ordered

    def run(self, data: bytes) -> Outcome:
        """Send the input to the process, which is started if necessary."""
        if self.takes_text:
            data = decoded(data).encode()
        child = self._child or self._start()
        before = child.seconds()
        exchange = child.exchange(b"%d\n%s" % (len(data), data), self.limits, _is_line)
        after = child.seconds()
        outcome = self._outcome(exchange.output) if exchange.complete else None
        if outcome is not None:
            if outcome.verdict is Verdict.MEMORY:
                self._stop()
            if outcome.seconds is None and before is not None and after is not None:
                return replace(outcome, seconds=after - before)
            return outcome
        where = self._hang_location(child) if exchange.timed_out else ""
        self._stop()
        if exchange.complete:
            return Outcome(Verdict.CRASH, place="it answered with what is not an answer")
        limit = _limit_outcome(exchange, self.limits)
        if limit is not None:
            return replace(limit, detail=limit.detail + where)
        return self._crash_outcome(child)

    def _outcome(self, output: bytearray) -> Outcome | None:
        """Return the outcome in a reply, or None if it is not a reply."""
        verdict, _, rest = bytes(output).strip().partition(b" ")
        if output.count(b"\n") != 1:
            return None
        if verdict == b"accept":
            return _accept_outcome(_json(bytearray(rest)))
        if verdict == b"reject":
            return Outcome(Verdict.REJECT, detail=rest.decode("utf-8", "replace")[:MOST_DETAIL])
        reply = _json(output)
        if isinstance(reply, dict) and reply.get("verdict") in _VERDICTS:
            return _outcome_of_reply(reply)
        return None

    def _hang_location(self, child: Child) -> str:
        """Return where a hanging Python target is; faulthandler prints it on SIGABRT."""
        if self._settings is None:
            return ""
        with contextlib.suppress(ProcessLookupError):
            child.process.send_signal(signal.SIGABRT)
        child.exchange(b"", replace(self.limits, timeout=_TRACEBACK_TIMEOUT))
        crash = find_crash(child.messages)
        return f", then at {crash.place}" if crash is not None and crash.place else ""

    def _start(self) -> Child:
        child = Child(self._command, self._folder.path, self.limits, self._mark)
        start = b"" if self._settings is None else json.dumps(self._settings).encode() + b"\n"
        limits = replace(self.limits, timeout=_STARTUP_TIMEOUT)
        exchange = child.exchange(start, limits, _is_line)
        line = exchange.output.decode("utf-8", "replace").strip()
        if not exchange.complete or line != "ready":
            child.kill()
            errors = last_lines(child.messages)
            first = f'its first line is not "ready": {line[:MOST_DETAIL]!r}'
            why = first if exchange.complete else errors or "it does not start"
            raise TargetError(f"{self.name} cannot be run: {why}")
        self._child = child
        return child

    def _crash_outcome(self, child: Child) -> Outcome:
        """Return the outcome for a process that ended."""
        errors = child.messages
        code = child.process.returncode
        crash = find_crash(errors)
        ending = _signal_name(code) if code < 0 else f"the process ended with exit code {code}"
        if crash is not None:
            return replace(crash, place=f"{ending} {crash.place}".strip())
        return Outcome(Verdict.CRASH, detail=last_lines(errors), place=ending)

    def _stop(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child = None
            kill_marked(self._mark)
            self._folder.empty()

    def close(self) -> None:
        """End all processes; :meth:`run` starts new ones."""
        self._stop()
        super().close()


_VERDICTS = frozenset(str(verdict) for verdict in Verdict)


def _is_line(output: bytearray) -> bool:
    return output.endswith(b"\n")


def _outcome_of_reply(reply: dict[str, Any]) -> Outcome:
    verdict = Verdict(reply["verdict"])
    given = reply.get("seconds")
    seconds = float(given) if isinstance(given, (int, float)) else None
    if verdict is Verdict.ACCEPT:
        return replace(_accept_outcome(reply.get("tree")), seconds=seconds)
    return Outcome(
        verdict,
        detail=str(reply.get("detail", ""))[:MOST_DETAIL],
        place=str(reply.get("place", ""))[:MOST_DETAIL],
        seconds=seconds,
    )
