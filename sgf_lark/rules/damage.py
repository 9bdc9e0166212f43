"""Fixes of the damage that the tolerant grammar finds (1xx)."""

from __future__ import annotations

import re

from sgf_lark.rules.fixes import Edit, Fix, Site, escape_text, fix_for

#: The rules about text outside the game trees.
TEXT_OUTSIDE = ("SGF101", "SGF102", "SGF109")

#: A property value; the group is what is between its brackets.
_VALUE = re.compile(rb"(?s)\[((?:[^\]\\]|\\.)*)\]")
#: A property value, or a parenthesis outside values.
_VALUE_OR_PARENTHESIS = re.compile(rb"(?s)\[(?:[^\]\\]|\\.)*\]|[()]")
#: A byte that may belong to a word.
_WORD = re.compile(rb"[0-9A-Za-z_\x80-\xff]")


@fix_for(*TEXT_OUTSIDE)
def move_text_to_comment(site: Site) -> Fix | None:
    """Move text outside the game trees to a comment: in the node before it, or the first root."""
    text = site.data[site.start : site.end]
    deletion = Edit(site.start, site.end)
    if not text.strip(b"\0 \t\r\n\v\f\x1a") or not site.flat.roots:
        return Fix((deletion,))
    place = (
        site.node.offsets[1] if site.flat.node_start[0] < site.start else _end_of_first_root(site)
    )
    remark = Edit(place, place, site.remark(escape_text(text.strip())))
    return Fix(tuple(sorted((deletion, remark))))


def _end_of_first_root(site: Site) -> int:
    """The offset after the last property of the first root."""
    return site.flat.node_span(0)[1]


@fix_for("SGF103")
def insert_semicolon(site: Site) -> Fix | None:
    """Insert ";"."""
    return Fix((Edit(site.start, site.start, b";"),))


@fix_for("SGF104")
def delete_empty_tree(site: Site) -> Fix | None:
    """Delete "()"."""
    return Fix((Edit(site.start, site.end),))


@fix_for("SGF105")
def delete_surplus_parentheses(site: Site) -> Fix | None:
    """Delete the surplus "(" before the tree, and the ")" that closes it."""
    opening = site.data.rfind(b"(", 0, site.start)
    if opening < 0:
        return None
    depth = 0
    for match in _VALUE_OR_PARENTHESIS.finditer(site.data, opening):
        depth += {b"(": 1, b")": -1}.get(match[0], 0)
        if depth == 0:
            return Fix((Edit(opening, opening + 1), Edit(match.start(), match.end())))
    return Fix((Edit(opening, opening + 1),))


@fix_for("SGF106")
def put_in_variation(site: Site) -> Fix | None:
    """Put the rest of the tree into a variation."""
    opening = b"(" if site.data[site.start : site.start + 1] == b";" else b"(;"
    depth = 0
    end = len(site.data.rstrip())
    for match in _VALUE_OR_PARENTHESIS.finditer(site.data, site.start):
        depth += {b"(": 1, b")": -1}.get(match[0], 0)
        if depth < 0:
            end = match.start()
            break
    return Fix((Edit(site.start, site.start, opening), Edit(end, end, b")")))


def _count_open_trees(site: Site) -> int:
    """The number of game trees and variations that are not closed."""
    return sum(1 for end in site.flat.closing.values() if end == len(site.data))


@fix_for("SGF107")
def close_trees(site: Site) -> Fix | None:
    """Close what is open at the end of the file; delete a "(" that nothing follows."""
    if site.start not in site.flat.opening.values():
        return Fix((Edit(site.start, site.end),))
    end = len(site.data.rstrip(b" \t\r\n\v\f"))
    return Fix((Edit(end, end, b")" * _count_open_trees(site)),))


@fix_for("SGF119")
def close_value(site: Site) -> Fix | None:
    """Close the value at the end of the file: nothing shows where it should have ended."""
    end = len(site.data)
    escape = b"\\" if (end - len(site.data.rstrip(b"\\"))) % 2 else b""
    return Fix((Edit(end, end, escape + b"]" + b")" * _count_open_trees(site)),))


def _deletion(site: Site, *, safe: bool = True) -> Fix:
    """Delete the damaged bytes; a blank keeps the words on both sides separate."""
    before = site.data[site.start - 1 : site.start] if site.start else b""
    after = site.data[site.end : site.end + 1]
    gap = b" " if _WORD.match(before) and _WORD.match(after) else b""
    return Fix((Edit(site.start, site.end, gap),), safe)


@fix_for("SGF108", "SGF122")
def delete_surplus(site: Site) -> Fix | None:
    """Delete what means nothing here."""
    return _deletion(site)


@fix_for("SGF110")
def complete_property(site: Site) -> Fix | None:
    """Add an empty value to a property that takes no other; delete any other identifier."""
    definition = site.tree.define(site.finding.ident or "")
    if definition is not None and all(kind.first == "none" for kind in definition.alternatives):
        return Fix((Edit(site.end, site.end, b"[]"),))
    return Fix((Edit(site.start, site.end),), safe=False)


@fix_for("SGF111")
def move_values_to_comment(site: Site) -> Fix | None:
    """Move values without an identifier to a comment."""
    values = _VALUE.findall(site.data[site.start : site.end])
    text = b" ".join(value for value in values if value.strip())
    remark = site.remark(text) if text else b""
    return Fix((Edit(site.start, site.end, remark),), safe=not text)


@fix_for("SGF112", "SGF114")
def write_identifier_as_read(site: Site) -> Fix | None:
    """Write the identifier as it was read: in one piece, without lowercase letters."""
    ident = (site.finding.ident or "").encode()
    if ident.isupper():
        return Fix((Edit(site.start, site.end, ident),))
    return site.to_comment() if site.entry is not None else None


@fix_for("SGF113")
def delete_from_identifier(site: Site) -> Fix | None:
    """Delete the characters that cannot be in an identifier."""
    ident = (site.finding.ident or "").encode()
    if not ident.isupper():
        return None
    return Fix((Edit(site.start, site.end, ident),), safe=False)


@fix_for("SGF118")
def escape_bracket(site: Site) -> Fix | None:
    """Escape the bracket inside a value; delete it elsewhere."""
    if site.value is not None:
        return Fix((Edit(site.start, site.start, b"\\"),))
    return _deletion(site)


@fix_for("SGF120")
def delete_junk(site: Site) -> Fix | None:
    """Delete characters between tokens; this is safe if none of them is a letter or digit."""
    has_word = _WORD.search(site.data[site.start : site.end])
    return _deletion(site, safe=not has_word)


@fix_for("SGF121")
def replace_zero_bytes(site: Site) -> Fix | None:
    """Replace zero bytes in a value by blanks; delete them elsewhere."""
    if site.value is None:
        return _deletion(site)
    new = site.data[site.start : site.end].replace(b"\0", b" ")
    return Fix((Edit(site.start, site.end, new),))
