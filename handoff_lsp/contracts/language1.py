"""Language 1 of contracts, which `contract migrate` rewrites: its classes, and what became of their keys.

Only what has changed since is here: the rows of ``CHANGES``, applied in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from handoff_lsp.contracts.model import CHANGEABLE
from handoff_lsp.contracts.problems import KeyPath
from handoff_lsp.contracts.yaml_edits import YamlMapping

# The classes below each class, by key: the class itself, `[class]` for a list, `{class}` for a mapping by name.
_CONTRACT: Mapping[str, str] = {
    "profiles": "{Profile}",
    "detect": "Detect",
    "section": "SectionForm",
    "run": "RunForm",
    "fence": "Fence",
    "file": "FileForm",
    "signs": "[Marker]",
    "quotations": "[Quotation]",
    "examples": "[Marker]",
    "templates": "[Marker]",
    "prose": "{Prose}",
    "settings": "{Setting}",
    "fields": "{Field}",
    "upstream": "Upstream",
    "companions": "{Companion}",
    "counts": "{Count}",
    "definitions": "{Definition}",
    "checks": "{Check}",
    "transitions": "Transitions",
    "routing": "[Route]",
    "groups": "{Group}",
    "overview": "Overview",
}
_CLASSES: Mapping[str, Mapping[str, str]] = {
    "Contract": _CONTRACT,
    "Profile": {"evidence": "[ProfileEvidence]", **{key: _CONTRACT[key] for key in CHANGEABLE if key in _CONTRACT}},
    "Detect": {"markers": "[Marker]"},
    "Prose": {"detect": "Detect"},
    "Field": {
        "fields": "{Field}",
        "items": "Field",
        "values": "[Value]",
        "upstream": "Upstream",
        "unwanted": "[Unwanted]",
    },
}


class CannotMigrate(Exception):
    """The reason why a part of a contract has to be rewritten by hand."""


# The new pairs in the place of the old ones, in order. Parts of a value may be `moved` as they are written.
Rebuild = Callable[[YamlMapping], list[tuple[str, Any]]]


@dataclass(frozen=True)
class Renamed:
    """A key of a class that has another name now."""

    owner: str
    old: str
    new: str

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of language 1."""
        return (self.old,)


@dataclass(frozen=True)
class Rebuilt:
    """Keys of a class that are said in another way now. ``build`` raises CannotMigrate where that needs a person.

    ``old``: whether the value of a key that is there still is one of language 1; left out: it is if the key is there.
    """

    owner: str
    keys: tuple[str, ...]
    build: Rebuild
    old: Callable[[str, Any], bool] | None = None


Change = Renamed | Rebuilt

CHANGES: tuple[Change, ...] = ()

ANSWER = "is a key of language 1; run `handoff-lsp contract migrate`"


def below(owner: str, key: str, changes: tuple[Change, ...] = CHANGES) -> str:
    """The class below a key of a class, under its new name, too; empty for none."""
    key = key.removeprefix("+")
    known = _CLASSES.get(owner, {})
    olds = (row.old for row in changes if isinstance(row, Renamed) and row.owner == owner and row.new == key)
    return known.get(key) or next((known[old] for old in olds if old in known), "")


def is_old(row: Change, owner: str, key: str, value: Any) -> bool:
    """Whether a key of a class is one that a row rewrites, with this value."""
    key = key.removeprefix("+")
    if row.owner != owner or key not in row.keys:
        return False
    return isinstance(row, Renamed) or row.old is None or row.old(key, value)


def has_changed(path: KeyPath, value: Any) -> bool:
    """Whether the key at the end of a path of a contract's data is one of language 1, with this value."""
    owner = "Contract"
    kind = ""
    for step in path[:-1]:
        if kind:
            owner, kind = kind, ""
            continue
        found = below(owner, str(step))
        if not found:
            return False
        owner, kind = ("", found[1:-1]) if found[0] in "[{" else (found, "")
    return any(is_old(row, owner, str(path[-1]), value) for row in CHANGES)
