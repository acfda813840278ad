"""``handoff-lsp contract schema``: the JSON Schema of contract files."""

from __future__ import annotations

import argparse

from handoff_lsp.cli.output.utf8 import write_utf8
from handoff_lsp.cli.usage import CLEAN
from handoff_lsp.contracts.registry import schemas_folder

SCHEMA = "contract.schema.json"


def schema(arguments: argparse.Namespace) -> int:
    """Run the action. Returns the exit code."""
    path = schemas_folder() / SCHEMA
    write_utf8(f"{path}\n" if arguments.path else path.read_text(encoding="utf-8"))
    return CLEAN
