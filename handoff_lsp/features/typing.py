"""Findings that wait while a line is being typed: those that may only be due to the unfinished line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from handoff_lsp.features.diagnostics import Diagnostic
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.rules.rule import reported_elsewhere
from handoff_lsp.text import Source, Span
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.text.named_tuple import NamedTuple

# A longer change (code points) is not typing, but a paste or a program's edit.
MAX_TYPED = 100

_DiagnosticKey = tuple[str, str | None]


class Typed(NamedTuple):
    """A change by typing: the line (0-based) in which it begins, and the line of the cursor after it."""

    before: int
    after: int


def typed(source: Source, span: Span, text: str) -> Typed | None:
    """A change of a text if it may be typing; None for a paste, an undo or another program's edit.

    ``source`` is the text before it, ``span`` the replaced part (code points). It may insert or delete one line break.
    """
    first, last = source.lines.line_of(span.start), source.lines.line_of(span.end)
    breaks = Source(text).lines.count - 1 if len(text) <= MAX_TYPED else MAX_TYPED
    joined = last - first
    if breaks + joined > 1 or len(text) > MAX_TYPED or span.end - span.start > MAX_TYPED:
        return None
    return Typed(first, first + breaks)


@lazy_dataclass(frozen=True, slots=True)
class Typing:
    """A line that is being typed, and the diagnostics of the document that were shown before.

    ``line``: the line of the cursor. ``near``: the diagnostics in the line of the first change; ``anywhere``: those of
    the whole document, ``messages``: with their messages.
    """

    line: int
    near: frozenset[_DiagnosticKey]
    anywhere: Counter[_DiagnosticKey]
    messages: Counter[tuple[_DiagnosticKey, str]]

    def continues(self, change: Typed) -> bool:
        """Whether another change is in the same line."""
        return change.before == change.after == self.line


def begun(change: Typed, source: Source, found: Sequence[Diagnostic]) -> Typing:
    """Typing that begins with a change. ``found``: the diagnostics last shown, those of the text ``source``."""
    near = frozenset(_key(item) for item in found if _touches(source, item.span, change.before))
    keys = Counter(_key(item) for item in found)
    return Typing(change.after, near, keys, Counter((_key(item), item.message) for item in found))


def waiting(typing: Typing, source: Source, found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Those of ``found``, the diagnostics of the current text, that wait until the line is finished, in order."""
    left, messages = typing.anywhere.copy(), typing.messages.copy()
    # A diagnostic with a message that was shown before is the same one, even if its rule now reports more above it.
    same = set()
    for item in found:
        worded = _key(item), item.message
        if messages[worded] > 0:
            messages[worded] -= 1
            left[worded[0]] -= 1
            same.add(id(item))
    held = []
    for item in found:
        key, when, known = _key(item), _unfinished(item.code), id(item) in same
        if not known:
            left[key] -= 1
        if when == "no":
            continue
        here = _touches(source, item.span, typing.line)
        new = key not in typing.near if here else when == "anywhere" and not known and left[key] < 0
        if new:
            held.append(item)
    return held


def _key(item: Diagnostic) -> _DiagnosticKey:
    """The identity of a diagnostic across texts: its field, or its message in a file without fields."""
    field = item.data.get("field")
    rule = all_rules().get(item.code)
    named = field if isinstance(field, str) else None
    return item.code, item.message if rule is not None and rule.check is reported_elsewhere else named


def _unfinished(code: str) -> str:
    rule = all_rules().get(code)
    return rule.unfinished if rule is not None else "no"


def _touches(source: Source, span: Span, line: int) -> bool:
    lines = source.lines
    return lines.line_of(span.start) <= line <= lines.line_of(span.end)
