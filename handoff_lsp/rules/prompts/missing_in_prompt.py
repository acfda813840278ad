"""A prompt's list or skeleton lacks a required field.

## What it does
Compares the lists of fields in agent definitions, commands, skills and pages, and the skeletons that they show, with
their contract. Reports a required field, or section, that a complete one lacks. A list counts as complete if it has all
required fields but one (of six or more: but two) and no word before it introduces a part, such as "additional" or
"agent-specific". The field must be required without a condition in each profile that may apply. Also reports a line
before or after a handoff, such as `---END---`, that a skeleton with the other one lacks, or a complete one in a prompt
that names neither. Skeletons that are templates are the matter of `template-missing-field` and
`template-missing-section`, other defects of examples that of `broken-example`.

In the workspace's own variety of a format that handoff-lsp knows, a field that most prompts, and three at least, leave
out is not required. A contract of the workspace is never overruled.

## Why is this bad?
Agents write what their prompt shows. The field, or line, is missing from every handoff, and the orchestrator needs it.

## How to fix
Insert the field, or write before the list that it is a part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from handoff_lsp.contracts.model import Field, Value
from handoff_lsp.language import say
from handoff_lsp.prompts.completeness import leaves_out
from handoff_lsp.prompts.statement import Enumeration
from handoff_lsp.prompts.vocabulary import MARKER, KnownField
from handoff_lsp.rules.prompts.drift import described, is_optional
from handoff_lsp.rules.prompts.listed import ListedFields, field_lists
from handoff_lsp.rules.prompts.prompted import PromptText
from handoff_lsp.rules.rule import Finding, Fix, Rule, reported_elsewhere
from handoff_lsp.syntax.markdown.node import Node
from handoff_lsp.text import Edit, Span
from handoff_lsp.writing.prompt_line import as_written, inserted


def check_prompt(prompt: PromptText) -> Iterator[Finding]:
    """The required fields that complete lists lack."""
    lists = field_lists(prompt)
    for listed in lists:
        if not listed.lacking or not listed.is_whole:
            continue
        renamed = {field.path for field in listed.renamed.values()}
        absent = [
            path
            for path in listed.lacking
            if path not in renamed
            and not _is_beside(prompt, lists, listed, path)
            and not is_optional(prompt, listed.listed.contract, path)
        ]
        lacking = [listed.words.fields[path] for path in absent]
        for field in lacking:
            yield _finding(prompt, listed, lacking, field)
    yield from _markers(prompt, lists)


def _markers(prompt: PromptText, lists: Sequence[ListedFields]) -> Iterator[Finding]:
    """The lines around handoffs that skeletons lack."""
    whole = [each.listed for each in lists if each.fence is not None and each.is_whole]
    for one in prompt.said.enumerations if not prompt.is_documentation else ():
        words = prompt.words(one.contract)
        if one.path or one.notation != "skeleton" or one.act == "forbids" or not words.lines:
            continue
        fence = next((node for node in prompt.view.fences if node.span.covers(one.span)), None)
        if fence is None or leaves_out(fence.text) or prompt.is_covered(fence.span):
            continue
        said = [each for each in prompt.said.statements if each.contract == one.contract and each.path == MARKER]
        there = {each.label for each in said if fence.span.covers(each.span)}
        if there or (one in whole and not said and not _sent_to_marker(prompt, one.contract)):
            missing = [line for line in (words.opening_line, words.closing_line) if line and line not in there]
            if missing:
                yield _without_marker(prompt, one, fence, missing)


def _sent_to_marker(prompt: PromptText, contract: str) -> bool:
    """Whether another prompt to which this one refers has a marker of a contract."""
    return any(each.by.path in prompt.sent_to for each in prompt.pack.said.get((contract, MARKER), ()))


def _without_marker(prompt: PromptText, one: Enumeration, fence: Node, missing: list[str]) -> Finding:
    contract = prompt.registry[one.contract].contract
    first, last = one.items[0].span, one.items[-1].span
    opens = contract.run is not None and missing[0] == contract.run.opening
    return Finding(
        RULE,
        None,
        first if opens else last,
        say("This skeleton of the {title} lacks `{field}`", title=contract.title, field=missing[0]),
        note=contract.unread,
        severity="error" if one.act in {"emits", "handles"} else None,
        fixes=partial(_lines_around, prompt, fence, missing, opens=opens),
    )


def _lines_around(prompt: PromptText, fence: Node, missing: list[str], *, opens: bool) -> Iterator[Fix]:
    fragment = fence.fragment()
    text = fragment.text
    if not text.strip():
        return
    start, end = (fragment.outer(len(text) - len(text.lstrip())), fragment.outer(len(text.rstrip())))
    before = prompt.source.text[prompt.source.lines.line_start(prompt.source.lines.line_of(start)) : start]
    edits = [Edit(Span(start, start), f"{missing[0]}\n{before}")] if opens else []
    if not opens or len(missing) > 1:
        edits.append(Edit(Span(end, end), f"\n{before}{missing[-1]}"))
    yield Fix(say("Insert `{field}`", field=missing[0]), tuple(edits), safe=False)


def _finding(prompt: PromptText, listed: ListedFields, lacking: list[KnownField], field: KnownField) -> Finding:
    contract = prompt.registry[listed.listed.contract].contract
    is_status = field.path == contract.status
    name = _name(listed, field)
    what = (
        say("This skeleton of the {title} lacks `{field}`", title=contract.title, field=name)
        if listed.fence is not None
        else say("This list of the fields of the {title} lacks `{field}`", title=contract.title, field=name)
    )
    return Finding(
        RULE,
        None,
        _place(listed, field),
        what,
        note=contract.unread if is_status else field.field.because,
        severity="error" if is_status else None,
        field=field.path,
        fixes=partial(_fixes, listed, lacking, field),
    )


def _place(listed: ListedFields, field: KnownField) -> Span:
    """The name after which the field belongs; the first one if it belongs at the beginning."""
    order = list(listed.words.fields)
    before = [path for path in listed.known if order.index(path) < order.index(field.path)]
    nearest = max(before, key=order.index, default=None)
    return listed.known[nearest].span if nearest is not None else min(one.span for one in listed.known.values())


def _is_beside(prompt: PromptText, lists: Sequence[ListedFields], listed: ListedFields, path: str) -> bool:
    """Whether a list beside a list of the same section has a field, so that they are one list in two parts."""
    own = prompt.tree.section_at(listed.listed.span.start)
    return listed.fence is None and any(
        path in other.known
        and other.fence is None
        and other.listed is not listed.listed
        and other.listed.contract == listed.listed.contract
        and prompt.tree.section_at(other.listed.span.start) is own
        for other in lists
    )


def _fixes(listed: ListedFields, lacking: list[KnownField], field: KnownField) -> Iterator[Fix]:
    edit = _insertion(listed, field)
    if edit is None:
        return
    yield Fix(say("Insert `{field}`", field=_name(listed, field)), (edit,), safe=False)
    if listed.fence is not None and len(lacking) > 1:
        texts: dict[Span, str] = {}
        for one in (_insertion(listed, other) for other in lacking):
            if one is not None:
                texts[one.span] = texts.get(one.span, "") + one.text
        edits = tuple(Edit(span, text) for span, text in texts.items())
        yield Fix(say("Update the skeleton from the contract"), edits, safe=False, preferred=False)


def _insertion(listed: ListedFields, field: KnownField) -> Edit | None:
    order = list(listed.words.fields)
    known = sorted((order.index(path), one.span) for path, one in listed.known.items())
    name, place = _name(listed, field), order.index(field.path)
    return inserted(listed.prompt.view, known, place, name, _as_listed(listed, field), listed.listed.notation)


def _as_listed(listed: ListedFields, field: KnownField) -> Field:
    """A field with the values that a prompt lists to which this one refers, if the contract has them; else its own."""
    prompt, contract = listed.prompt, listed.listed.contract
    if not field.values or field.field.names:
        return field.field
    lists, sent = described(prompt, prompt.pack.field(contract, field.path, field.values).descriptions)
    values = dict.fromkeys(lists[0].enumeration.values) if sent else {}
    if not values or not values.keys() <= set(field.values):
        return field.field
    return replace(field.field, offers=[], values=[Value(value=value) for value in values])


def _name(listed: ListedFields, field: KnownField) -> str:
    return as_written(field, [item.label for item in listed.known.values()])


RULE = Rule(
    "missing-in-prompt",
    "prompts",
    "warning",
    reported_elsewhere,
    fixable="sometimes",
    unfinished="anywhere",
    of_prompt=check_prompt,
    own=True,
)
