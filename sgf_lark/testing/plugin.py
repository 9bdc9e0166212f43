"""The pytest plugin: the conformance suite as tests, and fixtures with generated files.

It is loaded with every run of pytest, so what is slow to import is imported where it is used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from sgf_lark.conformance.suite import Case
    from sgf_lark.fuzz.targets import Target

_OPTION = "--sgf-conformance"
#: Those of ``conformance/suite.py``, which would be imported with every run of pytest.
_VERDICTS = ("accept", "reject", "either")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("sgf", "Smart Game Format")
    group.addoption(
        _OPTION,
        metavar="MODULE:FUNCTION",
        help="Run the conformance suite for SGF against this reader: a function that takes bytes, "
        "and raises ValueError for a file that it rejects. It may return the canonical tree.",
    )
    group.addoption(
        "--sgf-timeout",
        type=float,
        default=5.0,
        metavar="SECONDS",
        help="Fail a case in which the reader takes longer. [default: 5]",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marks."""
    config.addinivalue_line("markers", "sgf_conformance: a case of the conformance suite for SGF")
    config.addinivalue_line("markers", "sgf_bytes_only: a case that no reader of text can pass")
    for verdict in _VERDICTS:
        config.addinivalue_line("markers", f"sgf_{verdict}: a case with the verdict {verdict}")
    if not config.getoption(_OPTION):
        return
    from sgf_lark.conformance.suite import load_suite

    for group in load_suite().groups:
        config.addinivalue_line("markers", f"{group_mark(group)}: a case of the group {group}")


def group_mark(group: str) -> str:
    """The mark of the cases of a group."""
    return "sgf_group_" + group.replace("-", "_")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add a test for each case of the suite."""
    spec = config.getoption(_OPTION)
    if spec:
        # Added to the tests that were collected: the cases have no file that pytest could be given.
        collector = Suite.from_parent(session, name="sgf-conformance", spec=spec)
        items.extend(collector.collect())


class Suite(pytest.Collector):
    """The cases of the suite for one reader, which runs in a process of its own."""

    def __init__(self, *, spec: str, **options: object) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self.spec = spec
        self._target: Target | None = None

    def collect(self) -> list[pytest.Item]:
        """The cases as tests."""
        from sgf_lark.conformance.suite import load_suite

        return [CaseItem.from_parent(self, name=case.id, case=case) for case in load_suite().cases]

    @property
    def target(self) -> Target:
        """The reader; raises pytest.UsageError where it cannot be run."""
        if self._target is None:
            from sgf_lark.fuzz.outcomes import TargetError
            from sgf_lark.fuzz.targets import open_target

            try:
                self._target = open_target(
                    self.spec, timeout=self.config.getoption("--sgf-timeout")
                )
            except TargetError as error:
                raise pytest.UsageError(f"{_OPTION}: {error}") from None
            target = self._target
            self.config.add_cleanup(lambda: target.__exit__(None, None, None))
        return self._target


class CaseItem(pytest.Item):
    """One case of the suite."""

    def __init__(self, *, case: Case, **options: object) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self.case = case
        #: Some plugins, such as pytest-lsp 1.0, take every test for a function with fixtures.
        self.funcargs: dict[str, object] = {}
        marks = ["sgf_conformance", f"sgf_{case.verdict}", group_mark(case.group)]
        for mark in [*marks, *(["sgf_bytes_only"] if case.bytes_only else [])]:
            self.add_marker(mark)

    def runtest(self) -> None:
        """Run the reader on the file; fail with what was expected and found, and the file."""
        from sgf_lark.conformance.running import Status, judge

        assert isinstance(self.parent, Suite)
        case, target = self.case, self.parent.target
        if target.takes_text and case.bytes_only:
            pytest.skip("a case about bytes, for a reader of text")
        result = judge(case, target.run(case.data), ordered=target.ordered)
        if result.status is Status.PASS:
            return
        data = case.data if len(case.data) <= 500 else case.data[:500] + b"..."
        rules = ", ".join(case.rules) or "none"
        pytest.fail(
            f"{result.status}: {result.kind}\n"
            f"expected: {result.expected}\n"
            f"found:    {result.found}\n"
            f"about:    {case.about}\n"
            f"rules:    {rules} ({case.source})\n"
            f"file:     {case.path}\n"
            f"data:     {data!r}",
            pytrace=False,
        )

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The place of the case, and its name."""
        return self.case.path, None, f"sgf-conformance: {self.case.id}"


@pytest.fixture
def sgf_files() -> Callable[..., list[bytes]]:
    """A function that gives conforming files: ``sgf_files(20, game=1, charset="UTF-8")``.

    `seed` (0) chooses the files; the other options are those of
    :func:`sgf_lark.fuzz.generating_files.generate`.
    """

    def generated(count: int = 10, *, seed: int = 0, **options: object) -> list[bytes]:
        import random

        from sgf_lark.fuzz.generating_files import generate

        source = random.Random(seed)
        return [generate(source, **options) for _ in range(count)]  # type: ignore[arg-type]

    return generated


@pytest.fixture
def sgf_violations() -> Callable[..., list[tuple[bytes, str]]]:
    """A function that gives files that break one rule, each with its code.

    ``sgf_violations(20)`` takes any rules, ``sgf_violations(5, code="SGF503")`` one; `seed` (0)
    chooses the files.
    """

    def generated(
        count: int = 10, *, code: str | None = None, seed: int = 0
    ) -> list[tuple[bytes, str]]:
        import random

        from sgf_lark.fuzz.violations import violate

        source = random.Random(seed)
        return [violate(source, code) for _ in range(count)]

    return generated
