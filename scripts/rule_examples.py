"""The example on each rule's page: the shortest case that shows the rule alone, and the command's output for it."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from case_files import Case, read_cases

from handoff_lsp.cli.output.format import Document, Look
from handoff_lsp.cli.output.text import Output
from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import MAX_LINES, Analysis, Options, analyze
from handoff_lsp.reports.make import report_of
from handoff_lsp.rules.registry import all_rules, rules_of_handoffs
from handoff_lsp.rules.rule import Finding, Rule
from handoff_lsp.text import Source

if TYPE_CHECKING:
    from handoff_lsp.binding.handoff import Handoff

# The document's path if a case gives none.
_PATH = "handoff.md"
# The languages of fences, by the documents' suffixes.
_KINDS = {"json": "json", "log": "text", "yaml": "yaml"}
# A small handoff and a small contract with a mistake, for the rules about handoff-lsp itself: no case shows them.
_HANDOFF = "AGENT_RESULT: developer\nSTATUS: success\n"
_CONTRACT = """\
contract: deploy-ticket
title: Deploy ticket
about: What a deploy agent leaves for the release manager.
status: state
unread: nobody deploys
default_profile: v1
profiles: {v1: {about: The only version.}}
fields:
  state: {title: State, carriers: [plain-label], type: enums}
"""
_CONTRACT_PATH = "contracts/deploy-ticket.yaml"


def examples() -> dict[str, str]:
    """The section ``## Example`` of each rule's page, by the rule's code."""
    cases = read_cases()
    found = {code: _of_cases(rule, cases) for code, rule in all_rules().items()}
    return found | {"invalid-contract": _contract(), "too-large": _large(), "internal-error": _crash()}


def _of_cases(rule: Rule, cases: list[Case]) -> str:
    chosen = min((case for case in cases if _shows(case, rule)), key=lambda case: _order(case, rule), default=None)
    if chosen is None:
        return ""
    returned = bool(chosen.agent) and not chosen.path
    printed = _printed(chosen.analyze(), "<stdin>" if returned else chosen.path or _PATH, rule)
    command = f"check - --agent {chosen.agent}" if returned else "check"
    return _section([(chosen.path, chosen.text), *chosen.beside], printed, _config(chosen), command)


def _config(case: Case) -> str:
    """The config with which a case is checked; empty without one."""
    tables = (f'[contracts.{name}]\nprofile = "{profile}"' for name, profile in case.options.profiles.items())
    return "\n\n".join(tables)


def _shows(case: Case, rule: Rule) -> bool:
    """Whether a case expects the rule, with no config or only a profile, which the page shows, too."""
    options = replace(case.options, profiles={})
    return any(expected.rule == rule.code for expected in case.expected) and options == Options()


def _order(case: Case, rule: Rule) -> tuple[bool, bool, bool, bool, int, str]:
    """The sort key: cases with this finding only, with the rule's own severity, in one document, then the shortest."""
    own = [expected for expected in case.expected if expected.rule == rule.code]
    severities = {finding.severity for finding in case.analyze().findings if finding.code == rule.code}
    alone = len(own) == len(case.expected) == 1
    own_severity = severities == {rule.severity}
    return not alone, not own_severity, bool(case.options.profiles), bool(case.beside), len(case.text), case.name


def _printed(analysis: Analysis, path: str, rule: Rule) -> str:
    """The command's output for the findings of a rule."""
    kept = tuple(finding for finding in analysis.findings if finding.code == rule.code)
    report = report_of(replace(analysis, findings=kept), path, fixes=False)
    printed: list[str] = []
    Output(printed.append, Look()).document(Document(report, named=False, read=lambda: analysis.source.text))
    return "".join(printed).strip("\n")


def _section(documents: list[tuple[str, str]], printed: str, config: str = "", command: str = "check") -> str:
    parts = ["## Example"]
    if config:
        parts.append(f"With this in `.handoff-lsp.toml`:\n\n~~~~toml\n{config}\n~~~~")
    for path, text in documents:
        if not text.strip():
            parts.append(f"There is a file `{path}`, too.")
            continue
        kind = _KINDS.get(path.rpartition(".")[2], "markdown")
        parts.append((f"`{path}`:\n\n" if path else "") + f"~~~~{kind}\n{text.rstrip()}\n~~~~")
    return "\n\n".join([*parts, f"`handoff-lsp {command}` reports:\n\n~~~~text\n{printed}\n~~~~"])


def _contract() -> str:
    """A contract file with a mistake, and the line that the command prints for it."""
    _, problems = read_contract(_CONTRACT)
    lines = [
        f"handoff-lsp: error: {_CONTRACT_PATH}:{_CONTRACT.count(chr(10), 0, problem.span.start) + 1}: {problem.message}"
        for problem in problems
    ]
    return _section([(_CONTRACT_PATH, _CONTRACT)], "\n".join(lines))


def _large() -> str:
    """A document with one line too many; only the output is short enough to be shown."""
    rule = all_rules()["too-large"]
    printed = _printed(analyze(Source("\n" * (MAX_LINES + 1)), _PATH, builtin(), Options()), _PATH, rule)
    return _section([], printed).replace("`handoff", f"For a document of {MAX_LINES + 1:,} empty lines `handoff", 1)


def _crash() -> str:
    """A small handoff, checked while one rule has a bug."""
    rules = rules_of_handoffs()
    broken = rules["section-order"]

    def fails(handoff: Handoff) -> Iterator[Finding]:
        raise ValueError("the sections have no order")

    rules[broken.code] = replace(broken, check=fails)
    logging.disable()
    try:
        analysis = analyze(Source(_HANDOFF), _PATH, builtin(), Options())
    finally:
        logging.disable(logging.NOTSET)
        rules[broken.code] = broken
    return _section([("", _HANDOFF)], _printed(analysis, _PATH, rules["internal-error"]))
