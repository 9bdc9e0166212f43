"""Findings, counted as they are, and the report, which renders them when it is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from sgf_lark.diagnostics import (
    Diagnostic,
    Kind,
    Language,
    Severity,
    Texts,
    most_severe,
    name_of,
    texts_of,
)
from sgf_lark.model.collection import Collection
from sgf_lark.rules.registry import Finding
from sgf_lark.text.positions import SourceText

#: More diagnostics are only counted in notebooks.
_MOST_IN_NOTEBOOKS = 100


class TreeSummary(NamedTuple):
    """GM, FF, SZ (columns, rows) and CA of a game tree.

    The values are those the tree is read with: a missing property counts with
    its default, and `sz` is None where the game has no default board.
    """

    gm: int
    ff: int
    sz: tuple[int, int] | None
    ca: str | None

    def as_dict(self) -> dict[str, object]:
        """The summary as an object of the JSON formats."""
        size = None if self.sz is None else list(self.sz)
        return {"gm": self.gm, "ff": self.ff, "sz": size, "ca": self.ca}


class Report:
    """The diagnostics of one input, in the order of their places.

    `diagnostics` lists them; those of a validated file are rendered when they are first read.
    `trees` are the summaries of the game trees; `source` gives lines and columns
    of the input, for excerpts. `omitted` counts the diagnostics that are not listed, by code, name
    and severity: those of a rule that was broken too often, and those that :meth:`limited` left
    out.
    """

    #: What the diagnostics of a validated file are rendered from.
    _findings: Findings | None = None

    def __init__(
        self,
        diagnostics: list[Diagnostic],
        trees: list[TreeSummary] | None = None,
        source: SourceText | None = None,
        omitted: Counter[Kind] | None = None,
    ) -> None:
        self.diagnostics = diagnostics
        self.trees = trees or []
        self.source = source or SourceText(b"")
        self.omitted = omitted or Counter()

    @classmethod
    def of_findings(cls, findings: Findings) -> Report:
        """The report of a validated file."""
        report = cls.__new__(cls)
        report._findings = findings  # noqa: SLF001
        return report

    @property
    def findings(self) -> Findings:
        """What was found; only the report of a validated file has it."""
        assert self._findings is not None
        return self._findings

    @cached_property
    def diagnostics(self) -> list[Diagnostic]:
        """All diagnostics but those omitted."""
        return self.findings.diagnostics(self.findings.found_in_order())

    @cached_property
    def trees(self) -> list[TreeSummary]:
        """The summaries of the game trees."""
        return summaries(self.findings.collection)

    @cached_property
    def source(self) -> SourceText:
        """Lines and columns of the input."""
        return self.findings.collection.source

    @cached_property
    def omitted(self) -> Counter[Kind]:
        """The number of diagnostics that are not listed, by code, name and severity."""
        return self.findings.count_omitted()

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return not self.counts[Severity.ERROR]

    @property
    def counts(self) -> dict[str, int]:
        """The number of diagnostics of each severity, with those that are omitted."""
        if self._findings is not None:
            return self._findings.count_severities()
        counts = dict.fromkeys(map(str, Severity), 0)
        for (_, _, severity), count in self.kinds.items():
            counts[severity] += count
        return counts

    @cached_property
    def kinds(self) -> Counter[Kind]:
        """The number of diagnostics by code, name and severity, with those that are omitted."""
        if self._findings is not None:
            return self._findings.count()
        return self.omitted + Counter([each.kind for each in self.diagnostics])

    def indexes(self, number: int | None, *, hides_style: bool = False) -> list[int]:
        """The indexes of the `number` most severe diagnostics, or of all if it is None, in the
        order of their places; with `hides_style` those of style are not among them."""
        if self._findings is not None:
            severities = self._findings.severities_in_order()
        else:
            severities = [each.severity for each in self.diagnostics]
        shown = [
            index
            for index, severity in enumerate(severities)
            if not (hides_style and severity is Severity.STYLE)
        ]
        return [shown[place] for place in most_severe([severities[each] for each in shown], number)]

    def limited(self, number: int) -> Report:
        """The report with the `number` most severe diagnostics; the others are only counted."""
        indexes = self.indexes(number)
        return self if len(indexes) == sum(self.counts.values()) else self.part(indexes)

    def part(self, indexes: Iterable[int]) -> Report:
        """The report with the diagnostics of these indexes; the others are only counted."""
        if self._findings is not None:
            found = self._findings.found_in_order()
            kept = self._findings.diagnostics([found[index] for index in indexes])
        else:
            kept = [self.diagnostics[index] for index in indexes]
        omitted = self.kinds - Counter([each.kind for each in kept])
        return Report(kept, self.trees, self.source, omitted)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the diagnostics, without the collection that they were found in."""
        return Report, (self.diagnostics, self.trees, self.source, self.omitted)

    def __repr__(self) -> str:
        return f"<Report {self.counts}>"

    def _repr_html_(self) -> str:
        """A table of the most severe diagnostics, for notebooks."""
        from html import escape

        shown = self.limited(_MOST_IN_NOTEBOOKS)
        counts = [f"{name}: {count}" for name, count in self.counts.items() if count]
        head = "".join(f"<th>{title}</th>" for title in ("Place", "Severity", "Rule", "Message"))
        rows = [
            (f"{each.span.line}:{each.span.column}", each.severity, each.code, each.message)
            for each in shown.diagnostics
        ]
        cells = ["".join(f"<td>{escape(str(cell))}</td>" for cell in row) for row in rows]
        body = "".join(f"<tr>{row}</tr>" for row in cells)
        more = f"<p>… and {shown.omitted.total()} more</p>" if shown.omitted else ""
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
        return f"<p>{', '.join(counts) or 'The file conforms.'}</p>{table if rows else ''}"

    def as_dict(self, path: str) -> dict[str, object]:
        """The object that represents this file in the JSON formats."""
        return {
            "path": path,
            "ok": self.ok,
            "counts": self.counts,
            **self._omitted_as_dict(),
            "trees": [tree.as_dict() for tree in self.trees],
            "diagnostics": [found.as_dict() for found in self.diagnostics],
        }

    def _omitted_as_dict(self) -> dict[str, object]:
        if not self.omitted:
            return {}
        by_code = {code: count for (code, _, _), count in sorted(self.omitted.items())}
        return {"omitted": self.omitted.total(), "omitted_by_code": by_code}


def summaries(collection: Collection) -> list[TreeSummary]:
    """The summary of each tree of a collection."""
    return [
        TreeSummary(
            tree.game,
            tree.file_format,
            tree.size,
            ca.decode("latin-1") if (ca := tree.parsed.root_values.get("CA")) is not None else None,
        )
        for tree in collection
    ]


# --- Findings -------------------------------------------------------------------------


class PlacedFinding(NamedTuple):
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
            finding.related,
            finding.node,
        )


#: The same before somebody asks for it: the runners record thousands of them.
FoundAt = tuple[int, str, int, Finding, int]

#: The order of findings in a report.
by_place = itemgetter(0, 1, 2)
code_of = itemgetter(1)
_NO_COUNTS: dict[str, int] = dict.fromkeys(map(str, Severity), 0)


class Findings:
    """What was found in a collection: counted as it is, sorted and rendered when it is read.

    `severities` are those of the active rules by their codes, `language` is that of the messages.
    `omitted` counts by their codes what was found and is not among `found`.
    """

    def __init__(
        self,
        found: list[FoundAt],
        collection: Collection,
        severities: dict[str, Severity],
        language: Language,
        omitted: Mapping[str, int],
    ) -> None:
        self._found = found
        self._omitted = omitted
        self.collection = collection
        self.severities = severities
        self._language: Language = language
        # Set here and in the method: `cached_property` takes a lock on Python 3.11, which each
        # file would pay for.
        self._severity_counts: dict[str, int] | None = None

    @cached_property
    def in_order(self) -> list[PlacedFinding]:
        """The findings by their places: one for each diagnostic of the report."""
        # Once: who asks for one of them by its number may ask for the next one.
        return [*map(PlacedFinding._make, self.found_in_order())]

    def found_in_order(self) -> list[FoundAt]:
        """The same as they were recorded."""
        # In place: a file may have a million.
        self._found.sort(key=by_place)
        return self._found

    def count(self) -> Counter[Kind]:
        """The number of findings by code, name and severity, with those that are omitted."""
        counts = Counter(map(code_of, self._found))
        counts.update(self._omitted)
        return self._by_kind(counts)

    def count_omitted(self) -> Counter[Kind]:
        """The number of findings that are omitted, by code, name and severity."""
        return self._by_kind(self._omitted)

    def _by_kind(self, counts: Mapping[str, int]) -> Counter[Kind]:
        return Counter(
            {(code, name_of(code), self.severities[code]): count for code, count in counts.items()}
        )

    def count_severities(self) -> dict[str, int]:
        """The number of findings of each severity, with those that are omitted."""
        # The command line asks several times, of up to a million findings.
        if self._severity_counts is None:
            counts, severities = dict(_NO_COUNTS), self.severities
            for code in map(code_of, self._found):
                counts[severities[code]] += 1
            for code, count in self._omitted.items():
                counts[severities[code]] += count
            self._severity_counts = counts
        return dict(self._severity_counts)

    def severities_in_order(self) -> list[Severity]:
        """The severity of each finding, by their places."""
        severities = self.severities
        return [severities[code] for code in map(code_of, self.found_in_order())]

    def diagnostics(self, found: Sequence[FoundAt]) -> list[Diagnostic]:
        """The diagnostics for some of the findings, with the texts of the catalogue."""
        if not found:
            return []  # many files: there is no need of lines and columns
        source, flat = self.collection.source, self.collection.flat
        severities = self.severities
        roots, codecs = flat.roots, self.collection.file.codecs
        spans = source.spans([(start, end) for start, _, end, _, _ in found])
        # The tree of all nodes, as in most files.
        only_tree = 0 if len(roots) == 1 else None
        made: list[Diagnostic] = []
        for (start, code, _, finding, node), span in zip(found, spans, strict=True):
            tree = only_tree
            if tree is None and roots:
                tree = flat.tree_of(node)
            codec = codecs[tree] if tree is not None else "latin-1"
            name, message, sgfc, fix = self._texts(code, finding, codec, start)
            made.append(
                Diagnostic(
                    code,
                    name,
                    severities[code],
                    message,
                    span,
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

    def _texts(self, code: str, finding: Finding, codec: str, start: int) -> Texts:
        """The texts for a finding at the offset `start`. Those of one that is kept for equal bytes
        in other places and files are kept with it."""
        section = self.collection.file.decoding.sections.at(start)
        # Equal bytes may have escapes of the file, or escapes that were added to it.
        kept_for = code, self._language, codec, section.offset_map is None
        kept = finding.texts
        if kept is None or kept[0] != kept_for:
            values = {
                key: section.shown(value) if isinstance(value, bytes) else value
                for key, value in finding.values.items()
            }
            texts = texts_of(code, finding.ident, values, self._language, codec)
            kept = finding.texts = kept_for, texts
        return kept[1]
