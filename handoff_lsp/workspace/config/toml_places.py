"""The places of keys and values in a TOML text, which ``tomllib`` does not give. A half-typed text has some, too."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import field
from typing import Literal

from handoff_lsp.contracts.problems import KeyPath
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.text.named_tuple import NamedTuple

_BLANK = lazy_pattern(r"(?:[ \t\r\n]+|#[^\n]*)*")
_SPACE = lazy_pattern(r"[ \t]*")
_BARE = r"[A-Za-z0-9_\-\ue000]+"
_KEY = lazy_pattern(rf"[ \t]*(?:(?P<bare>{_BARE})|\"(?P<basic>(?:[^\"\\\n]|\\.)*)\"|'(?P<literal>[^'\n]*)')")
_STRING = lazy_pattern(
    r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'',
    re.DOTALL,
)
_OPEN_STRING = lazy_pattern(r"[\"'][^\r\n]*")
_BARE_VALUE = lazy_pattern(r"[^,\]}\r\n#]*")
_RIGHT, _RIGHT_OF_TEXT = re.compile(r"[\w-]*"), re.compile(r"[\w./-]*")
# A line that begins something new, whatever is open above it.
_STATEMENT = lazy_pattern(
    rf"[ \t]*(?:\[\[?[ \t]*(?!true\b|false\b|inf\b|nan\b)[A-Za-z_]|{_BARE}(?:[ \t]*\.[^\n=]*)?[ \t]*=)"
)
# The mark of the cursor during the search for its place: no text that is typed has it.
_CURSOR = "\ue000"


class TomlToken(NamedTuple):
    """A key or a scalar value. ``path``: its own from the root; ``span``: without quotes; ``quote``: empty if bare."""

    path: KeyPath
    span: Span
    kind: Literal["header", "key", "value"]
    quote: str = ""


@lazy_dataclass
class TomlPlaces:
    """The tokens of a text in their order, and where each key, item and value begins and ends.

    Of a key that is written twice, as a table and the table above it, the first place counts.
    """

    tokens: list[TomlToken] = field(default_factory=list)
    keys: dict[KeyPath, Span] = field(default_factory=dict)
    values: dict[KeyPath, Span] = field(default_factory=dict)

    def span(self, path: KeyPath, *, is_key: bool) -> Span | None:
        """The place of a key or of its value, or of the deepest part of its path that has one."""
        if not is_key and path in self.values:
            return self.values[path]
        while path and path not in self.keys:
            path = path[:-1]
        return self.keys.get(path)


class TomlPlace(NamedTuple):
    """Where the cursor is: the token around it, with its path, and whether a ``=`` follows.

    ``alone``: nothing else is on its line.
    """

    token: TomlToken
    has_sign: bool
    alone: bool


def toml_places(text: str) -> TomlPlaces:
    """The places in a text. What is no TOML is passed over up to the next line. Never raises."""
    scan = _Scan(text)
    with suppress(RecursionError):
        scan.document()
    return scan.found


def place_at(text: str, offset: int) -> TomlPlace | None:
    """The place of the cursor; None in a comment and where nothing can be written."""
    if _CURSOR in text:
        return None
    found = toml_places(text[:offset] + _CURSOR + text[offset:])
    token = next((one for one in found.tokens if one.span.start <= offset < one.span.end), None)
    if token is None:
        return None
    path = tuple(step.replace(_CURSOR, "") if isinstance(step, str) else step for step in token.path)
    span = Span(token.span.start, token.span.end - 1)
    if not token.quote or text[span.end : span.end + 1] != token.quote:  # bare, or not closed yet
        right = (_RIGHT_OF_TEXT if token.quote else _RIGHT).match(text, offset)
        span = Span(span.start, right.end() if right is not None else offset)
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.end)
    alone = not text[start : span.start].strip() and not text[span.end : end if end >= 0 else len(text)].strip()
    after = text[span.end :].removeprefix(token.quote) if token.quote else text[span.end :]
    has_sign = after.lstrip(" \t").startswith("=")
    return TomlPlace(token._replace(path=path, span=span), has_sign, alone)


class _Lost(Exception):
    """The text is not valid TOML here."""


class _Scan:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found = TomlPlaces()
        self.counts: dict[KeyPath, int] = {}

    def document(self) -> None:
        table: KeyPath = ()
        while True:
            self._blank()
            if self.at >= len(self.text):
                return
            start = self.at
            try:
                if self._take("[["):
                    table = ()
                    table = self._header("]]", many=True)
                elif self._take("["):
                    table = ()
                    table = self._header("]", many=False)
                else:
                    self._pair(table)
            except _Lost:
                line = self.text.find("\n", max(self.at - 1, start))
                self.at = line + 1 if line >= 0 else len(self.text)

    def _header(self, close: str, *, many: bool) -> KeyPath:
        path: KeyPath = ()
        tokens = self._key((), "header")
        for index, token in enumerate(tokens):
            path = (*path, token.path[-1])
            self._note(path, token.span)
            last = index == len(tokens) - 1
            if last and many:
                self.counts[path] = self.counts.get(path, 0) + 1
            if path in self.counts:
                path = (*path, self.counts[path] - 1)
                self._note(path, token.span)
        if not self._take(close):
            raise _Lost
        return path

    def _pair(self, table: KeyPath) -> None:
        tokens = self._key(table, "key")
        for token in tokens:
            self._note(token.path, token.span)
        if not self._take("="):
            raise _Lost
        self._value(tokens[-1].path)

    def _value(self, path: KeyPath) -> None:
        self._space()
        start = self.at
        string = _STRING.match(self.text, start)
        if string:
            self.at = string.end()
            quote = next(sign for sign in ('"""', "'''", '"', "'") if string[0].startswith(sign))
            inner = Span(start + len(quote), max(self.at - len(quote), start + len(quote)))
            self.found.tokens.append(TomlToken(path, inner, "value", quote[0]))
        elif self._take("["):
            index = 0
            while not self._closes("]"):
                item = (*path, index)
                self._note(item, Span(self.at, self.at))
                self._value(item)
                self.found.keys[item] = self.found.values.get(item, self.found.keys[item])
                index += 1
        elif self._take("{"):
            line_end = self.text.find("\n", start)
            while not self._closes("}"):
                if 0 <= line_end < self.at:
                    self.at = line_end
                    raise _Lost
                self._pair(path)
        elif unclosed := _OPEN_STRING.match(self.text, start):
            self.at = unclosed.end()
            self.found.tokens.append(TomlToken(path, Span(start + 1, self.at), "value", unclosed[0][0]))
            raise _Lost
        else:
            bare = _BARE_VALUE.match(self.text, start)
            if bare is None or not bare[0]:
                raise _Lost
            self.at = bare.end()
            span = Span(start, start + len(bare[0].rstrip()))
            self.found.tokens.append(TomlToken(path, span, "value"))
        self.found.values.setdefault(path, Span(start, start + len(self.text[start : self.at].rstrip())))

    def _closes(self, close: str) -> bool:
        """Whether the array or inline table ends here; passes over the comma where it does not."""
        self._inner_blank()
        if self._take(","):
            self._inner_blank()
        if self.at >= len(self.text):
            raise _Lost
        return self._take(close)

    def _key(self, before: KeyPath, kind: Literal["header", "key"]) -> list[TomlToken]:
        tokens: list[TomlToken] = []
        path = before
        while True:
            key = _KEY.match(self.text, self.at)
            if key is None:
                raise _Lost
            self.at = key.end()
            name = next(part for part in ("bare", "basic", "literal") if key[part] is not None)
            path = (*path, key[name])
            quote = {"bare": "", "basic": '"', "literal": "'"}[name]
            tokens.append(TomlToken(path, Span(*key.span(name)), kind, quote))
            self.found.tokens.append(tokens[-1])
            self._space()
            if not self._take("."):
                return tokens
            if _KEY.match(self.text, self.at) is None:
                raise _Lost

    def _take(self, wanted: str) -> bool:
        if self.text.startswith(wanted, self.at):
            self.at += len(wanted)
            return True
        return False

    def _blank(self) -> None:
        found = _BLANK.match(self.text, self.at)
        assert found is not None, "the pattern matches the empty text"
        self.at = found.end()

    def _inner_blank(self) -> None:
        """Pass over blanks, but not into a line that begins something new."""
        start = self.at
        self._blank()
        line = self.text.rfind("\n", start, self.at) + 1
        if line and _STATEMENT.match(self.text, line):
            self.at = line
            raise _Lost

    def _space(self) -> None:
        found = _SPACE.match(self.text, self.at)
        assert found is not None, "the pattern matches the empty text"
        self.at = found.end()

    def _note(self, path: KeyPath, span: Span) -> None:
        self.found.keys.setdefault(path, span)
