"""The words and signs of the report."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from handoff_lsp.contracts.model import RouteAction
from handoff_lsp.decide.words import ORDER
from handoff_lsp.language import number_of

# A sign for each action, so that no color is needed to see it.
SIGNS: dict[RouteAction | None, str] = {
    "stop": "■",
    "ask": "?",
    "retry": "↻",
    "continue": "…",
    "advance": "✓",
    None: "–",
}


def counts_of(actions: Mapping[RouteAction | None, int], *, signs_only: bool = False) -> str:
    """The numbers of handoffs by their decision: ``1 stop, 2 advance``, or ``■1 ✓2``."""
    known = [action for action in (*ORDER, None) if actions.get(action)]
    if signs_only:
        return " ".join(f"{SIGNS[action]}{actions[action]}" for action in known)
    return ", ".join(f"{actions[action]:,} {action or 'without a decision'}" for action in known)


def moment(seconds: float) -> datetime:
    """A time in UTC; seconds since 1970."""
    # On Windows, `fromtimestamp` refuses times before 1970.
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)


def left_out(number: int, noun: str, where: str) -> str:
    """The sentence about things that the page does not show."""
    return f"{number_of(number, noun)} left out: {where}"
