"""Targets: whatever reads SGF and can be asked what it makes of a file.

Each runs in child processes with limits, so that whatever it does ends with an
Outcome: the run goes on.
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
from sgf_lark.fuzz.children import Answer, Child, Folder, Limits, kill_marked, new_mark
from sgf_lark.fuzz.outcomes import Outcome, TargetError, Verdict
from sgf_lark.fuzz.traces import find_trace

#: Stands for the path of the input in a command.
FILE = "{file}"
_INPUT = "input.sgf"
#: So many lines of an error message are kept.
_LAST_LINES = 3

_CALLABLE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
#: A process that stays has so long to get ready.
_START = 60.0
#: One that hangs has so long to tell where.
_LAST_WORDS = 1.0
_DETAIL = 500
#: Exit codes: those of the shell for "cannot be run", and where it tells of signals.
_NOT_EXECUTABLE, _NOT_FOUND, _SIGNALLED = 126, 127, 128


class Target(ABC):
    """One parser; use it in a ``with`` statement, which ends its processes.

    `takes_text`: it gets the decoded text, so charsets are not its business. `ordered`:
    it keeps the order of the values of a property.
    """

    takes_text = False
    ordered = True

    def __init__(self, name: str, limits: Limits) -> None:
        self.name = name
        self.limits = limits
        self._mark = new_mark()
        self._folder = Folder()

    @abstractmethod
    def run(self, data: bytes) -> Outcome:
        """What it makes of `data`. Raises TargetError where it cannot be run at all."""

    def close(self) -> None:
        """End all processes; :meth:`run` starts them anew."""
        kill_marked(self._mark)
        self._folder.empty()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
        self._folder.remove()


def open_target(
    spec: str, *, timeout: float = 5.0, memory: int = 1 << 30, output: int = 32 << 20
) -> Target:
    """The target that `spec` names: an adapter, ``module:function`` or a command.

    A command gets the input as the file at ``{file}``, or else on standard input: exit
    code 0 accepts, and it may print the canonical tree; 1 to 125 rejects; a signal, a
    traceback or another exit code is a crash. A function takes bytes; what it
    returns accepts, and may be the canonical tree; False or a ValueError rejects,
    other exceptions are crashes. It can have an attribute ``rejects``, a tuple of
    exception types. `timeout` is in seconds, `memory` and `output` in bytes, for one
    input. Raises TargetError where the target is not there.
    """
    limits = Limits(timeout, memory, output)
    if spec in adapters():
        adapter = available(spec)
        if adapter.kind == "command":
            return Command(spec, limits, _adapter_command(adapter), adapter.reject_codes)
        return Resident(spec, limits, *_adapter_process(adapter), adapter)
    if _CALLABLE.fullmatch(spec):
        settings = _python_settings(spec, ("ValueError",), spec.split(".")[0].split(":")[0])
        return Resident(spec, limits, _PYTHON, settings)
    words = shlex.split(spec)
    if not words:
        raise TargetError("a target is an adapter, module:function or a command")
    return Command(spec, limits, [_absolute(word, first=not at) for at, word in enumerate(words)])


def _absolute(word: str, *, first: bool) -> str:
    """Paths of files stay valid in another folder; a program is found through PATH."""
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


def _python_settings(function: str, rejects: tuple[str, ...], own: str) -> dict[str, Any]:
    # The folder in which it was called, as for "python -m".
    path = [str(Path.cwd()), *(entry for entry in sys.path if entry)]
    return {"path": path, "target": function, "rejects": rejects, "own": own, "text": False}


# --- Commands -----------------------------------------------------------------


class Command(Target):
    """A program that is started for each input."""

    def __init__(
        self, name: str, limits: Limits, words: list[str], reject_codes: tuple[int, ...] = ()
    ) -> None:
        super().__init__(name, limits)
        self._words = words
        self._reject_codes = reject_codes or tuple(range(1, _NOT_EXECUTABLE))

    def run(self, data: bytes) -> Outcome:
        given = data
        words = self._words
        if any(FILE in word for word in words):
            path = self._folder.path / _INPUT
            path.write_bytes(data)
            words = [word.replace(FILE, str(path)) for word in words]
            given = b""
        child = Child(words, self._folder.path, self.limits.memory, self._mark)
        try:
            answer = child.exchange(given, self.limits)
        finally:
            child.kill()
            self._folder.empty()
        errors = child.errors.decode("utf-8", "replace")
        # The name of the folder is another one in each run.
        errors = errors.replace(str(self._folder.path / _INPUT), FILE)
        return self._outcome(answer, child.process.returncode, errors)

    def _outcome(self, answer: Answer, code: int, errors: str) -> Outcome:
        limit = _over_limit(answer, self.limits)
        if limit is not None:
            kill_marked(self._mark)
            return limit
        trace = find_trace(errors) if code else None
        if trace is not None:
            return Outcome(trace.verdict, detail=trace.message[:_DETAIL], place=trace.place)
        if code < 0 or code > _SIGNALLED:
            return Outcome(Verdict.CRASH, detail=_last_words(errors), place=_signal_name(code))
        if code in (_NOT_EXECUTABLE, _NOT_FOUND):
            raise TargetError(f"{self.name} cannot be run: {_last_words(errors)}")
        if code == 0:
            return _accepted(_json(answer.output))
        if code in self._reject_codes:
            return Outcome(Verdict.REJECT, detail=_last_words(errors))
        # An exit code that tells of neither: the adapter says which ones do.
        return Outcome(Verdict.ACCEPT, detail=f"exit code {code}")


def _json(output: bytearray) -> Any:
    """The JSON that a program printed, or None where it is something else."""
    if not output.lstrip().startswith((b"[", b"{")):
        return None
    try:
        return json.loads(output)
    except (ValueError, RecursionError):
        return None


def _last_words(errors: str) -> str:
    """The last lines of what a program said, as one."""
    return " / ".join(errors.strip().splitlines()[-_LAST_LINES:])[:_DETAIL]


def _signal_name(code: int) -> str:
    number = -code if code < 0 else code - _SIGNALLED
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"exit code {code}"


def _over_limit(answer: Answer, limits: Limits) -> Outcome | None:
    if answer.timed_out:
        return Outcome(Verdict.HANG, detail=f"no answer within {limits.timeout:g} s")
    if answer.flooded:
        return Outcome(
            Verdict.CRASH, detail=f"more than {limits.output} bytes of output", place="output"
        )
    return None


def _accepted(printed: Any) -> Outcome:
    if not isinstance(printed, (list, dict)):
        return Outcome(Verdict.ACCEPT)
    try:
        form, games = parse_document(printed)
    except ValueError as error:
        return Outcome(Verdict.ACCEPT, detail=f"no canonical tree: {error}")
    return Outcome(Verdict.ACCEPT, games, form)


# --- Processes that stay --------------------------------------------------------


class Resident(Target):
    """A process that answers one input after the other and is replaced when it fails."""

    def __init__(
        self,
        name: str,
        limits: Limits,
        command: list[str],
        settings: dict[str, Any] | None,
        adapter: Adapter | None = None,
    ) -> None:
        super().__init__(name, limits)
        self._command = command
        self._settings = settings
        self._child: Child | None = None
        if adapter is not None:
            self.takes_text = adapter.takes == "text"
            self.ordered = adapter.ordered

    def run(self, data: bytes) -> Outcome:
        if self.takes_text:
            data = decoded(data).encode()
        child = self._child or self._start()
        answer = child.exchange(len(data).to_bytes(4, "big") + data, self.limits, _framed)
        reply = _json(answer.output[4:]) if answer.complete else None
        if isinstance(reply, dict) and reply.get("verdict") in _VERDICTS:
            outcome = _replied(reply)
            if outcome.verdict is Verdict.MEMORY:
                self._stop()
            return outcome
        where = self._where(child) if answer.timed_out else ""
        self._stop()
        if answer.complete:
            return Outcome(Verdict.CRASH, place="it answered with what is no answer")
        limit = _over_limit(answer, self.limits)
        if limit is not None:
            return replace(limit, detail=limit.detail + where)
        return self._ended(child)

    def _where(self, child: Child) -> str:
        """Where a hanging Python target is: faulthandler tells it at this signal."""
        if self._settings is None:
            return ""
        with contextlib.suppress(ProcessLookupError):
            child.process.send_signal(signal.SIGABRT)
        child.exchange(b"", replace(self.limits, timeout=_LAST_WORDS))
        trace = find_trace(child.errors.decode("utf-8", "replace"))
        return f", then at {trace.place}" if trace is not None and trace.place else ""

    def _start(self) -> Child:
        child = Child(self._command, self._folder.path, self.limits.memory, self._mark)
        start = b"" if self._settings is None else json.dumps(self._settings).encode() + b"\n"
        limits = Limits(_START, self.limits.memory, self.limits.output)
        answer = child.exchange(start, limits, _framed)
        reply = _json(answer.output[4:]) if answer.complete else None
        if not isinstance(reply, dict) or "ready" not in reply:
            child.kill()
            errors = child.errors.decode("utf-8", "replace")
            why = reply.get("failed") if isinstance(reply, dict) else _last_words(errors)
            raise TargetError(f"{self.name} cannot be run: {why or 'it does not start'}")
        self._child = child
        return child

    def _ended(self, child: Child) -> Outcome:
        """The process is gone."""
        errors = child.errors.decode("utf-8", "replace")
        code = child.process.returncode
        trace = find_trace(errors)
        ending = _signal_name(code) if code < 0 else f"the process ended with exit code {code}"
        if trace is not None:
            place = f"{ending} {trace.place}".strip()
            return Outcome(trace.verdict, detail=trace.message[:_DETAIL], place=place)
        return Outcome(Verdict.CRASH, detail=_last_words(errors), place=ending)

    def _stop(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child = None
            kill_marked(self._mark)
            self._folder.empty()

    def close(self) -> None:
        self._stop()
        super().close()


#: No answer is longer; targets may well write to the descriptor of the answers.
_LONGEST = 1 << 30
_VERDICTS = frozenset(str(verdict) for verdict in Verdict)


def _framed(output: bytearray) -> bool:
    """Whether the answer is there, or what begins with a length that none has."""
    length = int.from_bytes(output[:4], "big")
    return len(output) >= 4 and (len(output) >= 4 + length or length > _LONGEST)


def _replied(reply: dict[str, Any]) -> Outcome:
    verdict = Verdict(reply["verdict"])
    if verdict is Verdict.ACCEPT:
        return _accepted(reply.get("tree"))
    return Outcome(
        verdict,
        detail=str(reply.get("detail", ""))[:_DETAIL],
        place=str(reply.get("place", ""))[:_DETAIL],
    )
