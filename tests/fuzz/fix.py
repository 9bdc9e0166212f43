"""``fix``, safe and unsafe: idempotent, without new errors; safe fixes keep the meaning."""

from collections import Counter

import sgf_lark
from sgf_lark.diagnostics import Severity
from sgf_lark.validation.report import Report
from tests.kit.comparing import changes_by_fix


def TestOneInput(data: bytes) -> None:
    before = sgf_lark.validate(data)
    for unsafe in (False, True):
        fixed = sgf_lark.fix(data, unsafe=unsafe)
        assert sgf_lark.fix(fixed.data, unsafe=unsafe).data == fixed.data
        after = sgf_lark.validate(fixed.data)
        assert after.diagnostics == fixed.remaining
        assert after.ok or not before.ok
        if after.ok:
            sgf_lark.loads(fixed.data, engine="lark")
        # A fixed error may have hidden another one in the same place.
        if errors(before).keys().isdisjoint(change.code for change in fixed.applied):
            assert not errors(after) - errors(before)
        if not unsafe:
            assert all(change.safe for change in fixed.applied)
            assert changes_by_fix(data, fixed) == []


def errors(report: Report) -> Counter[str]:
    """How often each rule is violated."""
    return Counter(each.code for each in report.diagnostics if each.severity is Severity.ERROR)
