"""The outcome of running a target on an input."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from sgf_lark.fuzz.canonical import Form, Games
from sgf_lark.text.escaping import escape, escape_lines


class Verdict(StrEnum):
    """How a target reacted to an input."""

    ACCEPT = "accept"
    REJECT = "reject"
    #: It ended with a signal, a traceback, or an exception that no parser should raise.
    CRASH = "crash"
    #: It gave no reply within the time limit.
    HANG = "hang"
    #: It reached the memory limit.
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The reaction of a target to one input.

    `tree` is the canonical tree with values in `form`, or None if the target gave none.
    `detail` is the message of the target, shortened, in which control characters are escaped, as
    in `place`. `place` is the place of the failure in
    the target, such as "module:line function" or the name of a signal, or "". `seconds` is the
    CPU time that it took, without that of other processes it started, or None if that is unknown.
    """

    verdict: Verdict
    tree: Games | None = None
    form: Form = "raw"
    detail: str = ""
    place: str = ""
    seconds: float | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "detail", escape_lines(self.detail))
        object.__setattr__(self, "place", escape(self.place))


class TargetError(Exception):
    """A target cannot be run; the message explains why and what to do."""
