"""The numbers by which compiled code and plain Python name the same things."""

from __future__ import annotations

from enum import IntEnum, IntFlag


class Shift(IntEnum):
    """What the parser records when it shifts a terminal."""

    NOTHING = 0
    #: "(": a GameTree production begins.
    OPEN_TREE = 1
    #: ")": the innermost open GameTree production ends.
    CLOSE_TREE = 2
    #: ";": a node begins.
    NODE = 3
    #: A property identifier.
    IDENT = 4
    #: A property value with its brackets.
    VALUE = 5


class Closes(IntFlag):
    """What is complete once the parser has reduced by a rule."""

    PROPERTY = 1
    NODE = 2


#: What the scanner accepts in the place of a terminal: white space between tokens.
IGNORED = 63
#: A bit that is added to an accepted terminal if no longer token can begin with the same bytes.
NO_LONGER_TOKEN = 64


class CleanIf(IntEnum):
    """How a property has to be written for all rules to find it clean."""

    #: One text with a visible character and without control characters.
    TEXT = 1
    #: Different points of the board.
    LIST = 2
    #: The same, each with a label of one or two letters or digits.
    LABELS = 3
    #: One point of the board.
    POINT = 4
    #: One day as YYYY-MM-DD.
    DATE = 5


class PropertyBits(IntFlag):
    """What a property identifier means to the filter."""

    #: A move of Black.
    BLACK_MOVE = 1
    #: A move of White.
    WHITE_MOVE = 2
    #: Clean as one number, with a decimal point or without.
    PLAIN_REAL = 4
    #: Clean as one number without a decimal point.
    PLAIN_NUMBER = 8
    #: Clean as one text with a visible character and without control characters.
    PLAIN_TEXT = 16
    #: Clean as a list of points of the board that names each point once, if no other list of the
    #: node names one of them.
    PLAIN_POINTS = 32
    #: Clean as one move to a point of the board, or as one pass.
    PLAIN_MOVE = 64
    #: A setup property: it makes its node one to check.
    SETUP = 128
    #: A setup property that puts black stones on its points.
    SETS_BLACK = 256
    #: A setup property that puts white stones on its points.
    SETS_WHITE = 512
    #: A setup property that makes its points empty.
    SETS_EMPTY = 1024
    #: A game-info property.
    GAME_INFO = 2048
    #: Clean as such a list in which each point has a label of one or two letters or digits.
    PLAIN_LABELS = 4096


class Traits(IntFlag):
    """What a scan finds in a tree that rules of trees and positions need."""

    #: Some node may play on a point that has a stone, or set a point up to what it already is.
    OCCUPIED = 1
    #: A game-info property is in a node below the root.
    INFO_BELOW_ROOT = 2
    #: A node with exactly one setup property, of one stone, directly below another such node.
    SINGLE_STONE_SETUPS = 4


class ByteClass(IntFlag):
    """What a byte may be in a value."""

    #: White space.
    BLANK = 1
    #: A visible character of ASCII.
    VISIBLE = 2
    #: A byte above 127, which has a meaning in some charsets.
    HIGH = 4
    #: A letter or a digit, as in labels.
    ALPHANUMERIC = 8
    DIGIT = 16
    #: Between the digits of a real number.
    DECIMAL_POINT = 32
    #: Between the parts of a composed value and the corners of a rectangle.
    SEPARATOR = 64


def _byte_class(byte: int) -> ByteClass:
    character = chr(byte)
    if byte > 127:
        return ByteClass.HIGH
    if character in "\t\n\v\f\r ":
        return ByteClass.BLANK
    if not character.isprintable():
        return ByteClass(0)
    found = ByteClass.VISIBLE
    if character.isalnum():
        found |= ByteClass.ALPHANUMERIC
    if character.isdigit():
        found |= ByteClass.DIGIT
    if character == ".":
        found |= ByteClass.DECIMAL_POINT
    if character == ":":
        found |= ByteClass.SEPARATOR
    return found


#: Byte -> its ByteClass.
BYTE_CLASSES = bytes(map(_byte_class, range(256)))
