"""The notebooks of the documentation run, and hold the outputs that they give.

They are run as plain programs: a kernel of Jupyter would take seconds to start for each, and 80 MB
of the environment. What Jupyter adds is what this module does: it shows the last value of a cell
in each form that the value has.

``python -m tests.docs.test_example_notebooks`` executes them anew, and writes the outputs to them.
"""

from __future__ import annotations

import ast
import io
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from pprint import pformat
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import nbformat
import pytest
from hypothesis import settings

FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
_FORMS = {"text/html": "_repr_html_", "image/svg+xml": "_repr_svg_"}


class SVG:
    """Stands for the class of `IPython.display`, the only one that the notebooks import."""

    def __init__(self, data: str) -> None:
        self._data = data

    def __repr__(self) -> str:
        return "<IPython.core.display.SVG object>"

    def _repr_svg_(self) -> str:
        return self._data


def _run(source: str, names: dict[str, Any]) -> Any:
    """Run a cell; returns the value of the expression at its end, or None."""
    *statements, last = ast.parse(source).body
    if not isinstance(last, ast.Expr):
        statements, last = [*statements, last], ast.Expr(ast.Constant(None))
    exec(compile(ast.Module(statements, []), "cell", "exec"), names)
    whole = ast.fix_missing_locations(ast.Expression(last.value))
    return eval(compile(whole, "cell", "eval"), names)


def _outputs(value: Any, printed: str) -> list[dict[str, Any]]:
    """What Jupyter shows of a cell."""
    found: list[dict[str, Any]] = []
    if printed:
        found.append({"output_type": "stream", "name": "stdout", "text": printed})
    if value is not None:
        data = {"text/plain": pformat(value, sort_dicts=False)}
        for form, method in _FORMS.items():
            shown = getattr(value, method, lambda: None)()
            if shown is not None:
                data[form] = shown
        found.append({"output_type": "execute_result", "metadata": {}, "data": data})
    return found


def execute(notebook: Any) -> list[list[dict[str, Any]]]:
    """The outputs of each cell with code, run one after the other."""
    display = ModuleType("IPython.display")
    display.SVG = SVG  # type: ignore[attr-defined]
    names: dict[str, Any] = {"__name__": "__main__"}
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "IPython", ModuleType("IPython"))
        patch.setitem(sys.modules, "IPython.display", display)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                with redirect_stdout(io.StringIO()) as printed:
                    value = _run(cell.source, names)
                found.append(_outputs(value, printed.getvalue()))
    return found


def _comparable(outputs: list[Any]) -> list[Any]:
    """Outputs without numbers of executions; pictures in one form, as Jupyter writes their XML in
    another."""
    found = []
    for output in outputs:
        data = dict(output.get("data", {}))
        if "image/svg+xml" in data:
            data["image/svg+xml"] = ElementTree.canonicalize(data["image/svg+xml"])
        found.append((output["output_type"], output.get("text"), data))
    return found


@pytest.fixture
def unshrunk() -> Iterator[None]:
    """Hypothesis takes the first examples that it finds: the outputs do not depend on their size,
    and to find the smallest ones takes half a minute."""
    usual = settings.get_current_profile_name()
    settings.load_profile("unshrunk")
    yield
    settings.load_profile(usual)


@pytest.mark.usefixtures("unshrunk")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_gives_the_outputs_it_holds(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(notebook)
    stored = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    assert [*map(_comparable, execute(notebook))] == [*map(_comparable, stored)], (
        "execute it anew: python -m tests.docs.test_example_notebooks"
    )


def main() -> None:
    for path in NOTEBOOKS:
        notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
        cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        for number, (cell, outputs) in enumerate(zip(cells, execute(notebook), strict=True), 1):
            cell.execution_count = number
            for output in outputs:
                if output["output_type"] == "execute_result":
                    output["execution_count"] = number
            cell.outputs = [nbformat.from_dict(output) for output in outputs]  # type: ignore[no-untyped-call]
        nbformat.write(notebook, path)  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()
