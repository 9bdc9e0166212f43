"""Compares the outcomes of targets with sgf_lark's own, and derives findings."""

from __future__ import annotations

import re
import string
from codecs import BOM_UTF8
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Literal

from sgf_lark.diagnostics import Severity
from sgf_lark.fuzz.canonical import Form, Games, canonical, decoded, difference
from sgf_lark.fuzz.outcomes import Outcome, Verdict
from sgf_lark.fuzz.targets import Target
from sgf_lark.fuzz.violations import syntax_codes
from sgf_lark.syntax.errors import SGFSyntaxError
from sgf_lark.syntax.parsing import parse_if_strict
from sgf_lark.text.decoding import decode
from sgf_lark.validation import validate
from sgf_lark.validation.report import Report

#: What a parser has to check: the grammar, or all rules.
Level = Literal["grammar", "rules"]


class Kind(StrEnum):
    """The kinds of findings, most severe first."""

    CRASH = "crash"
    HANG = "hang"
    MEMORY = "memory"
    #: It took far more CPU time for each byte than for other files.
    SLOW = "slow"
    REJECTS_VALID = "rejects-valid"
    WRONG_TREE = "wrong-tree"
    ACCEPTS_INVALID = "accepts-invalid"
    #: Targets disagree on a file in which sgf_lark finds errors.
    DISAGREEMENT = "disagreement"


#: The kinds that depend on sgf_lark's diagnostics.
DEPENDS_ON_RULES = frozenset({Kind.REJECTS_VALID, Kind.WRONG_TREE, Kind.ACCEPTS_INVALID})
#: The kinds of which each input fails in one place of the target.
FAILS = frozenset({Kind.CRASH, Kind.REJECTS_VALID})
#: The kinds of which each input takes as long, or as much, as the limits allow.
REACHES_LIMIT = frozenset({Kind.HANG, Kind.MEMORY})
#: The kinds of what takes too long, with or without an answer in the end.
TAKES_TIME = frozenset({Kind.HANG, Kind.SLOW})
#: The kinds whose causes are rules: each broken rule is a finding of its own.
BY_RULE = frozenset({Kind.ACCEPTS_INVALID, Kind.DISAGREEMENT})


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
_IDENT = re.compile(rb"(?<![A-Za-z])[a-z]*+[A-Z][A-Za-z]*+(?=\s*+\[)")
_CHARSET = re.compile(rb"(?<![A-Z])CA\s*+\[([^\]]*)\]")
#: Lowercase letters in an identifier, which are allowed before FF[4].
_LOWERCASE = re.compile(rb"[A-Z][a-z]|[a-z][A-Z]*+\s*+\[")


def identifiers(data: bytes) -> frozenset[bytes]:
    """Return everything in a file that resembles an identifier, without lowercase letters."""
    found = {*_IDENT.findall(data)}
    return frozenset(ident.translate(None, string.ascii_lowercase.encode()) for ident in found)


class Assessment:
    """sgf_lark's own results for a file; each is computed when it is first used."""

    def __init__(self, data: bytes, *, conforms: bool = False) -> None:
        """Assess the file with that content, which is known to conform if that is true."""
        self.data = data
        self._conforms = conforms

    @cached_property
    def _report(self) -> Report:
        return validate(self.data)

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """The codes of the errors, in the order of their places, each once."""
        diagnostics = self._report.diagnostics
        errors = [item.code for item in diagnostics if item.severity is Severity.ERROR]
        return tuple(dict.fromkeys(errors))

    @cached_property
    def valid(self) -> bool:
        """Whether there is no error and no warning."""
        if self._conforms:
            return True
        if not self._may_be_grammatical:
            return False
        return not self._report.counts[Severity.WARNING] and self._report.ok

    @cached_property
    def _may_be_grammatical(self) -> bool:
        """Whether the strict grammar may accept the file; this takes much less time than rules."""
        decoding = decode(self.data)
        is_special = decoding.may_have_trail_bytes or _LOWERCASE.search(decoding.data)
        return bool(is_special) or parse_if_strict(decoding.data) is not None

    @cached_property
    def formats(self) -> frozenset[tuple[int, int]]:
        """FF and GM of all its game trees."""
        return frozenset((tree.ff, tree.gm) for tree in self._report.trees)

    @cached_property
    def charsets(self) -> frozenset[bytes]:
        """The names in CA, as they are written."""
        return frozenset(_CHARSET.findall(self.data))

    @cached_property
    def idents(self) -> frozenset[bytes]:
        """Everything in the file that resembles a property identifier."""
        return identifiers(self.data)

    @cached_property
    def valid_as_text(self) -> bool:
        """Whether the file conforms, and its text as well, decoded as a whole.

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
        if not self._may_be_grammatical:
            return None
        try:
            if as_text:
                return canonical(self._text, form, charset="UTF-8")
            return canonical(self.data, form)
        except SGFSyntaxError:
            return None

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

    With `trees`, canonical trees are compared as well. With `strict` it is a finding if a
    target accepts a file that violates a rule; at the `level` "grammar", only if it is outside the
    grammar. A file with a byte order mark may be rejected, or read in any way, unless `strict`.
    """

    trees: bool = True
    strict: bool = False
    level: Level = "rules"

    def compare(
        self, targets: Sequence[Target], assessment: Assessment
    ) -> tuple[list[Outcome], list[Observation]]:
        """Run all targets on a file and return their outcomes and the findings."""
        outcomes = [target.run(assessment.data) for target in targets]
        return outcomes, self.observe(targets, outcomes, assessment)

    def observe(
        self, targets: Sequence[Target], outcomes: Sequence[Outcome], assessment: Assessment
    ) -> list[Observation]:
        """Return the findings in the outcomes of the targets on a file."""
        found = []
        for target, outcome in zip(targets, outcomes, strict=True):
            observation = self._observe(target, outcome, assessment)
            if observation is not None:
                found.append(observation)
        if len(targets) > 1 and not found:
            found += self._disagreement(targets, outcomes, assessment)
        return found

    def _observe(
        self, target: Target, outcome: Outcome, assessment: Assessment
    ) -> Observation | None:
        """Return the finding in the outcome of one target, or None."""

        def found(kind: Kind, place: str, detail: str) -> Observation:
            return Observation(Key(target.name, kind, place), detail)

        verdict = outcome.verdict
        if verdict is Verdict.CRASH:
            return found(Kind.CRASH, _crash_place(outcome), outcome.detail)
        if verdict in (Verdict.HANG, Verdict.MEMORY):
            return found(Kind(verdict), "", outcome.detail)
        if not self.strict and assessment.data.startswith(BOM_UTF8):
            return None
        # Whether a file is valid takes most of the time, so that is asked last.
        if verdict is Verdict.ACCEPT:
            observation = self._wrong_tree(target, outcome, assessment)
            if observation is None and not self.strict:
                return None
        valid = assessment.valid_as_text if target.takes_text else assessment.valid
        if verdict is Verdict.REJECT:
            if not valid:
                return None
            place = outcome.place or without_variable_parts(outcome.detail)
            return found(Kind.REJECTS_VALID, place, outcome.detail)
        if valid:
            return observation
        codes = self.codes_to_reject(assessment)
        return found(Kind.ACCEPTS_INVALID, codes[0], ", ".join(codes)) if codes else None

    def codes_to_reject(self, assessment: Assessment) -> tuple[str, ...]:
        """Return the rules that a file breaks, and because of which it must not be accepted."""
        if not self.strict:
            return ()
        if self.level == "rules":
            return assessment.codes
        if assessment.tree("raw", as_text=False) is not None:
            return ()
        return tuple(code for code in assessment.codes if code in syntax_codes())

    def _wrong_tree(
        self, target: Target, outcome: Outcome, assessment: Assessment
    ) -> Observation | None:
        if not self.trees or outcome.tree is None:
            return None
        expected = assessment.tree(outcome.form, target.takes_text)
        if expected is None:
            return None
        different = difference(expected, outcome.tree, outcome.form, ordered=target.ordered)
        if different is None:
            return None
        return Observation(Key(target.name, Kind.WRONG_TREE, different.kind), str(different))

    def _disagreement(
        self, targets: Sequence[Target], outcomes: Sequence[Outcome], assessment: Assessment
    ) -> list[Observation]:
        """Return the finding that verdicts or trees of the targets differ, if they do."""
        verdicts = [f"{t.name}: {o.verdict}" for t, o in zip(targets, outcomes, strict=True)]
        names = " | ".join(target.name for target in targets)
        rule = assessment.codes[0] if assessment.codes else str(assessment)
        if len({outcome.verdict for outcome in outcomes}) > 1:
            place = f"{', '.join(verdicts)} ({rule})"
            return [Observation(Key(names, Kind.DISAGREEMENT, place), str(assessment))]
        if not self.trees or outcomes[0].tree is None:
            return []
        first, ordered = outcomes[0], all(target.ordered for target in targets)
        for target, outcome in zip(targets[1:], outcomes[1:], strict=True):
            if outcome.tree is None or outcome.form != first.form:
                continue
            different = difference(first.tree or [], outcome.tree, outcome.form, ordered=ordered)
            if different is not None:
                place = f"trees of {targets[0].name} and {target.name}: {different.kind} ({rule})"
                return [Observation(Key(names, Kind.DISAGREEMENT, place), str(different))]
        return []


_MAX_PLACE = 160
_EXCEPTION = re.compile(r"[A-Za-z_][\w.]*:")
_VARIABLE = re.compile(r"""'[^']*'|"[^"]*"|`[^`]*`|[^\x20-\x7e]+|\d+""")


def _crash_place(outcome: Outcome) -> str:
    """Return the place of a crash with the type of the exception, or else its message."""
    kind = outcome.detail.partition(":")[0] if _EXCEPTION.match(outcome.detail) else ""
    place = f"{kind} at {outcome.place}" if kind and outcome.place else outcome.place
    return place or without_variable_parts(outcome.detail)


def without_variable_parts(message: str) -> str:
    """Return a message without its numbers, quotations and non-ASCII characters."""
    return _VARIABLE.sub("…", message)[:_MAX_PLACE].strip()
