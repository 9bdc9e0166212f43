"""From findings to diagnostics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from sgf_lark.diagnostics import Diagnostic, Kind, Language, Severity, name_of, texts_of
from sgf_lark.model.collection import Collection
from sgf_lark.rules.registry import Finding


class Located(NamedTuple):
    """A finding of the rule of that code, where it is: byte offsets and the number of the node,
    or -1. The offsets override those of the finding, which can be shared."""

    start: int
    code: str
    end: int
    finding: Finding
    node: int

    def placed(self) -> Finding:
        """The finding with these offsets."""
        finding = self.finding
        if (finding.start, finding.end) == (self.start, self.end):
            return finding
        # Copied field by field: dataclasses.replace() takes several times as long.
        return Finding(
            self.start,
            self.end,
            finding.values,
            finding.ident,
            finding.sgfc,
            finding.related,
            finding.node,
        )


#: The order of findings in a report.
by_place = itemgetter(0, 1, 2)
_code = itemgetter(1)
_NO_COUNTS: dict[str, int] = dict.fromkeys(map(str, Severity), 0)


class Findings:
    """What was found in a collection: counted as it is, sorted and rendered when it is read.

    `severities` are those of the active rules by their codes, `language` is that of the messages.
    `omitted` counts by their codes what was found and is not among `found`.
    """

    def __init__(
        self,
        found: list[Located],
        collection: Collection,
        severities: dict[str, Severity],
        language: Language,
        omitted: Counter[str],
    ) -> None:
        self._found = found
        self._omitted = omitted
        self.collection = collection
        self.severities = severities
        self._language: Language = language

    @cached_property
    def in_order(self) -> list[Located]:
        """The findings by their places: one for each diagnostic of the report."""
        self._found.sort(key=by_place)
        return self._found

    def count(self) -> Counter[Kind]:
        """The number of findings by code, name and severity, with those that are omitted."""
        counts = Counter(map(_code, self._found))
        counts.update(self._omitted)
        return self._by_kind(counts)

    def count_omitted(self) -> Counter[Kind]:
        """The number of findings that are omitted, by code, name and severity."""
        return self._by_kind(self._omitted)

    def _by_kind(self, counts: Counter[str]) -> Counter[Kind]:
        return Counter({self._kind(code): count for code, count in counts.items()})

    def count_severities(self) -> dict[str, int]:
        """The number of findings of each severity, with those that are omitted."""
        counts = dict(_NO_COUNTS)
        severities = self.severities
        for each in self._found:
            counts[severities[each.code]] += 1
        for code, count in self._omitted.items():
            counts[severities[code]] += count
        return counts

    def _kind(self, code: str) -> Kind:
        return code, name_of(code), self.severities[code]

    def severities_in_order(self) -> list[Severity]:
        """The severity of each finding, by their places."""
        severities = self.severities
        return [severities[each.code] for each in self.in_order]

    def diagnostics(self, found: Iterable[Located]) -> list[Diagnostic]:
        """The diagnostics for some of the findings, with the texts of the catalogue."""
        if not self._found:
            return []  # most files: there is no need of lines and columns
        source, flat = self.collection.source, self.collection.flat
        severities, language = self.severities, self._language
        roots, codecs = flat.roots, self.collection.file.codecs
        made: list[Diagnostic] = []
        for start, code, end, finding, node in found:
            tree = flat.tree_of(node) if roots else None
            codec = codecs[tree] if tree is not None else "latin-1"
            name, message, sgfc, fix = texts_of(
                code, finding.ident, finding.sgfc, finding.values, language, codec
            )
            made.append(
                Diagnostic(
                    code,
                    name,
                    severities[code],
                    message,
                    source.span(start, end),
                    tree,
                    None if tree is None else node - roots[tree],
                    finding.ident,
                    sgfc,
                    fix,
                    tuple([source.span(*place) for place in finding.related])
                    if finding.related
                    else (),
                )
            )
        return made
