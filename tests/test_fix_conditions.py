"""Every condition of a safe fix is held by a pair of files that differ in it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import pytest

from sgf_lark import fix
from sgf_lark.fixing.choosing import fixability
from sgf_lark.rules import load_fixes
from sgf_lark.rules.fixes import FIXES
from sgf_lark.text.decoding import decodings
from sgf_lark.validation import selected_codes, validate_decoded
from tests.dropping import Dropped, without_conditions
from tests.pairs import Pair, all_pairs
from tests.test_promise import keeps_meaning

load_fixes()

PAIRS = all_pairs()

#: Conditions that no file can show, each with the reason: "function: kind: condition".
EQUIVALENT: dict[str, str] = {}


def verdicts(data: bytes, code: str) -> set[bool | None]:
    """For each diagnostic of the rule: whether its fix is safe; None if it has no fix."""
    validated = validate_decoded(decodings(data), "strict", selected_codes(None, None))
    fixable = fixability(validated)
    found = enumerate(validated.report.diagnostics)
    return {fixable.get(number) for number, each in found if each.code == code}


def check(pair: Pair) -> None:
    """Check what becomes of both files."""
    if pair.safe is not None:
        assert True in verdicts(pair.safe, pair.code)
        result = fix(pair.safe)
        assert pair.code in {change.code for change in result.applied}
        assert result.data == pair.fixed
    if pair.other is not None:
        found = verdicts(pair.other, pair.code)
        assert found
        assert True not in found
        assert pair.code not in {change.code for change in fix(pair.other).applied}
        assert fix(pair.other, unsafe=True).data == pair.becomes


def _id(value: object) -> str:
    return str(value)[:70]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.code} {pair.condition}")
def test_pair(pair: Pair) -> None:
    check(pair)
    for data in (pair.safe, pair.other):
        if data is not None:
            keeps_meaning(data)


def test_every_rule_with_a_fix_has_a_pair() -> None:
    assert set(FIXES) == {pair.code for pair in PAIRS}


# --- Dropped conditions -------------------------------------------------------------------


def _reached(function: Callable[..., Any]) -> Iterator[FunctionType]:
    """The function and the functions of the rules that it calls, directly or not."""
    found: list[FunctionType] = []
    names: list[object] = [function]
    while names:
        each = names.pop()
        if not isinstance(each, FunctionType) or each in found:
            continue
        if not _is_of_rules(each.__module__):
            continue
        found.append(each)
        names += [each.__globals__.get(name) for name in each.__code__.co_names]
    return iter(found)


def _is_of_rules(module: str) -> bool:
    """Whether the module has fixes; values in words and numbers of SGFC have tests of their own."""
    _, is_rules, name = module.partition("sgf_lark.rules.")
    return bool(is_rules) and not name.startswith(("informal", "sgfc", "registry"))


def _dropped() -> Iterator[tuple[FunctionType, Dropped, frozenset[str]]]:
    """Each function without one of its conditions, and the codes that use it."""
    codes: dict[FunctionType, set[str]] = {}
    for code, function in FIXES.items():
        for each in _reached(function):
            codes.setdefault(each, set()).add(code)
    for each, of in sorted(codes.items(), key=lambda item: item[0].__qualname__):
        for dropped in without_conditions(each):
            if f"{each.__name__}: {dropped.condition}" not in EQUIVALENT:
                yield each, dropped, frozenset(of)


@pytest.mark.parametrize(
    ("function", "dropped", "codes"),
    [
        pytest.param(function, dropped, codes, id=f"{function.__name__}-{dropped.condition}")
        for function, dropped, codes in _dropped()
    ],
)
def test_no_condition_can_be_dropped(
    function: FunctionType,
    dropped: Dropped,
    codes: frozenset[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, module in list(sys.modules.items()):
        if name.startswith("sgf_lark.") and vars(module).get(function.__name__) is function:
            monkeypatch.setattr(module, function.__name__, dropped.function)
    for code, of_rule in FIXES.items():
        if of_rule is function:
            monkeypatch.setitem(FIXES, code, dropped.function)
    assert any(_notices(pair) for pair in PAIRS if pair.code in codes)


def _notices(pair: Pair) -> bool:
    try:
        check(pair)
    except Exception:
        return True
    return False
