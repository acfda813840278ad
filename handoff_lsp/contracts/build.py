"""From plain data (parsed JSON or YAML) to the dataclasses of ``model``, and merging a profile into its contract.

The data is valid already: ``validate`` checks a user's file, the tests check the built-in ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handoff_lsp.contracts import model

Data = dict[str, Any]


def _many(build: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda data: [build(item) for item in data]


def _named(build: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda data: {name: build(item) for name, item in data.items()}


def _plain(cls: type[Any]) -> Callable[[Data], Any]:
    return lambda data: cls(**data)


def _nested(cls: type[Any], parts: dict[str, Callable[[Any], Any]]) -> Callable[[Data], Any]:
    def build(data: Data) -> Any:
        known = dict(data)
        for name, part in parts.items():
            if known.get(name) is not None:
                known[name] = part(known[name])
        return cls(**known)

    return build


def _value(data: Any) -> model.Value:
    """A value of an enum: a mapping, or a text alone."""
    return model.Value(value=data) if isinstance(data, str) else model.Value(**data)


def _content(data: Any) -> model.Content:
    """A way to recognise a form: a mapping, or a name alone."""
    return model.Content(some=[data]) if isinstance(data, str) else model.Content(**data)


def _titled(data: Any) -> dict[str, model.Field]:
    """Fields by name, each with its title: its name where the contract gives it none."""
    return {name: build_field({**field, "title": field.get("title") or name}) for name, field in data.items()}


_FIELD_PARTS: dict[str, Callable[[Any], Any]] = {
    "values": _many(_value),
    "unwanted": _many(_plain(model.Unwanted)),
}
build_field: Callable[[Data], model.Field] = _nested(model.Field, _FIELD_PARTS)
_FIELD_PARTS["items"] = build_field
_FIELD_PARTS["fields"] = _titled


def _profile(data: Data) -> model.Profile:
    evidence = [model.Sign(**sign) for sign in data.get("evidence", [])]
    return model.Profile(about=data.get("about", ""), evidence=evidence)


_SIGNS = _many(_plain(model.Sign))
_DETECT = _nested(model.Detect, {"signs": _SIGNS})
_HOLDS = {"holds": _many(_content)}
_CONTRACT_PARTS: dict[str, Callable[[Any], Any]] = {
    "profiles": _named(_profile),
    "detect": _DETECT,
    "section": _nested(model.SectionForm, _HOLDS),
    "run": _nested(model.RunForm, _HOLDS),
    "fence": _nested(model.Fence, _HOLDS),
    "file": _nested(model.FileForm, _HOLDS),
    "signs": _SIGNS,
    "quotations": _SIGNS,
    "examples": _SIGNS,
    "templates": _SIGNS,
    "prose": _named(_nested(model.Prose, {"detect": _DETECT})),
    "companions": _named(_plain(model.Companion)),
    "counts": _named(_plain(model.Count)),
    "definitions": _named(_plain(model.Definition)),
    "settings": _named(_plain(model.Setting)),
    "fields": _titled,
    "checks": _named(_plain(model.Check)),
    "transitions": _plain(model.Transitions),
    "routing": _many(_plain(model.Route)),
    "overview": _plain(model.Overview),
}
build_contract: Callable[[Data], model.Contract] = _nested(model.Contract, _CONTRACT_PARTS)


def merge_patch(target: Any, patch: Any) -> Any:
    """The result of a JSON merge patch (RFC 7396) on data, which stays unchanged.

    Unlike in the RFC, order matters: a key that follows a removed one in the patch takes its place, so that a renamed
    field stays where it was. And ``+KEY`` with a list adds to the list KEY.
    """
    if not isinstance(patch, dict):
        return patch
    merged = dict(target) if isinstance(target, dict) else {}
    removed: str | None = None
    for key, value in patch.items():
        if key[:1] == "+" and isinstance(value, list) and isinstance(merged.get(key[1:], []), list):
            merged[key[1:]] = [*merged.get(key[1:], []), *value]
            continue
        if value is None:
            removed = key if key in merged else None
            continue
        new = merge_patch(merged.get(key), value)
        if removed is not None and key not in merged:
            merged = {(key if k == removed else k): (new if k == removed else v) for k, v in merged.items()}
        merged[key] = new
        removed = None
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
    return merged


# The only profile of a contract that names none.
ONLY_PROFILE = "default"


def completed(contract: Data) -> Data:
    """A contract's data with at least one profile and a default one."""
    if contract.get("profiles") and contract.get("default_profile"):
        return contract
    profiles = contract.get("profiles") or {ONLY_PROFILE: {}}
    default = contract.get("default_profile") or next(iter(profiles))
    return {**contract, "profiles": profiles, "default_profile": default}


def with_profile(contract: Data, profile: str) -> Data:
    """A contract's data as one of its profiles has it. Raises KeyError for a profile it does not have."""
    patch = contract["profiles"][profile]
    changes = {key: value for key, value in patch.items() if key in model.CHANGEABLE}
    merged: Data = merge_patch(contract, changes)
    closing = (contract.get("run") or {}).get("closing", "")
    if closing in merged["fields"]:  # the fields that end a run stay last, also after those that a profile adds
        others = {name: field for name, field in merged["fields"].items() if name != closing}
        merged["fields"] = {**others, closing: merged["fields"][closing]}
    return merged
