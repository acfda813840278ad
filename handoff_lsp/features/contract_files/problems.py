"""The problems of an open contract file, each at its token, and the fix for a name that is almost right."""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.contracts.migrate import migrating_edits
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.features.contract_files.file import ContractFile
from handoff_lsp.features.contract_files.scalars import as_scalar
from handoff_lsp.features.diagnostics import Diagnostic
from handoff_lsp.text import Edit, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.config.contract_files import NAME as CONTRACT_NAME

CODE = "invalid-contract"
# The end of a message with the name that was meant, and the names before it, of which one is wrong.
_NEAR = lazy_pattern(r"; did you mean `([^`]+)`\?$")
_NAME = lazy_pattern(r"[`\"]([^`\"]+)[`\"]")


# The end of a message about what an earlier language had.
_MIGRATE = "run `handoff-lsp contract migrate`"


class ProblemFix(NamedTuple):
    """The fix of a problem: its title and its edits."""

    problem: Diagnostic
    title: str
    edits: list[Edit]


def problems(file: ContractFile) -> list[Diagnostic]:
    """The problems of a contract file, in the order of the text; none for a file that may be another tool's."""
    if not file.judged:
        return []
    entry, found = file.read
    told = [_diagnostic(problem.span, problem.message) for problem in found]
    if entry is not None and file.named:
        told += _unused(file, entry.name, extends_itself=entry.data.get("extends") == entry.name)
    return sorted(told, key=lambda item: item.span)


def _diagnostic(span: Span, message: str) -> Diagnostic:
    fixable = _NEAR.search(message) is not None or message.endswith(_MIGRATE)
    return Diagnostic(span, "error", CODE, message, "", (), (), {"field": None, "upstream": [], "fixable": fixable})


def _unused(file: ContractFile, name: str, *, extends_itself: bool) -> Iterator[Diagnostic]:
    """The problem of a contract with a name that is taken."""
    other = file.others.get(name)
    package = other.package if other is not None else ""
    if name in builtin() or package:
        if not extends_itself:
            home = f"in the package `{package}`" if package else "built in"
            message = f"`{name}` is {home}: write `extends: {name}` to change it, or choose another name"
            yield _diagnostic(_name_span(file.text), message)
    elif other is not None and other.origin is not None and other.origin != file.path:
        message = f"the contract `{name}` is already in {other.origin.name}; this one is not used"
        yield _diagnostic(_name_span(file.text), message)


def _name_span(text: str) -> Span:
    named = CONTRACT_NAME.search(text)
    return Span(*named.span(1)) if named is not None else Span(0, 0)


def rewriting(file: ContractFile, problem: Diagnostic) -> ProblemFix | None:
    """The fix of a problem with an earlier language: all of the file in the language of today."""
    edits = migrating_edits(file.text) if problem.message.endswith(_MIGRATE) else []
    return ProblemFix(problem, "Rewrite in the language of today", edits) if edits else None


def correction(text: str, problem: Diagnostic, *, is_yaml: bool = True) -> ProblemFix | None:
    """The edit that replaces a wrong name with the one that its message names."""
    meant = _NEAR.search(problem.message)
    if meant is None:
        return None
    written = problem.span.of(text)
    for name in _NAME.findall(problem.message, 0, meant.start()):
        wrong, near = name, meant[1]
        # A message names a whole path, of which the mark may be the last part.
        while wrong:
            if written.count(wrong) == 1:
                start = problem.span.start + written.index(wrong)
                span = Span(start, start + len(wrong))
                return _replacing(text, problem, span, near, is_yaml=is_yaml)
            head, _, wrong = wrong.partition(".")
            if not near.startswith(f"{head}."):
                break
            near = near.removeprefix(f"{head}.")
    return None


def _replacing(text: str, problem: Diagnostic, span: Span, near: str, *, is_yaml: bool) -> ProblemFix:
    around = text[span.start - 1 : span.start] + text[span.end : span.end + 1]
    is_scalar = is_yaml and span == problem.span and "'" not in around and '"' not in around
    return ProblemFix(problem, f"Change to `{near}`", [Edit(span, as_scalar(near) if is_scalar else near)])
