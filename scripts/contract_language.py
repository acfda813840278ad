"""The reference of the contract language, from the model: every key with its content, its default and its meaning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from handoff_lsp.contracts.model import CHANGEABLE, Contract, Profile
from handoff_lsp.contracts.references import hints_of, options
from handoff_lsp.features.contract_files.language import (
    about_key,
    item_of,
    keys_of,
    names_of,
    owner_of,
    reference_of,
    words_about,
)
from handoff_lsp.features.contract_files.vocabulary import FUNCTIONS

_HEAD = """# The contract language

Generated from `handoff_lsp/contracts/model.py` by `make generate`. To begin, read
[Your format in ten minutes](your-format.md), or copy one of the seven contracts of the [gallery](gallery/README.md).
Completion and hover in an editor show the same reference, and `handoff-lsp schema contract` prints it as JSON Schema.

A contract is one YAML file. Mistakes in it are errors at their tokens; `handoff-lsp contract lint` lists them.

## Conditions and messages

A *condition* is a mapping from the path of a value to its required value, a list of allowed values, or a
[relation](#relation). All entries must hold.

    when: {status: blocked}
    required: {status: [blocked, failed], round: {at_least: 2}}
    forbidden: {note: {matches: '(?i)^none'}}
    check: {tests.failed: {at_most: tests.run}}

Any other condition is an expression of [CEL](https://cel.dev), the Common Expression Language:
`status == 'blocked' || cost > 3`. A *message* is a text with CEL expressions between `{` and `}`. A *pattern* is a
regular expression of [RE2](https://github.com/google/re2/wiki/Syntax).

A check of one value contains the relation itself: `{at: abstract.open_questions, count_of: open_questions}`. Its rule,
its message, its related places and the right value are then made from the relation, unless the check sets them.

| name in a condition | meaning |
| --- | --- |
| `status`, `abstract.verdict` | a root field, a field inside an object: names under `fields`, not titles |
| `this` | in a check at `list[]`, `list[].field`: the item, or the field in it |
| `holder` | in such a check: the item that `this` is or belongs to |
| `previous` | in such a check: `this` of the previous item |
| `offered.NAME` | the values that the root enum NAME offers in this profile: `status in offered.status` |
| `settings.NAME` | a setting of the config, as `settings` declares it |
| names under `terms` and `counts` | their values |
| names under `companions` | the root fields of the other document |
| `document.name`, `document.title` | the file's name without folders, and its first heading of level 1 |
| `document.head` | the quoted lines above its first heading of level 2 |

**Absent values.** A field that is absent or has a wrong value has no value. A condition that needs it does not apply,
and nothing is reported. An absent *section* of prose, items or fields is `''`, `[]` or `{}`: without a section `risks`,
`size(risks) == 0` holds, and `story.matches('…')` is evaluated.

**Items.** An item of `rows` is `{mark, text}`, an item of a `checklist` is `{done, text}`, and an item of a `table` is
an object of its columns. An item of a list with `each` is a section: its `index` from 0, the named groups of its
heading, and its fields. If `items` has groups or lists, an item of a Markdown list is `{text, …}` with them. A check
reaches items at every level: `at: phases[].tasks[].steps[]`. An item of a checklist is not `done` if it has no box that
can be read, or if a point below it is open, unless `items` has a checklist for these points.

**Quotes.** In a CEL string, `\\\\` is one backslash, as between double quotes in YAML. Use single quotes in YAML and a
raw string in CEL: `check: 'id.matches(r"^T-\\d+$")'`.

"""


def contract_language() -> str:
    """The page."""
    lines = [_HEAD.rstrip("\n"), "", "| function | result |", "| --- | --- |"]
    lines += [f"| `{name}` | {_cell(about)} |" for name, about in FUNCTIONS.items()]
    for owner in _classes():
        lines += ["", f"## {_heading(owner)}", "", _about(owner), ""]
        lines += ["| key | content | meaning |", "| --- | --- | --- |", *_rows(owner)]
    return "\n".join(lines) + "\n"


def _classes() -> Iterator[type[Any]]:
    """The classes of the language, each after the first that has it."""
    found: dict[type[Any], None] = {Contract: None}
    waiting: list[type[Any]] = [Contract]
    while waiting:
        owner = waiting.pop(0)
        yield owner
        for hint in hints_of(owner).values():
            inner = _class_in(hint)
            if inner is not None and inner not in found:
                found[inner] = None
                waiting.append(inner)


def _class_in(hint: Any) -> type[Any] | None:
    """The class of a value, of a list's items or of the values under names."""
    for one in options(hint):
        item, named = item_of(one), names_of(one)
        inner = owner_of(one) or (_class_in(item) if item is not None else None)
        inner = inner or (_class_in(named[1]) if named is not None else None)
        if inner is not None:
            return inner
    return None


def _heading(owner: type[Any]) -> str:
    return "The contract" if owner is Contract else owner.__name__


def _about(owner: type[Any]) -> str:
    about = " ".join((owner.__doc__ or "").replace("``", "`").split())
    return about.replace("`CHANGEABLE`", ", ".join(f"`{key}`" for key in CHANGEABLE))


def _rows(owner: type[Any]) -> Iterator[str]:
    defaults = {each.name: each.default for each in fields(owner)}
    hints = hints_of(owner)
    inherited = {each.name for base in owner.__bases__ if is_dataclass(base) for each in fields(base)}
    if inherited:
        base = owner.__bases__[0].__name__
        yield f"| [{base}](#{base.lower()}) | one of its keys | The relation that the value at `at` must satisfy. |"
    for key, needed in keys_of(owner).items():
        if key in inherited:
            continue
        if owner is Profile and key in CHANGEABLE:
            continue  # described at the contract
        hint = hints[key]
        inner = _class_in(hint)
        holds = _held(hint, inner)
        default = defaults.get(key, MISSING)
        after = " Required." if needed else f" Default: `{default}`." if _is_shown(default) else ""
        yield f"| `{key}` | {_cell(holds)} | {_cell(about_key(owner, key))}{after} |"


def _held(hint: Any, inner: type[Any] | None) -> str:
    if inner is None or reference_of(hint):
        return words_about(hint) or "anything"
    named = names_of(hint)
    if named is not None and reference_of(named[1]):
        return f"names, each with {words_about(named[1])}"
    link = f"[{inner.__name__}](#{_heading(inner).lower().replace(' ', '-')})"
    if item_of(hint) is not None:
        return f"a list of {link}"
    return f"names with {link}" if names_of(hint) is not None else link


def _is_shown(default: Any) -> bool:
    return isinstance(default, str | int | float) and not isinstance(default, bool) and default != ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
