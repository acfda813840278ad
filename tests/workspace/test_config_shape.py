"""The shape of a config, judged beside pydantic, which makes its schema from the same classes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from handoff_lsp.contracts.references import hints_of, options
from handoff_lsp.workspace.config.model import SettingsModel, shape_problems

_ADAPTER: TypeAdapter[Any] = TypeAdapter(SettingsModel)
_VALUES = (None, True, False, 7, 1.5, "", "off", "handoff", "message", [], ["a"], [None], [[]], {}, {"a": "off"})
_ITEMS = ({"a": {}}, {"a": {"b": 1}}, {"allow": [{"because": "b"}]}, {"code-lens": False}, {"code_lens": False})


def _inside(hint: Any, path: tuple[str, ...]) -> Iterator[tuple[type[Any], tuple[str, ...]]]:
    """Each table in a value, with the keys that lead there; ``[]`` for an item of a list."""
    for one in options(hint):
        if getattr(one, "__origin__", None) in (list, dict):
            step = "[]" if one.__origin__ is list else "a"
            yield from _inside(one.__args__[-1], (*path, step))
        elif hasattr(one, "__pydantic_config__"):
            yield one, path
            for name, inner in hints_of(one).items():
                yield from _inside(inner, (*path, name.replace("_", "-")))


@pytest.mark.parametrize(
    ("table", "path"), list(_inside(SettingsModel, ())), ids=lambda one: one.__name__ if isinstance(one, type) else ""
)
def test_a_table_as_pydantic(table: type[Any], path: tuple[str, ...]) -> None:
    needed = {"FilesModel": {"pattern": "a"}, "AllowModel": {"because": "b"}}.get(table.__name__, {})
    seen = set()
    for key in (*(name.replace("_", "-") for name in hints_of(table)), "unknown", "code_lens"):
        for value in (*_VALUES, *_ITEMS):
            data: Any = {**needed, key: value}
            for step in reversed(path):
                data = [data] if step == "[]" else {step: data}
            found = [problem.path for problem in shape_problems(data, SettingsModel)]
            try:
                _ADAPTER.validate_json(json.dumps(data), strict=True)
            except ValidationError:
                seen.add("refused")
                assert found, data
            else:
                seen.add("taken")
                assert not found, data
    assert len(seen) == 2
