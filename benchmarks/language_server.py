"""Measures how long the language server needs from a key to the diagnostics of the text.

python benchmarks/language_server.py [FOLDER] [--rounds N] [--size KB]
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import games

URI = "file:///game.sgf"


class Client:
    """Speaks with the server as an editor does."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "sgf_lark", "lsp"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, method: str, params: Any, **more: Any) -> None:
        """Send a notification, or with an `id` a request."""
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def wait_for(self, key: str, value: Any) -> dict[str, Any]:
        """Return the next message with this entry."""
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while line := stream.readline().strip():
                name, _, text = line.partition(b":")
                length = int(text) if name.lower() == b"content-length" else length
            message: dict[str, Any] = json.loads(stream.read(length))
            if message.get(key) == value:
                return message

    def diagnostics(self) -> int:
        """Wait for the diagnostics, and return their number."""
        found = self.wait_for("method", "textDocument/publishDiagnostics")
        return len(found["params"]["diagnostics"])


def seconds(client: Client, text: str, rounds: int) -> list[float]:
    """Return the times from a typed character, in the middle of the text, to the diagnostics."""
    client.send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, id=1)
    client.wait_for("id", 1)
    client.send("initialized", {})
    document = {"uri": URI, "languageId": "sgf", "version": 0, "text": text}
    client.send("textDocument/didOpen", {"textDocument": document})
    print(f"{len(text) / 1000:.0f} KB, {client.diagnostics()} diagnostics listed")
    line = text.count("\n", 0, len(text) // 2)
    times = []
    for version in range(1, rounds + 1):
        start = {"line": line, "character": 0}
        change = {"range": {"start": start, "end": start}, "text": " "}
        begin = time.perf_counter()
        client.send(
            "textDocument/didChange",
            {"textDocument": {"uri": URI, "version": version}, "contentChanges": [change]},
        )
        client.diagnostics()
        times.append(time.perf_counter() - begin)
    return times


def main() -> None:
    """Measure, and print the best, the median and the worst."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--size", type=int, default=200, metavar="KB")
    options = parser.parse_args()
    text = games.text(options.folder, options.size * 1000)
    client = Client()
    try:
        times = [1000 * each for each in seconds(client, text, options.rounds)]
    finally:
        client.process.kill()
        client.process.wait()
    print(f"{min(times):.0f} ms at best, {statistics.median(times):.0f} ms median, ", end="")
    print(f"{max(times):.0f} ms at worst")


if __name__ == "__main__":
    main()
