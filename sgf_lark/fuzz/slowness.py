"""Time per byte: inputs that take a target far more CPU time than others of their size.

The pace of a target is what the same few generated files take: CPU seconds for the shortest file,
and per byte. An input is slow if it takes many times what that pace gives for its length. CPU time
does not contain waiting, so a machine with other work to do makes little difference; of several
measurements the least counts. What is slow by the first measurement is measured again, and is
confirmed by its growth: an input of twice the length, with a part repeated, takes more than twice
the time. What does not grow so has to be slower still.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from sgf_lark.fuzz.inputs import Inputs
from sgf_lark.fuzz.outcomes import Outcome, Verdict
from sgf_lark.fuzz.targets import Target

#: Inputs that take fewer CPU seconds are never slow: the clock and the start of a process matter
#: too much.
SHORTEST = 0.2
#: An input is slow if it takes this many times the CPU time that the pace gives for its length;
#: or, if it does not grow faster than its length, that many times :data:`NOT_GROWING`.
FACTOR = 20.0
NOT_GROWING = 5.0
#: Growth of the CPU time when the length is doubled. It is 2 in line with the length, 4 with its
#: square.
GROWTH = 2.7

#: While the cause of a slow input is searched, with one measurement of each input, an input is
#: slow too if it takes this many times what is slow, and not slow if it takes clearly less.
AGAIN, CLEARLY = 1.25, 3.0
#: How often an input is measured.
_MEASUREMENTS = 3
#: The files that determine the pace are the first ones of seed 0.
_FILES = 24
_SHORTEST_FILE = b"(;)"
_TICK = 1e-6
#: The length of the bytes by which repetition is recognized.
_REPEATED = 8


class Slowness:
    """Finds slow inputs; the pace of each target is measured when it is first needed."""

    def __init__(self, factor: float = FACTOR) -> None:
        """Report what takes `factor` times the usual CPU time; nothing if that is 0."""
        self._factor = factor
        self._paces: dict[str, tuple[float, float] | None] = {}

    def excess(self, target: Target, outcome: Outcome, data: bytes) -> float:
        """Return the CPU time as a multiple of what is slow for that length; 0 if it is unknown."""
        seconds = outcome.seconds
        answered = outcome.verdict in (Verdict.ACCEPT, Verdict.REJECT)
        if not answered or not self._factor or not seconds:
            return 0.0
        if seconds * CLEARLY < SHORTEST:
            return seconds / SHORTEST
        usual = self._usual(target, len(data))
        return 0.0 if usual is None else seconds / self._limit(usual)

    def describe(self, target: Target, outcome: Outcome, data: bytes) -> str | None:
        """Return how slow the target is on `data`, None unless other measurements confirm it."""
        usual = self._usual(target, len(data)) if self.excess(target, outcome, data) >= 1 else None
        if usual is None:
            return None
        limit = self._limit(usual)
        again = measure(target, data, limit)
        if again is None or again < limit:
            return None
        seconds = min(outcome.seconds or again, again)
        growth = _growth(target, data, seconds)
        if growth < GROWTH and seconds < NOT_GROWING * limit:
            return None
        found = f"{seconds:.2f} s of CPU time for {len(data)} bytes, {seconds / usual:.0f} times"
        return f"{found} the usual" + (
            f"; {growth:.1f} times that for twice the length" if growth else ""
        )

    def _limit(self, usual: float) -> float:
        """Return the CPU seconds from which on an input is slow that usually takes so many."""
        return max(SHORTEST, self._factor * usual)

    def _usual(self, target: Target, length: int) -> float | None:
        """Return the CPU seconds for an input of that length, None if they are unknown."""
        if target.name not in self._paces:
            self._paces[target.name] = _measure_pace(target)
        pace = self._paces[target.name]
        return pace and pace[0] + pace[1] * length


def _measure_pace(target: Target) -> tuple[float, float] | None:
    """Return the CPU seconds for the shortest file, and for each byte."""
    start = measure(target, _SHORTEST_FILE)
    if start is None:
        return None
    inputs = Inputs(0)
    rates = []
    for number in range(_FILES):
        data = inputs[number].data
        seconds = measure(target, data)
        if data and seconds is not None:
            rates.append(max(0.0, seconds - start) / len(data))
    # A coarse clock may show no time at all.
    return (max(start, _TICK), median(rates)) if rates else None


def measure(target: Target, data: bytes, enough: float | None = None) -> float | None:
    """Return the least CPU time of several runs; None if one gave no answer.

    A time below `enough` ends the measurement.
    """
    least = None
    for _ in range(_MEASUREMENTS):
        seconds = target.run(data).seconds
        if seconds is None:
            return None
        least = seconds if least is None else min(least, seconds)
        if enough is not None and least < enough:
            break
    return least


def _growth(target: Target, data: bytes, seconds: float) -> float:
    """Return the growth when the length is doubled, the greatest if none is clear.

    It is 0 if there is no answer in time, which proves nothing: the machine may be busy.
    """
    greatest = 0.0
    for longer in doubled(data):
        taken = measure(target, longer, GROWTH * seconds)
        if taken is not None:
            greatest = max(greatest, taken / seconds * 2 * len(data) / len(longer))
        if greatest >= GROWTH:
            break
    return greatest


def doubled(data: bytes) -> Iterator[bytes]:
    """Yield inputs of about twice the length: `data` twice, and with its middle repeated.

    The middle is what follows some bytes up to where the same bytes come again, so that a list
    of equal parts becomes longer; and then the second and third quarter, so that a long value
    does.
    """
    yield data * 2
    first = len(data) // 4
    last = data.rfind(data[first : first + _REPEATED], first + 1, len(data) - first)
    if last > first:
        part = data[first:last]
        yield data[:last] + part * round(len(data) / len(part)) + data[last:]
    last = len(data) - first
    if part := data[first:last]:
        yield data[:last] + part * round(len(data) / len(part)) + data[last:]
