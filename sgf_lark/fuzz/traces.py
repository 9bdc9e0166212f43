"""Recognizes crashes in the standard error output of programs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sgf_lark.fuzz.outcomes import Verdict


@dataclass(frozen=True, slots=True)
class Trace:
    """A crash: its message, and as `place` the innermost frame."""

    verdict: Verdict
    message: str
    place: str


_MEMORY = re.compile(
    r"MemoryError|bad_alloc|heap out of memory|OutOfMemoryError|[Oo]ut of memory"
    r"|[Cc]annot allocate memory|memory allocation of \d+ bytes failed"
)

#: For each runtime three patterns: of a crash, of a frame, and of the message. The groups of a
#: frame are file, line and function. The first row whose crash pattern matches is used.
_CRASHES: tuple[tuple[str, str, str], ...] = (
    # Python, and then the output of faulthandler, in which the innermost frame is first.
    (
        r"Traceback \(most recent call last\):",
        r'File "(?P<file>[^"]+)", line (?P<line>\d+), in (?P<function>\S+)',
        r"^(?P<message>[A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt|Warning)\b.*)$",
    ),
    (
        r"Fatal Python error: .*",
        r'File "(?P<file>[^"]+)", line (?P<line>\d+) in (?P<function>\S+)',
        r"Fatal Python error: (?P<message>.*)",
    ),
    # Node and other JavaScript engines.
    (
        r"^\s+at .*:\d+:\d+\)?$",
        r"^\s+at (?:(?P<function>[^\n(]+?) )?\(?(?P<file>[^\n():]+):(?P<line>\d+):\d+\)?$",
        r"^(?P<message>\w*Error\b.*)$",
    ),
    (
        r"thread '.*' panicked at",
        r"panicked at (?:'.*', )?(?P<file>[^\s:]+):(?P<line>\d+)(?P<function>)",
        r"panicked at (?P<message>.*(?:\n.*)?)",
    ),
    (
        r"^goroutine \d+ \[",
        r"^(?P<function>\S+)\(.*\)\n\s+(?P<file>\S+):(?P<line>\d+)",
        r"^(?P<message>panic: .*)$",
    ),
    (
        r'^Exception in thread "',
        r"^\s+at (?P<function>[\w.$<>]+)\((?P<file>[^:)]*):?(?P<line>\d*)\)",
        r'^Exception in thread "[^"]*" (?P<message>.*)$',
    ),
    (
        r"(?:Address|Memory|UndefinedBehavior|Leak)Sanitizer",
        r"#0 \S+ in (?P<function>\S+) (?P<file>\S+?):(?P<line>\d+)",
        r"(?P<message>\w+Sanitizer: .*)",
    ),
    # Perl: messages of the interpreter, not those of a program that calls die.
    (
        r"^(?:Can't (?:use|call|locate|modify|coerce)|Not an? \w+ reference"
        r"|Illegal division|Modification of|Out of range|Nested quantifiers).* at .* line \d+\.",
        r"at (?P<file>\S+) line (?P<line>\d+)\.(?P<function>)",
        r"^(?P<message>(?:Can't|Not an?|Illegal|Modification|Out of|Nested) .*?) at \S+ line",
    ),
    (
        r"[Aa]ssertion .*fail",
        r"(?P<file>[\w./-]+\.\w+):(?P<line>\d+)(?:: (?P<function>\w+):)?",
        r"(?P<message>[Aa]ssertion .*fail\w*)",
    ),
)

#: In these the first frame is the innermost.
_INNERMOST_FIRST = re.compile(r"Fatal Python error|^\s+at |^goroutine|Sanitizer", re.MULTILINE)
_RECURSION = re.compile(r"RecursionError|Maximum call stack size exceeded|StackOverflowError")


def find_trace(errors: str) -> Trace | None:
    """Return the crash in the standard error output of a program, or None."""
    if found := _MEMORY.search(errors):
        return Trace(Verdict.MEMORY, found[0], "")
    for crash, frame, message in _CRASHES:
        if re.search(crash, errors, re.MULTILINE):
            messages = re.findall(message, errors, re.MULTILINE)
            text = messages[-1] if messages else errors.strip().splitlines()[-1]
            return Trace(Verdict.CRASH, text.strip(), _place(frame, errors, text))
    return None


def _place(pattern: str, errors: str, message: str) -> str:
    frames = [match.groupdict() for match in re.finditer(pattern, errors, re.MULTILINE)]
    if not frames:
        return ""
    frame = frames[0] if _INNERMOST_FIRST.search(errors) else frames[-1]
    file = re.split(r"[/\\]", frame["file"])[-1]
    function = (frame["function"] or "").strip()
    if _RECURSION.search(message):
        return f"{file}: {function}".rstrip(": ")
    return f"{file}:{frame['line']} {function}".rstrip()
