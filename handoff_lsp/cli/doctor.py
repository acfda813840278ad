"""``handoff-lsp doctor``: the installation, the config in force, and the recognition of files with its reasons.

Imports none of our modules before it has checked this Python.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from handoff_lsp.cli.usage import CLEAN, FAILED, FINDINGS, STDIN
from handoff_lsp.reports.report import STDIN_SHOWN

if TYPE_CHECKING:
    from handoff_lsp.workspace.disk.files import UnreadableFile
    from handoff_lsp.workspace.store import OpenDocument

_OLDEST = (3, 11)


def doctor(arguments: argparse.Namespace) -> int:
    """Run the command. Returns the exit code."""
    if sys.version_info[:2] < _OLDEST:
        needed, found = (".".join(map(str, version)) for version in (_OLDEST, sys.version_info[:3]))
        print(f"handoff-lsp: error: Python {found} is too old: {needed} is needed ({sys.executable})", file=sys.stderr)
        return FAILED
    from dataclasses import replace

    from handoff_lsp.cli.run import check_stdin_filename
    from handoff_lsp.features.doctor.installation import document_at, examine, output_problems
    from handoff_lsp.workspace.config.resolver import Resolver
    from handoff_lsp.workspace.store import Workspace

    check_stdin_filename(arguments)
    workspace = Workspace(Resolver(explicit=arguments.config))
    given = [Path(os.path.abspath(path)) for path in arguments.paths or ["."] if path != STDIN]
    documents = [document_at(path) for path in given if not os.path.isdir(path)]
    if STDIN in arguments.paths:
        documents.append(_standard_input(arguments.stdin_filename))
    folders = [path / "_" for path in given if os.path.isdir(path)]
    report = examine(workspace, documents, folders, arguments.agents or ())
    report = replace(report, problems=(*output_problems(sys.stdout.encoding), *report.problems))
    if arguments.output_format == "json":
        from handoff_lsp.cli.output.utf8 import write_utf8
        from handoff_lsp.reports.data import json_line

        write_utf8(f"{json_line(report.as_data())}\n")
    else:
        from handoff_lsp.cli.explain import print_page
        from handoff_lsp.features.doctor.page import agents_page, page

        print_page(agents_page(report) if arguments.agents else page(report))
    if any(file.unreadable for file in report.files):
        return FAILED
    return FINDINGS if report.problems else CLEAN


def _standard_input(name: str | None) -> OpenDocument | UnreadableFile:
    from handoff_lsp.cli.run import read_stdin
    from handoff_lsp.workspace.disk.files import UnreadableFile, decode_text
    from handoff_lsp.workspace.store import OpenDocument

    path = Path(os.path.abspath(name)) if name else None
    try:
        return OpenDocument(name or "", path, None, decode_text(path or Path(STDIN_SHOWN), read_stdin()))
    except UnreadableFile as error:
        return error
