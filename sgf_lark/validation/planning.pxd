# Types for planning.py, used where it is compiled.
cimport cython
from sgf_lark.engine.columns cimport Known
from sgf_lark.engine.screen cimport Screen


@cython.final
cdef class Plan:
    cdef readonly bint remembers
    cdef readonly dict severities
    cdef readonly list paths
    cdef dict _of_whole, _about, _of_property, _memories

    @cython.locals(key=tuple)
    cpdef list of_whole(self, scope, one, another, third=*)
    cpdef list of_property(self, definition)
    cpdef tuple about(self, definition)
    cpdef Memory memory(self, context)


@cython.final
cdef class Memory:
    cdef readonly Known known
    cdef readonly Screen screen
    cdef readonly set lists, texts, unsaid
    cdef readonly dict unknown, shapes
    cdef readonly tuple silent

    cpdef object remember(self, bytes key, tuple said)
