"""Reports as JSON, and back."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from handoff_lsp.text.lazy import lazy_pattern

T = TypeVar("T")

_PLAIN = frozenset({str, int, float, bool, NoneType})

# Escaped in addition to JSON's own rules: lone surrogates, and characters that control a terminal.
_ESCAPED = lazy_pattern("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def data_of(value: Any) -> Any:
    """A report, or a part of one, as data for JSON: an object has the public attributes' names, in their order."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    names = _names(cast(Hashable, kind))
    if names is not None:
        return {name: data_of(getattr(value, name)) for name in names}
    if isinstance(value, (tuple, list)):
        return [data_of(item) for item in value]
    if isinstance(value, Mapping):
        return {key: data_of(item) for key, item in value.items()}
    return value


@cache
def _names(kind: type) -> tuple[str, ...] | None:
    return (
        tuple(each.name for each in fields(kind) if each.name[0] != "_")
        if hasattr(kind, "__dataclass_fields__")
        else None
    )


def from_data(kind: type[T], data: Any) -> T:
    """The report, or the part of one, that ``data_of`` made this data from. Raises ValueError for other data."""
    try:
        found: T = _reader(cast(Hashable, kind))(data)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"not the data of a {kind.__name__}") from error
    return found


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    """The function that makes a value of a type from its data."""
    if hasattr(kind, "__dataclass_fields__"):
        hints = get_type_hints(kind)
        readers = [(name, _reader(hints[name])) for name in _names(kind) or ()]
        return lambda data: kind(*[data[name] if read is _same else read(data[name]) for name, read in readers])
    parts = get_args(kind)
    if get_origin(kind) is tuple:
        item = _reader(parts[0])
        return lambda data: tuple(map(item, data))
    if get_origin(kind) in (Union, UnionType) and NoneType in parts and len(parts) == 2:
        other = _reader(next(part for part in parts if part is not NoneType))
        return lambda data: other(data) if data is not None else None
    return _same


def _same(data: Any) -> Any:
    return data


def json_line(data: Any) -> str:
    """Data as JSON on one line, without characters that control a terminal. ``NaN`` and the like are null."""
    try:
        line = json.dumps(data, ensure_ascii=False, allow_nan=False)
    except ValueError:
        line = json.dumps(finite(data), ensure_ascii=False, allow_nan=False)
    return _ESCAPED.sub(lambda match: f"\\u{ord(match.group()):04x}", line)


def finite(value: Any) -> Any:
    """Data with None in place of numbers that JSON lacks: NaN and infinities."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
