"""The names in a prompt that are surely those of agents: behind `@`, or in code in a sentence that calls an agent.

The same word may be a script, a label or a value. So nothing else counts: no fence, no front matter, no address.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from handoff_lsp.prompts.values import WrittenValue
from handoff_lsp.prompts.view import PromptView
from handoff_lsp.syntax.markdown.incremental import MarkdownTree
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern

_NAME = r"[^\W_](?:[\w.-]*\w)?"
_IN_CODE = lazy_pattern(rf"@?(?P<name>{_NAME})")
_MENTIONED = lazy_pattern(rf"(?<![^\s(*_\"“「、。])@(?P<name>{_NAME})(?![\w/@-])")
_AGENT = r"(?:(?:sub-?)?agents?\b|(?:サブ)?エージェント|智能体)"
_AGENTS = r"(?:sub-?)?agents\b"
# Code is one character here, so that the patterns need no time for it. Between names in a row are signs and words.
_CODE = lazy_pattern(r"`+[^`\n]+`+")
_JOIN = r"[\s*_,、&+→>-]*(?:(?:and|or|then|followed by)[\s*_]+)*"
_ROW_BEFORE = rf"(?:\0{_JOIN})*"
_ROW_AFTER = rf"(?:{_JOIN}\0)"
# Behind such a word, the verb is a noun: "the start `x`", "a function call `x`".
_VERB = (
    r"(?:\b(?P<noun>an?|the|this|that|each|every|per|function|method|tool|api|at|on|by|of|npm|yarn|pnpm)\s+)?(?<![\w-])"
    r"(?:(?P<run>runs?|running)|starts?|starting|calls?|calling|invok(?:es?|ing)|spawn(?:s|ing)?|launch(?:es|ing)?"
    r"|dispatch(?:es|ing)?(?:\s+to)?|delegat(?:es?|ing)\s+(?:\w+\s+){0,3}?to"
    r"|hand(?:s|ing)?[\s-](?:(?:it|this)\s+)?(?:over|off|back)\s+to)"
)
_CALLED = lazy_pattern(
    rf"(?i)(?:{_VERB}\b(?:\s+(?:the|an?|another|one|your|our|dedicated|fresh|new|parallel))*\s*[*_\"(]*{_ROW_BEFORE}"
    rf"|(?P<agent>(?<![\w-])(?:{_AGENTS}[:：]?\s*[*_\"(]*{_ROW_BEFORE}|{_AGENT}(?:\s+(?:named|called))?[:：]?\s*[*_\"(]*)))$"
)
_OF_AGENT = lazy_pattern(rf"(?i)(?:{_ROW_AFTER}+[*_\"]*\s*{_AGENTS}|[*_\"]*\s*{_AGENT})")
# The words after a called agent. Another noun, as in "start `dev` server", is not among them.
_END = lazy_pattern(
    rf"(?i){_ROW_AFTER}*(?!{_JOIN}\0)[*_\"]*\s*(?:$|[.,;:!?()—–→\n-]|(?:with|and|then|for|to|once|first|again|next|now"
    r"|before|after|when|if|unless|until|as|via|using|by|but|or|while|so|instead|only|per"
    r"|in (?:parallel|the background|order))\b)"
)


def agents_called(tree: MarkdownTree) -> Sequence[WrittenValue]:
    """The names of agents in a prompt, in order. Whether such an agent exists is not checked."""
    return tree.once(_agents_called)


def _agents_called(tree: MarkdownTree) -> Sequence[WrittenValue]:
    view = tree.once(PromptView)
    return sorted([*_in_code(view), *_mentioned(view)], key=lambda one: one.span)


def _in_code(view: PromptView) -> Iterator[WrittenValue]:
    for code in view.codes:
        match = _IN_CODE.fullmatch(code.text)
        if match is None:
            continue
        name = match["name"]
        if (code.text != name or _is_called(view, code.span, name)) and not _is_indented(view, code.span.start):
            yield WrittenValue(name, Span(code.inner.end - len(name), code.inner.end))


def _is_called(view: PromptView, span: Span, name: str) -> bool:
    """Whether the sentence around a code span starts an agent of that name, or calls it one."""
    sentence = view.sentence(span)
    after = _CODE.sub("\0", view.prose[span.end : sentence.end])
    if _OF_AGENT.match(after):
        return True
    found = _CALLED.search(_CODE.sub("\0", view.prose[sentence.start : span.start]))
    if found is None or found["noun"]:
        return False
    # A single word that is run may be a script.
    return bool(found["agent"]) or (_END.match(after) is not None and not (found["run"] and "-" not in name))


def _mentioned(view: PromptView) -> Iterator[WrittenValue]:
    for match in _MENTIONED.finditer(view.prose) if "@" in view.prose else ():
        start = match.start()
        if (
            view.code_around(start) is None
            and not _is_indented(view, start)
            and view.prose[max(start - 2, 0) : start] != "]("
        ):
            yield WrittenValue(match["name"], Span(*match.span("name")))


def _is_indented(view: PromptView, offset: int) -> bool:
    """Whether a place is in a block of code without a fence."""
    block = view.tree.block_at(offset)
    return block is not None and block.kind == "code"
