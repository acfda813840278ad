"""Shared by the rules about what agents owe: the finding for a debt, and the fix that inserts the block."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.language import say
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.rules.returned import ReturnedText, Shortfall
from handoff_lsp.rules.rule import Finding, Fix, Related, Rule
from handoff_lsp.text import Span, apply_edits
from handoff_lsp.writing.owed_block import appended, owed_block
from handoff_lsp.writing.skeleton import around

# Rules about defects that the end of a text causes if it was cut off.
_AT_THE_END = {"unclosed-block", "invalid-json"}


def title_of(returned: ReturnedText, one: Shortfall) -> str:
    """The title of the handoff that is owed."""
    return returned.registry[one.owed.contract].contract.title


def finding_of(
    rule: Rule,
    one: Shortfall,
    message: str,
    *,
    note: str = "",
    related: Iterable[Related] = (),
    fixes: Callable[[], Iterable[Fix]] | None = None,
) -> Finding:
    """The finding for a debt that is not paid; without a note, with the consequence of a missing handoff."""
    return Finding(rule, one.found, one.span, message, note=note or one.owed.because, related=related, fixes=fixes)


def insert_block(returned: ReturnedText, one: Shortfall) -> Iterator[Fix]:
    """Append the handoff that is owed, to be filled in. Only its author knows the rest, so this is no safe fix.

    If its place is no evidence for its contract, a comment declares it. No fix if it has no place in the text.
    """
    owed, text = one.owed, returned.source.text
    block = owed_block(returned.registry, owed, returned.options)
    declared = around(f"<!-- handoff: {owed.contract} -->\n\n", block, "")
    for made in (block, declared):
        edit = appended(text, made)
        if any(found.spec.name == owed.contract for found in returned.read(apply_edits(text, (edit,)))):
            yield Fix(say("Insert the {title}", title=title_of(returned, one)), (edit,), safe=False)
            return


def explains(finding: Finding, code: str, handoff: Handoff | None, span: Span) -> bool:
    """Whether a finding about a debt replaces another rule's about a handoff, since both have one cause.

    ``code`` and ``span`` are the other finding's.
    """
    if finding.severity == "off" or handoff is None or finding.handoff is not handoff or finding.code == code:
        return False
    if finding.code == "cut-off":
        at_the_end = code in _AT_THE_END or span.end >= len(handoff.source.text.rstrip())
        return at_the_end or all_rules()[code].needs_readable_handoff
    return finding.code == "wrong-contract"
