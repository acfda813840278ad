"""The words of a handoff's headings and labels: the contract's titles, or its aliases in another script or spelling."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import LABEL_CARRIERS, Field
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


def title_beside(handoff: Handoff, slot: Slot) -> str:
    """The title of a missing field, in the words of its handoff and the spelling of the labels beside it.

    Beside `executive_summary` it is `next_recommended`, not `Next`: another spelling would be another key.
    """
    beside = slot.parent.children.values() if slot.parent is not None else ()
    return title_among(handoff, slot.path, slot.field, beside if LABEL_CARRIERS & set(slot.field.carriers[:1]) else ())


def title_among(handoff: Handoff, path: str, field: Field, beside: Iterable[Slot]) -> str:
    """The title of a field at a path, in the words of a handoff and the spelling of other labels in it."""
    field = in_its_words(handoff, field)
    labels = [one for one in beside if one.key is not None and one.carrier in LABEL_CARRIERS]
    written = [(handoff.source.slice(one.key), one.title) for one in labels if one.key is not None]
    own = sum(name != known for name, known in written)
    return name_among(path, field, [name for name, _ in written] if 2 * own > len(written) else [])


def name_among(
    path: str,
    field: Field,
    others: Sequence[str],
    titles: Iterable[str] = (),
    same: Callable[[str], str] = fold_name,
) -> str:
    """The name of a field at a path in the spelling of most others, `Next Step` or `next_step`; else its title.

    ``titles``: its other titles. ``same``: how names are compared; the last name in the path is one of its names only
    if it is equal to another one.
    """
    key = path.rpartition(".")[2]
    first = field.title or key
    names = [first, *field.aliases, *titles]
    names += [key] if same(key) in map(same, names) else []
    wanted = Counter(map(_spelling, others)).most_common(1)
    fitting = (name for name in names if wanted and _spelling(name) == wanted[0][0])
    return first if first.isupper() else next(fitting, first)


def _spelling(name: str) -> str:
    if not name.isascii():
        return "other"
    return "capitals" if name.isupper() else "words" if " " in name or name[:1].isupper() else "keys"


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
