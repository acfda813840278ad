"""Binding an outline (``key: value`` lines, nested by indentation) to slots, by the contract's fields."""

from __future__ import annotations

from bisect import bisect_right

from handoff_lsp.binding.below_labels import Piece, headings_in, lines_below, lines_of, pieces_of, without_sentences
from handoff_lsp.binding.markdown_lists import marks_alone, row_below, row_mark, row_of_text, rows_of_cells
from handoff_lsp.binding.put import put, put_arguments, start_of
from handoff_lsp.binding.silent import may_be_silent
from handoff_lsp.binding.slot import LongList, Problem, Slot, Unknown
from handoff_lsp.binding.values import ReadValue, is_nothing, is_placeholder, read_text, remark_in
from handoff_lsp.contracts.model import Carrier, Field, Value
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.spec import children_of
from handoff_lsp.syntax.lines.outline import OutlineEntry, OutlineItem, OutlineValue, read_outline
from handoff_lsp.syntax.lines.outline_reader import begins_block
from handoff_lsp.syntax.lines.outline_tree import LongItems, plain
from handoff_lsp.text import Fragment, Span

# What YAML takes for no value.
_NULLS = frozenset({"null", "Null", "NULL", "~"})
# What an item of a list may be if the contract does not say.
_ANYTHING = Field()


class OutlineBinder:
    """Binds the entries of an outline. Offsets of the outline are those of ``fragment``.

    ``exact``: names are compared letter by letter, and the signs around a value are part of it.
    ``nulls``: the reader is a YAML parser, for which `null` and `~` are no value.
    ``markdown``: the keys are labels in Markdown, whose values may go on in paragraphs, lists, tables and fences below.
    """

    def __init__(
        self,
        fragment: Fragment,
        outer_text: str,
        empty_words: frozenset[str],
        *,
        exact: bool = False,
        carrier: Carrier = "plain-label",
        nulls: bool = False,
        markdown: bool = False,
        fenced: bool = False,
    ) -> None:
        self._exact = exact
        self._markdown = markdown
        self._fenced = fenced
        self._carrier = carrier
        self._nulls = nulls
        self._in_front = carrier == "front-matter"
        self._fragment = fragment
        self._outer_text = outer_text
        self._empty_words = empty_words

    def bind(self, slot: Slot, entries: tuple[OutlineEntry, ...], stray: tuple[Span, ...] = ()) -> None:
        """Make the children of ``slot``; every declared field gets a slot, present or not.

        ``stray``: lines among the entries that are not entries.
        """
        names = children_of(slot.field)
        for name, field in slot.field.fields.items():
            slot.children[name] = Slot(name, field, slot)
        if self._markdown:
            text = self._fragment.text
            entries, stray = without_sentences(text, entries, stray, lambda key: fold_name(key) in names.folded)
        # Outside a fence, a heading ends the run; what looks like one there is a comment in a fence.
        headings = headings_in(self._fragment.text) if self._markdown and self._fenced else []
        below = lines_below(self._fragment.text, entries, stray, headings) if self._markdown else {}
        section = 0
        nesting: tuple[Slot, int] | None = None
        rows: Slot | None = None  # the last label, if it is of rows
        lines: list[OutlineEntry | Span] = [*entries, *(stray if self._exact else ())]
        for entry in sorted(lines, key=_start):
            whole = self._outer(entry if isinstance(entry, Span) else entry.span)
            column = self._column(_start(entry))
            if nesting is not None and column > nesting[1]:
                self._nested(nesting[0], whole)
                continue
            if isinstance(entry, Span):
                nesting = None
                continue
            above = bisect_right(headings, entry.span.start)
            rows, section = rows if above == section else None, above
            key = self._outer(entry.key)
            name = names.folded.get(fold_name(entry.key_text), "")
            child = slot.children.get(name)
            if self._exact and child is not None and entry.key_text not in {child.title, *child.field.aliases}:
                child = None
            rest = below.get(entry.span.start, [])
            if rest and (child is None or child.written):
                whole = Span(whole.start, self._outer(rest[-1]).end)
            if child is None and rows is not None and marks_alone(rows.field, f"{entry.key_text}:"):
                self._more_items(rows, [entry.span, *rest], None)
            elif child is None:
                rows = None
                slot.add_unknown(Unknown(entry.key_text, key, whole, self._in_front))
            elif child.written:
                rows = None
                slot.add_duplicate(Unknown(child.title, key, whole, self._in_front))
                if not self._exact and child.field.kind.is_choice:
                    child.add_other(Slot(child.name, child.field, slot))
                    self._take(child.others[-1], key, whole, entry.value)
            else:
                self._take(child, key, whole, entry.value)
                rows = child if self._markdown and child.field.kind.has_marks else None
                if rest:
                    self._take_below(child, entry.value, rest)
            # Deeper lines below a key without a value are most likely that value.
            empty = self._exact and child is not None and entry.value.kind == "empty"
            nesting = (child, column) if empty and child is not None else None
        slot.data = {name: child.data for name, child in slot.children.items() if child.data is not None}

    def _take(self, slot: Slot, key: Span, whole: Span, value: OutlineValue) -> None:
        slot.carrier, slot.key, slot.span = self._carrier, key, whole
        slot.present = slot.written = True
        if self._nulls and value.kind == "scalar" and value.span.of(self._fragment.text) in _NULLS:
            slot.present, slot.value, slot.raw = False, self._outer(value.span), "null"
            return
        self._value(slot, value)

    def _take_below(self, slot: Slot, value: OutlineValue, lines: list[Span]) -> None:
        """Give a label the lines below its value that belong to it; the others stay stray."""
        kind, text = slot.field.kind, self._fragment.text
        if kind.holds == "prose" or (kind.untyped and not slot.field.open):
            self._reach(slot, lines[-1].end)
            if slot.problem is not None:
                return
            parts = [value.text] if value.kind != "empty" else []
            parts += [line.of(text) for line in lines]
            start = lines[0].start if value.kind == "empty" else value.span.start
            whole = OutlineValue("scalar", Span(start, lines[-1].end), "\n".join(parts))
            slot.data = None
            self._value(slot, whole)
        elif kind.has_marks or kind.holds == "plain items":
            self._more_items(slot, lines, value)
            slot.value = self._outer(Span((lines[0] if value.kind == "empty" else value.span).start, lines[-1].end))
            slot.raw = slot.value.of(self._outer_text)
        elif value.kind == "empty" and not begins_block(text, *lines[0]):
            self._value(slot, OutlineValue("scalar", lines[0], lines[0].of(text)))
            self._reach(slot, lines[0].end)
            if kind.is_choice and slot.problem is None:
                self._values_again(slot, lines[1:])

    def _values_again(self, slot: Slot, lines: list[Span]) -> None:
        """Record different values, or a remark, below the value of a label."""
        assert slot.key is not None
        text = self._fragment.text
        for line in lines:
            read = read_text(slot.field, line.of(text), self._empty_words)
            if read.problem and slot.remark is None and remark_in(line.of(text), 0) is not None:
                slot.remark = self._outer(line)
                self._reach(slot, line.end)
            elif not read.problem and read.data != slot.data:
                slot.add_other(Slot(slot.name, slot.field, slot.parent))
                self._take(slot.others[-1], slot.key, self._outer(line), OutlineValue("scalar", line, line.of(text)))
                self._reach(slot, line.end)

    def _more_items(self, slot: Slot, lines: list[Span], value: OutlineValue | None) -> None:
        """Add the items in the lines below a label to its list. ``value``: the text on the line of the label."""
        self._reach(slot, lines[-1].end)
        if slot.problem is not None or isinstance(slot.items, LongList):
            return
        text = self._fragment.text
        empty = value is None or value.kind == "empty"
        pieces = [piece for piece in pieces_of(text, lines) if piece.is_item or empty or slot.field.kind.has_marks]
        alone = pieces[0].text(text) if empty and len(pieces) == 1 else ""
        if is_placeholder(alone):
            slot.problem = Problem("placeholder", alone, self._outer(pieces[0].span))
            return
        shared = None
        introduces = value is not None and value.kind == "scalar" and value.text.rstrip(" *_`").endswith((":", "："))
        if value is not None and introduces and any(piece.is_item for piece in pieces):
            shared = marks_alone(slot.field, value.text) if slot.field.kind.has_marks else None
            if shared is not None or not slot.items:  # a text that introduces the list
                slot.data, slot.items = [], ()
        if slot.field.kind.has_marks:
            for piece in pieces:
                slot.data += self._rows_of(slot, piece, shared, empty)
            return
        for data in slot.data[len(slot.items) :]:
            assert slot.value is not None
            child = slot.add_item(slot.field.items or _ANYTHING, slot.value)
            child.value, child.raw, child.data = child.key, data, data
        for piece in pieces:
            self._item(slot, OutlineItem(piece.span, OutlineValue("scalar", piece.span, piece.text(text)), piece.span))

    def _rows_of(self, slot: Slot, piece: Piece, shared: Value | None, alone: bool) -> list[dict[str, str]]:
        """The rows in a piece of text. A line of a paragraph needs a mark, unless it is ``alone`` below its label."""
        outline = self._fragment.text
        text, place = piece.text(outline), self._outer(piece.span)
        cells = [(cell.of(outline), self._outer(cell)) for cell in piece.cells]
        if found := list(rows_of_cells(slot, cells or [(text, place)], self._empty_words)):
            return found
        if is_nothing(text, self._empty_words):
            return [{"mark": "", "text": text}]
        if shared is not None:
            return [row_below(slot, text, place, shared)]
        text = text.replace('"', "")  # a line of JSON: `"severity": "CRITICAL"`
        return [row_of_text(slot, text, place)] if piece.is_item or (alone and not slot.field.marked) else []

    def _reach(self, slot: Slot, end: int) -> None:
        """Extend a slot to an offset of the fragment."""
        assert slot.span is not None
        slot.span = Span(slot.span.start, self._outer(Span(end, end)).end)

    def _column(self, at: int) -> int:
        return at - self._fragment.text.rfind("\n", 0, at) - 1

    def _nested(self, slot: Slot, line: Span) -> None:
        """Make a deeper line the value of a key that has none on its own line, and report it as nested."""
        assert slot.key is not None
        slot.value = slot.span = Span(slot.key.end + 1, line.end)
        slot.raw = slot.value.of(self._outer_text)
        slot.problem = Problem("nested", slot.raw, slot.value)

    def _outer(self, span: Span) -> Span:
        return self._fragment.outer_span(*span)

    def _value(self, slot: Slot, value: OutlineValue) -> None:
        """Give a slot the value after its key, by its field's type."""
        kind = slot.field.kind
        slot.value = self._outer(value.span)
        slot.raw = self._fragment.text[value.span.start : value.span.end]
        if value.kind in {"scalar", "block"} and is_placeholder(value.text):
            slot.problem = Problem("placeholder", slot.raw, slot.value)
        elif kind.holds_items:
            self._list(slot, value)
        elif kind.holds == "pairs":
            self._map(slot, value)
        elif kind.holds == "fields":
            self._object(slot, value)
        elif kind.untyped and slot.field.open and value.kind == "scalar":
            self._scalar(slot, value)
        elif kind.untyped or kind.holds == "prose":
            if kind.untyped and value.kind in {"list", "map"}:
                slot.data = plain(value)
            else:
                slot.data = "" if is_nothing(value.text, self._empty_words) else value.text
        elif value.kind == "scalar":
            self._scalar(slot, value)
        elif value.kind == "block" and kind.is_free:
            slot.data = value.text
        elif value.kind != "empty":
            slot.problem = Problem("type", slot.raw, slot.value)

    def _scalar(self, slot: Slot, value: OutlineValue) -> None:
        assert slot.value is not None
        if self._exact:
            read = read_text(slot.field, value.text, self._empty_words)
            if not read.problem and (read.start, read.end) != (0, len(value.text)):
                read = ReadValue(None, 0, len(value.text), "type" if slot.field.kind.is_count else "format")
            put(slot, read, slot.value)
            return
        if slot.raw != value.text:  # quoted or folded: the whole text is the token
            read = read_text(slot.field, value.text, self._empty_words)
            slot.data = read.data
            if read.problem:
                slot.problem = Problem(read.problem, value.text, slot.value)
            elif slot.field.kind.is_choice and remark_in(value.text, read.end) is not None:
                slot.remark = slot.value
            if slot.field.kind.is_choice:
                put_arguments(slot, read, value.text, start_of(slot.raw, value.text, slot.value))
            return
        put(slot, read_text(slot.field, value.text, self._empty_words), slot.value)

    def _list(self, slot: Slot, value: OutlineValue) -> None:
        slot.data = []
        alone = value.items[0].value if self._markdown and len(value.items) == 1 else None
        if alone is not None and alone.kind == "scalar" and is_placeholder(alone.text):
            slot.data, slot.problem = None, Problem("placeholder", alone.text, self._outer(alone.span))
        elif value.kind == "list" and isinstance(value.items, LongItems) and self._takes_anything(slot, value.items[0]):
            self._long_list(slot, value.items)
        elif value.kind == "list":
            for item in value.items:
                self._item(slot, item)
        elif value.kind == "map":
            slot.data = [{entry.key_text: plain(entry.value)} for entry in value.entries]
        elif value.kind != "empty" and not is_nothing(value.text, self._empty_words):
            if slot.field.kind.has_marks:
                slot.data = [row_of_text(slot, value.text, self._outer(value.span))]
            else:
                slot.data = [line.strip("-* ") for line in value.text.splitlines() if line.strip()]

    def _takes_anything(self, slot: Slot, first: OutlineItem) -> bool:
        """Whether any item of a list is silent, and the first one is no word for an empty list."""
        inner = slot.field.items or _ANYTHING
        if slot.field.kind.has_marks or inner.fields or not (inner.kind.untyped and may_be_silent(inner)):
            return False
        return first.value.kind != "scalar" or not is_nothing(first.value.text, self._empty_words)

    def _long_list(self, slot: Slot, items: LongItems) -> None:
        """Give a list items of any content, each made when it is asked for."""
        slot.data = items.data

        def item(number: int) -> Slot:
            value = items[number].value
            made = slot.item(number, slot.field.items or _ANYTHING, self._outer(value.span))
            made.value, made.raw, made.data = made.key, value.text, slot.data[number]
            return made

        slot.items = LongList(item, slot.data, {})

    def _item(self, slot: Slot, item: OutlineItem) -> None:
        if slot.field.kind.has_marks:
            slot.data += self._rows_in(slot, item) or [row_of_text(slot, item.value.text, self._outer(item.value.span))]
            return
        if item.value.kind != "empty" and len(slot.data) == 0 and is_nothing(item.value.text, self._empty_words):
            return
        inner = slot.field.items
        child = slot.add_item(inner or _ANYTHING, self._outer(item.value.span))
        if inner is not None and not inner.kind.untyped:
            self._value(child, item.value)
        else:
            child.value, child.raw, child.data = child.key, item.value.text, plain(item.value)
        slot.data.append(child.data if child.data is not None else item.value.text)

    def _rows_in(self, slot: Slot, item: OutlineItem) -> list[dict[str, str]]:
        """The rows nested below an item of Markdown without a mark; empty for any other item."""
        text = self._fragment.text
        rest = lines_of(text, item.span)[1:] if self._markdown else []
        if not rest or row_mark(slot.field, item.value.text)[0] is not None:
            return []
        pieces = (piece for piece in pieces_of(text, rest) if row_mark(slot.field, piece.text(text))[0] is not None)
        return [row for piece in pieces for row in self._rows_of(slot, piece, None, False)]

    def _map(self, slot: Slot, value: OutlineValue) -> None:
        """Names with values: nested keys, or a list of ``name: value`` items."""
        entries = list(value.entries)
        for item in value.items:
            entries += item.value.entries
        slot.data = {}
        if not entries and value.kind in {"scalar", "list"} and not is_nothing(value.text, self._empty_words):
            slot.data, slot.problem = None, Problem("type", slot.raw, self._outer(value.span))
            if any(item.value.kind == "scalar" for item in value.items):
                slot.problem, slot.data = None, {item.value.text: "" for item in value.items}
            return
        for entry in entries:
            child = slot.children[entry.key_text] = Slot(entry.key_text, slot.field.items or Field(type="line"), slot)
            child.present = child.written = True
            child.carrier, child.key, child.span = self._carrier, self._outer(entry.key), self._outer(entry.span)
            self._value(child, entry.value)
            slot.data[entry.key_text] = child.data if child.data is not None else entry.value.text

    def _object(self, slot: Slot, value: OutlineValue) -> None:
        if value.kind == "map":
            self.bind(slot, value.entries)
        elif value.kind == "block":  # a literal text that is an outline itself
            inner = self._literal(value)
            binder = OutlineBinder(inner, self._outer_text, self._empty_words, carrier=self._carrier, nulls=self._nulls)
            binder.bind(slot, read_outline(inner.text).entries)
        else:
            slot.children = {name: Slot(name, field, slot) for name, field in slot.field.fields.items()}
            if value.kind != "empty" and not is_nothing(value.text, self._empty_words):
                slot.problem = Problem("type", slot.raw, self._outer(value.span))

    def _literal(self, value: OutlineValue) -> Fragment:
        """The lines of a literal text as a fragment of the document."""
        text = self._fragment.text
        start = text.rfind("\n", 0, value.span.start) + 1
        end = text.find("\n", max(value.span.end - 1, start)) + 1 or len(text)
        return Fragment(self._outer_text, self._fragment.pieces(start, end))


def _start(line: OutlineEntry | Span) -> int:
    return line.start if isinstance(line, Span) else line.span.start
