"""The steps of a parse as lines of text or JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sgf_lark.cli.terminal import OutputStyle
from sgf_lark.cli.tree_formats import source_text
from sgf_lark.text.escaping import escape, to_json

if TYPE_CHECKING:
    from sgf_lark.teaching.steps import Step
    from sgf_lark.text.positions import SourceText

#: The widths of the columns. The action comes last and is never cut.
_PLACE, _STATE, _STACK, _TOKEN = 8, 5, 34, 24

_COLORS = {"shift": "green", "reduce": "cyan", "accept": "green", "error": "red"}


def as_text(
    steps: Iterable[Step], data: bytes, source: SourceText, style: OutputStyle
) -> Iterator[str]:
    """Yield a line of headings, then a line for each step of the parse of `data`."""
    heads = "place".ljust(_PLACE) + "state".rjust(_STATE) + "  " + "stack".ljust(_STACK)
    yield style.paint(heads + "  " + "token".ljust(_TOKEN) + "  action", bold=True) + "\n"
    for step in steps:
        span = source.span(step.start, step.end)
        place = style.paint(f"{span.line}:{span.column}".ljust(_PLACE), dim=True)
        stack = _cut_start(_stack(step), _STACK)
        action = style.paint(_action(step), fg=_COLORS[step.action])
        yield f"{place}{step.state:{_STATE}}  {stack}  {_token(data, step)}  {action}\n"


def as_json(steps: Iterable[Step], data: bytes, source: SourceText) -> Iterator[str]:
    """Yield an object on a line for each step of the parse of `data`."""
    for number, step in enumerate(steps, 1):
        span = source.span(step.start, step.end)
        item: dict[str, object] = {
            "step": number,
            "state": step.state,
            "stack": step.stack,
            "stack_size": step.stack_size,
            "terminal": step.terminal or None,
            "text": source_text(data[step.start : step.end]),
            "start": span.start,
            "end": span.end,
            "line": span.line,
            "column": span.column,
            "action": step.action,
        }
        if step.target is not None:
            item["target"] = step.target
        if step.production:
            item["production"] = step.production
        if step.action == "error":
            item["expected"] = step.expected
        yield to_json(item) + "\n"


def _action(step: Step) -> str:
    from sgf_lark.syntax.errors import words_for

    match step.action:
        case "shift":
            return f"shift, state {step.target}"
        case "reduce":
            return f"reduce by {step.production}, state {step.target}"
        case "accept":
            return "accept"
        case _:
            return f"error: expected {words_for(step.expected)}"


def _stack(step: Step) -> str:
    left_out = "… " if step.stack_size > len(step.stack) else ""
    return left_out + " ".join(step.stack)


def _token(data: bytes, step: Step) -> str:
    from rich.cells import set_cell_size

    text = escape(source_text(data[step.start : step.end])[:_TOKEN])
    return set_cell_size(f"{step.terminal} {text}".strip(), _TOKEN)


def _cut_start(text: str, width: int) -> str:
    """Return the end of `text`, padded or cut to `width` columns; symbols are ASCII."""
    return text.ljust(width) if len(text) <= width else "…" + text[1 - width :]
