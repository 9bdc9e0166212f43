# Types for reporting.py, used where it is compiled.
cimport cython
from sgf_lark.source_text cimport SourceText
from sgf_lark.validation.views cimport CollectionView

cdef dict _TOLD
cdef int _REMEMBERED, _SHORT


@cython.locals(known=tuple, said=tuple)
cdef tuple _told(code, finding, tuple key)
@cython.locals(
    trees=list, several=bint, made=list, related=tuple, start=Py_ssize_t, end=Py_ssize_t, key=tuple,
)
cdef list _diagnostics(
    CollectionView collection, list found, language, SourceText source, dict severities,
)
@cython.locals(trees=list)
cdef SourceText _source_of(CollectionView collection)
cdef list _said_of_trees(CollectionView collection)
