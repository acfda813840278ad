"""The evidence for and against a handoff agrees with detection, on every document of the cases."""

from __future__ import annotations

import pytest
from case_files import Case, read_cases

from handoff_lsp.contracts.registry import ContractEntry, builtin
from handoff_lsp.features.doctor.words import lacks_of
from handoff_lsp.recognition.detect import detect, evidence_of, read_modeline
from handoff_lsp.recognition.evidence import Evidence
from handoff_lsp.recognition.files import file_evidence, find_files
from handoff_lsp.recognition.paths import is_data_file
from handoff_lsp.syntax.json.parse import parse_json
from handoff_lsp.syntax.markdown.incremental import parse_markdown
from handoff_lsp.text import Source

CASES = [case for case in read_cases() if read_modeline(parse_markdown(Source(case.text))) is None]
MARKDOWN = [case for case in CASES if not is_data_file(case.path)]
FILES = [case for case in CASES if is_data_file(case.path)]


def _ids(case: Case) -> str:
    return case.name


def of_document(case: Case, entry: ContractEntry) -> tuple[list[Evidence], set[str]]:
    """The evidence for a contract, and the forms in which it was found."""
    tree = parse_markdown(Source(case.text))
    return list(evidence_of(tree, case.path, entry)), {
        each.form for each in detect(tree, case.path, builtin()) if each.entry is entry
    }


@pytest.mark.parametrize("case", MARKDOWN, ids=_ids)
def test_only_of_a_handoff_nothing_is_said_to_be_missing(case: Case) -> None:
    for entry in builtin():
        run = entry.contract.run
        found, forms = of_document(case, entry)
        enough = {each.form for each in found if not lacks_of(each)}
        # Lines outside a fence are recognized by the keys that the fence would need.
        named = run is None or bool(run.opening_field or run.comment)
        assert forms - ({"run"} if named else set()) <= enough, entry.name
        # A part of a handoff is no handoff itself, and if a fence has the tag, fences without it are ignored.
        enough -= {each.form for each in found if each.decided}  # which may be the fence of another contract
        assert enough <= forms or forms, (entry.name, [lacks_of(each) for each in found])


@pytest.mark.parametrize("case", FILES, ids=_ids)
def test_of_a_file_just_as_well(case: Case) -> None:
    text = case.text
    tree = parse_json(text) if ".json" in case.path else None
    found = {each.entry.name for each in find_files(Source(text), case.path, builtin())}
    forms = ((entry, entry.contract.file) for entry in builtin())
    evidence = [
        file_evidence(text, tree, case.path, entry, form)
        for entry, form in forms
        if form is not None and (form.syntax == "json") == (tree is not None)
    ]
    assert found <= {each.entry.name for each in evidence if not lacks_of(each)}


def test_the_places_of_signs_are_their_lines() -> None:
    text = (
        "# Login — Handoff from Developer\n\n## Status reason\nno\n\n## Abstract\noutcome: x\nverdict: n/a\nfiles: 1\n"
    )
    tree = parse_markdown(Source(text))
    (found,) = evidence_of(tree, "handoffs/x.md", builtin()["status-block"])
    places = {each.sign.has or ("title" if each.sign.title else "path"): each.span for each in found.seen}
    lines = {name: tree.source.lines.line_of(span.start) if span is not None else None for name, span in places.items()}
    assert lines == {"title": 0, "path": None, "status_reason": 2, "abstract": 5}
    assert found.weight == 4 + 2 + 2 + 3
    assert found.text_weight == 4 + 2 + 3
