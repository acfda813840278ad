"""The contracts and profiles for a new handoff, by the path of its document, the config and the other handoffs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import PurePosixPath

from handoff_lsp.contracts.model import Contract
from handoff_lsp.contracts.patterns import search
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.engine import Options
from handoff_lsp.features.completion.start import names_place, path_says
from handoff_lsp.recognition.paths import is_data_file
from handoff_lsp.recognition.profiles import Facts, choose_profile, evidence
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.writing.skeleton_document import form_of

_SYNTAX = {".json": "json", ".jsonc": "json", ".jsonl": "jsonl", ".yaml": "yaml", ".yml": "yaml", ".log": "log"}


class Suggestion(NamedTuple):
    """A contract for a new handoff. ``profile`` is None where neither path nor config decides it."""

    contract: str
    profile: str | None


def suggestions(
    registry: Registry, path: str | None, options: Options, used: Mapping[str, int], beside: Collection[str]
) -> list[Suggestion]:
    """The contracts for a new handoff at ``path`` (with ``/``), the most used ones first; a single one is decided.

    ``path`` is None before a document is chosen, and empty for one without a name. ``used``: the number of handoffs
    of each contract in the workspace. ``beside``: the contracts of those in the same folder.
    """
    entries = [entry for entry in registry if entry.name not in options.disabled]
    fitting = entries if path is None else _fitting(entries, path, options, beside)
    ordered = sorted(fitting, key=lambda entry: -used.get(entry.name, 0))
    return [Suggestion(entry.name, decided_profile(entry.contract, path or "", options)) for entry in ordered]


def _fitting(entries: list[ContractEntry], path: str, options: Options, beside: Collection[str]) -> list[ContractEntry]:
    """The contracts by the strongest reason that any has: the config, the path, its folder, its syntax."""
    is_data = is_data_file(path)
    syntax = _SYNTAX.get(PurePosixPath(path.lower()).suffix)
    right = [entry for entry in entries if is_data == (_form(entry) == "file")]
    reasons: list[Callable[[ContractEntry], bool]] = [
        lambda entry: entry.name == options.contract,
        lambda entry: options.returned is not None and entry.name in (one.contract for one in options.returned.owed),
        lambda entry: path in entry.contract.locations,
        lambda entry: is_data and entry.contract.file is not None and bool(search(entry.contract.file.path, path)),
        lambda entry: not is_data and path_says(entry.contract, path),
        lambda entry: entry in right and bool(path) and names_place(entry.contract, path),
        # A contract with places of its own has no second handoff beside the first.
        lambda entry: entry in right and entry.name in beside and not entry.contract.locations,
        lambda entry: entry in right and entry.contract.file is not None and entry.contract.file.syntax == syntax,
    ]
    for reason in reasons:
        matching = [entry for entry in entries if reason(entry)]
        if matching:
            return matching
    return right


def decided_profile(contract: Contract, path: str, options: Options) -> str | None:
    """The profile that a path or the config decides; None if it is the user's choice."""
    seen = evidence(contract, Facts(path, "", "document", lambda name: False, lambda name: None))
    given = options.profiles.get(contract.contract)
    among = options.returned.profiles(contract.contract) if options.returned is not None else ()
    if among:
        return choose_profile(contract, given, seen, among)
    if seen or given in contract.profiles or len(contract.profiles) == 1:
        return choose_profile(contract, given, seen)
    return None


def _form(entry: ContractEntry) -> str:
    return form_of(entry.spec(entry.contract.default_profile))
