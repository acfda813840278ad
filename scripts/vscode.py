"""The generated parts of the VS Code extension, from the contracts and the config: settings, activation, schemas."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.features.schemas.editor_schema import is_json_file, schema_name
from handoff_lsp.workspace.config.client_settings import SECTION
from handoff_lsp.workspace.config.config_file import OWN_NAME
from handoff_lsp.workspace.config.model import SettingsModel, schema_of

FOLDER = "editors/vscode"
# The document that the walkthrough opens.
EXAMPLE = "examples/handoffs/board/backend-dev-handoff.md"
# Documents of this scheme are the schemas; a request for one activates the extension.
SCHEME = "handoff-lsp"
# The part of the settings that is written here; the extension's own are in a different one.
_TITLE = "Handoff: rules and files"
_EMPTY: dict[str, object] = {"object": {}, "array": [], "string": ""}


def vscode_files(root: Path, registry: Registry, config_schema: Mapping[str, Any]) -> dict[str, str]:
    """Path and text of each file that is generated, or has generated parts."""
    manifest = f"{FOLDER}/package.json"
    package = json.loads((root / manifest).read_text(encoding="utf-8"))
    _fill(package, registry, config_schema)
    return {
        manifest: _text(package),
        f"{FOLDER}/src/schema/contracts.ts": _schemas_module(registry),
        f"{FOLDER}/media/example-handoff.md": (root / EXAMPLE).read_text(encoding="utf-8"),
    }


def _text(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _fill(package: dict[str, Any], registry: Registry, config_schema: Mapping[str, Any]) -> None:
    """Put the generated parts into the extension's manifest; the rest of it stays."""
    contributes = package["contributes"]
    own = [part for part in contributes["configuration"] if part.get("title") != _TITLE]
    contributes["configuration"] = [*own, {"title": _TITLE, "properties": settings(config_schema)}]
    kept = [event for event in package["activationEvents"] if not event.startswith(("workspaceContains:", "onFileSys"))]
    package["activationEvents"] = [*activation(registry), *kept]
    contributes["jsonValidation"] = [
        {"fileMatch": entry.contract.locations, "url": f"{SCHEME}://schemas/{schema_name(entry)}"}
        for entry in registry
        if is_json_file(entry)
    ]


def activation(registry: Registry) -> list[str]:
    """The events that activate the extension: a folder with a config or a likely handoff, and a schema that is read.

    A path without a star is looked up even where git ignores it; one with a star is searched for.
    """
    exact = [place for entry in registry for place in entry.contract.locations]
    below = [f"**/{place}" for place in exact]
    globs = [glob for entry in registry for glob in entry.contract.usual]
    # `**/docs/X` finds nothing that `**/X` does not.
    needed = [glob for glob in below if not any(glob != other and glob.endswith(other[2:]) for other in below)]
    patterns = [OWN_NAME, *exact, f"**/{OWN_NAME}", *needed, *globs]
    return [*(f"workspaceContains:{pattern}" for pattern in dict.fromkeys(patterns)), f"onFileSystem:{SCHEME}"]


def settings(config_schema: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a config file for VS Code. One without a value is empty or null: then the config file decides."""
    given = schema_of(SettingsModel)["properties"]["config"]
    properties: dict[str, Any] = {**config_schema["properties"], "config": given}
    found: dict[str, Any] = {}
    for key, part in properties.items():
        if key in ("extend", "baseline"):
            continue  # for files alone
        whole = _resolved(part, config_schema)
        if key == "editor":
            children = whole["properties"].items()
            found |= {f"{SECTION}.editor.{_camel(name)}": _setting(child) for name, child in children}
        else:
            found[f"{SECTION}.{_camel(key)}"] = _setting(whole)
    return found


def _camel(name: str) -> str:
    return re.sub(r"-([a-z])", lambda found: found[1].upper(), name)


def _resolved(part: Any, schema: Mapping[str, Any]) -> Any:
    """A schema without references, titles, defaults and null, which VS Code's settings do not use."""
    if isinstance(part, list):
        return [_resolved(item, schema) for item in part]
    if not isinstance(part, Mapping):
        return part
    if "$ref" in part:
        target = schema["$defs"][part["$ref"].rpartition("/")[2]]
        part = {**target, **{key: value for key, value in part.items() if key != "$ref"}}
    if "anyOf" in part:
        kinds = [item for item in part["anyOf"] if item != {"type": "null"}]
        part = {key: value for key, value in part.items() if key != "anyOf"}
        part |= kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    skip = {"title", "default"} if "type" in part or "enum" in part else set()
    found = {
        key: {name: _resolved(child, schema) for name, child in value.items()}
        if key == "properties"
        else _resolved(value, schema)
        for key, value in part.items()
        if key not in skip
    }
    if part.get("type") == "boolean" and "default" in part:
        found["default"] = part["default"]
    return found


def _setting(part: dict[str, Any]) -> dict[str, Any]:
    """One setting. The default is empty, which changes nothing, or null for a switch.

    VS Code's settings editor has a widget for each type, but none for a list or a text that may be null.
    """
    about = part.pop("description", "")
    usual = part.pop("default", None)
    kind = part.pop("type")
    made: dict[str, Any] = {"scope": "resource", "markdownDescription": about}
    if kind in _EMPTY:
        return {**made, "type": kind, **part, "default": _EMPTY[kind]}
    if kind == "boolean":
        on = "on" if usual else "off"
        part |= {"enum": [None, True, False], "enumItemLabels": ["Use config file", "Yes", "No"]}
        made["markdownDescription"] = f"{about} Default: {on}."
    return {**made, "type": [kind, "null"], **part, "default": None}


def _schemas_module(registry: Registry) -> str:
    """The module with the schemas, by their names in `jsonValidation`, for the extension to bundle."""
    entries = [entry for entry in registry if is_json_file(entry)]
    lines = ["// Generated by `make generate`: the schemas of the contracts whose handoffs are JSON files."]
    for entry in entries:
        lines.append(f'import {_variable(entry)} from "../../../../schemas/{schema_name(entry)}";')
    lines += ["", f'export const SCHEME = "{SCHEME}";', "", "export const SCHEMAS: Record<string, object> = {"]
    lines += [f'  "{schema_name(entry)}": {_variable(entry)},' for entry in entries]
    return "\n".join([*lines, "};"]) + "\n"


def _variable(entry: ContractEntry) -> str:
    return _camel(entry.name)
