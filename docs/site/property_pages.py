"""The pages of properties and games, from ``properties.toml``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from writing import code, table, text

from sgf_lark import grammar
from sgf_lark.cli.explain import rules_about
from sgf_lark.diagnostics import Language
from sgf_lark.grammar import Game, PropertyDefinition
from sgf_lark.syntax.values import value_types
from sgf_lark.teaching import properties

_WORDS = {
    "en": {
        "properties": "Properties",
        "games": "Games",
        "of game": "Properties of this game alone",
        "property": "property",
        "name": "name",
        "value": "value",
        "in games": "games",
        "formats": "file formats",
        "type": "property type",
        "range": "range",
        "older": "value before FF[4]",
        "inherit": "holds for all nodes below until it is set anew",
        "obsolete": "FF[4] no longer defines it",
        "replaced": "replaced by",
        "private": "no standard, but of the program",
        "unsupported": "not supported by",
        "related": "see also",
        "rules": "rules about its values",
        "all games": "all games",
        "move": "Move properties",
        "setup": "Setup properties",
        "root": "Root properties",
        "game-info": "Game-info properties",
        "none": "Properties without a type",
        "number": "value of GM",
        "size": "board without SZ",
        "maximum": "largest board",
        "point": "point",
        "stone": "stone",
        "moves": "move",
        "upward": "rows are counted from the bottom of the board",
        "no notation": "No source defines how points and moves of this game are written; they are "
        "kept as bytes.",
        "all": "All properties",
        "every": "All games",
        "python": "in Python",
    },
    "zh": {
        "properties": "属性",
        "games": "棋类",
        "of game": "仅属于这种棋的属性",
        "property": "属性",
        "name": "名称",
        "value": "属性值",
        "in games": "棋类",
        "formats": "文件格式",
        "type": "属性类型",
        "range": "范围",
        "older": "FF[4] 之前的属性值",
        "inherit": "对后面所有节点有效，直到重新设置",
        "obsolete": "FF[4] 不再定义",
        "replaced": "已改用",
        "private": "非标准，专用于软件",
        "unsupported": "不支持的软件",
        "related": "另见",
        "rules": "有关属性值的规则",
        "all games": "所有棋类",
        "move": "走子属性",
        "setup": "设置属性",
        "root": "根属性",
        "game-info": "对局信息属性",
        "none": "无类型的属性",
        "number": "GM 的值",
        "size": "没有 SZ 时的棋盘",
        "maximum": "最大棋盘",
        "point": "点",
        "stone": "棋子",
        "moves": "着手",
        "upward": "行从棋盘底部开始计数",
        "no notation": "没有资料定义这种棋的点和着手如何书写；它们按字节保留。",
        "all": "所有属性",
        "every": "所有棋类",
        "python": "在 Python 中",
    },
}


def pages(language: Language) -> Iterator[tuple[str, str]]:
    """Yield the path of each page, and its Markdown."""
    yield "properties/index.md", _properties(language)
    for ident in dict.fromkeys(entry.ident for entry in grammar.properties()):
        yield f"properties/{ident}.md", _property(ident, language)
    yield "games/index.md", _games(language)
    for game in grammar.games().values():
        yield f"games/{game.number}.md", _game(game, language)


def _name(entry: PropertyDefinition | Game, language: Language) -> str:
    return text(entry.name_zh if language == "zh" else entry.name)


def _value(expression: str, page: str) -> str:
    """A value expression, with links to the productions of its types."""

    def link(match: re.Match[str]) -> str:
        word = match[0]
        if word in value_types():
            return f"[`{word}`]({page}#values-{word})"
        return word

    return re.sub(
        r"[a-z_]+|[&|<>*]", lambda m: link(m) if m[0].isalpha() else text(m[0]), expression
    )


def _rows(entries: list[PropertyDefinition], language: Language) -> str:
    words = _WORDS[language]
    heads = [words[key] for key in ("property", "name", "value", "in games", "formats")]
    rows = [
        [
            f"[{entry.ident}](../properties/{entry.ident}.md)",
            _name(entry, language),
            _value(entry.value, "../grammar.md"),
            text(properties.games(entry, language)),
            ", ".join(map(str, entry.file_formats)),
        ]
        for entry in entries
    ]
    return table(heads, rows)


def _properties(language: Language) -> str:
    words = _WORDS[language]
    found = f"# {words['properties']}\n\n"
    for role, entries in properties.by_type().items():
        found += f"## {words[role]} {{ #{role} }}\n\n{_rows(list(entries), language)}"
    return found


def _property(ident: str, language: Language) -> str:
    words = _WORDS[language]
    entries = grammar.definitions(ident)
    names = dict.fromkeys(_name(entry, language) for entry in entries)
    found = f"# {ident} {' / '.join(names)}\n\n[← {words['all']}](index.md)\n\n"
    for entry in entries:
        if len(entries) > 1:
            games = text(properties.games(entry, language))
            formats = ", ".join(map(str, entry.file_formats))
            found += f"## {_name(entry, language)} ({games}, FF {formats})\n\n"
        found += text(entry.text_zh if language == "zh" else entry.text) + "\n\n"
        found += "".join(f"- {fact}\n" for fact in _facts(entry, language)) + "\n"
    return found


def _facts(entry: PropertyDefinition, language: Language) -> Iterator[str]:
    words = _WORDS[language]
    games = [f"[{_name(grammar.game(each), language)}](../games/{each}.md)" for each in entry.games]
    yield f"{words['in games']}: {', '.join(games) or words['all games']}"
    yield f"{words['formats']}: {', '.join(f'FF&#91;{each}&#93;' for each in entry.file_formats)}"
    yield f"{words['value']}: {_value(entry.value, '../grammar.md')}"
    if entry.older_value:
        yield f"{words['older']}: {_value(entry.older_value, '../grammar.md')}"
    yield f"{words['type']}: [{entry.type}](index.md#{entry.type})"
    if entry.inherit:
        yield words["inherit"]
    if entry.range:
        yield f"{words['range']}: {text(entry.range_zh if language == 'zh' else entry.range)}"
    if entry.obsolete:
        yield words["obsolete"]
    if entry.replaced_by:
        yield f"{words['replaced']}: {_idents([entry.replaced_by])}"
    if entry.private:
        yield f"{words['private']}: {text(entry.private)}"
    if entry.unsupported:
        yield f"{words['unsupported']}: {text(', '.join(entry.unsupported))}"
    if entry.related:
        yield f"{words['related']}: {_idents(entry.related)}"
    if rules := rules_about(entry):
        links = [f"[{rule}](../rules/{rule.partition(' ')[0]}.md)" for rule in rules]
        yield f"{words['rules']}: {', '.join(links)}"


def _idents(idents: tuple[str, ...] | list[str]) -> str:
    return ", ".join(
        f"[{ident}]({ident}.md)" if grammar.definitions(ident) else ident for ident in idents
    )


def _games(language: Language) -> str:
    words = _WORDS[language]
    rows = [
        [
            str(game.number),
            f"[{_name(game, language)}]({game.number}.md)",
            code(game.point),
            code(game.move),
        ]
        for game in grammar.games().values()
    ]
    heads = ["GM", words["name"], words["point"], words["moves"]]
    return f"# {words['games']}\n\n{table(heads, rows)}"


def _game(game: Game, language: Language) -> str:
    words = _WORDS[language]
    found = f"# {_name(game, language)}\n\n[← {words['every']}](index.md)\n\n"
    found += f"- {words['number']}: `GM[{game.number}]`\n"
    if game.size:
        found += f"- {words['size']}: {game.size[0]} × {game.size[1]}\n"
    if game.maximum_size:
        found += f"- {words['maximum']}: {game.maximum_size}\n"
    for key, word in (("point", "point"), ("stone", "stone"), ("move", "moves")):
        if production := getattr(game, key):
            form = getattr(game, f"{key}_form" + ("_zh" if language == "zh" else ""))
            link = f"[`{production}`](../grammar.md#values-{production})"
            found += f"- {words[word]}: {text(form)} ({link})\n"
    if game.upward:
        found += f"- {words['upward']}\n"
    found += "\n"
    if not game.move:
        found += words["no notation"] + "\n\n"
    entries = [entry for entry in grammar.properties() if game.number in entry.games]
    if entries:
        found += f"## {words['of game']}\n\n{_rows(entries, language)}"
    return found
