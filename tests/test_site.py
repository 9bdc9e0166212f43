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
from sgf_lark import grammar
from sgf_lark.documentation import ADDRESS, REPOSITORY, rule_page
from sgf_lark.wei7.rules import rules as wei7_rules

ROOT = Path(__file__).parent.parent
SITE = ROOT / "docs" / "site"


@pytest.fixture
def generators(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SITE))


def test_addresses_are_those_of_the_package() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert settings["project"]["urls"]["Documentation"] == ADDRESS
    assert settings["project"]["urls"]["Source"] == REPOSITORY
    assert rule_page("SGF503") == f"{ADDRESS}rules/SGF503/"
    assert rule_page("SGF503", "zh") == f"{ADDRESS}zh/rules/SGF503/"


@pytest.mark.usefixtures("generators")
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_rule_has_a_page_with_its_findings(language: str) -> None:
    pages = dict(importlib.import_module("rule_pages").pages(language))
    codes = [*grammar.rules(), *wei7_rules()]
    assert set(pages) == {"rules/index.md", *(f"rules/{code}.md" for code in codes)}
    for code, rule in grammar.rules().items():
        page = pages[f"rules/{code}.md"]
        found = re.findall(rf"^game.sgf:\d+:\d+: \w+ {code} {rule.name}: ", page, re.MULTILINE)
        assert len(found) >= min(len(rule.bad), 6)
        assert rule.name in page


@pytest.mark.usefixtures("generators")
def test_every_property_and_game_has_a_page() -> None:
    pages = dict(importlib.import_module("property_pages").pages("zh"))
    for entry in grammar.properties():
        assert entry.name_zh in pages[f"properties/{entry.ident}.md"]
    for game in grammar.games().values():
        assert game.name_zh in pages[f"games/{game.number}.md"]


def test_the_reference_has_all_public_names() -> None:
    text = (ROOT / "docs" / "reference" / "python.md").read_text("utf-8")
    names = {line.rpartition(".")[2] for line in text.splitlines() if line.startswith("::: ")}
    assert set(sgf_lark.__all__) - {"__version__"} <= names


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
        for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
            yield str(page.relative_to(ROOT)), link


def test_links_into_the_project_lead_to_files() -> None:
    raw = REPOSITORY.replace("github.com", "raw.githubusercontent.com")
    places = (f"{REPOSITORY}/blob/main/", f"{REPOSITORY}/tree/main/", f"{raw}/main/")
    checked = 0
    for page, link in links():
        for place in places:
            if link.startswith(place):
                assert (ROOT / link.removeprefix(place)).exists(), (page, link)
                checked += 1
        if link.startswith(ADDRESS):
            path = link.removeprefix(ADDRESS).removeprefix("zh/").strip("/") or "index"
            generated = path.split("/")[0] in ("rules", "properties", "games", "grammar")
            files = (ROOT / "docs" / f"{path}.md", ROOT / "docs" / path / "README.md")
            assert generated or any(file.exists() for file in files), (page, link)
            checked += 1
    assert checked > 5


def test_the_readme_has_no_relative_links() -> None:
    """A package index shows the README, too."""
    found = [link for page, link in links() if page == "README.md"]
    assert found
    assert all(link.startswith("https://") for link in found)


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
        assert (tmp_path / "site" / page / "index.html").is_file()
    found = [searched(tmp_path / "site" / language) for language in ("", "zh")]
    assert found[0] == found[1] >= {"rules/SGF503/", "properties/AB/", "tutorials/check/"}
