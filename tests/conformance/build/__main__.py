"""Writes the files and the manifest: python -m tests.conformance.build."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from tests.conformance.build import reference
from tests.conformance.build.cases import SUITE, Case, read_cases
from tests.conformance.build.types import simple_text

VERSION = 1
#: Trees of more characters are written to a separate file.
_INLINE = 4000


def main() -> None:
    """Replace all generated files."""
    files = contents()
    shutil.rmtree(SUITE / "files", ignore_errors=True)
    for name, data in files.items():
        path = SUITE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    size = sum(map(len, files.values()))
    print(f"{len(files)} files, {size / 1e6:.2f} MB in {SUITE}", file=sys.stderr)


def contents() -> dict[str, bytes]:
    """Return all generated files by their path in the suite, the manifest last."""
    files: dict[str, bytes] = {}
    entries = []
    for case in read_cases():
        if case.file in files:
            raise ValueError(f"{case.file} occurs twice")
        files[case.file] = case.data
        entry = _entry(case)
        tree = entry.get("tree")
        if tree is not None and len(text := _compact(tree)) > _INLINE:
            entry["tree_file"] = case.file.removesuffix(".sgf") + ".tree.json"
            entry["tree"] = None
            files[entry["tree_file"]] = text.encode() + b"\n"
        entries.append(entry)
    rows = ",\n".join(f"    {_compact(entry)}" for entry in entries)
    manifest = f'{{\n  "version": {VERSION},\n  "cases": [\n{rows}\n  ]\n}}\n'
    files["manifest.json"] = manifest.encode()
    return files


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _entry(case: Case) -> dict[str, Any]:
    """Return the entry of a case in the manifest."""
    games = _games(case)
    if games is not None:
        _check_author_agrees(case, games)
    charset = _charset(case, games)
    return {
        "id": f"{case.group}/{case.verdict}-{case.name}",
        "file": case.file,
        "group": case.group,
        "verdict": case.verdict,
        "about": case.about,
        "rules": case.rules,
        "source": case.source,
        "charset": charset,
        "bytes_only": _bytes_only(case, charset, games),
        "violations": list(_violations(case)),
        "tree": None if games is None else _tree(games),
        "tree_file": None,
        "value": None if games is None or case.reads is None else _value(games),
    }


def _games(case: Case) -> list[list[reference.Node]] | None:
    """Return the required tree, or None if there is none."""
    if case.verdict == "reject" or case.tree is False:
        return None
    data = case.tree.encode("latin-1") if isinstance(case.tree, str) else case.data
    try:
        return reference.read(data.removeprefix(b"\xef\xbb\xbf"))
    except reference.OutsideGrammar as error:
        raise ValueError(f"{case.file}: {error}") from None


def _tree(games: list[list[reference.Node]]) -> dict[str, Any]:
    """Return both forms of the tree; "text" is omitted if it is the same."""
    raw, text = reference.trees(games, "raw"), reference.trees(games, "text")
    return {"raw": raw} if raw == text else {"raw": raw, "text": text}


def _charset(case: Case, games: list[list[reference.Node]] | None) -> str:
    named = games[0][0].value("CA").decode("ascii", "replace") if games else ""
    return case.encode.upper().replace("CP", "windows-") or named or "ISO-8859-1"


def _bytes_only(case: Case, charset: str, games: list[list[reference.Node]] | None) -> bool:
    """Whether a parser of text must fail, since decoding the file as a whole changes it."""
    codec = "latin-1" if charset == "ISO-8859-1" else case.encode or charset
    try:
        text = case.data.decode(codec, "replace")
    except LookupError:
        return False
    try:
        found = reference.read(text.removeprefix("\ufeff").encode("utf-8"))
    except reference.OutsideGrammar:
        return case.verdict == "accept"
    if case.verdict == "reject":
        return True
    if games is None or isinstance(case.tree, str):
        return False
    return reference.trees(found, "text", "utf-8") != reference.trees(games, "text")


def _violations(case: Case) -> Iterator[dict[str, Any]]:
    """Yield codes and places: the first mark is the place of the first code, and so on."""
    for code, start in zip_longest(case.codes, case.marks):
        if start is None:
            yield {"code": code, "start": None, "line": None, "column": None}
            continue
        # Lines end with LF, CR or CRLF; a byte order mark is not counted in a column.
        before = case.data[:start].decode(case.encode or "latin-1").removeprefix("\ufeff")
        lines = re.split("\r\n|\r|\n", before)
        column = len(lines[-1]) + 1
        yield {"code": code, "start": start, "line": len(lines), "column": column}


# --- Values written by hand -------------------------------------------------------


def _check_author_agrees(case: Case, games: list[list[reference.Node]]) -> None:
    """Raise ValueError if the reference parser and the author of the case disagree."""
    shape = [-1 if node.parent is None else node.parent for game in games for node in game]
    if case.shape is not None and shape != case.shape:
        raise ValueError(f"{case.file}: shape {shape}, not {case.shape}")
    if case.reads is not None and (found := _value(games)["text"]) != case.reads:
        raise ValueError(f"{case.file}: reads {found}, not {case.reads}")


def _value(games: list[list[reference.Node]]) -> dict[str, Any]:
    """Return the last property of the file with its values as typed text."""
    game, node = max(
        (game, node)
        for game, nodes in enumerate(games)
        for node, entry in enumerate(nodes)
        if entry.properties
    )
    texts = reference.trees(games, "text")
    ident, values = texts[game][node]["properties"][-1]
    if simple_text(ident, games[game][0].value("GM")):
        values = [value.replace("\n", " ") for value in values]
    return {"game": game, "node": node, "property": ident, "text": values}


if __name__ == "__main__":
    main()
