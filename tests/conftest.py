"""Settings for all tests: no example depends on the speed of the machine.

The examples are the same in every run; ``--hypothesis-profile long`` tries many others.
"""

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "default",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.register_profile(
    "long", settings.get_profile("default"), derandomize=False, max_examples=3000
)
settings.load_profile("default")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Runs the whole suite on all processors; ``-n 0`` or ``-p no:xdist`` prevents it.

    A few named tests take less time in one process.
    """
    if not config.pluginmanager.hasplugin("xdist") or config.option.numprocesses is not None:
        return
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        config.option.numprocesses = "auto"
