"""``sgf-lark explain``: what a rule, a property or a production of the grammar is."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from sgf_lark.cli import options, terminal
from sgf_lark.cli.options import complete_names, known_names
from sgf_lark.cli.settings import settings_options
from sgf_lark.cli.words import message
from sgf_lark.text.escaping import escape

if TYPE_CHECKING:
    from sgf_lark.cli.terminal import OutputStyle
    from sgf_lark.diagnostics import Diagnostic, Language
    from sgf_lark.teaching.facts import Explanation

#: The kinds of examples, and the colors of their headings.
_COLORS = {"bad": "red", "noted": "yellow", "good": "green"}
#: The most examples of a kind.
_EXAMPLES = 4
#: Longer lines are hard to read.
_MAX_WIDTH = 90


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME...]", shell_complete=complete_names)
@options.language_option
@options.color_option
@settings_options
def explain(names: tuple[str, ...], language: Language, color: bool | None) -> None:
    """Explain a rule, a property, a program or a production.

    NAME is a code such as SGF503 or 503, the name of a rule such as
    move-with-setup, a property identifier such as AB, a program such as foxwq, a
    type such as point, or a production such as gametree, PropValue or go_move.
    Without NAME, list all names.
    Examples are validated when they are shown.

    The exit code is 2 if nothing is known of a name.
    """
    from sgf_lark.teaching.facts import explanations

    terminal.prepare_streams()
    style = terminal.output_style(color, language)
    if not names:
        terminal.write("\n".join(_overview(style)) + "\n")
    for number, name in enumerate(names):
        found = list(explanations(name, language))
        if not found:
            terminal.fail(_unknown(name, language))
        pages = ("\n".join(_lines(each, style)) + "\n" for each in found)
        terminal.write(("\n" if number else "") + "\n".join(pages))


def _overview(style: OutputStyle) -> Iterator[str]:
    """Yield the lines of a list of everything that can be explained."""
    from sgf_lark import grammar
    from sgf_lark.teaching.productions import EBNF, LARK_FILES, productions
    from sgf_lark.wei7.rules import rules as wei7_rules

    types = [term.name for term in grammar.terms().values() if term.kind == "type"]
    language = style.language
    groups = {
        "rules": [f"{rule.code} {rule.name}" for rule in grammar.rules().values()],
        "wei7_rules": [f"{rule.code} {rule.name}" for rule in wei7_rules().values()],
        "properties": dict.fromkeys(entry.ident for entry in grammar.properties()),
        "types": types,
        "programs": [program.name for program in grammar.programs()],
    }
    found = {message(f"explain.{key}", language): names for key, names in groups.items()}
    for file in (EBNF, *(f"{name}.lark" for name in LARK_FILES)):
        found[message("explain.productions", language, file=file)] = productions(file)
    for heading, names in found.items():
        yield style.paint(f"{heading} ({len(names)})", bold=True)
        listed = message("shared.comma", language).join(names)
        yield from (f"  {line}" for line in terminal.wrapped(listed, _width(style) - 2))
        yield ""
    yield "sgf-lark explain SGF503 DT point PropValue"


def _unknown(name: str, language: Language) -> str:
    """Return that nothing is known of `name`, and what may be meant: the rules with `name` as a
    word of their names, or else close names."""
    from sgf_lark import grammar

    words = name.lower()
    known = known_names()
    close = [rule.name for rule in grammar.rules().values() if f"-{words}-" in f"-{rule.name}-"]
    for written in (name, words, name.upper()):
        close = close or difflib.get_close_matches(written, known, 3, 0.6)
    names = message("shared.comma", language).join(close)
    hint = message("explain.close", language, names=names) if close else ""
    return message("explain.unknown", language, name=name) + hint


def _width(style: OutputStyle) -> int:
    return min(style.width, _MAX_WIDTH)


def _lines(found: Explanation, style: OutputStyle) -> Iterator[str]:
    """Yield the lines of an explanation."""
    language, width = style.language, _width(style)
    colon, comma = (message(f"shared.{each}", language) for each in ("colon", "comma"))
    between = colon if found.kind == "production" and found.title else " "
    yield style.paint((found.name + between + found.title).strip(), bold=True)
    for text in found.texts:
        yield from ("", *terminal.wrapped(text, width))
    yield ""
    for fact in found.facts:
        heading = f"{fact.label}{colon}"
        text = heading + comma.join(item.text for item in fact.items)
        lines = terminal.wrapped(text, width - 2) if len(fact.items) > 1 else [text]
        lines[0] = style.paint(heading.strip(), fg="cyan") + lines[0][len(heading.strip()) :]
        yield from (f"  {line}" for line in lines)
    if found.kind == "rule":
        for kind, data, diagnostics in _examples(found.name, language):
            heading = style.paint(message(f"explain.{kind}", language), fg=_COLORS[kind])
            yield from ("", f"  {heading}{colon}{escape(data.decode('latin-1'))}")
            for each in diagnostics:
                place = f"{each.span.line}:{each.span.column}"
                yield f"    {place} {each.code} {escape(each.message)}"
            if not diagnostics:
                yield f"    {message('explain.says_nothing', language)}"


def _examples(code: str, language: Language) -> Iterator[tuple[str, bytes, list[Diagnostic]]]:
    """Yield the kind and the bytes of the first examples of a rule, with their diagnostics."""
    from sgf_lark import grammar, wei7
    from sgf_lark.validation import validate
    from sgf_lark.wei7.rules import examples

    if code not in grammar.rules():
        for text in [item.text for item in examples() if item.codes == (code,)][:_EXAMPLES]:
            yield "bad", text, wei7.validate(text, language=language).diagnostics
        return
    rule = grammar.rule(code)
    for kind, some in (("bad", rule.bad), ("noted", rule.noted), ("good", rule.kept)):
        for each in some[:_EXAMPLES]:
            report = validate(each.data, charset_mode=each.charset_mode, language=language)
            yield kind, each.data, report.diagnostics
