"""A key is not one that the contract knows.

## What it does
Tells unknown keys where the contract has a closed vocabulary, and names the absent field that was most likely meant:
the same name but for a slip of the pen, and none that is there already. Elsewhere unknown keys are nobody's business,
unless the name is the one that another profile uses, or such a slip: that is a warning.

## Why is this bad?
A closed vocabulary means that the validator refuses the block. A misspelt key is also a missing one.

## How to fix
Rename the key, or remove it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.slot import Slot, Unknown
from handoff_lsp.contracts.names import slip_of
from handoff_lsp.rules.absent import absent_of, is_there, means
from handoff_lsp.rules.bounded import MAX_UNKNOWN
from handoff_lsp.rules.choices import written
from handoff_lsp.rules.misplaced_field import home_of
from handoff_lsp.rules.rule import Finding, Fix, Rule, sentence
from handoff_lsp.text import Edit, Span

# From this length on a key is taken for a slip of the pen.
_SHORTEST_SLIP = 5


def check(block: Block) -> Iterator[Finding]:
    """Unknown keys of closed objects; of open ones those that are a known key but for a slip of the pen."""
    if block.syntax not in {"json", "outline"}:
        return
    yield from _of_another_profile(block)
    for slot in block.slots:
        for unknown in slot.unknown if slot.field.closed else slot.unknown[:MAX_UNKNOWN]:
            if slot.field.closed:
                if home_of(block, unknown) is None and not _is_near_miss(slot, unknown, block):
                    yield _finding(block, slot, unknown)
            elif not _is_told_as_missing(slot, unknown, block):
                yield from _slip(block, slot, unknown)


def _is_told_as_missing(slot: Slot, unknown: Unknown, block: Block) -> bool:
    return any(means(block, child, unknown) for child in absent_of(block, slot))


def _slip(block: Block, slot: Slot, unknown: Unknown) -> Iterator[Finding]:
    """A key that is almost one which is not there: what is written behind it is lost."""
    near = _meant(slot, unknown) if len(unknown.name) >= _SHORTEST_SLIP else None
    if near is not None:
        yield Finding(
            RULE,
            block,
            unknown.key,
            f"`{unknown.name}` is not a field of this contract. Readers pass over it. Did you mean `{near}`?",
            field=f"{slot.path}.{unknown.name}" if slot.path else unknown.name,
            severity="warning",
            fixes=partial(_fixes, block, unknown, near),
        )


def _of_another_profile(block: Block) -> Iterator[Finding]:
    """Keys by the name that another profile has for them, where the config says which profile is read."""
    if block.pinned is None:
        return
    for path, field in block.pinned.walk():
        title = field.title
        parent = (
            block.root.find(path.rpartition(".")[0])[0]
            if "." in path and block.root.find(path.rpartition(".")[0])
            else block.root
        )
        mine = next(
            (child for child in parent.children.values() if child.written and child.title in field.instead_of), None
        )
        if mine is None or mine.key is None or is_there(parent, title):
            continue
        owner = block.pinned.field(parent.path) if parent.path else None
        unknown = owner.upstream.unknown if owner is not None else block.pinned.contract.upstream.unknown
        yield Finding(
            RULE,
            block,
            mine.key,
            sentence(
                f"`{mine.title}` is a key of {block.spec.profile}, but the config says that "
                f"{block.pinned.profile} is read, which looks for `{title}`",
                block.spec.contract.unread if path == block.pinned.contract.status else "",
            ),
            slot=mine,
            upstream=[*unknown, *field.upstream.missing],
            fixes=partial(_rename, block, mine.key, mine.title, title),
        )


def _is_near_miss(slot: Slot, unknown: Unknown, block: Block) -> bool:
    """Whether a missing field's finding speaks of this key already. Upstream, where it checks, tells both."""
    if slot.field.upstream.unknown:
        return False
    return any(means(block, child, unknown) for child in slot.children.values() if not child.written)


def _finding(block: Block, slot: Slot, unknown: Unknown) -> Finding:
    near = _meant(slot, unknown)
    where = f" in `{slot.path}`" if slot.path else ""
    path = f"{slot.path}.{unknown.name}" if slot.path else unknown.name
    hint = f"Did you mean `{near}`?" if near else ""
    return Finding(
        RULE,
        block,
        unknown.key,
        sentence(
            f"`{unknown.name}` is not a field of this contract{where}",
            "Its vocabulary is closed and the block is refused",
        )
        + (f". {hint}" if hint else ""),
        field=path,
        severity=slot.field.severity.get(RULE.code, RULE.severity),
        upstream=[token.replace("{value}", unknown.name) for token in slot.field.upstream.unknown],
        fixes=partial(_fixes, block, unknown, near),
    )


def _meant(slot: Slot, unknown: Unknown) -> str | None:
    """The name of a field that is not there which an unknown one is but for a slip of the pen."""
    return slip_of(unknown.name, [child.title for child in slot.children.values() if not child.written])


def _fixes(block: Block, unknown: Unknown, near: str | None) -> list[Fix]:
    return _rename(block, unknown.key, unknown.name, near) if near is not None else []


def _rename(block: Block, key: Span, old: str, new: str) -> list[Fix]:
    return [Fix(f"Rename `{old}` to `{new}`", (Edit(key, written(block, new)),), safe=False)]


RULE = Rule("unknown-field", "shape", "error", check, fixable="sometimes", unfinished="here")
