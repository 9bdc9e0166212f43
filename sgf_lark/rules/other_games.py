"""Rules of single games other than Go (8xx)."""

from __future__ import annotations

from collections.abc import Iterator

from sgf_lark import grammar
from sgf_lark.rules.fixes import Correction, Site, correction
from sgf_lark.rules.registry import Finding, PathRule, formats, kinds, rule, several_of
from sgf_lark.validation.trees import TreeView
from sgf_lark.validation.views import NodeView, PropertyView, ValueView

# --- Formats of texts ---------------------------------------------------------------


def _outside(value: ValueView) -> bool:
    """Whether a text that says something does not have the form of its property."""
    return bool(value.raw) and not value.matches(value.definition.format, value.text().encode())


@rule("SGF811", "content", formats("cube_owner"))
def cube_owner(value: ValueView) -> Finding | None:
    return value.finding() if _outside(value) else None


@rule("SGF812", "content", formats("dice"))
def dice(value: ValueView) -> Finding | None:
    return None if value.matches("dice") else value.finding()


@rule("SGF813", "content", formats("cube_value"))
def cube_value(value: ValueView) -> Finding | None:
    """The cube is doubled from 1 on, so it shows a power of two."""
    number = value.tree.reader.read("number", value.raw)
    return value.finding() if number < 1 or number & (number - 1) else None


@rule("SGF814", "content", formats("backgammon_result"))
def resignation_without_points(value: ValueView) -> Finding | None:
    return value.finding() if value.text()[2:] in {"R", "Resign"} else None


@rule("SGF815", "content", formats("match_info"))
def match_info(value: ValueView) -> Finding | None:
    """A tag that is known, but without a number behind it."""
    if value.halves is None or value.matches("match_info"):
        return None
    tag, _ = value.halves
    return value.finding() if value.matches("match_info", tag + b":0") else None


@rule("SGF816", "content", formats("size"))
def size_in_backgammon(value: ValueView) -> Finding | None:
    return value.finding() if value.tree.game.number == 6 else None


@rule("SGF817", "property", formats("match_info"))
def repeated_match_info(entry: PropertyView) -> Iterator[Finding]:
    seen: set[bytes] = set()
    for value in entry.values():
        tag = value.halves[0].lower() if value.halves else b""
        if tag and tag in seen:
            yield value.finding(tag=tag)
        seen.add(tag)


@rule("SGF820", "content", formats("loa_adding"))
def loa_adding(value: ValueView) -> Finding | None:
    return value.finding() if _outside(value) else None


@rule("SGF821", "content", formats("loa_initial_position"))
def loa_initial_position(value: ValueView) -> Finding | None:
    return value.finding() if _outside(value) else None


@rule("SGF822", "content", formats("loa_invert"))
def loa_invert(value: ValueView) -> Finding | None:
    return value.finding() if _outside(value) else None


@rule("SGF823", "content", formats("loa_setup"))
def loa_setup(value: ValueView) -> Finding | None:
    return value.finding() if _outside(value) else None


@rule("SGF833", "content", formats("hex_initial_position"))
def hex_initial_position(value: ValueView) -> Finding | None:
    return value.finding() if _outside(value) else None


@rule("SGF834", "content", formats("viewer_settings"))
def viewer_setting(value: ValueView) -> Finding | None:
    return None if value.matches("viewer_settings") else value.finding()


@rule("SGF850", "content", formats("octi_rules"))
def octi_rules(value: ValueView) -> Finding | None:
    return value.finding() if _outside(value) else None


# --- Boards -------------------------------------------------------------------------


@rule("SGF831", "content", formats("size"))
def hex_board_size(value: ValueView) -> Finding | None:
    """The catalogue has the sides of a Hex board until the page was revised in 2021."""
    least, most = grammar.rule("SGF831").data["sides"]
    sides = value.tree.reader.read("size", value.raw)
    if value.tree.game.number != 11 or all(least <= side <= most for side in sides):
        return None
    return value.finding()


@rule("SGF861", "content", kinds("move"))
def gess_perimeter(value: ValueView) -> Finding | None:
    """The centre of a footprint has a point on every side."""
    size = value.tree.context.size
    if value.tree.reader.rule("move") != "gess_move" or size is None:
        return None
    for column, row in value.tree.reader.read("move", value.raw).points:
        if column in {0, size[0] - 1} or row in {0, size[1] - 1}:
            return value.finding()
    return None


# --- Several properties -------------------------------------------------------------


@rule("SGF832", "path", when="info")
def several_initial_positions(tree: TreeView) -> PathRule:
    """IP in Hex names the one position that is shown first."""
    found: list[PropertyView] = []

    def visit(node: NodeView, board: object) -> Iterator[Finding]:
        for entry in node.properties:
            if entry.definition is None or entry.definition.format != "hex_initial_position":
                continue
            if found:
                yield entry.finding()._replace(related=(found[0].span,))
            found.append(entry)

    return visit


@rule("SGF840", "node", shape=lambda node: node.get("AA") and node.of_type("setup"))
def arrow_on_setup(node: NodeView) -> Iterator[Finding]:
    """AA of Amazons and AB, AW or AE name the same square."""
    arrows = node.get("AA") if node.tree.game.number == 18 else None
    if arrows is None:
        return
    squares = {point for _, point in arrows.points()}
    for entry in node.of_type("setup"):
        if entry.definition is None or entry.definition.unique != "setup":
            continue
        both = [point for _, point in entry.points() if point in squares]
        if both:
            yield entry.finding(point=node.tree.write(both[0]))


@rule("SGF851", "node", shape=lambda node: node.get("BO") and node.get("WO"))
def pods_of_both_players(node: NodeView) -> Iterator[Finding]:
    """BO and WO of Octi name the same point."""
    first, second = node.get("BO"), node.get("WO")
    if first is None or second is None or node.tree.game.number != 19:
        return
    squares = {point for _, point in first.points()}
    both = [point for _, point in second.points() if point in squares]
    if both:
        yield second.finding(point=node.tree.write(both[0]))


@rule("SGF853", "node", shape=several_of("stone-mark"))
def stone_marked_twice(node: NodeView) -> Iterator[Finding]:
    """Two marks on one stone of Octi, unless there are several that look alike."""
    owner: dict[bytes, str] = {}
    for entry in node.of_group("stone-mark"):
        for value in entry.values():
            other = owner.setdefault(value.raw, entry.ident)
            if other != entry.ident and not _repeated(node, value.raw):
                yield value.finding(other=other)
                break


def _repeated(node: NodeView, stone: bytes) -> bool:
    """Whether some mark of the node lists the stone more than once, so that there are several."""
    return any(entry.raw.count(stone) > 1 for entry in node.of_group("stone-mark"))


@correction("SGF319")
def swap_of_hex(site: Site) -> Correction | None:
    """A bare "swap": who moves next tells whether the sides change or the stones do."""
    value = site.value
    if value is None or site.tree.game.move != "hex_move" or value.raw.lower() != b"swap":
        return None
    following = site.node.number + 1
    if following > site.tree.last or site.flat.parent[following] != site.node.number:
        return None
    moves = NodeView(site.tree, following).moves()
    if not moves:
        return None
    return site.replace("swap-sides" if moves[0].ident == value.owner.ident else "swap-pieces")
