"""Runs parsers on the suite; the results are a JSON document.

::

    {"format": "sgf_lark conformance results", "version": 1,
     "suite": {"cases": 1161, "digest": "…", "groups": {"structure": 89, …}},
     "made_by": {"sgf_lark": "0.1.0", "python": "3.12.3", "system": "Linux"},
     "parsers": [{"name": "sgfmill", "title": "…", "version": "1.1.1", "trees": true,
                  "timeout": 5.0, "memory": 1073741824, "skipped": [],
                  "failures": [{"case": "points/accept-size-27", "status": "rejected",
                                "kind": "", "expected": "…", "found": "…"}, …]}]}

A parser passed the cases that are neither in `failures` nor in `skipped`. The skipped ones are
cases about bytes, for a parser that takes text. `trees` is true if the parser gave any trees;
otherwise only its verdicts were compared.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Callable, Iterable
from typing import Any

import sgf_lark
from sgf_lark.conformance.judging import Result, Status, judge
from sgf_lark.conformance.suite import Case, Suite
from sgf_lark.fuzz.adapters import adapters
from sgf_lark.fuzz.targets import open_target

FORMAT = "sgf_lark conformance results"
VERSION = 1
#: At most this many characters of a message or value are kept.
_KEPT = 300

#: The folder of the input, whose name is different in each run.
_FOLDER = re.compile(r"[^\s'\"]*sgf-lark-fuzz-[^\s'\"/]*/")

#: Passes the cases through, and can show the progress of the run.
Watch = Callable[[Iterable[Case]], Iterable[Case]]


def available_adapters() -> list[str]:
    """Return the names of the installed adapters, each parser once: the meaning of "all"."""
    return [
        name
        for name, adapter in adapters().items()
        # The other adapters of sgf_lark give the same results.
        if not name.startswith("sgf_lark-") and adapter.installed_version() is not None
    ]


def missing_adapters() -> list[str]:
    """Return the names of the adapters to install, each with the command for it."""
    return [
        f"{name}: {adapter.install}"
        for name, adapter in adapters().items()
        if adapter.kind != "none" and adapter.installed_version() is None
    ]


def run_suite(
    suite: Suite,
    specs: Iterable[str],
    *,
    groups: Iterable[str] = (),
    timeout: float = 5.0,
    memory: int = 1 << 30,
    watch: Watch = iter,
) -> dict[str, Any]:
    """Return the results of all parsers in `specs`, which are names for :func:`open_target`.

    With `groups`, only the cases of those groups are run. Raises TargetError if a parser
    cannot be run.
    """
    selected = set(groups) or set(suite.groups)
    cases = [case for case in suite.cases if case.group in selected]
    parsers = [_run_parser(cases, spec, timeout, memory, watch) for spec in specs]
    return {
        "format": FORMAT,
        "version": VERSION,
        "suite": {
            "cases": len(cases),
            "digest": suite.digest,
            "groups": {
                group: sum(case.group == group for case in cases)
                for group in suite.groups
                if group in selected
            },
        },
        "made_by": {
            "sgf_lark": sgf_lark.__version__,
            "python": platform.python_version(),
            "system": platform.system(),
        },
        "parsers": parsers,
    }


def _run_parser(
    cases: list[Case], spec: str, timeout: float, memory: int, watch: Watch
) -> dict[str, Any]:
    trees = False
    failures: list[dict[str, str]] = []
    skipped: list[str] = []
    with open_target(spec, timeout=timeout, memory=memory) as target:
        for case in watch(cases):
            if target.takes_text and case.bytes_only:
                skipped.append(case.id)
                continue
            outcome = target.run(case.data)
            trees = trees or outcome.tree is not None
            result = judge(case, outcome, ordered=target.ordered)
            if result.status is not Status.PASS:
                failures.append(_failure(case, result))
    return {
        "name": spec,
        "title": adapters()[spec].title if spec in adapters() else spec,
        "version": _version(spec),
        "trees": trees,
        "timeout": timeout,
        "memory": memory,
        "skipped": skipped,
        "failures": failures,
    }


def _failure(case: Case, result: Result) -> dict[str, str]:
    return {
        "case": case.id,
        "status": str(result.status),
        "kind": result.kind,
        "expected": shortened(result.expected),
        "found": shortened(_FOLDER.sub("", result.found)),
    }


def _version(spec: str) -> str:
    """Return the version of the parser of an adapter, or "" if it is unknown."""
    adapter = adapters().get(spec)
    if adapter is None:
        return ""
    found = adapter.installed_version()
    return found or (sgf_lark.__version__ if adapter.module == "sgf_lark" else "")


def shortened(text: str, limit: int = _KEPT) -> str:
    """Return `text`, without its middle if it is longer than `limit`."""
    if len(text) <= limit:
        return text
    return f"{text[: limit * 2 // 3]} … {text[-limit // 3 :]}"


class ResultsError(Exception):
    """A document does not hold results, or not of the same suite; the message explains why."""


def merged(documents: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return one document with the parsers of several, which are given with their names.

    Raises ResultsError unless all are results of the same suite.
    """
    first: dict[str, Any] | None = None
    for name, document in documents:
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise ResultsError(f"{name} holds no results of sgf-lark conformance run")
        if document.get("version") != VERSION:
            raise ResultsError(f"{name} is of version {document.get('version')}")
        if first is None:
            first = {**document, "parsers": [*document["parsers"]]}
            continue
        if document["suite"] != first["suite"]:
            raise ResultsError(f"{name} was made with other cases")
        first["parsers"] += document["parsers"]
    if first is None:
        raise ResultsError("no results")
    return first
