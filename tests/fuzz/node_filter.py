"""The compiled filter and board: validation with them against all rules on all nodes."""

import sgf_lark


def TestOneInput(data: bytes) -> None:
    found = sgf_lark.validate(data).diagnostics
    assert found == sgf_lark.validate(data, engine="lark").diagnostics
