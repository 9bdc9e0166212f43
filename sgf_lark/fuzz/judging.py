"""Compares the outcomes of targets with sgf_lark's own, and derives findings."""

from __future__ import annotations

import contextlib
import re
from codecs import BOM_UTF8
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, lru_cache, partial
from typing import Literal

from sgf_lark.diagnostics import Severity
from sgf_lark.fuzz.canonical import Form, Games, canonical, compare, decoded, difference
from sgf_lark.fuzz.outcomes import Outcome, Verdict
from sgf_lark.fuzz.targets import Target
from sgf_lark.fuzz.tokens import idents_of, mark
from sgf_lark.fuzz.violations import syntax_codes
from sgf_lark.model.collection import Collection
from sgf_lark.model.loading import loads
from sgf_lark.syntax.errors import SGFSyntaxError
from sgf_lark.text import charsets
from sgf_lark.validation import validate
from sgf_lark.validation.report import Report

#: What a parser has to check: the grammar, or all rules.
Level = Literal["grammar", "rules"]


class Kind(StrEnum):
    """The kinds of findings, most severe first."""

    CRASH = "crash"
    HANG = "hang"
    MEMORY = "memory"
    REJECTS_VALID = "rejects-valid"
    WRONG_TREE = "wrong-tree"
    ACCEPTS_INVALID = "accepts-invalid"
    #: The time grows faster than the size of a file.
    SLOW = "slow"
    #: Targets disagree on a file in which sgf_lark finds errors.
    DISAGREEMENT = "disagreement"


#: The kinds that depend on sgf_lark's diagnostics.
DEPENDS_ON_RULES = frozenset({Kind.REJECTS_VALID, Kind.WRONG_TREE, Kind.ACCEPTS_INVALID})
#: The kinds of which each input fails in one place of the target.
FAILS = frozenset({Kind.CRASH, Kind.REJECTS_VALID})
#: The kinds of which each input takes as long, or as much, as the limits allow.
REACHES_LIMIT = frozenset({Kind.HANG, Kind.MEMORY})
#: The kinds whose causes are rules, or what becomes more: each place is a finding of its own.
BY_RULE = frozenset({Kind.ACCEPTS_INVALID, Kind.DISAGREEMENT, Kind.SLOW})


@dataclass(frozen=True, slots=True)
class Key:
    """The identity of a finding: target, kind and place.

    `place` is a place in the target, a class of difference, the code of a rule, or a
    message without its variable parts.
    """

    target: str
    kind: Kind
    place: str


#: The summary of a file that conforms.
VALID = "valid"
#: A warning of what a good reader reads all the same: identifiers of more than two letters.
_ALLOWED = frozenset({"SGF115"})
_CHARSET = re.compile(rb"(?<![A-Z])CA\s*+\[([^\]]*)\]")


class Assessment:
    """sgf_lark's own results for a file; each is computed when it is first used."""

    def __init__(self, data: bytes, *, conforms: bool = False) -> None:
        """Assess the file with that content, which is known to conform if that is true."""
        self.data = data
        self._conforms = conforms

    @cached_property
    def _collection(self) -> Collection | None:
        """The file, if it follows the strict grammar."""
        try:
            return loads(self.data, charset_mode="text")
        except SGFSyntaxError:
            return None

    @cached_property
    def _report(self) -> Report:
        return validate(self.data)

    @cached_property
    def valid(self) -> bool:
        """Whether there is no error, and no warning but of what the specification allows."""
        if self._conforms:
            return True
        # The grammar takes much less time than the rules, and refuses most mutants.
        if self._collection is None:
            return False
        kinds = self._report.kinds
        warned = {code for code, _, severity in kinds if severity == Severity.WARNING}
        return self._report.ok and warned <= _ALLOWED

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """The codes of the errors, in the order of their places, each once."""
        found = self._report.diagnostics
        return tuple(dict.fromkeys(x.code for x in found if x.severity is Severity.ERROR))

    @cached_property
    def formats(self) -> frozenset[tuple[int, int]]:
        """FF and GM of all its game trees."""
        return frozenset((tree.ff, tree.gm) for tree in self._report.trees)

    @cached_property
    def charsets(self) -> frozenset[bytes]:
        """The names in CA, as they are written."""
        return frozenset(_CHARSET.findall(self.data))

    @cached_property
    def idents(self) -> frozenset[str]:
        """The property identifiers in the file."""
        return frozenset(idents_of(mark(self.data)))

    @cached_property
    def valid_as_text(self) -> bool:
        """Whether the file conforms, and its text as well.

        A byte that is an escape by the rules of FF[4] can be a part of a character.
        """
        return self.valid and validate(self._text, charset="UTF-8").ok

    @cached_property
    def _text(self) -> bytes:
        return decoded(self.data).encode()

    def tree(self, form: Form, as_text: bool) -> Games | None:
        """Return the canonical tree of the file, or of its text for a target that takes text.

        It is None for a file that does not follow the strict grammar.
        """
        if self._collection is None:
            return None
        if not as_text:
            return canonical(self._collection, form)
        try:
            return canonical(self._text, form, charset="UTF-8")
        except SGFSyntaxError:
            return None

    @cached_property
    def is_open(self) -> bool:
        """Whether programs may read the file differently: those that decode it before they parse
        it, or that take its charset for a larger one.

        In the first case the second byte of a character is taken for an escape or the end of a
        value, or not; no source says which comes first. In the second, programs read a name as that
        of a larger charset: KS_C_5601-1987 has 2,350 syllables, and 11,172 in most programs. Where
        trees differ in charset, only one is right.
        """
        if len(self.charsets) != 1 or self.data.isascii():
            return False
        name = b"".join(self.charsets).decode("latin-1").strip()
        charset, _ = charsets.lookup(name)
        # Python does not know all names.
        with contextlib.suppress(LookupError, ValueError):
            if charset and len({self.data.decode(c, "replace") for c in (name, charset.codec)}) > 1:
                return True
        return self.tree("raw", as_text=False) != self.tree("raw", as_text=True)

    def __str__(self) -> str:
        """Return a summary: the codes of the errors, or that there are none."""
        return VALID if self.valid else ", ".join(self.codes) or "warnings only"


@lru_cache(maxsize=8)
def assess(data: bytes) -> Assessment:
    """Return the assessment of a file, the same object if it is asked for again soon."""
    return Assessment(data)


@dataclass(frozen=True, slots=True)
class Observation:
    """A finding in one input: its key and a description."""

    key: Key
    detail: str


@dataclass(frozen=True, slots=True)
class Judge:
    """Compares outcomes of targets with sgf_lark's results.

    With `trees`, canonical trees are compared as well. With `strict` it is a finding if a target
    accepts a file that violates a rule, or that is outside the grammar. A file with a byte order
    mark may be rejected, or read in any way, unless `strict`.
    """

    trees: bool = True
    strict: Level | None = None

    def observe(
        self, targets: Sequence[Target], outcomes: Sequence[Outcome], assessment: Assessment
    ) -> list[Observation]:
        """Return the findings in the outcomes of the targets on a file."""
        found = []
        for target, outcome in zip(targets, outcomes, strict=True):
            item = self._observe(target, outcome, assessment)
            depends_on_order = item and item.key.kind in (Kind.REJECTS_VALID, Kind.WRONG_TREE)
            found.append(None if depends_on_order and assessment.is_open else item)
        if len(targets) > 1 and not any(found):
            found.append(self._disagreement(targets, outcomes, assessment))
        return [observation for observation in found if observation is not None]

    def _observe(
        self, target: Target, outcome: Outcome, assessment: Assessment
    ) -> Observation | None:
        """Return the finding in the outcome of one target, or None."""

        def found(kind: Kind, place: str, detail: str) -> Observation:
            return Observation(Key(target.name, kind, place), detail)

        verdict = outcome.verdict
        place = outcome.place or _VARIABLE.sub("…", outcome.detail)[:_MAX_PLACE].strip()
        if verdict is Verdict.CRASH:
            exception = _EXCEPTION.match(outcome.detail) if outcome.place else None
            place = f"{exception[1]} at {place}" if exception else place
            return found(Kind.CRASH, place, outcome.detail)
        if verdict in (Verdict.HANG, Verdict.MEMORY):
            return found(Kind(verdict), "", outcome.detail)
        # The specification does not mention the mark; programs differ, and each is right. Without
        # CA, only the rules say which charset a file with it is in.
        is_open = self.strict is None or (self.strict == "grammar" and not assessment.charsets)
        if is_open and assessment.data.startswith(BOM_UTF8):
            return None
        wrong_tree = self._wrong_tree(target, outcome, assessment)
        # Whether a file is valid takes most of the time, so that is asked last.
        if verdict is Verdict.ACCEPT and wrong_tree is None and not self.strict:
            return None
        valid = assessment.valid_as_text if target.takes_text else assessment.valid
        if verdict is Verdict.REJECT:
            return found(Kind.REJECTS_VALID, place, outcome.detail) if valid else None
        if valid or not self.strict:
            return wrong_tree if valid else None
        codes = assessment.codes
        if self.strict == "grammar":
            is_grammatical = assessment.tree("raw", as_text=False) is not None
            codes = tuple(c for c in codes if c in syntax_codes() and not is_grammatical)
        return found(Kind.ACCEPTS_INVALID, codes[0], ", ".join(codes)) if codes else None

    def _wrong_tree(
        self, target: Target, outcome: Outcome, assessment: Assessment
    ) -> Observation | None:
        if not self.trees or outcome.tree is None:
            return None
        tree = partial(assessment.tree, as_text=target.takes_text)
        different = compare(tree, outcome.tree, outcome.form, ordered=target.ordered)
        if different is None:
            return None
        return Observation(Key(target.name, Kind.WRONG_TREE, different.kind), str(different))

    def _disagreement(
        self, targets: Sequence[Target], outcomes: Sequence[Outcome], assessment: Assessment
    ) -> Observation | None:
        """Return the finding that verdicts or trees of the targets differ, if they do."""
        rule = assessment.codes[0] if assessment.codes else str(assessment)
        key = Key(" | ".join(target.name for target in targets), Kind.DISAGREEMENT, "")
        if len({outcome.verdict for outcome in outcomes}) > 1:
            verdicts = [f"{t.name}: {o.verdict}" for t, o in zip(targets, outcomes, strict=True)]
            key = replace(key, place=f"{', '.join(verdicts)} ({rule})")
            return Observation(key, str(assessment))
        first, ordered = outcomes[0], all(target.ordered for target in targets)
        for target, outcome in zip(targets[1:], outcomes[1:], strict=True):
            if not self.trees or None in (first.tree, outcome.tree) or outcome.form != first.form:
                continue
            different = difference(first.tree or [], outcome.tree or [], ordered=ordered)
            if different is not None:
                place = f"trees of {targets[0].name} and {target.name}: {different.kind} ({rule})"
                return Observation(replace(key, place=place), str(different))
        return None


_MAX_PLACE = 160
_EXCEPTION = re.compile(r"([A-Za-z_][\w.]*):")
#: Parts of a message: quotations, non-ASCII characters and numbers.
_VARIABLE = re.compile(r"""'[^']*'|"[^"]*"|`[^`]*`|[^\x20-\x7e]+|\d+""")
