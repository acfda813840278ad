"""Kinds of names, such as agents and changes, as all contracts together define them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from weakref import WeakKeyDictionary

from handoff_lsp.contracts.model import Definition
from handoff_lsp.contracts.names import key_name
from handoff_lsp.contracts.patterns import search
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.text import Span


class Kind:
    """One kind of names, merged from the contracts that define it."""

    def __init__(self, name: str, definitions: Sequence[Definition]) -> None:
        self.name = name
        self.about: str = next((each.about for each in definitions if each.about), "") or name.removesuffix("s")
        self.files: tuple[str, ...] = _joined(each.files for each in definitions)
        self.inside: tuple[str, ...] = _joined(each.inside for each in definitions)
        self.naming: tuple[str, ...] = _joined(each.naming for each in definitions)
        self.definitions = definitions
        self.words: frozenset[str] = frozenset(map(key_name, chain.from_iterable(each.words for each in definitions)))
        self.occurs: tuple[str, ...] = _joined(each.occurs for each in definitions)
        self.suffixes: tuple[str, ...] = _joined(each.suffixes for each in definitions)
        self._not_in_paths = frozenset(_joined(each.not_in_paths for each in definitions))
        self.in_paths: tuple[str, ...] = _joined(each.in_paths for each in definitions)
        self.pattern: str = next((each.pattern for each in definitions if each.pattern), "")
        self.pattern_about: str = next((each.pattern_about for each in definitions if each.pattern), "")
        self._parts = any(each.parts for each in definitions)
        self._suffixes = [key_name(suffix) for suffix in self.suffixes]
        self._other = {
            key_name(other): key_name(name)
            for each in definitions
            for name, others in each.same.items()
            for other in others
        }
        self.also: frozenset[str] = frozenset(map(self.key, chain.from_iterable(each.also for each in definitions)))

    def key(self, name: str) -> str:
        """The form of a name for comparison: without case, without word separators, without insignificant endings."""
        key = key_name(name)
        for suffix in self._suffixes:
            key = key.removesuffix(suffix) or key
        return self._other.get(key, key)

    def same(self, one: str, other: str) -> bool:
        """Whether two keys may mean the same name: they are equal, or one ends with the other, as with `reviewer`."""
        if one == other:
            return True
        return self._parts and (one.endswith(f"_{other}") or other.endswith(f"_{one}"))

    def spellings(self, key: str) -> set[str]:
        """The part of a key that every spelling of the same name contains (words joined by ``_``)."""
        words = key.split("_")
        keys = {"_".join(words[at:]) for at in range(len(words))} if self._parts else {key}
        return keys | {other for other, meant in self._other.items() if self.same(meant, key)}

    def is_word(self, name: str, *, in_path: bool = False) -> bool:
        """Whether a text means "no name"."""
        return key_name(name) in self.words or (in_path and name in self._not_in_paths)


def defined_name(path: str, globs: Iterable[str], naming: Sequence[str] = ()) -> str:
    """The name that a file defines; empty for none. ``path`` (with ``/``) matches one of the globs."""
    start, end = defined_span(path, globs, naming)
    return path[start:end]


def defined_span(path: str, globs: Iterable[str], naming: Sequence[str] = ()) -> Span:
    """The place of that name in the path: the file's or the folder's name, or what a pattern finds in it."""
    folder, slash, name = path.rpartition("/")
    start = len(folder + slash)
    if any(glob.rpartition("/")[2] == name for glob in globs):
        name = folder.rpartition("/")[2]
        start = len(folder) - len(name)
    else:
        stem, dot, _ = name.rpartition(".")
        name = stem if dot and stem else name
    found = next((match for pattern in naming if (match := search(pattern, name)) is not None), None)
    if found is not None:
        return Span(*found.groups.get("name", (0, 0))).shift(start)
    return Span(start, start if naming else start + len(name))


_KNOWN: WeakKeyDictionary[Registry, Mapping[str, Kind]] = WeakKeyDictionary()


def kinds_of(registry: Registry) -> Mapping[str, Kind]:
    """The kinds of names that the contracts of a registry know, by name."""
    known = _KNOWN.get(registry)
    if known is None:
        found: dict[str, list[Definition]] = {}
        for entry in registry:
            for name, definition in entry.contract.definitions.items():
                found.setdefault(name, []).append(definition)
        known = _KNOWN[registry] = {name: Kind(name, definitions) for name, definitions in found.items()}
    return known


def _joined(lists: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """The items of several lists, each once, in order."""
    return tuple(dict.fromkeys(chain.from_iterable(lists)))
