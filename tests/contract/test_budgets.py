"""No package grows unnoticed: each has a budget of statements."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tests.kit import budgets


def test_every_package_keeps_its_budget() -> None:
    found = budgets.problems(budgets.counted(), budgets.budgets())
    assert not found, "In tests/budgets.toml:\n" + "\n".join(found)


@pytest.mark.parametrize(
    ("now", "most", "places"),
    [
        ({"a": 1000}, {"a": 1000}, []),
        ({"a": 1001}, {"a": 1000}, ["a"]),
        ({"a": 980}, {"a": 1000}, []),
        ({"a": 979}, {"a": 1000}, ["a"]),
        ({"a": 1, "b": 2}, {"a": 1}, ["b"]),
        ({"a": 1}, {"a": 1, "b": 2}, ["b"]),
        ({"a": 2, "b": 1}, {"a": 1, "b": 2}, ["a", "b"]),
    ],
)
def test_problems(now: dict[str, int], most: dict[str, int], places: list[str]) -> None:
    found = budgets.problems(now, most)
    assert [place for place, line in zip(places, found, strict=True) if place in line] == places
    for place, line in zip(places, found, strict=True):
        assert place not in now or f'"{place}" = {now[place]}' in line


def test_a_budget_is_lowered_and_never_raised() -> None:
    text = '# Why.\n\n[statements]\n"a" = 5\n"b" = 5\n"gone" = 1\n'
    now = {"a": 9, "b": 4, "new": 3}
    lowered = budgets.updated(text, now)
    assert lowered == '# Why.\n\n[statements]\n"a" = 5\n"b" = 4\n"new" = 3\n'
    assert budgets.problems(now, budgets.budgets(lowered)) != []


def test_statements() -> None:
    source = '''
        """Documentation."""
        import a; import b

        #: Comment.
        LIMIT = (
            1
            + 2
        )
        """Documentation of LIMIT."""

        class C:
            """Documentation."""

            def f(self):
                if self: return 1
                try:
                    """Documentation."""
                    "not a string that documents" + "it"
                except ValueError: pass
        '''
    assert budgets.statements(dedent(source)) == 10
