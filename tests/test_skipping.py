"""How much the accelerated validation asks about: what it skips, and what it caches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import sgf_lark
from sgf_lark import engine
from sgf_lark.validation import caching
from sgf_lark.validation.accelerated import AcceleratedRunner

pytestmark = pytest.mark.skipif(not engine.available, reason="the engine is not compiled")

Count = Callable[[bytes], tuple[int, int, int]]


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Iterator[Count]:
    """Validates a file; how many nodes, properties and values are checked."""
    calls: Counter[str] = Counter()
    names = ("check_node_in", "check_property", "check_value")

    def counting(name: str) -> Callable[..., Any]:
        call: Callable[..., Any] = getattr(AcceleratedRunner, name)

        def counted(*arguments: Any) -> Any:
            calls[name] += 1
            return call(*arguments)

        return counted

    for name in names:
        monkeypatch.setattr(AcceleratedRunner, name, counting(name))

    def validate(data: bytes) -> tuple[int, int, int]:
        calls.clear()
        sgf_lark.validate(data)
        nodes, properties, values = (calls[name] for name in names)
        return nodes, properties, values

    caching.clear()
    yield validate
    caching.clear()


HEAD = b"(;FF[4]GM[1]SZ[19]"
#: What follows the root, and how many nodes, properties and values are checked the first time
#: and when the same file is validated again. The root itself is one node with 3 properties.
CHECKED = [
    # Nothing is asked about nodes with plain values.
    (b"", (1, 3, 3), (1, 0, 0)),
    (b";B[aa];W[bb];B[cc]", (1, 3, 3), (1, 0, 0)),
    (b";B[aa]C[x];W[bb]", (1, 3, 3), (1, 0, 0)),
    (b";B[aa]C[" + b"x" * 999 + b" ];W[bb]PB[x]", (1, 3, 3), (1, 0, 0)),
    (b";B[aa](;W[bb])(;W[cc])", (1, 3, 3), (1, 0, 0)),
    # Lists, and values that are not plain, are checked once.
    (b";B[aa]TR[bb];W[cc]TR[dd][ee]", (2, 3, 3), (1, 0, 0)),
    (b";B[aa]TR[bb:cc]", (2, 4, 4), (1, 0, 0)),
    (b";B[aa]LB[bb:1]", (2, 3, 3), (1, 0, 0)),
    (b";B[aa]CR[bb]SQ[cc]", (2, 3, 3), (1, 0, 0)),
    (b";B[aa]DD[bb]VW[]", (2, 4, 3), (1, 0, 0)),
    (b";C[x]", (2, 3, 3), (1, 0, 0)),
    # Of what is reported only the node is checked again.
    (b";B[aa]CR[bb]SQ[bb]", (2, 3, 3), (2, 0, 0)),
    (b";B[aa];B[bb]", (2, 3, 3), (2, 0, 0)),
    (b";B[];W[tt]", (2, 4, 4), (2, 0, 0)),
    (b";;", (3, 3, 3), (3, 0, 0)),
    (b";B[zz];W[zz];B[zz]", (4, 5, 5), (4, 0, 0)),
    (b";B[aa];W[bb]KO[];B[cc]KO[x]", (3, 5, 5), (2, 0, 0)),
    (b";B[aa]ZZ[x];W[bb]ZZ[x]", (3, 4, 3), (3, 0, 0)),
    (b";B[aa]BL[1.5]OB[3];W[bb]WL[-1]", (2, 4, 4), (2, 0, 0)),
    (b";AB[aa][bb]", (2, 3, 3), (2, 0, 0)),
    # Nodes are cached up to 64 bytes, properties up to 128.
    (b";B[aa]N[" + b"x" * 51 + b"]KO[];W[bb]", (2, 4, 4), (1, 0, 0)),
    (b";B[aa]N[" + b"x" * 52 + b"]KO[];W[bb]", (2, 4, 4), (2, 0, 0)),
    (b";B[aa]KO[" + b"x" * 124 + b"]", (2, 4, 4), (2, 0, 0)),
    (b";B[aa]KO[" + b"x" * 125 + b"]", (2, 4, 4), (2, 1, 1)),
]


@pytest.mark.parametrize(("data", "first", "second"), CHECKED)
def test_what_is_checked(
    data: bytes, first: tuple[int, ...], second: tuple[int, ...], count: Count
) -> None:
    data = HEAD + data + b")"
    assert count(data) == first
    assert count(data) == second
    assert count(data) == second
    caching.clear()
    assert count(data) == first
