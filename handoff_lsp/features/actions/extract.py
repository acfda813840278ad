"""Writing a handoff to a JSON file beside its document: the object that `handoff-lsp parse` prints."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import PurePosixPath

from handoff_lsp.engine import Analysis
from handoff_lsp.features.actions.action import Action, Change, NewFile, chosen
from handoff_lsp.language import say
from handoff_lsp.reports.data import data_of, json_line
from handoff_lsp.reports.make import finding_of, handoff_of
from handoff_lsp.text import Span


def extractions(analysis: Analysis, span: Span, is_free: Callable[[str], bool]) -> Iterator[Action]:
    """The action that writes the handoff at ``span`` to a JSON file of its own, unless it is already one.

    ``is_free``: whether a file name is unused in the folder of the document.
    """
    stem = PurePosixPath(analysis.path).stem
    index, handoff = chosen(analysis, span) or (0, None)
    if (
        handoff is None
        or not stem
        or handoff.mode != "handoff"
        or (handoff.form == "file" and handoff.json is not None)
    ):
        return
    name = f"{stem}.handoff-{index + 1}.json" if len(analysis.handoffs) > 1 else f"{stem}.handoff.json"
    if is_free(name):
        make = partial(_file, analysis, index, name)
        yield Action(say("Extract to `{name}`", name=name), "refactor.extract.handoff", make, key=f"extract {index}")


def _file(analysis: Analysis, index: int, name: str) -> Change:
    handoff = analysis.handoffs[index]
    found = (finding for finding in analysis.findings if finding.handoff is handoff)
    findings = tuple(finding_of(analysis.source, finding, analysis.path) for finding in found)
    # The round trip replaces values that JSON cannot hold.
    data = json.loads(json_line(data_of(handoff_of(analysis.source, handoff, analysis.path, findings))))
    text = json.dumps(data, ensure_ascii=False, indent=2)
    return Change((), NewFile(name, text.encode("utf-8", "replace").decode() + "\n"))
