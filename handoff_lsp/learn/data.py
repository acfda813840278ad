"""Fields of JSON and YAML: objects, lists and values as the samples have them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from handoff_lsp.learn.draft import FieldDraft, field_name
from handoff_lsp.learn.types import of_texts

_KEY = re.compile(r"[A-Za-z_$@][\w$@ .-]{0,59}")
# Deeper levels say little about a format.
_MOST_LEVELS = 6
_MOST_FIELDS = 40
# Objects whose keys are names of the author's own.
_FEWEST_NAMES = 3


def learn_fields(
    objects: Sequence[Mapping[str, Any]], *, markdown: bool, level: int = 0, samples: int | None = None
) -> dict[str, FieldDraft]:
    """The fields of some objects of one kind, in the order in which they are first written.

    ``samples``: how many samples the objects come from, if they are items of lists; left out: one each.
    """
    fields: dict[str, FieldDraft] = {}
    left = 0
    for key in in_order(objects):
        having = [one[key] for one in objects if key in one]
        if len(having) == 1 and len(objects) > 2:
            left += 1
            continue
        if len(fields) >= _MOST_FIELDS:
            break
        name = field_name(key, fields, as_written=True)
        one_each = len(having) if samples is None else samples
        fields[name] = learn_value(key, having, markdown=markdown, level=level, samples=one_each)
        fields[name].seen, fields[name].of = len(having), len(objects)
        fields[name].required = len(having) == len(objects) and None not in having
    return fields


def in_order(objects: Sequence[Mapping[str, Any]]) -> list[str]:
    """All keys, each behind the one that it follows where it is first met."""
    order: list[str] = []
    for one in objects:
        at = 0
        for key in one:
            if key in order:
                at = order.index(key) + 1
            else:
                order.insert(at, key)
                at += 1
    return order


def learn_value(key: str, values: Sequence[Any], *, markdown: bool, level: int, samples: int) -> FieldDraft:
    """A field with these values in a number of samples."""
    made = FieldDraft(key)
    real = [value for value in values if value is not None]
    if not real:
        made.questions.append("no sample has a value here: what is it?")
    elif all(isinstance(value, bool) for value in real):
        made.type = "boolean"
    elif all(isinstance(value, int) and not isinstance(value, bool) for value in real):
        made.type = "integer"
    elif all(isinstance(value, int | float) and not isinstance(value, bool) for value in real):
        made.type = "number"
    elif all(isinstance(value, str) for value in real):
        guess = of_texts(key, real, markdown=markdown, samples=samples)
        made.type, made.values, made.open, made.tolerate = guess.type, guess.values, guess.open, guess.tolerate
        made.questions += guess.questions
    elif all(isinstance(value, list) for value in real):
        _list(made, [item for value in real for item in value], markdown=markdown, level=level, samples=samples)
    elif all(isinstance(value, dict) for value in real):
        _object(made, real, markdown=markdown, level=level, samples=samples)
    elif markdown and all(isinstance(value, list | str) for value in real):
        made.type = "list"
    else:
        kinds = sorted({_kind(value) for value in real})
        made.questions.append(f"it is {' or '.join(kinds)}: which is right?")
    return made


def _list(made: FieldDraft, items: Sequence[Any], *, markdown: bool, level: int, samples: int) -> None:
    made.type = "list"
    if items and not markdown and level < _MOST_LEVELS:
        inner = learn_value(made.title, items, markdown=markdown, level=level + 1, samples=samples)
        if inner.type in {"object", "enum", "integer", "boolean"}:
            made.items = inner


def _object(
    made: FieldDraft, objects: Sequence[Mapping[str, Any]], *, markdown: bool, level: int, samples: int
) -> None:
    keys = {key for one in objects for key in one}
    common = [key for key in keys if sum(key in one for one in objects) * 2 >= len(objects)]
    names = len(objects) > 1 and not common and len(keys) >= _FEWEST_NAMES
    if names or not all(_KEY.fullmatch(key) for key in keys) or len(keys) > _MOST_FIELDS:
        made.type = "map"
    elif level < _MOST_LEVELS and keys:
        made.type = "object"
        made.fields = learn_fields(objects, markdown=markdown, level=level + 1, samples=samples)
    else:
        made.type = "object"


def _kind(value: object) -> str:
    return {bool: "true or false", str: "a text", list: "a list", dict: "an object"}.get(type(value), "a number")
