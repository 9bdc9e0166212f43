"""The inputs of a run: which one is number `i` depends on the seed and `i` alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal

from sgf_lark.fuzz.generating_files import generate
from sgf_lark.fuzz.mutants import mutate
from sgf_lark.fuzz.violations import violate

Source = Literal["conforming", "violating", "mutant", "corpus", "corpus mutant"]

#: Of so many inputs the first are conforming, the next violate a rule, the rest are mutants.
_PARTS, _CONFORMING, _VIOLATING = 10, 4, 6
#: With a corpus half of the inputs are mutants of its files.
_CORPUS_SHARE = 2


@dataclass(frozen=True, slots=True)
class Input:
    """One input, and where it comes from."""

    number: int
    source: Source
    data: bytes


@dataclass(frozen=True)
class Inputs:
    """All inputs of a run. `corpus` are files to start from: each is an input, then its
    mutants are; `options` are those of :func:`sgf_lark.fuzz.generating_files.generate`."""

    seed: int
    corpus: tuple[bytes, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)

    def __getitem__(self, number: int) -> Input:
        if number < len(self.corpus):
            return Input(number, "corpus", self.corpus[number])
        # A text as seed is hashed in the same way by every version of Python.
        random = Random(f"{self.seed} {number}")
        if self.corpus and random.randrange(_CORPUS_SHARE):
            return Input(number, "corpus mutant", mutate(random.choice(self.corpus), random))
        part = random.randrange(_PARTS)
        if part < _CONFORMING:
            return Input(number, "conforming", generate(random, **self.options))
        if part < _VIOLATING:
            return Input(number, "violating", violate(random)[0])
        return Input(number, "mutant", mutate(generate(random, **self.options), random))
