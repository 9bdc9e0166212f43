"""The steps of the LALR(1) parser as text or JSON, all at once or one by one, and its states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sgf_lark.cli import terminal
from sgf_lark.cli.terminal import cell_width
from sgf_lark.cli.tree_formats import place, source_text
from sgf_lark.cli.words import say
from sgf_lark.text.escaping import escape, escape_lines, to_json

if TYPE_CHECKING:
    from lark import Lark

    from sgf_lark.cli.terminal import OutputStyle
    from sgf_lark.teaching.automaton import Automaton, Conflict, Grammar, Step
    from sgf_lark.text.positions import SourceText

#: The widths of the columns. The action comes last and is never cut.
_PLACE, _STATE, _STACK, _TOKEN = 8, 5, 34, 24
#: The longest item that is followed by its lookaheads in the same column.
_MAX_ITEM = 56

_ACTION_COLORS = {"shift": "green", "reduce": "cyan", "accept": "green", "error": "red"}


def _word(key: str, style: OutputStyle) -> str:
    return say(f"parser.{key}", style.language)


class Trace:
    """The steps of parsing `data` by a grammar, and how they are shown."""

    def __init__(
        self,
        steps: Iterable[Step],
        grammar: Grammar,
        data: bytes,
        source: SourceText,
        style: OutputStyle,
    ) -> None:
        self._steps = self._watched(steps)
        #: Whether the last step that was shown is an error.
        self.is_refused = False
        self._grammar = grammar
        self._data = data
        self._source = source
        self._style = style

    def _watched(self, steps: Iterable[Step]) -> Iterator[Step]:
        for step in steps:
            self.is_refused = step.action == "error"
            yield step

    def as_text(self, *, with_items: bool) -> Iterator[str]:
        """Yield a line of headings, then a line for each step, and the items of its state."""
        heads = "place".ljust(_PLACE) + "state".rjust(_STATE) + "  " + "stack".ljust(_STACK)
        yield self._style.paint(heads + "  " + "token".ljust(_TOKEN) + "  action", bold=True) + "\n"
        for step in self._steps:
            where = self._style.paint(self._place(step).ljust(_PLACE), dim=True)
            stack = _cut_start(_stack(step), _STACK)
            token = self._token(step)
            yield f"{where}{step.state:{_STATE}}  {stack}  {token}  {self._action(step)}\n"
            if with_items:
                indent = " " * (_PLACE + _STATE + 2)
                yield from (f"{indent}{line}\n" for line in self._items(step))

    def as_json(self, *, with_items: bool) -> Iterator[str]:
        """Yield an object on a line for each step."""
        for number, step in enumerate(self._steps, 1):
            item: dict[str, object] = {
                "step": number,
                "state": step.state,
                "stack": step.stack,
                "stack_size": step.stack_size,
                "terminal": step.terminal or None,
                "text": source_text(self._data[step.start : step.end]),
                **place(self._source.span(step.start, step.end)),
                "action": step.action,
            }
            if step.target is not None:
                item["target"] = step.target
            if step.production:
                item["production"] = step.production
            if step.action == "error":
                item["expected"] = step.expected
            if with_items:
                item["items"] = [
                    each._asdict() for each in self._grammar.items(step.state, step.terminal)
                ]
            yield to_json(item) + "\n"

    def show(self, read_key: Callable[[], str], show: Callable[[str], object]) -> None:
        """Show one step after the other, forwards and backwards, until the key is "q"."""
        seen: list[Step] = []
        at = 0
        while True:
            while at >= len(seen) and (step := next(self._steps, None)) is not None:
                seen.append(step)
            at = max(0, min(at, len(seen) - 1))
            show(self._screen(at, seen[at]))
            match read_key():
                case "q" | "Q" | "\x03" | "\x04" | "\x1b":
                    return
                case "\x1b[D" | "\x1b[A" | "b" | "p" | "\x7f":
                    at -= 1
                case "\x1b[H" | "g":
                    at = 0
                case "\x1b[F" | "G":
                    seen += self._steps
                    at = len(seen) - 1
                case _:
                    at += 1

    def _screen(self, number: int, step: Step) -> str:
        """A step on a screen of its own."""
        style = self._style
        before = source_text(self._data[max(0, step.start - 40) : step.start])
        here = source_text(self._data[step.start : step.end][:_TOKEN])
        after = source_text(self._data[step.end : step.end + 30])
        title = f"{_word('step', style)} {number + 1}  {self._place(step)}"
        lines = [
            style.paint(title, bold=True),
            escape(before) + style.paint(escape(here), bold=True) + escape(after),
            " " * cell_width(escape(before)) + "^" * max(1, cell_width(escape(here))),
            f"{_word('stack', style)}  {_stack(step)}",
            f"{_word('token', style)}  {self._token(step).rstrip()}",
            "",
            f"{_word('State', style)} {step.state}",
            *(f"  {line}" for line in self._items(step)),
            "",
            f"{_word('action', style)}  {self._action(step)}",
            "",
            style.paint(_word("keys", style), dim=True),
        ]
        return "\n".join(lines) + "\n"

    def _items(self, step: Step) -> Iterator[str]:
        return item_lines(self._grammar, step.state, self._style, step.terminal)

    def _place(self, step: Step) -> str:
        span = self._source.span(step.start, step.end)
        return f"{span.line}:{span.column}"

    def _token(self, step: Step) -> str:
        from rich.cells import set_cell_size

        text = escape(source_text(self._data[step.start : step.end])[:_TOKEN])
        return set_cell_size(f"{step.terminal} {text}".strip(), _TOKEN)

    def _action(self, step: Step) -> str:
        return self._style.paint(action(step), fg=_ACTION_COLORS[step.action])


def action(step: Step) -> str:
    """What a step does."""
    from sgf_lark.syntax.errors import words_for

    match step.action:
        case "shift":
            return f"shift, state {step.target}"
        case "reduce":
            return f"reduce by {step.production}, state {step.target}"
        case "accept":
            return "accept"
        case _:
            expected = words_for(step.expected) or " ".join(step.expected)
            return f"error: expected {expected}"


def _stack(step: Step) -> str:
    left_out = "… " if step.stack_size > len(step.stack) else ""
    return left_out + " ".join(step.stack)


def _cut_start(text: str, width: int) -> str:
    """Return the end of `text`, padded or cut to `width` columns; symbols are ASCII."""
    return text.ljust(width) if len(text) <= width else "…" + text[1 - width :]


# --- Grammars -------------------------------------------------------------------------------


def read_grammar(path: Path) -> tuple[Grammar, Lark | None]:
    """Return the grammar in a file, and its parser if there is one; exit if it is no grammar."""
    from sgf_lark.teaching import automaton

    try:
        return automaton.changed(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        terminal.fail(f"{escape(path)}: {escape_lines(str(error))}")


# --- States and conflicts -----------------------------------------------------------------


def item_lines(
    grammar: Grammar, state: int, style: OutputStyle, lookahead: str | None = None
) -> Iterator[str]:
    """Yield a line for each item of a state; "→" marks the reason for the next action."""
    for item in grammar.items(state, lookahead):
        is_reason = lookahead is not None and item.is_reason
        text = ("→ " if is_reason else "  ") + item.text.ljust(_MAX_ITEM)
        text = style.paint(text, bold=is_reason) if is_reason or item.is_kernel else text
        follow = f"{_word('then', style)} {item.lookaheads}".rstrip()
        yield text + "  " + style.paint(follow, dim=True)


def state_lines(grammar: Grammar, style: OutputStyle) -> Iterator[str]:
    """Yield the states of a grammar, each with its items and its targets, then the conflicts."""
    for state in grammar.automaton.states:
        path = f"  {_word('after', style)} {grammar.names(state.path)}" if state.path else ""
        yield style.paint(f"{_word('State', style)} {state.number}", bold=True) + path
        yield from (f"  {line}" for line in item_lines(grammar, state.number, style))
        for symbol, target in state.targets.items():
            yield style.paint(f"      {grammar.symbols[symbol]} → {target}", fg="green")
        yield ""
    yield from conflict_lines(grammar, style)


def conflict_lines(grammar: Grammar, style: OutputStyle) -> Iterator[str]:
    """Yield each conflict: where it is, and what the parser could do there."""
    automaton = grammar.automaton
    if not automaton.conflicts:
        yield _word("no_conflicts", style)
    for conflict in automaton.conflicts:
        lookahead = grammar.symbols[conflict.lookahead]
        head = f"{_word('conflict', style)}: {_word('state', style)} {conflict.state.number}"
        head += f", {_word('after', style)} {grammar.names(conflict.state.path)}"
        yield style.paint(f"{head}, {_word('next', style)} {lookahead}", fg="red", bold=True)
        yield from (f"  {line}" for line in _choices(automaton, grammar, conflict, style))


def _choices(
    automaton: Automaton, grammar: Grammar, conflict: Conflict, style: OutputStyle
) -> Iterator[str]:
    if conflict.is_shift:
        goal = conflict.state.targets[conflict.lookahead]
        state = _word("state", style)
        yield f"{_word('shift', style)} {grammar.symbols[conflict.lookahead]}, {state} {goal}"
    for number in conflict.productions:
        yield f"{_word('reduce', style)} {grammar.production(number)}"
