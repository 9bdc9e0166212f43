"""Hangs, with targets that give no answer where a file would take them too long."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import accumulate

import pytest

from sgf_lark.fuzz.canonical import canonical
from sgf_lark.fuzz.features import Feature, find_features
from sgf_lark.fuzz.inputs import is_of
from sgf_lark.fuzz.judging import Kind
from sgf_lark.fuzz.outcomes import Outcome, Verdict, find_crash
from sgf_lark.fuzz.running import run
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
    return LIMIT * (data.count(b";") / 60) ** 2


def squares_of_depth(data: bytes) -> float:
    depths = accumulate((byte == 40) - (byte == 41) for byte in data)
    return LIMIT * (max(depths, default=0) / 60) ** 2


MANY = b"(;" + b"AB[aa]" * 130 + b")"
LONG_TEXT = b"(;FF[4]KM[6.5]C[" + b"a" * 1000 + b"];B[aa])"
NODES = b"(;FF[4]SZ[19]" + b";B[aa]C[x];W[bb]" * 32 + b")"
NESTED = b"(;FF[4]SZ[19]" + b"(;B[aa](;W[bb]" * 32 + b")" * 65
#: The time that a file takes, one that takes too long, its cause, and a short file with that.
CAUSES: list[tuple[Cost, bytes, str, bytes]] = [
    (squares, MANY, "property:AB", b"(;AB[aa])"),
    (squares_of_texts, LONG_TEXT, "long-value:65", b"(;C[" + b"a" * 70 + b"])"),
    (squares_of_nodes, NODES, "second-node", b"(;;)"),
    (squares_of_depth, NESTED, "child-trees", b"(;(;))"),
]


@pytest.mark.parametrize(("cost", "data", "name", "short"), CAUSES)
def test_causes_of_hangs(
    cost: Cost, data: bytes, name: str, short: bytes, monkeypatch: pytest.MonkeyPatch
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
    assert not any(finding.cause.is_hang_of(inputs[number].data) for number in range(1, 75))
    assert finding.features[0].is_in(short) and not finding.cause.is_hang_of(short)


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


@for_each([(part,) for part in (b"a", b" ", b"A", b"[", b"[a", b"A[", b"]", b"\\", b"(", b"\n")])
def test_long_parts_are_searched_once(part: bytes) -> None:
    """It takes minutes if each of their characters begins a search of the rest."""
    many = part * 50_000
    assert unmark(mark(many)) == many
    assert find_features(b"(;FF[4]C[a]" + many[:20_000])
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

    target = Broken(lambda data: 2 * LIMIT * unclosed.is_in(data))
    monkeypatch.setattr(Settings, "open", lambda self: [target])
    result = run(Settings(("timed",), 1, timeout=LIMIT), examples=150)
    assert {found.cause.title: found.key.kind for found in result.findings} == {
        "a value that is not closed": Kind.HANG,
        "TR": Kind.CRASH,
    }
    assert 0 < result.verdicts["timed", "hang"] <= 2
    assert len(target.waited) < 10 and not result.not_minimized
