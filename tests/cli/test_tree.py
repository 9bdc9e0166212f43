"""``sgf-lark tree``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st
from lark import Lark, Token

from sgf_lark import SGFSyntaxError, grammar, parse_tree
from sgf_lark.lalr_tables import tables_of
from sgf_lark.syntax import grammars as lark_grammars
from sgf_lark.teaching.automaton import STACK, grammar_of, steps, structure
from tests.kit.commands import invoke
from tests.kit.tables import for_each


def tree(data: bytes, *options: str) -> Result:
    return invoke("tree", "-", *options, stdin=data)


def test_text_has_rules_and_terminals_with_their_places() -> None:
    result = tree("(;FF[4]\nC[黑棋];B[aa])".encode())
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[:3] == ["collection  1:1", "  gametree  1:1", "    sequence  1:2"]
    assert "          propvalue  2:2" in lines
    assert "            BRACKETED_VALUE  2:2  [黑棋]" in lines


def walk(data: bytes) -> list[Any]:
    """The subtrees and tokens of a parse tree in pre-order, without recursion."""
    found: list[Any] = []
    stack: list[Any] = [parse_tree(data)]
    while stack:
        found.append(item := stack.pop())
        stack += [] if isinstance(item, Token) else reversed(item.children)
    return found


DAMAGED = [
    (b"(;FF[4]GM[1]x;B[aa])", "junk", "SGF120"),
    (b"(FF[4]GM[1];B[aa])", "missing_semicolon", "SGF103"),
    (b"(;FF[4];B;W[aa])", "property_without_value", "SGF110"),
    (b"(;FF[4]C[see [1] there];W[aa])", "UNESCAPED_BRACKET", "SGF118"),
    (b"(;FF[4]C[never ends", "UNCLOSED_VALUE", "SGF119"),
    (b"(;FF[4]White[dd])", "LOWERCASE_IDENTIFIER", "SGF114"),
    (b"mail\n(;FF[4])", "text_outside", "SGF101"),
]


@for_each(DAMAGED)
def test_damage_is_shown_where_it_is(data: bytes, symbol: str, code: str) -> None:
    assert symbol not in lark_grammars.regular_symbols()
    lines = tree(data, "--tolerant").stdout.splitlines()
    (line,) = (line for line in lines if line.split()[0] == symbol)
    assert code in line
    assert sum(line.count("SGF") for line in lines) == 1


def test_strict_tree_of_a_damaged_file_is_a_syntax_error() -> None:
    result = tree(b"(;FF[4]GM[1]x;B[aa])")
    assert result.exit_code == 1
    assert "line 1, column 13" in result.stderr and "--tolerant" in result.stderr
    assert result.stdout == ""


def test_depth_is_no_matter() -> None:
    depth = 3_000
    result = tree(b"(;" * depth + b")" * depth, "--values")
    assert result.exit_code == 0
    assert result.stdout.count("gametree") == depth
    assert len(result.stdout.splitlines()) == 1 + 3 * depth


def test_wide_characters() -> None:
    lines = tree("\ufeff(;C[棋])".encode("utf-16-le")).stdout.splitlines()
    assert lines[-1].strip() == "BRACKETED_VALUE  1:4  [棋]"


@for_each(["--trace --values", "--states"])
def test_options_that_exclude_or_need_each_other(options: str) -> None:
    assert tree(b"(;)", *options.split()).exit_code == 2


def test_file_is_read_in_the_charset_in_which_it_follows_the_grammar() -> None:
    data = b"(;FF[4]CA[GBK]C[" + "乗]".encode("gbk")  # its second byte is a backslash
    assert b"\\]" in data
    result = tree(data + b"PB[x])")
    assert result.exit_code == 0
    assert "[乗]" in result.stdout


# --- Values ---------------------------------------------------------------------------

VALUES = [
    # options, text, what is shown of the type and the rules of the first value
    ([], "(;FF[4])", "number, by file_format"),
    ([], "(;AB[aa:cc])", "list of stone, by go_rectangle"),
    ([], "(;LB[aa:b])", 'list of composed point ":" simpletext, by compose: go_point, simpletext'),
    ([], "(;B[])", "move, by go_move"),
    ([], "(;W[zzz])", "move, by go_move"),
    ([], "(;QQ[1])", "by unknown"),
    (["--gm", "11"], "(;B[c12])", "move, by hex_move"),
    (["--tolerant"], "(;C[a [b] c]W[aa])", "text, by text"),
    (["--tolerant"], "(;B[aa", "move, by go_move"),
]


@for_each(VALUES)
def test_value_is_described(options: list[str], text: str, how: str) -> None:
    lines = tree(text.encode(), "--values", *options).stdout.splitlines()
    shown = next(line.strip() for line in lines if line.strip().startswith("= "))
    assert shown.endswith(f"  ({how})")


def test_every_value_is_described_once_and_in_the_given_language() -> None:
    data = b"(;FF[4]AB[aa][bb](;B[aa])(;W[];C[x]))(;GM[1])"
    lines = tree(data, "--values", "--lang", "zh").stdout.splitlines()
    described = [number for number, line in enumerate(lines) if line.strip().startswith("= ")]
    assert len(described) == data.count(b"[")
    assert all("BRACKETED_VALUE" in lines[number - 1] for number in described)
    assert any("停一手" in lines[number] for number in described)


# --- Steps ----------------------------------------------------------------------------

CASES = sorted((Path(__file__).parents[1] / "conformance" / "files" / "structure").rglob("*.sgf"))


def replay(data: bytes, *, tolerant: bool = False) -> Any:
    """Return the stack after the steps; each step has to follow from the one before."""
    stack: list[str] = []
    symbol = {"LPAR": '"("', "RPAR": '")"', "SEMICOLON": '";"'}
    state = 0
    for step in steps(data, tolerant=tolerant):
        assert step.stack == tuple(stack[-STACK:]) and step.stack_size == len(stack)
        assert step.state == state
        if step.action == "shift":
            stack.append(symbol.get(step.terminal, step.terminal))
        elif step.action == "reduce":
            name, *parts = step.production.partition(" -> ")[0].split(" ")
            assert stack[len(stack) - len(parts) :] == parts
            stack[len(stack) - len(parts) :] = [name.removesuffix(":")]
        if step.target is not None:
            state = step.target
    return stack, step


@for_each(CASES)
def test_steps_are_those_of_the_parse(path: Path) -> None:
    data = path.read_bytes()
    stack, last = replay(data)
    try:
        parse_tree(data)
    except SGFSyntaxError as error:
        assert last.action == "error"
        assert set(last.expected) == set(error.expected)
    else:
        assert last.action == "accept" and stack == ["collection"]
        taken = [step for step in steps(data) if step.action != "accept"]
        tokens = [item for item in walk(data) if isinstance(item, Token)]
        structure = {"LPAR", "RPAR", "SEMICOLON"}
        shifted = [step for step in taken if step.action == "shift"]
        assert [step.start for step in shifted if step.terminal not in structure] == [
            token.start_pos for token in tokens
        ]
        named = [step for step in taken if re.match(r"[a-z]+:", step.production)]
        assert len(named) == len(walk(data)) - len(tokens)


@given(st.text("(;)[]B x\n", max_size=30))
def test_tolerant_steps_always_end_in_acceptance(text: str) -> None:
    stack, last = replay(text.encode(), tolerant=True)
    assert (stack, last.action) == (["collection"], "accept")


def test_steps_as_text() -> None:
    result = tree(b"(;FF[4]\n(;C[\xe6\xa3\x8b]))x", "--trace")
    assert result.exit_code == 1
    lines = [re.split("  +", line.strip()) for line in result.stdout.splitlines()]
    assert lines[0] == ["place", "state", "stack", "token", "action"]
    assert lines[1] == ["1:1", "0", "LPAR (", "shift, state 1"]
    assert any(line[3:4] == ["BRACKETED_VALUE [棋]"] for line in lines)
    assert lines[-2][-1].startswith("shift, state ")
    assert any(line[-1].startswith('reduce by gametree: "(" sequence ")"') for line in lines)
    assert lines[-1][0] == "2:9" and lines[-1][-1].startswith("error: expected ")
    assert "line 2, column 9" in result.stderr


def test_steps_come_as_they_are_taken() -> None:
    depth = 20_000
    parse = steps(b"(;" * depth)
    sizes = [next(parse).stack_size for _ in range(1000)]
    assert sizes[0] == 0 and max(sizes) > STACK
    *_, last = steps(b"(;" * depth)
    assert last.action == "error" and len(last.stack) == STACK


# --- States, and changed grammars -------------------------------------------------------


@for_each([False, True])
def test_automaton_is_that_of_lark(tolerant: bool) -> None:
    """Lark's table has no items; the actions that follow from ours are those that it has."""
    automaton = structure(tolerant).automaton
    assert not automaton.conflicts
    tables = tables_of(lark_grammars.structure_parser(tolerant))
    numbers = tables.numbers(["collection"])
    assert len(numbers) == len(automaton.states)
    for state, row in tables.states.items():
        found = automaton.actions[numbers[state]]
        accepted = {"$END": ~automaton.count}
        expected = {name: goal if goal < 0 else numbers[goal] for name, goal in row.items()}
        is_final = state == tables.end_states["collection"]
        assert found == (accepted if is_final else expected)


def test_lookaheads_are_those_of_the_textbook() -> None:
    """Grammar 4.61 of "Compilers", 2nd edition, of which example 4.62 has the lookaheads."""
    text = 's: l "=" r | r\nl: "*" r | ID\nr: l\nID: "x"'
    found = grammar_of(Lark(text, parser="earley", lexer="basic", start="s"))
    kernels = {
        (item.text, item.lookaheads)
        for state in found.automaton.states
        for item in found.items(state.number)
        if item.is_kernel
    }
    assert kernels == {
        *(("• s", "$END"), ("s •", "$END"), ("s: r •", "$END"), ("r: l •", "$END")),
        *(('s: l • "=" r', "$END"), ('s: l "=" • r', "$END"), ('s: l "=" r •', "$END")),
        *(('l: "*" • r', '$END "="'), ('l: "*" r •', '$END "="')),
        *(("r: l •", '$END "="'), ('l: "x" •', '$END "="')),
    }


def test_each_step_has_a_reason() -> None:
    for step in steps(b"(;FF[4](;B[aa])(;W[bb]C[x][y]))"):
        items = structure().items(step.state, step.terminal)
        reasons = [item.text for item in items if item.is_reason]
        if step.action == "reduce":
            assert reasons == [f"{step.production} •"]
        else:
            assert reasons


def changed(tmp_path: Path, pattern: str, replacement: str) -> str:
    """A copy of sgf.lark in which a line is replaced."""
    text, count = re.subn(pattern, replacement, grammar.source("sgf.lark"), flags=re.MULTILINE)
    assert count == 1
    path = tmp_path / "my.lark"
    path.write_text(text)
    return str(path)


def test_changed_grammar_has_trees_and_words(tmp_path: Path) -> None:
    line = 'node: ";" title? property*\\ntitle: UCLETTERS'
    path = changed(tmp_path, "^node: .*", line)
    found = tree(b"(;FF)", "--lark", path)
    assert found.exit_code == 0 and "title" in found.stdout
    refused = tree(b"(;FF GM)", "--lark", path)
    assert refused.exit_code == 1 and "-:1:8: error" in refused.stderr
    assert tree(b"(;FF GM)", "--lark", path, "--trace").exit_code == 1
    words = invoke("grammar", "--lark", path, "--words", "50").stdout
    lark = Lark(Path(path).read_text(), parser="lalr", start="collection")
    for word in words.splitlines():
        text = word.replace('"', "").replace("UCLETTERS", " A").replace("BRACKETED_VALUE", "[a]")
        lark.parse(text)
    assert len(set(words.splitlines())) == 50


@pytest.mark.parametrize(
    ("text", "exit_code", "message"),
    [
        (
            'start: "a" start "a" | "a"',
            0,
            'Conflict: state 1, after "a", and the next token is "a"',
        ),
        ("start: a | b\na: X\nb: X\nX: /x/\n", 1, "  reduce by b: X"),
        ("start: b", 2, "my.lark: Rule 'b' used but not defined"),
        ("%", 2, "my.lark: "),
        ("X: /x/", 2, "there is no production in it"),
    ],
)
def test_conflicts_and_errors_of_a_grammar(
    tmp_path: Path, text: str, exit_code: int, message: str
) -> None:
    path = tmp_path / "my.lark"
    path.write_text(text)
    found = tree(b"a", "--lark", str(path))
    assert found.exit_code == exit_code and message in found.stderr
    shown = invoke("grammar", "--lark", path, "--states")
    assert shown.exit_code == (2 if exit_code == 2 else 0)
    assert message in shown.output
