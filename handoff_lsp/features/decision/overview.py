"""The handoffs of a document as entries in a list of the workspace's handoffs: author, status and decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import is_nothing, is_placeholder
from handoff_lsp.contracts.field_types import read_timestamp, timestamp_of
from handoff_lsp.contracts.model import RouteAction
from handoff_lsp.contracts.patterns import search
from handoff_lsp.decide.routing import decision, is_broken_json, status_of
from handoff_lsp.decide.words import brief_of, isolated, needs_person, status_words, unread_words
from handoff_lsp.engine import Analysis
from handoff_lsp.features.outline.document_symbols import status_text
from handoff_lsp.features.outline.symbol import plain
from handoff_lsp.features.pages.decision_page import decision_page
from handoff_lsp.features.unfilled import unfilled
from handoff_lsp.rules.rule import shown
from handoff_lsp.text import Span
from handoff_lsp.text.named_tuple import NamedTuple

# The most characters of a part of a label.
_MAX_PART = 40


class ListedHandoff(NamedTuple):
    """One handoff in the list. ``span`` is in code points; an unknown value is None.

    ``label`` is the folder of the feature and the agent, or the file. ``status_text`` is the status for people, or the
    reason for its lack; ``unread`` is that reason if the handoff cannot be parsed. ``changed`` is the time (ISO 8601 in
    UTC) that the handoff states. ``markdown`` is the page about the decision. ``errors`` and ``warnings`` count the
    findings of this handoff alone, without the ``unfilled`` placeholders of a draft.
    """

    span: Span
    contract: str
    title: str
    profile: str
    status: str | None
    status_text: str
    unread: str | None
    agent: str | None
    label: str
    open_questions: int | None
    changed: str | None
    action: RouteAction | None
    needs_person: bool
    reason: str
    brief: str
    markdown: str
    errors: int
    warnings: int
    unfilled: int


def overviews(analysis: Analysis) -> list[ListedHandoff]:
    """The handoffs of a document in their order, without templates and examples."""
    counts = Counter((id(finding.handoff), finding.severity) for finding in analysis.findings)
    waiting = unfilled(analysis)
    counts -= Counter((id(finding.handoff), finding.severity) for finding in waiting)
    left = Counter(id(finding.handoff) for finding in waiting)
    return [
        _overview(
            handoff, analysis.path, counts[id(handoff), "error"], counts[id(handoff), "warning"], left[id(handoff)]
        )
        for handoff in analysis.handoffs
        if handoff.mode == "handoff"
    ]


def _overview(handoff: Handoff, path: str, errors: int, warnings: int, left: int) -> ListedHandoff:
    route, title = decision(handoff), _title(handoff)
    agent = _agent(handoff, title)
    return ListedHandoff(
        span=handoff.span,
        contract=handoff.spec.name,
        title=plain(title) or handoff.spec.contract.title,
        profile=handoff.spec.profile,
        status=status_text(handoff) or None if status_of(handoff) is not None else None,
        status_text=status_words(handoff),
        unread=unread_words(handoff) if is_broken_json(handoff) else None,
        agent=agent,
        label=_label(handoff, path, agent),
        open_questions=_open_questions(handoff),
        changed=_changed(handoff),
        action=route.action if route is not None else None,
        needs_person=needs_person(route.action if route is not None else None),
        reason=route.reason if route is not None else "",
        brief=brief_of(handoff, route) if route is not None else "",
        markdown=decision_page(handoff),
        errors=errors,
        warnings=warnings,
        unfilled=left,
    )


def _title(handoff: Handoff) -> str:
    """The heading of the whole handoff; empty without one."""
    return handoff.source.slice(handoff.title_span) if handoff.title_span is not None else ""


def _agent(handoff: Handoff, title: str) -> str | None:
    overview = handoff.spec.contract.overview
    in_title = (found["name"] for pattern in overview.agent_in_title if (found := _groups(pattern, title)))
    for name in (*in_title, *_texts(handoff, overview.agent)):
        if not (is_placeholder(name) or is_nothing(name, handoff.spec.empty_words)):
            return plain(name)
    return None


def _label(handoff: Handoff, path: str, agent: str | None) -> str:
    """The folder of a feature and the agent: ``board · Backend Developer``. The file's name replaces what is missing.

    A folder that the contract itself names, such as ``docs``, does not distinguish the handoffs of a format.
    """
    *folders, name = path.replace("\\", "/").split("/")
    contract = handoff.spec.contract
    usual = {part for place in (*contract.usual, *contract.locations) for part in place.split("/")[:-1]}
    folder = next((folder for folder in reversed(folders) if folder and folder not in usual), "")
    parts = [folder, agent or name] if folder else [name, agent or ""]
    return " · ".join(isolated(shown(part, _MAX_PART)) for part in parts if part)


def _groups(pattern: str, title: str) -> dict[str, str]:
    match = search(pattern, title)
    return {name: title[start:end] for name, (start, end) in match.groups.items()} if match is not None else {}


def _open_questions(handoff: Handoff) -> int | None:
    """The number of open questions, by the first field present that has a count or items; None without one."""
    for path in handoff.spec.contract.overview.open_questions:
        for slot in handoff.root.find(path):
            count = _count(slot)
            if count is not None:
                return count
    return None


def _count(slot: Slot) -> int | None:
    if not slot.present or not slot.countable or isinstance(slot.data, bool):
        return None
    if isinstance(slot.data, list):
        return len(slot.data)
    return slot.data if isinstance(slot.data, int) else None


def _changed(handoff: Handoff) -> str | None:
    for text in _texts(handoff, handoff.spec.contract.overview.changed):
        time = read_timestamp(text)
        if time is not None:
            return timestamp_of(time)
    return None


def _texts(handoff: Handoff, lines: Iterable[str]) -> Iterable[str]:
    """The values of some expressions that are non-empty texts."""
    return (value for line in lines if isinstance(value := handoff.values.evaluate(line), str) and value)
