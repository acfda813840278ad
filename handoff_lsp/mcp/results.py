"""The structured results of the tools, and their JSON Schemas."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, Literal

from pydantic import TypeAdapter

from handoff_lsp.contracts.model import Mode, ReturnPlace, ReturnTaken, RouteAction
from handoff_lsp.reports.data import data_of, finite, json_line
from handoff_lsp.reports.report import Finding, Fix, Handoff, Level, Related
from handoff_lsp.reports.verdict import Verdict
from handoff_lsp.writing.schemas.parts import Schema

# The most characters of the findings or handoffs in one result: clients cut off, or refuse, longer ones.
ROOM = 40_000


@dataclass(frozen=True, slots=True)
class DecidedHandoff:
    """A handoff and the orchestrator's decision about it.

    `decision` is the decision on one line, or the reason for its lack.
    """

    contract: str
    profile: str
    mode: Mode
    line: int
    decision: str
    action: RouteAction | None = None

    @classmethod
    def of(cls, handoff: Handoff) -> DecidedHandoff:
        """That of a report's handoff."""
        action = handoff.routing.action if handoff.routing is not None else None
        line = handoff.range.start.line
        return cls(handoff.contract, handoff.profile, handoff.mode, line, handoff.decision, action)


@dataclass(frozen=True, slots=True)
class FoundDefect:
    """A finding with what its author needs to correct it.

    `message` says what is expected, `received` is the text there, `note` the consequence. `fixes`: the edits that
    remove it; of several the author chooses one. Lines and columns count from 1, columns in code points; a range ends
    after its last character. An empty key is left out.
    """

    line: int
    column: int
    severity: Level
    rule: str
    message: str
    received: str = ""
    note: str = ""
    help: str = ""
    field: str | None = None
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()

    @classmethod
    def of(cls, finding: Finding, received: str) -> FoundDefect:
        """That of a report's finding."""
        return cls(
            finding.line,
            finding.column,
            finding.severity,
            finding.rule,
            finding.message,
            received,
            finding.note,
            "" if finding.fix is not None else finding.help,
            finding.field,
            finding.related,
            (finding.fix,) if finding.fix is not None else finding.choices,
        )


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The verdict on a text, the decisions about its handoffs, and its findings.

    `left_out` is the number of further findings, `feedback` the message to the author if a handoff is missing, and
    `problems` are those of the config and its contract files. An empty key is left out.
    """

    verdict: Verdict
    path: str = ""
    handoffs: tuple[DecidedHandoff, ...] = ()
    findings: tuple[FoundDefect, ...] = ()
    left_out: int = 0
    feedback: str = ""
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ParseResult:
    """The handoffs of a text as `handoff-lsp parse` prints them, and the verdict on the text.

    `left_out` is the number of further handoffs.
    """

    verdict: Verdict
    handoffs: tuple[Handoff, ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class NewResult:
    """A text for a new handoff of a contract's profile. `lacks`: why a check would complain about it."""

    contract: str
    profile: str
    form: Literal["skeleton", "example", "prompt"]
    text: str
    lacks: str = ""


@dataclass(frozen=True, slots=True)
class ExplainResult:
    """The page about a rule, a contract, a field or a value, as Markdown."""

    name: str
    title: str
    markdown: str


@dataclass(frozen=True, slots=True)
class Debt:
    """A handoff that an agent owes.

    `where` and `files` (globs) say where its reader looks, `takes` which one it takes of several; with `at_end` nothing
    may follow it. `instead`: other contracts that pay the debt. `must` and `never`: fields. `because`: what happens
    without it. `block` is the handoff to emit, with placeholders in `<…>`. An empty key is left out.
    """

    contract: str
    profiles: tuple[str, ...]
    where: ReturnPlace
    block: str
    known_from: str
    files: tuple[str, ...] = ()
    takes: ReturnTaken = "any"
    at_end: bool = False
    instead: tuple[str, ...] = ()
    must: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    because: str = ""


@dataclass(frozen=True, slots=True)
class OwedResult:
    """What an agent owes at its end; nothing if nothing is known about it."""

    agent: str
    owes: tuple[Debt, ...]


def fitting(items: Iterable[Any], room: int = ROOM) -> int:
    """How many of the first items have room in a result; ``room`` is in characters of JSON."""
    count = 0
    for item in items:
        room -= len(json_line(data_of(item)))
        if room < 0:
            break
        count += 1
    return count


def result_data(result: Any) -> dict[str, Any]:
    """A result as data for JSON: without empty keys, and without numbers and characters that JSON in UTF-8 lacks."""
    found: dict[str, Any] = encodable_data(finite(_without_defaults(result)))
    return found


def _without_defaults(value: Any) -> Any:
    """Data of our own results without keys that have their default; reports are as the command prints them."""
    if isinstance(value, tuple):
        return list(map(_without_defaults, value))
    if type(value).__module__ != __name__:
        return data_of(value)
    parts = ((each, getattr(value, each.name)) for each in fields(value))
    return {each.name: _without_defaults(part) for each, part in parts if part != each.default}


def encodable_data(value: Any) -> Any:
    """Data with a sign in place of each lone surrogate."""
    if isinstance(value, dict):
        return {encodable_data(key): encodable_data(item) for key, item in value.items()}
    if isinstance(value, list):
        return list(map(encodable_data, value))
    return encodable(value) if isinstance(value, str) else value


def encodable(text: str) -> str:
    """A text with a sign in place of each lone surrogate."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def schema_of_result(kind: type[Any]) -> Schema:
    """The JSON Schema of a result."""
    schema: Schema = TypeAdapter(kind).json_schema(mode="serialization")
    for part in (schema, *schema.get("$defs", {}).values()):
        part["description"] = " ".join(part["description"].replace("``", "`").split())
        for value in part["properties"].values():
            value.pop("title", None)
            value.pop("default", None)
    return schema
