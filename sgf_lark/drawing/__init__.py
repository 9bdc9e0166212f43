"""Draws boards of Go, Hex, Amazons and Lines of Action as SVG, as PNG and as characters.

>>> import sgf_lark
>>> from sgf_lark import drawing
>>> tree = sgf_lark.loads(b"(;FF[4]GM[1]SZ[3];B[bb];W[ca])")[0]
>>> *_, last = tree.main_line()
>>> drawing.svg(drawing.position(tree, last))[:25]
'<svg xmlns="http://www.w3'
"""

from sgf_lark.drawing.characters import legend, text
from sgf_lark.drawing.images import animation, png
from sgf_lark.drawing.pictures import Picture, sheet, svg
from sgf_lark.drawing.positions import Diagram, DrawingError, Position, diagram, position

__all__ = [
    "Diagram",
    "DrawingError",
    "Picture",
    "Position",
    "animation",
    "diagram",
    "legend",
    "png",
    "position",
    "sheet",
    "svg",
    "text",
]
