"""The addresses of the documentation, to which diagnostics refer."""

from __future__ import annotations

#: Where the site is published. Nothing else names this address, but the metadata of the package.
ADDRESS = "https://sgf-lark.readthedocs.io/"

#: Where the files of the project are.
REPOSITORY = "https://github.com/sgf-lark/sgf-lark"


def rule_page(code: str, language: str = "en") -> str:
    """The address of the page about the rule `code`, in English or with "zh" in Chinese."""
    return f"{ADDRESS}{'' if language == 'en' else f'{language}/'}rules/{code}/"
