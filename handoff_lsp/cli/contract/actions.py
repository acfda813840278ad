"""``handoff-lsp contract``: finds the action to run."""

from __future__ import annotations

import argparse
from collections.abc import Callable


def run(arguments: argparse.Namespace) -> int:
    """Run the action. Returns the exit code."""
    return _ACTIONS[arguments.action](arguments)


def _test(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.contract.test import test

    return test(arguments)


def _learn(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.contract.learn import learn_contract

    return learn_contract(arguments)


def _new(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.contract.new import new

    return new(arguments)


def _lint(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.contract.lint import lint

    return lint(arguments)


def _migrate(arguments: argparse.Namespace) -> int:
    from handoff_lsp.cli.contract.migrate import migrate_contracts

    return migrate_contracts(arguments)


_ACTIONS: dict[str, Callable[[argparse.Namespace], int]] = {
    "learn": _learn,
    "new": _new,
    "lint": _lint,
    "test": _test,
    "migrate": _migrate,
}
