"""Open files of handoff-lsp's own: contract files and configs. Each question goes to the one or the other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from handoff_lsp.features.completion.item import CompletionItem
from handoff_lsp.features.config_files import file as config
from handoff_lsp.features.config_files.file import ConfigFile, config_file
from handoff_lsp.features.contract_files import names
from handoff_lsp.features.contract_files import problems as contract
from handoff_lsp.features.contract_files.across import UseAt
from handoff_lsp.features.contract_files.file import ContractFile, contract_file
from handoff_lsp.features.contract_files.problems import ProblemFix
from handoff_lsp.features.contract_files.uses import Use, use_at
from handoff_lsp.features.diagnostics import Diagnostic
from handoff_lsp.features.names.definition import Target
from handoff_lsp.features.names.new_name import Refusal
from handoff_lsp.features.pages.hover_names import Hover
from handoff_lsp.text import Source, Span
from handoff_lsp.workspace.config.resolver import Resolver

OwnFile = ContractFile | ConfigFile


def own_file(
    source: Source, path: Path | None, resolver: Resolver, read: Callable[[Path], Source | None]
) -> OwnFile | None:
    """A document as a config or a contract file, if it is one. ``read`` gives the texts of other files."""
    return config_file(source, path, resolver, read) or contract_file(source, path, resolver, read)


def same(one: OwnFile, other: OwnFile) -> bool:
    """Whether two files have the same text, config and contracts around them."""
    if isinstance(one, ContractFile):
        return isinstance(other, ContractFile) and one.equals(other)
    return isinstance(other, ConfigFile) and one.equals(other)


def problems(file: OwnFile) -> list[Diagnostic]:
    """The problems of a file, in the order of the text."""
    return contract.problems(file) if isinstance(file, ContractFile) else config.problems(file)


def corrections(file: OwnFile, span: Span) -> list[ProblemFix]:
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


def definition(file: OwnFile, offset: int) -> list[Target]:
    """Where the name at an offset is declared."""
    if isinstance(file, ContractFile):
        return names.definition(file, offset)
    use = _use_in(file, offset)
    entry = file.registry[use.of or use.name] if use is not None and (use.of or use.name) in file.registry else None
    return names.declaration(entry, None if use.kind == "contract" else use, use.span) if use is not None else []


def references(file: OwnFile, offset: int, *, declaration: bool = True) -> list[UseAt]:
    """The uses of the name at an offset in all contracts of the workspace and the config."""
    if isinstance(file, ContractFile):
        return names.references(file, offset, declaration=declaration)
    use = _use_in(file, offset)
    contract = _contract_of(file, use) if use is not None else None
    if use is None:
        return []
    if contract is None:
        return [UseAt(file.path, file.source, one) for one in _uses(file) if one[:2] == use[:2] and one.of == use.of]
    return [one for one in names.places(contract, use) if declaration or not one.use.declares]


def prepare(file: OwnFile, offset: int) -> names.OldName | None:
    """The name at an offset; None without one. Raises Refusal if it cannot be renamed."""
    if isinstance(file, ContractFile):
        return names.prepare(file, offset)
    use = _use_in(file, offset)
    if use is not None:
        names.check(_renamed_in(file, use), use)
    return names.OldName(use.span, use.span.of(file.text)) if use is not None else None


def rename(file: OwnFile, offset: int, new_name: str) -> list[names.OwnFileEdits] | None:
    """The edits that rename the name at an offset; None without one. Raises Refusal if the result would be wrong."""
    if isinstance(file, ContractFile):
        return names.rename(file, offset, new_name)
    use = _use_in(file, offset)
    return names.rename_use(_renamed_in(file, use), use, new_name) if use is not None else None


def _uses(file: ConfigFile) -> list[Use]:
    from handoff_lsp.features.config_files.uses import config_uses

    return config_uses(file.source, file.path)


def _use_in(file: ConfigFile, offset: int) -> Use | None:
    return use_at(_uses(file), offset)


def _contract_of(file: ConfigFile, use: Use) -> ContractFile | None:
    """The file of the contract that a name in a config is of; None for a built-in one."""
    name = use.of or use.name
    origin = file.registry[name].origin if name in file.registry else None
    return file.contract(origin) if origin is not None else None


def _renamed_in(file: ConfigFile, use: Use) -> ContractFile:
    contract = _contract_of(file, use)
    if contract is None:
        name = use.of or use.name
        raise Refusal(f"`{name}` is built in" if name in file.registry else f"unknown contract `{name}`")
    return contract
