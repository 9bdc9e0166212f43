"""The page of the playground in Chromium: the steps of its tests.

The fixtures are in ``conftest.py``.
"""

from __future__ import annotations

import http.server
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytest.importorskip("playwright", reason="the extra browser is not installed")

from axe_playwright_python.sync_playwright import Axe as Axe
from playwright.sync_api import Browser as Browser
from playwright.sync_api import BrowserContext, ConsoleMessage, sync_playwright
from playwright.sync_api import Locator as Locator
from playwright.sync_api import Page as Page
from playwright.sync_api import Route as Route
from playwright.sync_api import expect as expect

from tests.kit.waiting import LIMIT

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)

OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


#: The screens that the page is tried on.
DESKTOP: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}

#: A machine that tests may have much else to do.
expect.set_options(timeout=1000 * LIMIT)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium; without it the test is skipped."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine (Debian: apt-get install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=OPTIONS, timeout=1000 * LIMIT
        )
        yield browser
        browser.close()


def new_context(browser: Browser, **options: Any) -> BrowserContext:
    """A window of its own, in which nothing takes too long.

    Without animations: Chromium would draw each of their frames while a test waits.
    """
    context = browser.new_context(locale="en-GB", reduced_motion="reduce", **options)
    context.set_default_timeout(1000 * LIMIT)
    return context


class Window(NamedTuple):
    """A page of a window of its own, and what it has complained of."""

    page: Page
    complaints: list[str]


@contextmanager
def window(browser: Browser, **options: Any) -> Iterator[Window]:
    """An empty window."""
    context = new_context(browser, **options)
    page = context.new_page()
    complaints: list[str] = []

    def note(message: ConsoleMessage) -> None:
        complaints.append(message.text)

    page.on("console", note)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield Window(page, complaints)
    context.close()


@contextmanager
def loaded(window: Window, address: str) -> Iterator[Page]:
    """The page in a window, at rest; it may complain of nothing until the end, and what it has
    stored is deleted then."""
    window.complaints.clear()
    window.page.goto(address)
    at_rest(window.page)
    try:
        yield window.page
    finally:
        window.page.evaluate("localStorage.clear()")
        window.page.mouse.move(0, 0)
    assert not window.complaints, window.complaints


@contextmanager
def opened(browser: Browser, address: str, **options: Any) -> Iterator[Page]:
    """The page in a window of its own."""
    with window(browser, **options) as found, loaded(found, address) as page:
        yield page


#: Resolved when the page has been drawn twice: earlier events, such as a change of the
#: selection, has then reached it, and it is busy if that leads to a question.
_DRAWN = "() => new Promise(d => requestAnimationFrame(() => requestAnimationFrame(() => d())))"


def at_rest(page: Page) -> None:
    """Until all questions are answered."""
    page.evaluate(_DRAWN)
    expect(page.locator("body")).to_have_attribute("aria-busy", "false", timeout=1000 * LIMIT)


#: The module of the editor, whose functions the tests call.
_EDITOR = 'await import(new URL("editor.js", location.href))'


def write(page: Page, text: str) -> None:
    """Replace the whole text, as one edit of the user."""
    page.evaluate(f"async text => ({_EDITOR}).change(text)", text)
    at_rest(page)


def written(page: Page) -> str:
    """The text in the editor."""
    found: str = page.evaluate(f"async () => ({_EDITOR}).text()")
    return found


def expect_text(page: Page, text: str) -> None:
    """Until the editor has that text."""
    page.wait_for_function(
        f"async text => ({_EDITOR}).text() === text", arg=text, timeout=1000 * LIMIT
    )


def highlighted(page: Page, name: str) -> list[str]:
    found: list[str] = page.evaluate(f"async name => ({_EDITOR}).marked(name)", name)
    return found


def chosen(page: Page) -> str:
    """The text that is selected in the editor."""
    found: str = page.evaluate(
        f"""async () => {{
            const {{ selection, text }} = {_EDITOR};
            return text().slice(...selection());
        }}"""
    )
    return found


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of the files of a folder, served as any web server does."""
    handler = partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as serving:
        threading.Thread(target=serving.serve_forever).start()
        try:
            yield f"http://127.0.0.1:{serving.server_port}/"
        finally:
            serving.shutdown()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass
