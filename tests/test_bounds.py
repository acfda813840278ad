"""Hostile input crashes nothing, even in a process with little memory and a stack of 1 MB, as on Windows."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from cli.hooks.told import recorded
from cpu import at_most
from hostile_contracts import SLOW_CONTRACTS
from server import client
from server.client import environment

from handoff_lsp import engine
from handoff_lsp.contracts.growth import MAX_GROWN, grown, oversized
from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.model import GOES_ON
from handoff_lsp.contracts.patterns import PatternError, check_pattern, weight
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.contracts.validate import check_contract
from handoff_lsp.decide.routing import routing_of
from handoff_lsp.engine import Options, analyze
from handoff_lsp.rules.shared.bounded import MAX_FINDINGS, MAX_HANDOFFS
from handoff_lsp.syntax.json.parse import parse_json
from handoff_lsp.syntax.limits import MAX_DEPTH, too_deep_yaml
from handoff_lsp.text import Source
from handoff_lsp.workspace.disk.globs import Glob

_ULIMITS = "ulimit -s 1024 && ulimit -v 2000000 && ulimit -t 60 && "
COMMAND = ["bash", "-c", _ULIMITS + 'exec "$@"', "bash", sys.executable, "-m", "handoff_lsp"]
# The limits for any document up to 5 MB: seconds of CPU time, and kilobytes, of which the libraries map a half.
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
# Each was read again from every character on: minutes for a line.
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
HOSTILE_CONFIGS = {
    "keys": "".join(f"k{number} = 1\n" for number in range(90_000)),
    "rules": "[rules]\n" + "".join(f'r{number} = "off"\n' for number in range(60_000)),
    "tables": "".join(f"[t{number}]\n" for number in range(90_000)),
    "patterns": "contract-files = [" + ",".join(f'"c{number}.yaml"' for number in range(70_000)) + "]\n",
}
UNREADABLE_CONFIGS = {
    "syntax": "[rules\n",
    "digits": "x = " + "9" * 5_000,
    "lists": "x = " + "[" * 20_000,
    "tables": "[" + "a." * 20_000 + "a]\n",
    "huge": "#" * 1_000_001,
    "nul": "x = 1\0",
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
    found = Counter((Path(finding["path"]).name, finding["rule"]) for finding in json.loads(done.stdout)["findings"])
    assert found["next.md", "invalid-value"] == 1
    for name in KILLERS:
        rule = "invalid-json" if name.startswith("yaml") else "too-large"
        assert found[f"{name}.md", rule] >= 1, name


def edited(root: Path, file: str, **changed: Any) -> subprocess.CompletedProcess[str]:
    """The hook's message for an agent that has written a file."""
    event = recorded("claude-code", "edit", root, **changed)
    event["tool_input"]["file_path"] = str(root / file)
    return run("hook", "claude-code", cwd=root, stdin=json.dumps(event))


def answer_to(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The answer to an agent, which continues: for the agent, any other exit code is a failed hook."""
    assert done.returncode == 0
    assert "internal error" not in done.stderr
    return json.loads(done.stdout) if done.stdout else {}


NOTHING_CHECKED = "handoff-lsp: what the agent wrote was not checked; `handoff-lsp check` gives the reason."
PARTLY_CHECKED = NOTHING_CHECKED.replace("what", "some of what", 1)
# The content of the file that an agent wrote, and the message to the user after it.
WRITTEN: dict[str, tuple[str | bytes, str]] = {
    **{f"{name}.md": (text, "" if name.startswith("yaml") else PARTLY_CHECKED) for name, text in KILLERS.items()},
    # In a text of several megabytes, a condition about each item of a list is not evaluated.
    **{f"{name}.md": (text, PARTLY_CHECKED * (name in {"tabs", "escapes"})) for name, text in LONG_LINES.items()},
    "findings.md": (STATUS % "files: 0" + "\n## DoD coverage\n\n" + "- [ ] x\n" * 3_000, PARTLY_CHECKED),
    "lines.md": (BROKEN + "- [ ] x\n" * 200_000, NOTHING_CHECKED),
    "fences.md": ("```agent_contract_handoff\n```\n\n" * 3_000, PARTLY_CHECKED),
    "defects.md": (FENCE % ('{"agent_status": {' + "'a': b\n" * 50_000), PARTLY_CHECKED),
    "blocks.md": ("\n\n".join([BROKEN] * 1_005), PARTLY_CHECKED),
    "brackets.md": (ENVELOPE % ("[" * 400_001), NOTHING_CHECKED),
    "huge.md": (BROKEN + "x" * 5_000_000, NOTHING_CHECKED),
    "binary.md": (BROKEN.encode() + b"\0", NOTHING_CHECKED),
    "wide.md": (BROKEN.encode("utf-16"), NOTHING_CHECKED),
    "latin.md": (BROKEN.encode() + b"\xe9", NOTHING_CHECKED),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_the_hook_with_each_killer_that_an_agent_writes(tmp_path: Path, name: str) -> None:
    """The agent continues, the user is notified of the unchecked file, the next file is still checked."""
    text, note = WRITTEN[name]
    (tmp_path / ".git").mkdir()
    (tmp_path / name).write_bytes(text.encode() if isinstance(text, str) else text)
    told = answer_to(edited(tmp_path, name))
    assert told.get("systemMessage", "") == note
    assert note == NOTHING_CHECKED or told["reason"]
    (tmp_path / "next.md").write_text(BROKEN, encoding="utf-8")
    done = edited(tmp_path, "next.md")
    assert "sucess" in answer_to(done)["reason"]
    assert done.stderr == ""


# The content of a contract file of the repository.
HOSTILE_CONTRACTS = {
    **KILLER_CONTRACTS,
    "sexagesimal.yaml": DOUBLING.replace("title: Doubling", f"title: 1{':10' * 200_000}"),
    "digits.yaml": DOUBLING.replace("title: Doubling", "title: " + "9" * 5_000),
    "huge.yaml": "#" * 1_000_001,
    "binary.yaml": "\0",
    "none.yaml": "",
}


@pytest.mark.parametrize("name", HOSTILE_CONTRACTS)
def test_the_hook_with_each_killing_contract(tmp_path: Path, name: str) -> None:
    """The built-in contracts still apply; the user is notified once, besides the message to the agent."""
    (tmp_path / ".git").mkdir()
    (tmp_path / name).write_text(HOSTILE_CONTRACTS[name], encoding="utf-8")
    (tmp_path / ".handoff-lsp.toml").write_text(f'contract-files = ["{name}"]\n', encoding="utf-8")
    (tmp_path / "notes.md").write_text("# Notes\n", encoding="utf-8")  # perhaps one by that contract
    (tmp_path / "next.md").write_text(BROKEN, encoding="utf-8")
    done = edited(tmp_path, "notes.md")
    assert name in done.stderr
    assert answer_to(done) == {"systemMessage": NOTHING_CHECKED}
    told = answer_to(edited(tmp_path, "next.md"))
    assert "sucess" in told["reason"]
    assert "systemMessage" not in told
    told = answer_to(edited(tmp_path, "next.md", session_id="another"))
    assert "sucess" in told["reason"]
    assert told["systemMessage"] == PARTLY_CHECKED


@pytest.mark.parametrize("name", {**HOSTILE_CONFIGS, **UNREADABLE_CONFIGS})
def test_the_hook_with_each_killing_config(tmp_path: Path, name: str) -> None:
    """The intention of such a config is unknown, so nothing is checked before it is corrected."""
    (tmp_path / ".git").mkdir()
    config = tmp_path / ".handoff-lsp.toml"
    config.write_text({**HOSTILE_CONFIGS, **UNREADABLE_CONFIGS}[name], encoding="utf-8")
    (tmp_path / "next.md").write_text(BROKEN, encoding="utf-8")
    done = edited(tmp_path, "next.md")
    assert ".handoff-lsp.toml:" in done.stderr
    assert answer_to(done) == {"systemMessage": NOTHING_CHECKED}
    assert answer_to(edited(tmp_path, "next.md")) == {}
    config.write_text("", encoding="utf-8")
    assert "sucess" in answer_to(edited(tmp_path, "next.md"))["reason"]


def test_the_hook_with_globs_that_take_long(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    globs = [f"{'**/' * 500}x{number}.md" for number in range(500)]
    (tmp_path / ".handoff-lsp.toml").write_text(f"exclude = {json.dumps(globs)}\n", encoding="utf-8")
    (tmp_path / "next.md").write_text(BROKEN, encoding="utf-8")
    told = answer_to(edited(tmp_path, "next.md"))
    assert "sucess" in told["reason"]
    assert "systemMessage" not in told


def test_the_hook_with_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    """A user who may read everything has no unreadable files: then it is checked."""
    (tmp_path / ".git").mkdir()
    for name in ("closed.md", "next.md"):
        (tmp_path / name).write_text(BROKEN, encoding="utf-8")
    (tmp_path / "closed.md").chmod(0)
    told = answer_to(edited(tmp_path, "closed.md"))
    if os.access(tmp_path / "closed.md", os.R_OK):
        assert "sucess" in told["reason"]
    else:
        assert told == {"systemMessage": NOTHING_CHECKED}
    assert "sucess" in answer_to(edited(tmp_path, "next.md"))["reason"]


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
    monkeypatch.setattr(client, "TIMEOUT", 120)  # the bound is on CPU time, whatever the load
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
def test_a_contract_that_would_fill_stack_or_memory_is_reported_and_not_used(root: Path, name: str) -> None:
    (root / name).write_text(KILLER_CONTRACTS[name], encoding="utf-8")
    (root / ".handoff-lsp.toml").write_text(f'contract-files = ["{name}"]\n', encoding="utf-8")
    done = run("check", "next.md", "--output-format", "json", cwd=root)
    assert done.returncode == 2
    assert "1,000,000 characters" in done.stderr if name == "doubling.yaml" else "100 levels" in done.stderr


@pytest.mark.parametrize("name", HOSTILE_CONFIGS)
def test_of_a_config_that_is_nothing_but_problems_a_hundred_are_reported(root: Path, name: str) -> None:
    (root / ".handoff-lsp.toml").write_text(HOSTILE_CONFIGS[name], encoding="utf-8")
    done = run("check", "next.md", cwd=root, limits=LAW)
    told = done.stderr.splitlines()
    assert (done.returncode, len(told)) == (2, 101)
    assert told[100].endswith(("only 100 are reported", "only the first 100 patterns are looked at"))


def test_terms_that_grow_are_reported_at_the_first_that_is_too_large() -> None:
    _, problems = read_contract(DOUBLING)
    assert len(problems) == 1
    assert DOUBLING[problems[0].span.start :].startswith("t16: t15 + t15")
    assert oversized({"t0": "'a'", **{f"t{n}": f"t{n - 1}.map(x, x + x)" for n in range(1, 40)}}) is not None
    assert oversized({"t0": "'a'", **{f"t{n}": f"[t{n - 1}, t{n - 1}]" for n in range(1, 40)}}) is not None
    assert oversized({"t0": "'a'", **{f"t{n}": f"t{n - 1} == 'b' ? t{n - 1} : t0" for n in range(1, 40)}}) is None


def test_of_a_contract_that_is_nothing_but_problems_a_hundred_are_reported(root: Path) -> None:
    values = ",".join(["[]"] * 45_000)
    text = DOUBLING.replace("fields:\n", f"fields:\n  f: {{type: enum, title: F, values: [{values}]}}\n")
    (root / "c.yaml").write_text(text, encoding="utf-8")
    (root / ".handoff-lsp.toml").write_text('contract-files = ["c.yaml"]\n', encoding="utf-8")
    done = run("check", "next.md", cwd=root, limits=LAW)
    told = done.stderr.splitlines()
    assert (done.returncode, len(told)) == (2, 2)  # a line gets the same finding only once
    assert told[1].endswith("more problems follow; only 100 are reported")


def test_a_contract_of_too_many_values_is_reported_before_they_are_made() -> None:
    with at_most(1):
        _, problems = read_contract("a: b\n" * 198_000)
    assert ["more than 50,000 values" in problem.message for problem in problems] == [True]


@pytest.mark.parametrize("name", SLOW_CONTRACTS)
def test_a_contract_that_could_take_long_takes_little(name: str) -> None:
    text = SLOW_CONTRACTS[name]()
    assert len(text) <= 1_000_000
    with at_most(3):
        _, problems = read_contract(text, None, {entry.name: entry for entry in builtin()})
    assert len(problems) <= 101
    assert max((len(problem.message) for problem in problems), default=0) <= 500


def test_a_contract_of_too_many_fields_is_reported() -> None:
    field = "  result: {title: Result, carriers: [plain-label], type: line}\n"
    for count, told in ((1_500, []), (2_500, ["2,000 fields"])):
        more = "".join(f"  f{number}: {{type: line}}\n" for number in range(count))
        text = DOUBLING.replace(field, field + more).replace("t16: t15 + t15", "t16: t0")
        text = "\n".join(line for line in text.splitlines() if not line.startswith("  t"))
        _, problems = read_contract(text.replace("terms:\n", ""))
        assert [problem.message[10:22] for problem in problems] == told


HEAVY = r"[\pL\pN]{40}"
CHECK = "{rule: contradiction, at: result, message: Wrong, because: x, check: 'result.matches(r\"%s\")'}"
MANY_HEAVY = {
    "examples": "examples:\n" + "".join(f"  - {{weight: 1, text: '{HEAVY}{at}'}}\n" for at in range(200)),
    "conditions": "checks:\n" + "".join(f"  c{at}: {CHECK % f'{HEAVY}{at}'}\n" for at in range(200)),
}
SINGLE = DOUBLING.replace("terms:\n", "").replace("\n  t", "\n# ")


@pytest.mark.parametrize("part", MANY_HEAVY)
def test_patterns_of_a_contract_that_take_long_are_reported_and_compiled_no_further(part: str) -> None:
    text = SINGLE + MANY_HEAVY[part]
    with at_most(2):
        _, problems = read_contract(text)
    assert [problem.message for problem in problems] == [
        "too many patterns, or too large with their repeats written out"
    ]
    kept = "".join(f"{line}\n" for line in text.splitlines() if not re.search(r"\}([6-9]|\d\d)|c([6-9]|\d\d):", line))
    assert len(kept) < len(text) / 2
    assert read_contract(kept)[1] == []


@pytest.mark.parametrize(
    "pattern",
    [
        "a{1,1000}" * 100,
        r"\pL{500}",
        "(?:(?:ab){10}c{10}){50}" * 10,
        r"\Q(\E(\pL){200}",
        r"[[:alpha:]\pL]{200}",
        "a" * 9_000,
    ],
)
def test_a_pattern_that_takes_long_is_reported_and_not_compiled(pattern: str) -> None:
    with at_most(0.5), pytest.raises(PatternError, match="too large with its repeats written out"):
        check_pattern(pattern)


def test_the_weight_of_a_pattern_counts_its_repeats() -> None:
    for pattern, counted in (
        ("abc", 3),
        ("a{3}b", 4),
        ("a{2,5}", 5),
        ("a{7,}", 7),
        ("((a{10}){10}){10}", 1_110),
        ("a{,5}", 5),
        (r"\{10}", 4),
        ("[a]{10}b+", 11),
        (r"\Qab\E{10}", 20),
        ("a)b{10}", 12),
    ):
        assert weight(pattern) == counted, pattern
    for name in builtin().names:
        assert check_contract(builtin()[name].data) == [], name


def test_a_pattern_of_matches_that_re2_does_not_take_is_reported() -> None:
    check = "checks:\n  c: {rule: contradiction, at: result, message: Wrong, because: x, check: LINE}\n"
    for line, told in (
        ("result.matches('(?!a)')", 1),
        ("matches(result, r'(?!a)')", 1),
        ("result.matches('(' + ')')", 0),
        ("result == 'matches((' && result.matches('a')", 0),
    ):
        _, problems = read_contract(SINGLE + check.replace("LINE", json.dumps(line)))
        assert ["invalid RE2 pattern" in problem.message for problem in problems] == [True] * told, line


def test_links_of_a_config_that_take_long_are_reported(root: Path) -> None:
    links = "".join(f"'{HEAVY}{at}' = 'https://x.example/$0'\n" for at in range(2_000))
    (root / ".handoff-lsp.toml").write_text(f"[editor.links]\n{links}", encoding="utf-8")
    done = run("check", "next.md", cwd=root, limits=LAW)
    assert done.returncode == 2
    assert "too many patterns" in done.stderr


@pytest.mark.parametrize("number", ["1" + ":10" * 200_000, "9" * 5_000, "1" + ":10" * 200_000 + ".5"])
def test_a_number_that_takes_long_to_read_is_reported(number: str) -> None:
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
    """As its decision says: a gate must not let an unread handoff through."""
    analysis = looked_at(ENVELOPE % ("[" * MAX_DEPTH + "]" * MAX_DEPTH))
    assert [finding.severity for finding in analysis.findings if finding.code == "too-large"] == ["error"]


def looked_at(text: str) -> engine.Analysis:
    return analyze(Source(text), "report.md", builtin(), Options())


def rules_of(text: str) -> Counter[str]:
    return Counter(finding.code for finding in looked_at(text).findings)


def test_findings_of_one_rule_and_handoffs_are_bounded_and_that_is_reported_once() -> None:
    found = rules_of("# Results\n\n" + (BROKEN + "\n") * (MAX_HANDOFFS + 5))
    assert found["invalid-value"] == MAX_FINDINGS
    assert found["too-large"] == 2
    told = [one.message for one in looked_at("\n\n".join([BROKEN] * (MAX_HANDOFFS + 5))).findings]
    assert any(message.startswith("5 handoffs above not looked at") for message in told)
    assert rules_of("\n\n".join([BROKEN] * MAX_FINDINGS)) == {"invalid-value": MAX_FINDINGS}


def test_a_comment_is_not_called_idle_where_not_all_was_looked_at() -> None:
    comment = "<!-- handoff-ignore-file: missing-table -->\n\n"
    assert rules_of(comment + BROKEN)["unused-suppression"] == 1
    assert rules_of(comment + "\n\n".join([BROKEN] * (MAX_FINDINGS + 1)))["unused-suppression"] == 0


def test_what_was_not_looked_at_never_advances() -> None:
    sound = looked_at(SOUND.replace("PATTERNS", '["naming"]')).handoffs[0]
    cut = looked_at(SOUND.replace("PATTERNS", "[" * 200 + "]" * 200)).handoffs[0]
    assert cut.unseen
    assert cut.faults
    assert not sound.faults
    before, after = routing_of(sound), routing_of(cut)
    assert before is not None
    assert after is not None
    assert before.action == "advance"
    assert after.action not in GOES_ON
    late = looked_at("\n\n".join([BROKEN] * (MAX_FINDINGS + 1))).handoffs[-1]
    assert late.unseen
    assert late.faults


@pytest.mark.parametrize(("text", "words"), [("x\n" * 100_001, "100,001 lines"), ("[" * 100_001, "100,001 commas")])
def test_too_many_lines_or_values_are_reported_alone(text: str, words: str) -> None:
    found = looked_at(BROKEN + "\n" + text).findings
    assert [finding.code for finding in found] == ["too-large"]
    assert "looks at no more than" in found[0].message


def test_unknown_names_of_many_items_take_linear_time() -> None:
    """Each was compared with the absent fields of every item: 40 s for this many."""
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
    """CEL compiled a pattern with classes of Unicode again for each of 1,000 handoffs: more than 20 s."""
    name = "openspec/changes/dark-mode/design.md"
    text = (Path(__file__).parents[1] / "examples" / name).read_text(encoding="utf-8")
    with at_most(8):
        found = analyze(Source("\n\n".join([text] * 1_100)), name, builtin(), Options())
    assert len(found.handoffs) == MAX_HANDOFFS
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
