# Types for runner.py, used where it is compiled.
cimport cython
from cpython cimport array as c_array
from sgf_lark.engine.layout cimport arena_for

cdef int _OPEN, _CLOSE, _NODE, _NAME, _VALUE, _END_PROPERTY, _END_NODE
cdef int _IGNORED, _LONGEST, _HEAD, _NODES, _PROPERTIES, _VALUES, _TREES, _REACHED, _NODE_ROOM, _VALUE_ROOM, _TREE_ROOM


@cython.final
cdef class Machine:
    cdef dict starts
    cdef c_array.array tables
    cdef const short* numbers
    cdef int accepts, shift_operations

    cpdef object read(self, bytes data, str symbol)
    @cython.locals(
        begin=cython.Py_ssize_t, index=cython.Py_ssize_t, nodes=cython.int, values=cython.int,
        trees=cython.int, few_nodes=cython.uchar, few_values=cython.uchar, few_trees=cython.uchar,
    )
    cpdef object arena_for(self, const unsigned char* data, Py_ssize_t length, Py_ssize_t more)
    @cython.locals(
        start=cython.int, final=cython.int, node_room=cython.Py_ssize_t,
        value_room=cython.Py_ssize_t, tree_room=cython.Py_ssize_t,
        arena="int*", text="const unsigned char*", length=cython.Py_ssize_t,
        numbers="const short*", accepts=cython.int, shift_operations=cython.int,
        parent=cython.Py_ssize_t, node_start=cython.Py_ssize_t, property_end=cython.Py_ssize_t,
        name_start=cython.Py_ssize_t, name_end=cython.Py_ssize_t, value_end=cython.Py_ssize_t,
        value_from=cython.Py_ssize_t, value_to=cython.Py_ssize_t, tree_node=cython.Py_ssize_t,
        tree_from=cython.Py_ssize_t, tree_to=cython.Py_ssize_t, frames=cython.Py_ssize_t,
        stack=cython.Py_ssize_t,
        position=cython.Py_ssize_t, token_start=cython.Py_ssize_t, token_end=cython.Py_ssize_t,
        top=cython.Py_ssize_t, refused=cython.Py_ssize_t, reached=cython.Py_ssize_t,
        row=cython.Py_ssize_t, state=cython.int, terminal=cython.int, action=cython.int,
        rule=cython.int, operation=cython.int, nodes=cython.int,
        names=cython.int, values=cython.int, trees=cython.int, depth=cython.Py_ssize_t,
        whole_nodes=cython.int, whole_names=cython.int, whole_values=cython.int,
        current=cython.int, opened=cython.int, accepted=cython.int,
    )
    cpdef Py_ssize_t run(
        self, bytes data, c_array.array room, str symbol, Py_ssize_t begin, int stops
    ) except? -2
