"""No text that the project itself inserts is a handoff that advances: from every source, in every contract.

The sources are new handoffs, completion and fixes. They write placeholders for the author to fill in. Each of these is
a finding, and the pipeline never continues with one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from case_files import Case, read_cases
from features.documents import context_of

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.decide.routing import routing_of
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.features.completion.complete import complete
from handoff_lsp.samples.new_handoff import new_handoff
from handoff_lsp.text import Edit, Source, Span, apply_edits

EVERY = [(entry.name, profile) for entry in builtin() for profile in entry.contract.profiles]
IDS = [f"{name}@{profile}" for name, profile in EVERY]
PLACEHOLDER = re.compile(r"<[^<>!\n][^<>\n]*>")
GOES_ON = {"advance", "continue"}
_STOP = re.compile(r"(?<!\\)\$(?:\{\d+\|(?P<first>(?:[^\\,|]|\\.)*)[^}]*\|\}|\{\d+:(?P<text>(?:[^\\}]|\\.)*)\}|\d+)")


def unfilled(snippet: str) -> str:
    """The text of a snippet that is not filled in: the first of its choices, the text of its stops."""
    text = _STOP.sub(lambda found: found["first"] or found["text"] or "", snippet)
    return re.sub(r"\\([\\$}|,])", r"\1", text)


def path_of(name: str) -> str:
    contract = builtin()[name].contract
    return next(iter(contract.locations), "" if contract.file is None else "input.json")


def look(text: str, path: str, options: Options | None = None) -> Analysis:
    return analyze(Source(text), path, builtin(), options or Options())


def not_found(analysis: Analysis, places: Iterator[Span]) -> list[str]:
    """The placeholders without a finding."""
    found = [
        analysis.source.lines.line_span(analysis.source.lines.line_of(finding.span.start))
        if finding.code == "invalid-log-line"
        else finding.span
        for finding in analysis.findings
    ]
    return [span.of(analysis.source.text) for span in places if not any(one.overlaps(span) for one in found)]


def placeholders(text: str, within: Span | None = None) -> Iterator[Span]:
    found = PLACEHOLDER.finditer(text, *(within or (0, len(text))))
    return (Span(*match.span()) for match in found)


def routes(analysis: Analysis) -> set[str]:
    """The actions for the handoffs."""
    return {routing.action for handoff in analysis.handoffs if (routing := routing_of(handoff)) is not None}


@pytest.mark.parametrize(("name", "profile"), EVERY, ids=IDS)
def test_a_new_handoff_goes_nowhere_until_it_is_filled_in(name: str, profile: str) -> None:
    new = new_handoff(builtin(), builtin()[name], profile, "handoff")
    assert unfilled(new.snippet) + "\n" == new.text
    analysis = look(new.text, path_of(name))
    assert analysis.handoffs
    assert not routes(analysis) & GOES_ON
    if not new.lacks:
        assert not_found(analysis, placeholders(new.text)) == [], new.text
    assert not re.search(r"\d{4}-\d\d-\d\dT", PLACEHOLDER.sub("", new.text)), "a time that looks real"


@pytest.mark.parametrize(("name", "profile"), EVERY, ids=IDS)
def test_each_place_of_a_new_handoff_is_found_when_all_others_are_filled_in(name: str, profile: str) -> None:
    """A finding of one placeholder does not hide that of another."""
    text = new_handoff(builtin(), builtin()[name], profile, "handoff").text
    for span in list(placeholders(text)):
        # The envelope of a phase is known by its name in the heading.
        others = [Edit(other, "Design") for other in placeholders(text) if other != span]
        one = apply_edits(text, others)
        analysis = look(one, path_of(name))
        # If the values were the evidence for the contract, it is no handoff any more.
        if any(handoff.spec.name == name and handoff.mode == "handoff" for handoff in analysis.handoffs):
            assert not_found(analysis, placeholders(one)) == [], one


def offers(text: str, offset: int, path: str, options: Options) -> Iterator[tuple[str, str, Edit, tuple[Edit, ...]]]:
    for item in complete(context_of(look(text, path, options)), offset):
        yield item.kind, item.label, item.edit, item.more


def inserted(before: str, edit: Edit, more: tuple[Edit, ...]) -> tuple[str, Span]:
    """A text after an item was accepted, and the place of its edit."""
    after = apply_edits(before, [edit, *more])
    moved = sum(len(one.text) - (one.span.end - one.span.start) for one in more if one.span.start < edit.span.start)
    start = edit.span.start + moved
    return after, Span(start, start + len(edit.text))


@pytest.mark.parametrize(("name", "profile"), EVERY, ids=IDS)
def test_what_completion_writes_is_found(name: str, profile: str) -> None:
    """At the end of a new handoff, and after each of its lines, in place of the rest of its part."""
    options = Options(profiles={name: profile})
    path = path_of(name) or "report.md"
    text = new_handoff(builtin(), builtin()[name], profile, "handoff", path, options).text
    seen: set[str] = set()
    for before, offset in places(text):
        known = {span.of(before) for span in placeholders(before)}
        for kind, label, edit, more in offers(before, offset, path, options):
            if label in seen:
                continue
            seen.add(label)
            if edit.snippet is not None:
                plain = re.sub(r"\s+", " ", edit.text)
                assert re.sub(r"\s+", " ", unfilled(edit.snippet)).strip() == plain.strip(), label
            after, within = inserted(before, edit, more)
            analysis = look(after, path, options)
            assert kind == "value" or not routes(analysis) & GOES_ON or routes(look(before, path, options)) & GOES_ON
            if (
                kind not in {"value", "name"}
                and analysis.handoffs
                and all(one.mode == "handoff" for one in analysis.handoffs)
            ):
                assert not_found(analysis, placeholders(after, within)) == [], f"{label} {known}\n{after}"


def places(text: str) -> Iterator[tuple[str, int]]:
    """Texts with a place to complete something: with each line cut out, and one more at the end."""
    starts = [match.start() for match in re.finditer(r"^", text, re.MULTILINE)]
    for start, end in pairwise(starts):
        indent = len(text[start:end]) - len(text[start:end].lstrip(" "))
        if text[start:end].strip() and not text[start:end].startswith(("#", "```", "<!--")):
            yield text[: start + indent] + "\n" + text[end:], start + indent
    yield text + "\n", len(text) + 1
    yield text + "\n## ", len(text) + 4
    yield "", 0
    yield "{}", 1


CASES = read_cases()


def test_what_fixes_insert_is_found() -> None:
    """One fix for each set of fields that the cases of a contract let insert."""
    seen: set[str] = set()
    for case in CASES:
        analysis = case.analyze()
        for finding in analysis.findings:
            for fix in finding.fixes:
                handoff = finding.handoff
                if not fix.inserts or handoff is None or handoff.mode != "handoff":
                    continue
                said = json.dumps([handoff.spec.name, handoff.spec.profile, [slot.path for slot in fix.inserts]])
                if said not in seen:
                    seen.add(said)
                    inserts_only_places_to_fill(case, analysis, fix.edits)
    assert len(seen) > 100


def inserts_only_places_to_fill(case: Case, before: Analysis, edits: tuple[Edit, ...]) -> None:
    text = apply_edits(case.text, edits)
    after = case.analyze(text)
    if any(PLACEHOLDER.search(edit.text) for edit in edits):
        assert not (routes(after) & GOES_ON) - routes(before), f"{case.name}\n{text}"
    if len(after.handoffs) == len(before.handoffs) and all(handoff.mode == "handoff" for handoff in after.handoffs):
        old = {span.of(case.text) for span in placeholders(case.text)}
        left = [one for one in not_found(after, placeholders(text)) if one not in old]
        assert left == [], f"{case.name}\n{text}"


@pytest.mark.parametrize(
    ("snippet", "text"),
    [
        ("${1|<a \\| b>,a,b|} $2.", "<a | b> ."),
        ("x: ${1:<y>} \\$ {${2:}\\}", "x: <y> $ {}"),
    ],
)
def test_the_test_leaves_snippets_as_an_editor_does(snippet: str, text: str) -> None:
    assert unfilled(snippet) == text
