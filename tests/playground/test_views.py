"""What the page of the playground shows: the tour, the board, the tree, links, long texts.

And that people who cannot see it well, or at all, can use it, too.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sgf_lark.playground import operations
from sgf_lark.playground.document import LIMIT
from sgf_lark.playground.export import export
from tests.kit.browsing import (
    DESKTOP,
    PHONE,
    Axe,
    Browser,
    Locator,
    Page,
    Route,
    at_rest,
    chosen,
    expect,
    expect_text,
    highlighted,
    new_context,
    opened,
    served,
    write,
    written,
)

TABS = ("board", "values", "tree", "diagram", "rules", "editor")
BEGIN = operations.begin({})


def named(text: str) -> int:
    """The number of an example whose title contains `text`."""
    (found,) = [at for at, example in enumerate(BEGIN["examples"]) if text in example["title"]]
    return found


# --- For everyone -------------------------------------------------------------------------


def complaints(page: Page, options: dict[str, Any], part: str | None = None) -> list[Any]:
    """What axe-core objects to in the page, or in a part of it; of what passes it lists the rules
    only."""
    at_rest(page)
    options = {"resultTypes": ["violations"], **options}
    violations = Axe().run(page, part, options).response["violations"]
    return [(found["id"], [node["html"] for node in found["nodes"]]) for found in violations]


@pytest.mark.parametrize(("screen", "theme"), [(PHONE, "light"), (DESKTOP, "dark")])
def test_axe_finds_nothing(browser: Browser, port: int, screen: dict[str, Any], theme: Any) -> None:
    """The whole page once in each language, then what a click changes in it."""
    # The themes differ in colors only, and the languages in words only.
    of_colors = ["color-contrast"]
    options = {"runOnly": of_colors} if theme == "dark" else {}
    with opened(browser, f"http://127.0.0.1:{port}/", color_scheme=theme, **screen) as page:

        def choose(example: str, tab: str) -> None:
            page.locator("#examples").select_option(str(named(example)))
            page.locator(f"[data-opens={tab}]").evaluate("tab => tab.click()")

        choose("A damaged file", TABS[0])
        assert complaints(page, options) == []
        for tab in TABS[1:] if screen is PHONE else ():
            choose("A damaged file", tab)
            assert complaints(page, options, f"#panel-{tab}") == [], tab
        for example in ("A short game", "Backgammon"):
            choose(example, "board")
            assert complaints(page, options, "#panel-board") == [], example
        page.get_by_role("button", name="Tour").click()
        assert complaints(page, options, "#panel-editor") == []
        page.get_by_role("button", name="Link").click()
        expect(page.locator("dialog")).to_be_visible()
        assert complaints(page, options, "dialog") == []
        page.keyboard.press("Escape")
        if theme == "light":
            page.get_by_role("button", name="中文").click()
            rules = {name: {"enabled": False} for name in of_colors}
            assert complaints(page, {"rules": rules}) == []


def test_tour_shows_all_findings_of_each_lesson(page: Page) -> None:
    page.get_by_role("button", name="Tour").click()
    for number in range(1, len(BEGIN["lessons"]) + 1):
        expect(page.locator("#tour h2")).to_contain_text(f"{number} of ")
        at_rest(page)
        for part in ("#tour", "#problems", "#editor"):
            hidden = page.locator(part).evaluate("part => part.scrollHeight - part.clientHeight")
            assert hidden == 0, (number, part)
        for problem in page.locator("#problems li").all():
            expect(problem).to_be_in_viewport(ratio=1)
        button = page.get_by_role("button", name="Next", exact=True)
        if button.is_enabled():
            button.click()


# --- Board and values ---------------------------------------------------------------------


def test_comment_is_beside_the_board(page: Page) -> None:
    write(page, "(;FF[4]GM[1]SZ[9]N[Start]C[First \\] line\nsecond line];B[cc])")
    page.locator("#tree li", has_text="node").first.click()
    at_rest(page)
    comment = page.locator("#comment")
    expect(comment.locator("h3")).to_have_text("Start")
    assert comment.locator("p").inner_text() == "First ] line\nsecond line"
    board, beside = page.locator("#board").bounding_box(), comment.bounding_box()
    assert board is not None and beside is not None
    assert beside["x"] >= board["x"] + board["width"] and beside["y"] == board["y"]
    page.locator("#tree li", has_text="node").last.click()
    at_rest(page)
    expect(comment).to_be_hidden()


# --- Tree ---------------------------------------------------------------------------------


def items(page: Page) -> list[str]:
    found: list[str] = page.locator("#tree li > span").all_inner_texts()
    return found


def line(page: Page, text: str) -> Locator:
    return page.locator("#tree li", has_text=text).first


def test_tree_folds(page: Page) -> None:
    write(page, "(;FF[4]GM[1];B[cc];W[dd])")
    line(page, "node").click()
    at_rest(page)
    whole = items(page)
    line(page, "FF[4]").locator(".twist").click()
    expect(line(page, "FF[4]")).to_have_attribute("aria-expanded", "false")
    folded = items(page)
    assert len(folded) == len(whole) - 4
    page.locator("#text").press("End")
    page.keyboard.type(" ")
    at_rest(page)
    assert items(page) == folded
    # Whatever is selected is shown.
    page.locator("#text").press("Control+Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    at_rest(page)
    expect(line(page, "UCLETTERS")).to_have_attribute("aria-selected", "true")
    assert items(page) == whole
    line(page, "sequence").locator(".twist").click()
    at_rest(page)
    assert items(page) == ["collection", "gametree", "sequence"]
    expect(line(page, "sequence")).to_have_attribute("aria-selected", "true")
    line(page, "sequence").press("ArrowRight")
    assert items(page) == whole


def test_long_tree_unfolds_on_demand(page: Page) -> None:
    write(page, "(;FF[4]GM[1]" + ";B[aa];W[bb]" * 100 + ";B[cc])")
    page.locator("#text").press("Control+Home")
    at_rest(page)
    line(page, "node").click()
    at_rest(page)
    second = page.locator("#tree li[aria-level='4']").nth(1)
    expect(second).to_have_attribute("aria-expanded", "false")
    second.locator(".twist").click()
    at_rest(page)
    expect(page.locator("#tree li[aria-selected=true]")).to_have_attribute("aria-expanded", "true")
    assert chosen(page) == ";B[aa]"


# --- What the editor holds ------------------------------------------------------------------


def source(page: Page) -> str:
    text: str = page.locator("#examples").evaluate("box => box.selectedOptions[0].textContent")
    return text


def test_box_of_examples_shows_what_the_editor_holds(page: Page, tmp_path: Path) -> None:
    title = BEGIN["examples"][0]["title"]
    assert source(page) == title
    page.locator("#text").press("Control+Home")
    page.keyboard.type(" ")
    assert source(page) == f"{title} (edited)"
    page.locator("#text").press("Backspace")
    assert source(page) == title
    page.get_by_role("button", name="Tour").click()
    assert source(page) == "Tour, lesson 1"
    file = tmp_path / "mine.sgf"
    file.write_text("(;FF[4]GM[1])")
    page.locator("#open").set_input_files(file)
    expect_text(page, "(;FF[4]GM[1])")
    at_rest(page)
    assert source(page) == "mine.sgf"
    page.locator("#examples").select_option(str(named("Hex")))
    at_rest(page)
    assert source(page) == "Hex"
    page.get_by_role("button", name="中文").click()
    assert source(page) == "六角棋"
    write(page, "")
    page.keyboard.type("(;)")
    assert source(page) == "自己的文本"


def test_link_carries_the_text(browser: Browser, page: Page) -> None:
    text = "(;FF[4]GM[1]CA[UTF-8]C[围棋 😀 +/=%]KM[6,5])"
    write(page, text)
    page.get_by_role("button", name="Link").click()
    link = page.locator("dialog input").input_value()
    assert link == page.url and "#sgf=" in link and link.isascii()
    asked: list[str] = []
    with opened(browser, link.partition("#")[0]) as other:
        other.on("request", lambda request: asked.append(request.url))
        other.goto(link)
        expect_text(other, text)
        at_rest(other)
        assert source(other) == "Text of the link"
        expect(other.locator("#problems li")).to_have_count(1)
        other.reload()
        expect_text(other, text)
        at_rest(other)
        # No request carries the text; the body of the requests to this machine does.
        assert asked and not [url for url in asked if "sgf=" in url.partition("#")[0]]
        other.locator("#examples").select_option("0")
        at_rest(other)
        assert "#" not in other.url


def test_damaged_link_gets_a_message(page: Page) -> None:
    pack = """async size => {
      const link = await import("./link.js");
      return link.encode("x".repeat(size));
    }"""
    bomb = page.evaluate(pack, 100 * LIMIT)
    assert len(bomb) < LIMIT
    before = written(page)
    for fragment in ("#sgf=", "#sgf=%%", "#sgf=AAAA", bomb[:-9], bomb):
        page.evaluate("fragment => { location.hash = fragment; }", fragment)
        expect(page.locator("#notice")).to_contain_text(f"more than {LIMIT} bytes")
        assert written(page) == before
        write(page, before + " ")
        write(page, before)
        expect(page.locator("#notice")).to_be_hidden()


# --- A server that does not answer ----------------------------------------------------------


def test_a_text_without_answer_is_left_unchecked(browser: Browser, port: int) -> None:
    failures: list[bool] = []

    def fail(route: Route) -> None:
        if failures:
            failures.pop()
            route.fulfill(status=500, json={"error": "failed", "reason": "x"})
        else:
            route.fallback()

    with new_context(browser, **DESKTOP) as context:
        page = context.new_page()
        page.route("**/api/inspect", fail)
        page.goto(f"http://127.0.0.1:{port}/")
        at_rest(page)
        # Neither the result of an earlier text is shown for it, nor is the server asked forever.
        failures += [True, True]
        write(page, "(;FF[4]GM[1]KM[6,5])")
        assert failures == [True]
        expect(page.locator("#counts")).to_have_text("Not checked yet")
        expect(page.locator("#notice")).to_be_visible()
        assert page.locator("#panel-tree").evaluate("panel => panel.inert")
        page.get_by_role("button", name="Check it now").click()
        at_rest(page)
        expect(page.locator("#counts")).to_have_text("Not checked yet")
        # What is typed then is a new question.
        assert failures == []
        write(page, "(;FF[4]GM[1]KM[6,5])\n")
        expect(page.locator("#counts")).to_contain_text("Errors: 1")
        expect(page.locator("#notice")).to_be_hidden()
        assert not page.locator("#panel-tree").evaluate("panel => panel.inert")


# --- Python in the browser ------------------------------------------------------------------


def test_long_text_is_checked_on_demand(browser: Browser, port: int) -> None:
    def slow(route: Route) -> None:
        script = route.fetch().text().replace("longest = Infinity", "longest = 50")
        route.fulfill(body=script, content_type="text/javascript")

    with new_context(browser, **DESKTOP) as context:
        page = context.new_page()
        page.route("**/backend.js", slow)
        page.goto(f"http://127.0.0.1:{port}/")
        page.get_by_role("button", name="Check it now").click()
        at_rest(page)
        write(page, "(;FF[4]GM[1]KM[6,5])")
        expect(page.locator("#problems li")).to_have_count(1)
        expect(page.locator("#demand")).to_be_hidden()
        write(page, "(;FF[4]GM[1]KM[6,5]" + ";B[aa]" * 9 + ")")
        expect(page.locator("#demand-about")).to_contain_text("74 characters")
        expect(page.locator("#counts")).to_have_text("Not checked yet")
        assert page.locator("#panel-tree").evaluate("panel => panel.inert")
        page.get_by_role("button", name="Check it now").click()
        at_rest(page)
        expect(page.locator("#counts")).to_contain_text("Errors: 1")
        assert not page.locator("#panel-tree").evaluate("panel => panel.inert")
        page.locator("#problems .problem").first.click()
        at_rest(page)
        assert chosen(page) == "6,5"


def test_exported_page_is_there_before_python(browser: Browser, tmp_path: Path) -> None:
    pyodide = tmp_path / "pyodide"
    pyodide.mkdir()
    for name in ("pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip"):
        (pyodide / name).write_text("")
    (pyodide / "package.json").write_text('{"version": "1.2.3"}')
    # As slow as on any machine: it never comes.
    (pyodide / "pyodide.mjs").write_text("export const loadPyodide = () => new Promise(() => {});")
    export(tmp_path / "page", pyodide)
    with served(tmp_path / "page") as address:
        context = new_context(browser, **DESKTOP)
        page = context.new_page()
        page.goto(address)
        expect_text(page, BEGIN["examples"][0]["sgf"])
        expect(page.locator("#loading")).to_contain_text("Python")
        expect(page.locator("#panel-tree h2")).to_have_text("Tree")
        bars = "panel => getComputedStyle(panel, '::before').backgroundImage"
        for panel in ("#board", "#tree", "#diagram", "#explanation", "#panel-values .scroll"):
            assert "gradient" in page.locator(panel).evaluate(bars), panel
        page.locator("#text").press("x")
        expect(page.locator("body")).to_have_attribute("aria-busy", "true")
        context.close()


# --- The editor, the comparison, the graph, the parser, the panels -----------------------------


def test_lines_have_numbers_as_findings_have(page: Page) -> None:
    write(page, "(;FF[4]GM[1]\n\nKM[6,5])")
    expect(page.locator("#problems .place")).to_have_text("3:4")
    numbers = page.locator("#editor .cm-lineNumbers .cm-gutterElement:visible")
    assert [text for text in numbers.all_inner_texts() if text.strip()] == ["1", "2", "3"]


def test_profile_is_chosen_and_kept(page: Page) -> None:
    write(page, "(;FF[4]GM[1]AP[x])")
    expect(page.locator("#problems li")).to_have_count(1)
    page.locator("#profile").select_option("archive")
    expect(page.locator("#problems li")).to_have_count(0)
    page.reload()
    at_rest(page)
    expect(page.locator("#profile")).to_have_value("archive")


def test_fixed_text_is_compared_and_applied(page: Page) -> None:
    write(page, "(;FF[4]GM[1]\nKM[6,5];B[aa]AW[zz]\n)")
    page.locator("#compare").click()
    at_rest(page)
    changed = page.locator("#comparison .cm-changedText")
    assert changed.all_inner_texts()
    safe = page.locator("dialog [role=status]").inner_text()
    page.locator("dialog input").check()
    expect(page.locator("dialog [role=status]")).not_to_have_text(safe)
    page.locator("dialog input").uncheck()
    expect(page.locator("dialog [role=status]")).to_have_text(safe)
    at_rest(page)
    page.locator("dialog .main").click()
    at_rest(page)
    assert "KM[6.5]" in written(page)
    page.keyboard.press("Control+z")
    expect_text(page, "(;FF[4]GM[1]\nKM[6,5];B[aa]AW[zz]\n)")
    # Where damage leaves nothing to fix safely, no two equal texts are compared.
    write(page, "(;FF[4]GM[1]KM[6,5];B[aa]C[x)")
    page.locator("#compare").click()
    at_rest(page)
    expect(page.locator("#comparison .cm-editor")).to_have_count(0)
    page.locator("dialog input").check()
    expect(page.locator("#comparison .cm-editor")).not_to_have_count(0)


def test_graph_shows_variations_and_leads_to_them(page: Page) -> None:
    write(page, "(;FF[4]GM[1]SZ[9];B[aa](;W[bb];B[cc])(;W[dd]))")
    expect(page.locator("#graph circle:not(.here)")).to_have_count(5)
    page.locator("#graph circle.white").last.click()
    at_rest(page)
    assert highlighted(page, "node") == [";W[dd]"]
    expect(page.locator("#board .sgf-white circle")).to_have_count(1)
    write(page, "(;FF[4]GM[1])")
    expect(page.locator("#graph")).to_be_hidden()


def test_parser_goes_forwards_and_backwards(page: Page) -> None:
    write(page, "(;FF[4];B[aa])")
    page.locator("#parser-open").click()
    at_rest(page)
    page.locator("#tree li", has_text="UCLETTERS").first.click()
    at_rest(page)
    parser = page.locator("#parser")
    expect(parser.locator("li.reason")).to_have_text("propident: • UCLETTERS then BRACKETED_VALUE")
    assert highlighted(page, "token") == ["FF"]
    parser.get_by_role("button", name="Next step").click()
    expect(parser.locator("[role=status]")).to_contain_text("reduce by propident: UCLETTERS")
    assert page.evaluate("document.activeElement.dataset.to") == "stepOn"
    parser.get_by_role("button", name="Previous step").click()
    expect(parser.locator("[role=status]")).to_contain_text("shift, state 10")
    parser.get_by_role("button", name="Last step").click()
    expect(parser.locator("[role=status]")).to_contain_text("accept")
    page.locator("#parser-open").click()
    expect(page.locator("#diagram")).to_be_visible()
    assert highlighted(page, "token") == []


def test_panels_are_resized(page: Page) -> None:
    def width() -> float:
        return float(page.locator("#panel-editor").evaluate("panel => panel.offsetWidth"))

    before = width()
    handle = page.locator(".splitter[data-axis=x]").first
    handle.press("ArrowRight")
    assert width() == pytest.approx(before + 20, abs=2)
    page.reload()
    at_rest(page)
    assert width() == pytest.approx(before + 20, abs=2)
    handle.dblclick()
    assert width() == pytest.approx(before, abs=2)
