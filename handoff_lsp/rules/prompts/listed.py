"""The lists of fields in a prompt, compared with the fields of their contract. Shared by the rules about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.names import fold_name, slip_of
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.prompts.completeness import introduction_of, is_complete, is_concrete, is_partial, leaves_out
from handoff_lsp.prompts.skeletons import lines_of
from handoff_lsp.prompts.statement import Enumeration, PromptStatement
from handoff_lsp.prompts.vocabulary import ContractWords, KnownField, label_name
from handoff_lsp.rules.prompts.prompted import PromptText
from handoff_lsp.syntax.markdown.node import Node
from handoff_lsp.text import Span
from handoff_lsp.text.lazy_dataclass import lazy_dataclass

# A list is about the fields of an object if it has so many of them.
_ENOUGH = 3
# So many fields may be missing from a list that is meant to have all: one, or two of at least six.
_MANY = 6


@lazy_dataclass(frozen=True)
class ListedFields:
    """The fields of one object, or of the root (``parent`` is empty), in a list, a table, a line or a skeleton.

    ``known``: the items that name one of its fields, by path; ``unknown``: names that no field has. ``fence``: the one
    that a skeleton is in.
    """

    prompt: PromptText
    listed: Enumeration
    parent: str
    known: Mapping[str, PromptStatement]
    unknown: tuple[PromptStatement, ...]
    fence: Node | None

    @property
    def words(self) -> ContractWords:
        """The vocabulary of the contract."""
        return self.prompt.words(self.listed.contract)

    @property
    def span(self) -> Span:
        """From its first name to the end of the last one's item, or the fence."""
        if self.fence is not None:
            return self.fence.span
        return Span(self.listed.span.start, self.prompt.view.block(self.listed.span.end).end)

    @cached_property
    def specs(self) -> list[Spec]:
        """The profiles that may apply: that of the config or of the agent, else all."""
        entry = self.prompt.registry[self.listed.contract]
        agent = self.listed.speaker.name if entry.contract.profile_in else ""
        wanted = self.prompt.options.profiles.get(entry.name, agent)
        names = [name for name in entry.data["profiles"] if name == wanted] or list(entry.data["profiles"])
        return [entry.spec(name) for name in names]

    @cached_property
    def required(self) -> list[str]:
        """The paths of the fields that each of these profiles requires, in the contract's order."""
        demanded = [_required(spec, self.parent, shown=self.fence is not None) for spec in self.specs]
        return [path for path in demanded[0] if all(path in other for other in demanded)]

    @cached_property
    def lacking(self) -> list[str]:
        """Those of them that the list does not have; a line of the fence may be another contract's, too."""
        lines = lines_of(self.fence) if self.fence is not None else ()
        beside = {path for line in lines for path in self.words.labels.get(label_name(line.label.text), ())}
        return [path for path in self.required if path not in self.known and path not in beside]

    @cached_property
    def absent(self) -> list[KnownField]:
        """The fields of the object that the list does not have, required or not."""
        fields = self.words.fields
        return [
            one for path, one in fields.items() if path.rpartition(".")[0] == self.parent and path not in self.known
        ]

    @cached_property
    def is_whole(self) -> bool:
        """Whether the list is meant to have all required fields."""
        lead = introduction_of(self.prompt.view, self.listed.span if self.fence is None else self.fence.span)
        count = len(self.required) - len(self.lacking)
        if count < 1 or len(self.lacking) > (2 if len(self.required) >= _MANY else 1):
            return False
        if self.is_own_object:
            return False
        if self.fence is not None:
            partial = is_partial(lead, shown=True) or leaves_out(self.fence.text)
            return not partial and (count >= _ENOUGH or (count > 1 and self._has_edge()) or self._is_all())
        if is_partial(lead):
            return False
        if not is_complete(lead):
            long = self.listed.notation == "table" and len(self.known) > 2 * _MANY
            return self.listed.act != "handles" and (count >= _ENOUGH or long)
        block = self.prompt.view.block(self.listed.span.start)
        return count >= _ENOUGH or self.words.is_named_in(self.prompt.view.prose[block.start : block.end])

    @property
    def is_own_object(self) -> bool:
        """Whether it is something else, which shares some names with a built-in contract: at least half are its own."""
        own = sum(one.sure for one in self.unknown)
        return own > len(self.known) or (1 < own == len(self.known) and self._is_builtin)

    @property
    def _is_builtin(self) -> bool:
        return self.prompt.registry[self.listed.contract].origin is None

    def _has_edge(self) -> bool:
        """Whether a skeleton has the field that begins or ends a block."""
        run = self.specs[0].contract.run
        return run is not None and not self.parent and not self.known.keys().isdisjoint((run.opening, run.closing))

    def _is_all(self) -> bool:
        """Whether most lines of a skeleton are fields."""
        return len(self.known) > _ENOUGH and sum(one.sure for one in self.unknown) < len(self.known)

    @cached_property
    def renamed(self) -> Mapping[Span, KnownField]:
        """The absent fields for which unknown names were most likely meant, by the places of the names."""
        found: dict[Span, KnownField] = {}
        for one in self.unknown:
            meant = self._meant(one.label)
            if meant is not None and meant not in found.values():
                found[one.span] = meant
        left = [path for path in self.lacking if all(one.path != path for one in found.values())]
        alone = len(self.unknown) == len(left) == 1 and self.unknown[0].sure
        if not found and alone and len(self.required) > _ENOUGH and self.is_whole:
            if self._is_place_of(left[0], self.unknown[0].span):
                found[self.unknown[0].span] = self.words.fields[left[0]]
        return found

    def _is_place_of(self, path: str, span: Span) -> bool:
        """Whether the names right before and behind a place are those around a field in the contract."""
        order = {path: number for number, path in enumerate(self.words.fields)}
        places = sorted((one.span, order[other]) for other, one in self.known.items())
        before = [number for other, number in places if other < span][-1:]
        behind = [number for other, number in places if other > span][:1]
        return all(number < order[path] for number in before) and all(number > order[path] for number in behind)

    def _meant(self, label: str) -> KnownField | None:
        # Such names have other meanings, too, where little else is the contract's.
        for one in self.absent if 2 * len(self.lacking) <= len(self.required) else ():
            if fold_name(label) in map(fold_name, one.field.instead_of):
                return one
        slips = [one for one in self.absent if any(_is_slip(label, title) for title in one.titles)]
        if slips:
            certain = [one for one in slips if one.path in self.lacking or not self._is_plural(label, one)]
            return certain[0] if len(certain) == 1 else None
        if not self.is_whole:
            return None
        words = set(label_name(label).split("_"))
        near = (one for one in self.absent if any(_shares(words, label_name(title)) for title in one.titles))
        likely = [one for one in near if one.path in self.lacking]
        return likely[0] if len(likely) == 1 else None

    @staticmethod
    def _is_plural(label: str, field: KnownField) -> bool:
        return label_name(label).rstrip("s") in {label_name(title).rstrip("s") for title in field.titles}


def field_lists(prompt: PromptText) -> Sequence[ListedFields]:
    """The lists of fields about which the rules for handoffs and templates say nothing, in the order of the text."""
    if "field lists" not in prompt.memo:
        prompt.memo["field lists"] = list(_field_lists(prompt))
    found: list[ListedFields] = prompt.memo["field lists"]
    return found


def _field_lists(prompt: PromptText) -> Iterator[ListedFields]:
    for one in prompt.said.enumerations:
        if one.path or one.act == "forbids" or is_judged(prompt, one.span):
            continue
        fence = next((node for node in prompt.view.fences if node.span.holds(one.span.start)), None)
        levels = sorted(_levels(prompt.words(one.contract), one), key=lambda level: -len(level[1]))
        for number, (parent, known) in enumerate(levels):
            if fence is not None:
                others = tuple(_unknown_lines(prompt, one, fence, known.values()))
            else:
                others = tuple(item for item in one.items if not item.path and number == 0)
            yield ListedFields(prompt, one, parent, known, others, fence)


def is_judged(prompt: PromptText, span: Span) -> bool:
    """Whether other rules speak about a part of a prompt.

    Those for handoffs and templates: where the part is one; ``broken-example``: where it is an example that
    agents could copy.
    """
    fence = next((node for node in prompt.view.fences if node.span.covers(span)), None)
    if any(other.covers(span) for other in prompt.samples):
        return True
    around = [one for one in prompt.handoffs if one.span.overlaps(span) and (one.is_part or fence is not None)]
    copied = fence is not None and is_concrete(fence.text)
    return any(one.mode != "example" or copied for one in around)


def _levels(words: ContractWords, listed: Enumeration) -> Iterator[tuple[str, dict[str, PromptStatement]]]:
    """The objects of which a list has enough fields, with these."""
    paths = {one: words.labels.get(label_name(one.label), ()) for one in listed.items if one.path}
    parents = Counter(parent for found in paths.values() for parent in {path.rpartition(".")[0] for path in found})
    taken: set[PromptStatement] = set()
    for parent in sorted(parents, key=lambda parent: (parent.count(".") if parent else -1, -parents[parent])):
        known = {path: one for one, found in paths.items() for path in found if path.rpartition(".")[0] == parent}
        most = parents[parent] == max(parents.values())
        if len(known) >= min(_ENOUGH, len(paths)) and (most or not set(known.values()) <= taken):
            taken |= set(known.values())
            yield parent, known


def _required(spec: Spec, parent: str, *, shown: bool) -> list[str]:
    """The required fields of an object. The field that begins a handoff is in none but ``shown`` ones."""
    field = spec.field(parent) if parent else spec.root
    opening = spec.contract.run.opening if spec.contract.run is not None else None
    children = field.fields.items() if field is not None else ()
    return [
        f"{parent}.{name}".lstrip(".")
        for name, child in children
        if child.required is True and (shown or parent or name != opening) and not _is_free(child)
    ]


def _is_free(field: Field) -> bool:
    """Whether a contract asks for a field, but not in what is shown."""
    return field.in_template is False or field.severity.get("missing-field") == "off"


def _unknown_lines(
    prompt: PromptText, listed: Enumeration, fence: Node, known: Iterable[PromptStatement]
) -> Iterator[PromptStatement]:
    """The labels of a skeleton that no field has, on lines that begin like those of fields; sure: like most of them."""
    source, words = prompt.source, prompt.words(listed.contract)
    own = sorted(one.span for one in known)
    starts = Counter(_beginning(prompt, span) for span in own)
    ((most, _),) = starts.most_common(1)
    # Fields of other objects end the lines of this one.
    others = [one.span for one in listed.items if one.span not in own]
    first = max((span.end for span in others if span < own[0]), default=fence.span.start)
    last = min((span.start for span in others if span > own[-1]), default=fence.span.end)
    for line in lines_of(fence):
        span = line.label.span
        start = _beginning(prompt, span)
        if first <= span.start <= last and start in starts and not words.labels.get(label_name(line.label.text)):
            yield PromptStatement(
                listed.contract, "", source.slice(span), "", listed.act, listed.speaker, start == most, span
            )


def _beginning(prompt: PromptText, span: Span) -> str:
    text = prompt.source.text
    return text[text.rfind("\n", 0, span.start) + 1 : span.start]


def _is_slip(label: str, title: str) -> bool:
    return slip_of(label, [title]) is not None


def _shares(ours: set[str], title: str) -> bool:
    """Whether one name has all words of the other."""
    theirs = set(title.split("_"))
    return bool(ours) and (ours < theirs or theirs < ours)
