"""A prompt names a marker or a file of a handoff that its contract does not have.

## What it does
Looks in prompts about a contract for its markers (the lines or the comment around a handoff, the tag of its fence) and
for the files in which its handoffs are. Reports one that is misspelled, an old tag, another line in place of a marker
around a shown handoff or beside the other one in a sentence, and another file of the same folder to which a handoff is
to be written, if the prompt has the right one nowhere.

A file that exists is not reported, nor one that two prompts name in place of a built-in contract's. Pages for people,
those in `docs` or `wiki`, are not judged.

## Why is this bad?
The reader looks for the marker or the file of the contract, and finds no handoff.

## How to fix
Write the contract's marker or file, or change it in the contract and in the program that reads the handoff.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handoff_lsp.language import say
from handoff_lsp.prompts.statement import PromptStatement
from handoff_lsp.prompts.vocabulary import FILE, MARKER
from handoff_lsp.rules.prompts.fixes import change
from handoff_lsp.rules.prompts.prompted import PromptText
from handoff_lsp.rules.rule import Finding, Rule, reported_elsewhere, shown

# The most characters of a marker or path in a message.
_LONGEST = 60


def check_prompt(prompt: PromptText) -> Iterator[Finding]:
    """The markers and files that the contract does not have."""
    for one in prompt.said.statements if not prompt.is_documentation else ():
        if one.path not in {MARKER, FILE} or one.value == one.label or one.act == "forbids":
            continue
        if prompt.is_covered(one.span) or prompt.is_allowed(one) or (one.path == FILE and _is_other_file(prompt, one)):
            continue
        contract = prompt.registry[one.contract].contract
        written = shown(one.value, _LONGEST)
        yield Finding(
            RULE,
            None,
            one.span,
            say("`{file}` is not a path of the {title}", title=contract.title, file=written)
            if one.path == FILE
            else say("The {title} has no marker `{marker}`", title=contract.title, marker=written),
            note=next((each.because for each in contract.returns.values() if each.because), contract.unread),
            hint=say("Did you mean `{near}`?", near=one.label),
            severity="error" if one.act in {"emits", "handles"} else None,
            fixes=partial(change, one.span, written, one.label),
        )


def _is_other_file(prompt: PromptText, one: PromptStatement) -> bool:
    """Whether a file exists, or another prompt names it in place of a built-in contract's."""
    if prompt.around.exists(one.value):
        return True
    if prompt.registry[one.contract].origin is not None:
        return False
    same = prompt.pack.said.get((one.contract, one.path), ())
    return any(each.statement.value == one.value and each.by.path != prompt.path for each in same)


RULE = Rule(
    "unknown-marker-in-prompt",
    "prompts",
    "warning",
    reported_elsewhere,
    fixable="always",
    unfinished="here",
    of_prompt=check_prompt,
    own=True,
)
