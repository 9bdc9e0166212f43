"""Runs parsers on the suite; the results are a JSON document.

::

    {"format": "sgf_lark conformance results", "version": 1,
     "suite": {"cases": 1548, "version": "1.1", "digest": "…", "task": "parse",
               "groups": {"structure": 88, …}, "verdicts": {"accept": 751, …}},
     "made_by": {"sgf_lark": "0.1.0", "python": "3.12.3", "system": "Linux"},
     "parsers": [{"name": "sgfmill", "title": "…", "version": "1.1.1", "trees": true,
                  "timeout": 5.0, "memory": 1073741824, "skipped": [],
                  "failures": [{"case": "points/accept-size-27", "status": "rejected",
                                "kind": "", "expected": "…", "found": "…"}, …]}]}

A parser passed the cases that are neither in `failures` nor in `skipped`. The skipped ones are
cases about bytes, for a parser that takes text. `trees` is true if the parser gave any trees;
otherwise only its verdicts were compared.
"""

from __future__ import annotations

import json
import platform
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, get_args

import sgf_lark
from sgf_lark.conformance.suite import Case, Suite, verdict_of
from sgf_lark.fuzz.adapters import adapters, available, node_command
from sgf_lark.fuzz.canonical import Form, canonical, compare
from sgf_lark.fuzz.outcomes import Outcome, TargetError, Verdict
from sgf_lark.fuzz.targets import (
    PERSISTENT,
    CommandTarget,
    Limits,
    Target,
    command_words,
    is_callable,
    open_target,
    split_name,
)
from sgf_lark.syntax.errors import SGFSyntaxError
from sgf_lark.text.escaping import escape

FORMAT = "sgf_lark conformance results"
VERSION = 1
#: At most this many characters of a message or value are kept.
_KEPT = 300

#: Passes the cases through, and can show the progress of the run.
Watch = Callable[[Iterable[Case]], Iterable[Case]]


def run_suite(
    suite: Suite,
    specs: Iterable[str],
    *,
    task: Task = "parse",
    groups: Iterable[str] = (),
    skip: Iterable[str] = (),
    timeout: float = 5.0,
    memory: int = 1 << 30,
    watch: Watch = iter,
    unavailable: Callable[[TargetError], None] | None = None,
) -> dict[str, Any]:
    """Return the results of all parsers in `specs`.

    Each is a name for :func:`open_target`, or ``NAME=`` and such a name: the results then
    have NAME. `groups` and `skip` are those of :func:`selected_cases`. A parser that
    cannot be run is left out after a call of `unavailable`, without which TargetError is raised.
    """
    cases = selected_cases(suite, task, groups, skip)
    limits = Limits(timeout, memory)
    parsers = []
    for spec in specs:
        try:
            parsers.append(_run_parser(spec, task, watch(cases), limits))
        except TargetError as error:
            if unavailable is None:
                raise
            unavailable(error)
    return {
        "format": FORMAT,
        "version": VERSION,
        "suite": {
            "cases": len(cases),
            "version": suite.version,
            "digest": suite.digest,
            "task": task,
            "groups": Counter(case.group for case in cases),
            "verdicts": Counter(verdict_of(case.id) for case in cases if task == "parse"),
        },
        "made_by": {
            "sgf_lark": sgf_lark.__version__,
            "python": platform.python_version(),
            "system": platform.system(),
        },
        "parsers": parsers,
    }


def selected_cases(
    suite: Suite, task: Task, groups: Iterable[str], skip: Iterable[str]
) -> list[Case]:
    """Return the cases of a task, of some groups or all, without those that match a name of `skip`.

    See :meth:`Case.matches` for the names.
    """
    selected, skipped = set(groups) or set(suite.groups), [*skip]
    return [
        case
        for case in cases_of_task(suite, task)
        if case.group in selected and not any(map(case.matches, skipped))
    ]


def _run_parser(given: str, task: Task, cases: Iterable[Case], limits: Limits) -> dict[str, Any]:
    name, spec = split_name(given)
    trees = False
    failures: list[dict[str, str]] = []
    skipped: list[str] = []
    with open_task(spec, task, limits) as target:
        for case in cases:
            if target.takes_text and case.bytes_only:
                # To decode the file as a whole changes what the case is about.
                skipped.append(case.id)
                continue
            outcome = target.run(input_of(case, task))
            trees = trees or outcome.tree is not None
            result = judge(case, outcome, ordered=target.ordered)
            if result.status is not Status.PASS:
                # The name of the folder is different in each run.
                found = result.found.replace(f"{target.folder}/", "")
                failures.append(
                    {
                        "case": case.id,
                        "status": str(result.status),
                        "kind": result.kind,
                        "expected": shortened(result.expected),
                        "found": shortened(found),
                    }
                )
    adapter = adapters().get(spec)
    version = adapter and adapter.installed_version()
    if adapter and adapter.module == "sgf_lark":
        version = sgf_lark.__version__
    return {
        "name": name,
        "title": adapter.title if adapter else spec,
        "version": version or "",
        "trees": trees,
        "timeout": limits.timeout,
        "memory": limits.memory,
        "skipped": skipped,
        "failures": failures,
    }


def shortened(text: str, limit: int = _KEPT) -> str:
    """Return `text`, without its middle if it is longer than `limit`."""
    if len(text) <= limit:
        return text
    return f"{text[: limit * 2 // 3]} … {text[-limit // 3 :]}"


class ResultsError(Exception):
    """There are no results, or not of the same cases; the message explains why."""


def read_results(path: Path) -> dict[str, Any]:
    """Return the results in a JSON file. Raises OSError and ResultsError."""
    try:
        document = json.loads(path.read_bytes())
    except ValueError as error:
        raise ResultsError(f"{escape(path)}: {error}") from None
    head = {"format": FORMAT, "version": VERSION}
    if not isinstance(document, dict) or not document.items() >= head.items():
        raise ResultsError(f"{escape(path)} holds no results of sgf-lark conformance run")
    return document


def merged(documents: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return one document with the parsers of all. Raises ResultsError."""
    if any(document["suite"] != documents[0]["suite"] for document in documents):
        raise ResultsError("the results are of different cases")
    return {**documents[0], "parsers": [one for each in documents for one in each["parsers"]]}


# --- Comparing a result -------------------------------------------------------------------------


class Status(StrEnum):
    """The result of a parser in a case."""

    PASS = "pass"
    #: It rejected a file that conforms.
    REJECTED = "rejected"
    #: It accepted a file that does not follow the grammar.
    ACCEPTED = "accepted"
    #: It accepted the file, but its tree is wrong.
    WRONG_TREE = "wrong tree"
    CRASH = "crash"
    HANG = "hang"
    MEMORY = "memory"


#: The results that no file may cause.
BREAKDOWNS = (Status.CRASH, Status.HANG, Status.MEMORY)


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The result of a parser in a case, with an explanation.

    `kind` is the class of a wrong tree or the place of a breakdown, by which failures are
    grouped. `expected` and `found` describe the required and the actual outcome.
    """

    status: Status
    kind: str = ""
    expected: str = ""
    found: str = ""


def judge(case: Case, outcome: Outcome, *, ordered: bool = True) -> CaseResult:
    """Compare the outcome with the case.

    If the outcome has no tree, only the verdict is compared. If not `ordered`, the values of a
    property are compared as a set.
    """
    expected = f"{case.verdict}: {case.about}"
    match outcome.verdict:
        case Verdict.CRASH | Verdict.HANG | Verdict.MEMORY:
            status = Status(str(outcome.verdict))
            return CaseResult(status, outcome.place, expected, outcome.detail)
        case Verdict.REJECT:
            if case.verdict == "accept":
                return CaseResult(Status.REJECTED, "", expected, outcome.detail)
            return CaseResult(Status.PASS)
        case Verdict.ACCEPT:
            if case.verdict == "reject":
                reasons = ", ".join(map(str, case.violations)) or "outside the grammar"
                return CaseResult(Status.ACCEPTED, "", f"{expected} ({reasons})", outcome.detail)
    given = outcome.tree
    different = given and compare(case.tree, given, outcome.form, ordered=ordered)
    if not different:
        return CaseResult(Status.PASS)
    where = f"{different.place}: " if different.place else ""
    wanted, found = f"{where}{different.expected!r}", repr(different.found)
    return CaseResult(Status.WRONG_TREE, different.kind, wanted, found)


# --- Tasks --------------------------------------------------------------------------------------


#: parse: the verdict and the tree of a file. tolerant: the tree of a damaged file. fix: a
#: damaged file to a conforming one. write: a tree to a file.
Task = Literal["parse", "tolerant", "fix", "write"]
TASKS: tuple[Task, ...] = get_args(Task)


def cases_of_task(suite: Suite, task: Task) -> list[Case]:
    """Return the cases of the task, each with the result that the task requires.

    For all tasks but "parse" the result is a tree: of the file as a tolerant parser reads it,
    of the fixed file, or of the written file.
    """
    if task == "parse":
        return list(suite.cases)
    if task == "write":
        return [case for case in suite.cases if case.write]
    found = ((case, case.recovered if task == "tolerant" else case.fixed) for case in suite.cases)
    return [
        replace(case, verdict="accept", trees=trees) for case, trees in found if trees is not None
    ]


def input_of(case: Case, task: Task) -> bytes:
    """Return what a program is given: the file, or for "write" its tree as JSON.

    The JSON is ``{"form": "text", "charset": …, "games": […]}``, in UTF-8.
    """
    if task != "write":
        return case.data
    model = {"form": "text", "charset": case.charset, "games": case.tree("text")}
    return json.dumps(model, ensure_ascii=False).encode()


def open_task(spec: str, task: Task, limits: Limits) -> Target:
    """Return the target for a task.

    A command for "fix" or "write" prints a file, whose tree becomes its outcome. Raises
    TargetError if the target is not available for the task.
    """
    adapter = adapters().get(spec)
    if adapter is not None and task in adapter.tasks:
        spec = available(spec).tasks[task]
        if spec.endswith(".cjs"):
            spec = shlex.join(node_command(spec))
    elif adapter is not None and task in ("fix", "write"):
        names = ", ".join(name for name, each in adapters().items() if task in each.tasks)
        raise TargetError(f"the adapter {spec} has no task {task}; with it: {names}")
    elif task in ("fix", "write") and (is_callable(spec) or spec.startswith(PERSISTENT)):
        raise TargetError(
            f"the task {task} needs an adapter or a command that ends after each input, not {spec}"
        )
    if task in ("parse", "tolerant") or is_callable(spec):
        return open_target(spec, timeout=limits.timeout, memory=limits.memory)
    target = _PrintsFile(spec, limits, command_words(spec))
    # A fix may be an escape, which only the raw form shows; writers may escape as they like.
    target.form = "raw" if task == "fix" else "text"
    return target


class _PrintsFile(CommandTarget):
    """A program that prints a file, whose tree is given in this form."""

    form: Form = "text"

    def accepted(self, output: bytes) -> Outcome:
        """Return the outcome with the tree of the file that was printed."""
        try:
            return Outcome(Verdict.ACCEPT, canonical(output, self.form), self.form)
        except SGFSyntaxError as error:
            return Outcome(Verdict.REJECT, detail=f"it prints a file outside the grammar: {error}")
