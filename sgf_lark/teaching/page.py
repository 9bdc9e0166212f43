"""Writes the grammar as one self-contained HTML page. Needs ``railroad-diagrams`` and Jinja2."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

from sgf_lark import __version__, grammar
from sgf_lark.diagnostics import Language
from sgf_lark.syntax import values as value_grammar
from sgf_lark.teaching import diagrams, properties, states
from sgf_lark.teaching.facts import chosen, property_type
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
        "states": "The LALR(1) states of sgf.lark",
        "items": "Each item is a production with a dot: what is before it has been read. After "
        "the item is what may follow its production in that state. At the end of a production the "
        "parser reduces if one of these comes next; everywhere else it shifts.",
        "then": "then",
        "state": "State",
        "after": "after",
        "games": "Games",
        "properties": "Properties",
        "terminals": "Terminals",
        "used": "used in",
        "others": "No source defines points and moves of:",
        "gm": ("GM", "game", "point", "move", "stone"),
    },
    "zh": {
        "title": "SGF（智能游戏格式）的语法",
        "intro": "由 sgf_lark {version} 的 grammar/ 中的文件生成。产生式和图中的名称链接到其定义。",
        "sgf": "结构：sgf.lark",
        "values": "属性值：values.lark",
        "tolerant": "损坏文件：tolerant.lark",
        "ebnf": "EBNF：sgf.ebnf",
        "states": "sgf.lark 的 LALR(1) 状态",
        "items": "每个项目是带圆点的产生式：圆点之前的部分已经读过。项目后面列出该产生式在这个"
        "状态下其后可能出现的记号。圆点在末尾且下一个记号在其中时，分析器归约；其他情况下移进。",
        "then": "其后",
        "state": "状态",
        "after": "路径",
        "games": "棋类",
        "properties": "属性",
        "terminals": "终结符",
        "used": "用于",
        "others": "以下棋类的点和着手没有资料定义：",
        "gm": ("GM", "棋类", "点", "着手", "棋子"),
    },
}

_HERE = Path(__file__).parent


def page(language: Language = "en") -> str:
    """The page: every production with its diagram, the games and the properties.

    It refers to no other file, and follows the color scheme of the reader's system.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    games = list(grammar.games().values())
    return environment.get_template("page.html").render(
        lang="zh-Hans" if language == "zh" else "en",
        words=_WORDS[language],
        version=__version__,
        style=Markup((_HERE / "page.css").read_text("utf-8")),
        grammars={name: list(_productions(name, language)) for name in LARK_FILES},
        ebnf=list(_pieces_of_ebnf()),
        structure=states.structure(),
        games=[game for game in games if any((game.point, game.move, game.stone))],
        others=", ".join(
            f"{game.number} {chosen(game, 'name', language)}"
            for game in games
            if not any((game.point, game.move, game.stone))
        ),
        heads=properties.HEADS[language],
        types=[
            (property_type(role, language, heading=True), entries)
            for role, entries in properties.by_type().items()
        ],
        row=partial(properties.row, language=language),
        chosen=partial(chosen, language=language),
        links=_value_links,
    )


def _productions(name: str, language: Language) -> Iterator[dict[str, Any]]:
    """The productions of a grammar file, and after them its terminals."""
    file = f"{name}.lark"
    written = productions(file)
    pictures = diagrams.productions(
        file, lambda symbol: f"#{_identifier(name, symbol)}" if symbol in written else None
    )
    as_ebnf: dict[tuple[str, str], list[str]] = {}
    for ebnf, place in rules_of_ebnf().items():
        as_ebnf.setdefault(place, []).append(ebnf)
    users = _users(file)
    terms = grammar.terms() if name in ("sgf", "values") else {}
    for each in [*(written[rule] for rule in pictures), *filter(_is_terminal, written.values())]:
        term = terms.get(each.name)
        texts = (productions(EBNF)[ebnf].text for ebnf in as_ebnf.get((file, each.name), ()))
        yield {
            "id": _identifier(name, each.name),
            "name": each.name,
            "title": chosen(term, "title", language) if term else "",
            "text": chosen(term, "text", language) if term else "",
            "comment": each.comment,
            "ebnf": [_linked(EBNF, text) for text in texts],
            "written": _linked(file, each.text),
            "diagram": Markup(pictures.get(each.name, "")),
            "users": [(_identifier(name, user), user) for user in users.get(each.name, ())],
        }


def _is_terminal(production: Production) -> bool:
    return production.is_terminal


def _pieces_of_ebnf() -> Iterator[tuple[str, Markup]]:
    """The whole file: what has the address of a production, or none, and the text."""
    text = grammar.source(EBNF)
    start = 0
    for production in productions(EBNF).values():
        end = text.index(production.text, start)
        yield "", _linked(EBNF, text[start:end])
        yield _identifier("ebnf", production.name), _linked(EBNF, production.text)
        start = end + len(production.text)
    yield "", escape(text[start:])


def _linked(file: str, text: str) -> Markup:
    known = productions(file)
    return Markup("").join(
        Markup('<a href="#{}">{}</a>').format(_address(file, piece), piece)
        if is_name and piece in known
        else piece
        for piece, is_name in pieces(file, text)
    )


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


def _value_links(expression: str) -> Markup:
    """A value expression, or the name of a start rule, with links to its types."""

    def link(match: re.Match[str]) -> str:
        word = match[1]
        if word in _OF_GAMES:
            return f'<a href="#games">{word}</a>'
        if word in value_grammar.value_types():
            return f'<a href="#{_identifier("values", word)}">{word}</a>'
        return escape(match[0])

    return Markup(_WORD.sub(link, expression))
