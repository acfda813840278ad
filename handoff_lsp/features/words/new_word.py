"""A new word for a field or a value: a check that it fits everywhere, and its spelling in each place."""

from __future__ import annotations

import re

import yaml

from handoff_lsp.contracts.names import key_name
from handoff_lsp.features.contract_files.across import Family
from handoff_lsp.features.contract_files.vocabulary import Vocabulary
from handoff_lsp.features.names.new_name import Refusal
from handoff_lsp.features.words.word import ContractWord
from handoff_lsp.prompts.vocabulary import label_name
from handoff_lsp.rules.rule import shown
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern

_KEY = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_]*")
# As the readers of prompts take a value and a label.
_VALUE = lazy_pattern(r"[^\W_][\w-]*(?:/[\w-]{1,3})?(?:[ ][\w-]+){0,3}")
_TITLE = lazy_pattern(r"[^\W\d_][\w .-]{0,39}[\w.]|[^\W\d_]")
_JOINTS = lazy_pattern(r"[ _-]")


def check_value(family: Family, word: ContractWord, new: str) -> None:
    """Raise Refusal unless a text can be a value in place of a word's."""
    _check_text(new, "value")
    if _VALUE.fullmatch(new) is None:
        raise Refusal(
            f"`{shown(new)}` cannot be a value: it must be at most four words of letters, digits, `_` and `-`, "
            f"as prompts and handoffs are read"
        )
    if not isinstance(yaml.safe_load(new), str):
        raise Refusal(f"`{shown(new)}` cannot be a value: YAML reads it as something other than a text")
    for value, wrong in _values(family, word):
        if value != word.value and key_name(value) == key_name(new):
            raise Refusal(f"There already is a value `{value}` of `{word.path}`")
        if key_name(new) in map(key_name, wrong):
            raise Refusal(f"`{shown(new)}` counts as a wrong word for the value `{value}` of `{word.path}`")


def _values(family: Family, word: ContractWord) -> list[tuple[str, list[str]]]:
    """The values of the field in all contracts that have it, each with the wrong words for it."""
    found: dict[str, list[str]] = {}
    start = f"{word.path}="
    for name in _names(family, word):
        for use in family.uses(name):
            if use.kind == "value" and use.declares and use.name.startswith(start):
                found.setdefault(use.name.removeprefix(start), [])
        file = family.file(name)
        field = Vocabulary(file.data, (), {}).field(word.path) if file is not None else None
        values = (field or {}).get("values")
        for value in values if isinstance(values, list) else ():
            if isinstance(value, dict) and isinstance(value.get("instead_of"), list):
                found.setdefault(str(value.get("value")), []).extend(map(str, value["instead_of"]))
    return list(found.items())


def check_field(family: Family, word: ContractWord, old: str, new: str, *, is_key: bool) -> None:
    """Raise Refusal unless a text can be a title of a field, or its name in the contract (``is_key``)."""
    _check_text(new, "field")
    if is_key and _KEY.fullmatch(new) is None:
        raise Refusal(
            f"`{shown(new)}` cannot be the name of a field without a `title`: it must have letters, digits and `_` "
            f"only, and begin with no digit"
        )
    if _TITLE.fullmatch(new) is None:
        raise Refusal(
            f"`{shown(new)}` cannot be the title of a field: it must begin with a letter and have at most 41 letters, "
            f"digits, blanks, `_`, `-` and `.`"
        )
    parent = word.path.rpartition(".")[0]
    for name in _names(family, word):
        for use in family.uses(name):
            path, _, title = use.name.partition("=")
            written = title if use.kind == "title" else path.rpartition(".")[2] if use.kind == "field" else ""
            if not use.declares or label_name(written) != label_name(new) or label_name(written) == label_name(old):
                continue
            if (path == word.path and title) or (path != word.path and path.rpartition(".")[0] == parent):
                raise Refusal(f"There already is a field `{written}`")


def _names(family: Family, word: ContractWord) -> set[str]:
    """The contracts that have a field: its own, those that this one extends, and those that extend it."""
    chain = family.chain(word.contract)
    return {*chain, *(name for name in family.names if word.contract in family.chain(name))}


def _check_text(new: str, about: str) -> None:
    if not new.strip():
        raise Refusal(f"The new name is empty, but a {about} needs one")
    if new != new.strip() or any(not char.isprintable() for char in new):
        raise Refusal(f"`{shown(new)}` cannot be a {about}: it must be one line without blanks at its ends")


def written_part(written: str, old: str) -> Span | None:
    """The part of a written text that is the old word, however it is spelled; None if it says something else."""
    if label_name(written) == label_name(old):
        bare = written.strip("*_` \t:：#\"'") or written
        start = written.index(bare)
        return Span(start, start + len(bare))
    found = re.search(rf"(?i)(?<![\w-]){re.escape(old)}(?![\w-])", written)
    return Span(*found.span()) if found is not None else None


def styled(written: str, old: str, new: str) -> str:
    """The new word in the style of a place: the joints of its words and its capitals, where they are not the old's."""
    if written == old:
        return new
    joint = next((char for char in written if char in " _-"), "")
    if joint and joint not in old:
        new = _JOINTS.sub(joint, new)
    if written.islower() and not old.islower():
        return new.lower()
    if written.isupper() and not old.isupper():
        return new.upper()
    if written[:1].isupper() and old[:1].islower():
        return new[:1].upper() + new[1:]
    return new
