"""An agent of which nothing is known owes nothing, whatever it returns."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import SHARED
from workspace.agents.narratives import narratives

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import analyze
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text import Source
from handoff_lsp.workspace.config.resolver import Resolver

# Definitions in the shapes of public packs, in words of our own: none asks for a handoff of a contract.
DEFINITIONS = {
    "reviewer": "You review code.\n\n## Output\n\nReturn the issues by severity:\n\n```\n[HIGH] file:line text\n```\n",
    "developer": "You write code.\n\n## Communication Protocol\n\nReport progress:\n\n"
    '```json\n{"agent": "developer", "status": "working", "progress": {"done": ["api"], "tests": 12}}\n```\n\n'
    "Delivery: say what was built, and hand off to the reviewer.\n",
    "architect": "# Architect\n\n## Handoff\n\nEnd with a summary, the status of the work, risks and next steps.\n",
    "tester": "Runs tests.\n\n## Output format\n\n```markdown\n## Tests\n- Status: passed/failed\n- Count: N\n```\n",
    "planner": '# Planner\n\nReturn JSON:\n\n```json\n{"tasks": [], "status": "ok", "summary": "…"}\n```\n',
    "writer": "あなたは文書を書く。最後に要約を返す。\n",
    "flow": "You are the orchestrator. Read the AGENT_RESULT block of each agent.\n",
}
# Agents that programs have built in, or whose names a contract knows of another pack.
OTHERS = ["general-purpose", "Explore", "Plan", "worker", "code-reviewer", "plugin:docs-writer", "", "機能"]


@pytest.fixture(scope="module")
def wild() -> Path:
    folder = SHARED / "wild"
    if not folder.is_dir():
        pytest.skip("no real files: ../shared/wild is not beside this clone")
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / ".claude" / "agents"
    folder.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    for name, text in DEFINITIONS.items():
        (folder / f"{name}.md").write_text(f"---\nname: {name}\ndescription: …\n---\n\n{text}", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("agent", [*DEFINITIONS, *OTHERS])
def test_an_agent_whose_definition_asks_for_no_handoff_owes_none(root: Path, agent: str) -> None:
    in_message = [one for one in Resolver().agents.owed_by(agent, root / "x.md") if one.in_message]
    assert in_message == []


def test_five_hundred_narratives_have_no_findings() -> None:
    texts = list(narratives(500, seed=18))
    assert len(set(texts)) == 500
    found = [(text, item.code) for text in texts for item in _findings(text)]
    assert found == []


def test_the_files_of_real_projects_as_messages_have_no_finding_about_what_is_owed(wild: Path) -> None:
    of_returns = {code for code, rule in all_rules().items() if rule.of_return is not None}
    files = [path for path in sorted(wild.rglob("*.md")) if path.stat().st_size < 100_000]
    assert len(files) > 100
    found = [
        (path, item.code)
        for path in files[::4]
        for item in _findings(path.read_text(encoding="utf-8"))
        if item.code in of_returns
    ]
    assert found == []


def _findings(text: str) -> tuple[Finding, ...]:
    options = Resolver().options(None)
    return analyze(Source(text), "", builtin(), options).findings
