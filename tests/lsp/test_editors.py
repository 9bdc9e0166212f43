"""What editors use: positions, and highlighting by the TextMate grammar and by Pygments."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import DiagnosticSeverity, Position, PositionEncodingKind
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Error

from sgf_lark import grammar
from sgf_lark.analysis import Settings
from sgf_lark.fuzz.generating_files import generate
from sgf_lark.lsp import findings, server
from sgf_lark.lsp.analysis import Analysis, Text
from sgf_lark.lsp.findings import diagnostics
from sgf_lark.lsp.pygments_lexer import SGFLexer
from tests.kit.waiting import LIMIT

ENCODINGS = {
    PositionEncodingKind.Utf8: ("utf-8", 1),
    PositionEncodingKind.Utf16: ("utf-16-le", 2),
    PositionEncodingKind.Utf32: ("utf-32-le", 4),
}
TEXTS = st.text(st.sampled_from("ab\r\n\v\f\u2028é中𝄞\ud800"))


@given(TEXTS, st.sampled_from(list(ENCODINGS)))
def test_each_character_has_its_position(text: str, encoding: PositionEncodingKind) -> None:
    codec, size = ENCODINGS[encoding]
    lines = Text(text.encode("utf-8", "surrogatepass"), encoding)
    line = column = offset = 0
    for index, character in enumerate(text):
        found = lines.position(offset)
        assert found == Position(line, column)
        is_within_break = character == "\n" and text[index - 1 : index] == "\r"
        if not is_within_break:
            assert lines.offset(found) == offset
        offset += len(character.encode("utf-8", "surrogatepass"))
        column += len(character.encode(codec, "surrogatepass")) // size
        if character == "\n" or (character == "\r" and text[index + 1 : index + 2] != "\n"):
            line, column = line + 1, 0
    assert lines.position(offset) == Position(line, column)


def test_positions_outside_of_the_text_are_moved_into_it() -> None:
    for line, column, offset in ((0, 99, 3), (1, 99, 9), (1, 1, 5), (1, 2, 9), (9, 0, 9)):
        assert Text("abc\r\n𝄞".encode()).offset(Position(line, column)) == offset


def test_no_error_is_hidden_behind_hints() -> None:
    text = b"(;FF[4]GM[1]" + b"".join(b";XX[%d]" % n for n in range(20)) + b";KM[x];MN[y])"
    analysis = Analysis(Text(text), Settings())
    shown = diagnostics(analysis, "file:///x.sgf", 5)
    errors = [each for each in shown if each.severity is DiagnosticSeverity.Error]
    assert len(errors) == 2 and len(shown) == 6
    assert f"not listed: {len(analysis.validated.findings) - 5}" in shown[-1].message


# --- Highlighting: the TextMate grammar in VS Code's own tokenizer, and the lexer of Pygments


ROOT = Path(__file__).parents[2]


@cache
def _grammar() -> bytes:
    program = ROOT / "docs" / "examples" / "textmate.py"
    return subprocess.run([sys.executable, program], capture_output=True, check=True).stdout


#: A folder with the npm packages vscode-textmate and vscode-oniguruma.
NODE_MODULES = Path(os.environ.get("SGF_LARK_NODE_MODULES", "node_modules"))

needs_tokenizer = pytest.mark.skipif(
    shutil.which("node") is None or not (NODE_MODULES / "vscode-textmate").is_dir(),
    reason="needs Node.js, vscode-textmate and vscode-oniguruma",
)


def _tokens(texts: list[str], folder: Path) -> list[list[tuple[str, str]]]:
    path = folder / "grammar.json"
    path.write_bytes(_grammar())
    script = Path(__file__).parents[1] / "textmate.cjs"
    answer = subprocess.run(
        ["node", str(script), str(path), str(NODE_MODULES.parent)],
        input=json.dumps(texts).encode(),
        capture_output=True,
        timeout=LIMIT,
        check=True,
    )
    return [[(word, scope) for word, scope in one] for one in json.loads(answer.stdout)]


_CASES = (
    ("(", "(;B[pd])", "punctuation.section.gametree.begin.sgf"),
    ("B", "(;B[pd])", "keyword.control.move.sgf"),
    ("pd", "(;B[pd])", "variable.other.point.sgf"),
    ("FF", "(;FF[4])", "storage.type.root.sgf"),
    ("4", "(;FF[4])", "constant.numeric.sgf"),
    ("PB", "(;PB[a \\] b])", "entity.name.tag.game-info.sgf"),
    ("\\]", "(;PB[a \\] b])", "constant.character.escape.sgf"),
    (" b", "(;PB[a \\] b])", "string.unquoted.simpletext.sgf"),
    ("(;B[aa])", "(;C[(;B\\[aa\\])])", None),
    ("bb", "(;AB[aa]\n\n[bb])", "variable.other.point.sgf"),
    ("two", "(;C[one\ntwo])", "string.unquoted.text.sgf"),
    ("W", "(;PL[W])", "constant.language.sgf"),
    ("x", "(;LB[aa:x])", "string.unquoted.simpletext.sgf"),
    (":", "(;AB[aa:bb])", "punctuation.separator.compose.sgf"),
    ("XYZ", "(;XYZ[1])", "invalid.deprecated.unknown.sgf"),
    ("b", "(;PL[b])", "invalid.illegal.value.sgf"),
    ("ab?", "(;B[aa]ab?;W[bb])", "invalid.illegal.junk.sgf"),
    ("W", "(;B[aa]ab?;W[bb])", "keyword.control.move.sgf"),
)


@needs_tokenizer
def test_words_have_their_scopes(tmp_path: Path) -> None:
    found = _tokens([text for _, text, _ in _CASES], tmp_path)
    for tokens, (word, text, scope) in zip(found, _CASES, strict=True):
        if scope is None:
            assert not any(each.startswith("keyword") for _, each in tokens), text
        else:
            assert (word, scope) in tokens, (text, tokens)


@needs_tokenizer
def test_conforming_files_have_no_invalid_words(tmp_path: Path) -> None:
    source = random.Random(7)
    files = [generate(source, file_format=4, charset="UTF-8", nodes=8).decode() for _ in range(60)]
    for tokens, text in zip(_tokens(files, tmp_path), files, strict=True):
        invalid = [word for word, scope in tokens if scope.startswith("invalid.illegal")]
        assert not invalid, text


def test_every_property_is_in_the_grammar() -> None:
    written = _grammar().decode()
    for definition in grammar.properties():
        assert re.search(f"[|:]{definition.ident}[|)]", written), definition.ident


def test_the_example_for_vs_code_has_its_commands_and_the_settings_of_the_server() -> None:
    folder = ROOT / "docs" / "examples" / "vscode"
    package: dict[str, Any] = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    contributed = package["contributes"]
    script = (folder / "extension.js").read_text(encoding="utf-8")
    assert {each["command"] for each in contributed["commands"]} == {
        *re.findall(r'register\("([^"]+)"', script)
    }
    used = {*re.findall(r'execute\("([^"]+)"', script)}
    assert used == {server.BOARD, findings.FIX_COMMAND}
    for path in (each["path"] for each in contributed["grammars"]):
        assert path.removeprefix("./") in (folder / ".vscodeignore").read_text(encoding="utf-8")


# --- Pygments ------------------------------------------------------------------------


def test_pygments_finds_the_lexer() -> None:
    assert any(each.name == "sgf" for each in entry_points(group="pygments.lexers"))
    assert isinstance(get_lexer_by_name("sgf-lark"), SGFLexer)
    assert isinstance(get_lexer_for_filename("game.sgf"), SGFLexer)


@pytest.mark.parametrize(
    "text", ("", "(;B[aa];W[])", "(;C[ä 𝄞\\]];XX[1]", "junk (;b[1]\x00]]", "(;FF[4]C[\r\n]\n)")
)
def test_lexer_keeps_every_character(text: str) -> None:
    found = list(SGFLexer().get_tokens_unprocessed(text))
    assert "".join(word for _, _, word in found) == text
    place = 0
    for start, _, word in found:
        assert start == place
        place += len(word)


def test_lexer_marks_what_the_grammar_does_not_allow() -> None:
    clean = SGFLexer().get_tokens_unprocessed("(;FF[4]GM[1]\n;B[aa];W[bb]C[x])")
    assert not any(kind is Error for _, kind, _ in clean)
    damaged = SGFLexer().get_tokens_unprocessed("(;FF[4] ?? ;B[aa])")
    assert [word for _, kind, word in damaged if kind is Error] == ["??"]
