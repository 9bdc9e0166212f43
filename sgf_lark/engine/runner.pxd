# Types for runner.py, used where it is compiled.
cimport cython

cdef int _OPEN, _CLOSE, _NODE, _NAME, _VALUE, _END_PROPERTY, _END_NODE

@cython.locals(
    position=cython.Py_ssize_t, token_start=cython.Py_ssize_t, token_end=cython.Py_ssize_t,
    top=cython.Py_ssize_t, state=cython.int, terminal=cython.int, action=cython.int,
    rule=cython.int, operation=cython.int, symbol=cython.int, nodes=cython.int,
    names=cython.int, values=cython.int, trees=cython.int, depth=cython.int,
    current=cython.int, opened=cython.int,
)
cpdef Py_ssize_t execute(
    const unsigned char[::1] data,
    Py_ssize_t length,
    const unsigned char[::1] classes,
    const short[::1] scanner,
    const short[::1] accepts,
    int class_count,
    const short[::1] actions,
    int terminal_count,
    const short[::1] gotos,
    int nonterminal_count,
    const short[::1] rule_sizes,
    const short[::1] rule_symbols,
    const short[::1] shift_operations,
    const short[::1] reduce_operations,
    int start,
    int final,
    short[::1] stack,
    int[::1] frames,
    int[::1] parent,
    int[::1] node_start,
    int[::1] property_end,
    int[::1] name_start,
    int[::1] name_end,
    int[::1] value_end,
    int[::1] value_from,
    int[::1] value_to,
    int[::1] tree_node,
    int[::1] tree_from,
    int[::1] tree_to,
    int[::1] counts,
)
