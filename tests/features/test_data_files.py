"""Editor features on handoffs that are whole data files: JSON and logs, complete, cut anywhere, and empty."""

from __future__ import annotations

import pytest
from features.documents import EMPTY, context_of

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.features.actions.offered import each, fix_all, quick_fixes
from handoff_lsp.features.completion.complete import complete, resolve
from handoff_lsp.features.diagnostics import diagnostics
from handoff_lsp.features.pages.hover import hover
from handoff_lsp.text import Source, Span, apply_edits

STATUS = """{
  "agent_id": "worker-7f3c",
  "agent_type": "worker",
  "status": "Blocked",
  "success_criteria": {"type": "tests", },
  "progress": "5/4: Writing",
  "errors": [{"type": "outofscope"}],

}
"""
LOG = """2026-03-02T08:00:00Z [START] Task: tabs
2026-03-02T08:05:00Z [TEST] make test -- FAIL
2026-03-02 08:06:00 [COMMIT] tabs
2026-03-02T08:07:00Z [STATSU] running
2026-03-02T08:08:00Z [STATUS] asleep
"""
FILES = {".agent/status.json": STATUS, ".agent/activity.log": LOG}


def read(text: str, path: str) -> Analysis:
    return analyze(Source(text), path, builtin(), Options())


@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_every_feature_works_at_every_place_of_every_beginning(path: str, eol: str) -> None:
    text = FILES[path].replace("\n", eol)
    for length in (*range(0, len(text), 17), len(text)):
        analysis = read(text[:length], path)
        diagnostics(analysis)
        fix_all(analysis)
        for offset in range(length + 1):
            hover(context_of(analysis), offset)
            for action in each(quick_fixes(analysis, Span(offset, offset))):
                assert "<!--" not in "".join(edit.text for edit in action.edits)
            if offset % 5 == 0:
                for item in complete(context_of(analysis), offset):
                    assert "#" not in item.label
                    if item.key is not None:
                        resolve(item.key, EMPTY)


def test_fixing_everything_keeps_the_indent_and_finds_an_end() -> None:
    text = STATUS.replace("\n", "\r\n")
    for _ in range(4):
        action = fix_all(read(text, ".agent/status.json"))
        if action is None:
            break
        text = apply_edits(text, action.edits)
    assert action is None
    assert text.count("\n") == text.count("\r\n")
    assert '\r\n  "status": "blocked",\r\n  "success_criteria"' in text
    left = {finding.code for finding in read(text, ".agent/status.json").findings}
    assert left == {"invalid-value", "count-mismatch", "missing-field"}


def pages(path: str, *words: str) -> list[str]:
    text = FILES[path]
    shown = [hover(context_of(read(text, path)), text.index(word)) for word in words]
    return [page.markdown.split("\n")[0] if page is not None else "" for page in shown]


def test_pages_of_a_status_file() -> None:
    first = pages(".agent/status.json", "agent_id", "Blocked", "5/4", "outofscope")
    assert [page.split("`")[1] for page in first] == ["agent_id", "status", "progress", "errors[].type"]


def test_pages_of_a_log() -> None:
    first = pages(".agent/activity.log", "START", "STATSU", "asleep", "2026-03-02T08:05")
    assert [page.split("`")[1] for page in first] == ["START", "tag", "status", "time"]


@pytest.mark.parametrize("path", [*FILES, "package.json", "server.log"])
def test_nothing_of_markdown_is_offered_in_a_file_of_data(path: str) -> None:
    for text in ("", "\n", "# "):
        for item in complete(context_of(read(text, path)), len(text)):
            assert path in FILES
            assert "#" not in item.edit.text
            assert "```" not in item.edit.text


@pytest.mark.parametrize("text", ["", "\n", "\ufeff"])
@pytest.mark.parametrize("path", FILES)
def test_an_empty_file_begins_with_all_it_must_have(path: str, text: str) -> None:
    first = complete(context_of(read(text, path)), len(text))[0]
    done = apply_edits(text, [first.edit])
    assert len(read(done, path).handoffs) == 1, done
    assert {finding.code for finding in read(done, path).findings} <= {"placeholder-left", "file-disagreement"}


def test_a_status_file_of_which_little_is_typed() -> None:
    path = ".agent/status.json"
    assert complete(context_of(read("{", path)), 1)[0].label == "agent_id"
    assert complete(context_of(read('{"agent_id": "x", ', path)), 18)[0].label == "agent_type"
    assert complete(context_of(read('{"name": "somebody else\'s", ', path)), 28) == []
    assert complete(context_of(read("{", "status.json")), 1) == []
