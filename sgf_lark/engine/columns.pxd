cimport cython
from cpython cimport array


cdef enum:
    # How many identifiers of one or two letters there are.
    IDENTS = 26 * 27


cdef inline int ident_index(const unsigned char *ident, Py_ssize_t length) noexcept:
    """A number below IDENTS for an identifier of one or two uppercase letters; -1 for others."""
    cdef int first, second
    if length < 1 or length > 2:
        return -1
    first = ident[0] - c"A"
    second = ident[1] - c"A" + 1 if length == 2 else 0
    if first < 0 or first >= 26 or second > 26 or (length == 2 and second < 1):
        return -1
    return first * 27 + second


@cython.final
cdef class LetteredBoard:
    cdef readonly int columns, rows
    # Byte -> the column or row that it names, or 255; `table` owns the memory.
    cdef bytes table
    cdef const unsigned char *letters

    cdef inline bint has_point(self, const unsigned char *letters) noexcept:
        """Whether these two letters are a point of the board."""
        return self.letters[letters[0]] < self.columns and self.letters[letters[1]] < self.rows


@cython.final
cdef class PropertyCache:
    cdef readonly dict findings, clean_if
    cdef readonly int longest
    cdef readonly LetteredBoard board


@cython.final
cdef class Columns:
    cdef tuple arrays
    cdef readonly bytes data
    cdef readonly int count
    cdef const unsigned char *text
    # Property -> identifier, where damage makes it differ from the bytes.
    cdef dict names
    cdef bint has_names
    # The columns of the flat tree.
    cdef const int *parent
    cdef const int *node_start
    cdef const int *property_end
    cdef const int *ident_start
    cdef const int *ident_end
    cdef const int *value_end
    cdef const int *value_from
    cdef const int *value_to
    # Node -> its next sibling, or -1; NULL until it is asked for.
    cdef array.array siblings
    cdef const int *next_siblings

    cpdef int first_property(self, int node) noexcept
    cpdef int end_of_properties(self, int node) noexcept
    cpdef int first_value(self, int prop) noexcept
    cpdef int end_of_values(self, int prop) noexcept
    cpdef bytes value(self, int value)
    cpdef bytes only_value(self, int prop)
    cpdef list raw(self, int prop)
    cpdef tuple span(self, int prop)
    cpdef str ident(self, int prop)
    cpdef bytes node_bytes(self, int node, int longest)
    cpdef int first_child(self, int node) noexcept
    cpdef int next_sibling(self, int node) except -2
    cpdef dict first_values(self, int node, object idents)
    cpdef tuple properties_bytes(self, int node, object idents, int longest)
    cpdef tuple cached_findings(
        self, int node, PropertyCache cache, bint high_bytes, list found
    )

    cdef int end_of(self, int prop) noexcept
    cdef str other_ident(self, int prop)
    cdef bytes ident_bytes(self, int prop)
    cdef int ident_index(self, int prop) except -2
    cdef bint add_cached(self, int prop, int node, bytes key, dict findings, list found) except -1
    cdef bint is_plain_text(self, int prop, bint high_bytes) noexcept
    cdef bint is_plain_number(self, int value, int decimal_points) noexcept
    cdef bint is_label(self, int start, int end) noexcept
    cdef int name_points(
        self, int prop, int kind, LetteredBoard board, unsigned char *named
    ) noexcept
