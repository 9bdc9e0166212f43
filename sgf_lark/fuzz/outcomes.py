"""What a target made of an input."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sgf_lark.fuzz.canonical import Form, Games


class Verdict(StrEnum):
    ACCEPT = "accept"
    REJECT = "reject"
    #: A signal, a traceback, an exception that no parser should raise.
    CRASH = "crash"
    #: No answer within the time limit.
    HANG = "hang"
    #: The memory limit was reached.
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Outcome:
    """`tree` is the canonical tree where the target gave one, with values in `form`.

    `detail` is what the target said, cut short; `place` where in the target it
    happened ("module:line function", a signal …), or "".
    """

    verdict: Verdict
    tree: Games | None = None
    form: Form = "raw"
    detail: str = ""
    place: str = ""


class TargetError(Exception):
    """A target cannot be run at all; the text says why and what to do."""
