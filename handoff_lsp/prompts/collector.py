"""Collects the statements of one prompt about one contract."""

from __future__ import annotations

from collections.abc import Sequence

from handoff_lsp.prompts.acts import act_of
from handoff_lsp.prompts.statement import Act, Enumeration, Notation, PromptStatement, Speaker, Speakers
from handoff_lsp.prompts.values import WrittenValue
from handoff_lsp.prompts.view import PromptView
from handoff_lsp.prompts.vocabulary import ContractWords, KnownField
from handoff_lsp.text import Span

# The most statements of one document about one contract; further ones are not read.
_MOST = 2_000
# A list is one of fields if it has so many of the contract's.
_ENOUGH_FIELDS = 3


class Collector:
    """The statements found so far. At each place, the first one counts."""

    def __init__(self, view: PromptView, speakers: Speakers, words: ContractWords) -> None:
        self.view: PromptView = view
        self._speakers = speakers
        self.words: ContractWords = words
        self._found: dict[Span, PromptStatement] = {}
        self._enumerations: list[Enumeration] = []
        self._listed: set[Span] = set()
        # The statements that are listed together, or alone.
        self.groups: list[list[PromptStatement]] = []

    @property
    def statements(self) -> list[PromptStatement]:
        """The statements in the order of the text."""
        return [self._found[span] for span in sorted(self._found)]

    @property
    def enumerations(self) -> list[Enumeration]:
        """Those of them that are listed together, in the order of the text."""
        return sorted(self._enumerations, key=lambda one: one.span)

    def speaker(self, span: Span) -> Speaker:
        """Who speaks at a place."""
        return self._speakers.at(span.start)

    def act(self, span: Span) -> Act:
        """What is to be done with the words at a place."""
        return act_of(self.view, self.speaker(span), span)

    @property
    def is_full(self) -> bool:
        """Whether it takes no more statements."""
        return len(self._found) >= _MOST

    def has(self, span: Span) -> bool:
        """Whether something was found at a place."""
        return span in self._found

    def is_listed(self, span: Span) -> bool:
        """Whether the name of a field at a place is in a list of fields."""
        return span in self._listed

    def knows(self, statement: PromptStatement) -> bool:
        """Whether the contract has the value, or the field, of a statement."""
        if statement.path in self.words.marks:
            return statement.value == statement.label
        field = self.words.fields.get(statement.path)
        return field is not None and (not statement.value or statement.value in field.values)

    def choice(self, label: str, values: Sequence[WrittenValue] = ()) -> KnownField | None:
        """The field with values that a label names; of several, the one that knows most of some values."""
        choices = [one for one in self.words.named(label) if one.values]
        return max(choices, key=lambda one: sum(value.text in one.values for value in values), default=None)

    def add_values(
        self,
        field: KnownField,
        label: str,
        values: Sequence[WrittenValue],
        notation: Notation = "code",
        *,
        act: Act | None = None,
        acts: Sequence[Act] = (),
        sure: bool = True,
        listed: bool = True,
    ) -> None:
        """Add the values of a field. ``acts``: one for each; ``listed``: as an enumeration, if there are several."""
        values = values[: max(_MOST - len(self._found), 0)]
        if not values:
            return
        field = self.words.nearest_to_root(field)
        acts = acts or [act or self.act(value.span) for value in values]
        made = [
            self._put(field.path, label, value.text, one, value.span, sure=sure)
            for value, one in zip(values, acts, strict=False)
        ]
        self.groups.append(made)
        if listed and len(made) > 1:
            self._enumerations.append(
                Enumeration(self.words.contract, field.path, notation, acts[0], tuple(made), _around(values))
            )

    def add_field(self, path: str, label: str, span: Span, act: Act | None = None) -> PromptStatement:
        """Add the name of a field; ``path`` is empty for a name that the contract does not have."""
        made = self._put(path, label, "", act or self.act(span), span)
        self.groups.append([made])
        return made

    def add_mark(self, kind: str, meant: str, text: str, span: Span, act: Act) -> None:
        """Add a marker or the name of a file; ``meant``: the contract's."""
        if not self.is_full:
            self.groups.append([self._put(kind, meant, text, act, span)])

    def add_fields(
        self, names: Sequence[WrittenValue], notation: Notation, *, act: Act | None = None, enough: int = _ENOUGH_FIELDS
    ) -> bool:
        """Add a list of fields, if enough of its names are fields of the contract; whether it is one."""
        names = names[: max(_MOST - len(self._found), 0)]
        named = [(one, self.words.named(one.text)) for one in names]
        if sum(bool(fields) for _, fields in named) < enough:
            return False
        items = [self.add_field(fields[0].path if fields else "", one.text, one.span, act) for one, fields in named]
        self.groups[-len(items) :] = [items]
        self._listed.update(one.span for one in names)
        self._enumerations.append(
            Enumeration(self.words.contract, "", notation, items[0].act, tuple(items), _around(names))
        )
        return True

    def _put(self, path: str, label: str, value: str, act: Act, span: Span, *, sure: bool = True) -> PromptStatement:
        made = PromptStatement(self.words.contract, path, label, value, act, self.speaker(span), sure, span)
        return self._found.setdefault(span, made)


def _around(values: Sequence[WrittenValue]) -> Span:
    return Span(values[0].span.start, values[-1].span.end)
