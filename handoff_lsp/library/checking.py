"""Checking one text by the contracts that come with handoff-lsp: no config, no other file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePath

from handoff_lsp.contracts.model import Mode, Severity
from handoff_lsp.contracts.owed import Owed, Returned, agent_name, owed_by_contracts
from handoff_lsp.contracts.registry import Registry, builtin
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.features.feedback.checked_text import NOTHING, CheckedText
from handoff_lsp.features.feedback.complaint import absence, advice, complaint, withheld
from handoff_lsp.features.feedback.owed_block import OwedBlock, filled_block
from handoff_lsp.library.names import entry_of, profiles_of, require_mode, severities_of
from handoff_lsp.reports.make import report_of
from handoff_lsp.reports.report import Handoff, Report
from handoff_lsp.text import Source

AnyPath = str | os.PathLike[str]


def check_text(
    text: str,
    path: AnyPath = "",
    *,
    contract: str | None = None,
    profile: str | None = None,
    mode: Mode | None = None,
    agent: str = "",
    rules: Mapping[str, Severity] | None = None,
    fixes: bool = True,
) -> Report:
    """Check one text. Reads no config and no file, keeps no state, and never fails because of the text.

    ``path`` (from the root of the project) helps to recognize the format; no file needs to be there.
    ``contract`` says that the text is a handoff of this contract; left out, all are tried. ``profile`` counts where
    the text has no evidence for another one; without a contract, for each contract that has it. ``mode`` sets how
    handoffs count. A comment ``<!-- handoff: … -->`` in the text goes before these three. ``agent`` is the name of the
    agent that returned the text: its final message, or with a path a file that it wrote; what it owes by the contracts
    is then checked, too. ``rules``: severities by rule, or by a contract's own check (``agent-contract/NAME``).

    Without ``fixes`` neither fixes nor the corrections in ``feedback`` are computed; this takes less time. Raises
    UnknownNameError for a contract, profile, mode, rule or severity that does not exist.
    """
    path = path if isinstance(path, str) else PurePath(path).as_posix()
    registry = builtin()
    options = _options(registry, contract, profile, mode, rules or {})
    owed = tuple(owed_by_contracts(registry, agent))
    if owed:
        options = replace(options, returned=Returned(agent_name(agent), owed))
    return made_report(analyze(Source(text), path, registry, options), path, fixes=fixes)


def parse_text(
    text: str,
    path: AnyPath = "",
    *,
    contract: str | None = None,
    profile: str | None = None,
    agent: str = "",
    rules: Mapping[str, Severity] | None = None,
) -> tuple[Handoff, ...]:
    """The handoffs of a text that an orchestrator acts on, in the order of the text; empty without one.

    Templates and examples are left out. The arguments are those of ``check_text``, and so is the error; the findings
    have no fixes. A broken handoff is among the results: its ``routing`` says what is to be done about it.
    """
    report = check_text(text, path, contract=contract, profile=profile, agent=agent, rules=rules, fixes=False)
    return acted_on(report)


def acted_on(report: Report) -> tuple[Handoff, ...]:
    """The handoffs of a report without templates and examples."""
    return tuple(handoff for handoff in report.handoffs if handoff.mode == "handoff")


def made_report(analysis: Analysis, path: str, *, fixes: bool) -> Report:
    """The report of an analysis with its feedback."""
    report = report_of(analysis, path, fixes=fixes)
    return replace(report, _feedback=_feedback(analysis, report, fixes=fixes))


def _feedback(analysis: Analysis, report: Report, *, fixes: bool) -> str:
    wrong, doubtful = (
        [finding for finding in analysis.findings if finding.severity == severity] for severity in ("error", "warning")
    )
    checked = CheckedText(report.path, analysis, wrong, doubtful, fixes)
    if wrong:
        return complaint([checked], stopping=True)
    verdict = report.verdict
    if verdict.state == "not checked" and report.findings and not acted_on(report):
        return f"handoff-lsp: {checked.name} was {verdict.line}"
    if not acted_on(report):
        return absence(checked, _block(analysis))
    if doubtful:
        return advice(checked)
    return "" if report.ok else withheld(checked)


def _block(analysis: Analysis) -> OwedBlock | None:
    """The handoff that is missing where its contract is known."""
    registry, options = analysis.registry, analysis.options
    if options.contract is None or options.contract not in registry:
        return None
    return filled_block(Owed("", options.contract), registry, options, analysis.path, NOTHING)


def _options(
    registry: Registry,
    contract: str | None,
    profile: str | None,
    mode: str | None,
    rules: Mapping[str, Severity],
) -> Options:
    if contract is not None:
        entry_of(registry, contract)
    if mode is not None:
        require_mode(mode)
    profiles = profiles_of(registry, contract, profile) if profile is not None else {}
    return Options(severities=severities_of(registry, rules), profiles=profiles, contract=contract, mode=mode)
