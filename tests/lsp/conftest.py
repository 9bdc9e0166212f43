"""What pytest-lsp needs where it is no plugin: pyproject.toml keeps it from being loaded."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Set its only option, a program that records what client and server say."""
    config.option.devtools = None
