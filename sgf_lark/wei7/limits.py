"""What wei7 allows of single values, for the checks, the models and the converters."""

from __future__ import annotations

from typing import Literal

#: The values of members that are one of a few words (5.2, 5.5, 5.10.1, 5.15.3.2.1.3).
Format = Literal["wei7"]
Version = Literal["3.0"]
Color = Literal[1, 2]
Scoring = Literal["area", "territory"]
RulesType = Literal["Chinese", "Japanese", "Korean"]
Evaluation = Literal["bad", "good"]

#: The most characters of a short string (5.4).
SHORT_STRING_LENGTH = 128
#: Komi, margins and the times of steps are below these (5.10.1, 5.8, 5.14).
KOMI_END = 10
MARGIN_END = 512
STEP_TIME_END = 86400
#: Komi and margins are multiples of it.
HALF_POINT = 0.5
#: The lines of a board without size (5.9).
DEFAULT_SIZE = 19

# Regular expressions that Python and JSON Schema read alike.

#: What short strings do not hold: control characters and line breaks (5.4).
CONTROL_CHARACTER = r"[\u0000-\u001f\u007f-\u009f\u2028\u2029]"
#: The signs of marks (5.12).
SYMBOL = "[a-zA-Z0-9@#$%&?]"
#: Date and time of day in UTC (5.10.2).
TIME = r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2})(?::([0-9]{2})(?:\.[0-9]{1,9})?)?Z"
