"""A fuzz target for Atheris, with a custom mutator most of whose outcomes are close to SGF.

::

    pip install atheris sgf-lark
    python atheris_mutator.py -dict=sgf.dict corpus

Put your parser in the place of ``my_parser``.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from random import Random

from sgf_lark.fuzz.generating_files import generate
from sgf_lark.fuzz.mutants import mutate

#: One of this many outcomes is a new file, and one is mutated by Atheris.
_NEW, _ATHERIS = 20, 5


def custom_mutator(data: bytes, max_size: int, seed: int) -> bytes:
    """Return a mutant of `data` of at most `max_size` bytes, determined by `seed`."""
    random = Random(seed)
    if random.randrange(_ATHERIS) == 0:
        import atheris

        mutant: bytes = atheris.Mutate(data, max_size)
        return mutant
    is_new = random.randrange(_NEW) == 0 or not data
    mutant = generate(random) if is_new else mutate(data, random)
    return mutant[:max_size]


def main() -> None:
    """Run Atheris; the arguments are those of libFuzzer."""
    import atheris

    with atheris.instrument_imports():
        import my_parser

    def test_one_input(data: bytes) -> None:
        with suppress(ValueError):  # it means that the file is rejected
            my_parser.parse(data)

    atheris.Setup(sys.argv, test_one_input, custom_mutator=custom_mutator)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
