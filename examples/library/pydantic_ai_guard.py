"""A guard for pydantic-ai: the agent's output is its handoff, and a broken one is sent back with the feedback.

Any model of pydantic-ai will do as `model`.
"""

from __future__ import annotations

from pydantic_ai import Agent, ModelRetry, TextOutput
from pydantic_ai.models import Model

import handoff_lsp


def agent(model: Model, contract: str) -> Agent[None, handoff_lsp.Handoff]:
    """An agent whose output is a sound handoff of a contract. `retries` bounds how often a broken one goes back."""

    def handoff(text: str) -> handoff_lsp.Handoff:
        report = handoff_lsp.check_text(text, contract=contract)
        if not report.ok:
            raise ModelRetry(report.feedback())
        return report.handoffs[-1]

    instructions = f"End with a handoff like this one:\n\n{handoff_lsp.new(contract)}"
    return Agent(model, output_type=TextOutput(handoff), instructions=instructions, retries=2)
