"""``sgf-lark explain``: explain a rule, a property, a value type or a production."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from sgf_lark.cli import terminal
from sgf_lark.cli.completion import complete_names, known_names
from sgf_lark.cli.options import color_option, language_option
from sgf_lark.cli.settings import settings_options
from sgf_lark.text.escaping import escape

if TYPE_CHECKING:
    from sgf_lark.cli.terminal import OutputStyle
    from sgf_lark.diagnostics import Language
    from sgf_lark.grammar import Example, PropertyDefinition, Rule, Term
    from sgf_lark.teaching.productions import Production
    from sgf_lark.wei7.rules import Rule as Wei7Rule

_WORDS = {
    "en": {
        "source": "source",
        "sgfc": "SGFC reports it as",
        "severity": "severity",
        "fix": "fix",
        "bad": "breaks the rule",
        "good": "keeps the rule",
        "noted": "is legal, and reported as a note",
        "related": "see also",
        "games": "games",
        "all games": "all games",
        "formats": "file formats",
        "value": "value",
        "type": "property type",
        "inherit": "holds for the nodes below too",
        "range": "range",
        "obsolete": "replaced by",
        "private": "no standard, but of the program",
        "unsupported": "not supported by",
        "rules": "rules",
        "written": "in the grammar",
        "used": "properties with it",
        "nothing": "says nothing",
    },
    "zh": {
        "source": "出处",
        "sgfc": "SGFC 编号",
        "severity": "级别",
        "fix": "修正",
        "bad": "违反规则",
        "good": "符合规则",
        "noted": "合法，仅作提示",
        "related": "另见",
        "games": "棋类",
        "all games": "所有棋类",
        "formats": "文件格式",
        "value": "属性值",
        "type": "属性类型",
        "inherit": "对后面的节点同样有效",
        "range": "范围",
        "obsolete": "已改用",
        "private": "非标准，专用于软件",
        "unsupported": "不支持的软件",
        "rules": "规则",
        "written": "语法",
        "used": "使用它的属性",
        "nothing": "没有报告",
    },
}

_TYPES_IN_CHINESE = {
    "move": "走子属性",
    "setup": "设置属性",
    "root": "根属性",
    "game-info": "对局信息属性",
    "none": "无类型",
}

#: What occurs in a value expression of properties.toml, and the same in Chinese, in this order.
_VALUE_IN_CHINESE = (
    (r'composed (\w+) ":" (\w+)', r"“\1:\2”组合值"),
    (r"elist of (.*)", r"\1列表（可为空）"),
    (r"list of (.*)", r"\1列表"),
    (r" \| ", "，或"),
    ("simpletext", "单文本"),
    ("text", "文本"),
    ("number", "整数"),
    ("real", "实数"),
    ("double", "程度值"),
    ("color", "颜色"),
    ("point", "点"),
    ("move", "走子"),
    ("stone", "棋子"),
    ("none", "无值"),
    ("unknown", "未说明"),
)


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME...", shell_complete=complete_names)
@language_option
@color_option
@settings_options
def explain(names: tuple[str, ...], language: Language, color: bool | None) -> None:
    """Explain rules, properties, types of values and productions of the grammar.

    NAME is a code such as SGF503 or 503, the name of a rule such as
    move-with-setup, a property identifier such as AB, a type such as point, or a
    production such as gametree or go_move. Examples are validated when they are shown.
    """
    terminal.prepare_streams()
    page = _Page(language, terminal.output_style(color))
    for number, name in enumerate(names):
        lines = list(page.lines_for(name))
        if not lines:
            hint = _hint(name)
            terminal.fail(f"nothing is known of {name!r}{hint}")
        terminal.write(("\n" if number else "") + "".join(f"{line}\n" for line in lines))


def _hint(name: str) -> str:
    """Return the rules with `name` as a word of their names, or else close names, as a question."""
    from sgf_lark import grammar

    words = name.lower()
    found = [rule.name for rule in grammar.rules().values() if f"-{words}-" in f"-{rule.name}-"]
    known = known_names()
    close = found or difflib.get_close_matches(name, known, 3, 0.6)
    close = close or difflib.get_close_matches(words, known, 3, 0.6)
    close = close or difflib.get_close_matches(name.upper(), known, 3, 0.6)
    return f"; did you mean {', '.join(close)}?" if close else ""


class _Page:
    """Explanations in one language."""

    def __init__(self, language: Language, style: OutputStyle) -> None:
        self.language = language
        self.style = style
        self.words = _WORDS[language]

    def lines_for(self, name: str) -> Iterator[str]:
        """Yield the explanation of `name`; no lines where the name is unknown."""
        from sgf_lark import grammar
        from sgf_lark.wei7.rules import rules as wei7_rules

        code = name.upper() if not name.isdigit() else f"SGF{name}"
        rules = {**{rule.name: rule for rule in grammar.rules().values()}, **grammar.rules()}
        rule = rules.get(code) or rules.get(name)
        if rule is not None:
            yield from self._rule(rule)
            return
        if code in wei7_rules():
            yield from self._wei7_rule(wei7_rules()[code])
            return
        if name in grammar.terms():
            yield from self._term(grammar.terms()[name])
            return
        if (found := _find_production(name)) is not None:
            yield from self._production(name, *found)
            return
        for number, entry in enumerate(grammar.definitions(name.upper())):
            yield from [""] if number else []
            yield from self._property(entry)

    # --- Parts of an explanation ------------------------------------------------------

    def _title(self, *parts: str) -> str:
        return self.style.paint(" ".join(parts), bold=True)

    def _fact(self, word: str, text: str) -> str:
        colon = self._translated(":", "：")
        space = self._translated(" ", "")
        return f"  {self.style.paint(self.words[word] + colon, fg='cyan')}{space}{text}"

    def _list(self, parts: Iterable[str]) -> str:
        return self._translated(", ", "、").join(parts)

    def _value(self, expression: str) -> str:
        """Return the notation of the specification for a value, in Chinese in words."""
        if self.language == "en":
            return expression
        for pattern, chinese in _VALUE_IN_CHINESE:
            expression = re.sub(pattern, chinese, expression)
        return expression

    def _translated(self, english: str, chinese: str) -> str:
        return chinese if self.language == "zh" else english

    def _paragraph(self, text: str) -> Iterator[str]:
        if text:
            yield from ("", *_wrapped(text, min(self.style.width, 90)))

    # --- Explanations -----------------------------------------------------------------

    def _rule(self, rule: Rule) -> Iterator[str]:
        yield self._title(rule.code, rule.name)
        yield from self._paragraph(self._translated(rule.summary, rule.summary_zh))
        yield from self._paragraph(self._translated(rule.explanation, rule.explanation_zh))
        yield ""
        yield self._fact("fix", self._translated(rule.fix, rule.fix_zh))
        levels = (f"{profile} {self._level(each)}" for profile, each in rule.severity.items())
        yield self._fact("severity", self._list(levels))
        yield self._fact("source", rule.source)
        if rule.sgfc is not None:
            yield self._fact("sgfc", str(rule.sgfc))
        if others := rule.related:
            yield self._fact("related", self._list(f"{each.code} {each.name}" for each in others))
        for word, examples in (("bad", rule.bad), ("noted", rule.noted), ("good", rule.kept)):
            for example in examples[:4]:
                yield from self._example(word, example)

    def _level(self, severity: str) -> str:
        from sgf_lark.cli.check_text import severity_name
        from sgf_lark.diagnostics import Severity

        if severity == "off":
            return self._translated("off", "不报告")
        return severity_name(Severity(severity), self.language)

    def _wei7_rule(self, rule: Wei7Rule) -> Iterator[str]:
        from sgf_lark import wei7
        from sgf_lark.wei7.rules import examples

        yield self._title(rule.code, rule.name)
        yield from self._paragraph(self._translated(rule.summary, rule.summary_zh))
        yield from self._paragraph(self._translated(rule.explanation, rule.explanation_zh))
        yield ""
        yield self._fact("fix", self._translated(rule.fix, rule.fix_zh))
        yield self._fact("severity", self._level(rule.severity))
        yield self._fact("source", rule.source)
        for example in [item for item in examples() if item.codes == (rule.code,)][:3]:
            yield ""
            text = escape(example.text.decode("latin-1"))
            colon = self._translated(": ", "：")
            yield f"  {self.style.paint(self.words['bad'], fg='red')}{colon}{text}"
            for found in wei7.validate(example.text, language=self.language).diagnostics:
                yield f"    {found.span.line}:{found.span.column} {found.code} {found.message}"

    def _example(self, word: str, example: Example) -> Iterator[str]:
        """Yield the example and its diagnostics."""
        from sgf_lark.validation import validate

        report = validate(example.data, charset_mode=example.charset_mode, language=self.language)
        text = escape(example.data.decode("latin-1"))
        color = {"bad": "red", "noted": "yellow"}.get(word, "green")
        yield ""
        colon = self._translated(": ", "：")
        yield f"  {self.style.paint(self.words[word], fg=color)}{colon}{text}"
        for found in report.diagnostics:
            place = f"{found.span.line}:{found.span.column}"
            yield f"    {place} {found.code} {escape(found.message)}"
        if not report.diagnostics:
            yield f"    {self.words['nothing']}"

    def _property(self, entry: PropertyDefinition) -> Iterator[str]:
        from sgf_lark import grammar

        yield self._title(entry.ident, self._translated(entry.name, entry.name_zh))
        yield from self._paragraph(self._translated(entry.text, entry.text_zh))
        yield ""
        games = [grammar.game(number) for number in entry.games]
        named = self._list(self._translated(game.name, game.name_zh) for game in games)
        yield self._fact("games", named or self.words["all games"])
        formats = self._list(f"FF[{number}]" for number in entry.file_formats)
        yield self._fact("formats", formats)
        yield self._fact("value", self._value(entry.value))
        yield self._fact("type", self._translated(entry.type, _TYPES_IN_CHINESE[entry.type]))
        if entry.inherit:
            yield f"  {self.words['inherit']}"
        if entry.range:
            yield self._fact("range", self._translated(entry.range, entry.range_zh))
        if entry.replaced_by:
            yield self._fact("obsolete", entry.replaced_by)
        if entry.private:
            yield self._fact("private", entry.private)
        if entry.unsupported:
            yield self._fact("unsupported", self._list(entry.unsupported))
        if entry.related:
            yield self._fact("related", self._list(entry.related))
        if rules := rules_about(entry):
            yield self._fact("rules", self._list(rules))

    def _term(self, term: Term) -> Iterator[str]:
        from sgf_lark import grammar

        title = self._translated(f": {term.title}", f"：{term.title_zh}")
        yield self._title(term.name + title)
        yield from self._paragraph(self._translated(term.text, term.text_zh))
        for name in ("sgf.ebnf", "sgf.lark", "values.lark"):
            for line in _productions(grammar.source(name), term.name):
                yield ""
                yield self._fact("written", f"{name}: {line}")
        used = [
            entry.ident
            for entry in grammar.properties()
            if re.search(rf"\b{term.name}\b", entry.value)
        ]
        if term.kind == "type" and used:
            yield ""
            yield from _wrapped(
                self._fact("used", self._list(dict.fromkeys(used))), min(self.style.width, 90)
            )

    def _production(self, name: str, file: str, production: Production) -> Iterator[str]:
        """Explain a production of a value or of damage, which terms.toml does not have."""
        from sgf_lark import grammar

        rules = {rule.name: rule for rule in grammar.rules().values()}
        rule = rules.get(name.replace("_", "-"))
        yield self._title(name)
        yield from self._paragraph(production.comment)
        if rule is not None:
            yield from self._paragraph(self._translated(rule.summary, rule.summary_zh))
        yield ""
        yield self._fact("written", f"{file}:")
        yield from (f"    {line.strip()}" for line in production.text.splitlines())
        if rule is not None:
            yield self._fact("rules", f"{rule.code} {rule.name}")
        used = dict.fromkeys(e.ident for e in grammar.properties() if e.format == name)
        if used:
            yield self._fact("used", self._list(used))
        games = [
            self._translated(game.name, game.name_zh)
            for game in grammar.games().values()
            if name in (game.point, game.move, game.stone)
        ]
        if games:
            yield self._fact("games", self._list(games))


def _find_production(name: str) -> tuple[str, Production] | None:
    """Return the grammar file that has a production of that name, and the production."""
    from sgf_lark.teaching.productions import LARK_FILES, productions

    for file in LARK_FILES:
        for known in (name, f"_{name}"):
            found = productions(f"{file}.lark").get(known)
            if found is not None:
                return f"{file}.lark", found
    return None


def rules_about(entry: PropertyDefinition) -> list[str]:
    """Return the rules for values of that property, without those for nearly all properties."""
    from sgf_lark import grammar
    from sgf_lark.rules import load_rules
    from sgf_lark.rules.registry import RULES, Scope, every, not_text

    load_rules()
    return sorted(
        f"{registered.code} {grammar.rule(registered.code).name}"
        for scope in (Scope.VALUE, Scope.CONTENT)
        for registered in RULES[scope]
        if registered.about not in (every, not_text) and registered.about(entry)
    )


def _productions(text: str, name: str) -> list[str]:
    """Return the productions of that name, in upper or lower case, each on one line."""
    found = []
    for match in re.finditer(
        rf"^(?:go_)?{name}\s*(?:=|:).*(?:\n[ \t]+[|&].*)*", text, re.MULTILINE | re.IGNORECASE
    ):
        found.append(" ".join(match[0].split()))
    return found


def _wrapped(text: str, width: int) -> list[str]:
    """Break `text` into lines of at most `width` columns; Chinese may be broken anywhere."""
    lines, line = [], ""
    for word in re.findall(r"[\x21-\u2e7f]+[ ]?|.", text):
        if line and terminal.cell_width(line + word.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += word
    return [*lines, line.rstrip()]
