"""A contract while it is learned: fields with what is known of them, and notes that become comments."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from handoff_lsp.contracts.field_types import FieldType
from handoff_lsp.contracts.model import Carrier, Form
from handoff_lsp.learn.words import words

# Names that mean something else in conditions.
_TAKEN = words(
    """
    document settings this holder previous in true false null as break const continue else for function if
    import let loop package namespace return var void while int uint double bool string bytes list map type dyn
    size matches has all exists exists_one filter
    """
)
_LONGEST_NAME = 40


@dataclass
class FieldDraft:
    """One field. ``seen`` of ``of`` samples have it; ``notes`` become comments, ``questions`` are for the author."""

    title: str
    type: FieldType = "any"
    values: list[str] = field(default_factory=list)
    open: bool = False
    required: bool = False
    closed: bool = False
    anywhere: bool = False
    aliases: list[str] = field(default_factory=list)
    carriers: list[Carrier] = field(default_factory=list)
    tolerate: list[str] = field(default_factory=list)
    about: str = ""
    pattern: str = ""
    # `minimum`, `maximum` and `unique`.
    limits: dict[str, Any] = field(default_factory=dict)
    # The only values, where `values` cannot hold them: numbers, `true`, mixed ones. They become a check.
    only: list[Any] = field(default_factory=list)
    severity: dict[str, str] = field(default_factory=dict)
    fields: dict[str, FieldDraft] = field(default_factory=dict)
    items: FieldDraft | None = None
    seen: int = 0
    of: int = 0
    notes: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)

    def walk(self, path: str) -> Iterator[tuple[str, FieldDraft]]:
        """This field and all below it, each with its path; ``[]`` for the items of a list."""
        yield path, self
        for name, child in self.fields.items():
            yield from child.walk(f"{path}.{name}")
        if self.items is not None:
            yield from self.items.walk(f"{path}[]")


@dataclass
class ContractDraft:
    """A contract. ``recognition`` holds the keys of its form, such as ``detect``."""

    name: str
    title: str
    form: Form
    fields: dict[str, FieldDraft]
    recognition: dict[str, Any]
    source: str = ""
    about: str = ""
    status: str = ""
    usual: list[str] = field(default_factory=list)
    unfilled: list[str] = field(default_factory=list)
    templates: list[str] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)
    closed: bool = False
    # The share of what is in the samples that the fields name.
    covers: float = 0.0
    notes: dict[str, list[str]] = field(default_factory=dict)
    questions: list[str] = field(default_factory=list)

    def walk(self) -> Iterator[tuple[str, FieldDraft]]:
        """All fields with their paths."""
        for name, one in self.fields.items():
            yield from one.walk(name)

    def find(self, path: str) -> FieldDraft | None:
        """The field at a path of a finding; numbers of items do not count."""
        wanted = re.sub(r"\[\d*\]", "[]", path)
        return next((one for at, one in self.walk() if at == wanted), None)

    def remove(self, path: str) -> None:
        """Drop a field."""
        head, _, name = re.sub(r"\[\d*\]", "[]", path).rpartition(".")
        owner = self.find(head) if head else None
        fields = owner.fields if owner is not None else self.fields if not head else {}
        fields.pop(name, None)
        if not head:
            self._forget(name)

    def _forget(self, name: str) -> None:
        """Take a root field out of what recognizes the contract."""
        self.unfilled = [one for one in self.unfilled if one != name]
        for form in self.recognition.values():
            for way in form.get("holds", []):
                for key in ("needs", "some", "telling"):
                    if key in way:
                        way[key] = [one for one in way[key] if one != name]
            if "signs" in form:
                form["signs"] = [one for one in form["signs"] if one.get("has") != name]

    def note(self, key: str, text: str) -> None:
        """Remember a comment about a key of the contract."""
        if text not in self.notes.setdefault(key, []):
            self.notes[key].append(text)


def field_name(title: str, known: dict[str, FieldDraft], *, as_written: bool = False) -> str:
    """A name for a field that conditions can use and that no other field has: in lower case unless ``as_written``."""
    kept = as_written and re.fullmatch(r"[A-Za-z_]\w*", title, re.ASCII) is not None
    name = title if kept else "_".join(re.findall(r"[A-Za-z0-9]+", _spelled(title))).lower()
    name = name[:_LONGEST_NAME].strip("_") or "field"
    if name[0].isdigit() or name in _TAKEN:
        name = f"_{name}" if name[0].isdigit() else f"{name}_"
    number, unique = 2, name
    while unique in known:
        unique, number = f"{name}_{number}", number + 1
    return unique


def _spelled(title: str) -> str:
    """A title without accents."""
    plain = unicodedata.normalize("NFKD", title)
    return "".join(char for char in plain if not unicodedata.combining(char))
