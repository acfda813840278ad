"""An agent's status follows one that it cannot follow.

## What it does
Looks at the handoffs of one agent in the order in which they stand, and tells a status that the contract's state
machine does not allow after the one before it, or one that comes too often in a row. Where the contract says so, the
files of the folder go on from one another in the order of their names, `turn-2` before `turn-10`.

## Why is this bad?
The runtime holds the transitions: it refuses the turn.

## How to fix
Go through the states in their order, or end the loop.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.slot import Slot
from handoff_lsp.rules.rule import Finding, Related, Rule, sentence


def check(block: Block) -> Iterator[Finding]:
    """This block's status against those of the same agent's earlier blocks."""
    machine = block.spec.contract.transitions
    status = _state(block)
    agent = _agent(block)
    if machine is None or status is None or agent is None:
        return
    mine = block.root.find(machine.of)[0]
    others = block.around.before(block.spec.name, agent) if machine.across_files else ()
    history = [(other, _state(other)) for other in (*others, *block.earlier) if _agent(other) == agent]
    if not history:
        return
    before, previous = history[-1]
    if previous is None or mine.token is None:
        return
    old = _slot(before)
    related = []
    elsewhere = before.source is not block.source
    name = block.around.name_of(before) if elsewhere else ""
    if old is not None and old.token is not None:
        where = f"in {name}" if elsewhere else "here"
        related.append(Related(old.token, f"`{previous}` {where}", name, before.source if elsewhere else None))
    allowed = machine.allowed.get(previous)
    if allowed is not None and status not in allowed:
        may = ", ".join(f"`{value}`" for value in allowed)
        yield Finding(
            RULE,
            block,
            mine.token,
            sentence(
                f"`{status}` cannot follow `{previous}` of agent {agent}{f' in {name}' if elsewhere else ''}: "
                f"only {may} can",
                machine.because,
            ),
            slot=mine,
            related=related,
        )
        return
    most = machine.repeat.get(status)
    if most is not None:
        run = 1
        for _, state in reversed(history):
            if state != status:
                break
            run += 1
        if run > most:
            yield Finding(
                RULE,
                block,
                mine.token,
                sentence(
                    f"`{status}` comes {run} times in a row for agent {agent}, but at most {most} are allowed",
                    machine.because,
                ),
                slot=mine,
                related=related,
            )


def _slot(block: Block) -> Slot | None:
    machine = block.spec.contract.transitions
    found = block.root.find(machine.of) if machine is not None else []
    return found[0] if found else None


def _state(block: Block) -> str | None:
    slot = _slot(block)
    return slot.data if slot is not None and isinstance(slot.data, str) else None


def _agent(block: Block) -> str | None:
    machine = block.spec.contract.transitions
    found = block.root.find(machine.by) if machine is not None else []
    return found[0].data if found and isinstance(found[0].data, str) else None


RULE = Rule("illegal-transition", "sense", "warning", check, modes=("handoff",))
