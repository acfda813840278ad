"""What the rules about absent fields share: which slots are absent though required, and the fixes that insert them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.placement import insertion
from handoff_lsp.binding.slot import Slot, Unknown
from handoff_lsp.binding.words import in_its_words
from handoff_lsp.contracts.model import Severity
from handoff_lsp.contracts.names import fold_name, key_name, leading_number, nearest
from handoff_lsp.rules.choices import written
from handoff_lsp.rules.rule import Finding, Fix, Related, Rule, sentence, severity_for
from handoff_lsp.text import Edit


def is_empty(block: Block, slot: Slot) -> bool:
    """Whether a section that must hold something now holds nothing."""
    return slot.present and slot.data in ("", [], {}) and block.values.holds(slot.field.filled)


def absent(block: Block) -> list[Slot]:
    """Slots that are required now and not there, or empty though they must hold something.

    Children of what is absent or of the wrong type are left out: one defect, one finding.
    """
    if "absent" not in block.memo:
        block.memo["absent"] = list(_absent(block))
    found: list[Slot] = block.memo["absent"]
    return found


def _absent(block: Block) -> Iterator[Slot]:
    for slot in block.slots:
        if not slot.present or slot.problem is not None:
            continue
        for child in slot.children.values():
            if child.field.required is False or (child.present and not is_empty(block, child)):
                continue
            if block.values.holds(child.field.required):
                yield child


def holds_nothing(parent: Slot) -> bool:
    """Whether a section has none of its fields, nor anything that might have been meant to be one."""
    return not parent.unknown and all(not child.written for child in parent.children.values())


def is_conditional(slot: Slot) -> bool:
    """Whether other fields make an absent slot necessary: it is required, or must be filled, on a condition."""
    return isinstance(slot.field.required, str) or (slot.present and isinstance(slot.field.filled, str))


def severity_now(rule: Rule, block: Block, slot: Slot) -> Severity:
    """A rule's severity for a wrong value: only a warning while a condition that asks for the field does not hold."""
    asked = slot.field.required
    if isinstance(asked, str) and rule.code not in slot.field.severity and not block.values.holds(asked):
        return "warning"
    return severity_for(rule, slot)


def is_section(slot: Slot) -> bool:
    """Whether a field is written as a section."""
    return slot.field.carriers[:1] == ["section"]


def is_status(block: Block, slot: Slot) -> bool:
    """Whether a field is the one that the orchestrator decides on."""
    return slot.path == block.spec.contract.status


def absence(rule: Rule, block: Block, slot: Slot, what: str) -> Finding:
    """The finding that a required field is not there, on the heading, key or line that it belongs to."""
    near = near_miss(block, slot)
    parent = slot.parent if slot.parent is not None and slot.parent.path else None
    consequence = block.spec.contract.unread if is_status(block, slot) else slot.field.because
    if near is not None:
        message = sentence(
            f"`{near.name}` is not a name of this contract; `{slot.title}` is missing and most likely meant",
            consequence,
        )
        span = near.key
    else:
        message = sentence(what, consequence)
        span = (
            slot.key
            if slot.written and slot.key is not None
            else parent.anchor()
            if parent is not None
            else block.home()
        )
    severity = severity_for(rule, slot)
    upstream = slot.field.upstream.missing
    return Finding(
        rule, block, span, message, slot=slot, severity=severity, upstream=upstream, fixes=_fixes(block, slot, near)
    )


def near_miss(block: Block, slot: Slot) -> Unknown | None:
    """A name that was most likely meant to be an absent field's: another profile's name, or a slip of the pen."""
    if slot.parent is None or slot.written:
        return None
    misses = block.memo.setdefault("near misses", {})
    if id(slot.parent) not in misses:
        misses[id(slot.parent)] = _near_misses(slot.parent)
    found: Unknown | None = misses[id(slot.parent)].get(slot.title)
    return found


def _near_misses(parent: Slot) -> dict[str, Unknown]:
    """The first near miss of each absent field of an object that has one, by the field's title."""
    absent_ones = [child for child in parent.children.values() if not child.written]
    titles = [child.title for child in absent_ones]
    wrong: dict[str, list[str]] = {}
    for child in absent_ones:
        for name in child.field.instead_of:
            wrong.setdefault(fold_name(name), []).append(child.title)
    misses: dict[str, Unknown] = {}
    for unknown in parent.unknown if titles else ():
        meant = list(wrong.get(fold_name(unknown.name), ()))
        near = nearest(unknown.name, titles, cutoff=0.75)
        if near is not None and key_name(unknown.name) != key_name(near) + "s":
            meant.append(near)
        for title in meant:
            misses.setdefault(title, unknown)
    return misses


def _fixes(block: Block, slot: Slot, near: Unknown | None) -> Callable[[], Iterator[Fix]]:
    def make() -> Iterator[Fix]:
        if near is not None:
            title = in_its_words(block, slot.field).title or slot.title
            if is_section(slot):
                title = leading_number(near.name) + title
            edit = Edit(near.key, written(block, title))
            # A name with more words says something that the other one does not.
            same = fold_name(near.name) in map(fold_name, slot.field.instead_of)
            safe = same or len(near.name.split()) <= len(slot.title.split())
            yield Fix(f"Rename `{near.name}` to `{title}`", (edit,), safe=safe)
            return
        parent = slot.parent
        if slot.written or parent is None:
            return  # it is there with a value that counts as absent: only the author knows the right one
        together = _group(block, slot, parent)
        if together:
            title = next(group.title for group in block.spec.contract.groups.values() if slot.name in group.fields)
            yield from _insert(block, f"Insert the {title}", together, preferred=True)
        kind = "section" if is_section(slot) else "field"
        if block.json is None and parent.path and holds_nothing(parent):
            yield from _insert(block, f"Insert the fields of `{parent.title}`", _wanted(block, parent), preferred=True)
            return
        yield from _insert(block, f"Insert the missing {kind} `{slot.title}`", [slot], preferred=not together)
        others = [other for other in _wanted(block, parent) if is_section(other) == is_section(slot)]
        if len(others) > 1 and slot in others and others != together:
            all_of_them = "both" if len(others) == 2 else f"all {len(others)}"
            yield from _insert(block, f"Insert {all_of_them} missing {kind}s", others, preferred=False)

    return make


def _insert(block: Block, title: str, slots: list[Slot], *, preferred: bool) -> Iterator[Fix]:
    edits = tuple(insertion(block, slots))
    if edits:
        yield Fix(title, edits, safe=True, preferred=preferred, inserts=tuple(slots))


def _group(block: Block, slot: Slot, parent: Slot) -> list[Slot]:
    """The absent fields that are inserted together with an absent status; empty where it goes alone."""
    if not is_status(block, slot) or parent.path:
        return []
    group = next((group for group in block.spec.contract.groups.values() if slot.name in group.fields), None)
    if group is None:
        return []
    absent_ones = [child for name, child in parent.children.items() if name in group.fields and not child.written]
    return absent_ones if len(absent_ones) > 1 else []


def _wanted(block: Block, parent: Slot) -> list[Slot]:
    """The fields of an object that are not written though this handoff or template needs them, in order."""
    children = [child for child in parent.children.values() if not child.written]
    if block.mode == "template":
        return [child for child in children if in_template(child)]
    return [child for child in children if block.values.holds(child.field.required) and near_miss(block, child) is None]


def in_template(slot: Slot) -> bool:
    """Whether a template must declare a field."""
    return slot.field.required is True if slot.field.in_template is None else slot.field.in_template


def related_to(slots: list[Slot], word: str) -> list[Related]:
    """Where other fields stand that a finding speaks of."""
    return [Related(slot.token, f"{word} `{slot.title}`") for slot in slots if slot.token is not None]
