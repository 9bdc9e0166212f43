"""Run Atheris on all promises: ``python -m tests.fuzz``, with the arguments of libFuzzer."""

from __future__ import annotations

import sys
from importlib import import_module

from tests.fuzz.harness import example

#: One of this many seeds is run before Atheris starts, to import what is imported late.
_STEP = 20


def main() -> None:
    """Run Atheris with the mutator of the examples for users."""
    import atheris

    seeds, mutator = example("seeds").seeds(), example("atheris_mutator").custom_mutator
    # What was imported for these is imported again, with instrumentation.
    for name in [each for each in sys.modules if each.startswith(("sgf_lark", "tests.fuzz."))]:
        del sys.modules[name]
    with atheris.instrument_imports(include=["sgf_lark"]):
        promises = import_module("tests.fuzz.harness").promises
        for data in seeds[::_STEP]:
            promises(data)
    atheris.Setup(sys.argv, lambda data: promises(data) and None, custom_mutator=mutator)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
