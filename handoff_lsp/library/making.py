"""What a program makes from a contract: a handoff to fill in."""

from __future__ import annotations

from handoff_lsp.contracts.model import Mode
from handoff_lsp.contracts.registry import Registry, builtin
from handoff_lsp.engine import Options
from handoff_lsp.features.new.new_handoff import new_handoff
from handoff_lsp.features.new.suggestions import decided_profile
from handoff_lsp.library.names import entry_of, require, require_mode


def new(contract: str, profile: str | None = None, *, mode: Mode = "handoff", path: str = "") -> str:
    """A new handoff of a contract to fill in, as ``handoff-lsp new`` writes it: text with LF line ends.

    What is to be filled in stands in ``<…>``. ``profile``: left out, the one that ``path`` decides, else the contract's
    default. ``path`` (with ``/``, from the root of the project) is where it will be; no file is written. Raises
    UnknownNameError for a contract, profile or mode that does not exist.
    """
    return made_new(builtin(), Options(), contract, profile, mode, path)


def made_new(registry: Registry, options: Options, contract: str, profile: str | None, mode: Mode, path: str) -> str:
    """A new handoff by the contracts and the settings of a file."""
    entry = entry_of(registry, contract)
    require_mode(mode)
    if profile is None:
        profile = decided_profile(entry.contract, path, options) or entry.contract.default_profile
    require("profile", profile, entry.contract.profiles)
    return new_handoff(registry, entry, profile, mode, path, options).text
