"""Fingerprints of findings: the same while a finding stays, wherever its line moves in the file."""

from __future__ import annotations

from collections import Counter

from handoff_lsp.cli.output.format import Document
from handoff_lsp.reports.report import Finding
from handoff_lsp.text.digest import sha256_of


class Fingerprints:
    """Fingerprints for one run. Equal findings on equal lines of a file are numbered in their order."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def of(self, finding: Finding, document: Document | None) -> str:
        """The fingerprint of a finding: 64 hexadecimal digits. A problem of a config has no ``document``."""
        line = document.source.lines.line_text(finding.line - 1) if document is not None else finding.message
        return self.of_parts(finding.path, finding.rule, finding.check, finding.contract, finding.field, line)

    def of_parts(self, *parts: str | None) -> str:
        """The fingerprint of a thing with these parts; blanks in them do not count."""
        text = "\0".join(" ".join((part or "").split()) for part in parts)
        self._seen[text] += 1
        return sha256_of(f"{text}\0{self._seen[text]}")
