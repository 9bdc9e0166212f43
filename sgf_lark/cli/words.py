"""What the commands print in English and in Chinese: the texts of ``words.toml``."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sgf_lark import built

if TYPE_CHECKING:
    from sgf_lark.diagnostics import Language

_Tables = dict[str, dict[str, list[str]]]


@cache
def _tables() -> _Tables:
    def parsed() -> _Tables:
        import tomllib

        return tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))

    return built.content("words", ("cli/words.toml",), parsed)


def build_content() -> None:
    """Ask for all content that :mod:`sgf_lark.built` keeps for this module."""
    _tables()


def message(key: str, language: Language, /, **values: object) -> str:
    """Return the text of a table and a key in it, such as "check.files", with the values.

    In English the value `n` decides whether something is one or several.
    """
    table, _, name = key.partition(".")
    english, chinese, *singular = _tables()[table][name]
    if language == "zh":
        return chinese.format(**values)
    return (singular[0] if singular and values.get("n") == 1 else english).format(**values)
