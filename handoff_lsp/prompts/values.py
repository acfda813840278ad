"""The values that follow a field's name in prose: `STATUS: a | b`, ``status``: ``a`` or ``b``, "status: ``a``"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from handoff_lsp.prompts.chunk import Code
from handoff_lsp.prompts.view import PromptView
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

# `LABEL: rest` in one code span; the label may be quoted, or a heading.
_LABELLED = lazy_pattern(
    r"[#>*_\"'\s-]*(?P<label>[^\W\d_][\w .-]{0,40}?)[\"'*_]*[ \t]*[:=：][*_]*[ \t]*(?P<rest>\S.*)", re.S
)
# Between a label and its first value: a sign, words such as "value", or the end of the emphasis.
_LINK = lazy_pattern(
    r"[`*_\"”)]*\s*(?:[:：=]|→|=>|\bto\b|\bis\b|\bof\b|[—–-](?=\s))?[*_]*\s*"
    r"(?:(?:the|a|one of|either|must be|be|exactly|value|values|field|with|using|is|to|set to|の値|は|を|が|値|[:：=])"
    r"[*_]*\s*)*",
    re.I,
)
_SIGN = lazy_pattern(r"[:：=→]|=>|\b(?:to|is|of|value|values)\b|は|を")
_STRONG = lazy_pattern(r"[:：=](?!>)|\b(?:to|is|values?)\b|値は")
# Between two values: a sign or a word, after a remark in brackets.
_BETWEEN = lazy_pattern(
    r"[`*_]*\s*(?:\([^()]{0,120}\)|（[^（）]{0,120}）)?\s*(?:[|,/、，]|\\\||\bor\b|\band\b|\bo\b|\bou\b|\boder\b|または|もしくは|、)"
    r"[\s`*_]*?(?:or\s+|and\s+|または)?(?=`)",
    re.I,
)
_SPLIT = lazy_pattern(r"\s*(?:\\?\||,|、|\s/\s|\s\bor\b\s|または)\s*(?:or\s+)?")
# One word, or a few: no sentence, no placeholder, no path.
_VALUE = lazy_pattern(r"[^\W_][\w-]*(?:/[\w-]{1,3})?(?:[ ][\w-]+){0,3}")
# Words for the type of a value, and for values to be filled in.
_NO_VALUE = frozenset(
    {
        "enum",
        "string",
        "str",
        "text",
        "boolean",
        "bool",
        "integer",
        "int",
        "number",
        "list",
        "array",
        "object",
        "value",
        "tbd",
        "todo",
    }
)
_QUOTES = "\"'`"
# After a label: bare words in a list.
_BARE = lazy_pattern(r"[`*_\"]*\s*[:：=]\s*(?P<list>[\w-]+(?:\s*(?:\||,|/)\s*(?:or\s+|and\s+)?[\w-]+|\s+or\s+[\w-]+)+)")


# The most code spans of a list; what is longer is no list of values.
_MOST = 200


class WrittenValue(NamedTuple):
    """A value as it is written."""

    text: str
    span: Span

    def moved(self, by: int) -> WrittenValue:
        """The same at a later place."""
        return WrittenValue(self.text, self.span.shift(by))


def labelled(code: Code) -> tuple[str, list[WrittenValue]] | None:
    """The label and the values of a code span such as `STATUS: success | error`; None if it has no label."""
    match = _LABELLED.fullmatch(code.text)
    if match is None:
        return None
    return match["label"].strip(), list(split_values(match["rest"], code.inner.start + match.start("rest")))


def split_values(text: str, start: int) -> Iterator[WrittenValue]:
    """The values of a list in plain text, which begins at ``start``; none if it is no list of values."""
    at = 0
    for cut in [*_SPLIT.finditer(text), None]:
        end = cut.start() if cut is not None else len(text)
        bare = text[at:end].strip().strip(_QUOTES).strip()
        if _VALUE.fullmatch(bare) and bare.lower() not in _NO_VALUE:
            place = start + text.index(bare, at)
            yield WrittenValue(bare, Span(place, place + len(bare)))
        at = cut.end() if cut is not None else end


def values_after(view: PromptView, end: int, *, plain: bool) -> list[WrittenValue]:
    """The values after a label that ends at an offset. A ``plain`` label needs a sign or word in between."""
    link = _LINK.match(view.prose, end)
    place = link.end() if link is not None else end
    if plain and not _SIGN.search(view.prose, end, place):
        return []
    found = list(chain(view, place))
    if not found and (bare := _BARE.match(view.prose, end)) is not None:
        found = list(split_values(bare["list"], bare.start("list")))
    return found


def is_linked(view: PromptView, end: int) -> bool:
    """Whether a colon, or a word such as "to", follows a label that ends at an offset, and not only a particle."""
    link = _LINK.match(view.prose, end)
    return link is not None and _STRONG.search(link[0]) is not None


def chain(view: PromptView, place: int) -> Iterator[WrittenValue]:
    """The values in the code span at an offset, and in those that follow it in the same list, as in `a` / `b`."""
    code = view.code_at(place)
    for _ in range(_MOST):
        if code is None:
            return
        pieces = list(split_values(code.text, code.inner.start))
        yield from pieces
        between = _BETWEEN.match(view.prose, code.span.end)
        code = view.code_at(between.end()) if between is not None and pieces else None


def first_code(view: PromptView, span: Span) -> Code | None:
    """The code span that a part of the prose begins with, perhaps in emphasis; None without one."""
    start = span.start
    while start < span.end and view.prose[start] in "*_ \t":
        start += 1
    return view.code_at(start)
