"""What mends the damage that the tolerant grammar finds (1xx)."""

from __future__ import annotations

import re

from sgf_lark.rules.fixes import Edit, Fix, Site, fix_for

TEXT_OUTSIDE = ("SGF101", "SGF102", "SGF109")


@fix_for(*TEXT_OUTSIDE)
def text_outside(site: Site) -> Fix | None:
    """Text around the games goes into the comment of the root of the next one."""
    text = site.data[site.start : site.end]
    taken = Edit(site.start, site.end)
    if not text.strip(b"\0 \t\r\n\v\f\x1a") or not site.flat.roots:
        return Fix((taken,))
    escaped = re.compile(rb"[\]\\]").sub(rb"\\\g<0>", text.strip())
    place = site.node.offsets[1] if site.flat.node_start[0] < site.start else _end_of_root(site)
    remark = Edit(place, place, site.remark(escaped))
    return Fix(tuple(sorted((taken, remark))))


def _end_of_root(site: Site) -> int:
    properties = range(*site.flat.properties_of(0))
    return site.flat.property_span(properties[-1])[1] if properties else site.flat.node_start[0] + 1


@fix_for("SGF103")
def missing_semicolon(site: Site) -> Fix | None:
    return Fix((Edit(site.start, site.start, b";"),))


@fix_for("SGF104")
def empty_tree(site: Site) -> Fix | None:
    return Fix((Edit(site.start, site.end),))


#: The patterns here are compiled when damage is mended.
_VALUE = rb"(?s)\[((?:[^\]\\]|\\.)*)\]"
_BRACKETS = rb"(?s)\[(?:[^\]\\]|\\.)*\]|[()]"


@fix_for("SGF105")
def tree_without_sequence(site: Site) -> Fix | None:
    """Without the surplus "(" in front of the tree, and the ")" that belongs to it."""
    opening = site.data.rfind(b"(", 0, site.start)
    if opening < 0:
        return None
    depth = 0
    for match in re.compile(_BRACKETS).finditer(site.data, opening):
        depth += {b"(": 1, b")": -1}.get(match[0], 0)
        if depth == 0:
            return Fix((Edit(opening, opening + 1), Edit(match.start(), match.end())))
    return Fix((Edit(opening, opening + 1),))


@fix_for("SGF106")
def node_after_variation(site: Site) -> Fix | None:
    """The rest of the tree becomes a variation of its own."""
    opening = b"(" if site.data[site.start : site.start + 1] == b";" else b"(;"
    depth = 0
    end = len(site.data.rstrip())
    for match in re.compile(_BRACKETS).finditer(site.data, site.start):
        depth += {b"(": 1, b")": -1}.get(match[0], 0)
        if depth < 0:
            end = match.start()
            break
    return Fix((Edit(site.start, site.start, opening), Edit(end, end, b")")))


def _open_trees(site: Site) -> int:
    return sum(1 for end in site.flat.closing.values() if end == len(site.data))


@fix_for("SGF107")
def unclosed_tree(site: Site) -> Fix | None:
    """Without the "(" where nothing follows it."""
    if site.start not in site.flat.opening.values():
        return Fix((Edit(site.start, site.end),))
    end = len(site.data.rstrip(b" \t\r\n\v\f"))
    return Fix((Edit(end, end, b")" * _open_trees(site)),))


@fix_for("SGF119")
def unclosed_value(site: Site) -> Fix | None:
    """The value keeps what follows it: where it was to end nobody knows."""
    end = len(site.data)
    escape = b"\\" if (end - len(site.data.rstrip(b"\\"))) % 2 else b""
    return Fix((Edit(end, end, escape + b"]" + b")" * _open_trees(site)),))


def _taken_out(site: Site, *, safe: bool = True) -> Fix:
    """Words on both sides stay two."""
    before = site.data[site.start - 1 : site.start] if site.start else b""
    behind = site.data[site.end : site.end + 1]
    gap = b" " if re.compile(_WORD).match(before) and re.compile(_WORD).match(behind) else b""
    return Fix((Edit(site.start, site.end, gap),), safe)


_WORD = rb"[0-9A-Za-z_\x80-\xff]"


@fix_for("SGF108", "SGF122")
def surplus(site: Site) -> Fix | None:
    return _taken_out(site)


@fix_for("SGF110")
def property_without_value(site: Site) -> Fix | None:
    """Where the empty value is the only one there is, it was forgotten."""
    definition = site.tree.define(site.finding.ident or "")
    if definition is not None and all(kind.first == "none" for kind in definition.alternatives):
        return Fix((Edit(site.end, site.end, b"[]"),))
    return Fix((Edit(site.start, site.end),), safe=False)


@fix_for("SGF111")
def value_without_property(site: Site) -> Fix | None:
    values = re.compile(_VALUE).findall(site.data[site.start : site.end])
    text = b" ".join(value for value in values if value.strip())
    remark = site.remark(text) if text else b""
    return Fix((Edit(site.start, site.end, remark),), safe=not text)


@fix_for("SGF112", "SGF114")
def identifier_as_read(site: Site) -> Fix | None:
    ident = (site.finding.ident or "").encode()
    if ident.isupper():
        return Fix((Edit(site.start, site.end, ident),))
    return site.to_comment() if site.entry is not None else None


@fix_for("SGF113")
def identifier_without_signs(site: Site) -> Fix | None:
    ident = (site.finding.ident or "").encode()
    if not ident.isupper():
        return None
    return Fix((Edit(site.start, site.end, ident),), safe=False)


@fix_for("SGF118")
def unescaped_bracket(site: Site) -> Fix | None:
    """Inside a value it is escaped, elsewhere it means nothing."""
    if site.value is not None:
        return Fix((Edit(site.start, site.start, b"\\"),))
    return _taken_out(site)


@fix_for("SGF120")
def junk(site: Site) -> Fix | None:
    """Punctuation alone says nothing."""
    says_something = re.compile(_WORD).search(site.data[site.start : site.end])
    return _taken_out(site, safe=not says_something)


@fix_for("SGF121")
def zero_bytes(site: Site) -> Fix | None:
    """A blank inside a value, nothing elsewhere."""
    if site.value is None:
        return _taken_out(site)
    new = site.data[site.start : site.end].replace(b"\0", b" ")
    return Fix((Edit(site.start, site.end, new),))
