"""An LALR(1) table that takes fewer steps from token to token.

Nodes, properties and values are lists in the grammar. After each of them a plain table
reduces by rule after rule before it can shift the next token: after the value of ``B[aa]``
by ``propvalue``, by the list of values, by ``property`` and by the list of properties. Three
passes join such steps. What is accepted stays the same, and so does the offset at which an
input is refused.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sgf_lark.engine.kinds import Closes

#: How many reductions in a row are fused at most.
_LONGEST = 8

#: How many states of the stack, its top included, a split state represents at most: enough
#: for "(", a list of nodes, ";" and the properties of the last node, an identifier and its
#: values.
_STACK_DEPTH = 6

#: The states of the stack from its top down, as far as they are known.
_Stack = tuple[int, ...]


@dataclass(frozen=True)
class Rule:
    """What a reduction does: it takes `size` states off the stack and continues with `symbol`.

    `goto` is the state to which it leads if that is always the same, else -1; `shift` is the
    action of the lookahead in that state if it is known, else 0.
    """

    size: int
    symbol: int
    closes: Closes
    goto: int = -1
    shift: int = 0


@dataclass(frozen=True)
class Table:
    """An LALR(1) table. States, terminals, nonterminals and rules are numbered from 0."""

    #: Start symbol -> first and final state.
    starts: dict[str, tuple[int, int]]
    #: The terminals that open a tree.
    opening: set[int]
    #: State -> terminal -> ``1 + state`` to shift to, ``-1 - rule`` to reduce by, 0 for an
    #: error.
    actions: list[list[int]]
    #: State -> nonterminal -> state, or -1.
    gotos: list[list[int]]
    rules: list[Rule]


def optimize(table: Table) -> Table:
    """The same table with fewer steps."""
    return _with_fused_reductions(_with_split_states(_without_unit_reductions(table)))


def _without_unit_reductions(table: Table) -> Table:
    """Leaves out states that can only reduce by a rule of one symbol that closes nothing.

    After an identifier there is only ``propident: UCLETTERS``. A state that shifts the
    identifier therefore goes at once to the state that follows ``propident``.
    """
    reduced_to: dict[int, int] = {}  # such a state -> the nonterminal
    for state, row in enumerate(table.actions):
        actions = set(row) - {0}
        number = -1 - min(actions, default=0)
        if len(actions) != 1 or number < 0:
            continue
        rule = table.rules[number]
        if rule.size == 1 and not rule.closes:
            reduced_to[state] = rule.symbol

    def end(origin: int, state: int) -> int:
        """The state after all unit reductions, if `state` was entered from `origin`."""
        while state in reduced_to:
            state = table.gotos[origin][reduced_to[state]]
        return state

    return replace(
        table,
        actions=[
            [end(origin, action - 1) + 1 if action > 0 else action for action in row]
            for origin, row in enumerate(table.actions)
        ],
        gotos=[
            [end(origin, state) if state >= 0 else -1 for state in row]
            for origin, row in enumerate(table.gotos)
        ],
    )


def _with_split_states(table: Table) -> Table:
    """Makes a copy of each state for each stack below it, down to the state of the "(".

    The state after a value is one in Lark's table. Here the first value of the first
    property of a root has its own copy, as the stack below determines where its reductions
    lead. States that cannot be reached have no copy.
    """
    shifted = {row[terminal] for row in table.actions for terminal in table.opening}
    opened = {action - 1 for action in shifted if action > 0}
    numbers: dict[_Stack, int] = {}
    waiting: list[_Stack] = []

    def number(stack: _Stack) -> int:
        known = stack[:_STACK_DEPTH]
        depths = (depth for depth, state in enumerate(known) if state in opened)
        known = known[: next(depths, len(known)) + 1]
        if known not in numbers:
            numbers[known] = len(numbers)
            waiting.append(known)
        return numbers[known]

    starts = {
        name: (number((first,)), number((final, first)))
        for name, (first, final) in table.starts.items()
    }
    actions: list[list[int]] = []
    gotos: list[list[int]] = []
    for stack in waiting:  # grows while new stacks are found
        actions.append(
            [
                number((action - 1, *stack)) + 1 if action > 0 else action
                for action in table.actions[stack[0]]
            ]
        )
        gotos.append(
            [number((state, *stack)) if state >= 0 else -1 for state in table.gotos[stack[0]]]
        )
    return replace(table, starts=starts, actions=actions, gotos=gotos)


def _with_fused_reductions(table: Table) -> Table:
    """Makes one rule of reductions that follow each other on any stack.

    After ``;B[aa]`` and before the next ";", the parser reduces by ``property``, by the list
    of properties, by ``node`` and by the list of nodes. The fused rule takes all of it off
    the stack at once and closes the property and the node.
    """
    below = _states_below(table)
    rules = list(table.rules)
    numbers: dict[Rule, int] = {}
    actions = [list(row) for row in table.actions]
    for state, row in enumerate(table.actions):
        for lookahead, action in enumerate(row):
            fused = _fused(table, below, state, lookahead) if action < 0 else None
            if fused is None:
                continue
            if fused not in numbers:
                numbers[fused] = len(rules)
                rules.append(fused)
            actions[state][lookahead] = -1 - numbers[fused]
    return replace(table, actions=actions, rules=rules)


def _fused(table: Table, below: list[set[int]], state: int, lookahead: int) -> Rule | None:
    """The rule for all reductions in `state` before `lookahead`, as long as they are the same
    for all stacks; None if the reduction cannot be joined with anything."""
    finals = {final for _, final in table.starts.values()}
    stacks: set[_Stack] = {(state,)}
    fused: list[Rule] = []
    while len(fused) < _LONGEST:
        actions = {table.actions[stack[0]][lookahead] for stack in stacks}
        number = -1 - actions.pop()
        if actions or number < 0 or table.rules[number].size == 0:
            break
        rule = table.rules[number]
        fused.append(rule)
        # A stack on which the parser cannot go on does not occur.
        stacks = {
            (table.gotos[stack[rule.size]][rule.symbol], *stack[rule.size :])
            for stack in _deepened(stacks, rule.size, below)
            if table.gotos[stack[rule.size]][rule.symbol] >= 0
        }
        if not stacks or any(stack[0] in finals for stack in stacks):
            break
    if not fused:
        return None
    goto, shift = -1, 0
    reached = {stack[0] for stack in stacks}
    if len(reached) == 1 and not reached & finals:
        goto = reached.pop()
        shift = max(0, table.actions[goto][lookahead])
    if len(fused) < 2 and goto < 0:
        return None
    closes = Closes(0)
    for rule in fused:
        closes |= rule.closes
    size = 1 + sum(rule.size - 1 for rule in fused)
    return Rule(size, fused[-1].symbol, closes, goto, shift)


def _deepened(stacks: set[_Stack], size: int, below: list[set[int]]) -> set[_Stack]:
    """All stacks that these may be the top of, each with more than `size` states."""
    short = {stack for stack in stacks if len(stack) <= size}
    while short:
        stacks = stacks - short | {(*stack, state) for stack in short for state in below[stack[-1]]}
        short = {stack for stack in stacks if len(stack) <= size}
    return stacks


def _states_below(table: Table) -> list[set[int]]:
    """State -> the states from which a symbol leads to it: they are below it on a stack."""
    below: list[set[int]] = [set() for _ in table.actions]
    for state, (actions, gotos) in enumerate(zip(table.actions, table.gotos, strict=True)):
        for action in actions:
            if action > 0:
                below[action - 1].add(state)
        for goto in gotos:
            if goto >= 0:
                below[goto].add(state)
    return below
