"""The config of one document, as the engine takes it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from typing import Any

from handoff_lsp.contracts.model import Severity
from handoff_lsp.contracts.names import key_name
from handoff_lsp.contracts.owed import Returned, agent_name
from handoff_lsp.text.lazy_dataclass import lazy_dataclass


@lazy_dataclass(frozen=True, slots=True)
class Allowed:
    """A value that prompts may name although others disagree. What is empty is any: field, value, agent."""

    field: str
    value: str
    agent: str
    because: str

    def holds(self, fields: Collection[str], value: str, agent: str) -> bool:
        """Whether it is about a value of a field, given by all its names, in the prompt of an agent."""
        return (
            (not self.field or key_name(self.field) in map(key_name, fields))
            and (not self.value or key_name(self.value) == key_name(value))
            and (not self.agent or agent_name(self.agent).removesuffix("-agent") == agent.removesuffix("-agent"))
        )


@lazy_dataclass(frozen=True, slots=True)
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
    allowed: tuple[Allowed, ...] = ()
