"""The doctor's report as Markdown, to read or to copy into a question."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence

from handoff_lsp.features.doctor.agents import AgentReport
from handoff_lsp.features.doctor.file import ConfigReport, FileReport, NearMiss, Recognised
from handoff_lsp.features.doctor.installation import DoctorReport, Installation, SetupProblem
from handoff_lsp.features.doctor.words import SignInWords
from handoff_lsp.features.pages.agent_pages import debt, details
from handoff_lsp.features.pages.markup import code, prose
from handoff_lsp.language import number_of

_LONGEST = 200
_MOST_NAMES = 20


def page(report: DoctorReport, more: Iterable[str] = ()) -> str:
    """The whole report; ``more``: lines about the client."""
    lines = ["# handoff-lsp doctor", "", *_problems(report.problems), "", *_installation(report.server), "", *more]
    for folder in report.folders:
        lines += ["", f"## Folder {code(_short(folder.folder), _LONGEST)}", "", *_config(folder)]
    lines += _agents(report.agents)
    for file in report.files:
        lines += ["", f"## {code(_short(file.path) if file.path else 'a document without a file', _LONGEST)}", ""]
        lines += _file(file)
    return "\n".join(lines).rstrip("\n") + "\n"


def agents_page(report: DoctorReport) -> str:
    """Only the problems and the agents."""
    lines = ["# handoff-lsp doctor", "", *_problems(report.problems), *_agents(report.agents)]
    return "\n".join(lines).rstrip("\n") + "\n"


def _problems(problems: Iterable[SetupProblem]) -> Iterator[str]:
    lines = [f"- {_where(problem)}{prose(problem.message)}" for problem in problems]
    yield from ["## Problems", "", *lines] if lines else ["No problems with the installation or config."]


def _where(problem: SetupProblem) -> str:
    if problem.path is None:
        return ""
    line = f", line {problem.line}" if problem.line is not None else ""
    return f"{code(_short(problem.path), _LONGEST)}{line}: "


def _installation(server: Installation) -> Iterator[str]:
    versions = ", ".join(f"{name} {version or 'is missing'}" for name, version in server.dependencies.items())
    command = code(server.command, _LONGEST) if server.command else "not on PATH"
    yield from ["## Installation", ""]
    yield f"- handoff-lsp {server.version} in {code(server.package, _LONGEST)}; the command: {command}"
    yield f"- Python {server.python}, {code(server.executable, _LONGEST)}"
    yield f"- {prose(server.platform)}"
    yield f"- {prose(versions)}" if versions else "- run from its sources: dependencies unknown"
    yield f"- {number_of(len(server.builtin), 'contract')} built in, from {code(server.contracts, _LONGEST)}"
    for name, origin in server.own.items():
        yield f"- contract {code(name)} from {code(_short(origin), _LONGEST)}"


def _agents(agents: Sequence[AgentReport]) -> Iterator[str]:
    """The agents that owe something or about which sources differ, each with its debts; then the others by name."""
    if agents:
        yield from ["", "## Agents", ""]
    for agent in agents:
        if not agent.owes and agent.disagreements:
            yield f"- {code(agent.agent)} owes nothing"
        for one in agent.owes:
            yield f"- {code(agent.agent)} {debt(one).removesuffix('.')}"
            yield from (f"  - {line.removesuffix('.')}" for line in details(one))
        for line in agent.disagreements:
            yield f"  - **Disagreement**: {prose(line)}"
    others = [agent.agent for agent in agents if not agent.owes and not agent.disagreements]
    if others:
        more = f" and {number_of(len(others) - _MOST_NAMES, 'other agent')}" if len(others) > _MOST_NAMES else ""
        yield f"- Nothing is known that these owe: {', '.join(map(code, others[:_MOST_NAMES]))}{more}"


def _config(config: ConfigReport) -> Iterator[str]:
    how = {
        "command line": "named on the command line",
        "settings": "named in the editor's settings",
        "search": "the nearest one upward",
    }[config.by]
    if config.path is not None:
        yield f"- **Config**: {code(_short(config.path), _LONGEST)}, {how}"
    else:
        yield f"- **Config**: none, no {code('.handoff-lsp.toml')} and no table {code('[tool.handoff-lsp]')} was found"
    for base in config.extended:
        yield f"- **Extends** {code(_short(base), _LONGEST)}"
    if config.searched:
        yield f"- **Searched** {', '.join(code(folder, _LONGEST) for folder in config.searched)}"
    for passed in config.passed:
        yield f"- {code(_short(passed), _LONGEST)} has no table {code('[tool.handoff-lsp]')}"
    if config.settings:
        settings = json.dumps(config.settings, ensure_ascii=False, default=str)
        yield f"- **Settings of the editor** over it: {code(settings, _LONGEST)}"


def _file(file: FileReport) -> Iterator[str]:
    if file.unreadable:
        yield f"- **Not read**: {prose(file.unreadable)}"
    for found in file.recognised:
        yield from _recognised(found)
    if file.silence:
        yield f"- **Silence**: {prose(file.silence)}"
    for near in file.near:
        yield from _near(near)
    if file.root is not None:
        yield f"- **Path** {code(file.name, _LONGEST)} from {code(file.root, _LONGEST)}"
    for pattern in file.patterns:
        decided = {key: value for key, value in pattern.items() if key != "pattern" and value}
        options = json.dumps(decided, ensure_ascii=False)
        yield f"- **Pattern** {code(pattern['pattern'])} of `[[files]]` matches it: {code(options, _LONGEST)}"
    if file.passed_over:
        yield f"- **Left out** where its folder is checked: {prose(file.passed_over)}"
    yield from _config(file.config)


def _recognised(found: Recognised) -> Iterator[str]:
    state = ", ".join([number_of(found.errors, "error"), number_of(found.warnings, "warning")])
    yield (
        f"- **Recognized** in line {found.line}: {code(found.contract)}, profile {code(found.profile)}, {found.mode} "
        f"({found.form}), with {state}"
    )
    yield from _signs(found.signs)
    yield f"  - profile {code(found.profile)}: {prose(found.why_profile)}"


def _near(near: NearMiss) -> Iterator[str]:
    where = f" in line {near.line}" if near.line is not None else ""
    yield f"- **Nearly** {code(near.contract)} ({near.form}){where}"
    yield from _signs(near.signs)
    for lack in near.lacks:
        yield f"  - lacks {lack}"


def _signs(signs: Iterable[SignInWords]) -> Iterator[str]:
    for sign in signs:
        weight = f" ({sign.weight})" if sign.weight is not None else ""
        line = f", line {sign.line}" if sign.line is not None else ""
        yield f"  - {sign.what}{weight}{line}"


def _short(path: str) -> str:
    """A path relative to the working folder if it is inside, else unchanged."""
    here = os.getcwd()
    return os.path.relpath(path, here) if path.startswith(here + os.sep) else path
