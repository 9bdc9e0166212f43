"""The causes of findings: the features of an input without which a finding disappears.

An input with a finding is *explained* by a known cause if the change that removes the features
of the cause also removes the finding. An input that no known cause explains is freed of the
features of known causes, minimized and taken to a canonical form. Then each of its features is
removed in turn: those without which the finding disappears are, together, the new cause, and
the input without one of them is the nearest input without the finding.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import sgf_lark
from sgf_lark.fuzz.canonical import decoded
from sgf_lark.fuzz.features import Feature, describe, families, find_features
from sgf_lark.fuzz.features_properties import NOT_UTF_8, remove_properties
from sgf_lark.fuzz.features_values import FAMILIES as VALUE_FAMILIES
from sgf_lark.fuzz.judging import BY_RULE, DEPENDS_ON_RULES, TAKES_TIME, Kind, assess
from sgf_lark.fuzz.minimizing import minimize, shorten
from sgf_lark.fuzz.simplifying import simplify, valid_variants
from sgf_lark.fuzz.tokens import Token, join, properties, split

#: Changes that are tried to remove a feature of the minimal input, and of any input.
_MOST_CHANGES, _CHANGES = 12, 3
#: An input may show this many causes one after the other.
_MOST_CAUSES = 4

_OF_VALUES = frozenset(family.name for family in VALUE_FAMILIES)
#: A feature of these families is so small that a cause may show as findings of any kind.
_BETWEEN = frozenset({"white-space", "gap", "byte-order-mark"})
_FINE = _OF_VALUES | _BETWEEN
_PROPERTY, _TYPE, _ANY, _MISSING = "property", "value-type", "any-property", "no-property"
_CHARSET = "charset"
_RULE = "rule"
#: The features that the structure around them goes with.
_SPECIAL = {_PROPERTY, _CHARSET, "lowercase-letters", *_OF_VALUES}
#: The features of properties in general, the most special first.
_GENERAL = (_TYPE, _ANY)
_TYPED_PROPERTIES = (b"C[a]", b"KM[1]", b"GN[a]", b"TR[aa]", b"AB[aa]")


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
        """Whether an input with a finding of that kind has all features of the cause."""
        return (
            bool(self.features)
            and self.target == target
            and self.kind not in BY_RULE
            and (
                self.kind is kind
                or TAKES_TIME.issuperset((self.kind, kind))
                or all(each.family in _FINE for each in self.features)
            )
            and all(feature.is_in(data) for feature in self.features)
        )

    def is_same(self, other: Cause) -> bool:
        """Whether the other cause is this one: it has the same features, but perhaps for the
        charset in CA where a program fails in the same place, or it is covered."""
        if self.identity == other.identity or self.covers(other):
            return True
        return (
            self._is_in_place_of(other)
            and bool(self.features)
            and self.kind in (Kind.CRASH, Kind.REJECTS_VALID)
            and _without_charset(self.features) == _without_charset(other.features)
        )

    def covers(self, other: Cause) -> bool:
        """Whether the input of this cause, which needs no feature, crashes in the same place
        without the features of the other one: then they are not what that crash needs."""
        return (
            self.kind is Kind.CRASH
            and not self.features
            and self._is_in_place_of(other)
            and not all(feature.is_in(self.data) for feature in other.features)
        )

    def _is_in_place_of(self, other: Cause) -> bool:
        own = (self.target, self.kind, self.place)
        return own == (other.target, other.kind, other.place)


@dataclass(frozen=True, slots=True)
class Sight:
    """The result of running an input.

    `shown` is the place of the finding, or None. `clean` is whether the target has no finding
    of any kind. `valid` is whether the input conforms. `between` is whether it hardly differs
    from an input with the finding: it takes a little less time.
    """

    shown: str | None
    clean: bool
    valid: bool
    between: bool = False

    @property
    def gone(self) -> bool:
        """Whether the input does not show the finding."""
        return self.shown is None and not self.between


class OutOfTimeError(Exception):
    """There is no time left to run inputs."""


class Search:
    """Searches the causes of a finding of one target and kind."""

    def __init__(
        self,
        target: str,
        kind: Kind,
        causes: Sequence[Cause],
        look: Callable[[bytes], Sight],
        attempts: int,
        is_late: Callable[[], bool] = lambda: False,
    ) -> None:
        """Search with `look`, which runs an input, among the causes that are known.

        `attempts` limits how many inputs are tried to make one smaller, and none is tried when
        `is_late` is true: what is left of the time is needed for the features.
        """
        self._target = target
        self._kind = kind
        self.causes = list(causes)
        self._look = look
        self._attempts = attempts
        self._is_late = is_late
        self._needs_valid = kind in DEPENDS_ON_RULES
        self.new: list[Cause] = []

    def run(self, data: bytes) -> tuple[list[Cause], list[Cause]]:
        """Return known causes that explain the finding in `data`, and new ones.

        The new ones are in `new` even if `look` raises OutOfTimeError.
        """
        new = self.new
        self._needs_valid = self._needs_valid or self._look(data).valid
        for _ in range(_MOST_CAUSES):
            base = self._in_utf_8(self._freed(data))
            explaining = self.explain(data) or self.explain(base)
            if explaining is not None:
                return [explaining], new
            cause = self._find(self._repaired(base))
            repaired = self._repaired(cause.data)
            if repaired != cause.data:
                cause = self._find(repaired)
            equal = [known for known in self.causes if known.is_same(cause)]
            if equal:
                return equal[:1], new
            new.append(cause)
            self.causes.append(cause)
            if not cause.features:
                break
        return [], new

    # --- Known causes ---

    def _present(self, data: bytes) -> list[Cause]:
        return [each for each in self.causes if each.may_explain(self._target, self._kind, data)]

    def explain(self, data: bytes) -> Cause | None:
        """Return a known cause without whose features the finding disappears, or None."""
        for cause in self._present(data):
            for feature in cause.features:
                for changed in _first(feature.changes(data), _CHANGES):
                    sight = self._look(changed)
                    if sight.gone and self._is_comparable(sight):
                        return cause
        return None

    def _freed(self, data: bytes) -> bytes:
        """Return the input without the features of known causes, where it shows the finding."""
        for cause in self._present(data):
            for feature in cause.features:
                for changed in _first(feature.changes(data), _CHANGES):
                    sight = self._look(changed)
                    if sight.shown is not None and self._is_comparable(sight):
                        data = changed
                        break
        return data

    def _in_utf_8(self, data: bytes) -> bytes:
        """Return the input in UTF-8, if it shows the finding too.

        Otherwise a byte that is a part of a character may pass for an escape.
        """
        if data.isascii() or b"CA" not in data:
            return data
        declared = Feature(_CHARSET, NOT_UTF_8)
        for changed in _first(declared.changes(decoded(data).encode()), 1):
            if self._keeps(changed):
                return changed
        return data

    def _repaired(self, data: bytes) -> bytes:
        """Return an input that conforms, or has fewer violations, if it shows the finding too."""
        if self._look(data).valid:
            return data
        fixed = sgf_lark.fix(data, unsafe=True).data
        if self._keeps(fixed):
            data = fixed
        for changed in valid_variants(data):
            sight = self._look(changed)
            if sight.valid and sight.shown is not None:
                data = changed
                break
        self._needs_valid = self._needs_valid or self._look(data).valid
        return data

    # --- New causes ---

    def _is_comparable(self, sight: Sight) -> bool:
        """Whether the verdict of the target means the same as for the original input."""
        return sight.valid or not self._needs_valid

    def _keeps(self, data: bytes) -> bool:
        sight = self._look(data)
        return sight.shown is not None and self._is_comparable(sight)

    def _find(self, data: bytes) -> Cause:
        """Return the new cause that an input shows."""
        present = {cause.identity for cause in self._present(data)}

        def keeps(candidate: bytes) -> bool:
            known = (cause.identity for cause in self._present(candidate))
            return not self._is_late() and self._keeps(candidate) and present.issuperset(known)

        data = self._minimized(data, keeps)
        data = self._minimized(simplify(data, keeps), keeps)
        features, neighbor = self._essential(data)
        place = self._look(data).shown
        return Cause(self._target, self._kind, place or "", data, features, neighbor)

    def _minimized(self, data: bytes, keeps: Callable[[bytes], bool]) -> bytes:
        """Return a smaller input of the same games and formats, without new identifiers.

        It must not become smaller through another file format or an unknown property.
        """
        original = assess(data)

        def keeps_meaning(candidate: bytes) -> bool:
            if not keeps(candidate):
                return False
            smaller = assess(candidate)
            return not self._needs_valid or (
                smaller.idents <= original.idents and smaller.formats <= original.formats
            )

        if self._kind in TAKES_TIME:
            data = shorten(data, keeps_meaning)
        return minimize(data, keeps_meaning, self._attempts)

    def _essential(self, data: bytes) -> tuple[tuple[Feature, ...], bytes | None]:
        """Return the features that the finding needs, and an input without one of them."""
        found: dict[Feature, bytes] = {}
        for feature in self._features(data):
            if self._is_general(feature, found):
                continue
            neighbor = self._neighbor(data, feature)
            if neighbor is not None:
                found[feature] = neighbor
        if not any(feature.family in (_PROPERTY, *_OF_VALUES) for feature in found):
            found |= self._general(data)
        if not found:
            missing = [each for each in find_features(data) if each.family == _MISSING]
            for feature in missing:
                neighbor = self._neighbor(data, feature)
                if neighbor is not None:
                    return (feature,), neighbor
        found = self._widened(data, _necessary(found))
        neighbors = sorted(found.values(), key=lambda other: (abs(len(other) - len(data)), other))
        return self._combined(data, list(found)), neighbors[0] if neighbors else None

    def _is_general(self, feature: Feature, found: Iterable[Feature]) -> bool:
        """Whether the feature does not count, or not together with what was found."""
        family = families()[feature.family]
        if feature.family in (_MISSING, *_GENERAL) or feature.argument in family.general:
            return True
        if feature.family == "word":
            return _has_value_feature(found, feature.ident)
        if feature.family == "gap":
            return any(each.family == "white-space" for each in found)
        is_number_of_parts = bool(family.least) and not family.where
        return is_number_of_parts and self._kind in TAKES_TIME and any(True for _ in found)

    def _features(self, data: bytes) -> list[Feature]:
        """Return the features of an input.

        If it takes too much time, long values are all alike: which length takes too long depends
        on the machine. Many nodes, or nested trees, come last: they only count if nothing else
        does.
        """
        features = find_features(data)
        if self._kind not in TAKES_TIME:
            return features
        general: list[Feature] = []
        last: list[Feature] = []
        for feature in features:
            family = families()[feature.family]
            if family.least:
                feature = replace(feature, argument=family.least)
            (last if family.least and not family.where else general).append(feature)
        return list(dict.fromkeys([*general, *last]))

    def _widened(self, data: bytes, found: dict[Feature, bytes]) -> dict[Feature, bytes]:
        """Return the features, general ones in place of those of which any will do."""
        widened = {}
        for feature, neighbor in found.items():
            for general, others in families()[feature.family].widen(data, feature):
                sights = [self._look(other) for other in others if other != data]
                if sights and all(
                    sight.shown is not None and self._is_comparable(sight) for sight in sights
                ):
                    feature = general
            widened[feature] = neighbor
        return widened

    def _neighbor(self, data: bytes, feature: Feature) -> bytes | None:
        """Return the input without the feature and without the finding, or None.

        There is none for a property if another one in its place shows the finding as well.
        """
        renamed = set(_renamed(data, feature))
        if feature.family == _PROPERTY and not any(map(self._is_comparable_input, renamed)):
            others = _replaced(data, feature.argument.encode())
            if any(map(self._keeps, others)):
                return None
        for changed in _first(feature.changes(data), _MOST_CHANGES):
            sight = self._look(changed)
            if not self._is_comparable(sight):
                continue
            if sight.clean:
                return changed
            if sight.shown is not None and changed in renamed:
                return None
        return None

    def _is_comparable_input(self, data: bytes) -> bool:
        return self._is_comparable(self._look(data))

    def _general(self, data: bytes) -> dict[Feature, bytes]:
        """Return the feature that properties of a type, or all properties, have in common."""
        types = [feature for feature in find_features(data) if feature.family == _TYPE]
        for feature in (*types, Feature(_ANY)):
            neighbor = self._neighbor(data, feature)
            if neighbor is None:
                continue
            others = [neighbor.replace(b")", new + b")", 1) for new in _TYPED_PROPERTIES]
            sights = [self._look(other) for other in others]
            special = any(sight.clean and self._is_comparable(sight) for sight in sights)
            return {feature if special else Feature(_ANY): neighbor}
        return {}

    def _combined(self, data: bytes, features: list[Feature]) -> tuple[Feature, ...]:
        """Return the features, those of values limited to a property if it matters."""
        special = {each.argument for each in features if each.family == _PROPERTY}
        numbers = {(each.argument, each.ident) for each in features if each.family == "number"}
        found = set()
        for feature in features:
            if feature.family in _OF_VALUES:
                exact = (feature.argument.removesuffix("+"), feature.ident)
                if feature.argument.endswith("+") and exact in numbers:
                    continue
                if feature.ident not in special and self._may_be_any(data, feature.ident):
                    feature = replace(feature, ident="")
            found.add(feature)
        scopes = {feature.ident for feature in found}
        kept = (f for f in found if f.family != _PROPERTY or f.argument not in scopes)
        return tuple(sorted(kept))

    def _may_be_any(self, data: bytes, ident: str) -> bool:
        """Whether another property in its place shows the finding too."""
        for changed in _renamed(data, Feature(_PROPERTY, ident)):
            sight = self._look(changed)
            if self._is_comparable(sight) and sight.shown is not None:
                return True
        return False


def _without_charset(features: Iterable[Feature]) -> set[Feature]:
    """Return the features, with any charset for the one in CA."""
    return {replace(each, argument="") if each.family == _CHARSET else each for each in features}


def _necessary(found: dict[Feature, bytes]) -> dict[Feature, bytes]:
    """Return the features without those whose removal only removes others.

    The structure around a property is one: it goes with the property. A broken rule is one, if
    the file breaks it by another feature.
    """
    special = [each for each in found if each.family in _SPECIAL]
    kept = dict(found)
    for feature, neighbor in found.items():
        if feature.family == _RULE:
            neighbors = (found[each] for each in found if each.family in _FINE)
            redundant = any(not feature.is_in(other) for other in neighbors)
        else:
            others = [each for each in found if each.family in _BETWEEN]
            if feature in special or feature in others:
                others = [] if feature in others else others
            else:
                others += special
            redundant = any(not other.is_in(neighbor) for other in others)
        if redundant:
            del kept[feature]
    return kept


def _renamed(data: bytes, feature: Feature) -> Iterator[bytes]:
    """Yield the changes by which only an identifier changes."""
    if feature.family == _PROPERTY:
        removed = remove_properties(data, lambda ident: ident == feature.argument.encode())
        for changed in _first(feature.changes(data), _MOST_CHANGES):
            if changed != removed:
                yield changed


def _replaced(data: bytes, ident: bytes) -> Iterator[bytes]:
    """Yield the input with properties of other types in place of each one of that name."""
    for new in _TYPED_PROPERTIES:
        tokens = split(data)
        for span in reversed([*properties(tokens)]):
            if span.ident == ident:
                tokens[span.first : span.last] = [Token("", new)]
        yield join(tokens)


def _has_value_feature(found: Iterable[Feature], ident: str) -> bool:
    return any(each.family in _OF_VALUES and each.ident == ident for each in found)


def _first(items: Iterable[bytes], count: int) -> list[bytes]:
    return list(islice(items, count))
