"""``handoff-lsp contract``: finds the action to run."""

from __future__ import annotations

import argparse


def run(arguments: argparse.Namespace) -> int:
    """Run the action. Returns the exit code."""
    from handoff_lsp.cli.contract.test import test

    return {"test": test}[arguments.action](arguments)
