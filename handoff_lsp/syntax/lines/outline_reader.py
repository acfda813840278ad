"""Reading an outline line by line; ``outline`` defines columns and depth."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import compress
from sys import intern
from typing import TYPE_CHECKING, Any

from handoff_lsp.syntax.limits import too_deep_yaml
from handoff_lsp.syntax.lines.keyvalue import read_pairs, split_comment
from handoff_lsp.syntax.lines.outline_tree import (
    LongItems,
    Outline,
    OutlineEntry,
    OutlineItem,
    OutlineValue,
    plain,
)
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.line_texts import LineTexts, line_texts
from handoff_lsp.text.named_tuple import NamedTuple

if TYPE_CHECKING:
    import yaml

# Lists and maps nested deeper than this are text.
_MAX_DEPTH = 20
_MAX_FLOW = 100_000
_LONGEST_QUOTED_KEY = 60
# Fewer items are read one by one.
_MANY = 8
# The most lines to keep the items of, and the longest of them.
_MOST_KEPT = 20_000
_LONGEST_KEPT = 1_000
_TAB = 4

_QUOTE_MARK = lazy_pattern(r"[ \t]*+>")
_BULLET = lazy_pattern(r"[-*+](?=[ \t]|\Z)")
_BULLETED = ("- ", "* ", "+ ")
_RULE = lazy_pattern(r"-{3,}+|\*{3,}+|_{3,}+")
# The beginning of a block of Markdown that continues no paragraph: an item, a row of a table, a fence.
_BLOCK = lazy_pattern(r"(?:[-*+]|\d{1,3}[.)])(?=[ \t]|\Z)|\||`{3,}[^`\r\n]*+$|~{3,}", re.MULTILINE)
_FENCE = lazy_pattern(r"(`{3,})[^`\r\n]*+$|(~{3,})", re.MULTILINE)
_BLOCK_HEAD = lazy_pattern(r"[|>](?:[+-][1-9]?|[1-9][+-]?)?")
_QUOTED_KEY = lazy_pattern(
    rf"""("(?>[^"\\\r\n]|\\.){{1,{_LONGEST_QUOTED_KEY}}}+"|'[^'\r\n]{{1,{_LONGEST_QUOTED_KEY}}}+')"""
    r"[ \t]*+:(?=[ \t]|\Z)"
)
_DOUBLE_QUOTED = lazy_pattern(r'"(?>[^"\\]|\\.)*+"', re.DOTALL)
_SINGLE_QUOTED = lazy_pattern(r"'(?>[^']|'')*+'")
_ESCAPE = lazy_pattern(r'\\(["\\/nrt])')
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}
_QUOTE_STEP = lazy_pattern(r'\\.|"')
# A quote opens only where a flow item may begin: elsewhere it is an apostrophe.
_FLOW_STEP = lazy_pattern(
    r"""[\[\]{}]|(?<=[\[{,: \t\r\n])(?:"(?>[^"\\]|\\.)*+"|'(?>[^']|'')*+')""",
    re.DOTALL,
)
_NOT_EOL = lazy_pattern(r"[^\r\n]")
_EOL = lazy_pattern(r"[\r\n]++")


class _Line(NamedTuple):
    """A line that is not blank, or the rest of one after a bullet."""

    number: int
    start: int
    end: int
    at: int  # its first character after blanks and quote marks
    stop: int  # after its last character that is not a blank
    column: int


class _LinesToRead:
    """The lines of a text that are not blank. Each is made when it is asked for: most are items of long lists."""

    def __init__(self, reader: OutlineReader, lines: LineTexts, base: int, quotes: int) -> None:
        self.quotes = quotes
        self._lines = lines
        self._base = base
        heads = lines.each(_head_of)
        self.numbers: Sequence[int] = range(_without_last_blanks(heads))
        if "" in heads[: len(self.numbers)]:
            self.numbers = list(compress(self.numbers, heads))
        self._reader = reader
        self._made: dict[int, _Line] = {}
        if quotes or reader.has_mark:  # a line with nothing else is blank, too
            self.numbers = [number for number in self.numbers if self._line(number) is not None]
        self._heads = heads if isinstance(self.numbers, range) else list(map(heads.__getitem__, self.numbers))

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index: int) -> _Line:
        line = self._made.get(index)
        if line is None:
            line = self._line(self.numbers[index])
            assert line is not None, "it is not blank"
            self._made[index] = line
        return line

    def __setitem__(self, index: int, line: _Line) -> None:
        self._made[index] = line

    def _line(self, number: int) -> _Line | None:
        start = self.start(number)
        return self._reader.line(number, start, start + len(self._lines.texts[number]), self.quotes)

    def start(self, number: int) -> int:
        """The offset where a line begins."""
        return self._base + self._lines.index.line_start(number)

    def begin_alike(self, index: int) -> int:
        """The number of lines from one on that begin with the same blanks, the same bullet and a blank; 0 without."""
        head, heads, end, step = self._heads[index], self._heads, index, _MANY
        while step and head.endswith(" "):
            alike = heads[end : end + step] == [head] * step
            end, step = (end + step, step * 2) if alike else (end, step // 2)
        return end - index

    def items(self, index: int, many: int, read: _Alone) -> LongItems:
        """The items in some lines that are one each."""
        numbers, lines = self.numbers[index : index + many], self._lines
        first, after = numbers[0], numbers[-1] + 1
        if after - first == many > len(lines.texts) // 2:  # the others may be no such items, and are read in vain
            items, data = lines.each(read.item)[first:after], lines.each(read.data)[first:after]
        else:
            texts = [lines.texts[number] for number in numbers]
            items, data = list(map(read.item, texts)), list(map(read.data, texts))
        return LongItems(items, data, numbers, self.start)


def _without_last_blanks(heads: list[str]) -> int:
    """The number of lines up to the last one that is not blank."""
    count = len(heads)
    while count and not heads[count - 1]:
        count -= 1
    return count


class _Pair(NamedTuple):
    key: Span
    key_text: str
    value: Span


def begins_block(text: str, start: int, end: int) -> bool:
    """Whether a line begins an item, a row of a table or a fence of Markdown. ``start`` is behind its indentation."""
    return _BLOCK.match(text, start, end) is not None


class OutlineReader:
    """Reads lines one after another; ``_i`` is the next one. Methods that read a value leave ``_i`` after it."""

    def __init__(
        self, text: str, start: int, end: int, comments: bool, numbers: bool = False, markdown: bool = False
    ) -> None:
        self._text = text
        self._start = start
        self._end = end
        self._comments = comments or numbers
        self._numbers = numbers
        self._markdown = markdown
        self._bulleted = False
        self._stray: list[Span] = []
        self._lines = _LinesToRead(self, LineTexts(""), 0, 0)
        self._i = 0

    @property
    def has_mark(self) -> bool:
        """Whether a byte order mark is before the first line."""
        return self._start == 0 and self._text.startswith("\ufeff")

    def read(self) -> Outline:
        """Read the whole outline. To be called once."""
        first = self._take_style()
        while self._i < min(first, len(self._lines)):
            line = self._lines[self._i]
            if not self._is_comment(line) and not self._is_rule(line):
                self._stray.append(Span(line.at, line.stop))
            self._i += 1
        entries = self._read_map(-1, 0, top=True)
        last = max(entries[-1].span.end if entries else self._start, self._stray[-1].end if self._stray else 0)
        if entries or self._stray:
            eol = _EOL.search(self._text, last, self._end)
            last = eol.start() if eol else self._end
        return Outline(entries, tuple(self._stray), last)

    def read_item(self, depth: int) -> OutlineItem:
        """The item of a list that the text is, a line of its own. To be called once."""
        self._lines = _LinesToRead(self, LineTexts(self._text), 0, 0)
        return self._read_item(self._lines[0], depth)

    # Lines

    def _take_style(self) -> int:
        """Splits the text into lines; returns the index of the one that has the first pair."""
        lines = line_texts(self._text[self._start : self._end])
        quotes = first = 0
        for number, text in enumerate(lines.texts):
            start = self._start + lines.index.line_start(number)
            line = self.line(number, start, start + len(text), None)
            if line is None:
                continue
            content = self._after_bullet(line)
            if self._pair(content or line) is not None:
                self._bulleted = content is not None
                quotes, first = self._text.count(">", start, line.at), number
                break
        self._lines = _LinesToRead(self, lines, self._start, quotes)
        return bisect_left(self._lines.numbers, first)

    def line(self, number: int, start: int, end: int, quotes: int | None) -> _Line | None:
        """The line without at most ``quotes`` quote marks; None if nothing is left of it."""
        text = self._text
        at = start + 1 if start == 0 and self.has_mark else start
        marked = False
        while (quotes is None or quotes > 0) and (mark := _QUOTE_MARK.match(text, at, end)):
            at = mark.end()
            marked = True
            quotes = quotes - 1 if quotes is not None else None
        if marked and at < end and text[at] in " \t":
            at += 1
        rest = text[at:end]
        content = rest.lstrip()
        if not content:
            return None
        low = end - len(content)
        stop = low + len(content.rstrip())
        return _Line(number, start, end, low, stop, _widen(0, rest[: low - at]))

    def _after_bullet(self, line: _Line) -> _Line | None:
        """The rest of a line after its bullet, as a line of its own; None without a bullet or a rest."""
        if not self._has_bullet(line):
            return None
        rest = self._text[line.at + 1 : line.stop]
        low = line.stop - len(rest.lstrip())
        if low == line.stop:
            return None
        column = _widen(line.column + 1, self._text[line.at + 1 : low])
        return _Line(line.number, line.start, line.end, low, line.stop, column)

    def _has_bullet(self, line: _Line) -> bool:
        return _BULLET.match(self._text, line.at, line.stop) is not None

    def _is_comment(self, line: _Line) -> bool:
        return self._comments and self._text[line.at] == "#" and self._is_blank(line.at + 1)

    def _is_blank(self, at: int) -> bool:
        """Whether a `#` before an offset begins a comment, and not a number such as `#12` where numbers are allowed."""
        return not self._numbers or at >= len(self._text) or self._text[at] in " \t\r\n#"

    def _is_rule(self, line: _Line) -> bool:
        return _RULE.fullmatch(self._text, line.at, line.stop) is not None

    def _pair(self, line: _Line) -> _Pair | None:
        """The pair of a line that has no bullet."""
        text = self._text
        if text[line.at] == ">" or self._has_bullet(line):
            return None
        if text[line.at] in "\"'":
            match = _QUOTED_KEY.match(text, line.at, line.end)
            if not match:
                return None
            after = match.end()
            value = self._without_comment(after, line.stop)
            if value.start == value.end:
                value = Span(min(after + 1, line.end), min(after + 1, line.end))
            return _Pair(Span(match.start(1) + 1, match.end(1) - 1), _unquoted(match.group(1)), value)
        pairs = read_pairs(text, Span(line.at, line.end), comments=self._comments and not self._numbers)
        if not pairs:
            return None
        value = pairs[0].value
        cut = self._without_comment(value.start, value.end) if self._numbers and value.end > value.start else value
        return _Pair(pairs[0].key, pairs[0].key_text, cut)

    def _without_comment(self, low: int, high: int) -> Span:
        """The trimmed text between two offsets of a line."""
        if self._comments:
            stop, comment = split_comment(self._text, low, high)
            high = stop if comment is None or self._is_blank(comment.start + 1) else high
        rest = self._text[low:high].lstrip()
        low = high - len(rest)
        return Span(low, low + len(rest.rstrip()))

    def _peek(self) -> _Line | None:
        """The next line that is no comment."""
        while self._i < len(self._lines):
            line = self._lines[self._i]
            if not self._is_comment(line):
                return line
            self._i += 1
        return None

    def _leave(self, line: _Line) -> None:
        self._stray.append(Span(line.at, line.stop))
        self._i += 1

    def _leave_deeper(self, column: int) -> None:
        while (line := self._peek()) and line.column > column:
            self._leave(line)

    def _lines_of_fence(self, line: _Line) -> int:
        """The number of lines of the fence of Markdown that begins at a line; 0 without one.

        A fence without an end extends to the last line or, in an item, to the next line further left.
        """
        opening = _FENCE.match(self._text, line.at, line.stop)
        if opening is None:
            return 0
        marks = opening.group(1) or opening.group(2)
        for index in range(self._i + 1, len(self._lines)):
            inner = self._lines[index]
            found = self._text[inner.at : inner.stop]
            if found.startswith(marks) and not found.strip(marks[0]):
                return index + 1 - self._i
            if inner.column < line.column:
                return index - self._i
        return len(self._lines) - self._i

    # Values

    def _read_map(self, floor: int, depth: int, *, top: bool = False) -> tuple[OutlineEntry, ...]:
        """The entries in the lines in a deeper column than ``floor``."""
        entries: list[OutlineEntry] = []
        while (line := self._peek()) and line.column > floor:
            if self._is_rule(line):
                self._i += 1
                continue
            if top and self._markdown and (lines := self._lines_of_fence(line)):
                for _ in range(lines):
                    self._leave(self._lines[self._i])
                continue
            bullet = self._has_bullet(line)
            content = self._after_bullet(line) if bullet and top and self._bulleted else line
            pair = self._pair(content) if content else None
            if pair is None:
                self._leave(line)
                if bullet:
                    self._leave_deeper(line.column)
                continue
            self._i += 1
            value = self._read_value(pair.value, line.column, depth, key=True)
            if top and self._markdown:
                self._leave_deeper(line.column)
            whole = Span(line.at, value.span.end)
            entries.append(OutlineEntry(pair.key, pair.key_text, value, Span(line.start, line.end), whole))
        return tuple(entries)

    def _read_list(self, floor: int, depth: int, *, level: int) -> Sequence[OutlineItem]:
        """The items in the lines in a deeper column than ``floor``.

        ``level`` is the column of the key if the list may be in it, else -1.
        """
        items: list[OutlineItem] = []
        known = LongItems([], [], [], self._lines.start)
        while (line := self._peek()) and line.column > floor:
            if not self._has_bullet(line):
                if line.column <= level:
                    break
                if self._is_rule(line):
                    self._i += 1
                else:
                    self._leave(line)
                continue
            if line.column == level and self._begins_entry(line):
                break
            many = self._items_alone(line) if line.column != level or not self._bulleted else 0
            if many:
                known.add(items)
                known.add(self._lines.items(self._i, many, _alone(self._comments, self._numbers, depth)))
                items.clear()
                self._i += many
            else:
                items.append(self._read_item(line, depth))
        if known:
            known.add(items)
            return known
        return tuple(items)

    def _items_alone(self, line: _Line) -> int:
        """The number of lines from a bulleted one on that are an item each, whatever is around them; 0 for a few.

        Such a line begins like the next one, with the same blanks and the same bullet.
        """
        if self._lines.quotes or self._text[line.start : line.at].strip():
            return 0
        many = self._lines.begin_alike(self._i) - 1
        return many if many >= _MANY else 0

    def _begins_entry(self, line: _Line) -> bool:
        """Whether a bulleted line in the column of a key is the next entry, not an item of the key's list."""
        content = self._after_bullet(line) if self._bulleted else None
        return content is not None and self._pair(content) is not None

    def _read_item(self, line: _Line, depth: int) -> OutlineItem:
        marker = Span(line.at, line.at + 1)
        content = self._after_bullet(line)
        if content is None:
            self._i += 1
            place = min(marker.end + 1, line.end)
            value = self._read_value(Span(place, place), line.column, depth)
        elif depth < _MAX_DEPTH and self._has_bullet(content):
            self._lines[self._i] = content
            value = self._list(self._read_list(line.column, depth + 1, level=-1))
        elif depth < _MAX_DEPTH and self._pair(content):
            self._lines[self._i] = content
            value = self._map(self._read_map(line.column, depth + 1))
        else:
            self._i += 1
            inline = self._without_comment(content.at, content.stop)
            value = self._read_value(inline, line.column, depth)
        return OutlineItem(marker, value, Span(marker.start, value.span.end))

    def _read_value(self, inline: Span, column: int, depth: int, *, key: bool = False) -> OutlineValue:
        """The value of a key or bullet in a column; ``inline`` is its part on the same line."""
        if inline.start == inline.end:
            return self._read_below(inline, column, depth, key=key)
        if _BLOCK_HEAD.fullmatch(self._text, inline.start, inline.end):
            return self._read_block(inline.end, column)
        alone = self._markdown and key and depth == 0
        return self._read_flow(inline, column) or self._read_scalar(inline, column, alone=alone)

    def _read_below(self, place: Span, column: int, depth: int, *, key: bool) -> OutlineValue:
        line = self._peek()
        if line is not None and line.column > column:
            if depth < _MAX_DEPTH and self._has_bullet(line):
                return self._list(self._read_list(column, depth + 1, level=-1))
            if depth < _MAX_DEPTH and self._pair(line):
                return self._map(self._read_map(column, depth + 1))
            alone = self._markdown and key and depth == 0
            if alone and begins_block(self._text, line.at, line.stop):
                return OutlineValue("empty", place, "")
            self._i += 1
            inline = self._without_comment(line.at, line.stop)
            return self._read_flow(inline, column) or self._read_scalar(inline, column, alone=alone)
        if line is not None and key and depth < _MAX_DEPTH and line.column == column and self._has_bullet(line):
            if not self._begins_entry(line):
                return self._list(self._read_list(column - 1, depth + 1, level=column))
        return OutlineValue("empty", place, "")

    def _read_scalar(self, inline: Span, column: int, *, alone: bool = False) -> OutlineValue:
        """The text in ``inline`` and on the deeper lines; ``alone``: without the blocks of Markdown among these."""
        parts = [inline.of(self._text)]
        quote = parts[0][0]
        is_open = quote in "\"'" and _is_odd(parts[0], quote)
        end = inline.end
        while self._i < len(self._lines):
            line = self._lines[self._i]
            if self._is_comment(line) and not is_open:
                self._i += 1
                continue
            if line.column <= column or (alone and begins_block(self._text, line.at, line.stop)):
                break
            span = Span(line.at, line.stop) if is_open else self._without_comment(line.at, line.stop)
            parts.append(span.of(self._text))
            if is_open:
                is_open = not _is_odd(parts[-1], quote)
            end = span.end
            self._i += 1
        return OutlineValue("scalar", Span(inline.start, end), _unquoted(" ".join(parts)))

    def _read_block(self, place: int, column: int) -> OutlineValue:
        begin = self._i
        while self._i < len(self._lines) and self._lines[self._i].column > column:
            self._i += 1
        lines = [self._lines[index] for index in range(begin, self._i)]
        if not lines:
            return OutlineValue("block", Span(place, place), "")
        margin = min(line.column for line in lines)
        parts: list[str] = []
        for line in lines:
            parts.extend([""] * (line.number - lines[0].number - len(parts)))
            parts.append(" " * (line.column - margin) + self._text[line.at : line.stop])
        return OutlineValue("block", Span(lines[0].at, lines[-1].stop), "\n".join(parts))

    def _list(self, items: Sequence[OutlineItem]) -> OutlineValue:
        span = Span(items[0].span.start, items[-1].span.end)
        return OutlineValue("list", span, span.of(self._text), items=items)

    def _map(self, entries: tuple[OutlineEntry, ...]) -> OutlineValue:
        span = Span(entries[0].span.start, entries[-1].span.end)
        return OutlineValue("map", span, span.of(self._text), entries=entries)

    # Flow values

    def _read_flow(self, inline: Span, column: int) -> OutlineValue | None:
        """A ``[list]`` or ``{map}`` that begins in ``inline`` and ends at the end of a line, else None."""
        if self._text[inline.start] not in "[{":
            return None
        piece = self._flow_piece(inline, column)
        end = _flow_end(piece)
        if end < 0:
            return None
        eol = _EOL.search(piece, end)
        if piece[end : eol.start() if eol else len(piece)].strip():
            return None
        value = self._flow_value(piece[:end], inline.start)
        if value is None or value.kind == "scalar":
            return None
        while self._i < len(self._lines) and self._lines[self._i].start < inline.start + end:
            self._i += 1
        self._leave_deeper(column)
        return value

    def _flow_piece(self, inline: Span, column: int) -> str:
        """The text from ``inline`` to the end of the deeper lines, with blanks for parts outside a value."""
        parts = [inline.of(self._text)]
        done = inline.end
        for index in range(self._i, len(self._lines)):
            line = self._lines[index]
            if self._is_comment(line):
                continue
            closing = line.column <= column
            if closing and self._text[line.at] not in "]}":
                break
            span = self._without_comment(line.at, line.stop)
            parts.append(_NOT_EOL.sub(" ", self._text[done : span.start]))
            parts.append(span.of(self._text))
            done = span.end
            if closing:
                break
        return "".join(parts)

    def _flow_value(self, piece: str, start: int) -> OutlineValue | None:
        source = piece if self._comments and not self._numbers else piece.replace("#", "_")
        if len(piece) > _MAX_FLOW or too_deep_yaml(source) is not None:
            return None
        import yaml

        try:
            root = yaml.compose(source, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
            return self._from_node(root, piece, start, set()) if root is not None else None
        except (yaml.YAMLError, ValueError, RecursionError):
            return None

    def _from_node(self, node: yaml.Node, piece: str, start: int, seen: set[int]) -> OutlineValue:
        """The value of a node. Raises ValueError for aliases and for keys that are not text."""
        if id(node) in seen:
            raise ValueError("an alias")
        seen.add(id(node))
        import yaml

        # YAML has fewer kinds of blanks.
        rest = piece[node.start_mark.index : node.end_mark.index].lstrip()
        raw = rest.rstrip()
        low = start + node.end_mark.index - len(rest)
        span = Span(low, low + len(raw))
        if isinstance(node, yaml.SequenceNode):
            items = []
            for child in node.value:
                value = self._from_node(child, piece, start, seen)
                items.append(OutlineItem(Span(value.span.start, value.span.start), value, value.span))
            return OutlineValue("list", span, span.of(self._text), items=tuple(items))
        if isinstance(node, yaml.MappingNode):
            entries = []
            colons = 0
            for key_node, value_node in node.value:
                if not isinstance(key_node, yaml.ScalarNode):
                    raise ValueError("a key that is no text")
                key = self._from_node(key_node, piece, start, seen)
                after = key.span.end - start
                colon = after + len(piece[after : after + 80]) - len(piece[after : after + 80].lstrip())
                has_colon = piece.startswith(":", colon)
                colons += has_colon
                value = self._from_node(value_node, piece, start, seen)
                if value.kind == "empty":
                    place = colon + 1 if has_colon else after
                    place += has_colon and piece.startswith((" ", "\t"), place)
                    value = value._replace(span=Span(start + place, start + place))
                written = key.span.of(self._text)
                quoted = len(written) > 1 and written[0] == written[-1] and written[0] in "\"'"
                inner = Span(key.span.start + 1, key.span.end - 1) if quoted else key.span
                line = self._line_at(key.span.start)
                entries.append(OutlineEntry(inner, key.text, value, line, Span(key.span.start, value.span.end)))
            if colons or not entries:
                if entries:  # a pair without braces ends at its colon, and its empty value's place may be later
                    span = Span(span.start, max(span.end, entries[-1].span.end))
                return OutlineValue("map", span, span.of(self._text), entries=tuple(entries))
            # `{one of these}`: a template's placeholder for the value.
        if not raw:
            return OutlineValue("empty", span, "")
        return OutlineValue("scalar", span, _unquoted(" ".join(part.strip() for part in _EOL.split(raw))))

    def _line_at(self, offset: int) -> Span:
        line = self._lines[bisect_right(self._lines, offset, key=lambda line: line.start) - 1]
        return Span(line.start, line.end)


def _head_of(line: str) -> str:
    """The bullet at the beginning of a line, with all blanks before it and one after it; empty for a blank line."""
    rest = line.lstrip()
    if not rest.startswith(_BULLETED):
        return "?" if rest else ""
    return intern(line[: len(line) - len(rest) + 2])


_NOWHERE = Span(0, 0)
_NO_ITEM = OutlineItem(_NOWHERE, OutlineValue("empty", _NOWHERE, ""), _NOWHERE), ""


class _Alone(dict[str, tuple[OutlineItem, Any]]):
    """The items of lists that are one line each, with their data, by the line: at a keystroke, most are read again."""

    def __init__(self, comments: bool, numbers: bool, depth: int) -> None:
        self._style = (comments, numbers)
        self._depth = depth

    def __missing__(self, line: str) -> tuple[OutlineItem, Any]:
        if not _head_of(line).endswith(" "):
            return _NO_ITEM
        item = OutlineReader(line, 0, len(line), *self._style).read_item(self._depth)
        read = item, plain(item.value)
        if len(self) >= _MOST_KEPT:
            self.clear()
        if len(line) <= _LONGEST_KEPT:
            self[line] = read
        return read

    def item(self, line: str) -> OutlineItem:
        """The item, in offsets of the line; an empty one for a line without a bullet and a blank."""
        return self[line][0]

    def data(self, line: str) -> Any:
        """The value of the item as plain data, which nobody changes."""
        return self[line][1]


_alone = lru_cache(maxsize=4)(_Alone)


def _widen(column: int, blanks: str) -> int:
    """The column after some blanks that begin in a column."""
    if "\t" not in blanks:
        return column + len(blanks)
    for char in blanks:
        column += _TAB - column % _TAB if char == "\t" else 1
    return column


def _unquoted(raw: str) -> str:
    if raw[0] == '"' and _DOUBLE_QUOTED.fullmatch(raw):
        return _ESCAPE.sub(lambda match: _ESCAPED.get(match.group(1), match.group(1)), raw[1:-1])
    if raw[0] == "'" and _SINGLE_QUOTED.fullmatch(raw):
        return raw[1:-1].replace("''", "'")
    return raw


def _is_odd(raw: str, quote: str) -> bool:
    """Whether a text has an odd number of a quote."""
    if quote == "'":
        return raw.count("'") % 2 == 1
    return sum(match.group() == '"' for match in _QUOTE_STEP.finditer(raw)) % 2 == 1


def _flow_end(piece: str) -> int:
    """The offset after the bracket that closes the first one; -1 if it is missing or the nesting is too deep."""
    depth = 0
    for step in _FLOW_STEP.finditer(piece):
        sign = step.group()
        if sign in "[{":
            depth += 1
            if depth > _MAX_DEPTH:
                return -1
        elif sign in "]}":
            depth -= 1
            if depth == 0:
                return step.end()
    return -1
