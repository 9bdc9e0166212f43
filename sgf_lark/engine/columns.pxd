cimport cython
from cpython cimport array
from libc.stdint cimport uint64_t


cdef enum:
    # How many identifiers of one or two letters there are.
    IDENTS = 26 * 27
    # What name_points() finds.
    NOT_PLAIN = 0
    PLAIN = 1
    NAMED_BEFORE = 2


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


cdef struct NamedPoint:
    uint64_t name    # as packed_name() gives it; 0 where there is no point
    int column       # 0-based
    int row


cdef enum:
    # Longer values are not the name of a point.
    LONGEST_NAME = 7


cdef inline uint64_t packed_name(const unsigned char *text, Py_ssize_t length) noexcept:
    """The bytes of a name and their number as one integer; 0 if there are none or too many."""
    cdef uint64_t packed = length
    cdef Py_ssize_t index
    if not 0 < length <= LONGEST_NAME:
        return 0
    for index in range(length):
        packed = packed << 8 | text[index]
    return packed


@cython.final
cdef class PointTable:
    cdef readonly int columns, rows
    # A hash table with open addressing, at most half full, of 2 ** (64 - shift) slots.
    cdef NamedPoint *slots
    cdef int shift

    cdef inline const NamedPoint *find(
        self, const unsigned char *text, Py_ssize_t length
    ) noexcept:
        """The point that a value of that length names, or NULL."""
        cdef uint64_t name = packed_name(text, length)
        cdef const NamedPoint *slot = self.slot_of(name)
        return slot if slot.name == name and name else NULL

    cdef inline NamedPoint *slot_of(self, uint64_t name) noexcept:
        """The slot with that name, or else the empty one where it belongs."""
        cdef uint64_t mask = (<uint64_t>1 << (64 - self.shift)) - 1
        # The highest bits of the product depend on all bits of the name.
        cdef uint64_t index = name * <uint64_t>0x9E3779B97F4A7C15 >> self.shift
        while self.slots[index].name and self.slots[index].name != name:
            index = index + 1 & mask
        return &self.slots[index]


cdef Py_ssize_t find_separator(const unsigned char *text, Py_ssize_t length) noexcept


@cython.final
cdef class PropertyCache:
    cdef readonly dict findings, clean_if
    cdef readonly int longest
    cdef readonly PointTable points


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
    cpdef list values_with(self, unsigned char byte, int first, int end)
    cpdef tuple span(self, int prop)
    cpdef str ident(self, int prop)
    cpdef int first_child(self, int node) noexcept
    cpdef int next_sibling(self, int node) except -2
    cpdef list after_other_nodes(self)
    cpdef dict first_values(self, int node, object idents)
    cpdef tuple cached_findings(
        self, int node, PropertyCache cache, bint high_bytes, list found
    )

    cdef int end_of(self, int prop) noexcept
    cdef str other_ident(self, int prop)
    cdef bytes ident_bytes(self, int prop)
    cdef int next_of_ident(self, int first, int end, object ident) except -2
    cdef list all_of_ident(self, int first, int end, object ident)
    cdef int ident_index(self, int prop) except -2
    cdef bint add_cached(self, int prop, int node, bytes key, dict findings, list found) except -1
    cdef bint is_plain_text(self, int prop, bint high_bytes) noexcept
    cdef bint is_plain_date(self, int prop) noexcept
    cdef bint is_plain_number(self, int value, int decimal_points) noexcept
    cdef bint is_label(self, int start, int end) noexcept
    cdef int name_points(
        self, int prop, int kind, PointTable points, unsigned char *named
    ) noexcept
