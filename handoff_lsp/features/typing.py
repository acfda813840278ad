"""Which findings wait while a line is being typed: those that may only be about its not being finished yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from handoff_lsp.features.diagnostics import Diagnostic
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.text import Source, Span

# More than this at once (code points) is not typed, but pasted or written by something.
MAX_TYPED = 100

_DiagnosticKey = tuple[str, str | None]


class Typed(NamedTuple):
    """A change as a person makes it: the line (0-based) that it was made in, and the one the cursor is in after it."""

    before: int
    after: int


def typed(source: Source, span: Span, text: str) -> Typed | None:
    """What a change of a text is where it may be typing; None where it is a paste, an undo or another program's.

    ``source`` is the text before it, ``span`` what it replaces (code points). A line break may be typed or deleted.
    """
    first, last = source.lines.line_of(span.start), source.lines.line_of(span.end)
    breaks = Source(text).lines.count - 1 if len(text) <= MAX_TYPED else MAX_TYPED
    joined = last - first
    if breaks + joined > 1 or len(text) > MAX_TYPED or span.end - span.start > MAX_TYPED:
        return None
    return Typed(first, first + breaks)


@dataclass(frozen=True, slots=True)
class Typing:
    """A line that is being typed, and what was shown of the document before that began.

    ``line`` has the cursor. ``near``: the diagnostics shown in the line of the first change; ``anywhere``: all that
    were shown; ``messages``: the same with their messages.
    """

    line: int
    near: frozenset[_DiagnosticKey]
    anywhere: Counter[_DiagnosticKey]
    messages: Counter[tuple[_DiagnosticKey, str]]

    def continues(self, change: Typed) -> bool:
        """Whether a further change is in the same line."""
        return change.before == change.after == self.line


def begun(change: Typed, source: Source, found: Sequence[Diagnostic]) -> Typing:
    """Typing that begins with a change. ``found`` is what was last shown, of the text ``source``."""
    near = frozenset(_key(item) for item in found if _touches(source, item.span, change.before))
    keys = Counter(_key(item) for item in found)
    return Typing(change.after, near, keys, Counter((_key(item), item.message) for item in found))


def waiting(typing: Typing, source: Source, found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """What of ``found`` in the text as it is now waits until the line is finished, in its order."""
    left, messages = typing.anywhere.copy(), typing.messages.copy()
    # A finding with a message that was shown is the same one, whatever the same rule now finds above it.
    same = set()
    for item in found:
        shown = _key(item), item.message
        if messages[shown] > 0:
            messages[shown] -= 1
            left[shown[0]] -= 1
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
    field = item.data.get("field")
    return item.code, field if isinstance(field, str) else None


def _unfinished(code: str) -> str:
    rule = all_rules().get(code)
    return rule.unfinished if rule is not None else "no"


def _touches(source: Source, span: Span, line: int) -> bool:
    lines = source.lines
    return lines.line_of(span.start) <= line <= lines.line_of(span.end)
