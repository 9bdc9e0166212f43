"""The pages of rules, properties and games: the facts of the library in the templates here.

The findings and fixes shown for an example of a rule are those that the library has for it.
"""

from __future__ import annotations

import base64
import posixpath
import re
import tomllib
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

import jinja2
from writing import block, code, raw, text

from sgf_lark import fix, grammar, wei7
from sgf_lark.cli.check_output import excerpt_lines, severity_name
from sgf_lark.cli.terminal import OutputStyle
from sgf_lark.diagnostics import Diagnostic, Language
from sgf_lark.grammar import Example, Rule
from sgf_lark.syntax.grammars import value_types
from sgf_lark.teaching import facts
from sgf_lark.text.escaping import escape_lines
from sgf_lark.validation import validate
from sgf_lark.wei7.rules import examples as wei7_examples
from sgf_lark.wei7.rules import rules as wei7_rules

_HERE = Path(__file__).parent
#: The most examples of one kind on a page.
_EXAMPLES = 6
#: The columns of an excerpt: those that a phone has, and the indent.
_WIDTH = 44
#: The most characters of an example, or of the output for it, that are shown.
_LENGTH = 1500
#: How fix changes an example; the keys are those of the words.
_FIXES = ("fixed", "unsafely_fixed")


def pages(language: Language, *, playground: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the path of each page, and its Markdown; examples lead to the playground, if any."""
    environment = _environment(language)

    def page(path: str, template: str, **values: Any) -> tuple[str, str]:
        return path, environment.get_template(f"{template}.jinja").render(values)

    rules = [facts.of_rule(rule, language) for rule in grammar.rules().values()]
    rules += [facts.of_rule(rule, language) for rule in wei7_rules().values()]
    examples = {found.name: list(_examples(found.name, language)) for found in rules}
    families = [
        (family, title, [each for each in rules if each.name.startswith(family)])
        for family, title in _families(language)
    ]
    fixes = {
        name: [kind for kind in _FIXES if kind in {each["how"] for each in some}]
        for name, some in examples.items()
    }
    yield page("rules/index.md", "rules", families=families, fixes=fixes, severities=_severities)
    for found in rules:
        path, some = f"rules/{found.name}.md", examples[found.name]
        way = _playground_from(path, language) if playground else ""
        yield page(path, "rule", found=found, examples=some, playground=way)

    types = [
        (
            role,
            facts.property_type(role, language, heading=True),
            [facts.row(entry, language) for entry in entries],
        )
        for role, entries in facts.by_type().items()
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
        rows = [facts.row(entry, language) for entry in own]
        yield page(f"games/{game.number}.md", "game", game=game, found=found, entries=rows)


def button(language: Language, *, playground: bool) -> str:
    """The link to the playground from its page, and what to do where it cannot be opened."""
    words = {key: texts[language == "zh"] for key, texts in _words().items() if key != "families"}
    way = _playground_from("playground.md", language)
    link = (
        f'<a class="md-button md-button--primary served" target="_self" href="{way}">'
        f"{words['playground']}</a>\n\n"
    )
    note = f'<p class="from-files" markdown="span">{words["from_files"]}</p>'
    return link + note if playground else words["no_playground"]


def _playground_from(path: str, language: Language) -> str:
    """The address of the playground on the page of that path; pages in Chinese are in a folder."""
    place = path if language == "en" else f"{language}/{path}"
    address = posixpath.relpath("playground/page/index.html", posixpath.dirname(place))
    return address if language == "en" else f"{address}?lang={language}"


def navigation() -> tuple[dict[str, list[Any]], dict[str, str]]:
    """The pages after the index of rules, properties and games, and the Chinese of their headings.

    The keys are those of the indexes in mkdocs.yml.
    """
    codes = [*grammar.rules(), *wei7_rules()]
    rules = [
        {title: [f"rules/{code}.md" for code in codes if code.startswith(family)]}
        for family, title in _families("en")
    ]
    pages: dict[str, str] = {}
    for role, entries in facts.by_type().items():
        for entry in entries:
            pages.setdefault(entry.ident, role)
    types = {
        role: [f"properties/{ident}.md" for ident, first in pages.items() if first == role]
        for role in facts.by_type()
    }
    games = [f"games/{number}.md" for number in grammar.games()]
    chinese = dict(zip(dict(_families("en")).values(), dict(_families("zh")).values(), strict=True))
    chinese |= {
        facts.property_type(role, "en", heading=True): facts.property_type(role, "zh")
        for role in types
    }
    found = {
        "Rules": rules,
        "Properties": [
            {facts.property_type(role, "en", heading=True): paths} for role, paths in types.items()
        ],
        "Games": games,
    }
    return found, chinese


def _families(language: Language) -> Iterator[tuple[str, str]]:
    """Yield the beginning of the codes of each family, and its heading."""
    for family, names in _words()["families"].items():
        yield family, f"{family}{'xx' if family != 'WEI' else ''} {names[language == 'zh']}"


def _severities(code: str) -> list[str]:
    """The severities of a rule in the three profiles, "" where it is off."""
    rule = wei7_rules().get(code) or grammar.rule(code)
    return [level if level != "off" else "" for level in rule.severity.values()]


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
    environment.filters.update(text=text, code=code, block=block, value=_value, raw=raw)
    words = {key: texts[language == "zh"] for key, texts in _words().items() if key != "families"}
    labels = {key: facts.label(key, language) for key in ("point", "move")}
    environment.globals.update(words=words, labels=labels, heads=facts.HEADS[language])
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


def _examples(code: str, language: Language) -> Iterator[dict[str, Any]]:
    """Yield the first examples of each kind, with the findings and what fix writes."""
    if code in wei7_rules():
        for data in [each.text for each in wei7_examples() if each.codes == (code,)][:_EXAMPLES]:
            found = wei7.validate(data, language=language).diagnostics
            findings = [_finding(each, "", language) for each in found]
            shown = {"text": _shown(data), "format": "json", "findings": findings}
            yield {"kind": "bad", "how": "", "fixed": "", "link": "", **shown}
        return
    rule = grammar.rule(code)
    for kind, some in (("bad", rule.bad), ("noted", rule.noted), ("good", rule.kept)):
        for example in some[:_EXAMPLES]:
            how, fixed = _fixed(code, example) if kind == "bad" else ("", "")
            shown = {"text": _shown(example.data), "format": "text", "how": how, "fixed": fixed}
            findings = _findings(rule, example, language)
            yield {"kind": kind, "findings": findings, "link": _link(example), **shown}


def _findings(rule: Rule, example: Example, language: Language) -> list[dict[str, str]]:
    """The findings of the rule, with the line of each as `sgf-lark check` prints it."""
    # Selected, because some rules are off otherwise.
    how: dict[str, Any] = {"charset_mode": example.charset_mode, "select": (rule.code,)}
    report = validate(example.data, language=language, **how)
    style = OutputStyle(width=_WIDTH, language=language)
    return [
        _finding(
            found,
            dedent("\n".join(excerpt_lines(report.source, found.span, style))),
            language,
        )
        for found in report.diagnostics
    ]


def _finding(found: Diagnostic, excerpt: str, language: Language) -> dict[str, str]:
    return {
        "place": f"{found.span.line}:{found.span.column}",
        "severity": str(found.severity),
        "label": severity_name(found.severity, language),
        "message": _cut(escape_lines(found.message)),
        "excerpt": excerpt,
    }


def _link(example: Example) -> str:
    """The example as the playground takes it in links: compressed, in Base64 for URLs.

    "" for bytes that no text stands for, and for other ways of decoding.
    """
    if example.charset_mode != "auto" or not example.data:
        return ""
    try:
        example.data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    packed = zlib.compress(example.data, wbits=-15)
    return "#sgf=" + base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")


@cache
def _fixed(code: str, example: Example) -> tuple[str, str]:
    """What a fix of the rule makes of the example: the safe one, or else the unsafe one."""
    for how, unsafe in zip(_FIXES, (False, True), strict=True):
        result = fix(example.data, unsafe=unsafe, select=[code], charset_mode=example.charset_mode)
        if any(change.code == code for change in result.applied):
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
