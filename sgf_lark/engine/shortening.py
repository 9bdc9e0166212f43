"""The same LALR(1) table with fewer steps from token to token.

Nodes, properties and values are lists in the grammar, so that behind each of them a
plain table reduces by rule after rule before it can shift what comes next. None of
this changes what is accepted, nor where an input is refused.
"""

from __future__ import annotations

from typing import Any

from sgf_lark.engine import layout

#: So many reductions in a row are joined at most.
_LONGEST = 8

#: So many states on top of the stack a state tells of itself: enough for a "(", a list of
#: nodes, the ";" and the properties of its last node, an identifier and its values.
_REMEMBERED = 6


def shortened(tables: dict[str, Any]) -> dict[str, Any]:
    """The parser's part of the tables, as they are stored, with steps left out."""
    return _joined_reductions(_split(_without_passing(tables)))


def _without_passing(tables: dict[str, Any]) -> dict[str, Any]:
    """Where a state can do nothing but reduce by a rule of one symbol that leaves nothing
    behind, what leads there leads at once to where the reduction would go."""
    actions, gotos = tables["actions"], tables["gotos"]
    terminals, symbols = len(tables["terminals"]), len(tables["nonterminals"])
    passing: dict[int, int] = {}
    for state in range(len(actions) // terminals):
        row = set(actions[state * terminals : (state + 1) * terminals]) - {0}
        rule = -1 - min(row, default=0)
        leaves_nothing = rule >= 0 and tables["reduce_operations"][rule] == layout.NOTHING
        if len(row) == 1 and leaves_nothing and tables["rule_sizes"][rule] == 1:
            passing[state] = tables["rule_symbols"][rule]

    def end(start: int, state: int) -> int:
        while state in passing:
            state = gotos[start * symbols + passing[state]]
        return state

    return {
        **tables,
        "actions": [
            end(place // terminals, action - 1) + 1 if action > 0 else action
            for place, action in enumerate(actions)
        ],
        "gotos": [
            end(place // symbols, state) if state >= 0 else state
            for place, state in enumerate(gotos)
        ],
    }


#: The states of the stack, from its top down, as far as they are known.
_Stack = tuple[int, ...]


def _split(tables: dict[str, Any]) -> dict[str, Any]:
    """Each state once for all that can be right below it on the stack, down to where a tree
    opens: what is below that, reductions in the tree do not see. A state that nothing leads
    to is left out."""
    terminals, symbols = len(tables["terminals"]), len(tables["nonterminals"])
    numbers: dict[_Stack, int] = {}
    opened = {
        action - 1
        for place, action in enumerate(tables["actions"])
        if action > 0 and tables["shift_operations"][place % terminals] == layout.OPEN
    }

    def number(stack: _Stack) -> int:
        known = stack[:_REMEMBERED]
        until = next((place for place, state in enumerate(known) if state in opened), len(known))
        return numbers.setdefault(known[: until + 1], len(numbers))

    starts = {
        name: [number((first,)), number((final, first))]
        for name, (first, final) in tables["starts"].items()
    }
    actions: list[int] = []
    gotos: list[int] = []
    done = 0
    while done < len(numbers):
        stack = list(numbers)[done]
        done += 1
        place = stack[0] * terminals
        for action in tables["actions"][place : place + terminals]:
            actions.append(number((action - 1, *stack)) + 1 if action > 0 else action)
        place = stack[0] * symbols
        for state in tables["gotos"][place : place + symbols]:
            gotos.append(number((state, *stack)) if state >= 0 else -1)
    return {**tables, "starts": starts, "actions": actions, "gotos": gotos}


def _joined_reductions(tables: dict[str, Any]) -> dict[str, Any]:
    """Reductions that follow each other whatever is below them on the stack become one,
    by a rule that is added for them. Where it is the same for all stacks, such a rule
    tells too to which state it leads ("rule_gotos", else -1), and what is shifted then
    ("rule_shifts", as in the actions, else 0)."""
    terminals = len(tables["terminals"])
    before = _predecessors(tables)
    columns = [list(tables[name]) for name in ("rule_sizes", "rule_symbols", "reduce_operations")]
    operations = columns[2]
    columns += [[-1] * len(operations), [0] * len(operations)]
    numbers: dict[tuple[int, ...], int] = {}
    actions = list(tables["actions"])
    for place, action in enumerate(actions):
        if action >= 0:
            continue
        row, reached, shift = _row(tables, before, *divmod(place, terminals))
        if not row or (len(row) < 2 and reached < 0):
            continue
        operation = 0
        for rule in row:
            operation |= operations[rule]
        size = 1 + sum(tables["rule_sizes"][rule] - 1 for rule in row)
        key = size, tables["rule_symbols"][row[-1]], operation, reached, shift
        if key not in numbers:
            numbers[key] = len(operations)
            for column, item in zip(columns, key, strict=True):
                column.append(item)
        actions[place] = -1 - numbers[key]
    sizes, symbols, operations, gotos, shifts = columns
    return {
        **tables,
        "actions": actions,
        "rule_sizes": sizes,
        "rule_symbols": symbols,
        "reduce_operations": operations,
        "rule_gotos": gotos,
        "rule_shifts": shifts,
    }


def _row(
    tables: dict[str, Any], before: dict[int, set[int]], state: int, ahead: int
) -> tuple[list[int], int, int]:
    """The rules by which a table reduces one after the other in that state, before that
    terminal, as long as all that can be on the stack agrees; the state to which they lead,
    or -1; and the action that shifts then, or 0."""
    terminals, symbols = len(tables["terminals"]), len(tables["nonterminals"])
    finals = {final for _, final in tables["starts"].values()}
    stacks: set[_Stack] = {(state,)}
    row: list[int] = []
    while len(row) < _LONGEST:
        actions = {tables["actions"][stack[0] * terminals + ahead] for stack in stacks}
        rule = -1 - actions.pop()
        if actions or rule < 0 or tables["rule_sizes"][rule] == 0:
            break
        row.append(rule)
        size, symbol = tables["rule_sizes"][rule], tables["rule_symbols"][rule]
        # What cannot go on is no stack that a parser has.
        stacks = {
            (tables["gotos"][stack[size] * symbols + symbol], *stack[size:])
            for stack in _deepened(stacks, size, before)
            if tables["gotos"][stack[size] * symbols + symbol] >= 0
        }
        if not stacks or any(stack[0] in finals for stack in stacks):
            break
    reached = {stack[0] for stack in stacks}
    if not row or len(reached) != 1 or reached & finals:
        return row, -1, 0
    state = reached.pop()
    return row, state, max(0, tables["actions"][state * terminals + ahead])


def _deepened(stacks: set[_Stack], size: int, before: dict[int, set[int]]) -> set[_Stack]:
    """All that these stacks may be, each with more than `size` states."""
    short = {stack for stack in stacks if len(stack) <= size}
    while short:
        stacks = stacks - short | {
            (*stack, below) for stack in short for below in before[stack[-1]]
        }
        short = {stack for stack in stacks if len(stack) <= size}
    return stacks


def _predecessors(tables: dict[str, Any]) -> dict[int, set[int]]:
    """For each state, those from which a symbol leads to it: below it on a stack."""
    terminals, symbols = len(tables["terminals"]), len(tables["nonterminals"])
    count = len(tables["actions"]) // terminals
    before: dict[int, set[int]] = {state: set() for state in range(count)}
    for place, action in enumerate(tables["actions"]):
        if action > 0:
            before[action - 1].add(place // terminals)
    for place, state in enumerate(tables["gotos"]):
        if state >= 0:
            before[state].add(place // symbols)
    return before
