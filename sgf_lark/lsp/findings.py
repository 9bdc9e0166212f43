"""Diagnostics and what can be done about them: fixes and formatting; the rules that are ignored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

from lsprotocol import types

from sgf_lark import grammar
from sgf_lark.diagnostics import Diagnostic, Language, Severity, Words
from sgf_lark.documentation import rule_page
from sgf_lark.files.inputs import Patterns
from sgf_lark.files.settings import FILES, nearest_settings
from sgf_lark.fixing.choices import Choice
from sgf_lark.fixing.rewriting import Rewriting
from sgf_lark.lsp.analysis import Analysis, Text
from sgf_lark.model.collection import Collection
from sgf_lark.model.node import Node
from sgf_lark.model.property import Property
from sgf_lark.model.tree import GameTree
from sgf_lark.rules.fixes import Edit
from sgf_lark.syntax.parsing import ParsedFile, parse_if_strict
from sgf_lark.text.escaping import escape
from sgf_lark.text.matching import differences

SOURCE = "sgf-lark"

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.STYLE: types.DiagnosticSeverity.Information,
}


def diagnostic(analysis: Analysis, uri: str, one: Diagnostic) -> types.Diagnostic:
    """A diagnostic for the document at that address."""
    text, page = analysis.text, rule_page(one.code, analysis.language)
    return types.Diagnostic(
        range=text.range(one.span.start, one.span.end),
        message=one.message,
        severity=_SEVERITIES[one.severity],
        code=one.code,
        code_description=types.CodeDescription(page) if page else None,
        source=SOURCE,
        related_information=[
            types.DiagnosticRelatedInformation(
                types.Location(uri, text.range(place.start, place.end)),
                one.message,
            )
            for place in one.related
        ]
        or None,
    )


def diagnostics(analysis: Analysis, uri: str, limit: int) -> list[types.Diagnostic]:
    """The most severe diagnostics of a text; the last of them counts those that were left out."""
    found, omitted = analysis.most_severe(limit)
    shown = [diagnostic(analysis, uri, each) for each in found.values()]
    if omitted:
        shown.append(
            types.Diagnostic(
                range=analysis.text.range(0, 0),
                message=_OMITTED.in_language(analysis.language).format(count=omitted),
                severity=types.DiagnosticSeverity.Information,
                source=SOURCE,
            )
        )
    return shown


_OMITTED = Words(
    "further findings that are not listed: {count}; run sgf-lark check to see all",
    "另有 {count} 条诊断未列出；运行 sgf-lark check 可查看全部",
)


# --- Fixes ----------------------------------------------------------------------------


#: The kind of the action that applies all safe fixes; clients can run it on save.
FIX_ALL = "source.fixAll.sgf-lark"
#: The command that does so for the document at an address, or with a code for one rule.
FIX_COMMAND = "sgf-lark.fixAll"
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
    analysis: Analysis,
    uri: str,
    area: types.Range,
    only: list[str] | None = None,
) -> list[types.CodeAction]:
    """The fixes for the findings in a range, and for the whole text.

    `only` are the kinds that the client asks for, or None for all. Safe fixes come first, and
    only they are preferred. The edits of the whole text take as long as ``sgf-lark fix``: they are
    made by a command, when the user chooses the action.
    """
    actions: list[types.CodeAction] = []
    if _is_wanted(types.CodeActionKind.QuickFix, only):
        touched = analysis.between(*analysis.text.offsets(area))
        # Editors ask whenever the cursor rests: without a finding there no fix is looked for, since
        # those of a text with thousands of findings take half a second.
        if touched:
            actions += _quick_fixes(analysis, uri, touched, safe=True)
            actions += _same_fixes(analysis, uri, touched)
            actions += _quick_fixes(analysis, uri, touched, safe=False)
    if _is_wanted(FIX_ALL, only) and (only or actions) and analysis.safe_fixes:
        actions.append(_of_whole_text(_FIX_ALL.in_language(analysis.language), FIX_ALL, uri))
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
        edits = _edits(analysis, choice) if choice is not None else []
        if choice is None or not edits:
            continue
        title = _change(choice, analysis.edits(choice), language) or one.fix or one.message
        words = (_SAFE if safe else _UNSAFE).in_language(language)
        yield types.CodeAction(
            words.format(title=title, code=one.code),
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[diagnostic(analysis, uri, one)],
            is_preferred=safe,
            edit=types.WorkspaceEdit(changes={uri: edits}),
        )


def _change(choice: Choice, edits: list[Edit], language: Language) -> str:
    """What a fix changes, such as "Replace with RE[B+]"; "" if that is long."""
    flat = choice.site.flat
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
        if analysis.codes[code] > 1:
            title = _FIX_SAME.in_language(analysis.language).format(code=code)
            yield _of_whole_text(title, types.CodeActionKind.QuickFix, uri, code)


def _of_whole_text(title: str, kind: str, uri: str, *code: str) -> types.CodeAction:
    """The action that applies all safe fixes, or those of one rule."""
    return types.CodeAction(
        title, kind=kind, command=types.Command(title, FIX_COMMAND, arguments=[uri, *code])
    )


def _edits(analysis: Analysis, choice: Choice) -> list[types.TextEdit]:
    return [
        types.TextEdit(
            analysis.text.range(edit.start, edit.end),
            edit.replacement.decode("utf-8", "surrogatepass"),
        )
        for edit in analysis.edits(choice)
    ]


def fix_all(analysis: Analysis, code: str | None = None) -> list[types.TextEdit]:
    """The edits that apply all safe fixes, of the selected rules or of one of them."""
    select = None if code is None else (code,)
    # The editor knows the charset in which it saves the text; CA stays.
    fixed = analysis.fixed(select=select, rewriting=Rewriting(charset=None))
    return edits_between(analysis.text, fixed.data)


def edits_between(text: Text, new: bytes) -> list[types.TextEdit]:
    """Edits of whole lines that turn a text into another."""
    old_lines, new_lines = text.data.splitlines(keepends=True), new.splitlines(keepends=True)
    starts = [0, *accumulate(map(len, old_lines))]
    return [
        types.TextEdit(
            text.range(starts[first], starts[last]),
            b"".join(new_lines[new_first:new_last]).decode("utf-8", "surrogatepass"),
        )
        for first, last, new_first, new_last in differences(old_lines, new_lines)
    ]


# --- Settings files -------------------------------------------------------------------


def ignored_rules(path: Path) -> tuple[str, ...]:
    """The codes, or their beginnings, that the settings ignore in a file: everywhere, in ``check``,
    and in the tables of files that match. A settings file with errors ignores nothing."""
    try:
        found = nearest_settings(path.parent)
    except (OSError, ValueError):
        return ()
    if found is None:
        return ()
    file, table = found
    tables, of_files = [table, table.get("check")], table.get(FILES)
    if isinstance(of_files, dict):
        base = str(file.parent)
        tables += [of_files[each] for each in of_files if Patterns((each,), base).match(str(path))]
    return tuple(code for each in tables for code in _codes(each))


def _codes(table: object) -> Iterator[str]:
    """The rules that a table ignores: codes or their beginnings, and names."""
    found = table.get("ignore") if isinstance(table, dict) else None
    names = {rule.name: rule.code for rule in grammar.rules().values()}
    for value in found if isinstance(found, list) else [found]:
        for part in value.split(",") if isinstance(value, str) else ():
            if part.strip():
                yield names.get(part.strip().lower(), part.strip().upper())


# --- Formatting -----------------------------------------------------------------------


#: Lines are at most this long where the format has a place for a line break.
WIDTH = 80


def format_text(analysis: Analysis) -> list[types.TextEdit]:
    """The edits that format a text; a damaged one stays as it is, until it is fixed.

    Only white space between the parts of a game tree changes. Formatting a second time changes
    nothing.
    """
    if analysis.is_damaged or not analysis.collection:
        return []
    new = (_Layout().text(analysis.collection) + "\n").encode("utf-8", "surrogatepass")
    if b"\r\n" in analysis.data:
        new = new.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    decoding = analysis.collection.file.decoding
    # Read again before it is offered: a formatter that changes a game is worse than none.
    flat = parse_if_strict(new)
    if flat is None:
        return []
    again = Collection.of_file(ParsedFile(replace(decoding, original=new, data=new), flat))
    if not all(map(GameTree.equals, analysis.collection, again)):
        return []
    return edits_between(analysis.text, analysis.data[: decoding.unicode_signature.length] + new)


class _Layout:
    """Writes a collection line by line."""

    def __init__(self) -> None:
        self.lines: list[str] = [""]
        #: Whether the last line holds one node with a move, and can take the answer to it.
        self.awaits_answer = False

    def text(self, collection: Collection) -> str:
        """The game trees with their brackets."""
        flat = collection.flat
        closing = sorted(flat.tree_close)
        place = 0
        for tree in collection:
            for number in tree.parsed.numbers:
                while closing[place] < flat.node_start[number]:
                    self._close()
                    place += 1
                if number in flat.opening:
                    self._open()
                self._node(tree.node(number))
        self.lines[-1] += ")" * (len(closing) - place)
        return "\n".join(self.lines)

    def _open(self) -> None:
        if self.lines[-1]:
            self.lines.append("")
        self.lines[-1] += "("
        self.awaits_answer = False

    def _close(self) -> None:
        self.lines[-1] += ")"
        self.awaits_answer = False

    def _node(self, node: Node) -> None:
        """Write a node: after "(", as an answer to the move on the line, or on a line."""
        properties = [self._property(entry) for entry in node.properties]
        text = ";" + "".join("".join(parts) for parts in properties)
        moves = node.moves()
        is_plain = bool(moves) and "\n" not in text and node.parent is not None
        fits = len(self.lines[-1]) + len(text) <= WIDTH
        is_opened = self.lines[-1] == "("
        if is_plain and fits and (is_opened or self.awaits_answer):
            self.lines[-1] += text
            self.awaits_answer = is_opened and _is_first_color(moves)
            return
        if not is_opened and self.lines[-1]:
            self.lines.append("")
        self.lines[-1] += ";"
        for parts in properties:
            self._pack(parts)
        self.awaits_answer = is_plain and fits and _is_first_color(moves)

    def _pack(self, parts: list[str]) -> None:
        """Write a property; lines are broken before it and between its values."""
        whole = "".join(parts)
        if "\n" not in whole and len(whole) <= WIDTH:
            parts = [whole]
        for part in parts:
            first, *further = part.split("\n")
            if len(self.lines[-1]) + len(first) > WIDTH and self.lines[-1] not in ("(;", ";"):
                self.lines.append("")
            self.lines[-1] += first
            self.lines += further

    def _property(self, entry: Property) -> list[str]:
        """The identifier with the first value, and each other value."""
        codec = entry.tree.charset
        first, *others = (f"[{raw.decode(codec, 'surrogatepass')}]" for raw in entry.raw)
        return [entry.ident + first, *others]


def _is_first_color(moves: list[Property]) -> bool:
    """Whether a move is one of Black, which a pair of moves begins with."""
    return moves[0].ident == "B"
