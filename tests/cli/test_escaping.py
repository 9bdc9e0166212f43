"""No command prints a control character of a file, of its name or of a tested program."""

from __future__ import annotations

import json
import re
import sys
import tarfile
import unicodedata
import zipfile
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from click.testing import Result

from sgf_lark.conformance import reporting
from sgf_lark.conformance.suite import Suite
from sgf_lark.diagnostics import Severity, Span
from sgf_lark.text.escaping import escape, escape_lines, is_visible, short_repr, to_json
from tests.kit.commands import invoke
from tests.kit.tables import for_each
from tests.kit.waiting import LIMIT

#: Colors, the title of the window, a line break, a forged command for GitHub, the 8-bit CSI,
#: a change of direction, a line separator and a byte that is no UTF-8.
EVIL = "a\x1b[31m\x1b]0;title\x07\r\n::error::forged\x9b2J\u202egold\u2028\u2066\udcff\x7f"
TEXT = EVIL.encode("utf-8", "surrogateescape")
GAME = (
    b"(;FF[4]GM[1]SZ[9]CA[UTF-8]GN[" + TEXT + b"]PB[" + TEXT + b"]KM[" + TEXT + b"]"
    b"C[" + TEXT + b"]XX[" + TEXT + b"];B[aa]N[" + TEXT + b"]LB[bb:" + TEXT + b"]"
    b";W[" + TEXT + b"]" + TEXT + b";B[cc])" + TEXT
)

NAME = f"{EVIL}.sgf"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "files"
    place.mkdir()
    try:
        (place / NAME).write_bytes(GAME)
    except (OSError, ValueError):
        pytest.skip("the file system does not allow such names")
    (place / f"{EVIL}.wei7").write_bytes(b'{"wei7": "' + TEXT + b'", "x\\u202e": [}')
    (place / f"{EVIL}.json").write_bytes(b'[[{"' + TEXT + b'": "x"}]]')
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / NAME).write_bytes(GAME)
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
        archive.writestr(NAME.replace("\udcff", ""), GAME)
    with tarfile.open(tmp_path / "evil.tar", "w") as tar:
        tar.add(place / NAME, NAME)
    (tmp_path / "damaged.zip").write_bytes(b"PK" + TEXT)
    return tmp_path


#: Command lines; NAME stands for the file, EVIL for a name that no file has.
LINES = [
    "check files evil.zip evil.tar damaged.zip EVIL",
    "check -j 2 files evil.zip EVIL",
    "check --lang zh files",
    "check -q files evil.zip",
    "check --statistics files",
    "check --format json files evil.zip evil.tar EVIL",
    "check --format jsonl files evil.zip evil.tar EVIL",
    "check --format sarif files evil.zip evil.tar EVIL",
    "check --format github files evil.zip evil.tar EVIL",
    "check --select EVIL files",
    "check --charset EVIL files",
    "check --EVIL files",
    "check --config EVIL files",
    "EVIL",
    "fix NAME -o out.sgf",
    "fix NAME --unsafe --diff",
    "fix files evil.zip EVIL --diff",
    "fix files evil.zip --format jsonl --unsafe",
    "fix files -o new",
    "fix NAME -i --backup .bak",
    "fix EVIL -i",
    "fix NAME -o NAME",
    "fix evil.zip -i",
    "fix NAME -o EVIL/x",
    "fix NAME --to-charset EVIL",
    "fix NAME --delete EVIL",
    "convert NAME",
    "convert NAME -o x.json",
    "convert NAME -o EVIL",
    "convert files -o new2",
    "convert files -o NAME",
    "convert evil.zip -o new3 --format wei7",
    "convert EVIL",
    "tree NAME",
    "tree NAME --tolerant",
    "tree NAME --tolerant --values",
    "tree NAME --tolerant --format json",
    "tree NAME --trace",
    "tree NAME --trace --tolerant",
    "tree EVIL",
    "tree files",
    "show NAME",
    "show NAME --node 0",
    "show NAME --format svg",
    "show NAME --format svg --node 1",
    "show NAME -o EVIL.svg",
    "show NAME -o EVIL/EVIL.svg",
    "show EVIL",
    "show one",
    "explain EVIL",
    "grammar --format html -o EVIL/EVIL",
    "conformance run --suite EVIL",
    "conformance run --target EVIL",
    "conformance run -o EVIL/x.json",
    "conformance report EVIL",
    "conformance report NAME",
    "fuzz --target EVIL --examples 1",
    "fuzz --target sgf_lark --corpus EVIL --examples 1",
    "fuzz replay EVIL",
    "fuzz replay NAME",
    "playground -o EVIL --pyodide EVIL",
    "schema EVIL",
]


def control_characters(output: bytes) -> set[str]:
    """The characters of an output that no terminal should get."""
    text = output.decode("utf-8", "surrogateescape")
    return {
        character
        for character in text
        if character not in "\n\t"
        and unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    }


def run(line: str) -> Result:
    """Run the command line in the current folder."""
    name = str(Path("files", NAME))
    words = [word.replace("NAME", name).replace("EVIL", EVIL) for word in line.split()]
    return invoke(*words)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.usefixtures("folder")
def test_no_control_character_is_printed(line: str) -> None:
    done = run(line)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    assert_is_plain(done.stdout_bytes + done.stderr_bytes, line)


def assert_is_plain(output: bytes, line: str) -> None:
    """Neither the name of a file nor its text begins a line, but for comments that are shown."""
    assert control_characters(output) == set()
    if not line.startswith("show"):
        assert not any(each.startswith(b"::error::forged") for each in output.splitlines())


#: A parser whose messages have control characters.
TARGET = f"""
import sys
data = sys.stdin.buffer.read()
sys.stderr.buffer.write({TEXT!r})
sys.stderr.flush()
raise KeyError({EVIL.encode("utf-8", "backslashreplace").decode()!r})
"""


def test_messages_of_tested_programs_are_escaped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("target.py").write_text(TARGET, "utf-8")
    reports = ("r.txt", "r.json", "r.html")
    # Without site-packages Python starts in half the time, once for each input.
    words = [
        "--target",
        f"{sys.executable} -I -S {tmp_path / 'target.py'}",
        "--examples",
        "1",
        "-j1",
    ]
    words += ["--timeout", str(LIMIT), *(word for name in reports for word in ("--report", name))]
    done = invoke("fuzz", *words)
    assert done.exit_code == 1, done.output
    findings = [*Path("fuzz-findings").glob("*.json")]
    assert findings
    for path in (*map(Path, reports), *findings):
        assert control_characters(path.read_bytes()) == set()
    replays = [run(f"fuzz replay {finding}") for finding in findings]
    assert {replayed.exit_code for replayed in replays} <= {0, 1}
    for printed in (done, *replays):
        assert control_characters(printed.stdout_bytes + printed.stderr_bytes) == set()


#: What a hostile parser may answer: markup, control characters, commands of a log.
ANSWER = f"{EVIL}<script>alert(1)</script>|`x`[y](javascript:z)\n::error::x\n# head\n"


@pytest.mark.parametrize("output_format", ["html", "text"])
def test_answers_of_parsers_are_escaped_in_conformance_reports(output_format: str) -> None:
    failure = {"case": "valid/z", "status": "wrong tree", "kind": ANSWER, "expected": "y"}
    parser = {"name": "parser", "version": ANSWER, "title": ANSWER, "trees": True}
    lists = {"skipped": ["valid/y"], "failures": [{**failure, "found": ANSWER}]}
    document = {
        "suite": {
            "cases": 2,
            "digest": "0" * 64,
            "groups": {"valid": 2},
            "task": "fix",
            "verdicts": {},
        },
        "made_by": {"sgf_lark": "1", "python": "3", "system": "x"},
        "parsers": [{**parser, **lists}],
    }
    if output_format == "html":
        report = reporting.render_html(document, Suite(Path(), "0" * 64, ()))
    else:
        report = reporting.render_text(document)
    assert control_characters(report.encode("utf-8", "backslashreplace")) == set()
    if output_format == "html":
        assert "<script>alert" not in report
    else:
        assert not re.search(r"^\s*(::error|# head)", report, re.MULTILINE)
        assert not re.search(r"(?<!\\)(<script|\|`|`x|\[y|\]\()", report)


def test_comments_are_no_commands_of_a_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = "::error::a\n  ::warning file=x::b\nc ##[error]d\ne::f"
    (tmp_path / "game.sgf").write_bytes(f"(;GM[1]SZ[9]C[{text}]N[::debug::x])".encode())
    shown = run("show game.sgf").stdout
    assert not re.search(r"^\s*::", shown, re.MULTILINE) and "##[" not in shown
    assert r"\x3a:error::a" in shown and "e::f" in shown


@pytest.mark.parametrize(
    "line",
    [
        "check NAME",
        "check -q NAME",
        "check --format concise NAME",
        "fix --diff --unsafe NAME",
        "tree NAME",
    ],
)
def test_names_are_no_commands_of_a_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.chdir(tmp_path)
    name = "::error::x.sgf"
    try:
        Path(name).write_bytes(b"::warning::y\n(;GM[1]AP[::debug::z:1]KM[6,5]C[a)")
    except OSError:
        pytest.skip("the file system does not allow such names")
    output = invoke(*line.replace("NAME", name).split()).output
    assert output and not re.search(r"^\s*::", output, re.MULTILINE)


@for_each([EVIL, "plain", "中文\u3000棋", "a\U000e0001b"])
def test_escaping(text: str) -> None:
    for line in (escape(text), escape_lines(text), to_json(text), to_json([text], indent=1)):
        assert control_characters(line.encode("utf-8")) == set()
    assert "\n" not in escape(text)
    assert json.loads(to_json({text: [text]})) == {text: [text]}
    assert escape(escape(text)) == escape(text)


#: A text, and how it is shown on one line, on several lines, and in JSON.
ESCAPED = [
    ("", "", "", ""),
    ("a b", "a b", "a b", "a b"),
    ("a\tb\nc", r"a\tb\nc", "a\\tb\nc", r"a\tb\nc"),
    ("\n", r"\n", "\n", r"\n"),
    ("a\\\x1b", "a\\\\x1b", "a\\\\x1b", r"a\\\u001b"),
    ("棋\u3000é\xa0", "棋\u3000é\xa0", "棋\u3000é\xa0", "棋\u3000é\xa0"),
    ("\u202e\x7f\x9b", r"\u202e\x7f\x9b", r"\u202e\x7f\x9b", r"\u202e\u007f\u009b"),
    ("\udcff\U000e0001", r"\udcff\U000e0001", r"\udcff\U000e0001", r"\udcff\udb40\udc01"),
]


@for_each(ESCAPED)
def test_escaped_texts(text: str, one: str, several: str, as_json: str) -> None:
    assert (escape(text), escape_lines(text), to_json(text)) == (one, several, f'"{as_json}"')
    assert escape(PurePosixPath("x", text)) == escape(str(PurePosixPath("x", text)))
    assert [is_visible(character) for character in text] == [
        escape(character) == character for character in text
    ]
    assert to_json([text], indent=1) == f'[\n "{as_json}"\n]'


#: What orjson refuses, or could write in another way.
VALUES_OF_JSON = [
    {"a": [1, 2.5, 1e16, None, True], "b": {}, "c": []},
    {1: "number", None: "nothing"},
    ["\udcff", "/", "<", "\x7f", "é\u2028"],
    [2**70, -(2**63), Severity.ERROR, Span(1, 2, 3, 4)],
]


@for_each(VALUES_OF_JSON)
def test_json_is_the_same_without_orjson(value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with_orjson = to_json(value)
    monkeypatch.setitem(sys.modules, "orjson", None)
    assert to_json(value) == with_orjson


class Far:
    """Its repr has an address."""


class Named:
    """Its repr has its name."""

    def __repr__(self) -> str:
        return "Named(1)"


class Nameless:
    """Its repr does not have its name."""

    def __repr__(self) -> str:
        return "<1>"


class Broken:
    """It has no repr."""

    def __repr__(self) -> str:
        raise RuntimeError


#: A value, and how messages show it.
SHOWN: list[tuple[Any, str]] = [
    (None, "None"),
    (True, "True"),
    (1.5, "1.5"),
    (-7, "-7"),
    ("a\nb", r"'a\nb'"),
    ("\u202e", r"'\u202e'"),
    (b"a", "b'a'"),
    ([1, "x"], "[1, 'x']"),
    ({}, "{}"),
    ((1,), "(1,)"),
    ({1}, "{1}"),
    (frozenset({1}), "frozenset({1})"),
    (2**160 - 1, f"{2**160 - 1}"),
    (2**160, "a whole number of 161 bits"),
    (-(2**160), "a whole number of 161 bits"),
    ("x" * 58, f"'{'x' * 58}'"),
    ("x" * 59, f"'{'x' * 58}…"),
    ("x" * 10**6, f"'{'x' * 58}…"),
    ("\0" * 15, "'" + r"\x00" * 14 + "\\x…"),
    (Named(), "Named(1)"),
    (Nameless(), "<1> (Nameless)"),
    (range(3), "range(0, 3)"),
    (bytearray(b"x"), "bytearray(b'x')"),
    (1 + 2j, "(1+2j) (complex)"),
    (Far(), "<Far>"),
    (Broken(), "<Broken>"),
    ([Broken()], "<list>"),
]


@for_each(SHOWN)
def test_values_are_shown_on_one_short_line(value: Any, expected: str) -> None:
    assert short_repr(value) == expected
