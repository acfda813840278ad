"""From plain data (parsed JSON or YAML) to the dataclasses of ``model``, and merging a profile into its contract.

The data is valid already: ``validate`` checks a user's file, the tests check the built-in ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handoff_lsp.contracts import model
from handoff_lsp.contracts.arguments import arguments_of
from handoff_lsp.contracts.defaults import Filling, value_of
from handoff_lsp.contracts.field_types import KINDS
from handoff_lsp.contracts.stated import related_check, stated
from handoff_lsp.text.named_tuple import NamedTuple

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


def is_named(contract: Data, profile: str) -> bool:
    """Whether the value of a field selects a profile: the profile has no evidence of its own."""
    return not contract["profiles"][profile].get("evidence") and profile != contract.get("default_profile")


def _value(data: Any) -> model.Value:
    """A value of an enum: a mapping, or a text alone."""
    return model.Value(value=data) if isinstance(data, str) else model.Value(**data)


def _content(data: Any) -> model.Content:
    """A way to recognize a form: a mapping, or a name alone."""
    return model.Content(some=[data]) if isinstance(data, str) else model.Content(**data)


def _titled(data: Any) -> dict[str, model.Field]:
    """Fields by name, each with its title: its name where the contract gives it none."""
    return {name: build_field({**field, "title": field.get("title") or name}) for name, field in data.items()}


def _with_arguments(build: Callable[[Data], model.Field]) -> Callable[[Data], model.Field]:
    """Fields with the arguments of their values as fields of their own, any line where the contract says no more."""

    def build_whole(data: Data) -> model.Field:
        field = build(data)
        for value in field.values:
            for name in arguments_of(value.value):
                field.fields.setdefault(name, model.Field(type="line", title=name))
        return field

    return build_whole


_FIELD_PARTS: dict[str, Callable[[Any], Any]] = {
    "required": stated,
    "forbidden": stated,
    "filled": stated,
    "values": _many(_value),
    "unwanted": _many(_plain(model.Unwanted)),
}
_plain_field: Callable[[Data], model.Field] = _with_arguments(_nested(model.Field, _FIELD_PARTS))


def build_field(data: Data) -> model.Field:
    """A field with all below it; the items of one with ``each`` are objects, and what is in them has carriers."""
    return _plain_field({**data, "items": _item(data.get("items") or {})} if data.get("each") else data)


def _item(data: Data) -> Data:
    fields = {name: _in_section(field) for name, field in (data.get("fields") or {}).items()}
    return {"type": "object", **data, "fields": fields}


def _in_section(data: Data) -> Data:
    """A field in the section of an item: without carriers, a section if it may have several lines, else a label."""
    if data.get("carriers") or data.get("each"):
        return data
    one = KINDS[data.get("type", "any")].holds in {"value", "anything"}
    return {**data, "carriers": ["bold-label", "plain-label"] if one else ["section"]}


_FIELD_PARTS["items"] = build_field
_FIELD_PARTS["fields"] = _titled
_FIELD_PARTS["defaults"] = _named(build_field)


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
    "fence": _nested(model.Fence, {**_HOLDS, "at_end": stated}),
    "file": _nested(model.FileForm, _HOLDS),
    "signs": _SIGNS,
    "quotations": _SIGNS,
    "examples": _SIGNS,
    "templates": _SIGNS,
    "prose": _named(_nested(model.Prose, {"detect": _DETECT})),
    "companions": _named(_plain(model.Companion)),
    "counts": _named(_plain(model.Count)),
    "definitions": _named(_nested(model.Definition, {"values": _many(_value)})),
    "defaults": _named(build_field),
    "settings": _named(_plain(model.Setting)),
    "fields": _titled,
    "terms": _named(stated),
    "checks": _named(_nested(model.Check, {"when": stated})),
    "transitions": _plain(model.Transitions),
    "returns": _named(_plain(model.Return)),
    "routing": _many(_nested(model.Route, {"when": stated})),
    "overview": _nested(model.Overview, {"state": _plain(model.AgentState)}),
}


class Built(NamedTuple):
    """A contract with the data that it is built from."""

    data: Data
    contract: model.Contract


def build_contract(data: Data, base: Built | None = None) -> model.Contract:
    """The contract of valid data. What these share with ``base`` is not built anew."""
    known = dict(data)
    for name, part in _CONTRACT_PARTS.items():
        given = known.get(name)
        if given is None:
            continue
        if base is not None and given is base.data.get(name):
            known[name] = getattr(base.contract, name)
        elif name in {"fields", "checks"} and base is not None:
            same, built = base.data.get(name) or {}, getattr(base.contract, name)
            own = {key: one for key, one in given.items() if one is not same.get(key)}
            made = part(_related(own, data) if name == "checks" else own)
            known[name] = {key: made[key] if key in made else built[key] for key in given}
        else:
            known[name] = part(_related(given, data) if name == "checks" else given)
    return model.Contract(**known)


def _related(checks: Data, data: Data) -> Data:
    """Checks with all that their relations say."""
    known, companions = frozenset(data["fields"]), frozenset(data.get("companions") or ())
    return {name: related_check(check, known, companions) for name, check in checks.items()}


# Lists of which the first item that fits decides: what is added to them comes first.
FIRST_COUNTS = frozenset({"routing"})


# The keys with a condition, and those whose own keys are an author's names.
CONDITIONS = frozenset({"required", "forbidden", "filled", "when", "check", "at_end"})
NAMES = frozenset(
    {
        "fields",
        "checks",
        "terms",
        "groups",
        "profiles",
        "settings",
        "definitions",
        "counts",
        "companions",
        "prose",
        "returns",
    }
)


def is_whole(names: str, key: str) -> bool:
    """Whether the value of a key is a condition, or a name's is: it is never merged."""
    return names == "terms" or (not names and key in CONDITIONS)


def names_below(names: str, key: str) -> str:
    """A key if its own keys are names; ``names``: the key that it is below, if that is one."""
    return key if not names and key in NAMES else ""


def merge_patch(target: Any, patch: Any, names: str = "") -> Any:
    """The result of a JSON merge patch (RFC 7396) on a contract's data, which stays unchanged.

    Unlike in the RFC, order matters: a key that follows a removed one in the patch takes its place, so that a renamed
    field stays where it was. And ``+KEY`` with a list adds to the list KEY, in front if it is of ``FIRST_COUNTS``. A
    condition is replaced as a whole. ``names``: the key of the patch, if its own keys are names.
    """
    if not isinstance(patch, dict):
        return patch
    merged = dict(target) if isinstance(target, dict) else {}
    removed: str | None = None
    for key, value in patch.items():
        if str(key)[:1] == "+" and isinstance(value, list) and isinstance(merged.get(key[1:], []), list):
            before = merged.get(key[1:], [])
            merged[key[1:]] = [*value, *before] if key[1:] in FIRST_COUNTS else [*before, *value]
            continue
        if value is None:
            removed = key if key in merged else None
            continue
        new = value if is_whole(names, key) else merge_patch(merged.get(key), value, names_below(names, key))
        if removed is not None and key not in merged:
            merged = {(key if k == removed else k): (new if k == removed else v) for k, v in merged.items()}
        merged[key] = new
        removed = None
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
    return _above_what_they_change(merged, target, patch) if names == "terms" else merged


def _above_what_they_change(merged: Data, target: Any, patch: Data) -> Data:
    """Terms with the new ones of a patch right above the next one that it changes, which may use them."""
    known = target if isinstance(target, dict) else {}
    above: dict[str, list[str]] = {}
    new: list[str] = []
    for key in patch:
        if key in merged and key not in known:
            new.append(key)
        elif key in merged:
            above[key], new = new, []
    moved = {key for keys in above.values() for key in keys}
    order = [one for key in merged if key not in moved for one in (*above.get(key, ()), key)]
    return {key: merged[key] for key in order}


# The only profile of a contract that names none.
ONLY_PROFILE = "default"


def completed(contract: Data) -> Data:
    """A contract's data with at least one profile and a default one."""
    if contract.get("profiles") and contract.get("default_profile"):
        return contract
    profiles = contract.get("profiles") or {ONLY_PROFILE: {}}
    default = contract.get("default_profile") or next(iter(profiles))
    return {**contract, "profiles": profiles, "default_profile": default}


def patched(contract: Data, profile: str) -> Data:
    """A contract's ``filled_in`` data with the changes of a profile as they are written, of whatever shape."""
    patch = contract["profiles"][profile]
    changes = {key: value for key, value in patch.items() if key.removeprefix("+") in model.CHANGEABLE}
    merged: Data = merge_patch(contract, changes)
    return merged


def with_profile(contract: Data, profile: str) -> Data:
    """A contract's ``filled_in`` data as one of its profiles has it. Raises KeyError for a profile it does not have."""
    merged = patched(contract, profile)
    changed = {name: field for name, field in merged["fields"].items() if field is not contract["fields"].get(name)}
    if changed:
        merged["fields"] = {**merged["fields"], **Filling(contract).fields(changed)}
    named = merged["fields"].get(contract.get("profile_in", ""))
    if named is not None and is_named(contract, profile):
        known = [one for one in named.get("values", ()) if value_of(one) == profile]
        only = {**named, "values": known or [profile], "open": False}
        merged["fields"] = {**merged["fields"], contract["profile_in"]: only}
    closing = (contract.get("run") or {}).get("closing", "")
    if closing in merged["fields"]:  # the fields that end a run stay last, also after those that a profile adds
        others = {name: field for name, field in merged["fields"].items() if name != closing}
        merged["fields"] = {**others, closing: merged["fields"][closing]}
    return merged
