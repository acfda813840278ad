"""A whole new handoff of a contract, made from its data: a document, a section, a run, a fence or a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from handoff_lsp.contracts.field_types import TIME
from handoff_lsp.contracts.model import Carrier, Content, Field, Form, Sign, Value
from handoff_lsp.contracts.patterns import match_whole
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.writing.json_placement import flat
from handoff_lsp.writing.skeleton import (
    DEEPEST,
    MOST_VALUES,
    Skeleton,
    Stops,
    around,
    escape_snippet,
    fill_in,
    joined,
    json_object,
    label,
    placeholder,
    section,
    unclaimed,
)

# The lines around the front matter of a new document.
FRONT_OPENING, FRONT_CLOSING = "---\n", "\n---\n\n"

# The number signs before a heading that is given with its level.
_SIGNS = lazy_pattern(r"^(#{1,6}) +")
_BRACES = lazy_pattern(r"\{([^{}]*)\}")
_FLAGS = lazy_pattern(r"^\(\?[a-z]+\)")
# One alternative of a pattern that matches a single text, or several to choose from.
_LITERAL = lazy_pattern(r"(?:[\w /:-]|\\[.\-/+ ])+")


def form_of(spec: Spec) -> Form:
    """The form of a new handoff: the one that is evidence for the profile, else the first that the contract has."""
    contract = spec.contract
    evident = next((item.form for item in contract.profiles[spec.profile].evidence if item.form is not None), None)
    if evident is not None:
        return evident
    forms: list[tuple[Form, object]] = [
        ("document", contract.detect),
        ("section", contract.section),
        ("run", contract.run),
        ("file", contract.file),
        ("fence", contract.fence),
    ]
    return next(form for form, declared in forms if declared is not None)


def new_document(spec: Spec, stops: Stops | None = None, *, open_heading: bool = False) -> Skeleton:
    """The text of a new handoff, without a line end at its end.

    ``stops`` continues the numbers of its tab stops. ``open_heading``: the open parts of the heading stay between
    braces, as in a template.
    """
    form = form_of(spec)
    fields = _wanted(spec, form)
    stops = stops or Stops()
    if form in {"document", "section"}:
        return _headed(spec, fields, form, stops, open_heading=open_heading)
    if form == "run":
        return _run(spec, fields, stops)
    if form == "fence":
        return _fence(spec, fields, stops)
    file = spec.contract.file
    if file is not None and file.syntax == "yaml":
        return _lines(fields, stops, nested=True)
    if file is not None and file.syntax == "log":
        return _log(spec, stops)
    made = json_object(fields, stops)
    return flat(made) if file is not None and file.syntax == "jsonl" else made


def companions(registry: Registry, entry: ContractEntry, profile: str, stops: Stops) -> list[Skeleton]:
    """The skeletons of the companions that follow directly after this handoff."""
    made = []
    for companion in entry.spec(profile).contract.companions.values():
        if companion.where == "behind" and companion.contract in registry:
            other = registry[companion.contract]
            same = profile if profile in other.contract.profiles else other.contract.default_profile
            made.append(new_document(other.spec(same), stops))
    return made


def heading_of(spec: Spec, stops: Stops, *, open_heading: bool) -> Skeleton:
    """The heading of a new handoff; its open parts are placeholders or (``open_heading``) stay in braces.

    The placeholder ends in `…`, which distinguishes a handoff with an unfinished title from a template.
    """
    heading = _SIGNS.sub("", spec.contract.heading) or spec.contract.title
    if open_heading:
        return Skeleton(heading, escape_snippet(heading))
    parts = _BRACES.split(heading[:1].upper() + heading[1:])
    made = [
        stops.hole(f"{part}…") if number % 2 else Skeleton(part, escape_snippet(part))
        for number, part in enumerate(parts)
    ]
    return joined(made, "")


def _wanted(spec: Spec, form: Form) -> dict[str, Field]:
    """The root fields of a new handoff, in order: those required, and those by which it is recognized."""
    fields = spec.fields
    names = {name for name, field in fields.items() if field.required is True or field.in_template is True}
    status = spec.contract.status.split(".")[0].partition("[")[0]
    group = next((group for group in spec.contract.groups.values() if status in group), [])
    names |= {status, *group} & set(fields)
    opening = closing = ""
    contract = spec.contract
    if form == "document":
        names |= _weighing(spec, names)
    if form == "section" and contract.section is not None:
        names |= _recognised(spec, names, contract.section.holds)
    elif form == "run" and contract.run is not None:
        run = contract.run
        opening, closing = run.opening_field, run.closing_field
        names |= {opening, closing} & set(fields)
        names |= _recognised(spec, names, run.holds)
    elif form == "fence" and contract.fence is not None and not contract.fence.tag_decides:
        names |= _recognised(spec, names, contract.fence.holds)
    elif form == "file" and contract.file is not None:
        names |= _recognised(spec, names, contract.file.holds)
    names |= _evident(spec, names)
    order = sorted(fields, key=lambda name: (name != opening, name == closing if closing else False))
    ways = contract.fence.holds if contract.fence is not None else []
    said = {opening, *(_root(spec, key) for asked in ways for key in asked.value)}
    return {name: _insertable(spec, name, fields[name], kept=name in said) for name in order if name in names}


def _recognised(spec: Spec, names: set[str], ways: Sequence[Content]) -> set[str]:
    """The root fields to add so that a handoff is recognized: none if a value is enough, else by the first names."""
    if any(_root(spec, key) in names for asked in ways for key in asked.value):
        return set()
    asked = next((asked for asked in ways if asked.needs or asked.some or asked.telling), None)
    if asked is None:
        return {_root(spec, key) for asked in ways[:1] for key in asked.value} & set(spec.fields)
    found = {_root(spec, path) for path in asked.needs} & set(spec.fields)
    for some, enough in ((asked.some, asked.enough), (asked.telling, 1)):
        known = [name for name in dict.fromkeys(_root(spec, path) for path in some) if name in spec.fields]
        for name in known:
            if len((names | found).intersection(known)) >= enough:
                break
            found.add(name)
    return found


def _root(spec: Spec, path: str) -> str:
    head = path.split(".")[0]
    return next((name for name, field in spec.fields.items() if head in (name, field.title)), head)


def _evident(spec: Spec, names: set[str]) -> set[str]:
    """The root fields that are evidence for the profile by value, or by presence if ``names`` has no other evidence."""
    pieces = spec.contract.profiles[spec.profile].evidence
    found = {_root(spec, name) for item in pieces for name in item.value} | {_naming(spec)}
    having = sorted((item for item in pieces if item.has), key=lambda item: -item.weight)
    evident = any(item.title or item.value or item.form for item in pieces) or _naming(spec)
    if having and not evident and not any(_root(spec, item.has) in names for item in having):
        found.add(_root(spec, having[0].has))
    return found & set(spec.fields)


def _naming(spec: Spec) -> str:
    return spec.contract.names_profile(spec.profile)


def _insertable(spec: Spec, name: str, field: Field, *, kept: bool) -> Field:
    """A field as it is inserted: evidence for the profile offers only matching values; ``kept`` fields keep theirs."""
    if name == _naming(spec):
        return replace(field, fillable="")
    asked = [item.value.get(name, "") for item in spec.contract.profiles[spec.profile].evidence]
    asked += [sign.value.get(name) or sign.value.get(field.title, "") for sign in _front_signs(spec)]
    for pattern in asked:
        values = _values_matching(pattern, field)
        if values:
            return replace(field, type="enum", values=values, fillable="")
    return field if kept else unclaimed(field, spec.empty_words)


def _weighing(spec: Spec, names: set[str]) -> set[str]:
    """The root fields in front matter to add so that a document is recognized, as far as these do."""
    detect, found = spec.contract.detect, set[str]()
    signs = detect.signs if detect is not None else []
    weight = sum(sign.weight for sign in signs if not sign.children and _roots(spec, sign) & names)
    for sign in _front_signs(spec):
        new = _roots(spec, sign) & set(spec.fields)
        if detect is not None and weight < detect.enough and new and not new & names:
            found |= new
            weight += sign.weight
    return found


def _roots(spec: Spec, sign: Sign) -> set[str]:
    """The root fields that a sign names."""
    return {_root(spec, name) for name in (sign.has, *sign.value) if name}


def _front_signs(spec: Spec) -> list[Sign]:
    """The keys of front matter that a document is recognized by."""
    detect, fields = spec.contract.detect, spec.fields
    signs = detect.signs if detect is not None else []
    return [
        sign
        for sign in signs
        if sign.weight > 0 and any("front-matter" in fields[name].carriers for name in _roots(spec, sign) & set(fields))
    ]


def _values_matching(pattern: str, field: Field) -> list[Value]:
    """The values that match a pattern: the field's, else the literal texts in the pattern; empty if all match."""
    if not pattern:
        return []
    known = [value for value in field.values if match_whole(pattern, value.value) is not None]
    if known:
        return known if len(known) < len(field.values) else []
    parts = _FLAGS.sub("", pattern).removeprefix("(?:").removeprefix("(").removesuffix(")").split("|")
    plain = [re.sub(r"\\(.)", r"\1", part) for part in parts if _LITERAL.fullmatch(part)]
    return [Value(value=text) for text in plain if match_whole(pattern, text) is not None]


def _headed(spec: Spec, fields: dict[str, Field], form: Form, stops: Stops, *, open_heading: bool) -> Skeleton:
    """Front matter, a heading, the labels below it, and a section each for the other fields."""
    signs = _SIGNS.match(spec.contract.heading)
    level = len(signs[1]) if signs is not None else 1 if form == "document" else 2
    keys = {name: field for name, field in fields.items() if _carrier(field, "section") == "front-matter"}
    parts = []
    if keys and form == "document":
        parts.append(around(FRONT_OPENING, _lines(keys, stops, nested=True), FRONT_CLOSING.rstrip("\n")))
    parts += [around(f"{'#' * level} ", heading_of(spec, stops, open_heading=open_heading), "")]
    labelled: dict[Carrier, list[Skeleton]] = {}
    for name, field in fields.items():
        carrier = _carrier(field, "section")
        if carrier not in {"section", "heading-inline", "title", "front-matter"}:
            labelled.setdefault(carrier, []).append(label(name, _hinted(field), stops))
    parts += [joined(lines, "\n") for lines in labelled.values()]
    for name, field in fields.items():
        if _carrier(field, "section") in {"section", "heading-inline"}:
            # The author fills in or deletes a section that only some handoffs need; no rule reports it while empty.
            bare = isinstance(field.required, str) and not field.kind.is_choice
            parts.append(section(name, field, min(level + 1, DEEPEST), stops, bare=bare))
    return joined(parts, "\n\n")


def _carrier(field: Field, default: Carrier) -> Carrier:
    return field.carriers[0] if field.carriers else default


def _hinted(field: Field) -> Field:
    """A field with a skeleton that is never empty: a label without a value would not count as a label."""
    if field.kind.is_choice and len(field.values) > MOST_VALUES:
        return replace(field, fillable=field.fillable or _title(field))
    if field.fillable or (field.kind.holds == "value" and not field.kind.has_pattern):
        return field
    return replace(field, fillable=field.pattern_about or _title(field), type="line")


def _title(field: Field) -> str:
    return field.title.lower().replace("_", " ")


def _lines(fields: dict[str, Field], stops: Stops, *, nested: bool, bold: bool = False) -> Skeleton:
    """``key: value`` lines; with ``nested``, the fields of an object are indented below it."""
    made = []
    for name, field in fields.items():
        if nested and field.kind.holds == "fields" and field.fields:
            wanted = {key: child for key, child in field.fields.items() if child.required or child.in_template}
            inside = _lines(wanted or field.fields, stops, nested=nested)
            title = field.title
            made.append(
                Skeleton(
                    f"{title}:\n  " + inside.plain.replace("\n", "\n  "),
                    f"{escape_snippet(title)}:\n  " + inside.snippet.replace("\n", "\n  "),
                )
            )
            continue
        made.append(label(name, _hinted(field), stops, None if bold else "plain-label"))
    return joined(made, "\n")


def _run(spec: Spec, fields: dict[str, Field], stops: Stops) -> Skeleton:
    run = spec.contract.run
    assert run is not None
    if run.comment:
        return around(f"<!-- {run.comment}\n", _lines(fields, stops, nested=True), "\n-->")
    if run.first_line:
        lines = around(f"{run.first_line}\n", _lines(fields, stops, nested=True), f"\n{run.last_line}".rstrip("\n"))
        return lines if "text" in run.within else around("```\n", lines, "\n```")
    lines = _lines(fields, stops, nested=True, bold="text" in run.within)
    return lines if "text" in run.within else around("```\n", lines, "\n```")


def _fence(spec: Spec, fields: dict[str, Field], stops: Stops) -> Skeleton:
    fence = spec.contract.fence
    assert fence is not None
    made = json_object(fields, stops) if fence.holds_json else _lines(fields, stops, nested=not fence.by_line)
    return around(f"```{fence.tag}\n", made, "\n```")


def _log(spec: Spec, stops: Stops) -> Skeleton:
    """A first entry, and one for each root field that a tagged entry's text holds."""
    form = spec.contract.file
    if form is not None and form.entry:
        return stops.hole(form.example)
    entries = next((field for field in spec.fields.values() if field.holds_entries), None)
    parts = entries.items.fields if entries is not None and entries.items is not None else {}
    time = placeholder(TIME.placeholder)
    tag = parts.get("tag")
    first = (tag.example or tag.values[0].value) if tag is not None and tag.values else "START"
    made = [joined([stops.value(time), around(f" [{first}] ", stops.hole("what happened…"), "")], "")]
    for name, field in spec.fields.items():
        if field.holds_last_text and field.tag != first:
            made.append(
                joined([stops.value(time), around(f" [{field.tag}] ", fill_in(name, _hinted(field), stops), "")], "")
            )
    return joined(made, "\n")
