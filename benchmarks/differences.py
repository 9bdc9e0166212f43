"""Compares the compiled engine with Lark, and filtered with unfiltered validation.

python benchmarks/differences.py [EXAMPLES] [FOLDER]

The input is EXAMPLES generated, mutated and random files, and the .sgf files of FOLDER. Prints
the smallest inputs with a difference, and exits with 1 if there are any.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import engine
from sgf_lark.fuzz.strategies import collections, grammatical, mutants, violations
from sgf_lark.syntax.parsing import parse_if_strict


def difference(data: bytes) -> str | None:
    """Return what differs between the engines, or None."""
    if engine.parse(data) != parse_if_strict(data, "lark"):
        return "the trees differ"
    fast = sgf_lark.validate(data).diagnostics
    slow = sgf_lark.validate(data, engine="lark").diagnostics
    return None if fast == slow else f"{set(slow) ^ set(fast)}"


def main() -> int:
    """Compare all inputs; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("examples", nargs="?", type=int, default=20_000)
    parser.add_argument("folder", nargs="?", type=Path)
    options = parser.parse_args()
    found: dict[bytes, str] = {}
    tried = 0

    @settings(
        phases=[Phase.generate],
        max_examples=options.examples,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(collections() | grammatical() | violations() | mutants() | st.binary(max_size=100))
    def compare_generated(data: bytes) -> None:
        compare(data)

    def compare(data: bytes) -> None:
        nonlocal tried
        tried += 1
        if (different := difference(data)) is not None:
            found[data] = different

    compare_generated()
    for path in sorted(options.folder.rglob("*.sgf")) if options.folder else ():
        compare(path.read_bytes())
    for data in sorted(found, key=len)[:10]:
        print(data, found[data])
    print(f"{tried} inputs, {len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
