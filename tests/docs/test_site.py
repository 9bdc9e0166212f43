"""The site: its addresses, its generated pages and its links."""

from __future__ import annotations

import base64
import importlib
import json
import os
import re
import tomllib
import zlib
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote

import pytest
from hypothesis import settings

import sgf_lark
from sgf_lark import documentation, grammar
from sgf_lark.documentation import rule_page
from sgf_lark.wei7.rules import rules as wei7_rules

ROOT = Path(__file__).parents[2]
SITE = ROOT / "docs" / "site"


@pytest.fixture(scope="module")
def generated() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patches:
        patches.syspath_prepend(str(SITE))
        yield importlib.import_module("generated")


@pytest.fixture(scope="module", params=["en", "zh"])
def pages(request: pytest.FixtureRequest, generated: ModuleType) -> dict[str, str]:
    """The generated pages of a language by their paths."""
    return dict(generated.pages(request.param, playground=request.param == "zh"))


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


def test_every_rule_has_a_page_with_its_findings(pages: dict[str, str]) -> None:
    codes = [*grammar.rules(), *wei7_rules()]
    assert {path for path in pages if path.startswith("rules/")} == {
        "rules/index.md",
        *(f"rules/{code}.md" for code in codes),
    }
    for code, rule in grammar.rules().items():
        page = pages[f"rules/{code}.md"]
        assert len(re.findall(r'<p><b class="\w+">\w+</b> \d+:\d+ \S', page)) >= min(
            len(rule.bad), 6
        )
        assert rule.name in page


def test_the_index_has_severities_and_fixes(pages: dict[str, str]) -> None:
    [row] = re.findall(r"^\| \[SGF413\].*", pages["rules/index.md"], re.MULTILINE)
    cells = [cell.strip() for cell in row.split("|")[3:7]]
    classes = [re.findall('class="([a-z]+)"', cell) for cell in cells]
    assert classes == [["error"], ["warning"], [], []]
    assert cells[2] == "–" and cells[3] in ("safe, unsafe", "安全, 不安全")


def test_examples_lead_to_the_playground(pages: dict[str, str]) -> None:
    """Only where the site has one, with a text that the page of the playground unpacks."""
    page = pages["rules/SGF503.md"]
    links = re.findall(r'href="([^"#]*)#sgf=([\w-]+)"', page)
    if "违反规则" not in page:  # the English pages are made without a playground
        assert not links
        return
    assert {address for address, _ in links} == {"../../playground/page/index.html?lang=zh"}
    packed = links[0][1]
    data = zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), wbits=-15)
    assert data == grammar.rule("SGF503").bad[0].data


@pytest.mark.parametrize(
    ("language", "address"),
    [("en", "playground/page/index.html"), ("zh", "../playground/page/index.html?lang=zh")],
)
def test_the_button_of_the_playground(generated: ModuleType, language: str, address: str) -> None:
    assert f'href="{address}"' in generated.button(language, playground=True)
    assert "href" not in generated.button(language, playground=False)


def test_every_property_and_game_has_a_page(pages: dict[str, str]) -> None:
    for entry in grammar.properties():
        assert any(
            name in pages[f"properties/{entry.ident}.md"] for name in (entry.name_zh, entry.name)
        )
    for game in grammar.games().values():
        assert any(name in pages[f"games/{game.number}.md"] for name in (game.name_zh, game.name))


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


def test_the_pictures_of_a_terminal_are_current(generated: ModuleType) -> None:
    picture = importlib.import_module("picture")
    for language, path in picture.PICTURES.items():
        assert path.read_text("utf-8") == picture.svg(language), "run: python docs/site/picture.py"


class _Page:
    """The identifiers and the links of a page."""

    def __init__(self, text: str) -> None:
        found: dict[str, set[str]] = {"identifiers": set(), "links": set()}
        for tag in re.findall("<[a-z][^>]*", text):
            for key, value in re.findall(r'\s(id|name|href|src|xlink:href)="([^"]+)"', tag):
                kind = "identifiers" if key in ("id", "name") else "links"
                found[kind].add(unescape(value))
        self.identifiers, self.links = found["identifiers"], found["links"]


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


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_the_site_builds(
    tmp_path: Path, generated: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one example of each kind for a rule, and in this process, which has those already; in
    Chinese only with the profile thorough, as that takes as long again."""
    monkeypatch.setattr(generated, "_EXAMPLES", 1)
    pytest.importorskip("mkdocs_static_i18n", reason="the extra docs is not installed")
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    site = tmp_path / "site"
    config = load_config(str(SITE / "mkdocs.yml"), site_dir=str(site), strict=True)
    in_chinese = config.plugins["i18n"].config.languages[1]
    in_chinese.build = settings().max_examples > 100
    config.plugins.on_startup(command="build", dirty=False)
    build(config)
    assert broken_links(site) == []
    families = {"": "SGF5xx Nodes"} | ({"zh": "SGF5xx 节点"} if in_chinese.build else {})
    for folder, family in families.items():
        for page in ("rules/SGF503", "properties/AB", "games/1", "grammar"):
            assert (site / folder / f"{page}.html").is_file()
        page = (site / folder / "rules" / "SGF503.html").read_text("utf-8")
        navigation = page.partition("md-nav--primary")[2].partition("</nav>\n</div>")[0]
        assert "SGF502 black-and-white-move" in navigation and family in navigation
        found = searched(site / folder)
        assert {"rules/SGF503.html", "properties/AB.html", "tutorials/check.html"} <= found
        assert found == searched(site)
