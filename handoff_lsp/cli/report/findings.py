"""The section with the findings: the number of each rule, and the findings of each file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from handoff_lsp.cli.report.markup import Html, joined, marked, quoted, tag
from handoff_lsp.cli.report.section import PageSection, path_of, section, severity_badge, table
from handoff_lsp.cli.report.words import left_out
from handoff_lsp.cli.usage import SEVERITIES
from handoff_lsp.language import number_of
from handoff_lsp.reports.report import Finding
from handoff_lsp.rules.pages import page_of
from handoff_lsp.rules.registry import all_rules

# The most files, findings of a file, findings in all, and characters of a message.
MOST_FILES, MOST_OF_FILE, MOST_FINDINGS, _LONGEST = 200, 50, 1_000, 600
# The findings of so many files are in sight at once.
_FEW_FILES = 20


def findings_section(
    findings: Mapping[str, Sequence[Finding]], *, checked: bool, opened: bool = False
) -> PageSection | None:
    """The findings by file, those with the most errors first; None without any if nothing was ``checked``.

    ``opened``: the findings of few files are in sight at once.
    """
    if not findings:
        return section("findings", "Findings", tag("p", "None.")) if checked else None
    files = sorted(findings.items(), key=lambda item: (*_counts(item[1]), item[0]))
    shown: list[Html] = []
    opened = opened and len(files) <= _FEW_FILES
    room = MOST_FINDINGS
    for path, found in files[:MOST_FILES]:
        if room <= 0:
            break
        most = min(room, MOST_OF_FILE)
        shown.append(_file(path, found, most, opened=opened))
        room -= min(len(found), most)
    return section(
        "findings",
        "Findings",
        _by_rule(findings),
        tag("h3", "By file"),
        *shown,
        tag("p", left_out(len(files) - len(shown), "file", "`handoff-lsp check` lists all findings"))
        if len(shown) < len(files)
        else None,
    )


def _by_rule(findings: Mapping[str, Sequence[Finding]]) -> Html:
    counts: Counter[tuple[str, str]] = Counter(
        (finding.severity, finding.rule) for found in findings.values() for finding in found
    )
    ordered = sorted(counts.items(), key=lambda item: (SEVERITIES.index(item[0][0]), -item[1], item[0][1]))
    total = f"{number_of(counts.total(), 'finding')} in {number_of(len(findings), 'file')}"
    rows = [(_rule(rule), severity_badge(severity), f"{n:,}") for (severity, rule), n in ordered]
    return table(total, ("Rule", "Severity", "Findings"), rows)


def _file(path: str, found: Sequence[Finding], most: int, *, opened: bool) -> Html:
    ranked = sorted(found, key=lambda one: (SEVERITIES.index(one.severity), one.line, one.column))
    counts: Counter[str] = Counter(finding.severity for finding in found)
    words = ", ".join(_number(counts[severity], severity) for severity in SEVERITIES if counts[severity])
    more = len(found) - most
    return tag(
        "details",
        tag("summary", path_of(path), " ", tag("span", words, class_="soft")),
        tag("ul", *(_finding(one) for one in ranked[:most]), class_="findings"),
        tag("p", left_out(more, "finding", "`handoff-lsp check` lists all of this file")) if more > 0 else None,
        open=opened,
    )


def _finding(finding: Finding) -> Html:
    place = tag("span", f"{finding.line}:{finding.column}", class_="path")
    message = joined((severity_badge(finding.severity), " ", place, " ", marked(finding.message, _LONGEST), " "))
    note = tag("div", marked(finding.note, _LONGEST), class_="soft") if finding.note else None
    return tag("li", message, tag("span", _rule(finding.rule), class_="rule"), note)


def _rule(rule: str) -> Html:
    return tag("a", rule, href=page_of(rule)) if rule in all_rules() else quoted(rule)


def _counts(found: Sequence[Finding]) -> tuple[int, ...]:
    counts: Counter[str] = Counter(finding.severity for finding in found)
    return tuple(-counts[severity] for severity in SEVERITIES)


def _number(count: int, severity: str) -> str:
    return number_of(count, severity) if severity != "information" else number_of(count, "info")
