"""Archives of small files, for tests."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any

#: The functions that compress, by the suffix of a file.
PACKERS: dict[str, Any] = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress}
PACKERS[".xz"] = lzma.compress
with suppress(ImportError):
    PACKERS[".zst"] = import_module("backports.zstd").compress
PACKED = tuple(filter(None, PACKERS))


def zip_of(members: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive, the same each time; a name that ends in "/" is that of a folder."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return target.getvalue()


def tar_of(members: Mapping[str, bytes], mode: Any = "w") -> bytes:
    """A tar archive."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode=mode) as archive:
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return target.getvalue()
