"""A guard for pydantic-ai: the agent's output is its handoff, and a broken one is sent back with the feedback.

Any model of pydantic-ai will do as `model`.
"""

from __future__ import annotations

from pydantic_ai import Agent, ModelRetry, TextOutput
from pydantic_ai.models import Model

import handoff_lsp


def agent(model: Model, contract: str) -> Agent[None, list[handoff_lsp.Handoff]]:
    """An agent whose output are sound handoffs of a contract: most often one, and each has a decision of its own.

    `retries` bounds how often a broken one goes back.
    """

    def handoffs(text: str) -> list[handoff_lsp.Handoff]:
        report = handoff_lsp.check_text(text, contract=contract)
        if not report.ok:
            raise ModelRetry(report.feedback())
        return [one for one in report.handoffs if one.mode == "handoff"]

    instructions = f"End with a handoff like this one:\n\n{handoff_lsp.new(contract)}"
    return Agent(model, output_type=TextOutput(handoffs), instructions=instructions, retries=2)
