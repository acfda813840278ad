"""Reports as JSON."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

# Escaped in addition to JSON's own rules: lone surrogates, and characters that control a terminal.
_ESCAPED = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def data_of(value: Any) -> Any:
    """A report, or a part of one, as data for JSON: an object has the public attributes' names, in their order."""
    names = _names(type(value))
    if names is not None:
        return {name: data_of(getattr(value, name)) for name in names}
    if isinstance(value, (tuple, list)):
        return [data_of(item) for item in value]
    if isinstance(value, Mapping):
        return {key: data_of(item) for key, item in value.items()}
    return value


def _names(kind: type) -> tuple[str, ...] | None:
    return (
        tuple(each.name for each in fields(kind) if each.name[0] != "_")
        if hasattr(kind, "__dataclass_fields__")
        else None
    )


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
