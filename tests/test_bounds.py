"""Nothing kills it: what is hostile runs in a process with little memory and a stack of 1 MB, as on Windows."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from cli.hooks.told import recorded
from cpu import at_most
from server import client
from server.client import environment

from handoff_lsp import engine
from handoff_lsp.contracts.growth import MAX_GROWN, grown, oversized
from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.model import GOES_ON
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Options, analyze
from handoff_lsp.features.routing import routing_of
from handoff_lsp.rules.bounded import MAX_BLOCKS, MAX_FINDINGS
from handoff_lsp.syntax.json import parse_json
from handoff_lsp.syntax.limits import MAX_DEPTH, too_deep_yaml
from handoff_lsp.text import Source
from handoff_lsp.workspace.globs import Glob

_ULIMITS = "ulimit -s 1024 && ulimit -v 2000000 && ulimit -t 60 && "
COMMAND = ["bash", "-c", _ULIMITS + 'exec "$@"', "bash", sys.executable, "-m", "handoff_lsp"]
# What any document up to 5 MB may cost: seconds of a processor, and kilobytes of which the libraries map a half.
LAW = "ulimit -s 1024 && ulimit -t 10 && ulimit -v 1000000 && "

ENVELOPE = """# R

```agent_contract_handoff
{"agent_status": {"plan_status": "COMPLETE", "agent_id": "a1b2c3d4e5f60718", "pending_steps": [],
  "next_action": "done"}, "evidence_report": {"patterns_checked": %s, "files_checked": []}}
```
"""
FENCE = "# R\n\n```agent_contract_handoff\n%s\n```\n"
STATUS = """# Login — Handoff from Developer

## Status

complete

## Status reason

## Abstract

```yaml
outcome: x
verdict: n/a
%s
```
"""
SOUND = """# R

```agent_contract_handoff
{"agent_status": {"plan_status": "COMPLETE", "agent_id": "a1b2c3d4e5f60718", "pending_steps": [],
  "next_action": "done"}, "evidence_report": {"patterns_checked": PATTERNS, "files_checked": [], "commands_run": [],
  "key_outputs": [], "verbatim_outputs": [], "cross_layer_impacts": [], "open_gaps": [],
  "verification": {"result": "pass"}}, "consolidation_report": null, "approval_request": null}
```
"""
BROKEN = "AGENT_RESULT: developer\nSTATUS: sucess\nNEXT: tester\n"

DEEP = 30_000
KILLERS = {
    "json-lists": ENVELOPE % ("[" * DEEP + "]" * DEEP),
    "json-objects": ENVELOPE % ('{"a":' * DEEP + "1" + "}" * DEEP),
    "json-both": ENVELOPE % ('[{"a":' * DEEP + "1" + "}]" * DEEP),
    "json-open": ENVELOPE % ("[" * DEEP),
    "yaml-flow": FENCE % ("k: " + "[" * DEEP + "]" * DEEP),
    "yaml-items": FENCE % ("k:\n" + "- " * DEEP),
    "yaml-keys": FENCE % ("? " * DEEP),
    "abstract-flow": STATUS % ("k: " + "[" * DEEP + "]" * DEEP),
    "abstract-items": STATUS % ("k:\n  " + "- " * DEEP),
    "abstract-keys": STATUS % ("? " * DEEP),
}
VERIFIED = """```yaml
schema: gentle-ai.verify-result/v1
verdict: pass
critical_findings: 0
build_output_hash: %s
```
"""
RESULT = "AGENT_RESULT: developer\nSTATUS: %s\nNEXT: tester\n"
MANY = 300_000
# Each was looked at again from every character on: minutes for a line.
LONG_LINES = {
    "words": VERIFIED % ("hash: " * MANY),
    "underscores": RESULT % ("success" + "_" * MANY + "x"),
    "tildes": ENVELOPE.replace("COMPLETE", "~" * MANY + "x") % "[]",
    "key": ENVELOPE.replace("next_action", "next" + "_" * MANY + "action") % "[]",
    "details": RESULT % ("sucess" + " a:" * MANY),
    "parentheses": RESULT % ("sucess" + "（" * MANY),
    "clauses": RESULT % ("sucess" + ", " * 90_000),
    "blanks": STATUS % ("files: 0" + " " * MANY + "x"),
    "angle": RESULT % ("<" + "a" * MANY),
    "pairs": RESULT % ("sucess" + " / NEXT: tester" * MANY),
    "tabs": ENVELOPE.replace("done", "\t" * 4_900_000) % "[]",
    "escapes": ENVELOPE.replace("done", "\\x" * 2_450_000) % "[]",
}
DOUBLING = """
contract: doubling
title: Doubling
about: A contract whose terms double.
status: result
unread: nobody reads it
default_profile: v1
profiles:
  v1: {about: The only version}
section: {title: ^Report, holds: [result], labels: true}
terms:
  t0: "'xxxxxxxx'"
TERMS
fields:
  result: {title: Result, carriers: [plain-label], type: line}
routing:
  - {action: stop, reason: Somebody looks.}
""".replace("TERMS", "\n".join(f"  t{number}: t{number - 1} + t{number - 1}" for number in range(1, 41)))

KILLER_CONTRACTS = {
    "items.yaml": "- " * 100_000,
    "keys.yaml": "? " * 100_000,
    "flow.yaml": "a: " + "{a: " * 100_000 + "}" * 100_000,
    "doubling.yaml": DOUBLING,
}


def run(*arguments: str, cwd: Path, stdin: str = "", limits: str = _ULIMITS) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", limits + 'exec "$@"', *COMMAND[3:], *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        env={**environment(), "XDG_CACHE_HOME": str(cwd / ".caches")},
        check=False,
    )


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with every killer and a handoff with an error."""
    (tmp_path / ".git").mkdir()
    for name, text in KILLERS.items():
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
    (tmp_path / "next.md").write_text(BROKEN, encoding="utf-8")
    return tmp_path


def test_check_survives_every_killer_and_checks_the_next_file(root: Path) -> None:
    done = run("check", ".", "--output-format", "json", cwd=root)
    assert (done.returncode, done.stderr) == (1, "")
    found = Counter((Path(finding["path"]).name, finding["rule"]) for finding in json.loads(done.stdout))
    assert found["next.md", "invalid-value"] == 1
    for name in KILLERS:
        rule = "invalid-json" if name.startswith("yaml") else "too-large"
        assert found[f"{name}.md", rule] >= 1, name


def edited(root: Path, file: str) -> subprocess.CompletedProcess[str]:
    """What the hook says of an agent that has written a file."""
    event = recorded("claude-code", "edit", root)
    event["tool_input"]["file_path"] = str(root / file)
    return run("hook", "claude-code", cwd=root, stdin=json.dumps(event))


@pytest.mark.parametrize("size", [4_900_000, 50_000_000])
def test_the_hook_lets_an_agent_go_on_after_a_huge_file(root: Path, size: int) -> None:
    (root / "huge.md").write_text(BROKEN + "x" * size, encoding="utf-8")
    done = edited(root, "huge.md")
    assert done.returncode == 0
    if size > 5_000_000:
        assert "what the agent wrote is not checked" in json.loads(done.stdout)["systemMessage"]
        assert "huge.md: too large" in done.stderr
    assert "sucess" in json.loads(edited(root, "next.md").stdout)["reason"]


@pytest.mark.parametrize("name", KILLER_CONTRACTS)
def test_the_hook_tells_the_person_of_a_killing_contract(root: Path, name: str) -> None:
    (root / name).write_text(KILLER_CONTRACTS[name], encoding="utf-8")
    (root / ".handoff-lsp.toml").write_text(f'contract-files = ["{name}"]\n', encoding="utf-8")
    (root / "notes.md").write_text("# Notes\n", encoding="utf-8")  # perhaps one by that contract
    done = edited(root, "notes.md")
    assert done.returncode == 0
    assert name in done.stderr
    assert "what the agent wrote is not checked" in json.loads(done.stdout)["systemMessage"]
    # The contracts that come with it still judge the next file.
    assert "sucess" in json.loads(edited(root, "next.md").stdout)["reason"]


@pytest.mark.parametrize("name", KILLERS)
def test_the_hook_survives_every_killer_and_checks_the_next_file(root: Path, name: str) -> None:
    done = edited(root, f"{name}.md")
    assert (done.returncode, done.stderr) == (0, "")
    done = edited(root, "next.md")
    assert (done.returncode, done.stderr) == (0, "")
    assert "sucess" in json.loads(done.stdout)["reason"]


def test_the_server_survives_every_killer_open_or_not(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "SERVER", [*COMMAND, "server"])
    with client.LspClient(rootUri=root.as_uri()) as session:
        for number, (name, text) in enumerate(KILLERS.items()):
            uri = f"untitled:{name}"
            session.open(text, uri, version=number)
            assert session.codes(number, uri), name
        listed = session.request("workspace/executeCommand", {"command": "handoff.listHandoffs", "arguments": []})
        assert "next.md" in json.dumps(listed)
        session.open(BROKEN, "untitled:next", version=99)
        assert "invalid-value" in session.codes(99, "untitled:next")


@pytest.mark.parametrize("name", LONG_LINES)
def test_a_long_line_takes_ten_seconds_at_most(tmp_path: Path, name: str) -> None:
    (tmp_path / "long.md").write_text(LONG_LINES[name], encoding="utf-8")
    done = run("check", "long.md", cwd=tmp_path, limits=LAW)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize("name", LONG_LINES)
def test_the_server_answers_about_a_long_line(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "SERVER", [*COMMAND, "server"])
    monkeypatch.setattr(client, "TIMEOUT", 120)  # the bound is that of the processor, whatever else it does
    text = LONG_LINES[name]
    at, uri = {"line": text.count("\n"), "character": 0}, "untitled:long.md"
    with client.LspClient() as session:
        session.open(text, uri)
        assert session.codes(1, uri)
        session.change(2, client.edit((at["line"], 0), (at["line"], 0), "more\n"), uri=uri)
        found = session.diagnostics(2, uri)
        whole = {"start": {"line": 0, "character": 0}, "end": at}
        about = {"textDocument": {"uri": uri}, "range": whole, "context": {"diagnostics": found}}
        assert session.request("textDocument/codeAction", about) is not None


@pytest.mark.parametrize("name", KILLER_CONTRACTS)
def test_a_contract_that_would_fill_stack_or_memory_is_told_and_not_used(root: Path, name: str) -> None:
    (root / name).write_text(KILLER_CONTRACTS[name], encoding="utf-8")
    (root / ".handoff-lsp.toml").write_text(f'contract-files = ["{name}"]\n', encoding="utf-8")
    done = run("check", "next.md", "--output-format", "json", cwd=root)
    assert done.returncode == 2
    assert "1,000,000 characters" in done.stderr if name == "doubling.yaml" else "100 levels" in done.stderr


HOSTILE_CONFIGS = {
    "keys": "".join(f"k{number} = 1\n" for number in range(90_000)),
    "rules": "[rules]\n" + "".join(f'r{number} = "off"\n' for number in range(60_000)),
    "tables": "".join(f"[t{number}]\n" for number in range(90_000)),
    "patterns": "contract-files = [" + ",".join(f'"c{number}.yaml"' for number in range(70_000)) + "]\n",
}


@pytest.mark.parametrize("name", HOSTILE_CONFIGS)
def test_of_a_config_that_is_nothing_but_problems_a_hundred_are_told(root: Path, name: str) -> None:
    (root / ".handoff-lsp.toml").write_text(HOSTILE_CONFIGS[name], encoding="utf-8")
    done = run("check", "next.md", cwd=root, limits=LAW)
    told = done.stderr.splitlines()
    assert (done.returncode, len(told)) == (2, 101)
    assert told[100].endswith(("no more than 100 are told", "only the first 100 patterns are looked at"))


def test_terms_that_grow_are_told_at_the_first_that_is_too_large() -> None:
    _, problems = read_contract(DOUBLING)
    assert len(problems) == 1
    assert DOUBLING[problems[0].span.start :].startswith("t16: t15 + t15")
    assert oversized({"t0": "'a'", **{f"t{n}": f"t{n - 1}.map(x, x + x)" for n in range(1, 40)}}) is not None
    assert oversized({"t0": "'a'", **{f"t{n}": f"[t{n - 1}, t{n - 1}]" for n in range(1, 40)}}) is not None
    assert oversized({"t0": "'a'", **{f"t{n}": f"t{n - 1} == 'b' ? t{n - 1} : t0" for n in range(1, 40)}}) is None


def test_of_a_contract_that_is_nothing_but_problems_a_hundred_are_told(root: Path) -> None:
    values = ",".join(f"v{number}" for number in range(90_000))
    text = DOUBLING.replace("fields:\n", f"fields:\n  f: {{type: enum, title: F, values: [{values}]}}\n")
    (root / "c.yaml").write_text(text, encoding="utf-8")
    (root / ".handoff-lsp.toml").write_text('contract-files = ["c.yaml"]\n', encoding="utf-8")
    done = run("check", "next.md", cwd=root, limits=LAW)
    told = done.stderr.splitlines()
    assert (done.returncode, len(told)) == (2, 2)  # the same is told once of a line
    assert told[1].endswith("more problems follow; no more than 100 are told")


def test_a_contract_of_too_many_values_is_told_before_they_are_made() -> None:
    with at_most(1):
        _, problems = read_contract("a: b\n" * 198_000)
    assert ["more than 100,000 values" in problem.message for problem in problems] == [True]


def test_a_contract_of_too_many_fields_is_told() -> None:
    field = "  result: {title: Result, carriers: [plain-label], type: line}\n"
    for count, told in ((1_500, []), (2_500, ["2,000 fields"])):
        more = "".join(f"  f{number}: {{type: line}}\n" for number in range(count))
        text = DOUBLING.replace(field, field + more).replace("t16: t15 + t15", "t16: t0")
        text = "\n".join(line for line in text.splitlines() if not line.startswith("  t"))
        _, problems = read_contract(text.replace("terms:\n", ""))
        assert [problem.message[10:22] for problem in problems] == told


@pytest.mark.parametrize("number", ["1" + ":10" * 200_000, "9" * 5_000, "1" + ":10" * 200_000 + ".5"])
def test_a_number_that_takes_long_to_read_is_told(number: str) -> None:
    text = DOUBLING.replace("title: Doubling", f"title: {number}")
    _, problems = read_contract(text)
    assert [problem.message for problem in problems] == ["a number of more than 100 characters"]
    assert text[problems[0].span.start : problems[0].span.end] == number


def test_what_a_line_makes_of_a_handoff_is_bounded_by_its_values() -> None:
    long = "x" * 1_000_000
    assert grown("a == b", {"a": long, "b": long}) == 0
    assert grown("a in ['x', 'y'] && a.matches('[+]')", {"a": long}) == 0
    assert 2_000_000 < grown("a + a", {"a": long}) < MAX_GROWN
    assert grown("l.map(x, a)", {"a": long, "l": ["x"] * 100}) > MAX_GROWN


def test_depth_is_counted_exactly() -> None:
    for opening, closing in (("[", "]"), ("{a: ", "}"), ("- ", ""), ("? ", "")):
        assert too_deep_yaml(opening * MAX_DEPTH + closing * MAX_DEPTH) is None
        assert too_deep_yaml(opening * (MAX_DEPTH + 1) + closing * (MAX_DEPTH + 1)) is not None
    deep = MAX_DEPTH - 2  # the root and the report are two
    assert "too-large" not in rules_of(ENVELOPE % ("[" * deep + "]" * deep))
    assert "too-large" in rules_of(ENVELOPE % ("[" * (deep + 1) + "]" * (deep + 1)))


def test_what_is_nested_too_deep_to_read_is_an_error() -> None:
    """As its decision says: a gate must not let through what nobody has read."""
    analysis = looked_at(ENVELOPE % ("[" * MAX_DEPTH + "]" * MAX_DEPTH))
    assert [finding.severity for finding in analysis.findings if finding.code == "too-large"] == ["error"]


def looked_at(text: str) -> engine.Analysis:
    return analyze(Source(text), "report.md", builtin(), Options())


def rules_of(text: str) -> Counter[str]:
    return Counter(finding.code for finding in looked_at(text).findings)


def test_findings_of_one_rule_and_handoffs_are_bounded_and_that_is_told_once() -> None:
    found = rules_of("# Results\n\n" + (BROKEN + "\n") * (MAX_BLOCKS + 5))
    assert found["invalid-value"] == MAX_FINDINGS
    assert found["too-large"] == 2
    told = [one.message for one in looked_at("\n\n".join([BROKEN] * (MAX_BLOCKS + 5))).findings]
    assert any(message.startswith("5 handoffs above not looked at") for message in told)
    assert rules_of("\n\n".join([BROKEN] * MAX_FINDINGS)) == {"invalid-value": MAX_FINDINGS}


def test_a_comment_is_not_called_idle_where_not_all_was_looked_at() -> None:
    comment = "<!-- handoff-ignore-file: missing-table -->\n\n"
    assert rules_of(comment + BROKEN)["unused-suppression"] == 1
    assert rules_of(comment + "\n\n".join([BROKEN] * (MAX_FINDINGS + 1)))["unused-suppression"] == 0


def test_what_was_not_looked_at_never_advances() -> None:
    sound = looked_at(SOUND.replace("PATTERNS", '["naming"]')).blocks[0]
    cut = looked_at(SOUND.replace("PATTERNS", "[" * 200 + "]" * 200)).blocks[0]
    assert cut.unseen
    assert cut.faults
    assert not sound.faults
    before, after = routing_of(sound), routing_of(cut)
    assert before is not None
    assert after is not None
    assert before.action == "advance"
    assert after.action not in GOES_ON
    late = looked_at("\n\n".join([BROKEN] * (MAX_FINDINGS + 1))).blocks[-1]
    assert late.unseen
    assert late.faults


@pytest.mark.parametrize(("text", "words"), [("x\n" * 100_001, "100,001 lines"), ("[" * 100_001, "100,001 commas")])
def test_too_many_lines_or_values_are_told_alone(text: str, words: str) -> None:
    found = looked_at(BROKEN + "\n" + text).findings
    assert [finding.code for finding in found] == ["too-large"]
    assert "looks at no more than" in found[0].message


def test_unknown_names_of_many_items_take_linear_time() -> None:
    """Each was held against what is absent from every item: 40 s for as many."""
    text = json.dumps({"agent_id": "a", "agent_type": "worker", "status": "blocked", "errors": [{"a": 1}] * 12_000})
    with at_most(10):
        found = analyze(Source(text), ".agent/status.json", builtin(), Options()).findings
    assert "missing-field" in {finding.code for finding in found}


def test_json_of_nothing_but_stray_tokens_is_read_to_a_bound() -> None:
    """Stray tokens join to one defect, which no bound counted: 16 s for 5 MB."""
    with at_most(2):
        tree = parse_json('{"a": 1,"' + '"x' * 500_000)
    assert any("nothing was looked at" in one.message for one in tree.defects)


def test_many_handoffs_whose_checks_take_long_are_looked_at_to_a_bound() -> None:
    """Patterns with Unicode classes take 10 ms each in CEL: 1,000 handoffs took more than 20 s."""
    name = "openspec/changes/dark-mode/design.md"
    text = (Path(__file__).parents[1] / "examples" / name).read_text(encoding="utf-8")
    with at_most(15):
        found = analyze(Source("\n\n".join([text] * 1_100)), name, builtin(), Options())
    assert len(found.blocks) == MAX_BLOCKS
    assert "too-large" in {finding.code for finding in found.findings}


def test_json_that_is_nowhere_json_is_read_to_a_bound_and_repaired_to_none() -> None:
    found = looked_at(FENCE % ('{"agent_status": {' + "'a': b\n" * 50_000)).findings
    assert Counter(finding.code for finding in found)["missing-field"] == 0
    assert not [fix for finding in found for fix in finding.fixes if "Close the bracket" in fix.title and fix.safe]


def test_several_stars_are_one_and_cost_one() -> None:
    glob = Glob("**/" * 500 + "*.md")
    assert len(glob.parts) == 2
    assert glob.matches("a/b/c.md")
    assert glob.matches("c.md")
