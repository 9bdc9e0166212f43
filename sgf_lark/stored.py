"""What takes a while to work out of the files in ``grammar/``, stored as modules of Python.

    python -m sgf_lark.engine

stores it anew in ``_stored/``: the TOML files, what a report needs of the rules, what Lark
makes of ``values.lark``, what ``re`` makes of its regular expressions, and the engine's
tables of ``sgf.lark``. To import them takes a fraction of the time. A module counts as long
as the file that it was made from is the same; else its content is worked out when it is
asked for.

All that comes from here is shared, and not to be changed: sequences are tuples.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import os.path
import zlib
from functools import cache

from sgf_lark.annotations import TYPE_CHECKING, Any, AnyStr

if TYPE_CHECKING:
    import re

_FOLDER = os.path.join(os.path.dirname(__file__), "_stored")

#: What a report needs of a rule; all else, most of the catalogue, is for readers.
_IN_REPORTS = (
    "code",
    "name",
    "severity",
    "message",
    "message_zh",
    "sgfc",
    "fix",
    "fix_zh",
    "data",
)


def load(name: str, source: bytes) -> dict[str, Any] | None:
    """The content of the module of that name, where it was made from these bytes."""
    try:
        module: Any = __import__(f"sgf_lark._stored.{name}", fromlist=("CONTENT",))
        content: dict[str, Any] = module.CONTENT
        return content if digest(source) == module.MADE_FROM else None
    except (ImportError, SyntaxError, AttributeError):
        return None


def table(name: str, data: bytes) -> dict[str, Any]:
    """The content of the TOML file of that name, with those bytes."""
    return load(name, data) or _parsed(data)


def rules(data: bytes) -> tuple[dict[str, Any], ...]:
    """What a report needs of each rule in ``rules.toml``, with those bytes."""
    found = load("reports", data) or _in_reports(_parsed(data))
    rows: tuple[dict[str, Any], ...] = found["rule"]
    return rows


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
        known = _expressions().get(pattern)
        if known is None:
            import re

            found = re.compile(pattern)
        else:
            flags, codes, *groups = known
            found = _sre.compile(pattern, flags, list(codes), *groups)
        _asked[pattern] = found
    return found


@cache
def _expressions() -> dict[str | bytes, Compiled]:
    try:
        module: Any = __import__(f"sgf_lark._stored.{_NAME_OF_EXPRESSIONS}", fromlist=("CONTENT",))
    except ImportError:
        return {}
    content: dict[str | bytes, Compiled] = module.CONTENT
    return content


_NAME_OF_EXPRESSIONS = f"expressions_{_sre.MAGIC}"


def store_expressions() -> str:
    """Stores what re makes of all expressions that were asked for; the path of the module."""
    content = {pattern: _compiled(pattern) for pattern in sorted(_asked, key=repr)}
    return _write(_NAME_OF_EXPRESSIONS, "", content)


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


def frozen(content: Any) -> Any:
    """`content` with tuples in the place of lists."""
    if isinstance(content, dict):
        return {key: frozen(item) for key, item in content.items()}
    return tuple(map(frozen, content)) if isinstance(content, list | tuple) else content


def _parsed(data: bytes) -> dict[str, Any]:
    import tomllib

    content: dict[str, Any] = frozen(tomllib.loads(data.decode("utf-8")))
    return content


def _in_reports(catalogue: dict[str, Any]) -> dict[str, Any]:
    wanted = ({key: row[key] for key in _IN_REPORTS if key in row} for row in catalogue["rule"])
    return {"rule": tuple(wanted)}


def store_table(name: str, data: bytes) -> list[str]:
    """Stores the TOML file of that name with those bytes; the paths of what is written."""
    content = _parsed(data)
    paths = [store(name, data, content)]
    if name == "rules":
        paths.append(store("reports", data, _in_reports(content)))
    return paths


def store(name: str, source: bytes, content: dict[str, Any]) -> str:
    """Stores what was made from these bytes; the path of the module."""
    return _write(name, f'MADE_FROM = "{digest(source)}"\n\n', content)


def _write(name: str, beginning: str, content: dict[Any, Any]) -> str:
    path = os.path.join(_FOLDER, f"{name}.py")
    entries = "".join(f"    {key!r}: {_literal(item)},\n" for key, item in content.items())
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(
            '"""Made by ``python -m sgf_lark.engine``."""\n\n'
            f"{beginning}CONTENT = {{\n{entries}}}\n"
        )
    return path


def _literal(content: Any) -> str:
    """`content` as Python writes it, a row of a table on a line."""
    content = frozen(content)
    if isinstance(content, tuple) and content and isinstance(content[0], dict):
        return "(\n" + "".join(f"        {row!r},\n" for row in content) + "    )"
    return repr(content)
