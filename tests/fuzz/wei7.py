"""wei7: diagnostics, repair and conversion of any text."""

from sgf_lark import wei7


def TestOneInput(data: bytes) -> None:
    report = wei7.validate(data)
    recovered = wei7.recover(data)
    wei7.dumps(wei7.loads(data, tolerant=True))
    if recovered.document is not None:
        wei7.validate(wei7.dumps(recovered.document))
    try:
        written = wei7.to_sgf(data)
    except ValueError:
        return
    assert report.ok
    wei7.from_sgf(written.data)
