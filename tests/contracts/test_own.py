"""Contracts of a user's own: the defects that the first ones met."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from handoff_lsp.cli.main import main

_HEAD = """contract: {name}
title: {title}
about: One of our own.
source: our own
status: {status}
unread: the lead passes over it
default_profile: only
profiles: {{only: {{about: The only one.}}}}
"""


class Own:
    """A workspace with contracts of its own."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root, self._capsys = root, capsys

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def contract(self, name: str, body: str, status: str = "state") -> None:
        head = _HEAD.format(name=name, title=name.capitalize(), status=status)
        routing = "" if "\nrouting:" in body else "routing:\n  - {action: ask, reason: Ask.}\n"
        self.write(f"contracts/{name}.yaml", head + body + routing)
        self.write(".handoff-lsp.toml", 'contract-files = ["contracts/*.yaml"]\n')

    def run(self, *arguments: str) -> tuple[int, str, str]:
        code = main(list(arguments))
        out, err = self._capsys.readouterr()
        return code, out, err

    def findings(self, path: str) -> list[dict[str, Any]]:
        _, out, err = self.run("check", "--output-format", "json", path)
        assert not err, err
        return json.loads(out)["findings"]

    def found(self, path: str) -> list[tuple[str, str]]:
        return [(one["rule"], one["field"]) for one in self.findings(path)]


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Own:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return Own(tmp_path, capsys)


TASK = """file: {syntax: json, path: 'tasks/[^/]+\\.task\\.json$'}
definitions:
  tasks: {files: ['tasks/*.task.json'], suffixes: ['.task'], about: task}
fields:
  id: {type: line, required: true, names: tasks, introduces: true, about: The task.}
  state: {type: enum, required: true, about: Where it is., values: [{value: ready, about: Ready.}]}
  after: {type: list, items: {type: line, names: tasks}, about: Before it.}
"""


def test_a_name_with_an_ending_is_defined(own: Own) -> None:
    own.contract("task", TASK)
    own.write("tasks/build.task.json", '{"id": "build", "state": "ready"}')
    own.write("tasks/ship.task.json", '{"id": "ship", "state": "ready", "after": ["build", "Build.task", "biuld"]}')
    assert own.findings("tasks/build.task.json") == []
    (found,) = own.findings("tasks/ship.task.json")
    assert (found["rule"], found["field"]) == ("file-disagreement", "after[2]")
    assert (found["message"], found["help"]) == ("No task `biuld` is defined in tasks", "Change to `build`")


DECISION = """section: {title: '^Decision', holds: [state], labels: true}
definitions:
  decisions: {files: ['docs/ADR-*.md'], about: decision}
fields:
  state: {title: State, type: enum, carriers: [bold-label], about: It., values: [{value: taken, about: It.}]}
  replaces: {title: Replaces, type: line, carriers: [bold-label], names: decisions, about: The one before it.,
    naming: ['(?P<name>ADR-\\d{4})']}
"""


def test_only_the_names_in_a_value_are_looked_up(own: Own) -> None:
    own.contract("decision", DECISION)
    own.write("docs/ADR-0001.md", "# One\n")
    own.write("a.md", "## Decision\n\n- **State:** taken\n- **Replaces:** [ADR-0001](docs/ADR-0001.md), and ADR-0007\n")
    (found,) = own.findings("a.md")
    assert "No decision `ADR-0007` is defined in docs" in found["message"]
    assert found["range"]["start"] == {"line": 4, "column": 51}


def test_a_name_is_a_part_of_a_file_name(own: Own) -> None:
    own.contract(
        "decision", DECISION.replace("about: decision", "parts: true").replace("(?P<name>ADR-", "ADR-(?P<name>")
    )
    own.write("docs/ADR-0001.md", "# One\n")
    own.write("a.md", "## Decision\n\n- **State:** taken\n- **Replaces:** ADR-0001\n")
    assert own.findings("a.md") == []


def test_a_plain_word_among_names_is_none(own: Own) -> None:
    own.contract("decision", DECISION.replace("ADR-\\d{4}", "[\\w-]+"))
    own.write("docs/ADR-0001.md", "# One\n")
    own.write("a.md", "## Decision\n\n- **State:** taken\n- **Replaces:** ADR-0001, then others\n")
    assert own.findings("a.md") == []
    own.write("a.md", "## Decision\n\n- **State:** taken\n- **Replaces:** others\n")
    (found,) = own.findings("a.md")
    assert "No decision `others`" in found["message"]


VERDICT = """section: {title: '^Review', holds: [state], labels: true}
fields:
  state:
    title: Verdict
    type: enum
    tolerate: [markup, case, detail]
    carriers: [bold-label]
    about: It.
    values: [{value: 🟢 APPROVED, about: Good.}, {value: 🔴 REFUSED, about: Bad.}, {value: "✅", about: Done.}]
"""


@pytest.mark.parametrize(
    "value", ["🟢 APPROVED", "**🟢 APPROVED**", "🟢 approved", "`🔴 REFUSED` – two bugs", "✅", "**✅**"]
)
def test_a_value_with_an_emoji(own: Own, value: str) -> None:
    own.contract("review", VERDICT)
    own.write("a.md", f"## Review\n\n- **Verdict:** {value}\n")
    assert own.findings("a.md") == []


@pytest.mark.parametrize("value", ["🔵 APPROVED", "🟢 APROVED", "APPROVED"])
def test_a_fix_replaces_the_emoji_too(own: Own, value: str) -> None:
    own.contract("review", VERDICT)
    own.write("a.md", f"## Review\n\n- **Verdict:** {value}\n")
    (found,) = own.findings("a.md")
    assert found["rule"] == "invalid-value"
    (edit,) = found["fix"]["edits"]
    assert edit["text"] == "🟢 APPROVED"
    begin, end = edit["range"]["start"]["column"] - 1, edit["range"]["end"]["column"] - 1
    line = f"- **Verdict:** {value}"
    own.write("a.md", f"## Review\n\n{line[:begin]}{edit['text']}{line[end:]}\n")
    assert own.findings("a.md") == []


PROPOSAL = """section: {title: '^Proposal', holds: [state, changes], labels: true}
fields:
  state: {title: State, type: enum, carriers: [bold-label], about: It., values: [{value: open, about: It.}]}
  count: {title: Count, type: integer, carriers: [bold-label], about: How many.}
  changes: {title: Changes, type: list, carriers: [section], about: What changes.}
checks:
  some: {rule: contradiction, check: size(changes) > 0, at: changes, message: Nothing changes.}
  counted: {rule: count-mismatch, check: count == size(changes), at: count, message: "Not {size(changes)}."}
routing:
  - {when: "size(changes) > 0", action: advance, reason: Something changes.}
  - {action: stop, reason: Nothing changes.}
"""


@pytest.mark.parametrize("changes", ["- Server:\n  - one\n  - two\n", "- one\n\nAnd:\n\n1. two\n", "#### A\n\n- one\n"])
def test_a_grouped_list_has_a_value_and_no_certain_number(own: Own, changes: str) -> None:
    own.contract("proposal", PROPOSAL)
    own.write("a.md", f"## Proposal\n\n- **State:** open\n- **Count:** 7\n\n### Changes\n\n{changes}")
    assert own.findings("a.md") == []
    _, out, _ = own.run("parse", "--output-format", "json", "a.md")
    (parsed,) = map(json.loads, out.splitlines())
    assert parsed["routing"]["action"] == "advance"
    assert all(word in str(parsed["fields"]["changes"]) for word in ("one", "two") if word in changes)


def test_a_plain_list_is_counted(own: Own) -> None:
    own.contract("proposal", PROPOSAL)
    own.write("a.md", "## Proposal\n\n- **State:** open\n- **Count:** 7\n\n### Changes\n\n- one\n- two\n")
    assert own.found("a.md") == [("count-mismatch", "count")]


STORY = """section: {title: '^Story', holds: [state, tasks], labels: true}
fields:
  state: {title: State, type: enum, carriers: [bold-label], about: It., values: [{value: done, about: It.}]}
  tasks: {title: Tasks, type: checklist, carriers: [section], about: What to do.}
  risks: {title: Risks, type: list, carriers: [section], about: What may happen.}
  proofs: {title: Proofs, type: rows, carriers: [section], about: Shown., values: [{value: OK, about: Yes.}]}
checks:
  ticked: {rule: contradiction, check: this.done, at: 'tasks[]', message: "`{this.text}` is open."}
  short: {rule: contradiction, check: size(this) < 20, at: 'risks[]', message: "`{this}` is long."}
  shown: {rule: contradiction, check: "holder.text != ''", at: 'proofs[]', message: "`{holder.mark}` alone."}
  first: {rule: contradiction, check: "risks[0] != 'none at all'", at: 'risks[{0}]', message: Say it.}
"""


def test_a_check_of_each_item_of_a_markdown_list(own: Own) -> None:
    own.contract("story", STORY)
    tasks = "### Tasks\n\n- [x] One\n- [ ] Two\n- no box\n- [ ] Three\n"
    risks = "### Risks\n\n- none at all\n- a very long risk that nobody reads\n"
    own.write("a.md", f"## Story\n\n- **State:** done\n\n{tasks}\n{risks}\n### Proofs\n\n- OK build\n- OK\n")
    found = [(one["field"], one["range"]["start"]["line"], one["message"]) for one in own.findings("a.md")]
    assert found == [
        ("tasks[1]", 8, "`Two` is open"),
        ("tasks[2]", 9, "`no box` is open"),
        ("tasks[2]", 9, 'Point of `Tasks` without a box to read: "no box"'),
        ("tasks[3]", 10, "`Three` is open"),
        ("risks[0]", 14, "Say it"),
        ("risks[1]", 15, "`a very long risk that nobody reads` is long"),
        ("proofs[1]", 20, "`OK` alone"),
    ]


def test_a_check_of_the_items_for_which_its_condition_holds(own: Own) -> None:
    only = STORY.replace("check: size(this) < 20,", "when: this.startsWith('a '), check: size(this) < 20,")
    own.contract("story", only)
    risks = "### Risks\n\n- a very long risk that nobody reads\n- another very long risk, of all\n- a short one\n"
    own.write("a.md", f"## Story\n\n- **State:** done\n\n{risks}")
    assert [(one["field"], one["range"]["start"]["line"]) for one in own.findings("a.md")] == [("risks[0]", 7)]


def test_items_that_hold_are_silent(own: Own) -> None:
    own.contract("story", STORY)
    own.write("a.md", "## Story\n\n- **State:** done\n\n### Tasks\n\n- [x] One\n\n### Risks\n\n- few\n")
    assert own.findings("a.md") == []


REPLY = """fence:
  syntax: yaml
  tags: {reply: own, yaml: wrong, "": wrong}
  holds: [{some: [reply.kind, reply.by], enough: 2}]
fields:
  reply:
    type: object
    about: The reply.
    fields:
      kind: {type: enum, about: Its kind., values: [{value: good, about: Yes.}]}
      by: {type: line, about: Its author.}
"""


@pytest.mark.parametrize(
    ("fence", "found"),
    [
        ("reply:\n  kind: nope\n  by: ann\n", 1),
        ("reply: {kind: nope, by: ann}\n", 1),
        ("reply:\n  kind: nope\nby: ann\n", 0),
        ("kind: nope\nby: ann\nreply: 1\n", 0),
    ],
)
def test_a_yaml_fence_is_recognized_by_nested_keys(own: Own, fence: str, found: int) -> None:
    own.contract("reply", REPLY, status="reply.kind")
    own.write("a.md", f"# Notes\n\n```yaml\n{fence}```\n")
    assert own.found("a.md").count(("invalid-value", "reply.kind")) == found
    assert bool(own.findings("a.md")) == bool(found)


TABLE = """section: {title: '^Plan', holds: [state, steps], labels: true}
fields:
  state: {title: State, type: enum, carriers: [bold-label], about: It., values: [{value: open, about: It.}]}
  steps:
    title: Steps
    type: table
    carriers: [section]
    about: The steps.
    items:
      type: object
      fields:
        n: {title: Number, aliases: ["No.", Nr], type: integer, about: Its number.}
        name: {title: Name, aliases: [Titel], type: line, about: Its name.}
checks:
  low: {rule: contradiction, check: 'steps.all(step, step.n < 3)', at: steps, message: A number is too high.}
  named: {rule: contradiction, check: "this.name != ''", at: 'steps[]', message: "Step {this.n} has no name."}
"""


@pytest.mark.parametrize("heads", ["Number | Name", "No. | Titel", "nr | NAME"])
def test_a_row_of_a_table_has_the_names_of_its_fields(own: Own, heads: str) -> None:
    own.contract("plan", TABLE)
    begin = f"## Plan\n\n- **State:** open\n\n### Steps\n\n| {heads} |\n|---|---|\n"
    own.write("a.md", f"{begin}| 1 | `one` |\n| 2 | two |\n")
    assert own.findings("a.md") == []
    own.write("a.md", f"{begin}| 1 | one |\n| 7 | |\n")
    found = [(one["field"], one["message"]) for one in own.findings("a.md")]
    assert found == [("steps", "A number is too high"), ("steps[1]", "Step 7 has no name")]


def test_a_broken_contract_stops_neither_explain_nor_new(own: Own) -> None:
    own.contract("task", TASK)
    own.contract("review", VERDICT + "oops: 1\n")
    for arguments in (
        ["explain", "invalid-contract"],
        ["explain", "task.id"],
        ["new", "task"],
        ["new", "status-block"],
    ):
        code, out, err = own.run(*arguments)
        assert (code, bool(out)) == (0, True)
        assert "review.yaml" in err and "oops" in err
    code, out, err = own.run("explain", "review")
    assert (code, out) == (2, "")
    assert "review.yaml" in err and "`review`" in err


def test_errors_of_contracts_and_config_are_in_the_json(own: Own) -> None:
    own.contract("review", VERDICT)
    own.write("a.md", "## Review\n\n- **Verdict:** bad\n")
    keys = set(own.findings("a.md")[0])
    own.contract("task", TASK + "oops: 1\n")
    code, out, err = own.run("check", "--output-format", "json", "a.md")
    (broken, found) = json.loads(out)["findings"]
    assert (code, found["rule"]) == (2, "invalid-value")
    assert "contracts/task.yaml" in err
    assert set(broken) == keys
    line = (own.root / "contracts/task.yaml").read_text().splitlines().index("oops: 1") + 1
    assert (broken["path"], broken["rule"], broken["severity"]) == ("contracts/task.yaml", "invalid-contract", "error")
    assert broken["range"] == {"start": {"line": line, "column": 1}, "end": {"line": line, "column": 5}}
    own.write(".handoff-lsp.toml", '[rules]\n  invalid-valeu = "off"\n')
    code, out, _ = own.run("check", "--output-format", "json", "a.md")
    (broken,) = json.loads(out)["findings"]
    assert (code, broken["path"], broken["rule"]) == (2, ".handoff-lsp.toml", "invalid-config")
    assert broken["range"]["start"] == {"line": 2, "column": 3}


def test_a_token_inside_a_line_has_its_column(own: Own) -> None:
    own.contract("task", TASK.replace("suffixes:", "sufixes:"))
    _, out, _ = own.run("check", "--output-format", "json", ".")
    (broken,) = json.loads(out)["findings"]
    line = (own.root / "contracts/task.yaml").read_text().splitlines()[broken["range"]["start"]["line"] - 1]
    start, end = (broken["range"][side]["column"] - 1 for side in ("start", "end"))
    assert line[start:end] == "sufixes"


@pytest.mark.parametrize("folder", [".quest", ".local/handoff", ".kiro/specs"])
def test_a_hidden_folder_is_entered(own: Own, folder: str) -> None:
    own.contract("task", TASK.replace("tasks/[^/]+", f"{folder}/[^/]+").replace(", names: tasks", ""))
    own.write(f"{folder}/a.task.json", '{"id": "a", "state": "nope"}')
    assert own.found(".") == [("invalid-value", "state")]


def test_explain_has_no_dash_before_nothing(own: Own) -> None:
    own.contract("task", TASK.replace(", about: The task.", ""))
    _, out, _ = own.run("explain", "task")
    lines = [line for line in out.splitlines() if "`id`" in line]
    assert lines == ["- `id` (required)"]
    assert "- `state` (required) — Where it is." in out
