"""Open files of handoff-lsp's own: contract files and configs. Each question goes to the one or the other."""

from __future__ import annotations

from pathlib import Path

from handoff_lsp.features.completion.item import CompletionItem
from handoff_lsp.features.config_files import file as config
from handoff_lsp.features.config_files.file import ConfigFile, config_file
from handoff_lsp.features.contract_files import problems as contract
from handoff_lsp.features.contract_files.file import ContractFile, contract_file
from handoff_lsp.features.contract_files.problems import Correction
from handoff_lsp.features.diagnostics import Diagnostic
from handoff_lsp.features.pages.hover_names import Hover
from handoff_lsp.text import Source, Span
from handoff_lsp.workspace.config.resolver import Resolver

OwnFile = ContractFile | ConfigFile


def own_file(source: Source, path: Path | None, resolver: Resolver) -> OwnFile | None:
    """A document as a config or a contract file, if it is one."""
    return config_file(source, path, resolver) or contract_file(source, path, resolver)


def same(one: OwnFile, other: OwnFile) -> bool:
    """Whether two files have the same text, config and contracts around them."""
    if isinstance(one, ContractFile):
        return isinstance(other, ContractFile) and one.equals(other)
    return isinstance(other, ConfigFile) and one.equals(other)


def problems(file: OwnFile) -> list[Diagnostic]:
    """The problems of a file, in the order of the text."""
    return contract.problems(file) if isinstance(file, ContractFile) else config.problems(file)


def corrections(file: OwnFile, span: Span) -> list[Correction]:
    """The fixes of the problems that a span touches."""
    touched = [item for item in problems(file) if item.span.overlaps(span)]
    if not isinstance(file, ContractFile):
        fixes = [contract.correction(file.text, item, is_yaml=False) for item in touched]
    else:
        fixes = [contract.correction(file.text, item) for item in touched]
        fixes.append(next((fix for item in touched if (fix := contract.rewriting(file, item)) is not None), None))
    return [fix for fix in fixes if fix is not None]


def complete(file: OwnFile, offset: int) -> list[CompletionItem]:
    """The items for an offset, best first."""
    if isinstance(file, ContractFile):
        from handoff_lsp.features.contract_files import completion

        return completion.complete(file, offset)
    from handoff_lsp.features.config_files import completion as in_config

    return in_config.complete(file, offset)


def hover(file: OwnFile, offset: int) -> Hover | None:
    """The page for an offset; None if nothing there has one."""
    if isinstance(file, ContractFile):
        from handoff_lsp.features.contract_files import hover as in_contract

        return in_contract.hover(file, offset)
    from handoff_lsp.features.config_files import completion as in_config

    return in_config.hover(file, offset)
