"""A sound example of a contract's handoffs: a new one, filled in so that a check finds nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache

from handoff_lsp.binding.handoff import Handoff, Nowhere
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.arguments import arguments_of
from handoff_lsp.contracts.field_types import KINDS, FieldType
from handoff_lsp.contracts.model import Field, Severity
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.decide.routing import routing_of
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.samples.new_handoff import new_handoff
from handoff_lsp.text import Source, Span, apply_edits
from handoff_lsp.text.named_tuple import NamedTuple

# A placeholder, with the quotes of JSON around it.
_PLACEHOLDER = re.compile(r'(?P<quote>"?)<(?P<hint>[^<>!\n][^<>\n]*)>(?P=quote)')
_FORMS: dict[FieldType, str] = {
    "timestamp": "2026-02-08T10:00:00Z",
    "date": "2026-02-08",
    "url": "https://example.org/page",
}
_NUMBERS = ("1", "0", "2")
# Texts for a field if its own description does not fit.
_TEXTS = ("as planned", "none", "2 of 2", "1", "a1b2c3d4e5f607182", "")
_SUCH_AS = re.compile(r"such as `?([^\s`,]+)")
_SEVERITIES: tuple[Severity, ...] = ("error", "warning", "information", "hint")
_WORD = re.compile(r"(?<![\\\w])[A-Za-z]{4,}(?![\w(?*+\[])")
# The most fixes that are applied, and how often all places are tried.
_ROUNDS, _SWEEPS = 4, 2

# How far a text is from a sound example: whether it is no handoff of the profile, its findings by severity, and
# whether it does not advance.
_Score = tuple[bool, int, int, int, int, bool]
_SOUND: _Score = (False, 0, 0, 0, 0, False)


class Example(NamedTuple):
    """An example. ``lacks``: why it is not sound; empty if it is."""

    text: str
    lacks: str


class _NoFiles(Nowhere):
    """A workspace without files: no path exists."""

    def exists(self, path: str) -> bool | None:
        """Never."""
        return False

    def exists_beside(self, path: str) -> bool | None:
        """Never."""
        return False


_NO_FILES = _NoFiles()


class _Place(NamedTuple):
    """A placeholder of a text: its range, what can be written in its place, and whether it is the status."""

    start: int
    end: int
    choices: tuple[str, ...]
    is_status: bool


def example(registry: Registry, entry: ContractEntry, profile: str, options: Options | None = None) -> Example:
    """An example of a profile's handoffs, the same one each time.

    ``options``: the settings of the later check, which must not find anything, either.
    """
    maker = _Maker(registry, entry, profile)
    new = new_handoff(registry, entry, profile, "handoff", maker.path, maker.options)
    text = maker.filled(new.text)
    for _ in range(_ROUNDS):
        better = maker.corrected(text)
        if better == text:
            break
        text = better
    return Example(text, maker.lacks(text, new.lacks, options or Options()))


@lru_cache(maxsize=64)
def example_text(registry: Registry, entry: ContractEntry, profile: str) -> str:
    """The text of an example, computed once."""
    return example(registry, entry, profile).text


class _Maker:
    def __init__(self, registry: Registry, entry: ContractEntry, profile: str) -> None:
        self._registry, self._name, self._profile = registry, entry.name, profile
        self._status = entry.spec(profile).status
        section = entry.contract.section
        # Words by which the heading is recognized.
        self._headings = [word.capitalize() for word in _WORD.findall(section.title)] if section is not None else []
        file = entry.contract.file
        self.path = next(iter(entry.contract.locations), f"{entry.name}.{file.syntax}" if file is not None else "")
        self.options = Options(profiles={entry.name: profile})

    def look(self, text: str, options: Options | None = None) -> Analysis:
        """The analysis of a text at the place of an example, with its profile unless ``options`` are given."""
        return analyze(Source(text), self.path, self._registry, options or self.options, around=_NO_FILES)

    def lacks(self, text: str, unknown: str, options: Options) -> str:
        """Why a text is no sound example; empty if it is one. ``unknown``: why it is perhaps not recognized."""
        analysis = self.look(text)
        if not any(map(self._is_own, analysis.handoffs)):
            return unknown or f"it does not count as {self._name}@{self._profile}"
        return "; ".join(finding.message for finding in analysis.findings or self.look(text, options).findings)

    def filled(self, text: str) -> str:
        """A text with the placeholders replaced by the values with which a check finds least."""
        places = self._places(text)
        status = next((number for number, place in enumerate(places) if place.is_status), None)
        tried: list[tuple[_Score, str]] = []
        for choice in range(len(places[status].choices) if status is not None else 1):
            chosen = [choice if number == status else 0 for number in range(len(places))]
            tried.append(self._best(text, places, chosen, status))
            if tried[-1][0] == _SOUND:
                break
        return min(tried, key=lambda one: one[0])[1]

    def _best(self, text: str, places: list[_Place], chosen: list[int], status: int | None) -> tuple[_Score, str]:
        """The text with which a check finds least, with the chosen status, and its score."""
        best = self._score(_put(text, places, chosen))
        others = [number for number in range(len(places)) if number != status]
        for number in others * _SWEEPS:
            for choice in range(len(places[number].choices)):
                if best == _SOUND:
                    break
                tried = [*chosen[:number], choice, *chosen[number + 1 :]]
                score = self._score(_put(text, places, tried))
                if score < best:
                    best, chosen = score, tried
        return best, _put(text, places, chosen)

    def corrected(self, text: str) -> str:
        """A text with one fix applied that leaves less to find, such as a missing part; unchanged without any."""
        before = self._score(text)
        for finding in self.look(text).findings:
            for fix in finding.fixes:
                better = self.filled(apply_edits(text, fix.edits))
                if self._score(better) < before:
                    return better
        return text

    def _score(self, text: str) -> _Score:
        analysis = self.look(text)
        own = next((one for one in analysis.handoffs if self._is_own(one)), None)
        found = [finding.severity for finding in analysis.findings]
        routing = routing_of(own) if own is not None else None
        errors, warnings, notes, hints = (found.count(severity) for severity in _SEVERITIES)
        waits = routing is not None and routing.action != "advance"
        return own is None, errors, warnings, notes, hints, waits

    def _is_own(self, handoff: Handoff) -> bool:
        return (handoff.spec.name, handoff.spec.profile, handoff.mode) == (self._name, self._profile, "handoff")

    def _places(self, text: str) -> list[_Place]:
        slots = [slot for handoff in self.look(text).handoffs for slot in handoff.root.walk() if slot.value is not None]
        return [self._place(found, slots) for found in _PLACEHOLDER.finditer(text)]

    def _place(self, found: re.Match[str], slots: Sequence[Slot]) -> _Place:
        around = [slot for slot in slots if slot.value is not None and _covers(slot.value, found)]
        slot = min(around, key=lambda one: len(one.raw), default=None)
        whole = slot is not None and slot.value == found.span()
        field = slot.field if slot is not None else Field(type="line")
        in_heading = slot is None or slot.carrier == "title"
        values = tuple(dict.fromkeys([*_values(field, found["hint"].rstrip("…")), *(self._headings * in_heading)]))
        if found["quote"] and not (field.kind.unquoted and whole):
            values = tuple(json.dumps(value, ensure_ascii=False) for value in values)
        return _Place(found.start(), found.end(), values, slot is not None and slot.path == self._status)


def _covers(span: Span, found: re.Match[str]) -> bool:
    return span.start <= found.start() and found.end() <= span.end


def _put(text: str, places: Sequence[_Place], chosen: Sequence[int]) -> str:
    """A text with a chosen value in each place."""
    parts, at = [], 0
    for place, choice in zip(places, chosen, strict=True):
        parts += [text[at : place.start], place.choices[choice]]
        at = place.end
    return "".join([*parts, text[at:]])


def _values(field: Field, hint: str) -> list[str]:
    """What can be written in place of a placeholder, the most fitting first."""
    if field.example:
        # A check looks for no file at a path below `path/to/`.
        return [field.example, f"path/to/{field.example.rpartition('/')[2]}"] if field.paths else [field.example]
    if field.kind.is_choice and field.values:
        known = [value.value for value in field.offered if not value.deprecated and not arguments_of(value.value)]
        return [*known, "example"] if field.open else known
    if " | " in hint:
        return hint.split(" | ")
    for kind, sample in _FORMS.items():
        form = KINDS[kind].form
        if field.type == kind or (form is not None and form.placeholder == hint):
            return [sample]
    if field.kind.json == "number":
        return list(_NUMBERS)
    if field.kind.words:
        return list(field.kind.words)
    if (told := _SUCH_AS.search(field.pattern_about)) is not None:
        return [told[1]]
    about = field.about.replace("`", "").split(". ")[0].rstrip(".")
    first = [hint, about] if "title" in field.carriers else [about, hint]
    return [*filter(None, first), *_TEXTS]
