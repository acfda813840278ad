"""The config of one document, as the engine takes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from handoff_lsp.contracts.model import Severity
from handoff_lsp.contracts.owed import Returned


@dataclass(frozen=True, slots=True)
class Options:
    """The config of one document. ``returned``: the agent that returned it, if it owes something there."""

    severities: Mapping[str, Severity] = field(default_factory=dict)
    profiles: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    disabled: frozenset[str] = frozenset()
    examples: bool = False
    contract: str | None = None
    mode: str | None = None
    returned: Returned | None = None
