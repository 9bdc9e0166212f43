"""Positions of editors: every encoding, every line break."""

from hypothesis import given
from hypothesis import strategies as st
from lsprotocol.types import DiagnosticSeverity, Position, PositionEncodingKind

from sgf_lark.analysis import Settings
from sgf_lark.lsp.analysis import Analysis, Text
from sgf_lark.lsp.findings import diagnostics

ENCODINGS = {
    PositionEncodingKind.Utf8: ("utf-8", 1),
    PositionEncodingKind.Utf16: ("utf-16-le", 2),
    PositionEncodingKind.Utf32: ("utf-32-le", 4),
}
TEXTS = st.text(st.sampled_from("ab\r\n\v\f\u2028é中𝄞\ud800"))


@given(TEXTS, st.sampled_from(list(ENCODINGS)))
def test_each_character_has_its_position(text: str, encoding: PositionEncodingKind) -> None:
    codec, size = ENCODINGS[encoding]
    lines = Text(text.encode("utf-8", "surrogatepass"), encoding)
    line = column = offset = 0
    for index, character in enumerate(text):
        found = lines.position(offset)
        assert found == Position(line, column)
        is_within_break = character == "\n" and text[index - 1 : index] == "\r"
        if not is_within_break:
            assert lines.offset(found) == offset
        offset += len(character.encode("utf-8", "surrogatepass"))
        column += len(character.encode(codec, "surrogatepass")) // size
        if character == "\n" or (character == "\r" and text[index + 1 : index + 2] != "\n"):
            line, column = line + 1, 0
    assert lines.position(offset) == Position(line, column)


def test_positions_outside_of_the_text_are_moved_into_it() -> None:
    for line, column, offset in ((0, 99, 3), (1, 99, 9), (1, 1, 5), (1, 2, 9), (9, 0, 9)):
        assert Text("abc\r\n𝄞".encode()).offset(Position(line, column)) == offset


def test_no_error_is_hidden_behind_hints() -> None:
    text = b"(;FF[4]GM[1]" + b"".join(b";XX[%d]" % n for n in range(20)) + b";KM[x];MN[y])"
    analysis = Analysis(Text(text), Settings())
    shown = diagnostics(analysis, "file:///x.sgf", 5)
    errors = [each for each in shown if each.severity is DiagnosticSeverity.Error]
    assert len(errors) == 2 and len(shown) == 6
    assert f"not listed: {len(analysis.validated.findings) - 5}" in shown[-1].message
