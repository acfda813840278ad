"""Reading ``tests/words/*.yaml``: the value of each text of a field, and the names of each field.

A file has the name of its contract. ``fields`` is the contract in its default profile, ``profiles`` the differences
of the others. Under a field's path (``[]`` for the items of a list)::

    status:
      named: [Status, ステータス]          # its title and aliases
      misnamed: [State]                   # names that are wrong, and mean it
      reads: {complete: ["**complete**"]} # texts that are this value; its own spelling always is
      means: {complete: [done]}           # texts that are wrong, and mean this value
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from handoff_lsp.binding.values import meant, read_text
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.contracts.spec import NameTable, Spec

WORDS = Path(__file__).parent / "words"
_KEYS = {"named", "misnamed", "reads", "means"}


def read_words(contract: str) -> dict[str, dict[str, Any]]:
    """The words in the file of a contract, by profile and field. Empty without a file."""
    path = WORDS / f"{contract}.yaml"
    data = yaml.safe_load(path.read_text("utf-8")) if path.is_file() else {}
    return {"": data.get("fields", {}), **data.get("profiles", {})}


def all_fields(spec: Spec) -> Iterator[tuple[str, Field, NameTable]]:
    """Every field with its path, those of lists' items too, and the names of it and of those beside it."""

    def below(fields: Mapping[str, Field], prefix: str) -> Iterator[tuple[str, Field, NameTable]]:
        table = NameTable(fields)
        for name, field in fields.items():
            yield prefix + name, field, table
            yield from below(field.fields, f"{prefix}{name}.")
            items = field.items
            if items is not None:
                yield f"{prefix}{name}[]", items, NameTable({})
                yield from below(items.fields, f"{prefix}{name}[].")

    yield from below(spec.fields, "")


def failures(entry: ContractEntry, words: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """The statements of a file of words that do not hold."""
    for profile, stated in words.items():
        spec = entry.spec(profile or entry.contract.default_profile)
        fields = {path: (field, table) for path, field, table in all_fields(spec)}
        for path, texts in stated.items():
            where = f"{entry.name}{f'/{profile}' if profile else ''}: {path}"
            if path not in fields:
                yield f"{where}: no such field"
                continue
            field, table = fields[path]
            yield from (f"{where}: {one}" for one in _field_failures(path, field, table, spec.empty_words, texts))


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _field_failures(
    path: str, field: Field, table: NameTable, nothing: frozenset[str], stated: Mapping[str, Any]
) -> Iterator[str]:
    name = path.rpartition(".")[2]
    yield from (f"`{key}` is no key" for key in stated.keys() - _KEYS)
    for text in stated.get("named", ()):
        if table.exact.get(text) != name:
            yield f"{text!r} does not name it"
    for text in stated.get("misnamed", ()):
        if table.wrong.get(fold_name(text)) != name:
            yield f"{text!r} does not mean it"
    for value, texts in stated.get("reads", {}).items():
        for text in [value, *texts]:
            read = read_text(field, _written(text), nothing)
            if read.problem or read.data != value:
                yield f"{text!r} is not read as {value!r}"
    for value, texts in stated.get("means", {}).items():
        for text in texts:
            read = read_text(field, text, nothing)
            found, _ = meant(field, text)
            if read.problem != "value" or found is None or found.value != value:
                yield f"{text!r} does not mean {value!r}"
