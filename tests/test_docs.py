"""The examples of the pages in docs/ are run."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"


@pytest.mark.parametrize("page", ["boards.md"])
def test_examples(page: str) -> None:
    failed, attempted = doctest.testfile(
        str(DOCS / page), module_relative=False, encoding="utf-8", optionflags=doctest.ELLIPSIS
    )
    assert attempted > 0
    assert failed == 0
