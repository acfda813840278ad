"""Statements in fences: the lines `LABEL: value` of a handoff that a prompt shows, also while the fence is broken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from handoff_lsp.prompts.acts import act_of_fence
from handoff_lsp.prompts.collector import Collector
from handoff_lsp.prompts.values import Written, split_values
from handoff_lsp.prompts.vocabulary import label_name
from handoff_lsp.syntax.markdown.node import Node

_TAGS = frozenset({"", "md", "markdown", "text", "txt", "yaml", "yml", "json", "jsonc", "json5", "plaintext", "toml"})
# A fence shows a handoff if it has so many of the contract's fields, or one that nothing else has.
_ENOUGH = 2
# A JSON Schema has the names of fields, but no handoff.
_SCHEMA = '"$schema"'
_LINE = re.compile(
    r"(?m)^[ \t>|{,]*(?:[-+*][ \t]+)?(?:#{1,6}[ \t]+|\*\*|__|[\"'`])?(?P<label>[^\W\d_][\w .-]{0,40}?)"
    r"(?:\*\*|__|[\"'`])?[ \t]*[:：](?:\*\*|__)?[ \t]*(?P<rest>[^\r\n]*)"
)
_HEADING = re.compile(
    r"(?m)^[ \t>]*#{1,6}[ \t]+(?P<label>[^\W\d_][^\r\n:：]{0,40}?)[ \t#]*\r?$\s*(?P<rest>[^\r\n#][^\r\n]*)?"
)
_COMMENT = re.compile(r"[ \t]+(?:#|//|<!--|←|—)[^\r\n]*$")
_BRACKETS = re.compile(r"^[\"'`*]*[<{\[(]?[\"'`]?(?P<inner>[^<>{}\[\]()\"'`]*)[\"'`]?[>}\])]?[\"'`*]*[ \t]*,?[ \t]*$")


class Line(NamedTuple):
    """A line of a fence with a label and what follows it; spans in code points of the document."""

    label: Written
    values: list[Written]
    placeholder: bool


def read_fence(fence: Node, found: Collector) -> None:
    """The fields and values of a fence that shows a handoff of the contract."""
    if fence.info.split(" ", 1)[0].lower() not in _TAGS or _SCHEMA in fence.text:
        return
    lines = [line for line in lines_of(fence) if found.words.named(line.label.text)]
    names = {label_name(line.label.text) for line in lines}
    if len(names) < _ENOUGH and not names & found.words.telling:
        return
    act = act_of_fence(found.view, found.speaker, fence.span)
    for line in lines:
        field = found.choice(line.label.text, line.values)
        if field is None or not line.values or not _is_inside(field.path, names):
            continue
        if line.placeholder and not any(value.text in field.values for value in line.values):
            continue
        found.add_values(field, line.label.text, line.values, "skeleton", act=act)
    found.add_fields(list({label_name(line.label.text): line.label for line in lines}.values()), "skeleton", act=act)


def _is_inside(path: str, names: set[str]) -> bool:
    """Whether the objects that a field is in are among some names, or it is in none."""
    return all(label_name(parent) in names for parent in path.split(".")[:-1])


def lines_of(fence: Node) -> Iterator[Line]:
    """The lines with a label of a fence, in order."""
    fragment = fence.fragment()
    text = fragment.text
    for match in sorted([*_LINE.finditer(text), *_HEADING.finditer(text)], key=lambda one: one.start()):
        label = Written(match["label"].strip(), fragment.outer_span(*match.span("label")))
        rest = _COMMENT.sub("", match["rest"] or "")
        inner = _BRACKETS.match(rest)
        values = []
        if inner is not None and inner["inner"].strip():
            at = match.start("rest") + inner.start("inner")
            values = [
                Written(value.text, fragment.outer_span(*value.span)) for value in split_values(inner["inner"], at)
            ]
        yield Line(label, values, rest[:1] in "<{[(")
