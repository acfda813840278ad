"""The JSON Schemas of the command's own JSON: the objects of `check` and `graph`, the lines of `parse`."""

from __future__ import annotations

from typing import Any, get_args

from pydantic import TypeAdapter

from handoff_lsp.reports.pack import PackReport
from handoff_lsp.reports.report import Finding, Handoff, Level
from handoff_lsp.reports.verdict import Verdict
from handoff_lsp.writing.schemas.parts import DRAFT, Schema

_COUNT: Schema = {"type": "integer", "minimum": 0}
_TEXT: Schema = {"type": "string"}


def parse_schema() -> Schema:
    """The schema of one line of ``parse --output-format json``: a handoff."""
    schema = _of(Handoff)
    return {
        "$schema": DRAFT,
        "$id": "urn:handoff-lsp:schema:parse",
        **schema,
        "title": "A handoff as parsed",
        "description": "One line of `handoff-lsp parse --output-format json`: a handoff with its fields, the "
        "orchestrator's decision and the findings. Lines and columns count from 1, columns in code points.",
    }


def check_schema() -> Schema:
    """The schema of the object that ``check --output-format json`` prints."""
    handoff = _of(Handoff)
    parts = {**handoff.pop("$defs"), **_of(Finding).get("$defs", {})}
    for name in ("fields", "findings"):  # `parse` has the fields; the findings are in a list of their own
        handoff["properties"].pop(name)
        handoff["required"].remove(name)
    parts["Handoff"] = {**handoff, "description": "A handoff with the orchestrator's decision."}
    because = _object({"path": _TEXT, "reason": _TEXT})
    levels = get_args(Level)
    parts["Verdict"] = _of(Verdict)
    files = _object({"path": _TEXT, "verdict": {"$ref": "#/$defs/Verdict"}, "handoffs": _COUNT, "examples": _COUNT})
    counts = ("files", "handoffs", "files_with_findings", *levels, "fixed", "baseline", "failed", "skipped", "ignored")
    properties = {
        "version": {**_TEXT, "description": "The version of handoff-lsp."},
        "files": _list(files, "The files that were read, each with its verdict."),
        "handoffs": _list({"$ref": "#/$defs/Handoff"}, "All handoffs."),
        "failed": _list(because, "The paths that could not be checked. A path is empty where no file is to blame."),
        "skipped": _list(because, "The files and folders that a walk skipped."),
        "summary": {**_object(dict.fromkeys(counts, _COUNT)), "description": "The number of each."},
        "findings": _list({"$ref": "#/$defs/Finding"}, "All findings, and the problems of configs and contracts."),
    }
    pack = _of(PackReport)
    parts = {**pack.pop("$defs"), **parts}
    pack["properties"].pop("findings")
    pack["required"].remove("findings")
    parts["Pack"] = pack
    schema = _object(properties)
    packs = _list({"$ref": "#/$defs/Pack"}, "The matrices of the workspaces, with `--drift`.")
    schema["properties"] = {**properties, "packs": packs}
    return {
        "$schema": DRAFT,
        "$id": "urn:handoff-lsp:schema:check",
        "title": "The result of a check",
        "description": "What `handoff-lsp check --output-format json` prints.",
        **schema,
        "$defs": parts,
    }


def graph_schema() -> Schema:
    """The schema of the object that ``graph --output-format json`` prints."""
    pack = _of(PackReport)
    parts = {**pack.pop("$defs"), "Pack": pack}
    because = _object({"path": _TEXT, "reason": _TEXT})
    properties = {
        "version": {**_TEXT, "description": "The version of handoff-lsp."},
        "packs": _list({"$ref": "#/$defs/Pack"}, "The workspaces with prompts about a contract."),
        "failed": _list(because, "The paths that could not be checked."),
        "skipped": _list(because, "The files and folders that a walk skipped."),
    }
    return {
        "$schema": DRAFT,
        "$id": "urn:handoff-lsp:schema:graph",
        "title": "The prompts of a workspace, compared",
        "description": "What `handoff-lsp graph --output-format json` prints. Lines and columns count from 1, columns "
        "in code points.",
        **_object(properties),
        "$defs": parts,
    }


def _list(items: Schema, about: str) -> Schema:
    return {"type": "array", "items": items, "description": about}


def _object(properties: dict[str, Schema]) -> Schema:
    """An object with all its keys. A later version may add others."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def _of(kind: type[Any]) -> Schema:
    """The schema of a dataclass of reports. JSON has all its attributes, those with a default as well."""
    schema: Schema = TypeAdapter(kind).json_schema(mode="serialization")
    for part in (schema, *schema.get("$defs", {}).values()):
        part["required"] = list(part["properties"])
        part["description"] = " ".join(part["description"].replace("``", "`").split())
        for value in part["properties"].values():
            value.pop("title", None)
            value.pop("default", None)
    return schema
