"""The limits of single values in wei7, for the checks, the models and the converters."""

from __future__ import annotations

from typing import Literal

#: The members with a fixed set of values (5.2, 5.5, 5.10.1, 5.15.3.2.1.3).
Format = Literal["wei7"]
Version = Literal["3.0"]
Color = Literal[1, 2]
Scoring = Literal["area", "territory"]
RulesType = Literal["Chinese", "Japanese", "Korean"]
Evaluation = Literal["bad", "good"]

#: The maximum number of characters in a short string (5.4).
SHORT_STRING_LENGTH = 128
#: The exclusive upper limits of komi, margins and the times of steps (5.10.1, 5.8, 5.14).
KOMI_END = 10
MARGIN_END = 512
STEP_TIME_END = 86400
#: Komi and margins are multiples of this.
HALF_POINT = 0.5
#: The size of the board if the text has none (5.9).
DEFAULT_SIZE = 19

# Regular expressions with the same meaning in Python and in JSON Schema.

#: Control characters and line breaks, which short strings cannot contain (5.4).
CONTROL_CHARACTER = r"[\u0000-\u001f\u007f-\u009f\u2028\u2029]"
#: The symbols of marks (5.12).
SYMBOL = "[a-zA-Z0-9@#$%&?]"
#: Date and time of day in UTC (5.10.2).
TIME = r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2})(?::([0-9]{2})(?:\.[0-9]{1,9})?)?Z"
