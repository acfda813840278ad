"""Writes the files generated from contracts and rules. With --check it writes none and fails if a file is stale."""

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
    """All built-in contracts as one file that loads without YAML and pydantic."""
    lines = [json.dumps(contract, ensure_ascii=False) for contract in data]
    return "[\n" + ",\n".join(lines) + "\n]\n"


def _attribute_docs(path: Path) -> dict[str, dict[str, str]]:
    """The text under each attribute of each class of a module."""
    docs: dict[str, dict[str, str]] = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef):
            bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
            found = docs[node.name] = {key: text for base in bases for key, text in docs.get(base, {}).items()}
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
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:handoff-lsp:schema:contract",  # stays as it is, whatever the version
        "title": "handoff-lsp contract",
        **schema,
    }
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def config_schema() -> str:
    """The JSON Schema of the config file."""
    from handoff_lsp.workspace.config.model import config_schema as schema_of_config

    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:handoff-lsp:schema:config",  # stays as it is, whatever the version
        **schema_of_config(),
        "title": "handoff-lsp config",
    }
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def output_schemas() -> dict[str, str]:
    """The JSON Schemas of the command's own JSON."""
    from handoff_lsp.features.schemas.output_schemas import check_schema, graph_schema, parse_schema

    made = {"check": check_schema(), "parse": parse_schema(), "graph": graph_schema()}
    return {
        f"schemas/{name}.schema.json": json.dumps(schema, ensure_ascii=False, indent=2) + "\n"
        for name, schema in made.items()
    }


def json_schemas(data: list[dict[str, Any]]) -> dict[str, str]:
    """The JSON Schema of each contract with handoffs that are JSON files."""
    from handoff_lsp.contracts.registry import ContractEntry
    from handoff_lsp.features.schemas.editor_schema import is_json_file, schema_name, schema_text

    entries = [entry for entry in map(ContractEntry, data) if is_json_file(entry)]
    return {f"schemas/{schema_name(entry)}": schema_text(entry) for entry in entries}


def editor_files(data: list[dict[str, Any]], config: str) -> dict[str, str]:
    """The files of the editors' extensions that are generated from the contracts."""
    from neovim import places
    from vscode import vscode_files

    from handoff_lsp.contracts.registry import ContractEntry, Registry

    registry = Registry({entry["contract"]: ContractEntry(entry) for entry in data})
    neovim = {"editors/neovim/lua/handoff/places.lua": places(registry)}
    return neovim | vscode_files(ROOT, registry, json.loads(config))


def rule_pages() -> dict[str, str]:
    """A page for each rule, from its module's docstring and an example, and a table of all."""
    from rule_examples import examples

    from handoff_lsp.rules.registry import all_rules

    shown = examples()

    pages = {}
    rows: dict[str, list[str]] = {}
    for rule in all_rules().values():
        modes = ", ".join(rule.modes)
        facts = f"Severity: {rule.severity} · Group: {rule.group} · Fix: {rule.fixable} · Modes: {modes}"
        pages[f"docs/rules/{rule.code}.md"] = f"# {rule.code}\n\n{facts}\n\n{rule.doc.strip()}\n\n{shown[rule.code]}\n"
        rows.setdefault(rule.group, []).append(
            f"| [{rule.code}](rules/{rule.code}.md) | {rule.summary} | {rule.severity} | {rule.fixable} |"
        )
    table = ["# Rules", "", "Generated from the rules' own files by `make generate`."]
    for group, lines in rows.items():
        table += [
            "",
            f"## {group.capitalize()}",
            "",
            "| rule | finding | severity | fix |",
            "| --- | --- | --- | --- |",
            *lines,
        ]
    pages["docs/rules.md"] = "\n".join(table) + "\n"
    return pages


def contract_pages(data: list[dict[str, Any]]) -> dict[str, str]:
    """A reference page for each contract, from its data, and a table of all."""
    from handoff_lsp.contracts.registry import ContractEntry
    from handoff_lsp.features.pages.contract_reference import contract_reference

    entries = [ContractEntry(contract) for contract in data]
    origin = "Generated from `schemas/contracts/` by `make generate`."
    pages = {f"docs/contracts/{entry.name}.md": contract_reference(entry, origin) for entry in entries}
    rows = [f"| [{entry.name}](contracts/{entry.name}.md) | {_cell(entry.contract.about)} |" for entry in entries]
    head = ["# Built-in contracts", "", origin, ""]
    return pages | {"docs/contracts.md": "\n".join([*head, "| contract | what it is |", "| --- | --- |", *rows]) + "\n"}


def seeds_table(data: list[dict[str, Any]], pages: dict[str, str]) -> str:
    """The rules of the original systems, each with the part of a contract that holds it and the tests that show it."""
    from seeds import seeds_page

    from handoff_lsp.contracts.registry import ContractEntry

    return seeds_page([ContractEntry(contract) for contract in data], pages)


def feature_table() -> str:
    """The table of LSP methods, from the declarations of the server's handlers."""
    from handoff_lsp.server.handlers import rows

    lines = [f"| `{row.method}` | {_cell(row.summary)} | {row.since} |" for row in rows()]
    head = [
        "# LSP methods",
        "",
        "Generated by `make generate`, which fails if the server registers anything else.",
        "",
    ]
    return "\n".join([*head, "| method | what it does here | since |", "| --- | --- | --- |", *lines]) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


CONTRACTS = "schemas/contracts.json"
SCHEMA = "schemas/contract.schema.json"


def outputs(*, check: bool) -> dict[str, str | bytes]:
    """Every generated file's path and text. The contracts and their schema are written first: the rest reads them."""
    from catalogs import catalogs
    from contract_language import contract_language
    from feature_contents import feature_contents
    from prescan import prescan

    data = contracts()
    files: dict[str, str | bytes] = {}
    for name, text in ((CONTRACTS, contracts_json(data)), (SCHEMA, contract_schema())):
        files[name] = text
        if is_stale(name, text):
            if check:
                return files
            (ROOT / name).write_text(text, encoding="utf-8")
            print(f"wrote {name}")
    config = config_schema()
    files["schemas/config.schema.json"] = config
    files |= json_schemas(data) | output_schemas() | editor_files(data, config)
    files["schemas/prescan.json"] = prescan(data)
    files["docs/features.md"] = feature_table()
    files["docs/contract-language.md"] = contract_language()
    files["handoff_lsp/features/__init__.py"] = feature_contents(ROOT)
    texts, compiled = catalogs()
    files |= texts | compiled
    pages = contract_pages(data)
    return files | rule_pages() | pages | {"docs/seeds.md": seeds_table(data, pages)}


def is_stale(name: str, made: str | bytes) -> bool:
    """Whether a generated file is missing or its text differs."""
    path = ROOT / name
    if not path.exists():
        return True
    return path.read_bytes() != made if isinstance(made, bytes) else path.read_text(encoding="utf-8") != made


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
        content = made[name]
        (ROOT / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        print(f"wrote {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
