"""The inputs of a run; input number `i` depends only on the seed and `i`."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal

from sgf_lark.fuzz.generating_files import generate
from sgf_lark.fuzz.mutants import mutate, repeat
from sgf_lark.fuzz.violations import violate

Source = Literal["conforming", "violating", "mutant", "repeated", "corpus", "corpus mutant"]

#: Of ten inputs four conform, two violate a rule, and the rest are mutants.
_PARTS, _CONFORMING, _VIOLATING = 10, 4, 6
#: With a corpus, all but one in this many inputs are mutants of its files.
_CORPUS_SHARE = 2
#: Of this many mutants one has a part that is repeated, until it has one of these lengths:
#: there, time that grows with the square of the length is noticed.
_REPEATED, _REPEATED_LENGTHS = 12, (1 << 10, 1 << 11, 1 << 12, 1 << 13)


@dataclass(frozen=True, slots=True)
class Input:
    """One input and its origin."""

    number: int
    source: Source
    data: bytes


@dataclass(frozen=True)
class Inputs:
    """The inputs of a run.

    The first are the files of the `corpus`; mutants of these are among the others. `options`
    are the parameters of :func:`sgf_lark.fuzz.generating_files.generate`.
    """

    seed: int
    corpus: tuple[bytes, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)

    def __getitem__(self, number: int) -> Input:
        """Return the input of that number."""
        if number < len(self.corpus):
            return Input(number, "corpus", self.corpus[number])
        # All versions of Python make the same random numbers from a string.
        random = Random(f"{self.seed} {number}")
        if self.corpus and random.randrange(_CORPUS_SHARE):
            return Input(number, "corpus mutant", mutate(random.choice(self.corpus), random))
        part = random.randrange(_PARTS)
        if part < _CONFORMING:
            return Input(number, "conforming", generate(random, **self.options))
        if part < _VIOLATING:
            return Input(number, "violating", violate(random)[0])
        data = mutate(generate(random, **self.options), random)
        if random.randrange(_REPEATED) == 0:
            return Input(number, "repeated", repeat(data, random, random.choice(_REPEATED_LENGTHS)))
        return Input(number, "mutant", data)
