"""A prompt shows an example that its own contract refuses.

## What it does
Reads the examples in agent definitions, commands, skills and pages as real handoffs, and reports the first error of
each. It leaves out examples with something to fill in, such as `<name>` or `...`, and those that the text calls wrong
or a part. A value that no profile has is the matter of `unknown-value-in-prompt`, a field that a list or skeleton lacks
that of `missing-in-prompt`, and a template that of the rules for templates.

With the option `examples`, all findings about examples are reported under their own names instead.

## Why is this bad?
Agents copy examples, and prefer them to all rules beside them. The orchestrator refuses the copy.

## How to fix
Correct the example, or say before it that it is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.language import say
from handoff_lsp.prompts.acts import act_of_fence
from handoff_lsp.prompts.completeness import introduction_of, is_concrete, is_partial
from handoff_lsp.rules.prompts import missing_in_prompt, unknown_value_in_prompt
from handoff_lsp.rules.prompts.drift import is_optional
from handoff_lsp.rules.prompts.prompted import PromptText
from handoff_lsp.rules.rule import Finding, Fix, Rule, reported_elsewhere, sentence
from handoff_lsp.syntax.markdown.node import Node
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern

# Groups of rules about the handoff itself, not about its place in a document or among files.
_GROUPS = {"missing content", "values", "structure", "consistency"}
_ELSEWHERE = {
    "several-handoffs",
    "misplaced-handoff",
    "missing-handoff",
    "empty-return",
    "wrong-contract",
    "wrong-fence",
}
# What a contract requires without a condition, though not each orchestrator stops without it.
_ABSENT = {"missing-field", "missing-section", "missing-status"}
_MARKDOWN = {"markdown", "md"}
# Around an example that is shown because it is wrong.
_REFUSED = lazy_pattern(
    r"(?i)\b(?:fails?|refuse[sd]?|rejects?|error message|would be|causes?|instead of|mistakes?)\b|誤"
)


def check_prompt(prompt: PromptText) -> Iterator[Finding]:
    """The first error of each example."""
    if prompt.options.examples:
        return
    told: list[Span] | None = None
    absent: list[tuple[Span, str | None]] = []
    for span, found in _examples(prompt):
        errors = [one for one in found if _counts(one) and not _is_left_out(prompt, one)]
        if not errors:
            continue
        if told is None:
            told = [one.span for one in unknown_value_in_prompt.check_prompt(prompt)]
            absent = [(one.span, one.field) for one in missing_in_prompt.check_prompt(prompt)]
        errors = [one for one in errors if not _is_told(one, span, absent)]
        if not errors:
            continue
        first = errors[0]
        if prompt.is_covered(first.span) or any(span.overlaps(other) for other in told):
            continue
        yield _finding(prompt, first)


def _finding(prompt: PromptText, inner: Finding) -> Finding:
    contract = inner.handoff.spec.contract if inner.handoff is not None else None
    is_status = contract is not None and bool(inner.field) and inner.field == contract.status
    unread = inner.code in {"invalid-json", "wrong-fence", "unclosed-block", "missing-status"}
    return Finding(
        RULE,
        None,
        inner.span,
        inner.message,
        note=inner.note or say("Agents copy this example, and the orchestrator refuses the copy"),
        hint=inner.hint,
        severity="error" if is_status or unread else None,
        field=inner.field,
        fixes=(lambda: _fixes(inner)) if inner.fixable else None,
    )


def _fixes(inner: Finding) -> Iterator[Fix]:
    for fix in inner.proposed:
        yield fix._replace(safe=False, inserts=(), title=sentence(fix.title))


def _is_left_out(prompt: PromptText, finding: Finding) -> bool:
    """Whether the prompts of the workspace do without what is missing."""
    if finding.code not in _ABSENT or finding.handoff is None or not finding.field:
        return False
    return is_optional(prompt, finding.handoff.spec.name, finding.field)


def _counts(finding: Finding) -> bool:
    if finding.rule.group not in _GROUPS or finding.code in _ELSEWHERE:
        return False
    return finding.severity == "error" or finding.code in _ABSENT


def _is_told(finding: Finding, example: Span, absent: list[tuple[Span, str | None]]) -> bool:
    """Whether ``missing-in-prompt`` reports the same field of this example."""
    return finding.code in _ABSENT and any(example.overlaps(span) and finding.field == path for span, path in absent)


def _examples(prompt: PromptText) -> Iterator[tuple[Span, list[Finding]]]:
    """The examples that agents could copy, each with its findings in the order of the text."""
    fences = prompt.view.fences if not prompt.is_documentation else []
    for handoff in prompt.handoffs if fences else ():
        fence = next((one for one in fences if one.span.covers(handoff.span) or handoff.span.covers(one.span)), None)
        if handoff.mode == "example" and fence is not None and _is_meant(prompt, fence) and _is_real(handoff):
            yield handoff.span, list(prompt.judge(handoff))
    for fence in fences:
        if fence.info.partition(" ")[0].lower() not in _MARKDOWN or not _is_meant(prompt, fence):
            continue
        if any(handoff.span.overlaps(fence.span) for handoff in prompt.handoffs if handoff.is_part):
            continue
        fragment = fence.fragment()
        for contract in prompt.said.contracts:
            found = list(prompt.judge_text(fragment.text, contract))
            for one in found:
                one.move_out(fragment, prompt.source)
            yield fence.span, found


def _is_meant(prompt: PromptText, fence: Node) -> bool:
    """Whether an example is to be followed as it is."""
    lead = introduction_of(prompt.view, fence.span)
    title = " ".join(prompt.view.headings(fence.span.start)[:1])
    if act_of_fence(prompt.view, prompt.said.speaker, fence.span) == "forbids" or _REFUSED.search(f"{lead} {title}"):
        return False
    return is_concrete(fence.text) and not is_partial(lead, shown=True)


def _is_real(handoff: Handoff) -> bool:
    return not handoff.left_out


RULE = Rule(
    "broken-example",
    "prompts",
    "warning",
    reported_elsewhere,
    fixable="sometimes",
    unfinished="anywhere",
    of_prompt=check_prompt,
    own=True,
)
