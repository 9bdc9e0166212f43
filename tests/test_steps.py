"""Time in line with size: steps are counted on inputs of doubled size, not seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

import pytest

import sgf_lark
from sgf_lark.model.values import basic
from sgf_lark.model.values.basic import LARGEST, bounded, decimal_digits, integer
from sgf_lark.model.values.points import Point, write_column_and_number

HEAD = b"(;FF[4]GM[1]SZ[52];"

#: Files by the number of pieces.
SHAPES: dict[str, Callable[[int], bytes]] = {
    "one identifier": lambda n: HEAD + b"N[a]" * n + b")",
    "one setup": lambda n: HEAD + b"AB[aa]" * n + b")",
    "two setups": lambda n: HEAD + b"AB[aa]AW[aa]" * n + b")",
    "identifiers": lambda n: HEAD + b"".join(_identifier(i) + b"[a]" for i in range(n)) + b")",
    "moves": lambda n: HEAD + b"B[aa]W[bb]" * n + b")",
    "repeated points": lambda n: HEAD + b"AB" + b"[aa]" * n + b")",
    "rectangles": lambda n: HEAD + b"AB" + b"[aa:ZZ]" * n + b")",
    "rectangles of markup": lambda n: HEAD + b"TR" + b"[aa:ZZ]" * n + b")",
    "properties of rectangles": lambda n: HEAD + b"TR[aa:ZZ]CR[aa:ZZ]" * n + b")",
    "nodes of rectangles": lambda n: HEAD + b";AB[aa:ZZ]" * n + b")",
    "labels": lambda n: HEAD + b"LB" + b"[aa:x]" * n + b")",
    "lines": lambda n: HEAD + b"LN" + b"[aa:bb]" * n + b")",
    "dates": lambda n: HEAD + b"DT[1996-05-06" + b",07" * n + b"])",
    "Octi": lambda n: b"(;FF[4]GM[19];B[11A" + b"-12" * n + b"])",
    "nested": lambda n: HEAD + b"(;B[zz]N[a]N[b]" * n + b")" * (n + 1),
    "siblings": lambda n: HEAD + b"(;B[zz]N[a]N[b])" * n + b")",
    "games": lambda n: b"(;FF[4]GM[1];B[zz])" * n,
    "open": lambda n: b"(" * n,
    "closed": lambda n: HEAD + b")" * n,
    "brackets": lambda n: HEAD + b"C[" + b"[k3] " * n + b"])",
    "stray ]": lambda n: HEAD + b"B[aa]" + b"]" * n + b")",
    "unclosed": lambda n: HEAD + b"C[abc\n;" * n,
    "invalid UTF-8": lambda n: HEAD + b"CA[UTF-8];" + b"C[\xff];" * n + b")",
}


def _identifier(number: int) -> bytes:
    letters = [65 + number // 26**place % 26 for place in range(4)]
    return bytes([*letters, 65])


def read(data: bytes) -> None:
    """Load the file and read all values, by identifier too."""
    for tree in sgf_lark.loads(data, tolerant=True):
        for node in tree.nodes():
            for entry in node.properties:
                try:
                    assert entry.values is not None
                except ValueError:
                    continue
            for ident in node:
                assert ident in node


def steps(function: Callable[[bytes], object], data: bytes) -> int:
    """The number of Python functions that are called."""
    count = 0

    def count_calls(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += 1

    before = sys.getprofile()
    sys.setprofile(count_calls)
    try:
        function(data)
    finally:
        sys.setprofile(before)
    return count


COMMANDS: dict[str, Callable[[bytes], object]] = {
    "validate": sgf_lark.validate,
    "read": read,
    "fix": sgf_lark.fix,
    "fix --unsafe": lambda data: sgf_lark.fix(data, unsafe=True),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("command", COMMANDS)
def test_steps_grow_in_line_with_size(command: str, shape: str) -> None:
    small, large = SHAPES[shape](100), SHAPES[shape](200)
    COMMANDS[command](large)
    assert steps(COMMANDS[command], large) < 2.1 * steps(COMMANDS[command], small)


@pytest.mark.parametrize(("command", "validations"), [("validate", 1), ("fix --unsafe", 3)])
@pytest.mark.parametrize(
    "node", [b";AB[aa:ZZ]", b";AB[aa:ZZ]AW[aa:ZZ]", b";AB[aa:ZZ];AE[aa:ZZ]", b";TR[aa:ZZ][aa:ZZ]"]
)
def test_a_rectangle_is_not_read_point_by_point(
    node: bytes, command: str, validations: int
) -> None:
    """It has 2,704 points, but only 52 rows."""
    data = HEAD + node * 50 + b")"
    COMMANDS[command](data)
    assert steps(COMMANDS[command], data) < 2704 * data.count(b":") * validations


def test_whole_boards_are_listed_once() -> None:
    data = HEAD + b"AB" + b"[aa:ZZ][bb:YY]" * 100 + b"[aa])"
    stones = sgf_lark.loads(data)[0].root.children[0]["AB"]
    assert {*stones} == {Point(x, y) for x in range(52) for y in range(52)}
    assert len(stones) < 15_000


@pytest.mark.parametrize("ident", ["GM", "FF", "SZ", "HA", "KM", "TM", "MN", "PM", "DT", "RE"])
def test_huge_numbers_are_validated(ident: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are not converted, which takes more time for each digit the more there are."""

    def refuse(digits: str) -> int:
        assert len(digits) < 100
        return int(digits)

    monkeypatch.setattr(basic, "integer", refuse)
    digits = (b"9" * 5000, b"0" * 5000 + b"1", b"-" + b"9" * 5000)
    for raw in (*digits, *(b"%b:%b" % (first, second) for first in digits for second in digits)):
        data = b"(;FF[4]GM[1]" + ident.encode() + b"[" + raw + b"];B[aa])"
        report = sgf_lark.validate(data)
        assert report.diagnostics == sgf_lark.validate(data, engine="lark").diagnostics


@pytest.mark.parametrize("least", [-(2**63), -LARGEST, -1, 0, 1, LARGEST, 2**63, 10**30])
@pytest.mark.parametrize("zeros", ["", "0" * 5000])
def test_numbers_are_compared(least: int, zeros: str) -> None:
    for number in (least - 1, least, least + 1):
        raw = f"{'-' if number < 0 else '+'}{zeros}{abs(number)}".encode()
        assert bounded(raw) == min(max(number, -LARGEST), LARGEST)
        codes = [found.code for found in sgf_lark.validate(b"(;FF[4];B[]MN[%b])" % raw).diagnostics]
        assert ("SGF906" in codes) == (not -(2**63) <= number < 2**63)


@pytest.mark.parametrize("length", [1, 3999, 4000, 4001, 8000, 12_345])
def test_numbers_of_any_length(length: int) -> None:
    for digits, number in (
        ("9" * length, 10**length - 1),
        ("1" + "0" * (length - 1), 10 ** (length - 1)),
    ):
        assert integer(digits) == number
        assert decimal_digits(integer(digits)) == digits
        assert decimal_digits(integer(f"-{digits}")) == f"-{digits}"
        assert integer(f"+00{digits}") == number


@pytest.mark.parametrize("length", [1, 2, 3, 10, 1000])
def test_columns_of_many_letters(length: int) -> None:
    first = (26**length - 26) // 25
    assert write_column_and_number(Point(first, 0)) == "a" * length + "1"
    assert write_column_and_number(Point(first + 26**length - 1, 0)) == "z" * length + "1"
