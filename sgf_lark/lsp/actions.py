"""Fixes as code actions and as edits of a whole text."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from sgf_lark.diagnostics import Diagnostic, Language, Words
from sgf_lark.fixing import fix
from sgf_lark.fixing.choices import Choice
from sgf_lark.fixing.edits import edits_of
from sgf_lark.fixing.rewriting import Rewriting
from sgf_lark.lsp.analysis import Analysis
from sgf_lark.lsp.diagnostics import diagnostic
from sgf_lark.lsp.positions import Text
from sgf_lark.text.escaping import escape
from sgf_lark.text.matching import differences

#: The kind of the action that applies all safe fixes; clients can run it on save.
FIX_ALL = "source.fixAll.sgf-lark"
#: The kinds of all actions.
KINDS = (types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll, FIX_ALL)

#: Longer changes are not in a title, which has the advice of the rule then.
_LONGEST_CHANGE = 80

_REPLACE = Words("Replace with {new}", "替换为 {new}")
_DELETE = Words("Delete {old}", "删除 {old}")
_INSERT = Words("Insert {new}", "插入 {new}")
_UNSAFE = Words("{title} (may change the meaning, {code})", "{title}（可能改变含义，{code}）")
_SAFE = Words("{title} ({code})", "{title}（{code}）")
_FIX_SAME = Words("Fix all {code} in this file", "修正本文件中所有 {code}")
_FIX_ALL = Words("Apply all safe fixes of sgf-lark", "应用 sgf-lark 的所有安全修正")


def code_actions(
    analysis: Analysis, uri: str, area: types.Range, only: list[str] | None = None
) -> list[types.CodeAction]:
    """The fixes for the findings in a range, and for the whole text.

    `only` are the kinds that the client asks for, or None for all. Safe fixes come first, and
    only they are preferred.
    """
    actions: list[types.CodeAction] = []
    if _is_wanted(types.CodeActionKind.QuickFix, only):
        touched = analysis.between(*analysis.text.offsets(area))
        actions += _quick_fixes(analysis, uri, touched, safe=True)
        actions += _same_fixes(analysis, uri, touched)
        actions += _quick_fixes(analysis, uri, touched, safe=False)
    if _is_wanted(FIX_ALL, only) and (only or actions):
        edits = fix_all(analysis)
        if edits:
            title = getattr(_FIX_ALL, analysis.language)
            actions.append(_action(title, FIX_ALL, uri, edits))
    return actions


def _is_wanted(kind: str, only: list[str] | None) -> bool:
    """Whether a kind, or one above it, is asked for."""
    return only is None or any(kind == each or kind.startswith(f"{each}.") for each in only)


def _quick_fixes(
    analysis: Analysis, uri: str, touched: dict[int, Diagnostic], *, safe: bool
) -> Iterator[types.CodeAction]:
    choices = analysis.safe_fixes if safe else analysis.unsafe_fixes
    language = analysis.language
    for number, one in touched.items():
        choice = choices.get(number)
        edits = _edits(analysis.text, choice) if choice is not None else []
        if choice is None or not edits:
            continue
        title = _change(choice, language) or one.fix or one.message
        words = (_SAFE if safe else _UNSAFE).in_language(language)
        action = _action(
            words.format(title=title, code=one.code), types.CodeActionKind.QuickFix, uri, edits
        )
        action.diagnostics = [diagnostic(analysis, uri, one)]
        action.is_preferred = safe
        yield action


def _change(choice: Choice, language: Language) -> str:
    """What a fix changes, such as "Replace with RE[B+]"; "" if that is long."""
    flat = choice.site.flat
    edits = sorted(edits_of(choice.fix, flat))
    start, end = edits[0].start, max(edit.end for edit in edits)
    number = flat.property_at(start)
    if number >= 0 and (span := flat.property_span(number))[0] <= start and end <= span[1]:
        start, end = span
    if end - start > _LONGEST_CHANGE:
        return ""
    parts, done = [], start
    for edit in edits:
        parts += [flat.data[done : edit.start], edit.replacement]
        done = edit.end
    old, new = flat.data[start:end], b"".join([*parts, flat.data[done:end]])
    words = _REPLACE if old.strip() and new.strip() else _DELETE if old.strip() else _INSERT
    shown = {"old": _on_one_line(old), "new": _on_one_line(new)}
    if not old + new or len(new) > _LONGEST_CHANGE:
        return ""
    return words.in_language(language).format(**shown)


def _on_one_line(data: bytes) -> str:
    return escape(" ".join(data.decode("utf-8", "replace").split()))


def _same_fixes(
    analysis: Analysis, uri: str, touched: dict[int, Diagnostic]
) -> Iterator[types.CodeAction]:
    """For each rule whose findings in a range have safe fixes: the fix for all of the text."""
    codes = {one.code for number, one in touched.items() if number in analysis.safe_fixes}
    for code in sorted(codes):
        same = [each for each in analysis.diagnostics if each.code == code]
        edits = fix_all(analysis, code) if len(same) > 1 else []
        if edits:
            title = getattr(_FIX_SAME, analysis.language).format(code=code)
            yield _action(title, types.CodeActionKind.QuickFix, uri, edits)


def _edits(text: Text, choice: Choice) -> list[types.TextEdit]:
    return [
        types.TextEdit(
            text.range(edit.start, edit.end),
            edit.replacement.decode("utf-8", "surrogatepass"),
        )
        for edit in edits_of(choice.fix, choice.site.flat)
    ]


def _action(title: str, kind: str, uri: str, edits: list[types.TextEdit]) -> types.CodeAction:
    return types.CodeAction(title, kind=kind, edit=types.WorkspaceEdit(changes={uri: edits}))


def fix_all(analysis: Analysis, code: str | None = None) -> list[types.TextEdit]:
    """The edits that apply all safe fixes, of the selected rules or of one of them."""
    settings = analysis.settings
    select = settings.select if code is None else (code,)
    data = analysis.text.data
    # The editor knows the charset in which it saves the text; CA stays.
    as_it_is = Rewriting(charset=None)
    fixed = fix(
        data, select=select, ignore=settings.ignore, charset="UTF-8", rewriting=as_it_is
    ).data
    return edits_between(analysis.text, fixed)


def edits_between(text: Text, new: bytes) -> list[types.TextEdit]:
    """Edits of whole lines that turn a text into another."""
    if text.data == new:
        return []
    old_lines, new_lines = text.data.splitlines(keepends=True), new.splitlines(keepends=True)
    starts = [0]
    for line in old_lines:
        starts.append(starts[-1] + len(line))
    return [
        _trimmed(text, starts[first], starts[last], b"".join(new_lines[new_first:new_last]))
        for first, last, new_first, new_last in differences(old_lines, new_lines)
    ]


def _trimmed(text: Text, start: int, end: int, new: bytes) -> types.TextEdit:
    """The replacement of the bytes from `start` to `end`, without what is equal at its ends."""
    old = text.data[start:end].decode("utf-8", "surrogatepass")
    replacement = new.decode("utf-8", "surrogatepass")
    before = 0
    shorter = min(len(old), len(replacement))
    while before < shorter and old[before] == replacement[before]:
        before += 1
    after = 0
    while after < shorter - before and old[-1 - after] == replacement[-1 - after]:
        after += 1
    # No position is between the two characters of a line break.
    if before and old[before - 1] == "\r":
        before -= 1
    if after and old[len(old) - after] == "\n":
        after -= 1
    start += len(old[:before].encode("utf-8", "surrogatepass"))
    end -= len(old[len(old) - after :].encode("utf-8", "surrogatepass"))
    return types.TextEdit(text.range(start, end), replacement[before : len(replacement) - after])
