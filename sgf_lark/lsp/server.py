"""The language server: documents, settings, and the requests of a client.

One thread does all work on texts, so that the connection stays responsive and nothing is worked
on twice at once. Work for a version of a text ends as soon as there is a newer one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from sgf_lark import __version__
from sgf_lark.analysis import Settings
from sgf_lark.diagnostics import LANGUAGES
from sgf_lark.files.settings import OWN_FILE, SHARED_FILE
from sgf_lark.lsp import explaining, findings, navigation
from sgf_lark.lsp.analysis import Analysis, Text
from sgf_lark.lsp.findings import diagnostics, format_text
from sgf_lark.validation import named_profile

Result = TypeVar("Result")

#: Commands that a client can execute.
BOARD = "sgf-lark.board"


@dataclass(frozen=True)
class Options:
    """What a client can set: how texts are validated, and what the server does."""

    settings: Settings = field(default_factory=Settings)
    #: Whether all safe fixes are applied when a file is saved.
    fix_on_save: bool = False
    #: At most this many diagnostics of a text are sent.
    max_diagnostics: int = 1000
    #: Whether a hover shows the board as a picture; as text where the client cannot.
    pictures: bool = False

    def updated(self, sent: Any) -> Options:
        """These options after those that a client sent; what is not valid is passed over."""
        if isinstance(sent, dict) and isinstance(sent.get("sgf-lark"), dict):
            sent = sent["sgf-lark"]
        if not isinstance(sent, dict):
            return self
        settings = self.settings
        with suppress(ValueError):
            settings = replace(settings, profile=named_profile(str(sent.get("profile"))))
        if sent.get("language") in LANGUAGES:
            settings = replace(settings, language=sent["language"])
        if _is_list_of_texts(sent.get("select")):
            settings = replace(settings, select=tuple(sent["select"]) or None)
        if _is_list_of_texts(sent.get("ignore")):
            settings = replace(settings, ignore=tuple(sent["ignore"]))
        most = sent.get("maxDiagnostics", self.max_diagnostics)
        return Options(
            settings,
            _flag(sent, "fixOnSave", self.fix_on_save),
            most if type(most) is int and most > 0 else self.max_diagnostics,
            _flag(sent, "pictures", self.pictures),
        )


def _flag(sent: dict[str, Any], key: str, default: bool) -> bool:
    value = sent.get(key)
    return value if isinstance(value, bool) else default


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(each, str) for each in value)


@dataclass
class Document:
    """An open document: its text now, and the latest analysis, which can be of an older one."""

    uri: str
    version: int
    text: Text
    #: The rules that a settings file ignores in it.
    ignored: tuple[str, ...] = ()
    analysis: Analysis | None = None
    #: How long the latest analysis took, in seconds.
    seconds: float = 0.0

    def read_settings(self) -> None:
        """Read the settings file of its folder."""
        path = to_fs_path(self.uri) if self.uri.startswith("file:") else None
        self.ignored = findings.ignored_rules(Path(path)) if path else ()


class SGFLanguageServer(LanguageServer):
    """The server with its open documents."""

    def __init__(self, options: Options | None = None) -> None:
        super().__init__("sgf-lark", __version__, types.TextDocumentSyncKind.Full)
        self.options = options or Options()
        #: The documents by their addresses.
        self.documents: dict[str, Document] = {}
        self._publishing: dict[str, asyncio.Task[None]] = {}
        self._worker = ThreadPoolExecutor(1, "sgf-lark")

    # Work in the thread

    async def run(self, uri: str, work: Callable[[Analysis], Result]) -> Result | None:
        """The result of some work on the text as it is now; None if it changes meanwhile."""
        document = self.documents.get(uri)
        if document is None:
            return None
        text, settings = document.text, self.options.settings
        settings = replace(settings, ignore=(*settings.ignore, *document.ignored))

        def answer() -> Result | None:
            if document.text is not text:
                return None  # it has changed meanwhile: nobody needs the answer
            known = document.analysis
            if known is None or known.text is not text or known.settings != settings:
                started = perf_counter()
                known = document.analysis = Analysis(text, settings)
                document.seconds = perf_counter() - started
            return work(known)

        return await asyncio.get_running_loop().run_in_executor(self._worker, answer)

    # Documents

    def open(self, uri: str, version: int, text: str) -> None:
        """Take a document that the client opened."""
        self.documents[uri] = document = Document(uri, version, self._text(text))
        document.read_settings()
        self.publish(uri)

    def change(self, params: types.DidChangeTextDocumentParams) -> None:
        """Take the new text of a document: each change has all of it, as the server asks for."""
        document = self.documents.get(params.text_document.uri)
        if document is not None and params.content_changes:
            document.text = self._text(params.content_changes[-1].text)
            document.version = params.text_document.version
            # While keys follow one another faster than the text is analyzed, it is not.
            self.publish(document.uri, document.seconds)

    def _text(self, text: str) -> Text:
        encoding = self.workspace.position_encoding or types.PositionEncodingKind.Utf16
        return Text(text.encode("utf-8", "surrogatepass"), encoding)

    def close(self, uri: str) -> None:
        """Forget a document, and remove its diagnostics from the client."""
        self.documents.pop(uri, None)
        self._cancel(uri)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def publish(self, uri: str, pause: float = 0) -> None:
        """Send the diagnostics of a document as soon as they are known, unless it changes; begin
        after a pause in seconds."""
        self._cancel(uri)
        self._publishing[uri] = asyncio.ensure_future(self._publish(uri, pause))

    def _cancel(self, uri: str) -> None:
        task = self._publishing.pop(uri, None)
        if task is not None:
            task.cancel()

    async def _publish(self, uri: str, pause: float) -> None:
        await asyncio.sleep(pause)
        document = self.documents[uri]
        version, most = document.version, self.options.max_diagnostics
        found = await self.run(uri, lambda analysis: diagnostics(analysis, uri, most))
        if found is not None and document.version == version and uri in self.documents:
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri, found, version)
            )

    def set_options(self, sent: object) -> None:
        """Take options of the client, and judge all documents by them."""
        self.options = self.options.updated(sent)
        self.read_settings()

    def read_settings(self) -> None:
        """Read the settings files of all documents, and judge these by them."""
        for uri, document in self.documents.items():
            document.read_settings()
            self.publish(uri)


def create_server(options: Options | None = None) -> SGFLanguageServer:
    """The server with all its features."""
    server = SGFLanguageServer(options)
    _add_documents(server)
    _add_answers(server)
    _add_writing(server)
    _add_commands(server)
    return server


def _add_documents(server: SGFLanguageServer) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        locale = (params.locale or "")[:2].lower()
        if locale in LANGUAGES:
            server.options = server.options.updated({"language": locale})
        server.options = server.options.updated(params.initialization_options)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def did_open(params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        server.open(document.uri, document.version, document.text)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(params: types.DidChangeTextDocumentParams) -> None:
        server.change(params)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def did_close(params: types.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)

    @server.feature(types.INITIALIZED)
    async def initialized(params: types.InitializedParams) -> None:
        if _has(server, "workspace.did_change_watched_files.dynamic_registration"):
            watchers = [types.FileSystemWatcher(f"**/{name}") for name in (OWN_FILE, SHARED_FILE)]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            await server.client_register_capability_async(
                types.RegistrationParams([types.Registration("settings", method, options)])
            )

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def did_change_files(params: types.DidChangeWatchedFilesParams) -> None:
        server.read_settings()

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def did_change_configuration(params: types.DidChangeConfigurationParams) -> None:
        server.set_options(params.settings)


def _add_answers(server: SGFLanguageServer) -> None:
    """The requests about an open text; they are answered in the thread."""

    def add(method: str, answer: Callable[[Analysis, Any], object], options: object = None) -> None:
        @server.feature(method, options)
        async def on_request(params: Any) -> object:
            return await server.run(
                params.text_document.uri, lambda analysis: answer(analysis, params)
            )

    def hover(analysis: Analysis, params: types.HoverParams) -> types.Hover | None:
        return explaining.hover(analysis, params.position, pictures=server.options.pictures)

    def completion(analysis: Analysis, params: types.CompletionParams) -> types.CompletionList:
        snippets = _has(server, "text_document.completion.completion_item.snippet_support")
        items = explaining.completion(analysis, params.position, snippets=snippets)
        return types.CompletionList(is_incomplete=False, items=items)

    def tokens(analysis: Analysis, start: int, end: int) -> types.SemanticTokens:
        return types.SemanticTokens(navigation.semantic_tokens(analysis, start, end))

    def definition(analysis: Analysis, params: types.DefinitionParams) -> types.Location | None:
        area = navigation.definition(analysis, params.position)
        return None if area is None else types.Location(params.text_document.uri, area)

    def references(analysis: Analysis, params: types.ReferenceParams) -> list[types.Location]:
        areas = navigation.references(analysis, params.position)
        return [types.Location(params.text_document.uri, area) for area in areas]

    add(types.TEXT_DOCUMENT_HOVER, hover)
    add(
        types.TEXT_DOCUMENT_COMPLETION,
        completion,
        types.CompletionOptions(trigger_characters=explaining.TRIGGERS),
    )
    add(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, lambda text, _: navigation.outline(text))
    add(types.TEXT_DOCUMENT_FOLDING_RANGE, lambda text, _: navigation.folding_ranges(text))
    add(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        lambda text, _: tokens(text, 0, len(text.data)),
        navigation.LEGEND,
    )
    add(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE,
        lambda text, params: tokens(text, *text.text.offsets(params.range)),
        navigation.LEGEND,
    )
    add(
        types.TEXT_DOCUMENT_INLAY_HINT,
        lambda text, params: navigation.inlay_hints(text, params.range),
    )
    add(types.TEXT_DOCUMENT_DEFINITION, definition)
    add(types.TEXT_DOCUMENT_REFERENCES, references)
    add(types.TEXT_DOCUMENT_FORMATTING, lambda text, _: format_text(text))


def _add_writing(server: SGFLanguageServer) -> None:
    """The requests for edits."""

    kinds = types.CodeActionOptions(list(findings.KINDS))

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)
    async def on_code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        only = None if params.context.only is None else [*map(str, params.context.only)]
        uri = params.text_document.uri
        found = await server.run(
            uri, lambda analysis: findings.code_actions(analysis, uri, params.range, only)
        )
        return found or []

    @server.feature(types.TEXT_DOCUMENT_WILL_SAVE_WAIT_UNTIL)
    async def on_save(params: types.WillSaveTextDocumentParams) -> list[types.TextEdit]:
        if not server.options.fix_on_save:
            return []
        return await server.run(params.text_document.uri, findings.fix_all) or []


def _add_commands(server: SGFLanguageServer) -> None:
    """The commands: each takes the address of a document first."""

    @server.command(BOARD)
    async def board(uri: str, position: types.Position, theme: str = "light") -> Any:
        shown = "dark" if theme == "dark" else "light"
        return await server.run(
            uri,
            lambda analysis: navigation.board(analysis, position, shown),  # type: ignore[arg-type]
        )

    @server.command(findings.FIX_COMMAND)
    async def fix_all(uri: str, *code: str) -> bool:
        edits = await server.run(uri, lambda analysis: findings.fix_all(analysis, *code))
        if not edits:
            return False
        answer = await server.workspace_apply_edit_async(
            types.ApplyWorkspaceEditParams(types.WorkspaceEdit(changes={uri: edits}))
        )
        return answer.applied


def _has(server: SGFLanguageServer, path: str) -> bool:
    """Whether the client has a capability, by its path."""
    found: Any = server.client_capabilities
    for name in path.split("."):
        found = getattr(found, name, None)
    return bool(found)
