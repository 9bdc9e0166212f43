"""The diagram of the layers, drawn from the contract that import-linter holds."""

from __future__ import annotations

import tomllib
from html import escape
from pathlib import Path

_WIDTH, _HEIGHT, _GAP = 640, 34, 8


def diagram(root: Path) -> str:
    """The layers of ``pyproject.toml`` as an SVG image, the highest one at the top."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    contract, *_ = settings["tool"]["importlinter"]["contracts"]
    layers = [layer.split(" : ") for layer in contract["layers"]]
    height = len(layers) * (_HEIGHT + _GAP)
    boxes = "".join(
        _box(name.strip(), number, row, len(layer))
        for row, layer in enumerate(layers)
        for number, name in enumerate(layer)
    )
    label = "; ".join(", ".join(layer) for layer in layers)
    return (
        f'<svg class="layers" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="Layers, each of which imports only from those after it: {escape(label)}">'
        f"{boxes}</svg>"
    )


def _box(name: str, number: int, row: int, count: int) -> str:
    width = (_WIDTH - (count - 1) * _GAP) / count
    left, top = number * (width + _GAP), row * (_HEIGHT + _GAP)
    return (
        f'<rect x="{left:g}" y="{top}" width="{width:g}" height="{_HEIGHT}" rx="4"/>'
        f'<text x="{left + width / 2:g}" y="{top + _HEIGHT / 2 + 5:g}">{escape(name)}</text>'
    )
