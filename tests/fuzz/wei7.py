"""wei7: diagnostics and conversion of any text."""

from sgf_lark import wei7


def TestOneInput(data: bytes) -> None:
    report = wei7.validate(data)
    try:
        wei7.validate(wei7.dumps(wei7.recover(data).document))
        wei7.dumps(wei7.loads(data, tolerant=True))
        written = wei7.to_sgf(data)
    except ValueError:
        return
    assert report.ok
    wei7.from_sgf(written.data)
