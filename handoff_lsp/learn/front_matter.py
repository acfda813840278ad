"""Fields of the YAML front matter that documents begin with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

import yaml

from handoff_lsp.contracts.model import Carrier
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.learn.data import learn_fields
from handoff_lsp.learn.draft import FieldDraft
from handoff_lsp.learn.sample import Sample
from handoff_lsp.learn.words import words
from handoff_lsp.syntax.limits import too_deep_yaml

# Whether the contract language can say that a field is in the front matter.
READABLE: Final = "front-matter" in get_args(Carrier)
_LONGEST = 20_000
# Keys that documents of any kind have.
ORDINARY_KEYS = words("title description name date author authors tags layout draft slug id version category type")


def front_matter(sample: Sample) -> dict[str, Any]:
    """The front matter of a sample as texts, lists and maps; empty if it has none that can be read."""
    node = sample.tree.front_matter
    if node is None or len(node.text) > _LONGEST or too_deep_yaml(node.text) is not None:
        return {}
    if any(isinstance(event, yaml.AliasEvent) for event in _events(node.text)):
        return {}
    try:
        found = yaml.load(node.text, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}
    return {str(key): value or None for key, value in found.items()} if isinstance(found, Mapping) else {}


def _events(text: str) -> list[Any]:
    try:
        return list(yaml.parse(text, Loader=yaml.BaseLoader))
    except (yaml.YAMLError, ValueError, RecursionError):
        return []


def add_front_matter(fields: dict[str, FieldDraft], samples: Sequence[Sample]) -> dict[str, FieldDraft]:
    """The fields with those of the front matter before them. One that is a section, too, is one field."""
    found = [front_matter(sample) for sample in samples]
    if not any(found) or not READABLE:
        return fields
    made = learn_fields(found, markdown=True)
    by_title = {fold_name(field.title): name for name, field in fields.items()}
    for name, field in list(made.items()):
        field.carriers = ["front-matter"]  # type: ignore[list-item,unused-ignore]
        other = by_title.get(fold_name(field.title))
        if other is not None:
            twin = fields.pop(other)
            field.carriers += twin.carriers
        elif name in fields:
            made[f"{name}_key"] = made.pop(name)
    return {**made, **fields}
