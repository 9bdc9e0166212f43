"""The harnesses for Atheris on their seeds, without Atheris."""

from __future__ import annotations

import random
import re
import zipfile
from pathlib import Path

import pytest

from sgf_lark.fuzz.mutants import mutate
from tests.fuzz.harness import FORMATS, HARNESSES, load
from tests.kit.packed import zip_of

#: About this many seeds are run; all examples of the catalogue are run by other tests.
_SEEDS = 12


@pytest.mark.parametrize("name", HARNESSES)
def test_harness_on_its_seeds_and_any_bytes(name: str) -> None:
    function = load(name)
    source = random.Random(name)
    seeds = [*HARNESSES[name].seeds().values()]
    mutants = [mutate(data, source)[:2000] for data in seeds[:5] for _ in range(4)]
    for data in (b"", *seeds[:: 1 + len(seeds) // _SEEDS], *mutants):
        assert function(data) is None  # it raises where a promise is broken


def test_seeds_of_files_are_read(tmp_path: Path) -> None:
    from sgf_lark.files.contents import read_all

    for data in HARNESSES["files"].seeds().values():
        path = tmp_path / FORMATS[data[0]]
        path.write_bytes(data[1:])
        files = list(read_all([str(path)]))
        if path.suffix != ".zst":
            assert {file.data for file in files} == {b"(;FF[4]GM[1];B[aa])"}


GAME = b"(;FF[4]GM[1];B[aa])"
#: Inputs that showed a defect.
FOUND = [
    ("files", b"\x05" + zip_of({"": GAME}, zipfile.ZIP_STORED)),
    ("files", b"\x05" + zip_of({"a.sgf": GAME}, zipfile.ZIP_LZMA).replace(b"\x5d\0", b"\xff\xff")),
]


@pytest.mark.parametrize(("name", "data"), FOUND)
def test_inputs_that_showed_a_defect(name: str, data: bytes) -> None:
    assert load(name)(data) is None


@pytest.mark.parametrize("name", HARNESSES)
def test_dictionary_has_the_syntax_of_libfuzzer(name: str) -> None:
    lines = HARNESSES[name].dictionary().splitlines()
    assert len(lines) > 3
    for line in lines:
        assert re.fullmatch(r'#.*|(\w+=)?"([^"\\]|\\["\\]|\\x[0-9A-Fa-f]{2})+"', line), line


def test_every_harness_is_documented() -> None:
    text = (Path(__file__).parents[1] / "fuzz" / "README.md").read_text("utf-8")
    modules = {path.stem for path in (Path(__file__).parents[1] / "fuzz").glob("[a-z]*.py")}
    programs = {each for each in modules if not each.startswith("test_")}
    assert programs - {"harness"} == set(HARNESSES)
    for name in HARNESSES:
        assert f"| `{name}` |" in text
