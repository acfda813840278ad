"""The words of a handoff's headings and labels: the contract's titles, or its aliases in another script."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.per_field import once_per_field

_MEMO = "words"


def in_its_words(handoff: Handoff, field: Field) -> Field:
    """A field with the titles that a handoff would use: those in another script if it writes its names in one.

    It does if most of the names with an alias in another script are written that way. A name in capitals is a key
    for programs and is never translated.
    """
    if _MEMO not in handoff.memo:
        handoff.memo[_MEMO] = _translates(handoff)
    return _translated(field) if handoff.memo[_MEMO] else field


def _translates(handoff: Handoff) -> bool:
    theirs = ours = 0
    for slot in handoff.slots:
        if slot.key is None or slot.carrier in {None, "title", "json", "log"} or _alias(slot.field) is None:
            continue
        written = fold_name(handoff.source.slice(slot.key).partition(":")[0].partition("：")[0])
        if any(_is_foreign(alias) and fold_name(alias) == written for alias in slot.field.aliases):
            theirs += 1
        elif written == fold_name(slot.field.title):
            ours += 1
    return theirs > ours


def _alias(field: Field) -> str | None:
    """The title of a field in another script; None if it has none."""
    if field.title.isupper() or _is_foreign(field.title):
        return None
    return next((alias for alias in field.aliases if _is_foreign(alias)), None)


def _is_foreign(name: str) -> bool:
    """Whether a name has letters of a script other than Latin."""
    return any(char.isalpha() and ord(char) > _LAST_LATIN for char in name)


_LAST_LATIN = 0x24F


@once_per_field
def _translated(field: Field) -> Field:
    """A field with all below it, with the titles in the other script."""
    return replace(
        field,
        title=_alias(field) or field.title,
        fields={name: _translated(child) for name, child in field.fields.items()},
        items=_translated(field.items) if field.items is not None else None,
    )


def title_beside(field: Field, written: Iterable[str]) -> str:
    """The name of a field beside other names: among keys such as ``executive_summary`` its key, else its title."""
    keys = list(written)
    if any("_" in key for key in keys) and all(map(_is_key, keys)):
        return next(filter(_is_key, (field.title, *field.aliases)), field.title)
    return field.title


def _is_key(name: str) -> bool:
    return name.islower() and " " not in name
