"""``handoff-lsp init``: write a config from the handoffs of a folder."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from handoff_lsp.cli.checking.statistics import kinds, rule_lines, top_rules
from handoff_lsp.cli.config.found import FoundHandoffs
from handoff_lsp.cli.config.text import config_text
from handoff_lsp.cli.new import check_place, write_file
from handoff_lsp.cli.printable import printable
from handoff_lsp.cli.run import Run
from handoff_lsp.cli.usage import CLEAN, FAILED, UsageError
from handoff_lsp.language import number_of
from handoff_lsp.reports.make import report_of
from handoff_lsp.workspace.config.config_file import OWN_NAME, config_in, find_config
from handoff_lsp.workspace.config.given import GivenSettings
from handoff_lsp.workspace.config.resolver import Resolver

# The most rules and contracts to list.
_MOST = 5


def init(arguments: argparse.Namespace) -> int:
    """Run the command. Returns the exit code."""
    folder = Path(os.path.abspath(arguments.folder))
    if not os.path.isdir(folder):
        raise UsageError(f"no such folder: {arguments.folder}", "init")
    path = folder / OWN_NAME
    shown = os.path.relpath(path)
    check_place(path, shown, "init", force=arguments.force)
    other = config_in(str(folder))
    if other is not None and Path(other) != path and not arguments.force:
        reason = f"a config beside it would take its place; write {shown} with --force"
        raise UsageError(f"{os.path.relpath(other)} has a table [tool.handoff-lsp], and {reason}", "init")
    # A config that will be overwritten does not count; a table in `pyproject.toml` stays, and so does one above.
    if other is not None and Path(other) != path:
        above: Path | None = Path(other)
    else:
        above = find_config(folder.parent) if folder.parent != folder else None
    resolver = _resolver(above, other)
    run, root = Run(resolver), resolver.root(folder / "_")
    found = FoundHandoffs(folder)
    for target in run.targets([str(folder)], None):
        analysis = run.analyze(target)
        if analysis is not None and target.path is not None:
            found.add(target.path, report_of(analysis, run.shown(target), fixes=False))
    if run.summary.broken:
        return FAILED
    profiles = found.profiles_that_change_nothing(run, lambda over: Run(_resolver(above, other, over)))
    extend = Path(os.path.relpath(above, folder)).as_posix() if above is not None else ""
    write_file(path, shown, config_text(found, profiles, extend), "init", force=arguments.force)
    lines = _lines(found, shown)
    if Resolver().root(folder / "_") != root:
        lines += ["", f"There is no git repository, so paths in handoffs now count from {arguments.folder}."]
    sys.stdout.write("".join(f"{printable(line)}\n" for line in lines))
    return CLEAN


def _resolver(above: Path | None, own: str | None, overrides: Mapping[str, Any] | None = None) -> Resolver:
    """The config as it was: that of the folder above, if the folder has one of its own that is to be overwritten."""
    if own is None:
        return Resolver(overrides=overrides)
    return Resolver(explicit=above, overrides=overrides, given=GivenSettings(isolated=above is None))


def _lines(found: FoundHandoffs, shown: str) -> list[str]:
    handoffs = sum(len(paths) for paths in found.places.values())
    lines = [f"Wrote {shown}. Found {number_of(handoffs, 'handoff')} in {number_of(found.files, 'file')}."]
    places = sorted(found.places.items(), key=lambda each: (-len(each[1]), each[0]))
    if places:
        name = max(len(contract) for contract, _ in places[:_MOST])
        lines += ["", *(f"  {contract:<{name}}  {len(paths):,}" for contract, paths in places[:_MOST])]
        if len(places) > _MOST:
            lines.append(f"  … and {len(places) - _MOST} more contracts, listed in the config")
    rows = top_rules(kinds(found.findings), _MOST)
    if rows:
        lines += ["", "Most findings are of:", *(f"  {line}" for line in rule_lines(rows))]
    return [
        *lines,
        "",
        "Next:",
        "  handoff-lsp check --statistics   all findings by rule",
        "  handoff-lsp config show FILE     the settings of a file, and where each comes from",
        "  handoff-lsp explain RULE         the meaning of a rule",
    ]
