"""Edits of a mapping in a YAML text, at the exact places of its keys, so that comments, order and layout stay."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import yaml

from handoff_lsp.text import Edit, Span, eol_of
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

# A flow mapping longer than this is written in lines of its own.
_WIDTH = 120
_ALIAS = lazy_pattern(r":[ \t]*(?:[\r\n][ \t\r\n]*)?(\*[^\s,\[\]{}]+)")
_COMMENT_BEHIND = lazy_pattern(r"[ \t]*(#[^\r\n]*)?(?=[\r\n]|\Z)")
_LAST_LINE = lazy_pattern(r"\n[ \t]*(?:#[^\n]*)?\Z")
# Characters that end a plain text inside braces and brackets.
_FLOW_SIGNS = lazy_pattern(r"[,\[\]{}]")


class YamlPair(NamedTuple):
    """A key of a mapping with its value. ``end``: behind the value; ``comment``: behind a comment on its line."""

    key: yaml.ScalarNode
    value: yaml.Node
    end: int
    comment: int

    @property
    def start(self) -> int:
        """The offset of the key."""
        return int(self.key.start_mark.index)


class Moved(NamedTuple):
    """A value that is moved as it is written. ``indent``: that of its key; ``text``: all that follows the key."""

    indent: int
    text: str
    flow: str | None


class YamlMapping:
    """A mapping of a YAML text. Its methods return edits of the text."""

    def __init__(self, text: str, node: yaml.MappingNode) -> None:
        self.text = text
        self.node = node

    @cached_property
    def pairs(self) -> dict[str, YamlPair]:
        """The pairs by their keys, in order."""
        found: dict[str, YamlPair] = {}
        for key, value in self.node.value:
            if isinstance(key, yaml.ScalarNode):
                end = self._end(key, value)
                behind = _COMMENT_BEHIND.match(self.text, end)
                comment = behind.end() if behind is not None and behind[1] and not self.flow else end
                found.setdefault(key.value, YamlPair(key, value, end, comment))
        return found

    @property
    def flow(self) -> bool:
        """Whether it is written in braces."""
        return bool(self.node.flow_style)

    def data(self, key: str) -> Any:
        """The value of a key as plain data; None where it is not there."""
        pair = self.pairs.get(key)
        if pair is None:
            return None
        loader = yaml.SafeLoader("")
        return loader.construct_document(pair.value)

    def moved(self, key: str) -> Moved:
        """The value of a key, to be put under another one as it is written."""
        pair = self.pairs[key]
        text = self.text[pair.key.end_mark.index : pair.comment]
        return Moved(pair.key.start_mark.column, text, _as_flow(self.text[pair.key.end_mark.index : pair.end], pair))

    def inside(self, key: str) -> YamlMapping:
        """The mapping that is the value of a key. Raises ValueError for another value."""
        value = self.pairs[key].value
        if not isinstance(value, yaml.MappingNode):
            raise ValueError(key)
        return YamlMapping(self.text, value)

    def span(self, key: str) -> Span:
        """The place of a key."""
        node = self.pairs[key].key
        return Span(node.start_mark.index, node.end_mark.index)

    def rename(self, old: str, new: str) -> Edit:
        """The edit that gives a key another name."""
        return Edit(self.span(old), new)

    def replace(self, old: Collection[str], new: Sequence[tuple[str, Any]]) -> list[Edit]:
        """The edits that put new pairs in the places of some keys, and remove the others.

        A new value is plain data in which parts may be ``Moved``: it comes where the first of these was, any other in
        the place of the first key. Comments of what is not moved are kept above.
        """
        names = [name for name in self.pairs if name in old]
        if not names:
            return []
        origins = {self.moved(name): name for name in names}
        places: dict[str, list[tuple[str, Any]]] = {}
        for key, value in new:
            place = next((origins[part] for part in _moved_in([value]) if part in origins), names[0])
            places.setdefault(place, []).append((key, value))
        kept = set(_moved_in(value for _, value in new))
        comments = [line for moved, name in origins.items() if moved not in kept for line in self._comments(name)]
        edits = list(self._removals([name for name in names if name not in places]))
        for place, pairs in places.items():
            first = self.pairs[place]
            indent = first.key.start_mark.column
            if self.flow:
                written = ", ".join(f"{key}: {_flow(value)}" for key, value in pairs)
            else:
                lines = [line for key, value in pairs for line in _lines(key, value, indent)]
                if place == min(places, key=names.index):
                    lines = [*comments, *lines]
                eol = eol_of(self.text)
                written = "".join([lines[0], *(f"{eol}{' ' * indent}{line}" if line else eol for line in lines[1:])])
            edits.append(Edit(Span(first.start, first.comment), written))
        return edits

    def _removals(self, names: Collection[str]) -> Iterator[Edit]:
        """The edits that remove keys, one for each run of neighbors."""
        order = list(self.pairs)
        if names and len(names) == len(self.node.value):
            last = self.pairs[order[-1]]
            yield Edit(Span(self.pairs[order[0]].start, last.end), "" if self.flow else "{}")
            return
        runs: list[list[int]] = []
        for at in (index for index, name in enumerate(order) if name in names):
            if runs and runs[-1][-1] == at - 1 and (self.flow or not self._begins_a_line(order[at])):
                runs[-1].append(at)
            else:
                runs.append([at])
        for run in runs:
            first, last = self.pairs[order[run[0]]], self.pairs[order[run[-1]]]
            if self.flow and run[0] > 0:
                yield Edit(Span(self.pairs[order[run[0] - 1]].end, last.end), "")
            elif self.flow or not self._begins_a_line(order[run[0]]):
                yield Edit(Span(first.start, self.pairs[order[run[-1] + 1]].start), "")
            else:
                end = self.text.find("\n", last.comment)
                yield Edit(Span(self._line_start(first.start), end + 1 if end >= 0 else len(self.text)), "")

    def _begins_a_line(self, name: str) -> bool:
        start = self.pairs[name].start
        return not self.text[self._line_start(start) : start].strip()

    def _line_start(self, at: int) -> int:
        return self.text.rfind("\n", 0, at) + 1

    def _comments(self, name: str) -> Iterator[str]:
        """The comments inside a pair and behind it."""
        pair = self.pairs[name]
        for line in self.text[pair.start : pair.end].splitlines():
            if line.lstrip().startswith("#"):
                yield line.strip()
        for leaf in _leaves(pair.value):
            end = leaf.end_mark.index
            behind = re.compile(r"[ \t,\]}]*[ \t](#[^\r\n]*)").match(self.text, end)
            if pair.start <= leaf.start_mark.index and end <= pair.end and behind is not None:
                yield behind[1]

    def _end(self, key: yaml.ScalarNode, value: yaml.Node) -> int:
        """The end of a value, without the blank lines and comments that follow it."""
        start = key.end_mark.index
        alias = _ALIAS.match(self.text, start)
        if alias is not None:
            return alias.end()
        if isinstance(value, yaml.ScalarNode) and value.style not in {"|", ">"}:
            return max(value.end_mark.index, start + 1)
        if isinstance(value, yaml.CollectionNode) and value.flow_style:
            return int(value.end_mark.index)
        end = int(value.end_mark.index)
        leaves = [leaf for leaf in _leaves(value) if start < leaf.end_mark.index <= end]  # an alias leads elsewhere
        last = max(leaves, key=lambda leaf: leaf.end_mark.index, default=None)
        if last is not None and last.style in {"|", ">"}:
            return start + len(self.text[start:end].rstrip())
        least = last.end_mark.index if last is not None else start + 1
        while (blank := _LAST_LINE.search(self.text, least, end)) is not None:
            end = blank.start()
        return end - 1 if end > least and self.text[end - 1] == "\r" else end


def _leaves(node: yaml.Node) -> Iterator[yaml.ScalarNode]:
    seen: set[int] = set()
    stack = [node]
    while stack:
        at = stack.pop()
        if isinstance(at, yaml.ScalarNode):
            yield at
        elif id(at) not in seen:
            seen.add(id(at))
            stack += [part for item in at.value for part in (item if isinstance(item, tuple) else (item,))]


def _moved_in(values: Iterable[Any]) -> Iterator[Moved]:
    for value in values:
        if isinstance(value, Moved):
            yield value
        elif isinstance(value, dict):
            yield from _moved_in(value.values())
        elif isinstance(value, list):
            yield from _moved_in(value)


def _as_flow(text: str, pair: YamlPair) -> str | None:
    """A value as written in braces; None if braces cannot contain it."""
    written = text.lstrip(": \t")
    value = pair.value
    if "\n" in text or (isinstance(value, yaml.CollectionNode) and not value.flow_style and written[:1] != "*"):
        return None
    if isinstance(value, yaml.ScalarNode) and value.style is None and _FLOW_SIGNS.search(written):
        return "'" + written.replace("'", "''") + "'"
    return written


def _flow(value: Any) -> str:
    """Data in braces and brackets. Raises ValueError for a moved value that has lines of its own."""
    if isinstance(value, Moved):
        if value.flow is None:
            raise ValueError(value)
        return value.flow
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_scalar(key)}: {_flow(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    written = yaml.safe_dump([value], default_flow_style=True, allow_unicode=True, width=float("inf"))
    return str(written).strip()[1:-1]


def _lines(key: str, value: Any, indent: int) -> list[str]:
    """A pair in a block mapping: its lines without the indent of the first."""
    if isinstance(value, Moved):
        first, *others = value.text.replace("\r\n", "\n").split("\n")
        return [f"{key}{first}", *(_without_indent(line, value.indent) for line in others)]
    try:
        short = _flow(value)
    except ValueError:
        short = ""
    several = isinstance(value, list) and len(value) > 1 and isinstance(value[0], dict)
    if short and not several and (len(key) + len(short) + indent + 2 <= _WIDTH or not isinstance(value, (dict, list))):
        return [f"{key}: {short}"]
    if isinstance(value, dict):
        below = [line for name, each in value.items() for line in _lines(_scalar(name), each, indent + 2)]
        return [f"{key}:", *(f"  {line}" if line else line for line in below)]
    return [f"{key}:", *(line for each in value for line in _item(each, indent + 4))]


def _item(value: Any, indent: int) -> list[str]:
    """An item of a block list, with the dash. ``indent``: that of its keys."""
    try:
        return [f"  - {_flow(value)}"]
    except ValueError:
        lines = [line for name, each in value.items() for line in _lines(_scalar(name), each, indent)]
        return [f"  - {lines[0]}", *(f"    {line}" if line else line for line in lines[1:])]


def _without_indent(line: str, indent: int) -> str:
    blanks = len(line) - len(line.lstrip(" "))
    return line[min(blanks, indent) :] if line.strip() else ""
