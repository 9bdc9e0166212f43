"""Hangs, with targets that give no answer where a file would take them too long."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

import pytest

from sgf_lark.fuzz.canonical import canonical
from sgf_lark.fuzz.features import Feature, find_features
from sgf_lark.fuzz.inputs import is_of
from sgf_lark.fuzz.judging import Kind
from sgf_lark.fuzz.outcomes import Outcome, Verdict, find_crash
from sgf_lark.fuzz.reporting import replay, write_findings
from sgf_lark.fuzz.running import RunResult, run
from sgf_lark.fuzz.targets import Limits, Target
from sgf_lark.fuzz.tokens import mark, unmark
from sgf_lark.fuzz.working import Settings
from tests.kit.tables import for_each
from tests.kit.waiting import LIMIT

#: The seconds that a file takes, as a function of its content.
Cost = Callable[[bytes], float]


class Timed(Target):
    """Hangs where `cost` is above the limit, and notes its limits; it waits for nothing."""

    def __init__(self, cost: Cost) -> None:
        super().__init__("timed", Limits(timeout=LIMIT))
        self._cost = cost
        self.waited: list[float] = []

    def _run(self, data: bytes) -> Outcome:
        if self._cost(data) <= LIMIT:
            return Outcome(Verdict.ACCEPT)
        self.waited.append(self.limits.timeout)
        return Outcome(Verdict.HANG, detail=f"no answer within {self.limits.timeout:g} s")


def squares(data: bytes) -> float:
    return LIMIT * (data.count(b"AB[aa]") / 100) ** 2


def squares_of_texts(data: bytes) -> float:
    longest = max(map(len, re.findall(rb"\[([^]]*)", data)), default=0)
    return LIMIT * (longest / 900) ** 2


def squares_of_nodes(data: bytes) -> float:
    return LIMIT * (data.count(b";") / 150) ** 2


def squares_of_depth(data: bytes) -> float:
    depths = accumulate((byte == 40) - (byte == 41) for byte in data)
    return LIMIT * (max(depths, default=0) / 150) ** 2


MANY = b"(;" + b"AB[aa]" * 130 + b")"
LONG_TEXT = b"(;FF[4]KM[6.5]C[" + b"a" * 1000 + b"];B[aa])"
NODES = b"(;FF[4]SZ[19]" + b";B[aa]C[x];W[bb]" * 80 + b")"
NESTED = b"(;FF[4]SZ[19]" + b"(;B[aa](;W[bb]" * 80 + b")" * 161
CAUSES: list[tuple[Cost, bytes, str]] = [
    (squares, MANY, "property:AB"),
    (squares_of_texts, LONG_TEXT, "long-value:65"),
    (squares_of_nodes, NODES, "second-node"),
    (squares_of_depth, NESTED, "child-trees"),
]


@pytest.mark.parametrize(("cost", "data", "name"), CAUSES)
def test_causes_of_hangs(
    cost: Cost, data: bytes, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cause is a usual feature, which inputs of some length avoid from then on."""
    monkeypatch.setattr(Settings, "open", lambda self: [Timed(cost)])
    settings = Settings(("timed",), 1, (data,), timeout=LIMIT)
    result = run(settings, examples=1)
    (finding,) = result.findings
    assert [feature.name for feature in finding.features] == [name]
    assert finding.neighbor is not None
    assert cost(finding.neighbor) <= LIMIT < cost(finding.data)
    assert len(finding.data) < len(data)
    known = replace(settings, known=(replace(finding, known=True),))
    again = run(known, examples=1)
    # Each hang takes as long as many other inputs: not even the file of the corpus is sent again.
    assert not again.findings and not again.verdicts["timed", "hang"]
    inputs = settings.inputs.avoiding(result.causes)
    numbers = [number for number in range(1, 300) if number % 4]
    assert not any(
        finding.features[0].is_in(inputs[number].data)
        for number in numbers[:30]
        if len(inputs[number].data) >= len(finding.data)
    )
    assert any(finding.features[0].is_in(inputs[number].data) for number in numbers)
    write_findings(tmp_path, RunResult(settings, findings=[finding]))
    (path,) = tmp_path.glob("*.json")
    key, found, _ = replay(path)
    assert found is not None and (found.key, found.detail) == (key, finding.detail)


def test_the_search_for_another_cause_meets_no_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files without the end of a value do not conform: no wrong tree is looked for in them."""

    class Worse(Timed):
        def _run(self, data: bytes) -> Outcome:
            outcome = super()._run(data)
            if outcome.verdict is Verdict.HANG:
                return outcome
            trees = canonical(data, "text")
            for node in trees[0]:
                node["properties"] = [[name, values[:1]] for name, values in node["properties"]]
            return Outcome(Verdict.ACCEPT, trees)

    target = Worse(lambda data: 2 * LIMIT * (data.count(b"[") > data.count(b"]")))
    monkeypatch.setattr(Settings, "open", lambda self: [target])
    data = b"(;FF[4]C[one \\] two]AB[aa][bb][cc]KM[6.5];B[dd]C[three])"
    result = run(Settings(("timed",), 1, (data,), timeout=LIMIT), examples=1)
    assert [found.cause.title for found in result.findings] == ["several values in a property"]
    assert target.waited == []


@for_each(
    [
        (lambda count: count**2 / 1e8, True),
        (lambda count: count**3 / 1e13, True),
        (lambda count: count / 1e5 + count**2 / 2e8, True),  # the square is half of it at first
        (lambda count: count / 1e4, False),
        (lambda count: count**2 / 1e13, False),  # too short to be measured in files of 2 MB
    ]
)
def test_time_that_grows_faster_than_the_file_is_a_finding(
    cost: Callable[[int], float],
    is_found: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Growing(Timed):
        def run(self, data: bytes) -> Outcome:
            outcome = super().run(data)
            self.elapsed = cost(data.count(b"(") - 1)
            return outcome

    monkeypatch.setattr(Settings, "open", lambda self: [Growing(lambda data: 0)])
    result = run(Settings(("timed",), 1, timeout=LIMIT), examples=100)
    assert [(found.key.kind, found.key.place) for found in result.findings][:1] == (
        [(Kind.SLOW, "siblings")] if is_found else []
    )
    if is_found:
        write_findings(tmp_path, result)
        path = next(path for path in tmp_path.glob("*.json") if "siblings" in path.read_text())
        assert replay(path)[1] is not None


def test_time_that_other_programs_take_once_is_no_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    class Disturbed(Timed):
        count = 0

        def run(self, data: bytes) -> Outcome:
            outcome = super().run(data)
            self.count += data.startswith(b"(;FF[4](;C[a])(")
            self.elapsed = 4.0**self.count / 100 if self.count < 12 else 0.001
            return outcome

    target = Disturbed(lambda data: 0)
    monkeypatch.setattr(Settings, "open", lambda self: [target])
    result = run(Settings(("timed",), 1, timeout=LIMIT), examples=50)
    assert result.findings == [] and target.count > 12


def test_a_hang_takes_the_whole_time_limit_only_to_be_confirmed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    target = Timed(lambda data: 2 * LIMIT if re.match(rb"\s*\( ", data) else 0)
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


@for_each([b"a", b" ", b"A", b"[", b"[a", b"A[", b"]", b"\\", b"(", b"\n"])
def test_long_parts_are_searched_once(part: bytes) -> None:
    """It takes minutes if each of their characters begins a search of the rest."""
    many = part * 50_000
    assert unmark(mark(many)) == many
    assert find_features(b"(;FF[4]C[a]" + many[:10_000])
    assert find_crash(many.decode()) is None


def test_a_hang_is_known_after_its_first_two_and_hides_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No input meets it from then on, nor any that is tried to make another finding smaller."""

    class Broken(Timed):
        def _run(self, data: bytes) -> Outcome:
            outcome = super()._run(data)
            crash = Outcome(Verdict.CRASH, place="a.py:1")
            return crash if re.search(rb"TR\[[a-z]{2}\]", data) else outcome

    unclosed = Feature("unclosed", "value")

    def cost(data: bytes) -> float:
        # The files by which a growing time is found have 2 MB, and none of them is unclosed.
        return 2 * LIMIT * (len(data) < 10_000 and unclosed.is_in(data))

    target = Broken(cost)
    monkeypatch.setattr(Settings, "open", lambda self: [target])
    result = run(Settings(("timed",), 1, timeout=LIMIT), examples=150)
    assert {found.cause.title: found.key.kind for found in result.findings} == {
        "a value that is not closed": Kind.HANG,
        "TR": Kind.CRASH,
    }
    assert 0 < result.verdicts["timed", "hang"] <= 2
    assert len(target.waited) < 10 and not result.not_minimized
