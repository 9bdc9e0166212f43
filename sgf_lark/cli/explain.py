"""``sgf-lark explain``: what a rule, a property or a production of the grammar is."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from sgf_lark.cli import options, terminal
from sgf_lark.cli.completion import complete_names, known_names
from sgf_lark.cli.settings import settings_options
from sgf_lark.text.escaping import escape

if TYPE_CHECKING:
    from sgf_lark.cli.terminal import OutputStyle
    from sgf_lark.diagnostics import Diagnostic, Language
    from sgf_lark.teaching.facts import Explanation

#: The headings of examples, and their colors.
_HEADINGS = {
    "bad": ("breaks the rule", "违反规则", "red"),
    "noted": ("is legal, and reported as a note", "合法，仅作提示", "yellow"),
    "good": ("keeps the rule", "符合规则", "green"),
}
_NOTHING = ("says nothing", "没有报告")
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
    """Explain rules, properties, types of values and productions of the grammar.

    NAME is a code such as SGF503 or 503, the name of a rule such as
    move-with-setup, a property identifier such as AB, a type such as point, or a
    production such as gametree, PropValue or go_move. Without NAME, list all names.
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
    groups = {
        ("Rules", "规则"): [f"{rule.code} {rule.name}" for rule in grammar.rules().values()],
        ("Rules of wei7", "wei7 的规则"): [
            f"{rule.code} {rule.name}" for rule in wei7_rules().values()
        ],
        ("Properties", "属性"): dict.fromkeys(entry.ident for entry in grammar.properties()),
        ("Types of values", "属性值类型"): types,
    }
    for file in (EBNF, *(f"{name}.lark" for name in LARK_FILES)):
        groups[f"Productions of {file}", f"{file} 的产生式"] = productions(file)
    is_chinese = style.language == "zh"
    for headings, names in groups.items():
        yield style.paint(f"{headings[is_chinese]} ({len(names)})", bold=True)
        separator = "、" if is_chinese else ", "
        lines = terminal.wrapped(separator.join(names), min(style.width, _MAX_WIDTH) - 2)
        yield from (f"  {line}" for line in lines)
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
    if language == "zh":
        hint = f"；您要找的是 {'、'.join(close)} 吗？" if close else ""
        return f"找不到“{name}”的说明{hint}"
    hint = f"; did you mean {', '.join(close)}?" if close else ""
    return f"nothing is known of {name!r}{hint}"


def _lines(found: Explanation, style: OutputStyle) -> Iterator[str]:
    """Yield the lines of an explanation."""
    is_chinese = style.language == "zh"
    colon, comma = ("：", "、") if is_chinese else (": ", ", ")
    width = min(style.width, _MAX_WIDTH)
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
        for kind, data, diagnostics in _examples(found.name, style.language):
            english, chinese, color = _HEADINGS[kind]
            heading = style.paint(chinese if is_chinese else english, fg=color)
            yield from ("", f"  {heading}{colon}{escape(data.decode('latin-1'))}")
            for each in diagnostics:
                place = f"{each.span.line}:{each.span.column}"
                yield f"    {place} {each.code} {escape(each.message)}"
            if not diagnostics:
                yield f"    {_NOTHING[is_chinese]}"


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
