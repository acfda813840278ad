"""From a candidate to a bound handoff: choose the profile, bind the slots, choose the mode."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from handoff_lsp.binding.bodies.json import JsonBody
from handoff_lsp.binding.bodies.log import LogBody
from handoff_lsp.binding.bodies.markdown import MarkdownBody
from handoff_lsp.binding.bodies.outline import OutlineBody
from handoff_lsp.binding.handoff import Handoff, HandoffPlace
from handoff_lsp.binding.mode import choose_mode
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.demands import Demands
from handoff_lsp.contracts.model import FileForm, Mode
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.recognition.candidate import Candidate
from handoff_lsp.recognition.fences import fence_json, is_json
from handoff_lsp.recognition.profiles import Facts, choose_profile, evidence
from handoff_lsp.recognition.shaped_logs import read_shaped_log
from handoff_lsp.recognition.signs import any_seen
from handoff_lsp.syntax.lines.flat import read_flat
from handoff_lsp.syntax.lines.log import Log, read_log
from handoff_lsp.syntax.lines.outline import Outline, read_outline
from handoff_lsp.syntax.lines.yaml import read_yaml_pairs
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, Node
from handoff_lsp.text import Source, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

# A label in bold, perhaps below headings and as an item.
_BOLD_LABEL = lazy_pattern(
    r"(?:[ \t]*(?:#[^\r\n]*)?[\r\n]+)*[ \t]*(?:[-*+][ \t]+)?\*\*[^*\r\n]+(?:[:：]\*\*|\*\*[ \t]*[:：])"
)
_NO_BREAK = lazy_pattern(r"[^\r\n]")


class Choice(NamedTuple):
    """The config's and the modeline's settings for the handoffs of one contract.

    ``forced``: the profile that the document itself names; if None, the evidence in the handoff decides, between the
    profiles ``among`` if these are known from the agent that wrote it. ``demands``: those of the config on that agent.
    """

    profile: str | None = None
    mode: Mode | None = None
    settings: Mapping[str, Any] = {}
    forced: str | None = None
    among: tuple[str, ...] = ()
    demands: Demands | None = None


def bind(candidate: Candidate, tree: MarkdownTree, source: Source, path: str, choice: Choice) -> Handoff:
    """Bind one handoff. ``path`` is the document's, with ``/``, or empty; ``tree`` is empty unless it is Markdown."""
    entry = candidate.entry
    contract = entry.contract
    place = _place(candidate, tree, source)
    title = place.section.title if place.section is not None else tree.title
    facts = Facts(path, title, place.form, *place.body.lookups(entry))
    seen = evidence(contract, facts)
    profile = choice.forced or choose_profile(contract, choice.profile, seen, choice.among)
    spec = entry.spec(profile, choice.demands)
    root = _bind_root(place, source, spec)
    about = templated = False
    if choice.mode is None:
        own = _is_own(place, root, source, spec)
        signs = [sign for sign in contract.examples if not (own and sign.unless_last)]
        about = candidate.quoted or any_seen(signs, tree, path, contract)
        templated = any_seen(contract.templates, tree, path, contract)
    unfilled = spec.contract.unfilled
    mode = choice.mode or choose_mode(root, spec.contract.status, title, path, about, templated, place.form, unfilled)
    pinned = choice.profile if choice.profile in contract.profiles and choice.profile != profile else None
    return Handoff(
        spec,
        mode,
        tree,
        source,
        root,
        place,
        tagged=candidate.tagged,
        settings=choice.settings,
        reasons=candidate.reasons,
        pinned=entry.spec(pinned) if pinned is not None else None,
        path=path,
        evidence=seen,
    )


def _begins_bold(text: str) -> bool:
    """Whether the first line of a text, apart from headings, is a label in bold, as in Markdown."""
    return _BOLD_LABEL.match(text) is not None


def _place(candidate: Candidate, tree: MarkdownTree, source: Source) -> HandoffPlace:
    form, span, node, fragment = candidate.form, candidate.span, candidate.node, candidate.fragment
    if form == "section":
        assert candidate.section is not None
        body = MarkdownBody(tree, candidate.section, span.end)
        return HandoffPlace(form, span, body, section=tree.all_sections[candidate.section])
    if form == "run":
        assert fragment is not None
        run = candidate.entry.contract.run
        # In a fence, a run that was found by its field names alone is YAML; if they are bold, Markdown with comments,
        # which are its headings.
        labels = run is not None and not run.marked and (node is None or _begins_bold(fragment.text))
        yaml = node is not None and run is not None and not run.opening_field
        lines = read_outline(fragment.text, numbers=yaml, markdown=labels)
        return HandoffPlace(form, span, OutlineBody(fragment, lines, markdown=labels, fenced=node is not None), node)
    if form == "fence":
        fence = candidate.entry.contract.fence
        if candidate.json is not None and fragment is not None:
            return HandoffPlace(form, span, JsonBody(fragment, candidate.json, False))
        assert node is not None
        assert fence is not None
        if fence.holds_json:
            return HandoffPlace(form, span, _read_body(node), node)
        fragment = node.fragment()
        if fence.by_line and is_json(node):
            nothing = Outline((), (), 0)
            return HandoffPlace(form, span, OutlineBody(fragment, nothing, exact=True, is_json=True), node)
        # A fence without an end runs to the end of the document, so its own lines end at the first blank one.
        text = fragment.text
        end = len(text) if node.closed else _first_blank(text)
        lines = read_flat(text, end) if fence.by_line else read_outline(text, 0, end, comments=True)
        return HandoffPlace(form, span, OutlineBody(fragment, lines, exact=fence.by_line), node)
    if form == "file":
        if candidate.lines is not None and fragment is not None:
            return HandoffPlace(form, span, OutlineBody(fragment, candidate.lines, strict=True))
        if candidate.json is None:
            log = _read_log(_alone(source, span), candidate.entry.contract.file)
            return HandoffPlace(form, span, LogBody(log, source.text))
        assert fragment is not None
        return HandoffPlace(form, span, JsonBody(fragment, candidate.json, False))
    return HandoffPlace(form, span, MarkdownBody(tree))


def _alone(source: Source, span: Span) -> Source:
    """The text with blanks around a span, in which each line keeps its number."""
    if span == Span(0, len(source)):
        return source
    before, after = source.text[: span.start], source.text[span.end :]
    return Source(f"{_NO_BREAK.sub(' ', before)}{source.slice(span)}{_NO_BREAK.sub(' ', after)}")


def _read_log(source: Source, form: FileForm | None) -> Log:
    if form is not None and form.entry:
        return read_shaped_log(source.text, form)
    return read_log(source.text, source.lines)


# The text that may follow the last handoff of a document: the end of its fence, lines of dashes.
_NOTHING_MORE = lazy_pattern(r"[\s`~*_-]*")
_TO_FILL_IN = lazy_pattern(r"\{[^{}\n]+\}|<\w[^<>\n]*>")


def _is_own(place: HandoffPlace, root: Slot, source: Source, spec: Spec) -> bool:
    """Whether a handoff is filled in and ends its document, so that it is about that very document."""
    if not any(sign.unless_last for sign in spec.contract.examples):
        return False
    if _NOTHING_MORE.fullmatch(source.text, place.span.end) is None:
        return False
    if any(slot.problem is not None and slot.problem.kind == "placeholder" for slot in _but_for_nothing(root)):
        return False
    text = source.slice(place.span)
    if "{" not in text and "<" not in text:  # a long text is searched faster for these
        return True
    return all(found.group().casefold() in spec.empty_words for found in _TO_FILL_IN.finditer(text))


def _but_for_nothing(root: Slot) -> Iterator[Slot]:
    """The slots of a handoff, without those in which the contract ignores a placeholder."""
    return (slot for slot in root.walk(silent=False) if slot.field.severity.get("placeholder-left") != "off")


_BLANK_LINE = lazy_pattern(r"(?<=[\r\n])[ \t]*(?:[\r\n]|\Z)|(?<=[\r\n])#")


def _first_blank(text: str) -> int:
    """The offset of the first blank line or heading of a text; its length if it has neither."""
    found = _BLANK_LINE.search(text.replace("\r\n", " \n"))
    return found.start() if found else len(text)


def _bind_root(place: HandoffPlace, source: Source, spec: Spec) -> Slot:
    root = place.body.bind(spec, source)
    fence = place.own_fence
    if fence is not None:
        root.key = fence.info_span if fence.info else fence.opening
    elif place.form == "run":
        run = spec.contract.run
        root.key = source.lines.first_line_of(_start(place, opened=run is not None and bool(run.opening_field)))
    return root


def _start(place: HandoffPlace, *, opened: bool) -> Span:
    """The place where a run begins: the key of its first entry, or the whole run with its comment or fence.

    ``opened``: the run begins with its first key, even in a fence.
    """
    body = place.outline
    first = next(iter(body.lines.entries), None) if body is not None else None
    if body is None or first is None or (not opened and place.span.start < body.fragment.outer(0)):
        return place.span
    return body.fragment.outer_span(*first.key)


def _read_body(node: Node) -> JsonBody:
    """Parse the JSON in a fence."""
    fragment = node.fragment()
    tree = fence_json(node)
    start = fragment.text.lstrip()[:1]
    is_yaml = tree.fatal and start not in {"{", "[", ""} and bool(read_yaml_pairs(fragment.text))
    return JsonBody(fragment, tree, is_yaml)
