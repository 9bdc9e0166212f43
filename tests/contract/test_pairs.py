"""Fixes under their conditions: what becomes of a file with a condition and of one without it."""

from __future__ import annotations

from itertools import chain

from sgf_lark.rules import load_fixes
from sgf_lark.rules.fixes import FIXES
from tests.kit.comparing import changes_by_fix
from tests.kit.pairs_check import check
from tests.kit.tables import for_each
from tests.pairs import Pair, all_pairs

load_fixes()

PAIRS = list(chain.from_iterable(all_pairs().values()))


@for_each(PAIRS, by=lambda pair: pair.code)
def test_pair(pair: Pair) -> None:
    for data, result in check(pair):
        assert all(change.safe for change in result.applied)
        assert changes_by_fix(data, result) == []


def test_every_rule_with_a_fix_has_a_pair() -> None:
    assert set(FIXES) <= {pair.code for pair in PAIRS}
