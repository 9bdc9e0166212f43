# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Runs the tables of a grammar over bytes.

Plain Python, and with the types of ``runner.pxd`` compiled to C. It knows nothing
of SGF: what a shift or a reduction leaves behind is told by the operation that the
tables have for the terminal or the rule.
"""

from __future__ import annotations

from sgf_lark.engine import layout
from sgf_lark.engine.layout import Output, Tables

_OPEN = layout.OPEN
_CLOSE = layout.CLOSE
_NODE = layout.NODE
_NAME = layout.NAME
_VALUE = layout.VALUE
_END_PROPERTY = layout.END_PROPERTY
_END_NODE = layout.END_NODE


def run(data: bytes, tables: Tables, output: Output) -> int:
    """Parses `data`; fills `output`, whose arrays are large enough.

    Gives -1 where the grammar accepts `data`, else the offset of the first token
    that it does not.
    """
    return execute(  # type: ignore[no-any-return, no-untyped-call]
        data,
        len(data),
        tables.classes,
        tables.scanner,
        tables.accepts,
        tables.class_count,
        tables.actions,
        tables.terminal_count,
        tables.gotos,
        tables.nonterminal_count,
        tables.rule_sizes,
        tables.rule_symbols,
        tables.shift_operations,
        tables.reduce_operations,
        tables.start,
        tables.final,
        output.stack,
        output.frames,
        output.parent,
        output.node_start,
        output.property_end,
        output.name_start,
        output.name_end,
        output.value_end,
        output.value_from,
        output.value_to,
        output.tree_node,
        output.tree_from,
        output.tree_to,
        output.counts,
    )


def execute(  # type: ignore[no-untyped-def]  # C types are in runner.pxd
    data,
    length,
    classes,
    scanner,
    accepts,
    class_count,
    actions,
    terminal_count,
    gotos,
    nonterminal_count,
    rule_sizes,
    rule_symbols,
    shift_operations,
    reduce_operations,
    start,
    final,
    stack,
    frames,
    parent,
    node_start,
    property_end,
    name_start,
    name_end,
    value_end,
    value_from,
    value_to,
    tree_node,
    tree_from,
    tree_to,
    counts,
):
    position = 0
    top = 0
    stack[0] = start
    nodes = names = values = trees = depth = 0
    current = -1
    opened = -1
    while True:
        # The longest token; terminal 0 is the end of the input, -2 is ignored.
        token_start = position
        if position >= length:
            terminal = 0
            token_end = position
        else:
            terminal = -1
            token_end = position
            state = 0
            while position < length:
                state = scanner[state * class_count + classes[data[position]]]
                if state < 0:
                    break
                position += 1
                if accepts[state] != -1:
                    terminal = accepts[state]
                    token_end = position
            position = token_end
            if terminal == -2:
                continue
            if terminal == -1:
                return token_start
        # Reductions, until the terminal can be shifted.
        while True:
            action = actions[stack[top] * terminal_count + terminal]
            if action >= 0:
                break
            rule = -1 - action
            top -= rule_sizes[rule]
            operation = reduce_operations[rule]
            if operation == _END_PROPERTY:
                value_end[names - 1] = values
            elif operation == _END_NODE:
                property_end[nodes - 1] = names
            symbol = rule_symbols[rule]
            state = gotos[stack[top] * nonterminal_count + symbol]
            top += 1
            stack[top] = state
            if state == final and terminal == 0:
                counts[0] = nodes
                counts[1] = names
                counts[2] = values
                counts[3] = trees
                return -1
        if action == 0:
            return token_start
        top += 1
        stack[top] = action - 1
        operation = shift_operations[terminal]
        if operation == _NODE:
            if opened >= 0:
                tree_node[opened] = nodes
                frames[2 * depth - 1] = opened
                opened = -1
            node_start[nodes] = token_start
            parent[nodes] = current
            current = nodes
            nodes += 1
        elif operation == _VALUE:
            value_from[values] = token_start + 1
            value_to[values] = token_end - 1
            values += 1
        elif operation == _NAME:
            name_start[names] = token_start
            name_end[names] = token_end
            names += 1
        elif operation == _OPEN:
            frames[2 * depth] = current
            depth += 1
            tree_from[trees] = token_start
            opened = trees
            trees += 1
        elif operation == _CLOSE:
            depth -= 1
            current = frames[2 * depth]
            tree_to[frames[2 * depth + 1]] = token_start
