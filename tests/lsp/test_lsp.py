"""The language server, as a client sees it: pytest-lsp starts ``sgf-lark lsp``."""

import ast
import asyncio
import os
import random
import re
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.uris import from_fs_path
from pytest_lsp import ClientServerConfig, LanguageClient

import sgf_lark
from sgf_lark.fuzz.generating_files import generate
from sgf_lark.lsp.analysis import Text
from sgf_lark.lsp.navigation import LEGEND

URI = "file:///game.sgf"
#: The number of random edits; more than these few by hand.
EDITS = int(os.environ.get("SGF_LARK_EDITS", "25"))

GAME = "(;FF[4]GM[1]SZ[19]PB[Ä 𝄞]PW[Ä 𝄞];B[pd];W[dp](;B[dd]N[here])(;B[pp];W[qq]))\n"


_OPTIONS: dict[str, Any] = {
    "language": "en",
    "ignore": [],
    "fixOnSave": False,
    "maxDiagnostics": 100000,
    "pictures": True,
}


class Client(LanguageClient):
    """A client that keeps all diagnostics that were sent, each with its version, and the edits
    that commands asked for."""

    published: list[types.PublishDiagnosticsParams]
    edits: list[types.WorkspaceEdit]
    #: The methods that the server registered.
    registered: list[str]


def make_client() -> Client:
    client = pytest_lsp.make_test_lsp_client()
    client.__class__ = Client
    assert isinstance(client, Client)
    client.published = []
    client.edits = []
    client.registered = []
    features = client.protocol.fm.features
    show = features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS]

    def keep(params: types.PublishDiagnosticsParams) -> None:
        client.published.append(params)
        show(params)

    features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = keep

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)  # type: ignore[untyped-decorator]
    def register(params: types.RegistrationParams) -> None:
        client.registered += [each.method for each in params.registrations]

    @client.feature(types.WORKSPACE_APPLY_EDIT)  # type: ignore[untyped-decorator]
    def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        client.edits.append(params.edit)
        return types.ApplyWorkspaceEditResult(applied=True)

    return client


@pytest_lsp.fixture(  # type: ignore[untyped-decorator]
    config=ClientServerConfig(
        server_command=[sys.executable, "-m", "sgf_lark", "lsp"], client_factory=make_client
    ),
    scope="module",
)
async def session(lsp_client: LanguageClient) -> AsyncIterator[None]:
    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=pytest_lsp.client_capabilities("visual-studio-code"),
            locale="en-us",
            initialization_options=_OPTIONS,
        )
    )
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def client(session: Client) -> Iterator[Client]:
    """The client, without open documents and with the usual options."""
    yield session
    session.text_document_did_close(
        types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(URI))
    )
    session.workspace_did_change_configuration(types.DidChangeConfigurationParams(_OPTIONS))


pytestmark = pytest.mark.asyncio(loop_scope="module")


async def _open(client: Client, text: str, uri: str = URI) -> list[types.Diagnostic]:
    client.published.clear()
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "sgf", 1, text))
    )
    return await _diagnostics(client, 1, uri)


async def _diagnostics(client: Client, version: int, uri: str = URI) -> list[types.Diagnostic]:
    """The diagnostics for that version; those of older versions are passed over."""
    while True:
        for sent in client.published:
            if sent.uri == uri and sent.version == version:
                client.published.clear()
                return list(sent.diagnostics)
        await asyncio.sleep(0.005)


def _change(client: Client, version: int, text: str) -> None:
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            types.VersionedTextDocumentIdentifier(version, URI),
            [types.TextDocumentContentChangeWholeDocument(text)],
        )
    )


async def test_diagnostics_have_codes_with_links_and_utf_16_positions(client: Client) -> None:
    found = await _open(client, "(;FF[4]GM[1]SZ[19]\nC[𝄞𝄞];B[zz])")
    assert [each.code for each in found] == ["SGF401"]
    assert found[0].range == types.Range(types.Position(1, 10), types.Position(1, 12))
    assert found[0].code_description is None  # as long as there is no site


def _keys(found: list[types.Diagnostic]) -> list[tuple[types.Range, str, str]]:
    return [(each.range, str(each.code), each.message) for each in found]


def _fresh(text: str) -> list[tuple[types.Range, str, str]]:
    """What a validation of the whole text reports."""
    data = text.encode("utf-8", "surrogatepass")
    lines = Text(data)
    return [
        (lines.range(each.span.start, each.span.end), each.code, each.message)
        for each in sgf_lark.validate(text).diagnostics
    ]


def _edited(source: random.Random, text: str) -> str:
    """A text after a random change."""
    pieces = [*"()[];:\\ \n\rABab1é𝄞", ";B[aa]", "(;FF[4]GM[2]SZ[9])", "C[", "(;", "CoPyright[x]"]
    start = source.randint(0, len(text))
    end = start + source.choice((0, 0, 1, 2, 9))
    new = source.choice(pieces) if source.random() < 0.7 else ""
    return text[:start] + new + text[end:]


async def test_after_each_edit_the_diagnostics_are_those_of_a_fresh_validation(
    client: Client,
) -> None:
    source = random.Random(1)
    text = GAME * 3 + generate(source, nodes=12).decode("utf-8", "replace")
    await _open(client, text)
    for version in range(2, EDITS + 2):
        text = _edited(source, text)
        _change(client, version, text)
        found = await _diagnostics(client, version)
        assert _keys(found) == _fresh(text), text


async def test_only_the_latest_of_many_versions_is_reported(client: Client) -> None:
    await _open(client, GAME)
    for version in range(2, 40):
        _change(client, version, GAME * version + ";")
    found = await _diagnostics(client, 39)
    assert [each.code for each in found] == [each[1] for each in _fresh(GAME * 39 + ";")]


async def test_closing_removes_the_diagnostics(client: Client) -> None:
    assert await _open(client, "(;B[zz]")
    client.text_document_did_close(
        types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(URI))
    )
    while not (client.published and client.published[-1].version is None):
        await asyncio.sleep(0.005)
    assert not client.published[-1].diagnostics


async def test_settings_choose_language_and_rules(client: Client) -> None:
    english = await _open(client, "(;FF[4]GM[1]SZ[19];B[zz];B[yy])")
    client.workspace_did_change_configuration(
        types.DidChangeConfigurationParams({"sgf-lark": {"language": "zh", "ignore": ["SGF6"]}})
    )
    chinese = await _diagnostics(client, 1)
    assert {each.code for each in chinese} == {"SGF401"} < {each.code for each in english}
    assert all(each.message not in [one.message for one in english] for each in chinese)


def _applied(text: str, edits: Any) -> str:
    lines = Text(text.encode())
    places = sorted((*lines.offsets(each.range), each.new_text) for each in edits)
    data = text.encode()
    for start, end, new in reversed(places):
        data = data[:start] + new.encode() + data[end:]
    return data.decode()


_WHOLE = types.Range(types.Position(0, 0), types.Position(99, 0))
_DOCUMENT = types.TextDocumentIdentifier(URI)


async def _actions(client: Client, only: list[str] | None = None) -> list[types.CodeAction]:
    context = types.CodeActionContext([], only)
    found = await client.text_document_code_action_async(
        types.CodeActionParams(_DOCUMENT, _WHOLE, context)
    )
    actions = []
    for each in found or ():
        # The edits of the whole text are made by a command. lsprotocol takes an action with one for
        # a command, whose name is the text of the real one.
        if isinstance(each, types.Command):
            command = ast.literal_eval(each.command)
            await client.workspace_execute_command_async(
                types.ExecuteCommandParams(command["command"], command["arguments"])
            )
            each = types.CodeAction(each.title, edit=client.edits.pop())
        else:
            assert each.diagnostics
        actions.append(each)
    return actions


async def test_safe_fixes_are_preferred_and_unsafe_ones_are_not(client: Client) -> None:
    text = "(;FF[4]GM[1]SZ[19]C[𝄞]KM[6,5];B [pd];W[zz])"
    await _open(client, text)
    found = await _actions(client)
    of_kind = {each.is_preferred: each for each in found if each.diagnostics}
    assert set(of_kind) == {True, False}
    for each in found:
        assert each.edit is not None and each.edit.changes is not None
        fixed = _applied(text, each.edit.changes[URI])
        assert fixed != text
        if each.diagnostics:
            code = each.diagnostics[0].code
            before = [one.code for one in sgf_lark.validate(text).diagnostics]
            after = [one.code for one in sgf_lark.validate(fixed).diagnostics]
            assert after.count(str(code)) < before.count(str(code))


async def test_all_fixes_are_those_of_the_command_fix(client: Client) -> None:
    text = "(;FF[4]GM[1]SZ[19]KM[6,5];B [pd];W[zz])\n"
    await _open(client, text)
    (found,) = await _actions(client, ["source.fixAll"])
    assert found.edit is not None and found.edit.changes is not None
    fixed = sgf_lark.fix(text).data
    assert _applied(text, found.edit.changes[URI]).encode() == fixed
    # On save they are off by default.
    params = types.WillSaveTextDocumentParams(_DOCUMENT, types.TextDocumentSaveReason.Manual)
    assert not await client.text_document_will_save_wait_until_async(params)
    options = types.DidChangeConfigurationParams({"fixOnSave": True})
    client.workspace_did_change_configuration(options)
    await _diagnostics(client, 1)
    edits = await client.text_document_will_save_wait_until_async(params)
    assert _applied(text, edits).encode() == fixed


@pytest.mark.parametrize(
    ("column", "parts"),
    (
        (2, ("**FF**", "File format")),
        (22, ("**PB**", "Ä 𝄞")),
        (35, ("**B**", "column 16, row 4", "Q16", "data:image/svg+xml;base64,")),
    ),
)
async def test_hover_explains_the_place(
    client: Client, column: int, parts: tuple[str, ...]
) -> None:
    text = "(;FF[4]GM[1]SZ[19]PB[Ä 𝄞]PW[b];B[pd])"
    await _open(client, text)
    found = await client.text_document_hover_async(
        types.HoverParams(_DOCUMENT, types.Position(0, column))
    )
    assert found is not None and isinstance(found.contents, types.MarkupContent)
    for part in parts:
        assert part.lower() in found.contents.value.lower()


async def test_completion_depends_on_the_node(client: Client) -> None:
    text = "(;FF[4]GM[1]SZ[19];B[pd];)"
    await _open(client, text)
    in_root = await _labels(client, text.index(";B"))
    in_node = await _labels(client, len(text) - 1)
    assert {"PB", "CA", "AB"} <= set(in_root) and not {"FF", "SZ", "B"} & set(in_root)
    assert {"W", "C", "AB"} <= set(in_node) and "CA" not in in_node
    assert in_node[0] == "W"


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    (
        ("(;FF[4]GM[1]ST[])", 15, ["0", "1", "2", "3"]),
        ("(;FF[4]GM[1]RU[])", 15, ["AGA", "GOE", "Japanese", "NZ"]),
        ("(;FF[4]GM[1];B[aa]BM[])", 21, ["1", "2"]),
        ("(;FF[4]GM[1];PL[])", 16, ["B", "W"]),
        ("(;FF[4]GM[9]SU[])", 15, ["standard", "scrambled-eggs", "parachute", "gemma", "custom"]),
    ),
)
async def test_completion_of_values_is_from_the_grammar(
    client: Client, text: str, column: int, expected: list[str]
) -> None:
    await _open(client, text)
    assert await _labels(client, column) == expected


async def test_completion_of_dates_and_charsets(client: Client) -> None:
    text = "(;FF[4]DT[]CA[]GM[])"
    await _open(client, text)
    for date in await _labels(client, text.index("]CA")):
        assert sgf_lark.validate(f"(;FF[4]GM[1]DT[{date}])", select=["SGF4"]).ok
    assert "UTF-8" in await _labels(client, text.index("]GM"))
    assert "11" in await _labels(client, text.index("])"))


async def _labels(client: Client, column: int) -> list[str]:
    found = await client.text_document_completion_async(
        types.CompletionParams(_DOCUMENT, types.Position(0, column))
    )
    assert isinstance(found, types.CompletionList)
    return [each.label for each in sorted(found.items, key=lambda each: each.sort_text or "")]


async def test_outline_and_folding(client: Client) -> None:
    text = "(;FF[4]GM[1]PB[a]PW[b]\n;B[pd]\n(;W[dd]N[here])\n(;W[dp]\n(;B[pp])\n(;B[qq])))(;)"
    await _open(client, text)
    found: Any = await client.text_document_document_symbol_async(
        types.DocumentSymbolParams(_DOCUMENT)
    )
    first, second = found
    assert first.detail == "a – b" and second.children is None
    assert [each.name for each in first.children] == ["here", "Variation at move 2"]
    assert [each.name for each in first.children[1].children] == ["Variation at move 3"]
    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(_DOCUMENT))
    assert [(each.start_line, each.end_line) for each in folds or ()] == [(0, 5), (3, 5)]
    await _open(client, "(;" + "B[aa](;)(;" * 2000 + ")" * 2001)
    found = await client.text_document_document_symbol_async(types.DocumentSymbolParams(_DOCUMENT))
    assert found


async def test_semantic_tokens_are_in_order_and_name_the_kinds(client: Client) -> None:
    text = "(;FF[4]C[𝄞\nb];B[pd]XX[y])"
    await _open(client, text)
    found = await client.text_document_semantic_tokens_full_async(
        types.SemanticTokensParams(_DOCUMENT)
    )
    assert found is not None
    data = list(found.data)
    line = column = 0
    tokens = []
    for number in range(0, len(data), 5):
        down, right, length, kind, _ = data[number : number + 5]
        line, column = line + down, right if down else column + right
        tokens.append((line, column, length, LEGEND.token_types[kind]))
    assert tokens == [
        (0, 2, 2, "type"),
        (0, 5, 1, "number"),
        (0, 7, 1, "property"),
        (0, 9, 2, "string"),
        (1, 0, 1, "string"),
        (1, 3, 1, "keyword"),
        (1, 5, 2, "parameter"),
        (1, 8, 2, "variable"),
        (1, 11, 1, "string"),
    ]


async def test_formatting_of_several_games_and_lines_of_windows(client: Client) -> None:
    text = "(;FF[4]GM[1];B[aa];W[bb]C[x]\r\n;B[cc](;W[dd];B[ee])(;W[ee]))(;C[a\r\nb];B[aa])"
    await _open(client, text)
    params = types.DocumentFormattingParams(_DOCUMENT, types.FormattingOptions(4, True))
    new = _applied(text, await client.text_document_formatting_async(params))
    assert new.split("\r\n") == [
        *("(;FF[4]GM[1]", ";B[aa];W[bb]C[x]", ";B[cc]", "(;W[dd]", ";B[ee])", "(;W[ee]))"),
        *("(;C[a", "b]", ";B[aa])", ""),
    ]
    _change(client, 2, new)
    assert not await client.text_document_formatting_async(params)


async def test_a_damaged_text_is_not_formatted(client: Client) -> None:
    for text in ("(;GM[1];B[aa];W[bb])(;GM[1] ?? ;B[aa];W[bb])", "", "(;C[x\n"):
        await _open(client, text)
        assert not await client.text_document_formatting_async(
            types.DocumentFormattingParams(_DOCUMENT, types.FormattingOptions(4, True))
        )


async def test_board_follows_the_position(client: Client) -> None:
    await _open(client, GAME)
    arguments = [URI, {"line": 0, "character": len(GAME)}, "dark"]
    command = types.ExecuteCommandParams("sgf-lark.board", arguments)
    found = await client.workspace_execute_command_async(command)
    board = found if isinstance(found, dict) else vars(found)
    assert board["move"] == 4 and board["toMove"] == "B"
    assert board["svg"].startswith("<svg")


# --- Moves, stones and games -----------------------------------------------------------


def _at(text: str, place: str, step: int = 0) -> types.Position:
    return Text(text.encode()).position(len(text[: text.index(place) + step].encode()))


async def test_inlay_hints_have_the_numbers_and_the_names_of_moves(client: Client) -> None:
    text = "(;GM[1]SZ[19]C[𝄞];B[pd];W[]C[no](;B[dd])(;MN[10]B[zz];W[qq]))"
    await _open(client, text)
    found = await client.text_document_inlay_hint_async(types.InlayHintParams(_DOCUMENT, _WHOLE))
    lines = Text(text.encode())
    places = [(lines.offset(each.position), each.label) for each in found or ()]
    data = text.encode()
    for offset, label in reversed(places):
        data = data[:offset] + f"<{label}>".encode() + data[offset:]
    assert data.decode() == (
        "(;GM[1]SZ[19]C[𝄞];<1>B[pd]<Q16>;<2>W[]<pass>C[no](;<3>B[dd]<D16>)"
        "(;MN[10]<10>B[zz];<11>W[qq]<R3>))"
    )
    area = types.Range(_at(text, "W[]"), _at(text, "C[no]"))
    some = await client.text_document_inlay_hint_async(types.InlayHintParams(_DOCUMENT, area))
    assert {"2", "pass"} <= {each.label for each in some or ()} <= {"1", "Q16", "2", "pass"}
    await _open(client, "(;GM[1]" + ";B[aa]" * 3000 + ")")
    most = await client.text_document_inlay_hint_async(types.InlayHintParams(_DOCUMENT, _WHOLE))
    assert most and len(most) < 3000


STONES = "(;GM[1]SZ[19]AB[aa:cc][pd];W[pd];AE[pd]TR[bb];B[pd](;W[dd]LB[pd:x])(;W[pd]AR[dd:bb]))"


@pytest.mark.parametrize(
    ("place", "step", "expected"),
    [
        ("TR[bb", 4, "aa:cc"),
        ("AR[dd:bb", 7, "aa:cc"),
        ("LB[pd", 4, "pd](;W"),
        ("W[pd];AE", 3, "pd];W"),
        ("W[pd]AR", 3, "pd](;W"),
        ("AR[dd", 4, None),
        ("x])", 0, "pd](;W"),
        ("SZ[19", 4, None),
    ],
)
async def test_definition_is_where_the_stone_was_placed(
    client: Client, place: str, step: int, expected: str | None
) -> None:
    await _open(client, STONES)
    found = await client.text_document_definition_async(
        types.DefinitionParams(_DOCUMENT, _at(STONES, place, step))
    )
    if expected is None:
        assert found is None
    else:
        assert isinstance(found, types.Location)
        assert found.range.start == _at(STONES, expected)


async def test_references_are_the_moves_and_the_setup_on_a_point(client: Client) -> None:
    await _open(client, STONES + STONES)
    params = types.ReferenceParams(types.ReferenceContext(True), _DOCUMENT, _at(STONES, "LB[pd", 4))
    found = await client.text_document_references_async(params)
    offsets = [Text(STONES.encode()).offset(each.range.start) for each in found or ()]
    expected = [each.start() for each in re.finditer(r"(?<=\[)pd(?=\])", STONES)]
    assert offsets == expected and len(offsets) == 5


# --- Rules that a settings file ignores -------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("a [1].sgf", '[files."/a [[]1].sgf"]\nignore = ["SGF413"]\n'),
        ("games/ä.sgf", '# 棋\n[check]\n[files."ä*"]\nignore = "handicap"\n'),
        ("games/b.sgf", '[check]\nignore = "SGF413,SGF9"\n'),
    ],
)
async def test_rules_of_a_settings_file_are_ignored(
    client: Client, tmp_path: Path, name: str, settings: str
) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    file = path.with_name("sgf-lark.toml")
    file.write_text(settings, encoding="utf-8")
    uri = from_fs_path(str(path)) or ""
    found = await _open(client, "(;FF[4]GM[1]SZ[19]HA[0]KM[x])", uri)
    assert [each.code for each in found] == ["SGF415"]
    assert client.registered == [types.WORKSPACE_DID_CHANGE_WATCHED_FILES]
    for text in ("", "]["):  # a file with errors ignores nothing
        file.write_text(text)
        client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([]))
        assert {each.code for each in await _diagnostics(client, 1, uri)} == {"SGF413", "SGF415"}
    document = types.TextDocumentIdentifier(uri)
    client.text_document_did_close(types.DidCloseTextDocumentParams(document))
