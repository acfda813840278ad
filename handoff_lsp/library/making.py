"""New handoffs of a contract to fill in, and its schemas."""

from __future__ import annotations

from typing import Any, Literal

from handoff_lsp.contracts.model import Mode
from handoff_lsp.contracts.registry import Registry, builtin
from handoff_lsp.engine import Options
from handoff_lsp.features.new.suggestions import decided_profile
from handoff_lsp.features.schemas.model_schema import SUBSETS, model_schema
from handoff_lsp.library.names import entry_of, require, require_mode
from handoff_lsp.samples.new_handoff import new_handoff
from handoff_lsp.writing.schemas.fields_schema import fields_schema
from handoff_lsp.writing.schemas.handoff_schema import handoff_schema, written_syntax


def new(contract: str, profile: str | None = None, *, mode: Mode = "handoff", path: str = "") -> str:
    """A new handoff of a contract to fill in, as ``handoff-lsp new`` writes it: text with LF line ends.

    The parts to fill in are in ``<…>``. ``profile``: left out, the one that ``path`` decides, else the contract's
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


def schema(
    contract: str,
    profile: str | None = None,
    *,
    of: Literal["fields", "handoff"] = "fields",
    maker: Literal["openai", "anthropic"] | None = None,
) -> dict[str, Any]:
    """The JSON Schema of a contract, as ``handoff-lsp schema`` prints it: a new dictionary.

    ``of``: the ``fields`` of ``Handoff.fields``, or the handoff as written. ``maker``: for structured outputs of that
    maker's models, whose schemas leave some fields out; without it, in draft 2020-12. ``profile``: left out, the
    contract's default. Raises UnknownNameError for a name that does not exist, ValueError for the handoff of a contract
    that is not written in JSON or YAML.
    """
    return made_schema(builtin(), contract, profile, of, maker)


def made_schema(registry: Registry, contract: str, profile: str | None, of: str, maker: str | None) -> dict[str, Any]:
    """The JSON Schema of a contract among others."""
    entry = entry_of(registry, contract)
    profile = profile if profile is not None else entry.contract.default_profile
    require("profile", profile, entry.contract.profiles)
    require("schema", of, ("fields", "handoff"))
    spec = entry.spec(profile)
    if of == "handoff" and written_syntax(spec) is None:
        raise ValueError(f'handoffs of `{contract}@{profile}` are not written in JSON or YAML; use of="fields"')
    if maker is not None:
        require("maker", maker, SUBSETS)
        return model_schema(spec, "handoff" if of == "handoff" else "fields", maker).schema
    return handoff_schema(spec) if of == "handoff" else fields_schema(spec)
