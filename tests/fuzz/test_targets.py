"""Targets, hostile ones too, and the canonical tree."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from sgf_lark.fuzz.adapters import adapters
from sgf_lark.fuzz.canonical import canonical, compare, difference, parse_document
from sgf_lark.fuzz.outcomes import TargetError, Verdict, find_crash, last_lines
from sgf_lark.fuzz.strategies import collections
from sgf_lark.fuzz.targets import Target, open_target
from tests.kit.tables import for_each
from tests.kit.waiting import LIMIT, wait_until

HOSTILE = "tests.kit.hostile:any_of_them"
COMMAND = f"{sys.executable} -m tests.kit.hostile"

SAMPLE = (
    rb"(;FF[4]CA[UTF-8]C[a\]b\:" + b"\\\r\nc\r\nd\te](;AB[aa:bb][cc])(;B[];W[tt]))(;N[\xc3\xa9])"
)


def nodes(form: str) -> list[list[dict[str, Any]]]:
    text = {"raw": "a\\]b\\:\\\nc\nd\te", "text": "a]b:c\nd e"}[form]
    return [
        [
            {"parent": None, "properties": [["FF", ["4"]], ["CA", ["UTF-8"]], ["C", [text]]]},
            {"parent": 0, "properties": [["AB", ["aa:bb", "cc"]]]},
            {"parent": 0, "properties": [["B", [""]]]},
            {"parent": 2, "properties": [["W", ["tt"]]]},
        ],
        [{"parent": None, "properties": [["N", ["Ã©"]]]}],
    ]


@pytest.mark.parametrize("form", ["raw", "text"])
@pytest.mark.parametrize("engine", ["tables", "lark"])
def test_canonical(form: Any, engine: Any) -> None:
    assert canonical(SAMPLE, form, engine=engine) == nodes(form)


@given(collections())
def test_canonical_tree_is_its_own_document(data: bytes) -> None:
    for form in ("raw", "text"):
        printed = json.loads(json.dumps({"form": form, "games": canonical(data, form)}))
        assert parse_document(printed) == (form, canonical(data, form))
        assert compare(partial(canonical, data), printed["games"], form) is None


def test_canonical_tree_of_deep_nesting() -> None:
    depth = 20_000
    game = canonical(b"(;" * depth + b")" * depth)[0]
    assert [node["parent"] for node in game] == [None, *range(depth - 1)]


DIFFERENT = [
    (b"(;B[aa])", b"(;B[aa])(;)", "number of games"),
    (b"(;B[aa])", b"(;B[aa];)", "number of nodes"),
    (b"(;(;)(;(;)(;)))", b"(;(;(;))(;(;)))", "parent"),
    (b"(;B[aa])", b"(;B[aa]KO[])", "extra property"),
    (b"(;B[aa]KO[])", b"(;B[aa])", "missing property"),
    (b"(;AB[aa][bb])", b"(;AB[aa])", "number of values"),
    (rb"(;C[a\]b])", rb"(;C[a\\\]b])", "value with an escape"),
    (b"(;C[a\nb])", b"(;C[ab])", "value with a line break"),
    (b"(;C[ab ])", b"(;C[ab])", "white space around a value"),
    (b"(;C[a\xe9])", b"(;C[a\xea])", "value beyond ASCII"),
    (b"(;C[a])", b"(;C[b])", "value"),
    (b"(;KO[]B[aa])", b"(;B[aa]KO[])", None),
    (b"(;C[a\x03])", b"(;C[a])", None),
    (b"(;CA[UTF-8]C[\xc3\xa9\xc3\xa9\xff])", b"(;CA[UTF-8]C[\xc3\xa9\xc3\xa9])", None),
]


@for_each(DIFFERENT)
def test_difference(expected: bytes, found: bytes, kind: str | None) -> None:
    seen = difference(canonical(expected, "text"), canonical(found, "text"))
    assert (seen and seen.kind) == kind


def test_values_as_a_set() -> None:
    left, right = canonical(b"(;AB[aa][bb])"), canonical(b"(;AB[bb][aa])")
    assert difference(left, right, ordered=False) is None
    assert difference(left, right) is not None


#: A file, what a parser returns for its last property, and the forms in which that is right.
FORMS_OF_VALUES = [
    (rb"(;C[a\]b])", ["a]b"], {"text", "mixed"}),
    (rb"(;C[a\]b])", ["a\\]b"], {"raw", "mixed"}),
    (rb"(;C[a\]b])", ["ab"], set()),
    # What a parser keeps of white space is compared as it is.
    (b"(;C[a\r\nb\tc])", ["a\nb c"], {"text", "mixed"}),
    (b"(;C[a\r\nb\tc])", ["a\nb\tc"], {"raw", "mixed"}),
    (b"(;C[a\r\nb])", ["a\r\nb"], set()),
    (b"(;C[a\vb])", ["a\vb"], {"raw", "mixed"}),
    (b"(;AB[aa:bb][dd])", ["aa", "ab", "ba", "bb", "dd"], {"text+points", "raw+points"}),
    (b"(;AB[aa:bb][dd])", ["dd", "bb", "ba", "ab", "aa"], {"mixed+points"}),
    (b"(;AB[aa:bb][dd])", ["aa", "ab", "ba", "dd"], set()),
    (b"(;GM[11]AB[a1:b2])", ["a1", "b1", "a2", "b2"], {"text+points"}),
    (b"(;LB[aa:bb])", ["aa", "ab", "ba", "bb"], set()),
    (b"(;XX[aa:bb])", ["aa", "ab", "ba", "bb"], set()),
]


@for_each(FORMS_OF_VALUES)
def test_forms_of_values(data: bytes, values: list[str], forms: set[str]) -> None:
    games = canonical(data)
    games[0][0]["properties"][-1][1] = values
    right = {
        form
        for form in ("text", "raw", "mixed", "text+points", "raw+points", "mixed+points")
        if parse_document({"form": form, "games": games}) == (form, games)
        and compare(partial(canonical, data), games, form) is None
    }
    assert {form for form in right if "+" not in form} == {one for one in forms if "+" not in one}
    assert forms <= right
    # The list alone is in the form "text", for all who run a parser.
    assert parse_document(games) == ("text", games)


def test_a_tree_in_the_other_form_is_named() -> None:
    tree = partial(canonical, rb"(;C[a\]b\c])")
    for form, games in (("text", tree("raw")), ("raw", tree("text"))):
        different = compare(tree, games, form)
        assert different is not None and '"games": […]' in different.kind
        assert f'"form": "{form}"' not in different.kind
    # White space that a parser keeps is so in both forms.
    tree = partial(canonical, b"(;C[a\tb])")
    different = compare(tree, tree("raw"), "text")
    assert different is not None and "form" not in different.kind


@pytest.mark.parametrize(
    "value",
    [3, {"games": 3}, {"form": "html", "games": []}, [3], [[3]], [[{"properties": [["B", "aa"]]}]]]
    + [
        [[{"parent": None, "properties": []}, {"parent": parent, "properties": []}]]
        for parent in (None, 1, -1, "0")
    ],
)
def test_other_values_are_not_canonical_trees(value: Any) -> None:
    with pytest.raises(ValueError):
        parse_document(value)


EXPECTED = {
    "(;)": ("accept", ""),
    "hello": ("reject", "ValueError: no SGF"),
    "segfault": ("crash", "Segmentation fault"),
    "abort": ("crash", "Aborted"),
    "exit": ("crash", ""),
    "quit": ("crash", "SystemExit: 3"),
    "sleep": ("hang", "no answer within 0.5 s"),
    "ignore": ("hang", "no answer within 0.5 s"),
    "memory": ("memory", "MemoryError"),
    "flood": ("hang", "no answer within 0.5 s"),
    "forge": ("crash", ""),
    "child": ("hang", "no answer within 0.5 s"),
    "recurse": ("crash", "RecursionError: maximum recursion depth exceeded"),
    "fail": ("crash", "KeyError: 'no such thing'"),
    "tree": ("accept", ""),
}


def _set_timeout(target: Target, verdict: str) -> None:
    """Set a short timeout for hangs only, so that the test passes on a slow machine."""
    timeout = 0.5 if verdict == Verdict.HANG else LIMIT
    target.limits = replace(target.limits, timeout=timeout)


def test_hostile_function() -> None:
    with open_target(HOSTILE, memory=1 << 28) as target:
        for data, (verdict, detail) in EXPECTED.items():
            _set_timeout(target, verdict)
            outcome = target.run(data.encode())
            assert outcome.verdict == verdict, data
            assert outcome.detail.split(", then at")[0] == detail, data
            # The next input finds a working target.
            _set_timeout(target, "accept")
            assert target.run(b"(;)").verdict is Verdict.ACCEPT
        assert target.run(b"tree").tree == [[{"parent": None, "properties": [["B", ["aa"]]]}]]
        assert target.run(b"nonsense").detail.startswith("no canonical tree")
        assert target.run(b"fail").place.startswith("tests.kit.hostile:")
        assert target.run(b"recurse").place == "tests.kit.hostile: _recurse"
        # Long enough for the function to be where it hangs.
        target.limits = replace(target.limits, timeout=3.0)
        assert target.run(b"sleep").detail.startswith("no answer within 3 s, then at hostile.py:")
        _set_timeout(target, "crash")
        assert target.run(b"segfault").place.startswith("SIGSEGV hostile.py:")


def test_hostile_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    expected = {
        "(;)": "accept",
        "hello": "reject",
        "segfault": "crash",
        "ignore": "hang",
        "memory": "memory",
        "flood": "crash",
        "recurse": "crash",
        "fail": "crash",
    }
    with open_target(COMMAND, memory=1 << 28, output=1 << 20) as target:
        for data, verdict in expected.items():
            _set_timeout(target, verdict)
            assert target.run(data.encode()).verdict == verdict, data
        assert target.run(b"segfault").place == "SIGSEGV"
        assert target.run(b"fail").place.startswith("hostile.py:")


def test_all_processes_are_killed() -> None:
    with open_target(HOSTILE, timeout=0.5) as target:
        assert target.run(b"child").verdict is Verdict.HANG
        mark = target.mark
        folder = target.folder
    assert not folder.exists()
    if not Path("/proc/self/environ").exists():
        return
    processes = Path("/proc")
    wait_until(lambda: not any(mark in _environment(entry) for entry in processes.glob("[0-9]*")))


def _environment(process: Path) -> str:
    try:
        return (process / "environ").read_bytes().decode("latin-1")
    except OSError:
        return ""


def test_commands(tmp_path: Path) -> None:
    script = tmp_path / "prints.py"
    script.write_text(
        "import sys\n"
        "data = open(sys.argv[1], 'rb').read()\n"
        "open('rubbish', 'wb').write(data)\n"
        "print('[[{\"parent\": null, \"properties\": []}]]' if b'tree' in data else 'fine')\n"
    )
    with open_target(f"{sys.executable} {script} {{file}}", timeout=LIMIT) as target:
        assert target.run(b"(;tree)").tree == [[{"parent": None, "properties": []}]]
        assert target.run(b"(;)").tree is None
        assert not [*target.folder.iterdir()]


@pytest.mark.parametrize(
    "spec", ["", "no-such-program-anywhere", "no_such_module:function", "os:nothing"]
)
def test_unavailable_targets(spec: str) -> None:
    with pytest.raises(TargetError), open_target(spec) as target:
        target.run(b"(;)")


#: What programs print when they crash, with the message and the place.
CRASHES = {
    'Traceback (most recent call last):\n  File "/x/a.py", line 3, in <module>\n'
    '  File "/x/b.py", line 7, in read\nIndexError: list index out of range\n': (
        "IndexError: list index out of range",
        "b.py:7 read",
    ),
    "Fatal Python error: Aborted\n\nThread 0x1 (most recent call first):\n"
    '  File "/x/b.py", line 7 in read\n  File "/x/a.py", line 3 in <module>\n': (
        "Aborted",
        "b.py:7 read",
    ),
    "/x/a.js:3\n  throw x\nTypeError: no\n    at inner (/x/a.js:3:5)\n    at /x/b.js:9:1\n": (
        "TypeError: no",
        "a.js:3",
    ),
    "/x/a.js:3\nRangeError: Maximum call stack size exceeded\n    at inner (/x/a.js:3:5)\n": (
        "RangeError: Maximum call stack size exceeded",
        "a.js",
    ),
    "thread 'main' panicked at src/main.rs:4:5:\nindex out of bounds\n": (
        "thread 'main' panicked at src/main.rs:4:5: / index out of bounds",
        "main.rs:4",
    ),
    'Exception in thread "main" java.lang.IllegalStateException: no\n'
    "\tat Parser.read(Parser.java:3)\n\tat Main.main(Main.java:9)\n": (
        "java.lang.IllegalStateException: no",
        "Parser.java:3",
    ),
    "***assertion failure:\nboard.c:942 - pos == PASS_MOVE near [-219]***\n": (
        "***assertion failure: / board.c:942 - pos == PASS_MOVE near [-219]***",
        "board.c:942",
    ),
    "prog: read.c:5: next: Assertion `p' failed.\nAborted\n": (
        "prog: read.c:5: next: Assertion `p' failed. / Aborted",
        "read.c:5",
    ),
    "Can't use an undefined value as an ARRAY reference at /usr/share/A.pm line 1026.\n": (
        "Can't use an undefined value as an ARRAY reference at /usr/share/A.pm line 1026.",
        "A.pm:1026",
    ),
    "/x/parser.rb:12:in `value': undefined method `+' for nil:NilClass (NoMethodError)\n"
    "\tfrom /x/parser.rb:30:in `node'\n\tfrom /x/parser.rb:41:in `tree'\n"
    "\tfrom /x/parser.rb:50:in `parse'\n\tfrom /x/run.rb:3:in `<main>'\n": (
        "/x/parser.rb:12:in `value': undefined method `+' for nil:NilClass (NoMethodError)",
        "parser.rb:12",
    ),
    "Unhandled exception. System.IndexOutOfRangeException: Index was outside the bounds.\n"
    "   at Sgf.Parser.Value() in /x/Parser.cs:line 12\n   at Program.Main() in /x/P.cs:line 3\n": (
        "System.IndexOutOfRangeException: Index was outside the bounds.",
        "Parser.cs:12",
    ),
    "PHP Fatal error:  Uncaught TypeError: no array in /x/parser.php:12\nStack trace:\n"
    "#0 /x/parser.php(30): value()\n#1 {main}\n  thrown in /x/parser.php on line 12\n": (
        "PHP Fatal error:  Uncaught TypeError: no array in /x/parser.php:12",
        "parser.php:12",
    ),
    "lua: ./parser.lua:3: attempt to index a nil value (local 'node')\nstack traceback:\n"
    "\t./parser.lua:3: in function 'parser.parse'\n\trun.lua:2: in main chunk\n\t[C]: in ?\n": (
        "lua: ./parser.lua:3: attempt to index a nil value (local 'node')",
        "parser.lua:3",
    ),
    "panic: oops\n\ngoroutine 1 [running]:\nmain.read(0x1)\n\t/x/main.go:12 +0x1d\n": (
        "panic: oops",
        "main.go:12",
    ),
}


@for_each(CRASHES)
def test_crashes(errors: str) -> None:
    crash = find_crash(errors)
    assert crash is not None and crash.verdict is Verdict.CRASH
    assert (crash.detail, crash.place) == CRASHES[errors]


def test_messages_are_not_crashes() -> None:
    for errors in ("", "error: line 3", "Unterminated value at line 3.", "Empty file?"):
        assert find_crash(errors) is None


def test_the_message_of_a_program_of_any_language_survives_its_trace() -> None:
    message = "Parser::Bug: no value"
    trace = "".join(f"\tfrom other/place{number}\n" for number in range(9))
    assert last_lines(f"{message}\n{trace}") == message
    assert "other/place8" in last_lines(trace)
    frames = "".join(f"\tparser.lua:{number}: in function 'parse'\n" for number in range(9))
    assert last_lines(f"lua: {message}\nstack traceback:\n{frames}") == f"lua: {message}"
    tcl = f'{message}\n    while executing\n"value $x"\n    (file "parser.tcl" line 7)\n'
    assert last_lines(tcl) == f'{message} / "value $x"'
    cpp = f"terminate called after throwing an instance of 'Bug'\n  what():  {message}\n"
    assert last_lines(cpp).endswith(f"what():  {message}")


@for_each(
    [
        ("PHP Fatal error:  Allowed memory size of 134217728 bytes exhausted in /x/p.php:3\n",),
        ("Unhandled exception. System.OutOfMemoryException: Exception was thrown.\n",),
        ("[FATAL] failed to allocate memory (NoMemoryError)\n",),
        ("Out of memory!\n",),
    ]
)
def test_want_of_memory_in_any_language(errors: str) -> None:
    crash = find_crash(errors)
    assert crash is not None and crash.verdict is Verdict.MEMORY


AGREEING = b"(;FF[4]GM[1]CA[UTF-8]SZ[9]C[a\\]b](;B[aa])(;B[bb];W[]AB[cc][dd]))"


@pytest.mark.parametrize("name", [name for name, entry in adapters().items()])
def test_adapters(name: str) -> None:
    adapter = adapters()[name]
    assert adapter.title
    if adapter.installed_version() is None:
        with pytest.raises(TargetError, match="install"):
            open_target(name)
        return
    with open_target(name, timeout=LIMIT) as target:
        outcome = target.run(AGREEING)
        assert outcome.verdict is Verdict.ACCEPT, outcome
        if outcome.tree is not None:
            tree = partial(canonical, AGREEING)
            assert compare(tree, outcome.tree, outcome.form, ordered=target.ordered) is None
        assert target.run(b"(;C[unclosed").verdict is Verdict.REJECT


# --- The files of the user -------------------------------------------------------------

#: Deletes everything that it reaches by relative paths, and the folder it runs in.
_DELETES = """
import os, shutil, sys

def target(data=None):
    for name in ["keep.sgf", "../keep.sgf", "sub", *os.listdir(".")]:
        shutil.rmtree(name, ignore_errors=True)
        if os.path.isfile(name):
            os.unlink(name)
    with open("made.sgf", "w") as file:
        file.write("x")
    shutil.rmtree(os.getcwd())

if __name__ == "__main__":
    sys.stdin.read()
    target()
"""


@pytest.mark.parametrize("kind", ["function", "command", "file"])
def test_target_cannot_delete_by_relative_paths(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "keep.sgf").write_text("(;)")
    (tmp_path / "deletes_files.py").write_text(_DELETES)
    program = f"{sys.executable} deletes_files.py"
    spec = {"function": "deletes_files:target", "command": program, "file": f"{program} {{file}}"}
    with open_target(spec[kind], timeout=LIMIT) as target:
        for _ in range(3):
            assert target.run(b"(;)").verdict in (Verdict.ACCEPT, Verdict.CRASH)
            target.close()
    names = {path.name for path in tmp_path.iterdir()} - {"__pycache__"}
    assert names == {"sub", "keep.sgf", "deletes_files.py"}
