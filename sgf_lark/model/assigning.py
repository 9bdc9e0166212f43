"""The values of properties on their way into a tree: written, in a charset that has them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from sgf_lark.grammar import Charset
from sgf_lark.model.values import Context
from sgf_lark.model.values.writer import ends_at_bracket, write_all
from sgf_lark.text import charsets
from sgf_lark.text.validity import is_text

if TYPE_CHECKING:
    from sgf_lark.model.tree import GameTree

Result = TypeVar("Result")

_IDENTIFIER = re.compile("[A-Z]+")
_UTF_8 = "UTF-8"


def write_values(tree: GameTree, properties: Mapping[str, Any]) -> dict[str, list[bytes]]:
    """The raw values of properties of a tree, by their identifiers.

    The tree may get another charset for them, as :meth:`Node.__setitem__` describes. Raises
    TypeError or ValueError, with nothing changed.
    """
    if not isinstance(properties, Mapping):
        raise TypeError(f"expected a mapping such as {{'B': 'pd'}}; given {properties!r:.80}")
    for ident in properties:
        if not isinstance(ident, str) or not _IDENTIFIER.fullmatch(ident):
            raise ValueError(f"an identifier consists of the letters A to Z: {ident!r}")
    texts = [text for value in properties.values() for text in _texts(value)]
    for text in texts:
        _check_characters(text)

    def write(context: Context) -> dict[str, list[bytes]]:
        return {
            ident: write_all(tree.define(ident), value, context, ident)
            for ident, value in properties.items()
        }

    if all(text.isascii() for text in texts):
        found = write(tree.parsed.context)
    else:
        found = in_its_charset(tree, write, "".join(texts))
    for ident, raws in found.items():
        _check_text(tree, ident, raws)
    _declare(tree, [raw for raws in found.values() for raw in raws])
    return found


def in_its_charset(tree: GameTree, write: Callable[[Context], Result], text: str = "") -> Result:
    """What `write` gives in the first charset that has all characters of `text`, and in which it
    raises no ValueError. The tree is written in that charset, and declares it, from then on."""
    failure: ValueError | None = None
    for charset, is_new in _charsets(tree):
        try:
            _encodable(tree, text, charset)
            found = write(tree.parsed.context._replace(codec=charset.codec))
            if is_new:
                tree._declare_charset(charset)
        except ValueError as error:
            failure = failure or error
        else:
            return found
    assert failure is not None
    raise failure


def _charsets(tree: GameTree) -> Iterator[tuple[Charset, bool]]:
    """The charsets in which text outside ASCII may be written to a tree, best first, and whether
    the tree has to declare them then."""
    decoding = tree.parsed.file.decoding
    own = charsets.named(tree.charset)
    if tree.parsed.section.charset is not None or "CA" in tree.root:
        yield own, False
        return
    if decoding.charsets.ignores_declared:
        yield own, False
    elif not all(tree._store.is_ascii(node.number) for node in tree.nodes()):
        yield charsets.named(charsets.name_of(tree.charset)), True
    yield charsets.named(_UTF_8), True


def _encodable(tree: GameTree, text: str, charset: Charset) -> None:
    """Raise ValueError if the charset, or that of the whole file, lacks a character."""
    section, codec, name = tree.parsed.section, charset.codec, charset.name
    if section.charset is not None and section.offset_map is not None:
        codec, name = section.offset_map.codec, section.charset.name
    try:
        text.encode(codec)
    except UnicodeEncodeError as error:
        character = text[error.start]
        raise ValueError(
            f"the game is in {name}, which cannot hold {character!r} (U+{ord(character):04X}); "
            'change its charset before: node.tree.root["CA"] = "UTF-8", or '
            'loads(dumps(game, charset="UTF-8"))'
        ) from error


def check_declared(tree: GameTree, name: object) -> None:
    """Raise ValueError for what CA cannot declare in that tree."""
    charset = charsets.lookup(name)[0] if isinstance(name, str) else None
    if charset is None:
        raise ValueError(f"CA: {name!r} is not a charset; expected a name such as 'UTF-8'")
    if not charset.superset and tree.parsed.section.charset is None:
        raise ValueError(
            f"CA: a game tree cannot be in {charset.name}, which does not contain ASCII; "
            f'use dumps(game, charset="{charset.name}")'
        )


def _check_characters(text: str) -> None:
    """Raise ValueError for what no charset has."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(
            f"{text[error.start]!r} at index {error.start} of the text is half of a surrogate "
            "pair and no character; no charset can hold it"
        ) from error


def _texts(value: Any) -> Iterator[str]:
    """The texts in a value of whatever type."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _texts(part)


def checked_raws(tree: GameTree, ident: str, values: bytes | Sequence[bytes]) -> list[bytes]:
    """Values as written, as a list; raises TypeError or ValueError for what breaks the file."""
    raws = [values] if isinstance(values, bytes) else values
    if not isinstance(raws, (list, tuple)) or not all(isinstance(raw, bytes) for raw in raws):
        raise TypeError(
            f"{ident}: raw values are bytes, or a list of bytes, such as [b'pd']; given {values!r}"
        )
    if not raws:
        raise ValueError(f"{ident}: a property has at least one value; given {values!r}")
    for raw in raws:
        if not ends_at_bracket(raw):
            raise ValueError(
                rf"{ident}: {raw!r} would not end at its bracket; write \] and \\ for ] and \ "
            )
    _check_text(tree, ident, raws)
    _declare(tree, raws)
    return [*raws]


def _declare(tree: GameTree, raws: Sequence[bytes]) -> None:
    """Let a tree without CA declare its charset, if values as written are not all ASCII."""
    if not all(map(bytes.isascii, raws)):
        ignores_declared = tree.parsed.file.decoding.charsets.ignores_declared
        if tree.parsed.section.charset is None and not ignores_declared and "CA" not in tree.root:
            tree._declare_charset(charsets.named(charsets.name_of(tree.charset)))


def _check_text(tree: GameTree, ident: str, raws: Sequence[bytes]) -> None:
    """Raise ValueError for bytes that are no text in the charset of the tree: with them the
    others would be read in another charset."""
    codec = tree.charset
    for raw in raws:
        if not is_text(raw, codec):
            raise ValueError(
                f"{ident}: {raw!r} has bytes that are no text in {charsets.name_of(codec)}, the "
                "charset of the game"
            )
        if tree.parsed.section.charset is not None:
            _encodable(tree, raw.decode(codec), charsets.named(codec))
