"""The examples for other fuzzers in ``docs/fuzzers``, run where the fuzzer is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sgf_lark import grammar
from tests.fuzz.harness import EXAMPLES
from tests.fuzz.harness import example as load
from tests.kit.waiting import LIMIT

afl_mutator = load("afl_mutator")
custom_mutator = load("atheris_mutator").custom_mutator
PROGRAMS = Path(__file__).parent / "parsers"
#: The number of generated seeds; users have more.
GENERATED = 50


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The examples, with what ``seeds.py`` writes."""
    found = tmp_path_factory.mktemp("fuzzers") / "copy"
    shutil.copytree(EXAMPLES, found)
    program = load("seeds")
    program.seeds = partial(program.seeds, GENERATED)
    program.write(found)
    return found


def test_seeds_and_dictionary(folder: Path) -> None:
    seeds = {path.read_bytes() for path in (folder / "corpus").iterdir()}
    assert seeds == {*load("seeds").seeds(GENERATED)}
    assert {
        e.data for rule in grammar.rules().values() for e in rule.bad if len(e.data) < 99
    } <= seeds
    entries = (folder / "sgf.dict").read_text("ascii").splitlines()
    pattern = re.compile(r'[a-z]+_\d+="((?:\\x[0-9A-F]{2})+)"')
    words = {match[1] for entry in entries if (match := pattern.fullmatch(entry))}
    assert len(words) == len(entries)
    idents = {entry.ident.encode() + b"[" for entry in grammar.properties()}
    assert idents <= {bytes.fromhex(word.replace("\\x", "")) for word in words}


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_mutator_in_c(folder: Path) -> None:
    flags = ("-Wall", "-Wextra", "-Werror", "-fsanitize=undefined", "-DSGF_NO_LIBFUZZER")
    command = ["gcc", *flags, str(PROGRAMS / "mutating.c"), "sgf_mutator.c", "-o", "driver"]
    subprocess.run(command, cwd=folder, check=True)
    outputs = [
        subprocess.run([folder / "driver"], check=True, capture_output=True).stdout
        for _ in range(2)
    ]
    assert outputs[0] == outputs[1]
    assert outputs[0].count(b"(;B[aa]") > 50


@given(st.binary(max_size=200), st.binary(max_size=200), st.integers(1, 300), st.integers(0, 99))
@example(b"(", b"", 1, 10)
def test_afl_mutator(data: bytes, other: bytes, size: int, seed: int) -> None:
    made = []
    for _ in range(2):
        afl_mutator.init(seed)
        made.append(afl_mutator.fuzz(bytearray(data), bytearray(other), size))
        afl_mutator.deinit()
    assert made[0] == made[1]
    assert 1 <= len(made[0]) <= size


@given(st.binary(max_size=200), st.integers(0, 300), st.integers(0, 2**32 - 1))
def test_atheris_mutator(data: bytes, size: int, seed: int) -> None:
    class Atheris:
        @staticmethod
        def Mutate(data: bytes, max_size: int) -> bytes:
            return data[:max_size]

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "atheris", Atheris)
        made = custom_mutator(data, size, seed)
        assert len(made) <= size
        assert made == custom_mutator(data, size, seed)


# --- With the fuzzers themselves ----------------------------------------------------------

_PARSER = """
def parse(data):
    if b"KM[" in data:
        raise KeyError("a crash")
"""


def test_atheris(folder: Path) -> None:
    pytest.importorskip("atheris")
    (folder / "my_parser.py").write_text(_PARSER)
    command = [sys.executable, "atheris_mutator.py", "-dict=sgf.dict", "-runs=3000", "corpus"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=LIMIT)
    assert "KeyError: 'a crash'" in done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("clang") is None, reason="clang is not installed")
def test_libfuzzer(folder: Path) -> None:
    flags = ["-fsanitize=fuzzer", str(PROGRAMS / "aborting.c"), "sgf_mutator.c", "-o", "target"]
    subprocess.run(["clang", *flags], cwd=folder, check=True)
    command = [str(folder / "target"), "-dict=sgf.dict", "-runs=3000", "corpus"]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=LIMIT)
    assert done.returncode != 0 and b"deadly signal" in done.stderr
