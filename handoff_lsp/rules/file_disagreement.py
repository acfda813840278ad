"""The handoff contradicts another file.

## What it does
Compares the handoff with related files, such as a status file with the log in the same folder. Also checks for names,
such as those of agents, that the workspace does not define although it defines others of their kind, that are defined
twice, or that depend on themselves. A name that needs no definition is reported if it looks like a misspelling of a
known one.

## Why is this bad?
The orchestrator acts on one of the two files. The other file may be the correct one. A name without a definition
starts no agent, a name with two definitions may start the wrong one, and tasks that wait for each other wait forever.

## How to fix
Correct the file that is wrong. Spell the name as in its definition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import Definition
from handoff_lsp.contracts.names import nearest, slip_of, typo_of
from handoff_lsp.language import say
from handoff_lsp.names.mentions import names_in_slot, names_of_paths
from handoff_lsp.rules.rule import Finding, Fix, Rule, severity_for
from handoff_lsp.rules.shared.absent import is_acted_on
from handoff_lsp.rules.shared.declared import declared
from handoff_lsp.rules.shared.introduced import introduced, names_inside
from handoff_lsp.text import Edit, Span
from handoff_lsp.text.lazy import lazy_pattern

# The form of a name in a file. Anything else is a remark.
_NAME = lazy_pattern(r"[\w.-]{1,100}")
_GLOB = lazy_pattern(r"[*?\[]")


def check(handoff: Handoff) -> Iterator[Finding]:
    """The contract's checks of this rule, and undefined names."""
    yield from declared(RULE, handoff)
    if handoff.mode == "handoff":
        yield from introduced(RULE, handoff)
        known: dict[str, frozenset[str] | None] = {}
        for slot in handoff.to_judge:
            definition = handoff.spec.contract.definitions.get(slot.field.names) if slot.field.names else None
            if definition is None or not (definition.files or definition.inside or definition.values):
                continue
            if slot.field.introduces and not definition.files:
                continue
            if slot.field.severity.get(RULE.code) == "off":
                continue
            kind = slot.field.names
            for name, span in _named(handoff, slot):
                if not definition.checked:
                    yield from _misspelled(handoff, slot, definition, name, span)
                    continue
                if kind not in known:
                    known[kind] = _defined(handoff, kind, definition)
                defined = known[kind]
                if defined is not None and name not in defined:
                    yield from _undefined(handoff, slot, definition, name, span, defined)


def _defined(handoff: Handoff, kind: str, definition: Definition) -> frozenset[str] | None:
    """The names of a kind that files and fields define; None if not all of them are known."""
    inside = names_inside(handoff, kind)
    of_files = handoff.around.defined(definition.files, definition.naming)
    return of_files | inside if of_files and inside is not None else inside


def _named(handoff: Handoff, slot: Slot) -> Iterator[tuple[str, Span]]:
    """The names in a value, with their places: where the field's patterns find them, else the value itself."""
    if not slot.present or slot.problem is not None or slot.value is None:
        return
    if slot.field.naming or isinstance(slot.data, dict):
        whole = handoff.source.slice(slot.value).strip(" `*_\"'")
        for mention in names_in_slot(handoff, slot):
            # A plain word in a longer text, as in `reviewer, then commit`, may be no name.
            if mention.name == whole or not mention.name.isalpha():
                yield mention.name, mention.span
    elif isinstance(slot.data, str):
        name = slot.data.strip(" `*_\"'")
        start = handoff.source.slice(slot.value).find(name)
        begin = slot.value.start + start
        yield name, Span(begin, begin + len(name)) if start >= 0 else slot.value


def _undefined(
    handoff: Handoff, slot: Slot, definition: Definition, name: str, span: Span, defined: frozenset[str]
) -> Iterator[Finding]:
    if _NAME.fullmatch(name) is None or name.casefold() in handoff.spec.empty_words:
        return
    if _is_among(name, [*definition.also, *definition.words]):
        return
    if not defined or _is_among(name, defined) or (definition.parts and _is_part(name, defined)):
        return
    # The endings belong to the files' names; a handoff may leave them out.
    plain = {_without_ending(other, definition) for other in defined}
    if _is_among(_without_ending(name, definition), plain):
        return
    # A name that the contract knows may be installed for the user and not in the workspace.
    known = _is_among(name, [value.value for value in slot.field.values])
    near = nearest(name, sorted({*defined, *plain, *definition.also, *definition.words}), cutoff=0.7)
    folders = dict.fromkeys(_folder(pattern) for pattern in (*definition.files, *definition.inside))
    about = definition.about or slot.field.names.removesuffix("s")
    yield Finding(
        RULE,
        handoff,
        span,
        say("No {about} `{name}` is defined in {folders}", about=about, name=name, folders=say(" or ").join(folders)),
        note=say("The orchestrator finds no {about} of that name", about=about),
        hint=say("Did you mean `{near}`?", near=near) if near is not None else "",
        severity="information" if known else severity_for(RULE, slot),
        slot=slot,
        fixes=_rename(handoff, slot, span, near) if near is not None else None,
    )


def _misspelled(handoff: Handoff, slot: Slot, definition: Definition, name: str, span: Span) -> Iterator[Finding]:
    """A name that need not be defined: a misspelling of one that the contract has, or of one in the document's path."""
    known = {*definition.also, *(value.value for value in definition.values)}
    own = [*names_of_paths(definition, [handoff.path])]
    if _NAME.fullmatch(name) is None or _is_among(name, [*known, *own, *definition.words]):
        return
    near = typo_of(name, sorted(known)) or slip_of(name, own)
    if near is None:
        return
    # Only now are the files of the workspace listed: most names are known, or resemble none.
    defined = _defined(handoff, slot.field.names, definition)
    if defined is None or _is_among(name, defined):
        return
    about = definition.about or slot.field.names.removesuffix("s")
    yield Finding(
        RULE,
        handoff,
        span,
        say("`{name}` looks like a misspelling of the {about} `{near}`", name=name, about=about, near=near),
        note=say("The orchestrator finds no {about} of that name", about=about),
        slot=slot,
        withholds=is_acted_on(handoff, slot.path),
        fixes=_rename(handoff, slot, span, near),
    )


def _without_ending(name: str, definition: Definition) -> str:
    """A name without the endings that make no other name."""
    for suffix in definition.suffixes:
        if name.casefold().endswith(suffix.casefold()) and len(name) > len(suffix):
            name = name[: -len(suffix)]
    return name


def _is_among(name: str, known: Iterable[str]) -> bool:
    return name.casefold() in {other.casefold() for other in known}


def _is_part(name: str, known: Iterable[str]) -> bool:
    """Whether a name is one or several whole words of another."""
    return any(f"-{name.casefold()}-" in f"-{other.casefold()}-" for other in known)


def _folder(pattern: str) -> str:
    """The fixed folder prefix of a glob."""
    parts = pattern.split("/")
    known = next((index for index, part in enumerate(parts) if _GLOB.search(part)), len(parts) - 1)
    return "/".join(parts[:known]) or say("the root of the workspace")


def _rename(handoff: Handoff, slot: Slot, span: Span, near: str) -> Callable[[], Iterator[Fix]]:
    def make() -> Iterator[Fix]:
        text = handoff.body.quote(near) if span == slot.value else near
        yield Fix(say("Change to `{name}`", name=near), (Edit(span, text),), safe=False)

    return make


RULE = Rule("file-disagreement", "across files", "warning", check, fixable="sometimes", unfinished="here")
