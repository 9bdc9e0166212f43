"""Hooks of MkDocs: pages made from ``grammar/``, the playground, and links into the repository."""

from __future__ import annotations

import json
import logging
import os
import posixpath
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import command_pages
import generated
import grammar_page
import layers
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import event_priority
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

from sgf_lark.diagnostics import Language
from sgf_lark.documentation import repository, site
from sgf_lark.playground import export

_ROOT = Path(__file__).parent.parent.parent
#: Where all pages are collected.
_SOURCE = _ROOT / "build" / "docs"
#: What becomes a part of the site; the notebooks and harnesses are read in the repository.
_IN_THE_SITE = (".md", ".svg")
_LINK = re.compile(r"\[(?P<label>[^\[\]]*)\]\((?P<path>[\w./-]*[./][\w./-]*)(?P<anchor>#[\w-]*)?\)")

_log = logging.getLogger("mkdocs.hooks.sgf_lark")


def on_config(config: MkDocsConfig) -> None:
    """Set the addresses, which the package defines, and the folder with all pages."""
    config.site_url = os.environ.get("READTHEDOCS_CANONICAL_URL", site() or "")
    source = repository()
    if source:
        # Not as `repo_url`, for which the theme asks a server about the repository.
        config.extra["social"] = [
            {"icon": "fontawesome/brands/git-alt", "link": source, "name": "Source"}
        ]
    # Once for each language.
    if config.docs_dir != str(_SOURCE):
        config.watch.append(config.docs_dir)
        _write_source(Path(config.docs_dir))
        config.docs_dir = str(_SOURCE)
        _add_to_navigation(config)


def _add_to_navigation(config: MkDocsConfig) -> None:
    """Put the generated pages below their indexes, and name their groups in Chinese."""
    pages, chinese = generated.navigation()
    for section in config.nav or ():
        for parts in section.values():
            for part in parts if isinstance(parts, list) else ():
                [(title, path)] = part.items()
                if title in pages:
                    part[title] = [path, *pages[title]]
    for language in config.plugins["i18n"].config.languages:
        if language.locale == "zh":
            language.nav_translations |= chinese


def _write_source(docs: Path) -> None:
    """Write the pages in `docs` and the generated ones to one folder: the plugin for languages
    takes no files from elsewhere."""
    shutil.rmtree(_SOURCE, ignore_errors=True)
    site = docs / "site"
    for page in docs.rglob("*"):
        if page.suffix in _IN_THE_SITE and site not in page.parents:
            target = _SOURCE / page.relative_to(docs)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(page, target)
    shutil.copytree(site / "assets", _SOURCE / "assets")
    for path, markdown in _generated().items():
        target = _SOURCE / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(markdown, encoding="utf-8", newline="\n")


@cache
def _generated() -> dict[str, str]:
    """Path of each generated page -> its Markdown."""
    found = {"reference/commands.md": command_pages.markdown()}
    language: Language
    for language in get_args(Language):
        for path, markdown in _pages(language):
            found[path if language == "en" else path.replace(".md", ".zh.md")] = markdown
    return found


def _pages(language: Language) -> Iterator[tuple[str, str]]:
    yield from generated.pages(language, playground=_pyodide() is not None)
    yield "grammar.md", grammar_page.markdown(language)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Fill in what is made from other files; links out of the site lead to the repository, if it
    has an address, and else give the path of the file."""
    if page.file.src_uri in _generated():
        return markdown
    folder = posixpath.dirname(page.file.src_uri)

    def to_repository(match: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join("docs", folder, match["path"]))
        if path.startswith("docs/") and path.endswith(_IN_THE_SITE):
            return match[0]
        if not (_ROOT / path).exists():
            raise PluginError(f"{page.file.src_uri}: no such file: {match['path']}")
        source = repository()
        if not source:
            return match["label"] if path in match["label"] else f"{match['label']} (`{path}`)"
        kind = "tree" if (_ROOT / path).is_dir() else "blob"
        return f"[{match['label']}]({source}/{kind}/main/{path}{match['anchor'] or ''})"

    for mark, made in (("layers", layers.diagram), ("conformance", _conformance_table)):
        if f"<!-- {mark} -->" in markdown:
            markdown = markdown.replace(f"<!-- {mark} -->", made(_ROOT))
    if "<!-- playground -->" in markdown:
        language: Language = "zh" if page.file.dest_uri.startswith("zh/") else "en"
        button = generated.button(language, playground=_pyodide() is not None)
        markdown = markdown.replace("<!-- playground -->", button)
    return _LINK.sub(to_repository, markdown)


def _conformance_table(root: Path) -> str:
    """The table of the report on the conformance suite, with its notes."""
    report = (root / "tests" / "conformance" / "report.md").read_text(encoding="utf-8")
    return report[report.index("\n| ") : report.index("\n## ")]


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Name the parts of the page that the theme leaves without a name of their own."""
    search, place = "Search", "Place"
    if page.file.dest_uri.startswith("zh/"):
        search, place = "搜索", "位置"
        # The theme looks for the index of the search, and for its results, from there.
        output = re.sub(
            r'(?<="base": ")[./]+', lambda base: posixpath.relpath(base[0], ".."), output, count=1
        )
    output = output.replace('role="dialog">', f'role="dialog" aria-label="{search}">')
    return re.sub(r'(<nav class="md-path" aria-label=")[^"]*', rf"\g<1>{place}", output)


@event_priority(-200)  # after the plugin for languages, which writes the index of the search
def on_post_build(config: MkDocsConfig) -> None:
    """Write the playground next to its page, and an index for the search in each language."""
    _split_search_index(Path(config.site_dir))
    _write_playground(config)


def _split_search_index(site: Path) -> None:
    """Make an index for each language, so that the search finds the pages of its own.

    The plugin for languages has left out what is the same in both: pages without a translation.
    """
    path = Path("search", "search_index.json")
    index = json.loads((site / path).read_text(encoding="utf-8"))
    english, chinese = [], []
    for entry in index["docs"]:
        (chinese if entry["location"].startswith("zh/") else english).append(entry)
    for entry in chinese:
        entry["location"] = entry["location"].removeprefix("zh/")
    translated = {_page_of(entry) for entry in chinese}
    chinese += [entry for entry in english if _page_of(entry) not in translated]
    for language, docs in (("", english), ("zh", chinese)):
        target = site / language / path
        target.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(index | {"docs": docs}, ensure_ascii=False)
        target.write_text(text, encoding="utf-8")
        # A page that was opened as a file can load a script, and nothing else.
        target.with_suffix(".js").write_text(f"var __index = {text}", encoding="utf-8")


def _page_of(entry: dict[str, str]) -> str:
    return entry["location"].partition("#")[0]


def _pyodide() -> Path | None:
    """The npm package Pyodide, with which the site has the playground."""
    given = os.environ.get("PYODIDE")
    usual = _ROOT / "node_modules" / "pyodide"
    return Path(given) if given else usual if usual.is_dir() else None


def _write_playground(config: MkDocsConfig) -> None:
    """Write the playground, if the npm package Pyodide is there."""
    pyodide = _pyodide()
    target = Path(config.site_dir) / "playground" / "page"
    if target.exists():
        return
    if pyodide is None:
        _log.info("no playground: run `npm install pyodide`, or set PYODIDE to its folder")
        return
    try:
        export.export(target, pyodide)
    except OSError as error:
        raise PluginError(str(error)) from error
