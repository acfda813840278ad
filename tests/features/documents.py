"""Documents with a cursor (``‸``) for the tests of the features, and the calls of the features."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.features.completion.complete import CompletionItem, complete
from handoff_lsp.features.context import Context
from handoff_lsp.features.pages.hover import hover
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text import Edit, Source, apply_edits
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.project import Project
from handoff_lsp.workspace.store import Workspace

CURSOR = "‸"


def split(marked: str) -> tuple[str, int]:
    """A text without its cursor, and the cursor's offset."""
    offset = marked.index(CURSOR)
    return marked[:offset] + marked[offset + 1 :], offset


def analysed(text: str, path: str = "report.md", options: Options | None = None) -> Analysis:
    """A text as the engine sees it."""
    return analyze(Source(text), path, builtin(), options or Options())


def context_of(
    analysis: Analysis, full: str = "", project: Project | None = None, clock: Callable[[], datetime] | None = None
) -> Context:
    """The context of a feature, under the contracts of its analysis; without a project there are no other documents."""
    project = Workspace(Resolver()).project if project is None else project
    clocks = {} if clock is None else {"clock": clock}
    return Context(analysis=analysis, registry=analysis.registry, project=project, full=full, **clocks)


EMPTY = context_of(analysed(""))


def completions(
    marked: str, path: str = "report.md", options: Options | None = None, **around: Any
) -> list[CompletionItem]:
    """The completions at the cursor; fails for an item that an editor cannot apply."""
    text, offset = split(marked)
    items = complete(context_of(analysed(text, path, options), **around), offset)
    lines = Source(text).lines
    for item in items:
        assert item.edit.span.holds(offset), f"{item} does not hold the cursor"
        assert lines.line_of(item.edit.span.start) == lines.line_of(item.edit.span.end), f"{item} is on several lines"
        lines_of_it = item.edit.text.replace("\r\n", "\n").split("\n")
        assert all(line == line.rstrip() for line in lines_of_it[:-1]), f"{item} leaves blanks at the end of a line"
    assert [item.sort for item in items] == sorted(item.sort for item in items)
    assert sum(item.preselect for item in items) <= 1
    return items


def labels(marked: str, path: str = "report.md") -> list[str]:
    """The labels of the completions."""
    return [item.label for item in completions(marked, path)]


def completed(marked: str, label: str, path: str = "report.md", options: Options | None = None, **around: Any) -> str:
    """The text after a client without snippets has accepted the item with a label."""
    text, _ = split(marked)
    item = item_with(completions(marked, path, options, **around), label)
    return apply_edits(text, [item.edit, *item.more])


def expanded(marked: str, label: str) -> str:
    """The text after a client with snippets, which adds the indentation of the line, has accepted the item."""
    text, _ = split(marked)
    edit = item_with(completions(marked), label).edit
    assert edit.snippet is not None
    line = text[: edit.span.start].rpartition("\n")[2]
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    return apply_edits(text, [Edit(edit.span, edit.snippet.replace("\n", f"\n{indent}"))])


def item_with(items: list[CompletionItem], label: str) -> CompletionItem:
    """The item with a label."""
    found = [item for item in items if item.label == label]
    assert len(found) == 1, f"{label!r} is not one of {[item.label for item in items]}"
    return found[0]


def hovered(marked: str, path: str = "report.md") -> tuple[str, str]:
    """The text of a hover's range, and its page; empty without one."""
    text, offset = split(marked)
    found = hover(context_of(analysed(text, path)), offset)
    return ("", "") if found is None else (found.span.of(text), found.markdown)


def finding(analysis: Analysis, code: str, field: str | None = None) -> Finding:
    """The first finding of a rule, about a field if one is named."""
    found = [item for item in analysis.findings if item.code == code and field in (None, item.field)]
    assert found, f"no {code} about {field} in {list(analysis.findings)}"
    return found[0]


def markdown(
    status: str = "complete",
    abstract: str = "outcome: it works\nverdict: n/a",
    rest: str = "",
    title: str = "Developer",
) -> str:
    """A Markdown handoff."""
    return (
        f"# Login — Handoff from {title}\n\n## Status\n\n{status}\n\n## Status reason\n\n"
        f"## Abstract\n\n```yaml\n{abstract}\n```\n\n{rest}"
    )


def handoff(json: str) -> str:
    """A fence with JSON."""
    return f"Report 検証 🙂\n\n```agent_contract_handoff\n{json}\n```\n"


ONE_LINE = (
    '{"agent_status": {"plan_status": "COMPLETE"}, "evidence_report": {"files_checked": ["a"]}, "approval_request": {}}'
)

# Every kind of trouble, in both contracts and all profiles.
SAMPLES: dict[str, str] = {
    "empty": "",
    "blank": "\n\n",
    "ordinary": "# Readme\n\nSome text, `code`, and a list:\n\n- one\n- two\n\n## Status\n\nAccepted\n",
    "title only": "# Login — Handoff from Developer",
    "title and text": "# Login — Handoff from Developer\n\nWe did it.\n",
    "sound": markdown(
        abstract=(
            "outcome: x\nverdict: n/a\nfiles: 1 created, 0 modified, 0 deleted\nnext_phase: tester\nopen_questions: 0"
        ),
        rest="## Iteration\n\niter 1\n\n## Files Created\n\n- a.py\n\n## Files Modified\n\n"
        "## Quality-Gate Results\n\nok\n\n## DoD coverage\n\n- ✓ it works\n",
    ),
    "status missing": "# Login — Handoff from Developer\n\n## Files Created\n\n- a\n\n## DoD coverage\n\n- ✓ a\n",
    "front matter": "---\nrole: developer\n---\n\n# Login — Handoff from Developer\n\n## Files Created\n\n- a\n",
    "front matter, no title": "---\nrole: x\n---\n## Status reason\n\n## Files Created\n- a\n\n## DoD coverage\n",
    "no title": "## Status reason\n\nbroken\n\n## Abstract\n\noutcome: x\nverdict: n/a\nfiles: 1 created\n",
    "no newline": "# Login — Handoff from Developer\n\n## Status\n\nblocked",
    "wrong values": markdown("DONE ✅", "outcome: x\nverdict: LGTM\nfiles: two\nopen_questions: many"),
    "placeholders": markdown(
        "complete | blocked | failed | incomplete", "outcome: <what>\nverdict: n/a\nfiles: 1 created, 2 modified"
    ),
    "counts": markdown(
        "blocked",
        "outcome: 日本語\nverdict: n/a\nfiles: 3 created, 0 modified, 0 deleted\nnext_phase: x\nopen_questions: 4",
        "## Files Created\n\n- a\n\n## Open Questions\n\n- why?\n",
    ),
    "bold labels": (
        "# Login — Handoff from Reviewer\n\n**Status**: done\n\n## Abstract\n\n**outcome**: x\n**verdict**: BLOCKED\n"
    ),
    "list labels": (
        "# Login — Handoff from Tester\n\n## Status: complete\n\n## Abstract\n\n- outcome: x\n- verdict: n/a\n"
    ),
    "empty abstract": (
        "# Login — Handoff from Tester\n\n## Status\n\n## Status reason\n\nno reason\n\n## Abstract\n\nprose only\n"
    ),
    "dod-checker": (
        "# DoD-checker handoff\n\n## Status\n\ncomplete\n\n## Verdict\n\nBLOCKED\n\n## Verified rows\n\n- ✗ a\n"
    ),
    "suppressed": (
        "<!-- handoff: status-block -->\n<!-- handoff-ignore-file: missing-section, nothing -->\n\n## Status\n\ndone\n"
    ),
    "template": (
        "# {Feature} — Handoff from {Role}\n\n## Status\n\n"
        "complete | blocked\n\n## Abstract\n\n```yaml\noutcome: <x>\n```\n"
    ),
    "unclosed yaml": (
        "# Login — Handoff from Developer\n\n## Status\n\ncomplete\n\n## Abstract\n\n```yaml\noutcome: x\n"
    ),
    "unknown contract": "<!-- handoff: status-blok -->\n\ntext\n",
    "json: empty": handoff("{}"),
    "json: empty lines": handoff("{\n}"),
    "json: nothing": handoff(""),
    "json: one line": handoff(ONE_LINE),
    "json: seed": handoff('{\n  "agent_status": {\n    "plan_status": "DONE",\n    "agent_id": "ab12345"\n  }\n}'),
    "json: head": handoff(
        '{\n\t"agent_status": {\n\t\t"agent_state": "complete",\n\t\t"agent_id": "a1",\n\t\t"next_action": "x"\n\t},\n'
        '\t"evidence_report": {"verification": {"type": "command"}},\n\t"foo": 1\n}'
    ),
    "json: wrong profile": handoff('{\n  "agent_status": {"plan_status": "NEEDS_INPUT"},\n  "work_phase": "x"\n}'),
    "json: many defects": handoff(
        '{\n  // comment\n  \'agent_status\': {\n    plan_status: "COMPLETE",\n    "agent_id": "ab12345"\n'
        '    "pending_steps": None,\n    "next_action": "x",\n  },\n}'
    ),
    "json: half typed": handoff(
        '{\n  "agent_status": {\n    "plan_st\n  },\n  "evidence_report": {\n    "files_checked": ["a", \n  }\n'
    ),
    "json: items": handoff(
        "{\n"
        '  "agent_status": {"plan_status": "BLOCKED", "agent_id": "ab12345", "pending_steps": "x", "next_action": "y"}'
        ',\n  "memorialize_suggestions": [{"type": "atoms"}, {}],\n'
        '  "update_contracts": [\n    {\n      "contract": "x"\n    }\n  ]\n}'
    ),
    "json: yaml": handoff("agent_status:\n  plan_status: COMPLETE\n  agent_id: ab12345\n  next_action: done"),
    "json: unclosed": '```agent_contract_handoff\n{"agent_status": {"plan_status": "COMPLETE"}} trailing\n\ntext\n',
    "json: unclosed in a list": '- item\n\n  ```agent_contract_handoff\n  {\n    "agent_status": {}\n  }\n',
    "json: in a quote": (
        '> ```agent_contract_handoff\n> {\n>   "agent_status": {\n>     "plan_status": "COMPLETE"\n>   }\n> }\n> ```\n'
    ),
    "json: in a list": '- item\n\n  ```agent-contract-handoff\n  {\n    "agent_status": {\n    }\n  }\n  ```\n',
    "json: yaml in a quote": "> ```agent_contract_handoff\n> agent_status:\n>   plan_status: COMPLETE\n> ```\n",
    "json: wrong fence": (
        '~~~json\n{"agent_status": {"plan_status": "COMPLETE", "agent_id": "ab12345", "next_action": "x"}}\n~~~\n'
    ),
    "json: duplicates": handoff(
        '{"agent_status": {}, "agent_status": {"plan_status": "COMPLETE", "plan_status": "BLOCKED"}}'
    ),
    "json: two blocks": handoff('{"agent_status": {"plan_status": "COMPLETE"}}')
    + handoff('{"agent_status": {"plan_status": "BLOCKED"}}'),
}


def with_line_ends(eol: str) -> dict[str, str]:
    """The samples with another line ending."""
    return {name: text.replace("\n", eol) for name, text in SAMPLES.items()}
