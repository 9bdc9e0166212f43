"""What becomes of the two files of a pair.

pytest gives the assertions here no explanations, which would take more time than the checks:
the tests of dropped conditions make most of them fail.
"""

from __future__ import annotations

from collections import Counter

from sgf_lark import fix, validate
from sgf_lark.fixing import FixResult, choices
from sgf_lark.syntax.parsing import parse
from sgf_lark.text.decoding import decode
from sgf_lark.validation import validate_parsed
from tests.pairs import Pair


def verdicts(data: bytes, code: str) -> Counter[bool | None]:
    """For how many diagnostics of the rule there is a fix that is safe (True) or unsafe (False),
    or none."""
    validated = validate_parsed(parse(decode(data)))
    applicable = choices.applicable(validated, unsafe=True)
    proposed = [(choice.site.code, choice.fix.edits) for choice in applicable]
    assert len(proposed) == len(set(proposed)), "a fix that two findings share is proposed twice"
    assert all(of_choice for _, of_choice in proposed)
    fixable = choices.fixability(validated)
    assert None not in fixable.values()
    found = enumerate(validated.report.diagnostics)
    return Counter(fixable.get(number) for number, each in found if each.code == code)


def check(pair: Pair) -> list[tuple[bytes, FixResult]]:
    """Check what becomes of both files, and return what safe fixes made of each."""
    fixed = []
    if pair.safe is not None:
        fixable = verdicts(pair.safe, pair.code)[True]
        result = fix(pair.safe)
        assert 0 < fixable <= [change.code for change in result.applied].count(pair.code), pair
        assert result.data == pair.fixed, (pair, result.data)
        assert _brings_no_damage(pair.safe, result)
        fixed.append((pair.safe, result))
    if pair.other is not None:
        found = verdicts(pair.other, pair.code)
        assert found, pair
        assert found[True] == 0, pair
        assert pair.becomes != pair.other or found[False] == 0
        result = fix(pair.other)
        assert pair.code not in {change.code for change in result.applied}
        fixed.append((pair.other, result))
        result = fix(pair.other, unsafe=True)
        assert result.data == pair.becomes, (pair, result.data)
        safe = [change.safe for change in result.applied]
        assert not all(safe) or pair.code not in {change.code for change in result.applied}
        assert _brings_no_damage(pair.other, result)
    return fixed


def _brings_no_damage(data: bytes, result: FixResult) -> bool:
    """Whether all damage that was fixed was in the file."""
    damage = {change.code for change in result.applied if change.code.startswith("SGF1")}
    return not damage or damage <= {each.code for each in validate(data).diagnostics}
