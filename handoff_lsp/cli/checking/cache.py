"""The cache of ``check``: reports of earlier runs, used where everything that they depended on is the same.

It is outside the repository, in the user's folder of caches: no repository brings reports of its own.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from operator import gt
from pathlib import Path
from typing import Any

from handoff_lsp.cli.checking.cache_file import CacheFile, CacheRow
from handoff_lsp.cli.checking.checked import ReportParts
from handoff_lsp.contracts.registry import schemas_folder
from handoff_lsp.language import language
from handoff_lsp.reports.data import data_of, from_data
from handoff_lsp.reports.report import Finding, Report
from handoff_lsp.text.digest import text_digest
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.disk.installed import installed
from handoff_lsp.workspace.known_files import Files
from handoff_lsp.workspace.lasting import Asked, Lasting, digest_of

# The file of a root that was not used for so many days is dropped.
_KEPT_FOR = 90
_SUFFIX = ".sqlite"
_NAME_LENGTH = 32
_TAG = "Signature: 8a477f597d28d172789f06886806bc55\n# The cache of handoff-lsp. See https://bford.info/cachedir/\n"


class Cache:
    """The reports of earlier runs from one root, in a file of ``folder``. ``close`` writes the new ones."""

    def __init__(self, folder: Path, resolver: Resolver, files: Files, wanted: ReportParts) -> None:
        here = os.getcwd()
        root = resolver.root(Path(here) / "_") or here
        path = folder / f"{digest_of(str(root))}{_SUFFIX}"
        if not path.exists():
            _prepare(folder)
        self._file = CacheFile(path)
        self.lasting: Lasting = Lasting(files)  # writes the reads of reports
        self._wanted = wanted
        self._same = (_checker(), language(), here)
        self._seen: set[str] = set()

    def key(self, path: Path, shown: str, text: str) -> str:
        """What the report of a file depends on besides the files around it."""
        return digest_of((*self._same, shown, self.lasting.settings(path), text_digest(text)))

    def get(self, path: Path, key: str) -> Report | None:
        """The report of a file, if it is still valid."""
        self._seen.add(str(path))
        row = self._file.get(str(path))
        if row is None or row.key != key:
            return None
        try:
            has, asked, *data = json.loads(row.body.decode("utf-8", "surrogatepass"))
            has = ReportParts(*has)
            if any(map(gt, self._wanted, has)) or not self.lasting.hold(asked):
                return None
            report = _report(*data)
        except (ValueError, TypeError, LookupError, RecursionError):  # a row that another program wrote
            return None
        return report if self._wanted.fixes or not has.fixes else _without_fixes(report)

    def put(self, path: Path, key: str, report: Report, asked: list[Asked]) -> None:
        """Keep a new report, with its reads as ``lasting`` writes them. Not one that a failure of ours has changed."""
        if any(finding.rule == "internal-error" for finding in report.findings):
            return
        with suppress(ValueError, TypeError, LookupError, RecursionError):  # a value beyond JSON
            body = json.dumps([self._wanted, asked, *_data(report)], ensure_ascii=False)
            self._file.put(CacheRow(str(path), key, body.encode("utf-8", "surrogatepass")))

    def close(self) -> None:
        """Write what is new, and drop the files that are gone."""
        self._file.close(self._seen)


def _data(report: Report) -> tuple[Any, list[list[int]]]:
    """A report as data, the findings of its handoffs by their index."""
    index = {id(finding): number for number, finding in enumerate(report.findings)}
    of_handoffs = [[index[id(finding)] for finding in handoff.findings] for handoff in report.handoffs]
    return data_of(_with_findings(report, [()] * len(of_handoffs))), of_handoffs


def _report(data: Any, of_handoffs: list[list[int]]) -> Report:
    report = from_data(Report, data)
    return _with_findings(report, [[report.findings[number] for number in numbers] for numbers in of_handoffs])


def _with_findings(report: Report, of_handoffs: Sequence[Sequence[Finding]]) -> Report:
    pairs = zip(report.handoffs, of_handoffs, strict=True)
    return replace(report, handoffs=tuple(replace(handoff, findings=tuple(found)) for handoff, found in pairs))


def _without_fixes(report: Report) -> Report:
    """A report as it is without fixes."""

    def without(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        return tuple(replace(finding, fix=None, choices=()) for finding in findings)

    handoffs = tuple(replace(handoff, findings=without(handoff.findings)) for handoff in report.handoffs)
    return replace(report, handoffs=handoffs, findings=without(report.findings))


def _checker() -> str:
    """A digest of what does the checking: all that is installed, and the contracts, which a clone has elsewhere."""
    try:
        about = os.stat(schemas_folder() / "contracts.json")
    except OSError:
        return digest_of(installed())
    return digest_of((installed(), about.st_size, about.st_mtime_ns))


def _prepare(folder: Path) -> None:
    """Make the folder of the caches, mark it for backups and git, and drop the old ones in it.

    A folder that is not empty gets no marks: git would ignore the user's files in it.
    """
    oldest = time.time() - _KEPT_FOR * 86_400
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        marks = {"CACHEDIR.TAG": _TAG, ".gitignore": "*\n"} if not any(folder.iterdir()) else {}
        for name, text in marks.items():
            with suppress(FileExistsError), open(folder / name, "x", encoding="utf-8") as file:
                file.write(text)
        for path in folder.glob(f"*{_SUFFIX}"):
            if len(path.stem) == _NAME_LENGTH and path.stat().st_mtime < oldest:
                path.unlink()
