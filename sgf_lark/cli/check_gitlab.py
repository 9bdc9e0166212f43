"""The results of ``check`` as a code quality report of GitLab."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator

from sgf_lark.cli.results import Result
from sgf_lark.diagnostics import Severity
from sgf_lark.text.escaping import to_json

SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.STYLE: "info"}


def issues(results: Iterable[Result]) -> Iterator[str]:
    """Yield one JSON array, an issue a line.

    The fingerprint of an issue does not depend on its line, so that GitLab knows an issue again
    that only moved.
    """
    opening = "[\n"
    for result in results:
        seen: Counter[str] = Counter()
        for found in result.report.diagnostics:
            key = "\0".join((result.path, found.code, found.message))
            seen[key] += 1
            unique = f"{key}\0{seen[key]}".encode("utf-8", "backslashreplace")
            item = {
                "description": f"{found.code} {found.name}: {found.message}",
                "check_name": found.code,
                "fingerprint": hashlib.sha256(unique).hexdigest(),
                "severity": SEVERITIES[found.severity],
                "location": {
                    "path": result.path.removeprefix("./"),
                    "lines": {"begin": found.span.line},
                },
            }
            yield opening + to_json(item)
            opening = ",\n"
    yield "\n]\n" if opening == ",\n" else "[]\n"
