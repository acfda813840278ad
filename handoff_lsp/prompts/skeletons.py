"""Statements in fences: the lines `LABEL: value` of a handoff that a prompt shows, also while the fence is broken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from handoff_lsp.contracts.names import key_name
from handoff_lsp.prompts.acts import act_of_fence, lead_of
from handoff_lsp.prompts.collector import Collector
from handoff_lsp.prompts.values import WrittenValue, split_values
from handoff_lsp.prompts.vocabulary import ContractWords, KnownField, label_name
from handoff_lsp.syntax.markdown.node import Node
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

_TAGS = frozenset({"", "md", "markdown", "text", "txt", "yaml", "yml", "json", "jsonc", "json5", "plaintext", "toml"})
# A fence shows a handoff if it has so many of the contract's fields, or so many where the prose above is about one.
_ENOUGH = 3
_ENOUGH_BELOW = 2
# A JSON Schema has the names of fields, but no handoff.
_SCHEMA = '"$schema"'
_LINE = lazy_pattern(
    r"(?m)^[ \t>|{,]*(?:[-+*][ \t]+)?(?:#{1,6}[ \t]+|\*\*|__|[\"'`])?(?P<label>[^\W\d_][\w .-]{0,40}?)"
    r"(?:\*\*|__|[\"'`])?[ \t]*[:：](?:\*\*|__)?[ \t]*(?P<rest>[^\r\n]*)"
)
_HEADING = lazy_pattern(
    r"(?m)^[ \t>]*#{1,6}[ \t]+(?P<label>[^\W\d_][^\r\n:：]{0,40}?)[ \t#]*\r?$\s*(?P<rest>[^\r\n#][^\r\n]*)?"
)
_COMMENT = lazy_pattern(r"[ \t]+(?:#|//|<!--|←|—)[^\r\n]*$")
_BRACKETS = lazy_pattern(r"^[\"'`*]*[<{\[(]?[\"'`]?(?P<inner>[^<>{}\[\]()\"'`]*)[\"'`]?[>}\])]?[\"'`*]*[ \t]*,?[ \t]*$")


# The rest of a line whose value is below it.
_BELOW = lazy_pattern(r"[{\[|>-]{0,2}[ \t]*(?:(?:#|//).*)?")


# Names of keys as they are compared, from the outermost.
Keys: TypeAlias = tuple[str, ...]


class Line(NamedTuple):
    """A line of a fence with a label and what follows it; spans in code points of the document.

    ``within``: the names, as they are compared, of the keys above it that it belongs to.
    """

    label: WrittenValue
    values: list[WrittenValue]
    placeholder: bool
    within: Keys = ()

    def moved(self, by: int) -> Line:
        """The same at a later place."""
        return Line(self.label.moved(by), [one.moved(by) for one in self.values], self.placeholder, self.within)


class Shown(NamedTuple):
    """A handoff that a fence shows, as one contract reads it.

    ``is_whole``: it has the field that begins or ends a handoff, or its status. ``score``: how well the contract fits,
    to be compared with those of other contracts.
    """

    lines: list[tuple[Line, KnownField]]
    is_whole: bool
    score: tuple[int, ...]


def read_fences(collectors: Sequence[Collector]) -> None:
    """The fields and values of each fence that shows a handoff, for the contract that it fits best.

    Lines of which that contract knows nothing may show a handoff of another one.
    """
    for fence in collectors[0].view.fences:
        if fence.info.split(" ", 1)[0].lower() not in _TAGS or _SCHEMA in fence.text:
            continue
        lines, left = list(lines_of(fence)), list(collectors)
        while left:
            shown = [(one, found) for found in left if (one := _shown(fence, lines, found)) is not None]
            if not shown:
                break
            best, found = max(shown, key=lambda pair: pair[0].score)
            _read(fence, best, found)
            read = {line.label.span for line, _ in best.lines}
            lines = [line for line in lines if line.label.span not in read]
            left = [one for _, one in shown if one is not found]


def _read(fence: Node, shown: Shown, found: Collector) -> None:
    act = act_of_fence(found.view, found.speaker(fence.span), fence.span)
    if act == "handles" and _is_own(shown, found, fence):
        act = "emits"
    for line, field in shown.lines:
        values = [value for value in line.values if value.text in field.values or not found.words.named(value.text)]
        known = [value for value in values if value.text in field.values]
        if line.placeholder and (not known or field.field.open):
            # What a placeholder says about names is no name.
            values = known
        if field.values and values and (shown.is_whole or 2 * len(known) > len(values)):
            found.add_values(field, line.label.text, values, "skeleton", act=act)
    first = {label_name(line.label.text): line.label for line, _ in reversed(shown.lines)}
    found.add_fields(sorted(first.values(), key=lambda label: label.span), "skeleton", act=act)


def _is_own(shown: Shown, found: Collector, fence: Node) -> bool:
    """Whether a handoff begins with the name of the one who speaks: an orchestrator's own result."""
    name = found.speaker(fence.span).name
    return bool(name) and any(
        field.path in found.words.edges and any(key_name(value.text) == key_name(name) for value in line.values)
        for line, field in shown.lines
    )


def _shown(fence: Node, lines: Sequence[Line], found: Collector) -> Shown | None:
    words = found.words
    fitting = _fitting(lines, words)
    if not fitting:
        return None
    names = {label_name(line.label.text) for line, _ in fitting}
    telling = {label_name(line.label.text) for line, _ in fitting if words.is_telling(line.label.text)}
    beside = {label_name(line.label.text) for line in lines if line.within == fitting[0][0].within}
    is_named = words.is_named_in(fence.text)
    enough = (
        telling
        or is_named
        or (len(names) >= _ENOUGH and 2 * len(names) >= len(beside))
        or (len(names) >= _ENOUGH_BELOW and words.is_meant_in(lead_of(found.view, fence.span)))
    )
    if not enough:
        return None
    known = sum(value.text in field.values for line, field in fitting for value in line.values)
    is_whole = is_named or not words.edges.isdisjoint(field.path for _, field in fitting)
    roots = sum("." not in field.path for _, field in fitting)
    return Shown(fitting, is_whole, (is_named, len(names), roots, known, len(telling)))


def _fitting(lines: Sequence[Line], words: ContractWords) -> list[tuple[Line, KnownField]]:
    """The lines with a field of the contract, each as deep as the field is below the root that most lines have."""
    named = [(line, fields) for line in lines if (fields := words.named(line.label.text))]
    bases: dict[tuple[Keys, Keys], set[str]] = {}
    for line, fields in named:
        for field in fields:
            bases.setdefault(_base(line.within, _parents(field)), set()).add(label_name(line.label.text))
    if not bases:
        return []
    outer, inner = max(bases, key=lambda base: (len(bases[base]), -len(base[1]), -len(base[0])))
    fitting = []
    for line, fields in named:
        if line.within[: len(outer)] == outer:
            inside = (*inner, *line.within[len(outer) :])
            fits = [one for one in fields if _parents(one) == inside]
            best = max(fits, key=lambda one: sum(value.text in one.values for value in line.values), default=None)
            if best is not None:
                fitting.append((line, best))
    return fitting


def _parents(field: KnownField) -> Keys:
    return tuple(label_name(parent) for parent in field.path.split(".")[:-1])


def _base(within: Keys, parents: Keys) -> tuple[Keys, Keys]:
    """The keys above a contract's fields in a fence, and the contract's objects that the fence leaves out."""
    while within and parents and within[-1] == parents[-1]:
        within, parents = within[:-1], parents[:-1]
    return within, parents


def lines_of(fence: Node) -> Sequence[Line]:
    """The lines of a fence that have a label, in order."""
    start = fence.span.start
    return [line.moved(start) for line in fence.once(_lines_of)]


def _lines_of(fence: Node) -> Sequence[Line]:
    start = fence.span.start
    return [line.moved(-start) for line in _read_lines(fence)]


def _read_lines(fence: Node) -> Iterator[Line]:
    fragment = fence.fragment()
    text = fragment.text
    above: list[tuple[int, str]] = []
    for match in sorted([*_LINE.finditer(text), *_HEADING.finditer(text)], key=lambda one: one.start()):
        label = WrittenValue(match["label"].strip(), fragment.outer_span(*match.span("label")))
        rest = _COMMENT.sub("", match["rest"] or "")
        inner = _BRACKETS.match(rest)
        values = []
        if inner is not None and inner["inner"].strip():
            at = match.start("rest") + inner.start("inner")
            values = [
                WrittenValue(value.text, fragment.outer_span(*value.span)) for value in split_values(inner["inner"], at)
            ]
        before = text[match.start() : match.start("label")]
        depth = 0 if "#" in before else len(before.rstrip("*_\"'`"))
        while above and above[-1][0] >= depth:
            above.pop()
        yield Line(label, values, rest[:1] in "<{[(", tuple(name for _, name in above))
        if "#" not in before and _BELOW.fullmatch(rest):
            above.append((depth, label_name(label.text)))
