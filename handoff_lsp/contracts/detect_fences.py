"""Fences that are handoffs: by their tag, or by what is in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from handoff_lsp.contracts.candidate import Candidate
from handoff_lsp.contracts.model import Fence
from handoff_lsp.contracts.names import key_name
from handoff_lsp.contracts.patterns import match_whole
from handoff_lsp.contracts.registry import Entry
from handoff_lsp.syntax.json import JsonNode, JsonTree, parse_json
from handoff_lsp.syntax.keyvalue import key_names, read_pairs
from handoff_lsp.syntax.markdown import MarkdownTree, Node
from handoff_lsp.text import Span


def find_fences(tree: MarkdownTree, entry: Entry, fence: Fence) -> Iterable[Candidate]:
    """The fences of a document that are a contract's: those with its tag, or else those with its shape."""
    shaped: list[Candidate] = []
    tagged: list[Candidate] = []
    for node in tree.fences():
        word = fence_word(node)
        own = is_tagged(word, fence)
        if own and fence.tag_decides:
            tagged.append(Candidate(entry, "fence", node.span, (f"a fence tagged {word}",), node))
        elif (own or word.lower() in fence.shaped_tags) and _has_shape(node, fence):
            reason = "a fence with the keys of the contract"
            shaped.append(Candidate(entry, "fence", node.span, (reason,), node, tagged=own))
    found = tagged or shaped
    return found[:1] if fence.at_start else found


def _has_shape(node: Node, fence: Fence) -> bool:
    if fence.syntax == "yaml":
        keys = set(fence_keys(node))
        if any(key in keys and _says(node, key, pattern) for key, pattern in fence.says.items()):
            return True
    else:
        text = node.fragment().text
        if not any(f'"{path.split(".")[0]}"' in text for path in fence.shape):
            return False
    return is_shape(key_in_fence(node, fence), fence.shape, fence.enough, fence.needs)


def key_in_fence(node: Node, fence: Fence) -> Callable[[str], bool]:
    """What tells whether a key is in a fence."""
    if fence.syntax == "yaml":
        keys = set(fence_keys(node))
        return lambda path: path in keys
    root = fence_json(node).root
    return lambda path: key_there(root, path)


def fence_word(node: Node) -> str:
    """The first word behind a fence's marker: its tag."""
    return node.info.split()[0] if node.info.split() else ""


def is_tagged(word: str, fence: Fence) -> bool:
    """Whether a tag is the contract's own, or was once."""
    return word == fence.tag or key_name(word) == key_name(fence.tag) or word in fence.legacy_tags


def _says(node: Node, key: str, pattern: str) -> bool:
    """Whether a key of a fence's lines has a value that matches a pattern."""
    text = node.fragment().text
    pairs = (pair for pair in read_pairs(text, Span(0, len(text))) if pair.key_text == key)
    return any(match_whole(pattern, pair.value_text.strip("\"'` ")) is not None for pair in pairs)


def is_shape(there: Callable[[str], bool], shape: Sequence[str], enough: int, needs: Sequence[str]) -> bool:
    """Whether enough of some keys are there, and all of others."""
    return all(there(path) for path in needs) and sum(1 for path in shape if there(path)) >= enough


def fence_json(node: Node) -> JsonTree:
    """The JSON in a fence, in offsets of its fragment; read once as long as nothing in the fence changes."""
    return node.once(_read_json)


def _read_json(node: Node) -> JsonTree:
    return parse_json(node.fragment().text)


def fence_keys(node: Node) -> tuple[str, ...]:
    """The keys at the beginning of a fence's lines, as written; read once as long as nothing in the fence changes."""
    return node.once(_read_keys)


def _read_keys(node: Node) -> tuple[str, ...]:
    return key_names(node.fragment().text)


def key_there(root: object, path: str) -> bool:
    """Whether a JSON tree has a key at a dotted path, as written."""
    at = root
    for part in path.split("."):
        if not isinstance(at, JsonNode) or at.kind != "object" or at.member(part) is None:
            return False
        at = at.get(part)
    return True
