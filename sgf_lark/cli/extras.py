"""The extras of the package, by the modules that they bring."""

from __future__ import annotations

from importlib.util import find_spec

_MODULES = {
    "teach": ("railroad", "jinja2"),
    "archive": ("dask", "distributed", "pyarrow", "duckdb", "jinja2"),
    "animation": ("PIL",),
    "fuzz": ("hypothesis", "jinja2"),
    "lsp": ("pygls", "lsprotocol"),
    "numpy": ("numpy",),
    "png": ("resvg_py",),
    "web": ("starlette", "uvicorn"),
}


def advice(error: ModuleNotFoundError) -> str | None:
    """What to do where that module is missing, in one line; None for a module of no extra.

    Of several extras that bring it, this names the smallest one, the first of equals.
    """
    module = (error.name or "").partition(".")[0]
    extras = [extra for extra, modules in _MODULES.items() if module in modules]
    extra = min(extras, key=lambda extra: len(_MODULES[extra]), default=None)
    return extra and f"this needs {module}: pip install 'sgf-lark[{extra}]'"


def require(extra: str) -> None:
    """Raise ModuleNotFoundError for the first module of an extra that is missing.

    To be called before a command makes or changes any file.
    """
    for module in _MODULES[extra]:
        if find_spec(module) is None:
            raise ModuleNotFoundError(f"No module named {module!r}", name=module)
