"""Comparing what a prompt says about a field with the other prompts of the workspace."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice

from handoff_lsp.contracts.model import Severity
from handoff_lsp.contracts.names import key_name
from handoff_lsp.language import say
from handoff_lsp.prompts.agreement import FieldInPack, ValueList, is_list
from handoff_lsp.prompts.statement import Enumeration, PromptStatement
from handoff_lsp.prompts.vocabulary import KnownField
from handoff_lsp.rules.prompts.prompted import PromptText
from handoff_lsp.rules.rule import Related, shown
from handoff_lsp.text import Span
from handoff_lsp.text.named_tuple import NamedTuple

# The most values in a hint, the most related places of a finding, and the most characters of a value in a message.
_MOST_VALUES = 6
_MOST_PLACES = 3
LONGEST = 30
# Values in place of an agent.
NOTHING = frozenset(map(key_name, ("n/a", "none", "-", "null", "not applicable")))


class Lacking(NamedTuple):
    """The lists that lack a value. ``sent``: the prompt refers to them."""

    lists: Sequence[ValueList]
    sent: bool


def choice_field(prompt: PromptText, one: PromptStatement | Enumeration) -> KnownField | None:
    """The field of a statement if it has values of its own, which are no names; else None."""
    field = prompt.words(one.contract).fields.get(one.path)
    return field if field is not None and field.values and not field.field.names else None


def may_have(field: KnownField, value: str) -> bool:
    """Whether the contract has a value, or leaves it to prompts; `unknown-value-in-prompt` is about the others."""
    return value in field.values or (not field.is_closed and field.meant(value) is None)


def in_pack(prompt: PromptText, one: PromptStatement | Enumeration, field: KnownField) -> FieldInPack:
    """The field of a statement in all prompts of the workspace."""
    return prompt.pack.field(one.contract, one.path, field.values)


def is_own(prompt: PromptText, one: PromptStatement, field: KnownField) -> bool:
    """Whether a value that a built-in contract does not have belongs to the workspace's variety of it."""
    return prompt.registry[one.contract].origin is None and in_pack(prompt, one, field).is_own(one.value)


def is_own_field(prompt: PromptText, one: PromptStatement) -> bool:
    """Whether another document describes a field that a built-in contract does not have."""
    entry = prompt.registry[one.contract]
    return entry.origin is None and prompt.pack.describes_field(one.contract, one.label, prompt.path)


def is_optional(prompt: PromptText, contract: str, path: str) -> bool:
    """Whether most prompts of the workspace leave out a field that a built-in contract requires."""
    return prompt.registry[contract].origin is None and prompt.pack.leaves_out(contract, path)


def comparable(prompt: PromptText, *acts: str) -> Iterator[tuple[PromptStatement, KnownField]]:
    """The statements with one of some acts that surely give a value that a field may have."""
    foreign = _foreign(prompt)
    # What a skill names alone may be about a moment of the work, and not about its result.
    listed = {item.span for each in prompt.said.enumerations for item in each.items}
    for one in prompt.said.statements:
        if not one.value or not one.sure or one.act not in acts or one.span in foreign:
            continue
        if key_name(one.value) in NOTHING or (one.speaker.kind == "skill" and one.span not in listed):
            continue
        field = choice_field(prompt, one)
        if field is not None and may_have(field, one.value) and not prompt.is_allowed(one):
            yield one, field


def _foreign(prompt: PromptText) -> set[Span]:
    """The places in lists most of whose values the contract does not have: those are about another field."""
    found: set[Span] = set()
    for each in prompt.said.enumerations:
        field = choice_field(prompt, each)
        if field is not None and not is_list(each, field.values):
            found.update(item.span for item in each.items)
    return found


def lacking(prompt: PromptText, one: PromptStatement, field: KnownField) -> Lacking | None:
    """The descriptions of a field that lack a value of this prompt: those that it refers to, else all.

    None if one of them has it, or without any list.
    """
    found = in_pack(prompt, one, field).descriptions
    own = (prompt.path, one.speaker)
    lists, sent = described(prompt, found)
    key = key_name(one.value)
    if not lists or any(each.voice == own for each in found) or any(key in each.values for each in lists):
        return None
    return Lacking(lists, sent)


def described(prompt: PromptText, found: Sequence[ValueList]) -> Lacking:
    """Those of some lists that count for a prompt: those that it refers to, else its own, else all."""
    sent = [each for path in prompt.sent_to for each in found if each.by.path == path]
    # A file with several agents may list the values for all of them.
    return Lacking(sent or [each for each in found if each.by.path == prompt.path] or found, bool(sent))


def file_name(path: str) -> str:
    """The last part of a path."""
    return path.rpartition("/")[2]


def value_list(values: Iterable[str]) -> str:
    """Some values, as a hint lists them."""
    distinct = list(dict.fromkeys(values))
    return ", ".join(f"`{shown(value, LONGEST)}`" for value in distinct[:_MOST_VALUES]) + (
        ", …" if len(distinct) > _MOST_VALUES else ""
    )


def places(prompt: PromptText, lists: Iterable[ValueList]) -> Iterator[Related]:
    """The places of some lists, as related places of a finding."""
    found = (related for each in lists if (related := _place(prompt, each)) is not None)
    yield from islice(found, _MOST_PLACES)


def _place(prompt: PromptText, listed: ValueList) -> Related | None:
    """The place of a list in another prompt, or in this one as it is now."""
    if listed.by.path == prompt.path:
        name = file_name(prompt.path)
        spans = (one.span for one in prompt.said.enumerations if one == listed.enumeration)
        return next((Related(span, say("The values in {name}", name=name)) for span in spans), None)
    for place in prompt.around.places(listed.by.path, listed.enumeration)[:1]:
        return Related(place.span, say("The values in {name}", name=place.name), place.name, place.source)
    return None


def consequence(prompt: PromptText, one: PromptStatement | Enumeration) -> tuple[str, Severity | None]:
    """What happens without a status that is understood, and how severe that is: of other fields, nothing is known."""
    contract = prompt.registry[one.contract].contract
    return (contract.unread, "error") if one.path == contract.status else ("", None)


def label_of(one: PromptStatement, field: KnownField) -> str:
    """The name of a field as a statement has it."""
    return one.label.strip("#*` ") or field.field.title or one.path.rpartition(".")[2]


def only_other(own: Collection[str], theirs: Sequence[str]) -> str:
    """The only value of another list that the own one lacks; empty if there is not exactly one."""
    keys = set(map(key_name, own))
    rest = [value for value in dict.fromkeys(theirs) if key_name(value) not in keys]
    return rest[0] if len(rest) == 1 else ""
