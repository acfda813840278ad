"""The words for a decision, once for every place that shows one: editors, the command, JSON, hooks.

A decision is shown as its action, by the contract's own word, and the reason in a few words: ``ask: 2 open questions
go to the human``. Where there is room, the whole reason follows.
"""

from __future__ import annotations

import re
import unicodedata

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.values import is_nothing
from handoff_lsp.contracts.lines import split_message
from handoff_lsp.contracts.model import Route, RouteAction
from handoff_lsp.decide.routing import decision, doubts_of, is_broken_json, status_of
from handoff_lsp.language import counted, say
from handoff_lsp.rules.rule import shown
from handoff_lsp.text.lazy import lazy_pattern

# The most characters of a decision on one line.
MAX_LINE = 80
# The most characters of a status in a list.
_MAX_STATUS = 40
# The places where a contract's reason may be cut, and the code spans in which it must not be.
_CLAUSE = lazy_pattern(r"`[^`]*`|[;.,]\s|。|\s(?:so|though|(?:for )?which|and|but)\s")
# A code span in a sentence.
_SPAN = lazy_pattern(r"(?<!`)`([^`]+)`(?!`)")
# A first word that needs no capital, unlike `STATUS`.
_WORD = lazy_pattern(r"[A-Z][a-z-]*\b")
# The marks in which a reason and its few words may differ.
_MARKS = lazy_pattern(r"[\W_]+")
# Marks of writing direction, with which a document could reorder the text around its own.
_DIRECTION = lazy_pattern("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_ISOLATE, _END = "\u2068", "\u2069"


# What needs a person first comes first. The word for an action is the action itself, in every place.
ORDER: tuple[RouteAction, ...] = ("stop", "ask", "retry", "continue", "advance")
_NEEDS_PERSON: frozenset[RouteAction] = frozenset({"stop", "ask"})


def urgency(action: RouteAction | None) -> int:
    """The rank of an action in a list, where a smaller one needs a person sooner; the last without a decision."""
    return ORDER.index(action) if action is not None else len(ORDER)


def needs_person(action: RouteAction | None) -> bool:
    """Whether a person has to act before the pipeline goes on."""
    return action in _NEEDS_PERSON


def line_of(handoff: Handoff, route: Route) -> str:
    """A decision on one line of plain text: ``ask: 2 open questions go to the human``."""
    return f"{route.action}: {brief_of(handoff, route)}"


def marked_line_of(handoff: Handoff, route: Route) -> str:
    """A decision with its code spans, for a page; with the whole reason, if the few words are the beginning of that."""
    brief = _brief(handoff, route)
    whole = _lowered(handoff, _without_verb(route)) if _begins(brief, _without_verb(route)) else brief
    return f"{route.action}: {whole}"


def brief_of(handoff: Handoff, route: Route) -> str:
    """The reason for a decision in a few words: the contract's short text, else the beginning of the reason."""
    return _plain(_brief(handoff, route))


def _brief(handoff: Handoff, route: Route) -> str:
    room = MAX_LINE - len(f"{route.action}: ")
    own = _filled(handoff, route.brief)
    brief = own or _lowered(handoff, _without_verb(route))
    # A clause of a finding alone may be untrue, so that is only cut at its end.
    if not own and not any(fault.message in route.reason for fault in doubts_of(handoff, route)):
        brief = _beginning(brief, room)
    return brief if len(_plain(brief)) <= room else shown(_plain(brief), room)


def rest_of(handoff: Handoff, route: Route) -> str:
    """The sentences of the reason that follow `marked_line_of`; empty if that has the whole reason."""
    return "" if _begins(_brief(handoff, route), _without_verb(route)) else route.reason


def _begins(brief: str, reason: str) -> bool:
    """Whether a reason begins with its few words, regardless of marks and capitals."""
    few, whole = (_MARKS.sub(" ", text).strip().casefold() for text in (brief, reason))
    return whole.startswith(few)


def isolated(text: str) -> str:
    """A document's text for an editor's own row: right-to-left text is isolated, so that the words around it stay.

    A terminal gets no such marks, because few know them.
    """
    clean = _DIRECTION.sub("", text)
    is_rtl = not clean.isascii() and any(unicodedata.bidirectional(char) in {"R", "AL"} for char in clean)
    return f"{_ISOLATE}{clean}{_END}" if is_rtl else clean


def status_words(handoff: Handoff) -> str:
    """The status for a list: its value, with the field's title unless that is "Status"; without one, the reason."""
    status, slot = status_of(handoff), handoff.status
    if not handoff.readable:
        return unread_words(handoff)
    if slot is None:
        return ""
    if status is None:
        return say("no valid {field}", field=slot.title)
    value = shown(in_words(status), _MAX_STATUS)
    return value if slot.title.casefold() == "status" else f"{slot.title}: {value}"


def unread_words(handoff: Handoff) -> str:
    """The reason why nothing of a handoff can be read."""
    return say("the JSON cannot be parsed") if is_broken_json(handoff) else say("the handoff cannot be read")


def mode_words(handoff: Handoff) -> str:
    """The reason for the lack of a decision about a template, an example, or a contract without routes."""
    if handoff.mode != "handoff":
        if handoff.mode == "template":
            return say("no decision: a template of {contract}", contract=handoff.spec.name)
        return say("no decision: an example of {contract}", contract=handoff.spec.name)
    return say("no decision: {contract} has no routes", contract=handoff.spec.name)


def decision_words(handoff: Handoff) -> str:
    """The decision about a handoff on one line, or the reason for its lack."""
    route = decision(handoff)
    return line_of(handoff, route) if route is not None else mode_words(handoff)


def in_words(value: object) -> str:
    """A value for people: a number of items in place of a list."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return counted(len(value), "item")
    if isinstance(value, dict):  # a text with numbers in it, such as `1/3 tasks complete`
        return str(value["text"]) if "text" in value else counted(len(value), "value")
    return str(value)


def _plain(text: str) -> str:
    """A text without its code marks; a fence that it mentions stays."""
    return _SPAN.sub(r"\1", text)


def _filled(handoff: Handoff, brief: str) -> str:
    """A message with its values filled in; empty if one of them is missing or an empty word."""
    values = (handoff.values.evaluate(part) for literal, part in split_message(brief) if not literal)
    if any(
        value is None or (isinstance(value, str) and is_nothing(value, handoff.spec.empty_words)) for value in values
    ):
        return ""
    return " ".join(handoff.values.fill(brief).split())


def _beginning(whole: str, room: int) -> str:
    """A sentence, cut after the last clause that fits."""
    ends = [len(whole), *(match.start() for match in _CLAUSE.finditer(whole) if not match[0].startswith("`"))]
    parts = [whole[:end] for end in ends]
    return max((part for part in parts if len(_plain(part)) <= room), key=len, default=parts[0])


def _without_verb(route: Route) -> str:
    """A reason without the action's verb, if it begins with that: ``Asks the lead.`` is ``the lead``."""
    verb = f"{route.action[:-1]}ies" if route.action.endswith("y") else f"{route.action}s"
    reason = route.reason.rstrip(".。")
    return re.sub(rf"^{verb} (?:and )?(?=\w)", "", reason, flags=re.IGNORECASE)


def _lowered(handoff: Handoff, reason: str) -> str:
    """A reason without its capital, which it keeps if it begins with a name or the title of a field."""
    titles = (field.title for field in handoff.spec.fields.values())
    if not _WORD.match(reason) or any(title and reason.startswith(title) for title in titles):
        return reason
    return reason[:1].lower() + reason[1:]
