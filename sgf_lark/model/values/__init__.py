"""Property values: their classes, how each game writes them, reading and writing.

The classes can be imported from here. ``grammar/values.lark`` and the methods that give the
values of its productions are described in :mod:`sgf_lark.model.values.productions`.
"""

from sgf_lark.model.values.amazons import AmazonsMove as AmazonsMove
from sgf_lark.model.values.backgammon import BackgammonMove as BackgammonMove
from sgf_lark.model.values.basic import Color as Color
from sgf_lark.model.values.basic import Compose as Compose
from sgf_lark.model.values.basic import Double as Double
from sgf_lark.model.values.context import Context as Context
from sgf_lark.model.values.gess import GessMove as GessMove
from sgf_lark.model.values.go import Move as Move
from sgf_lark.model.values.hex import HexMove as HexMove
from sgf_lark.model.values.lines_of_action import LinesOfActionMove as LinesOfActionMove
from sgf_lark.model.values.octi import OctiMove as OctiMove
from sgf_lark.model.values.octi import OctiPlay as OctiPlay
from sgf_lark.model.values.octi import OctiStep as OctiStep
from sgf_lark.model.values.octi import OctiStone as OctiStone
from sgf_lark.model.values.points import Point as Point
from sgf_lark.model.values.points import Stone as Stone
