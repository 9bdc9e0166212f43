# Types for runner.py, used where it is compiled.
cimport cython

cdef int _OPEN, _CLOSE, _NODE, _NAME, _VALUE, _END_PROPERTY, _END_NODE
cdef int _HEAD, _NODES, _PROPERTIES, _VALUES, _TREES, _REACHED

@cython.locals(
    parent=cython.Py_ssize_t, node_start=cython.Py_ssize_t, property_end=cython.Py_ssize_t,
    name_start=cython.Py_ssize_t, name_end=cython.Py_ssize_t, value_end=cython.Py_ssize_t,
    value_from=cython.Py_ssize_t, value_to=cython.Py_ssize_t, tree_node=cython.Py_ssize_t,
    tree_from=cython.Py_ssize_t, tree_to=cython.Py_ssize_t, frames=cython.Py_ssize_t,
    stack=cython.Py_ssize_t,
    position=cython.Py_ssize_t, token_start=cython.Py_ssize_t, token_end=cython.Py_ssize_t,
    top=cython.Py_ssize_t, refused=cython.Py_ssize_t, reached=cython.Py_ssize_t,
    row=cython.Py_ssize_t, state=cython.int, terminal=cython.int, action=cython.int,
    rule=cython.int, operation=cython.int, symbol=cython.int, nodes=cython.int,
    names=cython.int, values=cython.int, trees=cython.int, depth=cython.Py_ssize_t,
    whole_nodes=cython.int, whole_names=cython.int, whole_values=cython.int,
    current=cython.int, opened=cython.int,
)
cpdef Py_ssize_t execute(
    const unsigned char* data,
    Py_ssize_t begin,
    Py_ssize_t length,
    const short[::1] numbers,
    int scanner,
    int accepts,
    int actions,
    int gotos,
    int rule_sizes,
    int rule_symbols,
    int shift_operations,
    int reduce_operations,
    int terminal_count,
    int nonterminal_count,
    int start,
    int final,
    int stops,
    int[::1] arena,
    Py_ssize_t node_room,
    Py_ssize_t value_room,
    Py_ssize_t tree_room,
)
