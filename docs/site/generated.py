"""The pages of rules, properties and games: the facts of the library in the templates here.

The findings and fixes shown for an example of a rule are those that the library has for it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from writing import block, code, text

from sgf_lark import fix, grammar, wei7
from sgf_lark.cli.check_text import headline
from sgf_lark.cli.excerpts import excerpt_lines
from sgf_lark.cli.results import Result
from sgf_lark.cli.terminal import OutputStyle
from sgf_lark.diagnostics import Language
from sgf_lark.grammar import Example, Rule
from sgf_lark.syntax.values import value_types
from sgf_lark.teaching import facts, properties
from sgf_lark.text.escaping import escape_lines
from sgf_lark.validation import validate
from sgf_lark.wei7.rules import examples as wei7_examples
from sgf_lark.wei7.rules import rules as wei7_rules

_HERE = Path(__file__).parent
#: The most examples of one kind on a page.
_EXAMPLES = 6
#: The columns of an excerpt.
_WIDTH = 76
#: The most characters of an example, or of the output for it, that are shown.
_LENGTH = 1500


def pages(language: Language) -> Iterator[tuple[str, str]]:
    """Yield the path of each page, and its Markdown."""
    environment = _environment(language)

    def page(path: str, template: str, **values: Any) -> tuple[str, str]:
        return path, environment.get_template(f"{template}.jinja").render(values)

    rules = [facts.of_rule(rule, language) for rule in grammar.rules().values()]
    rules += [facts.of_rule(rule, language) for rule in wei7_rules().values()]
    families = [
        (family, names[language == "zh"], [each for each in rules if each.name.startswith(family)])
        for family, names in _words()["families"].items()
    ]
    yield page("rules/index.md", "rules", families=families)
    for found in rules:
        examples = list(_examples(found.name, language))
        yield page(f"rules/{found.name}.md", "rule", found=found, examples=examples)

    types = [
        (
            role,
            facts.property_type(role, language, heading=True),
            [properties.row(entry, language) for entry in entries],
        )
        for role, entries in properties.by_type().items()
    ]
    yield page("properties/index.md", "properties", types=types)
    for ident in dict.fromkeys(entry.ident for entry in grammar.properties()):
        entries = [facts.of_property(each, language) for each in grammar.definitions(ident)]
        names = dict.fromkeys(each.title for each in entries)
        yield page(f"properties/{ident}.md", "property", ident=ident, names=names, entries=entries)

    games = [(game, facts.of_game(game, language)) for game in grammar.games().values()]
    yield page("games/index.md", "games", games=games)
    for game, found in games:
        own = (entry for entry in grammar.properties() if game.number in entry.games)
        rows = [properties.row(entry, language) for entry in own]
        yield page(f"games/{game.number}.md", "game", game=game, found=found, entries=rows)


@cache
def _words() -> dict[str, Any]:
    return tomllib.loads((_HERE / "pages.toml").read_text("utf-8"))


def _environment(language: Language) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE / "templates"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(text=text, code=code, block=block, value=_value)
    words = {key: texts[language == "zh"] for key, texts in _words().items() if key != "families"}
    labels = {key: facts.label(key, language) for key in ("point", "move")}
    environment.globals.update(words=words, labels=labels, heads=properties.HEADS[language])
    return environment


def _value(expression: str) -> str:
    """A value expression, with links to the productions of its types."""

    def link(match: re.Match[str]) -> str:
        word = match[0]
        if not word[0].isalpha():
            return text(word)
        return f"[`{word}`](../grammar.md#values-{word})" if word in value_types() else word

    return re.sub(r"[a-z_]+|[&|<>*]", link, expression)


# --- Examples of rules ------------------------------------------------------------------


def _examples(code: str, language: Language) -> Iterator[dict[str, str]]:
    """Yield the first examples of each kind, with the output of check and fix."""
    if code in wei7_rules():
        for data in [each.text for each in wei7_examples() if each.codes == (code,)][:_EXAMPLES]:
            found = wei7.validate(data, language=language).diagnostics
            lines = [
                f"{each.span.line}:{each.span.column} {each.code} {each.message}" for each in found
            ]
            shown = {"text": _shown(data), "format": "json", "output": "\n".join(lines)}
            yield {"kind": "bad", "fixed": "", **shown}
        return
    rule = grammar.rule(code)
    for kind, some in (("bad", rule.bad), ("noted", rule.noted), ("good", rule.kept)):
        for example in some[:_EXAMPLES]:
            how, fixed = _fixed(rule, example) if kind == "bad" else ("", "")
            shown = {"text": _shown(example.data), "format": "text", "how": how, "fixed": fixed}
            yield {"kind": kind, "output": _output(rule, example, language), **shown}


def _output(rule: Rule, example: Example, language: Language) -> str:
    """The findings of the rule, as `sgf-lark check` prints them."""
    report = validate(example.data, charset_mode=example.charset_mode, language=language)
    style = OutputStyle(width=_WIDTH, language=language)
    result = Result("game.sgf", report)
    lines: list[str] = []
    for number, found in enumerate(report.diagnostics):
        if found.code == rule.code:
            lines.append(headline(result, number, found, style))
            lines += excerpt_lines(report.source, found.span, style) if example.data else []
    return _cut("\n".join(lines))


def _fixed(rule: Rule, example: Example) -> tuple[str, str]:
    """What a fix of the rule makes of the example: the safe one, or else the unsafe one."""
    for how, unsafe in (("fixed", False), ("unsafely_fixed", True)):
        result = fix(
            example.data, unsafe=unsafe, select=[rule.code], charset_mode=example.charset_mode
        )
        if any(change.code == rule.code for change in result.applied):
            return how, _shown(result.data)
    return "", ""


def _shown(data: bytes) -> str:
    """The bytes as text: in UTF-8, or else each as the character with its number."""
    try:
        decoded = data.decode("utf-8")
    except UnicodeDecodeError:
        decoded = data.decode("latin-1")
    return _cut(escape_lines(decoded.replace("\r\n", "\n")))


def _cut(shown: str) -> str:
    return shown if len(shown) <= _LENGTH else shown[:_LENGTH] + "…"
