"""``handoff-lsp schema``: the JSON Schema of a contract, of the config, of contract files, or of our own JSON."""

from __future__ import annotations

import argparse
import json
import sys

from handoff_lsp.cli.named import Named, named
from handoff_lsp.cli.new import resolver_for
from handoff_lsp.cli.output.utf8 import write_utf8
from handoff_lsp.cli.printable import printable
from handoff_lsp.cli.usage import CLEAN, UsageError
from handoff_lsp.contracts.registry import schemas_folder
from handoff_lsp.features.schemas.model_schema import model_schema
from handoff_lsp.writing.schemas.fields_schema import fields_schema
from handoff_lsp.writing.schemas.handoff_schema import handoff_schema, written_syntax
from handoff_lsp.writing.schemas.parts import Schema

# The schemas that are files of the package.
FILES = ("config", "contract", "check", "parse", "graph")


def schema(arguments: argparse.Namespace) -> int:
    """Run the command. Returns the exit code."""
    if arguments.name in FILES:
        return _file(arguments)
    if arguments.path:
        raise UsageError(f"`--path` is for {', '.join(FILES)}: a contract's schema is no file", "schema")
    registry = resolver_for(arguments, None).registry(None)
    made = _schema(named(registry, arguments.name, "schema", FILES), arguments.of or "fields", arguments.maker)
    write_utf8(json.dumps(made, ensure_ascii=False, indent=2) + "\n")
    return CLEAN


def _file(arguments: argparse.Namespace) -> int:
    """Print one of the package's own schemas, or its path."""
    if arguments.of is not None or arguments.maker is not None:
        raise UsageError(f"`--of` and `--for` are for contracts, not for {arguments.name}", "schema")
    path = schemas_folder() / f"{arguments.name}.schema.json"
    write_utf8(f"{path}\n" if arguments.path else path.read_text(encoding="utf-8"))
    return CLEAN


def _schema(asked: Named, of: str, maker: str | None) -> Schema:
    spec = asked.spec
    if of == "handoff" and written_syntax(spec) is None:
        raise UsageError(_not_json(asked), "schema")
    if maker is None or maker == "draft-2020-12":
        return handoff_schema(spec) if of == "handoff" else fields_schema(spec)
    made = model_schema(spec, "handoff" if of == "handoff" else "fields", maker)
    if made.left_out:
        fields = ", ".join(made.left_out)
        print(
            f"handoff-lsp: note: left out, as schemas for {maker} cannot hold it: {printable(fields)}", file=sys.stderr
        )
    return made.schema


def _not_json(asked: Named) -> str:
    """The reason why a contract has no schema of a handoff as written, with what has one."""
    name = f"{asked.entry.name}@{asked.profile}"
    written = "a log" if asked.spec.is_log else "Markdown"
    others = [other for other in asked.entry.contract.profiles if written_syntax(asked.entry.spec(other)) is not None]
    also = f", or the profile {' or '.join(f'`{other}`' for other in others)}" if others else ""
    return f"handoffs of `{name}` are {written}, not JSON or YAML; use `--of fields`{also}"
