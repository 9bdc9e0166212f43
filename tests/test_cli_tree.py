"""``sgf-lark tree``."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result

from sgf_lark import grammar
from sgf_lark.cli import main


def tree(data: bytes, *options: str) -> Result:
    return CliRunner().invoke(main, ["tree", "-", *options], input=data, catch_exceptions=False)


def test_text_has_rules_and_terminals_with_their_places() -> None:
    result = tree("(;FF[4]\nC[黑棋];B[aa])".encode())
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[:3] == ["collection  1:1", "  gametree  1:1", "    sequence  1:2"]
    assert "          propvalue  2:2" in lines
    assert "            BRACKETED_VALUE  2:2  [黑棋]" in lines


def test_json_is_the_tree() -> None:
    data = b"(;FF[4](;B[aa])(;C[\xe9]))"
    root = json.loads(tree(data, "--json").stdout)

    def leaves(item: dict[str, Any]) -> list[dict[str, Any]]:
        children = [leaf for child in item.get("children", []) for leaf in leaves(child)]
        assert ("rule" in item) != ("terminal" in item)
        return children or [item]

    assert root["rule"] == "collection"
    for leaf in leaves(root):
        assert data[leaf["start"] : leaf["end"]] == leaf["text"].encode("latin-1")
        assert leaf["column"] == leaf["start"] + 1


DAMAGED = [
    (b"(;FF[4]GM[1]x;B[aa])", "junk", "SGF120"),
    (b"(FF[4]GM[1];B[aa])", "missing_semicolon", "SGF103"),
    (b"(;FF[4];B;W[aa])", "property_without_value", "SGF110"),
    (b"(;FF[4]C[see [1] there];W[aa])", "UNESCAPED_BRACKET", "SGF118"),
    (b"(;FF[4]C[never ends", "UNCLOSED_VALUE", "SGF119"),
    (b"(;FF[4]White[dd])", "LOWERCASE_IDENTIFIER", "SGF114"),
    (b"mail\n(;FF[4])", "text_outside", "SGF101"),
]


@pytest.mark.parametrize(("data", "symbol", "code"), DAMAGED)
def test_damage_is_shown_where_it_is(data: bytes, symbol: str, code: str) -> None:
    assert symbol not in grammar.regular_symbols()
    lines = tree(data, "--tolerant").stdout.splitlines()
    (line,) = (line for line in lines if line.split()[0] == symbol)
    assert code in line
    assert sum(line.count("SGF") for line in lines) == 1
    found = tree(data, "--tolerant", "--json").stdout
    assert f'"codes": ["{code}"]' in found


def test_strict_tree_of_a_damaged_file_says_why_not() -> None:
    result = tree(b"(;FF[4]GM[1]x;B[aa])")
    assert result.exit_code == 1
    assert "line 1, column 13" in result.stderr and "--tolerant" in result.stderr
    assert result.stdout == ""


def test_unreadable_file() -> None:
    result = CliRunner().invoke(main, ["tree", "no-such.sgf"], catch_exceptions=False)
    assert result.exit_code == 2


@pytest.mark.parametrize("options", [["--json"], []])
def test_depth_is_no_matter(options: list[str]) -> None:
    depth = 3000
    result = tree(b"(;" * depth + b")" * depth, *options)
    assert result.exit_code == 0
    assert result.stdout.count("gametree") == depth


def test_wide_characters() -> None:
    lines = tree("\ufeff(;C[棋])".encode("utf-16-le")).stdout.splitlines()
    assert lines[-1].strip() == "BRACKETED_VALUE  1:4  [棋]"
