"""The text of a marked copy, made from its contract: of the same contract the same text, in English."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, get_args

from handoff_lsp.binding.handoff import Surroundings
from handoff_lsp.contracts.model import Field, Value
from handoff_lsp.contracts.registry import ContractEntry, Registry, builtin
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.language import ENGLISH, in_language, language
from handoff_lsp.rules.shared.condition_words import condition_text
from handoff_lsp.rules.shared.field_cells import all_fields, cell, coded, content_of
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.writing.skeleton import MOST_VALUES, Stops

CopiedPart = Literal["skeleton", "values", "fields", "schema", "example"]
PARTS: tuple[str, ...] = get_args(CopiedPart)

# A comment that names the contract has no effect in a fence.
_MODELINE = lazy_pattern(r"(?m)^<!-- handoff: [^>\n]*-->\n?")
_TICKS = lazy_pattern(r"^[ \t>]*(`{3,})", re.MULTILINE)


class WantedCopy(NamedTuple):
    """What is copied: a part of a contract's profile, of ``values`` those of the field at ``path``."""

    contract: str
    profile: str
    part: CopiedPart
    path: str = ""


def text_of(wanted: WantedCopy, registry: Registry, around: Surroundings) -> str | None:
    """The text, with ``\\n`` line ends and none at its end; None for an example that nobody here can make."""
    known = _in_english(registry)
    if wanted.part == "example":
        with in_language(ENGLISH):
            made = around.example(known, known[wanted.contract], wanted.profile)
        spec = known[wanted.contract].spec(wanted.profile)
        return _fenced(spec, _MODELINE.sub("", made).strip("\n")) if made is not None else None
    return _made(wanted, known)


@lru_cache(maxsize=4)
def _in_english(registry: Registry) -> Registry:
    if language() == ENGLISH:
        return registry
    with in_language(ENGLISH):
        own = [entry for entry in registry if entry.origin is not None or entry.package]
        return builtin().with_entries(own)


@lru_cache(maxsize=256)
def _made(wanted: WantedCopy, registry: Registry) -> str:
    entry = registry[wanted.contract]
    spec = entry.spec(wanted.profile)
    with in_language(ENGLISH):
        match wanted.part:
            case "values":
                field = spec.field(wanted.path)
                assert field is not None, "a field is missing"
                return _values(spec, wanted.path, field)
            case "fields":
                return _fields(spec)
            case "schema":
                from handoff_lsp.writing.schemas.fields_schema import fields_schema  # few documents have copies
                from handoff_lsp.writing.schemas.handoff_schema import handoff_schema, written_syntax

                schema = handoff_schema(spec) if written_syntax(spec) is not None else fields_schema(spec)
                return _block("json", json.dumps(schema, ensure_ascii=False, indent=2))
        return _skeleton(registry, entry, wanted.profile)


def _skeleton(registry: Registry, entry: ContractEntry, profile: str) -> str:
    from handoff_lsp.writing.skeleton_document import companions, new_document  # few documents have copies

    spec, stops = entry.spec(profile), Stops()
    parts = [new_document(spec, stops), *companions(registry, entry, profile, stops)]
    return _fenced(spec, "\n\n".join(part.plain for part in parts))


def _fenced(spec: Spec, text: str) -> str:
    """A handoff in a fence; one that is a fence stays as it is."""
    from handoff_lsp.writing.skeleton_document import form_of  # few documents have copies

    if text.startswith("```"):
        return text
    form, file = form_of(spec), spec.contract.file
    if form in {"document", "section"}:
        return _block("markdown", text)
    return _block(file.syntax if form == "file" and file is not None and file.syntax != "log" else "", text)


def _block(tag: str, text: str) -> str:
    ticks = max([len(ticks) + 1 for ticks in _TICKS.findall(text)], default=3) * "`"
    return f"{ticks}{tag}\n{text}\n{ticks}"


def _values(spec: Spec, path: str, field: Field) -> str:
    rows = [(value, _reaction(spec, path, value)) for value in field.offered if not value.deprecated]
    reacts = any(reaction for _, reaction in rows)
    lines = [f"| {spec.title(path)} | Meaning |{' What happens then |' * reacts}", f"| --- | --- |{' --- |' * reacts}"]
    for value, reaction in rows:
        lines.append(f"| {coded(value.value)} | {cell(value.about)} |" + f" {cell(reaction)} |" * reacts)
    return "\n".join(lines)


def _reaction(spec: Spec, path: str, value: Value) -> str:
    """The orchestrator's reaction to a value: in the words of the contract, or of the route for this value alone."""
    if value.then:
        return value.then
    for route in spec.contract.routing:
        tests = spec.conditions.tests(route.when)
        if (
            len(tests) == 1
            and (tests[0].path, tests[0].relation) == (path, "one_of")
            and value.value in tests[0].operand
        ):
            return route.reason
    return ""


def _fields(spec: Spec) -> str:
    return "\n".join(["| Field | Value | Required | Meaning |", "| --- | --- | --- | --- |", *_field_rows(spec)])


def _field_rows(spec: Spec) -> Iterator[str]:
    for path, field in all_fields(spec):
        if field.deprecated or path.endswith("[]"):
            continue
        name = path if "." in path else field.title or path
        content = content_of(field, MOST_VALUES, "values")
        yield f"| {coded(name)} | {content} | {_needed(spec, field)} | {cell(field.about)} |"


def _needed(spec: Spec, field: Field) -> str:
    if isinstance(field.required, bool):
        return "yes" if field.required else "no"
    condition = condition_text(spec, field.required)
    return f"when {cell(condition)}" if condition else "sometimes"
