"""A custom mutator for Atheris, most of whose outcomes are close to SGF.

::

    import sys
    import atheris
    from sgf_lark.fuzz.atheris_mutator import custom_mutator

    with atheris.instrument_imports():
        import my_parser

    def test_one_input(data: bytes) -> None:
        try:
            my_parser.parse(data)
        except ValueError:
            pass

    atheris.Setup(sys.argv, test_one_input, custom_mutator=custom_mutator)
    atheris.Fuzz()

The module works without Atheris.
"""

from __future__ import annotations

from random import Random

from sgf_lark.fuzz.generating_files import generate
from sgf_lark.fuzz.mutants import mutate

#: One of this many outcomes is a new file, and one is mutated by Atheris.
_NEW, _ATHERIS = 20, 5


def custom_mutator(data: bytes, max_size: int, seed: int) -> bytes:
    """Return a mutant of `data` of at most `max_size` bytes, determined by `seed`.

    The interface is that of ``atheris.Setup(…, custom_mutator=…)``. If Atheris is installed,
    its own mutator makes some of the mutants.
    """
    random = Random(seed)
    if random.randrange(_ATHERIS) == 0:
        mutant = _mutate_with_atheris(data, max_size)
        if mutant is not None:
            return mutant
    is_new = random.randrange(_NEW) == 0 or not data
    mutant = generate(random) if is_new else mutate(data, random)
    return mutant[:max_size]


def _mutate_with_atheris(data: bytes, max_size: int) -> bytes | None:
    try:
        import atheris
    except ImportError:
        return None
    mutant: bytes = atheris.Mutate(data, max_size)
    return mutant
