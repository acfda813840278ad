"""The place of the cursor in a contract file, found by indentation and brackets: half-typed YAML has one, too."""

from __future__ import annotations

import re
from dataclasses import field
from typing import Literal

from handoff_lsp.contracts.problems import KeyPath
from handoff_lsp.text import Source, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.text.named_tuple import NamedTuple

_KEY = lazy_pattern(
    r"""(?P<key>"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s\[\]{},#&*!|>'"%@`](?:[^:\s]|:(?=\S)|[ \t]+(?![#\s]))*?)"""
    r"""[ \t]*:(?=[ \t]|\Z)"""
)
_PROPERTY = lazy_pattern(r"[&!][^\s]*[ \t]+")
_BLOCK = lazy_pattern(r"[|>][-+0-9]*[ \t]*(?:#.*)?\Z")
_DASH = lazy_pattern(r"-(?:[ \t]+|\Z)")
_RIGHT_OF_KEY = lazy_pattern(r"[\w.+-]*")
_RIGHT_IN_FLOW = lazy_pattern(r"[^,\[\]{}#\r\n'\"]*")
_RIGHT_IN_BLOCK = lazy_pattern(r"[^#\r\n'\"]*")
_COLON = lazy_pattern(r"['\"]?[ \t]*:(?:[ \t]|$)", re.MULTILINE)
_SIGNS = "[{\"'&!"
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "/": "/", "0": "\0"}

ScalarStyle = Literal["plain", "'", '"', "block"]


class YamlPlace(NamedTuple):
    """Where the cursor is.

    ``path``: of the value that is written, or of the mapping in which a key is. ``kind``: what is written; `either`
    before either is clear. ``span``: the token around the cursor, without quotes. ``before``: what the value says left
    of the cursor. ``column``: of the key. ``has_colon``: whether the key has its colon.
    """

    path: KeyPath
    kind: Literal["key", "value", "either"]
    span: Span
    before: str
    style: ScalarStyle = "plain"
    column: int = 0
    in_flow: bool = False
    has_colon: bool = False


@lazy_dataclass
class _OpenStep:
    """A key or an item of a list whose value is still open. A key in brackets has the column -1."""

    column: int
    step: str | int


@lazy_dataclass
class _Bracket:
    """An open bracket. ``step``: the key or the index of the value that is next; None before a key."""

    sign: str
    step: str | int | None


@lazy_dataclass
class _Reading:
    """The open places at an offset: those of lines, those in brackets, and the scalar that is being written."""

    text: str
    frames: list[_OpenStep] = field(default_factory=list)
    flow: list[_Bracket] = field(default_factory=list)
    quote: str = ""  # the sign of an open quoted scalar
    token: int = -1  # where the scalar that is being written begins, behind its quote; -1: nowhere
    block: int = -1  # the column of the key of an open block scalar; -1: none
    folded: bool = False

    @property
    def path(self) -> KeyPath:
        inner = [frame.step for frame in self.flow if frame.step is not None]
        return (*(frame.step for frame in self.frames), *inner)


def place_at(source: Source, offset: int) -> YamlPlace | None:
    """The place of the cursor; None in a comment."""
    text, lines = source.text, source.lines
    scan = _Reading(text)
    last = lines.line_of(offset)
    for number in range(last):
        span = lines.line_span(number)
        _line(scan, span.start, span.end)
    span = lines.line_span(last)
    return _in_line(scan, span.start, span.end, offset)


def _line(scan: _Reading, start: int, end: int) -> None:
    """Read one whole line."""
    if scan.flow or scan.quote:
        _tokens(scan, start, end)
        return
    line = scan.text[start:end]
    column = len(line) - len(line.lstrip(" "))
    content = line[column:].strip()
    if not content:
        return
    if scan.block >= 0:
        if column > scan.block:
            return
        scan.block = scan.token = -1
    if content.startswith(("#", "%")) or content in {"---", "..."}:
        return
    at, _ = _heads(scan, start, end, column)
    if at is not None:
        _value(scan, at, end)


def _heads(scan: _Reading, start: int, end: int, column: int) -> tuple[int | None, int]:
    """Open the items and the key that a line begins with.

    Returns where the value begins, None for a line that goes on with a scalar, and the column of what is there.
    """
    text, at = scan.text, start + column
    opened = False
    while dash := _DASH.match(text, at, end):
        _item(scan, column)
        column += dash.end() - at
        at, opened = dash.end(), True
    key = _KEY.match(text, at, end)
    if key is None:
        begins = opened or (scan.token < 0 and text[at] in _SIGNS)
        return (at if begins else None), column
    _close(scan, column)
    while scan.frames and scan.frames[-1].column == column:
        scan.frames.pop()
    scan.frames.append(_OpenStep(column, _unquoted(key["key"])))
    return key.end(), column


def _item(scan: _Reading, column: int) -> None:
    _close(scan, column)
    top = scan.frames[-1] if scan.frames else None
    if top is not None and top.column == column and isinstance(top.step, int):
        top.step += 1
    else:
        scan.frames.append(_OpenStep(column, 0))


def _close(scan: _Reading, column: int) -> None:
    """Close what is further to the right than a column."""
    while scan.frames and scan.frames[-1].column > column:
        scan.frames.pop()


def _value(scan: _Reading, at: int, end: int) -> None:
    """Read the value that begins at an offset, to the end of its line."""
    text = scan.text
    while at < end and text[at] in " \t":
        at += 1
    while at < end and (found := _PROPERTY.match(text, at, end)):
        at = found.end()
    scan.token = -1
    if block := _BLOCK.match(text, at, end):
        scan.block = scan.frames[-1].column if scan.frames else 0
        scan.folded, scan.token = text[at] == ">", block.end()
    elif at < end and text[at] in "[{\"'":
        _tokens(scan, at, end)
    elif at < end and text[at] != "#":
        scan.token = at


def _tokens(scan: _Reading, at: int, end: int) -> None:
    """Read brackets and quotes up to an offset."""
    text = scan.text
    while at < end:
        char = text[at]
        if scan.quote:
            if char == "\\" and scan.quote == '"':
                at += 2
                continue
            if char == scan.quote:
                if scan.quote == "'" and text[at + 1 : at + 2] == "'":
                    at += 2
                    continue
                scan.quote = ""
                if not scan.flow:  # the rest of the line is a comment, if anything
                    scan.token = -1
                    return
            at += 1
        elif char in "[{":
            scan.flow.append(_Bracket(char, 0 if char == "[" else None))
            scan.token = -1
            at += 1
        elif char in "]}":
            if scan.flow:
                scan.flow.pop()
            scan.token = -1
            at += 1
            if not scan.flow:
                return
        elif char == ",":
            scan.flow[-1].step = step + 1 if isinstance(step := scan.flow[-1].step, int) else None
            scan.token = -1
            at += 1
        elif char == "#" and text[at - 1 : at] in {" ", "\t", ""}:
            return
        elif char == ":" and (at + 1 >= end or text[at + 1] in " \t[{]},\"'"):
            top = scan.flow[-1] if scan.flow else None
            if top is not None and top.sign == "{" and top.step is None and scan.token >= 0:
                top.step = _unquoted(text[scan.token : at].rstrip().rstrip("\"'"))
            scan.token = -1
            at += 1
        elif char in "\"'" and scan.token < 0:
            scan.quote, scan.token = char, at + 1
            at += 1
        else:
            if scan.token < 0 and char not in " \t":
                scan.token = at
            at += 1


def _in_line(scan: _Reading, start: int, end: int, offset: int) -> YamlPlace | None:
    """The place in the cursor's line, of which only what is left of the cursor counts."""
    text = scan.text
    if scan.flow or scan.quote:
        _tokens(scan, start, offset)
        return _in_value(scan, offset, end)
    line = text[start:end]
    blank = not line.strip()
    column = offset - start if blank else len(line) - len(line.lstrip(" "))
    if scan.block >= 0:
        if column > scan.block:
            return _in_value(scan, offset, end)
        scan.block = scan.token = -1
    if text[start:offset].lstrip().startswith("#"):
        return None
    if offset < start + column:
        return None
    at = start + column
    opened = False
    while (dash := _DASH.match(text, at, end)) and dash.start() < offset:
        if offset < dash.end() and text[offset:end].strip():
            break
        _item(scan, column)
        column += dash.end() - at
        at, opened = dash.end(), True
    key = _KEY.match(text, at, end)
    if key is not None and key.end() <= offset:
        _close(scan, column)
        while scan.frames and scan.frames[-1].column == column:
            scan.frames.pop()
        scan.frames.append(_OpenStep(column, _unquoted(key["key"])))
        _value(scan, key.end(), offset)
        return _in_value(scan, offset, end) if not _in_comment(text, key.end(), offset, scan) else None
    if key is None and not opened and scan.token >= 0 and scan.frames and column > scan.frames[-1].column and not blank:
        return _in_value(scan, offset, end)
    _close(scan, column if not opened else column - 1)
    if not opened:
        top = scan.frames[-1] if scan.frames else None
        if top is not None and top.column == column:
            if isinstance(top.step, int):
                top.step += 1
                return YamlPlace(scan.path, "either", Span(offset, offset), "", column=column)
            scan.frames.pop()
    if (opened or scan.token < 0) and at < offset and text[at] in _SIGNS and key is None:
        _value(scan, at, offset)
        return _in_value(scan, offset, end)
    if key is not None:
        span = Span(at, key.end("key"))
        return YamlPlace(scan.path, "key", span, text[at:offset], column=column, has_colon=True)
    begin = min(at, offset)
    right = _RIGHT_OF_KEY.match(text, offset, end)
    span = Span(begin, right.end() if right is not None else offset)
    before = text[begin:offset]
    return YamlPlace(
        scan.path, "either", span, before, column=column, has_colon=_COLON.match(text, span.end) is not None
    )


def _in_comment(text: str, start: int, offset: int, scan: _Reading) -> bool:
    return scan.token < 0 and not scan.flow and "#" in text[start:offset] and not scan.quote


def _in_value(scan: _Reading, offset: int, end: int) -> YamlPlace:
    """The place in a scalar, or in brackets."""
    text = scan.text
    begin = scan.token if scan.token >= 0 else offset
    top = scan.flow[-1] if scan.flow else None
    if top is not None and top.sign == "{" and top.step is None:
        right = _RIGHT_OF_KEY.match(text, offset, end)
        span = Span(begin, right.end() if right is not None else offset)
        colon = _COLON.match(text, span.end) is not None
        return YamlPlace(scan.path, "key", span, text[begin:offset], in_flow=True, has_colon=colon)
    style: ScalarStyle = "block" if scan.block >= 0 else "'" if scan.quote == "'" else '"' if scan.quote else "plain"
    right = (_RIGHT_IN_FLOW if scan.flow else _RIGHT_IN_BLOCK).match(text, offset, end)
    stop = offset + len(right[0].rstrip()) if right is not None else offset
    before = _said(text[begin:offset], style, folded=scan.folded)
    kind: Literal["value", "either"] = "either" if style == "plain" and top is not None and top.sign == "[" else "value"
    return YamlPlace(scan.path, kind, Span(begin, stop), before, style, in_flow=bool(scan.flow))


def _said(written: str, style: ScalarStyle, *, folded: bool) -> str:
    """What a part of a scalar says, from its start."""
    if style == "block":
        return (" " if folded else "\n").join(line.strip(" ") for line in written.splitlines()).strip("\n")
    joined = re.sub(r"[ \t]*(?:\r\n|\r|\n)[ \t]*", " ", written)
    if style == "'":
        return joined.replace("''", "'")
    if style == '"':
        return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), joined)
    return joined


def _unquoted(key: str) -> str:
    return key[1:-1] if key[:1] in {"'", '"'} and key[-1:] == key[:1] and len(key) > 1 else key
