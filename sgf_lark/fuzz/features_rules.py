"""Features of files that break rules: the rules of the catalogue."""

from __future__ import annotations

from collections.abc import Iterator

import sgf_lark
from sgf_lark import grammar
from sgf_lark.diagnostics import Severity
from sgf_lark.fuzz.features import Family, Feature


def _find(data: bytes) -> Iterator[Feature]:
    for diagnostic in sgf_lark.validate(data).diagnostics:
        if diagnostic.severity is Severity.ERROR:
            yield Feature("rule", diagnostic.code)


def _change(data: bytes, feature: Feature) -> Iterator[bytes]:
    yield sgf_lark.fix(data, select=[feature.argument], unsafe=True).data


def _title(argument: str) -> str:
    rule = grammar.rules()[argument]
    return f"{rule.name.replace('-', ' ')} ({rule.code})"


FAMILIES = (Family("rule", _find, _change, _title, lambda: grammar.rules()),)
