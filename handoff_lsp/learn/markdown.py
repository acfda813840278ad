"""Fields of Markdown: the sections and labels that samples share, by the engine's own parser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from handoff_lsp.binding.markdown_lists import content
from handoff_lsp.binding.region import whole
from handoff_lsp.contracts.field_types import FieldType
from handoff_lsp.contracts.model import Carrier
from handoff_lsp.contracts.names import fold_name, key_name
from handoff_lsp.learn.data import in_order
from handoff_lsp.learn.draft import FieldDraft, field_name
from handoff_lsp.learn.types import STATUS_NAMES, choice_in, of_texts
from handoff_lsp.syntax.lines.keyvalue import Pair, read_pairs
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, Node, Section

PartShape = Literal["nothing", "line", "list", "checklist", "table", "labels", "text"]
_LABELLED = ("plain-label", "bold-label", "list-label", "quote-label")
_MOST_FIELDS = 30
# A longer value is prose behind a colon.
_LONGEST_LABEL_VALUE = 160
_LONGEST_KEY_WORDS = 5


@dataclass
class SamplePart:
    """A section or a label of one sample. ``text`` is the value of one line, ``inner`` the labels in a section.

    ``first`` is the first line of a section that may have more. ``anywhere``: a label below a title of level 2 or more.
    """

    title: str
    carrier: Carrier
    shape: PartShape = "line"
    text: str = ""
    first: str = ""
    inner: list[SamplePart] = field(default_factory=list)
    anywhere: bool = False

    @property
    def key(self) -> str:
        """The title as titles are compared."""
        return fold_name(self.title)


def base_level(tree: MarkdownTree) -> int:
    """The level of the headings that are sections of the document: those below its title, if it has one."""
    levels = tree.heading_levels
    if not levels:
        return 0
    rest = levels[1:]
    return min(rest) if rest and levels.count(levels[0]) == 1 and levels[0] <= min(rest) else min(levels)


def document_parts(tree: MarkdownTree) -> list[SamplePart]:
    """The labels above the first section of a document, then its sections."""
    base = base_level(tree)
    sections = [section for section in tree.all_sections if section.level == base]
    if len(tree.headings) == 1:  # a lone heading is a title
        sections = []
    first = tree.heading_index(sections[0].number) if sections else len(tree.greens)
    region = whole(tree).blocks
    labels = _labels(tree, region.start, first)
    if any(region.stop <= index < first for index, _ in tree.labels):  # below a title that has not level 1
        for part in labels:
            part.anywhere = True
    return [*labels, *map(_section_part, sections)]


def section_parts(tree: MarkdownTree, section: Section) -> list[SamplePart]:
    """The labels of a section, then the sections right below its heading."""
    inner = section.subsections
    level = min((one.level for one in inner), default=0)
    first, stop = tree.headings[section.number] + 1, tree.heading_index(section.number + 1)
    return [*_labels(tree, first, stop), *(_section_part(one) for one in inner if one.level == level)]


def _labels(tree: MarkdownTree, first: int, stop: int) -> list[SamplePart]:
    """The labels in some top-level blocks."""
    parts: list[SamplePart] = []
    for index, _ in tree.labels:
        if first <= index < stop:
            node = tree.block(index)
            parts += [_label_part(tree, node, index, pair) for pair in _own_pairs(tree, node)]
    return parts


def _own_pairs(tree: MarkdownTree, node: Node) -> list[Pair]:
    """The `key: value` lines of a block, those that are indented left out."""
    text = tree.source.text
    pairs = [pair for pair in read_pairs(text, node.span) if not text[pair.line.start].isspace()]
    return [pair for pair in pairs if len(pair.key_text.split()) <= _LONGEST_KEY_WORDS]


def _label_part(tree: MarkdownTree, node: Node, index: int, pair: Pair) -> SamplePart:
    lead = tree.source.text[pair.line.start : pair.key.start]
    carrier: Carrier = "plain-label"
    if node.kind == "quote":
        carrier = "quote-label"
    elif lead.lstrip()[:2] in {"- ", "* ", "+ "}:
        carrier = "list-label"
    elif "*" in lead or "_" in lead:
        carrier = "bold-label"
    value = pair.value_text.strip()
    last = pair.line.end >= node.span.end
    following = tree.block(index + 1) if index + 1 < len(tree.greens) else None
    if not value and last and following is not None and following.kind == "list":
        return SamplePart(pair.key_text, carrier, "list")
    shape: PartShape = "text" if len(value) > _LONGEST_LABEL_VALUE else "line"
    return SamplePart(pair.key_text, carrier, shape, value)


def _section_part(section: Section) -> SamplePart:
    """A section of a sample: what is in it."""
    head, colon, tail = section.title.partition(":")
    if colon and tail.strip(" *_`") and head.strip():
        return SamplePart(head.strip(), "heading-inline", "line", tail.strip())
    part = SamplePart(section.title, "section")
    tree = section.tree
    blocks = [node for node in content(section.blocks, tree) if node.kind != "rule"]
    part.first = _first_line(part, blocks, tree)
    if section.first_subsection is not None:
        part.shape = "text"
        return part
    kinds = {node.kind for node in blocks}
    pairs = [pair for node in blocks if node.kind in {"paragraph", "list", "quote"} for pair in _own_pairs(tree, node)]
    if not blocks:
        part.shape = "nothing"
    elif len(pairs) >= 2 and 2 * len(pairs) >= _lines(blocks) and kinds <= {"paragraph", "list", "quote"}:
        part.shape = "labels"
        for node in blocks:
            index = section.tree.blocks.index(node)
            part.inner += [_label_part(tree, node, index, pair) for pair in _own_pairs(tree, node)]
    elif kinds == {"list"} and len(blocks) == 1:
        boxes = [item.checkbox for item in blocks[0].children]
        part.shape = "checklist" if all(box is not None for box in boxes) else "list"
    elif "table" in kinds and kinds <= {"table", "paragraph"}:
        part.shape = "table"
    elif kinds == {"paragraph"} and len(blocks) == 1 and blocks[0].first_line == blocks[0].last_line:
        part.shape, part.text = ("line", part.first) if len(part.first) <= _LONGEST_LABEL_VALUE else ("text", "")
    else:
        part.shape = "text"
    return part


def _first_line(part: SamplePart, blocks: Sequence[Node], tree: MarkdownTree) -> str:
    """The first line of a section's text, without its label if that repeats the heading."""
    if not blocks or blocks[0].kind not in {"paragraph", "list", "quote"}:
        return ""
    node = blocks[0]
    while node.kind != "paragraph" and node.kind != "item" and node.children:
        node = node.children[0]
    line = tree.source.lines.line_span(tree.source.lines.line_of(node.content.start))
    own = read_pairs(tree.source.text, line)
    if own and fold_name(own[0].key_text) == part.key:  # `**Status:** done` below `## Status`
        return own[0].value_text.strip()
    return tree.source.text[node.content.start : min(line.end, max(node.content.end, node.content.start))].strip()


def _lines(blocks: Sequence[Node]) -> int:
    """The number of lines without indentation in some blocks."""
    lines = 0
    for node in blocks:
        lines += len(node.children) if node.kind == "list" else node.last_line - node.first_line + 1
    return lines


def learn_parts(samples: Sequence[Sequence[SamplePart]]) -> tuple[dict[str, FieldDraft], list[str]]:
    """The fields that samples share, in the order of the documents, and the titles that only one sample has."""
    firsts: list[dict[str, SamplePart]] = []
    for parts in samples:
        first: dict[str, SamplePart] = {}
        for part in parts:
            if part.key:
                first.setdefault(part.key, part)
        firsts.append(first)
    total = len(samples)
    least = 1 if total <= 2 else max(2, -(-total // 5))
    fields: dict[str, FieldDraft] = {}
    rare: list[str] = []
    for key in in_order(firsts):
        parts_of = [first[key] for first in firsts if key in first]
        if len(parts_of) < least or len(fields) >= _MOST_FIELDS:
            rare.append(parts_of[0].title)
            continue
        made = _field(parts_of)
        made.seen, made.of, made.required = len(parts_of), total, len(parts_of) == total
        fields[field_name(made.title, fields)] = made
    return fields, rare


def _field(parts: Sequence[SamplePart]) -> FieldDraft:
    """The field that parts of one title are."""
    titles = Counter(_plain_title(part.title) for part in parts)
    made = FieldDraft(titles.most_common(1)[0][0])
    carriers = Counter(part.carrier for part in parts)
    made.carriers = [carrier for carrier, _ in carriers.most_common()]
    made.anywhere = any(part.anywhere for part in parts)
    if "heading-inline" in made.carriers and "section" not in made.carriers:
        made.carriers.append("section")
    shapes = {part.shape for part in parts} - {"nothing"}
    # A heading with a colon is a title of several words unless what is behind the colon is a value.
    texts = [part.text for part in parts if part.shape == "line" and part.text]
    said = [part.text or part.first for part in parts]
    if shapes <= {"line"} and texts:
        _one_value(made, texts)
    elif (
        shapes != {"labels"}
        and key_name(made.title) in STATUS_NAMES
        and _one_of_few(made, [text for text in said if text])
    ):
        pass
    else:
        made.type = _type_of(shapes)
        if shapes == {"labels"}:
            inner, _ = learn_parts([part.inner for part in parts if part.shape == "labels"])
            made.type = "object" if any(one.required for one in inner.values()) else "list"
            made.fields = inner if made.type == "object" else {}
    if made.type != "object" and set(made.carriers) & set(_LABELLED) and not set(made.carriers) & {"section"}:
        # People change the style of a label, and readers do not care.
        made.carriers = [*made.carriers, *(one for one in ("bold-label", "plain-label") if one not in made.carriers)]
    return made


def _one_value(made: FieldDraft, texts: Sequence[str]) -> None:
    guess = of_texts(made.title, texts, markdown=True)
    made.type, made.values, made.open, made.tolerate = guess.type, guess.values, guess.open, guess.tolerate
    made.questions += guess.questions
    if made.type == "line" and "section" in made.carriers and not any(map(choice_in, texts)):
        made.type = "text"  # a section of one line in some samples has more in the next one


def _one_of_few(made: FieldDraft, texts: Sequence[str]) -> bool:
    """Make a status an enum if the first lines of its sections are few short values."""
    guess = of_texts(made.title, texts, markdown=True)
    if guess.type != "enum":
        return False
    made.type, made.values, made.open, made.tolerate = guess.type, guess.values, guess.open, guess.tolerate
    made.questions += guess.questions
    return True


def _type_of(shapes: set[PartShape]) -> FieldType:
    if shapes == {"checklist"}:
        return "checklist"
    if shapes and shapes <= {"list", "checklist"}:
        return "list"
    if shapes == {"table"}:
        return "table"
    return "text"


def _plain_title(title: str) -> str:
    """A heading without its number, its emphasis and the brackets at its end, in its own case."""
    folded, plain = fold_name(title), title.strip().strip("*_` ").strip(" :：")
    at = plain.casefold().find(folded)
    return plain[at : at + len(folded)] if folded and at >= 0 else plain
