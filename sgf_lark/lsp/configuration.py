"""The settings file of a folder: the rules that it ignores in a file, and how to ignore another."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path

from sgf_lark import grammar
from sgf_lark.diagnostics import Language, Words
from sgf_lark.files.inputs import Patterns, is_file
from sgf_lark.files.settings import FILES, OWN_FILE, SHARED_FILE, TABLE, nearest_settings
from sgf_lark.lsp.positions import Text

_IGNORE = Words("Ignore {code} in this file ({name})", "在本文件中忽略 {code}（{name}）")


def ignored_rules(path: Path) -> tuple[str, ...]:
    """The codes, or their beginnings, that the settings ignore in a file: everywhere, in ``check``,
    and in the tables of files that match. A settings file with errors ignores nothing."""
    try:
        found = nearest_settings(path.parent)
    except (OSError, ValueError):
        return ()
    if found is None:
        return ()
    file, table = found
    tables, of_files = [table, table.get("check")], table.get(FILES)
    if isinstance(of_files, dict):
        base = str(file.parent)
        tables += [of_files[each] for each in of_files if Patterns((each,), base).match(str(path))]
    return tuple(code for each in tables for code in _codes(each))


def _codes(table: object) -> Iterator[str]:
    """The rules that a table ignores: codes or their beginnings, and names."""
    found = table.get("ignore") if isinstance(table, dict) else None
    names = {rule.name: rule.code for rule in grammar.rules().values()}
    for value in found if isinstance(found, list) else [found]:
        for part in value.split(",") if isinstance(value, str) else ():
            if part.strip():
                yield names.get(part.strip().lower(), part.strip().upper())


# --- Ignoring another rule ------------------------------------------------------------


def ignoring(path: Path, code: str, root: Path, language: Language) -> types.CodeAction | None:
    """The action that ignores a rule in a file, in its settings file; a new one is made in `root`.

    None where the settings file is not understood.
    """
    try:
        found = nearest_settings(path.parent)
        file = root / OWN_FILE if found is None else found[0]
        text = file.read_text("utf-8") if is_file(file) else ""
        place, new = ignoring_edit(text, _pattern(path, file), code, file.name == SHARED_FILE)
    except (OSError, ValueError):
        return None
    uri = from_fs_path(str(file)) or ""
    position = Text(text.encode()).position(len(text[:place].encode()))
    identifier = types.OptionalVersionedTextDocumentIdentifier(uri)
    inserted = types.TextEdit(types.Range(position, position), new)
    edit = types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, [inserted])])
    if not is_file(file):
        edit.document_changes = [types.CreateFile(uri), *(edit.document_changes or ())]
    title = _IGNORE.in_language(language).format(code=code, name=file.name)
    return types.CodeAction(title, kind=types.CodeActionKind.QuickFix, edit=edit)


def _pattern(path: Path, file: Path) -> str:
    """The pattern that matches only that file, from the folder of the settings; raises ValueError
    for a file elsewhere."""
    relative = path.relative_to(file.parent).as_posix()
    return "/" * ("/" not in relative) + re.sub(r"([*?\[])", r"[\1]", relative)


def ignoring_edit(text: str, pattern: str, code: str, is_shared: bool) -> tuple[int, str]:
    """The offset in the text of a settings file, and what to insert there, to ignore a rule in the
    files that match a pattern. Raises ValueError where nothing can be inserted that does that."""
    prefix = f"tool.{TABLE}." if is_shared else ""
    header = f"[{prefix}{FILES}.{json.dumps(pattern, ensure_ascii=False)}]"
    section = re.search(rf"^{re.escape(header)}[ \t]*$", text, re.MULTILINE)
    if section is None:
        place, new = len(text), f'{header}\nignore = ["{code}"]\n'
        if text:
            new = f"\n{new}" if text.endswith("\n") else f"\n\n{new}"
    else:
        body = text[section.end() :]
        rest = re.search(r"^[ \t]*\[", body, re.MULTILINE)
        found = re.search(r"^[ \t]*ignore[ \t]*=[ \t]*\[", body[: rest and rest.start()], re.M)
        place = section.end() + (found.end() if found else 0)
        new = f'"{code}", ' if found else f'\nignore = ["{code}"]'
    table = tomllib.loads(text[:place] + new + text[place:])
    if is_shared:
        table = table["tool"][TABLE]
    if code not in table[FILES][pattern]["ignore"]:
        raise ValueError(f"{code} is not ignored by {new!r}")
    return place, new
