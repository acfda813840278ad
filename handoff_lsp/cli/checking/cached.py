"""The checked documents of a run, from the cache where it has them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from handoff_lsp.cli.checking.ahead import Ahead
from handoff_lsp.cli.checking.checked import Checked, ReportParts
from handoff_lsp.cli.run import Input, Run
from handoff_lsp.reports.report import Report
from handoff_lsp.workspace.memo import Reads

if TYPE_CHECKING:
    import argparse

    from handoff_lsp.cli.checking.cache import Cache

ENVIRONMENT = "HANDOFF_LSP_CACHE_DIR"

# For fewer inputs than this, opening the cache takes longer than it saves.
FEWEST = 10


def cache_folder(arguments: argparse.Namespace) -> Path | None:
    """The folder of the cache: the one given, else that of the environment, else the user's; None without any.

    An empty name, as from an unset variable, is ignored.
    """
    if arguments.no_cache:
        return None
    named = arguments.cache_dir or os.environ.get(ENVIRONMENT)
    if named:
        return Path(os.path.abspath(named))
    if sys.platform == "win32":
        above = os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        above = os.path.expanduser("~/Library/Caches")
    else:
        above = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(above, "handoff-lsp") if os.path.isabs(above) else None  # relative: there is no home


def cached(run: Run, targets: Sequence[Input], folder: Path | None, wanted: ReportParts) -> Iterator[Checked]:
    """The documents of a run, each as soon as it is checked. ``folder`` is that of the cache, None for no cache.

    In a long run, other processes make the reports that the cache does not have.
    """
    cache = run.cache_in(folder, wanted) if folder is not None and len(targets) >= FEWEST else None
    ahead = Ahead(run, targets, cache.lasting if cache is not None else None, wanted)
    try:
        for number, target in enumerate(run.progress.over(targets)):
            text = run.read(target)
            report = _report(run, number, target, text, cache, ahead, wanted) if text is not None else None
            if text is not None and report is not None:
                yield Checked(target, report, text)
    finally:
        ahead.close()
        if cache is not None:
            cache.close()


def _report(
    run: Run, number: int, target: Input, text: str, cache: Cache | None, ahead: Ahead, wanted: ReportParts
) -> Report | None:
    path, shown = target.path if not target.stdin else None, run.shown(target)
    key = cache.key(path, shown, text) if cache is not None and path is not None else ""
    if cache is not None and path is not None:
        known = cache.get(path, key)
        if known is not None:
            ahead.skip()
            return known
    proposal = ahead.get(number, text)
    if proposal is not None:
        report, asked = proposal
    else:
        from handoff_lsp.reports.make import report_of  # not before a document is checked

        reads = Reads()
        analysis = run.analysis(target, text, reads)
        if analysis is None:
            return None
        report = report_of(analysis, shown, **wanted._asdict())
        asked = cache.lasting.written(reads) if cache is not None and path is not None else None
    # The config may have changed meanwhile.
    if cache is not None and path is not None and asked is not None and cache.key(path, shown, text) == key:
        cache.put(path, key, report, asked)
    return report
