"""A prompt names a field that its contract does not have.

## What it does
Reads the fields that agent definitions, commands, skills and pages list or show: lists, tables, lines such as
``Required fields: `A`, `B` ``, and skeletons in fences. Reports a name that no profile of the contract has, if most
others of its list are fields of the contract. Where a contract allows further fields, it reports only a likely slip: a
misspelling, a known wrong name, or the only unknown name of a list that lacks one required field. Outside lists, a
misspelled name that only a field has, and another label of all values that a field has, count, too. Skeletons that are
templates are the matter of `template-missing-field`, examples to copy that of `broken-example`.

In a workspace's own variety of a format that handoff-lsp knows, a name that a page lists counts as known in the other
prompts. A contract of the workspace is never overruled.

## Why is this bad?
Agents write the names of their prompts. The orchestrator looks for the name of the contract, and finds nothing.

## How to fix
Use the contract's name, or add the field to the contract and to the orchestrator.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handoff_lsp.contracts.names import nearest
from handoff_lsp.language import say
from handoff_lsp.prompts.statement import PromptStatement
from handoff_lsp.rules.prompts.drift import is_optional, is_own_field
from handoff_lsp.rules.prompts.fixes import change
from handoff_lsp.rules.prompts.labels import labels_of_none
from handoff_lsp.rules.prompts.listed import ListedFields, field_lists
from handoff_lsp.rules.prompts.prompted import PromptText
from handoff_lsp.rules.rule import Finding, Rule, reported_elsewhere, shown
from handoff_lsp.text import Span
from handoff_lsp.writing.prompt_line import as_written

# The most names that a message lists.
_MOST = 6


def check_prompt(prompt: PromptText) -> Iterator[Finding]:
    """The unknown names in lists of fields."""
    found: set[Span] = set()
    for listed in field_lists(prompt):
        others = sum(one.sure for one in listed.unknown)
        if others > len(listed.known):
            continue
        closed = 2 * others <= len(listed.known) and _is_closed(listed)
        for one in listed.unknown:
            near = _meant(listed, one)
            if one.span in found or prompt.is_covered(one.span) or not (near or (closed and one.sure)):
                continue
            field = listed.renamed.get(one.span)
            if is_own_field(prompt, one) or (field is not None and is_optional(prompt, one.contract, field.path)):
                continue
            found.add(one.span)
            yield _finding(prompt, listed, one, near)
    yield from _alone(prompt, found)


def _alone(prompt: PromptText, found: set[Span]) -> Iterator[Finding]:
    """The misspelled names of fields outside lists, and other labels of all values that a field has."""
    for contract in prompt.said.contracts:
        words = prompt.words(contract)
        for one in labels_of_none(prompt, words) if not prompt.is_documentation else ():
            if one.label.span in found or prompt.is_covered(one.label.span):
                continue
            found.add(one.label.span)
            title = prompt.registry[contract].contract
            is_status = one.meant.path == title.status
            yield Finding(
                RULE,
                None,
                one.label.span,
                say("The {title} has no field `{field}`", title=title.title, field=shown(one.label.text, 30)),
                note=title.unread if is_status else one.meant.field.because,
                hint=say("Did you mean `{near}`?", near=one.name),
                severity="error" if is_status else None,
                field=one.meant.path,
                fixes=partial(change, one.label.span, shown(one.label.text, 30), one.name),
            )


def _finding(prompt: PromptText, listed: ListedFields, one: PromptStatement, near: str) -> Finding:
    contract = prompt.registry[one.contract].contract
    meant = listed.renamed.get(one.span)
    is_status = meant is not None and meant.path == contract.status
    titles = list(dict.fromkeys(field.field.title or field.path for field in listed.absent))
    listing = ", ".join(f"`{title}`" for title in titles[:_MOST]) + (", …" if len(titles) > _MOST else "")
    return Finding(
        RULE,
        None,
        one.span,
        say("The {title} has no field `{field}`", title=contract.title, field=shown(one.label, 30)),
        note=contract.unread if is_status else meant.field.because if meant is not None else "",
        hint=say("Did you mean `{near}`?", near=near)
        if near
        else say("Known fields: {listed}", listed=listing)
        if listing
        else "",
        severity="error" if is_status else None,
        field=meant.path if meant is not None else None,
        fixes=partial(change, one.span, shown(one.label, 30), near) if near else None,
    )


def _meant(listed: ListedFields, one: PromptStatement) -> str:
    """The name that was most likely meant; empty without one."""
    field = listed.renamed.get(one.span)
    if field is not None:
        return as_written(field, [item.label for item in listed.known.values()])
    if not _is_closed(listed) or not one.sure:
        return ""
    return nearest(one.label, [title for field in listed.absent for title in field.titles]) or ""


def _is_closed(listed: ListedFields) -> bool:
    """Whether no profile allows other fields in the object."""
    specs = listed.specs
    if not listed.parent:
        return all(spec.contract.closed for spec in specs)
    fields = [spec.field(listed.parent) for spec in specs]
    return all(field is not None and field.closed for field in fields)


RULE = Rule(
    "unknown-field-in-prompt",
    "prompts",
    "warning",
    reported_elsewhere,
    fixable="sometimes",
    unfinished="here",
    of_prompt=check_prompt,
    own=True,
)
