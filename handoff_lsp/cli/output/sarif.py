"""SARIF 2.1.0, for code scanning and viewers: https://docs.oasis-open.org/sarif/sarif/v2.1.0/."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from handoff_lsp import __version__
from handoff_lsp.cli.output.fingerprint import Fingerprints
from handoff_lsp.cli.output.format import Document, Look
from handoff_lsp.cli.output.json import array
from handoff_lsp.cli.output.repository import Checkout
from handoff_lsp.cli.output.summary import Failed, Skipped, Summary
from handoff_lsp.cli.output.words import NOT_CHECKED, SKIPPED, paragraphs
from handoff_lsp.cli.printable import encodable, printable
from handoff_lsp.reports.data import json_line
from handoff_lsp.reports.report import Finding, Fix, Range
from handoff_lsp.rules.pages import SITE, page_of
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.rules.rule import Rule
from handoff_lsp.text.lazy import lazy_pattern

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_BASE = "%SRCROOT%"
_LEVELS = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}
_WHAT_IT_DOES = lazy_pattern(r"^## What it does\n(.*?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)
# The kinds of notifications about files without an answer.
_NOTIFICATIONS = {
    NOT_CHECKED: "A file could not be read or checked.",
    SKIPPED: "A file below a folder is no text, or could not be read.",
}


class Output:
    """Prints the log at the end of the run."""

    def __init__(self, write: Callable[[str], object], look: Look) -> None:
        self._write = write
        self._repository = Checkout()
        self._fingerprints = Fingerprints()
        self._files: list[str] = []
        self._results: list[str] = []
        self._rules: dict[str, int] = {}

    def document(self, document: Document) -> None:
        """Receive the results of one document. Each checked file is an artifact, also one without any."""
        report = document.report
        counts = {"handoffs": len(report.handoffs), "findings": len(report.findings)}
        location = self._artifact(report.path)
        self._files.append(json_line({"location": location, "roles": ["analysisTarget"], "properties": counts}))
        self._results += (json_line(self._result(finding, document)) for finding in report.findings)

    def finish(self, summary: Summary) -> None:
        """Print the log."""
        driver = {
            "name": "handoff-lsp",
            "semanticVersion": __version__,
            "informationUri": SITE,
            "rules": [_rule(all_rules()[code]) for code in self._rules],
            "notifications": [_descriptor(name, text, text) for name, text in _NOTIFICATIONS.items()],
        }
        invocation = {
            "executionSuccessful": not summary.broken,
            "toolExecutionNotifications": [
                *(self._notification(each, NOT_CHECKED, "error") for each in summary.failed),
                *(self._notification(each, SKIPPED, "note") for each in summary.skipped),
            ],
            "toolConfigurationNotifications": [self._problem(each) for each in summary.problems],
        }
        base = {"description": {"text": "The root of the repository, or the working folder of the run."}}
        parts = [
            f'"tool": {json_line({"driver": driver})}',
            f'"invocations": {json_line([invocation])}',
            f'"originalUriBaseIds": {json_line({_BASE: base})}',
            '"columnKind": "unicodeCodePoints"',
            f'"artifacts": {array(self._files)}',
            f'"results": {array(self._results)}',
        ]
        run = "{\n " + ",\n ".join(parts) + "\n}"
        self._write(f'{{"$schema": "{_SCHEMA}", "version": "2.1.0", "runs": [{run}]}}\n')

    def _result(self, finding: Finding, document: Document) -> dict[str, Any]:
        words = (finding.check, finding.contract, finding.profile, finding.field)
        about = dict(zip(("check", "contract", "profile", "field"), words, strict=True))
        result = {
            "ruleId": finding.rule,
            "ruleIndex": self._rules.setdefault(finding.rule, len(self._rules)),
            "level": _LEVELS[finding.severity],
            "message": _message("\n".join(paragraphs(finding))),
            "locations": [{"physicalLocation": self._place(finding.path, finding.range)}],
            "partialFingerprints": {"handoffLsp/v1": self._fingerprints.of(finding, document)},
            "properties": {name: encodable(word) for name, word in about.items() if word is not None},
        }
        if finding.related:
            result["relatedLocations"] = [
                {"id": number, "message": _message(printable(each.message))}
                | {"physicalLocation": self._place(each.path, each.range)}
                for number, each in enumerate(finding.related, 1)
            ]
        # A viewer applies a fix by one click, and need not know that only the author can decide about unsafe ones.
        if finding.fix is not None and finding.fix.safe:
            result["fixes"] = [self._fix(finding.path, finding.fix)]
        return result

    def _fix(self, path: str, fix: Fix) -> dict[str, Any]:
        replacements = [
            {"deletedRegion": _region(edit.range), "insertedContent": {"text": encodable(edit.text)}}
            for edit in fix.edits
        ]
        return {
            "description": _message(printable(fix.title)),
            "artifactChanges": [{"artifactLocation": self._artifact(path), "replacements": replacements}],
        }

    def _problem(self, problem: Finding) -> dict[str, Any]:
        """The notification of a problem of a config or a contract file."""
        return {
            "descriptor": {"id": problem.rule},
            "level": "error",
            "message": _message(printable(problem.message)),
            "locations": [{"physicalLocation": self._place(problem.path, problem.range)}],
        }

    def _notification(self, each: Failed | Skipped, kind: str, level: str) -> dict[str, Any]:
        """The notification of a file without an answer."""
        text = printable(f"{each.shown}: {each.reason}" if each.shown else each.reason)
        place = [{"physicalLocation": {"artifactLocation": self._artifact(each.shown)}}] if each.shown else []
        return {"descriptor": {"id": kind}, "level": level, "message": _message(text), "locations": place}

    def _place(self, path: str, range: Range) -> dict[str, Any]:
        return {"artifactLocation": self._artifact(path), "region": _region(range)}

    def _artifact(self, path: str) -> dict[str, str]:
        uri = self._repository.uri(path)
        return {"uri": uri} if uri.startswith("file:") else {"uri": uri, "uriBaseId": _BASE}


def _region(range: Range) -> dict[str, int]:
    start, end = range.start, range.end
    return {"startLine": start.line, "startColumn": start.column, "endLine": end.line, "endColumn": end.column}


def _message(text: str) -> dict[str, str]:
    """A message. `[text](target)` would be a link, which a document must not make."""
    return {"text": text.replace("](", "] (")}


def _rule(rule: Rule) -> dict[str, Any]:
    about = rule.doc.strip()
    found = _WHAT_IT_DOES.search(about)
    return {
        **_descriptor(rule.code, rule.summary, " ".join(found[1].split()) if found else rule.summary),
        "help": {"text": about, "markdown": about},
        "helpUri": page_of(rule.code),
        "defaultConfiguration": {"level": _LEVELS.get(rule.severity, "none")},
        "properties": {"tags": [rule.group]},
    }


def _descriptor(code: str, short: str, full: str) -> dict[str, Any]:
    name = "".join(word.capitalize() for word in code.split("-"))
    named = {"name": name} if name.lower() != code else {}  # the standard wants no name that says the same
    return {"id": code, **named, "shortDescription": {"text": short}, "fullDescription": {"text": full}}
