"""The JSON Schema with which a language model is made to write a handoff, in the subset that its maker documents.

Such a schema is for writing: a field that the contract requires must be there and have a value, an enum has the values
that the profile offers, and deprecated fields are left out. Conditions between fields cannot be expressed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Literal

from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.rules.shared.condition_words import condition_text
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.writing.schemas.handoff_schema import pattern_of, written_syntax
from handoff_lsp.writing.schemas.parts import Schema, groups_of, has_arguments, key_of, limits

Of = Literal["handoff", "fields"]
# Parts of a pattern that a subset excludes: lookarounds, word boundaries, references back.
_UNSUPPORTED = lazy_pattern(r"\(\?(?:[=!]|<[=!])|\\[bB1-9]")


class Subset(NamedTuple):
    """What a maker's documentation supports beyond types, enums, properties and items.

    ``keywords``: the limits that may be used, ``least_items`` the largest `minItems`. ``most_optional``: how many
    fields the model may leave out, ``most_nullable`` how many may be null instead; None for any number.
    """

    keywords: frozenset[str]
    most_optional: int
    most_nullable: int | None = None
    least_items: int | None = None


SUBSETS: Mapping[str, Subset] = {
    "openai": Subset(frozenset({"pattern", "minimum", "maximum", "minItems", "maxItems"}), most_optional=0),
    "anthropic": Subset(frozenset({"pattern", "minItems"}), most_optional=24, most_nullable=16, least_items=1),
}


@lazy_dataclass
class ModelSchema:
    """A schema, and the paths of the optional fields that it leaves out."""

    schema: Schema
    left_out: list[str] = field(default_factory=list)


def model_schema(spec: Spec, of: Of, maker: str) -> ModelSchema:
    """The schema of a profile's handoffs for the models of a maker: a key of ``SUBSETS``.

    ``of``: the handoff as written (for contracts in JSON or YAML) or the fields as `parse` prints them.
    """
    if of == "handoff" and written_syntax(spec) is None:
        raise ValueError(f"the handoffs of {spec.name}@{spec.profile} are neither JSON nor YAML")
    writer = _ModelWriter(spec, of, SUBSETS[maker])
    root = writer.object("", spec.fields)
    return ModelSchema({"title": spec.contract.title, "description": spec.contract.about, **root}, writer.left_out)


class _ModelWriter:
    def __init__(self, spec: Spec, of: Of, subset: Subset) -> None:
        self._spec = spec
        self._of = of
        self._subset = subset
        self._presences = dict(self._room())
        self.left_out = [path for path, presence in self._presences.items() if not presence]

    def object(self, path: str, fields: Mapping[str, Field]) -> Schema:
        """A closed object with the fields that there is room for."""
        properties: dict[str, Schema] = {}
        required = []
        for name, one in fields.items():
            where = f"{path}.{name}" if path else name
            presence = self._presences.get(where, _always(one, self._of) if one.required is True else "")
            if not presence:
                continue
            key = name if self._of == "fields" else key_of(name, one)
            value = self._value(where, one)
            properties[key] = {**self._texts(one, value), **(_or_null(value) if presence == "nullable" else value)}
            required += [key] if presence != "optional" else []
        return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}

    def _room(self) -> Iterator[tuple[str, str]]:
        """The optional fields by their paths: each may be left out, or null, or there is no room for it (empty).

        Those required on a condition come first, then those nearer to the root.
        """
        optional = nullable = 0
        gone: set[str] = set()
        for _, _, path, one in sorted(_optional(self._spec.fields), key=lambda found: found[:2]):
            if any(path.startswith((f"{other}.", f"{other}[")) for other in gone):
                continue
            expressible = not _has_any_keys(one, self._of)
            if expressible and optional < self._subset.most_optional:
                optional += 1
                yield path, "optional"
            elif expressible and nullable != self._subset.most_nullable:
                nullable += 1
                yield path, "nullable"
            else:
                gone.add(path)
                yield path, ""

    def _texts(self, one: Field, value: Schema) -> Schema:
        told = [one.about.replace("`", "")] if one.about else []
        if isinstance(one.required, str) and (condition := condition_text(self._spec, one.required)):
            told.append(f"Required when {condition.replace('`', '')}.")
        if one.kind.is_choice or one.kind.untyped:
            told += _values(one, listed="enum" not in value)
        elif one.pattern_about and "pattern" in one.kind.about + one.type:
            told.append(f"Form: {one.pattern_about.replace('`', '')}.")
        return {"description": " ".join(told)} if told else {}

    def _value(self, path: str, one: Field) -> Schema:
        match one.kind.holds:
            case "fields":
                return self.object(path, one.fields)
            case "pairs":
                return self._list(one, _named(self._value(f"{path}[]", one.items or Field(type="line"))))
            case "plain items":
                return self._list(one, self._item(path, one))
            case "marked items" if self._of == "fields":
                row = {"mark": Field(type="enum", values=one.values, required=True), "text": _TEXT}
                return self._list(one, self.object(f"{path}[]", row))
            case "boxed items" if self._of == "fields":
                item = one.items.fields if one.items is not None else {}
                box = {"text": _TEXT, "done": Field(type="boolean", required=True)}
                return self._list(one, self.object(f"{path}[]", {**box, **item}))
            case "table rows" if self._of == "fields":
                columns = one.items.fields if one.items is not None else {}
                cells = self.object(f"{path}[]", columns) if columns else _named({"type": "string"})
                return self._list(one, cells if columns else {"type": "array", "items": cells})
            case "marked items" | "boxed items" | "table rows":
                return self._list(one, {"type": "string"})
            case "anything":
                return self._anything(one)
        return self._single(one)

    def _anything(self, one: Field) -> Schema:
        """A text or a list of texts: whichever the contract proposes, else either where there is room for unions."""
        text: Schema = {"type": "string"}
        texts: Schema = {"type": "array", "items": text}
        if one.fillable:
            return texts if one.fillable[0] == "[" else text
        return {"anyOf": [text, texts]} if self._subset.most_nullable is None else text

    def _item(self, path: str, one: Field) -> Schema:
        """An item of a list; of one in Markdown that is a section of its own, the groups of its heading as well."""
        items = one.items or Field(type="line")
        if one.each:
            groups = {
                name: Field(type="integer" if digits else "line", required=True)
                for name, digits in groups_of(one.each).items()
            }
            return self.object(f"{path}[]", {**groups, **items.fields})
        if items.fields and items.kind.holds != "fields":
            return self.object(f"{path}[]", {"text": _TEXT, **items.fields})
        return self._value(f"{path}[]", items)

    def _list(self, one: Field, item: Schema) -> Schema:
        return {"type": "array", "items": item, **self._limits(one)}

    def _single(self, one: Field) -> Schema:
        if one.kind.is_choice and one.values and not one.open and not has_arguments(one.values):
            return {"type": "string", "enum": [value.value for value in one.offered if not value.deprecated]}
        if one.kind.has_pattern and one.has_groups and self._of == "fields":
            groups = groups_of(one.pattern).items()
            parts = {name: Field(type="integer" if digits else "line", required=True) for name, digits in groups}
            return self.object("", parts)
        made: Schema = {"type": "integer" if one.kind.is_count else one.kind.json or "string"}
        pattern = pattern_of(one)
        if pattern and _UNSUPPORTED.search(pattern) is None:
            made["pattern"] = pattern
        return made | self._limits(one)

    def _limits(self, one: Field) -> Schema:
        """The limits of a value, as far as the subset has them. A limit of items is lowered to the largest allowed."""
        found = {key: limit for key, limit in limits(one).items() if key in self._subset.keywords}
        if "minItems" in found and self._subset.least_items is not None:
            found["minItems"] = min(found["minItems"], self._subset.least_items)
        return found


_TEXT = Field(type="line", required=True)


def _optional(fields: Mapping[str, Field], path: str = "", rank: int = 0) -> Iterator[tuple[int, int, str, Field]]:
    """The fields that are not always required and not deprecated, in order, with what comes before what.

    The first number is 1 for a field that is required on a condition and 2 for others, and at least that of the field
    around it; the second one is the depth.
    """
    for name, one in fields.items():
        where = f"{path}.{name}" if path else name
        own = max(rank, 1 if one.required else 2)
        if one.deprecated and one.required is not True:
            continue
        if one.required is not True:
            yield own, where.count("."), where, one
        yield from _optional(one.fields if one.kind.holds == "fields" else {}, where, own)
        yield from _optional(one.items.fields if one.items is not None else {}, f"{where}[]", own)


def _always(one: Field, of: Of) -> str:
    """How a required field is expressed: it may be null if its contract says so and proposes it."""
    is_null = of == "handoff" and one.fillable == "null" and None not in one.absent_when
    return "nullable" if is_null else "required"


def _has_any_keys(one: Field, of: Of) -> bool:
    """Whether the keys of a field's value are not known: a closed object cannot hold it as it is."""
    return (one.kind.holds == "fields" and not one.fields) or (one.kind.holds == "pairs" and of == "handoff")


def _named(value: Schema) -> Schema:
    """A name with its value: an object with any keys cannot be expressed, a list of these can."""
    properties = {"name": {"type": "string"}, "value": value}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _or_null(value: Schema) -> Schema:
    if isinstance(value.get("type"), str) and "enum" not in value:
        return {**value, "type": [value["type"], "null"]}
    return {"anyOf": [*value.get("anyOf", [value]), {"type": "null"}]}


def _values(one: Field, *, listed: bool) -> Iterator[str]:
    """The meanings of an enum's values; with ``listed`` also the values without one."""
    told = [
        f"{value.value}: {value.about.replace('`', '').rstrip('.')}" if value.about else value.value
        for value in one.offered
        if not value.deprecated and (listed or value.about)
    ]
    if told:
        yield f"Values: {'; '.join(told)}."
