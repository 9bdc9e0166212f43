"""The generators behind the strategies: words, options, variety; without Hypothesis, too.

That their files conform, or violate what they are said to, is in
``tests/contract/test_fuzz_strategies.py``.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sgf_lark
from sgf_lark import grammar
from sgf_lark.fuzz.generating import Making, RandomChoices, word
from sgf_lark.fuzz.generating_files import generate, usual_charsets
from sgf_lark.fuzz.mutants import make_syntactic, mutate
from sgf_lark.fuzz.strategies import collections, violations
from sgf_lark.fuzz.violations import examples, violate
from sgf_lark.syntax import grammars as value_grammar
from tests.contract.test_fuzz_strategies import codes_of
from tests.kit.tables import for_each


@for_each(sorted(value_grammar.value_types()))
def test_generated_words_match_their_pattern(value_type: str) -> None:
    choices = RandomChoices(random.Random(1))
    made = {word("values.lark", value_type, Making(choices)) for _ in range(100)}
    assert all(value_grammar.pattern(value_type).fullmatch(raw) for raw in made)


def test_words_of_the_grammar_are_collections() -> None:
    choices = RandomChoices(random.Random(1))
    made = {make_syntactic(choices) for _ in range(200)}
    assert len(made) > 190
    for data in made:
        sgf_lark.loads(data)


OPTIONS: list[dict[str, Any]] = [
    {"size": 52, "game": 1},
    {"size": (3, 7), "charset": None},
    {"file_format": 2, "nodes": 5},
    {"nodes": 3_000, "shape": "line"},
    {"nodes": 1_000, "shape": "bushy"},
    *({"game": game} for game in grammar.games()),
    *({"charset": charset, "nodes": 20} for charset in usual_charsets()),
    *({"file_format": number} for number in (1, 2, 3, 4)),
]


@for_each(OPTIONS)
def test_options_are_respected(options: dict[str, Any]) -> None:
    for seed in range(2):
        (tree,) = sgf_lark.loads(data := generate(random.Random(seed), trees=1, **options))
        assert codes_of(data) == set()
        if "nodes" in options:
            assert sum(1 for _ in tree.nodes()) == options["nodes"] + 1
        if "game" in options:
            assert tree.game == options["game"]
        if "size" in options:
            size = options["size"]
            assert tree.size == (size if isinstance(size, tuple) else (size, size))
        if "file_format" in options:
            assert tree.file_format == options["file_format"]
        if "charset" in options:
            assert tree.root.get("CA") == options["charset"]


WRONG = [
    ({"file_format": 3, "charset": "UTF-8"}, ValueError),
    ({"file_format": 3, "size": (9, 13)}, ValueError),
    ({"file_format": 5}, ValueError),
    ({"size": 53}, ValueError),
    ({"game": 99}, ValueError),
    ({"charset": "nonsense"}, LookupError),
]


@pytest.mark.parametrize(("options", "error"), WRONG, ids=str)
def test_invalid_options_are_rejected(options: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        generate(random.Random(1), **options)


@given(collections(game=st.sampled_from([1, 11]), size=st.integers(5, 9), nodes=3, trees=2))
def test_options_can_be_strategies(data: bytes) -> None:
    trees = sgf_lark.loads(data)
    assert len(trees) == 2
    for tree in trees:
        assert tree.game in (1, 11)
        assert tree.size is not None and set(tree.size) <= set(range(5, 10))


def test_wide_characters_can_be_asked_for_by_name() -> None:
    data = generate(random.Random(1), charset="UTF-16", trees=1)
    assert codes_of(data) == {"SGF208", "SGF214"}


def test_styles_and_kinds_vary() -> None:
    """A few hundred files contain everything that a parser must support."""
    source = random.Random(11)
    files = [generate(source) for _ in range(500)]
    for part in (b"\\\n", b"\\]", b"\\:", b" (", b"\r\n;", b"CA[Shift_JIS]", b"FF[2]", b"GM[11]"):
        assert any(part in data for data in files), part
    seldom = {
        "a number beyond 32 bits": rb"\[[+-]?0*[1-9][0-9]{9}",
        "lowercase letters in an identifier": rb"[;\]](?:[a-z]+[A-Z]|[A-Z]+[a-z])[A-Za-z]*\[",
        "an escaped colon in a label": rb"LB\[[A-Za-z0-9]+:[^\]]?\\:",
        "an escaped bracket in a label": rb"LB\[[A-Za-z0-9]+:[^\]]?\\\]",
        "200 game trees in each other": rb"\)(?:\s*\)){200}",
    }
    files += [generate(source) for _ in range(500)]
    for what, pattern in seldom.items():
        assert any(re.search(pattern, data) for data in files), what
    properties = [
        (node.tree.game, entry)
        for data in files
        for tree in sgf_lark.loads(data)
        for node in tree.nodes()
        for entry in node.properties
    ]
    idents = {entry.ident for _, entry in properties}
    assert {entry.ident for entry in grammar.properties() if not entry.games} - idents <= {
        *{entry.ident for entry in grammar.properties() if entry.private}
    }
    assert any(b":" in raw for _, entry in properties if entry.ident == "AB" for raw in entry.raw)


# --- Violations and mutants ---------------------------------------------------------------


def test_changes_of_examples_are_usually_kept() -> None:
    """A file without any change is one of the few examples of its rule."""
    source = random.Random(5)
    made = [violate(source) for _ in range(150)]
    assert sum(data not in examples(code) for data, code in made) > 120


def test_code_that_no_file_violates_is_rejected() -> None:
    with pytest.raises(KeyError):
        violations("SGF001")


@given(st.binary(max_size=50), st.integers())
def test_mutation_is_deterministic(data: bytes, seed: int) -> None:
    assert mutate(data, random.Random(seed)) == mutate(data, random.Random(seed))


def test_mutants_violate_many_rules() -> None:
    source = random.Random(3)
    found: set[str] = set()
    for _ in range(200):
        found |= codes_of(mutate(generate(source), source))
    assert len(found) > 50


# --- Without Hypothesis --------------------------------------------------------------------


def test_only_the_strategies_need_hypothesis() -> None:
    program = (
        "import sys, random; sys.modules['hypothesis'] = None\n"
        "from sgf_lark.fuzz.generating_files import generate\n"
        "from sgf_lark.fuzz.mutants import mutate\n"
        "from sgf_lark.fuzz.violations import violate\n"
        "mutate(generate(random.Random(1)), random.Random(1))\n"
        "violate(random.Random(1))\n"
        "import sgf_lark.fuzz.strategies"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.returncode == 1
    assert "pip install 'sgf-lark[fuzz]'" in run.stderr.splitlines()[-1]
