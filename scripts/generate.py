"""Writes what is generated from the contracts and rules. With --check it only fails where a file is stale."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))


def contracts() -> list[dict[str, Any]]:
    """The data of all built-in contracts, validated."""
    from handoff_lsp.contracts.load import read_contract

    found = []
    for path in sorted((ROOT / "schemas" / "contracts").glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        entry, problems = read_contract(text)
        for problem in problems:
            line = text.count("\n", 0, problem.span.start) + 1
            print(f"{path.relative_to(ROOT)}:{line}: {problem.message}", file=sys.stderr)
        if entry is None:
            raise SystemExit(1)
        found.append(entry.data)
    return found


def contracts_json(data: list[dict[str, Any]]) -> str:
    """All built-in contracts as one file, which loads without YAML and pydantic. What only the docs say is left out."""
    lines = [
        json.dumps({key: value for key, value in contract.items() if key != "seed"}, ensure_ascii=False)
        for contract in data
    ]
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _attribute_docs(path: Path) -> dict[str, dict[str, str]]:
    """The text under each attribute of each class of a module."""
    docs: dict[str, dict[str, str]] = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            found = docs[node.name] = {}
            for before, after in zip(node.body, node.body[1:], strict=False):
                if (
                    isinstance(before, ast.AnnAssign)
                    and isinstance(before.target, ast.Name)
                    and isinstance(after, ast.Expr)
                ):
                    if isinstance(after.value, ast.Constant) and isinstance(after.value.value, str):
                        found[before.target.id] = " ".join(after.value.value.split())
    return docs


def contract_schema() -> str:
    """The JSON Schema of contract files, described by the text under each attribute of the model."""
    from handoff_lsp.contracts.validate import contract_schema as schema_of_contract

    schema = schema_of_contract()
    docs = _attribute_docs(ROOT / "handoff_lsp" / "contracts" / "model.py")
    parts: dict[str, Any] = {**schema.get("$defs", {}), "Contract": schema}
    for name, part in parts.items():
        for key, value in part.get("properties", {}).items():
            value.pop("title", None)
            if text := docs.get(name, {}).get(key):
                value["description"] = text
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "handoff-lsp contract", **schema}
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def config_schema() -> str:
    """The JSON Schema of the config file."""
    from handoff_lsp.workspace.config_model import config_schema as schema_of_config

    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema_of_config()}
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def rule_pages() -> dict[str, str]:
    """A page for each rule, from its module's docstring, and a table of all."""
    from handoff_lsp.rules.registry import all_rules

    pages = {}
    rows: dict[str, list[str]] = {}
    for rule in all_rules().values():
        modes = ", ".join(rule.modes)
        facts = f"Severity: {rule.severity} · Group: {rule.group} · Fix: {rule.fixable} · Modes: {modes}"
        pages[f"docs/rules/{rule.code}.md"] = f"# {rule.code}\n\n{facts}\n\n{rule.doc.strip()}\n"
        rows.setdefault(rule.group, []).append(
            f"| [{rule.code}](rules/{rule.code}.md) | {rule.summary} | {rule.severity} | {rule.fixable} |"
        )
    table = ["# Rules", "", "Generated from the rules' own files by `make generate`."]
    for group, lines in rows.items():
        table += [
            "",
            f"## {group.capitalize()}",
            "",
            "| rule | what it tells | severity | fix |",
            "| --- | --- | --- | --- |",
            *lines,
        ]
    pages["docs/rules.md"] = "\n".join(table) + "\n"
    return pages


def contract_pages(data: list[dict[str, Any]]) -> dict[str, str]:
    """A reference page for each contract, from its data."""
    from contract_reference import contract_reference

    from handoff_lsp.contracts.registry import Entry

    entries = [Entry(contract) for contract in data]
    return {f"docs/contracts/{entry.name}.md": contract_reference(entry) for entry in entries}


def seeds_table(data: list[dict[str, Any]], pages: dict[str, str]) -> str:
    """The rules of the systems that the built-in contracts are taken from, with what holds and what shows each."""
    from seeds import seeds_page

    from handoff_lsp.contracts.registry import Entry

    return seeds_page([Entry(contract) for contract in data], pages)


# What each LSP method does here, and since which version.
METHODS = {
    "textDocument/didOpen": ("The text given counts from now on, not the file's.", "0.1"),
    "textDocument/didChange": ("Incremental or whole. A burst of changes costs one check, the newest text's.", "0.1"),
    "textDocument/didSave": ("Looks at config and contract files again.", "0.1"),
    "textDocument/didClose": ("Clears what was published.", "0.1"),
    "textDocument/publishDiagnostics": (
        "At every change, with the version, for clients that do not pull. An empty list says that a document is clean.",
        "0.1",
    ),
    "textDocument/diagnostic": (
        "The same, pulled, for clients that can be told to pull again; answers `unchanged` where nothing is new.",
        "0.1",
    ),
    "textDocument/completion": (
        "Sections, fields, values, JSON keys with a skeleton, whole blocks, rule names, tags of a log; inside broken "
        "JSON too.",
        "0.1",
    ),
    "completionItem/resolve": ("The documentation of what is offered.", "0.1"),
    "textDocument/hover": (
        "What a field is, when it is required, what a value makes the orchestrator do; a rule's page.",
        "0.1",
    ),
    "textDocument/codeAction": (
        "Quick fixes, comments that silence a finding, and `source.fixAll.handoff` for all that is safe.",
        "0.1",
    ),
    "workspace/didChangeWatchedFiles": (
        "Configs and contract files, where the client watches; looked at again on use where it does not.",
        "0.1",
    ),
    "workspace/didChangeWorkspaceFolders": (
        "The folders that are open are the roots of documents that no `.git` and no config gives one.",
        "0.1",
    ),
    "workspace/didChangeConfiguration": ("Looks at configs again.", "0.1"),
}


def feature_table() -> str:
    """The table of LSP methods. Fails where it is not what the server hooks in."""
    from lsprotocol import types

    from handoff_lsp.server import code_actions, diagnostics
    from handoff_lsp.server.client import Client
    from handoff_lsp.server.main import create_server

    server = create_server()
    server.client = Client(pull=True, action_literals=True)
    diagnostics.offer(server)
    code_actions.offer(server)
    hooked = {name for name in server.protocol.fm.features if name not in {types.INITIALIZE, types.INITIALIZED}}
    said = set(METHODS) - {types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS}
    if hooked != said:
        raise SystemExit(f"docs/features.md: METHODS and the server differ in {sorted(hooked ^ said)}")
    rows = [f"| `{method}` | {_cell(what)} | {since} |" for method, (what, since) in METHODS.items()]
    head = [
        "# LSP methods",
        "",
        "Generated by `make generate`, which fails where the server hooks in something else.",
        "",
    ]
    return "\n".join([*head, "| method | what it does here | since |", "| --- | --- | --- |", *rows]) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def outputs() -> dict[str, str]:
    """Every generated file's path and text. The contracts come first: the rest is read from what they say now."""
    data = contracts()
    made = {"schemas/contracts.json": contracts_json(data)}
    made["schemas/contract.schema.json"] = contract_schema()
    made["schemas/config.schema.json"] = config_schema()
    made["docs/features.md"] = feature_table()
    pages = contract_pages(data)
    return made | rule_pages() | pages | {"docs/seeds.md": seeds_table(data, pages)}


def main() -> int:
    made = outputs()
    stale = [
        name
        for name, text in made.items()
        if not (ROOT / name).exists() or (ROOT / name).read_text(encoding="utf-8") != text
    ]
    there = {
        path.relative_to(ROOT).as_posix()
        for folder in ("rules", "contracts")
        for path in (ROOT / "docs" / folder).glob("*.md")
    }
    orphans = sorted(there - set(made))
    if "--check" in sys.argv:
        for name in [*stale, *orphans]:
            print(f"{name} is stale: run `make generate`", file=sys.stderr)
        return 1 if stale or orphans else 0
    for name in orphans:
        (ROOT / name).unlink()
        print(f"removed {name}")
    for name in stale:
        (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / name).write_text(made[name], encoding="utf-8")
        print(f"wrote {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
