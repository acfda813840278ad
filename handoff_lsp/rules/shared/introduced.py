"""Names that fields define (``introduces``): where one is defined twice, and where things wait for one another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.introduced import Introduced, Thing
from handoff_lsp.binding.slot import Slot
from handoff_lsp.language import say
from handoff_lsp.names.introduced import introductions_of, references_of, things_of
from handoff_lsp.names.mentions import Mention
from handoff_lsp.rules.rule import Finding, Related, Rule, severity_for

# The most names that a message has of a circle, and the most related places of a finding.
_MOST_NAMED = 6
_MOST_RELATED = 10

# A name and the one that it comes after.
_Step = tuple[str, str]


def names_inside(handoff: Handoff, kind: str) -> frozenset[str] | None:
    """The names of a kind that fields define, in this document and in others; None if not all of them are known."""
    definition = handoff.spec.contract.definitions.get(kind)
    if definition is None or not definition.inside:
        return frozenset()
    around = handoff.around.introduced(kind, definition.inside)
    others = around.names()
    own = {thing.name for thing in _own(handoff, kind)} if around.of_this else set()
    return others if others is None or own <= others else others | own


def introduced(rule: Rule, handoff: Handoff) -> Iterator[Finding]:
    """Names that are defined twice, and things that come after themselves."""
    for kind, definition in handoff.spec.contract.definitions.items():
        if not definition.inside:
            continue
        around = handoff.around.introduced(kind, definition.inside)
        if around.of_this:
            own = _own(handoff, kind)
            about = definition.about or kind.removesuffix("s")
            if definition.unique:
                yield from _twice(rule, handoff, kind, about, own, around)
            yield from _in_circles(rule, handoff, kind, about, own, around)


def _own(handoff: Handoff, kind: str) -> tuple[Thing, ...]:
    """What the document of a handoff introduces: the same for all its handoffs."""
    memo, key = handoff.together[0].memo, f"introduced: {kind}"
    if key not in memo:
        memo[key] = things_of(handoff.together, kind)
    own: tuple[Thing, ...] = memo[key]
    return own


def _ways(handoff: Handoff, kind: str, own: tuple[Thing, ...], around: Introduced) -> Mapping[_Step, tuple[str, ...]]:
    """The way back to each name of the document that comes after itself, by that name and the one that it follows."""
    memo, key = handoff.together[0].memo, f"circles: {handoff.spec.name} {kind}"
    if key not in memo:
        memo[key] = {(name, other): way for name, other, way in around.circles(own)}
    ways: Mapping[_Step, tuple[str, ...]] = memo[key]
    return ways


def _twice(
    rule: Rule, handoff: Handoff, kind: str, about: str, own: tuple[Thing, ...], around: Introduced
) -> Iterator[Finding]:
    by_name: dict[str, list[Thing]] = {}
    for thing in own:
        by_name.setdefault(thing.name, []).append(thing)
    for mention, slot in introductions_of(handoff, kind):
        same = [thing for thing in by_name.get(mention.name, ()) if thing.span != mention.span][:_MOST_RELATED]
        places = around.places(mention.name)
        if not same and not places:
            continue
        lines = handoff.source.lines
        where = (
            say("on line {line}", line=lines.line_of(same[0].span.start) + 1)
            if same
            else say("in {name}", name=places[0].document)
        )
        related = [Related(thing.span, say("`{name}` is defined here, too", name=thing.name)) for thing in same]
        related += [
            Related(one.span, say("`{name}` is defined here, too", name=one.name), one.document, one.source)
            for one in places
        ]
        message = say("The {about} `{name}` is defined {where}, too", about=about, name=mention.name, where=where)
        yield _finding(rule, handoff, mention, slot, message, related)


def _in_circles(
    rule: Rule, handoff: Handoff, kind: str, about: str, own: tuple[Thing, ...], around: Introduced
) -> Iterator[Finding]:
    references = list(references_of(handoff, kind))
    if not references:
        return
    first = {thing.name: thing for thing in reversed(own)}
    ways = _ways(handoff, kind, own, around)
    for thing, mention, slot in references:
        way = ways.get((thing, mention.name))
        if way is None:
            continue
        inner = [*way[: _MOST_NAMED - 1], "…", way[-1]] if len(way) > _MOST_NAMED else way
        steps = " → ".join(f"`{name}`" if name != "…" else name for name in (thing, *inner))
        alone = say("The {about} `{name}` comes after itself", about=about, name=thing)
        message = alone if len(way) == 1 else f"{alone}: {steps}"
        related = []
        for name in way[:_MOST_RELATED]:
            here = first.get(name)
            if here is not None:
                related.append(Related(here.span, say("`{name}` is defined here", name=name)))
            else:
                related += [
                    Related(one.span, say("`{name}` is defined here", name=name), one.document, one.source)
                    for one in around.places(name)[:1]
                ]
        yield _finding(rule, handoff, mention, slot, message, related)


def _finding(
    rule: Rule, handoff: Handoff, mention: Mention, slot: Slot, message: str, related: list[Related]
) -> Finding:
    severity = severity_for(rule, slot)
    note = slot.field.because
    return Finding(rule, handoff, mention.span, message, note=note, slot=slot, severity=severity, related=related)
