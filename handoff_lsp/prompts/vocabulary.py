"""The names and values of a contract, in all its profiles, as prompts may write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from handoff_lsp.contracts.model import Field, Value
from handoff_lsp.contracts.names import key_name, nearest
from handoff_lsp.contracts.patterns import search
from handoff_lsp.contracts.registry import ContractEntry

# A name of several words, which is hardly ever about anything else.
_TELLING = re.compile(r"[^\W\d]+[ _-][^\W\d]+|[a-z][A-Z]")
# A word at least this similar to a value counts as a misspelling of it.
_SLIP = 0.8
_MARKS = "#*`_\"' \t:："


@dataclass(frozen=True)
class KnownField:
    """A field of a contract. ``titles`` and ``values`` (by their spelling) are those of all its profiles."""

    path: str
    field: Field
    titles: frozenset[str]
    values: Mapping[str, Value]

    @property
    def is_closed(self) -> bool:
        """Whether other values are wrong."""
        return bool(self.values) and not self.field.open

    def meant(self, text: str) -> Value | None:
        """The value that a wrong one probably means; None if none is near."""
        for value in self.values.values():
            if key_name(text) in map(key_name, (value.value, *value.instead_of)):
                return value
        near = nearest(text, self.values, cutoff=_SLIP)
        return self.values[near] if near is not None else None


class Vocabulary:
    """The vocabulary of one contract."""

    def __init__(self, entry: ContractEntry) -> None:
        self._entry = entry
        self.contract: str = entry.name

    @cached_property
    def fields(self) -> Mapping[str, KnownField]:
        """The fields by their dotted paths, root fields and those inside objects."""
        found: dict[str, Field] = {}
        titles: dict[str, set[str]] = {}
        values: dict[str, dict[str, Value]] = {}
        for profile in self._entry.data["profiles"]:
            for path, field in self._entry.spec(profile).walk():
                found.setdefault(path, field)
                titles.setdefault(path, set()).update((field.title or path.rpartition(".")[2], *field.aliases))
                if field.kind.is_choice:
                    for value in field.values:
                        values.setdefault(path, {}).setdefault(value.value, value)
        return {
            path: KnownField(path, field, frozenset(titles[path]), values.get(path, {}))
            for path, field in found.items()
        }

    @cached_property
    def labels(self) -> Mapping[str, tuple[str, ...]]:
        """The paths of the fields by their written names, as these are compared; those nearest to the root first."""
        found: dict[str, list[str]] = {}
        for path in sorted(self.fields, key=lambda path: path.count(".")):
            for written in (*sorted(self.fields[path].titles), *([path] if "." in path else [])):
                paths = found.setdefault(label_name(written), [])
                if path not in paths:
                    paths.append(path)
        return {label: tuple(paths) for label, paths in found.items()}

    @cached_property
    def plain_pattern(self) -> re.Pattern[str] | None:
        """A pattern of the names, outside code, of fields with values; None without such a field."""
        titles = {title for known in self.fields.values() if known.values for title in known.titles}
        names = {form for title in titles for form in (title, title if title.isupper() else title.lower())}
        if not names:
            return None
        ordered = sorted(map(re.escape, names), key=len, reverse=True)
        return re.compile(rf"(?<![\w`/.-])(?:{'|'.join(ordered)})(?![\w/-]|\.\w)")

    @cached_property
    def telling(self) -> frozenset[str]:
        """The names, as they are compared, that hardly anything else has."""
        titles = {title for known in self.fields.values() for title in known.titles}
        return frozenset(label_name(title) for title in titles if _TELLING.search(title))

    def named(self, label: str) -> list[KnownField]:
        """The fields that a label may name, those nearest to the root first.

        Names in capitals are written in capitals; case matters nowhere else.
        """
        fields = [self.fields[path] for path in self.labels.get(label_name(label), ())]
        return [one for one in fields if label.isupper() or not all(map(str.isupper, one.titles))]

    def is_named_in(self, text: str) -> bool:
        """Whether a text names handoffs of this contract, or the file of one."""
        called = str(self._entry.part("called") or "")
        if called and search(called, text):
            return True
        return any(place in text for place in self._entry.part("locations") or ())


@lru_cache(maxsize=4096)
def label_name(label: str) -> str:
    """A label as it is compared: without marks around it, and words joined by ``_``."""
    return key_name(label.strip(_MARKS))


@lru_cache(maxsize=256)
def vocabulary_of(entry: ContractEntry) -> Vocabulary:
    """The vocabulary of a contract, computed once."""
    return Vocabulary(entry)
