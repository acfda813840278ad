"""The checked documents of a run, from the cache where it has them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from handoff_lsp.cli.checking.checked import Checked, checked
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
    """The folder of the cache: the one given, else that of the environment, else the user's; None without any."""
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


def cached(run: Run, targets: Iterable[Input], folder: Path | None, *, fixes: bool) -> Iterator[Checked]:
    """The documents of a run, each as soon as it is checked. ``folder`` is that of the cache, None for no cache."""
    rest = iter(targets)
    targets = chain([first], rest) if (first := next(rest, None)) is not None else ()
    if folder is None or run.progress.total < FEWEST:  # known from the first one on
        yield from checked(run, targets, fixes=fixes)
        return
    cache = run.cache_in(folder, fixes=fixes)
    try:
        for target in targets:
            text = run.read(target)
            report = _report(run, target, text, cache, fixes=fixes) if text is not None else None
            if text is not None and report is not None:
                yield Checked(target, report, text)
    finally:
        cache.close()


def _report(run: Run, target: Input, text: str, cache: Cache, *, fixes: bool) -> Report | None:
    path, shown = target.path if not target.stdin else None, run.shown(target)
    key = cache.key(path, shown, text) if path is not None else ""
    known = cache.get(path, key) if path is not None else None
    if known is not None:
        return known
    from handoff_lsp.reports.make import report_of  # not before a document is checked

    reads = Reads()
    analysis = run.analysis(target, text, reads)
    if analysis is None:
        return None
    report = report_of(analysis, shown, fixes=fixes)
    if path is not None and cache.key(path, shown, text) == key:  # the config may have changed meanwhile
        cache.put(path, key, report, reads)
    return report
