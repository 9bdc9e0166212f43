"""What several caches keep together: the limit, and that validation and values keep to it."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Sized
from contextlib import suppress
from types import ModuleType

import pytest

import sgf_lark
from sgf_lark.caches import SharedLimit
from sgf_lark.model.values import reader as values
from sgf_lark.validation import caching as findings


class Numbers:
    """A cache."""

    def __init__(self) -> None:
        self.kept: set[int] = set()

    def clear(self) -> None:
        self.kept.clear()


def test_all_caches_are_emptied_together() -> None:
    limit = SharedLimit(3)
    first, second = Numbers(), Numbers()
    limit.register(first)
    limit.register(second)
    for number in range(3):
        limit.make_room()
        (first if number else second).kept.add(number)
    assert first.kept | second.kept == {0, 1, 2}
    limit.make_room()
    second.kept.add(3)
    assert (first.kept, second.kept) == (set(), {3})


def test_a_cache_that_nobody_uses_is_forgotten() -> None:
    limit = SharedLimit(1)
    cache = Numbers()
    limit.register(cache)
    found = weakref.ref(cache)
    del cache
    gc.collect()
    assert found() is None


def entries_of(cache: object) -> int:
    kept: list[Sized] = []
    if isinstance(cache, values.ValueReader):
        kept = [cache.known, cache._short, *cache._items.values()]
    if isinstance(cache, findings.FindingsCache):
        kept = [cache.findings, cache.shapes]
    return sum(map(len, kept))


@pytest.mark.parametrize("module", [values, findings], ids=["values", "findings"])
def test_files_of_many_contexts_keep_no_more_than_the_limit(
    module: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_KEPT", limit := SharedLimit(100))
    findings.clear()
    most = 0
    for size in range(5, 25):
        data = b"(;FF[4]SZ[%d]" % size
        data += b"".join(b";B[a%c]C[%d]TM[%dx]LB[aa:%d]" % (97 + n, n, n, n) for n in range(5))
        assert sgf_lark.validate(data + b")").diagnostics
        for node in sgf_lark.loads(data + b")", tolerant=True)[0].nodes():
            with suppress(ValueError):
                node.get("LB")
        most = max(most, sum(map(entries_of, limit._caches)))
    findings.clear()
    assert 50 < most <= 100


def test_what_was_validated_before_changes_nothing() -> None:
    """A byte that is no text is reported where CA names the charset, not where it is guessed."""
    files = {
        b"(;CA[GB2312]FF[4]GM[1]PB[\xe4\xb8\xad\xe6\x96\x87]C[x\xff])": ["SGF209"],
        b"(;CA[UTF-8]FF[4]GM[1]C[x\xff]N[\xe4\xb8\xad\xe6\x96\x87])": ["SGF206"],
    }
    for order in (files, reversed(files)):
        findings.clear()
        for data in order:
            assert [each.code for each in sgf_lark.validate(data).diagnostics] == files[data]
