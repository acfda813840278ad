"""The state of an agent in its work tree, as a handoff states it: task, progress, success criteria, obstacles."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Literal

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import is_nothing, is_placeholder
from handoff_lsp.contracts.model import AgentState
from handoff_lsp.text.lazy_dataclass import lazy_dataclass

# ``none``: there are no success criteria. ``unknown``: they cannot be read, or do not say it.
Criteria = Literal["none", "passed", "failing", "not run", "unknown"]


@lazy_dataclass(frozen=True)
class StatedState:
    """The state that a handoff states, in its own words; a text is empty if it is missing.

    ``checkpoints`` are commits that its branch must have, each a hash or the first line of a message.
    """

    task: str = ""
    progress: str = ""
    criteria: Criteria = "unknown"
    blockers: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    checkpoints: tuple[str, ...] = ()


def stated_state(handoff: Handoff) -> StatedState | None:
    """The state in a handoff; None if its contract describes no agent's state. An unreadable one states nothing."""
    state = handoff.spec.contract.overview.state
    if state is None:
        return None
    if not handoff.readable:
        return StatedState()
    return StatedState(
        task=_text(handoff, state.task),
        progress=_text(handoff, state.progress),
        criteria=_criteria(handoff, state),
        blockers=_things(handoff, state.blockers),
        warnings=_things(handoff, state.warnings),
        errors=_things(handoff, state.errors),
        checkpoints=_checkpoints(handoff, state),
    )


def _criteria(handoff: Handoff, state: AgentState) -> Criteria:
    """Whether the success criteria were met; only a value that is written counts as passed."""
    slot = _slot(handoff, state.criteria)
    if slot is None:
        return "none"
    passed, failed, tested = (
        handoff.values.evaluate(line) if line else None for line in (state.passed, state.failed, state.tested)
    )
    if passed is True:
        return "failing" if failed is True else "passed"
    if tested is False:
        return "not run"
    return "failing" if passed is False else "unknown"


def _checkpoints(handoff: Handoff, state: AgentState) -> tuple[str, ...]:
    found = []
    for line in state.checkpoints:
        value = handoff.values.evaluate(line)
        last = value[-1] if isinstance(value, list) and value else value
        if isinstance(last, str) and not (is_placeholder(last) or is_nothing(last, handoff.spec.empty_words)):
            found.append(last)
    return tuple(dict.fromkeys(found))


def _text(handoff: Handoff, path: str) -> str:
    """A field's text, if it has a valid one."""
    slot = _slot(handoff, path)
    text = _said(handoff, slot) if slot is not None and slot.problem is None else ""
    return "" if is_placeholder(text) else text


def _things(handoff: Handoff, path: str) -> tuple[str, ...]:
    """The items of a field, each as one text. A value that is no list is one item, so that nothing is lost."""
    slot = _slot(handoff, path)
    if slot is None:
        return ()
    if slot.problem is not None or not slot.field.kind.holds_items:
        items = [_said(handoff, slot)]
    else:
        items = [_whole(handoff, item) for item in slot.parts]
    return tuple(item for item in items if item)


def _whole(handoff: Handoff, item: Slot) -> str:
    """An item as a text: of an object, the fields that are no times."""
    present = [child for child in item.children.values() if child.present and not child.field.kind.is_time]
    texts = [_said(handoff, child) for child in present] if present else [_said(handoff, item)]
    return " · ".join(text for text in texts if text)


def _said(handoff: Handoff, slot: Slot) -> str:
    """The text of a slot, without the quotes and escapes of JSON."""
    if handoff.spec.is_json and slot.raw.startswith('"'):
        with suppress(ValueError):
            return str(json.loads(slot.raw, strict=False)).strip()
    return slot.raw.strip()


def _slot(handoff: Handoff, path: str) -> Slot | None:
    """The slot at a path, if it is present."""
    return next((slot for slot in handoff.root.find(path) if slot.present), None) if path else None
