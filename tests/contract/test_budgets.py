"""No package grows unnoticed: each has a budget of statements."""

from __future__ import annotations

from textwrap import dedent

from tests.kit import budgets
from tests.kit.tables import for_each


def test_every_package_keeps_its_budget() -> None:
    found = budgets.problems(budgets.counted(), budgets.budgets())
    assert not found, "In tests/budgets.toml:\n" + "\n".join(found)


@for_each([
    ({"a": 1000}, {"a": 1000}, []),
    ({"a": 1001}, {"a": 1000}, ["a"]),
    ({"a": 980}, {"a": 1000}, []),
    ({"a": 979}, {"a": 1000}, ["a"]),
    ({"a": 1, "b": 2}, {"a": 1}, ["b"]),
    ({"a": 1}, {"a": 1, "b": 2}, ["b"]),
    ({"a": 2, "b": 1}, {"a": 1, "b": 2}, ["a", "b"]),
])  # fmt: skip
def test_problems(now: dict[str, int], most: dict[str, int], names: list[str]) -> None:
    assert [found.split('"')[1] for found in budgets.problems(now, most)] == names


def test_a_budget_is_lowered_and_never_raised() -> None:
    now, most = {"a": 9, "b": 4, "new": 3}, {"a": 5, "b": 5, "gone": 1}
    rows = '[statements]\n"a" = 5\n"b" = 4\n"new" = 3\n'
    assert budgets.updated('# Why.\n\n[statements]\n"gone" = 1\n', now, most) == f"# Why.\n\n{rows}"


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
