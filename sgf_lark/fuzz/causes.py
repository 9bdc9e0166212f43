"""The causes of findings: the features of an input without which a finding disappears.

An input with a finding is *explained* by a known cause if the change that removes the features
of the cause also removes the finding. An input that no known cause explains is freed of the
features of known causes, minimized and taken to a canonical form. Then each of its features is
removed in turn: those without which the finding disappears are, together, the new cause, and
the input without one of them is the nearest input without the finding. Of two features of which
the removal of one takes the other with it, the other one is the cause; and where other features
with the same parent do the same, it is the parent.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from sgf_lark.fuzz.features import LEVELS, Feature, describe, find_features, least, type_of
from sgf_lark.fuzz.judging import BY_RULE, DEPENDS_ON_RULES, FAILS, REACHES_LIMIT, Kind, assess
from sgf_lark.fuzz.minimizing import minimize, simplify, strip, valid_variants
from sgf_lark.fuzz.tokens import (
    context_of,
    in_usual_charsets,
    mark,
    renamings,
    replace_properties,
    unmark,
)

#: Changes that are tried to remove a feature of the minimal input, and of any input.
_MOST_CHANGES, _CHANGES = 12, 3
#: An input may show this many causes one after the other.
_MOST_CAUSES = 4

_VALUE = LEVELS.index("value")
_PROPERTY, _TYPE, _ANY, _MISSING = "property", "value-type", "any-property", "no-property"
_CHARSET, _RULE = "charset", "rule"
#: The features of a file without parts.
_OF_NO_PART = {_MISSING, _RULE, "unclosed"}
#: The families of a text in a charset that a program does not know.
_OF_A_CHARSET = {_CHARSET, "character"}
#: Properties of several types, in marked text.
_TYPED_PROPERTIES = ("Ｃ［a］", "ＫＭ［1］", "ＧＮ［a］", "ＴＲ［aa］", "ＡＢ［aa］")


@dataclass(frozen=True, slots=True)
class Cause:
    """What several findings of a target have in common.

    `features` are the features that the finding needs, all of them; there are none if the
    difference to an input without the finding has no name. `data` is the smallest input, and
    `neighbor` is almost the same without the finding, or None.
    """

    target: str
    kind: Kind
    place: str
    data: bytes
    features: tuple[Feature, ...] = ()
    neighbor: bytes | None = None

    @property
    def identity(self) -> str:
        """Eight hexadecimal digits, the same for equal causes of different runs."""
        if self.kind in BY_RULE:
            parts = [self.target, self.kind, self.place]
        elif self.features:
            parts = [self.target, *(feature.name for feature in self.features)]
        elif self.kind is Kind.CRASH and self.place:
            parts = [self.target, self.kind, self.place]
        else:
            parts = [self.target, self.kind, self.data.decode("latin-1")]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:8]

    @property
    def title(self) -> str:
        """The features in words, or ""."""
        return describe(self.features)

    def may_explain(self, target: str, kind: Kind, data: bytes) -> bool:
        """Whether an input with a finding of that kind has all features of the cause.

        That it has a property is no explanation: hardly anything remains without.
        """
        return (
            any(each.family != _ANY for each in self.features)
            and self.target == target
            and self.kind not in BY_RULE
            and (self.kind is kind or all(each.level <= _VALUE for each in self.features))
            and all(feature.is_in(data) for feature in self.features)
        )

    def is_hang_of(self, data: bytes) -> bool:
        """Whether the target probably hangs on that input for this cause.

        The features of a hang are usual ones, only too many of them: shorter inputs may have them.
        """
        return (
            self.kind is Kind.HANG
            and bool(self.features)
            and len(data) >= len(self.data) // 2
            and all(feature.is_in(data) for feature in self.features)
        )

    @property
    def has_charset(self) -> bool:
        """Whether it is a charset in CA, of which the target fails on others in the same way.

        That is in one place of the program, or it takes their texts for those of a charset that it
        knows.
        """
        families = {each.family for each in self.features}
        return _CHARSET in families and (
            self.kind in FAILS or (self.kind is Kind.WRONG_TREE and families <= _OF_A_CHARSET)
        )

    def with_charsets(self, present: Iterable[Feature]) -> Cause:
        """Return the cause with the charset that is present in place of its own one."""
        others = [each for each in present if each.family == _CHARSET and not each.row.general]
        own = (others[0] if each.family == _CHARSET and others else each for each in self.features)
        return replace(self, features=tuple(own))

    def is_same(self, other: Cause) -> bool:
        """Whether the other cause is this one.

        It has the same features, but perhaps for the charset in CA, or where a program fails in one
        place for an amount, which is too much by the stack that is left.
        """
        if self.identity == other.identity:
            return True
        if (self.target, self.kind) != (other.target, other.kind):
            return False
        if self.kind is Kind.WRONG_TREE:
            return self.has_charset and other.has_charset
        if self.place != other.place:
            return False
        own = self.with_charsets(other.features) if self.has_charset else self
        return self.kind in FAILS and (
            {*map(least, own.features)} == {*map(least, other.features)} != set()
        )

    def comprises(self, target: str, kind: Kind, place: str | None) -> bool:
        """Whether a finding is this crash: its input has no parts, so it needs no feature, and it
        is the one finding in its place."""
        return (
            kind is Kind.CRASH
            and not self.features
            and bool(place)
            and (self.target, self.kind, self.place) == (target, kind, place)
            and {each.family for each in find_features(self.data)} <= _OF_NO_PART
        )


@dataclass(frozen=True, slots=True)
class Probe:
    """The result of running an input.

    `shown` is the place of the finding, or None. `clean` is whether the target has no finding
    of any kind. `valid` is whether the input conforms. `accepted` is whether a target that refuses
    the original input accepts this one, which it need not do if this one does not conform.
    """

    shown: str | None
    clean: bool
    valid: bool
    accepted: bool = False


class OutOfTimeError(Exception):
    """There is no time left to run inputs."""


class Search:
    """Searches the causes of a finding of one target and kind."""

    def __init__(
        self,
        target: str,
        kind: Kind,
        causes: Sequence[Cause],
        probe: Callable[[bytes], Probe],
        attempts: int,
        is_late: Callable[[], bool] = lambda: False,
    ) -> None:
        """Search with `probe`, which runs an input, among the causes that are known.

        `attempts` limits how many inputs are tried to make one smaller, and none is tried when
        `is_late` is true: what is left of the time is needed for the features.
        """
        self._target = target
        self._kind = kind
        self.causes = list(causes)
        self._probe = probe
        self._attempts = attempts
        self._is_late = is_late
        self._needs_valid = kind in DEPENDS_ON_RULES
        self.new: list[Cause] = []

    def run(self, data: bytes) -> tuple[list[Cause], list[Cause]]:
        """Return known causes that explain the finding in `data`, and new ones.

        The new ones are in `new` even if `probe` raises OutOfTimeError.
        """
        new = self.new
        if self._kind in BY_RULE:
            new.append(self._of_rule(data))
            return [], new
        self._needs_valid = self._needs_valid or self._probe(data).valid
        for _ in range(_MOST_CAUSES):
            base = self._freed(data)
            explaining = self.explain(data) or self._explain_any(self._in_usual_charsets(base))
            if explaining is not None:
                return [explaining], new
            cause = self._alone(base) or self._find(self._repaired(self._in_usual_charset(base)))
            repaired = self._repaired(cause.data)
            explaining = self._explain_any(self._in_usual_charsets(repaired))
            if explaining is not None:
                return [explaining], new
            usual = self._in_usual_charset(repaired)
            if usual != cause.data:
                cause = self._find(usual)
            equal = [known for known in self.causes if known.is_same(cause)]
            if equal:
                return equal[:1], new
            new.append(cause)
            self.causes.append(cause)
            if not cause.features:
                break
        return [], new

    # --- Known causes ---

    def _present(self, data: bytes) -> list[tuple[Cause, tuple[Feature, ...]]]:
        """Return the known causes whose features the input has, with these features.

        Where a program fails on a charset in CA in one place, that may be any charset.
        """
        found = []
        for cause in self.causes:
            here = cause
            if cause.has_charset and (
                cause.kind is Kind.WRONG_TREE or self._probe(data).shown == cause.place
            ):
                here = cause.with_charsets(find_features(data))
            if here.may_explain(self._target, self._kind, data):
                found.append((cause, here.features))
        return found

    def explain(self, data: bytes) -> Cause | None:
        """Return a known cause without whose features the finding disappears, or None.

        An input may have several, of which each alone shows the finding: it is also tried without
        the features of those before. A broad cause, such as any escape, explains no input in which
        only one of its special cases shows the finding. The input without the features may break a
        rule, such as points that are outside of a smaller board; if a target that refused the input
        accepts that, the finding has disappeared all the same.
        """
        for cause in self.causes if self._kind is Kind.CRASH else ():
            if cause.comprises(self._target, self._kind, self._probe(data).shown):
                return cause
        tried = [data]
        present = self._present(data)
        return next((cause for cause, features in present if self._explain(features, tried)), None)

    def _explain(self, features: Iterable[Feature], tried: list[bytes]) -> bool:
        """Whether a finding disappears with one of the features, each of which the input needs.

        `tried` are the input and others that are like it, to which those without a feature are
        added.
        """
        is_whole = all(self._has_general(tried[0], feature) for feature in features)
        for feature in features if is_whole else ():
            for base in tried[:_CHANGES]:
                found = [*islice(feature.changes(base), _CHANGES)]
                probes = [*map(self._probe, found)]
                shown = {
                    probe.shown is not None
                    for probe in probes
                    if self._is_comparable(probe) or probe.accepted
                }
                # If one way to remove the feature leaves the finding, it is another one: the
                # other ways take more with them.
                if shown == {False}:
                    return True
                tried += found
        return False

    def _has_general(self, data: bytes, feature: Feature) -> bool:
        """Whether the input shows the finding with each feature that a general one comprises.

        If not, it is a finding of its own that needs one of these.
        """
        probes = map(self._probe, feature.samples(data))
        return all(probe.shown is not None or not self._is_comparable(probe) for probe in probes)

    def _freed(self, data: bytes) -> bytes:
        """Return the input without the features of known causes, where it shows the finding."""
        for _, features in self._present(data):
            for feature in features:
                kept = filter(self._keeps, islice(feature.changes(data), _CHANGES))
                data = next(kept, data)
        return data

    def _explain_any(self, variants: Iterable[bytes]) -> Cause | None:
        return next(filter(None, map(self.explain, variants)), None)

    def _in_usual_charset(self, data: bytes) -> bytes:
        """Return the input in a usual charset, if it shows the finding too."""
        return next(filter(self._keeps, self._in_usual_charsets(data)), data)

    def _in_usual_charsets(self, data: bytes) -> Iterator[bytes]:
        """Yield the input in usual charsets, if the target has a finding of any kind in it.

        Otherwise a byte that is a part of a character may pass for an escape, and an ASCII
        character may be a part of a letter.
        """
        if b"CA" not in data or self._kind in REACHES_LIMIT:
            return
        for changed in in_usual_charsets(data):
            probe = self._probe(changed)
            if not probe.clean and self._is_comparable(probe):
                yield changed

    def _repaired(self, data: bytes) -> bytes:
        """Return a variant of an input that conforms and shows the finding too, if there is one.

        Each attempt at a hang takes too long for that.
        """
        if self._kind in REACHES_LIMIT or self._probe(data).valid:
            return data
        for changed in valid_variants(data):
            probe = self._probe(changed)
            if probe.valid and probe.shown is not None:
                data = changed
                break
        self._needs_valid = self._needs_valid or self._probe(data).valid
        return data

    # --- New causes ---

    def _of_rule(self, data: bytes) -> Cause:
        """Return the cause of a finding about a rule: the rule, with a smaller input."""
        place = self._probe(data).shown

        def keeps(candidate: bytes) -> bool:
            return not self._is_late() and self._probe(candidate).shown == place

        data = self._minimized(data, keeps)
        features = tuple(Feature(_RULE, code) for code in assess(data).codes[:1])
        return self._cause(data, features)

    def _cause(
        self, data: bytes, features: tuple[Feature, ...], neighbor: bytes | None = None
    ) -> Cause:
        place = self._probe(data).shown or ""
        return Cause(self._target, self._kind, place, data, features, neighbor)

    def _alone(self, data: bytes) -> Cause | None:
        """Return the cause that is one feature of the input, if a file made for that shows it.

        It takes a few inputs, where to make the input smaller takes hundreds.
        """
        for feature in find_features(data):
            alone = unmark(feature.row.alone)
            if not alone or not self._keeps(alone) or self._present(alone):
                continue
            neighbor = self._neighbor(alone, feature)
            if neighbor is not None and self._explain((feature,), [data]):
                return self._cause(alone, (self._widened(alone, feature),), neighbor)
        return None

    def _is_comparable(self, probe: Probe) -> bool:
        """Whether the verdict of the target means the same as for the original input."""
        return probe.valid or not self._needs_valid

    def _keeps(self, data: bytes) -> bool:
        return self._shows(self._probe(data))

    def _find(self, data: bytes) -> Cause:
        """Return the new cause that an input shows."""
        present = {cause.identity for cause, _ in self._present(data)}

        def keeps(candidate: bytes) -> bool:
            known = (cause.identity for cause, _ in self._present(candidate))
            return not self._is_late() and self._keeps(candidate) and present.issuperset(known)

        data = self._minimized(strip(data, keeps), keeps)
        simple = simplify(data, keeps)
        if simple != data:
            data = self._minimized(simple, keeps)
        return self._cause(data, *self._essential(data))

    def _minimized(self, data: bytes, keeps: Callable[[bytes], bool]) -> bytes:
        """Return a smaller input of the same games and formats, without new names.

        It must not become smaller through another file format or an unknown property.
        """
        original = assess(data)

        def keeps_meaning(candidate: bytes) -> bool:
            if not keeps(candidate):
                return False
            smaller = assess(candidate)
            if not smaller.charsets <= original.charsets:
                return False
            return not self._needs_valid or (
                smaller.idents <= original.idents and smaller.formats <= original.formats
            )

        return minimize(data, keeps_meaning, self._attempts)

    def _essential(self, data: bytes) -> tuple[tuple[Feature, ...], bytes | None]:
        """Return the features that the finding needs, and an input without one of them."""
        found: dict[Feature, bytes] = {}
        for feature in self._features(data):
            if found and (feature.family == _MISSING or self._is_last(feature)):
                break
            # A feature whose removal always takes a better one with it is not needed itself.
            neighbor = self._neighbor(data, feature, found)
            if neighbor is not None:
                found[feature] = neighbor
        # The one that differs least shows best what the program needs to fail.
        neighbors = sorted(found.values(), key=lambda other: (abs(len(other) - len(data)), other))
        features = dict.fromkeys(self._widened(data, feature) for feature in found)
        return tuple(sorted(features)), neighbors[0] if neighbors else None

    def _features(self, data: bytes) -> list[Feature]:
        """Return the features of an input, those whose removal changes least first.

        If it takes too much time, amounts are all alike: which is too much depends on the machine.
        """
        features = [
            each for each in find_features(data) if not each.row.general or each.family == _MISSING
        ]
        if self._kind is Kind.HANG:
            features = list(dict.fromkeys(map(least, features)))
        return sorted(
            features,
            key=lambda each: (self._is_last(each), each.family == _MISSING, each.level),
        )

    def _is_last(self, feature: Feature) -> bool:
        """Whether it only counts if nothing else does: many parts take much time."""
        return self._kind is Kind.HANG and feature.family in ("nodes", "nesting")

    def _neighbor(
        self, data: bytes, feature: Feature, kept: Iterable[Feature] = ()
    ) -> bytes | None:
        """Return the input without the feature and without the finding, or None.

        It has the features that are to be `kept`. A value as a whole is only needed if no other
        value shows the finding.
        """
        neighbor = None
        for changed in islice(feature.changes(data), _MOST_CHANGES):
            probe = self._probe(changed)
            if feature.row.takes_usual_values and self._shows(probe):
                return None
            is_clean = probe.clean and self._is_comparable(probe)
            if neighbor is None and is_clean and all(each.is_in(changed) for each in kept):
                neighbor = changed
            if neighbor is not None and not feature.row.takes_usual_values:
                break
        return neighbor

    # --- More general features ---

    def _widened(self, data: bytes, feature: Feature) -> Feature:
        """Return the most general feature that does the same as this one."""
        if feature.family == _PROPERTY:
            return self._general_property(data, feature)
        place = self._probe(data).shown if self._kind is Kind.WRONG_TREE else None
        for general, others in feature.parents(data):
            probes = [self._probe(other) for other in others if other != data]
            is_same = place is None or all(probe.shown == place for probe in probes)
            if probes and is_same and all(map(self._shows, probes)):
                feature = general
        if feature.ident and any(map(self._keeps, _renamed(data, feature.ident))):
            feature = replace(feature, ident="")
        return feature

    def _shows(self, probe: Probe) -> bool:
        return probe.shown is not None and self._is_comparable(probe)

    def _general_property(self, data: bytes, feature: Feature) -> Feature:
        """Return the feature of its type if another property of that type shows the finding too,
        that of any property if those of all types do, or the feature itself."""
        renamed, others = (
            [*filter(self._is_comparable, map(self._probe, changed(data, feature.argument)))]
            for changed in (_renamed, _replaced)
        )
        if not any(probe.shown is not None for probe in renamed or others):
            return feature
        if any(probe.clean for probe in others):
            return Feature(_TYPE, type_of(feature.argument, *context_of(mark(data))))
        return Feature(_ANY)


def _renamed(data: bytes, ident: str) -> Iterator[bytes]:
    """Yield inputs with other properties of the same type in place of those of that name."""
    return map(unmark, islice(renamings(mark(data), ident), _MOST_CHANGES))


def _replaced(data: bytes, ident: str) -> Iterator[bytes]:
    """Yield the input with properties of other types in place of each one of that name."""
    for new in _TYPED_PROPERTIES:
        yield unmark(replace_properties(mark(data), ident.__eq__, new))
