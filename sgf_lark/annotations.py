"""What annotations are made of.

It is that of typing, unless the program has not imported it: to check a file takes less
time than to import typing takes. Then stand-ins do, of which nothing is asked at run time
but which words a Literal has.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False

if TYPE_CHECKING or "typing" in sys.modules:
    from typing import Any as Any
    from typing import AnyStr as AnyStr
    from typing import ClassVar as ClassVar
    from typing import Generic as Generic
    from typing import Literal as Literal
    from typing import Protocol as Protocol
    from typing import Self as Self
    from typing import TextIO as TextIO
    from typing import TypeVar as TypeVar
    from typing import dataclass_transform as dataclass_transform
    from typing import get_args as get_args
    from typing import overload as overload
else:

    class Generic:
        """Also what stands for itself in brackets."""

        def __class_getitem__(cls, _):
            return cls

    class _Words(tuple):
        """What may stand where a type is wanted: typing asks whether it can be called."""

        def __call__(self): ...

        def __or__(self, _):
            return self

    class Literal:
        def __class_getitem__(cls, words):
            return _Words(words if isinstance(words, tuple) else (words,))

    class TypeVar:
        def __init__(self, name, **_): ...

    def get_args(words):
        return words

    def overload(function):
        return function

    def dataclass_transform(**_):
        return overload

    Any = object
    Self = TextIO = AnyStr = object
    ClassVar = Protocol = Generic
