"""Writes the docstrings of the reference as Markdown: examples become blocks of code."""

from __future__ import annotations

import re
from typing import Any

import griffe

#: An example and its output, to the next empty line.
_EXAMPLE = re.compile(r"^>>> .*(?:\n(?!\n).+)*", re.MULTILINE)
_ROLE = re.compile(r":(?:attr|class|func|meth|mod):`~?([^`]+)`")


class Docstrings(griffe.Extension):
    """Changes the docstring of each object."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Rewrite the docstring of `obj`."""
        if obj.docstring:
            text = _ROLE.sub(r"`\1`", obj.docstring.value)
            text = re.sub(r"(?<=\S)::$", ":", text, flags=re.MULTILINE)
            text = re.sub(r"^::$\n?", "", text, flags=re.MULTILINE)
            obj.docstring.value = _EXAMPLE.sub(lambda match: f"```pycon\n{match[0]}\n```", text)
