# Types for layout.py, used where it is compiled.
cimport cython
from cpython cimport array as c_array

cdef int _HEAD, _NODE_ROOM, _VALUE_ROOM, _TREE_ROOM, _SYMBOLS_A_LEVEL

@cython.locals(work=Py_ssize_t, made=c_array.array, arena="int*")
cpdef object arena_for(Py_ssize_t nodes, Py_ssize_t values, Py_ssize_t trees)
cpdef list roots_of(arena)
cpdef object arena_of(flat)
cpdef object zeros(Py_ssize_t count)
