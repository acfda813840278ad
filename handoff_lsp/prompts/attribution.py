"""To which contract a part of a prompt belongs: the whole document, a fence, a list of values.

Many formats have a `status`. Words that a contract does not know are its own only beside something that it alone has.
"""

from __future__ import annotations

from collections.abc import Sequence

from handoff_lsp.prompts.values import WrittenValue
from handoff_lsp.prompts.view import PromptView
from handoff_lsp.prompts.vocabulary import ContractWords, KnownField
from handoff_lsp.text import Span

# A document is about a contract if it has so many of its fields in code, one of them with a name of its own.
_ENOUGH_FIELDS = 3
# The weights of a name that only one contract has, and of the name of its handoffs.
_TELLING = 10
_NAMED = 1_000


def fit(view: PromptView, path: str, words: ContractWords) -> int:
    """How much a document, with its path from the root, is about the handoffs of a contract; 0 if it is not."""
    is_called = words.is_called_in(view.utf8) or words.is_called_in(path)
    names = (view.names_in_capitals if words.in_capitals else view.names) & words.labels.keys()
    telling = names if words.in_capitals else names & words.telling
    strength = len(names) + _TELLING * len(telling) + _NAMED * is_called
    if words.is_located_in(view.text):
        return strength + _NAMED
    enough = bool(names) if is_called else bool(telling) and len(names) >= _ENOUGH_FIELDS
    return strength if enough and words.has_signs(path, view.text) else 0


def belongs(
    view: PromptView,
    words: ContractWords,
    field: KnownField,
    label: str,
    values: Sequence[WrittenValue],
    *,
    linked: bool = True,
) -> bool:
    """Whether values after a label are a field's: the contract knows most of them, or it alone has the label.

    Otherwise, their sentence has to be about a handoff, or to have a field that nothing else has. ``linked``: a sign
    such as a colon links them to the label.
    """
    unknown = sum(value.text not in field.values and field.meant(value.text) is None for value in values)
    if 2 * unknown < len(values):
        return True
    if not linked:
        return False
    if words.is_telling(label):
        return True
    sentence = view.sentence(Span(values[0].span.start, values[-1].span.end))
    names = (code.text for code in view.codes_in(sentence))
    return any(map(words.is_telling, names)) or words.is_meant_in(view.text[sentence.start : sentence.end])
