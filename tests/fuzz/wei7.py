"""wei7: diagnostics and conversion of any text."""

from sgf_lark import wei7


def TestOneInput(data: bytes) -> None:
    report = wei7.validate(data)
    try:
        assert wei7.validate(wei7.dumps(wei7.loads(data))).ok
        written = wei7.to_sgf(data)
    except ValueError:
        return
    assert report.ok
    wei7.from_sgf(written.data)
