"""The tasks of the suite: parsing strictly or tolerantly, fixing and writing."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal, get_args

from sgf_lark.conformance.suite import Case, Suite
from sgf_lark.fuzz import adapters as adapters_package
from sgf_lark.fuzz.adapters import adapters, available, peers_folder
from sgf_lark.fuzz.canonical import Form, canonical
from sgf_lark.fuzz.children import Exchange, Limits
from sgf_lark.fuzz.outcomes import Outcome, TargetError, Verdict
from sgf_lark.fuzz.targets import (
    PERSISTENT,
    CommandTarget,
    Target,
    command_words,
    is_callable,
    open_target,
)
from sgf_lark.syntax.errors import SGFSyntaxError

#: parse: the verdict and the tree of a file. tolerant: the tree of a damaged file. fix: a
#: damaged file to a conforming one. write: a tree to a file.
Task = Literal["parse", "tolerant", "fix", "write"]
TASKS: tuple[Task, ...] = get_args(Task)


def cases_of_task(suite: Suite, task: Task) -> list[Case]:
    """Return the cases of the task, each with the result that the task requires.

    For all tasks but "parse" the result is a tree: of the file as a tolerant parser reads it,
    of the fixed file, or of the written file.
    """
    match task:
        case "parse":
            return list(suite.cases)
        case "tolerant":
            return [
                replace(case, verdict="accept", trees=case.recovered)
                for case in suite.cases
                if case.recovered is not None
            ]
        case "fix":
            return [
                replace(case, verdict="accept", trees=case.fixed)
                for case in suite.cases
                if case.fixed is not None
            ]
        case "write":
            return [case for case in suite.cases if case.write]


def input_of(case: Case, task: Task) -> bytes:
    """Return what a program is given: the file, or for "write" its tree as JSON.

    The JSON is ``{"form": "text", "charset": …, "games": […]}``, in UTF-8.
    """
    if task != "write":
        return case.data
    model = {"form": "text", "charset": case.charset, "games": case.tree("text")}
    return json.dumps(model, ensure_ascii=False).encode()


def open_task(spec: str, task: Task, timeout: float, memory: int) -> Target:
    """Return the target for a task.

    A command for "fix" or "write" prints a file, whose tree becomes its outcome. Raises
    TargetError if the target is not available for the task.
    """
    if spec in adapters() and (spec, task) in _ADAPTERS:
        available(spec)
        spec = _ADAPTERS[spec, task]()
    elif spec in adapters() and task in ("fix", "write"):
        raise TargetError(f"the adapter {spec} has no task {task}; with it: {_names(task)}")
    elif task in ("fix", "write") and (is_callable(spec) or spec.startswith(PERSISTENT)):
        raise TargetError(
            f"the task {task} needs an adapter or a command that ends after each input, not {spec}"
        )
    if task in ("parse", "tolerant") or is_callable(spec):
        return open_target(spec, timeout=timeout, memory=memory)
    limits = Limits(timeout, memory, _OUTPUT)
    target = _PrintsFile(spec, limits, command_words(spec))
    # A fix may be an escape, which only the raw form shows; writers may escape as they like.
    target.form = "raw" if task == "fix" else "text"
    return target


def _sabaki_writer() -> str:
    script = Path(adapters_package.__file__).parent / "sabaki_write.cjs"
    return shlex.join(["node", str(script), str(peers_folder())])


#: At most this many bytes of output are read.
_OUTPUT = 32 << 20

_FUNCTIONS = "sgf_lark.fuzz.adapters"
#: The functions and commands of adapters for other tasks than "parse". Without one, a parser is
#: judged by the trees of the damaged files that it accepts.
_ADAPTERS: dict[tuple[str, Task], Callable[[], str]] = {
    ("sgf_lark", "tolerant"): lambda: f"{_FUNCTIONS}.own:tolerant",
    ("sgf_lark", "fix"): lambda: f"{_FUNCTIONS}.own:fixed",
    ("sgf_lark", "write"): lambda: f"{_FUNCTIONS}.own:written",
    ("sgfmill", "write"): lambda: f"{_FUNCTIONS}.writers:sgfmill",
    ("pysgf", "write"): lambda: f"{_FUNCTIONS}.writers:pysgf",
    ("sabaki", "write"): _sabaki_writer,
}


def _names(task: Task) -> str:
    return ", ".join(name for name, found in _ADAPTERS if found == task)


class _PrintsFile(CommandTarget):
    """A program that prints a file, whose tree is given in this form."""

    form: Form = "text"

    def _outcome(self, exchange: Exchange, code: int, errors: str) -> Outcome:
        outcome = super()._outcome(exchange, code, errors)
        if outcome.verdict is not Verdict.ACCEPT:
            return outcome
        try:
            games = canonical(bytes(exchange.output), self.form)
        except SGFSyntaxError as error:
            return Outcome(Verdict.REJECT, detail=f"it prints a file outside the grammar: {error}")
        return Outcome(Verdict.ACCEPT, games, self.form)
