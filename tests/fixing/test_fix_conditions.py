"""Every condition of a safe fix is held by a pair of files that differ in it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property, partial
from importlib import import_module
from itertools import chain
from types import CodeType, FunctionType
from typing import Any

import pytest
from hypothesis import settings

from sgf_lark import fix
from sgf_lark.fixing import choices, edits
from sgf_lark.fixing.readings import Attempts
from sgf_lark.fixing.rewriting import Header, Rewriting
from sgf_lark.rules import load_fixes
from sgf_lark.rules.fixes import FIXES, LOCAL_FIXES
from sgf_lark.syntax.parsing import parse, parse_if_strict
from sgf_lark.text.decoding import decode
from sgf_lark.validation import caching, validate_file, validate_parsed
from tests.fixing import test_edits
from tests.kit.dropping import watched, without_conditions
from tests.kit.pairs_check import check as check_pair
from tests.kit.tables import for_each
from tests.pairs import all_pairs

load_fixes()
# It is imported where it is first needed, and would keep the functions that it finds then.
import_module("sgf_lark.fixing.repair")

PAIRS = list(chain.from_iterable(all_pairs().values()))

#: Conditions that no file can show, each with the reason: "function: kind: condition".
_MOVES_OF_NODE = "sum((len(flat.of_ident(found.node, ident)) for ident in PLAYED)) > 1"
EQUIVALENT = {
    "_is_empty: bound: flat.parent[number] >= 0": "no root is reported as an empty node",
    f"_equal_properties: bound: {_MOVES_OF_NODE}": "it saves time only",
    f"_equal_properties: other bound: {_MOVES_OF_NODE}": "it saves time only",
    "_equal_properties: conditional: has_several_moves": "it saves time only",
    "_has_safe_fix: early return: key in known": "it saves time only",
    "_has_two_meanings: operand: number < 0": "no safe fix is before the first property",
    "_has_two_meanings: other bound: number < 0": "no safe fix is before the first property",
    "_is_between_equal_moves: early return: not site.flat.roots": (
        "no fix is safe in a file without a game"
    ),
    "_is_between_equal_moves: bound: edit.end > start": "no safe fix ends where a move does",
    "write_likely_file_format: operand: "
    "tree.parsed.flat.properties_of_ident(tree.parsed.numbers, 'FF')": (
        "that FF is moved first; an editor offers each fix by itself"
    ),
    "move_text_to_comment: early return: not text": "an empty comment is deleted afterwards",
    "move_text_to_comment: safe: _are_games(site.collection)": (
        'so has the fix of the ")" that closes the "(", and without it the tree is not closed'
    ),
    "_presumed_fixed: conditional: codes": "it saves time only",
    "split_moves: bound: each.offsets[0] > end": "a move or a further value begins there",
    "_closing_brackets: operand: bracket[0] == b']'": 'only the places of "]" are looked up',
    "escape_bracket: early return: not site.is_first('rest of value', value.number)": (
        "it saves time only"
    ),
    "keep_without_layer: safe: False": ("no fix is safe in a file that is read without a layer"),
    "write_charset_name: operand: not plain": (
        "other text is written in UTF-8 then, and CA with it"
    ),
    "merge_properties: operand: not is_move": "no fix changes equal moves of a node safely",
    "merge_properties: operand: first.raw": "blank values are deleted before",
    "commutes: operand: not site.may_be_safe": "it saves time only",
    "_has_two_meanings: early return: not context.program": "it saves time only",
    "safe_first: filter: each.fix.safe": "the others have a round of their own then",
    "safe_first: operand: each.tree not in trees": "the others have a round of their own then",
    "FixContext.cached: branch: key not in self._shared": "it saves time only",
    "FixContext.replace: early return: edit.replacement == self.value.raw": (
        "no rule reports a value that its fix would write"
    ),
    "delete_control_characters: safe: deletion.safe or site.next_character == b'['": (
        "a word without a value is damage that has no safe fix"
    ),
    "delete_repeated_points: conditional: is_in_property": (
        "the points of a property are deleted one by one, in as many rounds"
    ),
    "_new_points: filter: listed.first_in(area) is not None": (
        "nothing asks for the points of other values; to list them takes time"
    ),
    "_fix_of: operand: fix": "without a fix only a property with two meanings has to be replaced",
    "_write_in_root: early return: entry is None": (
        "without GM and SZ it is Go on 19 × 19 points, unless the user names another game"
    ),
    "write_size_of_moves: operand: tree.has_point(_CORNER)": (
        "no point of the largest board is outside of it; to list the points takes time"
    ),
    "escape_bracket: early return: not rest": "an empty comment is deleted (SGF213)",
    "move_values_to_comment: conditional: text": "an empty comment is deleted (SGF213)",
    "_fixable: early return: "
    "found.code not in FIXES and severities[found.code] is not Severity.ERROR": (
        "there is no fix for the finding anyway; this saves time"
    ),
    "FixContext.may_be_safe: returned: self.tree.number not in ambiguous": "it saves time only",
    "set_up_handicap: branch: named is None": (
        "another number is corrected before (SGF413), and two equal ones become one"
    ),
    "_has_moves_on_empty_points_only: early return: illegal": "it saves time only",
    "delete_escapes: bound: kinds <= {'point', 'stone', 'move'}": "no value has all three kinds",
    "write_in_ascii: operand: written.isascii()": (
        "other text is correct only where any is, and cannot be written"
    ),
    "continue_game: early return: is_damaged and count_unclosed(site) != 0": (
        "of repairs; tests/fixing/test_repair.py has the place"
    ),
    "continue_game: operand: is_damaged": "it saves time only",
    "continue_game: operand: count_unclosed(site) != 0": (
        "of repairs; tests/fixing/test_repair.py has the place"
    ),
    "applicable: conditional: is_first": "it saves time only",
    "_place_between_nodes: bound: before(site.start) <= flat.node_start[number]": (
        "a parenthesis is not where a node begins"
    ),
    "_place_between_nodes: bound: before(opening) >= site.start": (
        "a parenthesis is not where junk begins"
    ),
    "move_to_game_info: early return: not is_missing and entry.ident != 'GC'": (
        "repeated properties become a comment, too, but only one in each round"
    ),
    "move_to_game_info: operand: entry.ident != 'GC'": (
        "comments can be moved one after the other, in as many rounds"
    ),
}


# --- Dropped conditions -------------------------------------------------------------------

#: What is requested for text outside the games, a file, and the file after safe fixes.
HEADERS: list[tuple[Header | None, bytes, bytes]] = [
    (None, b"x(;FF[4]KM[6,5])", b"x(;FF[4]KM[6.5])"),
    ("keep", b"x(;FF[4]KM[6,5])", b"x(;FF[4]KM[6.5])"),
    ("drop", b"x(;FF[4]KM[6,5])", b"(;FF[4]KM[6.5])"),
    ("comment", b"x(;FF[4]KM[6,5])", b"(;FF[4]KM[6.5]C[x])"),
]


def test_header() -> None:
    for header, data, expected in HEADERS:
        result = fix(data, rewriting=Rewriting(header=header))
        assert result.data == expected
        safe = {change.code: change.safe for change in result.applied}
        assert safe == {"SGF415": True} | ({"SGF101": False} if data[0] != expected[0] else {})


def test_header_is_kept_also_if_it_may_be_a_game() -> None:
    data = b"(;FF[4]GM[1])\n;FF[4]GM[1])"
    assert fix(data, unsafe=True).data == b"(;FF[4]GM[1])\n(;FF[4]GM[1])"
    assert fix(data, unsafe=True, rewriting=Rewriting(header="keep")).data == data
    beside = b"(;FF[4]GM[1];Bcc])\nx"
    result = fix(beside, unsafe=True, rewriting=Rewriting(header="keep"))
    assert result.data == b"(;FF[4]GM[1];B[cc])\nx"


def test_safe_fix_goes_before_repair() -> None:
    result = fix(b"(;FF[4]GM[1];B[aa ];W[bb])", unsafe=True)
    assert [change.safe for change in result.applied] == [True]


def _fixable(data: bytes) -> list[tuple[str, bool | None]]:
    validated = validate_parsed(parse(decode(data)))
    fixable = choices.fixability(validated)
    return [(each.code, fixable.get(number)) for number, each in enumerate(validated.findings)]


def test_equal_properties_in_other_charsets() -> None:
    date = "DT[2001年3月4日])"
    games = f"(;FF[4]GM[1]{date}", f"(;FF[4]GM[1]CA[UTF-8]{date}"
    found = [safe for code, safe in _fixable("".join(games).encode()) if code == "SGF418"]
    assert found == [False, True]


def test_equal_properties_of_which_one_is_repeated() -> None:
    games = b"(;FF[4]GM[1]HA[0])(;FF[4]GM[1]HA[0]HA[0])"
    found = [safe for code, safe in _fixable(games) if code == "SGF413"]
    assert found == [True, False, False]


def test_local_fixes_depend_on_the_property_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known of a property holds for equal properties in the other games of a file."""
    files = dict.fromkeys(data for pair in PAIRS for data in (pair.safe, pair.other) if data)
    games = [data for data in files if parse_if_strict(data) is not None]
    data = b"".join(games)
    found = _fixable(data)
    assert {code for code, safe in found if safe is not None} >= LOCAL_FIXES
    monkeypatch.setattr(choices, "LOCAL_FIXES", frozenset())
    assert found == _fixable(data)


def test_a_game_before_one_that_programs_read_in_several_ways() -> None:
    games = [
        "(;FF[4]CA[UTF-8]C[中]KM[6,5])".encode(),
        "(;FF[4]CA[Shift_JIS]C[表]PB[ソ\\]]KM[6,5])".encode("cp932"),
    ]
    data = b"".join(games)
    assert [safe for code, safe in _fixable(data) if code == "SGF415"] == [True, False]
    assert fix(data).data == games[0].replace(b"6,5", b"6.5") + games[1]


def test_damage_that_is_not_listed_counts_as_what_is_listed() -> None:
    for damage, is_safe in ((b"\x01", True), (b"!", False)):
        games = b"(;FF[4]GM[1];%bN[a])(;FF[4]GM[1]KM[6,5];%bN[a])" % (damage, damage)
        validated = validate_file(games, max_per_rule=1)
        fixable = choices.fixability(validated)
        codes = [each.code for each in validated.findings]
        assert fixable[codes.index("SGF415")] == is_safe


def test_repairs_tried_in_earlier_rounds_count() -> None:
    validated = validate_parsed(parse(decode(b"(;FF[4]GM[1];B[aa;W[bb])")))
    attempts = Attempts(0)
    for left, is_repaired in ((attempts.left, True), (0, False)):
        attempts.left = left
        found = choices.applicable(validated, unsafe=True, attempts=attempts)
        assert any(choice.fix.reason for choice in found) == is_repaired


def test_fixes_of_some_findings_are_those_of_all() -> None:
    validated = validate_file(b"(;FF[4]GM[1]KM[6,5];B[aa]TE[])")
    found = choices.applicable(validated, unsafe=False)
    assert len(found) == 2
    for each in found:
        [alone] = choices.applicable(validated, unsafe=False, numbers={each.number})
        assert (alone.number, alone.fix) == (each.number, each.fix)


def test_properties_of_two_meanings() -> None:
    """TE is an event to Cyberoro and a good move to others, HD a handicap and nothing to others."""
    head = b"(;FF[4]GM[1]TE[19]"
    assert fix(b"(;FF[4]GM[1]TE[]CA[UTF-8]TE[19])").applied == []
    for rest in (b"HD[]", b"PB[]", b"\x01"):
        assert fix(head + rest + b")").data == head + b")"
    # There is no property before the finding.
    assert fix(b"(;B;)[aa];W[bb])", unsafe=True).data == b"(;FF[4]B[aa];W[bb])"


def test_a_charset_in_a_value_is_none() -> None:
    data = b"(;FF[4]GM[1]C[a)(;CA[Big5]FF[4]GM[1]C[\xaa\xed \xa5\\])"
    assert fix(data).data == data


def test_unsafe_fixes_wait_for_safe_ones_of_their_tree() -> None:
    fixed = fix(b"(;FF[4]GM[1]HA[ ]HA[2])(;FF[4]GM[1]KM[x])", unsafe=True)
    assert fixed.data == b"(;FF[4]GM[1]HA[2])(;FF[4]GM[1]GC[KM: x])"


def test_what_values_mean_is_fixed_before_them() -> None:
    game = b"(;%bFF[4]GM[11]SZ[11];%bB[a2];W[f6])"
    fixed = fix(game % (b";", b"") + b"(;FF[4]GM[1]KM[x])", unsafe=True)
    assert fixed.data == game % (b"", b";") + b"(;FF[4]GM[1]GC[KM: x])"


def test_empty_nodes_after_variations_are_deleted_alone() -> None:
    """Also where the damage that they are is not selected, and nothing waits for its fix."""
    for nodes in (b";(;B[aa]C[x]);", b";;(;B[aa]C[x])(;W[bb]);;", b";B[aa](;W[bb]C[x]);"):
        data = b"(;FF[4]GM[1]" + nodes + b")"
        assert fix(data, select=["SGF903"], unsafe=True).data.count(b"[") == data.count(b"[")


#: The modules whose functions choose fixes for all rules.
CHOOSING = (choices, edits)
#: The tests here and of edits, which hold their conditions besides the pairs.
TESTS = [
    test
    for name, test in (*globals().items(), *vars(test_edits).items())
    if name.startswith("test_") and isinstance(test, FunctionType) and not test.__code__.co_argcount
]

#: Where a function is found: a module or class, and its name there.
Place = tuple[object, str]


def _function(member: object) -> FunctionType | None:
    """The function of a method or property."""
    if isinstance(member, cached_property):
        member = member.func
    elif isinstance(member, property):
        member = member.fget
    return member if isinstance(member, FunctionType) else None


def _places() -> dict[FunctionType, list[Place]]:
    """The functions and methods that belong to fixes, each with the places where it is found."""
    found: dict[FunctionType, list[Place]] = {}
    for module in [module for name, module in sys.modules.items() if name.startswith("sgf_lark.")]:
        for name, member in list(vars(module).items()):
            if isinstance(member, FunctionType) and _belongs_to_fixes(member.__module__):
                found.setdefault(member, []).append((module, name))
            elif isinstance(member, type) and member.__module__ == module.__name__:
                for attribute, of_class in vars(member).items():
                    function = _function(of_class)
                    if function is not None and _belongs_to_fixes(function.__module__):
                        found.setdefault(function, []).append((member, attribute))
    return found


def _belongs_to_fixes(module: str) -> bool:
    """Whether the module has fixes; values in words have tests of their own."""
    _, is_rules, name = module.partition("sgf_lark.rules.")
    is_of_rules = bool(is_rules) and not name.startswith(("informal", "registry"))
    return is_of_rules or module in [of_all.__name__ for of_all in CHOOSING]


def _names(code: CodeType) -> Iterator[str]:
    """The names that a function uses, also in functions inside it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _used(functions: Iterable[object]) -> set[FunctionType]:
    """The functions, and the functions and methods that they call, directly or not."""
    methods: dict[str, list[FunctionType]] = {}
    for function, places in PLACES.items():
        for where, name in places:
            # Methods are called by their names alone, and so are functions that one imports.
            if isinstance(where, type) or not name.startswith("_"):
                methods.setdefault(name, []).append(function)
    found: set[FunctionType] = set()
    waiting = [*functions]
    while waiting:
        each = waiting.pop()
        if isinstance(each, type):
            each = vars(each).get("__init__")
        if not isinstance(each, FunctionType) or each in found:
            continue
        if _belongs_to_fixes(each.__module__):
            found.add(each)
            for name in _names(each.__code__):
                waiting += [each.__globals__.get(name), *methods.get(name, ())]
    return found


PLACES = _places()


def _functions() -> list[FunctionType]:
    """The functions that belong to fixes."""
    choosing = {function for function in PLACES if sys.modules[function.__module__] in CHOOSING}
    shown = _used([edits.diff_lines, edits.shortened])  # this has tests of its own
    found = _used([*choosing, *map(_function, FIXES.values())]) - shown
    return sorted(found, key=lambda function: (_module(function), function.__qualname__))


def _module(function: FunctionType) -> str:
    return function.__module__.rpartition(".")[2]


def _put(patch: pytest.MonkeyPatch, function: FunctionType, other: Callable[..., Any]) -> None:
    """Put another function where this one is found."""
    for where, name in PLACES[function]:
        patch.setattr(where, name, _like(vars(where)[name], other, name))
    for code, of_rule in FIXES.items():
        if of_rule is function:
            patch.setitem(FIXES, code, other)


CHECKS: list[Callable[[], object]] = [*TESTS, *(partial(check_pair, pair) for pair in PAIRS)]


@contextmanager
def _nothing_kept() -> Iterator[pytest.MonkeyPatch]:
    """No finding of a rule is kept for the rule with another condition, nor the other way round."""
    caching.clear()
    with pytest.MonkeyPatch.context() as patch:
        yield patch
    caching.clear()


@cache
def _noticing() -> dict[str, list[Callable[[], object]]]:
    """For each condition the checks that are likely to fail without it.

    In all others it has the value that takes its place where it is dropped.
    """
    found: dict[str, list[Callable[[], object]]] = {}

    def noted(condition: str, value: object, dropped: bool | None) -> object:
        if bool(value) is not dropped:
            noticing = found.setdefault(condition, [])
            if noticing[-1:] != [check]:
                noticing.append(check)
        return value

    with _nothing_kept() as patch:
        for function in _functions():
            patch.setitem(function.__globals__, "_noted", noted)
            _put(patch, function, watched(function, "_noted"))
        for check in CHECKS:
            check()
    return found


@pytest.mark.skipif(settings().max_examples <= 100, reason="minutes: with the profile thorough")
@for_each(_functions(), by=_module)
def test_no_condition_can_be_dropped(function: FunctionType) -> None:
    """Whether the pairs are complete; what becomes of each is tested in every run."""
    noticing, not_noticed = _noticing(), []
    for dropped in without_conditions(function):
        condition = f"{function.__qualname__}: {dropped.condition}"
        if condition not in EQUIVALENT:
            with _nothing_kept() as patch:
                _put(patch, function, dropped.function)
                if not any(map(_fails, (*noticing.get(condition, ()), *CHECKS))):
                    not_noticed.append(condition)
    assert not_noticed == []


def _like(member: object, function: Callable[..., Any], name: str) -> object:
    """The function as a method or property of the same kind."""
    if isinstance(member, cached_property):
        new = cached_property(function)
        new.attrname = name
        return new
    return property(function) if isinstance(member, property) else function


def _fails(check: Callable[[], None]) -> bool:
    try:
        check()
    except Exception:
        return True
    return False
