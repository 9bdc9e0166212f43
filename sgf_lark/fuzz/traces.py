"""What the standard error of a program says about a crash, and where it was."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sgf_lark.fuzz.outcomes import Verdict


@dataclass(frozen=True, slots=True)
class Trace:
    """A sign of a crash: `message` is what happened, `place` the innermost frame."""

    verdict: Verdict
    message: str
    place: str


_MEMORY = re.compile(
    r"MemoryError|bad_alloc|heap out of memory|OutOfMemoryError|[Oo]ut of memory"
    r"|[Cc]annot allocate memory|memory allocation of \d+ bytes failed"
)

#: Signs of a crash. The last match of "place" tells where: its groups are file, line
#: and function; "message" gives the text. The first row that fits counts.
_SIGNS: tuple[tuple[str, str, str], ...] = (
    # Python, also what faulthandler says of a signal: there the innermost frame is first.
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
    # Perl: what the interpreter says, not what a program says with die.
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
    """The sign of a crash in what a program wrote to standard error, or None."""
    if found := _MEMORY.search(errors):
        return Trace(Verdict.MEMORY, found[0], "")
    for sign, place, message in _SIGNS:
        if re.search(sign, errors, re.MULTILINE):
            said = re.findall(message, errors, re.MULTILINE)
            text = said[-1] if said else errors.strip().splitlines()[-1]
            return Trace(Verdict.CRASH, text.strip(), _place(place, errors, text))
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
