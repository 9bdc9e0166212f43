# Types for reporting.py, used where it is compiled.
cimport cython
from sgf_lark.source_text cimport SourceText
from sgf_lark.validation.trees cimport CollectionView, TreeView

cdef dict _TOLD
cdef int _REMEMBERED, _SHORT


@cython.locals(known=tuple, said=tuple)
cdef tuple _told(code, finding, tuple key)
@cython.locals(
    several=bint, made=list, related=tuple, start=Py_ssize_t, end=Py_ssize_t, key=tuple,
)
cdef list _diagnostics(
    list found, list roots, list codecs, language, SourceText source, dict severities,
)
@cython.locals(said=list, tree=TreeView)
cdef list _said_of(CollectionView collection)
cdef SourceText _source_of(CollectionView collection)
