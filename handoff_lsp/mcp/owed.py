"""The tool ``owed``: what an agent owes at its end, where, and the block to emit."""

from __future__ import annotations

import json
from collections.abc import Iterator

from handoff_lsp.contracts.owed import Owed, agent_name
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.engine import Options
from handoff_lsp.features.feedback.checked_text import AgentFacts
from handoff_lsp.features.feedback.owed_block import filled_block
from handoff_lsp.mcp.arguments import OwedArguments
from handoff_lsp.mcp.errors import ToolError
from handoff_lsp.mcp.folders import Folders
from handoff_lsp.mcp.known import usable_config
from handoff_lsp.mcp.results import Debt, OwedResult
from handoff_lsp.mcp.tool import ToolAnswer
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.printable import printable

_PLACES = {
    "message": "in the final message",
    "file": "in a file",
    "either": "in the final message or in a file",
    "both": "in the final message and in a file",
}
_BARE_KEY = lazy_pattern(r"[A-Za-z0-9_-]+")  # one that TOML takes without quotes
_TAKEN = {
    "any": "",
    "first": "The reader takes the first one",
    "last": "The reader takes the last one",
    "only": "The reader takes none of several",
}


def owed(folders: Folders, asked: OwedArguments) -> ToolAnswer:
    """What an agent owes. Raises ToolError."""
    name = agent_name(asked.agent)
    if not name:
        raise ToolError("give the name of an `agent`, as its definition has it")
    resolver = usable_config(folders)
    registry, options = resolver.registry(None), resolver.options(None)
    known = [one for one in resolver.agents.owed_by(name) if one.contract in registry]
    debts = tuple(_debt(name, one, registry, options) for one in known)
    if not debts:
        key = name if _BARE_KEY.fullmatch(name) else json.dumps(name, ensure_ascii=False)
        nothing = f"Nothing is known that `{name}` owes. The config can say it: [agents.{key}] returns = CONTRACT"
        return ToolAnswer(OwedResult(name, ()), printable(nothing))
    return ToolAnswer(OwedResult(name, debts), "\n\n".join("\n".join(_words(name, debt)) for debt in debts))


def _debt(agent: str, one: Owed, registry: Registry, options: Options) -> Debt:
    entry = registry[one.contract]
    profiles = one.profiles or (options.profiles.get(entry.name, entry.contract.default_profile),)
    block = filled_block(one, registry, options, "", AgentFacts(agent=agent)).text + "\n"
    return Debt(
        one.contract,
        profiles,
        one.where,
        block,
        one.known_from,
        one.files,
        one.takes,
        one.at_end,
        one.instead,
        one.must,
        one.never,
        one.because,
    )


def _words(agent: str, debt: Debt) -> Iterator[str]:
    profiles = " or ".join(debt.profiles)
    files = f" ({', '.join(debt.files)})" if debt.files else ""
    where = f"{_PLACES[debt.where]}{files}"
    yield printable(f"`{agent}` owes a handoff `{debt.contract}` ({profiles}) {where}. Known from {debt.known_from}.")
    details = [
        _TAKEN[debt.takes],
        "Nothing may follow it in the message" if debt.at_end else "",
        f"Accepted instead: {', '.join(debt.instead)}" if debt.instead else "",
        f"It must have {', '.join(debt.must)}" if debt.must else "",
        f"It must not have {', '.join(debt.never)}" if debt.never else "",
        f"Without it: {debt.because}" if debt.because else "",
    ]
    yield from (printable(f"{detail.removesuffix('.')}.") for detail in details if detail)
    yield "Emit this block, and replace everything in `<…>`:"
    yield ""
    yield debt.block.rstrip("\n")
