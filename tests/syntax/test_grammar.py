"""The EBNF, the Lark grammars and the tables are equivalent."""

from __future__ import annotations

import re
from typing import Any, get_args

import interegular
import pytest
from lark import Lark, Token, Transformer, Tree

from sgf_lark import grammar
from sgf_lark.grammar import PropertyDefinition
from sgf_lark.syntax import grammars as lark_grammars
from sgf_lark.syntax import grammars as value_grammar
from tests.kit.tables import for_each

#: What sgf.ebnf describes in words, as regular expressions over bytes.
IN_WORDS = {'any character but "]" and "\\"': r"[^\]\\]", "any character": r"[\x00-\xff]"}


def ebnf_rules() -> dict[str, Any]:
    """The rules of sgf.ebnf by lower-case name, as trees."""
    text = re.sub(r"\(\*[\s\S]*?\*\)", "", grammar.source("sgf.ebnf"))
    parts = re.split(r"(?m)^([A-Z][A-Za-z]*)\s*=", text)[1:]
    body = Lark(
        r"""
        start: alternatives
        alternatives: sequence ("|" sequence)*
        sequence: item*
        ?item: NAME -> reference | STRING -> literal | SPECIAL -> special
             | "{" alternatives "}" -> repetition | "[" alternatives "]" -> option
             | "(" alternatives ")" -> group
        NAME: /[A-Z][A-Za-z]*/
        STRING: /"[^"]*"/
        SPECIAL: /\?[^?]*\?/
        WHITE_SPACE: /\s+/
        %ignore WHITE_SPACE
        """,
        parser="lalr",
    )
    return {
        name.lower(): body.parse(text) for name, text in zip(parts[::2], parts[1::2], strict=True)
    }


def sequence(items: list[Any]) -> Any:
    flat: list[Any] = []
    for item in items:
        flat += item[1:] if item[0] == "seq" else [item]
    return flat[0] if len(flat) == 1 else ("seq", *flat)


class FromEbnf(Transformer[Token, Any]):
    """sgf.ebnf in the common form: seq, alt, star, opt, literal, reference."""

    def start(self, children: list[Any]) -> Any:
        return children[0]

    def alternatives(self, children: list[Any]) -> Any:
        return children[0] if len(children) == 1 else ("alt", *children)

    def sequence(self, children: list[Any]) -> Any:
        return sequence(children)

    def group(self, children: list[Any]) -> Any:
        return children[0]

    def repetition(self, children: list[Any]) -> Any:
        return ("star", children[0])

    def option(self, children: list[Any]) -> Any:
        return ("opt", children[0])

    def reference(self, children: list[Token]) -> Any:
        return ("reference", children[0].lower())

    def literal(self, children: list[Token]) -> Any:
        return ("literal", str(children[0])[1:-1])

    def special(self, children: list[Token]) -> Any:
        return ("words", str(children[0]).strip("? "))


def from_lark(tree: Any) -> Any:
    """A rule of a Lark grammar, as its loader leaves it, in the common form."""
    if not isinstance(tree, Tree):
        return ("reference", str(tree.name))
    if tree.data == "literal":
        return ("literal", str(tree.children[0])[1:-1])
    parts = [from_lark(child) for child in tree.children if not lark_grammars.is_operator(child)]
    if tree.data == "expr":
        operator = str(tree.children[1])
        star = ("star", parts[0])
        return {"*": star, "+": sequence([parts[0], star]), "?": ("opt", parts[0])}[operator]
    if tree.data == "maybe":
        return ("opt", parts[0])
    if tree.data == "expansions":
        return parts[0] if len(parts) == 1 else ("alt", *parts)
    return sequence(parts)


RULES = {name: FromEbnf().transform(tree) for name, tree in ebnf_rules().items()}


def as_pattern(form: Any) -> str:
    """A form as a regular expression, its references expanded."""
    kind, *rest = form
    match kind:
        case "literal":
            return re.escape(str(rest[0]))
        case "words":
            return IN_WORDS[str(rest[0])]
        case "reference":
            return f"(?:{as_pattern(RULES[rest[0]])})"
        case "star":
            return f"(?:{as_pattern(rest[0])})*"
        case "opt":
            return f"(?:{as_pattern(rest[0])})?"
        case "alt" if all(part[0] == "literal" and len(part[1]) == 1 for part in rest):
            # One set of characters is much less work for the automaton than many branches.
            return "[" + "".join(re.escape(part[1]) for part in rest) + "]"
        case "alt":
            return "(?:" + "|".join(map(as_pattern, rest)) + ")"
        case _:
            return "".join(map(as_pattern, rest))


def automaton(pattern: str) -> Any:
    return interegular.parse_pattern(pattern).to_fsm()


@for_each(["collection", "gametree", "sequence", "node", "property"])
def test_structure_is_rule_for_rule_the_same(name: str) -> None:
    assert from_lark(lark_grammars.rule_trees("sgf.lark")[name]) == RULES[name]


@for_each(["propident", "propvalue"])
def test_tokens_describe_the_same_language(name: str) -> None:
    rule = from_lark(lark_grammars.rule_trees("sgf.lark")[name])
    terminal = lark_grammars.structure_parser().get_terminal(rule[1])
    assert automaton(terminal.pattern.to_regexp()) == automaton(as_pattern(RULES[name]))


@for_each(
    [
        ("none", "none"),
        ("number", "number"),
        ("real", "real"),
        ("double", "double"),
        ("color", "color"),
        ("point", "go_point"),
        ("move", "go_move"),
    ]
)
def test_value_types_describe_the_same_language(ebnf: str, lark: str) -> None:
    derived = value_grammar.pattern(lark).pattern.removeprefix(b"(?s)").decode("latin-1")
    assert automaton(derived) == automaton(as_pattern(RULES[ebnf]))


def test_every_value_type_of_the_ebnf_is_in_the_lark_grammar() -> None:
    named = {form[1] for form in RULES["valuetype"][1:]} - {"point", "move", "stone"}
    assert named <= set(value_grammar.value_types())


@pytest.mark.usefixtures("interegular")
def test_grammars_have_no_conflicts() -> None:
    # Lark rejects reduce/reduce conflicts always, shift/reduce ones with strict=True.
    Lark(grammar.source("sgf.lark"), parser="lalr", start="collection", strict=True)
    Lark(
        grammar.source("values.lark"),
        parser="lalr",
        start=list(value_grammar.value_types()),
        debug=True,
    )


def test_properties_name_only_what_the_grammar_has() -> None:
    plain = {"point", "move", "stone", *value_grammar.value_types()}
    for entry in grammar.properties():
        for expression in filter(None, (entry.value, entry.older_value)):
            for alternative in grammar.parse_value_expression(expression):
                assert {alternative.first, alternative.second or alternative.first} <= plain
        assert entry.name and entry.name_zh and entry.text and entry.text_zh
        assert set(entry.related) <= {other.ident for other in grammar.properties()}
        assert entry.file_formats


#: The index of properties of the specification of FF[4].
INDEX = """
AB AE AN AP AR AS AW B BL BM BR BT C CA CP CR DD DM DO DT EV FF FG GB GC GM GN GW HA HO IP IT IY KM
KO LB LN MA MN N OB ON OT OW PB PC PL PM PW RE RO RU SE SL SO SQ ST SU SZ TB TE TM TR TW UC US V VW
W WL WR WT
"""


def test_tables_have_what_the_specification_lists() -> None:
    assert {*INDEX.split()} <= {entry.ident for entry in grammar.properties()}
    assert {*range(1, 41)} <= set(grammar.games())
    for entry in grammar.properties():
        assert set(entry.games) <= set(grammar.games())


@for_each(
    [
        "lists of point",
        "list of",
        " of point",
        "list of :)",
        "point ",
        "",
        'composed point ":" ',
        "composed point : point",
        "number | ",
    ]
)
def test_value_expressions_reject_what_is_none(expression: str) -> None:
    with pytest.raises(ValueError):
        grammar.parse_value_expression(expression)


def test_property_types_are_strings() -> None:
    assert {entry.type for entry in grammar.properties()} == set(get_args(grammar.Role))
    assert tuple(grammar.PropertyType) == get_args(grammar.Role)
    assert [f"{kind}" for kind in grammar.PropertyType] == [*get_args(grammar.Role)]


@for_each([entry for entry in grammar.properties() if entry.has_range])
def test_ranges_are_of_numbers_and_those_of_the_formats(entry: PropertyDefinition) -> None:
    assert entry.kinds & {"number", "real"}, f"{entry.ident} has a range, but no numbers"
    if entry.minimum is not None and entry.maximum is not None:
        assert entry.minimum <= entry.maximum, f"no number is {entry.limits[0]}"
    if entry.format:
        language = value_grammar.pattern(entry.format)
        for number in range(-10, 1000):
            digits = b"%d" % number
            assert entry.in_range(digits) == bool(language.fullmatch(digits)), number


# --- What is derived from the grammars --------------------------------------------------


def test_an_unknown_parser_is_refused() -> None:
    with pytest.raises(ValueError):
        lark_grammars.load_lark("lax")
