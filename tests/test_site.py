"""The site: its addresses, its generated pages and its links."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

import sgf_lark
from sgf_lark import documentation, grammar
from sgf_lark.documentation import rule_page
from sgf_lark.wei7.rules import rules as wei7_rules

ROOT = Path(__file__).parent.parent
SITE = ROOT / "docs" / "site"


@pytest.fixture
def generators(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SITE))


@pytest.fixture
def released(monkeypatch: pytest.MonkeyPatch) -> None:
    """The addresses are set, as with a release."""
    addresses = {"Documentation": "https://example.org/docs", "Source": "https://example.org/code/"}
    monkeypatch.setattr(documentation, "_addresses", lambda: addresses)


def test_nothing_links_to_addresses_before_a_release() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert settings["project"]["urls"] == {}
    assert documentation.site() is documentation.repository() is rule_page("SGF503") is None


@pytest.mark.usefixtures("released")
def test_addresses_are_those_of_the_package() -> None:
    assert documentation.repository() == "https://example.org/code"
    assert rule_page("SGF503") == "https://example.org/docs/rules/SGF503.html"
    assert rule_page("SGF503", "zh") == "https://example.org/docs/zh/rules/SGF503.html"


@pytest.mark.usefixtures("generators")
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_rule_has_a_page_with_its_findings(language: str) -> None:
    pages = dict(importlib.import_module("generated").pages(language))
    codes = [*grammar.rules(), *wei7_rules()]
    written = {path for path in pages if path.startswith("rules/")}
    assert written == {"rules/index.md", *(f"rules/{code}.md" for code in codes)}
    for code, rule in grammar.rules().items():
        page = pages[f"rules/{code}.md"]
        found = re.findall(rf"^game.sgf:\d+:\d+: \w+ {code} {rule.name}: ", page, re.MULTILINE)
        assert len(found) >= min(len(rule.bad), 6)
        assert rule.name in page


@pytest.mark.usefixtures("generators")
def test_every_property_and_game_has_a_page() -> None:
    pages = dict(importlib.import_module("generated").pages("zh"))
    for entry in grammar.properties():
        assert entry.name_zh in pages[f"properties/{entry.ident}.md"]
    for game in grammar.games().values():
        assert game.name_zh in pages[f"games/{game.number}.md"]


def test_the_reference_has_all_public_names() -> None:
    overview = (ROOT / "docs" / "reference" / "python.md").read_text("utf-8")
    for page in sorted((ROOT / "docs" / "reference" / "python").glob("*.md")):
        paths = re.findall(r"^::: (.*)", page.read_text("utf-8"), re.MULTILINE)
        names = ", ".join(f"`{path.rpartition('.')[2]}`" for path in paths)
        assert f"(python/{page.name}) |" in overview and f"| {names} |" in overview
    missing = [name for name in sgf_lark.__all__ if f"`{name}`" not in overview]
    assert missing == ["__version__"]


def test_every_page_is_in_the_navigation() -> None:
    settings = (SITE / "mkdocs.yml").read_text("utf-8")
    for page in (ROOT / "docs").rglob("*.md"):
        if not page.name.endswith(".zh.md"):
            assert f": {page.relative_to(ROOT / 'docs').as_posix()}\n" in settings


def test_the_number_of_cases_is_current() -> None:
    manifest = json.loads((ROOT / "tests" / "conformance" / "manifest.json").read_text("utf-8"))
    pattern = re.compile(r"\b(\d{4})(?= (?:small )?files| cases| 个)")
    found = [
        (page.name, number)
        for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))
        for number in pattern.findall(page.read_text("utf-8"))
    ]
    assert len(found) > 5
    assert {number for _, number in found} == {str(len(manifest["cases"]))}, found


def links() -> Iterator[tuple[str, str]]:
    for page in (ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")):
        text = re.sub(r"(?ms)^ *```.*?^ *```|`[^`\n]*`", "", page.read_text("utf-8"))
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            yield str(page.relative_to(ROOT)), link


def test_links_lead_to_files_beside_them() -> None:
    found = [(page, link) for page, link in links() if not re.match(r"\w+:|#", link)]
    assert len(found) > 50
    for page, link in found:
        target = (ROOT / page).parent / link.partition("#")[0]
        if not target.exists():
            # A page that is made from the data when the site is built.
            made = os.path.relpath(target, ROOT / "docs").split("/")[0].removesuffix(".md")
            assert made in ("rules", "properties", "games", "grammar", "reference"), (page, link)


def test_no_link_leads_to_what_nobody_owns() -> None:
    assert not [(page, link) for page, link in links() if "sgf-lark" in link.partition("#")[0]]


def test_the_links_of_the_readme_are_in_the_repository() -> None:
    found = [link for page, link in links() if page == "README.md"]
    for link in found:
        assert link.startswith("https://") or (ROOT / link.partition("#")[0]).exists(), link


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 150


@pytest.mark.usefixtures("generators")
def test_the_picture_of_the_readme_is_current() -> None:
    picture = importlib.import_module("picture")
    assert picture.PICTURE.read_text("utf-8") == picture.svg(), "run: python docs/site/picture.py"


class _Page(HTMLParser):
    """The identifiers and the links of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.identifiers: set[str] = set()
        self.links: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if key in ("id", "name") and value:
                self.identifiers.add(value)
            elif key in ("href", "src", "xlink:href") and value:
                self.links.add(value)


def broken_links(site: Path) -> list[tuple[str, str]]:
    """Pages of `site` and their links that lead nowhere in it; the playground is another's."""
    pages = {
        path: _Page(path.read_text("utf-8"))
        for path in site.rglob("*.html")
        if "playground/page" not in path.as_posix() and path.name != "404.html"
    }
    broken = []
    for path, page in pages.items():
        for link in page.links:
            address, _, fragment = link.partition("#")
            address = address.partition("?")[0]
            if re.match(r"\w+:|//", address) or address.endswith("page/index.html"):
                continue
            base = site if address.startswith("/") else path.parent
            joined = base / unquote(address).lstrip("/")
            target = Path(os.path.normpath(joined)) if address else path
            target = target / "index.html" if target.is_dir() else target
            is_there = target in pages if fragment else target.exists()
            if not is_there or (
                fragment and unquote(fragment) not in pages[target].identifiers | {"__skip"}
            ):
                broken.append((str(path.relative_to(site)), link))
    return broken


def searched(folder: Path) -> set[str]:
    """The pages that the search of one language finds."""
    index = json.loads((folder / "search" / "search_index.json").read_text("utf-8"))
    return {entry["location"].partition("#")[0] for entry in index["docs"]}


def test_the_site_builds(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs_static_i18n", reason="the extra docs is not installed")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(SITE / "mkdocs.yml")]
    run = subprocess.run(
        [*command, "-d", str(tmp_path / "site")], cwd=tmp_path, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert broken_links(tmp_path / "site") == []
    for page in ("rules/SGF503", "zh/rules/SGF503", "properties/AB", "games/1", "zh/grammar"):
        assert (tmp_path / "site" / f"{page}.html").is_file()
    found = [searched(tmp_path / "site" / language) for language in ("", "zh")]
    assert (
        found[0] == found[1] >= {"rules/SGF503.html", "properties/AB.html", "tutorials/check.html"}
    )
