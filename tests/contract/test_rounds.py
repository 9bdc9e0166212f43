"""Fixes are applied in few rounds, whatever the input, and a second run changes nothing."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sgf_lark
from sgf_lark.fixing import FixResult
from sgf_lark.validation import validate_parsed
from tests.kit.tables import for_each

_FILE = Path(__file__).parents[2] / "benchmarks" / "hostile_shapes.py"
_SPEC = importlib.util.spec_from_file_location("hostile_shapes", _FILE)
assert _SPEC is not None and _SPEC.loader is not None
_MODULE = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(_MODULE)
SHAPES: dict[str, Callable[[int], bytes]] = _MODULE.SHAPES
#: Files in which each game is decoded by itself, and fixed in rounds of its own.
_OF_SECTIONS = {"games of alternating CA, double bytes", "games of alternating CA, a ] lost"}
#: Files that are not the same damage again and again.
_RANDOM = {name for name in SHAPES if name.startswith("random")}

_PIECES = [
    *(b"( ) ; [ ] \\ x \0 \xff \xce\xa7 [k3] (; (;( ((;".split(b" ")),
    *(b"B[aa] W[bb] AB[aa][bb:cc] AW[aa] PL[B] C[x] GM[1] GM[9] FF[4] FF[3] SZ[19]".split()),
    *(b"N[a] N[b] LB[aa:x] TE[1] BM[2] KO[] CA[GB2312] RE[B] DT[1996] KM[6,5] HA[2]".split()),
    *(b"AP[x] AR[aa:aa] B[tt] ST[2] TB[aa]TW[aa] VW[aa][aa] PB[x] (;B[zz]N[a] (;FF[".split()),
]


class Rounds:
    """Fixes files, and counts the validations of each."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.count = 0
        validate = validate_parsed

        def count(*arguments: object, **options: object) -> object:
            self.count += 1
            return validate(*arguments, **options)  # type: ignore[arg-type]

        patch.setattr("sgf_lark.fixing.rounds.validate_parsed", count)

    def of(self, data: bytes, *, unsafe: bool) -> tuple[int, FixResult]:
        """The rounds of a file, and what it becomes, in which a second run changes nothing."""
        self.count = 0
        result = sgf_lark.fix(data, unsafe=unsafe)
        count = self.count
        assert sgf_lark.fix(result.data, unsafe=unsafe).data == result.data, data
        return count, result


@pytest.fixture(scope="module")
def rounds() -> Iterator[Rounds]:
    with pytest.MonkeyPatch.context() as patch:
        yield Rounds(patch)


@pytest.mark.parametrize("unsafe", [False, True])
@for_each({name: shape for name, shape in SHAPES.items() if name not in _OF_SECTIONS | _RANDOM})
def test_larger_hostile_files_need_no_more_rounds(shape: str, rounds: Rounds, unsafe: bool) -> None:
    sizes = (100, 400) if settings().max_examples > 100 else (60, 100)
    small, large = (rounds.of(SHAPES[shape](size), unsafe=unsafe)[0] for size in sizes)
    assert large <= small + 2
    assert large <= 12


@for_each([
    f"(;FF[{file_format}]GM[1]SZ[9];{first}{points}{second}{points})"
    for file_format in (1, 2, 3, 4)
    for first, second in (("AB", "AE"), ("AW", "AB[aa]AE"), ("CR", "TR"), ("MA", "TR[aa]CR"),
                          ("TB", "TW"))
    for points in ("[aa:ii]", "[aa][bb][cc][dd][ee][ff][gg][hh]", "[cc][aa:bb][cc:dd][aa]")
])  # fmt: skip
def test_shared_points_need_few_rounds(text: str, rounds: Rounds) -> None:
    count, result = rounds.of(text.encode(), unsafe=True)
    assert count <= 5
    assert not {found.code for found in result.remaining} & {"SGF508", "SGF510", "SGF516"}


_HEADS = st.sampled_from([b"", b"(;", b"(;FF[4]GM[1]SZ[19]"])


@pytest.mark.parametrize("unsafe", [False, True])
@given(head=_HEADS, pieces=st.lists(st.sampled_from(_PIECES), max_size=30))
def test_any_files_need_few_rounds(
    head: bytes, pieces: list[bytes], rounds: Rounds, unsafe: bool
) -> None:
    assert rounds.of(head + b"".join(pieces), unsafe=unsafe)[0] <= 16


@for_each([
    b"(;FF[4]GM[1]CA[Shift_JIS]CA[x]C[\xff\xe4]])",
    # Without its damage, a game of the file is decoded by itself.
    b"((;FF[4]GM[1])(;CA[Shift_JIS]FF[4]GM[1]C[\x95\\ ])",
    b"((;FF[4]GM[1])(;CA[Shift_JIS]FF[4]GM[1]C[\x95\\])",
    b"((;FF[4]GM[1])(;CA[Big5]FF[4]GM[1]C[\xaa\xed \xa5\\])",
    b"((;FF[4]GM[1]C[x])(;FF[4]GM[1])(;CA[GBK]FF[4]GM[1]C[\x81\\ \xb9\xc5])",
    b"(;FF[4]GM[1]))(;CA[Shift_JIS]FF[4]GM[1]C[\x95\\ ])",
    b"(;FF[4]GM[1](;CA[Shift_JIS]FF[4]GM[1]C[\x95\\ ])",
    b"((;CA[UTF-8]FF[4]GM[1]C[\xc3\xa9])(;CA[Shift_JIS]FF[4]GM[1]C[\x95\\ ])",
])  # fmt: skip
def test_a_file_that_is_decoded_anew_is_fixed_as_it_is_read_then(
    data: bytes, rounds: Rounds
) -> None:
    rounds.of(data, unsafe=True)


def test_fixes_that_undo_each_other_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound does not rest on fixes that are right."""
    from sgf_lark.rules.fixes import FIXES, Edit, Fix, FixContext

    def flip(site: FixContext) -> Fix:
        other = b"x" if site.value.raw == b"y" else b"y"
        return Fix((Edit(site.value.start, site.value.end, other),))

    sgf_lark.fix(b"(;)")
    monkeypatch.setitem(FIXES, "SGF403", flip)
    result = sgf_lark.fix(b"(;FF[4]GM[y])")
    assert [change.code for change in result.applied] == ["SGF403"] * 5
