"""Compares the outcome of a parser with the result that the specification requires."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sgf_lark.conformance.suite import Case
from sgf_lark.fuzz.canonical import difference
from sgf_lark.fuzz.outcomes import Outcome, Verdict


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
class Result:
    """The result of a parser in a case, with an explanation.

    `kind` is the class of a wrong tree or the place of a breakdown, by which failures are
    grouped. `expected` and `found` describe the required and the actual outcome.
    """

    status: Status
    kind: str = ""
    expected: str = ""
    found: str = ""


def judge(case: Case, outcome: Outcome, *, ordered: bool = True) -> Result:
    """Compare the outcome with the case.

    If the outcome has no tree, only the verdict is compared. If not `ordered`, the values of a
    property are compared as a set.
    """
    expected = f"{case.verdict}: {case.about}"
    match outcome.verdict:
        case Verdict.CRASH | Verdict.HANG | Verdict.MEMORY:
            status = Status(str(outcome.verdict))
            return Result(status, outcome.place, expected, outcome.detail)
        case Verdict.REJECT:
            if case.verdict == "accept":
                return Result(Status.REJECTED, "", expected, outcome.detail)
            return Result(Status.PASS)
        case Verdict.ACCEPT:
            if case.verdict == "reject":
                reasons = ", ".join(map(str, case.violations)) or "outside the grammar"
                return Result(Status.ACCEPTED, "", f"{expected} ({reasons})", outcome.detail)
    return _judge_tree(case, outcome, ordered)


def _judge_tree(case: Case, outcome: Outcome, ordered: bool) -> Result:
    expected = case.tree(outcome.form)
    if expected is None or outcome.tree is None:
        return Result(Status.PASS)
    different = difference(expected, outcome.tree, outcome.form, ordered=ordered)
    if different is None:
        return Result(Status.PASS)
    where = f"{different.place}: " if different.place else ""
    return Result(
        Status.WRONG_TREE,
        different.kind,
        f"{where}{different.expected!r}",
        repr(different.found),
    )
