"""Completion in JSON that is broken in every way: an accepted item adds no defect, and repairs those it can."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from features.documents import analysed, completed, context_of, handoff

from handoff_lsp.features.completion.complete import complete
from handoff_lsp.syntax.json.parse import parse_json
from handoff_lsp.text import apply_edits
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.project import Project
from handoff_lsp.workspace.store import Workspace

REPORT = """{
  "agent_status": {
    "plan_status": "COMPLETE", "agent_id": "ab12345",
    "pending_steps": [],
    "next_action": "done 🙂"
  },
  "evidence_report": {
    "files_checked": ["src/a.py", "検証.md"],
    "verification": {"type": "command", "result": "pass"}
  },
  "update_contracts": [
    {"contract": "x", "payload": {"a": 1}},
    {
      "contract": "y"
    }
  ],
  "memorialize_suggestions": [{"type": "atom", "description": "d", "body": "b"}],
  "approval_request": null
}"""
STATUS = """{
  "agent_id": "worker-7f3c", "agent_type": "worker",
  "status": "blocked",
  "success_criteria": {"type": "tests", "passed": false},
  "errors": [{"type": "out_of_scope"}, {"x": 1}],
  "updated_at": "2026-01-01T00:00:00Z"
}
"""
DOCUMENTS = {
    "report": ("report.md", REPORT),
    "one line": ("report.md", re.sub(r"\s*\n\s*", " ", REPORT)),
    "status": (".agent/status.json", STATUS),
}
_WORD = re.compile(r'"?[\w./-]*"?,?')

# The damage to a sound document at an offset, and the place of the cursor in it.
BROKEN: dict[str, Callable[[str, int], tuple[str, int]]] = {
    "sound": lambda text, at: (text, at),
    "cut off": lambda text, at: (text[:at], at),
    "without a word": lambda text, at: (text[:at] + _WORD.sub("", text[at:], count=1), at),
    "without a character": lambda text, at: (text[:at] + text[at + 1 :], at),
    "with a quote": lambda text, at: (f'{text[:at]}"{text[at:]}', at + 1),
    "with a new line": lambda text, at: (f"{text[:at]}\n    \n{text[at:]}", at + 5),
}


def _faults(text: str) -> int:
    return sum(defect.fatal for defect in parse_json(text).defects)


@pytest.fixture(scope="module")
def around(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Project]:
    """A workspace with files to name."""
    root = tmp_path_factory.mktemp("workspace")
    (root / "src").mkdir()
    for name in ("src/a.py", "src/my file.py", "検証.md"):
        (root / name).write_text("", encoding="utf-8")
    workspace = Workspace(Resolver())
    workspace.set_folders([Path(root)])
    return str(root / "report.md"), workspace.project


@pytest.mark.parametrize("broken", BROKEN)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_nothing_that_is_taken_breaks_more(name: str, broken: str, around: tuple[str, Project]) -> None:
    path, sound = DOCUMENTS[name]
    head, tail = ("検証 🙂\n\n```agent_contract_handoff\n", "\n```\n") if path.endswith(".md") else ("", "")
    offered = 0
    for offset in range(0, len(sound) + 1, 3):
        body, at = BROKEN[broken](sound, offset)
        text = head + body + tail
        before = _faults(body)
        for item in complete(context_of(analysed(text, path), *around), len(head) + at):
            done = apply_edits(text, [item.edit, *item.more])
            after = _faults(done[len(head) : len(done) - len(tail)])
            assert after <= before, f"{item.label} makes {done!r} of {body[:at]!r} ‸ {body[at:]!r}"
            offered += 1
    assert offered > 100


@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize(
    ("before", "label", "after"),
    [
        ('{\n  "a": 1\n  ‸\n}', "memory_suggestions", '{\n  "a": 1,\n  "memory_suggestions": []\n}'),
        ('{\n  "a": 1 // 🙂\n  mem‸\n}', "memory_suggestions", '{\n  "a": 1, // 🙂\n  "memory_suggestions": []\n}'),
        ("{\n  ‸ // last\n}", "memory_suggestions", '{\n  "memory_suggestions": [] // last\n}'),
        (
            '{"agent_status": {"plan_status": ‸ "DONE"}}',
            "BLOCKED",
            '{"agent_status": {"plan_status": "BLOCKED"}}',
        ),
        (
            '{"update_contracts": [\n  {"contract": "x"}\n  ‸\n]}',
            "{…}",
            '{"update_contracts": [\n  {"contract": "x"},\n'
            '  {\n    "contract": "<contract>",\n    "payload": {}\n  }\n]}',
        ),
    ],
)
def test_commas(before: str, label: str, after: str, eol: str) -> None:
    assert completed(handoff(before).replace("\n", eol), label) == handoff(after).replace("\n", eol)
