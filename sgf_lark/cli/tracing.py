"""The steps of a parse as lines of text or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sgf_lark.cli.terminal import Look
    from sgf_lark.teaching.steps import Step
    from sgf_lark.text.positions import SourceText

#: The columns of the text, in cells. What is done comes last and is never cut.
_PLACE, _STATE, _STACK, _TOKEN = 8, 5, 34, 24

_COLORS = {"shift": "green", "reduce": "cyan", "accept": "green", "error": "red"}


def as_text(data: bytes, source: SourceText, look: Look, *, tolerant: bool) -> Iterator[str]:
    """A line for each step of the parse of `data`, under a line of headings."""
    from sgf_lark.teaching.steps import steps

    heads = "place".ljust(_PLACE) + "state".rjust(_STATE) + "  " + "stack".ljust(_STACK)
    yield look.style(heads + "  " + "token".ljust(_TOKEN) + "  action", bold=True) + "\n"
    for step in steps(data, tolerant=tolerant):
        span = source.span(step.start, step.end)
        yield (
            look.style(f"{span.line}:{span.column}".ljust(_PLACE), dim=True)
            + f"{step.state:{_STATE}}  {_end_of(_stack(step), _STACK)}  {_token(data, step)}  "
            + look.style(_action(step), fg=_COLORS[step.action])
            + "\n"
        )


def as_json(data: bytes, source: SourceText, look: Look, *, tolerant: bool) -> Iterator[str]:
    """An object a line for each step of the parse of `data`."""
    from sgf_lark.cli.trees import source_text
    from sgf_lark.teaching.steps import steps

    for number, step in enumerate(steps(data, tolerant=tolerant), 1):
        span = source.span(step.start, step.end)
        found: dict[str, object] = {
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
            found["target"] = step.target
        if step.production:
            found["production"] = step.production
        if step.action == "error":
            found["expected"] = step.expected
        yield json.dumps(found, ensure_ascii=False) + "\n"


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

    from sgf_lark.cli.text import one_line
    from sgf_lark.cli.trees import source_text

    text = one_line(source_text(data[step.start : step.end])[:_TOKEN])
    return set_cell_size(f"{step.terminal} {text}".strip(), _TOKEN)


def _end_of(text: str, width: int) -> str:
    """The end of `text` in so many cells; symbols are of ASCII."""
    return text.ljust(width) if len(text) <= width else "…" + text[1 - width :]
