# Types for source_text.py, used where it is compiled.
cimport cython

cdef int _LF
cdef bint COMPILED


@cython.final
cdef class SourceText:
    cdef readonly bytes data
    cdef const unsigned char* _bytes
    cdef object _codec, _places
    cdef list _line_starts
    cdef Py_ssize_t _line, _column, _known
    cdef bint _is_looked_at, _is_ascii, _ends_with_lf

    @cython.locals(
        line=Py_ssize_t, known=Py_ssize_t, column=Py_ssize_t, known_line=Py_ssize_t,
        last=Py_ssize_t, part=bytes,
    )
    cpdef object span(self, Py_ssize_t start, Py_ssize_t end)
    @cython.locals(place=Py_ssize_t)
    cdef Py_ssize_t _last_break(self, Py_ssize_t begin, Py_ssize_t end)
    @cython.locals(place=Py_ssize_t, count=Py_ssize_t)
    cdef Py_ssize_t _breaks(self, Py_ssize_t begin, Py_ssize_t end)
