r"""Prints what becomes of the two files of a pair, as a row of its rule in this package.

python -m tests.pairs SGF321 'AP is in one piece' '(;FF[4]AP[x])' '(;FF[4]AP[x:1])'

Escapes are those of bytes in Python, such as \xff. A file may be empty: then there is none.
"""

from __future__ import annotations

import argparse

from sgf_lark import fix
from tests.pairs import HEAD, TAIL, Fixed


def main() -> None:
    """Print the row."""
    parser = argparse.ArgumentParser(description="Print a pair with what becomes of its files.")
    parser.add_argument("code")
    parser.add_argument("condition")
    parser.add_argument("safe", type=_bytes)
    parser.add_argument("other", type=_bytes, nargs="?", default=b"")
    options = parser.parse_args()
    files = [(options.safe, fix(options.safe).data)] if options.safe else []
    files += [(options.other, fix(options.other, unsafe=True).data)] if options.other else []
    row = ", ".join(map(repr, (options.condition, *_shortened(files))))
    print(f'    "{options.code}": [{"pair" if options.safe else "never"}({row})],')
    for data in filter(None, (options.safe, options.other)):
        for unsafe in (False, True):
            print(
                "unsafe" if unsafe else "safe",
                [
                    (change.code, change.safe, change.before, change.after)
                    for change in fix(data, unsafe=unsafe).applied
                ],
            )


def _shortened(files: list[tuple[bytes, bytes]]) -> list[Fixed]:
    """The files as they are written in a table."""
    texts = [tuple(data.decode("latin-1") for data in each) for each in files]
    if any(not text.isascii() or text[: len(HEAD)] != HEAD or text[-1:] != TAIL
           for each in texts for text in each):  # fmt: skip
        return [*files]
    return [(one[len(HEAD) : -1], two[len(HEAD) : -1]) for one, two in texts]


def _bytes(text: str) -> bytes:
    """The bytes that a literal of Python stands for."""
    return text.encode("latin-1", "backslashreplace").decode("unicode_escape").encode("latin-1")


if __name__ == "__main__":
    main()
