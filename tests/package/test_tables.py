"""The tables of the tests: every row that fails is reported, with its values."""

from __future__ import annotations

import pytest

from tests.kit.tables import for_each


def test_every_failing_row_is_reported() -> None:
    @for_each([(1, 1), (1, 2), (3, 1)])
    def equal(one: int, other: int) -> None:
        assert one == other

    with pytest.raises(ExceptionGroup, match="2 of 3 rows") as caught:
        equal()
    assert [each.__notes__ for each in caught.value.exceptions] == [
        ["The row: (1, 2)"],
        ["The row: (3, 1)"],
    ]


def test_expected_error_that_is_not_raised_is_a_failure() -> None:
    @for_each([b"1", b"x"])
    def no_number(data: bytes) -> None:
        with pytest.raises(ValueError, match="invalid"):
            int(data)

    with pytest.raises(BaseExceptionGroup, match="1 of 2 rows"):
        no_number()


@for_each(["a1", "a2", "b1"], by=lambda text: text[0])
def test_groups_are_tests_of_their_own(text: str, request: pytest.FixtureRequest) -> None:
    assert request.node.name == f"test_groups_are_tests_of_their_own[{text[0]}]"
