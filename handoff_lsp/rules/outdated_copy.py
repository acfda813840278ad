"""A marked copy differs from its contract.

## What it does
Compares the parts of Markdown documents between `<!-- handoff: begin contract=NAME part=PART -->` and
`<!-- handoff: end -->` with the contract. Also reports marks that cannot be followed: an unknown name, a mark without
its other one, a mark inside a copy.

## Why is this bad?
Who reads the document writes what the contract no longer says.

## How to fix
Update the copy: apply the fix, or run `handoff-lsp sync`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import cast

from handoff_lsp.binding.handoff import Surroundings
from handoff_lsp.contracts.names import nearest
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.language import say
from handoff_lsp.recognition.copies import MarkedCopy, read_copies
from handoff_lsp.rules.rule import Finding, Fix, Rule, reported_elsewhere, shown
from handoff_lsp.rules.shared.copied import PARTS, CopiedPart, WantedCopy, text_of
from handoff_lsp.syntax.markdown.incremental import MarkdownTree
from handoff_lsp.text import Edit, Source, Span, eol_of, line_start, with_eol
from handoff_lsp.text.lazy import lazy_pattern

_NAMES = ("contract", "profile", "part", "field")
# A name at least this similar to a known one counts as a misspelling of it.
_SLIP = 0.5
# What may be before a mark on its line: blanks, signs of quotes, and the sign of the list item that begins there.
_BEFORE = lazy_pattern(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*")
_SIGN = lazy_pattern(r"[^ \t>]")


def check_copies(tree: MarkdownTree, registry: Registry, around: Surroundings) -> Iterator[Finding]:
    """The copies that differ from their contracts, and the marks that cannot be followed."""
    marks = read_copies(tree)
    for copy in marks.copies:
        problem, wanted = _wanted(copy, registry)
        if problem is not None:
            yield problem
        elif copy.end is None:
            yield Finding(
                RULE,
                None,
                copy.begin,
                say("This copy has no `<!-- handoff: end -->`"),
                hint=say("Its end is expected before the next copy begins"),
            )
        elif wanted is not None:
            yield from _compared(tree.source, copy, copy.end, wanted, registry, around)
    for span in marks.stray:
        yield Finding(
            RULE,
            None,
            span,
            say("There is no copy that could end here"),
            hint=say("A copy begins with `<!-- handoff: begin contract=NAME part=PART -->`, and holds no other copy"),
        )


def _compared(
    source: Source, copy: MarkedCopy, end: Span, wanted: WantedCopy, registry: Registry, around: Surroundings
) -> Iterator[Finding]:
    text, lines = source.text, source.lines
    before = text[line_start(text, copy.begin.start) : copy.begin.start].removeprefix("\ufeff")
    rest = text[copy.begin.end : lines.line_end(lines.line_of(copy.begin.end))]
    if _BEFORE.fullmatch(before) is None or rest.strip():
        told = say("The marks of a copy must be on lines of their own")
        yield Finding(RULE, None, copy.begin, told)
        return
    made = text_of(wanted, registry, around)
    if made is None:
        return
    body, right = Span(copy.begin.end, end.start), _laid_out(made, _SIGN.sub(" ", before), eol_of(text))
    if source.slice(body) != right:
        yield Finding(
            RULE,
            None,
            copy.begin,
            say(
                "This copy of `{part}` differs from the contract `{contract}`",
                part=wanted.part,
                contract=wanted.contract,
            ),
            fixes=partial(_updates, body, right),
        )


def _laid_out(made: str, before: str, eol: str) -> str:
    """What is between the marks: blank lines around the copy, and before each line what is before the mark."""
    lines = ["", "", *made.split("\n"), "", ""]
    inside = "\n".join(f"{before}{line}".rstrip() if number else "" for number, line in enumerate(lines[:-1]))
    return with_eol(f"{inside}\n{before}", eol)


def _updates(body: Span, right: str) -> Iterator[Fix]:
    yield Fix(say("Update the copy from the contract"), (Edit(body, right),), safe=True)


def _wanted(copy: MarkedCopy, registry: Registry) -> tuple[Finding | None, WantedCopy | None]:
    """What a copy is of; or the finding that it does not say so, or not in known words."""
    options = copy.options
    for word in copy.words:
        if options[word.name] is not word:
            return Finding(RULE, None, word.label, say("`{word}` is here twice", word=shown(word.name, 30))), None
        if word.name not in _NAMES:
            told = say("Unknown word `{word}`", word=shown(word.name, 30))
            return _unknown(word.name, word.label, told, [name for name in _NAMES if name not in options]), None
    contract = options.get("contract")
    if contract is None:
        return _missing(copy, "contract", registry.names), None
    if contract.value not in registry:
        told = say("Unknown contract `{contract}`", contract=shown(contract.value, 30))
        return _unknown(contract.value, contract.span, told, registry.names), None
    entry = registry[contract.value]
    profile = options.get("profile")
    if profile is not None and profile.value not in entry.contract.profiles:
        told = say(
            "The contract `{contract}` has no profile `{profile}`",
            contract=entry.name,
            profile=shown(profile.value, 30),
        )
        return _unknown(profile.value, profile.span, told, entry.contract.profiles), None
    part = options.get("part")
    if part is None:
        return _missing(copy, "part", PARTS), None
    if part.value not in PARTS:
        return _unknown(part.value, part.span, say("Unknown part `{part}`", part=shown(part.value, 30)), PARTS), None
    named = profile.value if profile is not None else entry.contract.default_profile
    wanted = WantedCopy(entry.name, named, cast(CopiedPart, part.value))
    return _with_field(copy, wanted, registry)


def _with_field(copy: MarkedCopy, wanted: WantedCopy, registry: Registry) -> tuple[Finding | None, WantedCopy | None]:
    """The same with the field of a table of values: the one that is named, else the status."""
    field = copy.options.get("field")
    if wanted.part != "values":
        if field is None:
            return None, wanted
        return Finding(RULE, None, field.span, say("`field` is only for `part=values`")), None
    spec = registry[wanted.contract].spec(wanted.profile)
    choices = [path for path, one in spec.walk() if one.kind.is_choice and one.offered]
    path = field.value if field is not None else spec.status
    if path in choices:
        return None, wanted._replace(path=path)
    if field is None:
        return _missing(copy, "field", choices), None
    told = (
        say("`{field}` has no list of values", field=path)
        if spec.field(path) is not None
        else say("The contract `{contract}` has no field `{field}`", contract=spec.name, field=shown(path, 30))
    )
    return _unknown(field.value, field.span, told, choices), None


def _missing(copy: MarkedCopy, name: str, known: Iterable[str]) -> Finding:
    told = say("This copy does not say its `{name}`", name=name)
    return Finding(RULE, None, copy.begin, told, hint=_listed(known))


def _unknown(written: str, span: Span, message: str, known: Iterable[str]) -> Finding:
    near = nearest(written, known, cutoff=_SLIP)
    hint = say("Did you mean `{near}`?", near=near) if near is not None else _listed(known)
    # No fix: a copy with the right words differs from its contract until it is made.
    return Finding(RULE, None, span, message, hint=hint)


def _listed(known: Iterable[str]) -> str:
    return say("Known are {names}", names=", ".join(f"`{name}`" for name in known))


RULE = Rule(
    "outdated-copy",
    "prompts",
    "warning",
    reported_elsewhere,
    fixable="sometimes",
    unfinished="here",
    own=True,
)
