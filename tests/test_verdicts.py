"""Agreement with gentle-ai's own parser on verify results and remediations.

Its answers for 800 documents are recorded in ``tests/conformance/gentle-ai-*.jsonl``. A second reader of our own
reproduces all of them, and is the reference for random documents. ``HANDOFF_LSP_VERDICTS`` names a folder with other
recorded documents, ``*.jsonl`` each.
"""

from __future__ import annotations

import json
import os
import posixpath
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from case_files import Beside
from conformance.gentle_ai import Refused, admit, complete
from conformance.gentle_ai_documents import PATHS, document

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Options, analyze
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text import Source

FOLDER = Path(os.environ.get("HANDOFF_LSP_VERDICTS", Path(__file__).parent / "conformance"))
CONTRACTS = {"verify-result", "remediation-result", "remediation-evidence"}
GENERATED = 1_500

# The intended differences: the change to a generated document, and the reason.
DIFFERENCES: dict[str, str] = {}


def recorded(kind: str) -> Iterator[dict[str, Any]]:
    for path in sorted(FOLDER.glob(f"*{kind}*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def accepts(kind: str, path: str, text: str, files: Mapping[str, str]) -> bool:
    """The second reader's verdict."""
    if kind == "remediation":
        return complete(text)
    try:
        admit(text, files, posixpath.dirname(path))
    except Refused:
        return False
    return True


def errors(path: str, text: str, files: Mapping[str, str]) -> list[Finding]:
    """The errors that handoff-lsp finds in a result or its evidence."""
    analysis = analyze(Source(text), path, builtin(), Options(), around=Beside(path, files))
    return [
        finding
        for finding in analysis.findings
        if finding.severity == "error" and finding.handoff is not None and finding.handoff.spec.name in CONTRACTS
    ]


@pytest.mark.parametrize("kind", ["verify", "remediation"])
def test_the_second_reader_answers_as_upstream_did(kind: str) -> None:
    rows = list(recorded(kind))
    wrong = [
        row["id"] for row in rows if accepts(kind, row["path"], row["text"], row.get("files", {})) != row["accepted"]
    ]
    assert rows and not wrong


@pytest.mark.parametrize("kind", ["verify", "remediation"])
def test_an_error_is_found_where_upstream_refuses_and_only_there(kind: str) -> None:
    rows = list(recorded(kind))
    wrong = [
        (row["id"], row.get("reason"), found)
        for row in rows
        if bool(found := errors(row["path"], row["text"], row.get("files", {}))) == row["accepted"]
    ]
    assert len(wrong) <= 0.01 * len(rows), wrong


@pytest.mark.parametrize("kind", ["verify", "remediation"])
def test_an_error_is_found_in_generated_documents_that_the_second_reader_refuses(kind: str) -> None:
    path, wrong, taken = PATHS[kind], [], 0
    for seed in range(GENERATED):
        draft, text, done = document(kind, seed)
        accepted = accepts(kind, path, text, draft.files)
        taken += accepted
        if bool(errors(path, text, draft.files)) == accepted and not DIFFERENCES.keys() & set(done):
            wrong.append((seed, done, "taken" if accepted else "refused"))
    assert 0.1 * GENERATED < taken < 0.9 * GENERATED, taken
    assert len(wrong) <= 0.01 * GENERATED, (len(wrong), wrong[:20])
