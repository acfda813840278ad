"""The forms in which samples may hold their handoffs, each as a draft: the shared parts and how they are recognized."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from handoff_lsp.contracts.model import Form
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.language import number_of
from handoff_lsp.learn.data import learn_fields
from handoff_lsp.learn.draft import ContractDraft, FieldDraft
from handoff_lsp.learn.front_matter import ORDINARY_KEYS, READABLE, add_front_matter
from handoff_lsp.learn.markdown import SamplePart, base_level, document_parts, learn_parts, section_parts
from handoff_lsp.learn.paths import escaped, path_hint
from handoff_lsp.learn.sample import Sample
from handoff_lsp.learn.words import words
from handoff_lsp.recognition.fences import fence_json, fence_word
from handoff_lsp.rules.rule import shown
from handoff_lsp.syntax.json.parse import python_value
from handoff_lsp.syntax.lines.outline import read_outline
from handoff_lsp.syntax.lines.outline_tree import plain
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, Node, Section
from handoff_lsp.text.named_tuple import NamedTuple

# Tags that say what is in a fence and not what it is for.
_PLAIN_TAGS = frozenset({"", "json", "jsonc", "json5", "yaml", "yml", "text", "txt"})
_RUN_TAGS = frozenset({"", "text", "txt", "yaml", "yml"})
# The share of samples that must have something for it to be the form of all.
_MOST = 0.75
# Headings of ordinary documents, which are weak signs.
_ORDINARY = words(
    """
    summary overview introduction usage installation license contributing background notes status changes
    testing tests references goals requirements examples example context description features configuration faq
    todo changelog added fixed changed result results purpose scope details links resources setup conclusion
    motivation problem solution approach
    """
) | {"next steps", "table of contents", "see also", "getting started", "how it works", "known issues", "open questions"}
_SPECIFIC, _PLAIN = 2, 1


class Block(NamedTuple):
    """The data of one block in a sample, with the first word behind its fence (empty for text)."""

    data: Mapping[str, Any]
    tag: str
    fenced: bool


def drafts(samples: Sequence[Sample], name: str, title: str, wanted: Form | None) -> Iterator[ContractDraft]:
    """A draft for each form that most samples may have, the likeliest first."""
    makers = {"file": _file, "fence": _fence, "document": _document, "section": _section, "run": _run}
    for form, make in makers.items():
        if wanted in {None, form}:
            found = make(samples, name, title)
            if found is not None and found.fields:
                yield found


def _is_most(count: int, total: int) -> bool:
    return count >= max(1, _MOST * total)


def _some(names: Sequence[str], enough: int = 2) -> list[dict[str, Any]]:
    """One way to recognize a form: by some names, and how many, before the samples have been looked at again."""
    return [{"some": list(names), "enough": max(1, min(len(names), enough))}]


# Files


def _file(samples: Sequence[Sample], name: str, title: str) -> ContractDraft | None:
    syntaxes = {sample.syntax for sample in samples}
    syntax = next(iter(syntaxes))
    if len(syntaxes) != 1 or syntax is None or not all(sample.objects for sample in samples):
        return None
    fields = learn_fields([one for sample in samples for one in sample.objects], markdown=syntax == "yaml")
    hint = path_hint([sample.path for sample in samples])
    holds = [field.title for field in fields.values() if field.required] or [one.title for one in fields.values()]
    draft = ContractDraft(name, title, "file", fields, {})
    draft.recognition["file"] = {"syntax": syntax, "path": hint.pattern, "holds": _some(holds)}
    if not hint.tells:
        draft.note(
            "file", "decide: which files? the samples' paths have little in common, so any file of this kind is read"
        )
    elif hint.usual:
        draft.usual = [hint.usual]
    return draft


# Fences


def _fence(samples: Sequence[Sample], name: str, title: str) -> ContractDraft | None:
    """A fence with JSON, or with YAML and a tag of its own."""
    found = [[block for node in sample.tree.fences() if (block := _fenced(node)) is not None] for sample in samples]
    tags = Counter(tag for blocks in found for tag in {block.tag for block in blocks})
    special = [tag for tag, count in tags.items() if tag not in _PLAIN_TAGS and _is_most(count, len(samples))]
    chosen = _alike(found, special[0] if special else None)
    if not chosen or not _is_most(sum(map(bool, chosen)), len(samples)):
        return None
    blocks = [block for own in chosen for block in own]
    used = Counter(block.tag for block in blocks)
    tag = special[0] if special else used.most_common(1)[0][0]
    json = sum(_is_json_like(block) for block in blocks) * 2 >= len(blocks)
    if not json and tag in _RUN_TAGS:
        return None  # lines in a plain fence are a run
    blocks = [block for block in blocks if _is_json_like(block) == json]
    fields = learn_fields([block.data for block in blocks], markdown=not json)
    if len(fields) < 2:
        return None
    shape = [field.title for field in fields.values() if field.required] or [one.title for one in fields.values()]
    plain = tag in _PLAIN_TAGS
    roles = {tag or "json": "shared" if plain else "own"}
    form: dict[str, Any] = {"tags": roles}
    if not json:
        form["syntax"] = "yaml"
    others = [other for other in used if other != tag]
    roles |= dict.fromkeys(others, "shared")
    if json and tag not in _PLAIN_TAGS and "json" not in others and _are_telling(shape):
        roles["json"] = "wrong"  # a block that lost its tag is reported
    if plain or len(roles) > 1:
        form["holds"] = _some(shape)
    return ContractDraft(name, title, "fence", fields, {"fence": form})


def _are_telling(keys: Sequence[str]) -> bool:
    """Whether an object with some of these keys is hardly anything else."""
    return len(keys) >= _MANY_KEYS or sum("_" in key or len(key) >= _LONG_KEY for key in keys) >= 2


_MANY_KEYS = 4
_LONG_KEY = 10


def _fenced(node: Node) -> Block | None:
    """A fence with an object of JSON, or with at least two keys and little else."""
    word = fence_word(node).lower()
    text = node.fragment().text
    if text.lstrip()[:1] == "{":
        tree = fence_json(node)
        value = python_value(tree.root)
        return Block(value, word, True) if isinstance(value, dict) and len(value) >= 2 else None
    if word in _RUN_TAGS or word not in _CODE:
        return _outlined(text, word, True)
    return None


_CODE = words(
    """
    bash sh shell zsh console python py js javascript ts typescript tsx jsx java kotlin go rust c cpp csharp cs
    html css sql diff markdown md mermaid toml ini xml ruby php swift dockerfile makefile graphql proto
    powershell
    """
)


def _outlined(text: str, tag: str, fenced: bool) -> Block | None:
    outline = read_outline(text)
    data = {entry.key_text: plain(entry.value) for entry in reversed(outline.entries)}
    if len(data) < 2 or len(outline.stray) > len(outline.entries):
        return None
    return Block(_Lines(reversed(list(data.items()))), tag, fenced)


def _is_json_like(block: Block) -> bool:
    return not isinstance(block.data, _Lines)


class _Lines(dict[str, Any]):
    """The data of lines, not of JSON."""


def _alike(found: Sequence[Sequence[Block]], tag: str | None = None) -> list[list[Block]]:
    """The blocks of each sample that share their keys with those of the others, or with those of one tag."""
    model = [[block for block in blocks if tag in {None, block.tag}] for blocks in found]
    keys = Counter(key for blocks in model for key in {key for block in blocks for key in block.data})
    total = sum(1 for blocks in model if blocks)
    common = {key for key, count in keys.items() if _is_most(count, total)} if total else set()
    if len(common) < 2:
        return []
    return [[block for block in blocks if 2 * len(common & block.data.keys()) >= len(common)] for blocks in found]


# Runs of lines


def _run(samples: Sequence[Sample], name: str, title: str) -> ContractDraft | None:
    """Lines of `key: value`, in fences or in text."""
    found = [_comment_blocks(sample.tree) for sample in samples]
    comment = _common_tag(found)
    if comment:
        found = [[block for block in blocks if block.tag == comment] for blocks in found]
    else:
        found = [_line_blocks(sample.tree) for sample in samples]
    opening = _opening(found) if not comment else ""
    if opening:
        found = [[block for block in blocks if next(iter(block.data)) == opening] for blocks in found]
    chosen = _alike(found)
    if not chosen or not _is_most(sum(map(bool, chosen)), len(samples)):
        return None
    blocks = [block for own in chosen for block in own]
    fields = learn_fields([block.data for block in blocks], markdown=True)
    required = [one for one, field in fields.items() if field.required]
    holds = required if len(required) >= 2 else [one for one, field in fields.items() if 2 * field.seen >= field.of]
    if len(holds) < 2:
        return None
    form: dict[str, Any] = {}
    if comment:
        form |= {"opening": f"<!-- {comment}", "holds": _some(holds, 1)}
    elif opening:
        form["opening"] = next(one for one, field in fields.items() if field.title == opening)
    else:
        form["holds"] = _some(holds)
    return ContractDraft(name, title, "run", fields, {"run": form})


def _line_blocks(tree: MarkdownTree) -> list[Block]:
    """The runs of labels of a sample: whole fences, and blocks of text with little between them."""
    blocks: list[Block] = []
    for node in tree.fences():
        text = node.fragment().text
        if fence_word(node).lower() in _RUN_TAGS and text.lstrip()[:1] not in {"{", "["}:
            blocks += _parted(text, fence_word(node), True)
    groups: list[list[int]] = []
    for index, _ in tree.labels:
        if groups and index - groups[-1][-1] <= 2:
            groups[-1].append(index)
        else:
            groups.append([index])
    for group in groups:
        text = tree.source.text[tree.block_start(group[0]) : tree.block(group[-1]).span.end]
        blocks += _parted(text, "", False)
    return blocks


_COMMENT = re.compile(r"<!--\s*([A-Za-z][\w-]*)[ \t]*\r?\n")


def _comment_blocks(tree: MarkdownTree) -> list[Block]:
    """The comments of a sample that begin with a word on a line of its own and hold lines of `key: value`."""
    blocks: list[Block] = []
    for span in tree.comments:
        text = tree.source.slice(span)
        found = _COMMENT.match(text)
        if found is not None:
            blocks += _parted(text[found.end() :].removesuffix("-->"), found[1], False)
    return blocks


def _common_tag(found: Sequence[Sequence[Block]]) -> str:
    tags = Counter(tag for blocks in found for tag in {block.tag for block in blocks})
    return next((tag for tag, count in tags.most_common(1) if _is_most(count, len(found))), "")


def _parted(text: str, tag: str, fenced: bool) -> list[Block]:
    """The runs in a text: each begins where the first key comes again."""
    entries = read_outline(text).entries
    runs: list[dict[str, Any]] = []
    for entry in entries:
        if not runs or (runs[-1] and entry.key_text == next(iter(runs[-1]))):
            runs.append(_Lines())
        runs[-1].setdefault(entry.key_text, plain(entry.value))
    return [Block(run, tag, fenced) for run in runs if len(run) >= 2]


def _opening(found: Sequence[Sequence[Block]]) -> str:
    """The key with which the runs of most samples begin, if it is in capitals, as other lines are not."""
    firsts = Counter(key for blocks in found for key in {next(iter(block.data)) for block in blocks})
    known = [key for key, count in firsts.most_common() if _is_most(count, len(found))]
    return next((key for key in known if key.isupper() and len(key) > 3), "")


# Documents and sections


def _document(samples: Sequence[Sample], name: str, title: str) -> ContractDraft | None:
    parts = [document_parts(sample.tree) for sample in samples]
    fields, rare = learn_parts(parts)
    known = {fold_name(field.title) for field in fields.values()}
    covered = sum(part.key in known for own in parts for part in own) / max(sum(map(len, parts)), 1)
    fields = add_front_matter(fields, samples)
    hint = path_hint([sample.path for sample in samples])
    signs: list[dict[str, Any]] = []
    heads = _common_titles([next(iter(sample.tree.titles), "") for sample in samples])
    if heads:
        words = "|".join(map(_words, heads))
        pattern = rf"\W*({words})(\W|$)" if len(heads) > 1 else rf"\W*{words}(\W|$)"
        first = all(sample.tree.title or not sample.tree.titles for sample in samples)
        way = {"title": f"(?i)^{pattern}"} if first else {"text": rf"(?im)^#{{1,6}}\s{pattern}"}
        signs.append({"weight": _SPECIFIC + all(" " in head for head in heads), **way})
    for one, field in fields.items():
        headed = field.carriers and field.carriers[0] in {"section", "heading-inline"}
        if "front-matter" in field.carriers and _is_most(field.seen, field.of):
            weight = _PLAIN if field.title.lower() in ORDINARY_KEYS else _SPECIFIC
            signs.append({"weight": weight, "has": one})
        elif headed and 2 * field.seen >= field.of:
            ordinary = fold_name(field.title) in _ORDINARY
            plain = ordinary or not _is_most(field.seen, field.of)
            signs.append({"weight": _PLAIN if plain else _SPECIFIC, "has": one})
    if sum(sign["weight"] for sign in signs) < _FEWEST_SIGNS:
        signs += _label_signs(fields)
    if hint.tells:
        signs.append({"weight": 1, "path": hint.pattern})
    if sum(sign["weight"] for sign in signs if "path" not in sign) < _FEWEST_CONTENT:
        return None
    draft = ContractDraft(name, title, "document", fields, {"detect": {"enough": 1, "content": 1, "signs": signs}})
    draft.covers = covered
    if hint.tells and hint.usual:
        draft.usual = [hint.usual]
    _tell_rare(draft, rare)
    unread = [sample for sample in samples if sample.tree.front_matter is not None] if not READABLE else []
    if unread:
        draft.note(
            "", f"The front matter of {number_of(len(unread), 'sample')} is not read: contracts cannot name it yet."
        )
    return draft


_FEWEST_SIGNS = 6
_FEWEST_CONTENT = 3


def _label_signs(fields: Mapping[str, FieldDraft]) -> Iterator[dict[str, Any]]:
    """Signs for labels above the first section, which are part of the text only."""
    for field in fields.values():
        if field.required and field.carriers and field.carriers[0].endswith("-label"):
            words = _words(field.title)
            yield {"weight": _PLAIN, "text": rf"(?im)^[-*+>\s]*[*_]*{words}[*_]*\s*[:：]"}


def _common_titles(titles: Sequence[str]) -> list[str]:
    """The words with which the titles of most samples begin, folded; empty if they have little in common."""
    folded = [fold_name(title) for title in titles if title]
    if not _is_most(len(folded), len(titles)) or len(titles) < 2:
        return []
    heads = Counter(re.split(r"\s*[:：—–]\s*|\s+-\s+", title)[0] for title in folded)
    usual = [head for head, count in heads.most_common(_MOST_TITLES) if count >= 2 and len(head) > 3]
    ends = {head.split()[-1] for head in usual if " " in head}
    usual += [head for head, count in heads.items() if count == 1 and " " in head and head.split()[-1] in ends]
    if usual and _is_most(sum(heads[head] for head in usual), len(titles)):
        return usual[:_MOST_TITLES]
    words: list[str] = []
    for group in zip(*(title.split() for title in folded), strict=False):
        if len(set(group)) > 1:
            break
        words.append(group[0])
    found = " ".join(words).strip(" :-–—#")
    return [found] if len(found) > 3 else []


_MOST_TITLES = 3


def _section(samples: Sequence[Sample], name: str, title: str) -> ContractDraft | None:
    """A section that most samples have, with parts of its own."""
    best: tuple[int, str, list[Section]] | None = None
    held: dict[str, list[Section]] = {}
    for sample in samples:
        base = base_level(sample.tree)
        first: dict[str, Section] = {}
        for section in sample.tree.all_sections:
            key = fold_name(section.title.partition(":")[0])
            if key and (section.level > base or section.parent is not None or section.number > 0):
                first.setdefault(key, section)
        for key, section in first.items():
            held.setdefault(key, []).append(section)
    for key, sections in held.items():
        if _is_most(len(sections), len(samples)):
            shared = _shared([section_parts(section.tree, section) for section in sections])
            if shared >= 2 and (best is None or shared > best[0]):
                best = (shared, key, sections)
    if best is None:
        return None
    _, key, sections = best
    fields, rare = learn_parts([section_parts(section.tree, section) for section in sections])
    holds = [one for one, field in fields.items() if 2 * field.seen >= field.of]
    labelled = any(field.carriers and field.carriers[0].endswith("-label") for field in fields.values())
    words = _words(key)
    form: dict[str, Any] = {"title": rf"(?i)\b{words}\b" if key.isascii() else words, "holds": _some(holds)}
    form |= {"labels": True} if labelled else {}
    draft = ContractDraft(name, title, "section", fields, {"section": form})
    _tell_rare(draft, rare)
    return draft


def _words(text: str) -> str:
    """A pattern for some words with any blanks between them."""
    return r"\s+".join(escaped(word) for word in text.split())


def _shared(samples: Sequence[Sequence[SamplePart]]) -> int:
    keys = Counter(key for parts in samples for key in {part.key for part in parts})
    return sum(_is_most(count, len(samples)) for count in keys.values())


def _tell_rare(draft: ContractDraft, rare: Sequence[str]) -> None:
    if rare:
        told = ", ".join(shown(title, 40) for title in rare[:8]) + (
            f" and {len(rare) - 8} more" if len(rare) > 8 else ""
        )
        draft.note("", f"Left out, as few samples have them: {told}.")
