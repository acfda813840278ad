"""All rules: every module of this room that has a ``RULE``, by code."""

from __future__ import annotations

import pkgutil
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from handoff_lsp.rules.rule import Rule


@lru_cache(maxsize=1)
def all_rules() -> dict[str, Rule]:
    """The rules by code, in the order of their names, each with its documentation."""
    import handoff_lsp.rules as room
    from handoff_lsp.rules.rule import Rule  # not before a document is checked

    found = {}
    for module_info in pkgutil.iter_modules(room.__path__):
        module = import_module(f"{room.__name__}.{module_info.name}")
        rule = getattr(module, "RULE", None)
        if isinstance(rule, Rule):
            found[rule.code] = replace(rule, doc=module.__doc__ or "")
    return found


def rule(code: str) -> Rule:
    """The rule with a code. Raises KeyError."""
    return all_rules()[code]
