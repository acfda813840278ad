"""Language 1 of contracts, which `contract migrate` rewrites: its classes, and what became of their keys.

Only what has changed since is here: the rows of ``CHANGES``, applied in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from handoff_lsp.contracts.model import CHANGEABLE
from handoff_lsp.contracts.problems import KeyPath
from handoff_lsp.contracts.yaml_edits import YamlMapping
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

# The classes below each class, by key: the class itself, `[class]` for a list, `{class}` for a mapping by name.
_CONTRACT: Mapping[str, str] = {
    "profiles": "{Profile}",
    "detect": "Detect",
    "section": "SectionForm",
    "run": "RunForm",
    "fence": "Fence",
    "file": "FileForm",
    "signs": "[Marker]",
    "quotations": "[Quotation]",
    "examples": "[Marker]",
    "templates": "[Marker]",
    "prose": "{Prose}",
    "settings": "{Setting}",
    "fields": "{Field}",
    "upstream": "Upstream",
    "companions": "{Companion}",
    "counts": "{Count}",
    "definitions": "{Definition}",
    "checks": "{Check}",
    "transitions": "Transitions",
    "routing": "[Route]",
    "groups": "{Group}",
    "overview": "Overview",
}
_CLASSES: Mapping[str, Mapping[str, str]] = {
    "Contract": _CONTRACT,
    "Profile": {"evidence": "[ProfileEvidence]", **{key: _CONTRACT[key] for key in CHANGEABLE if key in _CONTRACT}},
    "Detect": {"markers": "[Marker]"},
    "Prose": {"detect": "Detect"},
    "Field": {
        "fields": "{Field}",
        "items": "Field",
        "values": "[Value]",
        "upstream": "Upstream",
        "unwanted": "[Unwanted]",
    },
}


class CannotMigrate(Exception):
    """The reason why a part of a contract has to be rewritten by hand."""


class OldPart(NamedTuple):
    """A mapping of a contract that is rewritten. ``path`` leads to it, ``root`` is the data of the whole contract."""

    mapping: YamlMapping
    path: KeyPath
    root: Mapping[str, Any]

    @property
    def data(self) -> dict[str, Any]:
        """Its data."""
        return {key: self.mapping.data(key) for key in self.mapping.pairs}

    @property
    def is_patch(self) -> bool:
        """Whether it changes what is elsewhere: in a profile, or in a contract that extends another one."""
        return self.path[:1] == ("profiles",) or "extends" in self.root


# The new pairs in the place of the old ones, in order. Parts of a value may be `moved` as they are written.
Rebuild = Callable[[OldPart], list[tuple[str, Any]]]


@dataclass(frozen=True)
class Renamed:
    """A key of a class that has another name now."""

    owner: str
    old: str
    new: str

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of language 1."""
        return (self.old,)


@dataclass(frozen=True)
class Rebuilt:
    """Keys of a class that are said in another way now. ``build`` raises CannotMigrate where that needs a person.

    ``old``: whether the value of a key that is there still is one of language 1; left out: it is if the key is there.
    ``along``: keys that are rewritten with them.
    """

    owner: str
    keys: tuple[str, ...]
    build: Rebuild
    old: Callable[[str, Any], bool] | None = None
    along: tuple[str, ...] = ()


KeyChange = Renamed | Rebuilt


def _sign(part: OldPart) -> list[tuple[str, Any]]:
    """A marker that is a sign now."""
    mapping, data = part.mapping, part.data
    found: list[tuple[str, Any]] = []
    if "section" in data:
        found.append(("has", mapping.moved("section")))
    if "labels" in data:
        found += [("has", mapping.moved("labels")), ("children", 3)]
    if isinstance(data.get("value"), str):
        found.append(("value", {data["value"]: ""}))
    if "front_matter" in data:
        key = str(data["front_matter"])
        if part.path[0] == "prose" or not _is_front_matter(part.root, key.partition(".")[0]):
            key = f"front_matter.{key}"
        found.append(("value", {key: mapping.moved("matches")}) if "matches" in data else ("has", key))
    if len({key for key, _ in found}) != len(found) or not found:
        raise CannotMigrate("it is a sign of several things")
    return found


def _is_front_matter(root: Mapping[str, Any], key: str) -> bool:
    """Whether a contract has a field for a key of the front matter."""
    fields = root.get("fields")
    for name, field in fields.items() if isinstance(fields, dict) else ():
        if isinstance(field, dict) and "front-matter" in (field.get("carriers") or ()):
            if key in (name, field.get("title"), *(field.get("aliases") or ())):
                return True
    return False


def _way(part: OldPart, some: str, enough: int) -> dict[str, Any]:
    """What a form had to hold, as one of the ways of `holds`. ``enough``: how many where nothing says it."""
    mapping, data = part.mapping, part.data
    if part.is_patch and some not in data:
        raise CannotMigrate("it changes a part of another one: write a whole `holds`")
    found: dict[str, Any] = {"needs": mapping.moved("needs")} if "needs" in data else {}
    if data.get(some):
        number = data.get("enough", enough)
        found |= {"some": mapping.moved(some)} | ({"enough": number} if number != 1 else {})
    return found | ({"telling": mapping.moved("telling")} if "telling" in data else {})


def _holds(part: OldPart) -> list[tuple[str, Any]]:
    data = part.data
    alone = set(data) <= {"says", "title", "labels"}
    ways = [] if alone else [_way(part, "holds", 1)]
    if "says" in data:
        ways.append({"value": {data["says"]: ""}})
    return [("holds", [way for way in ways if way])]


def _file_holds(part: OldPart) -> list[tuple[str, Any]]:
    ways = [_way(part, "holds", 1)]
    if "some" in ways[0]:  # more than all of them meant all of them
        ways[0]["enough"] = min(part.data.get("enough", 1), len(part.data["holds"]))
        if ways[0]["enough"] == 1:
            del ways[0]["enough"]
    if "known" in part.data:
        ways.append({"some": part.mapping.moved("known"), "enough": part.data.get("known_enough", 4)})
    return [("holds", [way for way in ways if way])]


def _within(part: OldPart) -> list[tuple[str, Any]]:
    left = [place for place in part.data["within"] if place != "comment"]
    return [("within", left)] if left else []


def _no_tags(part: OldPart) -> list[tuple[str, Any]]:
    if set(part.data["tags"]) != {"", "text", "txt", "yaml", "yml"}:
        raise CannotMigrate("a run is in a fence without a tag or with a plain one: text, txt, yaml, yml")
    return []


_READING = {
    "by_line": "by-line",
    "bare": "bare",
    "any_case": "any-case",
    "at_start": "at-start",
    "last": "last",
    "info": "with-info",
}
_TAGS = ("tag", "tag_decides", "legacy_tags", "shaped_tags", "shape_taken")
_BACKTICKS = "```"
_NAME = lazy_pattern(r"[A-Za-z_]\w*\Z")


def _fence(part: OldPart) -> list[tuple[str, Any]]:
    """The keys of a fence; in a profile, those that differ from the contract's."""
    own = part.data
    base = part.root.get("fence") if part.path[:1] == ("profiles",) else None
    base = base if isinstance(base, dict) else {}
    if part.is_patch and not base:
        raise CannotMigrate("it changes the fence of another contract")
    if "tags" in base:
        raise CannotMigrate("the fence that it changes is rewritten already")
    whole = {**base, **own}
    found: list[tuple[str, Any]] = []
    tags, before = _tags(whole), _tags(base) if base else {}
    if tags != before:
        found.append(("tags", {tag: role for tag, role in tags.items() if before.get(tag) != role}))
    if not base or any(key in own for key in ("shape", "needs", "enough", "says")):
        if base and "shape" not in own:
            raise CannotMigrate("it changes a part of another one: write a whole `holds`")
        ways = [{"value": {key: pattern}} for key, pattern in (whole.get("says") or {}).items()]
        way = _way(part, "shape", 2) if "shape" in own or "needs" in own else {}
        ways += [way] if way else []
        found += [("holds", ways)] if ways else []
    if isinstance(own.get("reader"), str):
        found.append(("pattern", part.mapping.moved("reader")))
    reading = _reading(whole)
    if reading != (_reading(base) if base else []):
        found.append(("reader", reading))
    return found


def _tags(fence: Mapping[str, Any]) -> dict[str, str]:
    found = {fence.get("tag", ""): "own" if fence.get("tag_decides", True) else "shared"}
    found |= {tag: "old" for tag in fence.get("legacy_tags") or () if tag not in found}
    taken = fence.get("shape_taken") or ()
    shaped = fence.get("shaped_tags") or ()
    return found | {tag: "shared" if tag in taken else "wrong" for tag in shaped if tag not in found}


def _reading(fence: Mapping[str, Any]) -> list[str]:
    found = [new for old, new in _READING.items() if fence.get(old)]
    for key, word in (("marker", "backticks"), ("cut_at", "cut")):
        if fence.get(key) not in (None, "", _BACKTICKS):
            raise CannotMigrate(f"`{key}` was {fence[key]}, and there is a word for three backticks only")
        found += [word] if fence.get(key) else []
    return found + ([] if fence.get("indented", True) else ["unindented"])


def _defects(part: OldPart) -> list[tuple[str, Any]]:
    """The tokens of a fence by their defects."""
    names = {"upstream": "unreadable", "unclosed": "unclosed"}
    return [("upstream", {new: part.mapping.moved(old) for old, new in names.items() if old in part.data})]


def _edges(part: OldPart) -> list[tuple[str, Any]]:
    """The first and the last line of a run."""
    data = part.data
    found: list[tuple[str, Any]] = []
    for old, new in (("first_line", "opening"), ("last_line", "closing"), ("comment", "opening")):
        if old not in data:
            continue
        if new in data or new in dict(found):
            raise CannotMigrate(f"there is only one `{new}`")
        line = str(data[old])
        if old != "comment" and _NAME.match(line):
            raise CannotMigrate(f"`{new}: {line}` is the field of that name now, and no line")
        found.append((new, f"<!-- {line}" if old == "comment" else part.mapping.moved(old)))
    return found


def _has_old_groups(_: str, value: Any) -> bool:
    return isinstance(value, dict) and any(isinstance(each, dict) or each is None for each in value.values())


def _groups(part: OldPart) -> list[tuple[str, Any]]:
    """Groups by their titles. A profile's may leave out what the contract's has."""
    found: dict[str, Any] = {}
    known = part.root.get("groups") or {}
    groups = part.mapping.inside("groups")
    for name, group in part.data["groups"].items():
        title = (group or {}).get("title") if isinstance(group, dict | None) else name
        if not title and isinstance(known.get(name), dict):
            title = known[name].get("title")
        if group is None and not title:
            title = name
        if not title:
            raise CannotMigrate(f"the title of `{name}` is in another contract")
        if isinstance(group, dict) and "fields" not in group:
            raise CannotMigrate(f"`{name}` changes a group of another title")
        found[title] = groups.inside(name).moved("fields") if isinstance(group, dict) else group
    if found == part.data["groups"]:
        return [("groups", part.mapping.moved("groups"))]
    return [("groups", found)]


def _where(part: OldPart) -> list[tuple[str, Any]]:
    if part.data["path"]:
        return [("where", part.mapping.moved("path"))]
    return [("where", part.data.get("where", "behind"))]


def _restated(part: OldPart) -> list[tuple[str, Any]]:
    data = part.data
    if part.is_patch and not data["restated"]:
        raise CannotMigrate("take `restated` out of the list `tolerate`")
    if "tolerate" not in data:
        return [("+tolerate" if part.is_patch else "tolerate", ["restated"])] if data["restated"] else []
    return [("tolerate", [*data["tolerate"], *(["restated"] if data["restated"] else [])])]


def _unwanted(part: OldPart) -> list[tuple[str, Any]]:
    reason = part.data["unwanted_because"]
    if "unwanted" not in part.data:
        raise CannotMigrate("the items of `unwanted` are in another contract")
    return [
        ("unwanted", [each if "because" in each else {**each, "because": reason} for each in part.data["unwanted"]])
    ]


def _setting(part: OldPart) -> list[tuple[str, Any]]:
    if part.data.get("default") is not None:
        return [("default", part.mapping.moved("default"))]
    return [("default", {"boolean": False, "strings": [], "string": ""}[part.data["type"]])]


CHANGES: tuple[KeyChange, ...] = (
    Renamed("Detect", "markers", "signs"),
    Rebuilt(
        "Marker",
        ("section", "labels", "value", "front_matter", "matches"),
        _sign,
        lambda key, value: key != "value" or isinstance(value, str),
    ),
    Rebuilt("SectionForm", ("enough", "needs", "telling", "says"), _holds, along=("holds",)),
    Rebuilt("RunForm", ("enough", "needs", "telling"), _holds, along=("holds",)),
    Rebuilt("RunForm", ("within",), _within, lambda _, value: isinstance(value, list) and "comment" in value),
    Rebuilt("RunForm", ("tags",), _no_tags),
    Rebuilt("FileForm", ("enough", "needs", "known", "known_enough"), _file_holds, along=("holds",)),
    Rebuilt(
        "Fence",
        (*_TAGS, *_READING, "marker", "cut_at", "indented", "shape", "needs", "enough", "says", "reader"),
        _fence,
        lambda key, value: key != "reader" or isinstance(value, str),
    ),
    Rebuilt(
        "Fence", ("upstream", "unclosed"), _defects, lambda key, value: key == "unclosed" or isinstance(value, list)
    ),
    Rebuilt("RunForm", ("first_line", "last_line", "comment"), _edges),
    *(Rebuilt(owner, ("groups",), _groups, _has_old_groups) for owner in ("Profile", "Contract")),
    Rebuilt("Companion", ("path",), _where, along=("where",)),
    Renamed("Field", "min_items", "minimum"),
    Renamed("Field", "min_length", "minimum"),
    Renamed("Field", "max_items", "maximum"),
    Renamed("Field", "max_length", "maximum"),
    Rebuilt("Field", ("restated",), _restated, along=("tolerate",)),
    Rebuilt("Field", ("unwanted_because",), _unwanted, along=("unwanted",)),
    Rebuilt("Setting", ("type",), _setting, along=("default",)),
)


def below(owner: str, key: str, changes: tuple[KeyChange, ...] = CHANGES) -> str:
    """The class below a key of a class, under its new name, too; empty for none."""
    key = key.removeprefix("+")
    known = _CLASSES.get(owner, {})
    olds = (row.old for row in changes if isinstance(row, Renamed) and row.owner == owner and row.new == key)
    return known.get(key) or next((known[old] for old in olds if old in known), "")


def is_old(row: KeyChange, owner: str, key: str, value: Any) -> bool:
    """Whether a row rewrites a key of a class with this value."""
    key = key.removeprefix("+")
    if row.owner != owner or key not in row.keys:
        return False
    return isinstance(row, Renamed) or row.old is None or row.old(key, value)


def has_changed(path: KeyPath, value: Any) -> bool:
    """Whether the key at the end of a path of a contract's data is one of language 1, with this value."""
    owner = "Contract"
    kind = ""
    for step in path[:-1]:
        if kind:
            owner, kind = kind, ""
            continue
        found = below(owner, str(step))
        if not found:
            return False
        owner, kind = ("", found[1:-1]) if found[0] in "[{" else (found, "")
    return any(is_old(row, owner, str(path[-1]), value) for row in CHANGES)
