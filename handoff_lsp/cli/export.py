"""``handoff-lsp export``: a contract as instructions for a model, a template, an example or a page."""

from __future__ import annotations

import argparse
import sys

from handoff_lsp.cli.named import Named, named
from handoff_lsp.cli.new import resolver_for
from handoff_lsp.cli.output.utf8 import write_utf8
from handoff_lsp.cli.printable import printable
from handoff_lsp.cli.usage import CLEAN, FINDINGS
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.engine import Options
from handoff_lsp.features.new.prompt import prompt
from handoff_lsp.features.pages.contract_reference import contract_reference
from handoff_lsp.samples.example import example
from handoff_lsp.samples.new_handoff import new_handoff


def export(arguments: argparse.Namespace) -> int:
    """Run the command. Returns the exit code."""
    resolver = resolver_for(arguments, None)
    registry = resolver.registry(None)
    asked = named(registry, arguments.contract, "export")
    text, lacks = _export(registry, asked, arguments.form, resolver.options(None))
    write_utf8(text)
    if lacks:
        sys.stdout.flush()
        print(f"handoff-lsp: note: {printable(lacks)}", file=sys.stderr)
    return FINDINGS if lacks and arguments.form == "example" else CLEAN


def _export(registry: Registry, asked: Named, form: str, options: Options) -> tuple[str, str]:
    """The text, and what is wrong with it; empty for nothing."""
    entry, profile = asked
    match form:
        case "prompt":
            return prompt(registry, entry, profile), ""
        case "docs":
            return contract_reference(entry), ""
        case "example":
            return example(registry, entry, profile, options)
    made = new_handoff(registry, entry, profile, "template")
    return made.text, made.lacks
