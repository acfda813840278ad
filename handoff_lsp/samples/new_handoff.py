"""A new handoff: its text, made so that it is recognized with the requested contract, profile and mode."""

from __future__ import annotations

import re

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.arguments import with_places
from handoff_lsp.contracts.model import Form, Mode
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.engine import Options, analyze
from handoff_lsp.text import Source
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.writing.skeleton import Skeleton, Stops, around, escape_snippet, joined
from handoff_lsp.writing.skeleton_document import FRONT_CLOSING, FRONT_OPENING, companions, form_of, new_document

# The beginning of a tab stop.
_STOP = re.compile(r"(?<!\\)(\$\{?)(\d+)")
_PLACEHOLDER = re.compile(r"<[^<>!\n][^<>\n]*>")


class NewHandoff(NamedTuple):
    """The text of a new handoff.

    ``lacks``: the reason why it is not recognized as requested; empty if it is. ``snippet``: the text as an LSP snippet
    without the final line break.
    """

    text: str
    lacks: str = ""
    snippet: str = ""


def new_handoff(
    registry: Registry, entry: ContractEntry, profile: str, mode: Mode, path: str = "", options: Options | None = None
) -> NewHandoff:
    """A new handoff of a contract's profile, for a document at ``path`` (with ``/``; empty if it has none).

    If its content is no evidence for the contract, the profile or the mode, a modeline in it declares them.
    """
    options = options or Options()
    spec = entry.spec(profile, options.returned.demands(entry.name)) if options.returned else entry.spec(profile)
    form = form_of(spec)
    where = path or next(iter(spec.contract.locations), "")
    handoff: Handoff | None = None
    made = Skeleton("", "")
    for open_heading in (True,) if mode == "template" else (False, True):
        stops = Stops()
        document = new_document(spec, stops, open_heading=open_heading)
        made = joined([document, *companions(registry, entry, profile, stops)], "\n\n")
        made = made._replace(snippet=_status_last(made.snippet, spec))
        text = made.plain + "\n"
        handoff = _handoff(text, where, registry, entry, options)
        # If only placeholders are evidence for the profile, it changes as soon as they are filled in.
        filled = _handoff(_PLACEHOLDER.sub("x", text), where, registry, entry, options)
        settled = profile == entry.contract.default_profile or (filled is not None and filled.spec.profile == profile)
        if _is(handoff, form, profile, mode) and settled:
            return NewHandoff(text, snippet=made.snippet)
        if form == "file":
            break
        declared = [] if settled and handoff is not None and handoff.spec.profile == profile else [f"profile={profile}"]
        declared += [] if handoff is not None and handoff.mode == mode else [f"mode={mode}"]
        comment = f"<!-- {' '.join([f'handoff: {entry.name}', *declared])} -->"
        first = form in {"document", "section"}
        made = _headed_by(comment, made) if first else around("", made, f"\n\n{comment}")
        handoff = _handoff(made.plain + "\n", where, registry, entry, options)
        if _is(handoff, form, profile, mode):
            return NewHandoff(made.plain + "\n", snippet=made.snippet)
    return NewHandoff(made.plain + "\n", _lacks(entry, profile, handoff), made.snippet)


def _status_last(snippet: str, spec: Spec) -> str:
    """A snippet with the tab stop of the status as its last one: a status claims that the rest is filled in."""
    field = spec.field(spec.contract.status)
    values = [with_places(value.value) for value in field.offered] if field is not None else []
    end = snippet.find(f",{','.join(map(escape_snippet, values))}|}}") if len(values) > 1 else -1
    start = snippet.rfind("${", 0, end) if end >= 0 else -1
    found = _STOP.match(snippet, start) if start >= 0 else None
    if found is None:
        return snippet
    status, last = int(found[2]), max(int(match[2]) for match in _STOP.finditer(snippet))

    def renumbered(match: re.Match[str]) -> str:
        number = int(match[2])
        return f"{match[1]}{last if number == status else number - (number > status)}"

    return _STOP.sub(renumbered, snippet)


def _headed_by(comment: str, made: Skeleton) -> Skeleton:
    """A skeleton with a comment at its beginning, or below its front matter, which must come first."""
    if not made.plain.startswith(FRONT_OPENING):
        return around(f"{comment}\n\n", made, "")
    return Skeleton(*(text.replace(FRONT_CLOSING, f"{FRONT_CLOSING}{comment}\n\n", 1) for text in made))


def _handoff(text: str, path: str, registry: Registry, entry: ContractEntry, options: Options) -> Handoff | None:
    handoffs = analyze(Source(text), path, registry, options).handoffs
    return next((handoff for handoff in handoffs if handoff.spec.name == entry.name), None)


def _is(handoff: Handoff | None, form: Form, profile: str, mode: Mode) -> bool:
    return handoff is not None and (handoff.form, handoff.spec.profile, handoff.mode) == (form, profile, mode)


def _lacks(entry: ContractEntry, profile: str, handoff: Handoff | None) -> str:
    contract = entry.contract
    if handoff is None:
        places = " or ".join(f"`{place}`" for place in contract.locations)
        at = places or (f"a path that matches {contract.file.path}" if contract.file is not None else "another path")
        return f"it counts as {entry.name} only at {at}"
    if handoff.spec.profile != profile:
        return (
            f"it counts as profile `{handoff.spec.profile}`; set `[contracts.{entry.name}] "
            f'profile = "{profile}"` in the config to use this one'
        )
    what = {"template": "a template", "example": "an example", "handoff": "a handoff"}[handoff.mode]
    return f"it counts as {what} until it is filled in"
