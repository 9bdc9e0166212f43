"""Serves the page to this machine only. Needs the extra ``web``."""

from __future__ import annotations

import asyncio
import socket
import webbrowser
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sgf_lark.playground.document import LIMIT
from sgf_lark.playground.operations import BODY_LIMIT, answer

STATIC = Path(__file__).parent / "static"

HOST = "127.0.0.1"
#: The accepted host names, so that other names for this machine are rejected.
_HOSTS = [HOST, "localhost"]

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

_STATUS = {"too-large": 413, "bad-request": 400}


class _Headers:
    """Middleware that adds the headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)


async def _operation(request: Request) -> JSONResponse:
    # Pages of other sites can send forms and plain text to this server, but not JSON.
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return JSONResponse({"error": "bad-request", "reason": "JSON is needed"}, 415)
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > BODY_LIMIT:
                return JSONResponse({"error": "too-large", "limit": LIMIT}, 413)
    except ClientDisconnect:
        # A page that is closed or reloaded aborts its requests: there is nobody to answer.
        return JSONResponse({"error": "bad-request", "reason": "aborted"}, 400)
    operation = request.path_params["operation"]
    found = await asyncio.get_running_loop().run_in_executor(
        request.app.state.thread, answer, operation, bytes(body)
    )
    return JSONResponse(found, _STATUS.get(found.get("error", ""), 200))


def application() -> Starlette:
    """The ASGI application: the page, and the operations under ``/api``, which one thread answers
    one after the other."""
    app = Starlette(
        routes=[
            Route("/api/{operation}", _operation, methods=["POST"]),
            Mount("/", StaticFiles(directory=STATIC, html=True)),
        ],
        middleware=[
            Middleware(_Headers),
            Middleware(TrustedHostMiddleware, allowed_hosts=_HOSTS, www_redirect=False),
        ],
    )
    app.state.thread = ThreadPoolExecutor(1, "sgf-lark")
    return app


def bind(port: int) -> socket.socket:
    """A socket on the loopback interface; `port` 0 chooses a free one. Raises OSError."""
    return socket.create_server((HOST, port))


def serve(listening: socket.socket, *, open_browser: bool) -> None:
    """Serve until interrupted. Requests are neither logged nor stored."""
    if open_browser:
        webbrowser.open(address(listening))
    server(application()).run(sockets=[listening])


def address(listening: socket.socket) -> str:
    """The URL of the page."""
    return f"http://{HOST}:{listening.getsockname()[1]}/"


def server(app: Any) -> uvicorn.Server:
    """The HTTP server for an ASGI application. It ends when what was asked is answered."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            ws="none",
        )
    )
