"""Converting a handoff to another profile of its contract, if nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.names import fold_name, key_name
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.engine import Analysis
from handoff_lsp.features.actions.action import Action, Alternative, Change, chosen, one_of
from handoff_lsp.features.actions.convert_form import in_other_form, words_of
from handoff_lsp.language import say
from handoff_lsp.text import Edit, Span, apply_edits


def conversions(analysis: Analysis, span: Span) -> Iterator[Action]:
    """The action that converts the handoff at ``span`` to another profile, if it can be converted to one."""
    index, handoff = chosen(analysis, span) or (0, None)
    if (
        handoff is None
        or handoff.mode == "template"
        or handoff.body.append_only
        or handoff.spec.name not in analysis.registry
    ):
        return
    yield from one_of(say("Convert to the profile …"), _choices(analysis, index, handoff))


def _choices(analysis: Analysis, index: int, handoff: Handoff) -> Iterator[Alternative]:
    entry = analysis.registry[handoff.spec.name]
    for profile in entry.contract.profiles:
        edits = _edits(analysis, index, entry.spec(profile)) if profile != handoff.spec.profile else ()
        if edits:
            title = say("Convert to profile `{profile}`", profile=profile)
            key = f"convert {index} {profile}"
            action = Action(title, "refactor.rewrite.handoff", partial(Change, edits), key=key)
            yield Alternative(profile, entry.contract.profiles[profile].about, action)


def _edits(analysis: Analysis, index: int, target: Spec) -> tuple[Edit, ...]:
    """The edits that convert a handoff to a profile; none if it would not be recognized as such, or lose something."""
    handoff = analysis.handoffs[index]
    renamed = tuple(_renames(handoff, handoff.root, target.fields))
    for edits in (renamed, in_other_form(handoff, target)):
        if not edits:
            continue
        after = analysis.again(apply_edits(analysis.source.text, edits))
        if len(after.handoffs) != len(analysis.handoffs):
            continue
        made = after.handoffs[index]
        if (made.spec, made.mode) == (target, handoff.mode) and (edits is renamed or _words(made) == _words(handoff)):
            return edits
    return ()


def _words(handoff: Handoff) -> list[tuple[str, list[str], bool]]:
    """Name, words and validity of each written field, for a comparison across syntaxes."""
    return sorted(
        (slot.name, words_of(handoff, slot), slot.problem is not None)
        for slot in handoff.root.children.values()
        if slot.written
    )


def _renames(handoff: Handoff, parent: Slot, fields: Mapping[str, Field]) -> Iterator[Edit]:
    """The edits that give the fields of an object the names and enum values of another profile."""
    taken = {child.title for child in parent.children.values() if child.written}
    taken |= {unknown.name for unknown in parent.unknown}
    for child in parent.children.values():
        name = _counterpart(child, parent, fields)
        if not child.written or name is None or child.key is None:
            continue
        field = fields[name]
        choices = child.field.kind.is_choice and field.kind.is_choice
        value = child.data if choices and isinstance(child.data, str) else None
        there = _value_there(value, child, field) if value is not None else None
        if value is not None and there is None and name != child.name:
            continue  # the other profile has no such value
        if field.title != child.title and field.title in taken:
            continue
        if child.carrier != "title" and not _stays(handoff, child, field):
            yield Edit(child.key, handoff.body.quote(field.title))
        if there is not None and there != value and child.value is not None:
            yield Edit(child.value, handoff.body.quote(there))
        yield from _renames(handoff, child, field.fields)
        for item in child.items:
            yield from _renames(handoff, item, field.items.fields if field.items is not None else {})


def _counterpart(child: Slot, parent: Slot, fields: Mapping[str, Field]) -> str | None:
    """The matching field of another profile: the one of the same name, or the only new one that replaces it."""
    if child.name in fields:
        return child.name
    successors = [
        name
        for name, field in fields.items()
        if name not in parent.children and {child.title, child.name} & {*field.instead_of, *field.aliases}
    ]
    return successors[0] if len(successors) == 1 else None


def _stays(handoff: Handoff, child: Slot, field: Field) -> bool:
    """Whether the name of a field as written is valid in the other profile, too."""
    assert child.key is not None
    text = child.key.of(handoff.source.text).strip("\"'")
    if handoff.body.quoted:
        return text in (field.title, *field.aliases)
    ours, theirs = fold_name(child.title), fold_name(field.title)
    return ours == theirs or (fold_name(text) != ours and fold_name(text) in map(fold_name, field.aliases))


def _value_there(value: str, child: Slot, field: Field) -> str | None:
    """The equivalent of a value in another profile's enum; None without one.

    Two words are equivalent if each profile lists the other's word as often written instead of its own.
    """
    if field.open or any(one.value == value for one in field.values):
        return value
    own = next((one for one in child.field.values if one.value == value), None)
    there = [one for one in field.values if key_name(value) in map(key_name, one.instead_of)]
    if own is None or len(there) != 1:
        return None
    back = key_name(there[0].value) in map(key_name, own.instead_of)
    return there[0].value if back else None
