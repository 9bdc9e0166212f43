"""Features of a file in the words of the grammar, each with changes that remove it.

A feature is what the cause of a finding may be: "vertical tab as white space between tokens",
"escaped “]” in a value", "KO". A *change* gives the file without the feature and as similar
as possible; often there are several, the smallest first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module

#: The modules with families of features, in the order in which features are described.
_MODULES = ("features_properties", "features_values", "features_structure", "features_rules")


@dataclass(frozen=True, slots=True, order=True)
class Feature:
    """One feature: its family, what distinguishes it there, and a property it is limited to."""

    family: str
    argument: str = ""
    ident: str = ""

    @property
    def name(self) -> str:
        """The name for ``--without``, such as ``white-space:vertical-tab`` or ``property:KO``."""
        scope = f"@{self.ident}" if self.ident else ""
        return f"{self.family}:{self.argument}{scope}" if self.argument or scope else self.family

    @property
    def title(self) -> str:
        """The feature in words."""
        family = families()[self.family]
        words = family.title(self.argument)
        return f"{words} in {self.ident or family.where}" if family.where else words

    def is_in(self, data: bytes) -> bool:
        """Whether the file has the feature."""
        return families()[self.family].has(data, self)

    def changes(self, data: bytes) -> Iterator[bytes]:
        """Yield the file without the feature, the smallest change first."""
        for changed in families()[self.family].changes(data, self):
            if changed != data:
                yield changed


@dataclass(frozen=True)
class Family:
    """Features of one kind.

    `find` gives the features of a file, `changes` removes one, `title` describes the one with
    that argument. `has` is whether a file has a feature. `arguments` gives those that
    ``--list-features`` shows. `widen` gives more general features, each with files that have
    only that one; `general` are the arguments of those. A feature may be limited to one
    property if there is a `where`: what it is in if it is not limited, "a value" or "a property".
    `least` is the argument of the most general feature, if the arguments are numbers of "N or
    more" that have no meaning for a parser that takes too much time.
    """

    name: str
    find: Callable[[bytes], Iterable[Feature]]
    changes: Callable[[bytes, Feature], Iterable[bytes]]
    title: Callable[[str], str]
    arguments: Callable[[], Iterable[str]] = lambda: ("",)
    where: str = ""
    has_feature: Callable[[bytes, Feature], bool] | None = None
    widen: Callable[[bytes, Feature], Iterable[tuple[Feature, list[bytes]]]] = lambda *_: ()
    general: frozenset[str] = frozenset()
    least: str = ""

    def has(self, data: bytes, feature: Feature) -> bool:
        """Whether a file has the feature."""
        if self.has_feature is not None:
            return self.has_feature(data, feature)
        return any(
            found.argument == feature.argument and feature.ident in ("", found.ident)
            for found in self.find(data)
        )


@cache
def families() -> dict[str, Family]:
    """Return the families by name."""
    found: dict[str, Family] = {}
    for name in _MODULES:
        module = import_module(f"sgf_lark.fuzz.{name}")
        found.update((family.name, family) for family in module.FAMILIES)
    return found


def find_features(data: bytes) -> list[Feature]:
    """Return the features of a file; those of values once for each property."""
    found = (feature for family in families().values() for feature in family.find(data))
    return list(dict.fromkeys(found))


def listed() -> Iterator[Feature]:
    """Yield the features whose arguments come from the grammar and the property table."""
    for family in families().values():
        for argument in family.arguments():
            yield Feature(family.name, argument)


def parse(name: str) -> Feature:
    """Return the feature of that name. Raises ValueError for a name that means none."""
    name, _, ident = name.partition("@")  # Arguments have no "@": it is quoted in them.
    family, _, argument = name.partition(":")
    found = families().get(family)
    if found is None:
        raise ValueError(f"no such family of features: {family!r}; {', '.join(families())}")
    if ident and not found.where:
        raise ValueError(f"{family} is not a feature of the values of one property")
    try:
        found.title(argument)
    except (LookupError, ValueError) as error:
        raise ValueError(f"no such feature: {name!r}") from error
    return Feature(family, argument, ident)


def describe(features: Iterable[Feature]) -> str:
    """Return the features that together are a cause, in words."""
    order = list(families())
    ordered = sorted(features, key=lambda feature: (order.index(feature.family), feature))
    return " with ".join(feature.title for feature in ordered)
