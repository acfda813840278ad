"""What the reader of a prompt is to do with a value that it mentions."""

from __future__ import annotations

import re

from handoff_lsp.prompts.statement import Act, Speaker
from handoff_lsp.prompts.view import PromptView
from handoff_lsp.prompts.wording import is_conditional, is_of_others
from handoff_lsp.text import Span

# Before a value that is not to be written, in the same clause.
_FORBIDDEN = re.compile(
    r"(?i)\b(?:never|not|don't|do not|must not|cannot|no longer|instead of|rather than|avoid|forbidden|invalid|nunca|"
    r"jamás|nicht|niemals|jamais|pas)\b[^.;:!?\n|]{0,40}$|(?:禁止|ではなく)[^。\n]{0,10}$"
)
_FORBIDDEN_AFTER = re.compile(
    r"(?i)^[`*\"”]*\s*(?:is|are|was)?\s*(?:not (?:valid|allowed|accepted|a valid|an? )|invalid\b|forbidden|deprecated|"
    r"never|no longer)|^[`*」]*\s*(?:は|を)?(?:使わない|使用しない|書かない|禁止|無効)"
)
_CLAUSE = re.compile(r"[.;!?。；！？](?=\s|$)|\n[ \t>]*\n|(?<=\s)[—–](?=\s)")


def act_of(view: PromptView, speaker: Speaker, span: Span) -> Act:
    """What is to be done with the words of a span of the prose."""
    block = view.block(span.start)
    code = view.code_around(span.start)
    start, end = code.span if code is not None else span
    before, after = view.prose[block.start : start], view.prose[end : block.end]
    clause = _CLAUSE.split(before)[-1]
    if _FORBIDDEN.search(clause) or _FORBIDDEN_AFTER.search(after):
        return "forbids"
    if speaker.kind == "orchestrator":
        return "handles"
    if speaker.kind == "page":
        return "mentions"
    sentence = clause + "NAME" + _CLAUSE.split(after)[0]
    if is_of_others(sentence):
        return "handles"
    if is_conditional(clause) and speaker.kind == "agent" and not _emits(clause):
        return "mentions"
    return "emits"


def act_of_fence(view: PromptView, speaker: Speaker, span: Span) -> Act:
    """What is to be done with the handoff in a fence."""
    lead = lead_of(view, span)
    if _BAD.search(" ".join([lead, *view.headings(span.start)[:1]])):
        return "forbids"
    if speaker.kind == "orchestrator":
        return "handles"
    return "mentions" if speaker.kind == "page" or is_of_others(lead) else "emits"


def lead_of(view: PromptView, span: Span) -> str:
    """The paragraph above a fence."""
    return view.prose[max(span.start - _LEAD, 0) : span.start].rstrip().rpartition("\n\n")[2]


# The characters before a fence that say what it shows, and the words before one that shows what not to write.
_LEAD = 300
_BAD = re.compile(
    r"(?i)\b(?:bad|wrong|invalid|incorrect|broken|don't|do not|never|anti-?pattern|malformed|rejected)\b"
    r"|❌|✗|悪い例|誤り"
)
_EMITS = re.compile(r"(?i)\b(?:return|emit|output|set|use|report|respond|write|include|record)s?\b|出力|返")


def _emits(clause: str) -> bool:
    return _EMITS.search(clause) is not None
