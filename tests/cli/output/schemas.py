"""The schemas of the formats that are JSON. Those of GitLab and reviewdog are in our own words, and closed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fastjsonschema


def _object(required: str, optional: str = "", **properties: Any) -> dict[str, Any]:
    names = {*required.split(), *optional.split()}
    assert names == set(properties)
    return {
        "type": "object",
        "properties": properties,
        "required": required.split(),
        "additionalProperties": False,
    }


_TEXT = {"type": "string", "minLength": 1}
_NUMBER = {"type": "integer", "minimum": 1}
_BEGIN = _object("line column", line=_NUMBER, column=_NUMBER)

# Code Quality: an array of issues with these keys; a place is a line or positions. `content` is Code Climate's.
GITLAB = {
    "type": "array",
    "items": _object(
        "description check_name fingerprint severity location",
        "content",
        description=_TEXT,
        check_name=_TEXT,
        fingerprint={"type": "string", "pattern": "^[0-9a-f]{64}$"},
        severity={"enum": ["info", "minor", "major", "critical", "blocker"]},
        location={
            "oneOf": [
                _object("path lines", path=_TEXT, lines=_object("begin", begin=_NUMBER)),
                _object("path positions", path=_TEXT, positions=_object("begin end", begin=_BEGIN, end=_BEGIN)),
            ]
        },
        content=_object("body", body=_TEXT),
    ),
}

# reviewdog.proto's DiagnosticResult. reviewdog reads it by protojson, which refuses unknown keys.
_RANGE = _object("start", "end", start=_BEGIN, end=_BEGIN)
_SOURCE = _object("name", "url", name=_TEXT, url={"type": "string", "format": "uri"})
RDJSON = _object(
    "source diagnostics",
    source=_SOURCE,
    diagnostics={
        "type": "array",
        "items": _object(
            "message location severity code",
            "suggestions",
            message=_TEXT,
            location=_object("path", "range", path={"type": "string"}, range=_RANGE),
            severity={"enum": ["ERROR", "WARNING", "INFO"]},
            code=_object("value", "url", value=_TEXT, url={"type": "string", "format": "uri"}),
            suggestions={"type": "array", "items": _object("range text", range=_RANGE, text={"type": "string"})},
        ),
    },
)

_SARIF = json.loads((Path(__file__).parent / "sarif-2.1.0.schema.json").read_text(encoding="utf-8"))

VALIDATORS: dict[str, Callable[[Any], Any]] = {
    "sarif": fastjsonschema.compile(_SARIF),
    "gitlab": fastjsonschema.compile(GITLAB),
    "rdjson": fastjsonschema.compile(RDJSON),
}
