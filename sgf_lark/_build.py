"""Commands of setuptools: the kept content in a wheel and a source tree, an editable install."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from setuptools.command.build_py import build_py
from setuptools.command.editable_wheel import editable_wheel


class BuildPy(build_py):
    """Makes the content of :mod:`sgf_lark.built` as well.

    The content is made in the source tree, where an editable install finds it, and is copied
    into a wheel. A source distribution does not have it.
    """

    def run(self) -> None:
        """Build the modules and the content."""
        super().run()
        subprocess.run([sys.executable, "-m", "sgf_lark.built"], check=True)
        if not self.editable_mode:
            built = Path("sgf_lark", "_built")
            self.copy_tree(str(built), str(Path(self.build_lib, built)))


class EditableWheel(editable_wheel):
    """Puts the path of the checkout where Python and type checkers look for packages.

    Without this the package would be found by a hook, which mypy and pyright do not call.
    """

    def initialize_options(self) -> None:
        """Set the defaults of the options."""
        super().initialize_options()
        self.mode = "compat"
