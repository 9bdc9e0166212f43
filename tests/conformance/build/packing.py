"""Packs the suite: python -m tests.conformance.build.packing FOLDER.

Writes ``sgf-conformance-VERSION.tar.gz``, a plain archive, and ``sgf-conformance-npm-VERSION.tgz``,
a package for npm. Both have the same bytes each time.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import sys
from pathlib import Path
from typing import Any

from tests.conformance.build.cases import SUITE
from tests.kit.packed import tar_of

NAME = "sgf-conformance"
#: The files of the suite that a program needs or a reader wants, beside those of the cases.
FILES = (
    "README.md",
    "CHANGES.md",
    "FINDINGS.md",
    "report.md",
    "report-tolerant.md",
    "report-write.md",
    "manifest.json",
    "manifest.schema.json",
    "cases.tsv",
)

_MODULE = """\
// The SGF conformance suite: its folder, its manifest, and the content of its files.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const folder = fileURLToPath(new URL(".", import.meta.url));
/** The bytes of the file of a case, or of any file of the suite by its name. */
export const read = (one) => readFileSync(new URL(one.file ?? one, import.meta.url));
export const manifest = JSON.parse(read("manifest.json"));
export const cases = manifest.cases;
/** The tree of a case in the form "text" or "raw", or null. */
export const tree = (one, form = "text") => {
  const trees = one.tree ?? (one.tree_file && JSON.parse(read(one.tree_file)));
  return trees ? (trees[form] ?? trees.raw) : null;
};
"""


def main() -> None:
    """Write both packages to the folder that the command line names."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.conformance.build.packing FOLDER")
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in packages().items():
        (folder / name).write_bytes(data)
        print(f"{hashlib.sha256(data).hexdigest()}  {folder / name}")


def packages() -> dict[str, bytes]:
    """Return the packages by their names."""
    files = suite_files()
    manifest = json.loads(files["manifest.json"])
    version = manifest["suite"]
    module = {
        "package.json": (json.dumps(_description(version), indent=2) + "\n").encode(),
        "index.js": _MODULE.encode(),
    }
    return {
        f"{NAME}-{version}.tar.gz": _archive(f"{NAME}-{version}", files),
        # The folder in a package for npm has this name.
        f"{NAME}-npm-{version}.tgz": _archive("package", {**module, **files}),
    }


def suite_files() -> dict[str, bytes]:
    """Return the files to pack by their paths."""
    paths = [SUITE / name for name in FILES]
    paths += sorted(path for path in (SUITE / "files").rglob("*") if path.is_file())
    files = {path.relative_to(SUITE).as_posix(): path.read_bytes() for path in paths}
    license_text = (SUITE.parent.parent / "LICENSE").read_bytes()
    return {**files, **runners(files["README.md"].decode()), "LICENSE": license_text}


#: The names of the programs in the README by language.
_RUNNERS = {
    "js": "run.mjs",
    "python": "run.py",
    "go": "run.go",
    "rust": "run.rs",
    "c": "run.c",
    "java": "Run.java",
}


def runners(readme: str) -> dict[str, bytes]:
    """Return the programs of the README, which run a parser on the suite, by their paths."""
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    # The first program in each language counts.
    found = dict(reversed(blocks))
    return {f"runners/{name}": found[language].encode() for language, name in _RUNNERS.items()}


def _description(version: str) -> dict[str, Any]:
    return {
        "name": NAME,
        "version": f"{version}.0",
        "description": "Files for testing SGF parsers and writers, with the expected results",
        "keywords": ["sgf", "go", "baduk", "weiqi", "conformance", "test"],
        "license": "MIT",
        "type": "module",
        "exports": {".": "./index.js", "./*": "./*"},
    }


def _archive(folder: str, files: dict[str, bytes]) -> bytes:
    """Return a compressed tar archive without times and owners."""
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0, filename="") as stream:
        stream.write(tar_of({f"{folder}/{name}": data for name, data in files.items()}))
    return packed.getvalue()


if __name__ == "__main__":
    main()
