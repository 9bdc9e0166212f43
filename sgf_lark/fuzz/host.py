"""Runs a Python target in a process of its own: one question, one answer, until the end.

Started as a script. The first line of standard input is a JSON object: ``path`` (the
module search path), ``target`` (``module:function``), ``rejects`` (dotted names of
the exceptions that mean "rejected"), ``own`` (the package that is tested, or "") and
``text`` (whether the function takes `str`). Each question is a length of four bytes,
the most significant first, and that many bytes; each answer the same, with JSON in it.
"""

from __future__ import annotations

import faulthandler
import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from types import TracebackType
from typing import Any, BinaryIO

#: How much of a message is kept.
_DETAIL = 500


def main() -> None:
    """Answers until standard input ends."""
    questions = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    # What the target prints must not be taken for an answer.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    faulthandler.enable()
    settings = json.loads(questions.readline())
    sys.path[:] = settings["path"]
    try:
        function = _named(settings["target"])
        rejects = tuple(_named(name) for name in settings["rejects"])
        rejects = getattr(function, "rejects", rejects)
    except Exception as error:
        _answer(answers, {"failed": f"{type(error).__name__}: {error}"})
        return
    _answer(answers, {"ready": True})
    while len(head := questions.read(4)) == 4:
        data = questions.read(int.from_bytes(head, "big"))
        given = data.decode() if settings["text"] else data
        _answer(answers, _run(function, given, rejects, settings["own"]))


def _named(name: str) -> Any:
    """What ``module:name`` or ``module.name`` stands for; a plain name is a builtin."""
    module, _, attribute = name.rpartition(":" if ":" in name else ".")
    return getattr(import_module(module or "builtins"), attribute)


def _answer(answers: BinaryIO, answer: dict[str, Any]) -> None:
    try:
        data = json.dumps(answer).encode()
    except (TypeError, ValueError, RecursionError):
        # A callable may return what it likes; only JSON can be a tree.
        data = json.dumps({"verdict": answer["verdict"]}).encode()
    answers.write(len(data).to_bytes(4, "big") + data)
    answers.flush()


def _run(
    function: Callable[[Any], Any], given: bytes | str, rejects: tuple[type, ...], own: str
) -> dict[str, Any]:
    try:
        result = function(given)
    except MemoryError:
        return {"verdict": "memory", "detail": "MemoryError"}
    except BaseException as error:
        verdict = "reject" if isinstance(error, rejects) else "crash"
        if isinstance(error, RecursionError):
            verdict = "crash"
        return {"verdict": verdict, "detail": _said(error), "place": _place(error, own)}
    if result is False:
        return {"verdict": "reject"}
    return {"verdict": "accept", "tree": result if isinstance(result, (list, dict)) else None}


def _said(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:
        text = "(its text cannot be made)"
    return f"{type(error).__name__}: {text[:_DETAIL]}".encode("utf-8", "replace").decode()


def _place(error: BaseException, own: str) -> str:
    """The innermost frame in the package that is tested, as ``module:line function``.

    Where an endless recursion stops is chance, so for one it is the function that
    stands on the stack most often, without a line.
    """
    frames = _frames(error.__traceback__)
    inside = [frame for frame in frames if own and frame[0].split(".")[0] == own] or frames[1:]
    if not inside:
        return ""
    if isinstance(error, RecursionError):
        counted = Counter((module, name) for module, _, name in inside)
        (module, name), _ = max(counted.items(), key=lambda item: (item[1], item[0]))
        return f"{module}: {name}"
    module, line, name = inside[-1]
    return f"{module}:{line} {name}"


def _frames(traceback: TracebackType | None) -> list[tuple[str, int, str]]:
    found = []
    while traceback is not None:
        frame = traceback.tb_frame
        module = frame.f_globals.get("__name__") or "?"
        found.append((str(module), traceback.tb_lineno, frame.f_code.co_name))
        traceback = traceback.tb_next
    return found


if __name__ == "__main__":
    main()
