"""Settings for all tests: no example depends on the speed of the machine.

The examples are the same in every run, so more of them would find nothing new from run to run:
there are few. ``--hypothesis-profile thorough`` tries many others each time.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from lark import lexer

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.kit.browsing import Window

# The tests, and the programs that they start, are compiled once and not each time, also where
# Python is told to keep no compiled modules, as in many containers.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

settings.register_profile(
    "default",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
    max_examples=30,
)
settings.register_profile(
    "thorough", settings.get_profile("default"), derandomize=False, max_examples=1000
)
settings.register_profile(
    "unshrunk",
    settings.get_profile("default"),
    phases=[Phase.explicit, Phase.generate],
    max_examples=100,
)
settings.load_profile("default")

# Where the tests run in the background of a shell, Ctrl-C is ignored, and so it would be by the
# programs that they start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def the_same_in_every_run() -> Iterator[None]:
    """What would make the tests slower, or different from run to run, is switched off."""
    with pytest.MonkeyPatch.context() as patch:
        if settings().derandomize:
            # Hypothesis also draws constants of the modules that happen to be loaded, which depends
            # on the tests that ran before in the same process.
            patch.setattr(providers, "_get_local_constants", Constants)
        # Where interegular is, Lark compares the terminals of each grammar with each other, which
        # takes longer than to make the parser. Users do not have it.
        patch.setattr(lexer, "has_interegular", False)
        # Files are written without waiting until they are on the disk: no test ends the power.
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


@pytest.fixture
def interegular(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lark has it nevertheless, for tests with `strict=True`."""
    monkeypatch.setattr(lexer, "has_interegular", True)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are processors: some tests wait for other programs."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long tests begin first, in whatever order: in the end no process waits for one of them."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection_finish() -> None:
    """What all tests have in common lives as long as they do: the search for garbage leaves it out,
    and comes more rarely, which is a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the seed of the order of tests, which the option -q hides."""
    if config.pluginmanager.hasplugin("randomly"):
        seed = config.getoption("randomly_seed")
        terminalreporter.write_line(f"Random order; for the same again: --randomly-seed={seed}")


# --- What only some tests need is imported only for them. -----------------------------------------


@pytest.fixture(scope="module")
def dask_client() -> Iterator[Any]:
    """Workers that are threads of this process, and the default: commands without `-j` use them,
    and do not start processes, which takes seconds each time."""
    distributed: Any = pytest.importorskip("distributed")
    with distributed.Client(
        processes=False, n_workers=1, threads_per_worker=2, dashboard_address="127.0.0.1:0"
    ) as found:
        yield found


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The port of a server of the playground."""
    from tests.kit.serving import running_server

    with running_server() as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium."""
    from tests.kit.browsing import chromium

    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def desktop(browser: Browser) -> Iterator[Window]:
    """A window of the size of a desktop. A new one for each test would take half of their time."""
    from tests.kit.browsing import DESKTOP, window

    with window(browser, **DESKTOP) as found:
        yield found


@pytest.fixture
def page(desktop: Window, port: int) -> Iterator[Page]:
    """The playground on a desktop."""
    from tests.kit.browsing import loaded

    with loaded(desktop, f"http://127.0.0.1:{port}/") as found:
        yield found
