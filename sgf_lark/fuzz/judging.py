"""What a target's outcome means: whether it is a finding, and which."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from sgf_lark.diagnostics import Severity
from sgf_lark.fuzz.canonical import Form, Games, canonical, decoded, difference
from sgf_lark.fuzz.outcomes import Outcome, Verdict
from sgf_lark.fuzz.targets import Target
from sgf_lark.syntax.errors import SGFSyntaxError
from sgf_lark.validation import validate
from sgf_lark.validation.report import Report


class Kind(StrEnum):
    """Kinds of findings, the gravest first."""

    CRASH = "crash"
    HANG = "hang"
    MEMORY = "memory"
    REJECTS_VALID = "rejects-valid"
    WRONG_TREE = "wrong-tree"
    ACCEPTS_INVALID = "accepts-invalid"
    #: Two targets do not agree on a file that sgf_lark finds errors in.
    DISAGREEMENT = "disagreement"


#: Kinds that rest on what the rules say of a file.
ABOUT_RULES = frozenset({Kind.REJECTS_VALID, Kind.WRONG_TREE, Kind.ACCEPTS_INVALID})


@dataclass(frozen=True, slots=True)
class Key:
    """What makes two findings the same: target, kind and place.

    `place` is a place in the target, a class of difference, the code of a rule, or a
    message without what varies in it.
    """

    target: str
    kind: Kind
    place: str


#: What is said of a file that conforms.
VALID = "valid"
_IDENT = re.compile(rb"[A-Z]+(?=\s*\[)")


class Judgement:
    """What sgf_lark says of a file; each part is found out when it is asked for."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    @cached_property
    def _report(self) -> Report:
        return validate(self.data)

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """The codes of the errors, in the order of their places, each once."""
        errors = [
            found.code for found in self._report.diagnostics if found.severity is Severity.ERROR
        ]
        return tuple(dict.fromkeys(errors))

    @property
    def valid(self) -> bool:
        """Whether there is no error and no warning."""
        return not self._has_warnings and self._report.ok

    @property
    def _has_warnings(self) -> bool:
        return bool(self._report.counts[Severity.WARNING])

    @cached_property
    def formats(self) -> frozenset[tuple[int, int]]:
        """FF and GM of all its game trees."""
        return frozenset((tree.ff, tree.gm) for tree in self._report.trees)

    @cached_property
    def idents(self) -> frozenset[bytes]:
        """What looks like the identifier of a property."""
        return frozenset(_IDENT.findall(self.data))

    @cached_property
    def valid_as_text(self) -> bool:
        """Whether its text conforms too, once the whole file is decoded: bytes that the
        letter of FF[4] takes for escapes can be parts of characters."""
        return self.valid and validate(self._text, charset="UTF-8").ok

    @cached_property
    def _text(self) -> bytes:
        return decoded(self.data).encode()

    def tree(self, form: Form, as_text: bool) -> Games | None:
        """The canonical tree, for a target that takes text that of the text; None where
        the strict grammar refuses the file."""
        try:
            if as_text:
                return canonical(self._text, form, charset="UTF-8")
            return canonical(self.data, form)
        except SGFSyntaxError:
            return None

    def __str__(self) -> str:
        return VALID if self.valid else ", ".join(self.codes) or "warnings only"


@dataclass(frozen=True, slots=True)
class Observation:
    """A finding in one input: its key, and what was seen in words."""

    key: Key
    detail: str


@dataclass(frozen=True, slots=True)
class Judge:
    """Compares outcomes with what sgf_lark says. `trees`: canonical trees too;
    `strict`: to accept what breaks a rule is a finding."""

    trees: bool = True
    strict: bool = False

    def look(
        self, targets: Sequence[Target], judgement: Judgement
    ) -> tuple[list[Outcome], list[Observation]]:
        """Run all targets on a file: what came of it, and what is worth telling."""
        outcomes = [target.run(judgement.data) for target in targets]
        found = []
        for target, outcome in zip(targets, outcomes, strict=True):
            observation = self._observe(target, outcome, judgement)
            if observation is not None:
                found.append(observation)
        if len(targets) > 1 and not found:
            found += self._disagreement(targets, outcomes, judgement)
        return outcomes, found

    def _observe(
        self, target: Target, outcome: Outcome, judgement: Judgement
    ) -> Observation | None:
        def found(kind: Kind, place: str, detail: str) -> Observation:
            return Observation(Key(target.name, kind, place), detail)

        verdict = outcome.verdict
        if verdict is Verdict.CRASH:
            what = outcome.detail.partition(":")[0] if _EXCEPTION.match(outcome.detail) else ""
            place = f"{what} at {outcome.place}" if what and outcome.place else outcome.place
            return found(Kind.CRASH, place or normal(outcome.detail), outcome.detail)
        if verdict in (Verdict.HANG, Verdict.MEMORY):
            return found(Kind(verdict), "", outcome.detail)
        valid = judgement.valid_as_text if target.takes_text else judgement.valid
        if verdict is Verdict.REJECT:
            if not valid:
                return None
            return found(
                Kind.REJECTS_VALID, outcome.place or normal(outcome.detail), outcome.detail
            )
        if valid:
            return self._wrong_tree(target, outcome, judgement)
        codes = judgement.codes
        if not self.strict or not codes:
            return None
        return found(Kind.ACCEPTS_INVALID, codes[0], ", ".join(codes))

    def _wrong_tree(
        self, target: Target, outcome: Outcome, judgement: Judgement
    ) -> Observation | None:
        if not self.trees or outcome.tree is None:
            return None
        expected = judgement.tree(outcome.form, target.takes_text)
        if expected is None:
            return None
        different = difference(expected, outcome.tree, outcome.form, ordered=target.ordered)
        if different is None:
            return None
        return Observation(Key(target.name, Kind.WRONG_TREE, different.kind), str(different))

    def _disagreement(
        self, targets: Sequence[Target], outcomes: Sequence[Outcome], judgement: Judgement
    ) -> list[Observation]:
        """On a file with errors: targets that give different verdicts, or different trees."""
        verdicts = [f"{t.name}: {o.verdict}" for t, o in zip(targets, outcomes, strict=True)]
        names = " | ".join(target.name for target in targets)
        rule = judgement.codes[0] if judgement.codes else str(judgement)
        if len({outcome.verdict for outcome in outcomes}) > 1:
            place = f"{', '.join(verdicts)} ({rule})"
            return [Observation(Key(names, Kind.DISAGREEMENT, place), str(judgement))]
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


_LONGEST = 160
_EXCEPTION = re.compile(r"[A-Za-z_][\w.]*:")
_VARYING = re.compile(r"""'[^']*'|"[^"]*"|`[^`]*`|[^\x20-\x7e]+|\d+""")


def normal(message: str) -> str:
    """A message without numbers, quotations and what is not ASCII."""
    return _VARYING.sub("…", message)[:_LONGEST].strip()
