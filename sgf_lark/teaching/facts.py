"""The facts on a rule, a property, a production and a game, which each medium renders: the command
explain, the site, the playground and the hover of editors; and tables of the properties.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from sgf_lark import grammar
from sgf_lark.diagnostics import Language
from sgf_lark.grammar import Game, Program, PropertyDefinition, Role, Rule, Term
from sgf_lark.teaching.productions import EBNF, LARK_FILES, productions, rules_of_ebnf

#: The most examples of values, and the longest one, in bytes.
_EXAMPLES = 6
_MAX_EXAMPLE = 30

#: What a part of a fact is about, for media with links; the target is a code, an identifier, a
#: number of a game, a value expression, a property type or a production.
About = Literal["", "rule", "property", "game", "value", "type", "production"]


class Item(NamedTuple):
    """A part of a fact, and what it is about."""

    text: str
    about: About = ""
    target: str = ""


class Fact(NamedTuple):
    """A fact by its key in facts.toml, with the label and the parts in words."""

    key: str
    label: str
    items: tuple[Item, ...]


@dataclass(frozen=True)
class Explanation:
    """What there is to say about a thing: its name and title, paragraphs and facts."""

    kind: Literal["rule", "property", "production", "game", "program"]
    name: str
    title: str
    texts: tuple[str, ...]
    facts: tuple[Fact, ...]

    def fact(self, key: str) -> str:
        """The text of a fact, "" where there is none."""
        found = next((fact for fact in self.facts if fact.key == key), None)
        return "" if found is None else ", ".join(item.text for item in found.items)


def explanations(name: str, language: Language) -> Iterator[Explanation]:
    """Yield what there is for a name: a code, or the name of a rule, a property identifier, a type
    of values, or a production."""
    code = name.upper() if not name.isdigit() else f"SGF{name}"
    named = {rule.name: rule for rule in grammar.rules().values()}
    rule = grammar.rules().get(code) or named.get(name)
    if rule is None and code.startswith("WEI"):
        from sgf_lark.wei7.rules import rules as wei7_rules

        rule = wei7_rules().get(code)
    if rule is not None:
        yield of_rule(rule, language)
    elif name in _explained() and (found := of_production(name, language)):
        yield found
    elif (program := _programs().get(name.lower())) is not None:
        yield of_program(program, language)
    elif entries := grammar.definitions(name.upper()):
        for entry in entries:
            yield of_property(entry, language)
    elif (known := _production_names().get(name.lower())) and (
        found := of_production(known, language)
    ):
        yield found


@cache
def _programs() -> dict[str, Program]:
    """The programs whose habits are known, by each of their names."""
    return {
        name.lower(): program
        for program in grammar.programs()
        for name in (program.name, program.title, program.title_zh, *program.also)
    }


@cache
def _explained() -> frozenset[str]:
    """The productions and types as they are written, of the EBNF only those without a rule."""
    return frozenset(_production_names().values()) | productions(EBNF).keys() - rules_of_ebnf()


@cache
def _production_names() -> dict[str, str]:
    """Lowercase name -> the production or type that is explained, so that PropValue, as the EBNF
    writes it, is propvalue."""
    files = EBNF, *(f"{file}.lark" for file in reversed(LARK_FILES))
    names = [name.removeprefix("_") for file in files for name in productions(file)]
    names += [name for file in files[1:] for name in productions(file)] + list(grammar.terms())
    return {name.lower(): name for name in names}


def of_rule(rule: Rule, language: Language) -> Explanation:
    """What a rule asks, why, and what to do."""
    levels = {profile: word(level, language) for profile, level in rule.severity.items()}
    severity = [Item(f"{profile} {level}") for profile, level in levels.items()]
    if len({*levels.values()}) == 1:
        severity = [Item(levels["strict"])]
    facts = [
        ("fix", [Item(chosen(rule, "fix", language))]),
        ("severity", severity),
        ("source", [Item(rule.source)]),
        ("sgfc", [] if rule.sgfc is None else [Item(str(rule.sgfc))]),
        ("related", [_rule(other) for other in rule.related]),
    ]
    texts = chosen(rule, "summary", language), chosen(rule, "explanation", language)
    return _explanation("rule", rule.code, rule.name, texts, facts, language)


def of_property(entry: PropertyDefinition, language: Language) -> Explanation:
    """What a property is, and what its values may be."""
    games = [grammar.game(number) for number in entry.games]
    replaced = [entry.replaced_by] if entry.replaced_by else []
    facts = [
        ("games", [_game(game, language) for game in games] or [Item(word("all_games", language))]),
        ("formats", [Item(f"FF[{number}]") for number in entry.file_formats]),
        ("value", [Item(_value(entry.value, language), "value", entry.value)]),
        ("older", [Item(_value(entry.older_value, language), "value", entry.older_value)]),
        ("type", [Item(property_type(entry.type, language), "type", entry.type)]),
        ("inherit", [Item(word("inherited", language) if entry.inherit else "")]),
        ("range", [Item(chosen(entry, "range", language))]),
        ("obsolete", [Item(word("not_defined", language) if entry.obsolete else "")]),
        ("replaced", _properties(replaced)),
        ("private", [Item(entry.private)]),
        ("unsupported", [Item(program) for program in entry.unsupported]),
        ("related", _properties(entry.related)),
        ("rules", [_rule(grammar.rule(code)) for code in _rules_about(entry)]),
    ]
    name, text = chosen(entry, "name", language), chosen(entry, "text", language)
    return _explanation("property", entry.ident, name, (text,), facts, language)


def of_program(program: Program, language: Language) -> Explanation:
    """What a program writes otherwise than the specification says, and how its files are known."""
    signs = [
        Item(" ".join(f"{ident}[{pattern}]" for ident, pattern in sign.items()))
        for sign in program.signs
    ]
    own = [Item(f"{each.ident} ({chosen(each, 'name', language)})") for each in program.properties]
    written = dict.fromkeys(
        f"{each.ident} → {each.writes}" for each in program.habits if each.ident != each.writes
    )
    facts = [
        ("signs", signs),
        ("own", own),
        ("replaced", [Item(text) for text in written]),
        ("source", [Item(program.source)]),
    ]
    title, text = chosen(program, "title", language), chosen(program, "text", language)
    return _explanation("program", program.name, title, (text,), facts, language)


def of_production(name: str, language: Language) -> Explanation | None:
    """What a production or a type of values is; None where there is none of that name."""
    term = grammar.terms().get(name)
    if term is not None:
        return _of_term(term, language)
    for file in (*(f"{file}.lark" for file in LARK_FILES), EBNF):
        found = productions(file)
        if (production := found.get(name) or found.get(f"_{name}")) is not None:
            break
    else:
        return None
    rules = {rule.name: rule for rule in grammar.rules().values()}
    rule = rules.get(name.replace("_", "-"))
    written = " ".join(line.strip() for line in production.text.splitlines())
    used = dict.fromkeys(entry.ident for entry in grammar.properties() if entry.format == name)
    games = [
        _game(game, language)
        for game in grammar.games().values()
        if name in (game.point, game.move, game.stone)
    ]
    examples, others = value_examples(name)
    facts = [
        *(
            ("written", [Item(f"{EBNF}: {' '.join(productions(EBNF)[ebnf].text.split())}")])
            for ebnf, place in rules_of_ebnf().items()
            if place == (file, production.name)
        ),
        ("written", [Item(f"{file}: {written}")]),
        ("examples", examples),
        ("others", others),
        ("rules", [] if rule is None else [_rule(rule)]),
        ("used", _properties(used)),
        ("games", games),
    ]
    summary = "" if rule is None else chosen(rule, "summary", language)
    return _explanation("production", name, "", (production.comment, summary), facts, language)


def _of_term(term: Term, language: Language) -> Explanation:
    facts = [
        ("written", [Item(f"{name}: {line}")])
        for name in ("sgf.ebnf", "sgf.lark", "values.lark")
        for line in _written(grammar.source(name), term.name)
    ]
    if term.kind == "type":
        examples, others = value_examples(term.name)
        facts += [("examples", examples), ("others", others)]
    used = (e.ident for e in grammar.properties() if re.search(rf"\b{term.name}\b", e.value))
    if term.kind == "type":
        facts.append(("used", _properties(dict.fromkeys(used))))
    title, text = chosen(term, "title", language), chosen(term, "text", language)
    return _explanation("production", term.name, title, (text,), facts, language)


@cache
def value_examples(name: str) -> tuple[list[Item], list[Item]]:
    """Values that a type or a format of values takes, and others that it does not take.

    They are the values of its properties in the examples of the rules, the shortest ones.
    """
    from sgf_lark.syntax import grammars as value_grammar
    from sgf_lark.syntax.parsing import parse
    from sgf_lark.text.decoding import decode

    _, rule = rules_of_ebnf().get(name.capitalize(), ("", name))
    if rule not in value_grammar.value_types():
        return [], []
    matches = value_grammar.pattern(rule).fullmatch
    taken, refused = set[bytes](), set[bytes]()
    idents = [e.ident.encode() + b"[" for e in grammar.properties() if name in _kinds(e.ident)]
    for each in grammar.rules().values():
        for example, goal in [(e, taken) for e in each.kept] + [(e, refused) for e in each.bad]:
            if not any(ident in example.data for ident in idents):
                continue
            flat = parse(decode(example.data)).flat
            for number in range(len(flat.ident_start)):
                if name in _kinds(flat.ident(number)):
                    raws = (raw for raw in flat.raw(number) if len(raw) <= _MAX_EXAMPLE)
                    goal |= {raw for raw in raws if (matches(raw) is None) == (goal is refused)}

    def items(raws: set[bytes]) -> list[Item]:
        written = sorted((raw for raw in raws if raw.isascii()), key=lambda raw: (len(raw), raw))
        step = max(1, len(written) // _EXAMPLES)
        return [Item(f"[{raw.decode()}]") for raw in written[::step][:_EXAMPLES]]

    return items(taken), items(refused)


@cache
def _kinds(ident: str) -> frozenset[str]:
    """The format and the types of single values of a property in the game of Go."""
    return frozenset(
        kind
        for entry in grammar.definitions(ident)
        if entry.in_game(1)
        for kind in (
            [entry.format]
            if entry.format
            else [each.first for each in entry.alternatives if not each.composed]
        )
    )


def of_game(game: Game, language: Language) -> Explanation:
    """How large the board of a game is, and how its points and moves are written."""
    forms = [
        (key, [Item(chosen(game, f"{key}_form", language)), Item(form, "production", form)])
        for key in ("point", "stone", "move")
        if (form := getattr(game, key))
    ]
    facts = [
        ("number", [Item(f"GM[{game.number}]")]),
        ("size", [Item(f"{game.size[0]} × {game.size[1]}")] if game.size else []),
        ("maximum", [Item(str(game.maximum_size))] if game.maximum_size else []),
        *forms,
        ("rows", [Item(word("upward", language))] if game.upward else []),
    ]
    name = chosen(game, "name", language)
    return _explanation("game", str(game.number), name, (), facts, language)


# --- Words ------------------------------------------------------------------------------


@cache
def _words() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "facts.toml").read_text("utf-8"))


def word(key: str, language: Language) -> str:
    """The word of that key in facts.toml."""
    return str(_words()["words"][key][language == "zh"])


def label(key: str, language: Language) -> str:
    """The label of the facts of that key."""
    return str(_words()["labels"][key][language == "zh"])


def property_type(key: str, language: Language, *, heading: bool = False) -> str:
    """The name of a property type; the English one is its key, but as a heading."""
    names = _words()["types"][key]
    return key if language == "en" and not heading else str(names[language == "zh"])


def chosen(entry: Any, field: str, language: Language) -> str:
    """The text of a field of a table in `grammar/` in that language."""
    return str(getattr(entry, f"{field}_zh" if language == "zh" else field) or "")


def _value(expression: str, language: Language) -> str:
    """The notation of the specification for a value, in Chinese in words."""
    if language == "zh":
        for pattern, chinese in _words()["values"].items():
            expression = re.sub(pattern, chinese, expression)
    return expression


# --- Parts ------------------------------------------------------------------------------


def _explanation(
    kind: Any,
    name: str,
    title: str,
    texts: tuple[str, ...],
    facts: Iterable[tuple[str, list[Item]]],
    language: Language,
) -> Explanation:
    """An explanation without empty texts and facts."""
    found = (
        Fact(key, label(key, language), tuple(item for item in items if item.text))
        for key, items in facts
    )
    return Explanation(
        kind, name, title, tuple(filter(None, texts)), tuple(fact for fact in found if fact.items)
    )


def _rule(rule: Rule) -> Item:
    return Item(f"{rule.code} {rule.name}", "rule", rule.code)


def _game(game: Game, language: Language) -> Item:
    return Item(chosen(game, "name", language), "game", str(game.number))


def _properties(idents: Iterable[str]) -> list[Item]:
    return [
        Item(ident, "property" if grammar.definitions(ident) else "", ident) for ident in idents
    ]


def _rules_about(entry: PropertyDefinition) -> list[str]:
    """The rules for values of that property, without those for nearly all properties."""
    from sgf_lark.rules import load_rules
    from sgf_lark.rules.registry import RULES, Scope, not_text

    load_rules()
    return sorted(
        registered.code
        for scope in (Scope.VALUE, Scope.CONTENT)
        for registered in RULES[scope]
        if (about := registered.about) is not None and about is not not_text and about(entry)
    )


def _written(text: str, name: str) -> Iterator[str]:
    """Yield the productions of that name, in upper or lower case, each on one line."""
    pattern = rf"^(?:go_)?{name}\s*(?:=|:).*(?:\n[ \t]+[|&].*)*"
    for match in re.finditer(pattern, text, re.MULTILINE | re.IGNORECASE):
        yield " ".join(match[0].split())


# --- Tables of the properties -------------------------------------------------------------

#: The columns of the table, by language.
HEADS = {
    "en": ("property", "name", "value", "games", "FF"),
    "zh": ("属性", "名称", "属性值", "棋类", "FF"),
}


def by_type() -> dict[Role, tuple[PropertyDefinition, ...]]:
    """The definitions by property type, those for all games first, then game by game."""
    ordered = sorted(grammar.properties(), key=lambda entry: (entry.games, entry.ident))
    return {role: tuple(e for e in ordered if e.type == role) for role in get_args(Role)}


def row(entry: PropertyDefinition, language: Language) -> tuple[str, ...]:
    """The cells of a definition, in the order of ``HEADS``."""
    return (
        entry.ident,
        chosen(entry, "name", language),
        entry.value,
        ", ".join(chosen(grammar.game(number), "name", language) for number in entry.games)
        or word("all_games", language),
        ", ".join(map(str, entry.file_formats)),
    )
