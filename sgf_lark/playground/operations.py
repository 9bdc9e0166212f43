"""The operations for the page: each takes and returns a JSON object.

The server and the exported page both call :func:`answer`. Offsets are in UTF-16 code units,
0-based, as in JavaScript.
"""

from __future__ import annotations

import base64
import json
import tomllib
from collections.abc import Callable
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

from sgf_lark import __version__, grammar
from sgf_lark.diagnostics import LANGUAGES
from sgf_lark.playground.document import LIMIT, MAX_STEPS, Document, TooLarge
from sgf_lark.playground.document import document as document_of
from sgf_lark.playground.selection import Selection
from sgf_lark.syntax.parsing import parse
from sgf_lark.teaching import diagrams
from sgf_lark.teaching.automaton import structure
from sgf_lark.text.decoding import decode
from sgf_lark.validation import active_rules

Request = dict[str, Any]
Answer = dict[str, Any]

#: The longest body of a request, in bytes: enough for a text of LIMIT bytes as JSON.
BODY_LIMIT = 2 * LIMIT + 10_000


class BadRequest(ValueError):
    """The request is invalid."""


def answer(operation: str, body: str | bytes) -> Answer:
    """The answer to a request, the JSON text `body`. Never raises.

    After an error the answer has the key "error": "too-large" (with "limit" in bytes) or
    "bad-request" (with "reason").
    """
    try:
        request = _parse(body)
        if not isinstance(request, dict) or operation not in _OPERATIONS:
            raise BadRequest("no such operation")
        return _OPERATIONS[operation](request)
    except TooLarge:
        return {"error": "too-large", "limit": LIMIT}
    except (BadRequest, UnicodeError) as error:
        return {"error": "bad-request", "reason": str(error)}


def _parse(body: str | bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:  # also numbers of thousands of digits
        raise BadRequest(str(error)) from None


def answer_text(operation: str, body: str) -> str:
    """The answer as JSON text."""
    return json.dumps(answer(operation, body))


def _get(request: Request, key: str, kind: type, default: Any = None) -> Any:
    """The entry `key`; raises BadRequest if it is not of this type."""
    value = request.get(key, default)
    # Not isinstance(): True would pass for a number.
    if type(value) is not kind:
        raise BadRequest(f"{key} has to be of the type {kind.__name__}")
    return value


def _document(request: Request) -> Document:
    language = _get(request, "language", str, "en")
    if language not in LANGUAGES:
        raise BadRequest(f"unknown language: {language}")
    profile = _get(request, "profile", str, "strict")
    if profile not in grammar.PROFILES:
        raise BadRequest(f"unknown profile: {profile}")
    return document_of(_get(request, "text", str), language, profile)


# --- Operations -----------------------------------------------------------------------


@cache
def _data(name: str) -> dict[str, Any]:
    path = Path(__file__).parent / name
    return tomllib.loads(path.read_text(encoding="utf-8"))


def begin(request: Request) -> Answer:
    """The data that the page loads once: its texts, the examples, the lessons of the tour, and
    the diagrams of the rules for the structure and for the values."""
    return {
        "version": __version__,
        "limit": LIMIT,
        "words": _data("words.toml"),
        "phrases": _data("phrases.toml"),
        "examples": _data("examples.toml")["example"],
        "lessons": _data("tour.toml")["lesson"],
        "structure": diagrams.rules("sgf.lark"),
        "values": diagrams.rules("values.lark"),
    }


def inspect(request: Request) -> Answer:
    """Information about a text and a selection in it.

    `parts` chooses among "summary" (diagnostics and nodes of the text), "terminals" (those
    from `first` to `last`, and the diagnostics there) and "selection" (the text from `start`
    to `end`, or the `item` of the parse tree, for a page that is `dark`; and the branches of
    its game tree). The diagnostics are those of a `profile`.
    """
    found: Answer = {}
    document = _document(request)
    parts = _get(request, "parts", list)
    if "summary" in parts:
        found["summary"] = document.summary()
    if "terminals" in parts:
        first, last = _get(request, "first", int, 0), _get(request, "last", int, 0)
        found["terminals"] = document.terminals(first, last)
        found["marks"] = document.marks(first, last)
    if "selection" in parts:
        selection = _selection(document, request)
        graph = [] if selection.node is None else document.graph(selection.node)
        found["selection"] = {**selection.as_dict(), "graph": graph}
    return found


def _selection(document: Document, request: Request) -> Selection:
    syntax = document.syntax
    item = _get(request, "item", int, -1)
    if 0 <= item < len(syntax):
        start, end = syntax[item].start, syntax[item].end
    else:
        start = document.text.bytes(_get(request, "start", int, 0))
        end = max(start, document.text.bytes(_get(request, "end", int, 0)))
        item = syntax.at(start, end)
    dark = _get(request, "dark", bool, False)
    # At the start of a variation its first node is selected, not the node before it.
    reach = syntax[item].end if syntax[item].start == start else start
    return Selection(document, start, end, item, document.node_in(start, reach), dark)


def point(request: Request) -> Answer:
    """The origin of the stone or mark at a `point` (as SGF writes it) of the board of `node`.

    That is the span of the last value with this point on the path from the root, or None.
    """
    document, node = _document(request), _get(request, "node", int)
    wanted = _get(request, "point", str)
    if not 0 <= node < len(document.flat.node_start):
        raise BadRequest("no such node")
    reader = document.node(node).tree.parsed.reader
    try:
        at = reader.read("point", wanted.encode("latin-1"))
    except ValueError:
        raise BadRequest(f"no point: {wanted}") from None
    found = document.origin(document.node(node), at)
    # With its brackets, of which an open value has one.
    return {"span": found and document.span(found[0] - 1, min(found[1] + 1, len(document.data)))}


def production(request: Request) -> Answer:
    """The item of the parse tree for a `name` in a diagram.

    That is the nearest one that contains the selected `item`, or else the first one below
    or after it.
    """
    document = _document(request)
    syntax = document.syntax
    item, name = _get(request, "item", int), _get(request, "name", str)
    if not 0 <= item < len(syntax):
        raise BadRequest("no such item")
    numbers = chain(reversed(syntax.path(item)[:-1]), range(item, len(syntax)))
    found = next((number for number in numbers if syntax[number].name == name), None)
    span = None if found is None else document.span(syntax[found].start, syntax[found].end)
    return {"item": found, "span": span}


def fix_all(request: Request) -> Answer:
    """The text with the safe fixes of :func:`sgf_lark.fix`, with `unsafe` with all, for the
    diagnostics of the `profile`; and how many were applied."""
    document = _document(request)
    rules = active_rules(document.settings.profile, document.settings.codes)
    found = document.fixed(
        unsafe=_get(request, "unsafe", bool, False),
        select=tuple(code for code in grammar.rules() if code in rules.severities),
    )
    return {"text": found.data.decode("utf-8", "surrogatepass"), "count": len(found.applied)}


def node(request: Request) -> Answer:
    """The span of the `node` with that number."""
    document, number = _document(request), _get(request, "node", int)
    if not 0 <= number < len(document.flat.node_start):
        raise BadRequest("no such node")
    return {"span": document.span(*document.flat.node_span(number))}


def trace(request: Request) -> Answer:
    """A step of the LALR(1) parser, with the items of its state.

    That is the `step` with that number, or else the first one whose lookahead ends after the
    offset `start`. `count` is the number of steps, or of the first ones if `more` follow.
    """
    document = _document(request)
    steps, number = document.steps, _get(request, "step", int, -1)
    if number < 0:
        start = document.text.bytes(_get(request, "start", int, 0))
        number = next((at for at, step in enumerate(steps) if step.end > start), len(steps) - 1)
    number = min(number, len(steps) - 1)
    step = steps[number]
    items = structure(not document.is_strict).items(step.state, step.terminal)
    return {
        "step": number,
        "count": len(steps),
        "more": len(steps) == MAX_STEPS,
        "state": step.state,
        "stack": step.stack,
        "cut": step.stack_size > len(step.stack),
        "terminal": step.terminal,
        "text": document.part(step.start, min(step.end, step.start + 60)),
        "span": document.span(step.start, step.end),
        "action": step.action,
        "target": step.target,
        "production": step.production,
        "expected": step.expected,
        "items": [item._asdict() for item in items],
    }


def load(request: Request) -> Answer:
    """The text of a file, whose bytes are in `base64`, and the name of its charset."""
    try:
        data = base64.b64decode(_get(request, "base64", str), validate=True)
    except ValueError as error:
        raise BadRequest(str(error)) from None
    if len(data) > LIMIT:
        raise TooLarge(len(data))
    file = parse(decode(data))
    decoding = file.decoding
    codec = file.codecs[0] if file.codecs else decoding.charsets.choose(None, data).codec
    text = decoding.data
    if not any(section.is_decoded for section in decoding.sections):
        text = decoding.original[decoding.unicode_signature.length :]
    return {"text": text.decode(codec, "replace"), "charset": codec}


_OPERATIONS: dict[str, Callable[[Request], Answer]] = {
    "begin": begin,
    "inspect": inspect,
    "point": point,
    "production": production,
    "fix": fix_all,
    "node": node,
    "trace": trace,
    "load": load,
}
