"""The words of a finding beside its message, the same in every format."""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.cli.printable import printable
from handoff_lsp.language import say
from handoff_lsp.reports.report import Finding

# Names for files without an answer, where a format wants a rule's name: one that was named, one that a walk found.
NOT_CHECKED = "not-checked"
SKIPPED = "skipped"


def remarks(finding: Finding) -> Iterator[tuple[str, str]]:
    """The note and the help of a finding, as far as it has them, each with its label."""
    if finding.note:
        yield say("note"), finding.note
    if finding.help:
        yield say("unsafe fix") if finding.fixable == "unsafe" else say("help"), finding.help


def paragraphs(finding: Finding) -> list[str]:
    """The message, the places in other documents, the note and the help, each as one printable line."""
    elsewhere = (each for each in finding.related if each.path != finding.path)
    return [
        printable(finding.message),
        *(printable(f"{each.path}:{each.range.start.line}: {each.message}") for each in elsewhere),
        *(printable(f"{label}: {text}") for label, text in remarks(finding)),
    ]
