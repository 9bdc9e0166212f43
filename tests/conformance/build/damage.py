"""Makes the cases of damaged files: conforming files, each damaged at one place.

The tree that a tolerant parser has to recover is that of the file before it was damaged, or of
that part of it which is left: no judgment enters it. Damage after which several trees are
possible is not made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.conformance.build import reference
from tests.conformance.build.cases import MARK, Case

GROUP = "damage"
#: The files to damage: a game, variations, a setup, two trees, another game, and texts with
#: brackets, semicolons and parentheses inside.
FILES = {
    "moves": "(;FF[4]GM[1]SZ[9]PB[A]PW[B];B[ee];W[cc]C[good];B[gc])",
    "variations": "(;FF[4]GM[1]SZ[19];B[pd](;W[dp];B[pp](;W[dd])(;W[qn]))(;W[dd]N[other]))",
    "setup": "(;FF[4]GM[1]SZ[13]AB[dd][jd][dj]AW[jj]PL[W];W[gg];B[gd]LB[gd:a][gg:b])",
    "two-trees": "(;FF[4]GM[1]GN[one];B[aa];W[bb])(;FF[4]GM[1]GN[two];B[cc](;W[dd])(;W[ee]))",
    "hex": "(;FF[4]GM[11]SZ[11];B[f6];W[g5](;B[e7])(;B[h4]))",
    "texts": "(;FF[4]GM[1]C[a (;B[aa\\]) b];B[dd]C[1; 2];W[ee]C[a\\\\])",
}
_TOKEN = re.compile(r"[();]|[A-Z]+|\[(?:\\.|[^\]\\])*\]", re.DOTALL)


@dataclass(frozen=True)
class _Kind:
    """One kind of damage: `damage` yields damaged files with the part that is left of them.

    `code` is the rule that the file violates, at its mark if it has one.
    `fixed` is whether a safe fix may give the same tree: it drops nothing but signs.
    """

    name: str
    about: str
    code: str
    damage: Callable[[list[str]], Iterator[tuple[str, str]]]
    fixed: bool = True


def cases() -> Iterator[Case]:
    """Yield the cases, each with a different file."""
    seen: set[str] = set()
    for kind in _KINDS:
        for name, sgf in FILES.items():
            places = enumerate(kind.damage(_TOKEN.findall(sgf)), 1)
            for number, (given, left) in places:
                if given in seen:
                    continue
                seen.add(given)
                is_open = _may_be_skipped(given)
                yield Case(
                    group=GROUP,
                    name=f"{kind.name}-{name}-{number}",
                    verdict="either" if is_open else "reject",
                    about=f"{kind.about} {_SKIPPED}" if is_open else kind.about,
                    source="sgf4, EBNF",
                    given=given,
                    tree=not is_open,
                    codes=[kind.code] if MARK in given else [],
                    rules=[kind.code],
                    recovered=left,
                    fixed=left if kind.fixed and not _may_lack_another(given) else None,
                )


_SKIPPED = "A parser may skip what comes before the next tree as text before the first one."


def _may_be_skipped(given: str) -> bool:
    """Whether the damage is before the first "(;", and what follows from there conforms."""
    text = given.replace(MARK, "")
    first = text.find("(;")
    if first <= 0:
        return False
    try:
        reference.read(text[first:].encode("latin-1"))
    except reference.OutsideGrammar:
        return False
    return True


def _may_lack_another(given: str) -> bool:
    """Whether the file ends with a ")", but not all are there: any of them may be missing."""
    return given.endswith(")") and _depth(_TOKEN.findall(given)) > 0


# --- Kinds of damage ------------------------------------------------------------------


def _inserted(
    text: str, before: str, *, after: str = ""
) -> Callable[[list[str]], Iterator[tuple[str, str]]]:
    """Insert `text` before tokens that begin with one of the characters `before`.

    "A" means an identifier. With `after`, only where the token before them begins with one of
    these: elsewhere the text could be the node or the value that is missing there.
    """

    def damage(tokens: list[str]) -> Iterator[tuple[str, str]]:
        whole = "".join(tokens)
        places = [
            at
            for at, token in enumerate(tokens)
            # Text before the first tree is another case: parsers may skip it.
            if at > 1 and (token[0] in before or (before == "A" and token.isalpha()))
            if not after or tokens[at - 1][0] in after
        ]
        for at in _spread(places):
            yield "".join([*tokens[:at], MARK, text, *tokens[at:]]), whole

    return damage


def _spread(places: list[int]) -> list[int]:
    """Return the first, the middle and the last of the places."""
    return [*dict.fromkeys([places[0], places[len(places) // 2], places[-1]])] if places else []


def _appended(text: str) -> Callable[[list[str]], Iterator[tuple[str, str]]]:
    def damage(tokens: list[str]) -> Iterator[tuple[str, str]]:
        whole = "".join(tokens)
        yield f"{whole}{text}", whole

    return damage


def _cut(tokens: list[str]) -> Iterator[tuple[str, str]]:
    """Cut the file off after a value or a variation; what is left is closed."""
    ends = [at for at, token in enumerate(tokens[:-1]) if token[0] == "[" or token == ")"]
    for at in _spread([at for at in ends if _depth(tokens[: at + 1])]):
        left = tokens[: at + 1]
        yield "".join(left), "".join(left) + ")" * _depth(left)


def _cut_in_value(tokens: list[str]) -> Iterator[tuple[str, str]]:
    """Cut the file off inside a value, which keeps what it has."""
    values = [at for at, token in enumerate(tokens) if token[0] == "[" and len(token) > 3]
    for at in _spread(values):
        left = [*tokens[:at], tokens[at][:2]]
        yield "".join(left), "".join(left) + "]" + ")" * _depth(left)


def _depth(tokens: list[str]) -> int:
    return tokens.count("(") - tokens.count(")")


def _without_semicolon(tokens: list[str]) -> Iterator[tuple[str, str]]:
    """Omit the semicolon of the first node of a tree or variation that has properties."""
    places = [
        at
        for at, token in enumerate(tokens)
        if token == ";" and tokens[at - 1] == "(" and tokens[at + 1].isalpha()
    ]
    for at in _spread(places):
        yield "".join([*tokens[:at], MARK, *tokens[at + 1 :]]), "".join(tokens)


def _doubled_parentheses(tokens: list[str]) -> Iterator[tuple[str, str]]:
    """Put a variation into parentheses of its own."""
    opened: list[int] = []
    pairs = []
    for at, token in enumerate(tokens):
        if token == "(":
            opened.append(at)
        elif token == ")":
            pairs.append((opened.pop(), at))
    for start, end in pairs:
        inner = "".join(tokens[start : end + 1])
        before, after = "".join(tokens[:start]), "".join(tokens[end + 1 :])
        yield f"{before}({MARK}{inner}){after}", "".join(tokens)


_KINDS = (
    _Kind(
        "text-after",
        "Text follows the last tree.",
        "SGF102",
        _appended(f" {MARK}the end"),
        fixed=False,
    ),
    _Kind("closed-twice", "The last tree is closed twice.", "SGF108", _appended(f"{MARK})")),
    _Kind("cut", "The file is cut off after a value or a variation.", "SGF107", _cut),
    _Kind(
        "cut-in-value", "The file is cut off inside a value.", "SGF119", _cut_in_value, fixed=False
    ),
    _Kind(
        "no-semicolon",
        "The first node of a tree or variation has no semicolon.",
        "SGF103",
        _without_semicolon,
        fixed=False,
    ),
    _Kind(
        "two-parentheses",
        "A tree or variation is in two pairs of parentheses.",
        "SGF105",
        _doubled_parentheses,
    ),
    _Kind("empty", "A variation without a node.", "SGF104", _inserted("()", ")")),
    _Kind("comma-node", "A comma before a node.", "SGF120", _inserted(",", ";", after=";[")),
    _Kind(
        "words-node",
        "Words before a node.",
        "SGF120",
        _inserted("3. ", ";", after=";["),
        fixed=False,
    ),
    _Kind("sign-property", "A sign before a property.", "SGF120", _inserted("!", "A"), fixed=False),
    _Kind(
        "control-property",
        "A control character before a property.",
        "SGF122",
        _inserted("\x01", "A"),
    ),
    _Kind(
        "control-value",
        "A control character before a second value.",
        "SGF122",
        _inserted("\x02", "[", after="["),
    ),
    _Kind("zero-node", "A zero byte before a node.", "SGF121", _inserted("\0", ";")),
    _Kind(
        "zero-close",
        "A zero byte before the end of a tree or variation.",
        "SGF121",
        _inserted("\0", ")"),
    ),
    _Kind(
        "no-value",
        "An identifier without a value.",
        "SGF110",
        _inserted("KO", ";", after=";["),
        fixed=False,
    ),
    _Kind(
        "no-value-end",
        "An identifier without a value before the end of a variation.",
        "SGF110",
        _inserted("KO", ")", after="["),
        fixed=False,
    ),
)
