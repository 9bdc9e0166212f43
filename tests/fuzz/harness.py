"""What all harnesses share: the harnesses by name, their seeds and dictionaries, and Atheris."""

from __future__ import annotations

import argparse
import gzip
import hashlib
import re
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import sgf_lark
from sgf_lark.atomic_files import write_file
from sgf_lark.wei7.rules import examples
from tests.kit.packed import tar_of, zip_of

#: The examples for users of other fuzzers.
EXAMPLES = Path(__file__).parents[2] / "docs" / "fuzzers"


def example(name: str) -> Any:
    """Return the module of an example."""
    spec = spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


#: Options of libFuzzer; those of the command line follow, and override these.
_OPTIONS = ("-max_len=4096", "-timeout=60", "-rss_limit_mb=3000")
#: The number of generated seeds.
_GENERATED = 200
#: About this many seeds are run before Atheris starts, to import what is imported late.
_FIRST_RUNS = 100


class Kind(NamedTuple):
    """The kind of input of a harness: its seeds, its dictionary, and the packages that read it."""

    seeds: Callable[[], dict[str, bytes]]
    dictionary: Callable[[], str]
    is_sgf: bool = False
    packages: tuple[str, ...] = ("sgf_lark",)


def _sgf_seeds() -> dict[str, bytes]:
    found = example("seeds").seeds(_GENERATED)
    return {f"{number:05}.sgf": data for number, data in enumerate(found)}


def _wei7_seeds() -> dict[str, bytes]:
    return {f"{number:04}.wei7": each.text for number, each in enumerate(examples())}


#: What the seeds of wei7 consist of.
_WORD = re.compile(rb'"[^"\\\n]{1,20}"|true|false|null|[][{}:,]')


def _wei7_dictionary() -> str:
    words = {word for example in examples() for word in _WORD.findall(example.text)}
    quoted = (word.decode("ascii").replace('"', '\\"') for word in sorted(words) if word.isascii())
    return "".join(f'"{word}"\n' for word in quoted)


#: A name by which a file of each format is recognized, with the first byte of the input.
FORMATS = ("x.sgf", "x.sgf.gz", "x.sgf.bz2", "x.sgf.xz", "x.sgf.zst", "x.zip", "x.tar", "x.tgz")


def _file_seeds() -> dict[str, bytes]:
    """One small file in each format, after the byte for the format."""
    import bz2
    import lzma

    data = b"(;FF[4]GM[1];B[aa])"
    packed = [data, gzip.compress(data, mtime=0), bz2.compress(data), lzma.compress(data), data]
    members = {"a.sgf": data, "b/c.sgf": data}
    packed += [zip_of(members), tar_of(members), gzip.compress(tar_of(members), mtime=0)]
    return {
        name: bytes([number]) + content
        for number, (name, content) in enumerate(zip(FORMATS, packed, strict=True))
    }


SGF = Kind(_sgf_seeds, lambda: str(example("seeds").dictionary()), is_sgf=True)
WEI7 = Kind(_wei7_seeds, _wei7_dictionary)
FILES = Kind(
    _file_seeds,
    lambda: '"PK\\x01\\x02"\n"PK\\x03\\x04"\n"PK\\x05\\x06"\n"ustar"\n',
    packages=("sgf_lark", "bz2", "gzip", "lzma", "tarfile", "zipfile"),
)

#: The harnesses: modules of this package with a function ``TestOneInput``.
HARNESSES = {
    "engine": SGF,
    "node_filter": SGF,
    "validate": SGF,
    "fix": SGF,
    "wei7": WEI7,
    "files": FILES,
}


def load(name: str) -> Callable[[bytes], None]:
    """Return the function of a harness: it takes one input, and raises for a finding."""
    function: Callable[[bytes], None] = import_module(f"tests.fuzz.{name}").TestOneInput
    return function


def promises(data: bytes) -> bool:
    """All that the project promises of a file of SGF, as a target for ``sgf-lark fuzz``."""
    for name in (name for name, kind in HARNESSES.items() if kind.is_sgf):
        load(name)(data)
    try:
        sgf_lark.loads(data)
    except sgf_lark.SGFSyntaxError:
        return False
    return True


def main() -> None:
    """Write seeds and dictionary to a folder and run Atheris there."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz",
        description="Run Atheris on a harness. Other options are those of libFuzzer.",
    )
    parser.add_argument("harness", choices=HARNESSES)
    parser.add_argument("folder", type=Path, help="for corpus, dictionary and findings")
    chosen, options = parser.parse_known_args()
    import atheris

    kind = HARNESSES[chosen.harness]
    examples = kind.seeds()
    corpus = chosen.folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    for data in examples.values():
        write_file(corpus / hashlib.sha1(data, usedforsecurity=False).hexdigest(), data)
    words = chosen.folder / "words.dict"
    write_file(words, kind.dictionary().encode("ascii"))
    # What was imported for the seeds is imported again, with instrumentation. Many modules are
    # imported only where they are used, so the harness is called there.
    for name in [name for name in sys.modules if name.partition(".")[0] in kind.packages]:
        del sys.modules[name]
    with atheris.instrument_imports(include=list(kind.packages)):
        function = load(chosen.harness)
        for data in islice(examples.values(), None, None, 1 + len(examples) // _FIRST_RUNS):
            function(data)
    arguments = [
        sys.argv[0],
        *_OPTIONS,
        f"-dict={words}",
        f"-artifact_prefix={chosen.folder}/",
        *options,
        str(corpus),
    ]
    if kind.is_sgf:
        mutator = example("atheris_mutator").custom_mutator
        atheris.Setup(arguments, function, custom_mutator=mutator)
    else:
        atheris.Setup(arguments, function)
    atheris.Fuzz()
