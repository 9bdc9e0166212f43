"""The inputs of a run; input number `i` depends only on the seed, the features to avoid and `i`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice
from random import Random
from typing import Literal

from sgf_lark.fuzz.causes import Cause
from sgf_lark.fuzz.features import Feature
from sgf_lark.fuzz.generating_files import generate
from sgf_lark.fuzz.judging import Kind, assess
from sgf_lark.fuzz.mutants import enlarge, mutate, stretch
from sgf_lark.fuzz.violations import violate
from sgf_lark.model.loading import loads

Source = Literal["conforming", "violating", "mutant", "growing", "corpus", "corpus mutant"]

#: Of ten inputs four conform, two violate a rule, and the rest are mutants.
_PARTS, _CONFORMING, _VIOLATING = 10, 4, 6
#: With a corpus, all but one in this many inputs are mutants of its files.
_CORPUS_SHARE = 2
#: One in this many inputs may have the features of known causes.
_UNSTEERED_SHARE = 4
#: Few changes of an example take less time, and a run makes many files for each rule.
_VIOLATING_CHANGES = 3
#: One in this many mutants has only large numbers; these are seldom in files that conform.
_ENLARGED = 8
#: One in this many files that conform has something long or many.
_STRETCHED = 7
#: How often a file is made anew if it is of another game or file format.
_TRIES = 20
#: At most this many changes are tried to remove a feature without a violation.
_CHANGES = 4


#: Files of so many parts of one kind, by what becomes more: the time should grow as they do.
GROWING: dict[str, Callable[[int], bytes]] = {
    "siblings": lambda count: b"(;FF[4]" + b"(;C[a])" * count + b")",
    "nodes": lambda count: b"(;FF[4]" + b";C[a]" * count + b")",
    "game trees": lambda count: b"(;FF[4])" * count,
    "nested game trees": lambda count: b"(;" * count + b")" * count,
    "values": lambda count: b"(;FF[4]XX" + b"[a]" * count + b")",
    "bytes of a value": lambda count: b"(;FF[4]C[" + b"a" * count + b"])",
    "escapes in a value": lambda count: b"(;FF[4]C[" + b"\\]" * count + b"])",
    "line breaks in a value": lambda count: b"(;FF[4]C[" + b"a\n" * count + b"a])",
    "white space": lambda count: b"(;FF[4]" + b" " * count + b"C[a])",
    "properties of a node": lambda count: b"(;%s)" % b"".join(map(_property, range(count))),
}
#: The number of parts with which they begin, and after how many inputs there is one.
FEW, _GROWING_EVERY = 2_000, 40


def _property(number: int) -> bytes:
    """Return a property of that number, with an identifier of its own."""
    letters = (65 + number // 26**place % 26 for place in range(4))
    return b"%s[a]" % bytes(letters)


@dataclass(frozen=True, slots=True)
class Input:
    """One input and its origin; it `conforms` if that is known.

    `growing` is the key in :data:`GROWING` of a file to which more of the same is to be added.
    """

    number: int
    source: Source
    data: bytes
    conforms: bool = False
    growing: str = ""


@dataclass(frozen=True)
class Inputs:
    """The inputs of a run.

    The first are the files of the `corpus`; mutants of these are among the others. All trees
    are of one of the `games` (GM) and `file_formats` (FF), or of any if there are none. Inputs
    that have all features of an entry of `without` are changed; most inputs are also changed if
    they have those of an entry of `avoided`; all are on which a target would hang for one of the
    causes in `hangs`. Files that violate a rule violate one of the `codes`, or any.
    """

    seed: int
    corpus: tuple[bytes, ...] = ()
    games: tuple[int, ...] = ()
    file_formats: tuple[int, ...] = ()
    without: tuple[tuple[Feature, ...], ...] = ()
    avoided: tuple[tuple[Feature, ...], ...] = ()
    hangs: tuple[Cause, ...] = ()
    codes: tuple[str, ...] = ()

    def avoiding(self, causes: Iterable[Cause]) -> Inputs:
        """Return inputs most of which do not have all features of one of the causes.

        No target hangs on any for one of them: that takes as long as many other inputs.
        """
        found = [cause for cause in causes if cause.features]
        others = tuple(cause.features for cause in found if cause.kind is not Kind.HANG)
        hangs = tuple(cause for cause in found if cause.kind is Kind.HANG)
        return replace(self, avoided=others, hangs=hangs)

    def __getitem__(self, number: int) -> Input:
        """Return the input of that number."""
        given = self._given(number)
        steered = number % _UNSTEERED_SHARE and given.source != "corpus"
        hangs = (cause.features for cause in self.hangs if cause.is_hang_of(given.data))
        avoided = self.avoided if steered else ()
        data = _without(given.data, (*self.without, *hangs, *avoided))
        # A change for another reason can bring one back, such as one that opens a value.
        if any(cause.is_hang_of(data) for cause in self.hangs):
            data = _without(data, (cause.features for cause in self.hangs))
        return given if data == given.data else replace(given, data=data, conforms=False)

    def _given(self, number: int) -> Input:
        if number < len(self._wanted_corpus):
            return Input(number, "corpus", self._wanted_corpus[number])
        turn, rest = divmod(number + 1, _GROWING_EVERY)
        if not rest and turn <= len(GROWING) and self._is_wanted(b"(;FF[4])"):
            growing = [*GROWING][turn - 1]
            return Input(number, "growing", GROWING[growing](FEW), growing=growing)
        # All versions of Python make the same random numbers from a string.
        random = Random(f"{self.seed} {number}")
        for _ in range(_TRIES):
            made = self._make(number, random)
            if made.conforms or self._is_wanted(made.data):
                return made
        return Input(number, "conforming", self._conforming(random), conforms=True)

    @cached_property
    def _wanted_corpus(self) -> tuple[bytes, ...]:
        return tuple(filter(self._is_wanted, self.corpus))

    def _make(self, number: int, random: Random) -> Input:
        if self._wanted_corpus and random.randrange(_CORPUS_SHARE):
            original = random.choice(self._wanted_corpus)
            return Input(number, "corpus mutant", mutate(original, random))
        part = random.randrange(_PARTS)
        if part < _CONFORMING:
            data = self._conforming(random)
            data = data if random.randrange(_STRETCHED) else stretch(data, random)
            return Input(number, "conforming", data, conforms=True)
        if part < _VIOLATING:
            wanted = random.choice(self.codes) if self.codes else None
            return Input(
                number, "violating", violate(random, wanted, changes=_VIOLATING_CHANGES)[0]
            )
        data = self._conforming(random)
        if random.randrange(_ENLARGED) == 0:
            return Input(number, "mutant", enlarge(data, random))
        return Input(number, "mutant", mutate(data, random))

    def _conforming(self, random: Random) -> bytes:
        game = random.choice(self.games) if self.games else None
        file_format = random.choice(self.file_formats) if self.file_formats else None
        return generate(random, game=game, file_format=file_format)

    def _is_wanted(self, data: bytes) -> bool:
        return is_of(data, self.games, self.file_formats)


def is_of(data: bytes, games: Sequence[int], file_formats: Sequence[int]) -> bool:
    """Whether all trees of a file are of these games and file formats; none means any.

    A tree without FF counts as one of any file format.
    """
    return (not games and not file_formats) or all(
        (not games or tree.game in games)
        and (not file_formats or tree.file_format in file_formats or "FF" not in tree.root)
        for tree in loads(data, tolerant=True, charset_mode="text")
    )


def _without(data: bytes, causes: Iterable[tuple[Feature, ...]]) -> bytes:
    """Return the file changed so that it does not have all features of one of the causes.

    If the file conforms, it still does after the change, if possible.
    """
    for features in causes:
        if not all(feature.is_in(data) for feature in features):
            continue
        changes = chain.from_iterable(feature.changes(data) for feature in features)
        tried = list(islice(changes, _CHANGES))
        if tried and assess(data).valid:
            data = next((made for made in tried if assess(made).valid), tried[0])
        elif tried:
            data = tried[0]
    return data
