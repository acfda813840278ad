"""Going to the declaration of a name of a contract, finding its uses, and renaming it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from handoff_lsp.contracts.load import MAX_BYTES, read_contract
from handoff_lsp.contracts.registry import ContractEntry, schemas_folder
from handoff_lsp.features.contract_files.file import ContractFile
from handoff_lsp.features.contract_files.uses import Use, use_at, uses
from handoff_lsp.features.contract_files.vocabulary import Vocabulary
from handoff_lsp.features.names.definition import Target
from handoff_lsp.features.names.new_name import Refusal
from handoff_lsp.text import Edit, Source, Span, apply_edits
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_CONTRACT = re.compile(r"^contract:[ \t]*[\"']?([\w.-]+)", re.MULTILINE)
# Names that nothing outside the file knows.
_RENAMED = frozenset({"field", "term", "check"})


class OldName(NamedTuple):
    """A name that can be renamed, and its place at the cursor."""

    span: Span
    name: str


def definition(file: ContractFile, offset: int) -> list[Target]:
    """Where the name at an offset is declared: in the contract, or in the one that it extends."""
    use = use_at(found := uses(file), offset)
    if use is None:
        return []
    if use.kind == "contract":
        entry = file.base(use.name)
        return _in_file(entry, None, use.span)
    declared = [one for one in found if one.declares and (one.kind, one.name) == (use.kind, use.name)]
    first = [one for one in declared if not one.changed] or declared[:1]
    if not [one for one in declared if not one.changed]:
        base = file.data.get("extends")
        inherited = _in_file(file.base(base), use, use.span) if isinstance(base, str) else []
        if inherited:
            return inherited
    full = str(file.path) if file.path is not None else ""
    return [Target(full, file.source, one.span, one.span, use.span) for one in first]


def references(file: ContractFile, offset: int, *, declaration: bool = True) -> list[Use]:
    """The uses of the name at an offset in its file."""
    use = use_at(found := uses(file), offset)
    if use is None:
        return []
    same = [one for one in found if (one.kind, one.name) == (use.kind, use.name)]
    return [one for one in same if declaration or not one.declares]


def prepare(file: ContractFile, offset: int) -> OldName | None:
    """The name at an offset; None without one. Raises Refusal if it cannot be renamed."""
    use = use_at(found := uses(file), offset)
    if use is None:
        return None
    if use.kind not in _RENAMED:
        raise Refusal(f"a {use.kind} is known outside this file, too")
    if not any(one.declares and not one.changed and (one.kind, one.name) == (use.kind, use.name) for one in found):
        raise Refusal(f"`{use.name}` is not declared in this file")
    if file.read[0] is None:
        raise Refusal("the contract has problems; a rename needs one without")
    field = Vocabulary(file.data, (), {}).field(use.name) if use.kind == "field" else None
    if field is not None and not field.get("title"):
        raise Refusal(f"`{use.name}` has no `title`, so that documents write its name; give it one first")
    name = file.read[0].name
    for entry in file.others.values():
        if entry is not None and entry.origin is not None and entry.origin != file.path and _names(entry, name):
            raise Refusal(f"the contract `{entry.name}` uses `{name}`")
    return OldName(use.span, use.span.of(file.text))


def rename(file: ContractFile, offset: int, new_name: str) -> list[Edit] | None:
    """The edits that rename the name at an offset; None without one. Raises Refusal if the result would be wrong."""
    if prepare(file, offset) is None:
        return None
    if _NAME.match(new_name) is None:
        raise Refusal("a name has letters, digits and `_`, and begins with no digit")
    edits = [Edit(span, new_name) for span in dict.fromkeys(use.span for use in references(file, offset))]
    renamed = apply_edits(file.text, edits)
    problems = read_contract(renamed, file.path, file.others)[1]
    if problems:
        raise Refusal(f"the contract would be wrong: {problems[0].message}")
    return edits


def _names(entry: ContractEntry, name: str) -> bool:
    """Whether a contract extends another one, or reads its documents."""
    if entry.data.get("extends") == name:
        return True
    return any(companion.contract == name for companion in entry.contract.companions.values())


def _in_file(entry: ContractEntry | None, use: Use | None, origin: Span) -> list[Target]:
    """The place of a name in the file of another contract; without a name, that of the contract."""
    if entry is None:
        return []
    path = entry.origin or _builtin_file(entry.name)
    try:
        text = read_text(path, limit=MAX_BYTES)
    except UnreadableFile:
        return []
    source = Source(text)
    if use is None:
        named = _CONTRACT.search(text)
        span = Span(*named.span(1)) if named is not None else Span(0, 0)
        return [Target(str(path), source, span, span, origin)]
    there = uses(ContractFile(source, path, {}, True))
    places = [one for one in there if one.declares and (one.kind, one.name) == (use.kind, use.name)]
    places = [one for one in places if not one.changed] or places[:1]
    return [Target(str(path), source, one.span, one.span, origin) for one in places]


def _builtin_file(name: str) -> Path:
    return schemas_folder() / "contracts" / f"{name}.yaml"
