"""The fields of a contract in the cells of a table: their values, and when they are required."""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.rules.shared.relation_words import words
from handoff_lsp.text.lazy import lazy_pattern

# Longer lists of values have no room in a cell.
MOST_VALUES = 8

_CODE = lazy_pattern(r"(`+[^`]+`+)")
_PIPE = "\\|"


def all_fields(spec: Spec) -> Iterator[tuple[str, Field]]:
    """Every field of a profile with its path, parents first, including those of list items."""
    stack = [(name, field) for name, field in reversed(spec.fields.items())]
    while stack:
        path, field = stack.pop()
        yield path, field
        if field.items is not None and (field.items.about or field.items.fields):
            stack.append((f"{path}[]", field.items))
        stack.extend((f"{path}.{name}", child) for name, child in reversed(field.fields.items()))


def content_of(field: Field, most: int = MOST_VALUES, many: str = "values below") -> str:
    """The content of a field: its values, form or type, and further demands on it.

    Of more than ``most`` values, it has only the number, followed by ``many``.
    """
    offered = [coded(value.value) for value in field.offered]
    values = f"{len(offered)} {many}" if len(offered) > most else " \\| ".join(offered)
    if field.kind.is_choice:
        content = f"{values}, or a different value" if field.open else values
    elif values:
        content = f"{field.type} with marks {values}"
    elif field.pattern_about:
        content = cell(field.pattern_about)
    else:
        content = field.type
    demands = [f"names {', '.join(f'`{name}`' for name in field.mentions)}"] if field.mentions else []
    demands += ["paths"] if field.paths else []
    demands += [f"one of the workspace's {field.names}"] if field.names else []
    return f"{content} ({'; '.join(demands)})" if demands else content


def needed(spec: Spec, field: Field) -> str:
    """When a field is required, filled or not allowed; empty for never."""
    cases = []
    if field.required is True:
        cases.append("yes")
    elif field.required:
        cases.append(f"when {condition_cell(spec, field.required)}")
    if isinstance(field.filled, str):
        cases.append(f"filled when {condition_cell(spec, field.filled)}")
    elif field.filled:
        cases.append("filled")
    if field.forbidden:
        cases.append(
            "not allowed" if field.forbidden == "true" else f"empty when {condition_cell(spec, field.forbidden)}"
        )
    return "; ".join(cases)


def condition_cell(spec: Spec, condition: str) -> str:
    """A condition in a cell of a table: in words if it is simple."""
    return words(spec, condition).replace("|", _PIPE) or coded(condition)


def coded(line: str) -> str:
    """A line of CEL or another text as code in a cell of a table."""
    ticks = "``" if "`" in line else "`"
    return f"{ticks}{' '.join(line.split()).replace('|', _PIPE)}{ticks}"


def cell(text: str) -> str:
    """A text for a cell of a table; angle brackets outside code are escaped."""
    parts = _CODE.split(" ".join(text.split()).replace("|", _PIPE))
    return "".join(part if index % 2 else part.replace("<", "&lt;") for index, part in enumerate(parts))
