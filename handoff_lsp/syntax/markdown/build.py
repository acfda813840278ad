"""From lines to green nodes, with markdown-it's block rules deciding and our own text giving the columns.

markdown-it-py's rules work on arrays with the start and end of each line's text, and containers move those starts
past their own prefixes. The state here fills the arrays from the original text without changing any length, and
reads them whenever a rule has matched: that gives exact places inside any container.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any, Literal

from handoff_lsp.syntax.markdown.block_rules import DEEPEST, ENGINE, table, thematic_break
from handoff_lsp.syntax.markdown.green import BlockKind, FenceData, Green, ItemData, ListData
from handoff_lsp.syntax.markdown.markdown_it import (
    StateBlock,
    Token,
    blockquote,
    code,
    fence,
    heading,
    html_block,
    lheading,
    list_block,
    paragraph,
    reference,
)
from handoff_lsp.text import LineIndex, Source
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

# Lines that a block may look at after its end: the first line of the next block, and a table's delimiter row.
_LOOK_AHEAD = 3

_BLANKS = lazy_pattern(r"[ \t]*")
# A bracket that cannot begin a reference definition, as can be seen without leaving its line.
_NO_REFERENCE = lazy_pattern(r"\[(?>[^\[\]\\\n]|\\[^\n])*+(?:\[|\](?!:))")
_CHECKBOX = lazy_pattern(r"\[[ xX]\](?=[ \t\r\n]|\Z)")
_FRONT_OPEN = lazy_pattern(r"\ufeff?---[ \t]*(?:\r\n|\n|\r)")
_FRONT_CLOSE = lazy_pattern(r"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?=[\r\n]|\Z)")


class ReadBlocks(NamedTuple):
    """Top-level blocks read from some lines, with the absolute first line of each.

    ``joined`` is the place from which the old blocks are still valid, or None if no such place was reached.
    """

    lines: list[int]
    greens: list[Green]
    joined: Joint | None


class Joint(NamedTuple):
    """An old block, and an item of it if it is a list; ``inside`` is True if it continues the last list read."""

    block: int
    item: int
    inside: bool


class Sync(NamedTuple):
    """The condition to stop reading: a line that began an old unit, after the last line touched.

    ``old`` are the old blocks' first lines, ``after`` the last old line touched, ``delta`` how many lines came in.
    """

    old: list[int]
    greens: list[Green]
    after: int
    delta: int


class _State(StateBlock):
    """Block parsing of some lines of a text, collecting green nodes in place of tokens."""

    def __init__(self, text: str, lines: LineIndex, first: int, stop: int) -> None:
        base = lines.line_start(first)
        limit = lines.line_start(stop) if stop < lines.count else len(text)
        src = text[base:limit]
        size = len(src)
        bounds = [start - base for start in lines.starts_in(first, stop)]
        bounds.append(size)
        carriage = "\r" in src
        if carriage:
            src = src.replace("\r", "\n")  # "\r\n" becomes "\n\n": offsets stay, and the ends below leave both out
        if "\0" in src:
            src = src.replace("\0", "\ufffd")
        if not src.endswith("\n"):
            src += "\n"
            ends = [bound - 1 for bound in bounds[1:-1]]
            ends.append(size)
        else:
            ends = [bound - 1 for bound in bounds[1:]]
        if carriage:
            ends = [
                end - 1 if begin < end < size and src[end - 1] == "\n" else end
                for begin, end in zip(bounds, ends, strict=False)
            ]
        if first == 0 and src[0] == "\ufeff":
            bounds[0] = 1
        count = len(ends)
        shifts = [0] * (count + 1)
        columns = [0] * (count + 1)
        for line, begin in enumerate(bounds[:-1]):
            if src[begin] in " \t":
                match = _BLANKS.match(src, begin, ends[line])
                assert match is not None  # the pattern matches the empty string
                blanks = match.group()
                shifts[line] = columns[line] = len(blanks)
                if "\t" in blanks:
                    columns[line] = len(blanks.expandtabs(4))
        ends.append(len(src))
        self.src = src
        self.md: Any = ENGINE
        self.env = {}
        self.tokens = []
        self.bMarks = bounds.copy()
        self.eMarks = ends
        self.tShift = shifts
        self.sCount = columns
        self.bsCount = [0] * (count + 1)
        self.bMarks[-1] = len(src)
        self.blkIndent = 0
        self.line = 0
        self.lineMax = count
        self.tight = False
        self.ddIndent = -1
        self.listIndent = -1
        self.parentType = "root"
        self.level = 0
        self.result = ""
        self._code_enabled = True
        self.bounds = bounds
        self.base = 0
        self.base_line = 0
        self.depth = 0
        self.far = False
        self.cut = (0, 0, 0)
        self.children: list[Green] = []
        self.items: list[tuple[Token, list[Green]]] = []
        self.first = first
        self.sync: Sync | None = None
        self.whole = False
        self.joint: Joint | None = None
        # Whether one of the units read depends on lines far ahead, and which of them do.
        self.any_far = False
        self.far_ones: list[bool] = []
        self._token = Token("", "", 0)

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        """Take a token from a rule. Only list items are kept, as the list rule reads many of them at once."""
        self.level += nesting
        if ttype != "list_item_open":
            return self._token
        token = Token(ttype, tag, nesting)
        if self.level == 2:  # in a top-level list, where each item is a unit
            self._begin_unit(self.line)
        self.children = []
        self.items.append((token, self.children))
        return token

    def getLines(self, begin: int, end: int, indent: int, keepLastLF: bool) -> str:
        """Note the lines that a rule took; no rule decides by their text."""
        self.cut = (begin, end, indent)
        return ""

    def top(self, sync: Sync | None, whole: bool, in_list: bool) -> ReadBlocks:
        """Read top-level blocks; ``whole`` is True if the text ends with the lines, ``in_list`` if the first line
        continues a top-level list. Stops early where the old blocks can be joined."""
        lines: list[int] = []
        greens: list[Green] = []
        line = 0
        self.sync, self.whole = sync, whole
        while True:
            line = self.skipEmptyLines(line)
            if line >= self.lineMax:
                return ReadBlocks(lines, greens, None)
            if sync is not None:
                met = self._old_unit(line)
                if met is not None and (met[1] == 0 or not table(self, line, self.lineMax, True)):
                    return ReadBlocks(lines, greens, Joint(*met, False))
            self._begin_unit(line)
            if in_list:
                self.line = line
                self._list(self.bMarks[line] + self.tShift[line], line, self.lineMax, greens)
                in_list = False
            else:
                self._block(line, self.lineMax, greens)
            if greens[-1].kind != "list":
                greens[-1].far = self.far
            lines.append(self.first + line)
            if self.joint is not None:
                return ReadBlocks(lines, greens, self.joint)
            line = self.line

    def _begin_unit(self, line: int) -> None:
        """Begin a unit at a line, from which its lines and offsets are counted."""
        self.base = self.bounds[line]
        self.base_line = line
        self.any_far = self.any_far or self.far
        self.far_ones.append(self.far)
        self.far = False

    def _old_unit(self, line: int) -> tuple[int, int] | None:
        """The old block, and its item or 0, that began on a line, if the text after the line is unchanged."""
        sync = self.sync
        if sync is None or not (self.whole or line + _LOOK_AHEAD <= self.lineMax):
            return None
        old_line = self.first + line - sync.delta
        if old_line <= sync.after:
            return None
        index = bisect_right(sync.old, old_line) - 1
        if index < 0:
            return None
        item = 0
        inner = old_line - sync.old[index]
        if inner:
            data = sync.greens[index].data
            if not isinstance(data, ListData):
                return None
            item = bisect_left(data.lines, inner)
            if item == len(data.lines) or data.lines[item] != inner:
                return None
        if (self.any_far or self.far) and not self.whole and not self._shut(line):
            return None
        return index, item

    def goes_on_as_before(self, line: int) -> bool:
        """Whether the current top-level list continues from a line with the items of an old one."""
        met = self._old_unit(line)
        if met is None or self.sync is None:
            return False
        data = self.sync.greens[met[0]].data
        if not isinstance(data, ListData) or data.sign != self.items[-1][0].markup:
            return False
        self.joint = Joint(*met, True)
        return True

    def _shut(self, line: int) -> bool:
        """Whether a blank line keeps the blocks before ``line`` from depending on text after the last line."""
        return self.isEmpty(line - 1) or any(self.isEmpty(at) for at in range(line, self.lineMax))

    def blocks(self, line: int, end: int) -> None:
        """Read the blocks of a container into its list of children."""
        out = self.children
        while line < end:
            line = self.line = self.skipEmptyLines(line)
            if line >= end or self.sCount[line] < self.blkIndent:
                break
            self._block(line, end, out)
            line = self.line
            if line < end and self.isEmpty(line):
                line = self.line = line + 1

    def _block(self, line: int, end: int, out: list[Green]) -> None:
        """Read one block that begins on a line; sets ``self.line`` after it."""
        self.line = line
        at = self.bMarks[line] + self.tShift[line]
        if self.is_code_block(line):
            code(self, line, end, False)
            out.append(self._green("code", at, line))
            return
        if table(self, line, end, False):
            out.append(self._rows(at, line))
            return
        first = self.src[at]
        if first in "`~":
            if fence(self, line, end, False):
                out.append(self._fence(at, line))
                return
        elif first in "*-+_0123456789":
            if thematic_break(self, line, end, False):
                out.append(self._green("rule", at, line))
                return
            if self.level < DEEPEST and self._list(at, line, end, out):
                return
        elif first == ">":
            if self.level < DEEPEST:
                self.children = []
                children = self.children
                blockquote(self, line, end, False)
                out.append(self._quote(at, line, children))
                return
        elif first == "#":
            if heading(self, line, end, False):
                out.append(self._heading(at, line))
                return
        elif first == "<":
            if html_block(self, line, end, False):
                out.append(self._green("html", at, line))
                return
        elif first == "[" and not _NO_REFERENCE.match(self.src, at, self.eMarks[line]):
            self.far = True
            if reference(self, line, end, False):
                out.append(self._green("paragraph", at, line, trim=True))
                return
        if lheading(self, line, end, False):
            out.append(self._setext(at, line))
            return
        paragraph(self, line, end, False)
        out.append(self._green("paragraph", at, line, trim=True))

    def _green(self, kind: BlockKind, at: int, line: int, *, trim: bool = False) -> Green:
        """A leaf over the lines that the last rule took."""
        last = self.line - 1
        while last > line and self.isEmpty(last):
            last -= 1
        end = self.eMarks[last]
        low, high = self._trimmed(at, end) if trim else (at, end)
        base, first = self.base, self.base_line
        return Green(kind, at - base, end - base, low - base, high - base, line - first, last - first)

    def _trimmed(self, start: int, end: int) -> tuple[int, int]:
        """A span without the blanks around it."""
        text = self.src[start:end]
        inner = text.lstrip()
        if not inner:
            return start, start
        low = end - len(inner)
        return low, low + len(inner.rstrip())

    def _heading(self, at: int, line: int) -> Green:
        end = self.eMarks[line]
        text = self.src[at:end]
        level = len(text) - len(text.lstrip("#"))
        title = text[level:].rstrip(" \t")
        bare = title.rstrip("#")
        if bare.endswith((" ", "\t")):  # a closing run of # needs a blank before it
            title = bare
        low, high = self._trimmed(at + level, at + level + len(title))
        base, first = self.base, line - self.base_line
        return Green("heading", at - base, end - base, low - base, high - base, first, first, level)

    def _setext(self, at: int, line: int) -> Green:
        last = self.line - 1
        end = self.eMarks[last]
        low, high = self._trimmed(at, self.eMarks[last - 1])
        level = 1 if self.src[self.bMarks[last] + self.tShift[last]] == "=" else 2
        base, first = self.base, self.base_line
        return Green("heading", at - base, end - base, low - base, high - base, line - first, last - first, level)

    def _rows(self, at: int, line: int) -> Green:
        base, first = self.base, self.base_line
        rows: list[Green] = []
        for row in (line, *range(line + 2, self.line)):
            start = self.bMarks[row] + self.tShift[row] - base
            end = self.eMarks[row] - base
            rows.append(Green("row", start, end, start, end, row - first, row - first, data=row == line))
        start, end = at - base, self.eMarks[self.line - 1] - base
        last = self.line - 1 - first
        return Green("table", start, end, start, end, line - first, last, children=tuple(rows))

    def _quote(self, at: int, line: int, children: list[Green]) -> Green:
        base, first = self.base, self.base_line
        last = self.line - 1
        while last > line and self.isEmpty(last):
            last -= 1
        start, end = at - base, self.eMarks[last] - base
        last -= first
        if children:
            end = max(end, children[-1].end)
            last = max(last, children[-1].last)
        return Green("quote", start, end, start, end, line - first, last, children=tuple(children))

    def _list(self, at: int, line: int, end: int, out: list[Green]) -> bool:
        """Read a list, if one begins here."""
        outer = self.items
        items: list[tuple[Token, list[Green]]] = []
        self.items = items
        self.depth += 1
        found = list_block(self, line, end, False)
        self.depth -= 1
        self.items = outer
        if not found:
            return False
        if self.level == 0:
            out.append(self._units(line, items))
            return True
        greens = tuple([self._item(token, children) for token, children in items])
        base, first = self.base, self.base_line
        start, stop, last = at - base, greens[-1].end, greens[-1].last
        out.append(Green("list", start, stop, start, stop, line - first, last, self.depth, greens))
        return True

    def _units(self, line: int, items: list[tuple[Token, list[Green]]]) -> Green:
        """Read a top-level list; its items are units."""
        base = self.bounds[line]
        # A unit is noted when the next one begins.
        far = [*self.far_ones[len(self.far_ones) + 1 - len(items) :], self.far]
        greens: list[Green] = []
        data = ListData(items[0][0].markup, [], [])
        for (token, children), looks_far in zip(items, far, strict=True):
            at = token.map[0] if token.map else 0
            self.base, self.base_line = self.bounds[at], at
            green = self._item(token, children)
            green.far = looks_far
            greens.append(green)
            data.offsets.append(self.base - base)
            data.lines.append(at - line)
        return list_of(data, greens)

    def _item(self, token: Token, children: list[Green]) -> Green:
        base, first = self.base, self.base_line
        line = token.map[0] if token.map else 0
        at = self.bMarks[line] + self.tShift[line]
        ordered = bool(token.info)
        marker = at + len(token.info) + 1
        end = self.eMarks[line] - base
        last = line - first
        blanks = _BLANKS.match(self.src, marker, self.eMarks[line])
        low = high = (blanks.end() if blanks else marker) - base
        box = -1
        if children:
            end = max(end, children[-1].end)
            last = max(last, children[-1].last)
            head = children[0]
            if head.kind == "paragraph":
                row = head.line + first
                low, high = self._trimmed(head.start + base, self.eMarks[row])
                if row == line and _CHECKBOX.match(self.src, low):
                    box = low - base
                    low, high = self._trimmed(low + 3, self.eMarks[row])
                low, high = low - base, high - base
        data = ItemData(ordered, marker - base, box)
        return Green("item", at - base, end, low, high, line - first, last, 0, tuple(children), data)

    def _fence(self, at: int, line: int) -> Green:
        base, first = self.base, self.base_line
        _, stop, indent = self.cut
        bounds = self.bounds
        end = self.eMarks[line]
        text = self.src[at:end]
        marker = at + len(text) - len(text.lstrip(text[0]))
        info, info_end = self._trimmed(marker, end)
        low, high = bounds[line + 1], bounds[stop]
        closing: tuple[int, int] | None = None
        span_end, last = high, stop - 1
        if self.line > stop:
            span_end, last = self.eMarks[stop], stop
            closing = (self.bMarks[stop] + self.tShift[stop] - base, span_end - base)
        pieces = self._pieces(line, stop, indent)
        data = FenceData(marker - base, info - base, info_end - base, end - base, closing, pieces)
        return Green(
            "fence", at - base, span_end - base, low - base, high - base, line - first, last - first, data=data
        )

    def _pieces(self, line: int, stop: int, indent: int) -> tuple[tuple[int, int], ...] | None:
        """The body's lines without prefixes and without as much indentation as the opening line has.

        A tab that is only partly indentation stays whole.
        """
        bounds, marks, base = self.bounds, self.bMarks, self.base
        if self.level == 0 and indent == 0:
            return None
        pieces: list[tuple[int, int]] = []
        for body in range(line + 1, stop):
            begin = marks[body]
            edge = self.eMarks[body]
            column = 0
            while column < indent and begin < edge and self.src[begin] in " \t":
                if self.src[begin] == "\t":
                    width = 4 - (column + self.bsCount[body]) % 4
                    if column + width > indent:
                        break
                    column += width
                else:
                    column += 1
                begin += 1
            if pieces and pieces[-1][1] == begin - base:
                pieces[-1] = (pieces[-1][0], bounds[body + 1] - base)
            else:
                pieces.append((begin - base, bounds[body + 1] - base))
        return tuple(pieces)


def list_of(data: ListData, items: list[Green]) -> Green:
    """A top-level list of units; ``data`` has their places."""
    start, last = items[0].start, items[-1]
    end = data.offsets[-1] + last.end
    green = Green("list", start, end, start, end, 0, data.lines[-1] + last.last, 0, tuple(items), data)
    green.far = True in [item.far for item in items]
    return green


def line_count(source: Source) -> int:
    """The number of lines, without the empty one after a final terminator."""
    count = source.lines.count
    return count - (source.lines.line_start(count - 1) >= len(source.text))


def read_blocks(
    source: Source, first: int, stop: int, sync: Sync | None = None, *, in_list: bool = False
) -> ReadBlocks:
    """Read the top-level blocks of the lines from ``first`` (where a block may begin) up to ``stop``.

    With ``sync``, reading stops where old blocks can be joined. With ``in_list``, the first line begins an item that
    is not the first of its list. Never raises.
    """
    if first >= stop:
        return ReadBlocks([], [], None)
    state = _State(source.text, source.lines, first, stop)
    return state.top(sync, stop >= line_count(source), in_list)


def read_front_matter(source: Source) -> Green | None:
    """The front matter that a text begins with: a ``---`` line, and all up to a ``---`` or ``...`` line."""
    text = source.text
    opening = _FRONT_OPEN.match(text)
    if opening is None:
        return None
    closing = _FRONT_CLOSE.search(text, opening.end())
    if closing is None:
        return None
    base = 1 if text.startswith("\ufeff") else 0
    last = source.lines.line_of(closing.start())
    low, high = opening.end() - base, closing.start() - base
    return Green("front-matter", 0, closing.end() - base, low, high, 0, last)
