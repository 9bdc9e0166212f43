"""The notebooks of the documentation run, and hold the outputs that they give."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.kit.waiting import LIMIT

FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def _outputs(notebook: Any) -> list[Any]:
    """The outputs of all cells, without the numbers of the executions.

    Where the text of a stream is divided depends on time, so it is joined.
    """
    found: list[Any] = []
    for output in (each for cell in notebook.cells for each in cell.get("outputs", ())):
        kept = {key: output[key] for key in output if key not in ("execution_count", "metadata")}
        last = found[-1] if found else {}
        if kept.get("name") is not None and kept["name"] == last.get("name"):
            last["text"] += kept["text"]
        else:
            found.append(kept)
    return found


def _execute(path: Path) -> Any:
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    with TemporaryDirectory() as folder:
        resources = {"metadata": {"path": folder}}
        client = NotebookClient(notebook, record_timing=False, resources=resources)
        client.timeout = client.startup_timeout = client.iopub_timeout = round(LIMIT)
        return client.execute()


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_gives_the_outputs_it_holds(path: Path) -> None:
    stored = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    assert _outputs(_execute(path)) == _outputs(stored), (
        "execute it anew: python -m tests.docs.test_example_notebooks"
    )
    nbformat.validate(stored)


if __name__ == "__main__":
    for each in NOTEBOOKS:
        executed = _execute(each)
        executed.metadata.language_info = {"name": "python"}
        nbformat.write(executed, each)  # type: ignore[no-untyped-call]
