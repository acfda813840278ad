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

from bisect import bisect_left
from collections.abc import Iterator
from itertools import takewhile

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
    earlier = [other for other in others if _agent(other) == agent]
    here = _here(block, agent)
    at = bisect_left(here, block.span.start, key=lambda entry: entry[0].span.start)
    if not earlier and not at:
        return
    before, times = here[at - 1] if at else (earlier[-1], 0)
    previous = _state(before)
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
        if previous == status:
            run += times
            if times == at:  # all of them up to here, so it may have begun in another file
                run += len(list(takewhile(lambda other: _state(other) == status, reversed(earlier))))
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


def _here(block: Block, agent: str) -> list[tuple[Block, int]]:
    """An agent's blocks of this contract in the document, each with how often its status has come in a row by then."""
    memo = block.together[0].memo
    key = f"by agent: {block.spec.name}"
    if key not in memo:
        by_agent: dict[str | None, list[tuple[Block, int]]] = {}
        for other in block.together:
            if other.spec.name == block.spec.name:
                known = by_agent.setdefault(_agent(other), [])
                again = bool(known) and _state(known[-1][0]) == _state(other)
                known.append((other, known[-1][1] + 1 if again else 1))
        memo[key] = by_agent
    found: list[tuple[Block, int]] = memo[key].get(agent, [])
    return found


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
