"""Tests that go through a table: as a test of its own, each row would cost some milliseconds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from typing import Any

import pytest

Test = Callable[..., None]


def for_each(
    rows: Iterable[Any], by: Callable[..., object] | None = None
) -> Callable[[Test], Test]:
    """Call the test with each row, and report all rows that fail, each with its traceback.

    A row is a tuple of the first arguments of the test, or the only one; the others are fixtures,
    which all rows share. `by` is called with a row and names a group: each group is a test of its
    own, which `-k` selects.
    """
    groups: dict[str, list[tuple[Any, ...]]] = {}
    for row in rows:
        arguments = row if type(row) is tuple else (row,)
        groups.setdefault("" if by is None else str(by(*arguments)), []).append(arguments)
    size = len(next(iter(groups.values()))[0])

    def decorated(test: Test) -> Test:
        @wraps(test)
        def of_group(*, group: str = "", **fixtures: Any) -> None:
            _check(test, groups[group], fixtures)

        parameters = [*signature(test).parameters.values()][size:]
        fixtures = [entry.replace(kind=entry.KEYWORD_ONLY) for entry in parameters]
        if by is None:
            of_group.__signature__ = signature(test).replace(parameters=fixtures)  # type: ignore[attr-defined]
            return of_group
        group = signature(of_group, follow_wrapped=False).parameters["group"]
        named = [group.replace(default=group.empty), *fixtures]
        of_group.__signature__ = signature(test).replace(parameters=named)  # type: ignore[attr-defined]
        by_group: Test = pytest.mark.parametrize("group", groups)(of_group)
        return by_group

    return decorated


def _check(test: Test, rows: list[tuple[Any, ...]], fixtures: dict[str, Any]) -> None:
    failures: list[BaseException] = []
    for row in rows:
        try:
            test(*row, **fixtures)
        except (Exception, pytest.fail.Exception) as failure:
            failure.add_note(f"The row: {row!r:.2000}")
            failures.append(failure)
    if failures:
        raise BaseExceptionGroup(f"{len(failures)} of {len(rows)} rows fail", failures)
