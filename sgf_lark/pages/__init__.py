"""HTML pages for people: one layout, the templates of the pages, and their words.

A page is one file that needs no other, follows the color scheme of the reader's system and fits
phones. The templates need Jinja2.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sgf_lark import __version__
from sgf_lark.text.escaping import escape, escape_lines

if TYPE_CHECKING:
    import jinja2

    from sgf_lark.diagnostics import Language

_HERE = Path(__file__).parent


def render(template: str, language: Language = "en", **values: Any) -> str:
    """The template of that name, with `values` and with the words of words.toml in `language`.

    A template has the words of its own table and those of the table shared.
    """
    return (
        _environment()
        .get_template(template)
        .render(
            lang="zh-Hans" if language == "zh" else "en",
            words=words("shared", language) | words(template.partition(".")[0], language),
            version=__version__,
            **values,
        )
    )


def words(table: str, language: Language) -> dict[str, str]:
    """The words of a table of words.toml by their keys; none for a table that is not there."""
    return {key: texts[language == "zh"] for key, texts in _words().get(table, {}).items()}


@cache
def _words() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads((_HERE / "words.toml").read_text("utf-8"))


@cache
def _environment() -> jinja2.Environment:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE),
        autoescape=True,
        # A word that is missing in a language is an error, not a gap in the page.
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(number=number, size=size, visible=escape, lines=escape_lines)
    return environment


def number(value: float) -> str:
    """A number for people, with commas; a fraction has at most two digits, as a komi of 3.75."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.2f}".rstrip("0").rstrip(".")


def size(count: float) -> str:
    """A number of bytes in the decimal units of file managers: 8800000 is 8.8 MB."""
    units = iter(("B", "kB", "MB", "GB", "TB"))
    unit = next(units)
    while count >= 999.5 and unit != "TB":
        count, unit = count / 1000, next(units)
    return f"{count:,.0f} {unit}" if unit == "B" or count >= 99.95 else f"{count:.1f} {unit}"
