"""Rewriting a contract file of an earlier language: edits at its keys, so that comments, order and layout stay."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import yaml

from handoff_lsp.contracts.language1 import CHANGES, CannotMigrate, KeyChange, OldPart, Rebuilt, Renamed, below, is_old
from handoff_lsp.contracts.load import ContractFileProblem, composed
from handoff_lsp.contracts.model import LANGUAGE
from handoff_lsp.contracts.problems import KeyPath
from handoff_lsp.contracts.yaml_edits import YamlMapping
from handoff_lsp.text import Edit, Span, apply_edits
from handoff_lsp.text.named_tuple import NamedTuple

# A row is applied again where its keys are inside one another: so often at the most.
_MOST_TURNS = 100


class Migration(NamedTuple):
    """A migrated text, the number of changes, and what has to be done by hand, at its places in the new text."""

    text: str
    changes: int
    left: list[ContractFileProblem]


def migrate(text: str, changes: tuple[KeyChange, ...] = CHANGES) -> Migration:
    """A contract's text in the language of today; the same text if nothing in it is of an earlier one.

    Raises ValueError for a text that is no YAML mapping.
    """
    root = _root(text)
    language = YamlMapping(text, root).data("language")
    if isinstance(language, int) and language > LANGUAGE:
        span = YamlMapping(text, root).span("language")
        message = f"language {language} is newer than this version of handoff-lsp, which reads {LANGUAGE}"
        return Migration(text, 0, [ContractFileProblem(span, message)])
    total = 0
    for row in changes:
        text, count = _applied(text, row, changes)
        total += count
    if language == 1 and not isinstance(language, bool):
        value = YamlMapping(text, _root(text)).pairs["language"].value
        edit = Edit(Span(value.start_mark.index, value.end_mark.index), str(LANGUAGE))
        text, total = apply_edits(text, [edit]), total + 1
    return Migration(text, total, list(_left(text, changes)))


def migrating_edits(text: str) -> list[Edit]:
    """The edits that migrate a text, line by line; none where nothing changes or it is no YAML."""
    mark = len(text) - len(text.removeprefix("\ufeff"))
    try:
        new = text[:mark] + migrate(text[mark:]).text
    except ValueError:
        return []
    before, after = text.splitlines(keepends=True), new.splitlines(keepends=True)
    starts = [0]
    for line in before:
        starts.append(starts[-1] + len(line))
    found = difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes() if new != text else ()
    return [Edit(Span(starts[a], starts[b]), "".join(after[c:d])) for kind, a, b, c, d in found if kind != "equal"]


def _applied(text: str, row: KeyChange, changes: tuple[KeyChange, ...]) -> tuple[str, int]:
    """A text with one row applied wherever it can be, and how often it was."""
    total = 0
    for _ in range(_MOST_TURNS):
        edits: list[Edit] = []
        for part, keys in _places(text, row, changes):
            try:
                new = _edits(row, part, keys)
            except CannotMigrate:
                continue
            # Inside of what changes already, it is the next turn's.
            if new and not any(one.span.overlaps(other.span) for one in new for other in edits):
                edits += new
                total += 1
        if not edits:
            break
        after = apply_edits(text, edits)
        if composed(after) is None:
            break  # `_left` lists it
        text = after
    return text, total


def _edits(row: KeyChange, part: OldPart, keys: list[str]) -> list[Edit]:
    mapping = part.mapping
    if any(mapping.pairs[key].value.tag.endswith(":null") for key in keys) and not isinstance(row, Renamed):
        raise CannotMigrate("it removes a key of the contract that it extends")
    if isinstance(row, Rebuilt):
        if any(key[0] == "+" for key in keys):
            raise CannotMigrate("it adds to a list of the contract that it extends")
        try:
            edits = mapping.replace([*keys, *row.along], row.build(part))
            return [edit for edit in edits if edit.span.of(mapping.text) != edit.text]
        except (TypeError, ValueError, AttributeError, KeyError):
            raise CannotMigrate("its value is not valid in language 1") from None
    for key in keys:
        sign = "+" if key[0] == "+" else ""
        if sign + row.new in mapping.pairs:
            raise CannotMigrate(f"`{row.new}` is there, too")
    return [mapping.rename(key, ("+" if key[0] == "+" else "") + row.new) for key in keys]


def _left(text: str, changes: tuple[KeyChange, ...]) -> Iterator[ContractFileProblem]:
    """The keys of language 1 that are left, each with the reason."""
    for row in changes:
        for part, keys in _places(text, row, changes):
            try:
                if not _edits(row, part, keys):
                    continue
                reason = "rewrite it by hand"
            except CannotMigrate as error:
                reason = str(error)
            yield ContractFileProblem(part.mapping.span(keys[0]), f"`{keys[0]}` is a key of language 1: {reason}")


def _places(text: str, row: KeyChange, changes: tuple[KeyChange, ...]) -> Iterator[tuple[OldPart, list[str]]]:
    """The mappings with keys that a row rewrites, and these keys."""
    root = _root(text)
    data: dict[str, Any] | None = None
    for owner, path, node in _walk(root, changes):
        if owner == row.owner:
            mapping = YamlMapping(text, node)
            written = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
            known = [key for key in dict.fromkeys(written) if key.removeprefix("+") in row.keys]
            keys = [key for key in known if is_old(row, owner, key, mapping.data(key))]
            if keys:
                data = yaml.SafeLoader("").construct_document(root) if data is None else data
                yield OldPart(mapping, path, data), keys


def _walk(root: Any, changes: tuple[KeyChange, ...]) -> Iterator[tuple[str, KeyPath, yaml.MappingNode]]:
    """The mappings of a contract with their classes, the outer ones first; one with several aliases once."""
    seen: set[int] = set()
    stack: list[tuple[str, KeyPath, Any]] = [("Contract", (), root)]
    while stack:
        kind, path, node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if kind[0] == "[":
            items = node.value if isinstance(node, yaml.SequenceNode) else ()
            stack += [(kind[1:-1], (*path, index), item) for index, item in reversed(list(enumerate(items)))]
        elif isinstance(node, yaml.MappingNode):
            pairs = [(key.value, value) for key, value in node.value if isinstance(key, yaml.ScalarNode)]
            if kind[0] == "{":
                stack += [(kind[1:-1], (*path, key), value) for key, value in reversed(pairs)]
                continue
            yield kind, path, node
            inner = [(below(kind, key, changes), (*path, key), value) for key, value in pairs]
            stack += [each for each in reversed(inner) if each[0]]


@lru_cache(maxsize=1)
def _root(text: str) -> yaml.MappingNode:
    root = composed(text)
    if not isinstance(root, yaml.MappingNode):
        raise ValueError("no YAML mapping")
    return root
