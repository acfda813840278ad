"""Malformed log entry.

## What it does
Checks for lines of a log without a valid timestamp (ISO 8601 in UTC), without a `[TAG]`, and for text before the first
entry. Lines that continue the output of a command are allowed. If the contract has its own pattern of entries, checks
for lines that neither match it nor continue the entry above.

## Why is this bad?
Readers compare log and status by time and search for the last entry with a tag. They miss a malformed entry.

## How to fix
Write `2026-02-08T10:00:00Z [TAG] text`, or the format that the contract defines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.values import is_placeholder
from handoff_lsp.contracts.field_types import timestamp_of
from handoff_lsp.language import later, say, translated
from handoff_lsp.rules.rule import EVERY_MODE, Finding, Fix, Rule, shown
from handoff_lsp.syntax.lines.log import BrokenLine
from handoff_lsp.text import Edit, Source
from handoff_lsp.text.lazy import lazy_pattern

# The most findings of one log: a longer list is of no use.
_MOST = 50
_WANTED = later("An entry is `2026-02-08T10:00:00Z [TAG] text`")
# The zone at the end of a time, as other logs write it, without a blank in front of it.
_ZONE = lazy_pattern(r"\s+(?=(?:Z|UTC|GMT|[+-][0-9]{2}:?[0-9]{2})$)", re.IGNORECASE)
_UTC = lazy_pattern(r"(?:UTC|GMT)$", re.IGNORECASE)


def check(handoff: Handoff) -> Iterator[Finding]:
    """The broken lines of a log."""
    if handoff.log is None:
        return
    # A placeholder has a rule of its own.
    broken = [line for line in handoff.log.broken if not is_placeholder(handoff.source.slice(line.span))]
    for line in broken[:_MOST]:
        found = handoff.source.slice(line.span)
        message, note = _message(handoff.source, line, found), _wanted(handoff)
        yield Finding(RULE, handoff, line.span, message, note=note, fixes=partial(_fixes, handoff.source, line))
    if len(broken) > _MOST:
        yield Finding(
            RULE,
            handoff,
            broken[_MOST].span,
            say("{number} more lines are not log entries", number=len(broken) - _MOST),
        )


def _wanted(handoff: Handoff) -> str:
    form = handoff.spec.contract.file
    if form is None or not form.entry:
        return translated(_WANTED)
    return say("An entry is `{example}`", example=form.example) if form.example else ""


def _message(source: Source, line: BrokenLine, found: str) -> str:
    if line.kind == "timestamp":
        return say('"{found}" is not an ISO 8601 time in UTC, ending with `Z`', found=shown(found))
    if line.kind == "shape":
        return say('"{found}" is not a log entry', found=shown(found))
    if line.kind == "text":
        return say('"{found}" is not a log entry', found=shown(found))
    if not found:
        return say("The tag is not closed") if _is_open(source, line) else say("Missing `[TAG]` after the timestamp")
    if not found.strip(" []"):
        return say("The tag is empty")
    return say('The tag "{found}" is too long', found=shown(found, 30))


def _fixes(source: Source, line: BrokenLine) -> Iterator[Fix]:
    found = source.slice(line.span)
    if line.kind == "timestamp":
        time = _read_time(found)
        if time is None:
            return
        # Without a written zone, only the author knows it.
        known = time.tzinfo is not None
        text = timestamp_of(time)
        title = say("Change to `{text}`", text=text) if known else say("Change to `{text}`, if it is in UTC", text=text)
        yield Fix(title, (Edit(line.span, text),), safe=known and not time.microsecond)
    elif line.kind == "tag" and not found and _is_open(source, line):
        yield Fix(say("Close the bracket"), (Edit(line.span, "]"),), safe=False)


def _is_open(source: Source, line: BrokenLine) -> bool:
    """Whether a bracket is open at the defect of a line without a tag."""
    return "[" in source.text[source.lines.line_start(line.line) : line.span.start]


def _read_time(text: str) -> datetime | None:
    """A time in the notation of other logs, converted to UTC if it has a zone."""
    text = _UTC.sub("Z", _ZONE.sub("", text.strip())).replace(",", ".")
    try:
        time = datetime.fromisoformat(text)
        return time.astimezone(UTC) if time.tzinfo is not None else time
    except (ValueError, OverflowError):
        return None


RULE = Rule("invalid-log-line", "structure", "warning", check, fixable="sometimes", modes=EVERY_MODE, unfinished="here")
