"""The playground without a browser: what its server answers and refuses, and the exported page."""

from __future__ import annotations

import http.client
import json
import re
import socket
import subprocess
import sys
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest

from sgf_lark.playground import server
from sgf_lark.playground.document import LIMIT
from sgf_lark.playground.export import python_archive
from sgf_lark.playground.operations import BODY_LIMIT
from tests.kit import waiting
from tests.kit.commands import invoke
from tests.kit.serving import running_server

JSON = {"Content-Type": "application/json"}


# --- The server ---------------------------------------------------------------------------


def send(
    port: int, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=waiting.LIMIT)
    try:
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        found = {name.lower(): value for name, value in response.getheaders()}
        return response.status, found, response.read()
    finally:
        connection.close()


def ask(port: int, request: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    status, _, body = send(port, "POST", "/api/inspect", json.dumps(request).encode(), JSON)
    return status, json.loads(body)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/app.js", 200),
        ("GET", "/nothing", 404),
        ("GET", "/../server.py", 404),
        ("GET", "/api/inspect", 404),
        ("POST", "/", 405),
        ("POST", "/api/inspect", 400),
        ("POST", "/api/delete", 400),
    ],
)
def test_every_answer_has_the_headers(port: int, method: str, path: str, status: int) -> None:
    found, headers, _ = send(port, method, path, b"{}" if method == "POST" else b"", JSON)
    assert found == status
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert "unsafe" not in policy and "*" not in policy and "http" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert "server" not in headers


def test_only_this_machine_is_served(port: int) -> None:
    listening = server.bind(0)
    assert listening.getsockname()[0] == "127.0.0.1"
    assert server.address(listening) == f"http://127.0.0.1:{listening.getsockname()[1]}/"
    listening.close()
    for host, status in (("localhost", 200), (f"127.0.0.1:{port}", 200), ("evil.example", 400)):
        assert send(port, "GET", "/", headers={"Host": host})[0] == status


def test_what_another_site_can_send_is_refused(port: int) -> None:
    body = json.dumps({"text": "(;)", "parts": ["summary"]}).encode()
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        assert send(port, "POST", "/api/inspect", body, {"Content-Type": kind})[0] == 415


@pytest.mark.parametrize("length", [LIMIT + 1, BODY_LIMIT + 1])
def test_what_is_too_long_is_refused_with_the_limit(port: int, length: int) -> None:
    request = {"text": "x" * length, "parts": ["summary"]}
    assert ask(port, request) == (413, {"error": "too-large", "limit": LIMIT})


def test_wrong_json_is_refused(port: int) -> None:
    for body in (b"", b"{", b"\xff", b"[1]", b'{"text": ' + b"1" * 9999 + b"}", b"[" * 9999):
        assert send(port, "POST", "/api/inspect", body, JSON)[0] == 400


def test_aborted_requests_leave_no_traceback(port: int, capfd: pytest.CaptureFixture[str]) -> None:
    head = "POST /api/inspect HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    for body in ("{", json.dumps({"text": "(;)" * 1000, "parts": ["selection"]})):
        with socket.create_connection(("127.0.0.1", port)) as connection:
            missing = 9 if body == "{" else 0
            length = f"Content-Length: {len(body) + missing}\r\n\r\n"
            connection.sendall(f"{head}{length}{body}".encode())
    assert ask(port, {"text": "(;)", "parts": ["summary"]})[0] == 200
    assert capfd.readouterr() == ("", "")


def answered(port: int, request: dict[str, Any]) -> int:
    """The status of the answer; 500 where the server has ended before."""
    try:
        return ask(port, request)[0]
    except (ConnectionError, http.client.HTTPException):
        return 500


def test_server_ends_when_what_was_asked_is_answered(capfd: pytest.CaptureFixture[str]) -> None:
    with running_server() as port:
        text = "(;FF[4]GM[1]" + ";KM[x]B[zz]" * 3000 + ")"
        request = {"text": text, "parts": ["summary"]}
        answers: list[int] = []
        threads = [
            threading.Thread(target=lambda: answers.append(answered(port, request)))
            for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        assert send(port, "GET", "/")[0] == 200
    for thread in threads:
        thread.join(waiting.LIMIT)
    assert len(answers) == 3 and {*answers} <= {200, 500}
    assert capfd.readouterr() == ("", "")


def test_command_says_what_is_wrong(port: int) -> None:
    result = invoke("playground", "--no-browser", "--port", port)
    assert result.exit_code == 2 and "in use" in result.stderr


# --- The exported page ------------------------------------------------------------------------


@pytest.fixture
def pyodide(tmp_path: Path) -> Path:
    """A folder with the same files as the npm package."""
    folder = tmp_path / "pyodide"
    folder.mkdir()
    names = "pyodide.mjs pyodide.asm.mjs pyodide.asm.wasm pyodide-lock.json python_stdlib.zip"
    for name in [*names.split(), "console.html"]:
        (folder / name).write_text(name)
    (folder / "package.json").write_text('{"version": "1.2.3"}')
    return folder


def test_export_has_everything_and_nothing_from_elsewhere(tmp_path: Path, pyodide: Path) -> None:
    folder = tmp_path / "deep" / "page"
    result = invoke("playground", "--output", folder, "--pyodide", pyodide)
    assert result.exit_code == 0, result.output
    files = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
    assert {"index.html", "app.js", "worker.js", "python.zip", "pyodide/pyodide.mjs"} <= files
    assert "pyodide/console.html" not in files
    assert "Worker(" in (folder / "backend.js").read_text(encoding="utf-8")
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'" in page
    for file in folder.glob("*.[hjc]*"):
        # The name of SVG in the drawings is no address that is fetched.
        text = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search("https?:", text)


def test_export_writes_over_nothing(tmp_path: Path, pyodide: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    for folder, source in ((tmp_path, pyodide), (tmp_path / "new", tmp_path)):
        result = invoke("playground", "--output", folder, "--pyodide", source)
        assert result.exit_code == 2 and result.stderr.startswith("sgf-lark: ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.txt", "pyodide"]


def test_archive_runs_without_anything_installed(tmp_path: Path) -> None:
    data = python_archive()
    assert data == python_archive()
    (tmp_path / "python.zip").write_bytes(data)
    with zipfile.ZipFile(tmp_path / "python.zip") as archive:
        archive.extractall(tmp_path / "python")
        assert not [name for name in archive.namelist() if name.endswith((".so", ".pyd", ".c"))]
        assert any("licen" in name.lower() for name in archive.namelist())
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from sgf_lark.playground.operations import answer_text\n"
        "print(answer_text(sys.argv[2], sys.argv[3]))"
    )
    text = "(;FF[4]GM[1]CA[UTF-8]KM[6,5]AB[aa:bb]C[围棋]"
    parts = ["summary", "terminals", "selection"]
    request = json.dumps({"text": text, "parts": parts, "start": 25, "end": 25, "last": 99})
    for operation in ("begin", "inspect"):
        command = [sys.executable, "-I", "-S", "-c", program, str(tmp_path / "python")]
        done = subprocess.run([*command, operation, request], capture_output=True, check=True)
        assert "error" not in json.loads(done.stdout)
