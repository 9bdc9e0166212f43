"""The addresses of the documentation, to which diagnostics refer once there is a release.

They are one setting, ``[project.urls]`` in ``pyproject.toml``: "Documentation" is the site,
"Source" the repository. As long as these are not set, nothing links to them.
"""

from __future__ import annotations

from functools import cache


@cache
def _addresses() -> dict[str, str]:
    """The addresses in the metadata of the package, by their names."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        found = metadata("sgf-lark").get_all("Project-URL") or []
    except PackageNotFoundError:
        return {}
    pairs = (str(entry).partition(",") for entry in found)
    return {name.strip(): address.strip() for name, _, address in pairs}


def site() -> str | None:
    """Where the site is published, with a slash at the end; None before a release."""
    address = _addresses().get("Documentation")
    return address and address.rstrip("/") + "/"


def repository() -> str | None:
    """Where the files of the project are, without a slash at the end; None before a release."""
    address = _addresses().get("Source")
    return address and address.rstrip("/")


def rule_page(code: str, language: str = "en") -> str | None:
    """The address of the page about the rule `code`, in English or with "zh" in Chinese.

    None before a release: then ``sgf-lark explain`` has the same text.
    """
    address = site()
    return address and f"{address}{'' if language == 'en' else f'{language}/'}rules/{code}.html"
