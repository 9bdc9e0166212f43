"""The process in which a Python target runs; it replies to one request after the other.

It is started as a script. The first line of standard input is a JSON object: ``path`` (the
module search path), ``target`` (``module:function``), ``rejects`` (dotted names of the
exceptions that mean "rejected"), ``package`` (the package under test, or "") and ``text``
(whether the function takes `str`). Requests and replies are those of ``targets.py``.
"""

from __future__ import annotations

import faulthandler
import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from traceback import walk_tb
from typing import Any, BinaryIO

#: The most characters of a message that are kept, as in ``outcomes.py``. That is not imported here:
#: what a target finds loaded, and the memory it has, should depend on the target alone.
_DETAIL = 500


def main() -> None:
    """Reply to requests until standard input ends."""
    requests = sys.stdin.buffer
    replies = os.fdopen(os.dup(1), "wb")
    # What the target prints must not be mistaken for a reply.
    null_device = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null_device, 1)
    faulthandler.enable()
    settings = json.loads(requests.readline())
    sys.path[:] = settings["path"]
    try:
        function = _import(settings["target"])
        rejects = tuple(_import(name) for name in settings["rejects"])
        rejects = getattr(function, "rejects", rejects)
    except Exception as error:
        sys.exit(f"{type(error).__name__}: {error}")
    replies.write(b"ready\n")
    replies.flush()
    while length := requests.readline():
        data = requests.read(int(length))
        given = data.decode() if settings["text"] else data
        _reply(replies, _run(function, given, rejects, settings["package"]))


def _import(name: str) -> Any:
    """Return the object ``module:name`` or ``module.name``; a name without module is a builtin."""
    module, _, attribute = name.rpartition(":" if ":" in name else ".")
    return getattr(import_module(module or "builtins"), attribute)


def _reply(replies: BinaryIO, reply: dict[str, Any]) -> None:
    try:
        data = json.dumps(reply).encode()
    except (TypeError, ValueError, RecursionError):
        # A target may return any object; only JSON can be a canonical tree.
        data = json.dumps({"verdict": reply["verdict"]}).encode()
    replies.write(data + b"\n")
    replies.flush()


def _run(
    function: Callable[[Any], Any], given: bytes | str, rejects: tuple[type, ...], package: str
) -> dict[str, Any]:
    """Call the target and return the reply."""
    try:
        result = function(given)
    except MemoryError:
        return {"verdict": "memory", "detail": "MemoryError"}
    except BaseException as error:
        is_refusal = isinstance(error, rejects) and not isinstance(error, RecursionError)
        verdict = "reject" if is_refusal else "crash"
        return {"verdict": verdict, "detail": _message(error), "place": _place(error, package)}
    if result is False:
        return {"verdict": "reject"}
    return {"verdict": "accept", "tree": result if isinstance(result, (list, dict)) else None}


def _message(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:
        text = "(its text cannot be made)"
    return f"{type(error).__name__}: {text[:_DETAIL]}".encode("utf-8", "replace").decode()


def _place(error: BaseException, package: str) -> str:
    """Return the innermost frame in the package under test, as ``module:line function``.

    The innermost frame of an infinite recursion varies, so for one it is the most frequent
    function on the stack, without a line.
    """
    frames = [
        (str(frame.f_globals.get("__name__") or "?"), line, frame.f_code.co_name)
        for frame, line in walk_tb(error.__traceback__)
    ]
    inside = [frame for frame in frames if package and frame[0].split(".")[0] == package]
    inside = inside or frames[1:]
    if not inside:
        return ""
    if isinstance(error, RecursionError):
        counted = Counter((module, name) for module, _, name in inside)
        (module, name), _ = max(counted.items(), key=lambda item: (item[1], item[0]))
        return f"{module}: {name}"
    module, line, name = inside[-1]
    return f"{module}:{line} {name}"


if __name__ == "__main__":
    main()
