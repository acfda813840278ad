"""What a contract file says as far as it can be read: the text, or what is left of it without the line being typed."""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.contracts.build import Data, with_profile
from handoff_lsp.contracts.defaults import filled_in
from handoff_lsp.contracts.extend import extended
from handoff_lsp.contracts.problems import KeyPath
from handoff_lsp.features.contract_files.file import ContractFile, read_data
from handoff_lsp.features.contract_files.place import YamlPlace

# Replacements for the half-typed token: first as a key.
_STAND_INS = ('"": 0', "0")


def data_of(file: ContractFile, place: YamlPlace, path: KeyPath = ()) -> Data:
    """The data of a contract file with what it extends, and with the changes of the profile that a path is in.

    Where the text cannot be read, that without the cursor's token counts, then that without its line, then the part
    above it, then the last good contract of the file.
    """
    own = own_data_of(file, place)
    whole = with_base(file, own)
    if len(path) > 1 and path[0] == "profiles":
        try:
            return with_profile(filled_in(whole), str(path[1]))
        except (KeyError, TypeError, AttributeError, ValueError):
            return whole
    return whole


def own_data_of(file: ContractFile, place: YamlPlace) -> Data:
    """The same without what it extends."""
    return file.data or next(filter(None, _tried(file, place)), {})


def _tried(file: ContractFile, place: YamlPlace) -> Iterator[Data]:
    text, lines = file.text, file.source.lines
    start, end = place.span
    for stand_in in _STAND_INS:
        yield read_data(text[:start] + stand_in + text[end:])
    line = lines.line_span(lines.line_of(start))
    yield read_data(text[: line.start] + text[line.end :])
    yield read_data(text[: line.start])
    known = next((entry for entry in file.others.values() if entry is not None and entry.origin == file.path), None)
    yield known.data if known is not None and file.path is not None else {}


def with_base(file: ContractFile, own: Data) -> Data:
    """The data with those of the contract that it extends."""
    name = own.get("extends")
    base = file.base(name) if isinstance(name, str) else None
    if base is None:
        return own
    try:
        return extended(base.data, own)
    except (KeyError, TypeError, AttributeError, ValueError):
        return own
