"""Settings given for one run, such as by options of the command: they go before every config."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from pathlib import Path

from handoff_lsp.contracts.model import Severity
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.workspace.config.config_file import Exclusion, RootedPattern


@lazy_dataclass(frozen=True)
class GivenSettings:
    """The settings of a run.

    ``isolated``: no config is read. ``exclude`` takes the place of the config's patterns (None: it does not),
    ``extend_exclude`` goes beside them. ``severities`` go before those of the config, also of its ``[[files]]``.
    """

    isolated: bool = False
    exclude: tuple[RootedPattern, ...] | None = None
    extend_exclude: tuple[RootedPattern, ...] = ()
    severities: Mapping[str, Severity] = field(default_factory=dict)

    @cached_property
    def _exclusion(self) -> Exclusion:
        return Exclusion((*(self.exclude or ()), *self.extend_exclude))

    def excluding(self, path: Path) -> RootedPattern | None:
        """The pattern that excludes a file or folder, None without one."""
        return self._exclusion.of(path) if self.exclude or self.extend_exclude else None
