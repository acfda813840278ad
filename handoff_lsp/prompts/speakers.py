"""Who speaks where in a prompt: one agent, or each of several agents in its own part of the file.

A part is a definition with front matter of its own, or a section with the name of an agent as its heading. What is
before, between and after sections is for all of them. Offsets are code points of the document.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeVar

from handoff_lsp.contracts.owed import agent_name
from handoff_lsp.prompts.documents import is_definition, is_documentation, names_defined, speaker_of
from handoff_lsp.prompts.statement import Speaker, Speakers
from handoff_lsp.prompts.wording import coordinates
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern

# At the beginning of a line; the mark is searched for, as that is faster.
_HEADING = lazy_pattern(r"(?m)(?P<marks>#(?<![^\n]#)#{0,3})[ \t]+(?P<title>[^\r\n]{1,80}?)[ \t#]*\r?$")
_NAME = r"[`*\"“]*(?P<{}>\w[\w-]*(?: [\w-]+){{0,2}})[`*\"”]*"
_TITLE = lazy_pattern(
    rf"(?i)(?:\d+[.)]\s*)?(?:(?P<labeled>(?:sub-?)?agente?|role|エージェント|智能体)(?:\s*\d+)?\s*[:：–—]\s*{_NAME.format('after')}"
    rf"|{_NAME.format('before')}\s*\(?(?:(?:sub-?)?agente?|エージェント|智能体)\)?|[`*]*(?P<alone>\w[\w-]*)[`*]*)"
)
# The first words to an agent.
_ADDRESS = lazy_pattern(
    r"(?i)(?<!\w )(?:you(?: are|['’]re) (?:the|an?|our|now)|act as|your (?:role|job|task|mission) is"
    r"|eres (?:el|la|una?)|tu es (?:le|la|une?)|vous êtes|du bist (?:die|der|das|eine?)|você é)\b"
    r"|あなたは|你是|당신은"
)
# Headings above such words that name no agent.
_NO_NAMES = lazy_pattern(
    r"approach|background|behaviou?r|capabilities|character|constraints|context|description|expertise|goals?|guidelines"
    r"|identity|instructions|introduction|mindset|mission|objectives?|output|overview|persona|personality|philosophy|process"
    r"|prompt|purpose|responsibilities|role|rules|scope|setup|skills|style|summary|system|task|tone|voice|who|workflow"
    r"|the|this|your|our|each|contexto|identidad|misión|objetivo|rol"
)
# The end of a front matter's first line and of its last one, the most characters between them, and its name.
_RULE_LINE = lazy_pattern(r"(?m)^---[ \t]*\r?$")
_LONGEST_FRONT = 4_000
_FRONT_NAME = lazy_pattern(r"(?m)^name:[ \t]*[\"']?(?P<name>\w[\w .:-]*)")
_KEY = lazy_pattern(r"\s*[\w-]+:")
_FENCE = lazy_pattern(r"(?m)^ {0,3}(?P<marks>`{3,}|~{3,})")
_OPENING = 400
# A file with one part is the file of that agent.
_SEVERAL = 2

T = TypeVar("T")


def speakers_of(path: str, text: str) -> Speakers:
    """Who speaks in a document, by its path from the root, with ``/``, and its text."""
    parts = agents_in(path, text)
    if not parts:
        return Speakers(speaker_of(path, text))
    whole = speaker_of(path, text[: parts[0][0].start])
    return Speakers(Speaker("page", "") if whole.kind == "agent" else whole, parts)


def names_in(path: str, text: str) -> frozenset[str]:
    """The names by which the prompts in a document can be called, as they are compared."""
    return names_defined(path, text).union(speaker.name for _, speaker in agents_in(path, text))


def agents_in(path: str, text: str) -> Sequence[tuple[Span, Speaker]]:
    """The prompts of several agents in one document; none if it is a page for people, or is that of one agent."""
    if is_documentation(path):
        return ()
    found = list(_definitions(text)) or _sections(text, defines=_defines_several(path, text))
    # A file may have two versions of one definition.
    if len({name for _, name in found}) < _SEVERAL:
        return ()
    return [
        (span, Speaker("orchestrator" if coordinates(name, text[span.start : span.end]) else "agent", name))
        for span, name in found
    ]


def _defines_several(path: str, text: str) -> bool:
    """Whether a file of agents' definitions may be one of several: it is not that of a named or coordinating one."""
    is_named = text.lstrip("\ufeff").startswith("---")
    return is_definition(path) and not is_named and speaker_of(path, text).kind == "agent"


def _definitions(text: str) -> Iterator[tuple[Span, str]]:
    """The parts that begin with front matter, with the names in it."""
    lines = list(_RULE_LINE.finditer(text)) if f"\n{text}".count("\n---") >= 2 * _SEVERAL else []
    if len(lines) < 2 * _SEVERAL:
        return
    begun: list[tuple[int, str]] = []
    last = 0
    for opened, closed in itertools.pairwise(lines):
        if opened.start() < last or closed.start() - opened.end() > _LONGEST_FRONT:
            continue
        front = text[opened.end() : closed.start()]
        name = _FRONT_NAME.search(front) if _KEY.match(front) else None
        if name is not None:
            begun.append((opened.start(), agent_name(name["name"])))
            last = closed.end()
    begun = _outside_fences(text, begun)
    if len(begun) < _SEVERAL:
        return
    ends = [*(start for start, _ in begun[1:]), len(text)]
    yield from ((Span(start, end), name) for (start, name), end in zip(begun, ends, strict=False) if name)


def _sections(text: str, *, defines: bool) -> list[tuple[Span, str]]:
    """The sections of one level that are headed by names of agents; ``defines``: the file may define several."""
    headings = [(one.start(), one) for one in _HEADING.finditer(text)]
    named: dict[int, list[tuple[int, str]]] = {}
    for number, (_, heading) in enumerate(headings):
        title = _title(heading["title"])
        if title is None:
            continue
        end = headings[number + 1][0] if number + 1 < len(headings) else len(text)
        opening = text[heading.end() : min(heading.end() + _OPENING, end)].lstrip('\r\n \t>*_“"').partition("```")[0]
        find = _ADDRESS.match if title["alone"] else _ADDRESS.search
        is_addressed = find(opening) is not None
        if is_addressed or (defines and title["labeled"]):
            name = agent_name(title["after"] or title["before"] or title["alone"])
            if _NO_NAMES.fullmatch(name):
                continue
            named.setdefault(len(heading["marks"]), []).append((number, name))
    level = min((level for level, those in named.items() if len(those) >= _SEVERAL), default=0)
    if not level:
        return []
    outside = {start for start, _ in _outside_fences(text, headings)}
    found = []
    for number, name in named[level]:
        start = headings[number][0]
        after = (at for at, one in headings[number + 1 :] if len(one["marks"]) <= level and at in outside)
        if start in outside:
            found.append((Span(start, next(after, len(text))), name))
    return found


@lru_cache(maxsize=1_024)
def _title(heading: str) -> re.Match[str] | None:
    return _TITLE.fullmatch(heading)


def _outside_fences(text: str, found: list[tuple[int, T]]) -> list[tuple[int, T]]:
    """Those of some things, in order, that begin in no fence."""
    kept, opened, fences = [], "", _FENCE.finditer(text)
    fence = next(fences, None)
    for start, one in found:
        while fence is not None and fence.start() < start:
            marks = fence["marks"]
            if not opened:
                opened = marks
            elif marks[0] == opened[0] and len(marks) >= len(opened):
                opened = ""
            fence = next(fences, None)
        if not opened:
            kept.append((start, one))
    return kept
