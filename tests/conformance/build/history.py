"""Versions of the suite: since when each case is as it is now.

``history.json`` holds the version, the digests of earlier versions, and for each case the version
that added it, the version since which results for it are comparable, and a hash of what a parser
is given and has to return. Descriptions, codes and places may change without a new version of
a case, because no result depends on them.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tests.conformance.build.cases import SUITE

HISTORY = SUITE / "history.json"
#: Why cases of a version changed.
REASONS = {
    "1.2": (
        "A second byte that is a backslash or a bracket: no source says whether a reader undoes "
        "escapes before or after it decodes, so these are *either* now. A first node without a "
        'semicolon, after which another "(;" begins a tree that conforms: a parser may skip '
        "what comes before it as text before the first tree. Each tree keeps its own charset: CA "
        "is a root property. `other-games/either-gess-edge` names the page of Gess, and "
        "`junk/reject-escape-sequence` its rule."
    ),
}
#: The parts of an entry that results depend on.
_COMPARED = ("sha256", "verdict", "tree", "bytes_only")


@dataclass
class History:
    """The content of ``history.json``, in which :meth:`since` records new and changed cases."""

    version: str
    #: The SHA-256 of the manifest by version.
    earlier: dict[str, str]
    #: By id: the version that added the case, the version since which it is so, and the hash.
    cases: dict[str, list[str]]
    #: The version that removed a case, by id.
    removed: dict[str, str]

    def since(self, entry: dict[str, Any]) -> str:
        """Return the version since which the case is so; `entry` has its tree."""
        now = digest_of(entry)
        added, since, before = self.cases.get(entry["id"], [self.version, self.version, now])
        if before != now:
            since = self.version
        self.cases[entry["id"]] = [added, since, now]
        return since

    def keep(self, ids: Iterable[str]) -> None:
        """Record as removed all cases that are not among `ids`."""
        kept = dict.fromkeys(ids)
        for gone in sorted(self.cases.keys() - kept.keys()):
            if self.cases.pop(gone)[0] != self.version:
                self.removed[gone] = self.version
        self.removed = {gone: at for gone, at in self.removed.items() if gone not in kept}
        self.cases = {one: self.cases[one] for one in kept}

    def to_json(self) -> bytes:
        """Return the content of ``history.json``, one case per line."""
        pairs = self.cases.items()
        rows = ",\n".join(f"  {json.dumps(key)}: {json.dumps(row)}" for key, row in pairs)
        head = {"version": self.version, "earlier": self.earlier, "removed": self.removed}
        text = json.dumps(head, indent=1).removesuffix("\n}")
        return f'{text},\n "cases": {{\n{rows}\n }}\n}}\n'.encode()


def digest_of(entry: dict[str, Any]) -> str:
    """Return the hash of the parts of an entry that results depend on."""
    parts = {key: entry[key] for key in _COMPARED if entry.get(key) is not None}
    text = json.dumps(parts, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def read_history() -> History:
    """Return the history as it was written last."""
    content = json.loads(HISTORY.read_text("utf-8"))
    return History(
        content["version"], content["earlier"], content["cases"], content.get("removed", {})
    )


def begin_version(version: str) -> None:
    """Begin another version; the present manifest becomes the last of the version before."""
    history = read_history()
    if version in (history.version, *history.earlier):
        raise ValueError(f"there already is a version {version}")
    manifest = (SUITE / "manifest.json").read_bytes()
    history.earlier[history.version] = hashlib.sha256(manifest).hexdigest()
    history.version = version
    HISTORY.write_bytes(history.to_json())


def changes(history: History) -> str:
    """Return the changelog of the cases as Markdown, the newest version first."""
    lines = [
        "# Changes of the cases",
        "",
        "Results of an earlier version hold for the cases that have not changed since. The digest",
        "is the SHA-256 of `manifest.json`, which has those of all other files.",
    ]
    for version in reversed([*history.earlier, history.version]):
        digest = history.earlier.get(version, "`sha256sum manifest.json`")
        added = [one for one, row in history.cases.items() if row[0] == version]
        changed = [one for one, row in history.cases.items() if row[1] == version != row[0]]
        removed = [one for one, at in history.removed.items() if at == version]
        counts = Counter(one.partition("/")[0] for one in added)
        groups = ", ".join(f"{group} {count}" for group, count in counts.items())
        lines += ["", f"## {version}", "", f"* Digest: {digest}"]
        lines += [f"* Added, of the present cases: {len(added)} ({groups})"] if added else []
        lines += [f"* {REASONS[version]}"] if version in REASONS else []
        for word, names in (("Changed", changed), ("Removed", removed)):
            lines += [f"* {word}: " + ", ".join(f"`{name}`" for name in names)] if names else []
    return "\n".join(lines) + "\n"
