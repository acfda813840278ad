"""``--select``, ``--ignore`` and ``--severity``: which findings of which rules are shown, and with which severity.

``--severity`` counts as the config does: a rule that is off is not checked, and withholds no handoff. ``--select`` and
``--ignore`` only leave findings out of the output, as comments do: a decision stays the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args

from handoff_lsp.cli.usage import UsageError
from handoff_lsp.contracts.model import Severity
from handoff_lsp.contracts.problems import unknown
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.reports.report import Finding, Report
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.rules.rule import Finding as InternalFinding
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.workspace.config.config_file import RootedPattern
from handoff_lsp.workspace.config.given import GivenSettings
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.disk.globs import unsafe_reason

if TYPE_CHECKING:
    import argparse

# Their findings say that something was not checked: a selection of other rules is no reason to leave them out.
_ALWAYS = frozenset({"internal-error", "too-large"})


@lazy_dataclass(frozen=True)
class Selection:
    """The names of ``--select`` (None: all) and ``--ignore``: rules, checks as ``CONTRACT/CHECK``, groups of rules."""

    selected: frozenset[str] | None = None
    ignored: frozenset[str] = frozenset()

    def shows(self, rule: str, check: str | None) -> bool:
        """Whether findings of a rule, or of a check, are shown.

        The most specific of their names decides, and ``--ignore`` if a name is in both.
        """
        for name in (check, rule, group_of(rule)):
            if name in self.ignored:
                return False
            if name is not None and self.selected is not None and name in self.selected:
                return True
        return self.selected is None or rule in _ALWAYS

    def fixes(self, finding: InternalFinding) -> bool:
        """Whether ``--fix`` fixes a finding: if it would be shown."""
        return self.shows(finding.code, finding.check)

    def applied(self, report: Report) -> Report:
        """A report with the findings that are shown."""
        if self.selected is None and not self.ignored:
            return report
        handoffs = tuple(replace(each, findings=self._shown(each.findings)) for each in report.handoffs)
        return replace(report, handoffs=handoffs, findings=self._shown(report.findings))

    def _shown(self, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        return tuple(finding for finding in findings if self.shows(finding.rule, finding.check))


def group_of(rule: str) -> str:
    """The name of a rule's group on the command line, such as ``missing-content``; empty for an unknown rule."""
    known = all_rules().get(rule)
    return known.group.replace(" ", "-") if known is not None else ""


def given_of(arguments: argparse.Namespace) -> GivenSettings:
    """The settings of the arguments that go before every config. Raises UsageError."""
    command = arguments.command
    if arguments.isolated and arguments.config is not None:
        raise UsageError("`--isolated` reads no config, so it cannot be used with `--config`", command)
    return GivenSettings(
        isolated=arguments.isolated,
        exclude=_patterns("--exclude", arguments.exclude, command) if arguments.exclude else None,
        extend_exclude=_patterns("--extend-exclude", arguments.extend_exclude, command),
        severities=dict(_severity(each, command) for each in arguments.severity),
    )


def selection_of(arguments: argparse.Namespace, resolver: Resolver) -> Selection:
    """The selection of the arguments. Raises UsageError for an unknown name."""
    selected, ignored = (_listed(given) for given in (arguments.select, arguments.ignore))
    if arguments.drift:
        if arguments.select:
            raise UsageError("`--drift` selects the rules about prompts; leave some out with `--ignore`", "check")
        selected = ["prompts"]
    if arguments.select and not selected:  # most likely a variable with nothing in it
        raise UsageError("`--select` names no rule", arguments.command)
    registries = _registries(arguments, resolver)
    for name in (*selected, *ignored):
        _check(name, registries, {group_of(rule) for rule in all_rules()}, arguments.command)
    return Selection(frozenset(selected) if selected else None, frozenset(ignored))


def check_severities(arguments: argparse.Namespace, resolver: Resolver) -> None:
    """Raise UsageError for a severity of an unknown rule or check."""
    if resolver.given.severities:
        registries = _registries(arguments, resolver)
        for name in resolver.given.severities:
            _check(name, registries, (), arguments.command)


def _patterns(option: str, given: list[str], command: str) -> tuple[RootedPattern, ...]:
    found = []
    for pattern in _listed(given):
        reason = unsafe_reason(pattern)
        if reason is not None:
            reason = reason.replace("the folder of the config file", "the working folder")
            raise UsageError(f'the pattern "{pattern}" of `{option}` {reason}', command)
        found.append(RootedPattern(Path.cwd(), pattern))
    return tuple(found)


def _severity(given: str, command: str) -> tuple[str, Severity]:
    name, equals, level = given.partition("=")
    levels = get_args(Severity)
    if not equals or not name:
        raise UsageError(f"`--severity` needs RULE=LEVEL, such as `count-mismatch=warning`, not `{given}`", command)
    if level not in levels:
        raise UsageError(unknown("level", level, levels, f" of `{name}`"), command)
    return name, cast(Severity, level)


def _listed(given: Iterable[str]) -> list[str]:
    """The names of an option that may be repeated, and takes several names with commas between them."""
    return [name for part in given for name in (each.strip() for each in part.split(",")) if name]


def _registries(arguments: argparse.Namespace, resolver: Resolver) -> list[Registry]:
    """The contracts of the working folder and of the given paths; those of configs further down are not known yet."""
    paths = (Path(os.path.abspath(path)) for path in arguments.paths if path and path != "-")
    places = [None, *(path / "_" if os.path.isdir(path) else path for path in paths)]
    return list({id(found): found for found in map(resolver.registry, places)}.values())


def _check(name: str, registries: list[Registry], groups: Iterable[str], command: str) -> None:
    if name in all_rules() or name in groups:
        return
    contract, slash, check = name.partition("/")
    if not slash:
        raise UsageError(unknown("rule", name, [*all_rules(), *sorted(groups)]), command)
    having = [registry[contract] for registry in registries if contract in registry]
    if not having:
        raise UsageError(unknown("contract", contract, _names(registries)), command)
    checks = [each for entry in having for each in entry.checks]
    if check not in checks:
        raise UsageError(unknown("check", check, checks, f" of `{contract}`"), command)


def _names(registries: Iterable[Registry]) -> Iterator[str]:
    return (name for registry in registries for name in registry.names)
