"""``validate`` accepts any bytes, with any profile and charset."""

import sgf_lark


def TestOneInput(data: bytes) -> None:
    report = sgf_lark.validate(data)
    for diagnostic in report.diagnostics:
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(data)
    collection = sgf_lark.loads(data, tolerant=True)
    for tree in collection:
        for node in tree.nodes():
            assert len(node.properties) == len([entry.raw for entry in node.properties])
    try:
        assert sgf_lark.dumps(sgf_lark.loads(data)) == data
    except sgf_lark.SGFSyntaxError:
        assert not report.ok
