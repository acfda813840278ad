"""Illegal transition.

## What it does
Checks the order of one agent's statuses against the contract's state machine: a status that may not follow the previous
one, or one that is repeated too often. If the contract says so, the files of a folder are one sequence, ordered
by name: `turn-2` before `turn-10`.

## Why is this bad?
The runtime enforces the transitions and rejects the turn.

## How to fix
Follow the order of the states, or end the loop.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import takewhile

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Related, Rule


def check(handoff: Handoff) -> Iterator[Finding]:
    """The status of this handoff, compared with the same agent's earlier handoffs."""
    machine = handoff.spec.contract.transitions
    status = _state(handoff)
    agent = _agent(handoff)
    if machine is None or status is None or agent is None:
        return
    mine = handoff.root.find(machine.of)[0]
    others = handoff.around.before(handoff.spec.name, agent) if machine.across_files else ()
    earlier = [other for other in others if _agent(other) == agent]
    here = _here(handoff, agent)
    at = bisect_left(here, handoff.span.start, key=lambda entry: entry[0].span.start)
    if not earlier and not at:
        return
    before, times = here[at - 1] if at else (earlier[-1], 0)
    previous = _state(before)
    if previous is None or mine.token is None:
        return
    old = _slot(before)
    related = []
    elsewhere = before.source is not handoff.source
    name = handoff.around.name_of(before) if elsewhere else ""
    if old is not None and old.token is not None:
        where = (
            say("`{status}` in {name}", status=previous, name=name)
            if elsewhere
            else say("`{status}` here", status=previous)
        )
        related.append(Related(old.token, where, name, before.source if elsewhere else None))
    allowed = machine.allowed.get(previous)
    if allowed is not None and status not in allowed:
        may = ", ".join(f"`{value}`" for value in allowed)
        yield Finding(
            RULE,
            handoff,
            mine.token,
            (
                say(
                    "`{status}` cannot follow `{previous}` of agent {agent}{where}: only {may} can",
                    status=status,
                    previous=previous,
                    agent=agent,
                    where=say(" in {name}", name=name) if elsewhere else "",
                    may=may,
                )
            ),
            note=machine.because,
            slot=mine,
            related=related,
        )
        return
    most = machine.repeat.get(status)
    if most is not None:
        run = 1
        if previous == status:
            run += times
            if times == at:  # all entries so far have the same status, so the series may have begun in another file
                run += len(list(takewhile(lambda other: _state(other) == status, reversed(earlier))))
        if run > most:
            yield Finding(
                RULE,
                handoff,
                mine.token,
                say(
                    "`{status}` comes {run} times in a row for agent {agent}, but at most {most} are allowed",
                    status=status,
                    run=run,
                    agent=agent,
                    most=most,
                ),
                note=machine.because,
                slot=mine,
                related=related,
            )


def _here(handoff: Handoff, agent: str) -> list[tuple[Handoff, int]]:
    """An agent's handoffs of this contract in the document, each with the length of the series of its status so far."""
    memo = handoff.together[0].memo
    key = f"by agent: {handoff.spec.name}"
    if key not in memo:
        by_agent: dict[str | None, list[tuple[Handoff, int]]] = {}
        for other in handoff.together:
            if other.spec.name == handoff.spec.name:
                known = by_agent.setdefault(_agent(other), [])
                again = bool(known) and _state(known[-1][0]) == _state(other)
                known.append((other, known[-1][1] + 1 if again else 1))
        memo[key] = by_agent
    found: list[tuple[Handoff, int]] = memo[key].get(agent, [])
    return found


def _slot(handoff: Handoff) -> Slot | None:
    machine = handoff.spec.contract.transitions
    found = handoff.root.find(machine.of) if machine is not None else []
    return found[0] if found else None


def _state(handoff: Handoff) -> str | None:
    slot = _slot(handoff)
    return slot.data if slot is not None and isinstance(slot.data, str) else None


def _agent(handoff: Handoff) -> str | None:
    machine = handoff.spec.contract.transitions
    found = handoff.root.find(machine.by) if machine is not None else []
    return found[0].data if found and isinstance(found[0].data, str) else None


RULE = Rule("illegal-transition", "consistency", "warning", check, modes=("handoff",))
