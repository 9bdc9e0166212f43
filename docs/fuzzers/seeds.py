"""Write seeds and a dictionary of SGF for AFL++, libFuzzer, cargo-fuzz, Jazzer.js and Atheris.

::

    python seeds.py FOLDER

The folder then has ``corpus/``, ``sgf.dict``, and ``sgf_words.h`` for ``sgf_mutator.c``, made of
the grammar and of the examples in the catalogue of rules.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from random import Random

from sgf_lark import grammar
from sgf_lark.fuzz.generating_files import generate
from sgf_lark.fuzz.mutants import mutate
from sgf_lark.syntax import grammars as lark_grammars

#: Larger seeds make a coverage-guided fuzzer slow.
LARGEST_SEED = 4096
#: The number of generated seeds, of which one in so many is a mutant.
GENERATED, MUTANTS = 500, 4


def seeds(generated: int = GENERATED) -> list[bytes]:
    """Return all examples of the catalogue, and that many generated files, each once."""
    described = (*grammar.rules().values(), *grammar.permissions())
    found = [
        example.data for entry in described for example in (*getattr(entry, "bad", ()), *entry.good)
    ]
    for number in range(generated):
        random = Random(number)
        data = generate(random)
        found.append(data if number % MUTANTS else mutate(data, random))
    return [data for data in dict.fromkeys(found) if len(data) <= LARGEST_SEED]


def words() -> dict[str, list[bytes]]:
    """Return tokens of the grammar, identifiers, charsets and fixed values, by kind."""
    terminals = (terminal.pattern for terminal in lark_grammars.load_lark("values").terminals)
    literals = {each.value.encode("latin-1") for each in terminals if each.type == "str"}
    return {
        "structure": [b"(;", b")", b"(", b";", b"[", b"]", b"][", b"\\", b"\\]", b"\\:", b":"],
        "breaks": [b"\n", b"\r\n", b"\n\r", b"\\\n", b"\\\r\n", b"\t", b"\v", b"\f"],
        "marks": [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"],
        "property": sorted({entry.ident.encode() + b"[" for entry in grammar.properties()}),
        "charset": sorted({b"CA[%s]" % name.name.encode() for name in grammar.charsets()}),
        "game": [b"GM[%d]" % number for number in sorted(grammar.games())],
        "format": [b"FF[%d]" % number for number in range(1, 5)],
        "value": sorted(literal for literal in literals if len(literal) > 1),
    }


def dictionary() -> str:
    """Return the words in the syntax of AFL++ (-x) and libFuzzer (-dict=), one on a line."""
    return "".join(
        f'{kind}_{number}="{_escaped(word, "x%02X")}"\n'
        for kind, found in words().items()
        for number, word in enumerate(found)
    )


def header() -> str:
    """Return the words as a C header."""
    found = [word for entries in words().values() for word in entries]
    rows = [
        f'    {{(const uint8_t *)"{_escaped(word, "%03o")}", {len(word)}}},\n' for word in found
    ]
    return (
        "#include <stddef.h>\n#include <stdint.h>\n\n"
        "typedef struct {\n    const uint8_t *bytes;\n    size_t length;\n} sgf_word_t;\n\n"
        f"static const sgf_word_t sgf_words[] = {{\n{''.join(rows)}}};\n"
        f"enum {{ SGF_WORD_COUNT = {len(found)} }};\n"
    )


def _escaped(word: bytes, form: str) -> str:
    return "".join("\\" + form % byte for byte in word)


def write(folder: Path) -> None:
    """Write everything to the folder; as in corpora of libFuzzer, seeds are named by SHA-1."""
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for data in seeds():
        (corpus / hashlib.sha1(data, usedforsecurity=False).hexdigest()).write_bytes(data)
    (folder / "sgf.dict").write_text(dictionary(), "ascii")
    (folder / "sgf_words.h").write_text(header(), "ascii")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
