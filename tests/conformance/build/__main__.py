"""Writes the files and the manifest: python -m tests.conformance.build.

With ``--begin VERSION`` the present suite is first recorded as a version of its own.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
from collections.abc import Iterator
from itertools import chain, zip_longest
from typing import Any

from sgf_lark import grammar
from tests.conformance.build import damage, reference, writing
from tests.conformance.build.cases import SUITE, Case, read_cases
from tests.conformance.build.history import History, begin_version, changes, read_history
from tests.conformance.build.tags import tags
from tests.conformance.build.typed import typed

VERSION = 1
#: Trees of more characters are written to a separate file.
_INLINE = 4000


def main() -> None:
    """Replace all generated files."""
    match sys.argv[1:]:
        case []:
            pass
        case ["--begin", version]:
            begin_version(version)
        case _:
            sys.exit("usage: python -m tests.conformance.build [--begin VERSION]")
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
    history = read_history()
    for case in chain(read_cases(), damage.cases(), writing.cases()):
        if case.file in files:
            raise ValueError(f"{case.file} occurs twice")
        files[case.file] = case.data
        entry = _entry(case)
        entry["since"] = history.since(entry)
        _move_large_tree(entry, files)
        entries.append(entry)
    history.keep(entry["id"] for entry in entries)
    files["history.json"] = history.to_json()
    files["CHANGES.md"] = changes(history).encode()
    rows = (f"{entry['verdict']}\t{entry['file']}\t{entry['id']}\n" for entry in entries)
    files["cases.tsv"] = "".join(rows).encode()
    files["manifest.json"] = _manifest(history, entries)
    return files


def _move_large_tree(entry: dict[str, Any], files: dict[str, bytes]) -> None:
    """Move the tree of an entry to a file of its own if it is large."""
    if entry["tree"] is None or len(text := _compact(entry["tree"])) <= _INLINE:
        return
    entry["tree_file"] = entry["file"].removesuffix(".sgf") + ".tree.json"
    entry["tree"] = None
    data = text.encode() + b"\n"
    entry["tree_sha256"] = hashlib.sha256(data).hexdigest()
    files[entry["tree_file"]] = data


def _manifest(history: History, entries: list[dict[str, Any]]) -> bytes:
    rows = ",\n".join(f"    {_compact(entry)}" for entry in entries)
    head = (
        f'  "version": {VERSION},\n  "suite": "{history.version}",\n'
        f'  "earlier": {_compact(history.earlier)},'
    )
    return f'{{\n{head}\n  "cases": [\n{rows}\n  ]\n}}\n'.encode()


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
        "sha256": hashlib.sha256(case.data).hexdigest(),
        "group": case.group,
        "verdict": case.verdict,
        "about": case.about,
        "rules": case.rules,
        "source": case.source,
        "charset": charset,
        "bytes_only": _bytes_only(case, charset, games),
        "tags": tags(case.data, charset),
        "violations": list(_violations(case)),
        "tree": None if games is None else _tree(games),
        "tree_file": None,
        "value": None if games is None or case.reads is None else _value(case, games),
        **_tasks(case),
    }


def _tasks(case: Case) -> dict[str, Any]:
    """Return what a case requires of tolerant parsers, fixes and writers, if it does."""
    tasks: dict[str, Any] = {}
    if case.recovered is not None:
        tasks["recovered"] = _tree(reference.read(case.encoded(case.recovered)))
    if case.fixed is not None:
        tasks["fixed"] = _tree(reference.read(case.encoded(case.fixed)))
    if case.write:
        tasks["write"] = True
    return tasks


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
    if case.reads is not None and (found := _value(case, games)["text"]) != case.reads:
        raise ValueError(f"{case.file}: reads {found}, not {case.reads}")


def _value(case: Case, games: list[list[reference.Node]]) -> dict[str, Any]:
    """Return the last property of the file with its values as text, and typed."""
    game, node = max(
        (game, node)
        for game, nodes in enumerate(games)
        for node, entry in enumerate(nodes)
        if entry.properties
    )
    texts = reference.trees(games, "text")
    ident, values = texts[game][node]["properties"][-1]
    if _is_simple_text(ident, games[game][0].value("GM")):
        values = [value.replace("\n", " ") for value in values]
    place = {"game": game, "node": node, "property": ident}
    return {**place, "text": values, **typed(case.data, place)}


def _is_simple_text(ident: str, game: bytes) -> bool:
    """Whether the property is SimpleText in that game, or has a half that is."""
    number = int(game) if game.isdigit() else 1
    return any(
        "simpletext" in each.kinds and (not each.games or number in each.games)
        for each in grammar.definitions(ident)
    )


if __name__ == "__main__":
    main()
