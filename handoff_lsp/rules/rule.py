"""What a rule, a finding and a fix are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import Mode, Severity
from handoff_lsp.language import ENGLISH, language, say
from handoff_lsp.text import Edit, Fragment, Source, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.text.named_tuple import NamedTuple

if TYPE_CHECKING:
    from handoff_lsp.rules.returned import ReturnedText

# The most characters of a message.
MESSAGE_LENGTH = 120

EVERY_MODE: tuple[Mode, ...] = ("handoff", "template", "example")

RuleGroup = Literal[
    "missing content", "values", "structure", "consistency", "across files", "templates", "prompts", "internal"
]


_SPECIAL = lazy_pattern(r"[\"'\\\r\n]")
_NAME = lazy_pattern(r"[a-z0-9]+(?:[-_.][a-z0-9]+)+\b|[a-z]+\d")


class Fix(NamedTuple):
    """A fix for a finding. Safe: it cannot change the meaning. ``preferred``: the one to offer first.

    ``inserts``: the absent fields that it adds, if it does nothing else. Such fixes can be combined.
    ``sets``: the value that it chooses for the author, if it does nothing else.
    """

    title: str
    edits: tuple[Edit, ...]
    safe: bool
    preferred: bool = True
    inserts: tuple[Slot, ...] = ()
    sets: str = ""


class Related(NamedTuple):
    """A related place of a finding, in the document or in ``source``, another document.

    ``name`` is the other document's path from the folder of this one, with ``/``.
    """

    span: Span
    message: str
    name: str = ""
    source: Source | None = None


# Tries a safe fix of a finding; returns it, weakened or unchanged, or None if it breaks its promise.
Prover = Callable[["Finding", Fix], Fix | None]


class Finding:
    """A finding of a rule. ``span`` is in code points of the document; ``field`` a dotted path or None.

    ``message``: the defect and, if it is short, the right form; ``note``: what readers of the handoff do because of
    it; ``hint``: a question such as ``Did you mean …?``. Each is a sentence without its full stop, ``note`` and
    ``hint`` may be empty. ``withholds``: it withholds the handoff, as every error does.
    """

    def __init__(
        self,
        rule: Rule,
        handoff: Handoff | None,
        span: Span,
        message: str,
        *,
        note: str = "",
        hint: str = "",
        check: str | None = None,
        severity: Severity | None = None,
        slot: Slot | None = None,
        field: str | None = None,
        upstream: Iterable[str] = (),
        related: Iterable[Related] = (),
        fixes: Callable[[], Iterable[Fix]] | None = None,
        unnecessary: bool = False,
        withholds: bool = False,
    ) -> None:
        self.rule = rule
        self.handoff = handoff
        self.span: Span = span
        self.message: str = sentence(message)
        self.note: str = sentence(note)
        self.hint = hint
        self.check = check
        self.severity: Severity = severity or severity_for(rule, slot)
        self.slot = slot
        self.field: str | None = field if field is not None else (slot.path or None if slot is not None else None)
        self.upstream: tuple[str, ...] = tuple(upstream)
        self.related: tuple[Related, ...] = tuple(related)
        self.unnecessary = unnecessary
        self.withholds: bool = withholds or rule.withholds
        self._fixes = fixes
        self.proof: Prover | None = None

    @property
    def code(self) -> str:
        """The rule's name."""
        return self.rule.code

    @property
    def names(self) -> tuple[str, ...]:
        """The names by which configs and comments refer to it, the most general one first."""
        return (self.code,) if self.check is None else (self.code, self.check)

    @cached_property
    def proposed(self) -> tuple[Fix, ...]:
        """The fixes, computed on demand, the preferred one first; safe ones are not proved yet."""
        return tuple(self._fixes()) if self._fixes is not None else ()

    @cached_property
    def fixes(self) -> tuple[Fix, ...]:
        """The offered fixes: a safe one, and one that inserts fields, only if it keeps its promise."""
        if self.proof is None:
            return self.proposed
        proved = (self.proof(self, fix) if fix.safe or fix.inserts else fix for fix in self.proposed)
        return tuple(fix for fix in proved if fix is not None)

    @property
    def fix(self) -> Fix | None:
        """The fix to apply by default: the only preferred one; None if several are preferred."""
        return _preferred(self.fixes)

    @property
    def untried(self) -> Fix | None:
        """The same without a trial, for callers that only list fixes or try several together."""
        return _preferred(self.proposed)

    @property
    def help(self) -> str:
        """The way out in words: the default fix, else the hint; empty without either."""
        return self.untried.title if self.untried is not None else self.hint

    @property
    def fixable(self) -> bool:
        """Whether there may be fixes; computes none."""
        return self._fixes is not None

    def keep_plain_fixes(self) -> None:
        """Keep the fixes whose texts are the same inside a string of JSON, TOML or YAML."""
        made = self._fixes
        if made is not None:
            self._fixes = lambda: [fix for fix in made() if not any(_SPECIAL.search(edit.text) for edit in fix.edits)]

    def move_out(self, fragment: Fragment, outer: Source) -> None:
        """Move the finding from an inner text to the document around it, with the fixes that can move too."""
        self.span = fragment.outer_span(*self.span)
        self.related = ()
        start, made = fragment.outer(0), self._fixes
        self._fixes = None
        if made is not None and outer.text.startswith(fragment.text, start):
            self._fixes = lambda: [_moved(fix, start) for fix in made()]

    def __repr__(self) -> str:
        return f"Finding({self.code} {self.severity} {tuple(self.span)} {self.message!r})"


@lazy_dataclass(frozen=True, slots=True)
class Rule:
    """A rule's metadata and its check. Its documentation is the docstring of the module it is in."""

    code: str
    group: RuleGroup
    severity: Severity
    check: Callable[[Handoff], Iterator[Finding]]
    fixable: Literal["always", "sometimes", "never"] = "never"
    modes: tuple[Mode, ...] = ("handoff", "example")
    judges_form: bool = (
        False  # checks the notation of the handoff; such a finding keeps its upstream tokens when no other does
    )
    needs_readable_handoff: bool = (
        False  # reports an absence, which is not certain while part of a handoff is unreadable
    )
    unfinished: Literal["no", "here", "anywhere"] = (
        "no"  # where a finding may only be about a line that is still being typed: in that line, or because of it
    )
    withholds: bool = False  # any of its findings withholds the handoff
    of_return: Callable[[ReturnedText], Iterator[Finding]] | None = None  # checks what an agent that returns owes
    of_prompt: Callable[[Any], Iterator[Finding]] | None = None  # checks what a prompt says: takes a `PromptText`
    own: bool = False  # no system that a contract comes from asks for it, so no row of a seed names it
    doc: str = ""

    @property
    def summary(self) -> str:
        """The first line of the documentation, without its mark."""
        return self.doc.strip().split("\n", 1)[0].strip()


def _preferred(fixes: Iterable[Fix]) -> Fix | None:
    wanted = [fix for fix in fixes if fix.preferred]
    return wanted[0] if len(wanted) == 1 else None


def _moved(fix: Fix, by: int) -> Fix:
    """A fix moved back in the text. It can no longer be combined with others."""
    edits = tuple(Edit(Span(edit.span.start + by, edit.span.end + by), edit.text) for edit in fix.edits)
    return fix._replace(edits=edits, inserts=())


def reported_elsewhere(handoff: Handoff) -> Iterator[Finding]:
    """The check of a rule with findings from other code; it yields none."""
    return iter(())


def severity_for(rule: Rule, slot: Slot | None) -> Severity:
    """A rule's severity for a field: the contract's for that field, else the rule's own."""
    return slot.field.severity.get(rule.code, rule.severity) if slot is not None else rule.severity


def shown(text: str, limit: int = 60) -> str:
    """A piece of a document as a message quotes it: on one line, not too long."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def times(number: int) -> str:
    """A count of occurrences in words: ``once``, ``twice``, ``3 times``."""
    return {1: say("once"), 2: say("twice")}.get(number) or say("{number:,} times", number=number)


def sentence(text: str) -> str:
    """A text as a sentence without its full stop. A name at its beginning, such as `delivery-flow` or `s2`, stays."""
    trimmed = text.strip().rstrip(".。")
    kept = not trimmed or language() != ENGLISH or _NAME.match(trimmed)
    return trimmed if kept else trimmed[0].upper() + trimmed[1:]
