"""The program ``sgf-lark`` in a process that has it in memory and forks for each command.

To start the interpreter and to import the package takes most of the time of a short command, and
the tests of the documentation run hundreds of them.
"""

from __future__ import annotations

import marshal
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: The program in a shell: it hands its folder, its environment, its arguments and its streams to
#: the process, and ends with the exit code that this gives back.
_PROGRAM = """\
#!{python} -IS
import marshal, os, socket, sys
there = socket.socket(socket.AF_UNIX)
there.connect({address!r})
request = marshal.dumps((os.getcwd(), dict(os.environ), sys.argv[1:]))
socket.send_fds(there, [len(request).to_bytes(8, "big")], [0, 1, 2])
there.sendall(request)
sys.exit((there.recv(1) or b"\\1")[0])
"""


@contextmanager
def forked_program(environment: dict[str, str]) -> Iterator[Path]:
    """A folder with the program ``sgf-lark``, which runs in a copy of a process that was started
    in this environment."""
    with tempfile.TemporaryDirectory(prefix="sgf-") as folder:
        address, program = f"{folder}/socket", Path(folder) / "sgf-lark"
        program.write_text(_PROGRAM.format(python=sys.executable, address=address))
        program.chmod(0o755)
        command = [sys.executable, "-m", "tests.kit.forking", address]
        root = Path(__file__).parents[2]
        started = subprocess.Popen(command, cwd=root, env=environment, stdout=subprocess.PIPE)
        assert started.stdout is not None and started.stdout.readline() == b"ready\n"
        yield Path(folder)
        started.kill()
        started.wait()
        started.stdout.close()


def serve(address: str) -> None:
    """Run each command in a copy of this process."""
    from sgf_lark.cli.commands import commands

    for _ in commands():
        pass  # each is imported
    # What a copy ends with is told by itself.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen(100)
        print("ready", flush=True)
        while True:
            connection, _ = listening.accept()
            if not os.fork():
                listening.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                code = run(connection)
                connection.send(bytes([code]))
                os._exit(code)
            connection.close()


def run(connection: socket.socket) -> int:
    """Run the command that is asked for; return its exit code."""
    from sgf_lark.cli.commands import main

    head, streams, _, _ = socket.recv_fds(connection, 8, 3)
    request = b""
    while len(request) < int.from_bytes(head, "big"):
        request += connection.recv(2**16)
    for number, (stream, name) in enumerate(
        zip(streams, ("stdin", "stdout", "stderr"), strict=True)
    ):
        os.dup2(stream, number)
        os.close(stream)
        mode = "w" if number else "r"
        setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))
    folder, environment, arguments = marshal.loads(request)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    try:
        main(arguments, prog_name="sgf-lark")
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(bool(ended.code))
    sys.stdout.flush()
    sys.stderr.flush()
    return code


if __name__ == "__main__":
    serve(sys.argv[1])
