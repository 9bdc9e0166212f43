"""The parsers that `sgf-lark fuzz` knows by name; ``adapters.toml`` describes them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module, metadata, util
from pathlib import Path
from typing import Literal

from sgf_lark import grammar
from sgf_lark.fuzz.outcomes import TargetError

#: The environment variable for the folder of peers that need an environment of their own.
_FOLDER = "SGF_LARK_PEERS"


def peers_folder() -> Path:
    """Return the folder that SGF_LARK_PEERS names, by default one in the user's cache."""
    cache_folder = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get(_FOLDER) or Path(cache_folder) / "sgf_lark" / "peers")


def node_command(script: str) -> list[str]:
    """Return the words of the command that runs a script of this folder with node."""
    return ["node", str(Path(__file__).parent / script), str(peers_folder())]


@dataclass(frozen=True, slots=True)
class Adapter:
    """One entry of ``adapters.toml``; the keys are explained at its top."""

    name: str
    title: str
    kind: Literal["python", "node", "command"]
    install: str
    function: str = ""
    module: str = ""
    distribution: str = ""
    folder: str = ""
    package: str = ""
    rejects: tuple[str, ...] = ()
    takes: Literal["bytes", "text"] = "bytes"
    ordered: bool = True
    command: str = ""
    version: str = ""
    version_pattern: str = ""
    reject_codes: tuple[int, ...] = ()
    search: tuple[str, ...] = ()
    tasks: Mapping[str, str] = field(default_factory=dict)

    def search_path(self) -> list[str]:
        """Return the folders that precede the module search path of Python."""
        return [str(peers_folder() / self.folder)] if self.folder else []

    def installed_version(self) -> str | None:
        """Return the installed version, "" if it is unknown, None if nothing is installed."""
        match self.kind:
            case "python":
                return self._python_version()
            case "node":
                return self._node_version()
            case "command":
                return self._command_version()

    def _python_version(self) -> str | None:
        if self.folder:
            found = [*metadata.distributions(name=self.distribution, path=self.search_path())]
            return found[0].version if found else None
        if util.find_spec(self.module) is None:
            return None
        try:
            return metadata.version(self.distribution)
        except metadata.PackageNotFoundError:
            return str(getattr(import_module(self.module), "__version__", ""))

    def _node_version(self) -> str | None:
        description = peers_folder() / "node_modules" / self.package / "package.json"
        if shutil.which("node") is None or not description.is_file():
            return None
        return str(json.loads(description.read_bytes()).get("version", ""))

    def executable(self) -> str | None:
        """Return the path of the program, or None if it is not installed."""
        program = self.command.split()[0]
        path = os.pathsep.join([os.environ.get("PATH", os.defpath), *self.search])
        return shutil.which(program, path=path)

    def _command_version(self) -> str | None:
        program = self.executable()
        if program is None:
            return None
        try:
            done = subprocess.run(
                [program, *self.version.split()],
                capture_output=True,
                stdin=subprocess.DEVNULL,
                cwd=tempfile.gettempdir(),
                timeout=10,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return ""
        output = (done.stdout + done.stderr).decode("utf-8", "replace")
        found = re.search(self.version_pattern, output)
        return found[1] if found else ""


@cache
def adapters() -> dict[str, Adapter]:
    """Return the adapters by name, in the order of the file."""
    text = (Path(__file__).parent / "adapters.toml").read_text("utf-8")
    rows = grammar.with_tuples(tomllib.loads(text))["adapter"]
    return {row["name"]: Adapter(**row) for row in rows}


def available(name: str) -> Adapter:
    """Return the adapter of that name; raise TargetError if its parser is not installed."""
    adapter = adapters()[name]
    if adapter.installed_version() is None:
        raise TargetError(f"{adapter.title} is not here; install it with: {adapter.install}")
    return adapter
