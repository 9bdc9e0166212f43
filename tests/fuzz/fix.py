"""``fix``, safe and unsafe: idempotent; safe fixes keep the meaning."""

import sgf_lark
from tests.comparing import changes_by_fix


def TestOneInput(data: bytes) -> None:
    for unsafe in (False, True):
        fixed = sgf_lark.fix(data, unsafe=unsafe)
        assert sgf_lark.fix(fixed.data, unsafe=unsafe).data == fixed.data
        if not unsafe:
            assert changes_by_fix(data, fixed) == []
