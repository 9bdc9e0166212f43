"""The EBNF, the Lark grammars and the tables say the same."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import interegular
import pytest
from lark import Lark, Token, Transformer, Tree

from sgf_lark import grammar, stored
from sgf_lark.syntax import grammars as lark_grammars
from sgf_lark.syntax import values as value_grammar

#: What sgf.ebnf describes in words, as regular expressions over bytes.
IN_WORDS = {
    'any character but "]" and "\\"': r"[^\]\\]",
    "any character": r"[\x00-\xff]",
}


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
        case "alt":
            return "(?:" + "|".join(map(as_pattern, rest)) + ")"
        case _:
            return "".join(map(as_pattern, rest))


def automaton(pattern: str) -> Any:
    return interegular.parse_pattern(pattern).to_fsm()


@pytest.mark.parametrize("name", ["collection", "gametree", "sequence", "node", "property"])
def test_structure_is_rule_for_rule_the_same(name: str) -> None:
    assert from_lark(lark_grammars.rule_trees("sgf.lark")[name]) == RULES[name]


@pytest.mark.parametrize("name", ["propident", "propvalue"])
def test_tokens_describe_the_same_language(name: str) -> None:
    rule = from_lark(lark_grammars.rule_trees("sgf.lark")[name])
    terminal = lark_grammars.structure_parser().get_terminal(rule[1])
    assert automaton(terminal.pattern.to_regexp()) == automaton(as_pattern(RULES[name]))


@pytest.mark.parametrize(
    ("ebnf", "lark"),
    [
        ("none", "none"),
        ("number", "number"),
        ("real", "real"),
        ("double", "double"),
        ("color", "color"),
        ("point", "go_point"),
        ("move", "go_move"),
    ],
)
def test_value_types_describe_the_same_language(ebnf: str, lark: str) -> None:
    derived = value_grammar.pattern(lark).pattern.removeprefix(b"(?s)").decode("latin-1")
    assert automaton(derived) == automaton(as_pattern(RULES[ebnf]))


def test_every_value_type_of_the_ebnf_is_in_the_lark_grammar() -> None:
    named = {form[1] for form in RULES["valuetype"][1:]} - {"point", "move", "stone"}
    assert named <= set(value_grammar.value_types())


def test_grammars_have_no_conflicts() -> None:
    # Lark refuses reduce/reduce conflicts always, shift/reduce ones with strict=True.
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


def test_properties_are_complete() -> None:
    assert len(grammar.properties()) == 113
    assert set(grammar.games()) == set(range(1, 41))
    for entry in grammar.properties():
        assert set(entry.games) <= set(grammar.games())


@pytest.mark.parametrize(
    "expression",
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
    ],
)
def test_value_expressions_reject_what_is_none(expression: str) -> None:
    with pytest.raises(ValueError, match="value expression"):
        grammar.parse_value_expression(expression)


@pytest.mark.parametrize("name", grammar.TABLES)
def test_stored_tables_are_current(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = grammar.read(f"{name}.toml")
    known = grammar.table(name)
    assert known == stored.frozen(tomllib.loads(data.decode()))
    changed = data + b"\n[another]\nkey = 1\n"
    assert stored.table(name, changed)["another"] == {"key": 1}
    monkeypatch.delattr("tomllib.loads")
    assert stored.table(name, data) == known, "python -m sgf_lark.engine stores it anew"


def test_what_reports_need_of_rules_is_current(monkeypatch: pytest.MonkeyPatch) -> None:
    data = grammar.read("rules.toml")
    made = stored.rules(data + b"\n")
    assert [row["code"] for row in made] == list(grammar.rules())
    monkeypatch.delattr("tomllib.loads")
    assert stored.rules(data) == made, "python -m sgf_lark.engine stores it anew"


def test_what_is_stored_is_written_the_same_again(tmp_path: Path) -> None:
    folder = Path(stored.__file__).with_name("_stored")
    program = (
        "import runpy, sys; from sgf_lark import stored; stored._FOLDER = sys.argv[1]\n"
        "runpy.run_module('sgf_lark.engine', run_name='__main__')"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=True, capture_output=True)
    written = {path.name for path in tmp_path.iterdir()}
    # What re makes of an expression is stored for some versions of re.
    known = {path.name for path in folder.glob("[!_]*.py")}
    others = {name for name in written ^ known if name.startswith("expressions_")}
    assert written - others == known - others
    for name in written - others:
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes(), (
            "python -m sgf_lark.engine stores it anew"
        )


@pytest.mark.parametrize("stored_as", sorted(stored._expressions(), key=repr), ids=repr)
def test_stored_expressions_are_what_re_makes(stored_as: Any) -> None:
    made, compiled = stored.expression(stored_as), re.compile(stored_as)
    assert made == compiled  # also by what it does, and by its flags
    assert (made.groups, made.groupindex) == (compiled.groups, compiled.groupindex)


def test_expressions_that_are_not_stored_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    assert stored.expression("(?i)another (one)?").match("Another ")
    with pytest.raises(re.error):
        stored.expression("(")
    monkeypatch.setattr(stored, "_asked", {})
    monkeypatch.setattr(stored, "_inside_re", Mock(compile=Mock(side_effect=RuntimeError)))
    assert stored.expression("[BW]\\+0+(?:\\.0+)?") == re.compile("[BW]\\+0+(?:\\.0+)?")
    monkeypatch.setattr(stored, "_NAME_OF_EXPRESSIONS", "of_another_version")
    assert stored._expressions.__wrapped__() == {}


@pytest.mark.parametrize(
    "text",
    ["", "CONTENT = ''", "CONTENT = {}", "CONTENT = {'odd': ()}", "(", "raise ImportError"],
)
def test_what_is_not_rightly_stored_is_worked_out(
    text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "odd.py").write_text(text)
    monkeypatch.setattr("sgf_lark._stored.__path__", [str(tmp_path)])
    assert stored.load("odd", b"") is None
    monkeypatch.delitem(sys.modules, "sgf_lark._stored.odd", raising=False)


def test_rules_have_no_other_keys() -> None:
    for row in grammar.table("rules")["rule"]:
        rule = grammar.rules()[row["code"]]
        assert [key for key in row if not hasattr(rule, key)] == []


def test_what_is_stored_is_current() -> None:
    data = grammar.read("values.lark")
    known = stored.load("values", data)
    assert known == stored.frozen(lark_grammars.values()), (
        "python -m sgf_lark.engine stores it anew"
    )
    assert stored.load("values", data + b"\nanother: NUMBER\n") is None
