"""The texts of a contract that people read: collected for the catalogs, replaced by their translations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handoff_lsp.contracts.build import Data

# The keys with texts for people. Those of a value's `because` are words that somebody may have written.
_TEXTS = frozenset(
    {"about", "because", "brief", "deprecated", "forbidden_because", "message", "pattern_about", "read_by", "reason"}
    | {"then", "unread"}
)
# The keys below this one are titles.
_TITLES = "groups"
# Below these keys the names are the contract's own.
_NAMES = frozenset({"counts", "tags", "terms", "upstream"})


def with_texts(data: Data, change: Callable[[str], str]) -> Data:
    """A contract's data with each text replaced."""
    changed: Data = _changed(data, "", change)
    return {**changed, "title": change(data["title"])}


def texts_of(data: Data) -> list[str]:
    """The texts of a contract's data, each once, in their order."""
    found: dict[str, None] = {}

    def note(text: str) -> str:
        if text:
            found.setdefault(text)
        return text

    with_texts(data, note)
    return list(found)


def _changed(part: Any, key: str, change: Callable[[str], str]) -> Any:
    if isinstance(part, str):
        return change(part) if key in _TEXTS else part
    if isinstance(part, list):
        return [_changed(each, "", change) for each in part]
    if isinstance(part, dict) and key == _TITLES:
        return {change(title): each for title, each in part.items()}
    if isinstance(part, dict) and key not in _NAMES:
        reasons = key == "because"
        return {name: _changed(each, key if reasons else name, change) for name, each in part.items()}
    return part
