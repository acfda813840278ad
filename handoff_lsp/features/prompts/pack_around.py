"""What a prompt says, and what the other prompts of its workspace say about the same."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.features.completion.fence import spec_for
from handoff_lsp.features.context import Context
from handoff_lsp.features.pages.contract_pages import field_at
from handoff_lsp.features.pages.markup import code
from handoff_lsp.language import later, say, translated
from handoff_lsp.prompts.pack import Pack
from handoff_lsp.prompts.statement import Act, PromptStatement, PromptStatements, SaidBy
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.packs import pack_of, places_of

# The most prompts that a line lists.
_MOST = 5

_BY: Mapping[Act, str] = {
    "emits": later("**Emitted by** {prompts}"),
    "handles": later("**Handled by** {prompts}"),
    "forbids": later("**Forbidden by** {prompts}"),
    "mentions": later("**Mentioned by** {prompts}"),
}


class InPack(NamedTuple):
    """What a prompt says, and the pack that it belongs to, with it as it is now."""

    said: PromptStatements
    pack: Pack
    root: str


def around(context: Context) -> InPack | None:
    """The statements of the document with its pack; None if it is no prompt about a contract."""
    said = said_of(context)
    if said is None:
        return None
    root = context.project.resolver.root(Path(context.full))
    pack = pack_of(context.project.files, str(root)) if root is not None else None
    return InPack(said, pack if pack is not None else Pack([said]), str(root) if root is not None else "")


def said_of(context: Context) -> PromptStatements | None:
    """The statements of the document; None if it is no prompt about a contract."""
    said = context.project.files.read(context.full).said if context.full else None
    return said if said is not None and all(name in context.registry for name in said.contracts) else None


def spec_with(context: Context, contract: str, path: str, value: str = "") -> Spec:
    """The contract in the config's profile, if that has a field and its value, else in the first profile that does."""
    entry: ContractEntry = context.registry[contract]
    first = spec_for(context.analysis, entry)
    for spec in (first, *(entry.spec(profile) for profile in entry.contract.profiles)):
        field = field_at(spec, path)
        if field is not None and (not value or any(one.value == value for one in field.values)):
            return spec
    return first


def others_lines(context: Context, here: InPack, one: PromptStatement, acts: Iterable[Act] = tuple(_BY)) -> list[str]:
    """A line for each thing that other prompts do with the value of a statement, or with its field without one."""
    found: dict[Act, list[SaidBy]] = {act: [] for act in acts}
    for said in here.pack.said.get((one.contract, one.path), ()):
        same = said.statement.value == one.value if one.value else said.statement.label == one.label or one.path
        if same and said.by.path != here.said.path and said.statement.act in found:
            found[said.statement.act].append(said)
    return [translated(_BY[act]).format(prompts=_links(context, here, said)) for act, said in found.items() if said]


def _links(context: Context, here: InPack, found: Sequence[SaidBy]) -> str:
    """The prompts of statements, each once with the line of its first one, as links."""
    by_path: dict[str, PromptStatement] = {}
    for said in found:
        by_path.setdefault(said.by.path, said.statement)
    shown = [_link(context, here, path, one) for path, one in list(by_path.items())[:_MOST]]
    left = len(by_path) - len(shown)
    return ", ".join([*shown, *([say("{left} more", left=left)] if left else [])])


def _link(context: Context, here: InPack, path: str, one: PromptStatement) -> str:
    full = os.path.join(here.root, *path.split("/"))
    place = next(iter(places_of(context.project.files, here.root, path, one, context.full)), None)
    if place is None:
        return code(path)
    line = place.source.lines.line_of(place.span.start) + 1
    return f"[{code(f'{path}:{line}')}]({Path(full).as_uri()}#L{line})"
