"""Seeds, dictionaries and mutators for AFL++, libFuzzer, cargo-fuzz and Jazzer.js."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from sgf_lark import grammar
from sgf_lark.atomic_files import write_file
from sgf_lark.fuzz.generating_files import generate
from sgf_lark.fuzz.mutants import mutate
from sgf_lark.syntax import grammars as lark_grammars

_FILES = Path(__file__).parent / "exports"
#: Larger seeds make a coverage-guided fuzzer slow.
_LARGEST_SEED = 4096
#: One of this many generated seeds is a mutant.
_MUTANTS = 4


def seeds(seed: int, generated: int, **options: Any) -> dict[str, bytes]:
    """Return seeds by file name: all examples of the catalogue, and `generated` new files."""
    found = dict(_examples())
    for number in range(generated):
        random = Random(f"{seed} {number}")
        data, name = generate(random, **options), f"generated-{number:05}.sgf"
        if number % _MUTANTS == 0:
            data, name = mutate(data, random), f"mutant-{number:05}.sgf"
        if len(data) <= _LARGEST_SEED:
            found[name] = data
    # Seeds with the same content would be run twice; the last name is kept.
    return {name: data for data, name in {data: name for name, data in found.items()}.items()}


def _examples() -> Iterator[tuple[str, bytes]]:
    for rule in grammar.rules().values():
        for kind, examples in (("bad", rule.bad), ("good", rule.good)):
            for number, example in enumerate(examples, 1):
                yield f"{rule.code}-{kind}-{number}.sgf", example.data
    for permission in grammar.permissions():
        for number, example in enumerate(permission.good, 1):
            yield f"{permission.name}-{number}.sgf", example.data


def _words() -> dict[str, list[bytes]]:
    """Return tokens of the grammar, identifiers, charsets and fixed values, by kind."""
    return {
        "structure": [b"(;", b")", b"(", b";", b"[", b"]", b"][", b"\\", b"\\]", b"\\:", b":"],
        "breaks": [b"\n", b"\r\n", b"\n\r", b"\\\n", b"\\\r\n", b"\t", b"\v", b"\f"],
        "marks": [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"],
        "property": sorted({entry.ident.encode() + b"[" for entry in grammar.properties()}),
        "charset": sorted({b"CA[%s]" % name.name.encode() for name in grammar.charsets()}),
        "game": [b"GM[%d]" % number for number in sorted(grammar.games())],
        "format": [b"FF[%d]" % number for number in range(1, 5)],
        "value": sorted(_literals()),
    }


def dictionary() -> str:
    """Return the dictionary of SGF in the syntax of AFL++ and libFuzzer, one word on a line."""
    lines = ["# The words of SGF, for AFL++ (-x) and libFuzzer (-dict=).\n"]
    for name, entries in _words().items():
        lines += [f'{name}_{number}="{_quoted(word)}"\n' for number, word in enumerate(entries)]
    return "".join(lines)


def _header() -> str:
    """Return the words as a C header, for ``sgf_mutator.c``."""
    words = [word for entries in _words().values() for word in entries]
    rows = []
    for word in words:
        text = "".join(f"\\{byte:03o}" for byte in word)
        rows.append(f'    {{(const uint8_t *)"{text}", {len(word)}}},\n')
    return (
        "/* The words of SGF, made of its grammar. */\n"
        "#include <stddef.h>\n#include <stdint.h>\n\n"
        "typedef struct {\n    const uint8_t *bytes;\n    size_t length;\n} sgf_word_t;\n\n"
        f"static const sgf_word_t sgf_words[] = {{\n{''.join(rows)}}};\n"
        f"enum {{ SGF_WORD_COUNT = {len(words)} }};\n"
    )


def _literals() -> set[bytes]:
    """Return the literals in the grammar of values."""
    found = set()
    for terminal in lark_grammars.load_lark("values").terminals:
        pattern = terminal.pattern
        if pattern.type == "str" and len(pattern.value) > 1:
            found.add(pattern.value.encode("latin-1"))
    return found


def _quoted(word: bytes) -> str:
    return "".join(
        chr(byte) if 0x20 <= byte < 0x7F and byte not in b'"\\' else f"\\x{byte:02X}"
        for byte in word
    )


#: The folder of the seeds for each fuzzer, and its files by path in this package and there.
STYLES: dict[str, tuple[str, dict[str, str]]] = {
    "afl": ("seeds", {}),
    "libfuzzer": ("corpus", {"sgf_mutator.c": "sgf_mutator.c"}),
    "cargo-fuzz": (
        "corpus",
        {
            "sgf_mutator.c": "sgf_mutator.c",
            "Cargo.toml": "Cargo.toml",
            "build.rs": "build.rs",
            "parse.rs": "fuzz_targets/parse.rs",
        },
    ),
    "jazzer-js": ("corpus", {"parse.fuzz.cjs": "parse.fuzz.cjs"}),
}


def export(folder: Path, style: str, seed: int, generated: int, **options: Any) -> int:
    """Write seeds, dictionary and mutator for one of :data:`STYLES`; return the number of seeds.

    The seeds for AFL++ are in the folder ``seeds``, those for the others in ``corpus``. As in
    libFuzzer's own corpora, the name of a file there is the SHA-1 of its content. Raises
    OSError.
    """
    found = seeds(seed, generated, **options)
    name, files = STYLES[style]
    target = folder / name
    target.mkdir(parents=True, exist_ok=True)
    for file, data in found.items():
        if style != "afl":
            file = hashlib.sha1(data, usedforsecurity=False).hexdigest()
        write_file(target / file, data)
    write_file(folder / "sgf.dict", dictionary().encode("ascii"))
    for source, path in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        write_file(folder / path, (_FILES / source).read_bytes())
    if "sgf_mutator.c" in files:
        write_file(folder / "sgf_words.h", _header().encode("ascii"))
    return len(found)
