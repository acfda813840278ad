"""The names that a contract file declares, and what each kind of reference may name. Works on unchecked data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from handoff_lsp.contracts import cel_functions
from handoff_lsp.contracts.field_types import KINDS
from handoff_lsp.contracts.problems import KeyPath, mapping_at
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.contracts.rule_codes import CHECK_RULES, RULES
from handoff_lsp.contracts.spec import OFFERED
from handoff_lsp.features.contract_files.language import tested_path, without_patches
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

AnyData = Mapping[str, Any]

# No contract has more; data with aliases may be endless.
_MOST = 3_000
_MOST_STEPS = 40
_MOST_NAMED = 12
FUNCTIONS = {
    "size": "The length of a text or a list.",
    "has": "Whether an object has a key.",
    "matches": "Whether a text contains a match of an RE2 pattern: `text.matches('…')`.",
    "contains": "Whether a text contains another text.",
    "startsWith": "Whether a text begins with another text.",
    "endsWith": "Whether a text ends with another text.",
    "all": "Whether a condition holds for all items: `list.all(item, …)`.",
    "exists": "Whether a condition holds for at least one item: `list.exists(item, …)`.",
    "filter": "The items for which a condition holds: `list.filter(item, …)`.",
    "map": "A list with a new value for each item: `list.map(item, …)`.",
    "timestamp": "A text as a time.",
    "duration": "A text as a duration, such as `'2h'`.",
    **{name: function.about for name, function in cel_functions.FUNCTIONS.items()},
}


def _called_on(taken: str) -> list[str]:
    known = cel_functions.FUNCTIONS.items()
    return [name for name, function in known if any(way.takes[0] == taken for way in function.ways)]


_OF_TEXTS = ["matches", "contains", "startsWith", "endsWith", *_called_on("text")]
_OF_LISTS = ["all", "exists", "filter", "map", *_called_on("list")]
# Methods by the type of the value before the dot.
_METHODS = {
    "string": _OF_TEXTS,
    "list": _OF_LISTS,
    "rows": _OF_LISTS,
    "any": [name for name in FUNCTIONS if name in {*_OF_TEXTS, *_OF_LISTS}],
}
_LISTS = frozenset({"list", "rows", "table", "any", "map", "checklist"})
_STRING = lazy_pattern(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_COMPARED = lazy_pattern(r"([\w.]+)\s*[=!]=\s*(['\"])([^'\"]*)\Z")
_LISTED = lazy_pattern(r"([\w.]+)\s+in\s+\[(?:[^\]]*,)?\s*(['\"])([^'\"]*)\Z")
_WORD = lazy_pattern(r"(?<![\w'\"])((?:[A-Za-z_]\w*\.)*)([A-Za-z_]\w*|)\Z")


class Name(NamedTuple):
    """A name that may be written somewhere, with a word about it and its description."""

    name: str
    detail: str = ""
    about: str = ""
    is_value: bool = False


class CelPlace(NamedTuple):
    """What may be written at the end of a piece of CEL, and how much of it is there already."""

    names: list[Name]
    written: str
    in_text: bool = False


class Vocabulary:
    """The names of a contract, as data that may be incomplete. ``path``: the place at which they are asked for."""

    def __init__(self, data: AnyData, path: KeyPath, others: Mapping[str, ContractEntry | None]) -> None:
        self._data = data
        self._path = path
        self._others = others

    def of_kind(self, kind: str) -> list[Name]:
        """What a reference of a kind may name; empty for a text that is free."""
        if kind in {"field", "field of some profile", "counted field"}:
            return [name for _, name in self.paths()]
        if kind in {"root field", "root field of some profile", "run edge"}:
            return [_named(name, field) for name, field in _parts(self._data, "fields")]
        if kind == "marked path":
            return [name for _, name in self.paths(brackets=True)]
        if kind == "content key" and self._path[:1] in {("section",), ("run",)}:
            return [name for _, name in self.paths()]
        if kind in {"content key", "present key"}:
            return [Name(path, name.detail, name.about) for path, name in self._written()]
        if kind == "value path":
            return list(self._value_paths())
        if kind == "compared value":
            return self.values(self._meant(tested_path(self._data, self._path)))
        if kind == "title":
            return [Name(title_of(path, field), path) for path, field in self.fields()]
        if kind == "own value":
            return self.values(self._field_around())
        if kind == "status value":
            end = self._path.index("transitions") + 1 if "transitions" in self._path else 0
            return self.values(self.field(_text(mapping_at(self._data, self._path[:end]), "of")))
        if kind == "check's rule":
            return [_rule(code) for code in CHECK_RULES]
        if kind == "rule":
            return [_rule(code) for code in RULES]
        if kind in {"definition", "profile"}:
            return [_plain(name, part) for name, part in _parts(self._data, f"{kind}s")]
        if kind == "contract":
            return [
                _contract(name, entry) for name, entry in self._others.items() if name != self._data.get("contract")
            ]
        return []

    def fields(self) -> Iterator[tuple[str, AnyData]]:
        """Every field with its path, parents first."""
        yield from ((path, field) for path, field, _ in _below(_parts(self._data, "fields")))

    def paths(self, *, brackets: bool = False) -> Iterator[tuple[str, Name]]:
        """The paths of fields; with ``brackets`` those in the items of lists, too."""
        for path, field, _ in _below(_parts(self._data, "fields"), brackets=brackets):
            yield path, _named(path, field)

    def here(self) -> Name | None:
        """The declaration of the author's own name at the end of the path."""
        path = without_patches(self._path)
        part = mapping_at(self._data, path)
        values = ", ".join(f"`{value.name}`" for value in self.values(part)[:_MOST_NAMED])
        about = "\n\n".join(filter(None, (_text(part, "about"), _text(part, "message"), values)))
        return Name(str(path[-1]), _text(part, "type"), about) if part else None

    def _written(self) -> Iterator[tuple[str, Name]]:
        for _, field, titles in _below(_parts(self._data, "fields")):
            yield titles, _named(titles, field)

    def field(self, path: str) -> AnyData | None:
        """The field at a path with dots and brackets; that of an item for ``[]`` at its end."""
        members: list[tuple[str, AnyData]] = _parts(self._data, "fields")
        found: AnyData | None = None
        for step in re.sub(r"\[[^\]]*\]", "[]", path).split("."):
            name, bracket, _ = step.partition("[")
            found = next((field for key, field in members if key == name), None)
            if found is not None and bracket:
                items = found.get("items")
                marks = {"type": "enum", "values": found.get("values")} if found.get("type") == "rows" else {}
                found = items if isinstance(items, dict) else marks
            if found is None:
                return None
            items = found.get("items")
            members = _parts(found, "fields") or (_parts(items, "fields") if isinstance(items, dict) else [])
        return found

    def values(self, field: AnyData | None) -> list[Name]:
        """The values of an enum, those of the definition that it names behind its own."""
        found = []
        for value in islice(self._values(field or {}), _MOST):
            if isinstance(value, dict):
                word, about = str(value.get("value", "")), _text(value, "about") or _text(value, "then")
                found.append(Name(word, "value", about, True))
            else:
                found.append(Name(str(value), "value", "", True))
        return found

    def _values(self, field: AnyData) -> Iterator[Any]:
        named = mapping_at(self._data, ("definitions", field["names"])) if isinstance(field.get("names"), str) else {}
        for values in (field.get("values"), named.get("values") if field.get("type") == "enum" else None):
            yield from values if isinstance(values, list) else ()

    def in_cel(self, before: str) -> CelPlace:
        """What may follow a piece of CEL."""
        for pattern in (_COMPARED, _LISTED):
            compared = pattern.search(before)
            if compared is not None and not _is_open(before[: compared.start(2)]):
                return CelPlace(self.values(self._meant(compared[1])), compared[3], True)
        if _is_open(before):
            return CelPlace([], "")
        word = _WORD.search(before)
        if word is None:
            return CelPlace([], "")
        holder = word[1].rstrip(".")
        return CelPlace(self._members(holder) if holder else self._roots(), word[2])

    def named(self, path: str) -> Name | None:
        """What a path in CEL is."""
        holder, _, name = path.rpartition(".")
        known = self._members(holder) if holder else self._roots()
        return next((one for one in known if one.name == name), None)

    def _value_paths(self) -> Iterator[Name]:
        """The paths of all that has a value in a condition, those with several steps among them."""
        roots = [name for name in self._roots() if name.detail != "function"]
        yield from roots
        known = {name.name for name in roots}
        yield from (Name(path, name.detail, name.about) for path, name in self.paths() if path not in known)
        for holder in ("settings", "document", *(name for name, _ in _parts(self._data, "companions"))):
            if holder in known:
                yield from (one._replace(name=f"{holder}.{one.name}") for one in self._members(holder))
        if "[]" in self._check_at():
            inside = (one for one in self._members("holder") if one.detail != "function")
            yield from (one._replace(name=f"holder.{one.name}") for one in inside)

    def _roots(self) -> list[Name]:
        found = [_named(name, field) for name, field in _parts(self._data, "fields")]
        terms = self._data.get("terms")
        for name, line in terms.items() if isinstance(terms, dict) else ():
            found.append(Name(str(name), "term", f"`{line}`"))
        found += [Name(name, "count", _text(part, "pattern")) for name, part in _parts(self._data, "counts")]
        found += [Name(name, "another document", "") for name, _ in _parts(self._data, "companions")]
        if _parts(self._data, "settings"):
            found.append(Name("settings", "", "What the config decides."))
        found.append(Name("document", "", "The document: `name`, `title`, `head`."))
        found.append(Name(OFFERED, "", "For each root enum, the values that this profile offers."))
        if "[]" in self._check_at():
            found.append(Name("this", "item", "The item that the check looks at."))
            found.append(Name("previous", "item", "The item before it."))
            found.append(Name("holder", "item", "The item as a whole, where `at` leads into it."))
        return found + _functions(name for name in FUNCTIONS if name not in _METHODS["any"])

    def _members(self, holder: str) -> list[Name]:
        first, _, rest = holder.partition(".")
        if holder == "settings":
            return [_plain(name, part, "setting") for name, part in _parts(self._data, "settings")]
        if holder == "document":
            return [Name("name"), Name("title"), Name("head")]
        if holder == OFFERED:
            return [_named(name, field) for name, field in _parts(self._data, "fields") if field.get("values")]
        companion = next((part for name, part in _parts(self._data, "companions") if name == first), None)
        if companion is not None:
            entry = self._others.get(_text(companion, "contract"))
            data = entry.data if entry is not None else {}
            inner = Vocabulary(data, (), {})
            return inner._members(rest) if rest else [_named(*pair) for pair in _parts(data, "fields")]
        field = self._meant(holder)
        if field is None:
            return _functions(_METHODS["any"]) if self.named(holder) is not None else []
        type_of_value = next((kind.cel for name, kind in KINDS.items() if name == (_text(field, "type") or "any")), "")
        methods = _METHODS.get(type_of_value, [])
        return [*(_named(name, part) for name, part in _parts(field, "fields")), *_functions(methods)]

    def _meant(self, path: str) -> AnyData | None:
        """The field that a path in CEL means."""
        first, dot, rest = path.partition(".")
        if first in {"this", "previous", "holder"} and "[]" in self._check_at():
            at = self._check_at()
            if first == "holder":
                at = at[: at.rindex("[]") + 2]
            return self.field(at + dot + rest)
        return self.field(path)

    def _check_at(self) -> str:
        """The `at` of the check around the place; empty outside a check."""
        path = without_patches(self._path)
        check = mapping_at(self._data, self._path[: len(self._path) - len(path) + 2]) if path[:1] == ("checks",) else {}
        return _text(check, "at")

    def _field_around(self) -> AnyData | None:
        """The innermost field around the place."""
        for length in range(len(self._path), 0, -1):
            if length > 1 and (self._path[length - 2] == "fields" or self._path[length - 1] == "items"):
                return mapping_at(self._data, self._path[:length])
        return None


def title_of(path: str, field: AnyData) -> str:
    """The title of a field, its name if it has none."""
    return _text(field, "title") or path.rpartition(".")[2]


def _below(fields: list[tuple[str, AnyData]], *, brackets: bool = False) -> Iterator[tuple[str, AnyData, str]]:
    """The fields below some, each with its path and the same path in titles."""
    stack = [(name, field, title_of(name, field)) for name, field in reversed(fields)]
    for _ in range(_MOST):
        if not stack:
            return
        path, field, titles = stack.pop()
        yield path, field, titles
        if path.count(".") > _MOST_STEPS:
            continue
        items = field.get("items")
        if brackets and field.get("type") in _LISTS:
            yield f"{path}[]", field, titles
            if isinstance(items, dict):
                stack += _joined(f"{path}[]", titles, _parts(items, "fields"))
        stack += _joined(path, titles, _parts(field, "fields"))


def _joined(path: str, titles: str, fields: list[tuple[str, AnyData]]) -> list[tuple[str, AnyData, str]]:
    return [(f"{path}.{name}", field, f"{titles}.{title_of(name, field)}") for name, field in reversed(fields)]


def _parts(data: AnyData, key: str) -> list[tuple[str, AnyData]]:
    """The mappings in a mapping, by name."""
    found = data.get(key)
    if not isinstance(found, dict):
        return []
    return [(str(name), part if isinstance(part, dict) else {}) for name, part in found.items()]


def _named(name: str, field: AnyData) -> Name:
    return Name(name, _text(field, "type") or "field", _text(field, "about"))


def _plain(name: str, part: AnyData, detail: str = "") -> Name:
    return Name(name, detail, _text(part, "about"))


def _contract(name: str, entry: ContractEntry | None) -> Name:
    data = entry.data if entry is not None else {}
    return Name(name, _text(data, "title"), _text(data, "about"))


def _functions(names: Iterable[str]) -> list[Name]:
    return [Name(name, "function", FUNCTIONS[name]) for name in names]


def _rule(code: str) -> Name:
    rule = all_rules().get(code)
    return Name(code, "rule", rule.summary if rule is not None else "")


def _text(data: AnyData, key: str) -> str:
    found = data.get(key)
    return found if isinstance(found, str) else ""


def _is_open(before: str) -> bool:
    """Whether a piece of CEL ends inside a text in quotes."""
    rest = _STRING.sub("", before)
    return "'" in rest or '"' in rest
