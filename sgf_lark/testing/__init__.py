"""For tests of programs that write or read SGF.

:func:`assert_conforms` checks what a program writes. The pytest plugin, which needs no set-up,
runs the conformance suite against a reader (``pytest --sgf-conformance module:function``) and has
the fixtures ``sgf_files`` and ``sgf_violations``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sgf_lark.diagnostics import Diagnostic

#: A failure shows at most this many diagnostics.
_MOST_SHOWN = 20
#: The number of bytes that are shown before and after a place.
_AROUND = 30


def assert_conforms(
    data: bytes | str,
    *,
    profile: str = "interchange",
    select: Iterable[str] | None = None,
    ignore: Iterable[str] | None = None,
    charset: str | None = None,
) -> None:
    """Assert that a file has no errors; the failure shows each error at its place.

    `data` is the content of a file, as for :func:`sgf_lark.validate`; so are the options. The
    profile "interchange" has what a reader must be able to rely on; "strict" is the specification
    as written. Raises AssertionError, and what :func:`sgf_lark.validate` raises.
    """
    __tracebackhide__ = True
    from sgf_lark.validation import validate

    report = validate(data, profile=profile, select=select, ignore=ignore, charset=charset)
    if report.ok:
        return
    errors = [found for found in report.diagnostics if found.severity == "error"]
    content = data.encode("utf-8", "replace") if isinstance(data, str) else data
    shown = [_shown(found, content) for found in errors[:_MOST_SHOWN]]
    if len(errors) > _MOST_SHOWN:
        shown.append(f"… and {len(errors) - _MOST_SHOWN} more")
    count = f"{len(errors)} error{'s' if len(errors) > 1 else ''}"
    raise AssertionError(f"the file does not conform: {count}\n" + "\n".join(shown))


def _shown(found: Diagnostic, content: bytes) -> str:
    """A diagnostic with its place, what the file has there, and how to fix it."""
    from sgf_lark.text.escaping import escape

    span = found.span
    lines = [f"{span.line}:{span.column} {found.code} {found.name}: {found.message}"]
    around = content[max(0, span.start - _AROUND) : span.end + _AROUND]
    excerpt = escape(around.decode("utf-8", "replace"))
    lines.append(f"    in: {excerpt}")
    if found.fix:
        lines.append(f"    fix: {found.fix}")
    return "\n".join(lines)
