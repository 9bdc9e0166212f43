"""What takes a while to work out of the files in ``grammar/``, stored as modules of Python.

    python -m sgf_lark.engine

stores it anew in ``_stored/``: the TOML files, what a check needs of the properties and the
rules, what Lark makes of ``values.lark``, what ``re`` makes of its regular expressions, and
the engine's tables of ``sgf.lark``. To import them takes a fraction of the time. What is
stored counts as long as the file that it was made from is the same; else it is worked out
when it is asked for.

All that comes from here is shared, and not to be changed: sequences are tuples.
"""

from __future__ import annotations

import os.path
import zlib
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any, AnyStr

if TYPE_CHECKING:
    import re

_FOLDER = os.path.join(os.path.dirname(__file__), "_stored")

#: What is needed whenever a file is checked, in one module; all else has one of its own.
_IN_CHECKS = ("charsets", "definitions", "engine", "reports", "terms", "values")
_MODULES = dict.fromkeys(_IN_CHECKS, "checks")

#: What only readers of the catalogue and of the table of properties ask for.
_FOR_READERS = {
    "rule": {
        "message_zh",
        "fix_zh",
        "reference",
        "source",
        "summary",
        "summary_zh",
        "explanation",
        "explanation_zh",
        "bad",
        "good",
    },
    "property": {"name", "name_zh", "text", "text_zh", "range", "range_zh", "related"},
}

#: A name, the content of the file that something was made from, and what was made.
Made = tuple[str, bytes, dict[str, Any]]


def load(name: str, source: bytes) -> dict[str, Any] | None:
    """What is stored under that name, where it was made from these bytes."""
    module_name = _MODULES.get(name, name)
    try:
        module: Any = __import__(f"sgf_lark._stored.{module_name}", fromlist=("CONTENT",))
        made_from: str
        content: dict[str, Any]
        made_from, content = module.CONTENT[name]
    except (ImportError, SyntaxError, AttributeError, KeyError, TypeError, ValueError):
        return None
    return content if digest(source) == made_from else None


def table(name: str, data: bytes) -> dict[str, Any]:
    """The content of the TOML file of that name, with those bytes."""
    return load(name, data) or _parsed(data)


def rules(data: bytes) -> tuple[dict[str, Any], ...]:
    """What a check needs of each rule in ``rules.toml``, with those bytes."""
    found = load("reports", data) or _in_checks(_parsed(data))
    rows: tuple[dict[str, Any], ...] = found["rule"]
    return rows


def definitions(data: bytes) -> dict[str, Any]:
    """What a check needs of ``properties.toml``, with those bytes."""
    return load("definitions", data) or _in_checks(_parsed(data))


def frozen(content: Any) -> Any:
    """`content` with tuples in the place of lists."""
    if isinstance(content, dict):
        return {key: frozen(item) for key, item in content.items()}
    return tuple(map(frozen, content)) if isinstance(content, list | tuple) else content


def _parsed(data: bytes) -> dict[str, Any]:
    import tomllib

    content: dict[str, Any] = frozen(tomllib.loads(data.decode("utf-8")))
    return content


def _in_checks(table: dict[str, Any]) -> dict[str, Any]:
    """The table without what is for readers; `place` leads to the whole of a row."""
    found = {kind: rows for kind, rows in table.items() if kind != "permission"}
    for kind in _FOR_READERS.keys() & found:
        found[kind] = tuple(
            {name: item for name, item in row.items() if name not in _FOR_READERS[kind]}
            | {"place": place}
            for place, row in enumerate(table[kind])
        )
    return found


# --- Regular expressions ------------------------------------------------------------
#
# To compile those of the values takes longer than to check a small file. What re makes of
# one is a list of numbers, which another version of re may not understand: a module is for
# the versions that share a "magic number", and holds them by their texts.

#: What re makes of an expression: flags, numbers, count of groups, their names, these in order.
Compiled = tuple[int, tuple[int, ...], int, dict[str, int], tuple[str | None, ...]]

#: All that were asked for.
_asked: dict[str | bytes, re.Pattern[Any]] = {}


def expression(pattern: AnyStr) -> re.Pattern[AnyStr]:
    """What :func:`re.compile` gives, and raises: where it is stored, re is not imported."""
    found = _asked.get(pattern)
    if found is None:
        found = _asked[pattern] = _from_stored(pattern) or _by_re(pattern)
    return found


def _by_re(pattern: AnyStr) -> re.Pattern[AnyStr]:
    import re

    return re.compile(pattern)


def _from_stored(pattern: AnyStr) -> re.Pattern[AnyStr] | None:
    """The same of what is stored; None where it is not, or this Python does not take it."""
    known = _expressions().get(pattern)
    if known is None:
        return None
    flags, codes, *groups = known
    try:
        made: re.Pattern[AnyStr] = _inside_re.compile(pattern, flags, list(codes), *groups)
    except (RuntimeError, TypeError, ValueError):
        return None
    return made


@cache
def _expressions() -> dict[str | bytes, Compiled]:
    try:
        module: Any = __import__(f"sgf_lark._stored.{_NAME_OF_EXPRESSIONS}", fromlist=("CONTENT",))
    except ImportError:
        return {}
    content: dict[str | bytes, Compiled] = module.CONTENT
    return content


try:
    _inside_re: Any = __import__("_sre")
except ImportError:  # another Python
    _inside_re = None
_NAME_OF_EXPRESSIONS = f"expressions_{getattr(_inside_re, 'MAGIC', 0)}"


def _compiled(pattern: str | bytes) -> Compiled:
    import re

    inside: Any = re
    parsed = inside._parser.parse(pattern)
    groups = parsed.state.groupdict
    names: list[str | None] = [None] * parsed.state.groups
    for name, number in groups.items():
        names[number] = name
    codes = tuple(map(int, inside._compiler._code(parsed, 0)))
    return int(parsed.state.flags), codes, len(names) - 1, groups, tuple(names)


# --- Writing --------------------------------------------------------------------------


def digest(data: bytes) -> str:
    """What tells one content of a file from another."""
    return f"{len(data)} bytes, CRC-32 {zlib.crc32(data):08x}"


def made_of_table(name: str, data: bytes) -> list[Made]:
    """What is to be stored of the TOML file of that name with those bytes."""
    made = [(name, data, _parsed(data))]
    if name in ("rules", "properties"):
        other = "reports" if name == "rules" else "definitions"
        made.append((other, data, _in_checks(made[0][2])))
    return made


def store(made: Iterable[Made]) -> list[str]:
    """Stores all that was made; the paths of the modules."""
    modules: dict[str, dict[Any, str]] = {}
    for name, source, content in made:
        entries = "".join(f"        {key!r}: {_literal(item)},\n" for key, item in content.items())
        entry = f"({digest(source)!r}, {{\n{entries}    }})"
        modules.setdefault(_MODULES.get(name, name), {})[name] = entry
    return [_write(name, entries) for name, entries in modules.items()]


def store_expressions() -> str:
    """Stores what re makes of all expressions that were asked for; the path of the module."""
    entries = {pattern: repr(_compiled(pattern)) for pattern in sorted(_asked, key=repr)}
    return _write(_NAME_OF_EXPRESSIONS, entries)


def _write(name: str, entries: dict[Any, str]) -> str:
    path = os.path.join(_FOLDER, f"{name}.py")
    lines = "".join(f"    {key!r}: {entry},\n" for key, entry in entries.items())
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(f'"""Made by ``python -m sgf_lark.engine``."""\n\nCONTENT = {{\n{lines}}}\n')
    return path


def _literal(content: Any) -> str:
    """`content` as Python writes it, a row of a table on a line."""
    content = frozen(content)
    if isinstance(content, tuple) and content and isinstance(content[0], dict):
        return "(\n" + "".join(f"            {row!r},\n" for row in content) + "        )"
    return repr(content)
