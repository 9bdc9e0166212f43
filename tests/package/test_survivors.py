"""The list of changes that no test can notice is about the code as it is."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tests.kit.tables import for_each

ROOT = Path(__file__).parents[2]
SURVIVORS = tomllib.loads((ROOT / "tests" / "survivors.toml").read_text("utf-8"))["survivor"]


@for_each(SURVIVORS)
def test_the_line_before_the_change_is_in_the_module(survivor: dict[str, str]) -> None:
    assert set(survivor) == {"module", "before", "after", "reason"}
    lines = [line.strip() for line in (ROOT / survivor["module"]).read_text("utf-8").splitlines()]
    assert survivor["before"] in lines


def test_no_change_is_listed_twice() -> None:
    changes = [(each["module"], each["before"], each["after"]) for each in SURVIVORS]
    assert len(set(changes)) == len(changes)
