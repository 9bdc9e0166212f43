"""Runs parsers on the suite; what comes of it is a document that JSON can hold.

::

    {"format": "sgf_lark conformance results", "version": 1,
     "suite": {"cases": 1161, "digest": "…", "groups": {"structure": 89, …}},
     "made_by": {"sgf_lark": "0.1.0", "python": "3.12.3", "system": "Linux"},
     "parsers": [{"name": "sgfmill", "title": "…", "version": "1.1.1", "trees": true,
                  "timeout": 5.0, "memory": 1073741824, "skipped": [],
                  "failures": [{"case": "points/accept-size-27", "status": "rejected",
                                "kind": "", "expected": "…", "found": "…"}, …]}]}

Cases that are neither among the failures nor skipped passed. `skipped` are cases on
bytes, for a parser that takes text. `trees` tells whether the parser gave trees at all:
without, verdicts alone were judged.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Callable, Iterable
from typing import Any

import sgf_lark
from sgf_lark.conformance.judging import Status, judge
from sgf_lark.conformance.suite import Case, Suite
from sgf_lark.fuzz.adapters import adapters
from sgf_lark.fuzz.targets import open_target

FORMAT = "sgf_lark conformance results"
VERSION = 1
#: So much is kept of what a parser said, or of a value that it read.
_KEPT = 300

#: The folder of the input is another one in each run.
_FOLDER = re.compile(r"[^\s'\"]*sgf-lark-fuzz-[^\s'\"/]*/")

#: Gives cases on as they come, and can so show how far a run is.
Watch = Callable[[Iterable[Case]], Iterable[Case]]


def available_adapters() -> list[str]:
    """The adapters that can be run here, each parser once: "all" stands for them."""
    return [
        name
        for name, adapter in adapters().items()
        # Other views of this package would fill the table with the same figures.
        if not name.startswith("sgf_lark-") and adapter.installed_version() is not None
    ]


def missing_adapters() -> list[str]:
    """Those that could be run if they were installed, with the command that does it."""
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
    """The results of all parsers named by `specs`, as :func:`open_target` takes them.

    With `groups` only cases of those groups are run. Raises TargetError where a parser
    cannot be run.
    """
    wanted = set(groups) or set(suite.groups)
    cases = [case for case in suite.cases if case.group in wanted]
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
                if group in wanted
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
                failures.append(
                    {
                        "case": case.id,
                        "status": str(result.status),
                        "kind": result.kind,
                        "expected": shortened(result.expected),
                        "found": shortened(_FOLDER.sub("", result.found)),
                    }
                )
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


def _version(spec: str) -> str:
    """The version of what an adapter runs, or "" where it cannot be told."""
    adapter = adapters().get(spec)
    if adapter is None:
        return ""
    found = adapter.installed_version()
    return found or (sgf_lark.__version__ if adapter.module == "sgf_lark" else "")


def shortened(text: str, limit: int = _KEPT) -> str:
    """`text` with its middle left out where it is longer than `limit`."""
    if len(text) <= limit:
        return text
    return f"{text[: limit * 2 // 3]} … {text[-limit // 3 :]}"


class ResultsError(Exception):
    """What should be results is something else; the text says what."""


def merged(documents: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """One document of several, given with their names. They have to be of one suite.

    Raises ResultsError.
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
