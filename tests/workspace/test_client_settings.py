"""Settings as editors send them, read into the shape of a config file."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.workspace.config.client_settings import settings_of, without
from handoff_lsp.workspace.config.model import SettingsModel, check_config

DOCS = (Path(__file__).parents[2] / "docs" / "settings.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({"editor": {"waitWhileTyping": False}}, {"editor": {"wait-while-typing": False}}),
        ({"handoff-lsp.editor.inlayHints": False, "pylsp.x": 1}, {"editor": {"inlay-hints": False}}),
        ({"handoffLsp": {"contractFiles": ["a/*.yaml"]}}, {"contract-files": ["a/*.yaml"]}),
        ({"files": [{"pattern": "A/*.md", "rules": {"emptyValue": "off"}}, None]}, None),
        # Names and patterns are not keys: they stay as they are.
        ({"contracts": {"ownFormat": {"someSetting": True}}}, {"contracts": {"ownFormat": {"someSetting": True}}}),
        ({"editor": {"links": {"aB.(c)": "https://x/$1"}}}, {"editor": {"links": {"aB.(c)": "https://x/$1"}}}),
        ({"editor": None, "examples": None}, {}),
        ([1], {}),
        ({"handoff-lsp": 3}, {}),
    ],
    ids=str,
)
def test_spellings(sent: object, expected: Any) -> None:
    if expected is None:
        expected = {"files": [{"pattern": "A/*.md", "rules": {"empty-value": "off"}}]}
    assert settings_of(sent) == expected


def test_what_is_shared_is_ours_only_by_its_name_or_a_key() -> None:
    assert settings_of({"pylsp": {}}, shared=True) == {}
    assert settings_of({"pylsp": {}}) == {"pylsp": {}}
    for key in (name.replace("_", "-") for name in SettingsModel.__dataclass_fields__):
        assert settings_of({key: {}}, shared=True) == {key: {}}


@pytest.mark.parametrize(
    ("path", "left"),
    [
        (("a",), {"b": [{"c": 1}, {"d": 2}]}),
        (("a", "x"), {"a": {}, "b": [{"c": 1}, {"d": 2}]}),
        (("b", 1), {"a": {"x": 1}, "b": [{"c": 1}]}),
        (("b", 0, "c"), {"a": {"x": 1}, "b": [{}, {"d": 2}]}),
        (("b", 0, "pattern"), {"a": {"x": 1}, "b": [{"d": 2}]}),  # it lacks something: all of it goes
        (("none",), {"a": {"x": 1}, "b": [{"c": 1}, {"d": 2}]}),
    ],
    ids=str,
)
def test_without(path: tuple[str | int, ...], left: object) -> None:
    assert without({"a": {"x": 1}, "b": [{"c": 1}, {"d": 2}]}, path) == left


def test_the_examples_of_the_docs_are_right() -> None:
    vscode, zed, other = (json.loads(text) for text in re.findall(r"```json\n(.*?)```", DOCS, re.DOTALL))
    _, _, agents, allowed, file, helix = (
        tomllib.loads(text) for text in re.findall(r"```toml\n(.*?)```", DOCS, re.DOTALL)
    )
    sent = [
        agents,
        allowed,
        file,
        helix["language-server"]["handoff-lsp"]["config"],
        vscode,
        zed["lsp"]["handoff-lsp"]["initialization_options"],
        other["initializationOptions"],
    ]
    for each in sent:
        settings = settings_of(each)
        assert settings
        assert check_config(settings, builtin(), (), SettingsModel) == []
