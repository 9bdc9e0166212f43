"""The harnesses in ``docs/harnesses``, each with a small parser in its language."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from sgf_lark.fuzz.outcomes import TargetError, Verdict
from sgf_lark.fuzz.targets import Target, open_target
from tests.kit.waiting import LIMIT

HARNESSES = Path(__file__).parents[2] / "docs" / "harnesses"

#: What the parsers return for "(tree": a root, its child and a second game.
TREE = [
    [
        {"parent": None, "properties": [["C", ['a"\\\n\u00e9']], ["AB", ["aa", "bb"]]]},
        {"parent": 0, "properties": []},
        {"parent": 0, "properties": [["W", [""]]]},
    ],
    [{"parent": None, "properties": []}],
]

#: For each harness a parser that crashes on "(crash", hangs on "(hang", returns a tree for "(tree",
#: accepts other files that begin with "(" and rejects the rest; its file, the program that builds
#: or runs it, and how.
PARSERS = {
    "harness.py": (
        f"""
def parse(data):
    if data.startswith(b"(crash"):
        raise KeyError("crash")
    while data.startswith(b"(hang"):
        pass
    if data.startswith(b"(tree"):
        print("noise")
        return {TREE}
    if not data.startswith(b"("):
        raise ValueError("no\\nSGF")
""",
        "my_parser.py",
        sys.executable,
        f"{sys.executable} harness.py",
    ),
    "harness.mjs": (
        f"""
export function parse(data) {{
  const text = data.toString('latin1')
  if (text.startsWith('(crash')) throw new TypeError('crash')
  while (text.startsWith('(hang')) {{}}
  if (text.startsWith('(tree')) return {json.dumps(TREE)}
  if (!text.startsWith('(')) throw new SyntaxError('no\\nSGF')
}}
""",
        "my-parser.mjs",
        "node",
        "node harness.mjs",
    ),
    "harness.pl": (
        r"""
package MyParser;
use strict;
sub parse {
    my ($data) = @_;
    die "crash" if $data =~ /^\(crash/;
    while ($data =~ /^\(hang/) {}
    die { reject => "no\nSGF" } unless $data =~ /^\(/;
    return undef unless $data =~ /^\(tree/;
    print "noise\n";
    return [[
        { parent => undef, properties => [["C", ["a\"\\\n\x{e9}"]], ["AB", ["aa", "bb"]]] },
        { parent => 0, properties => [] },
        { parent => 0, properties => [["W", [""]]] },
    ], [{ parent => undef, properties => [] }]];
}
1;
""",
        "MyParser.pm",
        "perl",
        "perl harness.pl",
    ),
    "harness.c": (
        r"""
#include <stdlib.h>
#include <string.h>
#include "sgf_tree.h"
const char *parse(const unsigned char *data, size_t size) {
    if (size >= 6 && memcmp(data, "(crash", 6) == 0) abort();
    while (size >= 5 && memcmp(data, "(hang", 5) == 0) continue;
    if (size >= 5 && memcmp(data, "(tree", 5) == 0) {
        sgf_game();
        int root = sgf_node(-1);
        sgf_property("C");
        sgf_value("a\"\\\n\xc3\xa9", 6);
        sgf_property("AB");
        sgf_value("aa", 2);
        sgf_value("bb", 2);
        sgf_node(root);
        sgf_node(root);
        sgf_property("W");
        sgf_value("", 0);
        sgf_game();
        sgf_node(-1);
    }
    return size && data[0] == '(' ? NULL : "no SGF";
}
""",
        "my_parser.c",
        "gcc",
        "gcc -Wall -Wextra -Werror -o harness harness.c my_parser.c",
    ),
    "harness.rs": (
        r"""
use crate::sgf_tree::Tree;
pub fn parse(data: &[u8]) -> Result<Tree, String> {
    if data.starts_with(b"(crash") { panic!("crash"); }
    while data.starts_with(b"(hang") {}
    if !data.starts_with(b"(") { return Err("no\nSGF".to_string()) }
    let mut tree = Tree::default();
    if data.starts_with(b"(tree") {
        tree.game();
        let root = tree.node(None);
        tree.property("C");
        tree.value("a\"\\\n\u{e9}");
        tree.property("AB");
        tree.value("aa");
        tree.value("bb");
        tree.node(Some(root));
        tree.node(Some(root));
        tree.property("W");
        tree.value("");
        tree.game();
        tree.node(None);
    }
    Ok(tree)
}
""",
        "my_parser.rs",
        "rustc",
        "rustc -O harness.rs",
    ),
    "harness.go": (
        r"""
package main

import (
	"bytes"
	"errors"
)

func parse(data []byte) ([][]Node, error) {
	if bytes.HasPrefix(data, []byte("(crash")) {
		panic("crash")
	}
	for bytes.HasPrefix(data, []byte("(hang")) {
	}
	if !bytes.HasPrefix(data, []byte("(")) {
		return nil, errors.New("no\nSGF")
	}
	if !bytes.HasPrefix(data, []byte("(tree")) {
		return nil, nil
	}
	root := 0
	return [][]Node{{
		{nil, []Property{{"C", []string{"a\"\\\n\u00e9"}}, {"AB", []string{"aa", "bb"}}}},
		{&root, nil},
		{&root, []Property{{"W", []string{""}}}},
	}, {{nil, nil}}}, nil
}
""",
        "my_parser.go",
        "go",
        "go build -o harness harness.go my_parser.go",
    ),
    "Harness.java": (
        r"""
class MyParser {
    static SgfTree parse(byte[] data) throws Exception {
        java.io.File.createTempFile("input", ".sgf").delete();
        String text = new String(data, "ISO-8859-1");
        if (text.startsWith("(crash")) throw new NullPointerException("crash");
        while (text.startsWith("(hang")) {}
        if (!text.startsWith("(")) throw new java.io.IOException("no\nSGF");
        if (!text.startsWith("(tree")) return null;
        SgfTree tree = new SgfTree();
        tree.game();
        int root = tree.node(null);
        tree.property("C");
        tree.value("a\"\\\n\u00e9");
        tree.property("AB");
        tree.value("aa");
        tree.value("bb");
        tree.node(root);
        tree.node(root);
        tree.property("W");
        tree.value("");
        tree.game();
        tree.node(null);
        return tree;
    }
}
""",
        "MyParser.java",
        "javac",
        "javac Harness.java SgfTree.java MyParser.java",
    ),
}

EXPECTED = [
    (b"(;C[a\nb])", Verdict.ACCEPT),
    (b"", Verdict.REJECT),
    (b"hello\n", Verdict.REJECT),
    (b"(" * 100_000, Verdict.ACCEPT),
    (b"(crash)", Verdict.CRASH),
    (b"12\n(;)", Verdict.REJECT),
    (b"(hang)", Verdict.HANG),
    (b"(;)", Verdict.ACCEPT),
]


def command(name: str, folder: Path) -> str:
    """Build the harness in a folder and return the command that runs it."""
    source, file, program, how = PARSERS[name]
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    shutil.copytree(HARNESSES, folder, dirs_exist_ok=True)
    (folder / file).write_text(source, "utf-8")
    if name in ("harness.py", "harness.mjs", "harness.pl"):
        return how.replace(name, str(folder / name))
    environment = {**os.environ, "GOCACHE": str(folder / "cache"), "GO111MODULE": "off"}
    subprocess.run(how.split(), cwd=folder, env=environment, check=True, capture_output=True)
    return f"java -cp {folder} Harness" if program == "javac" else str(folder / "harness")


def _run(target: Target, data: bytes, expected: Verdict) -> Verdict:
    """Run with a short timeout for hangs only, so that the test passes on a slow machine."""
    timeout = 0.5 if expected is Verdict.HANG else LIMIT
    target.limits = replace(target.limits, timeout=timeout)
    return target.run(data).verdict


@pytest.mark.parametrize("name", PARSERS)
def test_harness(name: str, tmp_path: Path) -> None:
    with open_target(f"persistent: {command(name, tmp_path)}") as target:
        assert [_run(target, data, verdict) for data, verdict in EXPECTED] == [
            verdict for _, verdict in EXPECTED
        ]
        assert target.run(b"(tree)").tree == TREE
        assert target.run(b"no").detail == "no SGF"


@pytest.mark.parametrize(
    "program", ["print('hello', flush=True)", "import sys; sys.exit('broken')"]
)
def test_program_without_the_protocol(program: str) -> None:
    spec = f'persistent: {sys.executable} -c "{program}; input()"'
    with open_target(spec) as target, pytest.raises(TargetError, match="cannot be run"):
        target.limits = replace(target.limits)
        target.run(b"(;)")


def test_other_output_is_no_reply() -> None:
    program = "print('ready', flush=True); input(); print('perhaps', flush=True); input()"
    with open_target(f'persistent: {sys.executable} -c "{program}"', timeout=LIMIT) as target:
        outcome = target.run(b"(;)")
    assert (outcome.verdict, outcome.place) == (
        Verdict.CRASH,
        "it answered with what is not an answer",
    )
