"""The outcome of running a target on an input, and how a crash shows in what a program prints."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from sgf_lark.fuzz.canonical import Games
from sgf_lark.text.escaping import escape, escape_lines

#: The verdict that a file requires. "accept": it conforms. "reject": it does not follow the EBNF.
#: "either": it follows the EBNF, or nearly, but may violate other rules, which a parser may or may
#: not enforce.
Expected = Literal["accept", "reject", "either"]


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
    in `place`. `place` is the place of the failure in the target, such as "module:line function" or
    the name of a signal, or "".
    """

    verdict: Verdict
    tree: Games | None = None
    form: str = "text"
    detail: str = ""
    place: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "detail", escape_lines(self.detail))
        object.__setattr__(self, "place", escape(self.place))


class TargetError(Exception):
    """A target cannot be run; the message explains why and what to do."""


#: A line of a stack trace: in Ruby "from", in Java, C# and JavaScript "at", in PHP and C++ "#1"; in
#: Tcl, Lua and others it is indented more than the "  what():" of C++.
_TRACE_LINE = re.compile(
    r"\t| {4}|\s+(?:from|at)\s|\s*#\d+ |\s+\d+: |[Ss]tack trace(?:back)?:|\s+thrown in "
)
_MEMORY = re.compile(
    r"MemoryError|bad_alloc|OutOfMemory|[Oo]ut of memory|Allowed memory size of \d+ bytes"
    r"|[Cc]annot allocate memory|memory allocation of \d+ bytes failed"
)
#: How programs in Python, JavaScript, Rust, Go, Java, C, C#, PHP, Ruby, Perl and Lua say that they
#: crash: most of them end with the same exit codes with which they refuse a file. In Perl the
#: messages are those of the interpreter, not those of a program that calls die. What a line may
#: have in between is limited, as each word may begin a search of the rest.
_CRASH = re.compile(
    r"Traceback \(most recent call last\):|Fatal Python error: .*|^[ \t]+at .*:\d+:\d+\)?$"
    r'|^thread .* panicked at|^panic: |^Exception in thread "|Sanitizer: |[Aa]ssertion .{0,400}fail'
    r"|^Unhandled exception|^(?:PHP )?Fatal error: |^\S+:\d+:in .*\([\w:]+\)$"
    r"|^stack traceback:$"
    r"|^(?:Can't (?:use|call|locate|modify|coerce)|Not an? \w+ reference|Illegal division"
    r"|Modification of|Out of range|Nested quantifiers).{0,400} at .{0,400} line \d+\.",
    re.MULTILINE,
)
#: The innermost frame is the last one of a traceback, and the first one of all other traces.
_PYTHON_FRAME = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+),? in (?P<function>\S+)')
_FRAME = re.compile(
    r"(?<![\w.-])(?P<file>[\w.-]+\.[A-Za-z]\w*)(?::line |:| line )(?P<line>\d+)(?P<function>)"
)
_EXCEPTION = re.compile(
    r"^(?:Exception in thread \S+ |Unhandled exception\. )?"
    r"([\w.]*(?:Error|Exception|Exit|Interrupt)\b.*)$"
    r"|^(panic: .*)$|^Fatal Python error: (.*)$",
    re.MULTILINE,
)
#: Where the stack is full depends on the machine, so that place has no line.
_RECURSION = re.compile(r"RecursionError|Maximum call stack size exceeded|StackOverflowError")
_KEPT_LINES = 3
#: The most characters of a message that are kept.
MOST_DETAIL = 500


def find_crash(errors: str) -> Outcome | None:
    """Return the crash that the standard error output of a program reports, or None."""
    if found := _MEMORY.search(errors):
        return Outcome(Verdict.MEMORY, detail=found[0])
    crash = _CRASH.search(errors)
    if crash is None:
        return None
    messages = ["".join(groups) for groups in _EXCEPTION.findall(errors)]
    detail = messages[-1][:MOST_DETAIL] if messages else last_lines(errors)
    frames = [*_PYTHON_FRAME.finditer(errors)] or [*_FRAME.finditer(errors)]
    if not frames:
        return Outcome(Verdict.CRASH, detail=detail)
    frame = frames[-1 if crash[0].startswith("Traceback") else 0]
    file = re.split(r"[/\\]", frame["file"])[-1]
    line = ": " if _RECURSION.search(detail) else f":{frame['line']} "
    place = f"{file}{line}{frame['function']}".rstrip(": ")
    return Outcome(Verdict.CRASH, detail=detail, place=place)


def last_lines(errors: str) -> str:
    """Return the last lines of the standard error output as one line.

    A message stays if a stack trace follows it.
    """
    lines = errors.splitlines()
    kept = [line.strip() for line in lines if not _TRACE_LINE.match(line)]
    kept = list(filter(None, kept)) or errors.strip().splitlines()
    return " / ".join(kept[-_KEPT_LINES:])[:MOST_DETAIL]
