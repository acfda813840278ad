"""All code actions of a document: quick fixes, fix-all, organize, and refactorings."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from handoff_lsp.engine import Analysis
from handoff_lsp.features.actions.action import Action, ActionKind, each, spread
from handoff_lsp.features.actions.convert_fence import fences
from handoff_lsp.features.actions.convert_profile import conversions
from handoff_lsp.features.actions.extract import extractions
from handoff_lsp.features.actions.fix_all import fix_all
from handoff_lsp.features.actions.organize import organize
from handoff_lsp.features.actions.quick_fixes import quick_fixes
from handoff_lsp.features.actions.set_status import set_status, settings
from handoff_lsp.text import Span

__all__ = ["KINDS", "Action", "ActionKind", "each", "find", "fix_all", "offered", "organize", "quick_fixes", "spread"]

# The kinds to offer when the client requests none, in the order of display.
KINDS: tuple[ActionKind, ...] = (
    "quickfix",
    "refactor.rewrite.handoff",
    "refactor.extract.handoff",
    "source.fixAll.handoff",
    "source.organize.handoff",
)


def offered(analysis: Analysis, span: Span, kind: ActionKind, is_free: Callable[[str], bool]) -> Iterator[Action]:
    """The actions of one kind at ``span`` (code points).

    ``is_free``: whether a file name is unused in the folder of the document.
    """
    if kind == "quickfix":
        yield from quick_fixes(analysis, span)
    elif kind == "refactor.rewrite.handoff":
        yield from set_status(analysis, span)
        yield from fences(analysis, span)
        yield from conversions(analysis, span)
    elif kind == "refactor.extract.handoff":
        yield from extractions(analysis, span, is_free)
    else:
        whole = fix_all(analysis) if kind == "source.fixAll.handoff" else organize(analysis)
        if whole is not None:
            yield whole


def find(analysis: Analysis, kind: ActionKind, key: str, is_free: Callable[[str], bool]) -> Action | None:
    """An action that was offered before, by its kind and key; None if it no longer is."""
    word, _, rest = key.partition(" ")
    number = rest.partition(" ")[0]
    span = Span(0, len(analysis.source))
    if number.isdigit() and int(number) < len(analysis.handoffs):
        if word == "status":
            return next((one.action for one in settings(analysis, int(number)) if one.action.key == key), None)
        handoff = analysis.handoffs[int(number)]
        span = handoff.span if word == "fence" else handoff.home()
    return next((action for action in each(offered(analysis, span, kind, is_free)) if action.key == key), None)
