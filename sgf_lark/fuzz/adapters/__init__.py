"""The parsers that `sgf-lark fuzz` knows by name; ``adapters.toml`` describes them."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import metadata, util
from pathlib import Path
from typing import Literal

from sgf_lark import grammar
from sgf_lark.fuzz.outcomes import TargetError

#: The environment variable for the folder of the packages of npm.
_FOLDER = "SGF_LARK_PEERS"


def peers_folder() -> Path:
    """Return the folder that SGF_LARK_PEERS names, by default one in the user's cache."""
    cache_folder = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get(_FOLDER) or Path(cache_folder) / "sgf_lark" / "peers")


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
    package: str = ""
    rejects: tuple[str, ...] = ()
    takes: Literal["bytes", "text"] = "bytes"
    command: str = ""
    reject_codes: tuple[int, ...] = ()
    search: tuple[str, ...] = ()

    def installed_version(self) -> str | None:
        """Return the installed version, "" if it is unknown, None if nothing is installed."""
        match self.kind:
            case "python":
                if util.find_spec(self.module) is None:
                    return None
                with contextlib.suppress(metadata.PackageNotFoundError):
                    return metadata.version(self.distribution)
                return ""
            case "node":
                path = peers_folder() / "node_modules" / self.package / "package.json"
                if shutil.which("node") is None or not path.is_file():
                    return None
                return str(json.loads(path.read_bytes())["version"])
            case "command":
                return None if self.executable() is None else ""

    def executable(self) -> str | None:
        """Return the path of the program, or None if it is not installed."""
        program = self.command.split()[0]
        path = os.pathsep.join([os.environ.get("PATH", os.defpath), *self.search])
        return shutil.which(program, path=path)


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
