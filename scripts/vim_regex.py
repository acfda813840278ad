"""Patterns of contract files as Vim writes them, for the Neovim plugin, which has neither RE2 nor Python."""

from __future__ import annotations

from re import _constants as op  # type: ignore[attr-defined]  # how `re` itself reads a pattern
from re import _parser  # type: ignore[attr-defined]
from typing import Any

# A word's edge, whatever the buffer's 'iskeyword' says.
_EDGE = r"\%(\w\@1<=\w\@!\|\w\@1<!\w\@=\)"
_CATEGORIES = {
    op.CATEGORY_DIGIT: (r"\d", "0-9"),
    op.CATEGORY_NOT_DIGIT: (r"\D", None),
    op.CATEGORY_SPACE: (r"\[ \t\r\n]", r" \t\r\n"),
    op.CATEGORY_NOT_SPACE: (r"\[^ \t\r\n]", None),
    op.CATEGORY_WORD: (r"\w", "0-9A-Za-z_"),
    op.CATEGORY_NOT_WORD: (r"\W", None),
}
_PLACES = {
    op.AT_BEGINNING: r"\^",
    op.AT_BEGINNING_STRING: r"\^",
    op.AT_END: r"\$",
    op.AT_END_STRING: r"\$",
    op.AT_BOUNDARY: _EDGE,
}


def vim_regex(pattern: str) -> str:
    """A pattern for one line or path, as a Vim regular expression. Raises ValueError for what is not known here."""
    parsed = _parser.parse(pattern.replace(r"\b?", ""))  # RE2 takes an edge that need not be there; `re` does not
    case = r"\c" if parsed.state.flags & op.SRE_FLAG_IGNORECASE else r"\C"
    return r"\V" + case + _sequence(parsed)


def _sequence(items: Any) -> str:
    return "".join(_item(kind, value) for kind, value in items)


def _item(kind: Any, value: Any) -> str:
    if kind is op.LITERAL:
        return _literal(value)
    if kind is op.NOT_LITERAL:
        return rf"\[^{_in_class(value)}]"
    if kind is op.ANY:
        return r"\."
    if kind is op.IN:
        return _class(value)
    if kind is op.BRANCH:
        branches = r"\|".join(_sequence(branch) for branch in value[1])
        return rf"\%({branches}\)"
    if kind is op.SUBPATTERN and not value[1] and not value[2]:
        return rf"\%({_sequence(value[3])}\)"
    if kind in {op.MAX_REPEAT, op.MIN_REPEAT}:
        least, most, inner = value
        lazy = "-" if kind is op.MIN_REPEAT else ""
        upper = "" if most is op.MAXREPEAT else str(most)
        return rf"\%({_sequence(inner)}\)\{{{lazy}{least},{upper}}}"
    if kind is op.AT and value in _PLACES:
        return _PLACES[value]
    raise ValueError(f"no Vim regular expression for {kind} {value}")


def _literal(code: int) -> str:
    character = chr(code)
    return r"\\" if character == "\\" else character


def _class(members: Any) -> str:
    """A set of characters, or a category that stands alone as one."""
    if len(members) == 1 and members[0][0] is op.CATEGORY:
        return _CATEGORIES[members[0][1]][0]
    negated = members[0][0] is op.NEGATE
    parts = []
    for kind, value in members[1:] if negated else members:
        if kind is op.LITERAL:
            parts.append(_in_class(value))
        elif kind is op.RANGE:
            parts.append(f"{_in_class(value[0])}-{_in_class(value[1])}")
        elif kind is op.CATEGORY and (inside := _CATEGORIES[value][1]):
            parts.append(inside)
        else:
            raise ValueError(f"no Vim regular expression for {kind} {value} in a set")
    return rf"\[{'^' if negated else ''}{''.join(parts)}]"


def _in_class(code: int) -> str:
    character = chr(code)
    return "\\" + character if character in r"\]^-" else character.replace("\t", r"\t")
