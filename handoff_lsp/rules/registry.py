"""All rules: every module of this room and of the one about prompts that has a ``RULE``, by code."""

from __future__ import annotations

import pkgutil
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from handoff_lsp.rules.rule import Rule


@lru_cache(maxsize=1)
def all_rules() -> dict[str, Rule]:
    """The rules by code, in the order of their names, each with its documentation."""
    import handoff_lsp.rules.prompts as about_prompts  # not before they are needed

    return dict(sorted({**rules_of_handoffs(), **_rules_in(about_prompts)}.items()))


@lru_cache(maxsize=1)
def rules_of_handoffs() -> dict[str, Rule]:
    """The same without those about prompts, which few documents are."""
    import handoff_lsp.rules as room

    return _rules_in(room)


def _rules_in(room: ModuleType) -> dict[str, Rule]:
    from handoff_lsp.rules.rule import Rule  # not before a document is checked

    found = {}
    for module_info in pkgutil.iter_modules(room.__path__):
        module = import_module(f"{room.__name__}.{module_info.name}")
        rule = getattr(module, "RULE", None)
        if isinstance(rule, Rule):
            found[rule.code] = replace(rule, doc=module.__doc__ or "")
    return found
