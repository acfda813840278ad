"""Going to the declaration of a name of a contract, finding its uses, and renaming it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from handoff_lsp.contracts.load import MAX_BYTES, read_contract
from handoff_lsp.contracts.registry import ContractEntry, schemas_folder
from handoff_lsp.contracts.spec import RESERVED
from handoff_lsp.features.contract_files.across import Family, UseAt
from handoff_lsp.features.contract_files.file import ContractFile
from handoff_lsp.features.contract_files.uses import Use, use_at, uses
from handoff_lsp.features.contract_files.vocabulary import Vocabulary
from handoff_lsp.features.names.definition import Target
from handoff_lsp.features.names.new_name import Refusal
from handoff_lsp.text import Edit, Source, Span, apply_edits
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.config.contract_files import NAME as CONTRACT_NAME
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text

_NAME = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_LOOSE_NAME = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_-]*\Z")
# Names that only contracts and the config know; those that conditions may use, have no `-`.
_IN_CEL = frozenset({"field", "term", "setting"})
_RENAMED = _IN_CEL | {"check", "definition", "profile"}


class OldName(NamedTuple):
    """A name that can be renamed, and its place at the cursor."""

    span: Span
    name: str


class OwnFileEdits(NamedTuple):
    """The edits of one file. ``path`` is None for the file that is asked about, if it has no path."""

    path: Path | None
    source: Source
    edits: list[Edit]


def definition(file: ContractFile, offset: int) -> list[Target]:
    """Where the name at an offset is declared: in the contract, or in the one that it extends."""
    use = use_at(found := uses(file), offset)
    if use is None:
        return []
    if use.kind == "contract":
        entry = file.base(use.name)
        return declaration(entry, None, use.span)
    if use.of:
        return declaration(file.base(use.of), use, use.span)
    declared = [one for one in found if one.declares and not one.of and (one.kind, one.name) == (use.kind, use.name)]
    first = [one for one in declared if not one.changed] or declared[:1]
    if not [one for one in declared if not one.changed]:
        base = file.data.get("extends")
        inherited = declaration(file.base(base), use, use.span) if isinstance(base, str) else []
        if inherited:
            return inherited
    full = str(file.path) if file.path is not None else ""
    return [Target(full, file.source, one.span, one.span, use.span) for one in first]


def references(file: ContractFile, offset: int, *, declaration: bool = True) -> list[UseAt]:
    """The uses of the name at an offset, in its file, in other contracts of the workspace and in the config."""
    use = use_at(uses(file), offset)
    if use is None:
        return []
    return [one for one in places(file, use) if declaration or not one.use.declares]


def places(file: ContractFile, use: Use) -> list[UseAt]:
    """The uses of a name in all files that know it."""
    return list(Family(file).places(use))


def prepare(file: ContractFile, offset: int) -> OldName | None:
    """The name at an offset; None without one. Raises Refusal if it cannot be renamed."""
    use = use_at(uses(file), offset)
    if use is None:
        return None
    check(file, use)
    return OldName(use.span, use.span.of(file.text))


def rename(file: ContractFile, offset: int, new_name: str) -> list[OwnFileEdits] | None:
    """The edits that rename the name at an offset; None without one. Raises Refusal if the result would be wrong."""
    use = use_at(uses(file), offset)
    return rename_use(file, use, new_name) if use is not None else None


def rename_use(file: ContractFile, use: Use, new_name: str) -> list[OwnFileEdits]:
    """The edits of all files that rename a name. Raises Refusal if a file would be wrong."""
    family = check(file, use)
    if (_NAME if use.kind in _IN_CEL else _LOOSE_NAME).match(new_name) is None:
        signs = "`_`" if use.kind in _IN_CEL else "`_` and `-`"
        raise Refusal(f"a name has letters, digits and {signs}, and begins with no digit")
    if use.kind in {"field", "term"} and "." not in use.name and new_name in RESERVED:
        raise Refusal(f"`{new_name}` is a name of the contract language; a condition could mean either")
    found: dict[Path | None, OwnFileEdits] = {}
    for path, source, one in family.places(use):
        edits = found.setdefault(path, OwnFileEdits(path, source, []))
        if all(edit.span != one.span for edit in edits.edits):
            edits.edits.append(Edit(one.span, new_name))
    tried(file, family, found)
    return list(found.values())


def check(file: ContractFile, use: Use) -> Family:
    """The contracts around a name that can be renamed. Raises Refusal for another one."""
    if use.kind not in _RENAMED:
        raise Refusal(f"a {use.kind} is known outside this file, too")
    family = Family(file)
    home = family.home(use)
    if home is None:
        raise Refusal(f"`{use.name}` is not declared in this file")
    if family.is_builtin(home):
        raise Refusal(f"`{use.name}` is declared in `{home}`, which is built in")
    if file.read[0] is None:
        raise Refusal("the contract has problems; a rename needs one without")
    unread = next((name for name, entry in file.others.items() if entry is None and name != family.own), None)
    if unread is not None:
        raise Refusal(f"the contract `{unread}` has problems; it may use the name")
    declaring = family.file(home)
    data = declaring.data if declaring is not None else file.data
    field = Vocabulary(data, (), {}).field(use.name) if use.kind == "field" else None
    if field is not None and not field.get("title"):
        raise Refusal(f"`{use.name}` has no `title`, so that documents write its name; give it one first")
    if use.kind == "definition":
        entries = ((name, entry) for name, entry in file.others.items() if entry is not None)
        shared = (name for name, entry in entries if use.name in (entry.data.get("definitions") or {}))
        other = next((name for name in shared if home not in family.chain(name)), None)
        if other is not None:
            raise Refusal(f"the contract `{other}` defines `{use.name}`, too: it is one kind of name")
    return family


def tried(
    file: ContractFile, family: Family, found: Mapping[Path | None, OwnFileEdits]
) -> dict[str, ContractEntry | None]:
    """The renamed contracts and those that extend them, by name. Raises Refusal for a problem."""
    texts: dict[str, tuple[Path | None, str]] = {}
    for name in sorted(family.names, key=lambda name: len(family.chain(name))):
        files = [one for each in family.chain(name) if (one := family.file(each)) is not None]
        if files and any(one.path in found for one in files):
            edits = found.get(files[0].path)
            text = apply_edits(files[0].text, edits.edits) if edits is not None else files[0].text
            texts[name] = (files[0].path, text.removeprefix("\ufeff"))
    others = dict(file.others)
    # A contract may come before one whose documents it reads: then it is right the second time.
    for is_last in (False, True):
        wrong = False
        for name, (path, text) in texts.items():
            entry, problems = read_contract(text, path, others)
            if problems and is_last:
                which = "the contract" if path == file.path else f"the contract `{name}`"
                raise Refusal(f"{which} would be wrong: {problems[0].message}")
            others[name], wrong = entry or others.get(name), wrong or bool(problems)
        if not wrong:
            break
    return {name: others[name] for name in texts}


def declaration(entry: ContractEntry | None, use: Use | None, origin: Span) -> list[Target]:
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
        named = CONTRACT_NAME.search(text)
        span = Span(*named.span(1)) if named is not None else Span(0, 0)
        return [Target(str(path), source, span, span, origin)]
    there = uses(ContractFile(source, path, {}, True))
    places = [one for one in there if one.declares and not one.of and (one.kind, one.name) == (use.kind, use.name)]
    places = [one for one in places if not one.changed] or places[:1]
    return [Target(str(path), source, one.span, one.span, origin) for one in places]


def _builtin_file(name: str) -> Path:
    return schemas_folder() / "contracts" / f"{name}.yaml"
