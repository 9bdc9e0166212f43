"""Measures how long the page of the playground needs from a key to what it shows of the text.

python benchmarks/playground.py [FOLDER] [--rounds N] [--pyodide DIRECTORY]
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import games
from playwright.sync_api import sync_playwright

SERVED_KB = 200
EXPORTED_KB = 20

#: The seconds from a change to the frame in which all panels show it, and those of them in which
#: the server answered. The change is a text, or null for a key in the middle of the text.
_CHANGE = """async text => {
    const editor = await import(new URL("editor.js", location.href)), begin = performance.now();
    performance.clearResourceTimings();
    if (text === null) editor.edit([[editor.text().length >> 1, editor.text().length >> 1, " "]]);
    else editor.change(text);
    await new Promise(resolve => {
        new MutationObserver((_, observer) => {
            if (document.body.getAttribute("aria-busy") !== "false") return;
            observer.disconnect();
            requestAnimationFrame(resolve);
        }).observe(document.body, { attributeFilter: ["aria-busy"] });
    });
    const shown = performance.now() - begin;
    const answers = performance.getEntriesByType("resource").map(each => each.duration);
    return [shown / 1000, answers.reduce((sum, each) => sum + each, 0) / 1000];
}"""


@contextmanager
def running(command: list[str]) -> Iterator[str]:
    """Yield the address that the command prints first, and end the command."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    try:
        yield next(word for word in process.stdout.readline().split() if "http" in word).strip("()")
    finally:
        process.terminate()
        process.wait()


def seconds(browser: Any, address: str, text: str, rounds: int) -> list[tuple[float, float]]:
    """Return for each key the time until it is shown, and that of the server's answer."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(address)
    page.wait_for_selector("body[aria-busy=false]", timeout=120_000)
    page.evaluate(_CHANGE, text)
    times = [tuple(page.evaluate(_CHANGE, None)) for _ in range(rounds)]
    page.close()
    return times


def main() -> None:
    """Measure the served page and, with Pyodide, the exported one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--pyodide", type=Path, help="the npm package, for the exported page")
    options = parser.parse_args()
    program = [sys.executable, "-m", "sgf_lark", "playground"]
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        measured = [("served", SERVED_KB, [*program, "--no-browser"])]
        if options.pyodide is not None:
            export = ["--output", f"{folder}/page", "--pyodide", str(options.pyodide)]
            subprocess.run([*program, *export], check=True, stdout=subprocess.DEVNULL)
            server = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
            measured.append(("exported", EXPORTED_KB, [*server, "-d", f"{folder}/page"]))
        for name, kilobytes, command in measured:
            text = games.text(options.folder, 1000 * kilobytes)
            with running(command) as address:
                shown, answers = zip(*seconds(browser, address, text, options.rounds), strict=True)
            answered = f"  answered{statistics.median(answers):6.2f} s" if any(answers) else ""
            print(
                f"{name:10}{len(text) / 1000:4.0f} KB  shown{min(shown):6.2f} s at best"
                f"{statistics.median(shown):6.2f} s median{answered}"
            )


if __name__ == "__main__":
    main()
