"""What the page asks: each operation takes and gives an object of JSON.

The server and the page that runs by itself both answer through :func:`answer`.
Offsets are in UTF-16 code units, 0-based, as JavaScript counts.
"""

from __future__ import annotations

import base64
import json
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from sgf_lark import __version__
from sgf_lark.diagnostics import LANGUAGES
from sgf_lark.fixing import fix
from sgf_lark.model.collection import Collection
from sgf_lark.playground.document import LIMIT, Document, TooLarge, document
from sgf_lark.playground.points import source_of
from sgf_lark.playground.selection import Selection
from sgf_lark.syntax.parsing import parse_best
from sgf_lark.teaching import diagrams
from sgf_lark.text.decoding import decodings

Request = dict[str, Any]
Answer = dict[str, Any]

#: Kept in step with what JavaScript's JSON gives for a text of LIMIT bytes.
BODY_LIMIT = 2 * LIMIT + 10_000


class BadRequest(ValueError):
    """The page asked for something that makes no sense."""


def answer(operation: str, body: str | bytes) -> Answer:
    """The answer to a request, the JSON text `body`. Never raises.

    Where there is none, it has the key "error": "too-large" (with "limit" in bytes)
    or "bad-request" (with "reason").
    """
    try:
        request = json.loads(body)
        if not isinstance(request, dict) or operation not in _OPERATIONS:
            raise BadRequest("no such operation")
        return _OPERATIONS[operation](request)
    except TooLarge:
        return {"error": "too-large", "limit": LIMIT}
    except (BadRequest, UnicodeError, RecursionError, json.JSONDecodeError) as error:
        return {"error": "bad-request", "reason": str(error)}


def answer_text(operation: str, body: str) -> str:
    """The answer as JSON text."""
    return json.dumps(answer(operation, body))


def _get(request: Request, key: str, kind: type, default: Any = None) -> Any:
    """The entry `key`; raises BadRequest where it is not of that kind."""
    value = request.get(key, default)
    if type(value) is not kind:
        raise BadRequest(f"{key} has to be of the type {kind.__name__}")
    return value


def _document(request: Request) -> Document:
    language = _get(request, "language", str, "en")
    if language not in LANGUAGES:
        raise BadRequest(f"unknown language: {language}")
    return document(_get(request, "text", str), language)


# --- Operations -----------------------------------------------------------------------


@cache
def _data(name: str) -> dict[str, Any]:
    path = Path(__file__).parent / name
    return tomllib.loads(path.read_text(encoding="utf-8"))


def begin(request: Request) -> Answer:
    """What the page needs once: its words, the examples, the lessons of the tour, and the
    diagrams of the rules of the structure and of the values."""
    return {
        "version": __version__,
        "limit": LIMIT,
        "words": _data("words.toml"),
        "examples": _data("examples.toml")["example"],
        "lessons": _data("tour.toml")["lesson"],
        "structure": diagrams.structure(),
        "values": diagrams.values(),
    }


def look(request: Request) -> Answer:
    """What is known of a text and of a place in it.

    `parts` chooses among "summary" (diagnostics and nodes of the text), "terminals"
    (those from `first` to `last`, and the diagnostics there) and "selection" (what is
    from `start` to `end`, or the `item` of the parse tree, for a page that is `dark`).
    """
    found: Answer = {}
    about = _document(request)
    parts = _get(request, "parts", list)
    if "summary" in parts:
        found["summary"] = about.summary()
    if "terminals" in parts:
        first, last = _get(request, "first", int, 0), _get(request, "last", int, 0)
        found["terminals"] = about.terminals(first, last)
        found["marks"] = about.marks(first, last)
    if "selection" in parts:
        found["selection"] = _selection(about, request).as_dict()
    return found


def _selection(about: Document, request: Request) -> Selection:
    syntax = about.syntax
    item = _get(request, "item", int, -1)
    if 0 <= item < len(syntax.names):
        start, end = syntax.starts[item], syntax.ends[item]
    else:
        start = about.offsets.bytes(_get(request, "start", int, 0))
        end = max(start, about.offsets.bytes(_get(request, "end", int, 0)))
        item = syntax.at(start, end)
    dark = _get(request, "dark", bool, False)
    # At the beginning of a variation its first node is meant, not the one in front of it.
    reach = syntax.ends[item] if syntax.starts[item] == start else start
    return Selection(about, start, end, item, about.node_in(start, reach), dark)


def point(request: Request) -> Answer:
    """What put there what is seen at a `point` (as SGF writes it) of the board of `node`:
    the span of the last value on the way from the root that names it, or None."""
    about, node = _document(request), _get(request, "node", int)
    wanted = _get(request, "point", str)
    if not 0 <= node < len(about.flat.node_start):
        raise BadRequest("no such node")
    reader = about.tree_of(node).reader
    try:
        at = reader.read("point", wanted.encode("latin-1"))
    except ValueError:
        raise BadRequest(f"no point: {wanted}") from None
    span = source_of(about.model_node(node), about.flat, at)
    return {"span": span and about.span(*span)}


def production(request: Request) -> Answer:
    """The item of the parse tree that a `name` in a diagram means: the nearest around the
    `item` that is selected, or else the first below it or behind it."""
    about = _document(request)
    syntax = about.syntax
    item, name = _get(request, "item", int), _get(request, "name", str)
    if not 0 <= item < len(syntax.names):
        raise BadRequest("no such item")
    inside = [number for number in syntax.path(item)[:-1] if syntax.names[number] == name]
    try:
        found = inside[-1] if inside else syntax.names.index(name, item)
    except ValueError:
        return {"item": None, "span": None}
    return {"item": found, "span": about.span(syntax.starts[found], syntax.ends[found])}


def mend(request: Request) -> Answer:
    """The text with all safe corrections, as :func:`sgf_lark.fix` makes them."""
    text = _document(request).data.decode("utf-8", "surrogatepass")
    return {"text": fix(text).data.decode("utf-8", "surrogatepass")}


def load(request: Request) -> Answer:
    """The text of a file, from its bytes in `base64`, and the name of its charset."""
    try:
        data = base64.b64decode(_get(request, "base64", str), validate=True)
    except ValueError as error:
        raise BadRequest(str(error)) from None
    if len(data) > LIMIT:
        raise TooLarge(len(data))
    found = decodings(data)
    best = parse_best(found)
    reading = found[0] if best is None else best[0]
    codec = reading.codec or reading.fallback
    if best is not None:
        codec = Collection(*best)[0].charset
    text = reading.data[reading.signature.length :] if reading.offset_map is None else reading.data
    return {"text": text.decode(codec, "replace"), "charset": codec}


_OPERATIONS: dict[str, Callable[[Request], Answer]] = {
    "begin": begin,
    "look": look,
    "point": point,
    "production": production,
    "mend": mend,
    "load": load,
}
