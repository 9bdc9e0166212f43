"""The page of the playground in Chromium, as its user meets it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sgf_lark.playground.document import LIMIT
from sgf_lark.playground.export import export
from tests.kit.browsing import (
    PHONE,
    Browser,
    Page,
    at_rest,
    chosen,
    expect,
    expect_text,
    highlighted,
    opened,
    served,
    write,
    written,
)

#: The folder of the npm package pyodide, if there is one to test with.
PYODIDE = os.environ.get("SGF_LARK_PYODIDE")


def test_error_is_underlined_as_it_is_typed_and_fixed_by_a_button(page: Page) -> None:
    page.locator("#text").press("Control+a")
    page.keyboard.type("(;FF[4]GM[1]C[围棋😀]KM[6,5])")
    expect(page.locator("#problems li")).to_have_count(1)
    at_rest(page)
    assert highlighted(page, "error") == ["6,5"]
    assert "KM" in highlighted(page, "ident") and "[围棋😀]" in highlighted(page, "text")
    page.locator("#problems .problem").click()
    expect(page.locator("#explanation")).to_contain_text("SGF415 komi")
    assert chosen(page) == "6,5"
    page.locator("#problems .fix").click()
    expect(page.locator("#counts")).to_have_class("good")
    assert written(page) == "(;FF[4]GM[1]C[围棋😀]KM[6.5])"
    page.locator("#text").press("Control+z")
    expect(page.locator("#problems li")).to_have_count(1)
    write(page, "x(;FF[4]GM[1]KM[6,5];B[aa]C[a [1] b]HA[0]")
    page.locator("#fix-all").click()
    at_rest(page)
    expect(page.locator("#problems .fix")).to_have_count(0)
    page.locator("#text").press("Control+z")
    expect_text(page, "x(;FF[4]GM[1]KM[6,5];B[aa]C[a [1] b]HA[0]")


def test_tree_leads_text_values_diagram_and_board(page: Page) -> None:
    write(page, "(;FF[4]GM[1]SZ[9];B[cc];W[ee]CR[cc])")
    stones = page.locator("#board .sgf-white circle")
    page.locator("#tree li", has_text="node").first.click()
    at_rest(page)
    expect(stones).to_have_count(0)
    page.locator("#tree li", has_text="BRACKETED_VALUE[ee]").click()
    at_rest(page)
    assert chosen(page) == "[ee]" and highlighted(page, "item") == ["[ee]"]
    assert highlighted(page, "node") == [";W[ee]CR[cc]"]
    expect(stones).to_have_count(1)
    expect(page.locator("#values tr.here")).to_contain_text("ee")
    expect(page.locator("#path [aria-current=true]")).to_have_text("BRACKETED_VALUE")
    expect(page.locator("#explanation")).to_contain_text("White move")


def test_board_values_path_and_problems_lead_to_the_text(page: Page) -> None:
    write(page, "(;FF[4]GM[1]SZ[9]AB[aa:bb];B[cc];W[ee]MN[x])")
    page.locator("#board [data-point=ab]").click()
    at_rest(page)
    assert chosen(page) == "[aa:bb]"
    expect(page.locator("#board .lit")).to_have_count(4)
    page.locator("#problems .problem").click()
    at_rest(page)
    assert chosen(page) == "x"
    page.locator("#board [data-point=cc]").click()
    at_rest(page)
    assert chosen(page) == "[cc]"
    page.locator("#path button", has_text="sequence").click()
    at_rest(page)
    assert chosen(page).startswith(";FF[4]")
    page.locator("#values tbody tr", has_text="SZ").click()
    at_rest(page)
    assert chosen(page) == "[9]"


#: The text from the start of the selection.
AFTER_CURSOR = """async () => {
  const { selection, text } = await import("./editor.js");
  return text().slice(selection()[0]);
}"""


def test_keyboard_alone(page: Page) -> None:
    write(page, "(;FF[4]GM[1]SZ[9](;B[cc];W[x])(;B[dd]))")
    keys = page.keyboard
    for key, start in (
        ("F8", "x"),
        ("Alt+ArrowLeft", ";B[cc]"),
        ("Alt+ArrowDown", ";B[dd]"),
        ("Alt+2", ";B[dd]"),
        ("ArrowLeft", ";FF"),
        ("ArrowRight", ";B[cc]"),
        ("End", ";W[x]"),
        ("Home", ";FF"),
        ("Alt+4", ";FF"),
        ("ArrowDown", "FF[4]"),
        ("ArrowLeft", "FF[4]"),  # folds it
        ("ArrowLeft", ";FF"),
        ("Alt+1", ";FF"),
    ):
        keys.press(key)
        at_rest(page)
        place = page.evaluate(AFTER_CURSOR)
        assert place.startswith(start), key
    assert page.evaluate("document.activeElement.id") == "editor"
    keys.press("Alt+k")
    expect(page.locator("dialog")).to_be_visible()
    keys.press("Escape")
    expect(page.locator("dialog")).to_be_hidden()


def test_first_lesson_is_done_by_typing(page: Page) -> None:
    page.get_by_role("button", name="Tour").click()
    at_rest(page)
    status = page.locator("#tour [role=status]")
    expect(page.locator("#tour h2")).to_contain_text("1 of 12")
    expect(status).to_have_class("quiet")
    page.locator("#text").press("Control+End")
    page.keyboard.type(")")
    expect(status).to_have_class("good")
    page.get_by_role("button", name="Next", exact=True).click()
    at_rest(page)
    expect(page.locator("#tour h2")).to_contain_text("2 of 12")
    write(page, "(;FF[4])")
    expect(status).to_have_class("quiet")
    # A text of one's own is no lesson.
    page.locator("#text").press("Control+a")
    page.locator("#text").evaluate(
        """text => {
          const clipboardData = new DataTransfer(), options = {bubbles: true, cancelable: true};
          clipboardData.setData("text/plain", "(;FF[4]GM[1])");
          text.dispatchEvent(new ClipboardEvent("paste", {clipboardData, ...options}));
        }"""
    )
    expect(page.locator("#tour")).to_be_hidden()
    at_rest(page)


def test_chinese(page: Page) -> None:
    write(page, "(;FF[4]GM[1]SZ[9]KM[6,5])")
    page.get_by_role("button", name="中文").click()
    at_rest(page)
    expect(page.locator("#panel-board h2")).to_have_text("棋盘")
    expect(page.locator("#problems li")).to_contain_text("错误")
    expect(page.locator("#counts")).to_contain_text("错误：1")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    page.reload()
    at_rest(page)
    expect(page.locator("#tour-open")).to_have_text("导览")


def test_all_diagrams_render(page: Page) -> None:
    sizes = page.evaluate(
        """async () => {
          const panels = await import("./panels.js"), backend = await import("./backend.js");
          const { structure, values } = await backend.call("begin", {});
          panels.diagram(structure, values, [], Object.keys(values), () => {});
          return [...document.querySelectorAll("#diagram figure")].map(figure => {
            const text = figure.querySelector("figcaption").textContent;
            const { width, height } = figure.querySelector("svg").getBoundingClientRect();
            return [text, width, height];
          });
        }"""
    )
    assert len(sizes) > 70
    for name, width, height in sizes:
        assert width > 20 and height > 15, name


def test_text_above_the_limit_gets_a_message(page: Page) -> None:
    line = "x" * 99 + "\n"  # one line of that length would take the editor ten seconds
    write(page, "(;C[" + line * (LIMIT // len(line) + 1) + "])")
    expect(page.locator("#notice")).to_contain_text(f"{LIMIT} bytes")
    write(page, "(;FF[4]GM[1])")
    expect(page.locator("#notice")).to_be_hidden()


def test_theme_is_that_of_the_system_or_chosen(page: Page) -> None:
    def back() -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    page.emulate_media(color_scheme="dark")
    page.reload()
    at_rest(page)
    dark, board = back(), page.locator("#board").inner_html()
    page.locator("#theme").click()
    at_rest(page)
    assert back() != dark and page.locator("#board").inner_html() != board
    page.locator("#theme").click()
    assert back() == dark
    page.emulate_media(color_scheme="null")


def test_link_asks_for_a_language(page: Page, port: int) -> None:
    page.goto(f"http://127.0.0.1:{port}/?lang=zh")
    at_rest(page)
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")


def test_phone_has_tabs_and_no_sideways_scrolling(browser: Browser, port: int) -> None:
    with opened(browser, f"http://127.0.0.1:{port}/", **PHONE) as page:
        for name in ("board", "values", "tree", "diagram", "rules", "editor"):
            page.locator(f"[data-opens={name}]").tap()
            expect(page.locator(f"#panel-{name}")).to_be_visible()
            assert page.locator(".panel:visible").count() == 1
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.skipif(PYODIDE is None, reason="SGF_LARK_PYODIDE names no folder of npm's pyodide")
def test_exported_page_runs_by_itself(browser: Browser, tmp_path: Path) -> None:
    export(tmp_path / "page", Path(str(PYODIDE)))
    with served(tmp_path / "page") as address, opened(browser, address) as page:
        write(page, "(;FF[4]GM[1]SZ[9]KM[6,5];B[cc])")
        assert highlighted(page, "error") == ["6,5"]
        expect(page.locator("#board svg")).to_be_visible()
