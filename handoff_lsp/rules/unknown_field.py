"""Unknown field.

## What it does
Checks for unknown keys in objects with a closed vocabulary, and suggests the missing key that was probably meant.
Elsewhere unknown keys are allowed; a key of another profile, or a misspelling of a missing one, is a warning.

## Why is this bad?
The validator rejects a block with unknown keys. A misspelled key is also a missing one.

## How to fix
Rename the key, or remove it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot, Unknown
from handoff_lsp.binding.values import read_text
from handoff_lsp.contracts.names import slip_of
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Fix, Rule
from handoff_lsp.rules.shared.absent import absent_of, is_decisive, is_there, may_hold, means
from handoff_lsp.rules.shared.bounded import MAX_UNKNOWN
from handoff_lsp.rules.shared.misplaced import home_of
from handoff_lsp.rules.shared.unclear import goes_on_with
from handoff_lsp.text import Edit, Span

# From this length on a similar key counts as misspelled.
_SHORTEST_SLIP = 5


def check(handoff: Handoff) -> Iterator[Finding]:
    """Unknown keys of closed objects, and misspelled known keys of open ones."""
    if handoff.body.only_keys:
        yield from _of_another_profile(handoff)
    elif handoff.spec.front_matter is None:
        return
    for slot in handoff.to_judge:
        closed = slot.field.closed if slot.path or handoff.body.only_keys else handoff.spec.contract.closed
        for unknown in slot.unknown if closed else slot.unknown[:MAX_UNKNOWN]:
            if not (unknown.in_front or handoff.body.only_keys):
                continue
            if closed:
                if home_of(handoff, unknown) is None and not _is_near_miss(slot, unknown, handoff):
                    yield _finding(handoff, slot, unknown)
            elif not _is_reported_missing(slot, unknown, handoff):
                yield from _slip(handoff, slot, unknown)


def _is_reported_missing(slot: Slot, unknown: Unknown, handoff: Handoff) -> bool:
    return any(means(handoff, child, unknown) for child in absent_of(handoff, slot))


def _slip(handoff: Handoff, slot: Slot, unknown: Unknown) -> Iterator[Finding]:
    """A misspelling of an absent key: its value is lost."""
    near = _meant(slot, unknown) if len(unknown.name) >= _SHORTEST_SLIP else None
    if near is not None:
        named = (child for child in slot.children.values() if child.title == near)
        meant = next((child for child in named if _decides(handoff, child, unknown)), None)
        yield Finding(
            RULE,
            handoff,
            unknown.key,
            say("Unknown field `{name}`", name=unknown.name),
            note=say("Readers ignore it"),
            hint=say("Did you mean `{near}`?", near=near),
            field=f"{slot.path}.{unknown.name}" if slot.path else unknown.name,
            severity="warning",
            slot=meant,
            fixes=partial(_fixes, handoff, unknown, near),
            withholds=meant is not None,
        )


def _decides(handoff: Handoff, meant: Slot, unknown: Unknown) -> bool:
    """Whether the value of a misspelled key, under its right name, would hold the handoff back."""
    if not is_decisive(handoff, meant.path):
        return False
    text = handoff.source.slice(Span(unknown.key.end, unknown.span.end)).strip("\"':： \t\r\n,")
    value = read_text(meant.field, text, handoff.spec.empty_words)
    return bool(value.problem) or not goes_on_with(handoff, meant.path, value.data)


def _of_another_profile(handoff: Handoff) -> Iterator[Finding]:
    """Keys under another profile's name for them, if the config sets the profile."""
    if handoff.pinned is None:
        return
    for path, field in handoff.pinned.walk():
        title = field.title
        parent = (
            handoff.root.find(path.rpartition(".")[0])[0]
            if "." in path and handoff.root.find(path.rpartition(".")[0])
            else handoff.root
        )
        mine = next(
            (child for child in parent.children.values() if child.written and child.title in field.instead_of), None
        )
        if mine is None or mine.key is None or is_there(parent, title):
            continue
        owner = handoff.pinned.field(parent.path) if parent.path else None
        unknown = (
            owner.upstream.get("unknown", [])
            if owner is not None
            else handoff.pinned.contract.upstream.get("unknown", [])
        )
        yield Finding(
            RULE,
            handoff,
            mine.key,
            (
                say(
                    "`{mine}` is a key of {profile}, but the config says that {other} is read, "
                    "which looks for `{title}`",
                    mine=mine.title,
                    profile=handoff.spec.profile,
                    other=handoff.pinned.profile,
                    title=title,
                )
            ),
            note=handoff.spec.contract.unread if path == handoff.pinned.contract.status else "",
            slot=mine,
            upstream=[*unknown, *field.upstream.get("missing", [])],
            fixes=partial(_rename, handoff, mine.key, mine.title, title),
        )


def _is_near_miss(slot: Slot, unknown: Unknown, handoff: Handoff) -> bool:
    """Whether a finding about a missing field already mentions this key. Upstream's validator reports both."""
    if slot.field.upstream.get("unknown", []):
        return False
    return any(means(handoff, child, unknown) for child in slot.children.values() if not child.written)


def _finding(handoff: Handoff, slot: Slot, unknown: Unknown) -> Finding:
    near = _meant(slot, unknown)
    where = say(" in `{name}`", name=slot.path) if slot.path else ""
    path = f"{slot.path}.{unknown.name}" if slot.path else unknown.name
    hint = say("Did you mean `{near}`?", near=near) if near else ""
    return Finding(
        RULE,
        handoff,
        unknown.key,
        say("Unknown field `{name}`{where}", name=unknown.name, where=where),
        note=say("Only fields of the contract are allowed; the reader rejects the block"),
        hint=hint,
        field=path,
        severity=slot.field.severity.get(RULE.code, RULE.severity),
        upstream=[token.replace("{value}", unknown.name) for token in slot.field.upstream.get("unknown", [])],
        # The finding about the missing field has the same fix.
        fixes=partial(_fixes, handoff, unknown, near) if not _is_reported_missing(slot, unknown, handoff) else None,
    )


def _meant(slot: Slot, unknown: Unknown) -> str | None:
    """The name of an absent field that an unknown name misspells; None without one."""
    absent = (child for child in slot.children.values() if not child.written)
    return slip_of(unknown.name, [child.title for child in absent if may_hold(child, unknown)])


def _fixes(handoff: Handoff, unknown: Unknown, near: str | None) -> list[Fix]:
    return _rename(handoff, unknown.key, unknown.name, near) if near is not None else []


def _rename(handoff: Handoff, key: Span, old: str, new: str) -> list[Fix]:
    return [Fix(say("Rename `{old}` to `{new}`", old=old, new=new), (Edit(key, handoff.body.quote(new)),), safe=False)]


RULE = Rule("unknown-field", "structure", "error", check, fixable="sometimes", unfinished="here")
