"""Stand-in."""

from typing import Any

available = False


def parser() -> Any:
    return None


def can_parse(data: bytes) -> bool:
    return False


def parse(data: bytes) -> Any:
    return None


def build_content() -> None:
    pass
