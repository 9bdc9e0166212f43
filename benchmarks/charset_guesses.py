"""Measures how often the guess of an undeclared charset is right, and how long it takes.

python benchmarks/charset_guesses.py FOLDER... [--list] [--compare]

The input is the .sgf files of the folders that declare their charset, are valid in it and have
non-ASCII text. CA is removed; files in UTF-8 are also encoded in the older charsets of their
language. Each text is tried as a whole, and cut down to the names in it. --compare counts how
many of them charset-normalizer, if it is installed, guesses right.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sgf_lark.text import charsets, validity

CA = re.compile(rb"CA[ \t\r\n]*\[([^\]\\]*)\]")
NAME = re.compile(r"(?:PB|PW|EV|PC|RE|BR|WR)\[[^\]\\]*\]")
HAN, KANA, HANGUL = r"[\u4e00-\u9fff]", r"[\u3041-\u30fe]", r"[\uac00-\ud7a3]"
CYRILLIC = r"[\u0400-\u045f]"
#: The characters that show a language, and the charsets for it. The first row applies in which
#: a charset has all characters of the text.
OLDER_CHARSETS = (
    (HANGUL, ("euc-kr",)),
    (KANA, ("cp932", "euc-jp")),
    (HAN, ("gb2312", "big5")),
    (HAN, ("cp932", "euc-jp")),
    (CYRILLIC, ("cp1251", "koi8-r")),
    ("", ("latin-1", "iso8859-15", "cp1252", "cp1250", "iso8859-2")),
)
CONFIDENCES = (30, 50, 70, 90, 95, 99, 100)


class Case(NamedTuple):
    path: Path
    extent: str
    codec: str
    text: str


def cases(folder: Path) -> Iterator[Case]:
    """Return the texts of the files with the charsets to encode them in."""
    for path in sorted(folder.rglob("*.sgf")):
        data = path.read_bytes()
        declared = CA.search(data)
        codec = declared and charsets.codec_of(declared[1])
        if not codec or data.isascii() or not validity.decodes(data, codec):
            continue
        text = CA.sub(b"", data).decode(codec)
        names = f"(;{''.join(NAME.findall(text))})"
        for extent, part in (("whole", text), ("names", names)):
            if not part.isascii():
                for one in codecs_for(part) if codec == "utf-8" else [codec]:
                    yield Case(path, extent, one, part)


def codecs_for(text: str) -> list[str]:
    """Return UTF-8 and the codecs of the older charsets in which `text` may have been written."""
    rows = (codecs for script, codecs in OLDER_CHARSETS if re.search(script, text))
    possible = ([codec for codec in codecs if encodes(text, codec)] for codecs in rows)
    return ["utf-8", *next(filter(None, possible), ())]


def encodes(text: str, codec: str) -> bool:
    """Whether the charset has all characters of `text`."""
    try:
        text.encode(codec)
    except UnicodeEncodeError:
        return False
    return True


def verdict(case: Case, guess: charsets.Guess | None) -> str:
    """Return how the text comes out if a trusted guess decides."""
    data = case.text.encode(case.codec)
    trusted = guess is not None and guess.confidence >= charsets.TRUSTED_CONFIDENCE
    codec = guess.codec if guess and trusted else charsets.default().codec
    if data.decode(codec, "replace") == case.text:
        return "right"
    return "wrong" if trusted else "none"


def is_guessed_by_charset_normalizer(case: Case) -> bool:
    """Whether the text comes out right by the best guess of that package."""
    from charset_normalizer import from_bytes

    data = case.text.encode(case.codec)
    best = from_bytes(data).best()
    return best is not None and data.decode(best.encoding, "replace") == case.text


def main() -> int:
    """Measure all folders; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--list", action="store_true", help="List the texts not guessed right.")
    parser.add_argument("--compare", action="store_true", help="Count for charset-normalizer, too.")
    options = parser.parse_args()
    theirs: Counter[str] = Counter()
    verdicts: Counter[tuple[str, str, str]] = Counter()
    by_confidence: Counter[tuple[int, bool]] = Counter()
    seconds = 0.0
    for case in (case for folder in options.folders for case in cases(folder)):
        data = case.text.encode(case.codec)
        start = time.perf_counter()
        guess = charsets.guess(data)
        seconds += time.perf_counter() - start
        found = verdict(case, guess)
        verdicts[case.codec, case.extent, found] += 1
        if guess:
            limit = max(limit for limit in CONFIDENCES if limit <= guess.confidence)
            is_right = data.decode(guess.codec, "replace") == case.text
            by_confidence[limit, is_right] += 1
        if options.compare:
            theirs[case.extent] += is_guessed_by_charset_normalizer(case)
        if found != "right" and options.list:
            print(found, case.path.name, case.extent, case.codec, guess and guess[::2], case.text)
    report(verdicts, by_confidence)
    if options.compare:
        print(f"right by charset-normalizer: {theirs['whole']} whole, {theirs['names']} names")
    print(f"{1000 * seconds / max(verdicts.total(), 1):.2f} ms a guess")
    return 0


def report(
    verdicts: Counter[tuple[str, str, str]], by_confidence: Counter[tuple[int, bool]]
) -> None:
    """Print the verdicts by charset, and how many of the guesses of a confidence are right."""
    print(f"{'charset':12}{'texts':8}{'right':>7}{'wrong':>7}{'none':>7}")
    for codec, extent in sorted({key[:2] for key in verdicts}, reverse=True):
        counts = (verdicts[codec, extent, found] for found in ("right", "wrong", "none"))
        print(f"{codec:12}{extent:8}" + "".join(f"{count:7}" for count in counts))
    print(f"\n{'confidence':12}{'guesses':>8}{'right':>8}")
    for limit in CONFIDENCES:
        right, wrong = by_confidence[limit, True], by_confidence[limit, False]
        if right + wrong:
            print(f"{f'from {limit} %':12}{right + wrong:8}{right / (right + wrong):8.1%}")


if __name__ == "__main__":
    sys.exit(main())
