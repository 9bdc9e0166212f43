"""What a parser made of a case, held against what the specification says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sgf_lark.conformance.suite import Case
from sgf_lark.fuzz.canonical import difference
from sgf_lark.fuzz.outcomes import Outcome, Verdict


class Status(StrEnum):
    """How a parser did in a case."""

    PASS = "pass"
    #: It refused a file that conforms.
    REJECTED = "rejected"
    #: It took a file that is outside the grammar, and said nothing.
    ACCEPTED = "accepted"
    #: It took the file, but read something else than stands there.
    WRONG_TREE = "wrong tree"
    CRASH = "crash"
    HANG = "hang"
    MEMORY = "memory"


#: No file may bring a parser so far.
BREAKDOWNS = (Status.CRASH, Status.HANG, Status.MEMORY)


@dataclass(frozen=True, slots=True)
class Result:
    """`kind` is the class of a wrong tree or of a breakdown, so that the same are found
    again; `expected` and `found` say in words what should be and what was."""

    status: Status
    kind: str = ""
    expected: str = ""
    found: str = ""


def judge(case: Case, outcome: Outcome, *, ordered: bool = True) -> Result:
    """How `outcome` stands to what `case` expects.

    Without a tree in the outcome the verdict alone counts. Without `ordered` the
    values of a property are compared as a set.
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
                wanted = ", ".join(map(str, case.violations)) or "outside the grammar"
                return Result(Status.ACCEPTED, "", f"{expected} ({wanted})", outcome.detail)
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
