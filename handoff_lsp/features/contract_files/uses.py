"""The names in a contract file: where each is declared, and where it is used, in conditions and messages too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from handoff_lsp.contracts.load import composed
from handoff_lsp.contracts.problems import KeyPath, mapping_at
from handoff_lsp.contracts.spec import OFFERED
from handoff_lsp.features.contract_files.data import with_base
from handoff_lsp.features.contract_files.file import ContractFile
from handoff_lsp.features.contract_files.language import (
    hint_of,
    item_of,
    names_of,
    owner_of,
    reference_of,
    tested_path,
    without_patches,
)
from handoff_lsp.features.contract_files.scalars import offsets_of
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

# What the author's own keys below a key of the contract are names of.
_DECLARED = {
    "terms": "term",
    "definitions": "definition",
    "profiles": "profile",
    "settings": "setting",
    "counts": "count",
    "companions": "companion",
    "checks": "check",
}
_FIELDS = frozenset(
    {
        "field",
        "field of some profile",
        "counted field",
        "root field",
        "root field of some profile",
        "marked path",
        "content key",
        "present key",
        "run edge",
    }
)
_WRITTEN = frozenset({"content key", "present key", "run edge"})
_CEL = frozenset({"condition", "expression", "message", "value path"})
_PLAIN = frozenset({"definition", "profile", "contract"})
_ALIASES = (("aliases",), ("fields",))
_HOLE = lazy_pattern(r"\{([^{}]*)\}")
_STRING = lazy_pattern(r"(?:(?<!\w)[rR])?(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")")
_CHAIN = lazy_pattern(r"(?<![\w.])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_LOOP = lazy_pattern(r"([A-Za-z_][\w.]*)\.(?:all|exists|exists_one|map|filter)\(\s*([A-Za-z_]\w*)\s*,")
_COMPARED = lazy_pattern(r"([A-Za-z_][\w.]*)\s*(?:[=!]=|in\s*\[)")
_NEXT_STRING = lazy_pattern(r"\s*,?\s*('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")")
_BRACKETS = lazy_pattern(r"\[[^\]]*\]")
# Words of CEL that are no fields.
_WORDS = frozenset({"document", "true", "false", "null", "in", OFFERED})


class Use(NamedTuple):
    """A name at a place. ``name``: a field's path without brackets, ``PATH=TEXT`` for a value, a title or an alias.

    ``declares``: whether it is declared here; ``changed``: whether that is in a profile. ``of``: the contract that has
    the name, if it is not that of the file.
    """

    kind: str
    name: str
    span: Span
    declares: bool = False
    changed: bool = False
    of: str = ""


def uses(file: ContractFile) -> list[Use]:
    """All names in a contract file, in the order of the text; none where it is no YAML."""
    root = composed(file.text)
    return sorted(set(_Walk(file).all(root)), key=lambda use: use.span) if root is not None else []


def use_at(found: list[Use], offset: int) -> Use | None:
    """The innermost of some uses at an offset."""
    here = [use for use in found if use.span.holds(offset)]
    return min(here, key=lambda use: use.span.end - use.span.start, default=None)


class _Walk:
    def __init__(self, file: ContractFile) -> None:
        self._text = file.text
        self._data = file.data
        whole = with_base(file, file.data)
        self._roots = {
            str(name): kind
            for key, kind in _DECLARED.items()
            if kind in {"term", "count", "companion"} and isinstance(whole.get(key), dict)
            for name in whole[key]
        }
        companions = whole.get("companions")
        self._companions = {
            str(name): str(part["contract"])
            for name, part in (companions.items() if isinstance(companions, dict) else ())
            if isinstance(part, dict) and "contract" in part
        }

    def all(self, root: Any) -> Iterator[Use]:
        seen: set[int] = set()
        stack: list[tuple[KeyPath, Any]] = [((), root)]
        while stack:
            path, node = stack.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            if isinstance(node, yaml.MappingNode):
                for key, value in node.value:
                    if isinstance(key, yaml.ScalarNode):
                        yield from self._key(path, key)
                        # What is merged in comes last: mostly it has a place of its own.
                        stack.insert(0 if key.value == "<<" else len(stack), ((*path, key.value), value))
            elif isinstance(node, yaml.SequenceNode):
                stack += [((*path, index), value) for index, value in enumerate(node.value)]
            else:
                yield from self._scalar(path, node)

    def _key(self, path: KeyPath, key: Any) -> Iterator[Use]:
        own = without_patches(path)
        named = names_of(hint_of(path))
        if named is None or key.value == "<<":
            return
        span = self._span(key)
        changed = path[:1] == ("profiles",) and len(path) > 1
        if own[-1:] == ("fields",) and owner_of(named[1]) is not None:
            yield Use("field", _field_name((*own, key.value)), span, True, changed)
        elif len(own) == 1 and own[0] in _DECLARED:
            yield Use(_DECLARED[str(own[0])], key.value, span, True, changed)
        elif kind := reference_of(named[0]):
            if kind == "value path":
                yield from self._cel(kind, key, path)
            else:
                yield from self._named(kind, key, (*path, key.value))

    def _scalar(self, path: KeyPath, node: Any) -> Iterator[Use]:
        hint = hint_of(path)
        kind = reference_of(hint)
        own = without_patches(path)
        if kind in _CEL:
            yield from self._cel(kind, node, path)
        elif kind == "compared value":
            yield from self._compared(node, path)
        elif kind:
            yield from self._named(kind, node, path)
        elif own[-1:] == ("value",) and len(own) > 3 and own[-3] == "values":
            yield Use("value", f"{_field_name(own[:-3])}={node.value}", self._span(node), True, own != path)
        elif len(own) > 2 and own[-2] == "values" and own[0] == "fields" and item_of(hint_of(path[:-1])) is not None:
            yield Use("value", f"{_field_name(own[:-2])}={node.value}", self._span(node), True, own != path)
        elif (own[-1:] == ("title",) and own[-3:-2] == ("fields",)) or (own[-2:-1], own[-4:-3]) == _ALIASES:
            field = own[:-1] if own[-1] == "title" else own[:-2]
            yield Use("title", f"{_field_name(field)}={node.value}", self._span(node), True, own != path)

    def _named(self, kind: str, node: Any, path: KeyPath) -> Iterator[Use]:
        """The uses in a text that is a name or a path."""
        own = without_patches(path)
        if kind in _FIELDS:
            offsets = offsets_of(self._text, node)
            if offsets is None:
                return
            if kind in _WRITTEN and node.value.partition(".")[0] not in mapping_at(self._data, ("fields",)):
                return  # a key as it is written
            whole = _BRACKETS.sub(lambda found: "[" + "_" * (len(found[0]) - 2) + "]", node.value)
            companion, colon, inner = whole.partition(":")
            of = self._companions.get(companion, "") if colon else ""
            if of:
                yield Use("companion", companion, self._part(offsets, 0, len(companion)))
                yield from self._steps(inner, "", offsets, len(companion) + 1, of)
            elif not colon:
                yield from self._steps(whole, "", offsets, 0)
        elif kind == "own value":
            at = max((index for index, step in enumerate(own) if step in {"fields", "items"}), default=0)
            field = own[: at + 2] if own[at] == "fields" else own[: at + 1]
            yield Use("value", f"{_field_name(field)}={node.value}", self._span(node))
        elif kind == "status value":
            around = path[: path.index("transitions") + 1] if "transitions" in path else ()
            status = mapping_at(self._data, around).get("of")
            yield Use("value", f"{status}={node.value}", self._span(node))
        elif kind == "title" and len(own) > 2:
            for name, field in mapping_at(self._data, own[:-2]).items():
                title = field.get("title") if isinstance(field, dict) else None
                if (title or name) == node.value:
                    path_of_it = _field_name((*own[:-2], str(name)))
                    use = ("title", f"{path_of_it}={title}") if title else ("field", path_of_it)
                    yield Use(*use, self._span(node))
        elif kind in _PLAIN:
            yield Use(kind, node.value, self._span(node))

    def _compared(self, node: Any, path: KeyPath) -> Iterator[Use]:
        """The use in a value with which a value of a field is compared."""
        name = self._meant(tested_path(self._data, path), self._items(path)).replace("[]", "")
        if name and node.value:
            yield Use("value", f"{name}={node.value}", self._span(node))

    def _steps(self, chain: str, base: str, offsets: list[int], start: int, of: str = "") -> Iterator[Use]:
        """A use for each field that a path leads through. ``base``: the field that it begins in."""
        at, name = start, base
        for step in chain.split("."):
            word = step.partition("[")[0]
            name = f"{name}.{word}" if name else word
            if word:
                yield Use("field", name, Span(offsets[at], offsets[at + len(word) - 1] + 1), of=of)
            at += len(step) + 1

    def _cel(self, kind: str, node: Any, path: KeyPath) -> Iterator[Use]:
        offsets = offsets_of(self._text, node)
        if offsets is None:
            return
        items = self._items(path)
        if kind == "message":
            for hole in _HOLE.finditer(node.value):
                yield from self._line(hole[1], hole.start(1), offsets, items)
        else:
            yield from self._line(node.value, 0, offsets, items)

    def _line(self, line: str, start: int, offsets: list[int], items: Mapping[str, str]) -> Iterator[Use]:
        """The uses in a line of CEL that begins at an index of the text."""
        blank = _STRING.sub(lambda found: " " * len(found[0]), line)
        bound = {**items}
        for loop in _LOOP.finditer(blank):
            bound[loop[2]] = self._meant(loop[1], bound)
        for found in _CHAIN.finditer(blank):
            chain = found[0]
            if blank[found.end() :].lstrip().startswith("("):
                chain = chain.rpartition(".")[0]
            if not chain:
                continue
            first, dot, rest = chain.partition(".")
            place = start + found.start()
            if first in bound:
                if dot and bound[first]:
                    yield from self._steps(rest, bound[first], offsets, place + len(first) + 1)
            elif first == "settings" and dot:
                name = rest.partition(".")[0]
                yield Use("setting", name, self._part(offsets, place + 9, len(name)))
            elif first == OFFERED and dot and not self._declares(OFFERED):
                yield from self._steps(rest, "", offsets, place + len(first) + 1)
            elif first in self._roots:
                yield Use(self._roots[first], first, self._part(offsets, place, len(first)))
                if dot and first in self._companions:
                    yield from self._steps(rest, "", offsets, place + len(first) + 1, self._companions[first])
            elif first not in _WORDS:
                yield from self._steps(chain, "", offsets, place)
        for compared in _COMPARED.finditer(blank):
            name = self._meant(compared[1], bound)
            at_string = compared.end()
            while name and (text := _NEXT_STRING.match(line, at_string)):
                value = text[1][1:-1]
                if value:
                    yield Use("value", f"{name}={value}", self._part(offsets, start + text.start(1) + 1, len(value)))
                at_string = text.end() if "[" in compared[0] else len(line) + 1

    def _declares(self, name: str) -> bool:
        return name in self._roots or name in mapping_at(self._data, ("fields",))

    def _meant(self, chain: str, bound: Mapping[str, str]) -> str:
        first, dot, rest = chain.partition(".")
        return f"{bound[first]}{dot}{rest}" if first in bound else chain

    def _items(self, path: KeyPath) -> dict[str, str]:
        """The fields that `this`, `previous` and `holder` mean in the check at a path; none if it looks at no items."""
        own = without_patches(path)
        if own[:1] != ("checks",) or len(own) < 2:
            return {}
        at = mapping_at(self._data, path[: len(path) - len(own) + 2]).get("at")
        if not isinstance(at, str) or "[]" not in at:
            return {}
        this, holder = (text.replace("[]", "") for text in (at, at[: at.rindex("[]")]))
        return {"this": this, "previous": this, "holder": holder}

    def _part(self, offsets: list[int], at: int, length: int) -> Span:
        return Span(offsets[at], offsets[at + length - 1] + 1)

    def _span(self, node: Any) -> Span:
        offsets = offsets_of(self._text, node)
        if offsets:
            return Span(offsets[0], offsets[-1] + 1)
        return Span(node.start_mark.index, node.end_mark.index)


def _field_name(path: KeyPath) -> str:
    """The path of a field, with dots, from that of its data."""
    return ".".join(str(step) for before, step in zip((None, *path), path, strict=False) if before == "fields")
