"""The tolerant parser: any bytes to a flat tree and the damage found on the way.

The grammar ``tolerant.lark`` names each kind of damage; this module says which
rule of the catalogue each one breaks.
"""

from __future__ import annotations

import re
import threading
from typing import Any

from lark import Lark, Token, Transformer

from sgf_lark import grammar
from sgf_lark.driver import Driver
from sgf_lark.engine import Engine
from sgf_lark.flat import Damage, DamagedTree, FlatTree

_SPACE = " \t\n\r\v\f"
_LOWERCASE = re.compile("[a-z]")


class _Builder(Transformer[Token, Any]):
    """Lark's callbacks. Trees give the nodes that begin them, nodes in a row the range
    of their numbers."""

    def __init__(self) -> None:
        super().__init__(visit_tokens=False)
        self.begin(b"")

    def begin(self, data: bytes) -> None:
        self.result = DamagedTree(FlatTree(data))
        self.bare: Token | None = None
        #: Where the trees begin that the end of the file leaves open.
        self.left_open: list[int] = []

    def note(self, code: str, start: int, end: int, ident: str | None = None) -> None:
        self.result.damage.append(Damage(code, start, end, ident))

    # Properties, and what stands in their place: each gives its offset

    def propident(self, children: list[Token]) -> Token:
        return children[0]

    def propvalue(self, children: list[Token]) -> Token:
        return children[0]

    def property(self, children: list[Token]) -> int:
        flat = self.result.flat
        ident, *values = children
        number = len(flat.ident_start)
        flat.ident_start.append(_start(ident))
        flat.ident_end.append(_start(ident) + len(ident))
        name = self._name(ident)
        if name != ident:
            flat.names[number] = name
        for value in values:
            self._value(value, name)
        flat.value_end.append(len(flat.value_from))
        return _start(ident)

    def _name(self, ident: Token) -> str:
        """What the identifier stands for; its damage is noted."""
        start, end = _start(ident), _start(ident) + len(ident)
        name = str(ident)
        if ident.type != "UCLETTERS":
            name = "".join(re.findall("[A-Z]", ident)) or name
        before, self.bare = self.bare, None
        if ident.type == "DAMAGED_IDENTIFIER":
            self.note("SGF113", start, end, name)
        elif ident.type == "LOWERCASE_IDENTIFIER":
            self.result.lowercase.append(Damage("SGF114", start, end, name))
        if before is None:
            return name
        # "B L[30]" is more likely BL than a B without value in front of L.
        joined = before + name
        if _only_space(self.result.flat.data[_start(before) + len(before) : start]) and (
            grammar.definitions(joined)
        ):
            self.note("SGF112", _start(before), end, joined)
            return joined
        self._without_value(before)
        return name

    def _value(self, value: Token, name: str) -> None:
        flat = self.result.flat
        start = _start(value)
        closed = value.type != "UNCLOSED_VALUE"
        flat.value_from.append(start + 1)
        flat.value_to.append(start + len(value) - closed)
        if not closed:
            self.note("SGF119", start, start + 1, name)
        if value.type == "UNESCAPED_BRACKET":
            for match in re.finditer(r"\\[\x00-\xff]|(\])", value[:-1]):
                if match[1]:
                    self.note("SGF118", start + match.start(), start + match.end(), name)

    def property_without_value(self, children: list[Token]) -> int:
        self.flush()
        self.bare = children[0]
        return _start(children[0])

    def _without_value(self, ident: Token) -> None:
        self.note("SGF110", _start(ident), _start(ident) + len(ident), str(ident))

    def flush(self) -> None:
        """Note the identifier without value that nothing followed to explain it."""
        if self.bare is not None:
            self._without_value(self.bare)
            self.bare = None

    def value_without_property(self, children: list[Token]) -> int:
        self.flush()
        last = children[-1]
        self.note("SGF111", _start(children[0]), _start(last) + len(last))
        if last.type == "UNCLOSED_VALUE":
            self.note("SGF119", _start(last), _start(last) + 1)
        return _start(children[0])

    def junk(self, children: list[Token]) -> int:
        self.flush()
        start = _start(children[0])
        end = start + len(children[0])
        data = self.result.flat.data
        code = "SGF118" if children[0] == "]" else "SGF120"
        last = self.result.damage[-1] if self.result.damage else None
        if last is not None and last.code == code and _only_space(data[last.end : start]):
            self.result.damage[-1] = last._replace(end=end)
        else:
            self.note(code, start, end)
        return start

    def control_characters(self, token: Token) -> Token:
        """Called by the scanner, which leaves them out."""
        start = _start(token)
        self.note("SGF121" if "\0" in token else "SGF122", start, start + len(token))
        return token

    # Nodes

    def node(self, children: list[Any]) -> range:
        return self._node(_start(children[0]))

    def node_after_variation(self, children: list[Any]) -> range:
        start = _start(children[0])
        number = self._node(start)
        self.note("SGF106", start, start + 1)
        return number

    # A node without ";" begins where the first thing in it does.

    def missing_semicolon(self, children: list[int]) -> range:
        number = self._node(children[0])
        self.note("SGF103", children[0], children[0] + 1)
        return number

    def property_after_variation(self, children: list[int]) -> range:
        number = self._node(children[0])
        self.note("SGF106", children[0], children[0] + 1)
        return number

    def _node(self, start: int) -> range:
        self.flush()
        flat = self.result.flat
        flat.node_start.append(start)
        flat.property_end.append(len(flat.ident_start))
        flat.parent.append(-1)
        return range(len(flat.node_start) - 1, len(flat.node_start))

    # Trees

    def gametree(self, children: list[Any]) -> list[int]:
        return self._tree(children[0], children[1:-1], children[-1])

    def unclosed_tree(self, children: list[Any]) -> list[int]:
        self.left_open.append(_start(children[0]))
        return self._tree(children[0], children[1:], None)

    def _tree(self, opening: Token, items: list[Any], closing: Token | None) -> list[int]:
        """Joins nodes and variations; gives the nodes that no other comes before."""
        flat = self.result.flat
        beginnings: list[int] = []
        last = -1
        for item in items:
            # Of nodes in a row the first alone has not found its parent yet.
            for node in item if isinstance(item, list) else item[:1]:
                if last < 0:
                    beginnings.append(node)
                else:
                    flat.parent[node] = last
            if not isinstance(item, list):
                last = item[-1]
        if items and not isinstance(items[0], list):
            flat.opening[items[0][0]] = _start(opening)
            flat.closing[items[0][0]] = len(flat.data) if closing is None else _start(closing)
        return beginnings

    def empty_tree(self, children: list[Token]) -> list[int]:
        self.note("SGF104", _start(children[0]), _start(children[-1]) + 1)
        return []

    def tree_without_sequence(self, children: list[list[int]]) -> list[int]:
        if children[0]:
            opening = self.result.flat.opening.get(children[0][0], 0)
            self.note("SGF105", opening, opening + 1)
        return children[0]

    def text_outside(self, children: list[Token]) -> Token:
        return children[0]

    def game(self, children: list[Any]) -> Any:
        return children[0]

    def collection(self, children: list[Any]) -> None:
        flat = self.result.flat
        flat.roots = []
        for child in children:
            if isinstance(child, list):
                flat.roots += child
        for root in flat.roots:
            flat.parent[root] = -1
        for node in flat.roots:
            flat.opening.setdefault(node, flat.node_start[node])
            flat.closing.setdefault(node, len(flat.data))
        seen_tree = False
        for child in children:
            if isinstance(child, Token):
                self._note_outside(child, seen_tree)
            seen_tree = seen_tree or isinstance(child, list)
        if not flat.roots and not self.result.damage:
            self.note("SGF002", 0, len(flat.data))

    def _note_outside(self, text: Token, seen_tree: bool) -> None:
        start = _start(text)
        end = start + len(text.rstrip(_SPACE))
        if not self.result.flat.roots:
            self.note("SGF002", start, end)
        elif not seen_tree:
            self.note("SGF101", start, end)
        else:
            while start < end and text[start - _start(text)] in ")" + _SPACE:
                if text[start - _start(text)] == ")":
                    self.note("SGF108", start, start + 1)
                start += 1
            rest = text[start - _start(text) :]
            if start < end:
                code = "SGF109" if re.match(r"[A-Z]+[ \t\n\r\v\f]*\[", rest) else "SGF102"
                self.note(code, start, end)


def _start(token: Token) -> int:
    return token.start_pos or 0


def _only_space(data: bytes) -> bool:
    return not data.strip(_SPACE.encode())


class _Parser(threading.local):
    """One parser for each thread, because its callbacks write into one tree.

    Trees and nodes in a row without damage are left to the engine, which reads them as
    the strict grammar does. That is how they are read here, unless the last "]" of them
    is in truth one that stands in a text.
    """

    def __init__(self) -> None:
        self.builder = _Builder()
        self.lark = Lark(
            grammar.source("tolerant.lark"),
            parser="lalr",
            start="collection",
            transformer=self.builder,
            keep_all_tokens=True,
            lexer_callbacks={"CONTROL_CHARACTERS": self.builder.control_characters},
        )
        self.driver = Driver(
            self.lark,
            self.builder,
            "collection",
            symbols={"game": "LPAR", "gametree": "LPAR", "node": "SEMICOLON"},
        )
        pattern = self.lark.get_terminal("UNESCAPED_BRACKET").pattern.to_regexp()
        self.unescaped_bracket = re.compile(pattern)

    def parse(self, data: bytes, engine: Engine) -> tuple[DamagedTree, list[int]]:
        """What can be read, and where the trees begin that the end leaves open."""
        text = data.decode("latin-1")
        self.builder.begin(data)
        flat = self.builder.result.flat
        try:
            self.lark.parse(text)
            return self.builder.result, self.builder.left_open
        finally:
            self.builder.begin(b"")


_parsers: list[_Parser] = []


def parse_tolerant(data: bytes, engine: Engine = "tables") -> DamagedTree:
    """Whatever can be read of `data`, which never raises, with the damage in its order.

    With the `engine` "lark" Lark's own parser reads all of it, which gives the same.
    """
    if not _parsers:
        _parsers.append(_Parser())
    result, left_open = _parsers[0].parse(data, engine)
    _note_unclosed(result, left_open)
    result.damage.sort(key=lambda damage: damage.start)
    return result


def _note_unclosed(result: DamagedTree, left_open: list[int]) -> None:
    """One diagnostic for all trees that the end of the file leaves open.

    Where it leaves a value open too, that is the cause of the rest.
    """
    if any(damage.code in ("SGF002", "SGF119") for damage in result.damage):
        return
    if left_open:
        start = max(left_open)
        result.damage.append(Damage("SGF107", start, start + 1))
