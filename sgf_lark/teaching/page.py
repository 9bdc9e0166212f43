"""Writes the grammar as one self-contained HTML page. Needs ``railroad-diagrams`` and Jinja2."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from markupsafe import Markup, escape

from sgf_lark import grammar
from sgf_lark.diagnostics import Language
from sgf_lark.pages import render
from sgf_lark.syntax import grammars as value_grammar
from sgf_lark.teaching import automaton, diagrams, facts
from sgf_lark.teaching.facts import chosen, property_type
from sgf_lark.teaching.productions import (
    EBNF,
    LARK_FILES,
    pieces,
    productions,
    rules_of_ebnf,
)


def page(language: Language = "en") -> str:
    """The page: every production with its diagram, the games and the properties.

    It refers to no other file, and follows the color scheme of the reader's system.
    """
    games = list(grammar.games().values())
    return render(
        "grammar.html",
        language,
        grammars={name: list(_productions(name, language)) for name in LARK_FILES},
        ebnf=list(_pieces_of_ebnf()),
        structure=automaton.structure(),
        games=[game for game in games if any((game.point, game.move, game.stone))],
        others=", ".join(
            f"{game.number} {chosen(game, 'name', language)}"
            for game in games
            if not any((game.point, game.move, game.stone))
        ),
        heads=facts.HEADS[language],
        types=[
            (property_type(role, language, heading=True), entries)
            for role, entries in facts.by_type().items()
        ],
        row=partial(facts.row, language=language),
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
    for each in [
        *(written[rule] for rule in pictures),
        *(one for one in written.values() if one.is_terminal),
    ]:
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
