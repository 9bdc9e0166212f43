"""Fixes all files of a folder safely and lists what was changed, by rule.

python -m tests.kit.promise FOLDER [--examples N]

Files of which a reader reads another meaning afterwards are listed first, if there are any; then
the exit code is 1.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from sgf_lark import fix
from sgf_lark.fixing import Applied
from tests.kit.comparing import changes_by_fix


def main() -> int:
    """Fix the files and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--examples", type=int, default=3, help="Examples of each kind of change.")
    options = parser.parse_args()
    paths = sorted(path for path in options.folder.rglob("*") if path.suffix.lower() == ".sgf")
    changes: dict[tuple[str, str], Counter[tuple[str, str]]] = {}
    files: Counter[tuple[str, str]] = Counter()
    changed = with_errors = 0
    for path in paths:
        data = path.read_bytes()
        result = fix(data)
        with_errors += not result.ok
        for change in result.applied:
            changes.setdefault((change.code, change.name), Counter())[_shown(change)] += 1
        files.update({(change.code, change.name) for change in result.applied})
        if found := changes_by_fix(data, result):
            changed += 1
            print(f"{path}: {'; '.join(found)}")
    for kind, counts in sorted(changes.items()):
        code, name = kind
        print(f"{code:6} {name:30} {counts.total():6} changes in {files[kind]:4} files")
        for (before, after), count in counts.most_common(options.examples):
            print(f"{count:15} × {before!r} -> {after!r}")
    print(f"{len(paths)} files, {with_errors} with errors left, {changed} with another meaning")
    return 1 if changed else 0


def _shown(change: Applied) -> tuple[str, str]:
    """The text before and after a change, shortened."""
    return change.before[:60], change.after[:60]


if __name__ == "__main__":
    sys.exit(main())
