"""A property, a game with a notation and a rule are added to a copy of the package, each in the
places that ``docs/contributing/README.md`` lists, and used."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from itertools import takewhile
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import pytest

from sgf_lark import grammar

CHECKOUT = Path(__file__).parents[2]
PAGE = (CHECKOUT / "docs/contributing/README.md").read_text("utf-8")


def example(place: str) -> str:
    """The code of the page whose first line, a comment, names that place."""
    rows = PAGE.partition(f" {place}\n")[2].splitlines(keepends=True)
    code = takewhile(lambda row: row.startswith("    ") or not row.strip(), rows)
    # A comment that names a file begins the next example.
    text = re.split(r"(?m)^(?:#|//) \w+/.*, ", dedent("".join(code)))[0].strip()
    if text.partition("\n")[2] in "".join(map(grammar.source, ("properties.toml", "values.lark"))):
        pytest.skip("the checkout has the example of the page")
    return f"\n{text}\n"


#: Prints what each file or call gives, as one object of JSON.
USE = """
import json, random, sys
import sgf_lark
from sgf_lark.model.values import notations
from sgf_lark.fuzz.generating_files import generate
from sgf_lark.fuzz.violations import violate

def codes(text, **options):
    data = text if isinstance(text, bytes) else text.encode()
    found = [sorted({each.code for each in sgf_lark.validate(data, engine=engine).diagnostics})
             for engine in ("tables", "lark")]
    assert found[0] == found[1], found
    return found[0]

def refused(node, ident, value):
    try:
        node[ident] = value
    except (TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"

def value_of(text):
    node = sgf_lark.loads(text.encode())[0].root.children[0]
    return [str(value) for value in node.properties[0].values]

def assigned(ident, value):
    node = sgf_lark.loads(b"(;FF[4]GM[42];)")[0].root.children[0]
    node[ident] = value
    return bytes(node.property(ident)).decode()

node = sgf_lark.loads(b"(;FF[4]GM[42];)")[0].root.children[0]
exec(compile(sys.stdin.read(), "use", "exec"))
print(json.dumps(result))
"""


class Copy:
    """A copy of the package and the grammar, which is to be changed. It has the compiled modules,
    too: to compile them again would take longer than all the rest."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("sgf_lark", "grammar"):
            shutil.copytree(CHECKOUT / name, folder / name, ignore=shutil.ignore_patterns("*.c"))

    def append(self, path: str, text: str) -> None:
        with (self.folder / path).open("a", encoding="utf-8") as file:
            file.write(text)

    def replace(self, path: str, old: str, new: str) -> None:
        file = self.folder / path
        text = file.read_text("utf-8")
        assert text.count(old) == 1, (path, old)
        file.write_text(text.replace(old, new), "utf-8")

    def run(self, *arguments: str, given: str = "") -> str:
        ran = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            input=given,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def use(self, expression: str) -> Any:
        """The value of an expression in the copy, in which :data:`USE` can be called."""
        return json.loads(self.run("-c", USE, given=f"result = {dedent(expression).strip()}"))


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def test_property_has_one_place(copy: Copy) -> None:
    copy.append("grammar/properties.toml", example("grammar/properties.toml, at the end"))
    found = copy.use(
        """{
            "files": {text: codes(f"(;FF[4]GM[1]QZ[{text}])") for text in
                      ("0", "100", "+007", "-0", "-1", "101", "1" + "0" * 5000, "x", "")},
            "fixed": sgf_lark.fix(b"(;FF[4]GM[1]QZ[101])", unsafe=True).data.decode(),
            "kept": sgf_lark.fix(b"(;FF[4]GM[1]QZ[101])").data.decode(),
            "range": sgf_lark.grammar.definition("QZ", 1, 4).range,
            "generated": sum(b"QZ[" in data for data in
                             (generate(random.Random(seed), nodes=200) for seed in range(3))),
            "conform": [codes(generate(random.Random(seed), trees=1)) for seed in range(3)],
            "refused": refused(node, "QZ", "much"),
        }"""
    )
    assert found["files"] == {
        **{text: [] for text in ("0", "100", "+007", "-0")},
        **{text: ["SGF440"] for text in ("-1", "101")},
        "1" + "0" * 5000: ["SGF440", "SGF906"],
        "x": ["SGF303"],
        "": ["SGF307"],
    }
    assert found["kept"] == "(;FF[4]GM[1]QZ[101])"
    assert "QZ[101]" not in found["fixed"] and "101" in found["fixed"]
    assert found["range"] == "0 to 100."
    assert found["generated"] == 3
    assert found["conform"] == [[]] * 3
    assert found["refused"].startswith("TypeError: QZ cannot hold 'much'; it takes a whole number")
    assert "0 to 100." in copy.run("-m", "sgf_lark", "explain", "QZ")


def test_game_with_notation_has_the_places_of_the_table(copy: Copy) -> None:
    copy.append("grammar/properties.toml", example("grammar/properties.toml, after the last game"))
    copy.append("grammar/values.lark", example("grammar/values.lark, at the end"))
    found = copy.use(
        """{
            "value": codes("(;FF[4]GM[42];B[Fa1];W[Sz9])"),
            "refused": refused(node, "B", 5),
            "text": assigned("B", "Cb2"),
            "no text": refused(node, "B", "zz"),
            "line": codes("(;FF[4]GM[42]AR[a1:b2][c3:c3])"),
        }"""
    )
    # Without the classes a value is the list of its tokens, and is written from its text.
    assert found == {
        "value": ["SGF319"],
        "refused": "TypeError: B cannot hold 5; it takes a move of Tak as its text in SGF "
        "(a kind of stone and a point)",
        "text": "B[Cb2]",
        "no text": "ValueError: B cannot hold 'zz': 'zz' is not a move of Tak; it takes a "
        "move of Tak as its text in SGF (a kind of stone and a point)",
        "line": ["SGF515"],
    }

    module, amazons = "sgf_lark/model/values/notations.py", "# Amazons, GM[18]"
    notation = example(f'{module}, before the comment "{amazons}"')
    for old, new in (
        (amazons, f"{notation}\n\n"),
        ('    "hex_point": write_column', '    "tak_point": write_column_and_number,\n'),
        ('    "gess_move": GessMove,\n', '    "tak_move": TakMove,\n'),
    ):
        copy.replace(module, old, new + old)
    copy.append(module, indent(example(f"{module}, at the end, in ValueProductions"), "    "))
    found = copy.use(
        """{
            "files": {text: codes(f"(;FF[4]GM[42]{text})") for text in
                (";B[Fa1];W[Cb2]", "AB[a1:b2]", ";B[Fz1]", "SZ[3];B[Fd1]", "AB[a1:b1][a1]")},
            "value": value_of("(;FF[4]GM[42];B[Cb3])"),
            "refused": refused(node, "B", 5),
            "refused point": refused(node, "AB", [5]),
            "text": assigned("B", "Cb2"),
            "move": assigned("B", notations.TakMove("S", sgf_lark.Point(1, 2))),
            "points": assigned("AB", [(0, 0), sgf_lark.Point(1, 1), "c3"]),
            "conform": [codes(generate(random.Random(4), game=42, trees=1))],
        }"""
    )
    assert found == {
        "files": {
            ";B[Fa1];W[Cb2]": [],
            "AB[a1:b2]": [],
            ";B[Fz1]": ["SGF319"],
            "SZ[3];B[Fd1]": ["SGF401"],
            "AB[a1:b1][a1]": ["SGF317"],
        },
        "value": ["Cb3"],
        "refused": "TypeError: B cannot hold 5; it takes a move of Tak or its text in SGF "
        "(a kind of stone and a point)",
        "refused point": "TypeError: AB cannot hold 5; it takes a list in which each item is a "
        "stone of Tak or its text in SGF (a letter for the column and a digit for the row), such "
        'as node["AB"] = [Point(2, 2)]',
        "text": "B[Cb2]",
        "move": "B[Sb3]",
        "points": "AB[a1][b2][c3]",
        "conform": [[]],
    }


ROW = "grammar/rules.toml"
TEXTS = [
    each + language
    for each in ("message", "summary", "explanation", "fix")
    for language in ("", "_zh")
]


def blocks() -> dict[str, str]:
    """The code of the page for a new rule, by the file that a comment names, and its row."""
    example = PAGE.partition("is not an address of the web, the function is:")[2]
    code = dedent("\n".join(re.findall(r"(?m)^(?:    .*)?$", example.partition("\nThen\n")[0])))
    functions, _, row = code.partition("code = ")
    found = {}
    for part in re.split(r"(?m)^(?=@)", functions)[1:]:
        first, _, rest = part.partition("\n")
        decorator, _, path = first.partition("#")
        found[path.strip()] = f"{decorator.rstrip()}\n{rest.rstrip()}\n"
    return {**found, ROW: f"code = {row}"}


def test_rule_of_the_page_has_two_places(copy: Copy) -> None:
    if any(rule.name == "address-as-name" for rule in grammar.rules().values()):
        pytest.skip("the checkout has the example of the page")
    code = next(
        code for code in map("SGF{}".format, range(930, 1000)) if code not in grammar.rules()
    )
    places = {path: text.replace("SGF930", code) for path, text in blocks().items()}
    texts = "".join(f'{key} = ""\n' for key in TEXTS if f"{key} = " not in places[ROW])
    places[ROW] = f"[[rule]]\nreference = []\n{texts}{places[ROW]}\n"
    assert len(places) == 2
    for path, added in places.items():
        with (copy.folder / path).open("a", encoding="utf-8") as file:
            file.write(f"\n\n{added}")
    found = copy.use(
        f"""{{
            "bad": codes(sgf_lark.grammar.rule("{code}").bad[0].data),
            "good": codes(sgf_lark.grammar.rule("{code}").good[0].data),
            "bounds": [codes(f"(;FF[4]GM[1]GN[{{name}}])") for name in ("htt", "http")],
            "message": sgf_lark.validate(b"(;FF[4]GN[http:])").diagnostics[0].message,
            "violations": [set(codes(violate(random.Random(seed), "{code}")[0])) - {{"SGF701"}}
                           == {{"{code}"}} for seed in range(5)],
            "fix": sgf_lark.validate(b"(;FF[4]GN[http:])").diagnostics[0].fix,
        }}"""
    )
    assert found == {
        "bad": [code],
        "good": [],
        "bounds": [[], [code]],
        "message": "GN is an address, not a name",
        "violations": [True] * 5,
        "fix": None,
    }
    assert code in copy.run("-m", "sgf_lark", "explain", code)
