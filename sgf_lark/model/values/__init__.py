"""Property values: their classes, how each game writes them, reading and writing.

The classes can be imported from here. ``grammar/values.lark`` and the methods that give the
values of its productions are described in :mod:`sgf_lark.model.values.notations`.
"""

from sgf_lark.model.values.basic import Color as Color
from sgf_lark.model.values.basic import Compose as Compose
from sgf_lark.model.values.basic import Context as Context
from sgf_lark.model.values.basic import Double as Double
from sgf_lark.model.values.notations import AmazonsMove as AmazonsMove
from sgf_lark.model.values.notations import BackgammonMove as BackgammonMove
from sgf_lark.model.values.notations import GessMove as GessMove
from sgf_lark.model.values.notations import HexMove as HexMove
from sgf_lark.model.values.notations import LinesOfActionMove as LinesOfActionMove
from sgf_lark.model.values.notations import Move as Move
from sgf_lark.model.values.notations import OctiMove as OctiMove
from sgf_lark.model.values.notations import OctiPlay as OctiPlay
from sgf_lark.model.values.notations import OctiStep as OctiStep
from sgf_lark.model.values.notations import OctiStone as OctiStone
from sgf_lark.model.values.points import Point as Point
from sgf_lark.model.values.points import Stone as Stone
