"""A guard for LangGraph: a node checks the handoff at the end of a message and sends the model back with the feedback.

Any chat model of LangChain will do as `model`.
"""

from __future__ import annotations

from typing import Any, Literal

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Command

import handoff_lsp

ATTEMPTS = 3


class State(MessagesState):
    """The messages, how many were checked, and the handoffs of the first sound one: each has a decision of its own."""

    attempts: int
    handoffs: list[handoff_lsp.Handoff]


def graph(model: BaseChatModel, contract: str) -> Any:
    """The compiled graph: agent, guard, and back while the handoff of a contract is not sound."""

    def agent(state: State) -> dict[str, Any]:
        return {"messages": [model.invoke(state["messages"])]}

    def guard(state: State) -> Command[Literal["agent", "__end__"]]:
        report = handoff_lsp.check_text(state["messages"][-1].text, contract=contract)
        attempts = state.get("attempts", 0) + 1
        if report.ok:
            sound = [one for one in report.handoffs if one.mode == "handoff"]
            return Command(goto=END, update={"attempts": attempts, "handoffs": sound})
        if attempts == ATTEMPTS:
            return Command(goto=END, update={"attempts": attempts, "handoffs": []})
        return Command(goto="agent", update={"attempts": attempts, "messages": [HumanMessage(report.feedback())]})

    made = StateGraph(State)
    made.add_node("agent", agent)
    made.add_node("guard", guard)
    made.add_edge(START, "agent")
    made.add_edge("agent", "guard")
    return made.compile()
