# Types for reporting.py, used where it is compiled.
cimport cython
from sgf_lark.source_text cimport SourceText
from sgf_lark.validation.views cimport CollectionView, TreeView

cdef dict _TOLD
cdef int _REMEMBERED, _SHORT


@cython.locals(known=tuple, said=tuple)
cdef tuple _told(code, finding, tuple key)
@cython.locals(said=list, tree=TreeView)
cdef list _said_of(CollectionView collection)
cdef SourceText _source_of(CollectionView collection)
