"""A custom mutator for AFL++, most of whose outcomes are close to SGF.

::

    PYTHONPATH=. AFL_PYTHON_MODULE=afl_mutator afl-fuzz -i corpus -o out -x sgf.dict -- ./parser @@

AFL++ has to be built with Python and find sgf_lark. The names are those of its `Python interface
<https://github.com/AFLplusplus/AFLplusplus/blob/stable/docs/custom_mutators.md>`_.
"""

from __future__ import annotations

from random import Random

from sgf_lark.fuzz.generating_files import generate
from sgf_lark.fuzz.mutants import mutate

#: One of this many outcomes is a new file, and one a mix of two inputs.
_NEW, _MIX = 20, 5
_random = Random(0)


def init(seed: int) -> None:
    """Start anew with the seed of the fuzzer."""
    _random.seed(seed)


def fuzz(buf: bytearray, add_buf: bytearray | None, max_size: int) -> bytearray:
    """Return a mutant of `buf`, at times with a part of `add_buf`, of at most `max_size` bytes."""
    if not buf or _random.randrange(_NEW) == 0:
        made = generate(_random)
    elif add_buf and _random.randrange(_MIX) == 0:
        cut = _random.randrange(len(buf) + 1)
        made = mutate(bytes(buf[:cut] + add_buf[cut:]), _random)
    else:
        made = mutate(bytes(buf), _random)
    # AFL++ ends with an error if it is given nothing.
    return bytearray(made[:max_size] or b"(")


def deinit() -> None:
    """End; there is nothing to do, but AFL++ asks for it."""
