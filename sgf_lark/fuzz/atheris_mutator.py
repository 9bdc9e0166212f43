"""A custom mutator for Atheris, which keeps much of what it makes close to SGF.

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

Atheris itself is needed only to run that; this module does not import it unless it is there.
"""

from __future__ import annotations

from random import Random

from sgf_lark.fuzz.generating_files import generate
from sgf_lark.fuzz.mutants import mutate

#: Once in so many times a new file is made, and once the bytes are changed blindly.
_NEW, _BLIND = 20, 5


def custom_mutator(data: bytes, max_size: int, seed: int) -> bytes:
    """Another input of at most `max_size` bytes, made from `data`; `seed` decides how.

    The interface is that of ``atheris.Setup(…, custom_mutator=…)``. Without Atheris the
    blind changes, which are its own, are left out.
    """
    random = Random(seed)
    if random.randrange(_BLIND) == 0:
        changed = _blindly(data, max_size)
        if changed is not None:
            return changed
    made = generate(random) if random.randrange(_NEW) == 0 or not data else mutate(data, random)
    return made[:max_size]


def _blindly(data: bytes, max_size: int) -> bytes | None:
    try:
        import atheris
    except ImportError:
        return None
    changed: bytes = atheris.Mutate(data, max_size)
    return changed
