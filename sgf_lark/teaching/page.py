"""Writes the grammar as one self-contained HTML page. Needs ``railroad-diagrams``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from html import escape
from pathlib import Path

from sgf_lark import __version__, grammar
from sgf_lark.diagnostics import Language
from sgf_lark.syntax import grammars as lark_grammars
from sgf_lark.syntax import values as value_grammar
from sgf_lark.teaching import diagrams, properties
from sgf_lark.teaching.productions import (
    EBNF,
    LARK_FILES,
    Production,
    pieces,
    productions,
    rules_of_ebnf,
)

_WORDS = {
    "en": {
        "title": "The grammar of SGF, the Smart Game Format",
        "intro": "Made from the files in grammar/ of sgf_lark {version}. Names in the productions "
        "and in the diagrams lead to what they stand for.",
        "sgf": "Structure: sgf.lark",
        "values": "Values: values.lark",
        "tolerant": "Damaged files: tolerant.lark",
        "ebnf": "The EBNF: sgf.ebnf",
        "games": "Games",
        "properties": "Properties",
        "terminals": "Terminals",
        "used": "used in",
        "others": "No source defines points and moves of:",
        "gm": ("GM", "game", "point", "move", "stone"),
        "move": "Move properties",
        "setup": "Setup properties",
        "root": "Root properties",
        "game-info": "Game-info properties",
        "none": "Properties without a type",
    },
    "zh": {
        "title": "SGF（智能游戏格式）的语法",
        "intro": "由 sgf_lark {version} 的 grammar/ 中的文件生成。产生式和图中的名称链接到其定义。",
        "sgf": "结构：sgf.lark",
        "values": "属性值：values.lark",
        "tolerant": "受损文件：tolerant.lark",
        "ebnf": "EBNF：sgf.ebnf",
        "games": "棋类",
        "properties": "属性",
        "terminals": "终结符",
        "used": "用于",
        "others": "以下棋类的点和着手没有资料定义：",
        "gm": ("GM", "棋类", "点", "着手", "棋子"),
        "move": "走子属性",
        "setup": "设置属性",
        "root": "根属性",
        "game-info": "对局信息属性",
        "none": "无类型的属性",
    },
}


def page(language: Language = "en") -> str:
    """The page: every production with its diagram, the games and the properties.

    It refers to no other file, and follows the color scheme of the reader's system.
    """
    return "".join(_Page(language).lines())


class _Page:
    def __init__(self, language: Language) -> None:
        self.language = language
        self.words = _WORDS[language]

    def lines(self) -> Iterator[str]:
        style = (Path(__file__).parent / "page.css").read_text(encoding="utf-8")
        title = self._word("title")
        yield (
            f'<!DOCTYPE html>\n<html lang="{"zh-Hans" if self.language == "zh" else "en"}">\n'
            '<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
            f"<header>\n<h1>{title}</h1>\n"
            f"<p>{self._word('intro').format(version=__version__)}</p>\n"
        )
        yield from self._contents()
        yield "</header>\n<main>\n"
        for name in LARK_FILES:
            yield from self._grammar(name)
        yield from self._ebnf()
        yield from self._games()
        yield from self._properties()
        yield "</main>\n</body>\n</html>\n"

    def _word(self, key: str) -> str:
        return escape(str(self.words[key]))

    def _contents(self) -> Iterator[str]:
        yield "<nav>\n"
        for name in (*LARK_FILES, "ebnf", "games", "properties"):
            yield f'<p><a href="#{name}"><strong>{self._word(name)}</strong></a>'
            if name in LARK_FILES:
                yield "".join(
                    f' <a href="#{_identifier(name, rule)}">{rule}</a>'
                    for rule in lark_grammars.rule_trees(f"{name}.lark")
                )
            yield "</p>\n"
        yield "</nav>\n"

    # Productions

    def _grammar(self, name: str) -> Iterator[str]:
        file = f"{name}.lark"
        written = productions(file)
        pictures = diagrams.productions(
            file, lambda symbol: f"#{_identifier(name, symbol)}" if symbol in written else None
        )
        yield f'<section id="{name}">\n<h2>{self._word(name)}</h2>\n'
        users = _users(file)
        for rule, picture in pictures.items():
            yield from self._production(name, written[rule], picture, users.get(rule, []))
        yield f"<h3>{self._word('terminals')}</h3>\n"
        for production in filter(lambda production: production.is_terminal, written.values()):
            yield f'<div class="terminals" id="{_identifier(name, production.name)}">'
            yield from self._comment(production)
            yield f"<pre>{self._linked(file, production.text)}</pre>"
            yield self._used(name, users.get(production.name, [])) + "</div>\n"
        yield "</section>\n"

    def _production(
        self, name: str, production: Production, picture: str, users: list[str]
    ) -> Iterator[str]:
        file = f"{name}.lark"
        yield f'<article id="{_identifier(name, production.name)}">\n'
        term = grammar.terms().get(production.name) if name in ("sgf", "values") else None
        title = (term.title_zh if self.language == "zh" else term.title) if term else ""
        title = f" {escape(title)}" if title != production.name else ""
        yield f"<h3><code>{production.name}</code>{title}</h3>\n"
        if term is not None:
            yield f"<p>{escape(term.text_zh if self.language == 'zh' else term.text)}</p>\n"
        yield from self._comment(production)
        yield '<div class="pair">\n<div>\n'
        for ebnf in self._as_ebnf.get((file, production.name), []):
            text = productions(EBNF)[ebnf].text
            yield f'<pre class="ebnf">{self._linked(EBNF, text)}</pre>\n'
        yield f"<pre>{self._linked(file, production.text)}</pre>\n</div>\n"
        yield f'<div class="diagram">{picture}</div>\n</div>\n'
        yield self._used(name, users) + "</article>\n"

    def _comment(self, production: Production) -> Iterator[str]:
        """The comment on a production in the file, which is always English."""
        if production.comment:
            yield f'<p class="comment" lang="en">{escape(production.comment)}</p>\n'

    @cached_property
    def _as_ebnf(self) -> dict[tuple[str, str], list[str]]:
        found: dict[tuple[str, str], list[str]] = {}
        for name, place in rules_of_ebnf().items():
            found.setdefault(place, []).append(name)
        return found

    def _used(self, name: str, users: list[str]) -> str:
        links = ", ".join(f'<a href="#{_identifier(name, user)}">{user}</a>' for user in users)
        return f'<p class="used">{self._word("used")} {links}</p>\n' if links else ""

    def _ebnf(self) -> Iterator[str]:
        """The whole file, with the addresses of the productions that have no rule for Lark."""
        yield f'<section id="ebnf">\n<h2>{self._word("ebnf")}</h2>\n<pre class="ebnf">'
        text = grammar.source(EBNF)
        start = 0
        for production in productions(EBNF).values():
            end = text.index(production.text, start)
            yield self._linked(EBNF, text[start:end])
            linked = self._linked(EBNF, production.text)
            yield f'<span id="{_identifier("ebnf", production.name)}">{linked}</span>'
            start = end + len(production.text)
        yield escape(text[start:]) + "</pre>\n</section>\n"

    def _linked(self, file: str, text: str) -> str:
        known = productions(file)
        return "".join(
            f'<a href="#{_address(file, piece)}">{escape(piece)}</a>'
            if is_name and piece in known
            else escape(piece)
            for piece, is_name in pieces(file, text)
        )

    # Tables

    def _games(self) -> Iterator[str]:
        heads = "".join(f"<th>{escape(head)}</th>" for head in self.words["gm"])
        yield f'<section id="games">\n<h2>{self._word("games")}</h2>\n<div class="table"><table>\n'
        yield f"<thead><tr>{heads}</tr></thead>\n<tbody>\n"
        others = []
        for game in grammar.games().values():
            name = escape(game.name_zh if self.language == "zh" else game.name)
            rules = game.point, game.move, game.stone
            if any(rules):
                cells = "".join(f"<td><code>{_value_links(rule)}</code></td>" for rule in rules)
                yield f"<tr><td>{game.number}</td><td>{name}</td>{cells}</tr>\n"
            else:
                others.append(f"{game.number} {name}")
        yield "</tbody>\n</table></div>\n"
        yield f"<p>{self._word('others')} {', '.join(others)}</p>\n</section>\n"

    def _properties(self) -> Iterator[str]:
        yield f'<section id="properties">\n<h2>{self._word("properties")}</h2>\n'
        heads = "".join(f"<th>{escape(head)}</th>" for head in properties.HEADS[self.language])
        for role, entries in properties.by_type().items():
            yield f"<h3>{self._word(role)}</h3>\n"
            yield f'<div class="table"><table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n'
            for entry in entries:
                ident, name, value, games, formats = properties.row(entry, self.language)
                if entry.private:
                    name = f"{name} ({entry.private})"
                about = entry.text_zh if self.language == "zh" else entry.text
                links = _value_links(value)
                if entry.format:
                    links += f" ({_value_links(entry.format)})"
                yield (
                    f'<tr><td><code>{ident}</code></td><td title="{escape(about)}">{escape(name)}'
                    f"</td><td><code>{links}</code></td><td>{escape(games)}</td>"
                    f"<td>{formats}</td></tr>\n"
                )
            yield "</tbody>\n</table></div>\n"
        yield "</section>\n"


def _identifier(grammar_name: str, production: str) -> str:
    return f"{grammar_name}-{production}"


def _address(file: str, production: str) -> str:
    """The identifier of the section for a production; the EBNF refers to its rules for Lark."""
    if file == EBNF and production in rules_of_ebnf():
        file, production = rules_of_ebnf()[production]
    return _identifier(file.removesuffix(".lark").removeprefix("sgf."), production)


def _users(file: str) -> dict[str, list[str]]:
    """Production -> the other productions that contain its name."""
    users: dict[str, list[str]] = {}
    for production in productions(file).values():
        names = {name for name, is_name in pieces(file, production.text) if is_name}
        for name in names - {production.name}:
            users.setdefault(name, []).append(production.name)
    return users


_WORD = re.compile(r'"[^"]*"|(\w+)')
#: Types that differ from game to game.
_OF_GAMES = frozenset({"point", "move", "stone"})


def _value_links(expression: str) -> str:
    """A value expression, or the name of a start rule, with links to its types."""

    def link(match: re.Match[str]) -> str:
        word = match[1]
        if word in _OF_GAMES:
            return f'<a href="#games">{word}</a>'
        if word in value_grammar.value_types():
            return f'<a href="#{_identifier("values", word)}">{word}</a>'
        return escape(match[0])

    return _WORD.sub(link, expression)
