"""Shared by rules and routing: a status that a handoff states twice or retracts beside its value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.put import nested, overlaid
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import tables
from handoff_lsp.contracts.model import Route
from handoff_lsp.contracts.names import fold_name, key_name, without_parenthesis
from handoff_lsp.contracts.spec import shared_names
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

# The beginning of a remark that retracts a value, names something lacking, or counts a part of a whole.
_CONTRAST = lazy_pattern(
    r"(?:but|except|apart from|however|though|although|mostly|partly|partially|almost|nearly|not|only"
    r"|without(?! (?:any )?(?:failures?|errors?|issues?|problems?|warnings?))"
    r"|pero|aunque|salvo|excepto|casi|porém|exceto|aber|jedoch)\b|ただし|但し|しかし",
    re.IGNORECASE,
)
_LACKS = lazy_pattern(
    r"\b(?:[1-9]\d*|one|two|three|some|several|many) (?:\w+ ){0,2}"
    r"(?:fail\w*|errors?|missing|unfinished|unverified|broken)\b"
    # Not `two errors fixed`, nor `one missing test added`.
    r"(?!(?: (?!(?:not?|never|none|be|to|only|some|one|two)\b|\d)\w+){0,2}"
    r"\W+(?:added|fixed|resolved|closed|corrected|repaired|addressed)\b)"
    # Not `no further changes needed`, nor `all changes requested were made`.
    r"|(?:^|[,;:.(–—] *| - |\b(?:but|and|with|however|though) )(?:(?!(?:no|not|zero|0|without|any)\b)[\w-]+ ){0,4}"
    r"changes? (?:are |were )?(?:still )?(?:requested|required|needed)\b"
    r"(?!\W+(?:none|no|nothing|0|n/a)\b)"
    r"(?! (?:[^,;.:()]*\b(?:were|are|been|now|and) (?:all )?)?(?:made|done|fixed|resolved|applied|addressed)\b)"
    r"|(?<!no )\bfaltan? (?:[1-9]\d*|tareas|pruebas|tests)\b",
    re.IGNORECASE,
)
# The end of a statement, unless the next word denies it or reports the problem as solved.
_END = (
    r"(?=\W*$|\s*[,;.:)])"
    r"(?!\W+(?:none|no|nothing|0|n/a|fixed|resolved|closed|unrelated|flaky|known|pre-?existing)\b)"
)
_AWAITED = (
    r"(?:\w+ ){0,2}(?:review|approval|sign-?off|confirmation|decision|input|answer|help|fix(?:es|ing)?|user|human)\b"
)
# The beginning of a remark about work that waits, or is broken.
_WAITS = lazy_pattern(
    rf"blocked (?:by|on|until)\b|(?:needs?|requires?|waiting for|subject to|pending|awaiting) {_AWAITED}|todo\s*:"
    rf"|do not (?:archive|merge|proceed|continue|release)(?: yet)?{_END}"
    r"|(?:with (?:\w+ )?(?:errors|failures)|blocked|pending|broken|incomplete|unfinished|untested|unverified|critical)"
    rf"{_END}",
    re.IGNORECASE,
)
# A failed build, test or check.
_FAILS = lazy_pattern(
    r"(?:^|[,;:.(–—]\s*|\b(?:but|and|however|while),? )(?!(?:no|zero|0|none of the) )(?:the |[1-9]\d* )?(?:\w+ )?"
    r"(?:build|tests?|suite|lint|ci|pipeline) (?:(?:is|are|was|were|still|now) )*"
    r"(?:broken|fail(?:s|ed|ing)?|red|(?:could )?not (?:be )?(?:run|pass(?:ing)?|executed|verified))"
    rf"(?: (?:on|in) (?:ci|staging|production))?{_END}"
    r"|(?:^|[,;:.(–—]\s*|\bpero )(?:el |la |los |las )?(?:[1-9]\d* )?(?:build|compilaci[oó]n|tests?|pruebas?|suite) "
    rf"(?:fall(?:a|an|ó|aron)|est[aá]n? rot[oa]s?){_END}"
    r"|(?:^|\bpero )faltan? (?:\w+ )?(?:tareas?|pruebas?|tests?)\b"
    r"|(?:ビルド|テスト)[がは]?失敗(?:し(?:た|ました|ている|ています))?(?=[\s)）。、,.]*$)",
    re.IGNORECASE,
)
_CRITICAL = lazy_pattern(rf"\b[1-9]\d* (?:\w+ )?critical(?: (?:issue|finding|problem|bug)s?)?{_END}", re.IGNORECASE)
# Not `12/14 findings were nits`, which names their kind.
_OF_HOW_MANY = lazy_pattern(
    r"\b(\d{1,6}) ?(?:/|of) ?(\d{1,6})\b"
    r"(?! (?:findings?|issues?|comments?) (?:are|were) (?:nits?|minor|cosmetic|optional|style)\b)",
    re.IGNORECASE,
)


class Dispute(NamedTuple):
    """A second, different statement of the status; ``acts``: its action is different, too."""

    again: Slot
    acts: bool


def dispute_of(handoff: Handoff) -> Dispute | None:
    """The first other statement of the status on which the orchestrator would take another route."""
    slot = handoff.status
    if slot is None or not slot.others or slot.problem is not None or slot.data is None:
        return None
    mine = _route(handoff, slot.data)
    found: Dispute | None = None
    for other in slot.others:
        route = mine if other.problem is not None or other.data is None else _route(handoff, other.data)
        if route is not mine:
            acts = mine is None or route is None or route.action != mine.action
            if acts:
                return Dispute(other, acts)
            if not _has_shared_name(handoff, other):
                found = found or Dispute(other, acts)
    return found


def _has_shared_name(handoff: Handoff, slot: Slot) -> bool:
    """Whether the label of a value is a name that other things may have, too."""
    return slot.key is not None and fold_name(handoff.source.slice(slot.key)) in shared_names(slot.field)


def remark_of(handoff: Handoff) -> Span | None:
    """The remark beside or below a status that would advance; None if such a remark is usual.

    A different value is never usual. Any other remark is usual where the field switches `contradiction` off. Where the
    field tolerates sentences, a remark is usual unless it takes the value back; beside a verdict, unless it denies it.
    """
    slot = handoff.status
    if slot is None or slot.remark is None or slot.problem is not None:
        return None
    said = handoff.source.slice(slot.remark)
    if not _is_another_value(slot, said):
        if slot.field.severity.get("contradiction") == "off":
            return None
        if slot.field.judgement and not _denies(said):
            return None
        if "sentence" in slot.field.tolerate and not (_denies(said) or _takes_back(said)):
            return None
    route = _route(handoff, slot.data)
    return slot.remark if route is not None and route.action == "advance" else None


class Doubt(NamedTuple):
    """The retractions of a field's value in a handoff: words beside it, a different value, or a sign."""

    slot: Slot
    span: Span
    words: str


def doubts_beside(handoff: Handoff) -> Iterator[Doubt]:
    """Signs against values that would advance, and retractions in fields other than the status."""
    status = handoff.status
    for slot in handoff.chosen:
        if slot.problem is not None or slot.value is None:
            continue
        if slot.field.severity.get("contradiction") == "off":
            continue
        sign = _AGAINST.search(_STRUCK.sub("", slot.raw)) if not slot.raw.isascii() else None
        if sign is not None and _AGAINST.search(str(slot.data)) is None and _advances_on(handoff, slot):
            yield Doubt(slot, slot.value, sign[0])
        titled = _in_heading(handoff, slot)
        if slot.key is not None and _is_another_value(slot, titled) and _advances_on(handoff, slot):
            yield Doubt(slot, slot.key, titled)
        if slot is status:
            continue
        if slot.others and not slot.field.restated:
            again = next((one for one in slot.others if one.problem is None and one.data != slot.data), None)
            if again is not None and again.value is not None:
                yield Doubt(slot, again.value, str(again.data))
                continue
        said = handoff.source.slice(slot.remark) if slot.remark is not None else ""
        if slot.remark is not None and (
            _is_another_value(slot, said)
            or _turns_to_another(slot, said)
            or ((_denies(said) or _takes_back(said)) and _advances_on(handoff, slot))
        ):
            yield Doubt(slot, slot.remark, said)


def _in_heading(handoff: Handoff, slot: Slot) -> str:
    """The words in parentheses at the end of a field's heading, as in `Status (blocked)`; empty without any."""
    title = handoff.source.slice(slot.key).strip() if slot.headed and slot.key is not None else ""
    return title[len(without_parenthesis(title)) :].strip(" ()（）`*_")


# Signs that a value is not so, or not yet.
_AGAINST = lazy_pattern("[\u274c\u2717\u2718\u26d4\u231b\u23f3\U0001f534\U0001f6a7\U0001f6ab\U0001f6d1\U0001f44e]")
_STRUCK = lazy_pattern(r"~~[^~\n]+~~")


def _advances_on(handoff: Handoff, slot: Slot) -> bool:
    """Whether the pipeline would advance, and on another value of a field it would not."""
    root = handoff.root.data or {}
    if handoff.status is None or "[" in slot.path:
        return False
    route = _route(handoff, handoff.status.data)
    if route is None or route.action != "advance":
        return False
    if slot is handoff.status:
        return True
    others = (value.value for value in slot.field.values if value.value != slot.data)
    routes = (_route_with(handoff, overlaid(root, slot.path, value)) for value in others)
    return any(other is None or other.action != "advance" for other in routes)


def _turns_to_another(slot: Slot, remark: str) -> bool:
    """Whether a remark begins with a contrast and names another value of the field."""
    if _CONTRAST.match(remark) is None:
        return False
    others = (value.value for value in slot.field.values if value.value != slot.data)
    return any(re.search(rf"(?<!\w){re.escape(one)}(?!\w)", remark) for one in others)


def _is_another_value(slot: Slot, remark: str) -> bool:
    """Whether a remark is only a different value of the field, or a synonym of one."""
    exact, loose, wrong = tables(slot.field)
    known = exact.get(remark) or loose.get(key_name(remark)) or wrong.get(key_name(remark))
    return known is not None and known.value != slot.data


def _denies(remark: str) -> bool:
    """Whether a remark reports unfinished or failed work, or critical issues."""
    return bool(_WAITS.match(remark) or _FAILS.search(remark) or _CRITICAL.search(remark))


def _takes_back(remark: str) -> bool:
    """Whether a remark qualifies its value."""
    counts = _OF_HOW_MANY.search(remark)
    less = counts is not None and int(counts[1]) < int(counts[2])
    return less or _CONTRAST.match(remark) is not None or _LACKS.search(remark) is not None


def _route(handoff: Handoff, value: object) -> Route | None:
    return _route_with(handoff, {**(handoff.root.data or {}), **nested(handoff.spec.contract.status, value)})


def _route_with(handoff: Handoff, said: Mapping[str, object]) -> Route | None:
    values = handoff.values_of(handoff.data_with(said))
    return next((route for route in handoff.spec.contract.routing if values.holds(route.when)), None)
