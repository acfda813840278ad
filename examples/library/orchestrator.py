"""An orchestrator: each agent's handoff decides what comes next. `agents` are functions from a prompt to a message."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import handoff_lsp

CONTRACT = "status-block"
ATTEMPTS = 3


def run(agents: Mapping[str, Callable[[str], str]], order: tuple[str, ...], task: str) -> str:
    """Run the agents in their order. Returns the reason for the end."""
    prompt = task
    for name in order:
        report = ask(agents[name], prompt)
        if not report.ok:
            return f"{name}: no sound handoff after {ATTEMPTS} attempts"
        sound = [handoff for handoff in report.handoffs if handoff.mode == "handoff"]
        for handoff in sound:  # a message may hold several, and each must advance
            if handoff.routing is None or handoff.routing.action != "advance":
                return f"{name}: {handoff.decision}"
        prompt = f"{task}\n\n{name} says: {sound[-1].fields['abstract']['outcome']}"
    return "done"


def ask(agent: Callable[[str], str], prompt: str) -> handoff_lsp.Report:
    """The report on an agent's message. A broken handoff goes back with the reasons and the corrections."""
    report = handoff_lsp.check_text(
        agent(f"{prompt}\n\nEnd like this:\n\n{handoff_lsp.new(CONTRACT)}"), contract=CONTRACT
    )
    for _ in range(ATTEMPTS - 1):
        if report.ok:
            break
        report = handoff_lsp.check_text(agent(report.feedback()), contract=CONTRACT)
    return report
