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
    from handoff_lsp.workspace.config.model import config_schema as schema_of_config

    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema_of_config()}
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def json_schemas(data: list[dict[str, Any]]) -> dict[str, str]:
    """The JSON Schema of each contract whose handoffs are JSON files."""
    from json_schemas import is_json_file, schema_name, schema_text

    from handoff_lsp.contracts.registry import ContractEntry

    entries = [entry for entry in map(ContractEntry, data) if is_json_file(entry)]
    return {f"schemas/{schema_name(entry)}": schema_text(entry) for entry in entries}


def editor_files(data: list[dict[str, Any]], config: str) -> dict[str, str]:
    """What of the editors' extensions is read from the contracts."""
    from neovim import places
    from vscode import vscode_files

    from handoff_lsp.contracts.registry import ContractEntry, Registry

    registry = Registry({entry["contract"]: ContractEntry(entry) for entry in data})
    neovim = {"editors/neovim/lua/handoff/places.lua": places(registry)}
    return neovim | vscode_files(ROOT, registry, json.loads(config))


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

    from handoff_lsp.contracts.registry import ContractEntry

    entries = [ContractEntry(contract) for contract in data]
    return {f"docs/contracts/{entry.name}.md": contract_reference(entry) for entry in entries}


def seeds_table(data: list[dict[str, Any]], pages: dict[str, str]) -> str:
    """The rules of the systems that the built-in contracts are taken from, with what holds and what shows each."""
    from seeds import seeds_page

    from handoff_lsp.contracts.registry import ContractEntry

    return seeds_page([ContractEntry(contract) for contract in data], pages)


# What each LSP method does here, and since which version.
METHODS = {
    "textDocument/didOpen": ("The text given counts from now on, not the file's.", "0.1"),
    "textDocument/didChange": ("Incremental or whole. A burst of changes costs one check, the newest text's.", "0.1"),
    "textDocument/didSave": ("Looks at config and contract files again.", "0.1"),
    "textDocument/didClose": ("Clears what was published.", "0.1"),
    "textDocument/publishDiagnostics": (
        "At every change, with the version, for clients that do not pull. An empty list says that a document is clean. "
        "What may only be about a line that is still being typed waits for a moment.",
        "0.1",
    ),
    "textDocument/diagnostic": (
        "The same, pulled, for clients that can be told to pull again; answers `unchanged` where nothing is "
        "new. A file "
        "that is not open is judged from disk.",
        "0.1",
    ),
    "workspace/diagnostic": (
        "All documents of the open folders, in parts, with progress, cancelled at once. Where a client takes parts, a "
        "request is answered when something is new, so that an idle editor costs nothing.",
        "0.1",
    ),
    "textDocument/completion": (
        "Sections, fields, values in tables and lists too, JSON keys with a skeleton, whole blocks and files, names of "
        "agents, tasks and changes, paths folder by folder, rule names, a log's next line; inside broken JSON too.",
        "0.1",
    ),
    "completionItem/resolve": (
        "The documentation of what is offered: of a name or a path, what the workspace says of it.",
        "0.1",
    ),
    "textDocument/hover": (
        "What a field is, whether it is required now and by which values, what a value makes the orchestrator do; what "
        "the workspace says of an agent, a task or a file; what a rule that reports something here is about.",
        "0.1",
    ),
    "textDocument/definition": (
        "An agent's name: the file that defines it; a path: the file, at its line or heading; `see Abstract`: the "
        "section; a task, an id, a change: where it is given out; a count: what it counts.",
        "0.1",
    ),
    "textDocument/references": (
        "Every place in Markdown, JSON and logs that speaks of the same agent, task, change, id, file or section.",
        "0.1",
    ),
    "textDocument/documentHighlight": (
        "The same name or value in the document; a count with the items it counts.",
        "0.1",
    ),
    "textDocument/prepareRename": ("Whether there is a name that can be renamed, or in words why it cannot.", "0.1"),
    "textDocument/rename": (
        "A change, an agent, an id, a task, a feature in all files, with the files and folders that bear its name; all "
        "of it or nothing.",
        "0.1",
    ),
    "textDocument/documentLink": (
        "Paths of files that are there, URLs in JSON, logs and `key: value` runs, and what `[editor.links]` links.",
        "0.1",
    ),
    "documentLink/resolve": ("The line of a link to a heading.", "0.1"),
    "textDocument/codeAction": (
        "Quick fixes, comments that silence a finding; `source.fixAll.handoff` for all that is safe and "
        "`source.organize.handoff` for the contract's order; `refactor.rewrite.handoff`: set the status with what it "
        "needs, put labels into a fence and back, convert to another profile; `refactor.extract.handoff`: to JSON.",
        "0.1",
    ),
    "codeAction/resolve": ("The edit of a refactoring or source action, for the text as it is now.", "0.1"),
    "textDocument/formatting": (
        "The JSON of handoffs, an Abstract's values in one column, one blank line around headings and "
        "fences. Only blanks "
        "change, none in prose, and none in JSON that is broken. A document without a handoff gets null; in "
        "an editor that "
        "asks only one formatter for Markdown, its settings say which.",
        "0.1",
    ),
    "textDocument/rangeFormatting": ("The same, within a range.", "0.1"),
    "textDocument/rangesFormatting": ("The same, within several ranges.", "0.1"),
    "textDocument/onTypeFormatting": (
        "A count follows the list that a line was just added to, where `update-counts` in the config says so.",
        "0.1",
    ),
    "textDocument/inlayHint": (
        "Behind the value that decides what it makes the orchestrator do, behind a wrong count the right "
        "one, to be taken "
        "by a double click, behind a time its age.",
        "0.1",
    ),
    "inlayHint/resolve": ("What a hint is about.", "0.1"),
    "textDocument/documentSymbol": (
        "The outline of a document with handoffs: what each says and does, all sections, fields with their values, "
        "JSON members, the days of a log with the entries that decide something. A list for clients without trees.",
        "0.1",
    ),
    "workspace/symbol": (
        "Handoffs by title and status; agents, tasks and other names that handoffs write, each once and where it is "
        "defined if a file defines it; the files they name. Letters in order are enough.",
        "0.1",
    ),
    "textDocument/foldingRange": (
        "Handoffs as regions, sections, JSON (broken, too), lists and maps, the days and runs of a log, comments. Only "
        "in documents with handoffs.",
        "0.1",
    ),
    "textDocument/selectionRange": (
        "From a word to its value, its field, the objects and sections around it, the handoff, the document.",
        "0.1",
    ),
    "textDocument/semanticTokens/full": (
        "Keys, values, numbers, names, paths, placeholders, and the status with a modifier for what it makes the "
        "orchestrator do: `advance`, `continue`, `retry`, `ask`, `stop`.",
        "0.1",
    ),
    "textDocument/semanticTokens/full/delta": ("What has changed in them since the last answer.", "0.1"),
    "textDocument/semanticTokens/range": ("Those of a part of the document.", "0.1"),
    "textDocument/codeLens": (
        "Above each handoff what the orchestrator does with it now, and how many errors stand in the way; a "
        "click goes to "
        "what causes it. `code-lens` in the config switches it off.",
        "0.1",
    ),
    "workspace/executeCommand": (
        "Insert a new handoff, show the routing, export as JSON, check the workspace, go to a place; list all "
        "handoffs, contracts and topics, explain one, examine the installation: [commands](commands.md), each without "
        "an extension of ours. `handoff/didChangeHandoffs` tells a client that asks for it when the list may differ.",
        "0.1",
    ),
    "workspace/didChangeWatchedFiles": (
        "Configs, the contract files they name, Markdown, and the files that contracts put beside it, where the client "
        "watches; looked at again on use where it does not. Registered anew when a config names others.",
        "0.1",
    ),
    "workspace/didCreateFiles": ("What is there is looked at again, and what depends on it.", "0.1"),
    "workspace/didRenameFiles": ("The same.", "0.1"),
    "workspace/didDeleteFiles": ("The same.", "0.1"),
    "workspace/didChangeWorkspaceFolders": (
        "The folders that are open are the roots of documents that no `.git` and no config gives one.",
        "0.1",
    ),
    "workspace/didChangeConfiguration": (
        "[Settings](settings.md) over the config files, pushed, or asked for each folder with "
        "`workspace/configuration`. "
        "Only documents for which something changes are checked again.",
        "0.1",
    ),
}


def feature_table() -> str:
    """The table of LSP methods. Fails where it is not what the server hooks in."""
    from lsprotocol import types

    from handoff_lsp.server.main import create_server
    from handoff_lsp.server.publishing import diagnostics
    from handoff_lsp.server.requests import code_actions
    from handoff_lsp.server.wire.client import Client

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


CONTRACTS = "schemas/contracts.json"


def outputs(*, check: bool) -> dict[str, str]:
    """Every generated file's path and text. The contracts are written first, as the rest is read from them."""
    data = contracts()
    made = {CONTRACTS: contracts_json(data)}
    if is_stale(CONTRACTS, made[CONTRACTS]):
        if check:
            return made
        (ROOT / CONTRACTS).write_text(made[CONTRACTS], encoding="utf-8")
        print(f"wrote {CONTRACTS}")
    made["schemas/contract.schema.json"] = contract_schema()
    made["schemas/config.schema.json"] = config_schema()
    made |= json_schemas(data) | editor_files(data, made["schemas/config.schema.json"])
    made["docs/features.md"] = feature_table()
    pages = contract_pages(data)
    return made | rule_pages() | pages | {"docs/seeds.md": seeds_table(data, pages)}


def is_stale(name: str, text: str) -> bool:
    """Whether a generated file is not there or says something else."""
    return not (ROOT / name).exists() or (ROOT / name).read_text(encoding="utf-8") != text


def main() -> int:
    check = "--check" in sys.argv
    made = outputs(check=check)
    stale = [name for name, text in made.items() if is_stale(name, text)]
    there = {
        path.relative_to(ROOT).as_posix()
        for folder in ("rules", "contracts")
        for path in (ROOT / "docs" / folder).glob("*.md")
    }
    orphans = sorted(there - set(made)) if len(made) > 1 else []
    if check:
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
