"""The generated parts of the VS Code extension: settings of the server, activation."""

from __future__ import annotations

import json
import re
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Options, analyze
from handoff_lsp.text import Source
from handoff_lsp.workspace.config.client_settings import settings_of
from handoff_lsp.workspace.config.model import SettingsModel, check_config
from handoff_lsp.workspace.disk.globs import Glob

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "editors" / "vscode"
PACKAGE = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
OWN = ("handoff-lsp.enable", "handoff-lsp.server.", "handoff-lsp.trace.")
SETTINGS = {
    name: setting
    for part in PACKAGE["contributes"]["configuration"]
    for name, setting in part["properties"].items()
    if not name.startswith(OWN)
}


def test_no_static_snippet_competes_with_what_is_typed() -> None:
    """VS Code matches them by any part of their names and accepts one with Enter, in a heading as anywhere."""
    assert "snippets" not in PACKAGE["contributes"]


def problems(settings: dict[str, Any]) -> list[str]:
    return [problem.message for problem in check_config(settings_of(settings), builtin(), model=SettingsModel)]


def test_nothing_is_set_by_default() -> None:
    given = settings_of({name: setting["default"] for name, setting in SETTINGS.items()})
    assert set(given) <= {"rules", "contracts", "agents", "prompts", "editor"}
    assert not any(value for key, value in given.items() if key != "editor")
    assert set(given["editor"]) <= {"links"}
    assert given["editor"].get("links", {}) == {}


@pytest.mark.parametrize("name", SETTINGS)
def test_the_server_takes_every_setting(name: str) -> None:
    for value in WHOLE.get(name) or examples(SETTINGS[name], TEXTS.get(name.removeprefix("handoff-lsp."), "docs/*.md")):
        assert problems({name: value}) == [], value
        assert settings_of({name: value}) or value in (None, [], "")


# Settings that hold tables, which VS Code cannot show in its settings editor.
TABLES = {"handoff-lsp.agents", "handoff-lsp.contracts", "handoff-lsp.files", "handoff-lsp.prompts"}


@pytest.mark.parametrize("name", sorted(set(SETTINGS) - TABLES))
def test_a_setting_can_be_edited_in_the_settings_editor(name: str) -> None:
    """It has widgets for these types, and a dropdown for an enum; for all others it shows `settings.json`."""
    setting = SETTINGS[name]
    kinds = {"string", "boolean", "integer", "number"}
    if "enum" in setting:
        assert len(setting["enumItemLabels"]) == len(setting["enum"])
        return
    if setting["type"] == "array":
        assert setting["items"]["type"] == "string"
    elif setting["type"] == "object":
        inner = [*setting.get("properties", {}).values(), *setting.get("patternProperties", {}).values()]
        inner += [more] if isinstance(more := setting.get("additionalProperties"), dict) else []
        assert inner
        assert all(one["type"] in kinds for one in inner)
    else:
        assert setting["type"] in kinds


# Properties that need more than any text.
TEXTS = {
    "agents": "status-block",
    "disable": "status-block",
    "files": "status-block",
    "editor.links": "https://example.org/$0",
}
# Settings of which a part alone says nothing.
WHOLE = {
    "handoff-lsp.prompts": [
        {"allow": [{key: "skipped", "because": "Another tool reads it"}]} for key in ("field", "value", "agent")
    ]
}


def examples(schema: dict[str, Any], text: str) -> list[Any]:
    """Values that a schema accepts, including each of an enum and each property by itself."""
    if "enum" in schema:
        return list(schema["enum"])
    if "const" in schema:
        return [schema["const"]]
    if "anyOf" in schema:
        return [value for one in schema["anyOf"] for value in examples(one, text)]
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    found: list[Any] = []
    for kind in kinds:
        if kind == "boolean":
            found += [True, False]
        elif kind == "string":
            found.append(text)
        elif kind == "array":
            found += [[], *([value] for value in examples(schema["items"], text))]
        elif kind == "object":
            required = {key: examples(schema["properties"][key], text)[0] for key in schema.get("required", [])}
            for key, part in schema.get("properties", {}).items():
                found += [{**required, key: value} for value in examples(part, text)]
            if isinstance(schema.get("additionalProperties"), dict) and not schema.get("properties"):
                found += [{"x(y)": value} for value in examples(schema["additionalProperties"], text)]
        else:
            assert kind == "null"
            found.append(None)
    return found


def test_all_that_a_config_file_may_say_is_a_setting() -> None:
    schema = json.loads((ROOT / "schemas" / "config.schema.json").read_text(encoding="utf-8"))
    editor = schema["$defs"]["EditorModel"]["properties"]
    of_files = set(schema["properties"]) - {"editor", "extend", "baseline"}
    said = {*of_files, *(f"editor.{key}" for key in editor), "config"}
    assert {name.removeprefix("handoff-lsp.") for name in SETTINGS} == {camel(name) for name in said}
    assert all(setting["scope"] == "resource" and setting["markdownDescription"] for setting in SETTINGS.values())


def camel(name: str) -> str:
    return re.sub(r"-([a-z])", lambda found: found[1].upper(), name)


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        (["handoffs/board/backend-dev-handoff.md"], True),
        (["work/a-handoff.md"], True),
        ([".agent/status.json"], True),
        (["trees/one/.agent/activity.log"], True),
        (["docs/DELIVERY_RESULT.md"], True),
        (["openspec/changes/x/design.md"], True),
        ([".handoff-lsp.toml"], True),
        (["README.md", "docs/guide.md", "package.json", "src/status.json", "handoffs.md"], False),
    ],
    ids=str,
)
def test_the_extension_starts_where_there_may_be_handoffs(files: list[str], wanted: bool) -> None:
    events = PACKAGE["activationEvents"]
    patterns = [event.partition(":")[2] for event in events if event.startswith("workspaceContains:")]
    assert any(Glob(pattern).matches(name) for pattern in patterns for name in files) is wanted
    assert "*" not in events and not any(event.startswith(("onLanguage", "onStartup")) for event in events)


def test_the_schema_that_vscode_declares_is_served_by_the_extension() -> None:
    scheme = next(event.partition(":")[2] for event in PACKAGE["activationEvents"] if event.startswith("onFileSystem:"))
    (entry,) = PACKAGE["contributes"]["jsonValidation"]
    module = (FOLDER / "src" / "schema" / "contracts.ts").read_text(encoding="utf-8")
    name = entry["url"].removeprefix(f"{scheme}://schemas/")
    assert f'"{name}":' in module and f'SCHEME = "{scheme}"' in module
    assert (ROOT / "schemas" / name).exists()
    assert any(fnmatch(".agent/status.json", pattern) for pattern in entry["fileMatch"])


def test_the_manifest_names_only_what_is_there() -> None:
    contributes = PACKAGE["contributes"]
    commands = {item["command"] for item in contributes["commands"]}
    for name, items in contributes["menus"].items():
        assert [item["command"] for item in items if item["command"] not in commands] == [], name
    texts = [item["contents"] for item in contributes["viewsWelcome"]]
    texts += [step["description"] for walk in contributes["walkthroughs"] for step in walk["steps"]]
    links = {link for text in texts for link in re.findall(r"\(command:(handoff-lsp\.[\w.]+)", text)}
    views = {f"{view['id']}.focus" for group in contributes["views"].values() for view in group}
    assert links - commands - views == set()
    media = [step["media"] for walk in contributes["walkthroughs"] for step in walk["steps"]]
    files = [item.get("markdown") or item["svg"] for item in media]
    files += [PACKAGE["icon"]]
    files += [item["icon"] for group in contributes["viewsContainers"].values() for item in group]
    assert [name for name in files if not (FOLDER / name).is_file()] == []


def test_the_example_of_the_walkthrough_has_the_mistakes_that_it_describes() -> None:
    text = (FOLDER / "media" / "example-handoff.md").read_text(encoding="utf-8")
    # A new document has no path that could show its contract.
    rules = [finding.code for finding in analyze(Source(text), "Untitled-1", builtin(), Options()).findings]
    assert rules == ["invalid-value", "count-mismatch", "count-mismatch"]
