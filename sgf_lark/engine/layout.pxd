# Types for layout.py, used where it is compiled.

cpdef object arena_for(Py_ssize_t nodes, Py_ssize_t values, Py_ssize_t trees)
cpdef list roots_of(arena)
cpdef object arena_of(flat)
cpdef object zeros(Py_ssize_t count)
