"""The handoffs of all fixtures: the cases, the contracts of users, and the documents with recorded verdicts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from case_files import read_cases
from jsonschema import Draft202012Validator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.cases.reader import read_case_file
from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text import Source
from handoff_lsp.writing.schemas.fields_schema import fields_schema
from handoff_lsp.writing.schemas.handoff_schema import handoff_schema, written_syntax

TESTS = Path(__file__).parents[2]
EVERY = [(entry.name, profile) for entry in builtin() for profile in entry.contract.profiles]
IDS = [f"{name}@{profile}" for name, profile in EVERY]
# The generations of agent-contract with recorded verdicts, and their profiles.
GENERATIONS = {"seed": "gaia-5.0", "head": "gaia-5.4"}
_CONTRACT = re.compile(r"^~~~~contract\n(.*?)^~~~~$", re.MULTILINE | re.DOTALL)


class Found(NamedTuple):
    """A handoff of a fixture, with its findings."""

    name: str
    handoff: Handoff
    findings: list[Finding]

    @property
    def is_sound(self) -> bool:
        """Whether no finding of it is an error."""
        return all(finding.severity != "error" for finding in self.findings)


def spec_of(name: str, profile: str = "") -> Spec:
    """A built-in contract with a profile, by default its default one."""
    entry = builtin()[name]
    return entry.spec(profile or entry.contract.default_profile)


def _found(name: str, analysis: Analysis) -> Iterator[Found]:
    for handoff in analysis.handoffs:
        yield Found(name, handoff, [one for one in analysis.findings if one.handoff is handoff])


def _own() -> Iterator[Found]:
    """The handoffs of contracts of users' own: those of the tests and those of the gallery."""
    for path in sorted((TESTS / "own" / "cases").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        yield from _of_contracts(path.stem, _CONTRACT.findall(text), _CONTRACT.sub("", text))
    for path in sorted((TESTS.parent / "docs" / "gallery").glob("*.yaml")):
        cases = path.with_name(f"{path.stem}.cases.md").read_text(encoding="utf-8")
        yield from _of_contracts(path.stem, [path.read_text(encoding="utf-8")], cases)


def _of_contracts(name: str, contracts: list[str], text: str) -> Iterator[Found]:
    entries = [entry for entry, _ in map(read_contract, contracts) if entry is not None]
    assert len(entries) == len(contracts), name
    registry = builtin().with_entries(entries)
    for case in read_case_file(text, name, entries[0].name).cases:
        yield from _found(case.name, case.analyze(None, registry))


@cache
def recorded(generation: str) -> tuple[tuple[dict[str, Any], tuple[Found, ...]], ...]:
    """The documents of agent-contract with recorded verdicts, each with its handoffs."""
    path = TESTS / "conformance" / f"agent-contract-{generation}.jsonl"
    made = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        row = json.loads(line)
        options = Options(
            profiles={"agent-contract": GENERATIONS[generation]},
            settings={"agent-contract": {"consolidation_required": row["consolidation"]}},
        )
        found = _found(f"{generation}:{number}", analyze(Source(row["text"]), "", builtin(), options))
        made.append((row, tuple(found)))
    return tuple(made)


@cache
def all_found() -> tuple[Found, ...]:
    """Every handoff of every fixture."""
    cases = [one for case in read_cases() for one in _found(case.name, case.analyze())]
    documents = [one for generation in GENERATIONS for _, found in recorded(generation) for one in found]
    return (*cases, *_own(), *documents)


_VALIDATORS: dict[tuple[int, str], tuple[Draft202012Validator, Spec]] = {}


def validator(spec: Spec, of: str) -> Draft202012Validator:
    """The validator of a schema in draft 2020-12, which is checked to be one."""
    if (id(spec), of) not in _VALIDATORS:
        schema = handoff_schema(spec) if of == "handoff" else fields_schema(spec)
        Draft202012Validator.check_schema(schema)
        _VALIDATORS[id(spec), of] = Draft202012Validator(schema), spec
    return _VALIDATORS[id(spec), of][0]


class NotWritten(Exception):
    """A handoff that is no JSON or YAML, or broken as such."""


def written(handoff: Handoff) -> Any:
    """The JSON or YAML of a handoff as a parser reads it. Raises NotWritten."""
    if written_syntax(handoff.spec) is None or handoff.form not in {"fence", "file"}:
        raise NotWritten
    try:
        if handoff.json is not None:
            return json.loads(handoff.json.fragment.text)
        if handoff.outline is not None:
            return yaml.safe_load(handoff.outline.fragment.text)
    except (ValueError, yaml.YAMLError) as error:
        raise NotWritten from error
    raise NotWritten
