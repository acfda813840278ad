"""Recognising: which parts of a document are handoffs of which contract. Silence is the default."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from handoff_lsp.contracts.model import Contract, Evidence, Fence, Field, Marker, Mode
from handoff_lsp.contracts.names import fold_name, key_name
from handoff_lsp.contracts.patterns import search
from handoff_lsp.contracts.registry import Entry, Registry
from handoff_lsp.contracts.spec import NameTable
from handoff_lsp.syntax.json import JsonNode, JsonTree, parse_json
from handoff_lsp.syntax.keyvalue import read_pairs
from handoff_lsp.syntax.markdown import MarkdownTree, Node, Section
from handoff_lsp.text import Span

_MODELINE = re.compile(r"<!--\s*handoff:\s*(?P<contract>[\w-]+)(?P<rest>[^>]*?)-->")
_OPTION = re.compile(r"(profile|mode)\s*=\s*([\w.-]+)")
_OFF = {"none", "off", "ignore"}
_LABELS_NEEDED = 3


class Modeline(NamedTuple):
    """What a document says of itself: ``<!-- handoff: NAME profile=P mode=M -->``; contract None switches off.

    ``span`` is the name's.
    """

    contract: str | None
    profile: str | None
    mode: Mode | None
    span: Span


class Candidate(NamedTuple):
    """A part of a document that is a handoff: the whole (``node`` None) or a fence; and what gave it away."""

    entry: Entry
    node: Node | None
    reasons: tuple[str, ...]
    tagged: bool  # a fence by its tag, not by its shape; always true for a document


def read_modeline(tree: MarkdownTree) -> Modeline | None:
    """The first modeline of a document, or None."""
    for span in tree.comments:
        found = _MODELINE.match(tree.source.slice(span))
        if found:
            options = dict(_OPTION.findall(found["rest"]))
            mode = options.get("mode")
            return Modeline(
                None if found["contract"] in _OFF else found["contract"],
                options.get("profile"),
                mode if mode in {"handoff", "template", "example"} else None,
                Span(span.start + found.start("contract"), span.start + found.end("contract")),
            )
    return None


def detect(tree: MarkdownTree, path: str, registry: Registry, *, wanted: str | None = None) -> list[Candidate]:
    """All handoffs of a document, in order. ``wanted`` names the contract where modeline or config say which it is.

    ``path`` is the document's, with ``/``; empty where it has none.
    """
    found: list[Candidate] = []
    for entry in registry:
        contract = entry.contract
        if contract.block == "json-fence" and contract.fence is not None:
            found += _fences(tree, entry, contract.fence)
        elif contract.block == "markdown":
            reasons = ("named by the document or the config",) if wanted == entry.name else weigh(tree, path, contract)
            if reasons and (wanted is None or wanted == entry.name):
                found.append(Candidate(entry, None, reasons, True))
    return found


def heading_names(tree: MarkdownTree) -> set[str]:
    """The folded names of a document's headings."""
    return {whole for whole, _ in tree.of_titles(_folded)}


def _folded(title: str) -> tuple[str, str]:
    """A title's folded name, and that of what stands before its first colon."""
    whole = fold_name(title)
    return whole, fold_name(title.partition(":")[0]) if ":" in title else whole


def weigh(tree: MarkdownTree, path: str, contract: Contract) -> tuple[str, ...]:
    """The markers of a contract that a document bears, in words; empty where they are not enough."""
    detect = contract.detect
    if detect is None:
        return ()
    headings = {head for _, head in tree.of_titles(_folded)}
    total = content = 0
    reasons: list[str] = []
    for marker in detect.markers:
        reason = _seen(marker, tree, path, contract, headings)
        if reason:
            total += marker.weight
            content += 0 if marker.path else marker.weight
            reasons.append(f"{reason} ({marker.weight})")
    return tuple(reasons) if total >= detect.enough and content >= detect.content else ()


def is_about(tree: MarkdownTree, path: str, contract: Contract) -> bool:
    """Whether a document is about a contract, so that what it holds are examples."""
    return any(_seen(marker, tree, path, contract, set()) for marker in contract.examples)


def _title(tree: MarkdownTree) -> str:
    return tree.all_sections[0].title if tree.all_sections and tree.all_sections[0].level == 1 else ""


def _seen(marker: Marker, tree: MarkdownTree, path: str, contract: Contract, headings: set[str]) -> str:
    if marker.path:
        return f"its path matches {marker.path}" if path and search(marker.path, path) else ""
    if marker.title:
        return "its title" if search(marker.title, _title(tree)) else ""
    if marker.text:
        return f"its text matches {marker.text}" if search(marker.text, tree.source.text[:20_000]) else ""
    name = marker.section or marker.value or marker.labels
    field = contract.fields.get(name)
    if field is None:
        return ""
    titles, names, words = _names_of(name, field)
    if titles.isdisjoint(headings):
        return ""
    if marker.section:
        return f"a section {field.title}"
    for number, (whole, head) in enumerate(tree.of_titles(_folded)):
        if marker.value:
            if (whole in titles or head in titles) and _begins_with(tree.all_sections[number], words):
                return f"a value of {field.title}"
        elif whole in titles:
            body = tree.all_sections[number].body
            keys = {names.get(fold_name(pair.key_text)) for pair in read_pairs(tree.source.text, body)}
            if len(keys - {None}) >= min(_LABELS_NEEDED, len(field.fields)):
                return f"the fields of {field.title}"
    return ""


_WORD = re.compile(r"[^\W_][\w/ -]*")


def _begins_with(section: Section, words: frozenset[str]) -> bool:
    """Whether a section begins, or its heading ends, with one of some words (in ``key_name``'s form)."""
    body = section.heading.tree.source.slice(section.body)[:200].strip()
    line = body.split("\n", 1)[0]
    for text in (section.title.partition(":")[2], line, line.rpartition(":")[2]):
        word = _WORD.search(text)
        if word is not None and {key_name(word.group()), key_name(word.group().split()[0])} & words:
            return True
    return False


class _Names(NamedTuple):
    """What detection asks of a field: its folded names, its children by theirs, and the words for its values."""

    titles: frozenset[str]
    children: dict[str, str]
    words: frozenset[str]


_NAMES: dict[int, tuple[Field, _Names]] = {}


def _names_of(name: str, field: Field) -> _Names:
    """The names of a field, made once."""
    found = _NAMES.get(id(field))
    if found is None or found[0] is not field:
        titles = frozenset(fold_name(title) for title in (field.title or name, *field.aliases))
        words = frozenset(key_name(word) for value in field.values for word in (value.value, *value.instead_of))
        found = _NAMES[id(field)] = (field, _Names(titles, NameTable(field.fields).folded, words))
    return found[1]


def _fences(tree: MarkdownTree, entry: Entry, fence: Fence) -> Iterable[Candidate]:
    shaped: list[Candidate] = []
    tagged: list[Candidate] = []
    for node in tree.fences():
        word = node.info.split()[0] if node.info.split() else ""
        if word == fence.tag or key_name(word) == key_name(fence.tag) or word in fence.legacy_tags:
            tagged.append(Candidate(entry, node, (f"a fence tagged {word}",), True))
        elif word.lower() in fence.shaped_tags and _has_shape(node, fence):
            shaped.append(Candidate(entry, node, ("a fence with the keys of the contract",), False))
    return tagged or shaped


def _has_shape(node: Node, fence: Fence) -> bool:
    text = node.fragment().text
    if not any(f'"{path.split(".")[0]}"' in text for path in fence.shape):
        return False
    root = fence_json(node).root
    return sum(1 for path in fence.shape if key_there(root, path)) >= 2


def fence_json(node: Node) -> JsonTree:
    """The JSON in a fence, in offsets of its fragment; read once as long as nothing in the fence changes."""
    cache = node.green.cache
    if cache is None:
        cache = node.green.cache = {}
    tree = cache.get(fence_json)
    if not isinstance(tree, JsonTree):
        tree = cache[fence_json] = parse_json(node.fragment().text)
    return tree


def key_there(root: object, path: str) -> bool:
    """Whether a JSON tree has a key at a dotted path, as written."""
    at = root
    for part in path.split("."):
        if not isinstance(at, JsonNode) or at.kind != "object" or at.member(part) is None:
            return False
        at = at.get(part)
    return True


def choose_profile(contract: Contract, given: str | None, seen: Mapping[str, int]) -> str:
    """The profile of a block: by evidence in it, then as given by config, then the contract's default.

    Where the evidence is divided, the config's profile is taken if any of it speaks for it.
    """
    if given in contract.profiles and (not seen or seen.get(given, 0) > 0):
        return given
    if seen:
        return max(seen, key=lambda name: seen[name])
    return contract.default_profile


def evidence(contract: Contract, path: str, title: str, has: object) -> dict[str, int]:
    """For each profile, the sum of the evidence for it. ``has`` tells whether a key or section is there."""
    sums: dict[str, int] = {}
    for name, profile in contract.profiles.items():
        total = sum(item.weight for item in profile.evidence if _is_evident(item, path, title, has))
        if total:
            sums[name] = total
    return sums


def _is_evident(item: Evidence, path: str, title: str, has: object) -> bool:
    if item.has:
        return bool(has(item.has))  # type: ignore[operator]
    if item.path:
        return bool(path and search(item.path, path))
    return bool(item.title and title and search(item.title, title))
