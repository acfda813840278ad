"""Where a field that is not there would go, and the edit that puts it there."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import trim
from handoff_lsp.contracts.skeleton import Skeleton, Stops, escape_snippet, fill_in, json_value, labels, section
from handoff_lsp.syntax.json import JsonNode
from handoff_lsp.syntax.markdown import Node
from handoff_lsp.text import Edit, Fragment, Span, eol_of, with_eol

_BREAK = re.compile(r"\r\n|\n|\r")
_BLANKS = " \t\r\n"
_FOLD = re.compile(r"(,?)\n\s*")
_STRING = re.compile(r'"(?P<text>(?:[^"\\]|\\.)*)"(?P<colon>\s*:)?')
_SECTIONS = {"section", "heading-inline"}


def insertion(block: Block, slots: Sequence[Slot]) -> list[Edit]:
    """The edits that insert skeletons for absent fields, in the contract's order. Empty where there is no place.

    Fields that belong together in one place become one edit, so that their tab stops are numbered through.
    """
    stops = Stops()
    edits: list[Edit] = []
    # At one place, what belongs to the section above comes before the next section.
    for parent, group in sorted(_by_parent(slots), key=lambda entry: not entry[0].path):
        if block.json is not None:
            edits += _members(block, parent, group, stops)
        elif not parent.path:
            edits += _sections(block, parent, group, stops)
        else:
            edits += _labels(block, parent, group, stops)
    return [settled(block.source.text, edit) for edit in edits]


def settled(text: str, edit: Edit) -> Edit:
    """An edit written with ``\\n`` and full indentation, as it goes out.

    Its text gets the line ends of the document. Its snippet leaves out the indentation of the line on which it
    begins: editors that take snippets add that to every further line themselves.
    """
    line = text[_line_start(text, edit.span.start) : edit.span.start]
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    snippet = edit.snippet.replace(f"\n{indent}", "\n") if edit.snippet is not None and indent else edit.snippet
    return Edit(edit.span, with_eol(edit.text, eol_of(text)), snippet)


def _by_parent(slots: Sequence[Slot]) -> list[tuple[Slot, list[Slot]]]:
    """Slots by their parent, in the contract's order."""
    groups: dict[int, tuple[Slot, list[Slot]]] = {}
    for slot in slots:
        if slot.parent is not None:
            groups.setdefault(id(slot.parent), (slot.parent, []))[1].append(slot)
    for parent, group in groups.values():
        names = list(parent.children)
        group.sort(key=lambda slot: names.index(slot.name))
    return list(groups.values())


def _line_start(text: str, offset: int) -> int:
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def _joined(parts: Sequence[Skeleton], glue: str) -> Skeleton:
    return Skeleton(glue.join(part.plain for part in parts), glue.join(part.snippet for part in parts))


def _around(before: str, made: Skeleton, after: str) -> Skeleton:
    """A skeleton between two texts that mean nothing in a snippet."""
    return Skeleton(before + made.plain + after, before + made.snippet + after)


# ── Markdown sections ────────────────────────────────────────────────────────────────────────────────────────────


def section_level(block: Block) -> int:
    """The heading level that a new section gets: that of the sections which are there, else 2."""
    levels = {item.heading.content: item.level for item in block.tree.all_sections}
    found = [levels[slot.key] for slot in block.root.children.values() if slot.key is not None and slot.key in levels]
    return min(found, default=2)


def _sections(block: Block, root: Slot, slots: list[Slot], stops: Stops) -> list[Edit]:
    level = section_level(block)
    placed: dict[str, int] = {}
    runs: dict[int, list[Skeleton]] = {}
    for slot in slots:
        offset = placed[slot.name] = _section_place(block, root, slot, level, placed)
        runs.setdefault(offset, []).append(section(slot.name, slot.field, level, stops))
    edits = []
    for offset, parts in runs.items():
        before, after = blank_lines(block.source.text, offset)
        made = _around(_close_fence(block, offset) + before, _joined(parts, "\n\n"), after)
        edits.append(Edit(Span(offset, offset), made.plain, made.snippet))
    return edits


def blank_lines(text: str, start: int, end: int | None = None) -> tuple[str, str]:
    """The line ends that set a section apart that replaces ``text[start:end]``: before it and after it."""
    head, tail = text[:start], text[start if end is None else end :]
    above = len(_BREAK.findall(head[len(head.rstrip(_BLANKS)) :]))
    below = len(_BREAK.findall(tail[: len(tail) - len(tail.lstrip(_BLANKS))]))
    wanted = 2 if tail.strip() else 1
    return "\n" * max(0, 2 - above) if head.strip("\ufeff \t\r\n") else "", "\n" * max(0, wanted - below)


def _section_place(block: Block, root: Slot, slot: Slot, level: int, placed: Mapping[str, int]) -> int:
    """The offset at which a section goes; ``placed`` are those that are inserted with it."""
    names = list(root.children)
    at = names.index(slot.name)
    if not slot.field.first:
        for name in reversed(names[:at]):
            if name in placed:
                return placed[name]
            earlier = root.children[name]
            if earlier.carrier in _SECTIONS and earlier.span is not None:
                return _end_of(block, earlier.span)
        later = [root.children[name] for name in names[at + 1 :] if root.children[name].carrier in _SECTIONS]
        if later:
            return _before(block, min(other.span.start for other in later if other.span is not None))
    headings = block.tree.all_sections
    title = headings[0] if headings and headings[0].level == 1 and level > 1 else None
    below = [item for item in headings if item is not title and item.level >= level]
    if below:
        return _before(block, below[0].heading.span.start)
    if title is not None:
        return _end_of(block, title.span)
    # Without any heading: below the front matter and the comments that begin the document.
    end = int(block.source.text.startswith("\ufeff"))
    for node in block.tree.blocks:
        if node.kind != "front-matter" and not _is_comment(node):
            break
        end = node.span.end
    return end


def _is_comment(node: Node) -> bool:
    return node.kind == "html" and node.tree.source.slice(node.span).lstrip().startswith("<!--")


def _before(block: Block, offset: int) -> int:
    """The beginning of a heading's line, or of the comments that stand right above it and speak of it."""
    text, lines = block.source.text, block.source.lines
    line = lines.line_of(offset)
    while line > 0 and lines.line_text(line - 1).strip():
        node = block.tree.block_at(lines.line_span(line - 1).start)
        if node is None or not _is_comment(node):
            break
        line = node.first_line
    return max(lines.starts[line], int(text.startswith("\ufeff")))


def _end_of(block: Block, span: Span) -> int:
    """The end of a section's content, without comments at its end that speak of the heading below."""
    text = block.source.text
    end = span.end
    if text[end:].strip():
        end = _before(block, end)
    return max(trim(text, span.start, end)[1], span.start)


def _close_fence(block: Block, offset: int) -> str:
    """What closes a fence that would swallow a section put at ``offset``."""
    node = block.tree.block_at(offset)
    if node is None or node.kind != "fence" or node.closed or node.parent is not None or offset <= node.opening.start:
        return ""
    return f"\n{node.marker}"


# ── labels ───────────────────────────────────────────────────────────────────────────────────────────────────────


class LabelStyle(NamedTuple):
    """How the labels of a section are written: what stands before a label, and between it and its value."""

    prefix: str = ""
    separator: str = ": "


def label_style(block: Block, slot: Slot) -> LabelStyle:
    """How a label that is there is written."""
    if slot.key is None:
        return LabelStyle()
    text = block.source.text
    prefix = text[_line_start(text, slot.key.start) : slot.key.start]
    separator = text[slot.key.end : slot.value.start] if slot.value is not None else ""
    if not separator.strip() or "\n" in separator or "\r" in separator:
        separator = ":"
    return LabelStyle(prefix, f"{separator.rstrip()} ")


def _labels(block: Block, parent: Slot, slots: list[Slot], stops: Stops) -> list[Edit]:
    runs: dict[tuple[int, bool], list[Skeleton]] = {}
    bare: list[Slot] = []
    for slot in slots:
        place = _label_place(block, parent, slot)
        if place is None:
            bare.append(slot)
            continue
        offset, after, style = place
        filled = fill_in(slot.name, slot.field, stops)
        head = f"{style.prefix}{slot.title}{style.separator}"
        made = Skeleton((head + filled.plain).rstrip(), escape_snippet(head) + filled.snippet)
        runs.setdefault((offset, after), []).append(made)
    edits = []
    for (offset, after), parts in runs.items():
        joined = _joined(parts, "\n")
        made = _around("\n", joined, "") if after else _around("", joined, "\n")
        edits.append(Edit(Span(offset, offset), made.plain, made.snippet))
    if bare:
        edits.append(_label_body(block, parent, bare, stops))
    return edits


def _label_place(block: Block, parent: Slot, slot: Slot) -> tuple[int, bool, LabelStyle] | None:
    """Offset, whether it ends a line that stays above, and style; None where there is neither label nor fence."""
    lines = block.source.lines
    names = list(parent.children)
    at = names.index(slot.name)
    before = [parent.children[name] for name in reversed(names[:at]) if parent.children[name].key is not None]
    after = [parent.children[name] for name in names[at + 1 :] if parent.children[name].key is not None]
    if before and before[0].key is not None:
        near = before[0]
        last = near.span.end if near.span is not None else before[0].key.end
        return lines.line_end(lines.line_of(last)), True, label_style(block, near)
    if after and after[0].key is not None:
        return lines.starts[lines.line_of(after[0].key.start)], False, label_style(block, after[0])
    fence = next((node for node in block.tree.fences() if parent.value is not None and node.span == parent.value), None)
    return (fence.opening.end, True, LabelStyle()) if fence is not None else None


def _label_body(block: Block, parent: Slot, slots: list[Slot], stops: Stops) -> Edit:
    """Labels below the heading of a section that has none, in a fence where that is how they are written."""
    made = labels({slot.name: slot.field for slot in slots}, stops)
    if slots[0].field.carriers[:1] == ["yaml"]:
        made = _around("```yaml\n", made, "\n```")
    heading = next((item.heading for item in block.tree.all_sections if item.heading.content == parent.key), None)
    end = heading.span.end if heading is not None else parent.anchor().end
    offset = trim(block.source.text, 0, end)[1]
    before, after = blank_lines(block.source.text, offset)
    made = _around(before, made, after)
    return Edit(Span(offset, offset), made.plain, made.snippet)


# ── JSON members ─────────────────────────────────────────────────────────────────────────────────────────────────


def node_of(block: Block, slot: Slot) -> JsonNode | None:
    """The JSON value that a slot was bound to."""
    if block.json is None:
        return None
    if slot.parent is None:
        return block.json.tree.root
    parent = node_of(block, slot.parent)
    if parent is None:
        return None
    if slot.name.endswith("]") and parent.kind == "array":
        number = int(slot.name[slot.name.rindex("[") + 1 : -1])
        return parent.items[number] if number < len(parent.items) else None
    return parent.get(_key(slot, parent))


def _key(slot: Slot, node: JsonNode) -> str:
    return next((key for key in (slot.title, *slot.field.aliases) if node.member(key) is not None), slot.title)


def _members(block: Block, parent: Slot, slots: list[Slot], stops: Stops) -> list[Edit]:
    node = node_of(block, parent)
    if block.json is None or node is None or node.kind != "object":
        return []
    fragment = block.json.fragment
    text = fragment.text
    # Inner offsets of the places, with what goes there.
    runs: dict[int, list[Skeleton]] = {}
    indents: dict[int, str | None] = {}
    for slot in slots:
        at = _place_after(parent, slot, node)
        if at not in indents:
            indents[at] = own_indent(text, _start_at(node, at)) if node.members else layout(text, node).inner
        value = json_value(slot.name, slot.field, stops, indents[at] or "", layout(text, node).step)
        made = member(slot.title, _unclaimed(value))
        runs.setdefault(at, []).append(flat(made) if indents[at] is None else made)
    edits = []
    for at, parts in runs.items():
        glue = " " if indents[at] is None else f"\n{indents[at]}"
        joined = _joined(parts, f",{glue}")
        span = Span(at, at)
        if not node.members:
            span, made = _into_empty(text, node, joined, indents[at])
        elif at == node.members[0].start:
            made = _around("", joined, f",{glue}")
        else:
            made = _around(f",{glue}", joined, "")
        edits.append(outer_edit(block.source.text, fragment, span, made))
    return edits


def _place_after(parent: Slot, slot: Slot, node: JsonNode) -> int:
    """The end of the member that a new one follows; without one the beginning of the first, or after the bracket."""
    names = list(parent.children)
    for name in reversed(names[: names.index(slot.name)]):
        earlier = node.member(_key(parent.children[name], node))
        if earlier is not None:
            return earlier.end
    return node.members[0].start if node.members else node.start + 1


def _start_at(node: JsonNode, at: int) -> int:
    return next((item.start for item in node.members if at in (item.start, item.end)), at)


def member(title: str, value: Skeleton) -> Skeleton:
    """A key with a skeleton of its value."""
    key = json.dumps(title, ensure_ascii=False)
    return Skeleton(f"{key}: {value.plain}", f"{escape_snippet(key)}: {value.snippet}")


def _unclaimed(value: Skeleton) -> Skeleton:
    """A value that says nothing for the author: a text that the contract proposes waits to be confirmed.

    In a snippet, which one goes through stop by stop, it stands as it is.
    """
    return Skeleton(_STRING.sub(_as_placeholder, value.plain), value.snippet)


def _as_placeholder(found: re.Match[str]) -> str:
    if found["colon"] or not found["text"] or found["text"].startswith("<"):
        return found.group()
    return f'"<{found["text"]}>"'


def flat(made: Skeleton) -> Skeleton:
    """A JSON skeleton on one line."""
    plain, snippet = (_FOLD.sub(lambda found: ", " if found[1] else "", part) for part in made)
    return Skeleton(plain, snippet)


def _into_empty(text: str, node: JsonNode, joined: Skeleton, indent: str | None) -> tuple[Span, Skeleton]:
    inside = text[node.start + 1 : node.end - 1] if node.closed else text[node.start + 1 : node.end]
    if indent is None:
        return Span(node.start + 1, node.start + 1 + len(inside)), joined
    if inside.strip():  # a comment, which stays
        return Span(node.start + 1, node.start + 1), _around(f"\n{indent}", joined, "")
    return Span(node.start + 1, node.start + 1 + len(inside)), _around(
        f"\n{indent}", joined, f"\n{line_indent(text, node.start)}"
    )


def outer_edit(outer_text: str, fragment: Fragment, span: Span, made: Skeleton) -> Edit:
    """An edit of a fence's body as one of the document: its new lines get the marks of the list or quote around it."""
    prefix = line_prefix(outer_text, fragment, span.start)
    at_line_start = span.start == 0 or fragment.text[span.start - 1] in "\r\n"
    start = fragment.outer(span.start) if at_line_start else fragment.outer(span.start - 1) + 1
    end = fragment.outer_span(span.start, span.end).end if span.end > span.start else start
    snippet = made.snippet.replace("\n", f"\n{escape_snippet(prefix)}")
    return Edit(Span(start, end), made.plain.replace("\n", f"\n{prefix}"), snippet)


def line_prefix(outer_text: str, fragment: Fragment, offset: int) -> str:
    """What a line of the document has before the line of a fence's body that holds an inner offset."""
    start = fragment.outer(_line_start(fragment.text, offset))
    return outer_text[_line_start(outer_text, start) : start]


class Layout(NamedTuple):
    """How an object is laid out: the indent of its members (None: on one line with it) and one step of indent."""

    inner: str | None
    step: str


def layout(text: str, node: JsonNode) -> Layout:
    """How an object or array is laid out, or would be if it had something in it. Offsets are those of ``text``."""
    step = _step(text, node)
    first = _first_child(node)
    if first is not None:
        inner = own_indent(text, first)
        return Layout(inner, step)
    parent = node.parent
    around = _first_child(parent) if parent is not None else None
    inside = text[node.start + 1 : node.end - 1]
    if around is not None and not _BREAK.search(inside) and own_indent(text, around) is None:
        return Layout(None, step)
    return Layout(line_indent(text, node.start) + step, step)


def _step(text: str, node: JsonNode) -> str:
    """One step of indent, as the nearest container has it that stands on several lines."""
    at: JsonNode | None = node
    while at is not None:
        first = _first_child(at)
        inner = own_indent(text, first) if first is not None else None
        outer = line_indent(text, at.start)
        if inner is not None and len(inner) > len(outer) and inner.startswith(outer):
            return inner[len(outer) :]
        at = at.parent
    return "  "


def _first_child(node: JsonNode) -> int | None:
    if node.members:
        return node.members[0].start
    return node.items[0].start if node.items else None


def own_indent(text: str, offset: int) -> str | None:
    """The blanks before an offset where nothing else stands before it on its line, else None."""
    before = text[_line_start(text, offset) : offset]
    return None if before.strip(" \t") else before


def line_indent(text: str, offset: int) -> str:
    """The blanks that begin the line of an offset."""
    start = _line_start(text, offset)
    line = text[start:offset]
    return line[: len(line) - len(line.lstrip(" \t"))]
