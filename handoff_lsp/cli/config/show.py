"""``handoff-lsp config show``: the settings that count for a file, and where each comes from."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from handoff_lsp.cli.checking.selection import check_severities, given_of
from handoff_lsp.cli.output.utf8 import write_utf8
from handoff_lsp.cli.printable import printable
from handoff_lsp.cli.run import Run
from handoff_lsp.cli.usage import CLEAN, FAILED
from handoff_lsp.features.doctor.settings import MatchingEntry, SettingSource, SettingsReport, settings_report
from handoff_lsp.reports.data import data_of, json_line
from handoff_lsp.workspace.config.resolver import Resolver


def show(arguments: argparse.Namespace) -> int:
    """Run the command. Returns the exit code."""
    resolver = Resolver(explicit=arguments.config, examples=arguments.examples, given=given_of(arguments))
    check_severities(arguments, resolver)
    path = Path(os.path.abspath(arguments.paths[0] if arguments.paths else "."))
    is_folder = os.path.isdir(path)
    place = path / "_" if is_folder else path
    if not Run(resolver).config_is_usable(place):
        return FAILED
    report = settings_report(resolver, place, is_folder=is_folder)
    if arguments.output_format == "json":
        data = data_of(report)
        data["path"] = str(path)
        write_utf8(json_line(data) + "\n")
    else:
        sys.stdout.write("".join(f"{printable(line)}\n" for line in _lines(report, path, is_folder=is_folder)))
    return CLEAN


def _lines(report: SettingsReport, path: Path, *, is_folder: bool) -> Iterator[str]:
    config = report.config
    yield _short(str(path)) + "/" * is_folder
    how = {"command line": "named on the command line", "settings": "", "search": "the nearest one upward"}[config.by]
    if config.path is not None:
        yield f"  config    {_short(config.path)}, {how}"
    else:
        yield f"  config    none{', by --isolated' if config.by == 'command line' else ' found'}"
    for base in config.extended:
        yield f"  extends   {_short(base)}"
    if not is_folder:
        yield f"  checked   {'no: ' + report.passed_over if report.passed_over else 'yes, with its folder'}"
        yield f"  contract  {report.contract or 'recognized in the text'}"
        yield f"  mode      {report.mode or 'recognized in the text'}"
    yield from _table("settings", [(each.key, _value(each.value), _origin(each.source)) for each in report.settings])
    rules = [
        (each.rule, each.severity + (f" (default: {each.default})" if each.default else ""), _origin(each.source))
        for each in report.rules
    ]
    yield from _table("rules", rules)
    yield from _table(
        "[[files]] that match", [(each.pattern, _of(each), _origin(each.source)) for each in report.entries]
    )
    if not is_folder:
        yield ""
        yield f"See `handoff-lsp doctor {_short(str(path))}` for the handoffs in it, and why they were recognized."


def _table(title: str, rows: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    if not rows:
        return
    first, second = (max(len(row[at]) for row in rows) for at in (0, 1))
    yield ""
    yield title
    for key, value, origin in rows:
        yield f"  {key:<{first}}  {value:<{second}}  {origin}"


def _origin(source: SettingSource) -> str:
    if source.path is None:
        return source.by
    return _short(source.path) + (f":{source.line}" if source.line is not None else "")


def _of(entry: MatchingEntry) -> str:
    decided = {key: value for key, value in entry.settings.items() if key != "rules"}
    words = [f"{key} = {_value(value)}" for key, value in decided.items()]
    words += [f"rules.{key} = {_value(value)}" for key, value in entry.settings.get("rules", {}).items()]
    return ", ".join(words)


def _value(value: Any) -> str:
    """A value as TOML has it, on one line."""
    return json.dumps(value, ensure_ascii=False)


def _short(path: str) -> str:
    """A path relative to the working folder if it is inside, else unchanged."""
    here = os.getcwd()
    return Path(path).relative_to(here).as_posix() if Path(path).is_relative_to(here) else path
