"""The engine's steps for one document: parse, detect, bind, check. No I/O and no state."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache, partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from handoff_lsp.binding.bind import Choice, bind
from handoff_lsp.binding.handoff import NOWHERE, Fault, Handoff, Note, Surroundings
from handoff_lsp.contracts.model import Check, Severity
from handoff_lsp.contracts.names import nearest
from handoff_lsp.contracts.options import Options as Options
from handoff_lsp.contracts.owed import Returned
from handoff_lsp.contracts.patterns import search
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.language import say
from handoff_lsp.prompts.documents import is_prompt
from handoff_lsp.prompts.embedded import embeds
from handoff_lsp.recognition.candidate import Candidate
from handoff_lsp.recognition.copies import read_copies
from handoff_lsp.recognition.detect import Modeline, detect, possible_entries, read_modeline, shows_templates
from handoff_lsp.recognition.files import find_files, find_in_message
from handoff_lsp.recognition.paths import is_data_file
from handoff_lsp.rules import suppression
from handoff_lsp.rules.missing_mention import check_prose
from handoff_lsp.rules.outdated_copy import check_copies
from handoff_lsp.rules.registry import all_rules, rules_of_handoffs
from handoff_lsp.rules.returned import ReturnedText
from handoff_lsp.rules.rule import Finding, Fix, Rule, reported_elsewhere, shown
from handoff_lsp.rules.shared import bounded
from handoff_lsp.rules.shared.owing import explains
from handoff_lsp.rules.shared.promises import Proof
from handoff_lsp.rules.wrapping import without_wrapping
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, parse_markdown
from handoff_lsp.text import Edit, Source, Span
from handoff_lsp.text.lazy_dataclass import lazy_dataclass

if TYPE_CHECKING:
    from handoff_lsp.prompts.statement import PromptStatements
    from handoff_lsp.rules.prompts.prompted import PromptText

# Fences in which a document about a format shows a whole handoff.
_MARKDOWN_TAGS = {"markdown", "md"}

# The most findings of one rule about a prompt.
_MOST_OF_PROMPT = 50

# The most skipped checks to list by name.
_MOST_NAMED = 5

# A document beyond one of these bounds is not read; its only finding gives the bound.
MAX_LENGTH = 5_000_000
MAX_LINES = 100_000
MAX_VALUES = 100_000


@lazy_dataclass(frozen=True, slots=True)
class Analysis:
    """The analysis of one text: its tree, its handoffs and their findings."""

    source: Source
    path: str
    tree: MarkdownTree
    handoffs: tuple[Handoff, ...]
    findings: tuple[Finding, ...]
    options: Options
    registry: Registry = field(repr=False, compare=False)
    around: Surroundings = field(default=NOWHERE, repr=False, compare=False)

    def again(self, text: str) -> Analysis:
        """The analysis of a changed text of the same document, among the same files."""
        return analyze(Source(text), self.path, self.registry, self.options, around=self.around)

    def handoff_at(self, offset: int) -> Handoff | None:
        """The handoff at an offset: the smallest part that holds it, else the document as a whole."""
        parts = [handoff for handoff in self.handoffs if handoff.is_part and handoff.span.holds(offset)]
        if parts:
            return min(parts, key=lambda handoff: handoff.span.end - handoff.span.start)
        whole = [handoff for handoff in self.handoffs if not handoff.is_part]
        return next((handoff for handoff in whole if handoff.span.holds(offset)), next(iter(whole), None))


def analyze(
    source: Source,
    path: str,
    registry: Registry,
    options: Options,
    *,
    parse: Callable[[Source], MarkdownTree] = parse_markdown,
    around: Surroundings = NOWHERE,
    bound: Callable[[], Sequence[Handoff]] | None = None,
    said: Callable[[], PromptStatements | None] | None = None,
) -> Analysis:
    """Analyze one document. ``path`` (with ``/``) may be empty. Never raises on any text.

    ``around`` answers the rules' questions about other files. ``bound`` returns the result of ``bind_document`` for
    the same arguments, if the caller needs it, too, and ``said`` that of ``read_document``.
    """
    excess = excess_of(source)
    if excess:
        return _too_long(source, path, registry, options, excess)
    tree, modeline = _read(source, path, parse)
    if modeline is not None and modeline.contract is None:
        if path or options.returned is None:
            return Analysis(source, path, tree, (), (), options, registry, around)
        modeline = None  # no agent switches off what it owes
    handoffs = _placed(bound() if bound else _handoffs(source, path, registry, options, tree, modeline), around)
    findings = _modeline_findings(modeline, registry, options, handoffs) if modeline is not None else []
    if modeline is not None and any(handoff.spec.name == modeline.contract for handoff in handoffs):
        findings += _passed_over(modeline, source, path, registry, options, tree)
    room, named = bounded.Room(), len(findings)
    for handoff in handoffs:
        if handoff.mode != "example" or options.examples:
            findings += check_handoff(handoff, room, options.severities)
    # A document with the wrong contract in its modeline has no decision of its own until that is corrected.
    misnamed = tuple(_faults(findings[:named]))
    for handoff in handoffs:
        handoff.faults = (*misnamed, *handoff.faults)
    findings += [*room.findings(), *bounded.beyond_handoffs(handoffs), *_limit_findings(handoffs, around)]
    owing = _owing(source, path, registry, options, tree, handoffs)
    missing = 0 if path else _missing(options, handoffs, owing)
    if missing:
        unwrapped = _unwrapped(source, registry, options, tree, around, missing)
        if unwrapped is not None:
            return unwrapped
    findings = [
        item for item in findings if not any(explains(one, item.code, item.handoff, item.span) for one in owing)
    ]
    shown_ones, samples = _samples(tree, path, registry, options)
    outside = [*shown_ones, *_prose(tree, path, registry, options)]
    outside += owing if path else []
    findings += outside
    stated = said() if said else _said(source, path, registry, options, tree)
    if stated is not None:
        from handoff_lsp.rules.prompts.prompted import PromptText  # few documents are prompts

        about = _prompted(
            PromptText(
                source,
                path,
                tree,
                stated,
                registry,
                options,
                around,
                tuple(one.span for one in _judged(findings, options)),
                tuple(handoffs),
                samples,
                _as_real,
                partial(_text_as_real, registry, options),
            )
        )
        findings += about
        outside += about
    copies, marked = _copied(tree), list(check_copies(tree, registry, around))
    findings = [one for one in findings if not _is_in(copies, one.span)] + marked
    outside += marked
    kept = findings
    if handoffs or outside:
        complete = not room.cut and not any(handoff.left_out for handoff in handoffs)
        kept = suppression.apply(findings, suppression.read_suppressions(tree, handoffs), complete=complete)
    kept = kept if path else [*kept, *owing]  # a comment in a message silences no debt
    made = Analysis(source, path, tree, tuple(handoffs), tuple(_judged(kept, options)), options, registry, around)
    proof = Proof(source.text, handoffs, lambda text: made.again(text).handoffs)
    for finding in made.findings:
        finding.proof = proof
    return made


def _copied(tree: MarkdownTree) -> list[Span]:
    """The texts of marked copies. Each is judged as a whole: it holds no handoff, and no finding is in it."""
    return [copy.body for copy in read_copies(tree).copies if copy.body is not None]


def _is_in(copies: Sequence[Span], span: Span) -> bool:
    """Whether a span begins in a marked copy."""
    return any(body.start <= span.start < body.end for body in copies)


def _placed(handoffs: Sequence[Handoff], around: Surroundings) -> list[Handoff]:
    """Handoffs with other files as their surroundings; the given ones are unchanged."""
    placed = {id(handoff): handoff.placed(around) for handoff in handoffs}
    together = list(placed.values())
    for handoff in together:
        handoff.together = together
        handoff.following = placed.get(id(handoff.following))
        handoff.preceding = placed.get(id(handoff.preceding))
    return together


def judged(handoffs: Sequence[Handoff]) -> list[Handoff]:
    """The handoffs of another document, checked without their surroundings; the given ones are unchanged."""
    placed = _placed(handoffs, NOWHERE)
    for handoff in placed:
        check_handoff(handoff, bounded.Room(), {})
    return placed


def bind_document(
    source: Source,
    path: str,
    registry: Registry,
    options: Options,
    *,
    parse: Callable[[Source], MarkdownTree] = parse_markdown,
) -> tuple[Handoff, ...]:
    """The handoffs of a document, unchecked and without surroundings, as other documents see them."""
    if excess_of(source):
        return ()
    tree, modeline = _read(source, path, parse)
    if modeline is not None and modeline.contract is None:
        return ()
    return tuple(_handoffs(source, path, registry, options, tree, modeline))


def _read(source: Source, path: str, parse: Callable[[Source], MarkdownTree]) -> tuple[MarkdownTree, Modeline | None]:
    """The tree of a document, empty if it is not Markdown, and its modeline."""
    tree = _empty_tree() if is_data_file(path) or embeds(path) else parse(source)
    return tree, read_modeline(tree)


@lru_cache(maxsize=1)
def _empty_tree() -> MarkdownTree:
    return parse_markdown(Source(""))


def _handoffs(
    source: Source, path: str, registry: Registry, options: Options, tree: MarkdownTree, modeline: Modeline | None
) -> list[Handoff]:
    """Detect the handoffs of a document and bind them."""
    wanted = options.contract
    if modeline is not None and modeline.contract is not None and modeline.contract in registry:
        wanted = modeline.contract
    candidates = (
        find_files(source, path, registry, wanted=wanted)
        if is_data_file(path)
        else detect(tree, path, registry, wanted=wanted)
    )
    if wanted is not None and modeline is not None and wanted == modeline.contract:
        named = (candidate for candidate in candidates if candidate.entry.name == wanted)
        if not any(_says_something(_bind(one, tree, source, path, options, modeline)) for one in named):
            # It may be a different format: recognize the document as if it had no modeline.
            candidates = detect(tree, path, registry) or candidates
    for name in [] if path else _expected(options, wanted, registry, source.text):
        files = find_in_message(tree, registry[name])
        named = (candidate for candidate in candidates if candidate.entry.name == name)
        if files and all(_bind(one, tree, source, path, options, modeline).mode == "example" for one in named):
            others = [one for one in candidates if one.entry.name != name]
            candidates = sorted([*others, *files], key=lambda one: one.span.start)
    copies = _copied(tree)
    wanted_ones = [
        candidate
        for candidate in candidates
        if candidate.entry.name not in options.disabled
        and not any(body.start <= candidate.span.start < body.end for body in copies)
    ]
    # The last one is always checked: some formats read no other.
    most = bounded.MAX_HANDOFFS
    left_out = max(len(wanted_ones) - most, 0)
    if left_out:
        del wanted_ones[most - 1 : -1]
    handoffs = [_bind(candidate, tree, source, path, options, modeline) for candidate in wanted_ones]
    if left_out:
        handoffs[-1].left_out = left_out
    starts = [handoff.span.start for handoff in handoffs]
    for index, handoff in enumerate(handoffs):
        behind = bisect_left(starts, handoff.span.end, index + 1)
        if behind < len(handoffs) and not source.text[handoff.span.end : starts[behind]].strip():
            handoff.following = handoffs[behind]
            handoffs[behind].preceding = handoff
        handoff.together = handoffs
    for handoff in handoffs:
        if handoff.mode == "handoff" and handoff.only_explains:
            handoff.mode = "example"
    if options.returned is not None and not path:
        _take_own(options.returned, wanted_ones, handoffs)
    return handoffs


def _expected(options: Options, wanted: str | None, registry: Registry, text: str) -> Iterator[str]:
    """The contracts whose handoff may be a whole message: the named one, and those whose reader accepts the text."""
    if wanted is not None and wanted == options.contract and wanted in registry:
        yield wanted
    for owed in options.returned.owed if options.returned is not None else ():
        accepted = bool(owed.accepts) and search(owed.accepts, text) is not None
        for name in owed.contracts if accepted else ():
            if name in registry and name != wanted and registry[name].contract.file is None:
                yield name


def _take_own(returned: Returned, candidates: Sequence[Candidate], handoffs: Sequence[Handoff]) -> None:
    """Take the last example of an owed handoff as the agent's own if its final message has no other.

    Words about the format elsewhere in the message make it no example. A text in which each line is quoted remains one.
    """
    for owed in returned.owed:
        pairs = [pair for pair in zip(candidates, handoffs, strict=True) if pair[1].spec.name in owed.contracts]
        if any(handoff.mode == "handoff" for _, handoff in pairs):
            continue
        shown = [one for candidate, one in pairs if one.mode == "example" and not _is_quotation(candidate, one)]
        if shown and shown[-1].status is not None and shown[-1].status.present and not shown[-1].status.problem:
            shown[-1].mode = "handoff"


def _is_quotation(candidate: Candidate, handoff: Handoff) -> bool:
    lines = handoff.source.slice(handoff.span).splitlines()
    return candidate.quoted and all(line.lstrip().startswith(">") for line in lines if line.strip())


def _says_something(handoff: Handoff) -> bool:
    """Whether a handoff has any of its contract's fields, besides a heading that any document has."""
    children = handoff.root.children.values()
    return handoff.form != "document" or any(child.written and child.carrier != "title" for child in children)


def _bind(
    candidate: Candidate, tree: MarkdownTree, source: Source, path: str, options: Options, modeline: Modeline | None
) -> Handoff:
    name = candidate.entry.name
    declared = modeline if modeline is not None and modeline.contract == name else None
    mode: Any = (declared.mode if declared else None) or options.mode
    choice = Choice(options.profiles.get(name), mode, options.settings.get(name, {}))
    if options.returned is not None:
        choice = choice._replace(among=options.returned.profiles(name), demands=options.returned.demands(name))
    if declared is not None and declared.profile is not None and declared.profile in candidate.entry.contract.profiles:
        choice = choice._replace(profile=declared.profile, forced=declared.profile)
    # The content of a file is not Markdown, even in a fence.
    return bind(candidate, tree if candidate.form != "file" else _empty_tree(), source, path, choice)


def check_handoff(handoff: Handoff, room: bounded.Room, severities: Mapping[str, Severity]) -> list[Finding]:
    """Run every rule on a handoff, up to the bound on findings. A crash becomes one finding; other rules still run.

    The handoff keeps the findings that withhold it. The config's severities count for that; comments that silence
    findings do not.
    """
    findings: list[Finding] = []
    for rule in rules_of_handoffs().values():
        if rule.check is reported_elsewhere or not applies(rule, handoff):
            continue
        try:
            room.fill(rule, handoff, findings)
        except Exception as error:
            import logging  # nothing else here needs it

            logging.getLogger(__name__).exception("rule %s failed", rule.code)
            findings.append(_crash(rule, handoff, error))
    findings += [*_unasked(handoff), *bounded.beyond_depth(handoff), *bounded.beyond_names(handoff)]
    if not handoff.readable:
        # The original validator stops at the block as a whole: only findings about that have its tokens.
        for finding in findings:
            if not finding.rule.judges_form:
                finding.upstream = ()
    _set_severities(findings, severities)
    handoff.faults = (*_faults(findings), *bounded.unseen(handoff))
    return findings


def applies(rule: Rule, handoff: Handoff) -> bool:
    """Whether a rule judges a handoff of this mode and form."""
    if handoff.mode not in rule.modes or (rule.needs_readable_handoff and not handoff.absence_is_certain):
        return False
    return not handoff.wrong_form or rule.judges_form


def _faults(findings: list[Finding]) -> Iterator[Fault]:
    """The findings that withhold a handoff, in the order of the text."""
    for finding in sorted(findings, key=_order):
        is_error = finding.severity == "error"
        if is_error or (finding.withholds and finding.severity != "off"):
            yield Fault(finding.code, finding.message, finding.span, is_error, finding.rule.judges_form)


def _unasked(handoff: Handoff) -> list[Finding]:
    """The finding that some conditions were not evaluated, because a list has more items than CEL allows."""
    for condition in handoff.spec.bounded_routes:
        handoff.values.evaluate(condition)
    if not handoff.gave_up:
        return []
    contract = handoff.spec.contract
    named = {line: name for name, line in contract.terms.items()}
    for name, check in contract.checks.items():
        named |= dict.fromkeys(_asks(check), name)
    first = [name for line, name in named.items() if line in handoff.gave_up]
    asked = list(dict.fromkeys([*first, *(shown(line) for line in handoff.gave_up if line not in named)]))
    names = ", ".join(f"`{name}`" for name in asked[:_MOST_NAMED])
    # A warning alone decides nothing.
    mild = {line for check in contract.checks.values() if check.severity != "error" for line in _asks(check)}
    handoff.unseen |= any(line not in mild for line in handoff.gave_up)
    if len(asked) > _MOST_NAMED:
        names += say(" and {number} more", number=len(asked) - _MOST_NAMED)
    message = say(
        "This handoff has a list that is too long to check. Not checked: {names}",
        names=names,
    )
    return [Finding(rules_of_handoffs()["too-large"], handoff, handoff.home(), message)]


def _owing(
    source: Source,
    path: str,
    registry: Registry,
    options: Options,
    tree: MarkdownTree,
    handoffs: Sequence[Handoff],
) -> list[Finding]:
    """The findings about what the agent that returned a text owes. They withhold all handoffs of the text."""
    if options.returned is None:
        return []
    returned = ReturnedText(
        source, path, tree, tuple(handoffs), registry, options, partial(_read_again, path, registry, options)
    )
    owing = [
        finding
        for rule in rules_of_handoffs().values()
        if rule.of_return is not None
        for finding in rule.of_return(returned)
    ]
    _set_severities(owing, options.severities)
    faults = tuple(_faults(owing))
    for handoff in handoffs if faults else ():
        known = (
            fault
            for fault in handoff.faults
            if not any(explains(one, fault.rule, handoff, fault.span) for one in owing)
        )
        handoff.faults = (*faults, *known)
    return owing


def _unwrapped(
    source: Source,
    registry: Registry,
    options: Options,
    tree: MarkdownTree,
    around: Surroundings,
    missing: int,
) -> Analysis | None:
    """The analysis of a message without the lines that wrap its handoff; None if that finds no further handoff."""
    text = without_wrapping(tree, source.text, partial(_read_again, "", registry, options))
    if text == source.text:
        return None
    made = analyze(Source(text), "", registry, options, around=around)
    return replace(made, source=source) if _missing(options, made.handoffs, made.findings) < missing else None


def _missing(options: Options, handoffs: Sequence[Handoff], findings: Sequence[Finding]) -> int:
    """The number of owed and named handoffs that a message lacks."""
    name = options.contract
    found = (one for one in handoffs if one.spec.name == name and one.mode == "handoff")
    owed = sum(finding.code in {"missing-handoff", "misplaced-handoff"} for finding in findings)
    return owed + (name is not None and not any(map(_says_something, found)))


def _read_again(path: str, registry: Registry, options: Options, text: str) -> Sequence[Handoff]:
    return bind_document(Source(text), path, registry, options)


def _asks(check: Check) -> tuple[str, ...]:
    return check.check, check.when


def _crash(rule: Rule, handoff: Handoff, error: Exception) -> Finding:
    message = say(
        "The rule `{rule}` failed on this handoff ({kind}: {error}). All others were run",
        rule=rule.code,
        kind=type(error).__name__,
        error=error,
    )
    return Finding(rules_of_handoffs()["internal-error"], handoff, handoff.home(), message)


def _judged(findings: list[Finding], options: Options) -> list[Finding]:
    """Findings with the severities of the config, in the order of the text."""
    _set_severities(findings, options.severities)
    return sorted((finding for finding in findings if finding.severity != "off"), key=_order)


def _set_severities(findings: list[Finding], severities: Mapping[str, Severity]) -> None:
    for finding in findings:
        for name in finding.names:
            finding.severity = severities.get(name, finding.severity)


def _order(finding: Finding) -> tuple[int, int, bool, str]:
    """Sort by place in the text; at one place, the status first, then by rule, in the contract's order."""
    handoff = finding.handoff
    about_status = handoff is not None and bool(finding.field) and finding.field == handoff.spec.contract.status
    return finding.span.start, finding.span.end, not about_status, finding.code


def _modeline_findings(
    modeline: Modeline, registry: Registry, options: Options, handoffs: Sequence[Handoff]
) -> list[Finding]:
    rule = rules_of_handoffs()["invalid-config"]
    if modeline.contract is not None and modeline.contract not in registry:
        near = nearest(modeline.contract, registry.names, cutoff=0.5)
        known = ", ".join(registry.names)
        return [
            Finding(
                rule,
                None,
                modeline.span,
                say("Unknown contract `{contract}`", contract=modeline.contract),
                note=say("Known contracts: {known}", known=known),
                fixes=partial(_renames, modeline, near) if near else None,
            )
        ]
    if modeline.profile is not None and modeline.contract is not None:
        profiles = list(registry[modeline.contract].contract.profiles)
        if modeline.profile not in profiles:
            message = say(
                "The contract `{contract}` has no profile `{profile}`; it has {profiles}",
                contract=modeline.contract,
                profile=modeline.profile,
                profiles=", ".join(profiles),
            )
            return [Finding(rule, None, modeline.span, message)]
    found = list(dict.fromkeys(handoff.spec.name for handoff in handoffs if handoff.mode == "handoff"))
    if found and modeline.contract not in {*options.disabled, *(handoff.spec.name for handoff in handoffs)}:
        message = say(
            "This comment says `{contract}`, but what is here is `{found}`", contract=modeline.contract, found=found[0]
        )
        fix = partial(_renames, modeline, found[0])
        return [Finding(rule, None, modeline.span, message, severity="warning", withholds=True, fixes=fix)]
    return []


def _passed_over(
    modeline: Modeline, source: Source, path: str, registry: Registry, options: Options, tree: MarkdownTree
) -> list[Finding]:
    """The finding that the whole document is an unchecked handoff of a contract other than its modeline's."""
    others = [
        one.entry.name
        for one in detect(tree, path, registry)
        if not one.is_part and one.entry.name not in {modeline.contract, *options.disabled}
        if _bind(one, tree, source, path, options, modeline).mode == "handoff"
    ]
    rule = rules_of_handoffs()["invalid-config"]
    messages = [
        say(
            "This comment says `{contract}`, so the `{other}` here is not checked",
            contract=modeline.contract,
            other=name,
        )
        for name in others
    ]
    return [Finding(rule, None, modeline.span, message, severity="information") for message in messages]


def _renames(modeline: Modeline, name: str) -> list[Fix]:
    return [_rename(modeline, name)]


def _rename(modeline: Modeline, name: str) -> Fix:
    return Fix(say("Change to `{name}`", name=name), (Edit(modeline.span, name),), safe=False)


def _limit_findings(handoffs: list[Handoff], around: Surroundings) -> list[Finding]:
    """The finding that only a part of the other files was read for a document."""
    rule, first = rules_of_handoffs()["too-large"], next(iter(handoffs), None)
    messages = around.limits() if first is not None else ()
    return [
        Finding(rule, first, first.home(), message, severity="information" if isinstance(message, Note) else None)
        for message in messages
        if first
    ]


def excess_of(source: Source) -> str:
    """The reason why a document is too large to be read; empty if it is not."""
    if len(source) <= min(MAX_LINES, MAX_VALUES):  # a shorter text cannot exceed any bound
        return ""
    for what, number, most in _sizes(source):
        if number > most:
            return say(
                "{number:,} {what}. handoff-lsp looks at no more than {most:,}", number=number, what=what, most=most
            )
    return ""


def _sizes(source: Source) -> Iterator[tuple[str, int, int]]:
    """What is counted in a document, how many there are, and how many at most are read."""
    yield say("characters"), len(source), MAX_LENGTH
    yield say("lines"), source.lines.count - 1, MAX_LINES
    yield say("commas and brackets"), source.commas, MAX_VALUES


def _too_long(source: Source, path: str, registry: Registry, options: Options, excess: str) -> Analysis:
    message = say("This document has {excess}", excess=excess)
    finding = Finding(rules_of_handoffs()["too-large"], None, Span(0, 0), message)
    return Analysis(source, path, parse_markdown(Source("")), (), (finding,), options, registry)


def _samples(tree: MarkdownTree, path: str, registry: Registry, options: Options) -> tuple[list[Finding], list[Span]]:
    """The findings of whole Markdown handoffs in the fences of a document about their format, and these fences.

    Templates, as in the definition of the agent that fills them in, are always checked; examples on request. The
    document's path does not count for their recognition.
    """
    fences = [fence for fence in tree.fences() if fence.info.partition(" ")[0].lower() in _MARKDOWN_TAGS]
    templates = shows_templates(tree, path, registry) - options.disabled if fences else frozenset[str]()
    if not templates and not options.examples:
        return [], []
    found, checked, inside = [], [], replace(options, examples=False, returned=None)
    for fence in fences:
        fragment = fence.fragment()
        made = analyze(Source(fragment.text), "", registry, inside)
        if any(options.examples or _is_template_of(one, templates) for one in made.handoffs):
            checked.append(fence.span)
        for finding in made.findings:
            if options.examples or _is_template_of(finding.handoff, templates):
                finding.move_out(fragment, tree.source)
                found.append(finding)
    return found, checked


def _is_template_of(handoff: Handoff | None, contracts: frozenset[str]) -> bool:
    return handoff is not None and handoff.mode == "template" and handoff.spec.name in contracts


def _said(
    source: Source, path: str, registry: Registry, options: Options, tree: MarkdownTree
) -> PromptStatements | None:
    """What a document says about contracts; None if it is no prompt."""
    if not is_prompt(path):
        return None
    from handoff_lsp.prompts.reading import read_document  # few documents are prompts

    return read_document(source, path, registry, options.disabled, lambda _: tree)


def _prompted(prompt: PromptText) -> list[Finding]:
    """The findings about what a prompt says about contracts."""
    checks = [rule.of_prompt for rule in all_rules().values() if rule.of_prompt is not None]
    found = [finding for check in checks for finding in islice(check(prompt), _MOST_OF_PROMPT)]
    if embeds(prompt.path):
        for finding in found:
            finding.keep_plain_fixes()
    return found


def _as_real(handoff: Handoff) -> list[Finding]:
    """The findings about an example as if it were a real handoff, in the order of the text."""
    (real,) = _placed([handoff], NOWHERE)
    real.mode, real.following, real.preceding = "handoff", None, None
    return sorted(check_handoff(real, bounded.Room(), {}), key=_order)


def _text_as_real(registry: Registry, options: Options, text: str, contract: str) -> list[Finding]:
    """The findings about the whole documents of one contract in an example that is a text of its own."""
    inside = replace(options, examples=False, returned=None, mode="handoff", severities={})
    made = analyze(Source(text), "", registry, inside).findings
    handoffs = ((one, one.handoff) for one in made)
    return [one for one, its in handoffs if its is not None and its.spec.name == contract and its.form == "document"]


def _prose(tree: MarkdownTree, path: str, registry: Registry, options: Options) -> Iterator[Finding]:
    """The findings in a document other than a handoff, by the contracts that require mentions in it."""
    wanted = (entry for entry in registry.having("prose") if entry.name not in options.disabled)
    return check_prose(tree, path, possible_entries(wanted, tree, path))
