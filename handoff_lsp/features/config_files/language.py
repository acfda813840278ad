"""What a config may hold at a place: the keys of its model, and the names of rules, checks, contracts and profiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import Field
from typing import Any, Literal, get_origin

from handoff_lsp.contracts.problems import KeyPath
from handoff_lsp.contracts.references import is_required, options, owner_of
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.features.contract_files.language import described, item_of, names_of, reference_of, words_about
from handoff_lsp.features.contract_files.vocabulary import Name
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.workspace.config.model import ConfigModel, ContractModel, keys_of

_SETTINGS: dict[str, Any] = {"boolean": bool, "string": str, "strings": list[str]}


def hint_at(path: KeyPath, registry: Registry) -> Any:
    """The type of the value at a path of a config; None where it has none."""
    hint: Any = ConfigModel
    for index, step in enumerate(path):
        if isinstance(step, str) and item_of(hint) is not None:
            hint = item_of(hint)  # a header names no index
        model: Any = owner_of(hint)
        named = names_of(hint)
        if isinstance(step, int):
            hint = item_of(hint)
        elif model is not None:
            known = keys_of(model).get(step)
            hint = known[0] if known is not None else _setting(model, path[: index + 1], registry)
        else:
            hint = named[1] if named is not None else None
        if hint is None:
            return None
    return hint


def _setting(model: type[Any], path: KeyPath, registry: Registry) -> Any:
    """The type of a contract's setting."""
    if model is not ContractModel or str(path[-2]) not in registry:
        return None
    setting = registry[str(path[-2])].contract.settings.get(str(path[-1]))
    return _SETTINGS[setting.type] if setting is not None else None


def is_table(hint: Any) -> bool:
    """Whether a value is a table."""
    return owner_of(hint) is not None or names_of(hint) is not None


def is_tables(hint: Any) -> bool:
    """Whether a value is a list of tables."""
    return item_of(hint) is not None and is_table(item_of(hint))


def is_text(hint: Any) -> bool:
    """Whether a value is written in quotes."""
    return any(one is str or get_origin(one) is Literal for one in options(hint))


def keys_at(path: KeyPath, registry: Registry, agents: Sequence[str] = ()) -> Iterator[Name]:
    """The keys that the table at a path may have. ``agents``: the names of the agents of the workspace."""
    hint = hint_at(path, registry)
    if hint is not None and is_tables(hint):
        hint = item_of(hint)
    model: Any = owner_of(hint)
    named = names_of(hint)
    if model is not None:
        for key, (_, attribute) in keys_of(model).items():
            yield Name(key, "must be there" if is_required(attribute) else "", _about(model, key, attribute))
        if model is ContractModel and str(path[-1]) in registry:
            for name, setting in registry[str(path[-1])].contract.settings.items():
                yield Name(name, "setting", setting.about)
    elif named is not None and reference_of(named[0]) == "agent":
        yield from (Name(name, "agent", "") for name in agents)
    elif named is not None:
        yield from names_of_kind(reference_of(named[0]), path, registry)


def names_of_kind(kind: str, path: KeyPath, registry: Registry) -> Iterator[Name]:
    """What a reference of a kind may name at a path."""
    if kind == "contract":
        for entry in registry:
            yield Name(entry.name, entry.contract.title, entry.contract.about)
    elif kind == "profile" and len(path) > 1 and str(path[-2]) in registry:
        for name, profile in registry[str(path[-2])].contract.profiles.items():
            yield Name(name, "profile", profile.about)
    elif kind == "owed field" and len(path) > 1 and str(path[1]) in registry:
        entry = registry[str(path[1])]
        fields = {where: one for name in entry.contract.profiles for where, one in entry.spec(name).walk()}
        for where, one in fields.items():
            yield Name(where, "field", one.about)
    elif kind == "rule or check":
        for code, rule in all_rules().items():
            yield Name(code, "rule", rule.summary)
        for entry in registry:
            for name in entry.checks:
                spec = entry.spec_with(name)
                yield Name(
                    f"{entry.name}/{name}", "check", spec.contract.checks[name].message if spec is not None else ""
                )


def about_value(hint: Any) -> str:
    """What a value is, for people."""
    if is_table(hint):
        return "a table"
    if item_of(hint) is not None:
        return "tables" if is_tables(hint) else "a list of texts"
    return words_about(hint)


def _about(table: type[Any], key: str, attribute: Field[Any]) -> str:
    default = f" Default: `{str(attribute.default).lower()}`." if isinstance(attribute.default, bool) else ""
    return described("config", "" if table is ConfigModel else table.__name__, key) + default
