"""Time per byte as a finding, with targets that report CPU times of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

import pytest

from sgf_lark.fuzz.causes import Cause
from sgf_lark.fuzz.features import Feature
from sgf_lark.fuzz.inputs import is_of
from sgf_lark.fuzz.judging import Kind
from sgf_lark.fuzz.outcomes import Outcome, Verdict
from sgf_lark.fuzz.reporting import replay, write_findings
from sgf_lark.fuzz.running import RunResult, run
from sgf_lark.fuzz.slowness import Slowness, doubled
from sgf_lark.fuzz.targets import Limits, Target, open_target
from sgf_lark.fuzz.working import Settings
from tests.kit.waiting import LIMIT

#: CPU seconds for a file, as a function of its content.
Cost = Callable[[bytes], float]


class Timed(Target):
    """Takes the CPU time that `cost` gives; each run in `busy` takes ten times as long."""

    def __init__(self, cost: Cost, busy: Iterable[bool] = ()) -> None:
        super().__init__("timed", Limits())
        self._cost = cost
        self._busy = iter(busy)

    def run(self, data: bytes) -> Outcome:
        factor = 10 if next(self._busy, False) else 1
        return Outcome(Verdict.ACCEPT, seconds=factor * self._cost(data))


def is_slow(target: Target, data: bytes, factor: float = 20.0) -> bool:
    with target:
        found = Slowness(factor).describe(target, target.run(data), data)
    return found is not None


def linear(data: bytes) -> float:
    return 0.001 + 1e-6 * len(data)


MANY = b"(;" + b"AB[aa]" * 400 + b")"


def squares(data: bytes) -> float:
    return linear(data) + 1e-5 * data.count(b"AB[aa]") ** 2


def forty_times(data: bytes) -> float:
    return linear(data) * (80 if b"AB[aa]AB" in data else 1)


def thousand_times(data: bytes) -> float:
    return linear(data) * (1000 if b"AB[aa]AB" in data else 1)


CASES: list[tuple[Cost, bytes, bool]] = [
    (linear, MANY, False),
    (linear, b"(;C[" + b"a" * 1_000_000 + b"])", False),
    (squares, MANY, True),
    (squares, MANY[:400], False),  # it takes no time that matters
    (forty_times, MANY, False),  # in line with its size, and not much slower
    (thousand_times, MANY, True),
]


@pytest.mark.parametrize(("cost", "data", "expected"), CASES)
def test_slow_inputs(cost: Cost, data: bytes, expected: bool) -> None:
    assert is_slow(Timed(cost), data) == expected
    assert not is_slow(Timed(cost), data, factor=0)


def test_a_busy_machine_makes_nothing_slow() -> None:
    """The first measurement is wrong, and then two of three."""

    def twice_usual(data: bytes) -> float:
        return 0.05 + (1.2 if data == MANY else 0.0)

    busy = [True] + [False, True, True] * 100
    assert not is_slow(Timed(twice_usual, busy), MANY)


def test_unknown_times_are_no_findings() -> None:
    class Silent(Timed):
        def run(self, data: bytes) -> Outcome:
            return Outcome(Verdict.ACCEPT)

    assert not is_slow(Silent(linear), MANY)


@pytest.mark.parametrize(
    "data",
    [MANY, b"(;" * 500, b"(;DT[1996-05-06" + b",07" * 500 + b"])", b"", b"(;)", bytes(range(200))],
    ids=len,
)
def test_doubled_inputs_have_twice_the_length(data: bytes) -> None:
    found = list(doubled(data))
    assert found[0] == data * 2
    for longer in found:
        assert 1.7 * len(data) <= len(longer) <= 2.3 * len(data)


def test_a_list_of_equal_parts_becomes_longer_without_damage() -> None:
    _, longer, _ = doubled(MANY)
    assert longer == b"(;" + b"AB[aa]" * longer.count(b"AB[aa]") + b")"


TARGETS = ["tests.kit.weak:accepts_all", "sgf_lark", "cat"]


@pytest.mark.parametrize("spec", TARGETS)
def test_targets_report_their_cpu_time(spec: str) -> None:
    with open_target(spec, timeout=LIMIT) as target:
        seconds = target.run(b"(;FF[4])").seconds
    assert seconds is not None
    assert -0.001 < seconds < 30  # the difference of two sums of CPU times


LONG_TEXT = b"(;FF[4]KM[6.5]C[" + b"some text " * 100 + b"];B[aa])"
NODES = b"(;FF[4]SZ[19]" + b";B[aa]C[x];W[bb]" * 80 + b")"
NESTED = b"(;FF[4]SZ[19]" + b"(;B[aa](;W[bb]" * 80 + b")" * 161


def squares_of_texts(data: bytes) -> float:
    return linear(data) + 1e-6 * max(map(len, re.findall(rb"\[([^]]*)", data)), default=0) ** 2


def squares_of_nodes(data: bytes) -> float:
    return linear(data) + 6e-5 * data.count(b";") ** 2


def squares_of_depth(data: bytes) -> float:
    depths = accumulate((byte == 40) - (byte == 41) for byte in data)
    return linear(data) + 6e-5 * max(depths, default=0) ** 2


CAUSES: list[tuple[Cost, bytes, str]] = [
    (squares, MANY, "property:AB"),
    (squares_of_texts, LONG_TEXT, "long-value:65"),
    (squares_of_nodes, NODES, "second-node"),
    (squares_of_depth, NESTED, "child-trees"),
]


@pytest.mark.parametrize(("cost", "data", "name"), CAUSES)
def test_causes_of_slow_inputs(
    cost: Cost, data: bytes, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cause is a usual feature, which inputs of some length avoid from then on."""
    monkeypatch.setattr(Settings, "open", lambda self: [Timed(cost)])
    settings = Settings(("timed",), 1, (data,))
    result = run(settings, examples=1)
    (finding,) = result.findings
    assert [feature.name for feature in finding.features] == [name]
    assert finding.neighbor is not None
    assert cost(finding.neighbor) < cost(finding.data) / 2
    assert len(finding.data) < len(data)
    known = replace(settings, known=(replace(finding, known=True),))
    again = run(known, examples=1)
    assert not again.findings
    assert [found.cause.identity for found in again.known] == [finding.cause.identity]
    inputs = settings.inputs.avoiding(result.causes)
    numbers = [number for number in range(1, 300) if number % 4]
    assert not any(
        finding.features[0].is_in(inputs[number].data)
        for number in numbers[:75]
        if len(inputs[number].data) >= len(finding.data)
    )
    assert any(finding.features[0].is_in(inputs[number].data) for number in numbers)


def test_a_hang_that_is_slow_has_the_same_cause() -> None:
    feature = Feature("second-node")
    slow = Cause("t", Kind.SLOW, "", NODES, (feature,))
    assert slow.may_explain("t", Kind.HANG, NODES)
    assert not slow.may_explain("t", Kind.CRASH, NODES)
    assert slow.identity == Cause("t", Kind.HANG, "", b"", (feature,)).identity


def test_slow_findings_are_minimized_and_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Settings, "open", lambda self: [Timed(squares)])
    result = run(Settings(("timed",), 1, (MANY,)), examples=1)
    (finding,) = result.findings
    assert finding.key.kind is Kind.SLOW
    assert finding.repeatable
    assert len(finding.data) < len(MANY)
    write_findings(tmp_path, RunResult(result.settings, findings=[finding]))
    (path,) = tmp_path.glob("*.json")
    assert json.loads(path.read_text("utf-8"))["slow"] == result.settings.slow
    key, detail, _ = replay(path)
    assert key == finding.key
    assert detail == finding.detail


class Hanging(Timed):
    """Gives no answer where there is a blank after "(", and notes its time limits."""

    def __init__(self) -> None:
        super().__init__(linear)
        self.limits = replace(self.limits, timeout=LIMIT)
        self.waited: list[float] = []

    def run(self, data: bytes) -> Outcome:
        if not re.match(rb"\s*\( ", data):
            return super().run(data)
        self.waited.append(self.limits.timeout)
        return Outcome(Verdict.HANG, detail=f"no answer within {self.limits.timeout:g} s")


def test_a_hang_takes_the_whole_time_limit_only_to_be_confirmed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    target = Hanging()
    monkeypatch.setattr(Settings, "open", lambda self: [target])
    result = run(Settings(("timed",), 1, timeout=LIMIT), examples=300)
    (finding,) = result.findings
    assert finding.key.kind is Kind.HANG
    assert finding.cause.title == "space as white space between tokens"
    assert target.waited[0] == LIMIT
    assert target.waited.count(LIMIT) <= 3
    assert len(target.waited) < 80


def test_long_lowercase_text_is_searched_once() -> None:
    data = b"(;FF[4]GM[1]N[" + b"a" * 2_000_000 + b"])(;aFF[3]abGM[2])"
    assert is_of(data, (1,), ()) is False and is_of(data, (1, 2), (4,)) is False
