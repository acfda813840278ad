"""Fences that are handoffs, by their tag or by their content."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from functools import partial

from handoff_lsp.contracts.model import Content, Fence
from handoff_lsp.contracts.names import key_name
from handoff_lsp.contracts.patterns import find_all, occurs, search
from handoff_lsp.contracts.per_field import once_per_field
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.recognition.candidate import Candidate
from handoff_lsp.recognition.evidence import NOTHING, Evidence, best_of, met_by
from handoff_lsp.recognition.signs import is_said
from handoff_lsp.syntax.json.parse import JsonNode, JsonTree, parse_json
from handoff_lsp.syntax.lines.flat import BLANKS
from handoff_lsp.syntax.lines.keyvalue import key_names
from handoff_lsp.syntax.lines.outline import read_outline
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, Node
from handoff_lsp.syntax.markdown.line_fences import MARKER, LineFence, fence_node, line_fences
from handoff_lsp.text import Fragment, Span
from handoff_lsp.text.lazy import lazy_pattern


def find_fences(tree: MarkdownTree, path: str, entry: ContractEntry, fence: Fence) -> list[Candidate]:
    """The fences of a document that are a contract's: those with its tag, or else those with its shape.

    If a document that the contract's reader reads has no such fence: the lines that belong in one.
    """
    if fence.by_line and not _may_hold(tree, fence):
        return []
    shaped: list[Candidate] = []
    tagged: list[Candidate] = []
    for node, own, evidence in fence_evidence(tree, entry, fence):
        if own and fence.tag_decides:
            tagged.append(Candidate(entry, "fence", node.span, (f"a fence tagged {fence_word(node)}",), node))
        elif evidence.suffices:
            reason = "a fence with the keys of the contract"
            shaped.append(Candidate(entry, "fence", node.span, (reason,), node, tagged=own))
    found = tagged or shaped
    home = not fence.home or not path or search(fence.home, path) is not None
    if not found:
        wanted = home and fence.by_line and not fence.holds_json
        return unfenced_lines(tree, entry, fence) if wanted else []
    if "at-start" in fence.reader:
        first = found[0]
        return [first._replace(quoted=not home and not begins_with(tree, first.span.start))]
    current = len(found) - 1
    return [
        one._replace(quoted=not home or ("last" in fence.reader and number < current))
        for number, one in enumerate(found)
    ]


def fence_evidence(tree: MarkdownTree, entry: ContractEntry, fence: Fence) -> Iterator[tuple[Node, bool, Evidence]]:
    """The evidence in each fence with a possible tag, and whether the tag is the contract's own."""
    for node in _nodes(tree, fence):
        word = fence_word(node)
        own = is_tagged(word, fence)
        decided = own and fence.tag_decides
        if decided or ((own or fence.tags.get(word.lower()) in OTHERS) and _may_have_shape(node, fence)):
            there, says = partial(_has_key, node, fence), partial(_says, node, entry, fence)
            ways = fence.holds or [NOTHING]
            found = [Evidence(entry, "fence", node, there, says, asked, decided) for asked in ways]
            yield node, own, best_of(found)


def has_own_keys(candidate: Candidate) -> bool:
    """Whether a fence has any of the keys by which its contract recognizes an untagged one."""
    node, fence = candidate.node, candidate.entry.contract.fence
    names = [path for asked in fence.holds for path in asked.some] if fence is not None else []
    return node is None or fence is None or not names or any(_has_key(node, fence, path) for path in names)


def _may_hold(tree: MarkdownTree, fence: Fence) -> bool:
    """Whether a text may hold a fence for a reader that goes line by line; a fast test, as most texts do not."""

    def there(path: str) -> bool:
        return tree.source.holds(path.split(".")[0])

    def says(path: str, pattern: str) -> bool:
        return there(path) and (not pattern or occurs(pattern, tree.once(_in_utf8)))

    return any(met_by(asked, there, says) for asked in fence.holds)


def names_of(asked: Content) -> list[str]:
    """All names that a form asks for."""
    return [*asked.needs, *asked.some, *asked.telling, *asked.value]


def _in_utf8(tree: MarkdownTree) -> bytes:
    """The text in the encoding that is fastest to search."""
    return tree.source.text.encode("utf-8", "replace")


def _nodes(tree: MarkdownTree, fence: Fence) -> list[Node]:
    """The fences to consider, in order; a line-by-line reader's own replace overlapping ones of Markdown."""
    nodes = tree.fences()
    if not fence.by_line:
        return _with_found(tree, fence, nodes) if fence.pattern else nodes
    lined = [one for one in line_fences(tree) if one.depth == 0 and one.tag == fence.tag]
    if "at-start" in fence.reader:
        lined = [one for one in lined[:1] if begins_with(tree, one.opening.start)]
    # A fence inside one with a different marker is only shown there. A fence that Markdown ends before the reader does
    # is not the one that its author meant.
    by_start = {node.opening.start: node for node in nodes}
    showing = [node for node in nodes if node.marker != MARKER]
    lined = [
        one for one in lined if not _is_shown(one, showing) and not _ends_before(by_start.get(one.opening.start), one)
    ]
    starts = [one.span.start for one in lined]
    others = [node for node in nodes if not _overlaps(node, lined, starts)]
    return sorted([*(fence_node(tree, one) for one in lined), *others], key=lambda node: node.span.start)


def _with_found(tree: MarkdownTree, fence: Fence, nodes: list[Node]) -> list[Node]:
    """Markdown's fences and those that only the reader sees: in HTML, in indented code, after an unclosed fence.

    A fence inside one with a different marker is only shown there; with the same marker, its end would be that one's.
    """
    text = tree.source.text
    closed = [node for node in nodes if node.closed]
    left_open = {_marked_at(node): node.info for node in nodes if not node.closed}
    # Fences with other tags count only if Markdown sees them: documents are full of them, also in examples.
    tags = sorted(
        {info for info in left_open.values() if info and info != fence.tag and fence.tags.get(info) in OTHERS}
    )
    if text.count(MARKER + fence.tag) != sum(node.info == fence.tag for node in closed):
        tags.append(fence.tag)
    seen = [one for tag in tags for one in _reader_fences(text, tag, fence, closed, left_open)]
    if not seen:
        return nodes
    taken = {one.opening.start for one in seen}
    kept = [node for node in nodes if node.closed or _marked_at(node) not in taken]
    return sorted([*kept, *(fence_node(tree, one) for one in seen)], key=lambda node: node.span.start)


def _reader_fences(
    text: str, tag: str, fence: Fence, closed: list[Node], left_open: Mapping[int, str]
) -> Iterator[LineFence]:
    """The fences with a tag that the reader sees, without those that are shown inside another fence."""
    opening, starts = MARKER + tag, [node.span.start for node in closed]
    for match in find_all(_reader_of(tag, fence), text):
        if tag != fence.tag and match.start not in left_open:
            continue
        body = Span(*match.groups.get("body", (match.start, match.start)))
        before = bisect_right(starts, match.start) - 1
        outer = closed[before] if before >= 0 and match.start < closed[before].span.end else None
        shown = outer is not None and (outer.marker != MARKER or outer.opening.start == match.start)
        # A fence without an end does not end at the next fence.
        whole = match.start not in left_open or body.of(text).rstrip().endswith("}")
        if not shown and whole and body.of(text).lstrip().startswith("{"):
            end = text.index(MARKER, body.end)
            first = Span(match.start, match.start + len(opening))
            yield LineFence(0, tag, first, body, Span(end, end + len(MARKER)))


def _reader_of(tag: str, fence: Fence) -> str:
    """The pattern by which the reader finds fences with a tag: the contract's pattern with that tag in it."""
    return fence.pattern.replace(fence.tag, tag)


def _marked_at(node: Node) -> int:
    """The offset of the last three characters of a fence's marker, as a reader may know no longer marker."""
    return node.opening.start + len(node.marker) - len(MARKER)


def is_found(node: Node, fence: Fence) -> bool:
    """Whether a reader with a pattern finds a fence with exactly its content, blanks aside."""
    tag = node.info if fence.tags.get(node.info) == "shared" else fence.tag
    reader = _reader_of(tag, fence)
    text = node.source.text[_marked_at(node) : node.span.end + 1]
    match = search(reader, text)
    if match is None or match.start != 0 or "body" not in match.groups:
        return False
    return "".join(text[slice(*match.groups["body"])].split()) == "".join(node.fragment().text.split())


def _is_shown(one: LineFence, showing: list[Node]) -> bool:
    before = bisect_left(showing, one.span.start, key=lambda node: node.span.start) - 1
    return before >= 0 and one.span.start < showing[before].span.end


def _ends_before(node: Node | None, one: LineFence) -> bool:
    return node is not None and node.closing is not None and (one.closing is None or node.span.end < one.closing.start)


def _overlaps(node: Node, lined: list[LineFence], starts: list[int]) -> bool:
    """Whether a fence of Markdown overlaps one of the others, which are in order and apart."""
    before = bisect_right(starts, node.span.end) - 1
    return before >= 0 and lined[before].span.end >= node.span.start


def begins_with(tree: MarkdownTree, at: int) -> bool:
    """Whether nothing but blanks precedes an offset."""
    return not tree.source.text[:at].strip(BLANKS)


def _may_have_shape(node: Node, fence: Fence) -> bool:
    """Whether a fence may have the shape of a contract; a fast test before it is read, as most fences do not."""
    keys = list(filter(node.source.holds, _first_keys(fence)))  # a long text is searched once for all keystrokes
    text = node.fragment().text if keys else ""
    return any(key in text for key in keys)


@once_per_field
def _first_keys(fence: Fence) -> frozenset[str]:
    """The first keys of the paths one of which is in each fence with a contract's shape."""
    paths = [path for asked in fence.holds for path in (*asked.value, *asked.some) or (*asked.needs, *asked.telling)]
    return frozenset(path.split(".")[0] for path in paths)


def _says(node: Node, entry: ContractEntry, fence: Fence, path: str, pattern: str) -> bool:
    """Whether a value in a fence matches a pattern."""
    return _is_value(_written_value(node, fence, path), path, pattern, entry)


def _written_value(node: Node, fence: Fence, path: str) -> str | None:
    if fence.by_line:
        return node.once(written_pairs).get(path)
    if fence.holds_json:
        return json_text(fence_json(node).root, path)
    return node.once(_read_values).get(path)


def _is_value(text: str | None, path: str, pattern: str, entry: ContractEntry) -> bool:
    """Whether a value as written, with any marks around it, matches a pattern."""
    return text is not None and is_said(text.strip("\"'`*| ,"), pattern, entry.contract.fields.get(path))


# A name with a value after it, with any marks around the two.
_WRITTEN = lazy_pattern(r"^[^\w\n]*(\w+)[^\w\n:=|]*[:=|]([^\n]*)", re.MULTILINE)


def written_pairs(node: Node) -> dict[str, str]:
    """The names in a fence with the texts after them, from lines or JSON; for recognition, not for binding."""
    if is_json(node):
        root = fence_json(node).root
        members = root.members if root is not None else ()
        return {str(member.key.value): str(member.value.value) for member in members if member.value is not None}
    return {match[1]: match[2].strip(BLANKS) for match in _WRITTEN.finditer(node.fragment().text.replace("\r", "\n"))}


def is_json(node: Node) -> bool:
    """Whether the content of a fence begins as a JSON object does."""
    return node.fragment().text.lstrip(BLANKS).startswith("{")


# The most non-empty lines above unfenced lines that should be a fence at the document's beginning.
_MOST_ABOVE = 4
# The most words between two such lines.
_MOST_BETWEEN = 3


def unfenced_lines(tree: MarkdownTree, entry: ContractEntry, fence: Fence) -> list[Candidate]:
    """The last group of `key: value` lines that would be a contract's handoff if they were in a fence of their own."""
    text = tree.source.text
    limit = _end_of_lines(text, _MOST_ABOVE + 1) if "at-start" in fence.reader else len(text)
    groups = (group for group in _line_groups(text, entry) if group[0].start() < limit)
    found = [group for group in groups if _is_claim(group, entry, fence)]
    if not found:
        return []
    first, end = found[-1][0], found[-1][-1].end()
    span = Span(first.start() + len(first.group()) - len(first.group().lstrip()), end)
    return [Candidate(entry, "run", span, ("lines with its keys",), fragment=Fragment(text, [span]))]


def _end_of_lines(text: str, count: int) -> int:
    """The offset after the first ``count`` non-empty lines; the text's length if it has fewer."""
    at = 0
    while count and at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end + 1
        count -= bool(text[at:end].strip(BLANKS))
        at = end
    return at


def _line_groups(text: str, entry: ContractEntry) -> Iterator[list[re.Match[str]]]:
    """Groups of lines that name root fields: lines close to each other, in which no field is named twice."""
    names = {title for field in entry.contract.fields.values() for title in (field.title, *field.aliases)}
    group: list[re.Match[str]] = []
    known: set[str] = set()
    for match in _WRITTEN.finditer(text.replace("\r", "\n")):
        if match[1] not in names:
            continue
        if group and (match[1] in known or _is_apart(text, group[-1].end(), match.start())):
            yield group
            group, known = [], set()
        group.append(match)
        known.add(match[1])
    if group:
        yield group


def _is_apart(text: str, start: int, end: int) -> bool:
    return len(text[start:end].split(maxsplit=_MOST_BETWEEN + 1)) > _MOST_BETWEEN


def _is_claim(group: list[re.Match[str]], entry: ContractEntry, fence: Fence) -> bool:
    """Whether lines have all that a fence may be recognized by."""
    written = {match[1]: match[2].strip(BLANKS) for match in group}

    def says(path: str, pattern: str) -> bool:
        return _is_value(written.get(path), path, pattern, entry)

    return all(met_by(asked, written.__contains__, says) for asked in fence.holds)


def _has_key(node: Node, fence: Fence, path: str) -> bool:
    """Whether a key is in a fence."""
    if fence.holds_json:
        return key_there(fence_json(node).root, path)
    if fence.by_line:
        return path in node.once(written_pairs)
    return path in fence_keys(node) or ("." in path and path in node.once(_read_paths))


# The roles of tags that do not decide alone.
OTHERS = frozenset({"shared", "wrong"})


def fence_word(node: Node) -> str:
    """The first word after a fence's marker: its tag."""
    return node.once(_first_word)


def _first_word(node: Node) -> str:
    return next(iter(node.info.split(maxsplit=1)), "")


def is_tagged(word: str, fence: Fence) -> bool:
    """Whether a tag is the contract's own, or was once."""
    return key_name(word) == key_name(fence.tag) or fence.tags.get(word) in {"own", "old"}


def fence_json(node: Node) -> JsonTree:
    """The JSON in a fence, in offsets of its fragment; cached until the fence changes."""
    return node.once(_read_json)


def _read_json(node: Node) -> JsonTree:
    return parse_json(node.fragment().text)


def fence_keys(node: Node) -> tuple[str, ...]:
    """The keys at the beginning of a fence's lines, as written; cached until the fence changes."""
    return node.once(_read_keys)


def _read_keys(node: Node) -> tuple[str, ...]:
    return key_names(node.fragment().text)


def _read_paths(node: Node) -> frozenset[str]:
    """The dotted paths of the nested keys in a fence of ``key: value`` lines; those of lists are left out."""
    return frozenset(node.once(_read_values))


def _read_values(node: Node) -> dict[str, str]:
    """The texts at the dotted paths of the keys in a fence of ``key: value`` lines."""
    values: dict[str, str] = {}
    waiting = [("", entry) for entry in read_outline(node.fragment().text).entries]
    while waiting:
        parent, entry = waiting.pop()
        path = f"{parent}.{entry.key_text}" if parent else entry.key_text
        values[path] = entry.value.text
        waiting += [(path, inner) for inner in entry.value.entries]
    return values


def key_there(root: object, path: str) -> bool:
    """Whether a JSON tree has a key at a dotted path, as written."""
    node = root
    for part in path.split("."):
        if not isinstance(node, JsonNode) or node.kind != "object" or node.member(part) is None:
            return False
        node = node.get(part)
    return True


def json_text(root: object, path: str) -> str | None:
    """The value at a dotted path of a JSON tree as a text; None without one."""
    node = root
    for part in path.split("."):
        node = node.get(part) if isinstance(node, JsonNode) and node.kind == "object" else None
    return str(node.value) if isinstance(node, JsonNode) and node.value is not None else None
